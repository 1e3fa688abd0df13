package evaluate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/rng"
	"cadem.example/core/base/rng/torch"
)

// A Shape gives the sizes of a [Combiner].
type Shape struct {
	Tokens  int // T, embeddings of a node
	Dim     int // d, size of each
	Classes int // K
	// Heads of the attention, a divisor of Dim; 0 leaves the classifier alone on a
	// single token.
	Heads int
	// Average takes the mean of the heads, Dim/Heads numbers, where they are otherwise
	// concatenated and projected by Dim x Dim weights.
	Average bool
	// Tag adds a learned vector to each token by its place. Without it the attention
	// sees contents only and has no idea which layer a token comes from.
	Tag bool
}

// A Combiner fuses the tokens x_t of each node by attention with one learned query q
// that all nodes share, and classifies the result by a linear layer:
//
//	Q = Wq q + bq, K_t = Wk x_t + bk, V_t = Wv x_t + bv
//	head a:  e_t = Q^a . K_t^a / sqrt(d_h),  w = softmax_t(e),  o^a = sum_t w_t V_t^a
//	z = Wo concat_a(o^a) + bo,  logits = Wc z + bc
//
// The sums are reorganised exactly. Scores need the keys only through r^a = Wk^a' Q^a,
// and values only the mixed token m^a = sum_t w_t x_t of a head, since the weights sum to
// 1. What follows is linear in the m^a:
//
//	logits = sum_a G^a m^a + c,  G^a = E^a Wv^a,  E = Wc Wo,  c = E bv + Wc bo + bc
//
// so that no item meets a d x d matrix. A constant added to all scores of a head changes
// nothing, so bk has gradient 0.
//
// Parameters, "out x in": query (1 x d), in_proj_weight (3d x d, rows of Q, K, V),
// in_proj_bias (3d), out_proj_weight (d x d), out_proj_bias (d), layer_tag (T x d),
// cls_weight (K x d), cls_bias (K), as far as the shape has them.
type Combiner struct {
	Shape
	width                   int // of z, the classifier's input
	names                   []string
	offset                  []int // of each parameter, and the end
	param, grad, mean       []float64
	q, win, bin, wo, bo, u  view
	wc, bc                  view
	adam                    adam
	query, reach, reachGrad []float64 // Q; r^a / sqrt(d_h), heads x d; its gradient
	out, outGrad            []float64 // E, K x d
	path, pathGrad          []float64 // G, K x heads x d; Wc without heads
	shift                   []float64 // c, K
	halves                  []float64 // of sums over all items ([kernel.Halves]): dG, then dr and du of every head and token
	tallies                 []float64 // of sums ([tally]): that of logarithms, dc, and those of de of every head and token
	memory                  []float64 // columns of the piece at hand, cut into:
	tagged, weight, mixed   []float64 // x_t + u_t; w (heads x T); m (heads x d)
	prob, pull              []float64 // softmax of the logits; the gradient of m
	dscore, scratch         []float64 // gradient of e (heads x T); two columns
}

// A view is a parameter and its gradient.
type view struct{ val, grad []float64 }

// NewCombiner returns a combiner whose parameters are all zero: see [Combiner.Init].
func NewCombiner(s Shape) *Combiner {
	ErrShape.Unless(s.Dim >= 1 && s.Classes >= 1 && s.Tokens >= 1 &&
		(s.Heads == 0 && s.Tokens == 1 || s.Heads > 0 && s.Dim%s.Heads == 0))
	c := &Combiner{Shape: s, width: s.Dim, offset: []int{0}}
	d, several := s.Dim, s.Heads > 0
	if several {
		if s.Average {
			c.width = d / s.Heads
		}
		c.query = make([]float64, d)
		c.reach, c.reachGrad = make([]float64, s.Heads*d), make([]float64, s.Heads*d)
		c.out, c.outGrad = make([]float64, s.Classes*d), make([]float64, s.Classes*d)
		c.path, c.pathGrad = make([]float64, s.Classes*s.Heads*d), make([]float64, s.Classes*s.Heads*d)
		c.shift = make([]float64, s.Classes)
	}
	all := [...]struct {
		name string
		size int
		used bool
		at   *view
	}{
		{"query", d, several, &c.q},
		{"in_proj_weight", 3 * d * d, several, &c.win},
		{"in_proj_bias", 3 * d, several, &c.bin},
		{"out_proj_weight", d * d, several && !s.Average, &c.wo},
		{"out_proj_bias", d, several && !s.Average, &c.bo},
		{"layer_tag", s.Tokens * d, several && s.Tag, &c.u},
		{"cls_weight", s.Classes * c.width, true, &c.wc},
		{"cls_bias", s.Classes, true, &c.bc},
	}
	size := 0
	for _, p := range all {
		if p.used {
			size += p.size
			c.names, c.offset = append(c.names, p.name), append(c.offset, size)
		}
	}
	c.param, c.grad, c.adam = make([]float64, size), make([]float64, size), newAdam(size)
	parts := s.Heads * s.Tokens
	c.halves, c.tallies = make([]float64, 2*(s.Classes*max(1, s.Heads)+2*parts)*d), make([]float64, 4*(1+s.Classes+parts))
	for _, p := range all {
		if i := c.index(p.name); i >= 0 {
			p.at.val, p.at.grad = c.param[c.offset[i]:c.offset[i+1]], c.grad[c.offset[i]:c.offset[i+1]]
		}
	}
	return c
}

