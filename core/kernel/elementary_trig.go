package kernel

import "math"

// Sin, Cos, Atan2 and Cbrt follow the rules of Exp and Log. Their polynomials are those
// known from the Sun libm.

// Half of pi in parts of 33 bits, so k times the first two is exact for |k| < 2**20.
const (
	halfPi1 = 1.57079632673412561417e+00
	halfPi2 = 6.07710050630396597660e-11
	halfPi3 = 2.02226624879595063154e-21
	twoByPi = 6.36619772367581382433e-01
)

// reduce returns x - k pi/2, of at most pi/4, as a sum of two numbers, and k modulo 4.
func reduce(x float64) (r, tail float64, k int) {
	n := math.Floor(float64(x*twoByPi) + 0.5)
	a := x - float64(n*halfPi1)
	w := float64(n * halfPi2)
	r = a - w
	tail = ((a - r) - w) - float64(n*halfPi3)
	sum := r + tail
	return sum, (r - sum) + tail, int(int64(n) & 3)
}

// sine of r + tail, |r| <= pi/4.
func sine(r, tail float64) float64 {
	z := float64(r * r)
	v := float64(z * r)
	p := 1.58969099521155010221e-10
	p = float64(p*z) - 2.50507602534068634195e-08
	p = float64(p*z) + 2.75573137070700676789e-06
	p = float64(p*z) - 1.98412698298579493134e-04
	p = float64(p*z) + 8.33333333332248946124e-03
	return r - ((float64(z*(float64(0.5*tail)-float64(v*p))) - tail) + float64(v*1.66666666666666324348e-01))
}

// cosine of r + tail, |r| <= pi/4.
func cosine(r, tail float64) float64 {
	z := float64(r * r)
	p := -1.13596475577881948265e-11
	p = float64(p*z) + 2.08757232129817482790e-09
	p = float64(p*z) - 2.75573143513906633035e-07
	p = float64(p*z) + 2.48015872894767294178e-05
	p = float64(p*z) - 1.38888888888741095749e-03
	p = float64(p*z) + 4.16666666666666019037e-02
	half := float64(0.5 * z)
	w := 1 - half
	return w + (((1 - w) - half) + (float64(z*float64(z*p)) - float64(r*tail)))
}

// Sin returns the sine of x radians with an error of about one unit in the last place
// for |x| up to a million; beyond, the error grows with x.
func Sin(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return math.NaN()
	}
	r, tail, k := reduce(x)
	switch k {
	case 0:
		return sine(r, tail)
	case 1:
		return cosine(r, tail)
	case 2:
		return -sine(r, tail)
	}
	return -cosine(r, tail)
}

// Cos returns the cosine of x radians, as exact as [Sin].
func Cos(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return math.NaN()
	}
	r, tail, k := reduce(x)
	switch k {
	case 0:
		return cosine(r, tail)
	case 1:
		return -sine(r, tail)
	case 2:
		return -cosine(r, tail)
	}
	return sine(r, tail)
}

// Arc tangents of 1/2, 1, 3/2 and infinity in two parts, and the series.
var (
	arcHigh   = [4]float64{4.63647609000806093515e-01, 7.85398163397448278999e-01, 9.82793723247329054082e-01, 1.57079632679489655800e+00}
	arcLow    = [4]float64{2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17, 6.12323399573676603587e-17}
	arcSeries = [11]float64{3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01,
		-1.11111104054623557880e-01, 9.09088713343650656196e-02, -7.69187620504482999495e-02, 6.66107313738753120669e-02,
		-5.83357013379057348645e-02, 4.97687799461593236017e-02, -3.65315727442169155270e-02, 1.62858201153657823623e-02}
)

// atan returns the arc tangent of x >= 0.
func atan(x float64) float64 {
	part := -1
	switch {
	case x < 0.4375:
	case x < 0.6875:
		part, x = 0, (2*x-1)/(2+x)
	case x < 1.1875:
		part, x = 1, (x-1)/(x+1)
	case x < 2.4375:
		part, x = 2, (x-1.5)/(1+float64(1.5*x))
	default:
		part, x = 3, -1/x
	}
	z := float64(x * x)
	p := 0.0
	for i := len(arcSeries) - 1; i >= 0; i-- {
		p = float64(float64(p+arcSeries[i]) * z)
	}
	if part < 0 {
		return x - float64(x*p)
	}
	return arcHigh[part] - ((float64(x*p) - arcLow[part]) - x)
}

// Atan2 returns the angle of the point (x, y) from -pi to pi, with an error of about one
// unit in the last place; 0 for the origin.
func Atan2(y, x float64) float64 {
	if x == 0 && y == 0 {
		return 0
	}
	a := atan(math.Abs(y / x))
	if x == 0 {
		a = math.Pi / 2
	}
	if x < 0 {
		a = math.Pi - (a - 1.2246467991473531772e-16)
	}
	if y < 0 {
		return -a
	}
	return a
}

// Cbrt returns the cube root of x with an error of about one unit in the last place.
func Cbrt(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	m, e := math.Frexp(math.Abs(x))
	for e%3 != 0 { // m in [1/8, 1), |x| = m 8**(e/3)
		m /= 2
		e++
	}
	t := 0.4 + float64(0.6*m)
	for range 3 { // Halley: three times the digits with each step
		c := float64(t * float64(t*t))
		t = t * ((c + 2*m) / (2*c + m))
	}
	// One Newton step, whose correction is computed from a small difference.
	t -= (t - m/float64(t*t)) / 3
	return math.Copysign(math.Ldexp(t, e/3), x)
}
