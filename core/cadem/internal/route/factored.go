package route

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
)

// A factored consensus is computed without visiting the nodes, where few features are shared by
// many. The centred Z of all layers, side by side, have one QR decomposition (R is its triangle here),
//
//	[Z_1 - 1 z_1', ..., Z_N - 1 z_N'] = Q R,   z_l = Z_l'1 / M,
//
// F = F_1 + ... + F_N columns. With the U_l stacked to U (F x d), T = sum_l (C_l - means) is
// Q R U, and so
//
//	S = Q P,   P the polar factor of R U,
//	Z_l'S = R_l'P + z_l (S'1)',   |S|^2 = |P|^2,
//
// where Q has orthonormal columns. For the power target, T = sum_l Z_l Z_l'(C_l - means), the product
// (Z_l'Z_l - M z_l z_l') U_l takes the place of U_l. When directions are to be completed, the ones vector and
// the directions drawn are decomposed along with Z, so that they have coordinates, too. S
// itself, M x d, is formed only for those who ask.
type factored[T kernel.Float] struct {
	m, k, d int
	p       Procrustes
	moments []*moments      // of every layer
	qr      *linalg.QR      // M x n, n = F, or F + 1 + d to complete directions
	from    []int           // first column of each layer, and F
	mean    []float64       // F: z_l, stacked
	filling *linalg.Filling // nil when nothing is completed
	held    []T             // F x d: the U that S was computed from
	rank    int             // of S
	u       []float64       // F x d: scratch
	t, s    []float64       // n x d: R U, and P times the scale of S
	turned  []float64       // d x n: R U or P transposed, when n < d
	centred [][]float64     // of the power target: Z_l'Z_l - M z_l z_l' of every layer
	polar   *linalg.Polar   // of n x d, or of d x n when n < d: it works on squares of its width
}

// coordinates returns n for k columns.
func coordinates(k, d int, c linalg.Completion) int {
	if c == linalg.NoCompletion {
		return k
	}
	return k + 1 + d
}

func newFactored[T kernel.Float](z []*multiplex.Propagation[T], d int, p Procrustes, pause pause.Work) (Consensus[T], error) {
	m := z[0].M
	f := &factored[T]{m: m, d: d, p: p, from: []int{0}}
	for _, z := range z {
		f.k += z.F
		f.from = append(f.from, f.k)
		f.moments = append(f.moments, newMoments(z, d))
		if err := pause.After(z.M * z.F * z.F); err != nil {
			return nil, err
		}
	}
	n := coordinates(f.k, d, p.Completion)
	f.mean, f.held, f.u = make([]float64, f.k), make([]T, f.k*d), make([]float64, f.k*d)
	f.t, f.s, f.polar = make([]float64, n*d), make([]float64, n*d), linalg.NewPolar(n, d)
	if n < d {
		f.turned, f.polar = make([]float64, d*n), linalg.NewPolar(d, n)
	}
	f.qr = linalg.NewQR(m, n)
	for l, z := range z {
		from, to := f.from[l], f.from[l+1]
		for i := range m {
			z.Row(f.qr.A[i*n+from:i*n+to], i)
		}
		linalg.CentreColumns(f.qr.A, n, from, to, f.mean[from:to])
	}
	filling := linalg.NewFilling(p.Completion, m, d, p.Directions)
	if filling != nil {
		for i := range m {
			row := f.qr.A[i*n+f.k:][:1+d]
			row[0] = filling.Ones[i]
			copy(row[1:], filling.Draw[i*d:])
		}
	}
	if err := f.qr.DecomposeIn(pause); err != nil {
		return nil, err
	}
	if filling != nil {
		f.filling = f.factoredFilling(filling.Centred)
	}
	if p.Power {
		f.centreGrams()
	}
	return f, nil
}

// factoredFilling returns the filling in coordinates: column j of R holds those of column j.
func (f *factored[T]) factoredFilling(centred bool) *linalg.Filling {
	d, n := f.d, f.qr.Cols
	filling := &linalg.Filling{Nodes: f.m, Ones: make([]float64, n), Draw: make([]float64, n*d), Centred: centred}
	for i := range n {
		if i <= f.k {
			filling.Ones[i] = f.qr.A[i*n+f.k]
		}
		for j := max(0, i-f.k-1); j < d; j++ {
			filling.Draw[i*d+j] = f.qr.A[i*n+f.k+1+j]
		}
	}
	return filling
}

