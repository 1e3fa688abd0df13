package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem/core/evaluate"
	"cadem/core/property"
	"cadem/core/rng"
	"cadem/core/study/chart"
)

var table3 = Study{
	Name: "table3", Title: "Table III: foregrounds of Syn3 found by clustering", Seeds: 3, DataSeeds: 1,
	Text: "Each private embedding finds the foreground of its own layer, and the cells off the diagonal are negative because the two foregrounds do not overlap. The column of the trivial baseline says how: K-means on the signal, passed along the edges and nothing else, gives the same figures to the digit. " +
		"With one number a node a linear encoder can only stretch that number, so that no training could change the private rows. The common row depends on directions that the data do not determine: left out (completion none) S shows the second layer's foreground; filled at random, as rounding noise fills them in the published program, S shows nothing. " +
		"The maps draw the clusters on the spiral; rings mark the centres. The table does not show that common and private were disentangled.",
	plan: func(o *Order) []Task { return append(planSyn3(o, "none"), planSyn3(o, "arbitrary")...) },
	assemble: func(o *Order, results Results, r *Report) {
		none, arbitrary := results.of(planSyn3(o, "none")), results.of(planSyn3(o, "arbitrary"))
		for _, p := range paper() {
			if p.Table != "III" {
				continue
			}
			add := func(variant string, list []*TaskResult) {
				row := p
				row.Variant = variant
				row.fill(collect(list, p.Embedding, strings.Replace(p.Target, "layer_", "foreground_", 1), p.Metric))
				r.Rows = append(r.Rows, row)
			}
			if p.Embedding == "common" {
				add("completion none", none)
				add("completion arbitrary", arbitrary)
			} else {
				add("", none)
			}
		}
		r.beside("private")
		if len(none) > 0 {
			r.maps(none[0], "", []string{"foreground_1", "foreground_2", "private_1", "private_2", "common"})
		}
		if len(arbitrary) > 0 {
			r.maps(arbitrary[0], ", arbitrary completion", []string{"common"})
		}
	},
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
