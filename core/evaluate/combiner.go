package evaluate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem/core/rng"
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
// and values only the mixed token sum_t w_t x_t of a head, since the weights sum to 1.
// A constant added to all scores of a head changes nothing, so bk has gradient 0.
//
// Parameters, "out x in": query (1 x d), in_proj_weight (3d x d, rows of Q, K, V),
// in_proj_bias (3d), out_proj_weight (d x d), out_proj_bias (d), layer_tag (T x d),
// cls_weight (K x d), cls_bias (K), as far as the shape has them.
type Combiner struct {
	Shape
	width                   int // of z, what the classifier sees
	names                   []string
	offset                  []int // of each parameter, and the end
	param, grad             []float64
	q, win, bin, wo, bo, u  view
	wc, bc                  view
	adam                    adam
	query, reach, reachGrad []float64 // Q; r^a / sqrt(d_h), heads x d; its gradient
	memory                  []float64 // columns of the batch at hand, cut into:
	tagged, weight, mixed   []float64 // x_t + u_t; w (heads x T); sum_t w_t x_t (heads x d)
	context, fused, prob    []float64 // o, z, softmax of the logits
	dfused, dcontext, pull  []float64 // gradients of z and o; Wv^a' do^a (heads x d)
	dscore, scratch         []float64 // gradient of e (heads x T); one column
}

// A view is a parameter and its gradient.
type view struct{ val, grad []float64 }

// NewCombiner returns a combiner whose parameters are all zero: see [Combiner.Init].
func NewCombiner(s Shape) *Combiner {
	if s.Dim < 1 || s.Classes < 1 || s.Tokens < 1 || s.Heads < 0 || (s.Heads == 0 && s.Tokens > 1) || (s.Heads > 0 && s.Dim%s.Heads != 0) {
		panic(ErrShape)
	}
	c := &Combiner{Shape: s, width: s.Dim}
	d := s.Dim
	if s.Heads > 0 {
		c.declare("query", d)
		c.declare("in_proj_weight", 3*d*d)
		c.declare("in_proj_bias", 3*d)
		if s.Average {
			c.width = d / s.Heads
		} else {
			c.declare("out_proj_weight", d*d)
			c.declare("out_proj_bias", d)
		}
		if s.Tag {
			c.declare("layer_tag", s.Tokens*d)
		}
		c.query = make([]float64, d)
		c.reach, c.reachGrad = make([]float64, s.Heads*d), make([]float64, s.Heads*d)
	}
	c.declare("cls_weight", s.Classes*c.width)
	c.declare("cls_bias", s.Classes)
	size := c.offset[len(c.names)]
	c.param, c.grad, c.adam = make([]float64, size), make([]float64, size), newAdam(size)
	for name, v := range map[string]*view{"query": &c.q, "in_proj_weight": &c.win, "in_proj_bias": &c.bin, "out_proj_weight": &c.wo,
		"out_proj_bias": &c.bo, "layer_tag": &c.u, "cls_weight": &c.wc, "cls_bias": &c.bc} {
		if i := c.index(name); i >= 0 {
			v.val, v.grad = c.param[c.offset[i]:c.offset[i+1]], c.grad[c.offset[i]:c.offset[i+1]]
		}
	}
	return c
}

