package cadem

import (
	"math"

	"cadem/core/kernel"
)

// A householder is the QR decomposition of a matrix, rows x cols with rows >= cols, by
// reflections. Reflections act on all columns at once, row by row: every column is summed in
// the order of the rows.
type householder struct {
	rows, cols int
	a          []float64 // the matrix; then R, and the vectors of the reflections below it, each with an implied leading one
	tau        []float64
	sum        []float64 // scratch
}

func newHouseholder(rows, cols int) *householder {
	return &householder{rows: rows, cols: cols, a: make([]float64, rows*cols), tau: make([]float64, cols), sum: make([]float64, cols)}
}

// decompose replaces a.
func (h *householder) decompose() {
	c := h.cols
	for k := range c {
		norm := 0.0
		for i := k; i < h.rows; i++ {
			x := h.a[i*c+k]
			norm += float64(x * x)
		}
		norm = math.Sqrt(norm)
		h.tau[k] = 0
		if norm == 0 {
			continue
		}
		alpha := h.a[k*c+k]
		beta := -math.Copysign(norm, alpha)
		h.tau[k] = (beta - alpha) / beta
		for i := k + 1; i < h.rows; i++ {
			h.a[i*c+k] /= alpha - beta
		}
		h.a[k*c+k] = beta
		h.reflect(h.a, c, k, k+1, c)
	}
}

// apply replaces the first n columns of x (rows x cols) by Q times them.
func (h *householder) apply(x []float64, cols, n int) {
	for k := h.cols - 1; k >= 0; k-- {
		h.reflect(x, cols, k, 0, n)
	}
}

// reflect applies reflection k to columns from to to of x (rows x cols).
func (h *householder) reflect(x []float64, cols, k, from, to int) {
	if from == to {
		return
	}
	if len(h.sum) < to-from {
		h.sum = make([]float64, to-from)
	}
	c := h.cols
	kernel.Reflect(x[k*cols+from:], h.rows-k, cols, h.a[k*c+k:], c, h.tau[k], h.sum[:to-from])
}
