package formats

import (
	"slices"

	"cadem/core/formats/internal/variable"
)

// nodes returns how many nodes there are: the size that most of the matrices have, else as
// many as there are features or labels, else as many as links name.
func (c *Content) nodes(layers []*Variable) int {
	most, n := 0, 0
	for _, v := range layers {
		if v.Form == Links || !v.IsSquare() {
			continue
		}
		same := 0
		for _, w := range layers {
			if w.Form != Links && w.IsSquare() && w.Rows() == v.Rows() {
				same++
			}
		}
		if same > most {
			most, n = same, v.Rows()
		}
	}
	if n > 0 {
		return n
	}
	for _, says := range []func(*Variable) bool{variable.SaysFeatures, variable.SaysLabels} {
		for _, v := range c.Variables {
			if says(v) && v.Form != Links && v.Rows() > 1 {
				return v.Rows()
			}
		}
	}
	for _, v := range layers {
		if v.Form == Links {
			v.Each(func(i, j int, _ float64) { n = max(n, i+1, j+1) })
		}
	}
	return n
}

// Guess tells what is most likely meant: which variables are layers, features and labels.
func (c *Content) Guess() Choice {
	var choice Choice
	var layers []*Variable
	for _, v := range c.Variables {
		if variable.IsLayer(v) {
			choice.Layers = append(choice.Layers, v.Name)
			layers = append(layers, v)
		}
	}
	n := c.nodes(layers)
	return c.guessRest(choice, n)
}

// complete fills what a choice leaves to a guess.
func (c *Content) complete(choice Choice) (Choice, error) {
	if c.set.HasEdges() { // which makes the layers
		n, err := c.set.Count(c.options(choice))
		if err != nil {
			return choice, err
		}
		return c.guessRest(choice, n), nil
	}
	if len(choice.Layers) == 0 {
		choice.Layers = c.Guess().Layers
	}
	var layers []*Variable
	for _, name := range choice.Layers {
		v, err := c.find("layers", name)
		if err != nil {
			return choice, err
		}
		layers = append(layers, v)
	}
	return c.guessRest(choice, c.nodes(layers)), nil
}

// guessRest guesses features and labels for n nodes.
func (c *Content) guessRest(choice Choice, n int) Choice {
	if choice.Features == "" {
		choice.Features = NoFeatures
		best := 0
		for _, v := range c.Variables {
			if v.Offered || !v.IsNumeric() || v.Form == Links || len(v.Shape) != 2 || variable.SaysLabels(v) || variable.SaysSplit(v) || slices.Contains(choice.Layers, v.Name) {
				continue
			}
			// By its name, else the widest that fits.
			rank := v.Cols()
			switch {
			case variable.SaysFeatures(v):
				rank += 1 << 40
			case v.Rows() != n || v.IsSquare() || v.Cols() < 2:
				continue
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
		var named, others []string
		for _, v := range c.Variables {
			if v.Offered || v.Form == Links || v.Form == Other || v.Name == choice.Features || slices.Contains(choice.Layers, v.Name) || variable.SaysSplit(v) {
				continue
			}
			if variable.SaysLabels(v) {
				named = append(named, v.Name)
			} else if s, err := v.Labels(v.LabelRows(n)); err == nil && len(v.Shape) > 0 && variable.FewClasses(s) {
				others = append(others, v.Name)
			}
		}
		if choice.Labels = named; named == nil {
			choice.Labels = others
		}
	}
	return choice
}
