package formats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/property"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/text"
	"cadem.example/core/internal/variable"
	"cadem.example/core/multiplex"
)

// A Choice says what of the content makes the graph. Its zero value leaves all to
// [Content.Guess].
type Choice struct {
	Layers   []string `json:"layers,omitempty"`   // variables or layers of an edge list, in this order; empty: a guess
	Features string   `json:"features,omitempty"` // a variable; "": a guess; NoFeatures: one column for each node
	Labels   []string `json:"labels,omitempty"`   // variables; empty: a guess; NoLabels alone: none
	Splits   []string `json:"splits,omitempty"`   // variables or columns that are parts of splits; empty: those named as such; NoSplits alone: none
	Binary   bool     `json:"binary,omitempty"`   // every edge has weight 1
	Mutual   bool     `json:"mutual,omitempty"`   // of a layer with links in both directions and in one, those in one are left out; otherwise they count as both
	Raw      bool     `json:"raw,omitempty"`      // features are unchanged; otherwise their rows are made to sum to 1
	Keep     float64  `json:"keep,omitempty"`     // the share of all pairs, in %, that a layer with weights keeps, the strongest; 0: all
	Columns  string   `json:"columns,omitempty"`  // of edge lists: "source,target,weight"; with a header "layer=type"; of several widths "...;..."
	Mention  bool     `json:"mention,omitempty"`  // ids that are words come as the files name them: so they did in runs that were kept before 2027
	ByPlace  bool     `json:"-"`                  // matrices are joined by place, whatever their names, as once
	Unplaced bool     `json:"unplaced,omitempty"` // columns x, y and z are as others and place no node, as in runs before there were places
	Classed  bool     `json:"-"`                  // numbers that are not whole are classes, and no features, as once
	Unasked  bool     `json:"-"`                  // what may be labels becomes features, as once
	Unscored bool     `json:"-"`                  // no score is of labels of nodes, so what may be labels may be features
}

// NoFeatures as the choice of features: each node gets one of its own.
const NoFeatures = "none"

// NoLabels as the choice of label sets: none.
const NoLabels = "none"

// NoSplits as the choice of splits: folds are dealt, whatever splits there are.
const NoSplits = "none"

// noSplits reports whether a choice leaves all splits out.
func (ch *Choice) noSplits() bool { return len(ch.Splits) == 1 && ch.Splits[0] == NoSplits }

// noLabels reports whether a choice leaves all labels out.
func (ch *Choice) noLabels() bool { return len(ch.Labels) == 1 && ch.Labels[0] == NoLabels }

// Graph makes the graph of a choice and reports on it. The graph passes
// [multiplex.Graph.Check].
func (c *Content) Graph(choice Choice) (*multiplex.Graph, *Report, error) {
	if !c.set.HasEdges() && !c.hasArrays() {
		return c.set.Graph(c.options(choice)) // which says what is missing
	}
	c.mention = choice.Mention
	for _, v := range c.Variables {
		v.Aside = v.Aside && !choice.Unasked
	}
	guess, err := c.complete(choice)
	if err != nil {
		return nil, nil, err
	}
	report := &Report{Files: c.set.Files, Notes: []string{}}
	g := &multiplex.Graph{}
	if c.set.HasEdges() {
		if g, report, err = c.set.Graph(c.options(choice)); err == nil {
			err = choice.narrow(g, report)
		}
	} else if err = c.layers(g, report, guess, 2); err == nil {
		err = c.set.Tables(g, report, c.keyed(guess), c.options(choice))
		if c.names != nil {
			g.Nodes = c.names
		}
	}
	if err != nil {
		return nil, nil, err
	}
	opposed(g, report)
	if err := strongest(g, report, choice); err != nil {
		return nil, nil, err
	}
	x, err := c.features(g, report, choice, guess)
	if err != nil {
		return nil, nil, err
	}
	tables := g.Labels
	if err := c.labels(g, report, choice, guess); err != nil {
		return nil, nil, err
	}
	if err := c.splits(g, report, tables, choice, guess); err != nil {
		return nil, nil, err
	}
	if err := apart(g, x, report, &choice); err != nil {
		return nil, nil, err
	}
	if g.Columns == nil {
		g.Columns = scalp(g.Nodes)
	}
	report.Notes = append(report.Notes, c.passed(&choice, &guess, g.M())...)
	report.Notes = append(report.Notes, c.leftOut(&guess)...)
	check := g.Check
	if c.set.HasEdges() {
		check = func() error { return c.set.Check(g) }
	}
	if err := check(); err != nil {
		return nil, nil, err
	}
	return g, report, nil
}

