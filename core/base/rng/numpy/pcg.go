package numpy

import (
	"math/bits"

	"cadem.example/core/base/sorting"
)

// seedSequence returns the four 64-bit words that SeedSequence(seed) generates.
func seedSequence(seed uint64) (words [4]uint64) {
	var pool [4]uint32
	copy(pool[:], entropy(seed))
	h := uint32(0x43b0d7e5)
	hash := func(v uint32) uint32 {
		v ^= h
		h *= 0x931e8875
		v *= h
		return v ^ v>>16
	}
	for i, v := range pool {
		pool[i] = hash(v)
	}
	for s := range pool {
		for d := range pool {
			if s != d {
				r := 0xca01f9dd*pool[d] - 0x4973f715*hash(pool[s])
				pool[d] = r ^ r>>16
			}
		}
	}
	h = 0x8b51f9dd
	for i := range 8 {
		v := pool[i%4] ^ h
		h *= 0x58f38ded
		v *= h
		v ^= v >> 16
		words[i/2] |= uint64(v) << (i % 2 * 32)
	}
	return words
}

// Generator is numpy.random.default_rng: PCG64 with XSL-RR output.
type Generator struct {
	high, low       uint64 // the state
	incHigh, incLow uint64
	half            uint32 // the high half of an output whose low half was taken
	full            bool
}

// NewGenerator returns numpy.random.default_rng(seed).
func NewGenerator(seed uint64) *Generator {
	w := seedSequence(seed)
	g := &Generator{incHigh: w[2]<<1 | w[3]>>63, incLow: w[3]<<1 | 1}
	var carry uint64
	g.low, carry = bits.Add64(g.incLow, w[1], 0)
	g.high, _ = bits.Add64(g.incHigh, w[0], carry)
	g.step()
	return g
}

// step multiplies the state and adds the increment.
func (g *Generator) step() {
	const high, low = 2549297995355413924, 4865540595714422341
	h, l := bits.Mul64(g.low, low)
	h += g.high*low + g.low*high
	var carry uint64
	g.low, carry = bits.Add64(l, g.incLow, 0)
	g.high, _ = bits.Add64(h, g.incHigh, carry)
}

// word64 returns the next 64 bits.
func (g *Generator) word64() uint64 {
	g.step()
	return bits.RotateLeft64(g.high^g.low, -int(g.high>>58))
}

// word returns 32 bits: the low half of an output, the high half with the next call.
func (g *Generator) word() uint32 {
	if g.full {
		g.full = false
		return g.half
	}
	w := g.word64()
	g.half, g.full = uint32(w>>32), true
	return uint32(w)
}

// Float64 returns a number in [0, 1), a multiple of 2^-53: random().
func (g *Generator) Float64() float64 { return float64(g.word64()>>11) / (1 << 53) }

// Uniform returns a number in [lo, hi): uniform(lo, hi).
func (g *Generator) Uniform(lo, hi float64) float64 { return lo + float64((hi-lo)*g.Float64()) }

// IntN returns a number in [0, n), n below 2^32, by Lemire's method: integers(n).
func (g *Generator) IntN(n int) int {
	ErrRange.Unless(n >= 1 && n <= 1<<32-1)
	if n == 1 {
		return 0
	}
	m := uint64(g.word()) * uint64(n)
	if uint32(m) < uint32(n) {
		for limit := -uint32(n) % uint32(n); uint32(m) < limit; {
			m = uint64(g.word()) * uint64(n)
		}
	}
	return int(m >> 32)
}

// Choice returns k distinct numbers of 0..n-1 in random order: choice(n, k, replace=False).
func (g *Generator) Choice(n, k int) []int {
	ErrRange.Unless(k <= n)
	swap := func(x []int, last, first int) {
		for i := last; i >= first; i-- {
			j := g.IntN(i + 1)
			x[i], x[j] = x[j], x[i]
		}
	}
	if n > 10000 && k > n/50 { // shuffle the end of all numbers
		x := sorting.Places(n)
		swap(x, n-1, max(n-k, 1))
		return x[n-k:]
	}
	// R. W. Floyd's method, then a shuffle.
	x, taken := make([]int, 0, k), make(map[int]bool, k)
	for j := n - k; j < n; j++ {
		v := g.IntN(j + 1)
		if taken[v] {
			v = j
		}
		taken[v] = true
		x = append(x, v)
	}
	swap(x, k-1, 1)
	return x
}

// Permutation returns 0..n-1 in random order: permutation(n).
func (g *Generator) Permutation(n int) []int {
	x := sorting.Places(n)
	for i := n - 1; i > 0; i-- {
		j := masked(uint32(i), g.word)
		x[i], x[j] = x[j], x[i]
	}
	return x
}
