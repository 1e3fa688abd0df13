package experiments

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
)

// A sharingReport is the report on what layers share, on one data set. Parts that were not run are nil.
type sharingReport struct {
	dataset  string
	compared *multiplex.Comparison
	sharing  *measure.Sharing
	apart    *measure.Array    // what seeds differ by
	held     []*measure.Result // by split
	unheld   string            // why there is none
	transfer *measure.Result
	trained  []trainedWay
}

// A trainedWay of telling links is the training of a preset.
type trainedWay struct {
	name  string
	found *measure.Result
}

// A sentence is a statement on the data, with the figures it is computed from.
type sentence struct{ text, from string }

func (t *trainedWay) preset() string { return strings.TrimPrefix(t.name, trainedBy) }

const trainedBy = "trained: "

// sentences are the findings, in the order of the report.
func (s *sharingReport) sentences() (list []sentence) {
	for _, say := range []func() []sentence{s.alike, s.shared, s.pairwise, s.own, s.foretold, s.gains, s.training, s.transferred, s.stable, s.width} {
		list = append(list, say()...)
	}
	return list
}

func (s *sharingReport) name(l int) string { return s.compared.Layers[l].Name }

func (s *sharingReport) n() int { return len(s.compared.Layers) }

// named lists layers in words: not all of many.
func (s *sharingReport) named(layers []int) string {
	const most = 6
	switch n := len(layers); {
	case n == s.n() && n == 2:
		return "both layers"
	case n == s.n():
		return "all " + inWords(n) + " layers"
	case n > most:
		return fmt.Sprintf("%s of the %s layers", inWords(n), inWords(s.n()))
	}
	var names []string
	for _, l := range layers {
		names = append(names, s.name(l))
	}
	return figure.And(names)
}

// inWords writes small numbers as words.
func inWords(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	if n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}

// directions counts them in words.
func directions(n int) string { return inWords(n) + figure.Plural(n, " direction", " directions") }

