package cadem

import "cadem.example/core/base/kernel"

// parallelAdam is the number of weights from which on several processors are faster than one.
const parallelAdam = 400_000

// Adam, equation (e) (Kingma and Ba 2015, algorithm 1), moves every parameter x, biases included,
// by its gradient g in step t, beta1, beta2 and eps being [kernel.Beta1], [kernel.Beta2] and [kernel.AdamEps]:
//
//	g = g + decay x
//	m = beta1 m + (1 - beta1) g,   v = beta2 v + (1 - beta2) g^2
//	x = x - eta (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)
//
// kernel.Adam and kernel.AdamFactored do this with fewer operations. They keep the moments undivided, M = m /
// (1 - beta1) and V = v / (1 - beta2), and everything but these is in two constants of the step:
//
//	M = beta1 M + g,   V = beta2 V + g^2
//	x = x - M / (sqrt(V) Root + Eps),   Root = sqrt((1 - beta2) / (1 - beta2^t)) / eta_t,   Eps = eps / eta_t,
//	eta_t = eta (1 - beta1) / (1 - beta1^t)
//
// move does step t for every parameter; powers are beta1^t and beta2^t.
func (m *model[T]) move(powers kernel.AdamPowers) {
	// W1 and W2 of every encoder, by encoder.step.
	m.encoderRate = kernel.NewAdamRate[T](powers, m.o.LREncoders, m.o.DecayEncoders)
	weights := 0
	for _, pair := range m.enc {
		weights += len(pair[common].W1) + len(pair[private].W1)
	}
	m.movers.Run(2*len(m.enc), weights >= parallelAdam)
	// Their biases.
	for _, pair := range m.enc {
		for _, e := range pair {
			kernel.Adam(e.B, e.MB, e.VB, e.DB, &m.encoderRate)
		}
	}
	// The heads, W and b.
	m.headRate = kernel.NewAdamRate[T](powers, m.o.LRHeads, m.o.DecayHeads)
	m.phi.step(&m.headRate)
	m.psi.step(&m.headRate)
}

// step moves W1 (F x H) and W2 (H x d) from the gradient dU (F x d) of their product U,
//
//	dW2 = W1'dU (H x d),   dW1 = dU W2' (F x H),   then U = W1 W2 of the new ones.
//
// dW1 is formed row by row as W1 moves, never as a whole.
func (e *encoder[T]) step(r *kernel.AdamRate[T]) {
	clear(e.DW2)
	kernel.AddMulTrans(e.DW2, e.W1, e.DU, e.F, e.H, e.D) // dW2 = W1'dU
	copy(e.Old, e.W2)                                    // that dW1 is formed from
	kernel.Adam(e.W2, e.M2, e.V2, e.DW2, r)
	// W1 by dW1 = dU Old', then U = W1 W2.
	kernel.AdamFactored(e.W1, e.M1, e.V1, e.U, e.DU, e.Old, e.W2, e.F, e.H, e.D, r)
}

// dW1 forms dU W2', which step never stores.
func (e *encoder[T]) dW1() []T {
	g := make([]T, len(e.W1))
	for i := range g {
		for k := range e.D {
			g[i] += T(e.DU[i/e.H*e.D+k] * e.Old[i%e.H*e.D+k])
		}
	}
	return g
}

// step moves W and b of a head.
func (p *head[T]) step(r *kernel.AdamRate[T]) {
	p.Collect()
	kernel.Adam(p.all[0], p.all[1], p.all[2], p.all[3], r)
}
