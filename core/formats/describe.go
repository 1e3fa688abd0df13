package formats

import (
	"fmt"

	"cadem.example/core/multiplex"
)

// A Description says what files hold and how it is used.
type Description struct {
	Variables []*Variable            `json:"variables"`
	Nodes     int                    `json:"nodes"`
	Layers    map[string]LayerCounts `json:"layers"`
	Features  *FeatureCounts         `json:"features"` // null when there are none
	Classes   []int                  `json:"classes"`  // nodes of every class of the first label set
	Missing   int                    `json:"missing"`  // and those without a label of it
	Guess     Choice                 `json:"guess"`
	Notes     []string               `json:"notes"` // what reading did, in sentences
}

// LayerCounts counts a layer as stored. For Isolated and MaxDegree edges count without direction
// and self-loops do not.
type LayerCounts struct {
	NNZ       int       `json:"nnz"`
	SelfLoops int       `json:"self_loops"`
	Stored    Direction `json:"stored"`
	Symmetric bool      `json:"symmetric"` // in what it means: Stored is not [Directed]
	Isolated  int       `json:"isolated"`
	MaxDegree int       `json:"max_degree"`
	Hash      string    `json:"hash"` // [multiplex.CSR.Hash] of the symmetric matrix
}

// FeatureCounts counts features.
type FeatureCounts struct {
	Shape []int `json:"shape"`
	NNZ   int   `json:"nnz"`
}

// Describe counts everything that may be a layer, the features and the classes. Content
// without any layer is described, too. The error says what does not fit together; variables
// are described anyway.
func (c *Content) Describe(choice Choice) (d *Description, err error) {
	d = &Description{Variables: append([]*Variable{}, c.Variables...), Layers: map[string]LayerCounts{},
		Classes: []int{}, Notes: []string{}}
	report, g := &Report{}, &multiplex.Graph{}
	if c.set.HasEdges() {
		if g, report, err = c.set.Graph(c.options(choice)); err != nil {
			return d, err
		}
	}
	defer func() { d.Notes = append(d.Notes, report.Notes...) }()
	count := func() {
		d.Nodes = report.Nodes
		for k, l := range report.Layers {
			d.Layers[l.Name] = countLayer(g.Layers[k].Adjacency, l.Arcs-l.Repeated, l.Direction)
		}
	}
	count()
	if d.Guess, err = c.complete(choice); err != nil {
		return d, err
	}
	if !c.set.HasEdges() {
		err = c.layers(g, report, Choice{Layers: d.Guess.Layers, ByPlace: d.Guess.ByPlace}, 0)
		if count(); err == nil && len(g.Layers) > 0 {
			err = c.set.Tables(g, report, c.keyed(d.Guess), c.options(choice))
		}
		if err != nil {
			return d, err
		}
	}
	var x *multiplex.CSR
	if d.Guess.Features != NoFeatures {
		v, err := c.find("features", d.Guess.Features)
		if err != nil {
			return d, err
		}
		of, given := g, choice
		if len(g.Layers) == 0 {
			of, given.Unscored = ofNodes(v.Rows()), true
		}
		d.Nodes = of.M()
		if x, err = c.features(of, report, given, d.Guess); err != nil {
			return d, err
		}
		d.Features = &FeatureCounts{Shape: []int{x.Rows, x.Cols}, NNZ: x.NNZ()}
	}
	if len(g.Layers) == 0 {
		for _, name := range d.Guess.Labels {
			if v, err := c.find("labels", name); err == nil && d.Nodes == 0 {
				d.Nodes = max(v.Rows(), v.Cols())
			}
		}
		g = ofNodes(d.Nodes)
	}
	if err = c.labels(g, report, choice, d.Guess); err == nil {
		err = apart(g, x, report, &choice)
	}
	if err != nil {
		return d, err
	}
	if len(g.Labels) > 0 {
		d.Classes, d.Missing = g.Labels[0].Counts()
	}
	d.Notes = append(d.Notes, append(c.passed(&choice, &d.Guess, d.Nodes), c.leftOut(&d.Guess)...)...)
	return d, nil
}

// ofNodes is a graph of some nodes, for what is only counted.
func ofNodes(n int) *multiplex.Graph {
	return &multiplex.Graph{Layers: []multiplex.Layer{{Adjacency: &multiplex.CSR{Rows: n, Cols: n}}}}
}

// countLayer counts a layer that is symmetric as s and stored in nnz entries.
func countLayer(s *multiplex.CSR, nnz int, stored Direction) LayerCounts {
	l := multiplex.Layer{Adjacency: s}
	summary := l.Summary()
	return LayerCounts{NNZ: nnz, SelfLoops: summary.SelfLoops, Stored: stored, Symmetric: stored != Directed, Isolated: summary.Isolated,
		MaxDegree: summary.MaxDegree, Hash: fmt.Sprintf("%016x", s.Hash())}
}

// directionOf says how a layer is stored whose entries are those of a, and symmetric as s.
func directionOf(v *Variable, a, s *multiplex.CSR) Direction {
	l := multiplex.Layer{Adjacency: s}
	loops := l.Summary().SelfLoops
	switch {
	case s == a:
		return BothWays
	case v.Form == Links && s.NNZ()-loops == 2*(a.NNZ()-loops):
		return OneWay
	}
	return Directed
}
