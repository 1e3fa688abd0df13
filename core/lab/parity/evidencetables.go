package parity

import (
	"math"
	"slices"

	"cadem.example/core/cadem/evidence"
)

// splitTables checks the small algorithms of the split, each by itself.
func splitTables(g *golden) {
	for _, v := range g.list("pool_adjacent_violators") {
		g.compare("pool adjacent violators", evidence.Monotone(v.data("input")), v.data("fitted"), 1e-9)
		g.compare("pool adjacent violators", evidence.Cut(v.data("input")), v.data("cut"), 1e-9)
	}
	for _, v := range g.list("gumbel", "values") {
		g.compare("log of Gumbel's tail", []float64{math.Log(evidence.Gumbel(v.number("x"), g.data("gumbel", "null")))}, []float64{math.Log(v.number("tail"))}, 1e-8)
	}
	for _, v := range g.list("gamma", "values") {
		g.compare("gamma quantiles", []float64{evidence.GammaQuantile(v.number("a"), g.data("gamma", "null"))}, v.data("quantile"), 1e-9)
	}
	for _, v := range g.list("strata") {
		g.compare("strata", floats(evidence.Strata(v.data("degrees"), v.int("least"))), v.data("stratum"), 0)
	}
	for i, v := range g.list("joint_diagonaliser") {
		var list []evidence.Matrix
		for k := range v.length("matrices") {
			list = append(list, v.matrix("matrices", k))
		}
		x := evidence.Joint(list)
		var share [][]float64
		for _, a := range list {
			share = append(share, evidence.Diagonal(a, x))
		}
		g.in("", g.sub("joint_diagonaliser", i)).axes(share, x)
	}
	for _, v := range g.list("logistic") {
		x := v.matrix("X")
		fit, err := evidence.FitLogistic(x.Data, v.data("y"), x.Cols, 1, nil)
		ok(err)
		g.compare("logistic", fit, slices.Concat(v.data("intercept"), v.data("coefficients")), 1e-6)
	}
	for _, v := range g.list("subspaces") {
		var all []evidence.Matrix
		for l := range v.length("sources") {
			var spans []evidence.Matrix
			for k := range v.length("sources", l) {
				spans = append(spans, v.matrix("sources", l, k))
			}
			u, squared, err := evidence.Common(spans[0].Rows, spans, evidence.SameInLayer, nil)
			ok(err)
			g.compare("subspaces: squared", squared, v.data("squared", l), 1e-9)
			g.compare("subspaces of layers", projector(u), projector(v.matrix("U", l)), 1e-8)
			all = append(all, v.matrix("U", l))
		}
		u, squared, err := evidence.Common(all[0].Rows, all, evidence.SameInAll, nil)
		ok(err)
		g.compare("subspaces: squared", squared, v.data("squared_all"), 1e-9)
		g.compare("subspaces in common", projector(u), projector(v.matrix("V")), 1e-8)
	}
}
