package connectome

import (
	"math"
	"slices"

	"cadem.example/core/formats"
	"cadem.example/core/multiplex"
)

// Locate gives the nodes of a graph that was not made of a series the places that their numbers x, y and z tell, if these may be
// those of regions of a brain in mm, on both sides of the middle, and if networks, hemispheres or the names of nodes speak of one. The
// label set of networks, whatever the table calls it, gets the name by which the view of the brain knows it, unless another one has
// that name. Said is what it did, in a sentence; "" is nothing.
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
	networks := networksAmong(g.Labels)
	if networks == nil && !nameRegions(g.Nodes) && !slices.ContainsFunc(g.Labels, isHemisphere) {
		return ""
	}
	for i := range of[0] {
		g.Places = append(g.Places, [3]float64{of[0][i], of[1][i], of[2][i]})
	}
	said = "x, y and z of the nodes were taken for places in a brain, in mm: right, front and up."
	if networks != nil && networks.Name != NetworkLabels {
		said += " Their networks are those of the column " + networks.Name + "."
		networks.Name = NetworkLabels
	}
	if networks != nil {
		networks.Marks = Marks(networks.Classes)
	}
	return said
}

// networksAmong returns the label set of networks of a brain, the one of that name first; nil without any. Other graphs have
// communities, too.
func networksAmong(labels []multiplex.LabelSet) (networks *multiplex.LabelSet) {
	for k := range labels {
		s := &labels[k]
		if name := formats.Plain(s.Name); s.Name == NetworkLabels || networks == nil && name != "community" && slices.Contains(networkColumns, name) {
			networks = s
		}
	}
	return networks
}

// isHemisphere reports whether labels say on which side of a brain nodes are.
func isHemisphere(s multiplex.LabelSet) bool {
	on := func(side string) bool {
		return slices.ContainsFunc(s.Classes, func(class string) bool { return sideOf(class) == side })
	}
	return slices.Contains([]string{"hemisphere", "hemi"}, formats.Plain(s.Name)) && on("L") && on("R")
}

// numbersOf returns the numbers of all nodes under a name; nil if they are not there, or not of all.
func numbersOf(g *multiplex.Graph, name string) []float64 {
	for _, c := range g.Columns {
		if formats.Plain(c.Name) == name && !slices.ContainsFunc(c.Of, math.IsNaN) {
			return c.Of
		}
	}
	return nil
}
