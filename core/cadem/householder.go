package cadem

import "math"

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
	if len(h.sum) < to-from {
		h.sum = make([]float64, to-from)
	}
	c, sum := h.cols, h.sum[:to-from]
	copy(sum, x[k*cols+from:k*cols+to])
	for i := k + 1; i < h.rows; i++ {
		addScaled(sum, x[i*cols+from:i*cols+to], h.a[i*c+k])
	}
	row := x[k*cols+from : k*cols+to]
	for j := range sum {
		sum[j] = float64(sum[j] * h.tau[k])
		row[j] -= sum[j]
	}
	for i := k + 1; i < h.rows; i++ {
		addScaled(x[i*cols+from:i*cols+to], sum, -h.a[i*c+k])
	}
}

// addScaled adds v times y to x.
func addScaled(x, y []float64, v float64) {
	y = y[:len(x)]
	j := 0
	for ; j+4 <= len(x); j += 4 {
		x, y := (*[4]float64)(x[j:]), (*[4]float64)(y[j:])
		x[0] += float64(v * y[0])
		x[1] += float64(v * y[1])
		x[2] += float64(v * y[2])
		x[3] += float64(v * y[3])
	}
	for ; j < len(x); j++ {
		x[j] += float64(v * y[j])
	}
}
