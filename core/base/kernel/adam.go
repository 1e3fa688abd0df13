package kernel

import "math"

// AdamRate holds what one Adam step needs. The moments are kept as sums, m the usual one divided by
// 1 - B1 and v by 1 - B2. The learning rate eta, eps and the corrections of step t then make two
// constants, Root and Eps:
//
//	eta_t = eta (1 - B1) / (1 - B1^t),   Root = sqrt((1 - B2) / (1 - B2^t)) / eta_t,   Eps = eps / eta_t
//	m = B1 m + g,   v = B2 v + g g,   w -= m / (sqrt(v) Root + Eps)
type AdamRate[T Float] struct {
	B1, B2, Root, Eps T
	Decay             T // added to the gradient times the weight, not decoupled
}

// Adam's published constants (Kingma and Ba 2015, algorithm 1): beta1, beta2 and eps, which is added after the root.
const Beta1, Beta2, AdamEps = 0.9, 0.999, 1e-8

// AdamPowers are beta1^t and beta2^t of step t, of all parameters that move together. The zero value is not usable.
type AdamPowers struct{ Pow1, Pow2 float64 }

// NewAdamPowers returns the powers before the first step.
func NewAdamPowers() AdamPowers { return AdamPowers{1, 1} }

// Next makes t the next step.
func (p *AdamPowers) Next() {
	p.Pow1 = float64(p.Pow1 * Beta1)
	p.Pow2 = float64(p.Pow2 * Beta2)
}

// NewAdamRate returns the constants of step t for a learning rate.
func NewAdamRate[T Float](p AdamPowers, eta, decay float64) AdamRate[T] {
	var b1, b2 float64 = Beta1, Beta2 // numbers, so that 1 - b1 is rounded twice: exact constants would give other bits
	r := AdamRate[T]{B1: T(b1), B2: T(b2), Decay: T(decay)}
	if eta == 0 {
		r.Eps = T(math.Inf(1)) // nothing moves
		return r
	}
	step := eta * (1 - b1) / (1 - p.Pow1) // eta_t
	r.Root, r.Eps = T(math.Sqrt((1-b2)/(1-p.Pow2))/step), T(AdamEps/step)
	return r
}

// RateNumbers is the number of values in a rate.
const RateNumbers = 5

// Numbers returns the rate as the SIMD kernels read it.
func (r *AdamRate[T]) Numbers() [RateNumbers]T {
	return [RateNumbers]T{r.B1, r.B2, r.Root, r.Eps, r.Decay}
}

func sqrt[T Float](x T) T { return T(math.Sqrt(float64(x))) }

// Adam moves the weights w against the gradient g; m and v are its moments. All have the same length.
func Adam[T Float](w, m, v, g []T, r *AdamRate[T]) {
	if len(m) != len(w) || len(v) != len(w) || len(g) != len(w) {
		panic(ErrShape)
	}
	i := 0
	if x, ok := any(w).([]float32); ok && vectorReady {
		i = len(w) &^ 3
		vectorAdamPlain(x[:i], any(m).([]float32)[:i], any(v).([]float32)[:i], any(g).([]float32)[:i], any(r).(*AdamRate[float32]))
	}
	b1, b2, root, eps, decay := r.B1, r.B2, r.Root, r.Eps, r.Decay
	for ; i < len(w); i++ {
		x := g[i]
		if decay != 0 {
			x += T(decay * w[i])
		}
		mm := T(b1*m[i]) + x
		vv := T(b2*v[i]) + T(x*x)
		m[i], v[i] = mm, vv
		w[i] -= mm / (T(sqrt(vv)*root) + eps)
	}
}