// begun makes a sentence begin with a capital letter.
func begun(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

// beyondChance is the number of deviations from which on a count of common links is not taken for chance.
const beyondChance = 3

// alike says which layers have links in common.
func (s *sharingReport) alike() []sentence {
	pairs := s.compared.Pairs
	if len(pairs) == 0 {
		return nil
	}
	more, fewer := 0, 0
	top := &pairs[0]
	for i := range pairs {
		p := &pairs[i]
		switch {
		case p.Z > beyondChance:
			more++
		case p.Z < -beyondChance:
			fewer++
		}
		if p.Z > top.Z {
			top = p
		}
	}
	from := fmt.Sprintf("common links, and z against layers drawn apart with these degrees: %d of %d above %d, %d below %d; largest %s", more, len(pairs),
		beyondChance, fewer, -beyondChance, figure.Fixed(top.Z, 1))
	two := s.name(top.A) + " and " + s.name(top.B)
	var text string
	switch {
	case more == 0 && len(pairs) == 1:
		text = "The layers have no more links in common than their degrees make."
	case more == 0:
		text = "No two layers have more links in common than their degrees make."
	default:
		text = fmt.Sprintf("%s have %d links in common, where their degrees make %s (Jaccard %s).", begun(two), top.Common, figure.Fixed(top.Expected, 1),
			figure.Fixed(top.Jaccard, 2))
		if len(pairs) > 1 {
			text = fmt.Sprintf("%s more links in common than their degrees make, most clearly %s (%d, where %s are expected; Jaccard %s).",
				begun(outOf(more, len(pairs), "pair")), two, top.Common, figure.Fixed(top.Expected, 1), figure.Fixed(top.Jaccard, 2))
		}
	}
	list := []sentence{{text, from}}
	if fewer > 0 {
		list = append(list, sentence{begun(outOf(fewer, len(pairs), "pair")) + " fewer.", from})
	}
	return list
}

// outOf begins a sentence with how many of all pairs of layers have something.
func outOf(n, all int, what string) string {
	switch {
	case all == 1:
		return "the " + what + " of layers has"
	case n == all:
		return fmt.Sprintf("all %s %ss of layers have", inWords(all), what)
	}
	return fmt.Sprintf("%s of %s %ss of layers %s", inWords(n), inWords(all), what, figure.Plural(n, "has", "have"))
}

// carriedBy lists the directions that a layer carries.
func (s *sharingReport) carriedBy(l int) (list []int) {
	for k, d := range s.sharing.Directions {
		if slices.Contains(d.Layers, l) {
			list = append(list, k)
		}
	}
	return list
}

// chance says how probable that much evidence is by chance, in the layer where it is most probable. Two layers are
// one hypothesis; the clearer one decides.
func (s *sharingReport) chance(layers []int) string {
	by := func(a, b int) int { return cmp.Compare(s.sharing.Layers[a].P, s.sharing.Layers[b].P) }
	l := slices.MaxFunc(layers, by)
	if s.n() == 2 {
		l = slices.MinFunc([]int{0, 1}, by)
	}
	return s.sharing.Layers[l].Chance()
}

// shared says which layers share which directions.
func (s *sharingReport) shared() []sentence {
	if s.sharing == nil {
		return nil
	}
	if len(s.sharing.Directions) == 0 {
		return []sentence{s.nothing()}
	}
	var list []sentence
	from := func(layers []int) string {
		var parts []string
		for _, l := range layers {
			parts = append(parts, fmt.Sprintf("%s %s, carries %d of %d", s.name(l), s.sharing.Layers[l].Chance(), len(s.carriedBy(l)), len(s.sharing.Directions)))
		}
		return "p of the layers and profile: " + strings.Join(parts, "; ")
	}
	groups := s.carriers()
	if s.nested(groups) {
		top := groups[0]
		text := fmt.Sprintf("%s share %s (%s).", s.named(top.layers), directions(len(top.carried)), s.chance(top.layers))
		list = append(list, sentence{begun(text), from(top.layers)})
		for _, g := range groups[1:] {
			text := fmt.Sprintf("%s %s %s of them.", s.named(g.layers), figure.Plural(len(g.layers), "shares", "share"), noneOr(len(g.carried)))
			list = append(list, sentence{begun(text), from(g.layers)})
		}
		return list
	}
	var seen []string
	for _, d := range s.sharing.Directions {
		key := fmt.Sprint(d.Layers)
		if slices.Contains(seen, key) {
			continue
		}
		n := 0
		for _, other := range s.sharing.Directions {
			if slices.Equal(other.Layers, d.Layers) {
				n++
			}
		}
		what := directions(n)
		if len(seen) > 0 {
			what = figure.Plural(n, "another direction", inWords(n)+" others")
		}
		text := fmt.Sprintf("%s share %s (%s).", s.named(d.Layers), what, s.chance(append([]int{0}, d.Layers...)[min(1, len(d.Layers)):]))
		switch len(d.Layers) {
		case 0:
			text = fmt.Sprintf("%s %s carried by no layer for the larger part.", what, figure.Plural(n, "is", "are"))
		case 1:
			text = fmt.Sprintf("%s carries %s alone: the others tell of it, and none of them carries it (%s).", s.named(d.Layers), what, s.chance(d.Layers))
		}
		seen = append(seen, key)
		list = append(list, sentence{begun(text), from(d.Layers)})
	}
	for _, g := range groups {
		if len(g.carried) == 0 {
			text := fmt.Sprintf("%s %s none of them.", s.named(g.layers), figure.Plural(len(g.layers), "shares", "share"))
			list = append(list, sentence{begun(text), from(g.layers)})
		}
	}
	return list
}

func noneOr(n int) string {
	if n == 0 {
		return "none"
	}
	return inWords(n)
}

// nothing says how far layers are from sharing something.
func (s *sharingReport) nothing() sentence {
	best := 0
	for l, t := range s.sharing.Layers {
		if t.P < s.sharing.Layers[best].P {
			best = l
		}
	}
	asked := figure.Short(s.sharing.Alpha / float64(s.n()))
	t := s.sharing.Layers[best]
	from := fmt.Sprintf("smallest p of %d layers: %s, %s; asked for: %s", s.n(), s.name(best), t.Chance(), asked)
	if t.Passed { // and yet no direction is validated
		return sentence{fmt.Sprintf("%s depends on other layers (%s), but no direction of it can be told.", begun(s.name(best)), t.Chance()), from}
	}
	return sentence{fmt.Sprintf("Nothing is shared that the test can see: the clearest layer is %s with %s, where %s is asked for.", s.name(best), t.Chance(),
		asked), from}
}

// A carrierGroup is layers that carry the same directions.
type carrierGroup struct{ layers, carried []int }

// carriers groups layers by what they carry, those with the most first.
func (s *sharingReport) carriers() (groups []carrierGroup) {
	for l := range s.compared.Layers {
		carried := s.carriedBy(l)
		i := slices.IndexFunc(groups, func(g carrierGroup) bool { return slices.Equal(g.carried, carried) })
		if i < 0 {
			i = len(groups)
			groups = append(groups, carrierGroup{carried: carried})
		}
		groups[i].layers = append(groups[i].layers, l)
	}
	sorting.Stable(groups, func(a, b carrierGroup) int { return len(b.carried) - len(a.carried) })
	return groups
}

// nested reports whether two layers or more carry all directions, so that what others carry is some of them.
func (s *sharingReport) nested(groups []carrierGroup) bool {
	return len(groups[0].carried) == len(s.sharing.Directions) && len(groups[0].layers) > 1
}

// pairwise says how many pairs of layers show in each other.
func (s *sharingReport) pairwise() []sentence {
	n := s.n()
	if s.sharing == nil || n < 3 {
		return nil
	}
	of, below := 0, 0
	tried := false
	for l, row := range s.sharing.Pairs {
		for k, p := range row {
			if k == l {
				continue
			}
			of++
			tried = tried || p < 1
			if p <= s.sharing.Alpha/float64(n*(n-1)) {
				below++
			}
		}
	}
	if !tried {
		return nil
	}
	from := fmt.Sprintf("p of one layer in another, by the tail of a Gumbel law: %d of %d at most %s / %d", below, of, figure.Short(s.sharing.Alpha), of)
	switch below {
	case 0:
		return []sentence{{"No layer by itself tells of another.", from}}
	case of:
		return []sentence{{"Every layer by itself tells of every other.", from}}
	}
	return []sentence{{fmt.Sprintf("By itself, one layer tells of another in %d of %d cases.", below, of), from}}
}

// own says which layers have structure of their own.
func (s *sharingReport) own() []sentence {
	if s.sharing == nil {
		return nil
	}
	var with, without []int
	var counts []string
	for l, t := range s.sharing.Layers {
		if len(t.Own) > 0 {
			with = append(with, l)
		} else {
			without = append(without, l)
		}
		counts = append(counts, fmt.Sprintf("%s %d", s.name(l), len(t.Own)))
	}
	from := "directions of each layer's own: " + strings.Join(counts, ", ")
	text := "Every layer has structure of its own."
	switch {
	case len(with) == 0:
		text = "No layer has structure of its own that links held out bear out."
	case len(without) == 0 && s.n() == 2:
		text = "Both layers have structure of their own."
	case len(without) == 0:
	case len(with) == 1:
		text = fmt.Sprintf("%s alone has structure of its own.", begun(s.named(with)))
	case len(without) < len(with):
		text = fmt.Sprintf("Every layer has structure of its own but %s.", s.named(without))
	default:
		text = fmt.Sprintf("%s have structure of their own, %s have not.", begun(s.named(with)), s.named(without))
	}
	return []sentence{{text, from}}
}

// Where the method cannot work.
const (
	fewNodes = 60  // below, the functions are too few, and ranks of layers too often wrong
	dense    = .2  // links per pair of nodes
	fewLinks = 100 // of a layer
)

// cautions say where the method cannot do what it should.
func (s *sharingReport) cautions() (list []string) {
	c := s.compared
	if c.Nodes < fewNodes {
		list = append(list, fmt.Sprintf("There are %d nodes. With less than %d, tests see strong structure alone, and directions of a layer's own are found "+
			"too often.", c.Nodes, fewNodes))
	}
	var thick, thin, weighted []int
	for l, e := range c.Layers {
		if e.Density > dense {
			thick = append(thick, l)
		}
		if e.Links < fewLinks {
			thin = append(thin, l)
		}
		if e.Weighted {
			weighted = append(weighted, l)
		}
	}
	if len(thick) > 0 {
		list = append(list, fmt.Sprintf("More than a fifth of all pairs are linked in %s. Strengths come out too low there, and own structure is missed: "+
			"the preset refined fits dense layers better.", s.named(thick)))
	}
	if len(thin) > 0 {
		list = append(list, fmt.Sprintf("%s %s less than %d links, from which hardly anything can be shown.", begun(s.named(thin)),
			figure.Plural(len(thin), "has", "have"), fewLinks))
	}
	if len(weighted) > 0 {
		list = append(list, fmt.Sprintf("Links of %s have weights, which are not looked at.", s.named(weighted)))
	}
	if len(s.held) > 0 && s.held[0].Refused != "" {
		list = append(list, "No links are held out: "+strings.TrimSuffix(s.held[0].Refused, ".")+".")
	}
	if s.sharing != nil && s.sharing.Featured {
		list = append(list, "Nodes have features, which are not looked at: the preset refined finds what they share.")
	}
	return list
}
