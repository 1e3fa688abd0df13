package linalg

import (
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
)

// A QR is the decomposition of a matrix, Rows x Cols with Rows >= Cols, by Householder
// reflections. They act on all columns at once, row by row: every column is summed in the
// order of the rows.
type QR struct {
	Rows, Cols int
	// A is the matrix to decompose; then R, and below it the vectors of the reflections, each
	// with an implied leading one.
	A   []float64
	tau []float64
	sum []float64 // scratch
}

// NewQR allocates a decomposition of that size; its matrix goes into A.
//
//go:noinline
func NewQR(rows, cols int) *QR {
	return &QR{Rows: rows, Cols: cols, A: make([]float64, rows*cols), tau: make([]float64, cols), sum: make([]float64, cols)}
}

// Decompose replaces the matrix in A by its decomposition.
func (q *QR) Decompose() { _ = q.DecomposeIn(nil) }

// DecomposeIn is Decompose with pauses.
func (q *QR) DecomposeIn(wait pause.Work) error {
	for k := range q.Cols {
		q.eliminate(k)
		if err := wait.After(2 * (q.Rows - k) * (q.Cols - k)); err != nil {
			return err
		}
	}
	return nil
}

// eliminate makes column k zero below the diagonal: from row k on it is x = (alpha, ...), and becomes (beta, 0, ...)
// with |beta| = |x| by the reflection 1 - tau v v', where v = (1, x_2 / (alpha - beta), ...). Beta has the sign that
// alpha has not, so that nothing cancels.
func (q *QR) eliminate(k int) {
	c, norm := q.Cols, 0.0
	for i := k; i < q.Rows; i++ {
		x := q.A[i*c+k]
		norm += float64(x * x)
	}
	norm = math.Sqrt(norm)
	q.tau[k] = 0
	if norm == 0 {
		return
	}
	alpha := q.A[k*c+k]
	beta := -math.Copysign(norm, alpha)
	q.tau[k] = (beta - alpha) / beta
	for i := k + 1; i < q.Rows; i++ {
		q.A[i*c+k] /= alpha - beta
	}
	q.A[k*c+k] = beta
	q.reflect(q.A, c, k, k+1, c)
}

// Basis sets dst (Rows x Cols) to orthonormal columns that span those of the matrix.
func (q *QR) Basis(dst []float64, wait pause.Work) error {
	ErrShape.Unless(len(dst) == q.Rows*q.Cols)
	clear(dst)
	for k := range q.Cols {
		dst[k*q.Cols+k] = 1
	}
	for k := q.Cols - 1; k >= 0; k-- { // columns before k are still those of the identity there
		q.reflect(dst, q.Cols, k, k, q.Cols)
		if err := wait.After(2 * (q.Rows - k) * (q.Cols - k)); err != nil {
			return err
		}
	}
	return nil
}

// Apply replaces the first n columns of x (Rows x cols) by Q times them.
func (q *QR) Apply(x []float64, cols, n int) {
	for k := q.Cols - 1; k >= 0; k-- {
		q.reflect(x, cols, k, 0, n)
	}
}

// reflect applies reflection k to columns from to to of x (rows x cols).
func (q *QR) reflect(x []float64, cols, k, from, to int) {
	if from == to {
		return
	}
	if len(q.sum) < to-from {
		q.sum = make([]float64, to-from)
	}
	c := q.Cols
	kernel.Reflect(x[k*cols+from:], q.Rows-k, cols, q.A[k*c+k:], c, q.tau[k], q.sum[:to-from])
}