// options returns the options of the edge lists under a choice.
func (c *Content) options(choice Choice) text.Options {
	return text.Options{Columns: choice.Columns, Mutual: choice.Mutual, Mention: choice.Mention,
		Unplaced: choice.Unplaced, Classed: choice.Classed, Rows: c.rows(choice)}
}

// rows returns how many nodes arrays without ids have beside edge lists whose nodes are numbers: nodes without links
// are among them. 0 leaves the nodes to the lists.
func (c *Content) rows(choice Choice) int {
	if !c.set.HasEdges() || !slices.ContainsFunc(c.Variables, func(v *Variable) bool { return v.Keys == nil }) {
		return 0
	}
	least, greatest, ok := c.set.Span(choice.Columns)
	if !ok {
		return 0
	}
	rows := 0
	for _, says := range []func(*Variable) bool{
		func(v *Variable) bool { return v.Name == choice.Features || slices.Contains(choice.Labels, v.Name) },
		variable.SaysFeatures, variable.SaysLabels,
	} {
		for _, v := range c.Variables {
			if v.Keys != nil || v.Form == Links || v.Form == Other || variable.SaysSplit(v) || !says(v) {
				continue
			}
			n := v.Rows()
			if n == 1 {
				n = v.Cols()
			}
			switch {
			case n == greatest+1 && least == 0, n == greatest && least > 0:
				return n // as many as the numbers say
			case n > greatest && least == 0 && rows == 0:
				rows = n
			}
		}
	}
	return rows
}

// keyed are the variables of a choice whose rows have ids.
func (c *Content) keyed(choice Choice) []*Variable {
	var vars []*Variable
	for _, v := range c.Variables {
		if v.Keys != nil && v.Sign == 0 && roleIn(&choice, v) != "" {
			vars = append(vars, v)
		}
	}
	return vars
}

// place brings the rows of a variable to the nodes that they belong to. Partial leaves nodes without one. Runs that were
// kept before 2027 go on with the rows that they were trained on.
func (c *Content) place(v *Variable, report *Report, partial bool) (*Variable, error) {
	if c.mention {
		if v.Keys != nil && v.Keys.Sure {
			report.Note("Rows of %s go to the nodes in their order and not by their ids, as when this run was kept. A new run joins them by ids.", v.Name)
		}
		return v, nil
	}
	rows, drop, note, err := c.set.Join(v, partial)
	if err != nil {
		return nil, err
	}
	if note != "" && (c.set.HasEdges() || v.Keys != nil) && !slices.Contains(report.Notes, note) {
		report.Notes = append(report.Notes, note)
	}
	if v.Note != "" && !slices.Contains(report.Notes, v.Note) {
		report.Notes = append(report.Notes, v.Note)
	}
	return v.Placed(rows, drop), nil
}

// labels gives a graph its label sets: those of tables, and variables.
func (c *Content) labels(g *multiplex.Graph, report *Report, choice, guess Choice) error {
	tables := g.Labels
	g.Labels = nil
	var all, names []string // of the sets of tables, and of those that are used
	for _, set := range tables {
		all = append(all, set.Name)
		if len(choice.Labels) == 0 || choice.Mention || input.Index(choice.Labels, set.Name) >= 0 {
			g.Labels, names = append(g.Labels, set), append(names, set.Name)
		}
	}
	for k, name := range guess.Labels {
		if slices.Index(guess.Labels, name) < k || input.Index(names, variable.Last(name)) >= 0 {
			continue
		}
		v, err := c.find("labels", name)
		if err != nil {
			if bad, ok := err.(*diag.Error); ok && all != nil {
				bad.Expected = "one of the label sets " + strings.Join(all, ", ") + ", or of the variables: " + c.nameList() + property.Meant(name, all)
			}
			return err
		}
		placed, err := c.place(v, report, true)
		if err != nil {
			return err
		}
		s, err := placed.Labels(g.M())
		if err != nil {
			return err
		}
		s.Name = c.short(v)
		g.Labels = append(g.Labels, *s)
	}
	for k := range g.Labels {
		if said := variable.Unlabelled(&g.Labels[k]); said != "" {
			report.Note("%s", said)
		}
	}
	return nil
}