func (c *Combiner) index(name string) int {
	for i, s := range c.names {
		if s == name {
			return i
		}
	}
	return -1
}

// Parameters returns the names of the parameters in order.
func (c *Combiner) Parameters() []string { return c.names }

// Parameter returns the values of a parameter, row by row, for reading and writing.
func (c *Combiner) Parameter(name string) []float64 { return c.cut(c.param, name) }

// Gradient returns the gradient of a parameter after [Combiner.Backward].
func (c *Combiner) Gradient(name string) []float64 { return c.cut(c.grad, name) }

func (c *Combiner) cut(all []float64, name string) []float64 {
	i := c.index(name)
	ErrName.Unless(i >= 0)
	return all[c.offset[i]:c.offset[i+1]]
}

// Init draws new weights and forgets what the optimiser knew: the projections of Q, K
// and V uniform within sqrt(6/(3d+d)) as one fused block, the other weights within
// sqrt(6/(in+out)), the query within sqrt(3/d); biases and layer tags are 0.
func (c *Combiner) Init(src *rng.Stream) {
	clear(c.param)
	c.adam.reset()
	draw := func(x []float64, bound float64) {
		for i := range x {
			x[i] = src.Uniform(-bound, bound)
		}
	}
	d := float64(c.Dim)
	draw(c.q.val, math.Sqrt(3/d))
	draw(c.win.val, math.Sqrt(6/(4*d)))
	draw(c.wo.val, math.Sqrt(6/(2*d)))
	draw(c.wc.val, math.Sqrt(6/float64(c.width+c.Classes)))
}

// InitAuthors is Init with the weights that the authors' program draws, where both the attention and the classifier begin with that
// seed: torch.nn.MultiheadAttention with its own values, a query, then all of them anew.
func (c *Combiner) InitAuthors(seed uint64) {
	clear(c.param)
	c.adam.reset()
	if d := c.Dim; c.Heads > 0 {
		g := torch.New(seed)
		g.Linear(d, d)    // out_proj
		g.Skip(3 * d * d) // in_proj
		g.Norm(c.q.val)
		g.Xavier(c.win.val, d, 3*d)
		if g.Xavier(c.wo.val, d, d); c.Average {
			g.Skip(d * d)
		}
		g.Uniform(c.q.val, math.Sqrt(3)*math.Sqrt(1/float64(d)))
	}
	g := torch.New(seed)
	g.Linear(c.width, c.Classes)
	g.Xavier(c.wc.val, c.width, c.Classes)
}

// Step takes one step of Adam on a batch with labels, without weight decay. It
// allocates nothing when the previous batch had the same size.
func (c *Combiner) Step(b *Batch, lr float64) {
	c.backward(b, false)
	c.adam.step(c.param, c.grad, lr)
}

// Predict stores the class of the largest logit of each item in dst.
func (c *Combiner) Predict(dst []int, b *Batch) {
	ErrShape.Unless(len(dst) == b.n)
	c.begin(b)
	for from := 0; from < b.n; from += b.piece {
		n := c.forward(b, from)
		for i := range n {
			best := 0
			for k := 1; k < c.Classes; k++ {
				if c.prob[k*n+i] > c.prob[best*n+i] {
					best = k
				}
			}
			dst[from+i] = best
		}
	}
}

// Logits returns the logits of a batch, n x K.
func (c *Combiner) Logits(b *Batch) *mat.Dense {
	z := mat.NewDense(b.n, c.Classes, nil)
	c.begin(b)
	for from := 0; from < b.n; from += b.piece {
		n := c.forward(b, from)
		fill(z, from, c.prob, n)
	}
	return z
}

// Fused returns the classifier's input for a batch, z: n x d, or n x d/Heads with averaged heads.
// Nothing else needs it.
func (c *Combiner) Fused(b *Batch) *mat.Dense {
	z := mat.NewDense(b.n, c.width, nil)
	c.begin(b)
	for from := 0; from < b.n; from += b.piece {
		n := c.forward(b, from)
		if c.Heads == 0 {
			fill(z, from, c.mixed, n)
			continue
		}
		for i := range n {
			c.fuse(z.RawRowView(from+i), c.mixed[i:], n)
		}
	}
	return z
}

