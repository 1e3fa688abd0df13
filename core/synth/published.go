package synth

import (
	"fmt"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng/numpy"
)

// published is the choice of the option instance for the data behind the paper's numbers. The
// authors' program draws them with seeds that are part of it, which this file knows; everything
// else is as in any draw.
const published = "published"

// onlyPublished refuses options that the published data do not have: all but those named
// must be at their defaults.
func onlyPublished(options any, free ...string) error {
	values := property.Values(options)
	for _, p := range property.Table(options) {
		if v := values[p.Name]; v != p.Default && p.Name != "instance" && !slices.Contains(free, p.Name) {
			return diag.Option(p.Name, fmt.Sprint(v), fmt.Sprintf("%v as in the published data", p.Default))
		}
	}
	return nil
}

// publishedSyn1: every part has a legacy generator of its own. Labels and edges of layer
// 1 share a seed, as do the labels of layer 3 and the edges of layer 2, so these are
// not independent.
func publishedSyn1() syn1Draws {
	final := numpy.NewRandomState(7042)
	return syn1Draws{
		labels: func(l int) source { return numpy.NewRandomState(uint32(42 + 100*(l-1))) },
		pairs:  func(l int) source { return numpy.NewRandomState(uint32(42 + 200*(l-1))) },
		final:  func() int { return 1 + final.Choice([]float64{0.8, 0.1, 0.1}) },
	}
}

// publishedSyn2: one generator for everything. A uniform number is drawn for every ordered pair;
// those above the diagonal are used.
func publishedSyn2() syn2Draws {
	const m = 1000
	g := numpy.NewGenerator(0)
	left := 0 // numbers that the layer before has not used
	skip := func(n int) {
		for range n {
			g.Float64()
		}
	}
	return syn2Draws{shared: g, layer: func() syn2Layer {
		skip(left)
		left = m * m
		return syn2Layer{g.Choice(m, m/2), g, func(dst []float64, i int) {
			before := left - (m*m - (i*m + i + 1))
			skip(before)
			for k := range dst {
				dst[k] = g.Float64()
			}
			left -= before + len(dst)
		}}
	}}
}

// publishedSyn3: one legacy generator for everything, one kind of number after the other.
func publishedSyn3() func(what string, dst []float64) {
	s := numpy.NewRandomState(123)
	return func(_ string, dst []float64) {
		for i := range dst {
			dst[i] = s.Norm()
		}
	}
}

// publishedSyn4: a generator draws the seed of Python's for the edges of base graph b;
// its seed counted on is that of the initial states of class c. Seeds repeat: class c of
// a base graph and class c-1 of the tenth after it start from the same stream.
func publishedSyn4(from *syn4Draws, b, c int) {
	seed := 2025 + 10*b
	from.pairs = numpy.NewRandom(uint64(numpy.NewGenerator(uint64(seed)).IntN(1e9)))
	from.start = func(l int) starts { return numpy.NewGenerator(uint64(seed + 100*c + 1 + l)) }
}