// AdamFactored moves the first factor of U = W1 W2 and refreshes U, while each row is
// in cache. The gradient of w1 (n x h) is du (n x d) times old' (d x h), old being W2
// (h x d) before this step; it is formed on the fly and never stored. u (n x d) becomes
// the moved w1 times w2, W2 after this step.
func AdamFactored[T Float](w1, m, v, u, du, old, w2 []T, n, h, d int, r *AdamRate[T]) {
	if len(w1) != n*h || len(m) != n*h || len(v) != n*h || len(u) != n*d || len(du) != n*d || len(old) != h*d || len(w2) != h*d {
		panic(ErrShape)
	}
	plain := h%4 == 0 && r.Decay == 0
	if x, ok := any(w1).([]float32); ok && plain && d%4 == 0 && len(w2) > 0 && vectorReady {
		vectorAdam(x, any(m).([]float32), any(v).([]float32), any(u).([]float32), any(du).([]float32), any(old).([]float32), any(w2).([]float32), n, h, d,
			any(r).(*AdamRate[float32]))
		return
	}
	for i := range n {
		w, m, v := w1[i*h:i*h+h], m[i*h:i*h+h], v[i*h:i*h+h]
		if plain && d == 8 {
			adamRow8(w, m, v, (*[8]T)(du[i*8:]), old, r)
			mulRow8((*[8]T)(u[i*8:]), w, w2)
			continue
		}
		a, at := du[i*d:i*d+d], 0
		for j := range w {
			var g T
			k := 0
			for ; k+4 <= d; k += 4 {
				x, y := (*[4]T)(a[k:]), (*[4]T)(old[at+k:])
				g = g + T(x[0]*y[0]) + T(x[1]*y[1]) + T(x[2]*y[2]) + T(x[3]*y[3])
			}
			for ; k < d; k++ {
				g += T(a[k] * old[at+k])
			}
			at += d
			if r.Decay != 0 {
				g += T(r.Decay * w[j])
			}
			m[j] = T(r.B1*m[j]) + g
			v[j] = T(r.B2*v[j]) + T(g*g)
			w[j] -= m[j] / (T(sqrt(v[j])*r.Root) + r.Eps)
		}
		Mul(u[i*d:i*d+d], w, w2, 1, h, d)
	}
}

// adamRow8 is one row of AdamFactored for d = 8, four weights at a time.
func adamRow8[T Float](w, m, v []T, a *[8]T, w2 []T, r *AdamRate[T]) {
	b1, b2, root, eps := r.B1, r.B2, r.Root, r.Eps
	a0, a1, a2, a3, a4, a5, a6, a7 := a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]
	for j := 0; j+4 <= len(w); j += 4 {
		b := (*[32]T)(w2[j*8:])
		wp, mp, vp := (*[4]T)(w[j:]), (*[4]T)(m[j:]), (*[4]T)(v[j:])
		g := T(a0*b[0]) + T(a1*b[1]) + T(a2*b[2]) + T(a3*b[3]) + T(a4*b[4]) + T(a5*b[5]) + T(a6*b[6]) + T(a7*b[7])
		mm := T(b1*mp[0]) + g
		vv := T(b2*vp[0]) + T(g*g)
		mp[0], vp[0] = mm, vv
		wp[0] -= mm / (T(sqrt(vv)*root) + eps)
		g = T(a0*b[8]) + T(a1*b[9]) + T(a2*b[10]) + T(a3*b[11]) + T(a4*b[12]) + T(a5*b[13]) + T(a6*b[14]) + T(a7*b[15])
		mm = T(b1*mp[1]) + g
		vv = T(b2*vp[1]) + T(g*g)
		mp[1], vp[1] = mm, vv
		wp[1] -= mm / (T(sqrt(vv)*root) + eps)
		g = T(a0*b[16]) + T(a1*b[17]) + T(a2*b[18]) + T(a3*b[19]) + T(a4*b[20]) + T(a5*b[21]) + T(a6*b[22]) + T(a7*b[23])
		mm = T(b1*mp[2]) + g
		vv = T(b2*vp[2]) + T(g*g)
		mp[2], vp[2] = mm, vv
		wp[2] -= mm / (T(sqrt(vv)*root) + eps)
		g = T(a0*b[24]) + T(a1*b[25]) + T(a2*b[26]) + T(a3*b[27]) + T(a4*b[28]) + T(a5*b[29]) + T(a6*b[30]) + T(a7*b[31])
		mm = T(b1*mp[3]) + g
		vv = T(b2*vp[3]) + T(g*g)
		mp[3], vp[3] = mm, vv
		wp[3] -= mm / (T(sqrt(vv)*root) + eps)
	}
}