func (c *Combiner) declare(name string, size int) {
	if c.offset == nil {
		c.offset = []int{0}
	}
	c.names = append(c.names, name)
	c.offset = append(c.offset, c.offset[len(c.names)-1]+size)
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
	if i < 0 {
		panic(ErrName)
	}
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

// bind cuts the work space for a batch, growing it when needed.
func (c *Combiner) bind(b *Batch) {
	if b.tokens != c.Tokens || b.dim != c.Dim {
		panic(ErrShape)
	}
	n, d, h, t := b.n, c.Dim, c.Heads, c.Tokens
	rows := 2*c.width + c.Classes + 2 + 2*h*t + 2*h*d
	if h > 0 {
		rows += 2 * d
	}
	if c.Tag {
		rows += t * d
	}
	if len(c.memory) < rows*n {
		c.memory = make([]float64, rows*n)
	}
	rest := c.memory
	take := func(count int) []float64 {
		s := rest[: count*n : count*n]
		rest = rest[count*n:]
		return s
	}
	c.fused, c.dfused, c.prob, c.scratch = take(c.width), take(c.width), take(c.Classes), take(2)
	if h == 0 {
		c.fused = b.x // the classifier alone sees the token itself
		return
	}
	c.weight, c.dscore, c.mixed, c.pull = take(h*t), take(h*t), take(h*d), take(h*d)
	c.context, c.dcontext = take(d), take(d)
	c.tagged = b.x
	if c.Tag {
		c.tagged = take(t * d)
	}
}

// forward leaves the logits of a batch in c.prob.
func (c *Combiner) forward(b *Batch) {
	c.bind(b)
	n, d := b.n, c.Dim
	if c.Heads > 0 {
		c.attend(b)
		if c.Average {
			for k := range c.width {
				c.mean(c.fused[k*n:][:n], c.context[k*n:], c.width*n)
			}
		} else {
			for o := range d {
				combine(c.fused[o*n:][:n], c.bo.val[o], c.wo.val[o*d:], 1, d, c.context)
			}
		}
	}
	for k := range c.Classes {
		combine(c.prob[k*n:][:n], c.bc.val[k], c.wc.val[k*c.width:], 1, c.width, c.fused)
	}
}

// attend computes the weights and the concatenated outputs of the heads.
func (c *Combiner) attend(b *Batch) {
	n, d, dh := b.n, c.Dim, c.Dim/c.Heads
	if c.Tag {
		for r, u := range c.u.val {
			x := b.x[r*n:][:n]
			for i, v := range x {
				c.tagged[r*n+i] = v + u
			}
		}
	}
	wq, wk, wv := c.win.val[:d*d], c.win.val[d*d:2*d*d], c.win.val[2*d*d:]
	clear(c.reach)
	for o := range d {
		c.query[o] = c.bin.val[o] + dot(wq[o*d:(o+1)*d], c.q.val)
		axpy(c.reach[o/dh*d:][:d], c.query[o]/math.Sqrt(float64(dh)), wk[o*d:(o+1)*d])
	}
	for a := range c.Heads {
		w := c.weight[a*c.Tokens*n:][:c.Tokens*n]
		for t := range c.Tokens {
			combine(w[t*n:][:n], 0, c.reach[a*d:], 1, d, c.tagged[t*d*n:])
		}
		softmax(w, c.Tokens, c.scratch, false)
		mixed := c.mixed[a*d*n:][:d*n]
		for j := range d {
			blend(mixed[j*n:][:n], w, c.tagged[j*n:], d*n, c.Tokens)
		}
		for o := a * dh; o < (a+1)*dh; o++ {
			combine(c.context[o*n:][:n], c.bin.val[2*d+o], wv[o*d:], 1, d, mixed)
		}
	}
}

// mean sets dst to the mean over the heads of the columns x, stride apart.
func (c *Combiner) mean(dst, x []float64, stride int) {
	copy(dst, x)
	for a := 1; a < c.Heads; a++ {
		increase(dst, x[a*stride:])
	}
	scale(dst, 1/float64(c.Heads))
}

// Backward computes the gradient of the mean cross entropy of the batch that
// [Combiner.Loss] was just called with. It consumes the probabilities kept there.
//
//	dlogits = (softmax(logits) - y) / n,  dz = Wc' dlogits,  do = Wo' dz
//	dw_t = do . V_t,  de = w (dw - sum_s w_s dw_s),  dr^a = sum de_t x_t / sqrt(d_h)
//	dWk^a = Q^a dr^a',  dQ^a = Wk^a dr^a,  dWv^a = do^a (sum_t w_t x_t)'
func (c *Combiner) Backward(b *Batch) {
	n, d := b.n, c.Dim
	if len(b.y) != n {
		panic(ErrShape)
	}
	clear(c.grad)
	for i, k := range b.y {
		c.prob[k*n+i]--
	}
	scale(c.prob, 1/float64(n))
	for k := range c.Classes {
		dl := c.prob[k*n:][:n]
		c.bc.grad[k] = total(dl)
		inner(c.wc.grad[k*c.width:][:c.width], dl, c.fused)
	}
	if c.Heads == 0 {
		return
	}
	for o := range c.width {
		combine(c.dfused[o*n:][:n], 0, c.wc.val[o:], c.width, c.Classes, c.prob)
	}
	if c.Average {
		scale(c.dfused, 1/float64(c.Heads))
		for a := range c.Heads {
			copy(c.dcontext[a*c.width*n:], c.dfused)
		}
	} else {
		for o := range d {
			dz := c.dfused[o*n:][:n]
			c.bo.grad[o] = total(dz)
			inner(c.wo.grad[o*d:][:d], dz, c.context)
			combine(c.dcontext[o*n:][:n], 0, c.wo.val[o:], d, d, c.dfused)
		}
	}
	c.attendBackward(b)
}

func (c *Combiner) attendBackward(b *Batch) {
	n, d, dh, tokens := b.n, c.Dim, c.Dim/c.Heads, c.Tokens
	wq, wk, wv := c.win.val[:d*d], c.win.val[d*d:2*d*d], c.win.val[2*d*d:]
	gq, gk, gv := c.win.grad[:d*d], c.win.grad[d*d:2*d*d], c.win.grad[2*d*d:]
	clear(c.reachGrad)
	for a := range c.Heads {
		mixed, pull := c.mixed[a*d*n:][:d*n], c.pull[a*d*n:][:d*n]
		for o := a * dh; o < (a+1)*dh; o++ {
			do := c.dcontext[o*n:][:n]
			c.bin.grad[2*d+o] = total(do)
			inner(gv[o*d:][:d], do, mixed)
		}
		for j := range d {
			combine(pull[j*n:][:n], 0, wv[a*dh*d+j:], d, dh, c.dcontext[a*dh*n:])
		}
		// dw_t up to a constant over t, which the softmax ignores.
		w, de := c.weight[a*tokens*n:][:tokens*n], c.dscore[a*tokens*n:][:tokens*n]
		for t := range tokens {
			blend(de[t*n:][:n], pull, c.tagged[t*d*n:], n, d)
		}
		sum := c.scratch[:n]
		blend(sum, w, de, n, tokens)
		for t := range tokens {
			wt, dt := w[t*n:][:n], de[t*n:][:n]
			subtract(dt, sum)
			multiply(dt, wt)
			inner(c.reachGrad[a*d:][:d], dt, c.tagged[t*d*n:])
			if c.Tag {
				u, push := c.u.grad[t*d:][:d], total(dt)
				inner(u, wt, pull)
				axpy(u, push, c.reach[a*d:][:d])
			}
		}
	}
	root := math.Sqrt(float64(dh))
	for o := range d {
		dr := c.reachGrad[o/dh*d:][:d]
		g := dot(wk[o*d:(o+1)*d], dr) / root
		c.bin.grad[o] = g
		axpy(gk[o*d:][:d], c.query[o]/root, dr)
		axpy(gq[o*d:][:d], g, c.q.val)
		axpy(c.q.grad, g, wq[o*d:][:d])
	}
}

// Loss returns the mean cross entropy of a batch with labels.
func (c *Combiner) Loss(b *Batch) float64 {
	if len(b.y) != b.n {
		panic(ErrShape)
	}
	c.forward(b)
	loss := 0.0
	for i, k := range b.y {
		loss -= c.prob[k*b.n+i]
	}
	softmax(c.prob, c.Classes, c.scratch, true)
	return (loss + total(c.scratch[:b.n])) / float64(b.n)
}

// Step takes one step of Adam on a batch with labels, without weight decay. It
// allocates nothing when the previous batch had the same size.
func (c *Combiner) Step(b *Batch, lr float64) {
	c.forward(b)
	softmax(c.prob, c.Classes, c.scratch, false)
	c.Backward(b)
	c.adam.step(c.param, c.grad, lr)
}

// Predict stores the class of the largest logit of each item in dst.
func (c *Combiner) Predict(dst []int, b *Batch) {
	if len(dst) != b.n {
		panic(ErrShape)
	}
	c.forward(b)
	for i := range dst {
		dst[i] = 0
		for k := 1; k < c.Classes; k++ {
			if c.prob[k*b.n+i] > c.prob[dst[i]*b.n+i] {
				dst[i] = k
			}
		}
	}
}

// Logits returns the logits of a batch, n x K.
func (c *Combiner) Logits(b *Batch) *mat.Dense {
	c.forward(b)
	return rows(c.prob, b.n, c.Classes)
}

// Fused returns what the classifier sees of a batch, z: n x d, or n x d/Heads with
// averaged heads.
func (c *Combiner) Fused(b *Batch) *mat.Dense {
	c.forward(b)
	return rows(c.fused, b.n, c.width)
}

// Attention returns the weights of the tokens of a batch, one n x T matrix a head.
func (c *Combiner) Attention(b *Batch) []*mat.Dense {
	c.forward(b)
	var heads []*mat.Dense
	for a := range c.Heads {
		heads = append(heads, rows(c.weight[a*c.Tokens*b.n:], b.n, c.Tokens))
	}
	return heads
}

// rows copies count columns of n into an n x count matrix.
func rows(x []float64, n, count int) *mat.Dense {
	m := mat.NewDense(n, count, nil)
	for j := range count {
		m.SetCol(j, x[j*n:][:n])
	}
	return m
}

// work estimates the multiply-adds of a step on n items.
func (c *Combiner) work(n int) int {
	const exp = 20 // a kernel.Exp costs about as much
	d, k, per := c.Dim, c.Classes, 0
	per = 3*k*c.width + exp*k
	if c.Heads > 0 {
		per += c.Heads*c.Tokens*(4*d+exp) + 6*d*d
	}
	return per*n + 10*len(c.param)
}
