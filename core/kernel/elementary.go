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