// leftOut says what was not read, unless it was chosen, and which parts of graphs were not kept.
func (c *Content) leftOut(choice *Choice) []string {
	notes := slices.Clone(c.notes)
	const most = 5
	more := 0
	for _, v := range c.Variables {
		why := v.Refused()
		if why == nil || roleIn(choice, v) != "" {
			continue
		}
		if more++; more <= most {
			notes = append(notes, fmt.Sprintf("%s was left out: %s.", v.Name, why.Found))
		}
	}
	if more > most {
		notes = append(notes, fmt.Sprintf("%d more were left out for such reasons.", more-most))
	}
	return notes
}

// IsZero reports whether everything that the graph is made of is left to a guess; splits are none of it.
func (ch *Choice) IsZero() bool {
	return len(ch.Layers) == 0 && len(ch.Labels) == 0 && ch.Features == "" && !ch.Binary && !ch.Mutual && !ch.Raw && ch.Keep == 0 &&
		ch.Columns == ""
}

// find returns the variable of a name, in full or without what stands before its last dot.
func (c *Content) find(what, name string) (*Variable, error) {
	var found *Variable
	var names []string
	for _, v := range c.Variables {
		names = append(names, v.Name)
		if input.Name(v.Name) == input.Name(name) || name != "" && v.Before == name {
			return v, nil
		}
		if variable.Last(v.Name) == name {
			if found != nil {
				return nil, &diag.Error{Where: what, Found: input.Quote(name) + ", which two variables are called", Expected: found.Name + " or " + v.Name}
			}
			found = v
		}
	}
	if found == nil {
		return nil, &diag.Error{Where: what, Found: input.Quote(name), Expected: "one of the variables: " + c.nameList() + property.Meant(name, names)}
	}
	return found, nil
}

// chosenLayers returns the variables that a choice has as layers.
func (c *Content) chosenLayers(choice *Choice) (layers []*Variable, err error) {
	for _, name := range choice.Layers {
		v, err := c.find("layers", name)
		if err != nil {
			return nil, err
		}
		layers = append(layers, v)
	}
	return layers, nil
}

// ordered returns the layers of a choice in one order of the nodes, and how many these are.
func (c *Content) ordered(choice *Choice) (layers []*Variable, n int, err error) {
	if layers, err = c.chosenLayers(choice); err != nil {
		return nil, 0, err
	}
	n = c.nodes(layers)
	for _, v := range layers {
		if v.Form != Links && v.IsSquare() && v.Rows() != n {
			return nil, n, v.Fail(fmt.Sprintf("a layer of %d nodes", v.Rows()),
				fmt.Sprintf("%d as in %s", n, layers[0].Name))
		}
	}
	layers, err = c.aligned(layers, choice.ByPlace)
	return layers, n, err
}

// short returns the last part of a variable's name if no other one has it.
func (c *Content) short(v *Variable) string {
	if v.Title != "" {
		return v.Title
	}
	for _, w := range c.Variables {
		if w != v && variable.Last(w.Name) == variable.Last(v.Name) {
			return v.Name
		}
	}
	return variable.Last(v.Name)
}

// list says something of the variables for a message: of at most so many.
func (c *Content) list(most int, say func(*Variable) string) string {
	var parts []string
	for _, v := range c.Variables[:min(len(c.Variables), most)] {
		parts = append(parts, say(v))
	}
	if len(c.Variables) > most {
		parts = append(parts, "...")
	}
	return cmp.Or(strings.Join(parts, ", "), "there are none")
}

// nameList lists their names.
func (c *Content) nameList() string { return c.list(12, func(v *Variable) string { return v.Name }) }

