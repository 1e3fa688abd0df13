// Package epochs has the methods with gradients learn for an epoch at a time, to be timed natively and in a browser. Another
// program does the same on the same graphs: torch/epochs.py.
package epochs

import (
	"fmt"
	"slices"
	"time"

	"cadem/core/baseline"
	"cadem/core/multiplex"
	"cadem/core/property"
	"cadem/core/rng"
	"cadem/core/run"
)

// Graphs are what methods learn from, by name: Syn1, and a random graph of the size of ACM.
var Graphs = []string{"syn1", "papers"}

// Methods are those with gradients that embed nodes and learn from a graph, by name. Those that take minutes for an epoch of the
// larger one, or to prepare it, are left out there.
func Methods(graph string) []string {
	if graph == "papers" {
		return []string{"vgae", "dgi", "hdmi"}
	}
	return []string{"vgae", "dgi", "mvgrl", "graphmae", "hdmi", "dmg"}
}

// Open returns a graph of a name.
func Open(name string) (*multiplex.Graph, error) {
	if name == "papers" {
		return papers()
	}
	d, err := run.OpenExample(name, nil, 0)
	if err != nil {
		return nil, err
	}
	return d.Graph, nil
}

// papers returns a random graph with the nodes, features and links of ACM, each node linked to itself.
func papers() (*multiplex.Graph, error) {
	const nodes, features, entries = 3025, 1870, 253_300
	g := &multiplex.Graph{Name: "papers"}
	src := rng.New(0, "bench/papers")
	at := make([][]int32, nodes) // features of each node
	for n := 0; n < entries; {
		i, j := src.IntN(nodes), int32(src.IntN(features))
		if k, there := slices.BinarySearch(at[i], j); !there {
			at[i] = slices.Insert(at[i], k, j)
			n++
		}
	}
	x := &multiplex.CSR{Rows: nodes, Cols: features, Start: make([]int32, 1, nodes+1)}
	for _, list := range at {
		x.Index = append(x.Index, list...)
		x.Start = append(x.Start, int32(len(x.Index)))
	}
	for l, links := range []int{1_103_868, 13_128} {
		there := make([]bool, nodes*nodes)
		var edges []multiplex.Edge
		for i := range nodes {
			edges = append(edges, multiplex.Edge{I: i, J: i, Weight: 1})
		}
		for links > 0 {
			if i, j := src.IntN(nodes), src.IntN(nodes); i < j && !there[i*nodes+j] {
				there[i*nodes+j] = true
				edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
				links--
			}
		}
		a, err := multiplex.FromEdges(nodes, edges)
		if err != nil {
			return nil, err
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l + 1), Adjacency: a, Features: multiplex.SparseFeatures(x)})
	}
	return g, g.Check()
}

// A Learner is a method at work on a graph, with official settings.
type Learner struct {
	training baseline.Training
	networks int
}

// Start begins with a method on a graph, which never ends before it is dropped, and takes an epoch, which prepares the others.
func Start(method string, g *multiplex.Graph) (*Learner, error) {
	endless := map[string]string{"epochs": "100000", "outer": "100000", "patience": "0", "patience_after": "100000"}
	t, m, err := begin(method, g, endless)
	if err != nil {
		return nil, err
	}
	l := &Learner{training: t, networks: 1}
	if m.Fusion == baseline.Combiner {
		l.networks = g.N() // one for each layer
	}
	return l, l.epoch()
}

// Official begins with a method on a graph as its official settings have it.
func Official(method string, g *multiplex.Graph) (baseline.Training, error) {
	t, _, err := begin(method, g, nil)
	return t, err
}

// begin begins with official settings but for changes to those of them that the method has.
func begin(method string, g *multiplex.Graph, changes map[string]string) (baseline.Training, *baseline.Method, error) {
	m, err := baseline.Lookup(method)
	if err != nil {
		return nil, nil, err
	}
	o, _, err := m.Settings(baseline.Official)
	if err != nil {
		return nil, nil, err
	}
	for name, value := range changes {
		if !property.Has(o, name) {
			continue
		}
		if err := property.Set(o, name, value); err != nil {
			return nil, nil, err
		}
	}
	t, err := baseline.Start(m, &baseline.Setup{Graphs: []*multiplex.Graph{g}, Options: o, Source: baseline.Seeded(0)})
	return t, m, err
}

// epoch makes one update of every network.
func (l *Learner) epoch() error {
	for range l.networks {
		if err := l.training.Step(nil); err != nil {
			return err
		}
	}
	return nil
}

// Learn takes epochs for so many seconds at least and returns how many.
func (l *Learner) Learn(seconds float64) (epochs int, err error) {
	for began := time.Now(); epochs == 0 || time.Since(began).Seconds() < seconds; epochs++ {
		if err := l.epoch(); err != nil {
			return 0, err
		}
	}
	return epochs, nil
}
