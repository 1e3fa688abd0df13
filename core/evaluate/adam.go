package evaluate

import "cadem/core/kernel"

// adam is the optimiser of Kingma and Ba (2015) with the constants of the paper and no
// weight decay.
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
	const b1, b2 = 0.9, 0.999
	a.beta1 = float64(a.beta1 * b1)
	a.beta2 = float64(a.beta2 * b2)
	rate := kernel.NewAdamRate[float64](lr, b1, b2, a.beta1, a.beta2, 1e-8, 0)
	kernel.Adam(param, a.m, a.v, grad, &rate)
}