// centreGrams forms Z_l'Z_l - M z_l z_l' (F_l x F_l) of every layer, for the power target.
func (f *factored[T]) centreGrams() {
	for l, q := range f.moments {
		mean := f.mean[f.from[l]:f.from[l+1]]
		g := append([]float64(nil), q.gram...)
		for i := range g {
			g[i] -= float64(float64(float64(f.m)*mean[i/len(mean)]) * mean[i%len(mean)])
		}
		f.centred = append(f.centred, g)
	}
}

func (f *factored[T]) Update(u [][]T) {
	f.stack(f.held, u)
	f.take(f.s, f.held)
	f.rank = f.polar.Rank
	f.retarget()
}

// stack sets dst (F x d) to all U_l, one below the other.
func (f *factored[T]) stack(dst []T, u [][]T) {
	for l := range u {
		copy(dst[f.from[l]*f.d:f.from[l+1]*f.d], u[l])
	}
}

// take sets dst (n x d) to the coordinates of S, scale P, for U = stacked (F x d).
func (f *factored[T]) take(dst []float64, stacked []T) {
	kernel.Widen(f.u, stacked)
	if f.p.Power {
		f.power()
	}
	d, n, p := f.d, f.qr.Cols, &f.p
	clear(f.t)
	for i := range f.k { // R U, R being the upper triangle
		for j := i; j < f.k; j++ {
			kernel.AddScaled(f.t[i*d:i*d+d], f.u[j*d:j*d+d], f.qr.A[i*n+j])
		}
	}
	if f.turned == nil {
		f.polar.Factor(dst, f.t, p.Scale, p.Rule, p.Bound, f.filling)
		return
	}
	// The factor of the transpose is that of it, transposed. Nothing is completed here, for else n > d.
	transpose(f.turned, f.t, n, d)
	f.polar.Factor(f.t, f.turned, p.Scale, p.Rule, p.Bound, nil)
	transpose(dst, f.t, d, n)
}

// power sets U_l in f.u to (Z_l'Z_l - M z_l z_l') U_l.
func (f *factored[T]) power() {
	for l, q := range f.moments {
		from, to := f.from[l], f.from[l+1]
		u, n := f.u[from*f.d:to*f.d], to-from
		kernel.Mul(q.gu, f.centred[l], u, n, n, f.d)
		copy(u, q.gu)
	}
}

// transpose sets dst to the transpose of x (n x d).
func transpose(dst, x []float64, n, d int) {
	for i := range n {
		for k := range d {
			dst[k*n+i] = x[i*d+k]
		}
	}
}

// retarget sets the moments that S enters.
func (f *factored[T]) retarget() {
	d, n := f.d, f.qr.Cols
	for l, q := range f.moments {
		clear(q.s1)
		if f.filling != nil { // else S'1 is 0
			for i, x := range f.filling.Ones {
				kernel.AddScaled(q.s1, f.s[i*d:i*d+d], x)
			}
		}
		q.norm = 0
		for _, x := range f.s {
			q.norm += float64(x * x)
		}
		for j := f.from[l]; j < f.from[l+1]; j++ {
			zs := q.zs[(j-f.from[l])*d:][:d]
			clear(zs)
			for i := range j + 1 { // column j of R, which ends at the diagonal, times P
				kernel.AddScaled(zs, f.s[i*d:i*d+d], f.qr.A[i*n+j])
			}
			kernel.AddScaled(zs, q.s1, f.mean[j]) // and entry j of z_l times S'1
		}
	}
}

func (f *factored[T]) Match(l int, u, b, du, db []T, weight float64) float64 {
	return match(f.moments[l], u, b, du, db, weight)
}

func (f *factored[T]) Target() []T { return f.expand(f.s) }

func (f *factored[T]) Rank() int { return f.rank }

func (f *factored[T]) At(u [][]T) ([]T, *linalg.Polar) {
	stacked, s := make([]T, len(f.held)), make([]float64, len(f.s))
	f.stack(stacked, u)
	f.take(s, stacked)
	return f.expand(s), f.polar
}

// expand returns S (M x d) from its coordinates.
func (f *factored[T]) expand(coordinates []float64) []T {
	x := make([]float64, f.m*f.d)
	copy(x, coordinates)
	f.qr.Apply(x, f.d, f.d)
	s := make([]T, len(x))
	kernel.Round(s, x)
	return s
}

func (f *factored[T]) State() []T { return f.held }

func (f *factored[T]) Restore(rank int, computed bool) {
	if computed {
		f.take(f.s, f.held)
	}
	f.rank = rank
	f.retarget()
}

func (f *factored[T]) Notes() (consensus string, layers []string) {
	for range f.moments {
		layers = append(layers, throughMoments)
	}
	return "the consensus goes through a QR decomposition of Z: no step visits the nodes", layers
}
