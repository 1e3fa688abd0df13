package kernel

import "math"

// Exp and Log exist because those of the standard library are assembly on
// some machines and may be contracted to fused multiply-adds on others, so a
// run would end with other bits there. Here every product that feeds a sum is
// rounded on its own and the order is fixed: the same bits everywhere.

const (
	ln2Hi = 6.93147180369123816490e-01 // the leading 33 bits of ln 2, so k*ln2Hi is exact
	ln2Lo = 1.90821492927058770002e-10 // ln 2 - ln2Hi
	log2E = 1.44269504088896338700e+00
)

// Exp returns e**x with an error below one unit in the last place.
// Reduction x = k ln 2 + r with |r| <= ln2/2, then the continued-fraction form of
// the minimax approximation of r coth(r/2) known from the Sun libm.
func Exp(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < -745.2:
		return 0
	case x > 709.79:
		return math.Inf(1)
	case x > -1.0/(1<<28) && x < 1.0/(1<<28):
		return 1 + x
	}
	k := 0
	if x < 0 {
		k = int(float64(log2E*x) - 0.5)
	} else {
		k = int(float64(log2E*x) + 0.5)
	}
	hi := x - float64(float64(k)*ln2Hi)
	lo := float64(float64(k) * ln2Lo)
	r := hi - lo
	t := float64(r * r)
	p := 4.13813679705723846039e-08
	p = float64(p*t) - 1.65339022054652515390e-06
	p = float64(p*t) + 6.61375632143793436117e-05
	p = float64(p*t) - 2.77777777770155933842e-03
	p = float64(p*t) + 1.66666666666666019037e-01
	c := r - float64(t*p)
	y := 1 - ((lo - float64(float64(r*c)/(2-c))) - hi)
	if k > -1022 && k < 1023 { // y is between 0.7 and 1.5, the result a normal number
		return math.Float64frombits(math.Float64bits(y) + uint64(k)<<52)
	}
	return math.Ldexp(y, k)
}

// Log returns the natural logarithm of x with an error below one unit in the last
// place: x = 2**k (1+f), sqrt(2)/2 < 1+f <= sqrt(2), and an odd series in
// s = f/(2+f).
func Log(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	var m float64
	var k int
	if bits := math.Float64bits(x); x >= 0x1p-1022 { // a normal number
		m, k = math.Float64frombits(bits&(1<<52-1)|1022<<52), int(bits>>52)-1022
	} else {
		m, k = math.Frexp(x)
	}
	if m < math.Sqrt2/2 {
		m *= 2
		k--
	}
	f := m - 1
	s := f / (2 + f)
	z := float64(s * s)
	w := float64(z * z)
	a := 1.479819860511658591e-01
	a = float64(a*w) + 1.818357216161805012e-01
	a = float64(a*w) + 2.857142874366239149e-01
	a = float64(a*w) + 6.666666666666735130e-01
	b := 1.531383769920937332e-01
	b = float64(b*w) + 2.222219843214978396e-01
	b = float64(b*w) + 3.999999999940941908e-01
	r := float64(a*z) + float64(b*w)
	half := float64(0.5 * float64(f*f))
	n := float64(k)
	return float64(n*ln2Hi) - ((half - (float64(s*(half+r)) + float64(n*ln2Lo))) - f)
}

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
