package formats

import (
	"fmt"

	"cadem/core/multiplex"
)

// A Description says what files hold and how it is used.
type Description struct {
	Variables []*Variable            `json:"variables"`
	Nodes     int                    `json:"nodes"`
	Layers    map[string]LayerCounts `json:"layers"`
	Features  *FeatureCounts         `json:"features"` // null when there are none
	Classes   []int                  `json:"classes"`  // nodes of every class of the first label set, then those without a label, if there are any
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
// without any layer is described, too. The error tells what does not fit together; variables
// are described anyway.
func (c *Content) Describe(choice Choice) (*Description, error) {
	d := &Description{Variables: []*Variable{}, Layers: map[string]LayerCounts{}, Classes: []int{}, Notes: []string{}}
	report := &Report{}
	defer func() { d.Notes = append(d.Notes, report.Notes...) }()
	d.Variables = append(d.Variables, c.Variables...)
	if c.set.HasEdges() {
		if err := c.describeEdges(d, choice); err != nil {
			return d, err
		}
		d.Guess = c.guessRest(d.Guess, d.Nodes)
	} else {
		d.Guess = c.Guess()
		layers, err := c.chosenLayers(&d.Guess)
		if err != nil {
			return d, err
		}
		d.Nodes = c.nodes(layers)
		for _, v := range layers {
			if v.Form != Links && v.Rows() != d.Nodes {
				return d, v.Fail(fmt.Sprintf("a layer of %d nodes", v.Rows()), fmt.Sprintf("%d as the other layers have", d.Nodes))
			}
			a, err := v.Layer(d.Nodes)
			if err != nil {
				return d, err
			}
			s := a.Symmetrized()
			d.Layers[c.short(v)] = countLayer(s, a.NNZ(), directionOf(v, a, s))
		}
	}
	if d.Guess.Features != NoFeatures {
		v, err := c.find("features", d.Guess.Features)
		if err != nil {
			return d, err
		}
		rows := v.Rows()
		if len(d.Layers) > 0 {
			rows = d.Nodes
		}
		if v, err = c.place(v, report, false); err != nil {
			return d, err
		}
		x, err := v.Features(rows)
		if err != nil {
			return d, err
		}
		d.Features = &FeatureCounts{Shape: []int{x.Rows, x.Cols}}
		if x.Sparse != nil {
			d.Features.NNZ = x.Sparse.NNZ()
		}
		for _, f := range x.Dense {
			if f != 0 {
				d.Features.NNZ++
			}
		}
		if d.Nodes == 0 {
			d.Nodes = rows
		}
	}
	if !c.set.HasEdges() && len(d.Guess.Labels) == 0 && len(d.Layers) > 0 {
		a := &multiplex.CSR{Rows: d.Nodes, Cols: d.Nodes}
		g := &multiplex.Graph{Layers: []multiplex.Layer{{Adjacency: a}}}
		if err := c.set.Tables(g, report, nil, c.options(Choice{})); err != nil {
			return d, err
		}
		if len(g.Labels) > 0 {
			d.Classes = classCounts(&g.Labels[0])
		}
	}
	for _, name := range d.Guess.Labels {
		v, err := c.find("labels", name)
		if err != nil {
			return d, err
		}
		if d.Nodes == 0 {
			d.Nodes = max(v.Rows(), v.Cols())
		}
		if v, err = c.place(v, report, true); err != nil {
			return d, err
		}
		s, err := v.Labels(d.Nodes)
		if err != nil {
			return d, err
		}
		if len(d.Classes) == 0 {
			d.Classes = classCounts(s)
		}
	}
	d.Notes = append(d.Notes, append(c.passed(&Choice{}, &d.Guess, d.Nodes), c.leftOut(&d.Guess)...)...)
	return d, nil
}

// describeEdges describes an edge list with what belongs to it.
func (c *Content) describeEdges(d *Description, choice Choice) error {
	g, report, err := c.set.Graph(c.options(choice))
	if err != nil {
		return err
	}
	d.Nodes, d.Notes = report.Nodes, append(d.Notes, report.Notes...)
	for k, l := range report.Layers {
		d.Layers[l.Name] = countLayer(g.Layers[k].Adjacency, l.Arcs-l.Repeated, l.Direction)
	}
	if len(g.Labels) > 0 {
		d.Classes = classCounts(&g.Labels[0])
	}
	return nil
}

// countLayer counts a layer that is symmetric as s and stored in nnz entries.
func countLayer(s *multiplex.CSR, nnz int, stored Direction) LayerCounts {
	l := multiplex.Layer{Adjacency: s}
	summary := l.Summary()
	return LayerCounts{NNZ: nnz, SelfLoops: summary.SelfLoops, Stored: stored, Symmetric: stored != Directed, Isolated: summary.Isolated,
		MaxDegree: summary.MaxDegree, Hash: fmt.Sprintf("%016x", s.Hash())}
}

// directionOf tells how a layer is stored whose entries are those of a, and symmetric as s.
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

func classCounts(s *multiplex.LabelSet) []int {
	counts, missing := s.Counts()
	if missing > 0 {
		counts = append(counts, missing)
	}
	return counts
}
