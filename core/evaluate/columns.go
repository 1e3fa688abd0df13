package evaluate

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// The hot loops work on columns: coordinate j of all n items lies in x[j*n:(j+1)*n].
// A loop then takes several coordinates of several items a turn, has no chain of
// dependent additions, and is entered once for all items. In WebAssembly that decides:
// there each turn of a Go loop costs about as much as ten multiplications.
// Orders of summation are fixed.

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
	fill(dst, bias)
	j := 0
	for ; j+8 <= count; j += 8 {
		x0, x1, x2, x3, x4, x5, x6, x7 := eight(x[j*n:], n)
		c := coef[j*stride:]
		c0, c1, c2, c3, c4, c5, c6, c7 := c[0], c[stride], c[2*stride], c[3*stride], c[4*stride], c[5*stride], c[6*stride], c[7*stride]
		i := 0
		for ; i < n-1; i += 2 {
			dst[i] += ((float64(c0*x0[i]) + float64(c1*x1[i])) + (float64(c2*x2[i]) + float64(c3*x3[i]))) +
				((float64(c4*x4[i]) + float64(c5*x5[i])) + (float64(c6*x6[i]) + float64(c7*x7[i])))
			dst[i+1] += ((float64(c0*x0[i+1]) + float64(c1*x1[i+1])) + (float64(c2*x2[i+1]) + float64(c3*x3[i+1]))) +
				((float64(c4*x4[i+1]) + float64(c5*x5[i+1])) + (float64(c6*x6[i+1]) + float64(c7*x7[i+1])))
		}
		if i < n {
			dst[i] += ((float64(c0*x0[i]) + float64(c1*x1[i])) + (float64(c2*x2[i]) + float64(c3*x3[i]))) +
				((float64(c4*x4[i]) + float64(c5*x5[i])) + (float64(c6*x6[i]) + float64(c7*x7[i])))
		}
	}
	// The columns that are left, two at a time; an odd one with a factor 0.
	for ; j < count; j += 2 {
		x0 := x[j*n:][:n]
		x1, c0, c1 := x0, coef[j*stride], 0.0
		if j+1 < count {
			x1, c1 = x[(j+1)*n:], coef[(j+1)*stride]
		}
		x1 = x1[:n]
		i := 0
		for ; i < n-3; i += 4 {
			dst[i] += float64(c0*x0[i]) + float64(c1*x1[i])
			dst[i+1] += float64(c0*x0[i+1]) + float64(c1*x1[i+1])
			dst[i+2] += float64(c0*x0[i+2]) + float64(c1*x1[i+2])
			dst[i+3] += float64(c0*x0[i+3]) + float64(c1*x1[i+3])
		}
		for ; i < n; i++ {
			dst[i] += float64(c0*x0[i]) + float64(c1*x1[i])
		}
	}
}

// eight returns the first eight columns of x.
func eight(x []float64, n int) (x0, x1, x2, x3, x4, x5, x6, x7 []float64) {
	return x[:n], x[n:][:n], x[2*n:][:n], x[3*n:][:n], x[4*n:][:n], x[5*n:][:n], x[6*n:][:n], x[7*n:][:n]
}

// inner adds the inner product of a and column j of x to dst[j], j < len(dst).
func inner(dst, a, x []float64) {
	n, count := len(a), len(dst)
	j := 0
	for ; j+8 <= count; j += 8 {
		x0, x1, x2, x3, x4, x5, x6, x7 := eight(x[j*n:], n)
		var s0, s1, s2, s3, s4, s5, s6, s7 float64
		i := 0
		for ; i < n-1; i += 2 {
			v, w := a[i], a[i+1]
			s0 += float64(v*x0[i]) + float64(w*x0[i+1])
			s1 += float64(v*x1[i]) + float64(w*x1[i+1])
			s2 += float64(v*x2[i]) + float64(w*x2[i+1])
			s3 += float64(v*x3[i]) + float64(w*x3[i+1])
			s4 += float64(v*x4[i]) + float64(w*x4[i+1])
			s5 += float64(v*x5[i]) + float64(w*x5[i+1])
			s6 += float64(v*x6[i]) + float64(w*x6[i+1])
			s7 += float64(v*x7[i]) + float64(w*x7[i+1])
		}
		if i < n {
			v := a[i]
			s0 += float64(v * x0[i])
			s1 += float64(v * x1[i])
			s2 += float64(v * x2[i])
			s3 += float64(v * x3[i])
			s4 += float64(v * x4[i])
			s5 += float64(v * x5[i])
			s6 += float64(v * x6[i])
			s7 += float64(v * x7[i])
		}
		s := dst[j : j+8]
		s[0] += s0
		s[1] += s1
		s[2] += s2
		s[3] += s3
		s[4] += s4
		s[5] += s5
		s[6] += s6
		s[7] += s7
	}
	for ; j < count; j++ {
		dst[j] += dot(a, x[j*n:][:n])
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
		i := 0
		for ; i < n-1; i += 2 {
			dst[i] += (float64(a0[i]*x0[i]) + float64(a1[i]*x1[i])) + (float64(a2[i]*x2[i]) + float64(a3[i]*x3[i]))
			dst[i+1] += (float64(a0[i+1]*x0[i+1]) + float64(a1[i+1]*x1[i+1])) + (float64(a2[i+1]*x2[i+1]) + float64(a3[i+1]*x3[i+1]))
		}
		if i < n {
			dst[i] += (float64(a0[i]*x0[i]) + float64(a1[i]*x1[i])) + (float64(a2[i]*x2[i]) + float64(a3[i]*x3[i]))
		}
	}
	for ; s < count; s++ {
		a0, x0 := a[s*n:][:n], x[s*stride:][:n]
		i := 0
		for ; i < n-3; i += 4 {
			dst[i] += float64(a0[i] * x0[i])
			dst[i+1] += float64(a0[i+1] * x0[i+1])
			dst[i+2] += float64(a0[i+2] * x0[i+2])
			dst[i+3] += float64(a0[i+3] * x0[i+3])
		}
		for ; i < n; i++ {
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
		i := 0
		for ; i < n-1; i += 2 {
			d0, d1, d2, d3 := x0[i]-c0, x1[i]-c1, x2[i]-c2, x3[i]-c3
			e0, e1, e2, e3 := x0[i+1]-c0, x1[i+1]-c1, x2[i+1]-c2, x3[i+1]-c3
			dst[i] += (float64(d0*d0) + float64(d1*d1)) + (float64(d2*d2) + float64(d3*d3))
			dst[i+1] += (float64(e0*e0) + float64(e1*e1)) + (float64(e2*e2) + float64(e3*e3))
		}
		if i < n {
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
