package parity

import (
	"encoding/json"
	"slices"
	"strconv"

	"cadem/core/graphsignal"
	"cadem/core/multiplex"
)

// dynamics checks the six dynamics of Syn4 in both variants.
func (r *Report) dynamics(file string, data []byte) {
	type states map[string][]float64 // after that many steps
	var g struct {
		N        int
		Edges    [][2]int
		Radius   float64 `json:"spectral_radius"`
		Dynamics map[string]struct {
			Beta, Dt        float64
			Steps           int
			X0              []float64
			Paper, Released states
		}
	}
	if err := json.Unmarshal(data, &g); err != nil {
		r.fail(file, "file", 64, err)
		return
	}
	check := func(quantity string, got, want []float64, tolerance float64) {
		r.compare(file, quantity, 64, got, want, tolerance)
	}
	edges := make([]multiplex.Edge, len(g.Edges))
	for i, e := range g.Edges {
		edges[i] = multiplex.Edge{I: e[0], J: e[1], Weight: 1}
	}
	a, err := multiplex.FromEdges(g.N, edges)
	if err != nil {
		r.fail(file, "edges", 64, err)
		return
	}
	radius := graphsignal.SpectralRadius(a)
	check("spectral radius", []float64{radius}, []float64{g.Radius}, 1e-12)
	found := 0
	for _, printed := range []bool{false, true} {
		for _, d := range graphsignal.Systems(printed) {
			want, ok := g.Dynamics[d.Name]
			if !ok {
				continue
			}
			found++
			after, variant := want.Released, ", released"
			if printed {
				after, variant = want.Paper, ", printed"
			}
			check(d.Name+": steps", []float64{float64(d.Steps), d.Beta, d.Dt}, []float64{float64(want.Steps), want.Beta, want.Dt}, 0)
			x, seen := slices.Clone(want.X0), 0
			d.Run(x, a, radius, func(step int) {
				if state, ok := after[strconv.Itoa(step)]; ok {
					seen++
					check(d.Name+variant, x, state, 1e-10)
				}
			})
			check(d.Name+": states", []float64{float64(seen)}, []float64{float64(len(after))}, 0)
		}
	}
	check("known dynamics", []float64{float64(found)}, []float64{float64(2 * len(g.Dynamics))}, 0)
}
