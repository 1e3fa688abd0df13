package linalg

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
)

// apart is how far the columns of [Orthonormalise] are apart at least: the least diagonal entry of their Cholesky factor, of the largest.
const apart = 1e-6

// Orthonormalise replaces the columns of x (rows x cols, rows >= cols) by orthonormal ones that span the same, by the Cholesky factor of their
// inner products (Y. Yamamoto and others, Electronic Transactions on Numerical Analysis 44, 2015). For many rows it is several
// times as fast as [QR], whose reflections go through x once for every column. Two rounds leave nothing but rounding; one is enough between steps
// of an iteration. Where columns are too near to each other for it, it returns false and leaves x as it is: a QR works on these, too. The
// error is that of wait.
func Orthonormalise(x []float64, rows, cols, rounds int, wait pause.Work) (ok bool, err error) {
	ErrShape.Unless(len(x) == rows*cols && rows >= cols)
	const block = 1024 // rows
	gram, inverse, part := make([]float64, cols*cols), make([]float64, cols*cols), make([]float64, min(block, rows)*cols)
	for range rounds {
		clear(gram)
		for from := 0; from < rows; from += block {
			of := x[from*cols : min(from+block, rows)*cols]
			kernel.AddMulTrans(gram, of, of, len(of)/cols, cols, cols)
			if err := wait.After(len(of) * cols); err != nil {
				return false, err
			}
		}
		if err := Cholesky(gram, cols, wait); err != nil {
			return false, err
		}
		least, largest := gram[0], gram[0]
		for k := range cols {
			d := gram[k*cols+k]
			if !(d > 0) { // NaN is not, either
				return false, nil
			}
			least, largest = min(least, d), max(largest, d)
		}
		if !(least > float64(apart*largest)) {
			return false, nil
		}
		invert(inverse, gram, cols)
		for from := 0; from < rows; from += block {
			of := x[from*cols : min(from+block, rows)*cols]
			kernel.Mul(part[:len(of)], of, inverse, len(of)/cols, cols, cols)
			copy(of, part)
			if err := wait.After(len(of) * cols); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// invert sets u to the inverse of L', L the lower triangle of l, n x n: an upper triangle.
func invert(u, l []float64, n int) {
	clear(u)
	for j := range n {
		u[j*n+j] = 1 / l[j*n+j]
		for i := j + 1; i < n; i++ { // column j of the inverse of L is row j of u
			s := 0.0
			for k := j; k < i; k++ {
				s -= float64(l[i*n+k] * u[j*n+k])
			}
			u[j*n+i] = s / l[i*n+i]
		}
	}
}
