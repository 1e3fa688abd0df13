package study

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem/core/project"
	"cadem/core/property"
	"cadem/core/study/chart"
)

var tsnePictures = Study{
	Name: "tsne", Title: "Pictures of Syn4 by t-SNE", Seeds: 1, DataSeeds: 1, single: true,
	Text: "Every point is a graph, by the means of one of its embeddings. Look for groups of one colour, and count neighbours: the sentences below say how many points have one of their own class for the nearest. " +
		"Two cautions. The private means of a layer lie on a line, because they are linear in one number, the mean of the features; t-SNE folds that line, and neither the shapes nor the distances between groups mean anything. And the common means are zero by construction in the directions that the data determine, with noise in the others (see table IV). The settings of the published pictures are not known; these are the usual ones.",
	plan: func(o *Order) []Task {
		graphs := planGraphs(o, "arbitrary", 0, 0)
		m := Measure{Kind: "tsne", Embeddings: tsneEmbeddings}
		for _, name := range slices.Sorted(maps.Keys(o.Options)) {
			if property.Has(&project.TSNEOptions{}, name) {
				if m.Options == nil {
					m.Options = map[string]string{}
				}
				m.Options[name] = property.Text(o.Options[name])
			}
		}
		return append(graphs, o.together("t-SNE of all graphs", graphs, m))
	},
	assemble: func(o *Order, results Results, r *Report) {
		tasks := r.tasks
		t := results[tasks[len(tasks)-1].Key()]
		if t == nil {
			return
		}
		for _, name := range tsneEmbeddings {
			r.layout(t, name)
		}
	},
}

var tsneEmbeddings = []string{"common", "private_1", "private_2", "private_all"}

// layouts adds a picture in the plane of every embedding asked for, with the class of
// every point: "tsne:NAME", n x 2, and "classes:NAME".
func (c *collection) layouts(r *TaskResult, m *Measure, seed uint64, yield func(done, total int) error) error {
	o := project.TSNEDefaults()
	for _, name := range slices.Sorted(maps.Keys(m.Options)) {
		if err := property.Set(&o, name, m.Options[name]); err != nil {
			return err
		}
	}
	for k, name := range m.Embeddings {
		var x *mat.Dense
		classes := c.class
		if name == "private_all" {
			x, classes = c.below(c.names("private")), c.subclasses()
		} else {
			x = stack(c.inputs, name)
		}
		t, err := project.NewTSNE(x, o, seed)
		if err != nil {
			return err
		}
		for !t.Done() {
			t.Step()
			done, of := t.Progress()
			if err := yield(k*of+done, len(m.Embeddings)*of); err != nil {
				return err
			}
		}
		n, _ := x.Dims()
		a := NamedArray{"tsne:" + name, []int{n, 2}, make([]float64, 2*n)}
		for i, v := range t.Layout(nil) {
			a.Data[i] = float64(v)
		}
		r.Arrays = append(r.Arrays, a, NamedArray{"divergence:" + name, []int{1}, []float64{t.Divergence()}})
		r.integers("classes:"+name, classes)
	}
	return nil
}

// layout draws one picture and says how well its points sit among their class.
func (r *Report) layout(t *TaskResult, name string) {
	at, classes := t.array("tsne:"+name), t.array("classes:"+name)
	names := []string{"driven by degree", "homogeneous", "averse to degree"}
	title := "S, common"
	if name != "common" {
		title = strings.Replace(name, "private_", "P", 1)
	}
	if name == "private_all" {
		names, title = []string{"driven, 1", "driven, 2", "homogeneous, 1", "homogeneous, 2", "averse, 1", "averse, 2"}, "P of both layers"
	}
	c := chart.Chart{Name: "tsne-" + name, Title: title, Map: true}
	for _, s := range names {
		c.Series = append(c.Series, chart.Series{Name: s, Kind: "points"})
	}
	same := 0
	for i, k := range classes.Data {
		s := &c.Series[int(k)]
		s.X, s.Y = append(s.X, at.Data[2*i]), append(s.Y, at.Data[2*i+1])
		if classes.Data[nearest(at.Data, i)] == k {
			same++
		}
	}
	n := len(classes.Data)
	c.Text = fmt.Sprintf("%d points in %d colours, one a class; the nearest neighbour of %d of them is of the same class.", n, len(names), same)
	const parted = 0.8
	by := 1 / float64(len(names))
	share, band := float64(same)/float64(n), 2*math.Sqrt(by*(1-by)/float64(n))
	verdict := "which chance gives too"
	switch {
	case share >= parted:
		verdict = "the classes part"
	case share > by+band:
		verdict = "the classes part in places"
	case share < by-band:
		verdict = "fewer than chance gives"
	}
	r.find("%s: the nearest neighbour in the picture is of the same class for %d of %d points: %s (parted: from %.0f %% on; chance: %.0f, give or take %.0f). Divergence %.2f.",
		title, same, n, verdict, 100*parted, by*float64(n), band*float64(n), t.array("divergence:" + name).Data[0])
	r.draw(c)
}

// nearest returns the point of xy, x and y of each, that is nearest to point i.
func nearest(xy []float64, i int) int {
	best, at := 0.0, -1
	for j := range len(xy) / 2 {
		if j == i {
			continue
		}
		dx, dy := xy[2*j]-xy[2*i], xy[2*j+1]-xy[2*i+1]
		if d := float64(dx*dx) + float64(dy*dy); at < 0 || d < best {
			best, at = d, j
		}
	}
	return at
}
