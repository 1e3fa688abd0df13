package numpy

import (
	"math"
	"sync"

	"cadem.example/core/base/kernel"
)

// The ziggurat of 256 strips of equal area under exp(-x²/2) (G. Marsaglia and W. W. Tsang
// 2000). NumPy's tables were computed once and differ in the last digits from what the
// formulas give; stripDigits holds the differences, one letter a strip.
const (
	stripEdge   = 3.6541528853610087963519472518 // where the tail begins
	stripArea   = 0.00492867323397465524494
	stripBase   = 3.9107579595249117865 // width of the lowest strip, had it no tail
	stripDigits = "kkkkkokoooookkokkokkkokojkkkkkkokkkokiskkokjkkkkkkkokkokkokokkkk" +
		"klkkkokkokokkkkkkkkkckogkojsoopljjkkolkolkkkkkwrjkskkkkkkrkkoklc" +
		"okjskknrokkokkookkkkkookokokkwoklcokkpgookokkkkklgokkkkkkkkkkkko" +
		"kookkkslcoskokkkkkkkkcknskkksocokkkkckoolkokkkkkkokkkkokkkkowolk"
)

// strips are the tables: a number of 52 bits times width is a point of strip i, one below
// inner certainly under the curve; height is the curve at the strip's edge.
type strips struct {
	inner  [256]uint64
	width  [256]float64
	height [256]float64
}

var tables = sync.OnceValue(func() *strips {
	t := &strips{}
	edge := func(i int) float64 { return t.width[i] * (1 << 52) }
	curve := func(x float64) float64 { return kernel.Exp(-0.5 * float64(x*x)) }
	add := func(x float64, units int) float64 { return math.Float64frombits(math.Float64bits(x) + uint64(units)) }
	for i := 255; i >= 0; i-- {
		digits := int(stripDigits[i] - 'a')
		x := stripEdge
		switch {
		case i == 0:
			x = stripBase
		case i < 255:
			x = math.Sqrt(-2 * kernel.Log(stripArea/edge(i+1)+curve(edge(i+1))))
		}
		t.width[i] = add(x/(1<<52), digits%4-2)
		t.height[i] = add(curve(edge(i)), digits/8-1)
	}
	t.height[0] = 1
	for i := range t.inner {
		inside := 0.0
		switch {
		case i == 0:
			inside = stripEdge
		case i > 1:
			inside = edge(i - 1)
		}
		t.inner[i] = uint64(inside/edge(i)*(1<<52)) + uint64(stripDigits[i]-'a')/4%2
	}
	return t
})

// Norm returns a standard normal number: standard_normal().
func (g *Generator) Norm() float64 {
	t := tables()
	for {
		r := g.word64()
		i, r := r&0xff, r>>8
		q := r >> 1 & (1<<52 - 1)
		x := float64(float64(q) * t.width[i])
		if r&1 != 0 {
			x = -x
		}
		switch {
		case q < t.inner[i]:
			return x
		case i == 0:
			// Float64 is a multiple of 2^-53, so 1 minus it is exact.
			for {
				a := -kernel.Log(1-float64(g.Float64())) / stripEdge
				b := -kernel.Log(1 - float64(g.Float64()))
				if b+b > float64(a*a) {
					if q>>8&1 != 0 {
						return -(stripEdge + a)
					}
					return stripEdge + a
				}
			}
		case float64((t.height[i-1]-t.height[i])*g.Float64())+t.height[i] < kernel.Exp(-0.5*float64(x*x)):
			return x
		}
	}
}
