package connectome

import (
	"math"
	"slices"

	"cadem/core/formats"
	"cadem/core/multiplex"
)

// Locate gives the nodes of a graph that was not made of a series the places that their numbers x, y and z tell, if these may be
// those of regions of a brain in mm, on both sides of the middle. The label set of networks, whatever the table calls it, gets the
// name by which the view of the brain knows it. Said is what it did, in a sentence; "" is nothing.
func Locate(g *multiplex.Graph) (said string) {
	const farthest, least = 150, 20 // mm from the middle of a brain, and across it
	var of [3][]float64
	for d, titles := range placeColumns {
		x := numbersOf(g, titles)
		if x == nil {
			return ""
		}
		low, high := slices.Min(x), slices.Max(x)
		if !(low >= -farthest && high <= farthest && high-low >= least) || d == 0 && !(low < 0 && high > 0) {
			return ""
		}
		of[d] = x
	}
	for i := range of[0] {
		g.Places = append(g.Places, [3]float64{of[0][i], of[1][i], of[2][i]})
	}
	said = "x, y and z of the nodes were taken for places in a brain, in mm: right, front and up."
	var labels []multiplex.LabelSet
	for known := false; len(g.Labels) > 0; g.Labels = g.Labels[1:] {
		s := g.Labels[0]
		is := title(s.Name)
		d := slices.IndexFunc(placeColumns[:], func(titles []string) bool { return slices.Contains(titles, is) })
		if d >= 0 { // as classes they say nothing
			g.Columns = append(g.Columns, multiplex.Column{Name: s.Name, Of: of[d]})
			continue
		}
		if !known && slices.Contains(networkColumns, is) {
			if known = true; s.Name != NetworkLabels {
				said += " Their networks are those of the column " + s.Name + "."
				s.Name = NetworkLabels
			}
		}
		labels = append(labels, s)
	}
	g.Labels = labels
	return said
}

// numbersOf returns the numbers of all nodes under one of some titles, whether they were read as numbers or as classes; nil if they
// are not there, or not of all.
func numbersOf(g *multiplex.Graph, titles []string) (x []float64) {
	for _, c := range g.Columns {
		if slices.Contains(titles, title(c.Name)) {
			x = c.Of
		}
	}
	for k := range g.Labels {
		if s := &g.Labels[k]; slices.Contains(titles, title(s.Name)) {
			x = nil
			for i := range s.Of {
				v, ok := formats.Number(s.ClassOf(i))
				if !ok {
					return nil
				}
				x = append(x, v)
			}
		}
	}
	if slices.ContainsFunc(x, math.IsNaN) {
		return nil
	}
	return x
}
