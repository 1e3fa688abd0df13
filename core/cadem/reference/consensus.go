package reference

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
)

// consensus returns S (M x d), which the common embeddings of all layers are matched to. It
// solves the orthogonal Procrustes problem
//
//	max tr(S'T),   S'S = scale^2 I,   T = sum_l (C_l - column means) = U D V'
//
// by S = scale U_r V_r' over the r singular values that are not zero; scale^2 is M, or 1 as
// printed. It returns r and the singular values, too.
func (m *Model) consensus(index int) (s *mat.Dense, rank int, singular []float64) {
	g, d, bound := m.graphs[index], m.o.Dim, 0
	common := m.embed(g, "c")
	t := zeros(common[0])[0]
	rows, _ := t.Dims()
	for l, c := range common {
		t.Add(t, c)
		bound += min(d, m.o.Hidden, features(g.z[l]))
	}
	centre(t)
	var svd mat.SVD
	if !svd.Factorize(t, mat.SVDThin) {
		panic("reference: the singular value decomposition did not converge")
	}
	var left, right mat.Dense // M x min(M, d), d x min(M, d)
	svd.UTo(&left)
	svd.VTo(&right)
	singular = svd.Values(nil)
	rule := cadem.RoundingRule(cadem.Double, rows, d)
	u, v := mat.NewDense(rows, d, nil), mat.NewDense(d, d, nil)
	for n, value := range singular {
		if n < min(bound, rows-1) && value > rule*singular[0] {
			u.SetCol(n, mat.Col(nil, n, &left))
			v.SetCol(n, mat.Col(nil, n, &right))
			rank++
		}
	}
	if m.o.Completion != "none" {
		m.complete(index, u, v, rank)
	}
	s = product(u, v.T())
	if m.o.TargetScale == "nodes" {
		s.Scale(math.Sqrt(float64(rows)), s)
	}
	return s, rank, singular
}

// centre takes the means off the columns.
func centre(x *mat.Dense) {
	rows, cols := x.Dims()
	for k := range cols {
		mean := mat.Sum(x.ColView(k)) / float64(rows)
		for i := range rows {
			x.RawRowView(i)[k] -= mean
		}
	}
}

// features counts those that are not zero in Z.
func features(z *mat.Dense) (n int) {
	for j := range z.RawMatrix().Cols {
		if mat.Norm(z.ColView(j), 1) > 0 {
			n++
		}
	}
	return n
}

// complete fills the columns of u (M x d) and v (d x d) that the singular values leave: those
// of u with random directions, orthogonal to the vector of ones where they are to be centred;
// those of v with what its span lacks, always the column of the projector with the largest
// diagonal entry.
func (m *Model) complete(index int, u, v *mat.Dense, rank int) {
	rows, d := u.Dims()
	centred, room, drawn := m.o.Completion == "centred", rows, make([]float64, rows*d)
	if centred {
		room--
	}
	m.draws.Directions(index, drawn, d)
	for n := rank; n < min(d, room); n++ {
		span, top := product(v, v.T()), 0
		for k := range d {
			if span.At(k, k) < span.At(top, top) {
				top = k
			}
		}
		for k := range d {
			one := 0.0
			if k == top {
				one = 1
			}
			v.Set(k, n, (one-span.At(k, top))/math.Sqrt(1-span.At(top, top)))
		}
		x := mat.NewDense(rows, 1, mat.Col(nil, n-rank, mat.NewDense(rows, d, drawn)))
		for range 2 { // once is not enough where most of x cancels
			if centred {
				centre(x)
			}
			x.Sub(x, product(u, u.T(), x))
			x.Scale(1/mat.Norm(x, 2), x)
		}
		u.SetCol(n, x.RawMatrix().Data)
	}
}