// layers adds the chosen layers, which must be so many at least.
func (c *Content) layers(g *multiplex.Graph, report *Report, choice Choice, least int) error {
	vars, n, err := c.ordered(&choice)
	if report.Nodes = n; err != nil {
		return err
	}
	if len(vars) < least {
		e := &diag.Error{Where: "layers", Found: fmt.Sprintf("%d among %s", len(vars),
			c.list(8, func(v *Variable) string { return v.Name + " (" + cmp.Or(v.WhyNoLayer(), "may be one") + ")" })),
			Expected: "at least 2: square matrices of numbers >= 0 or lists of links"}
		if pairs := c.Pairs(); pairs != nil {
			return pairs
		}
		words := map[string]int{} // columns of words that come again, where no column is a key
		again := func(list []string) bool { return len(variable.NewLabelSet("", list).Classes) < len(list) }
		for _, v := range c.tables {
			if list, _ := v.Words(); again(list) && (v.Keys == nil || again(v.Keys.IDs)) {
				words[v.File()]++
			}
			if words[v.File()] == 2 {
				e.Expected += fmt.Sprintf("; if each row of %s is a link, say which columns are its ends: -columns "+
					"source=NAME,target=NAME, or without titles a word for each, such as -columns -,source,target,-", v.File())
				break
			}
		}
		for _, v := range c.Variables {
			if why := v.Refused(); why != nil {
				e.Expected += fmt.Sprintf("; in place of %s, %s", v.Name, why.Expected)
				break
			}
		}
		return e
	}
	for _, v := range vars {
		a, err := v.Layer(n)
		if err != nil {
			return err
		}
		if v.Sign != 0 {
			report.Notes = append(report.Notes, v.Note)
		}
		if choice.Binary && choice.Keep == 0 {
			a.Value = nil
		}
		s := a.Symmetrized()
		layer := multiplex.Layer{Name: c.short(v), Adjacency: s}
		l := LayerReport{LayerSummary: layer.Summary(), Arcs: a.NNZ(), Direction: directionOf(v, a, s)}
		title := "layer " + layer.Name
		switch {
		case l.Direction == BothWays:
		case choice.Mutual && s.NNZ()-l.SelfLoops < 2*(a.NNZ()-l.SelfLoops):
			layer.Adjacency = a.Mutual()
			l.LayerSummary, l.Direction = layer.Summary(), Directed
			report.Note("Of %s what comes in one direction only was left out, and the smaller weight of a pair kept: %s.", title,
				figure.Count(l.Edges, "undirected edge"))
		case l.Direction == OneWay:
			report.Note("No pair comes in both directions in %s: the links were taken as undirected.", title)
		default:
			report.Note("The matrix of %s is not symmetric: of the two weights of a pair the larger was kept, which makes %s.", title,
				figure.Count(l.Edges, "undirected edge"))
		}
		if l.SelfLoops > 0 {
			report.Note("L%s has %s; %s kept.", title[1:], figure.Count(l.SelfLoops, "self loop"), figure.Plural(l.SelfLoops, "it was", "they were"))
		}
		g.Layers = append(g.Layers, layer)
		report.Layers = append(report.Layers, l)
	}
	g.Name = input.Stem(c.set.Files[0].Name)
	report.Whole(g)
	return nil
}

// Pairs returns why values of pairs of channels, as FieldTrip keeps them beside labelcmb, are neither a matrix nor a series; nil where
// there are none.
func (c *Content) Pairs() error {
	for _, v := range c.Variables {
		if _, words := v.Words(); words && variable.Last(v.Name) == "labelcmb" {
			return v.Fail("the two channels of each row of values, as FieldTrip keeps pairs", "a matrix of all channels by all channels: "+
				"ft_checkdata(DATA, 'cmbrepresentation', 'full') in FieldTrip makes one")
		}
	}
	return nil
}

