package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

// checkedSteps is the number of steps whose losses a peer has to reproduce: as long as the
// consensus stays, which the peers take as given.
const checkedSteps = 5

// A problem is one outer epoch of Syn2 with everything random in the open, so other
// programs can compute the same: Z (dense), S, the pooled graphs as matrices, noise, pairs
// and first weights. Its losses are ours.
//
// Two things are left out, for the peers' sake: taking the consensus anew, and the weight
// decay of the heads, which not every optimiser has.
type problem struct {
	M, N, F, H, D int
	Augmented     int              `json:"augmented"` // pooled graphs of each layer besides the whole
	Weights       weights          `json:"weights"`   // in the order of cadem.Terms
	LRHeads       float64          `json:"lr_heads"`
	LREncoders    float64          `json:"lr_encoders"`
	Pairs         [][][]int        `json:"pairs"`  // by step and group: the common partner of each private part
	Arrays        map[string]place `json:"arrays"` // where in the data each array is, float32, row by row
	Losses        []columns        `json:"losses"` // by step

	data []byte
}

type (
	weights [len(cadem.Terms) - 1]float64 // of the terms; the total behind them has none
	columns [len(cadem.Terms)]float64     // of the losses of a step, in the order of cadem.Terms
)

type place struct {
	Offset int   `json:"offset"` // in bytes
	Shape  []int `json:"shape"`
}

// put appends an array.
func (p *problem) put(name string, x []float64, shape ...int) {
	p.Arrays[name] = place{len(p.data), shape}
	for _, v := range x {
		p.data = binary.LittleEndian.AppendUint32(p.data, math.Float32bits(float32(v)))
	}
}

// draws hands the problem's random quantities to a run and notes them.
type draws struct {
	cadem.RandomSource // where the problem has nothing of its own
	*problem
	options cadem.Options
}

func (d *draws) Features(_, _ int, x *multiplex.Features) *multiplex.Features { return x }

func (d *draws) Weights(name string, w []float64, rows, cols int) {
	limit := math.Sqrt(6 / float64(rows+cols))
	src := rng.New(0, name)
	for i := range w {
		w[i] = src.Uniform(-limit, limit)
	}
	d.put(name, w, rows, cols)
}

// Sets draws the augmented graphs, layer after layer, and the whole layers, and notes both
// as matrices: "pool.l" ((augmented + 1) x M, whole layer last) and noise of the same rows.
func (d *draws) Sets(int) []cadem.PooledGraphs {
	sets := make([]cadem.PooledGraphs, 2)
	for l := range d.N {
		k := d.Augmented + 1
		pool, noise := make([]float64, k*d.M), [2][]float64{}
		for i := range k {
			g, nodes := &sets[0], make([]int, int(d.options.NodeRatio*float64(d.M)))
			if i == d.Augmented {
				g, nodes = &sets[1], nil
			}
			count := d.M
			if nodes != nil {
				rng.New(0, fmt.Sprintf("nodes/%d/%d", l, i)).Sample(nodes, d.M)
				count = len(nodes)
				for _, m := range nodes {
					pool[i*d.M+m] = 1
				}
			} else {
				for m := range d.M {
					pool[i*d.M+m] = 1
				}
			}
			var sum [2][]float64
			for branch := range sum {
				src := rng.New(0, fmt.Sprintf("noise/%d/%d/%d", branch, l, i))
				for range d.D {
					sum[branch] = append(sum[branch], d.options.Noise*math.Sqrt(float64(count))*src.Norm())
				}
				noise[branch] = append(noise[branch], sum[branch]...)
			}
			g.Layer, g.Nodes = append(g.Layer, l), append(g.Nodes, nodes)
			g.NoiseC, g.NoiseP = append(g.NoiseC, sum[0]), append(g.NoiseP, sum[1])
		}
		d.put(fmt.Sprintf("pool.%d", l), pool, k, d.M)
		d.put(fmt.Sprintf("noise_c.%d", l), noise[0], k, d.D)
		d.put(fmt.Sprintf("noise_p.%d", l), noise[1], k, d.D)
	}
	for i := range sets {
		all := make([]int, len(sets[i].Layer))
		for k := range all {
			all[k] = k
		}
		sets[i].Batches = [][]int{all}
	}
	return sets
}

func (d *draws) Pair(_, set, _, step int, partners []int) {
	rng.New(uint64(step), fmt.Sprintf("pairs/%d", set)).Perm(partners)
	d.Pairs[step][set] = append([]int(nil), partners...)
}

// newProblem draws the problem and solves it.
func newProblem() *problem {
	data := must(run.OpenExample("syn2", nil, 0))
	s := settings(data, syn2Step)
	o := *s.CaDeM()
	o.Epochs, o.InnerSteps, o.DecayHeads = 1, checkedSteps, 0
	g := data.Graph
	p := &problem{M: g.M(), N: g.N(), F: g.F(), H: o.Hidden, D: o.Dim, Augmented: o.Augmented, LRHeads: o.LRHeads, LREncoders: o.LREncoders,
		Pairs: make([][][]int, checkedSteps), Arrays: map[string]place{}}
	values := property.Values(&o)
	for i := range p.Weights {
		p.Weights[i] = values[cadem.Terms[i].Weight].(float64)
	}
	for i := range p.Pairs {
		p.Pairs[i] = make([][]int, 2)
	}
	for l := range g.Layers {
		z := make([]float64, p.M*p.F) // features are the identity: Z is the propagation
		b := multiplex.NewPropagator(g.Layers[l].Adjacency, multiplex.Twice).Matrix()
		for i := range b.Rows {
			for k := b.Start[i]; k < b.Start[i+1]; k++ {
				z[i*p.F+int(b.Index[k])] = b.Value[k]
			}
		}
		p.put(fmt.Sprintf("Z.%d", l), z, p.M, p.F)
	}
	run := must(cadem.NewFrom(multiplex.Held([]*multiplex.Graph{g}), o, 0, precision.Single,
		cadem.Given{Source: &draws{cadem.Seeded([]*multiplex.Graph{g}, &o, 0), p, o}}))
	for !run.Done() {
		ok(run.Step())
		p.Losses = append(p.Losses, run.Progress().Losses.Columns())
	}
	target, _ := cadem.Consensus(run, 0)
	p.put("S", target, p.M, p.D)
	return p
}

// header is the description of the data.
func (p *problem) header() []byte {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // numbers and names only
	}
	return text
}

// deviation is the largest relative difference of a peer's losses from ours.
func (p *problem) deviation(losses []columns) float64 {
	if len(losses) != len(p.Losses) {
		return math.Inf(1)
	}
	worst := 0.0
	for i := range losses {
		for k, want := range p.Losses[i] {
			got := losses[i][k]
			if math.IsNaN(got) {
				return math.Inf(1)
			}
			if got != want { // a term that is off is 0 in both
				worst = max(worst, math.Abs(got-want)/math.Abs(want))
			}
		}
	}
	return worst
}
