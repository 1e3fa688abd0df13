package numpy

import (
	"math"
	"math/bits"

	"cadem.example/core/base/kernel"
)

// Random is Python's random.Random of an integer seed.
type Random struct {
	key [624]uint32
	at  int
}

// NewRandom returns random.Random(seed).
func NewRandom(seed uint64) *Random {
	r := &Random{}
	r.seed(19650218)
	words, k := entropy(seed), &r.key
	i := 1
	next := func() {
		if i++; i == len(k) {
			k[0] = k[len(k)-1]
			i = 1
		}
	}
	for n := range k {
		j := n % len(words)
		k[i] = (k[i] ^ (k[i-1]^k[i-1]>>30)*1664525) + words[j] + uint32(j)
		next()
	}
	for range len(k) - 1 {
		k[i] = (k[i] ^ (k[i-1]^k[i-1]>>30)*1566083941) - uint32(i)
		next()
	}
	k[0] = 1 << 31
	return r
}

// seed fills the key from one word.
func (r *Random) seed(s uint32) {
	for i := range r.key {
		r.key[i] = s
		s = 1812433253*(s^s>>30) + uint32(i) + 1
	}
	r.at = len(r.key)
}

// word returns the next 32 bits.
func (r *Random) word() uint32 {
	k := &r.key
	if r.at == len(k) {
		for i := range k {
			y := k[i]&(1<<31) | k[(i+1)%len(k)]&(1<<31-1)
			k[i] = k[(i+397)%len(k)] ^ y>>1 ^ y&1*0x9908b0df
		}
		r.at = 0
	}
	y := k[r.at]
	r.at++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// Float64 returns a number in [0, 1), a multiple of 2^-53.
func (r *Random) Float64() float64 {
	a, b := r.word()>>5, r.word()>>6
	return float64(uint64(a)<<26|uint64(b)) / (1 << 53)
}

// RandomState is NumPy's legacy generator.
type RandomState struct {
	bits  Random
	spare float64 // the second value of a polar pair
	full  bool
}

// NewRandomState returns numpy.random.RandomState(seed).
func NewRandomState(seed uint32) *RandomState {
	s := &RandomState{}
	s.bits.seed(seed)
	return s
}

// Uint32 returns the next word: randint(2**32).
func (s *RandomState) Uint32() uint32 { return s.bits.word() }

// Float64 returns a number in [0, 1): rand().
func (s *RandomState) Float64() float64 { return s.bits.Float64() }

// IntN returns a number in [0, n), n up to 2^32: randint(n).
func (s *RandomState) IntN(n int) int {
	ErrRange.Unless(n >= 1)
	return int(masked(uint32(n-1), s.bits.word))
}

// masked returns a number of at most limit, drawn by leaving out words whose low bits are
// above it. It draws nothing for limit 0.
func masked(limit uint32, word func() uint32) uint32 {
	if limit == 0 {
		return 0
	}
	mask := uint32(1)<<bits.Len32(limit) - 1
	for {
		if v := word() & mask; v <= limit {
			return v
		}
	}
}

// Norm returns a standard normal number, by the polar method: randn().
func (s *RandomState) Norm() float64 {
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

// Choice returns i with probability p[i]; p sums to 1: choice(len(p), p=p).
func (s *RandomState) Choice(p []float64) int {
	total := 0.0
	for _, v := range p {
		total += v
	}
	u, sum := s.Float64(), 0.0
	for i, v := range p {
		if sum += v; sum/total > u {
			return i
		}
	}
	panic(ErrRange)
}

// Shuffle puts the elements of x in a uniform random order: shuffle(x).
func (s *RandomState) Shuffle(x []int) {
	for i := len(x) - 1; i > 0; i-- {
		j := masked(uint32(i), s.bits.word)
		x[i], x[j] = x[j], x[i]
	}
}
