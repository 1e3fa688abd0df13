package experiments

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

var sharing = study.Study{
	Name: "evidence", Title: "What the layers share", Seeds: 3, DataSeeds: 1,
	Needs: study.NeedGraph, AnyExample: true, AtOnce: true, Preset: "evidence", Linked: true, Looks: true, Together: true,
	Shows: "What the layers of the open data set share, and what each has of its own, without any labels.",
	Learn: "Which layers share which directions, whether that is more than chance, and what it tells of links that nobody has shown.",
	Text: "A direction of the nodes is shared when it is estimated without a layer and still explains links of that layer. Each test permutes nodes of " +
		"equal degree, so that degrees alone count for nothing. A direction is a layer's own when it is estimated from some of the layer's links and explains " +
		"others of them, beside what is shared. " +
		"Look at the p-values first: where no layer passes, there is no S. Then look at the links that were held out: what is found is worth " +
		"as much as it tells of these. Weights and directions of links, and features of nodes, are not looked at.",
	BySet: true, Assemble: assembleSharing,
	Plan: func(o *study.Order) []study.Task { return planSharing(o).all() },
}

// A sharingPlan is the tasks on one data set.
type sharingPlan struct {
	overlaps  study.Task
	shares    []study.Task // by seed of permutations and folds
	stability *study.Task  // of several
	held      []study.Task // by split
	trained   []study.Task // by preset
	transfer  study.Task
}

func (p *sharingPlan) all() []study.Task {
	list := append([]study.Task{p.overlaps}, p.shares...)
	if p.stability != nil {
		list = append(list, *p.stability)
	}
	return append(append(append(list, p.held...), p.transfer), p.trained...)
}

func planSharing(o *study.Order) *sharingPlan {
	p := &sharingPlan{overlaps: lookAt(o, 0, "links alone", measure.Overlaps), transfer: lookAt(o, 0, "transfer", measure.Transfer)}
	for seed := range o.Seeds {
		p.shares = append(p.shares, lookAt(o, seed, fmt.Sprintf("what is shared, seed %d", seed), measure.Shares))
	}
	if len(p.shares) > 1 {
		t := lookAt(o, 0, "stability", measure.Stability)
		t.Needs = study.Keys(p.shares)
		p.stability = &t
	}
	splits := cmp.Or(o.Links, usualSplits)
	for split := range splits {
		t := lookAt(o, 0, fmt.Sprintf("links held out, split %d", split+1), measure.HeldOut)
		t.EvalSeed = uint64(split) // as trainings have it
		p.held = append(p.held, t)
	}
	for _, preset := range strings.Split(o.Preset, ",") {
		part := *o
		part.Preset = preset
		t := part.TaskOn(nil, 0, 0, measure.Spec{Kind: measure.Trained, Splits: splits})
		t.Name = dataName(o) + ", trained without links that are held out, " + preset
		p.trained = append(p.trained, t)
	}
	return p
}

// usualSplits is the usual number of splits of links.
const usualSplits = 5

// lookAt describes a task that looks at the data of the order without training.
func lookAt(o *study.Order, seed int, what string, kind measure.Kind) study.Task {
	m := measure.Spec{Kind: kind}
	m.Options = o.Texts(m.Takes)
	t := o.TaskOn(nil, 0, 0, m)
	t.Name = dataName(o) + ", " + what
	t.Preset, t.Options, t.ModelSeed = study.Presets()[0], nil, uint64(seed)
	return t
}

// dataName names what an order is about.
func dataName(o *study.Order) string {
	if o.OfFiles() {
		return o.Files[0].Name
	}
	return o.Example
}

func assembleSharing(o *study.Order, results study.Results, r *study.Report) {
	p := planSharing(o)
	links, found := results[p.overlaps.Key()], results.Of(p.shares)
	if links == nil {
		return // it is the first, and done at once
	}
	s := &sharingReport{dataset: o.Example, compared: links.Compared}
	if links.Summary != nil {
		s.dataset = links.Summary.Name
	}
	if len(found) > 0 {
		s.sharing = found[0].Sharing
	}
	if p.stability != nil {
		if t := results[p.stability.Key()]; t != nil {
			s.apart = t.Array(measure.ArrayApart)
		}
	}
	for _, t := range results.Of(p.held) {
		if t.Refused == "" {
			s.held = append(s.held, t)
		} else {
			s.unheld = t.Refused
		}
	}
	s.transfer = results[p.transfer.Key()]
	for k, preset := range strings.Split(o.Preset, ",") {
		if t := results[p.trained[k].Key()]; t != nil {
			s.trained = append(s.trained, trainedWay{trainedBy + preset, t})
		}
	}
	r.Differs = nil // nothing of the paper stands beside
	s.report(r)
}

