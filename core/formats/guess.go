package formats

import (
	"cmp"
	"fmt"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/text"
	"cadem.example/core/internal/variable"
)

// says reports whether a variable holds features or labels by its name, and of how many nodes.
func says(v *Variable) (n int, ok bool) {
	switch {
	case v.Form == Links || v.Form == Other:
		return 0, false
	case variable.SaysFeatures(v):
		return v.Rows(), true
	case variable.SaysLabels(v) && v.Rows() == 1:
		return v.Cols(), true
	}
	return v.Rows(), variable.SaysLabels(v)
}

// nodes returns how many nodes there are: the size that most of the matrices have, else as
// many as there are features and labels, else as many as links name.
func (c *Content) nodes(layers []*Variable) int {
	said := map[int]int{} // by how many features and labels
	var sizes []int       // features first
	for _, features := range []bool{true, false} {
		for _, v := range c.Variables {
			if n, ok := says(v); ok && n > 1 && variable.SaysFeatures(v) == features {
				sizes = append(sizes, n)
				said[n]++
			}
		}
	}
	most, n := 0, 0
	matrices := map[int]int{}
	for _, v := range layers {
		if v.Form != Links && v.IsSquare() {
			matrices[v.Rows()]++
		}
	}
	for _, v := range layers {
		if v.Form == Links || !v.IsSquare() {
			continue
		}
		same := 2 * matrices[v.Rows()]
		if said[v.Rows()] > 0 { // of sizes that come as often
			same++
		}
		if same > most {
			most, n = same, v.Rows()
		}
	}
	if n > 0 {
		return n
	}
	least := 0
	for _, v := range layers {
		if v.Form == Links {
			least = max(least, linked(v))
		}
	}
	for _, size := range sizes {
		if size >= least && said[size] > said[n] {
			n = size
		}
	}
	return cmp.Or(n, least)
}

// linked returns the smallest number of nodes that fits the links.
func linked(v *Variable) (n int) {
	v.Each(func(i, j int, _ float64) { n = max(n, i+1, j+1) })
	return n
}

// Guess says what is most likely meant: which variables are layers, features and labels.
func (c *Content) Guess() Choice { return c.guess(false) }

// guess is [Content.Guess]. Layers come in natural order of their files, and keep their order within; or in the order of
// the files, as in runs stored before 2027.
func (c *Content) guess(mention bool) Choice {
	var choice Choice
	layers := c.candidates()
	if !mention {
		sorting.Stable(layers, func(v, w *Variable) int { return text.Natural(v.File(), w.File()) })
	}
	n := c.nodes(layers)
	fit := fitting(layers, n)
	if len(fit) < 2 {
		fit = layers // the error says that they differ
	}
	for _, v := range layers {
		// A file of its own is meant to be used: it is not passed over.
		beside := func(w *Variable) bool { return w.File() == v.File() }
		if slices.Contains(fit, v) || !slices.ContainsFunc(fit, beside) {
			choice.Layers = append(choice.Layers, v.Name)
		}
	}
	return c.guessRest(choice, n)
}

// candidates returns the variables that may be layers; those of one sign where there are not two without them.
func (c *Content) candidates() (layers []*Variable) {
	var plain []*Variable
	for _, v := range c.Variables {
		if variable.IsLayer(v) {
			if layers = append(layers, v); v.Sign == 0 {
				plain = append(plain, v)
			}
		}
	}
	if len(plain) < 2 {
		return layers
	}
	return plain
}

// fitting returns the layers of n nodes.
func fitting(layers []*Variable, n int) (fit []*Variable) {
	for _, v := range layers {
		if v.Form == Links && linked(v) <= n || v.Form != Links && v.Rows() == n {
			fit = append(fit, v)
		}
	}
	return fit
}

// complete fills what a choice leaves to a guess, and gives what it names its name in full.
func (c *Content) complete(choice Choice) (Choice, error) {
	names := append(slices.Clone(choice.Labels), choice.Features)
	for k, name := range names {
		if v, err := c.find("", name); err == nil && name != NoLabels {
			names[k] = v.Name
		}
	}
	last := len(choice.Labels)
	choice.Labels, choice.Features = names[:last], names[last]
	if x := choice.Features; !choice.Unasked && x != NoFeatures && slices.Contains(choice.Labels, x) {
		return choice, &diag.Error{Where: "labels", Expected: "one use of it",
			Found: input.Quote(x) + ", which are the features, too"}
	}
	if c.set.HasEdges() { // which makes the layers
		n, err := c.set.Count(c.options(choice))
		if err != nil {
			return choice, err
		}
		return c.guessRest(choice, n), nil
	}
	if len(choice.Layers) == 0 {
		choice.Layers = c.guess(choice.Mention).Layers
	}
	layers, err := c.chosenLayers(&choice)
	if err != nil {
		return choice, err
	}
	return c.guessRest(choice, c.nodes(layers)), nil
}

