package evaluate

import "gonum.org/v1/gonum/mat"

// An Intervention tells what becomes of psi's answer about a private part when the common part beside
// it is exchanged: the answer for do(P), adjusted over C, beside the observed one, of P with its own C.
type Intervention struct {
	// Invariance is the share of ordered pairs (i, j), j != i, for which psi names the same layer for
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
	if k, c := common.Dims(); k != items || c != d || len(psi.W) != rows*n || rows != d && rows != 2*d {
		panic(ErrShape)
	}
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
		increase(q, b.RawRowView(j))
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
			axpy(r.Do.RawRowView(i), 1/float64(items), q)
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
	// What psi answers is softmax of Private[i] + Common[j], the logits of the parts, for a few copies
	// of each layer: Layer[i] is that of copy i.
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
			axpy(of[l], float64(n)/float64(len(layer)), x.RawRowView(i))
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
