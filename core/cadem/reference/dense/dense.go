// Package dense does the matrix operations of package reference and the packages below it, in the
// words of their formulas.
package dense

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/multiplex"
)

// Features returns X, M x F.
func Features(x *multiplex.Features) *mat.Dense {
	values := x.Dense
	switch {
	case x.Sparse != nil:
		values = x.Sparse.Dense()
	case x.Dense == nil:
		return Identity(x.Rows)
	}
	return mat.NewDense(x.Rows, x.Cols, values)
}

// Identity returns I, m x m.
func Identity(m int) *mat.Dense {
	i := mat.NewDense(m, m, nil)
	for k := range m {
		i.Set(k, k, 1)
	}
	return i
}

// Product returns the product of the factors, each with as many rows as the one before has columns.
func Product(factors ...mat.Matrix) *mat.Dense {
	var x mat.Dense
	x.Product(factors...)
	return &x
}

// Zeros returns a matrix of zeros of the size of each.
func Zeros(like ...*mat.Dense) (all []*mat.Dense) {
	for _, x := range like {
		m, n := x.Dims()
		all = append(all, mat.NewDense(m, n, nil))
	}
	return all
}

// Squared returns |x|^2, the squared Frobenius norm of a matrix with any number of rows.
func Squared(x *mat.Dense) float64 { return math.Pow(mat.Norm(x, 2), 2) }

// Sums returns 1'x, the sums of the columns of x (1 x d).
func Sums(x *mat.Dense) *mat.Dense {
	_, d := x.Dims()
	y := mat.NewDense(1, d, nil)
	y.Apply(func(_, k int, _ float64) float64 { return mat.Sum(x.ColView(k)) }, y)
	return y
}

// Centred returns x without its column means.
func Centred(x *mat.Dense) *mat.Dense {
	m, d := x.Dims()
	y, sums := mat.NewDense(m, d, nil), Sums(x)
	y.Apply(func(_, k int, v float64) float64 { return v - sums.At(0, k)/float64(m) }, x)
	return y
}

// SVD returns x (m x n) = u diag(s) v' with u m x k and v n x k, k being the smaller of m and n, and s falling. It panics where the iteration
// does not converge.
func SVD(x *mat.Dense) (u *mat.Dense, s []float64, v *mat.Dense) {
	var f mat.SVD
	if !f.Factorize(x, mat.SVDThin) {
		panic("reference: the singular value decomposition did not converge")
	}
	u, v = &mat.Dense{}, &mat.Dense{}
	f.UTo(u)
	f.VTo(v)
	return u, f.Values(nil), v
}

// Leading returns the first n columns of x, a column of zeros for none.
func Leading(x *mat.Dense, n int) *mat.Dense {
	m, _ := x.Dims()
	if n == 0 {
		return mat.NewDense(m, 1, nil)
	}
	return mat.DenseCopyOf(x.Slice(0, m, 0, n))
}
