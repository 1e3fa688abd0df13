package train

import (
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/property"
	"cadem.example/core/multiplex"
)

// A Method is one way to embed the nodes of a multiplex graph, or whole graphs.
type Method struct {
	Name   string
	Label  string // as in tables
	Doc    string // what it does, in one sentence
	Family Family
	Fusion Fusion
	Shares bool // has one embedding of the layers' shared part, and one of each layer
	Fixed  bool // draws nothing: every seed gives the same
	// Unscaled says that features are the same to it whatever their rows sum to: it reads links alone, or makes the rows sum to 1 by itself.
	Unscaled bool
	Levels   []Level // the first is the usual one
	Needs    []Need
	Losses   []string // names of the terms of its loss, the total last; none if nothing is minimised

	// Options returns a new struct of its options, to be read by package property. Their
	// defaults are the settings of the level [Official].
	Options func() any
	// Memory estimates the bytes that a training needs at its peak, except for those of the graphs; nil: hardly more than these.
	Memory func(s *Setup) float64
	// Check returns what data and memory lack for a training, and New makes one of graphs that were checked. These and Format are set by
	// [Method.With], and nil in a program that only describes the method; CaDeM checks in New.
	Check  func(s *Setup) error
	New    func(s *Setup) (Training, error)
	Format Format // of checkpoints
}

// With returns the row with what trains the method: start is called for graphs that meet the needs and for which memory suffices, and
// checkpoints hold the [State] of the training.
func (m Method) With(start func(s *Setup) (Training, error)) Method {
	described := m
	m.Check, m.New, m.Format = described.check, start, states{}
	return m
}

func (m *Method) check(s *Setup) error {
	if s.Source == nil {
		s.Source = Seeded(s.Seed)
	}
	if err := s.Precision.Check(); err != nil {
		return err
	}
	if err := m.Fits(s.Graphs); err != nil {
		return err
	}
	if err := multiplex.CheckAlike(multiplex.Held(s.Graphs)); err != nil {
		return err
	}
	return m.affords(s)
}

// Trains checks that this program trains the method. The error is a [*diag.Unregistered] where it only describes it.
func (m *Method) Trains() error {
	if m.New == nil {
		return &diag.Unregistered{What: "the method " + m.Name, By: "train.Register, or cadem.example/core/baseline/all"}
	}
	return nil
}

// A Family says what kind of thing a method learns from.
type Family string

const (
	Disentanglement Family = "disentanglement" // what layers share is kept apart from what they do not
	Untrained       Family = "untrained"       // nothing is fitted
	Autoencoder     Family = "autoencoder"     // what was put in is reconstructed
	Contrastive     Family = "contrastive"     // what belongs together is separated from what was corrupted
	Walks           Family = "random walks"    // which nodes are near on walks is predicted
)

// A Fusion says how the embeddings of all layers become the one that is scored as combined.
type Fusion string

const (
	Combiner Fusion = "combiner" // all embeddings are tokens of the attention combiner
	Own      Fusion = "own"      // the method fuses; its embedding is called "fused"
)

// Fused is the name of an embedding that a method of fusion [Own] makes of all layers.
const Fused = "fused"

// Reader says what reads the embedding combined.
func (f Fusion) Reader() string {
	if f == Own {
		return "classifier"
	}
	return "combiner"
}

// Tokens returns the number of embeddings that are read together, for a number of layers.
func (m *Method) Tokens(layers int) int {
	switch {
	case m.Fusion == Own:
		return 1
	case m.Shares:
		return layers + 1
	}
	return layers
}

// A Level is a choice of settings, by which runs can be compared: those of the method's own paper
// or program, or smaller ones.
type Level struct {
	Name     string
	Settings map[string]any // where options of the method or of evaluation differ from their defaults
}

// Without are methods that say how far a model without training gets, beside which every trained score is to be read.
var Without = []string{"pooled", "pca-unit", "union"}

// Levels there may be.
const (
	Official = "official"
	Lite     = "lite" // smaller, to fit a tab; never to be held against printed figures
)

// A Need is something that data must have for a method.
type Need string

const (
	Features  Need = "features"  // of the nodes, beside the graph
	Layers    Need = "layers"    // more than one
	Edges     Need = "edges"     // between two nodes, in every layer
	Graphs    Need = "graphs"    // more than one
	OneGraph  Need = "one graph" // coordinates of different graphs have nothing to do with each other
	SameNodes Need = "same size" // as many nodes in every graph
)

// table holds the methods of this program, in the order of tables.
var table = []Method{described()}

// Register adds methods to the table, in order. One of a name that is there takes that one's place. A program calls it at its start,
// with the methods that it trains, made by [Method.With], and those that it only plans or reads runs of, which need no more than their
// description.
func Register(methods ...Method) {
	for _, m := range methods {
		if k := slices.IndexFunc(table, func(there Method) bool { return there.Name == m.Name }); k >= 0 {
			table[k] = m
		} else {
			table = append(table, m)
		}
	}
}

// Methods lists the registered methods, in the order of tables: CaDeM first, which every program describes.
func Methods() []Method { return slices.Clone(table) }

