package baseline

import "cadem/core/rng"

// A Source supplies everything random of a training. What says what a draw is for, as "layer 1/W";
// round is 0 for what is drawn once, otherwise the number of an epoch, a walk or the like. The same
// what and round give the same numbers, whatever was drawn before, and a longer dst of numbers begins
// with those of a shorter one.
type Source interface {
	// Uniform fills dst with numbers from low up to but not including high.
	Uniform(dst []float64, low, high float64, what string, round int)
	// Normal fills dst with normal numbers of mean 0 and that standard deviation.
	Normal(dst []float64, deviation float64, what string, round int)
	// Permutation fills dst with the numbers 0 to len(dst)-1 in a random order.
	Permutation(dst []int, what string, round int)
	// Below fills dst with numbers from 0 to n-1.
	Below(dst []int, n int, what string, round int)
}

// Seeded returns the source of a seed: a stream of its own for every what, a part of it for every
// round.
func Seeded(seed uint64) Source { return &seeded{seed, map[string]*rng.Stream{}} }

type seeded struct {
	seed uint64
	kept map[string]*rng.Stream
}

func (s *seeded) at(what string, round int) *rng.Stream {
	stream := s.kept[what]
	if stream == nil {
		stream = rng.New(s.seed, "baseline/"+what)
		s.kept[what] = stream
	}
	stream.At(uint64(round))
	return stream
}

func (s *seeded) Uniform(dst []float64, low, high float64, what string, round int) {
	stream := s.at(what, round)
	for i := range dst {
		dst[i] = stream.Uniform(low, high)
	}
}

func (s *seeded) Normal(dst []float64, deviation float64, what string, round int) {
	stream := s.at(what, round)
	for i := range dst {
		dst[i] = deviation * stream.Norm()
	}
}

func (s *seeded) Permutation(dst []int, what string, round int) { s.at(what, round).Perm(dst) }

func (s *seeded) Below(dst []int, n int, what string, round int) {
	stream := s.at(what, round)
	for i := range dst {
		dst[i] = stream.IntN(n)
	}
}
