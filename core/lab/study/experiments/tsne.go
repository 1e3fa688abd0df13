package experiments

import (
	"fmt"
	"math"
	"strings"

	"cadem.example/core/base/property"
	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/project"
)

var tsnePictures = study.Study{
	Name: "tsne", Title: "Pictures of Syn4 by t-SNE", Seeds: 1, DataSeeds: 1, Single: true,
	Shows: "The graphs of Syn4 as pictures in two dimensions.",
	Learn: "Whether groups in a picture are there before training, too.",
	Text: "Every point is a graph, by the means of one of its embeddings. Look for groups of one colour, and count neighbours: the sentences " +
		"below say how many points have one of their own class for the nearest. " +
		"Two cautions. The private means of a layer lie on a line, because they are linear in one number, the mean of the features. t-SNE folds " +
		"that line. Neither the shapes nor the distances between groups mean anything. The common means are zero by construction in the " +
		"directions that the data determine, with noise in the others (see table IV). The settings of " +
		"the published pictures are not known; these are the usual ones.",
	Plan: func(o *study.Order) []study.Task {
		graphs := planGraphs(o, "arbitrary", 0, 0)
		m := measure.Spec{Kind: measure.TSNE, Embeddings: tsneEmbeddings,
			Options: o.Texts(func(name string) bool { return property.Has(&project.TSNEOptions{}, name) })}
		return append(graphs, together(o, "t-SNE of all graphs", graphs, m))
	},
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		tasks := r.Planned
		t := results[tasks[len(tasks)-1].Key()]
		if t == nil {
			return
		}
		for _, name := range tsneEmbeddings {
			drawLayout(r, t, name)
		}
	},
}

var tsneEmbeddings = []string{"common", "private_1", "private_2", "private_all"}

// drawLayout draws one picture and says how well its points sit among their class.
func drawLayout(r *study.Report, t *measure.Result, name string) {
	at, classes := t.Array(measure.ArrayTSNE.Of(name)), t.Array(measure.ArrayClasses.Of(name))
	names := []string{"driven by degree", "homogeneous", "averse to degree"}
	title := "S, common"
	if name != "common" {
		title = strings.Replace(name, "private_", "P", 1)
	}
	if name == "private_all" {
		names, title = []string{"driven, 1", "driven, 2", "homogeneous, 1", "homogeneous, 2", "averse, 1", "averse, 2"}, "P of both layers"
	}
	c := chart.Chart{Name: "tsne-" + name, Title: title, Map: true,
		Series: sorting.Map(names, func(name string) chart.Series { return chart.Series{Name: name, Kind: chart.Points} })}
	same := 0
	for i, k := range classes.Data {
		s := &c.Series[int(k)]
		s.X, s.Y = append(s.X, at.Data[2*i]), append(s.Y, at.Data[2*i+1])
		if classes.Data[nearest(at.Data, i)] == k {
			same++
		}
	}
	n := len(classes.Data)
	alike := float64(same) / float64(n)
	by := 1 / float64(len(names))
	r.Rows = append(r.Rows, study.Row{Dataset: "Syn4", Method: "CaDeM", Embedding: name, Target: "class", Metric: "nearest of the same class", Ours: &alike,
		Chance: &by, Trainings: 1})
	c.Text = fmt.Sprintf("%d points in %d colours, one a class; the nearest neighbour of %d of them is of the same class.", n, len(names), same)
	const parted = 0.8
	band := 2 * math.Sqrt(by*(1-by)/float64(n))
	verdict := "which chance gives too"
	switch {
	case alike >= parted:
		verdict = "the classes part"
	case alike > by+band:
		verdict = "the classes part in places"
	case alike < by-band:
		verdict = "fewer than chance gives"
	}
	r.Find("%s: the nearest neighbour in the picture is of the same class for %d of %d points: %s (parted: from %.0f %% on; chance: %.0f, give "+
		"or take %.0f). Divergence %.2f.",
		title, same, n, verdict, 100*parted, by*float64(n), band*float64(n), t.Array(measure.ArrayDivergence.Of(name)).Data[0])
	r.Draw(c)
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
