package evaluate

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/rng"
)

// A Head is a linear layer from an embedding to the N layers: W (rows x N, row by row) and
// B (N), as a trainer names its tensors.
type Head struct{ W, B []float64 }

// A LayerProbe says from what to read which layer a pooled graph was cut from.
type LayerProbe struct {
	Common, Private []*mat.Dense // C_l and P_l of each layer, M x d; not S, which is the same for all
	// Phi predicts the layer from a pooled private part; Psi from the sum of a private and a
	// common one, or from both side by side when it has 2d rows, the private one first.
	Phi, Psi Head
	Copies   int     // augmented copies of each layer; 0 means [usualCopies]
	Keep     int     // nodes of a copy, at most M; 0 means all
	Noise    float64 // standard deviation of the noise on each number of a pooled embedding
}

// usualCopies of each layer are drawn.
const usualCopies = 50

// A LayerPosterior is what pooled embeddings give away of the layer they come from, over
// augmented copies of every layer. Had the common embeddings forgotten their layer, their
// entropy would be 1 and the probe's accuracy 1/N.
type LayerPosterior struct {
	Common  LayerView `json:"common"`
	Private LayerView `json:"private"`
	// Bound is log N - CE in nats, CE being the cross entropy of phi on pooled private embeddings: a
	// lower bound of their information about the layer, I(P; L) >= Bound. It is at most log N.
	Bound float64 `json:"bound"`
}

// A LayerView is the posterior of the layer index in two views: of psi, given the mean of
// the other branch over all copies as the other part, and of a fresh linear probe. The probe can
// be right where psi is undecided.
type LayerView struct {
	Mean    [][]float64 `json:"mean"`    // psi's posterior, the mean over the copies of each layer: N x N
	Entropy float64     `json:"entropy"` // mean entropy of the posteriors over log N: 1 is undecided
	KL      float64     `json:"kl"`      // mean divergence from the uniform one, nats
	// Information is the mutual information of the layer and psi's answer, in nats, between 0 and log
	// N: the entropy of all answers less that of the answers for one layer. A psi that always answers
	// the same has low entropy and no information.
	Information float64 `json:"information"`
	// Probe is the accuracy of a linear probe fitted to seven tenths of the copies on the
	// rest, over ten such divisions; 1/N is guessing.
	Probe float64 `json:"probe"`
}

// Read draws the copies and reads the posteriors. The same seed draws the same nodes and
// noise, so what is read during a training can be compared.
func (p *LayerProbe) Read(seed uint64) *LayerPosterior {
	n := len(p.Common)
	common, private, layer := p.draw(seed)
	rows := len(p.Psi.W) / n
	_, d := common.Dims()
	r := &LayerPosterior{Common: p.view(common, private, layer, rows-d, 0), Private: p.view(private, common, layer, 0, rows-d)}
	logits, ce := make([]float64, n), 0.0
	for k, l := range layer {
		p.Phi.logits(logits, private.RawRowView(k), 0)
		ce += surprise(logits, l) / float64(len(layer))
	}
	r.Bound = kernel.Log(float64(n)) - ce
	return r
}

// A Leak is how often fresh probes name the layer of common embeddings; 1/N is guessing.
type Leak struct {
	Pooled, PooledProducts float64 // of pooled copies: linear in the numbers, and in their squares and products, too
	Rows, RowProducts      float64 // of single nodes, likewise; a node is never learned from and asked about
}

// Leak reads the copies that Read draws, and up to a thousand nodes.
func (p *LayerProbe) Leak(seed uint64) Leak {
	const most = 1000
	common, _, layer := p.copies(seed)
	n := len(p.Common)
	m, d := p.Common[0].Dims()
	if m = min(m, most); m > probeParts {
		m -= m % probeParts // so that a node is in the same part in each layer
	}
	rows, of := mat.NewDense(n*m, d, nil), make([]int, n*m)
	for k := range of {
		of[k] = k / m
		copy(rows.RawRowView(k), p.Common[k/m].RawRowView(k%m))
	}
	richer := func(x *mat.Dense) *mat.Dense { return withProducts(standardized(x)) }
	return Leak{probeLayer(common, layer, n, probeParts), Probed(richer(common), layer, n), Probed(rows, of, n), Probed(richer(rows), of, n)}
}

// Probed returns how often a fresh linear probe finds the layer in the common and in the private parts of the copies that
// Read draws. It needs neither Phi nor Psi.
func (p *LayerProbe) Probed(seed uint64) (common, private float64) {
	c, q, layer := p.copies(seed)
	return probeLayer(c, layer, len(p.Common), probeParts), probeLayer(q, layer, len(p.Common), probeParts)
}

// draw is copies, where Phi and Psi fit them.
func (p *LayerProbe) draw(seed uint64) (common, private *mat.Dense, layer []int) {
	if n := len(p.Common); n > 0 {
		_, d := p.Common[0].Dims()
		rows := len(p.Psi.W) / n
		ErrShape.Unless(len(p.Phi.W) == d*n && len(p.Phi.B) == n && len(p.Psi.W) == rows*n &&
			len(p.Psi.B) == n && (rows == d || rows == 2*d))
	}
	return p.copies(seed)
}

