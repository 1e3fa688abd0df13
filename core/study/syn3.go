package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem/core/evaluate"
	"cadem/core/figure"
	"cadem/core/property"
	"cadem/core/rng"
	"cadem/core/study/chart"
)

var table3 = Study{
	Name: "table3", Title: "Table III: foregrounds of Syn3 found by clustering", Seeds: 3, DataSeeds: 1,
	Text: "Look at the private rows first, and at the column of the trivial baseline beside them: K-means on the signal, passed along the edges and nothing else. With one number a node a linear encoder can only stretch that number, so that training can hardly move the private rows. " +
		"The common row depends on directions that the data do not determine: they are left out (completion none), or filled at random (arbitrary), as rounding noise fills them in the published program. " +
		"The maps draw the clusters on the spiral; rings mark the centres. Beside stands the recipe as the paper prints it, where nothing else is asked for: 15 neighbours, labels within 3 hops, nothing scaled, drawn by the data seed.",
	yields: []string{"variant"},
	plan: func(o *Order) []Task {
		return slices.Concat(planSyn3(o, "none"), planSyn3(o, "arbitrary"), planPrintedSyn3(o))
	},
	assemble: func(o *Order, results Results, r *Report) {
		none, arbitrary := results.of(planSyn3(o, "none")), results.of(planSyn3(o, "arbitrary"))
		for _, p := range paper() {
			if p.Table != "III" {
				continue
			}
			add := func(variant string, list []*TaskResult) {
				row := p
				row.Variant = variant
				row.fill(collect(list, p.Embedding, foreground(p.Target), p.Metric), r.differs)
				r.Rows = append(r.Rows, row)
			}
			if p.Embedding == "common" {
				add("completion none", none)
				add("completion arbitrary", arbitrary)
			} else {
				add("", none)
			}
		}
		printed := none
		if tasks := planPrintedSyn3(o); len(tasks) > 0 {
			printed = results.of(tasks)
			for _, p := range paper() {
				if c := collect(printed, p.Embedding, foreground(p.Target), p.Metric); p.Table == "III" && c != nil {
					p.Variant = "recipe as printed"
					p.fill(c, []string{p.Variant})
					r.Rows = append(r.Rows, p)
				}
			}
		}
		r.foregrounds()
		r.beside("private")
		r.overlap(none)
		r.place("ari")
		if printedSyn3(o, r.differs) {
			r.recipe(printed, o.DataSeeds)
		}
		if len(none) > 0 {
			r.maps(none[0], "", []string{"foreground_1", "foreground_2", "private_1", "private_2", "common"})
		}
		if len(arbitrary) > 0 {
			r.maps(arbitrary[0], ", arbitrary completion", []string{"common"})
		}
	},
}

// foreground names the label set of the data that a target of the paper's table is.
func foreground(target string) string { return strings.Replace(target, "layer_", "foreground_", 1) }

// foundARI is the agreement from which on a foreground counts as found.
const foundARI = 0.3

// foregrounds says which foregrounds each embedding finds.
func (r *Report) foregrounds() {
	var parts []string
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Metric != "ari" || row.Ours == nil {
			continue
		}
		name := row.Embedding
		if row.Variant != "" {
			name += " (" + row.Variant + ")"
		}
		part := figure.Fixed(*row.Ours, 3) + " with that of " + strings.Replace(row.Target, "_", " ", 1)
		if *row.Ours >= foundARI {
			part += ", found"
		}
		if i := slices.IndexFunc(parts, func(s string) bool { return strings.HasPrefix(s, name+":") }); i >= 0 {
			parts[i] += "; " + part
		} else {
			parts = append(parts, name+": "+part)
		}
	}
	for _, part := range parts {
		r.find("%s (ARI of its two clusters and a foreground; %.1f or more counts as found).", part, foundARI)
	}
}

