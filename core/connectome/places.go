package connectome

import (
	"math"
	"slices"

	"cadem/core/multiplex"
)

// Locate gives the nodes of a graph that was not made of a series the places that their numbers x, y and z tell, if these may be
// those of regions of a brain in mm, on both sides of the middle. The label set of networks, whatever the table calls it, gets the
// name by which the view of the brain knows it. Said is what it did, in a sentence; "" is nothing.
func Locate(g *multiplex.Graph) (said string) {
	const farthest, least = 150, 20 // mm from the middle of a brain, and across it
	var of [3][]float64
	for d, name := range [3]string{"x", "y", "z"} {
		x := numbersOf(g, name)
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
	for k := range g.Labels {
		if s := &g.Labels[k]; slices.Contains(networkColumns, title(s.Name)) {
			if s.Name != NetworkLabels {
				said += " Their networks are those of the column " + s.Name + "."
				s.Name = NetworkLabels
			}
			break
		}
	}
	return said
}

// numbersOf returns the numbers of all nodes under a name; nil if they are not there, or not of all.
func numbersOf(g *multiplex.Graph, name string) []float64 {
	for _, c := range g.Columns {
		if title(c.Name) == name && !slices.ContainsFunc(c.Of, math.IsNaN) {
			return c.Of
		}
	}
	return nil
}
