package formats

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/variable"
	"cadem.example/core/multiplex"
)

// A Role is the use of something in a file.
type Role string

// The roles. Scores are taken on splits; without any, folds are dealt.
const (
	AsLayer    Role = "layer"
	AsFeatures Role = "features"
	AsLabels   Role = "labels"
	AsSplit    Role = "split"
)

// A Survey tells of everything that files hold what it may be used for. Other than a
// [Description] it does not insist on a guess that fits together.
type Survey struct {
	Variables []Surveyed `json:"variables"`
	Nodes     int        `json:"nodes"`
	Guess     Choice     `json:"guess"`
	Plain     bool       `json:"plain"`         // an edge list and accompanying files: nothing has to be chosen
	Ask       *Question  `json:"ask,omitempty"` // what the columns of a list leave open; then there is nothing else
}

// Surveyed is a variable, a layer of an edge list or a label set of its node and label files.
type Surveyed struct {
	Variable
	Roles   []Role       `json:"roles"`             // what it may be
	Role    Role         `json:"role"`              // what it is taken for; "" is nothing
	Fixed   bool         `json:"fixed"`             // it comes along with what it belongs to
	NNZ     int          `json:"nnz"`               // entries that are not 0
	Layer   *LayerCounts `json:"layer,omitempty"`   // if it may be a layer
	Weights bool         `json:"weights,omitempty"` // if it may be a layer: not every edge weighs 1
	Degrees []int        `json:"degrees,omitempty"` // nodes of degree 0, 1, 2-3, 4-7, ..., self loops not counted
	Classes []string     `json:"classes,omitempty"` // the first of them, if it may be labels
	Counts  []int        `json:"counts,omitempty"`  // nodes of each
	More    int          `json:"more,omitempty"`    // classes beyond those
	Missing int          `json:"missing,omitempty"` // nodes without a label
	Asked   bool         `json:"asked,omitempty"`   // whether it is features or labels is to be said
	Joined  bool         `json:"joined,omitempty"`  // its rows went to the nodes that their ids name
	Rows    [][]string   `json:"rows"`              // how it begins: a row's number or name, then entries
	Note    string       `json:"note,omitempty"`    // a warning before it is used
	Problem string       `json:"problem,omitempty"` // why it cannot be used in this role
}

// Limits of the description of a variable.
const (
	shownRows    = 5
	shownCells   = 8
	shownClasses = 40
)

// crowded is the part of all pairs beyond which a layer joins nearly all of them.
const crowded = 0.9

// Survey looks at everything. Pause is called between its parts, which may take a second each;
// its error ends the survey and is returned, as is that of an edge list which cannot be read.
func (c *Content) Survey(choice Choice, pause func() error) (*Survey, error) {
	s := &Survey{Variables: []Surveyed{}, Plain: !c.hasArrays()}
	if s.Ask = c.set.Question(choice.Columns); s.Ask != nil {
		s.Plain = false
		return s, nil
	}
	g := &multiplex.Graph{}
	shown := map[*Variable]*Variable{} // layers in the order of the nodes
	if c.set.HasEdges() {
		var report *Report
		var err error
		if g, report, err = c.set.Graph(c.options(choice)); err != nil {
			return nil, err
		}
		s.Nodes = g.M()
		for k := range g.Layers {
			if err := pause(); err != nil {
				return nil, err
			}
			s.Variables = append(s.Variables, surveyEdges(g, k, &report.Layers[k]))
			s.Guess.Layers = append(s.Guess.Layers, g.Layers[k].Name)
			s.Plain = s.Plain && !strings.HasSuffix(g.Layers[k].Name, variable.SignNames[1]) // whether it is a layer is to be chosen
		}
		s.Guess = c.guessRest(s.Guess, s.Nodes)
	} else {
		s.Guess = c.Guess()
		layers, err := c.chosenLayers(&s.Guess)
		if err != nil {
			return nil, err
		}
		if s.Nodes = c.nodes(layers); len(layers) > 0 && s.Nodes > 0 {
			placed, err := c.aligned(layers, choice.ByPlace)
			if err != nil {
				return nil, err
			}
			for k, v := range layers {
				shown[v] = placed[k]
			}
			stub := ofNodes(s.Nodes)
			if err := c.set.Tables(stub, &Report{}, c.keyed(s.Guess), c.options(choice)); err != nil {
				return nil, err
			}
			g.Labels, g.Nodes = stub.Labels, stub.Nodes
		}
	}
	for k := range g.Labels {
		l := &g.Labels[k]
		o := Surveyed{Variable: Variable{Name: l.Name, Form: Text, Shape: []int{len(l.Of)}, Type: "text"}, Roles: []Role{AsLabels}, Role: AsLabels}
		o.Note = variable.Unlabelled(l)
		o.classes(l)
		for i := range min(shownRows, len(l.Of)) {
			o.Rows = append(o.Rows, []string{g.NodeName(i), l.ClassOf(i)})
		}
		if columnPieces(l) != nil && !slices.Contains(choice.Labels, l.Name) {
			o.Roles, o.Role, o.Note = []Role{AsSplit, AsLabels}, AsSplit, ofSplits
		} else {
			s.Guess.Labels = append(s.Guess.Labels, l.Name)
		}
		s.Variables = append(s.Variables, o)
	}
	for _, v := range c.Variables {
		if err := pause(); err != nil {
			return nil, err
		}
		s.Variables = append(s.Variables, c.survey(cmp.Or(shown[v], v), g, s))
	}
	return s, nil
}

