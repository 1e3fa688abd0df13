// Package numpy draws the very numbers that NumPy's generators and Python's random.Random
// draw, for data that others published by their seeds: the legacy RandomState on the
// Mersenne Twister (M. Matsumoto and T. Nishimura 1998), default_rng on PCG64 (M. O'Neill
// 2014) and the seeding of both. NumPy keeps these streams since version 1.17.
//
//	g := numpy.NewGenerator(2025)
//	n := g.IntN(1000000000) // default_rng(2025).integers(10**9)
//
// Integers and uniform numbers are equal to the bit; normal numbers are where logarithm
// and exponential round alike, and else differ in the last place. Data of this project's
// own comes from package rng.
//
// Ranges that NumPy refuses panic with [ErrRange].
package numpy

import "cadem.example/core/base/diag"

// ErrRange is panicked when there is nothing to draw from.
const ErrRange diag.Misuse = "numpy: nothing to draw from"

// entropy returns the 32-bit words of a seed, the lowest first.
func entropy(seed uint64) []uint32 {
	if seed>>32 == 0 {
		return []uint32{uint32(seed)}
	}
	return []uint32{uint32(seed), uint32(seed >> 32)}
}