// copies returns the pooled embeddings of all copies (N copies x d each), and the layer of each.
func (p *LayerProbe) copies(seed uint64) (common, private *mat.Dense, layer []int) {
	n := len(p.Common)
	ErrShape.Unless(n > 0 && len(p.Private) == n)
	m, d := p.Common[0].Dims()
	copies, keep := p.Copies, p.Keep
	if copies == 0 {
		copies = usualCopies
	}
	if keep == 0 {
		keep = m
	}
	ErrShape.Unless(keep >= 0 && keep <= m)
	common, private, layer = mat.NewDense(n*copies, d, nil), mat.NewDense(n*copies, d, nil), make([]int, n*copies)
	nodes := make([]int, keep)
	for l := range n {
		for a := range copies {
			k, src := l*copies+a, rng.New(seed, fmt.Sprintf("evaluate/posterior/layer %d/copy %d", l, a))
			layer[k] = l
			src.Sample(nodes, m)
			pool(common.RawRowView(k), p.Common[l], nodes, p.Noise, src)
			pool(private.RawRowView(k), p.Private[l], nodes, p.Noise, src)
		}
	}
	return common, private, layer
}

// pool sums the embeddings of the nodes and adds noise.
func pool(dst []float64, x *mat.Dense, nodes []int, noise float64, src *rng.Stream) {
	for _, i := range nodes {
		kernel.AddScaled(dst, x.RawRowView(i), 1)
	}
	for j := range dst {
		dst[j] += float64(noise * src.Norm())
	}
}

// logits adds x times the rows from row on of W to B, in dst.
func (h *Head) logits(dst, x []float64, row int) {
	n := len(h.B)
	copy(dst, h.B)
	for j, v := range x {
		kernel.AddScaled(dst, line(h.W, row+j, n), v)
	}
}

func largestOf(x []float64) float64 {
	top := x[0]
	for _, v := range x[1:] {
		top = max(top, v)
	}
	return top
}

// view reads the pooled parts x, on which psi acts by its rows from own on, beside the mean of the
// others, on which it acts from row rest on.
func (p *LayerProbe) view(x, other *mat.Dense, layer []int, own, rest int) LayerView {
	n := len(p.Psi.B)
	items, d := x.Dims()
	average := make([]float64, d)
	for k := range items {
		kernel.AddScaled(average, other.RawRowView(k), 1/float64(items))
	}
	shift := make([]float64, n)
	p.Psi.logits(shift, average, rest)
	without := Head{W: p.Psi.W, B: shift}
	v := LayerView{Mean: make([][]float64, n)}
	for l := range v.Mean {
		v.Mean[l] = make([]float64, n)
	}
	each, log := float64(items/n), kernel.Log(float64(n))
	q, scratch := make([]float64, n), make([]float64, 2)
	for k, l := range layer {
		without.logits(q, x.RawRowView(k), own)
		softmax(q, n, scratch, false)
		entropy := entropyOf(q)
		kernel.AddScaled(v.Mean[l], q, 1/each)
		if n > 1 {
			v.Entropy += entropy / log / float64(items)
		}
		v.KL += (log - entropy) / float64(items)
	}
	overall := make([]float64, n)
	for _, row := range v.Mean {
		kernel.AddScaled(overall, row, 1/float64(n))
		v.Information -= entropyOf(row) / float64(n)
	}
	v.Information += entropyOf(overall)
	v.Probe = probeLayer(x, layer, n, probeParts)
	return v
}

// entropyOf returns the entropy of a distribution in nats.
func entropyOf(p []float64) float64 {
	h := 0.0
	for _, v := range p {
		if v > 0 {
			h -= float64(v * kernel.Log(v))
		}
	}
	return h
}

// Probed returns how often a fresh linear probe finds the classes of the rows of x, one class for each row and n classes in all, over a few
// divisions of the rows. It is a share of 1.
func Probed(x *mat.Dense, class []int, n int) float64 { return probeLayer(x, class, n, 3) }

// probeParts is the number of parts that copies are dealt to.
const probeParts = 10

// probeLayer deals the copies to ten parts and tests each run of three neighbouring ones,
// so that every copy is tested three times; or as many such runs as are asked for.
func probeLayer(x *mat.Dense, layer []int, n, runs int) float64 {
	const parts, tested = probeParts, 3
	features := []*mat.Dense{standardized(x)}
	_, d := x.Dims()
	probe, right, all := NewProbe(d, n), 0, 0
	part := make([]int, len(layer))
	for k := range part {
		part[k] = k % parts // copies are drawn independently: any division is a random one
	}
	for first := range runs {
		var train, test, truth []int
		for k, f := range part {
			if (f-first+parts)%parts < tested {
				test, truth = append(test, k), append(truth, layer[k])
			} else {
				train = append(train, k)
			}
		}
		if len(train) == 0 || len(test) == 0 {
			continue
		}
		// Without a step to yield to, a fit has no error.
		_ = probe.Fit(NewBatch(features, train, layer), nil)
		class := make([]int, len(test))
		probe.Predict(class, NewBatch(features, test, nil))
		for k, c := range class {
			if c == truth[k] {
				right++
			}
		}
		all += len(test)
	}
	return float64(right) / float64(max(all, 1))
}

