package baseline

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
	"cadem.example/core/multiplex/communities"
	"cadem.example/core/train"
)

// Modularity of a multiplex graph (Mucha, Richardson, Macon, Porter and Onnela 2010, with links between layers so strong that a node is
// in one community in all of them), by Louvain's algorithm (Blondel, Guillaume, Lambiotte and Lefebvre 2008):
//
//	maximise  sum over l of 1/(2 m_l) sum over i, j of (A_lij - gamma k_li k_lj / (2 m_l)) [c_i = c_j]
//
// The embedding is the membership, a column for each community, with 1 for its nodes. Each restart looks at nodes in another random
// order, and the best one counts. Features are ignored. Communities of different graphs have nothing to do with each
// other, so it takes one.
//
// Cost: some 10 to 50 passes over the edges for each restart.
//
// Not in the paper: every layer weighs the same, whatever its number of edges; links of a node to
// itself are left out.
var modularity = train.Method{
	Name: "modularity", Label: "Multiplex modularity", Doc: "Communities that hold in all layers together, by Louvain's algorithm; features are not looked at.",
	Family: train.Untrained, Fusion: train.Own, Unscaled: true,
	Levels: official, Needs: []train.Need{train.OneGraph, train.Edges},
	Options: func() any { return &ModularityOptions{} },
}

func startModularity(s *train.Setup) (train.Training, error) {
	d := &divided{graph: s.Graphs[0], o: s.Options.(*ModularityOptions), source: s.Source, of: make([]float64, s.Graphs[0].M())}
	d.total, d.embed = d.o.Restarts, d.search
	d.list = func(int) []train.Embedding { return fused(d.members()) }
	d.kept = train.State{Numbers: []*float64{&d.q}, Doubles: [][]float64{d.of}}
	return d, nil
}

// ModularityOptions are the options of multiplex modularity.
type ModularityOptions struct {
	Resolution float64 `name:"resolution" symbol:"γ" label:"Resolution" group:"Method" min:"0.01" max:"100" default:"1" doc:"The larger, the smaller the communities."`
	Restarts   int     `name:"restarts" label:"Restarts" group:"Method" min:"1" max:"1000" default:"10" doc:"How often communities are looked for; the best ones count."`
}

type divided struct {
	unfitted
	graph  *multiplex.Graph
	o      *ModularityOptions
	source train.Source

	q  float64   // of the best division, added over the layers
	of []float64 // the community of every node in it
}

// search looks for communities once.
func (d *divided) search(step int, yield pause.Yield) error {
	layers := d.graph.Adjacencies()
	const typical = 20 // passes over the links
	links, done := 0, 0
	for _, a := range layers {
		links += a.NNZ()
	}
	of, err := communities.Search{Resolution: d.o.Resolution, Order: func(dst []int, round int) {
		d.source.Permutation(dst, fmt.Sprintf("restart %d/order", step+1), round)
	}, Wait: func(work int) error {
		done += work
		return yield.At(done, max(done+1, typical*links))
	}}.Find(layers)
	if err != nil {
		return err
	}
	q := 0.0
	for _, v := range communities.Modularity(layers, d.o.Resolution, of) {
		q += v
	}
	if step == 0 || q > d.q {
		d.q = q
		kernel.Widen(d.of, of)
	}
	return nil
}

// count returns the number of communities.
func (d *divided) count() int {
	n := 0
	for _, c := range d.of {
		n = max(n, int(c)+1)
	}
	return n
}

// members marks the community of every node.
func (d *divided) members() *mat.Dense {
	y := mat.NewDense(len(d.of), d.count(), nil)
	for i, c := range d.of {
		y.Set(i, int(c), 1)
	}
	return y
}

// Sound reports whether State holds numbers of communities.
func (d *divided) Sound() bool {
	return !slices.ContainsFunc(d.of, func(c float64) bool { return !(c >= 0 && c < float64(len(d.of)) && c == math.Trunc(c)) })
}

// Report says how many communities there are and their modularity, in the mean over the layers.
func (d *divided) Report() train.Report {
	return parameters(0).With("communities", float64(d.count())).With("modularity", d.q/float64(d.graph.N()))
}
