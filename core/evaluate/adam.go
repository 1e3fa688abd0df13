package evaluate

import "math"

// adam is the optimiser of Kingma and Ba (2015) with the constants of the paper and no
// weight decay; eps is added after the square root.
type adam struct {
	m, v         []float64
	beta1, beta2 float64 // powers of the decay rates after the steps so far
}

func newAdam(n int) adam {
	return adam{m: make([]float64, n), v: make([]float64, n), beta1: 1, beta2: 1}
}

func (a *adam) reset() {
	clear(a.m)
	clear(a.v)
	a.beta1, a.beta2 = 1, 1
}

func (a *adam) step(param, grad []float64, lr float64) {
	const b1, b2, eps = 0.9, 0.999, 1e-8
	a.beta1 *= b1
	a.beta2 *= b2
	c1, c2 := 1-a.beta1, 1-a.beta2
	m, v, grad := a.m[:len(param)], a.v[:len(param)], grad[:len(param)]
	for i, g := range grad {
		m[i] = float64(b1*m[i]) + float64((1-b1)*g)
		v[i] = float64(b2*v[i]) + float64((1-b2)*float64(g*g))
		param[i] -= float64(lr * (m[i] / c1) / (math.Sqrt(v[i]/c2) + eps))
	}
}
