package cadem

import (
	"cadem/core/kernel"
	"cadem/core/linalg"
	"cadem/core/multiplex"
)

// A factored member takes its consensus without visiting the nodes: where few features are
// shared by many nodes. The centred Z of all layers, side by side, are decomposed once,
//
//	[Z_1 - 1 z_1', ..., Z_N - 1 z_N'] = Q R,   z_l = Z_l'1 / M,
//
// K = F_1 + ... + F_N columns. With the U_l stacked to U (K x d), T = sum_l (C_l - means) is
// Q R U, and so
//
//	S = Q P,   P the polar factor of R U,
//	Z_l'S = R_l'P + z_l (S'1)',   |S|^2 = |P|^2,
//
// where Q has orthonormal columns. When directions are to be completed, the ones vector and
// the directions drawn are decomposed along with Z, so that they have coordinates, too. S
// itself, M x d, is formed only for those who ask.
type factored[T kernel.Float] struct {
	m, k, d int
	qr      *linalg.QR      // M x n, n = K, or K + 1 + d to complete directions
	from    []int           // first column of each layer, and K
	mean    []float64       // K: z_l, stacked
	filling *linalg.Filling // nil when nothing is completed
	held    []T             // K x d: the U that S was taken from, which a checkpoint keeps
	u       []float64       // K x d: scratch
	t, p    []float64       // n x d: R U, and P times the scale of S
	turned  []float64       // d x n: R U or P transposed, when n < d
	polar   *linalg.Polar   // of n x d, or of d x n when n < d: it works on squares of its width
}

// coordinates returns n for k columns.
func coordinates(k, d int, o *Options) int {
	if o.Completion == "none" {
		return k
	}
	return k + 1 + d
}

func newFactored[T kernel.Float](layers []memberLayer[T], m int, o *Options, directions func(x []float64)) *factored[T] {
	f := &factored[T]{m: m, d: o.Dim, from: []int{0}}
	for _, q := range layers {
		f.k += q.z.F
		f.from = append(f.from, f.k)
	}
	n := coordinates(f.k, f.d, o)
	f.qr = linalg.NewQR(m, n)
	f.mean, f.held, f.u = make([]float64, f.k), make([]T, f.k*f.d), make([]float64, f.k*f.d)
	f.t, f.p, f.polar = make([]float64, n*f.d), make([]float64, n*f.d), linalg.NewPolar(n, f.d)
	if n < f.d {
		f.turned, f.polar = make([]float64, f.d*n), linalg.NewPolar(f.d, n)
	}
	for l, q := range layers {
		centre(f.qr.A[f.from[l]:], n, f.mean[f.from[l]:f.from[l+1]], q.z)
	}
	if n > f.k {
		draw := make([]float64, m*f.d)
		directions(draw)
		for i := range m {
			row := f.qr.A[i*n+f.k : (i+1)*n]
			row[0] = 1
			copy(row[1:], draw[i*f.d:])
		}
	}
	f.qr.Decompose()
	if n > f.k {
		// Column j of R holds the coordinates of column j.
		f.filling = &linalg.Filling{Nodes: m, Ones: make([]float64, n), Draw: make([]float64, n*f.d), Centred: o.Completion == "centred"}
		for i := range n {
			if i <= f.k {
				f.filling.Ones[i] = f.qr.A[i*n+f.k]
			}
			for j := max(0, i-f.k-1); j < f.d; j++ {
				f.filling.Draw[i*f.d+j] = f.qr.A[i*n+f.k+1+j]
			}
		}
	}
	return f
}

// centre sets the columns of a (M rows of n numbers) to those of Z without their means.
func centre[T kernel.Float](a []float64, n int, mean []float64, z *multiplex.Propagation[T]) {
	for i := range z.M {
		row := a[i*n:][:z.F]
		z.Row(row, i)
		for j, v := range row {
			mean[j] += v
		}
	}
	for j := range mean {
		mean[j] /= float64(z.M)
	}
	for i := range z.M {
		row := a[i*n:][:z.F]
		for j := range row {
			row[j] -= mean[j]
		}
	}
}

// stack sets dst (K x d) to the present U of the common encoders.
func (f *factored[T]) stack(dst []T, enc [][2]*encoder[T]) {
	for l, pair := range enc {
		copy(dst[f.from[l]*f.d:f.from[l+1]*f.d], pair[0].u)
	}
}

// take sets dst (n x d) to the coordinates of S for U = stacked (K x d).
func (f *factored[T]) take(dst []float64, stacked []T, scale, rule float64, bound int) {
	for i, v := range stacked {
		f.u[i] = float64(v)
	}
	d, n := f.d, f.qr.Cols
	clear(f.t)
	for i := range f.k {
		for j := i; j < f.k; j++ {
			kernel.AddScaled(f.t[i*d:i*d+d], f.u[j*d:j*d+d], f.qr.A[i*n+j])
		}
	}
	if f.turned == nil {
		f.polar.FactorIn(dst, f.t, scale, rule, bound, f.filling)
		return
	}
	transpose(f.turned, f.t, n, d)
	f.polar.FactorIn(f.t, f.turned, scale, rule, bound, nil)
	transpose(dst, f.t, d, n)
}

// transpose sets dst to the transpose of x (n x d).
func transpose(dst, x []float64, n, d int) {
	for i := range n {
		for k := range d {
			dst[k*n+i] = x[i*d+k]
		}
	}
}

// retarget sets the moments of layer l that S enters.
func (f *factored[T]) retarget(q *moments, l int) {
	d, n := f.d, f.qr.Cols
	clear(q.s1)
	if f.filling != nil { // else S'1 is 0
		for i, x := range f.filling.Ones {
			kernel.AddScaled(q.s1, f.p[i*d:i*d+d], x)
		}
	}
	q.norm = 0
	for _, x := range f.p {
		q.norm += float64(x * x)
	}
	for j := f.from[l]; j < f.from[l+1]; j++ {
		zs := q.zs[(j-f.from[l])*d:][:d]
		clear(zs)
		for i := range j + 1 {
			kernel.AddScaled(zs, f.p[i*d:i*d+d], f.qr.A[i*n+j])
		}
		kernel.AddScaled(zs, q.s1, f.mean[j])
	}
}

// consensus returns S (M x d) from its coordinates.
func (f *factored[T]) consensus(p []float64) []T {
	x := make([]float64, f.m*f.d)
	copy(x, p)
	f.qr.Apply(x, f.d, f.d)
	s := make([]T, len(x))
	for i, v := range x {
		s[i] = T(v)
	}
	return s
}
