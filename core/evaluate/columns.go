package evaluate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem/core/kernel"
)

// The hot loops work on columns: coordinate j of all n items lies in x[j*n:(j+1)*n].
// A loop then does the work of four coordinates per item and turn, has no chain of
// dependent additions, and is entered once for all items, which is what a browser's
// WebAssembly rewards. Orders of summation are fixed.

// columns copies the given rows of m (all when rows is nil) into columns of dst.
func columns(dst []float64, m *mat.Dense, rows []int) {
	r := m.RawMatrix()
	n := len(rows)
	if rows == nil {
		n = r.Rows
	}
	for i := range n {
		k := i
		if rows != nil {
			k = rows[i]
		}
		for j, v := range r.Data[k*r.Stride : k*r.Stride+r.Cols] {
			dst[j*n+i] = v
		}
	}
}

// combine sets dst[i] = bias + sum over j of coef[j*stride] x[j*n+i], j < count.
func combine(dst []float64, bias float64, coef []float64, stride, count int, x []float64) {
	n := len(dst)
	for i := range dst {
		dst[i] = bias
	}
	for j := 0; j < count; j += 4 {
		x0 := x[j*n:][:n]
		x1, x2, x3 := x0, x0, x0
		c0, c1, c2, c3 := coef[j*stride], 0.0, 0.0, 0.0
		if j+1 < count {
			x1, c1 = x[(j+1)*n:][:n], coef[(j+1)*stride]
		}
		if j+2 < count {
			x2, c2 = x[(j+2)*n:][:n], coef[(j+2)*stride]
		}
		if j+3 < count {
			x3, c3 = x[(j+3)*n:][:n], coef[(j+3)*stride]
		}
		for i := range dst {
			dst[i] += (float64(c0*x0[i]) + float64(c1*x1[i])) + (float64(c2*x2[i]) + float64(c3*x3[i]))
		}
	}
}

// inner adds the inner product of a and column j of x to dst[j], j < len(dst).
func inner(dst, a, x []float64) {
	n, count := len(a), len(dst)
	for j := 0; j < count; j += 4 {
		x0 := x[j*n:][:n]
		x1, x2, x3 := x0, x0, x0
		if j+1 < count {
			x1 = x[(j+1)*n:][:n]
		}
		if j+2 < count {
			x2 = x[(j+2)*n:][:n]
		}
		if j+3 < count {
			x3 = x[(j+3)*n:][:n]
		}
		var s0, s1, s2, s3 float64
		for i, v := range a {
			s0 += float64(v * x0[i])
			s1 += float64(v * x1[i])
			s2 += float64(v * x2[i])
			s3 += float64(v * x3[i])
		}
		dst[j] += s0
		if j+1 < count {
			dst[j+1] += s1
		}
		if j+2 < count {
			dst[j+2] += s2
		}
		if j+3 < count {
			dst[j+3] += s3
		}
	}
}

// blend sets dst[i] = sum over s of a[s*n+i] x[s*stride+i], s < count.
func blend(dst, a, x []float64, stride, count int) {
	n := len(dst)
	clear(dst)
	s := 0
	for ; s+4 <= count; s += 4 {
		a0, a1, a2, a3 := a[s*n:][:n], a[(s+1)*n:][:n], a[(s+2)*n:][:n], a[(s+3)*n:][:n]
		x0, x1, x2, x3 := x[s*stride:][:n], x[(s+1)*stride:][:n], x[(s+2)*stride:][:n], x[(s+3)*stride:][:n]
		for i := range dst {
			dst[i] += (float64(a0[i]*x0[i]) + float64(a1[i]*x1[i])) + (float64(a2[i]*x2[i]) + float64(a3[i]*x3[i]))
		}
	}
	for ; s < count; s++ {
		a0, x0 := a[s*n:][:n], x[s*stride:][:n]
		for i := range dst {
			dst[i] += float64(a0[i] * x0[i])
		}
	}
}

// squares sets dst[i] = squared distance of item i to the point c.
func squares(dst, x, c []float64) {
	n := len(dst)
	clear(dst)
	j := 0
	for ; j+4 <= len(c); j += 4 {
		x0, x1, x2, x3 := x[j*n:][:n], x[(j+1)*n:][:n], x[(j+2)*n:][:n], x[(j+3)*n:][:n]
		c0, c1, c2, c3 := c[j], c[j+1], c[j+2], c[j+3]
		for i := range dst {
			d0, d1, d2, d3 := x0[i]-c0, x1[i]-c1, x2[i]-c2, x3[i]-c3
			dst[i] += (float64(d0*d0) + float64(d1*d1)) + (float64(d2*d2) + float64(d3*d3))
		}
	}
	for ; j < len(c); j++ {
		x0, c0 := x[j*n:][:n], c[j]
		for i := range dst {
			d := x0[i] - c0
			dst[i] += float64(d * d)
		}
	}
}

// softmax turns the count values of every item into weights that sum to 1.
// If logSum is not nil it receives the logarithm of the sum of exponentials.
func softmax(x []float64, n, count int, logSum []float64) {
	for i := range n {
		top := x[i]
		for k := 1; k < count; k++ {
			top = max(top, x[k*n+i])
		}
		sum := 0.0
		for k := range count {
			e := kernel.Exp(x[k*n+i] - top)
			x[k*n+i] = e
			sum += e
		}
		for k := range count {
			x[k*n+i] /= sum
		}
		if logSum != nil {
			logSum[i] = top + kernel.Log(sum)
		}
	}
}

func total(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += float64(v * b[i])
	}
	return s
}

// standardized returns a copy of x whose columns have mean 0 and population standard
// deviation 1. Columns that are constant up to rounding become 0.
func standardized(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	y := mat.NewDense(n, d, nil)
	col := make([]float64, n)
	for j := range d {
		mat.Col(col, j, x)
		mean, size := total(col)/float64(n), 0.0
		for i, v := range col {
			size = max(size, math.Abs(v))
			col[i] = v - mean
		}
		sd := math.Sqrt(dot(col, col) / float64(n))
		// The mean of n equal numbers is off by at most n roundings.
		if sd <= float64(n)*0x1p-52*size {
			continue
		}
		for i, v := range col {
			y.Set(i, j, v/sd)
		}
	}
	return y
}