// mayBeFeatures reports whether a variable may be features beside the layers of a choice.
func mayBeFeatures(v *Variable, choice *Choice) bool {
	return !v.Offered && !v.Aside && v.Sign == 0 && v.IsNumeric() && v.Form != Links &&
		len(v.Shape) == 2 && !variable.SaysLabels(v) && !variable.SaysSplit(v) &&
		!slices.Contains(choice.Layers, v.Name) &&
		(choice.Unasked || !slices.Contains(choice.Labels, v.Name))
}

// mayBeLabels reports whether a variable may be labels beside the rest of a choice.
func mayBeLabels(v *Variable, choice *Choice) bool {
	return !v.Offered && !v.Aside && v.Sign == 0 && v.Form != Links && v.Form != Other &&
		v.Name != choice.Features && !slices.Contains(choice.Layers, v.Name) && !variable.SaysSplit(v)
}

// isNames reports whether labels differ for all nodes.
func isNames(v *Variable, n int) bool {
	s, err := v.Labels(v.LabelRows(n))
	return err == nil && variable.AllDiffer(s)
}

// guessRest guesses features and labels for n nodes. Fitting ones come first, and a name counts
// before width.
func (c *Content) guessRest(choice Choice, n int) Choice {
	if choice.Features == "" {
		choice.Features = NoFeatures
		best := 0
		for _, v := range c.Variables {
			if !mayBeFeatures(v, &choice) && !(v.Measured && v.Rows() == n && !choice.Classed) {
				continue
			}
			named, fits := variable.NamesFeatures(v), v.Rows() == n || n == 0 || v.Keys != nil // ids say whose the rows are
			if named == 0 && (!fits || v.IsSquare() || v.Cols() < 2) {
				continue
			}
			rank := v.Cols() + named<<40
			if fits {
				rank += 1 << 42
			}
			if rank > best {
				best, choice.Features = rank, v.Name
			}
		}
	}
	switch {
	case choice.noLabels():
		choice.Labels = nil
	case len(choice.Labels) == 0:
		var fit, named, others []string
		for _, v := range c.Variables {
			if !mayBeLabels(v, &choice) {
				continue
			}
			s, err := v.Labels(v.LabelRows(n))
			if err == nil {
				variable.Unlabelled(s)
			}
			switch said := variable.SaysLabels(v); {
			case said && isNames(v, n) && !choice.Unasked:
			case said && (n == 0 || v.Keys != nil || v.FitsLabels(n)):
				fit = append(fit, v.Name)
			case said && v.IsNumeric():
				named = append(named, v.Name)
			case !said && err == nil && len(v.Shape) > 0 && variable.FewClasses(s):
				others = append(others, v.Name)
			}
		}
		for _, names := range [][]string{fit, named, others} {
			if choice.Labels = names; names != nil {
				break
			}
		}
	}
	return choice
}

// passed says what was not taken although its name or its form asks for it, and why: of layers,
// features and labels that were left to a guess.
func (c *Content) passed(given, guess *Choice, n int) (notes []string) {
	pass := func(v *Variable, rows int, taken string) {
		why := fmt.Sprintf("%s is used", taken)
		if rows != n {
			why = fmt.Sprintf("it has %s, the graph %s", figure.Count(rows, "row"), figure.Count(n, "node"))
		}
		notes = append(notes, fmt.Sprintf("%s was passed over: %s.", v.Name, why))
	}
	if len(given.Layers) == 0 && !c.set.HasEdges() {
		for _, v := range c.candidates() {
			if roleIn(guess, v) == "" {
				rows := v.Rows()
				if v.Form == Links {
					rows = linked(v)
				}
				pass(v, rows, "another one")
			}
		}
	}
	var aside []string
	for _, v := range c.Variables {
		switch {
		case roleIn(guess, v) != "":
		case v.Aside:
			aside = append(aside, v.Name)
		case v.Sign != 0 && len(given.Layers) == 0 && !c.set.HasEdges():
			notes = append(notes, v.Name+" was passed over: there are layers without numbers below 0. It can be chosen as a layer, too.")
		case c.set.HasEdges() && variable.IsLayer(v):
			notes = append(notes, v.Name+" was passed over: lists of links make the layers.")
		case given.Features == "" && mayBeFeatures(v, guess) && variable.SaysFeatures(v):
			pass(v, v.Rows(), guess.Features)
		case len(given.Labels) > 0 || !mayBeLabels(v, guess) || !variable.SaysLabels(v):
		case isNames(v, n) && !given.Unasked:
			notes = append(notes, v.Name+" was passed over: it has another label for every node.")
		case len(guess.Labels) > 0:
			rows, _ := says(v)
			pass(v, rows, guess.Labels[0])
		}
	}
	if aside != nil && (given.Features == "" || len(given.Labels) == 0) {
		notes = append(notes, input.Some(aside)+": places, or notes on sensors, left out unless chosen.")
	}
	return notes
}