// report adds the paragraph, where its sentences come from, and the tables.
func (s *sharingReport) report(r *study.Report) {
	text, from := "", [][]string{{"sentence", "computed from"}}
	for _, one := range s.sentences() {
		if text != "" {
			text += " "
		}
		text += one.text
		from = append(from, []string{figure.Signs(one.text), figure.Signs(one.from)})
	}
	r.Find("%s", text)
	s.rows(r)
	s.picture(r)
	s.curve(r)
	for _, c := range s.cautions() {
		r.Find("%s", c)
	}
	for _, sheet := range []study.Sheet{s.layerSheet(), s.pairSheet(), s.directionSheet(), s.heldSheet(), s.transferSheet()} {
		r.Table(sheet)
	}
	r.Sheets = append(r.Sheets, study.Sheet{Title: "Where each sentence comes from", Lines: from})
}

// layerSheet is a line a layer.
func (s *sharingReport) layerSheet() study.Sheet {
	lines := [][]string{{"layer", "links", "density", "mean degree", "largest degree", "isolated", "components", "largest"}}
	if s.sharing != nil {
		lines[0] = append(lines[0], "z", "p", "beyond", "shares", "directions it carries", "of its own")
	}
	for l, e := range s.compared.Layers {
		line := []string{e.Name, fmt.Sprint(e.Links), figure.Short(e.Density), figure.Short(e.MeanDegree), fmt.Sprint(e.MaxDegree), fmt.Sprint(e.Isolated),
			fmt.Sprint(e.Components), fmt.Sprint(e.Largest)}
		if s.sharing != nil {
			t := s.sharing.Layers[l]
			beyond := ""
			if t.Exceeded == 0 && t.Permutations > 0 {
				beyond = figure.Short(t.Tail)
			}
			line = append(line, figure.Fixed(t.Z, 1), t.Chance(), beyond, yes(t.Passed), fmt.Sprint(len(s.carriedBy(l))), fmt.Sprint(len(t.Own)))
		}
		lines = append(lines, line)
	}
	title := "Layers"
	if s.sharing != nil {
		title += ": p is that of the permutations; beyond is an extrapolation by the tail of a Gumbel law, where none exceeds the layer"
	}
	return study.Sheet{Title: title, Lines: lines, Open: s.sharing == nil}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// pairSheet is a line for every two layers.
func (s *sharingReport) pairSheet() study.Sheet {
	lines := [][]string{{"layers", "common links", "by chance", "z", "Jaccard", "degrees"}}
	if s.sharing != nil {
		lines[0] = append(lines[0], "p of one in the other", "and back")
	}
	for _, p := range s.compared.Pairs {
		line := []string{s.name(p.A) + ", " + s.name(p.B), fmt.Sprint(p.Common), figure.Fixed(p.Expected, 1), figure.Fixed(p.Z, 1), fixed(p.Jaccard),
			fixed(p.Degrees)}
		if s.sharing != nil {
			line = append(line, figure.Short(s.sharing.Pairs[p.B][p.A]), figure.Short(s.sharing.Pairs[p.A][p.B]))
		}
		lines = append(lines, line)
	}
	title := "Pairs of layers: chance is layers drawn apart with these degrees; degrees is the rank correlation of the nodes' degrees"
	if s.sharing != nil {
		title += "; p is an extrapolation by the tail of a Gumbel law"
	}
	return study.Sheet{Title: title, Lines: lines, Open: s.sharing == nil}
}

// directionSheet is a line for every shared direction.
func (s *sharingReport) directionSheet() study.Sheet {
	if s.sharing == nil {
		return study.Sheet{}
	}
	lines := [][]string{{"direction", "strength"}}
	for l := range s.compared.Layers {
		lines[0] = append(lines[0], s.name(l))
	}
	for k, d := range s.sharing.Directions {
		line := []string{fmt.Sprint(k + 1), fixed(d.Strength)}
		for l, share := range d.Share {
			cell := figure.Fixed(share, 2)
			if slices.Contains(d.Layers, l) {
				cell += " carries"
			}
			line = append(line, cell)
		}
		lines = append(lines, line)
	}
	return study.Sheet{Title: "Shared directions: how much each layer has of them, 1 at most; it carries those above one half", Lines: lines}
}

// picture draws layers by directions.
func (s *sharingReport) picture(r *study.Report) {
	if s.sharing == nil || len(s.sharing.Directions) == 0 {
		return
	}
	sets := &chart.Sets{}
	for l := range s.compared.Layers {
		sets.Rows = append(sets.Rows, s.name(l))
		sets.Beside = append(sets.Beside, fmt.Sprintf("%d of its own", len(s.sharing.Layers[l].Own)))
	}
	for k, d := range s.sharing.Directions {
		set := chart.Set{Name: fmt.Sprint(k + 1), Height: d.Strength, Share: d.Share, In: make([]bool, len(sets.Rows))}
		for _, l := range d.Layers {
			set.In[l] = true
		}
		sets.Columns = append(sets.Columns, set)
	}
	r.Draw(chart.Chart{Name: "evidence-layers", Title: "Which layers carry which direction", YLabel: "strength", Sets: sets,
		Text: "A column for each shared direction, its strength as a bar. In the row of each layer a dot as large as the layer's share of the direction: " +
			"filled and joined where the layer carries it, a ring where it does not. At the end of the row, how many directions are the layer's own."})
}