// features gives the layers the chosen features, and returns them as they are stored; nil if there are none.
func (c *Content) features(
	g *multiplex.Graph, report *Report, given, choice Choice,
) (stored *multiplex.CSR, err error) {
	m := g.M()
	x := multiplex.Identity(m)
	if choice.Features == NoFeatures {
		if c.hasArrays() {
			report.Note("There are no features: every node gets one of its own.")
		}
	} else {
		v, err := c.find("features", choice.Features)
		if err != nil {
			return nil, err
		}
		placed, err := c.place(v, report, false)
		if err != nil {
			return nil, err
		}
		if err := asked(placed, &given); err != nil {
			return nil, err
		}
		if stored, err = placed.Features(m); err == nil {
			x, err = variable.Packed(stored)
		}
		if err != nil {
			return nil, err
		}
		negative := slices.ContainsFunc(x.Dense, func(f float64) bool { return f < 0 }) ||
			x.Sparse != nil && slices.ContainsFunc(x.Sparse.Value, func(f float64) bool { return f < 0 })
		switch {
		case negative && !choice.Raw:
			report.Note("Features %s hold negative numbers: their rows were not made to sum to 1.", v.Name)
		case !choice.Raw:
			x = x.RowNormalized()
			report.Note("The rows of features %s were made to sum to 1.", v.Name)
		}
	}
	for k := range g.Layers {
		g.Layers[k].Features = x
	}
	return stored, nil
}

// narrow leaves of an edge list the layers that are chosen.
func (ch *Choice) narrow(g *multiplex.Graph, report *Report) error {
	if len(ch.Layers) == 0 {
		return nil
	}
	layers, reports, names := g.Layers, report.Layers, g.LayerNames()
	g.Layers, report.Layers = nil, nil
	for _, name := range ch.Layers {
		k := input.Index(names, name)
		if k < 0 {
			return &diag.Error{Where: "layers", Found: input.Quote(name),
				Expected: "one of " + strings.Join(names, ", ") + property.Meant(name, names)}
		}
		g.Layers, report.Layers = append(g.Layers, layers[k]), append(report.Layers, reports[k])
	}
	return nil
}

// opposed says how many pairs are in both of the layers of the signs of one matrix or list.
func opposed(g *multiplex.Graph, report *Report) {
	for _, positive := range g.Layers {
		name, ok := strings.CutSuffix(positive.Name, variable.SignNames[0])
		k := slices.IndexFunc(g.Layers, func(l multiplex.Layer) bool { return l.Name == name+variable.SignNames[1] })
		if !ok || k < 0 {
			continue
		}
		n, a, b := 0, positive.Adjacency, g.Layers[k].Adjacency
		for i := range a.Rows {
			for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
				if int(j) > i && b.Has(i, int(j)) {
					n++
				}
			}
		}
		if n > 0 {
			report.Note("%s opposite signs in the two directions, or in rows that repeat the pair: both layers of %s join %s.",
				figure.Does(n, "pair", "has", "have"), name, figure.Plural(n, "it", "them"))
		}
	}
}

// strongest leaves of each layer the pairs with the largest weights, if that is chosen, and then their weights out, if that is.
func strongest(g *multiplex.Graph, report *Report, choice Choice) error {
	if !(choice.Keep >= 0 && choice.Keep <= 100) {
		return diag.Option("keep", fmt.Sprint(choice.Keep), "a share of all pairs, from 0 to 100 %; 0 keeps all")
	}
	m := g.M()
	n := max(1, int(math.Floor(float64(choice.Keep/100*float64(m)*float64(m-1)/2)+0.5)))
	for k := range g.Layers {
		l := &g.Layers[k]
		if choice.Keep > 0 && l.Adjacency.Value != nil {
			before := report.Layers[k].Edges
			a, err := l.Adjacency.Strongest(n)
			if err != nil {
				return err
			}
			l.Adjacency = a
			report.Layers[k].LayerSummary = l.Summary()
			report.Note("Of layer %s the strongest %v %% of all pairs were kept: %d of %s.", strings.TrimPrefix(l.Name, "layer "), choice.Keep,
				report.Layers[k].Edges, figure.Count(before, "link"))
		}
		if choice.Binary {
			l.Adjacency.Value = nil
			report.Layers[k].Weighted = false
		}
	}
	return nil
}

// hasArrays reports whether there are variables that are more than an offer.
func (c *Content) hasArrays() bool {
	return slices.ContainsFunc(c.Variables, func(v *Variable) bool { return !v.Offered })
}
