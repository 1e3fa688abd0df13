package cadem

import "cadem/core/kernel"

// Adam, equation (10) (Kingma and Ba 2015, algorithm 1), moves every parameter x, biases included,
// by its gradient g in step t:
//
//	g = g + decay x
//	m = beta1 m + (1 - beta1) g,   v = beta2 v + (1 - beta2) g^2
//	x = x - eta (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)
//
// The kernel keeps m / (1 - beta1) and v / (1 - beta2) instead and folds eta, eps and the corrections by
// beta^t into two constants: see [kernel.AdamRate].
const beta1, beta2, epsilon = 0.9, 0.999, 1e-8

// adam counts the steps, for all parameters at once.
type adam struct{ pow1, pow2 float64 } // beta1^t, beta2^t

// next makes t the next step.
func (a *adam) next() {
	a.pow1 = float64(a.pow1 * beta1)
	a.pow2 = float64(a.pow2 * beta2)
}

// rate returns the constants of a step for learning rate eta.
func rate[T kernel.Float](a *adam, eta, decay float64) kernel.AdamRate[T] {
	return kernel.NewAdamRate[T](eta, beta1, beta2, a.pow1, a.pow2, epsilon, decay)
}

// parallelAdam is how many weights several processors move sooner than one.
const parallelAdam = 400_000

// move does a step of Adam for every parameter.
func (m *model[T]) move(a *adam) {
	// W1 and W2 of every encoder, by encoder.Step in encoder.go, where they train.
	m.kernels.Rate = rate[T](a, m.o.LREncoders, m.o.DecayEncoders)
	m.moving = m.encoders.Step()
	weights := 0
	for _, pair := range m.enc {
		weights += len(pair[common].W1) + len(pair[private].W1)
	}
	m.movers.Run(len(m.moving), weights >= parallelAdam)
	// Their biases.
	for _, pair := range m.enc {
		for _, e := range pair {
			kernel.Adam(e.B, e.MB, e.VB, e.DB, &m.kernels.Rate)
		}
	}
	// The heads, W and b.
	m.headRate = rate[T](a, m.o.LRHeads, m.o.DecayHeads)
	m.phi.Step(&m.headRate)
	m.psi.Step(&m.headRate)
}