// Lookup returns the method of a name. The error is a [*diag.Error].
func Lookup(name string) (*Method, error) {
	var names []string
	for _, m := range table {
		if m.Name == name {
			return &m, nil
		}
		names = append(names, m.Name)
	}
	return nil, property.Unknown("method", fmt.Sprintf("%q", name), name, names)
}

// Level returns the level of a name, "" for the usual one. The error is a [*diag.Error].
func (m *Method) Level(name string) (*Level, error) {
	var names []string
	for i := range m.Levels {
		if name == "" || m.Levels[i].Name == name {
			return &m.Levels[i], nil
		}
		names = append(names, m.Levels[i].Name)
	}
	return nil, diag.Option("level", fmt.Sprintf("%q for the method %s", name, m.Name), "one of "+strings.Join(names, ", "))
}

// Nearest returns the level of a name, or the usual one of a method that has none of that name: what is
// fast has no smaller settings.
func (m *Method) Nearest(name string) *Level {
	if l, err := m.Level(name); err == nil {
		return l
	}
	return &m.Levels[0]
}

// Settings returns the options of the method at a level and the level's values for other options,
// those of evaluation. The error is a [*diag.Error].
func (m *Method) Settings(level string) (options any, others map[string]any, err error) {
	l, err := m.Level(level)
	if err != nil {
		return nil, nil, err
	}
	options, others = m.Options(), map[string]any{}
	property.Defaults(options)
	for name, value := range l.Settings {
		if !property.Has(options, name) {
			others[name] = value
		} else if err := property.Set(options, name, property.Text(value)); err != nil {
			panic(err) // a mistake in the table
		}
	}
	return options, others, nil
}

// Fits reports whether the method can take the graphs: the error, a [*diag.Error], names what it
// needs and those of the table that do without.
func (m *Method) Fits(graphs []*multiplex.Graph) error {
	need, found := m.lacks(graphs)
	if found == "" {
		return nil
	}
	var able []string
	for _, other := range table {
		if _, lacking := other.lacks(graphs); lacking == "" {
			able = append(able, other.Name)
		}
	}
	expected := fmt.Sprintf("%s, which %s needs", need, m.Name)
	if len(able) > 0 {
		expected += "; methods that do without: " + strings.Join(able, ", ")
	}
	return &diag.Error{Where: "data", Found: found, Expected: expected}
}

// lacks returns the first need that graphs do not meet, in words, and what was found instead; "" if
// they meet all.
func (m *Method) lacks(graphs []*multiplex.Graph) (need, found string) {
	needs := func(n Need) bool { return slices.Contains(m.Needs, n) }
	if needs(OneGraph) && len(graphs) > 1 {
		return "one graph", fmt.Sprintf("%d graphs", len(graphs))
	}
	if needs(Graphs) && len(graphs) < 2 {
		return "several graphs", "one graph"
	}
	for _, g := range graphs {
		if needs(Layers) && g.N() < 2 {
			return "more than one layer", fmt.Sprintf("%d layer", g.N())
		}
		if needs(SameNodes) && g.M() != graphs[0].M() {
			return "graphs of one size", fmt.Sprintf("graphs of %d and %d nodes", graphs[0].M(), g.M())
		}
		for l := range g.Layers {
			layer := &g.Layers[l]
			if needs(Edges) && layer.Summary().Edges == 0 {
				found = "layer " + layer.Name
				if len(graphs) > 1 {
					found += " of " + g.Name
				}
				return "edges in every layer", found + " without edges between nodes"
			}
			if needs(Features) && layer.Features.IsIdentity() {
				return "features of the nodes", "nodes without features"
			}
		}
	}
	return "", ""
}

// affords reports whether a training has the memory that it needs. The error, a [*diag.Error], says how much that is and which of
// the others need less. Without this check the program would end later and lose everything it holds.
func (m *Method) affords(s *Setup) error {
	most := affordable()
	need := m.bytes(s)
	if need <= most {
		return nil
	}
	var able []string
	for _, other := range table {
		if _, lacking := other.lacks(s.Graphs); lacking != "" {
			continue
		}
		o, _, err := other.Settings(other.Nearest(Lite).Name)
		if err != nil {
			panic(err) // a level of its own
		}
		if other.bytes(&Setup{Graphs: s.Graphs, Options: o, Precision: s.Precision}) <= most {
			able = append(able, other.Name)
		}
	}
	expected := gigabytes(most) + " at most, which is what there is"
	if len(able) > 0 {
		expected += "; methods that need less: " + strings.Join(able, ", ")
	}
	g := s.Graphs[0]
	return &diag.Error{Where: "data", Expected: expected,
		Found: fmt.Sprintf("%d nodes with %d features, for which %s needs about %s of memory", g.M(), g.F(), m.Name, gigabytes(need))}
}

func (m *Method) bytes(s *Setup) float64 {
	if m.Memory == nil {
		return 0
	}
	return m.Memory(s)
}

// affordable is the memory of a training in bytes: two thirds of the program's limit, since the collector needs the rest.
func affordable() float64 {
	limit := debug.SetMemoryLimit(-1) // unchanged
	if limit == math.MaxInt64 {
		return math.Inf(1)
	}
	return float64(limit) / 3 * 2
}

func gigabytes(n float64) string { return figure.AtMost(n/1e9, 2) + " GB" }
