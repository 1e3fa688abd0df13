// Package rng gives every random quantity of a run a stream of its own, named and
// split from one seed, so drawing more of one never moves another.
//
//	noise := rng.New(seed, "noise/common/layer 2")
//	x := noise.Norm()
//
// The same seed and name give the same numbers on every machine and in every
// release: the bits come from PCG-DXSM (M. O'Neill 2014), everything built on them
// is written here.
package rng

import (
	"math"

	"cadem.example/core/base/kernel"
)

// Stream is a named sequence of random numbers. It is not safe for concurrent use.
type Stream struct {
	base  [2]uint64
	pcg   pcg
	spare float64 // the second value of a polar pair
	full  bool
}

// New returns the stream of that seed and name.
func New(seed uint64, name string) *Stream {
	// FNV-1a over the name, then SplitMix64 to spread both words.
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	s := &Stream{}
	s.base[0] = mix(seed + 0x9e3779b97f4a7c15)
	s.base[1] = mix(h ^ mix(seed))
	s.At(0)
	return s
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// At moves to the beginning of part t of the stream. The draws of step t of a run then depend on t
// alone, so a resumed run needs no generator state.
func (s *Stream) At(t uint64) {
	s.pcg = pcg{s.base[0], s.base[1] + mix(t*0x9e3779b97f4a7c15)}
	s.full = false
}

// Uint64 returns 64 random bits.
func (s *Stream) Uint64() uint64 { return s.pcg.next() }

// Float64 returns a number in [0, 1), a multiple of 2^-53.
func (s *Stream) Float64() float64 { return float64(float64(s.pcg.next()>>11) * 0x1p-53) }

// Fill draws as many numbers as dst has, as Float64 does.
func (s *Stream) Fill(dst []float64) {
	g := s.pcg // where it may stay in registers
	for i := range dst {
		g.advance()
		dst[i] = float64(float64(g.number()>>11) * 0x1p-53)
	}
	s.pcg = g
}

// Uniform returns a number in [lo, hi).
func (s *Stream) Uniform(lo, hi float64) float64 { return lo + float64((hi-lo)*s.Float64()) }

// IntN returns a number in [0, n). It panics if n is not positive.
func (s *Stream) IntN(n int) int {
	if n <= 0 {
		panic("rng: IntN of a number that is not positive")
	}
	// Bits above the largest multiple of n would favour the small numbers: draw again. There
	// are fewer than n of them, so hardly ever the multiple must be known.
	for {
		if v := s.pcg.next(); v <= math.MaxUint64-uint64(n) || v < math.MaxUint64-math.MaxUint64%uint64(n) {
			return int(v % uint64(n))
		}
	}
}

// Norm returns a standard normal number, by Marsaglia's polar method.
func (s *Stream) Norm() float64 {
	if s.full {
		s.full = false
		return s.spare
	}
	for {
		x, y := 2*s.Float64()-1, 2*s.Float64()-1
		r := float64(x*x) + float64(y*y)
		if r >= 1 || r == 0 {
			continue
		}
		f := math.Sqrt(-2 * kernel.Log(r) / r)
		s.spare, s.full = float64(f*x), true
		return float64(f * y)
	}
}

// Perm fills dst with a uniform permutation of 0..len(dst)-1.
func (s *Stream) Perm(dst []int) {
	for i := range dst {
		dst[i] = i
	}
	s.Shuffle(dst)
}

// Shuffle puts the elements of x in a uniform random order (Fisher-Yates).
func (s *Stream) Shuffle(x []int) {
	for i := len(x) - 1; i > 0; i-- {
		j := s.IntN(i + 1)
		x[i], x[j] = x[j], x[i]
	}
}

// Sample fills dst with len(dst) distinct numbers of 0..n-1 in increasing order.
// It panics if there are fewer than len(dst).
func (s *Stream) Sample(dst []int, n int) {
	if len(dst) > n {
		panic("rng: sample larger than the population")
	}
	// Selection sampling: number i is taken with probability needed / left.
	k := 0
	for i := 0; k < len(dst); i++ {
		if s.IntN(n-i) < len(dst)-k {
			dst[k] = i
			k++
		}
	}
}
