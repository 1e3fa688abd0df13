package split

import (
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
)

// A Pooled is what all views have together, R = sum over v of Z_v W_v + 1 b'.
type Pooled struct {
	R    []float64   // M x d
	W    [][]float64 // of every view, F x d
	Bias []float64   // d entries
}

// Pool returns the leading directions of the mean of ridge projectors (MAXVAR, Kettenring 1971), d columns at most and zeros beyond. U_v diag(s)
// V_v' being the directions kept of view v, Z_v less its means, and e_v its noise edge,
//
//	g^2 = s^2 / (s^2 + kappa_v),  kappa_v = max(e_v, ridge s_1)^2
//	H = [U_1 diag(g) ... U_n diag(g)] / sqrt(n),  H H' = Q diag(q^2) Q',  R = sqrt(M) Q diag(q^2)
//
// Rows of a view have lengths of about 1 at most. Products are in the precision of T, and yield is as for [Prepare]; the error is yield's.
func Pool[T kernel.Float](views []Source, kept, d int, ridge float64, yield pause.Yield) (*Pooled, error) {
	m, n := views[0].X.Rows, math.Sqrt(float64(len(views)))
	t := &task{o: Options{Kept: kept, Weigh: true, Maps: true}, rows: []int{0, m}, m: m, yield: yield, multiply: newRounded[T]}
	trims, layers, all := make([]*trimming, len(views)), make([]*Layer, len(views)), 0
	for v := range views {
		trims[v] = newTrimming(t, views[v:v+1])
		t.total += trims[v].estimate()
	}
	for v, q := range trims {
		l, err := q.layer()
		if err != nil {
			return nil, err
		}
		if l.Rank > 0 && l.Singular[0] <= negligible*math.Sqrt(float64(m)) {
			l.Rank, l.Singular = 0, nil // all rows are the same: what is left is rounding
		}
		layers[v], all, l.y = l, all+l.Rank, nil
	}
	h, by, from := make([]float64, m*all), make([]float64, 0, all), 0 // by is g / s, in units of s_1, over sqrt(n)
	for _, l := range layers {
		least := max(l.Edge, ridge)
		for k, s := range l.Singular {
			s /= l.Singular[0]
			by = append(by, 1/math.Sqrt(float64(s*s)+float64(least*least))/n)
			for i := range m {
				h[i*all+from+k] = float64(float64(s*by[from+k]) * l.left[i*l.Rank+k])
			}
		}
		from, l.left = from+l.Rank, nil
	}
	turn := make([]float64, all*all)
	if err := t.addMulTrans(turn, h, h, m, all, all); err != nil {
		return nil, err
	}
	values, err := linalg.Symmetric(turn, all, t.pause)
	if err != nil {
		return nil, err
	}
	p, part := &Pooled{R: make([]float64, m*d), Bias: make([]float64, d)}, make([]float64, m*d)
	from = 0
	for v, l := range layers {
		w, along := make([]float64, views[v].X.Cols*d), make([]float64, l.F*d)
		for k := range l.Rank {
			for c := range min(d, all) {
				r := all - 1 - c // values rise
				along[k*d+c] = float64(by[from+k]*turn[r*all+from+k]) * math.Sqrt(max(values[r], 0))
			}
		}
		from += l.Rank
		if err := t.mul(w, l.Maps.Right, along, views[v].X.Cols, l.F, d); err != nil {
			return nil, err
		}
		if err := trims[v].ops[0].forth(part, w, d, t.pause); err != nil {
			return nil, err
		}
		kernel.AddScaled(p.R, part, 1)
		p.W = append(p.W, w)
	}
	linalg.CentreColumns(p.R, d, 0, d, p.Bias)
	for c, turned := range linalg.Upright(p.R, d) {
		if p.Bias[c] = -p.Bias[c]; turned {
			for _, w := range append(p.W, p.Bias) {
				for i := c; i < len(w); i += d {
					w[i] = -w[i]
				}
			}
		}
	}
	return p, t.rest()
}
