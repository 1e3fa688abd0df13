package frozen

import (
	"math"

	"cadem/core/cadem/evidence"
	"cadem/core/multiplex"
	"cadem/core/pause"
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
