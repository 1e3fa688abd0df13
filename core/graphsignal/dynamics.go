package graphsignal

import (
	"cadem/core/kernel"
	"cadem/core/multiplex"
)

// Dynamics are equations dx_i/dt = self(x_i) + outer(x_i) sum_j B_ij inner(x_j) for a
// state of one number a node, B being the adjacency matrix divided by its spectral
// radius and multiplied by Beta, and how they are integrated.
type Dynamics struct {
	Name  string
	Beta  float64
	Steps int     // of the forward Euler method
	Dt    float64 // length of a step

	self, outer, inner func(x float64) float64
	start, each        bounds // what the initial state and every later one are clipped to
}

type bounds int

const (
	free bounds = iota
	positive
	unit // from 0 to 1
)

func (b bounds) clip(x float64) float64 {
	if b != free {
		x = max(x, 0)
	}
	if b == unit {
		x = min(x, 1)
	}
	return x
}

func one(float64) float64      { return 1 }
func decay(x float64) float64  { return -x }
func square(x float64) float64 { return float64(x * x) }
func logist(x float64) float64 { return float64(x * (1 - x)) }
func hill(x float64) float64   { return square(x) / (1 + square(x)) }
func saturate(x float64) float64 {
	c := kernel.Cbrt(x)
	if c < 0 {
		c = -c
	}
	return c / (1 + c)
}

// Systems returns the six dynamics of the paper's Syn4 (Table IX), two for each of its
// classes: population and regulatory_r1 follow the degrees, epidemic and biochemical
// are homogeneous, mutualistic and regulatory_r2 shun the degrees. The authors' program
// differs from the printed equations of three: there the sums hold (1 - x_j) x_j for
// the epidemic, x_j² for the biochemical and x_j x_j²/(1 + x_j²) for the mutualistic
// dynamics, without any factor x_i before the sum.
func Systems(printed bool) []Dynamics {
	s := []Dynamics{
		{Name: "population", Beta: 1, Steps: 250, Dt: 0.04, self: func(x float64) float64 { return -float64(square(x) * x) }, outer: one, inner: square},
		{Name: "regulatory_r1", Beta: 1, Steps: 250, Dt: 0.04, self: decay, outer: one, inner: saturate, start: positive},
		{Name: "epidemic", Beta: 1.2, Steps: 300, Dt: 0.04, self: decay, outer: one, inner: logist, start: unit, each: unit},
		{Name: "biochemical", Beta: 1.2, Steps: 300, Dt: 0.04, self: func(x float64) float64 { return 1 - x }, outer: func(float64) float64 { return -1 }, inner: square},
		{Name: "mutualistic", Beta: 0.2, Steps: 100, Dt: 0.02, self: logist, outer: one, inner: func(x float64) float64 { return float64(x * hill(x)) }, start: unit, each: unit},
		{Name: "regulatory_r2", Beta: 0.2, Steps: 100, Dt: 0.02, self: decay, outer: one, inner: hill, start: unit, each: unit},
	}
	if printed {
		same := func(x float64) float64 { return x }
		s[2].outer, s[2].inner = func(x float64) float64 { return 1 - x }, same
		s[3].outer, s[3].inner = decay, same
		s[4].outer, s[4].inner = same, hill
	}
	return s
}

// Run follows the state x, one number a node, over the graph with adjacency matrix a
// and that spectral radius, and leaves the final state in x. After every step it calls
// seen, unless that is nil, with the number of steps done.
func (d *Dynamics) Run(x []float64, a *multiplex.CSR, radius float64, seen func(step int)) {
	if len(x) != a.Rows {
		panic(ErrShape)
	}
	for i, v := range x {
		x[i] = d.start.clip(v)
	}
	coupling := d.Beta / radius
	inner, sum, product := make([]float64, len(x)), make([]float64, len(x)), Adjacency(a)
	for step := 1; step <= d.Steps; step++ {
		for i, v := range x {
			inner[i] = d.inner(v)
		}
		product(sum, inner)
		for i, v := range x {
			slope := d.self(v) + float64(d.outer(v)*float64(coupling*sum[i]))
			x[i] = d.each.clip(v + float64(d.Dt*slope))
		}
		if seen != nil {
			seen(step)
		}
	}
}
