package rng

// A pcg is PCG-DXSM with 128 bits of state, as in math/rand/v2. There a number takes three calls
// where no instruction multiplies 64 bits by 64 in full, as in WebAssembly; here none, in a loop.
type pcg struct{ hi, lo uint64 }

// The multiplier and the increment of the state.
const (
	mulHi, mulLo = 2549297995355413924, 4865540595714422341
	incHi, incLo = 6364136223846793005, 1442695040888963407
)

// advance moves to the next state.
func (g *pcg) advance() {
	const mask, m0, m1 = 1<<32 - 1, mulLo & (1<<32 - 1), mulLo >> 32
	a, b := g.lo&mask, g.lo>>32
	t := b*m0 + a*m0>>32
	g.hi = g.hi*mulLo + g.lo*mulHi + b*m1 + t>>32 + (t&mask+a*m1)>>32 + incHi
	if g.lo = g.lo*mulLo + incLo; g.lo < incLo {
		g.hi++
	}
}

// number returns 64 random bits, a function of the current state.
func (g *pcg) number() uint64 {
	x := (g.hi ^ g.hi>>32) * 0xda942042e4dd58b5
	return (x ^ x>>48) * (g.lo | 1)
}

// next returns 64 bits and moves on.
func (g *pcg) next() uint64 {
	g.advance()
	return g.number()
}