// surveyEdges tells of layer k of an edge list.
func surveyEdges(g *multiplex.Graph, k int, r *LayerReport) Surveyed {
	a := g.Layers[k].Adjacency
	o := Surveyed{Variable: Variable{Name: r.Name, Form: Links, Shape: []int{r.Arcs, 2}, Type: "bool"}, Roles: []Role{AsLayer}, Role: AsLayer,
		NNZ: r.Arcs - r.Repeated}
	if r.Weighted {
		o.Type, o.Shape[1] = "float64", 3
	}
	counts := countLayer(a, o.NNZ, r.Direction)
	o.Layer, o.Degrees, o.Weights = &counts, degrees(a), r.Weighted
	if strings.HasSuffix(r.Name, variable.SignNames[1]) {
		o.Note = "Of the links with weights below 0, by their size."
	}
	for i := range min(shownRows, a.Rows) {
		row := []string{g.NodeName(i)}
		for at := a.Start[i]; at < a.Start[i+1] && len(row) <= shownCells; at++ {
			row = append(row, g.NodeName(int(a.Index[at])))
		}
		o.Rows = append(o.Rows, row)
	}
	return o
}

// survey describes a variable.
func (c *Content) survey(v *Variable, g *multiplex.Graph, s *Survey) Surveyed {
	report := &Report{}
	placed, joined := c.place(v, report, true)
	if joined == nil {
		v = placed
	} else {
		g = &multiplex.Graph{}
	}
	o := Surveyed{Variable: *v, Roles: []Role{}, Role: roleIn(&s.Guess, v)}
	if o.Role == "" && variable.SaysSplit(v) {
		o.Role = AsSplit
	}
	if why := v.Refused(); why != nil {
		o.Note = "Not read: " + why.Found + ". Expected: " + why.Expected + "."
	}
	if _, text := v.Words(); !text && !v.IsNumeric() {
		return o
	}
	o.begin(v, g)
	o.Joined = joined == nil && v.Keys != nil
	o.Note = strings.Join(report.Notes, " ")
	fail := func(role Role, err error) {
		var e *diag.Error
		if o.Role == role && errors.As(err, &e) {
			o.Problem = e.Error()
		}
	}
	if v.IsSquare() && v.Rows() > 1 {
		o.Roles = append(o.Roles, AsLayer)
		n := s.Nodes
		if v.Form != Links && v.Rows() != n {
			if n = v.Rows(); o.Role == AsLayer {
				fail(AsLayer, v.Fail("a layer of "+strconv.Itoa(n)+" nodes", strconv.Itoa(s.Nodes)+" as the other layers have"))
			}
		}
		a, err := v.Layer(n)
		if fail(AsLayer, err); err == nil {
			s := a.Symmetrized()
			counts := countLayer(s, a.NNZ(), directionOf(v, a, s))
			o.Layer, o.Degrees, o.Weights = &counts, degrees(s), s.Value != nil
			if float64(s.NNZ()) > crowded*float64(n)*float64(n) {
				o.Note = "It joins nearly every pair of nodes, which hardly tells one node from another."
			}
		}
	}
	if v.Form != Links && v.IsNumeric() && len(v.Shape) > 0 && len(v.Shape) <= 2 && v.Rows() == s.Nodes {
		o.Roles = append(o.Roles, AsFeatures)
	}
	if l, err := v.Labels(s.Nodes); err == nil {
		o.Roles = append(o.Roles, AsLabels)
		o.Note = cmp.Or(o.Note, variable.Unlabelled(l))
		o.classes(l)
	} else {
		fail(AsLabels, err)
	}
	if why := v.MayBeClasses(); why != "" && o.Role == AsFeatures {
		o.Role, o.Asked, s.Guess.Features = "", true, ""
		o.Note = "It has " + why + ", as labels do; labels that are features make scores worthless."
	}
	if joined != nil && v.Keys != nil {
		o.Problem = joined.Error()
	}
	o.Note = cmp.Or(o.Note, s.whyNot(v, &o))
	if o.Role == AsSplit {
		o.Roles = append(o.Roles, AsSplit)
	} else if o.Role != "" && !slices.Contains(o.Roles, o.Role) {
		o.Roles = append(o.Roles, o.Role)
	}
	return o
}

