package frozen

import (
	"math"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/multiplex"
)

func root(n int) float64 { return math.Sqrt(float64(n)) }

func laplacian(l *evidence.Layer) operator {
	a, known := evidence.NewPool(l).Operator()
	return operator{a, known}
}

// byEvidence returns the parts of inputs that package evidence found: sqrt(M) V V'L_l V / |.| for the common encoder, and for the
// private one the eigenvectors (I - J J') L_l V_P / lambda by their strength, with J J'L_l V_P / lambda in their oblique form.
func (m *Model) byEvidence(l int, of Target, u []float64, yield pause.Yield) (parts []*part, err error) {
	e, a, scale := m.trail.Evidence, m.trail.Layers[l], root(m.nodes())
	add := func(k kind, j, v evidence.Matrix, weight func(c int) float64, columns int) {
		x := v.Data
		if columns < v.Cols {
			x = nil
			for i := range v.Rows {
				x = append(x, v.Row(i)[:columns]...)
			}
		}
		p := &part{kind: k, held: true, lots: []lot{{0, m.nodes(), j.Data, j.Cols}}, w: make([]float64, columns*m.d), level: m.layers[l].ops[0].known,
			x: []*multiplex.Features{{Rows: v.Rows, Cols: columns, Dense: x}}}
		for i := range p.w {
			p.w[i] = float64(scale*weight(i/m.d)) * u[i]
		}
		parts = append(parts, p)
	}
	if of != P {
		v, weights, err := e.SharedMap(a, func(int) error { return yield.At(1, 1) })
		if err == nil && v.Cols > 0 {
			add(shared, v, v, func(c int) float64 { return weights[c] }, v.Cols)
		}
		return parts, err
	}
	mine := e.Own[l]
	strengths := mine.Strengths()
	if len(strengths) == 0 {
		return nil, nil
	}
	weight := func(c int) float64 { return strengths[c] / mine.Eigenvalues[c] }
	add(own, mine.J, mine.V, weight, len(strengths))
	if m.Maps.Options.Private == "own" && mine.J.Cols > 0 {
		add(shared, mine.J, mine.V, weight, len(strengths))
	}
	return parts, nil
}

// byEvidence is the propagation of a split by evidence, L_l, which ignores the option of that name.
const byEvidence = "evidence"

// saveByEvidence fills in a model that is split by evidence. Layer l reads y = L_l [V V_P], of the directions that are shared and its own, and, where it
// is one of the layers U that the shared directions were found in, its part of L_U W. As L_U W = W diag(lambda), V of a node follows from its links:
//
//	V = sum over U of (its part of L_U W) diag(1/lambda) V_W
//
// J of a layer is V, too, up to the degrees of the node: J_l = D_l^1/2 D_U^-1/2 V T. Package evidence has the symbols.
func (m *Model) saveByEvidence(s *Saved) {
	b := m.trail.Evidence.Basis
	s.Propagation, s.Shared, s.Pool, s.Pooled = byEvidence, b.F.Cols, []int{}, b.W.Cols
	if b.F.Cols > 0 {
		s.Pool = append(s.Pool, b.Layers...)
	}
	for l := range m.layers {
		f := s.Shared + len(m.trail.Evidence.Own[l].Strengths())
		if slices.Contains(s.Pool, l) {
			f += s.Pooled
		}
		s.Directions = append(s.Directions, f)
	}
	s.j0 = make([]float64, s.Shared)
}

// layerByEvidence fills in a layer.
func (m *Model) layerByEvidence(s *Saved, l int, c *consensus) {
	e, q, n, d, k, f := m.trail.Evidence, &s.layers[l], m.nodes(), m.d, s.Shared, s.Directions[l]
	over := func(parts []*part, from int) []float64 { // what a part reads, among all that the layer reads
		u := make([]float64, f*d)
		if len(parts) > 0 {
			copy(u[from*d:], parts[0].w)
		}
		return u
	}
	common, private := m.layers[l].sums[C].parts, m.layers[l].sums[P].parts
	q.uc, q.up, q.us = over(common, 0), over(private, k), over(c.sums[l].parts, 0)
	q.bc, q.bp, q.turn = m.Maps.B[l][C], m.Maps.B[l][P], make([]float64, f*k)
	layer, own, first := evidence.NewPool(m.trail.Layers[l]), len(e.Own[l].Strengths()), f
	s.ends = append(s.ends, m.trail.Layers[l].Twice)
	if slices.Contains(s.Pool, l) {
		first = f - s.Pooled
		for r, lambda := range e.Basis.Spectrum[:s.Pooled] {
			for c, v := range e.Basis.V.Row(r) {
				if math.Abs(lambda) > 1e-9 {
					q.turn[(first+r)*k+c] = v / lambda
				}
			}
		}
	}
	for i := range n {
		q.scales = append(q.scales, 1/layer.Root[i], 1)
		if k > 0 {
			q.messages = append(q.messages, common[0].x[0].Dense[i*k:(i+1)*k]...)
		}
		if own > 0 {
			q.messages = append(q.messages, private[0].x[0].Dense[i*own:(i+1)*own]...)
		}
		if first < f {
			for _, w := range e.Basis.W.Row(i) {
				q.messages = append(q.messages, float64(w*layer.Root[i])/e.Basis.Pool.Root[i])
			}
		}
	}
	reads := &part{held: true, g: q.messages, level: m.layers[l].ops[0].known}
	wide := &Model{d: f, rows: m.rows, Graphs: m.Graphs, layers: m.layers}
	wide.level(l, reads)
	q.mean = reads.mu[0]
	q.along, q.hop = make([]float64, k*f), make([]float64, k*f)
	if k == 0 {
		return
	}
	y := wide.place(l, &sum{parts: []*part{reads}})
	v := common[0].lots[0].j
	kernel.AddMulTrans(q.along, v, y, n, k, f)
	if j := e.Own[l].J; m.Maps.Options.Private != "own" && j.Cols > 0 { // (I - J J') L_l V_P in place of the whole
		scaled := slices.Clone(v)
		for i := range scaled {
			scaled[i] = float64(scaled[i]*layer.Root[i/k]) / e.Basis.Pool.Root[i/k]
		}
		t, jy := leastSquares(scaled, j.Data, n, k, j.Cols), make([]float64, j.Cols*f)
		kernel.AddMulTrans(jy, j.Data, y, n, j.Cols, f)
		for i, x := range times(t, jy, k, j.Cols, f) {
			q.hop[i] = -x
		}
	}
}

// leastSquares returns T (k x c) such that x T is nearest to y, both with that number of rows.
func leastSquares(x, y []float64, n, k, c int) []float64 {
	d := linalg.NewSVD(max(n, k), k)
	copy(d.A, x)
	_ = d.Decompose(nil)
	rank := 0
	for rank < k && d.Singular[rank] > 1e-7*d.Singular[0] {
		rank++
	}
	left, right := make([]float64, d.Rows*rank), make([]float64, k*rank)
	_ = d.Left(left, rank, nil)
	d.Right(right, rank)
	h := make([]float64, rank*c)
	kernel.AddMulTrans(h, left[:n*rank], y, n, rank, c)
	for i := range h {
		h[i] /= d.Singular[i/c]
	}
	return times(right, h, k, rank, c)
}