// overlap says how many nodes two foregrounds share: the cells off the diagonal follow from it.
func (r *Report) overlap(list []*TaskResult) {
	if len(list) == 0 {
		return
	}
	a, b := list[0].array("map:"+syn3Targets[0]), list[0].array("map:"+syn3Targets[1])
	if a == nil || b == nil {
		return
	}
	var n [3]int // of the one, the other and both
	for i := range a.Data {
		n[0], n[1], n[2] = n[0]+int(a.Data[i]), n[1]+int(b.Data[i]), n[2]+int(a.Data[i]*b.Data[i])
	}
	r.find("The foregrounds of layers 1 and 2 have %d and %d of %d nodes, %d of them in both.", n[0], n[1], len(a.Data), n[2])
}

// printedRecipe is the value of variant that draws Syn3 as the paper prints it.
const printedRecipe = "printed"

// planPrintedSyn3 trains Syn3 as the paper prints it, which the published data are not; nothing
// when the order asks for a recipe itself.
func planPrintedSyn3(o *Order) []Task {
	if o.Options["variant"] != nil {
		return nil
	}
	drawn := *o
	drawn.Data = "drawn"
	var tasks []Task
	drawn.each(func(model, data int) {
		t := drawn.task("syn3", map[string]any{"variant": printedRecipe}, map[string]any{"completion": "none"}, model, data,
			Measure{Kind: "scores", Embeddings: []string{"private_1", "private_2"}, Targets: syn3Targets, Trivial: "propagated"})
		t.Name += ", recipe as printed"
		tasks = append(tasks, t)
	})
	return tasks
}

// printedSyn3 tells whether there are trainings on the recipe as printed with nothing else changed.
func printedSyn3(o *Order, differs []string) bool {
	recipe := o.Options["variant"]
	return (recipe == nil || recipe == printedRecipe) && !slices.ContainsFunc(differs, func(d string) bool { return d != drawnHere && d != "variant = "+printedRecipe })
}

// recipe holds what the printed recipe gives, on so many graphs, against the paper's table.
func (r *Report) recipe(list []*TaskResult, drawn int) {
	var parts []string
	missed := 0
	for _, p := range paper() {
		if p.Table != "III" || p.Metric != "ari" || strings.TrimPrefix(p.Embedding, "private_") != strings.TrimPrefix(p.Target, "layer_") {
			continue
		}
		c := collect(list, p.Embedding, foreground(p.Target), p.Metric)
		if c == nil {
			return
		}
		spread, best := 0.0, slices.Max(c.value)
		if len(c.value) > 1 {
			spread = deviation(c.value)
		}
		if status(*average(c.value), spread, *p.Paper, *p.PaperStd) != "match" {
			missed++
		}
		parts = append(parts, fmt.Sprintf("%s agrees with the foreground of its layer to ARI %s (K-means on the signal %s; at best %s of %s; the paper prints %.3f)",
			p.Embedding, figure.Fixed(*average(c.value), 3), figure.Fixed(*average(c.trivial), 3), figure.Fixed(best, 3), plural(len(c.value), "training"), *p.Paper))
	}
	verdict := "this recipe gives those figures"
	switch missed {
	case 0:
	case len(parts):
		verdict = "this recipe does not give table III"
	default:
		verdict = "this recipe gives table III in part"
	}
	r.find("Drawn as the paper prints it (%s), %s: %s, by the rule of the status.", plural(drawn, "graph"), strings.Join(parts, ", "), verdict)
}

// beside says how far the rows of embeddings whose names begin so are from the trivial
// baseline.
func (r *Report) beside(prefix string) {
	largest, n := 0.0, 0
	for _, row := range r.Rows {
		if strings.HasPrefix(row.Embedding, prefix) && row.Ours != nil && row.Trivial != nil {
			largest = max(largest, math.Abs(*row.Ours-*row.Trivial))
			n++
		}
	}
	if n > 0 {
		r.find("The %d %s rows and the trivial baseline differ by %.4f at most.", n, prefix, largest)
	}
}

