package graphsignal

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/multiplex"
)

// Dynamics are equations dx_i/dt = self(x_i) + outer(x_i) sum_j B_ij inner(x_j) for a
// state of one number a node, B being the adjacency matrix divided by its spectral
// radius and multiplied by Beta, and how they are integrated.
type Dynamics struct {
	Name  string
	Beta  float64
	Steps int     // of the forward Euler method
	Dt    float64 // length of a step

	self, outer, inner rule   // outer is nil for 1
	start, each        bounds // what the initial state and every later one are clipped to
}

// A rule sets dst to a function of x, for all nodes: calls and turns of loops are dear in
// WebAssembly.
type rule func(dst, x []float64)

type bounds int

const (
	free bounds = iota
	positive
	unit // from 0 to 1
)

// clip clips a state; NaN stays.
func (b bounds) clip(x []float64) {
	if b == free {
		return
	}
	for i, v := range x {
		if v <= 0 {
			x[i] = 0
		}
		if b == unit && v > 1 {
			x[i] = 1
		}
	}
}

func same(dst, x []float64)  { copy(dst, x) }
func minus(dst, x []float64) { copy(dst, x); Scale(-1, dst) }

func rest(dst, x []float64) {
	for i, v := range x {
		dst[i] = 1 - v
	}
}

func minusOne(dst, _ []float64) {
	for i := range dst {
		dst[i] = -1
	}
}

func minusCube(dst, x []float64) {
	for i, v := range x {
		dst[i] = -float64(float64(v*v) * v)
	}
}

func square(dst, x []float64) {
	for i, v := range x {
		dst[i] = float64(v * v)
	}
}

func logist(dst, x []float64) {
	for i, v := range x {
		dst[i] = float64(v * (1 - v))
	}
}

func hill(dst, x []float64) {
	for i, v := range x {
		q := float64(v * v)
		dst[i] = q / (1 + q)
	}
}

func timesHill(dst, x []float64) {
	hill(dst, x)
	for i, v := range x {
		dst[i] = float64(v * dst[i])
	}
}

func saturate(dst, x []float64) {
	for i, v := range x {
		c := kernel.Cbrt(v)
		if c < 0 {
			c = -c
		}
		dst[i] = c / (1 + c)
	}
}

// Systems returns the six dynamics of the paper's Syn4 (Table IX), two for each of its
// classes: population and regulatory_r1 follow the degrees, epidemic and biochemical
// are homogeneous, mutualistic and regulatory_r2 shun the degrees. The authors' program
// differs from the printed equations of three: there the sums hold (1 - x_j) x_j for
// the epidemic, x_j² for the biochemical and x_j x_j²/(1 + x_j²) for the mutualistic
// dynamics, without any factor x_i before the sum.
func Systems(printed bool) []Dynamics {
	s := []Dynamics{
		{Name: "population", Beta: 1, Steps: 250, Dt: 0.04, self: minusCube, inner: square},
		{Name: "regulatory_r1", Beta: 1, Steps: 250, Dt: 0.04, self: minus, inner: saturate, start: positive},
		{Name: "epidemic", Beta: 1.2, Steps: 300, Dt: 0.04, self: minus, inner: logist, start: unit, each: unit},
		{Name: "biochemical", Beta: 1.2, Steps: 300, Dt: 0.04, self: rest, outer: minusOne, inner: square},
		{Name: "mutualistic", Beta: 0.2, Steps: 100, Dt: 0.02, self: logist, inner: timesHill, start: unit, each: unit},
		{Name: "regulatory_r2", Beta: 0.2, Steps: 100, Dt: 0.02, self: minus, inner: hill, start: unit, each: unit},
	}
	if printed {
		s[2].outer, s[2].inner = rest, same
		s[3].outer, s[3].inner = minus, same
		s[4].outer, s[4].inner = same, hill
	}
	return s
}

// Run follows the state x, one number a node, over the graph with adjacency matrix a
// and that spectral radius, and leaves the final state in x. After every step it calls
// seen, unless that is nil, with the number of steps done.
func (d *Dynamics) Run(x []float64, a *multiplex.CSR, radius float64, seen func(step int)) {
	ErrShape.Unless(len(x) == a.Rows)
	d.start.clip(x)
	coupling := d.Beta / radius
	work, product := make([]float64, 4*len(x)), Adjacency(a)
	part := func(k int) []float64 { return work[k*len(x):][:len(x)] }
	slope, outer, inner, sum := part(0), part(1), part(2), part(3)
	for step := 1; step <= d.Steps; step++ {
		d.self(slope, x)
		d.inner(inner, x)
		product(sum, inner)
		for i, v := range sum {
			sum[i] = float64(coupling * v)
		}
		if d.outer != nil {
			d.outer(outer, x)
			for i, v := range outer {
				sum[i] = float64(v * sum[i])
			}
		}
		for i, v := range x {
			x[i] = v + float64(d.Dt*(slope[i]+sum[i]))
		}
		d.each.clip(x)
		if seen != nil {
			seen(step)
		}
	}
}
