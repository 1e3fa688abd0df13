package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
	"cadem/core/connectome"
	"cadem/core/multiplex"
	"cadem/core/property"
	"cadem/core/study/chart"
	"cadem/core/synth"
)

// topShare of the regions are drawn, as in the figure of the paper.
const topShare = 0.1

// usualSubjects of the synthetic cohort are drawn, unless the order says how many.
const usualSubjects = 5

// The conditions of the paper's figure, of the scans of one's own or of the synthetic cohort.
var topRegions = Study{
	Name: "regions", Title: "The regions that private embeddings mark, by condition", Seeds: 1, DataSeeds: 1,
	Text: "The paper's figure of brains: for every condition the tenth of the regions with the largest private embeddings, by the mean of their length over the subjects, in co-activation beside anti-activation, coloured by network; a network's count stands beside what as many regions drawn by chance would give, with the one-sided hypergeometric chance of as many or more. That p is corrected for the number of networks in the panel (Holm), not for the number of panels, and takes regions as independent, which neighbours are not. " +
		"Every scan is trained by itself from the same weights. Without files of one's own nothing here comes from a brain: subjects, regions and effects are invented. Scans of one's own need a table of regions beside them, with networks and places. " +
		"Look at the untrained count before you believe a trained one: features of neighbours are averaged before anything is learned. Trivial are the regions with the largest averaged features.",
	counts: "subjects",
	Needs:  NeedCohort, Offers: []string{"subjects", "effect", "tr", "keep"},
	check: func([]connectome.Scan) error { return nil }, // one condition will do
	plan: func(o *Order) []Task {
		var tasks []Task
		for _, condition := range o.conditions() {
			tasks = append(tasks, o.planRegions(condition)...)
		}
		return tasks
	},
	assemble: func(o *Order, results Results, r *Report) {
		for _, condition := range o.conditions() {
			found := results.of(o.planRegions(condition))
			if len(found) == 0 {
				continue
			}
			title := condition
			switch {
			case !o.own():
				title += " (synthetic)"
			case title == "":
				title = "all scans"
			}
			r.regions(title, found)
		}
	},
}

// conditions returns those of the scans of an order, in order of first appearance.
func (o *Order) conditions() []string {
	if !o.own() {
		return synth.Conditions
	}
	var list []string
	for _, s := range o.Cohort {
		if !slices.Contains(list, s.Condition) {
			list = append(list, s.Condition)
		}
	}
	return list
}

// planRegions trains every scan of a condition by itself.
func (o *Order) planRegions(condition string) []Task {
	var tasks []Task
	measure := Measure{Kind: "regions"}
	if !o.own() {
		subjects := usualSubjects
		if _, asked := o.Options["subjects"]; asked {
			subjects = o.subjects().Subjects
		}
		o.each(func(model, data int) {
			for subject := range subjects {
				t := o.task("cohort", map[string]any{"condition": condition, "subject": subject + 1}, nil, model, data, measure)
				t.Name = fmt.Sprintf("subject %d, %s, seed %d, data %d", subject+1, condition, model, data)
				tasks = append(tasks, t)
			}
		})
		return tasks
	}
	ofData, ofTraining := map[string]any{}, map[string]any{}
	for name, v := range o.Options {
		if connectome.HasSetting(name) {
			ofData[name] = v
		} else {
			ofTraining[name] = v
		}
	}
	for _, s := range o.Cohort {
		if s.Condition != condition {
			continue
		}
		spec := DataSpec{Files: o.filesOf([]Scan{{File: s.File, Confounds: s.Confounds}}), Options: ofData}
		for model := range o.Seeds {
			tasks = append(tasks, Task{Name: fmt.Sprintf("%s, %s, seed %d", s.Subject, condition, model), Data: spec, Preset: o.Preset, Options: ofTraining, ModelSeed: uint64(model), EvalSeed: UsualSeeds.Eval, Measure: []Measure{measure}})
		}
	}
	return tasks
}