func planSyn3(o *Order, completion string) []Task {
	var tasks []Task
	o.each(func(model, data int) {
		measures := []Measure{{Kind: "scores", Embeddings: []string{"common"}, Targets: syn3Targets}}
		if completion == "none" {
			measures = []Measure{{Kind: "scores", Embeddings: []string{"common", "private_1", "private_2"}, Targets: syn3Targets, Trivial: "propagated"}}
		}
		if model == 0 && data == 0 {
			measures = append(measures, Measure{Kind: "maps", Embeddings: []string{"common", "private_1", "private_2"}, Targets: syn3Targets})
		}
		t := o.task("syn3", nil, map[string]any{"completion": completion}, model, data, measures...)
		t.Name += ", completion " + completion
		tasks = append(tasks, t)
	})
	return tasks
}

var syn3Targets = []string{"foreground_1", "foreground_2"}

// maps adds, for data that lie in the plane, positions, centres ("centres:1"), the label
// sets asked for, and two K-means clusters of every embedding, the smaller of which is 1.
func (m *Measure) maps(r *TaskResult, d *Dataset, s *Settings, trained *Result) error {
	truth := d.Graph.Truth
	if truth == nil || truth.Positions == nil {
		return &property.Error{Field: "measure", Found: "maps of data without positions", Expected: "the data of syn3"}
	}
	n := d.Graph.M()
	r.Arrays = append(r.Arrays, NamedArray{"positions", []int{n, 2}, truth.Positions})
	for l, c := range truth.Centres {
		r.integers(fmt.Sprintf("centres:%d", l+1), c)
	}
	for i := range d.Graph.Labels {
		if l := &d.Graph.Labels[i]; slices.Contains(m.Targets, l.Name) {
			r.integers("map:"+l.Name, l.Of)
		}
	}
	for _, e := range Tokens(trained.Trained) {
		if !slices.Contains(m.Embeddings, e.Name) {
			continue
		}
		of := evaluate.KMeans(e.Tokens[0], 2, s.Evaluation.KMeansRestarts, rng.New(s.EvalSeed, "study/map/"+e.Name)).Labels
		ones := 0
		for _, c := range of {
			ones += c
		}
		if 2*ones > n {
			for i := range of {
				of[i] = 1 - of[i]
			}
		}
		r.integers("map:"+e.Name, of)
	}
	return nil
}

func (r *TaskResult) integers(name string, x []int) {
	a := NamedArray{name, []int{len(x)}, make([]float64, len(x))}
	for i, v := range x {
		a.Data[i] = float64(v)
	}
	r.Arrays = append(r.Arrays, a)
}

// maps draws cluster maps on the plane of the data.
func (r *Report) maps(t *TaskResult, suffix string, names []string) {
	at := t.array("positions")
	if at == nil {
		return
	}
	for _, name := range names {
		of := t.array("map:" + name)
		if of == nil {
			continue
		}
		c := chart.Chart{Name: "map-" + name + strings.ReplaceAll(strings.ReplaceAll(suffix, ",", ""), " ", "-"), Map: true}
		series := []chart.Series{{Name: "cluster 1", Kind: "points"}, {Name: "cluster 2", Kind: "points"}}
		layer, truth := strings.CutPrefix(name, "foreground_")
		if truth {
			c.Title = "Truth: foreground of layer " + layer
			series[0].Name, series[1].Name = "background", "foreground"
		} else {
			c.Title = "Clusters of " + strings.Replace(name, "_", " ", 1) + suffix
			layer, _ = strings.CutPrefix(name, "private_")
		}
		for i, k := range of.Data {
			s := &series[int(k)]
			s.X, s.Y = append(s.X, at.Data[2*i]), append(s.Y, at.Data[2*i+1])
		}
		sizes := fmt.Sprintf("%d nodes on a spiral in two colours, %d of the second.", len(of.Data), len(series[1].X))
		for l := 1; ; l++ {
			centres := t.array(fmt.Sprintf("centres:%d", l))
			if centres == nil {
				break
			}
			if name != "common" && layer != fmt.Sprint(l) {
				continue
			}
			s := chart.Series{Name: fmt.Sprintf("centres of layer %d", l), Kind: "rings"}
			for _, node := range centres.Data {
				s.X, s.Y = append(s.X, at.Data[2*int(node)]), append(s.Y, at.Data[2*int(node)+1])
			}
			series = append(series, s)
		}
		c.Text, c.Series = sizes+" Rings mark the centres.", series
		r.draw(c)
	}
}
