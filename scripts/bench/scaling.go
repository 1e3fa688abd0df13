package main

import (
	"fmt"
	"runtime"

	"cadem/core/cadem"
	"cadem/core/multiplex"
	"cadem/core/rng"
)

// A fit tells how the cost of a step grows, natively, as fitted exponents of a power.
type fit struct {
	Against string    `json:"against"`
	Fixed   string    `json:"fixed"`
	Size    []float64 `json:"size"`
	StepMS  []float64 `json:"step_ms"`
	MB      []float64 `json:"mb"` // kept by the graph and the run
	Time    float64   `json:"time_exponent"`
	Memory  float64   `json:"memory_exponent"`
}

// A shape is the size of a random graph with two layers.
type shape struct{ nodes, degree, features int } // features 0: the identity

// scaling measures steps of random graphs that grow in nodes, edges and features.
func (b *bench) scaling() error {
	for _, s := range []struct {
		against, fixed string
		shapes         []shape
		size           func(shape) float64
	}{
		{"nodes", "degree 10, 1000 features", []shape{{1000, 10, 1000}, {3000, 10, 1000}, {10_000, 10, 1000}, {30_000, 10, 1000}, {100_000, 10, 1000}},
			func(s shape) float64 { return float64(s.nodes) }},
		{"edges", "4000 nodes, 1000 features", []shape{{4000, 10, 1000}, {4000, 30, 1000}, {4000, 100, 1000}, {4000, 300, 1000}},
			func(s shape) float64 { return float64(s.nodes*s.degree) / 2 }},
		{"parameters", "1000 nodes of degree 10, 100 to 10,000 features",
			[]shape{{1000, 10, 100}, {1000, 10, 300}, {1000, 10, 1000}, {1000, 10, 3000}, {1000, 10, 10_000}},
			func(s shape) float64 { return float64(2 * 2 * (s.features*256 + 256*8)) }},
		{"nodes, which are the features", "degree 10", []shape{{1000, 10, 0}, {2000, 10, 0}, {4000, 10, 0}, {8000, 10, 0}},
			func(s shape) float64 { return float64(s.nodes) }},
	} {
		b.say("steps against %s", s.against)
		f := fit{Against: s.against, Fixed: s.fixed}
		for _, shape := range s.shapes {
			var ms, mb float64
			err := b.native.on(1, true, func() (err error) { // small runs keep to one anyway
				ms, mb, err = shape.measure()
				return err
			})
			if err != nil {
				return err
			}
			f.Size, f.StepMS, f.MB = append(f.Size, s.size(shape)), append(f.StepMS, round(ms)), append(f.MB, round(mb))
		}
		f.Time, f.Memory = round(exponent(f.Size, f.StepMS)), round(exponent(f.Size, f.MB))
		b.full.Scaling = append(b.full.Scaling, f)
	}
	return nil
}

// measure returns the median time of a step and what graph and run keep, in MB.
func (s shape) measure() (ms, mb float64, err error) {
	before := heap()
	g, err := s.graph()
	if err != nil {
		return 0, 0, err
	}
	o := cadem.Released()
	o.EarlyStop, o.DropoutRate = "off", 0
	run, err := cadem.New([]*multiplex.Graph{g}, o, 0, cadem.Single)
	if err != nil {
		return 0, 0, err
	}
	n := native{step: run}
	if _, err := n.milliseconds(o.InnerSteps); err != nil {
		return 0, 0, err
	}
	mb = (heap() - before) / 1e6
	var times samples
	for range rounds {
		t, err := n.milliseconds(o.InnerSteps) // one outer epoch, with its consensus
		if err != nil {
			return 0, 0, err
		}
		times = append(times, t)
	}
	runtime.KeepAlive(g)
	return times.median(), mb, nil
}

// heap is what is kept, in bytes.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// graph draws nodes with that many neighbours on average in each of two layers, each node
// with sixteen of the features.
func (s shape) graph() (*multiplex.Graph, error) {
	x := multiplex.Identity(s.nodes)
	if s.features > 0 {
		const each = 16
		src := rng.New(0, "features")
		start, index, value := make([]int32, s.nodes+1), make([]int32, 0, s.nodes*each), []float64(nil)
		row := make([]int, each)
		for i := range s.nodes {
			src.Sample(row, s.features)
			for _, j := range row {
				index, value = append(index, int32(j)), append(value, 1)
			}
			start[i+1] = int32(len(index))
		}
		m, err := multiplex.NewCSR(s.nodes, s.features, start, index, value)
		if err != nil {
			return nil, err
		}
		x = multiplex.SparseFeatures(m)
	}
	g := &multiplex.Graph{Name: "random"}
	for l := range 2 {
		src := rng.New(0, fmt.Sprintf("edges/%d", l))
		seen := map[[2]int]bool{}
		edges := make([]multiplex.Edge, 0, s.nodes*s.degree/2)
		for len(edges) < s.nodes*s.degree/2 {
			i, j := src.IntN(s.nodes), src.IntN(s.nodes)
			if i > j {
				i, j = j, i
			}
			if i == j || seen[[2]int{i, j}] {
				continue
			}
			seen[[2]int{i, j}] = true
			edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
		}
		a, err := multiplex.FromEdges(s.nodes, edges)
		if err != nil {
			return nil, err
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: x})
	}
	return g, g.Check()
}
