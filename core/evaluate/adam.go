package evaluate

import (
	"math"

	"cadem/core/kernel"
)

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
	kernel.Adam(param, a.m, a.v, grad, &kernel.AdamRate[float64]{B1: b1, C1: 1 - b1, B2: b2, C2: 1 - b2,
		Step: lr / (1 - a.beta1), InvSqrt: 1 / math.Sqrt(1-a.beta2), Eps: 1e-8})
}