// ofSplits is the note on parts of splits.
const ofSplits = "Scores train on the training nodes of a split, are taken on its test nodes, and choose settings by its validation nodes."

// whyNot gives the reasons why unused variables are unused.
func (s *Survey) whyNot(v *Variable, o *Surveyed) string {
	why := v.WhyNoLayer()
	switch {
	case o.Role == AsSplit:
		return ofSplits
	case o.Role == "" && v.Aside:
		return "Not used by itself: it is of places or sensors by its name."
	case o.Role != "" || !v.IsNumeric() || why == "":
		return ""
	case slices.Contains(o.Roles, AsLayer) && o.Layer == nil:
		return "No layer: " + why + "."
	case len(o.Roles) > 0 || s.Nodes == 0:
		return ""
	}
	return fmt.Sprintf("No layer: %s. No features or labels: %s for %s.", why, figure.Count(v.Rows(), "row"), figure.Count(s.Nodes, "node"))
}

// roleIn returns the role of a variable in a choice.
func roleIn(choice *Choice, v *Variable) Role {
	switch {
	case slices.Contains(choice.Layers, v.Name):
		return AsLayer
	case choice.Features == v.Name:
		return AsFeatures
	case slices.Contains(choice.Labels, v.Name):
		return AsLabels
	}
	return ""
}

// begin counts the entries of a variable and takes its first rows.
func (o *Surveyed) begin(v *Variable, g *multiplex.Graph) {
	name := func(i int) string {
		if i < len(g.Nodes) {
			return g.Nodes[i]
		}
		return strconv.Itoa(i)
	}
	if words, ok := v.Words(); ok {
		for i, word := range words[:min(len(words), shownRows)] {
			o.Rows = append(o.Rows, []string{name(i), word})
		}
		return
	}
	rows, cols := min(v.Rows(), shownRows), min(v.Cols(), shownCells)
	if v.Form == Links {
		v.Each(func(i, j int, x float64) {
			if o.NNZ++; o.NNZ <= shownRows {
				o.Rows = append(o.Rows, []string{strconv.Itoa(o.NNZ - 1), strconv.Itoa(i), strconv.Itoa(j), short(x)})
			}
		})
		return
	}
	cell := func(j int, x float64) string {
		if v.Columns == nil {
			return short(x)
		}
		return v.Columns[j] + " = " + short(x)
	}
	for i := range rows {
		row := []string{name(i)}
		for j := 0; j < cols && v.Form == Dense; j++ {
			row = append(row, cell(j, 0))
		}
		o.Rows = append(o.Rows, row)
	}
	v.Each(func(i, j int, x float64) {
		o.NNZ++
		switch {
		case i < 0 || i >= rows || j < 0:
		case v.Form == Dense && j < cols:
			o.Rows[i][j+1] = cell(j, x)
		case v.Form == Sparse && len(o.Rows[i]) <= shownCells:
			cell := strconv.Itoa(j)
			if x != 1 {
				cell += ": " + short(x)
			}
			o.Rows[i] = append(o.Rows[i], cell)
		}
	})
}

// short writes a number to be looked at.
func short(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }

// classes counts the labels.
func (o *Surveyed) classes(l *multiplex.LabelSet) {
	o.Counts, o.Missing = l.Counts()
	n := min(len(l.Classes), shownClasses)
	o.Classes, o.Counts, o.More = l.Classes[:n], o.Counts[:n], len(l.Classes)-n
}

// degrees counts nodes by degree: 0, 1, 2 and 3, 4 to 7, and so on.
func degrees(a *multiplex.CSR) []int {
	var bins []int
	for i := range a.Rows {
		degree := a.Start[i+1] - a.Start[i]
		if a.Has(i, i) {
			degree--
		}
		bin := bits.Len32(uint32(degree))
		for len(bins) <= bin {
			bins = append(bins, 0)
		}
		bins[bin]++
	}
	return bins
}
