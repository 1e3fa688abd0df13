package split

import (
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
)

// A Target is the target of the private embedding Z^O U of a layer, R = Z^O A. A (F x d) is computed
// from U once an epoch: one power step from Z^P U towards the leading directions of Z^P
// = V diag(t) R', each weighted by how far it stands above the noise. In the coordinates of V,
// where Z^P U is diag(t) R'U:
//
//	W = t^3 R'U                   the power step, Z^P (Z^P'(Z^P U))
//	Q = orthonormal basis of W,   Q'diag(t) = E diag(tau) .',   tau <- tau / sqrt(M),   G = Q E
//	h_k = sqrt(max(0, 1 - (e / tau_k)^2)),   or tau_k / tau_1 where no edge is known
//	O = polar factor of diag(h) G'diag(t) R'U, as Z^P U stands
//	A = R diag(1/t) sqrt(M) G diag(h) O
//
// No step visits the nodes: the loss and its gradient need Z^O'Z^O alone.
type Target struct {
	f, rank, d int
	m          float64
	edge       float64
	noisy      bool      // whether it is known
	t          []float64 // rank
	right      []float64 // F x rank: R
	gram       []float64 // F x F: Z^O'Z^O / M

	b, k        []float64 // rank x d: R'U, then diag(t) R'U; diag(1/t) sqrt(M) G diag(h) O
	basis, axes []float64 // rows x d: Q; d x d: E
	turned      []float64 // rank x d: G
	o, oIn      []float64 // d x d
	power, held *linalg.SVD
	polar       *linalg.Polar
	diff, gdiff []float64 // F x d
}

// NewTarget takes diag(t) (rank) and R (F x rank) of Z^P = V diag(t) R', and Z^O'Z^O (F x F), over m nodes. The slices are kept.
func NewTarget(l *Layer, m int, t, right, gram []float64) *Target {
	g := &Target{f: l.F, rank: len(t), m: float64(m), edge: l.Edge, noisy: l.Noisy, t: t, right: right, gram: gram}
	for i := range g.gram {
		g.gram[i] /= g.m
	}
	return g
}

// Prepare allocates for embeddings of d columns.
func (g *Target) Prepare(d int) {
	rows := max(g.rank, d)
	x := func(n int) []float64 { return make([]float64, n) }
	g.d, g.b, g.k, g.turned = d, x(g.rank*d), x(g.rank*d), x(g.rank*d)
	g.basis, g.axes, g.o, g.oIn = x(rows*d), x(d*d), x(d*d), x(d*d)
	g.diff, g.gdiff = x(g.f*d), x(g.f*d)
	g.power, g.held, g.polar = linalg.NewSVD(rows, d), linalg.NewSVD(rows, d), linalg.NewPolar(d, d)
}

// Update sets a (F x d) for U (F x d).
func (g *Target) Update(a, u []float64) {
	d := g.d
	clear(a)
	clear(g.b)
	kernel.AddMulTrans(g.b, g.right, u, g.f, g.rank, d) // R'U
	// W, and Q, of the k columns that W has directions for.
	clear(g.power.A)
	for i, b := range g.b {
		t := g.t[i/d]
		g.power.A[i] = float64(float64(float64(t*t)*t) * b)
	}
	_ = g.power.Decompose(nil)
	_ = g.power.Left(g.basis, d, nil)
	k := counted(g.power.Singular, 1e-9) // a W of rounding noise alone has none
	// E and tau, and G = Q E.
	clear(g.held.A)
	for i := range g.rank {
		for c := range k {
			g.held.A[i*d+c] = float64(g.t[i] * g.basis[i*d+c])
		}
	}
	_ = g.held.Decompose(nil)
	g.held.Right(g.axes, d)
	for i := range g.rank { // the columns behind k are not part of the basis
		clear(g.basis[i*d+k : (i+1)*d])
	}
	kernel.Mul(g.turned, g.basis[:g.rank*d], g.axes, g.rank, d, d)
	// G diag(h).
	for i := range g.turned {
		if c := i % d; c < k {
			g.turned[i] *= g.weight(g.held.Singular[c], g.held.Singular[0])
		} else {
			g.turned[i] = 0
		}
	}
	// O, here times sqrt(M).
	for i := range g.b {
		g.b[i] *= g.t[i/d]
	}
	clear(g.oIn)
	kernel.AddMulTrans(g.oIn, g.turned, g.b, g.rank, d, d)
	g.polar.Factor(g.o, g.oIn, math.Sqrt(g.m), float64(d)*0x1p-52, d, nil)
	// A.
	kernel.Mul(g.k, g.turned, g.o, g.rank, d, d)
	for i := range g.k {
		g.k[i] /= g.t[i/d]
	}
	kernel.Mul(a, g.right, g.k, g.f, g.rank, d)
}

// weight returns h of a direction with singular value tau in Z^P; first is the largest.
func (g *Target) weight(tau, first float64) float64 {
	if !g.noisy {
		return tau / first
	}
	share := g.edge * math.Sqrt(g.m) / tau
	return math.Sqrt(max(0, 1-float64(share*share)))
}

// Leading returns the limit of Update, up to a rotation: A (F x width) of the leading directions,
// at most d, with which
//
//	R = Z^O A = sqrt(M) V diag(h),    A = R diag(1/t) sqrt(M) diag(h).
func (g *Target) Leading(d int) (width int, a []float64) {
	width = min(d, g.rank)
	a = make([]float64, g.f*width)
	for k := range width {
		h := math.Sqrt(g.m) * g.weight(g.t[k], g.t[0]) / g.t[k]
		for i := range g.f {
			a[i*width+k] = h * g.right[i*g.rank+k]
		}
	}
	return width, a
}

// Match adds weight times the gradient of |Z^O (U - A)|^2 / M in U to du, and returns it. All are F x d.
func Match[T kernel.Float](g *Target, u, a, du []T, weight float64) (sum float64) {
	for i, x := range u {
		g.diff[i] = float64(x) - float64(a[i])
	}
	kernel.Mul(g.gdiff, g.gram, g.diff, g.f, g.f, g.d)
	for i, x := range g.gdiff {
		sum += float64(x * g.diff[i])
		du[i] += T(float64(2*weight) * x)
	}
	return sum
}
