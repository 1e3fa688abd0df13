// Package torch draws the very numbers that PyTorch's generator for the CPU draws after manual_seed, which is the Mersenne
// Twister that NumPy's RandomState is, for trainings that others published by their seeds.
//
//	g := torch.New(15)
//	w := make([]float64, 8*3)
//	g.Linear(3, 8) // torch.nn.Linear(3, 8)
//	g.Xavier(w, 3, 8)
//
// Numbers are of single precision. Uniform ones, words and permutations are equal to the bit; normal ones except for the
// last place, and as to how many words they take. Bernoulli's are not here: with some libraries PyTorch draws them by
// another generator.
package torch

import (
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/rng/numpy"
	"cadem.example/core/base/sorting"
)

// Generator is torch.Generator().
type Generator struct {
	bits  *numpy.RandomState
	spare float64 // the second value of a pair of few normal numbers
	full  bool
}

// New returns torch.Generator().manual_seed(seed).
func New(seed uint64) *Generator { return &Generator{bits: numpy.NewRandomState(uint32(seed))} }

// Skip leaves n words out: as many uniform numbers.
func (g *Generator) Skip(n int) {
	for range n {
		g.bits.Uint32()
	}
}

// Uint64 returns 64 bits, the high half drawn first: what random_ makes an integer of.
func (g *Generator) Uint64() uint64 {
	high := uint64(g.bits.Uint32())
	return high<<32 | uint64(g.bits.Uint32())
}

// Float32 returns a number in [0, 1), a multiple of 2^-24: rand of single precision.
func (g *Generator) Float32() float32 { return float32(g.bits.Uint32()&(1<<24-1)) / (1 << 24) }

// float64 returns a number in [0, 1), a multiple of 2^-53.
func (g *Generator) float64() float64 { return float64(g.Uint64()&(1<<53-1)) / (1 << 53) }

// Uniform fills dst with numbers in [-bound, bound): uniform_(-bound, bound), whose product and sum are rounded once. In
// double precision both are exact.
func (g *Generator) Uniform(dst []float64, bound float64) {
	high := float64(float32(bound))
	for i := range dst {
		dst[i] = float64(float32(float64(float64(g.Float32())*(high+high)) - high))
	}
}

// Xavier fills dst, weights from in numbers to out: torch.nn.init.xavier_uniform_.
func (g *Generator) Xavier(dst []float64, in, out int) {
	g.Uniform(dst, math.Sqrt(3)*math.Sqrt(2/float64(in+out)))
}

// Glorot is [Generator.Xavier], of in x out weights, with the bound as torch_geometric.nn.inits.glorot rounds it.
func (g *Generator) Glorot(dst []float64, in, out int) { g.Uniform(dst, math.Sqrt(6/float64(in+out))) }

// Linear draws what torch.nn.Linear(in, out) begins with, weights and bias, and drops it: whoever sets them anew comes after
// that.
func (g *Generator) Linear(in, out int) { g.Skip(in*out + out) }

// Norm fills dst with standard normal numbers: normal_. Below 16 of them pairs are made of numbers of double precision, and half
// a pair is kept for the next call; more are made in place, sixteen at a time, the last sixteen again where they do not divide.
func (g *Generator) Norm(dst []float64) {
	const block = 16
	pair := func(u, v float64) (x, y float64) {
		r, angle := math.Sqrt(-2*kernel.Log(1-u)), 2*math.Pi*v
		return float64(r * kernel.Cos(angle)), float64(r * kernel.Sin(angle))
	}
	if len(dst) < block {
		for i := range dst {
			if g.full = !g.full; g.full {
				v := g.float64()
				dst[i], g.spare = pair(g.float64(), v)
			} else {
				dst[i] = g.spare
			}
			dst[i] = float64(float32(dst[i]))
		}
		return
	}
	fill := func(x []float64) {
		for i := range x {
			x[i] = float64(g.Float32())
		}
	}
	sixteen := func(x []float64) {
		for j := range block / 2 {
			a, b := pair(x[j], x[j+block/2])
			x[j], x[j+block/2] = float64(float32(a)), float64(float32(b))
		}
	}
	fill(dst)
	for i := 0; i+block <= len(dst); i += block {
		sixteen(dst[i : i+block])
	}
	if len(dst)%block != 0 {
		last := dst[len(dst)-block:]
		fill(last)
		sixteen(last)
	}
}

// Perm returns 0..n-1 in random order: randperm(n).
func (g *Generator) Perm(n int) []int {
	x := sorting.Places(n)
	for i := range n - 1 {
		j := i + int(g.bits.Uint32()%uint32(n-i))
		x[i], x[j] = x[j], x[i]
	}
	return x
}

// Loaded returns the order of n items in a shuffling torch.utils.data.DataLoader, which first draws an integer for its
// workers.
func (g *Generator) Loaded(n int) []int {
	g.Uint64()
	return g.Perm(n)
}