// An Intervention is what becomes of psi's answer about a private part when the common part beside
// it is exchanged: the answer for do(P), adjusted over C, beside the observed one, of P with its own C.
type Intervention struct {
	// Invariance is the share of ordered pairs (i, j), j != i, such that psi names the same layer for
	// P_i beside C_j as beside its own C_i (proposition 2b); 1 for fewer than two items.
	Invariance float64
	Observed   *mat.Dense // items x N: p(k | P_i) = softmax psi(P_i, C_i)
	Do         *mat.Dense // items x N: p(k | do(P_i)), adjusted over C: the mean over all j of softmax psi(P_i, C_j)
	// Psi is linear: psi(P_i, C_j) = Private_i + Common_j, the logits of the parts, items x N each.
	// The bias is part of Common.
	Private, Common *mat.Dense
}

// Intervene exchanges the common parts of items, the rows of private and common (items x d each).
// Psi has d rows to act on the sum of the two, or 2d to act on both side by side.
func Intervene(psi Head, private, common *mat.Dense) *Intervention {
	items, d := private.Dims()
	n := len(psi.B)
	rows := len(psi.W) / max(n, 1)
	k, c := common.Dims()
	ErrShape.Unless(k == items && c == d && len(psi.W) == rows*n && (rows == d || rows == 2*d))
	// The logits of a pair are a_i + b_j.
	a, b := mat.NewDense(items, n, nil), mat.NewDense(items, n, nil)
	without := Head{W: psi.W, B: make([]float64, n)}
	for i := range items {
		without.logits(a.RawRowView(i), private.RawRowView(i), 0)
		psi.logits(b.RawRowView(i), common.RawRowView(i), rows-d)
	}
	r := &Intervention{Invariance: 1, Observed: mat.NewDense(items, n, nil), Do: mat.NewDense(items, n, nil), Private: a, Common: b}
	q, scratch, same := make([]float64, n), make([]float64, 2), 0
	answer := func(i, j int) int {
		copy(q, a.RawRowView(i))
		kernel.AddScaled(q, b.RawRowView(j), 1)
		top := 0
		for k, v := range q {
			if v > q[top] {
				top = k
			}
		}
		softmax(q, n, scratch, false)
		return top
	}
	for i := range items {
		own := answer(i, i)
		copy(r.Observed.RawRowView(i), q)
		for j := range items {
			if answer(i, j) == own && j != i {
				same++
			}
			kernel.AddScaled(r.Do.RawRowView(i), q, 1/float64(items))
		}
	}
	if items > 1 {
		r.Invariance = float64(same) / float64(items*(items-1))
	}
	return r
}

// A LayerIntervention is an [Intervention] on pooled copies of all layers, by layer.
type LayerIntervention struct {
	Invariance float64     `json:"invariance"`
	Pairs      int         `json:"pairs"`    // ordered pairs that the invariance is a share of
	Observed   [][]float64 `json:"observed"` // N x N: the mean of p(k | P_i) over the copies of each layer
	Do         [][]float64 `json:"do"`       // N x N: the mean of p(k | do(P_i))
	// The answer of psi is softmax of Private[i] + Common[j], the logits of the parts, for a few
	// copies of each layer: Layer[i] is that of copy i.
	Layer   []int       `json:"layer"`
	Private [][]float64 `json:"private"` // copies x N
	Common  [][]float64 `json:"common"`  // copies x N, the bias of psi with it
}

const (
	mostShown   = 24 // copies of all layers whose parts a [LayerIntervention] holds
	shownCopies = 4  // of each layer
)

// Intervene draws the copies that [LayerProbe.Read] draws and exchanges their common parts.
func (p *LayerProbe) Intervene(seed uint64) *LayerIntervention {
	common, private, layer := p.draw(seed)
	r := Intervene(p.Psi, private, common)
	n := len(p.Common)
	means := func(x *mat.Dense) [][]float64 {
		of := make([][]float64, n)
		for l := range of {
			of[l] = make([]float64, n)
		}
		for i, l := range layer {
			kernel.AddScaled(of[l], x.RawRowView(i), float64(n)/float64(len(layer)))
		}
		return of
	}
	l := &LayerIntervention{Invariance: r.Invariance, Pairs: len(layer) * (len(layer) - 1), Observed: means(r.Observed), Do: means(r.Do)}
	copies := len(layer) / n
	for i, of := range layer {
		if i%copies < max(1, min(shownCopies, mostShown/n)) {
			l.Layer = append(l.Layer, of)
			l.Private, l.Common = append(l.Private, r.Private.RawRowView(i)), append(l.Common, r.Common.RawRowView(i))
		}
	}
	return l
}
