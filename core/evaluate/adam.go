package evaluate

import "cadem/core/kernel"

// adam moves parameters without weight decay.
type adam struct {
	m, v   []float64
	powers kernel.AdamPowers
}

func newAdam(n int) adam {
	return adam{m: make([]float64, n), v: make([]float64, n), powers: kernel.NewAdamPowers()}
}

func (a *adam) reset() {
	clear(a.m)
	clear(a.v)
	a.powers = kernel.NewAdamPowers()
}

func (a *adam) step(param, grad []float64, lr float64) {
	a.powers.Next()
	rate := kernel.NewAdamRate[float64](a.powers, lr, 0)
	kernel.Adam(param, a.m, a.v, grad, &rate)
}