// lengths adds, of a graph whose nodes have places, the length of every node's private
// embedding in each layer, trained ("length_1", ...), untrained ("untrained:length_1") and
// that of its propagated features ("trivial:length_1"), the "places" of the nodes and their
// "network", whose names become words of the result.
func lengths(r *TaskResult, d *Dataset, s *Settings, trained *Result) error {
	g := d.Graph
	if g.Places == nil {
		return &property.Error{Field: "measure", Found: "regions of data without places", Expected: "a table of regions with the columns name, network, x, y and z beside the series"}
	}
	add := func(name string, x *mat.Dense) {
		r.Arrays = append(r.Arrays, NamedArray{name, []int{g.M()}, Lengths(x)})
	}
	for _, of := range []struct {
		prefix string
		e      *cadem.Embeddings
	}{{"", trained.Trained}, {"untrained:", trained.Untrained}} {
		for l, x := range of.e.Private {
			add(fmt.Sprintf("%slength_%d", of.prefix, l+1), x)
		}
	}
	for l := range g.Layers {
		z, err := propagated(g, l, s.Training.Propagation)
		if err != nil {
			return err
		}
		add(fmt.Sprintf("trivial:length_%d", l+1), z)
		r.Words = append(r.Words, g.Layers[l].Name)
	}
	places := make([]float64, 0, 3*g.M())
	for _, p := range g.Places {
		places = append(places, p[:]...)
	}
	r.Arrays = append(r.Arrays, NamedArray{"places", []int{g.M(), 3}, places})
	i := slices.IndexFunc(g.Labels, func(l multiplex.LabelSet) bool { return l.Name == connectome.NetworkLabels })
	if i < 0 {
		return &property.Error{Field: "measure", Found: "regions without networks", Expected: "a label set " + connectome.NetworkLabels}
	}
	r.integers("network", g.Labels[i].Of)
	r.Words = append(r.Words, g.Labels[i].Classes...)
	return nil
}

// Lengths returns the Euclidean norm of every row.
func Lengths(x *mat.Dense) []float64 {
	m, _ := x.Dims()
	norms := make([]float64, m)
	for i := range norms {
		square := 0.0
		for _, v := range x.RawRowView(i) {
			square += float64(v * v)
		}
		norms[i] = math.Sqrt(square)
	}
	return norms
}

// regions draws and counts the regions of one condition.
func (r *Report) regions(condition string, found []*TaskResult) {
	first := found[0]
	m := len(first.array("network").Data)
	for _, t := range found {
		if len(t.array("network").Data) != m {
			r.find("%s: not drawn, for %s has %d regions and %s %d.", condition, t.Name, len(t.array("network").Data), first.Name, m)
			return
		}
	}
	places := make([][3]float64, m)
	for i, v := range first.array("places").Data {
		places[i/3][i%3] = v
	}
	of := make([]int, m)
	for i, v := range first.array("network").Data {
		of[i] = int(v)
	}
	layers := 0
	for first.array(fmt.Sprintf("length_%d", layers+1)) != nil {
		layers++
	}
	names, networks := first.Words[:layers], first.Words[layers:]
	top := func(array string) []int {
		mean := make([]float64, m)
		for _, t := range found {
			for i, v := range t.array(array).Data {
				mean[i] += v
			}
		}
		return connectome.Top(mean, topShare)
	}
	for l, layer := range names {
		array := fmt.Sprintf("length_%d", l+1)
		trained, untrained, trivial := top(array), top("untrained:"+array), top("trivial:"+array)
		counts, before, beside := connectome.CountNetworks(of, len(networks), trained), connectome.CountNetworks(of, len(networks), untrained), connectome.CountNetworks(of, len(networks), trivial)
		var more []string
		for k, network := range networks {
			value := func(n int) *float64 { v := float64(n); return &v }
			c := counts[k]
			r.Rows = append(r.Rows, Row{Dataset: condition, Method: "CaDeM", Embedding: fmt.Sprintf("private_%d", l+1), Target: network, Metric: fmt.Sprintf("regions of %d", len(trained)), Variant: layer,
				Ours: value(c.Count), Counts: true, Untrained: value(before[k].Count), Trivial: value(beside[k].Count), Chance: &c.Expected, P: &c.Corrected, Trainings: len(found)})
			if c.Beyond {
				more = append(more, fmt.Sprintf("%s %d of %d (by chance %.1f; untrained %d)", network, c.Count, len(trained), c.Expected, before[k].Count))
			}
		}
		if more == nil {
			more = []string{"no network"}
		}
		r.find("%s, %s, beyond chance, corrected over the networks: %s. Of the %d regions, %d are marked without any training, %d by averaged features alone.", condition, layer, strings.Join(more, ", "), len(trained), common(trained, untrained), common(trained, trivial))
		c := chart.Brain(places, of, networks, connectome.Marks(networks), trained)
		c.Name = strings.ReplaceAll(strings.NewReplacer("(", "", ")", "", "/", "-").Replace(condition), " ", "-") + "-" + layer
		c.Title = condition + ", " + layer
		c.Text = fmt.Sprintf("The %d of %d regions with the largest private embeddings, in the mean over %s, from above, behind and the right; the others as dots.", len(trained), m, plural(len(found), "training"))
		r.draw(c)
	}
}

// common counts what two lists share.
func common(a, b []int) int {
	n := 0
	for _, v := range a {
		if slices.Contains(b, v) {
			n++
		}
	}
	return n
}
