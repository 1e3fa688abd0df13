// Package completion determines, for package reference, which directions of the consensus the data
// leave open, and fills them. The paper has no such rule.
package completion

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/cadem/reference/dense"
)

// Bound returns what the rank of the consensus is at most: columns of the sum that it is taken from
// sum to 0, and every embedding has the rank of Z W1 W2 at most, z being Z of every layer.
func Bound(z []*mat.Dense, d, hidden int) int {
	bound := 0
	for _, z := range z {
		live := 0 // features that are not zero in Z
		for j := range z.RawMatrix().Cols {
			if mat.Norm(z.ColView(j), 1) > 0 {
				live++
			}
		}
		bound += min(d, hidden, live)
	}
	return min(bound, z[0].RawMatrix().Rows-1)
}

// Vectors returns all singular values of t (M x d), and the left and the right singular vectors (M x d
// and d x d) of those that are above rule times the largest, at most bound of them, with zeros behind,
// and their number.
func Vectors(t *mat.Dense, rule float64, bound int) (left *mat.Dense, singular []float64, right *mat.Dense, rank int) {
	u, singular, v := dense.SVD(t) // M x min(M, d), d x min(M, d)
	m, d := t.Dims()
	left, right = mat.NewDense(m, d, nil), mat.NewDense(d, d, nil)
	for n, value := range singular {
		if n < bound && value > rule*singular[0] {
			left.SetCol(n, mat.Col(nil, n, u))
			right.SetCol(n, mat.Col(nil, n, v))
			rank++
		}
	}
	return left, singular, right, rank
}

// Fill sets the columns of u (M x d) and v (d x d) from rank on, unless the option of that name is "none":
// those of u to the directions that draw fills in (M x d), made orthogonal, to the vector of ones as
// well for "centred"; those of v to what its span lacks, always the column of the projector with the
// largest diagonal entry.
func Fill(u, v *mat.Dense, rank int, completion string, draw func(x []float64)) {
	if completion == "none" {
		return
	}
	ambient, d := u.Dims()
	drawn, centred := mat.NewDense(ambient, d, nil), completion == "centred"
	draw(drawn.RawMatrix().Data)
	if centred {
		ambient--
	}
	for n := rank; n < min(d, ambient); n++ {
		var span, along mat.Dense
		span.Mul(v, v.T())
		top := 0
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
		x := mat.NewDense(drawn.RawMatrix().Rows, 1, mat.Col(nil, n-rank, drawn))
		for range 2 { // once is not enough where most of x cancels
			if centred {
				mean := mat.Sum(x) / float64(x.RawMatrix().Rows)
				x.Apply(func(_, _ int, v float64) float64 { return v - mean }, x)
			}
			along.Product(u, u.T(), x)
			x.Sub(x, &along)
			x.Scale(1/mat.Norm(x, 2), x)
		}
		u.SetCol(n, x.RawMatrix().Data)
	}
}
