package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/sorting"
	"cadem.example/core/cadem"
	"cadem.example/core/formats"
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

// draws notes what a run draws.
type draws struct {
	cadem.RandomSource
	*problem
}

func (d *draws) Weights(name string, w []float64, rows, cols int) {
	d.RandomSource.Weights(name, w, rows, cols)
	d.put(name, w, rows, cols)
}

// Sets are the augmented graphs, layer after layer, and the whole layers, each in one batch. They are noted
// as matrices: "pool.l" ((augmented + 1) x M, whole layer last) and noise of the same rows.
func (d *draws) Sets(graph int) []cadem.PooledGraphs {
	sets := d.RandomSource.Sets(graph)
	for l := range d.N {
		var pool, common, private []float64
		for _, g := range sets {
			for k, nodes := range g.Nodes {
				if g.Layer[k] != l {
					continue
				}
				row := make([]float64, d.M)
				for m := range row {
					if nodes == nil || slices.Contains(nodes, m) {
						row[m] = 1
					}
				}
				pool = append(pool, row...)
				common, private = append(common, g.NoiseC[k]...), append(private, g.NoiseP[k]...)
			}
		}
		d.put(fmt.Sprintf("pool.%d", l), pool, d.Augmented+1, d.M)
		d.put(fmt.Sprintf("noise_c.%d", l), common, d.Augmented+1, d.D)
		d.put(fmt.Sprintf("noise_p.%d", l), private, d.Augmented+1, d.D)
	}
	for i := range sets {
		all := sorting.Places(len(sets[i].Layer))
		sets[i].Batches = [][]int{all}
	}
	return sets
}

func (d *draws) Pair(graph, set, batch, step int, partners []int) {
	d.RandomSource.Pair(graph, set, batch, step, partners)
	d.Pairs[step][set] = slices.Clone(partners)
}

// newProblem draws the problem and solves it.
func newProblem() *problem {
	data := must(run.OpenExample("syn2", nil, 0))
	s := must(run.NewSettings("released", data))
	ok(s.SetAll(map[string]any{"dropout_rate": 0, "early_stop": "off"}))
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
	graphs := []*multiplex.Graph{g}
	run := must(cadem.NewFrom(multiplex.Held(graphs), o, 0, precision.Single,
		cadem.Given{Source: &draws{cadem.Seeded(graphs, &o, 0), p}}))
	for !run.Done() {
		ok(run.Step())
		p.Losses = append(p.Losses, run.Progress().Losses.Columns())
	}
	target, _ := cadem.Consensus(run, 0)
	p.put("S", target, p.M, p.D)
	return p
}

// files are the description of the data, and the data.
func (p *problem) files() []formats.File {
	return []formats.File{{Name: "problem.json", Data: must(json.Marshal(p))}, {Name: "problem.bin", Data: p.data}}
}

// deviation is the largest relative difference of a peer's losses from ours.
func (p *problem) deviation(losses []columns) float64 {
	if len(losses) != len(p.Losses) {
		return math.Inf(1)
	}
	worst := 0.0
	for i := range losses {
		for k, want := range p.Losses[i] {
			if got := losses[i][k]; got != want { // a term that is off is 0 in both
				worst = max(worst, math.Abs(got-want)/math.Abs(want)) // NaN if one is
			}
		}
	}
	return worst
}