// fuse sets row to z of the item whose mixed tokens are n apart in mixed.
func (c *Combiner) fuse(row, mixed []float64, n int) {
	d := c.Dim
	head := make([]float64, d)
	for o := range head { // V
		head[o] = c.bin.val[2*d+o]
		for j, w := range line(c.win.val, 2*d+o, d) {
			head[o] += float64(w * mixed[(o*c.Heads/d*d+j)*n])
		}
	}
	for k := range row {
		if c.Average {
			for a := range c.Heads {
				row[k] += head[a*c.width+k] / float64(c.Heads)
			}
		} else {
			row[k] = c.bo.val[k] + dot(line(c.wo.val, k, d), head)
		}
	}
}

// Attention returns the weights of the tokens of a batch, one n x T matrix a head.
func (c *Combiner) Attention(b *Batch) []*mat.Dense {
	heads := make([]*mat.Dense, c.Heads)
	for a := range heads {
		heads[a] = mat.NewDense(b.n, c.Tokens, nil)
	}
	c.begin(b)
	for from := 0; from < b.n; from += b.piece {
		n := c.forward(b, from)
		for a, w := range heads {
			fill(w, from, c.weight[a*c.Tokens*n:], n)
		}
	}
	return heads
}

// fill copies columns of n items to rows of m from one on.
func fill(m *mat.Dense, from int, x []float64, n int) {
	for i := range n {
		row := m.RawRowView(from + i)
		for j := range row {
			row[j] = x[j*n+i]
		}
	}
}

// work estimates the multiply-adds of a step on n items.
func (c *Combiner) work(n int) int {
	const exp = 20 // a kernel.Exp costs about as much
	d, k, h := c.Dim, c.Classes, c.Heads
	if h == 0 {
		return (2*d+exp)*k*n + 10*len(c.param)
	}
	return (h*c.Tokens*(4*d+exp)+k*(3*h*d+exp))*n + (10+2*k)*len(c.param)
}

// adam moves parameters without weight decay.
type adam struct {
	m, v   []float64
	powers kernel.AdamPowers
}

func newAdam(n int) adam {
	return adam{m: make([]float64, n), v: make([]float64, n), powers: kernel.NewAdamPowers()}
}

func (a *adam) reset() {
	clear(a.m)
	clear(a.v)
	a.powers = kernel.NewAdamPowers()
}

func (a *adam) step(param, grad []float64, lr float64) {
	a.powers.Next()
	rate := kernel.NewAdamRate[float64](a.powers, lr, 0)
	kernel.Adam(param, a.m, a.v, grad, &rate)
}

// A Batch is the part of the nodes that a combiner sees at once. Its items are in pieces that stay in cache while a
// combiner goes over them several times, so that what an item takes does not grow with the batch.
type Batch struct {
	n, tokens, dim int
	piece          int       // items of every piece but the last, a multiple of 8
	x              []float64 // coordinate j of token t of the k items from one on: x[from*tokens*dim+(t*dim+j)*k : +k]
	y              []int     // class of each item; nil when only predicting
}

// NewBatch copies the given rows of every token (each M x d) and their labels (one a
// node of M, or nil).
func NewBatch(tokens []*mat.Dense, rows, labels []int) *Batch {
	_, d := tokens[0].Dims()
	return inPieces(tokens, rows, labels, max(leastPiece, pieceNumbers/(len(tokens)*d)&^7))
}

// inPieces is NewBatch with pieces of that number of items.
func inPieces(tokens []*mat.Dense, rows, labels []int, piece int) *Batch {
	m, d := tokens[0].Dims()
	width := len(tokens) * d
	b := &Batch{n: len(rows), tokens: len(tokens), dim: d, piece: piece, x: make([]float64, width*len(rows))}
	for t, token := range tokens {
		tm, td := token.Dims()
		ErrShape.Unless(tm == m && td == d)
		for i, k := range rows {
			from := i / piece * piece
			n := min(piece, b.n-from)
			to := b.x[from*width+t*d*n+i-from:]
			for j, v := range token.RawRowView(k) {
				to[j*n] = v
			}
		}
	}
	if labels != nil {
		ErrShape.Unless(len(labels) == m)
		b.y = make([]int, b.n)
		for i, k := range rows {
			b.y[i] = labels[k]
		}
	}
	return b
}

const (
	pieceNumbers = 1 << 14 // of the tokens; the combiner has some six times as many beside them
	leastPiece   = 32      // items
)

// Len returns the number of items.
func (b *Batch) Len() int { return b.n }
