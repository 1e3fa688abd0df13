package connectome

import (
	"fmt"
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
	for d, titles := range placeColumns { // as classes they say nothing
		g.Labels = slices.DeleteFunc(g.Labels, func(s multiplex.LabelSet) bool {
			is := column([]string{s.Name}, titles...) == 0
			if is {
				g.Columns = append(g.Columns, multiplex.Column{Name: s.Name, Of: of[d]})
			}
			return is
		})
	}
	said = fmt.Sprintf("x, y and z of the %d nodes were taken for places in a brain, in mm: right, front and up.", len(g.Places))
	for _, title := range networkColumns {
		k := slices.IndexFunc(g.Labels, func(s multiplex.LabelSet) bool { return column([]string{s.Name}, title) == 0 })
		if k < 0 {
			continue
		}
		if name := g.Labels[k].Name; name != NetworkLabels {
			said += fmt.Sprintf(" Their networks are those of the column %s.", name)
			g.Labels[k].Name = NetworkLabels
		}
		break
	}
	return said
}

// numbersOf returns the numbers of all nodes under one of some titles, whether they were read as numbers or as classes; nil if they
// are not there, or not of all.
func numbersOf(g *multiplex.Graph, titles []string) []float64 {
	for _, title := range titles {
		for _, c := range g.Columns {
			if column([]string{c.Name}, title) == 0 && !slices.ContainsFunc(c.Of, math.IsNaN) {
				return c.Of
			}
		}
		for k := range g.Labels {
			s := &g.Labels[k]
			if column([]string{s.Name}, title) < 0 {
				continue
			}
			var x []float64
			for i := range s.Of {
				v, ok := formats.Number(s.ClassOf(i))
				if !ok || math.IsNaN(v) {
					return nil
				}
				x = append(x, v)
			}
			return x
		}
	}
	return nil
}
