package parity

import (
	"fmt"
	"math"
	"slices"

	"cadem.example/core/cadem/evidence"
)

// split replays the search for what layers share, stage by stage: each is given what the file has of the one before.
func split(g *golden) {
	s := &splitCase{golden: g, e: g.sub("expect"), m: g.int("M"), n: g.int("N"), r: g.int("R")}
	s.o = evidence.Options{Level: g.number("alpha"), Permutations: g.int("B"), Functions: s.r, Folds: g.int("K"),
		Private: g.int("private_max"), Tail: g.int("tail_max")}
	for l := range s.n {
		s.layers = append(s.layers, evidence.NewLayer(g.adjacency(s.m, "edges", l)))
		g.check("links", s.layers[l].Links, 0, "edges", l)
	}
	s.degrees()
	s.gate()
	s.basis()
	s.folds()
	s.private()
	s.tail()
	for l := range s.layers {
		s.e.check("embedding", evidence.Embedding(s.functions("private", l, "F"), s.e.data("private", l, "s")), 1e-9, "embedding/P", l)
	}
	s.e.check("embedding", evidence.Embedding(s.functions("basis/F_S"), s.e.data("shared/w")), 1e-9, "embedding/S")
	s.e.check("embedding", evidence.Embedding(s.functions("tail/F_T"), s.e.data("tail/w")), 1e-9, "embedding/T")
	if s.e.has("probability") {
		s.probability(s.e.sub("probability"))
	}
}

type splitCase struct {
	*golden
	e       *golden // expect
	m, n, r int
	o       evidence.Options
	layers  []*evidence.Layer
	whole   *evidence.Basis
	parts   []*evidence.Fold
}

// Permutation, Folds and NonLinks are those of the file.
func (s *splitCase) Permutation(dst []int, layer, b int, _ []int) {
	copy(dst, s.ints("permutations", layer, b))
}
func (s *splitCase) Folds(layer, _, _ int) []int { return s.ints("folds", layer) }

func (s *splitCase) NonLinks(fold, layer, _ int, _ []int, _ []float64) (pairs [][2]int) {
	for _, pair := range s.list("non_links", fold, layer) {
		pairs = append(pairs, [2]int{pair.int(0), pair.int(1)})
	}
	return pairs
}

// matrix returns one of the file, which may have no columns.
func (g *golden) matrix(path ...any) evidence.Matrix {
	shape := append(g.shape(path...), 0, 0)
	if len(shape) < 4 {
		return evidence.Matrix{}
	}
	return evidence.Matrix{Rows: shape[0], Cols: shape[1], Data: g.data(path...)}
}

// functions returns a matrix of the expected values with a row for every node, even where it has no columns.
func (s *splitCase) functions(path ...any) evidence.Matrix {
	f := s.e.matrix(path...)
	f.Rows = s.m
	return f
}

// vectors compares columns up to their signs.
func (g *golden) vectors(quantity string, got evidence.Matrix, tolerance float64, path ...any) {
	want := g.matrix(path...)
	if got.Rows != want.Rows || got.Cols != want.Cols {
		if got.Cols+want.Cols > 0 {
			g.fail(g.named(quantity), fmt.Errorf("%d x %d values, the file has %d x %d", got.Rows, got.Cols, want.Rows, want.Cols))
		}
		return
	}
	turned := slices.Clone(got.Data)
	for c := range got.Cols {
		dot := 0.0
		for i := range got.Rows {
			dot += float64(got.Row(i)[c] * want.Row(i)[c])
		}
		for i := range got.Rows {
			turned[i*got.Cols+c] = math.Copysign(1, dot) * got.Row(i)[c]
		}
	}
	g.compare(quantity, turned, want, tolerance)
}

// space compares U U', which does not depend on how columns of U are turned.
func (g *golden) space(quantity string, got, want evidence.Matrix) {
	projector := func(u evidence.Matrix) []float64 {
		p := make([]float64, u.Rows*u.Rows)
		for k := range p {
			for c, x := range u.Row(k / u.Rows) {
				p[k] += float64(x * u.Row(k % u.Rows)[c])
			}
		}
		return p
	}
	g.compare(quantity, projector(got), projector(want), 1e-8)
}

// log compares logarithms.
func (g *golden) log(quantity string, got float64, path ...any) {
	g.compare(quantity, math.Log(got), math.Log(g.number(path...)), 1e-8)
}

func (s *splitCase) degrees() {
	compare := func(v *golden, layers ...*evidence.Layer) {
		x, f, err := evidence.NewPool(layers...).Functions(s.r, nil)
		ok(err)
		v.compare("eigenvalues", x, v.data("eigenvalues")[:s.r], 1e-8)
		v.vectors("functions", f, 1e-8, "F")
	}
	for l, a := range s.layers {
		others := slices.Delete(slices.Clone(s.layers), l, l+1)
		s.e.check("degrees", a.Degrees, 1e-12, "degrees/d", l)
		s.e.check("degrees", evidence.NewPool(a).D, 1e-12, "degrees/D", l)
		s.e.check("degrees", evidence.NewPool(others...).D, 1e-12, "degrees/D_others", l)
		s.e.check("strata", evidence.Strata(a.Degrees, evidence.LeastStratum), 0, "strata", l)
		compare(s.e.sub("functions/single", l), a)
		if s.e.has("functions/others") {
			compare(s.e.sub("functions/others", l), others...)
		}
	}
}

// listed returns the functions of the file.
func (s *splitCase) listed(l, source int) (evidence.Matrix, error) {
	if source == evidence.Pooled {
		return s.e.matrix("functions/others", l, "F"), nil
	}
	return s.e.matrix("functions/single", source, "F"), nil
}

func (s *splitCase) gate() {
	var trials []*evidence.Trial
	for l := range s.layers {
		g := s.e.sub("gate/layers", l)
		var sources []evidence.Source
		for _, v := range g.list("sources") {
			f, _ := s.listed(l, v.int("source"))
			sources = append(sources, evidence.Source{Layer: v.int("source"), F: f})
		}
		t := must(evidence.Try(s.layers, l, sources, s.o, s, nil))
		trials = append(trials, t)
		for i, at := range g.list("sources") {
			at.check("G", t.G[i], 1e-10, "G")
			at.check("H", t.H[i], 1e-10, "H")
			for k, level := range t.Levels[i] {
				size := at.sub("sizes", k)
				size.fields(level, 0, "size=Size columns; above=Above directions above the edge")
				size.fields(level, 1e-9, "evidence_eigenvalues=Eigenvalues evidence; edge=Edge edge; "+
					"cos2_with_own=CosSquared overlap with the layer's own; sum_above=Sum sum above the edge")
			}
		}
		g.fields(t, 0, "columns=Columns columns; exceedances=Exceeded exceedances; strong=Strong strong")
		g.fields(t, 1e-9, "t=T statistic; t_permuted=Permuted statistic, permuted; mean=Mean mean and sd; sd=SD mean and sd; "+
			"z_max=Z z; z_max_permuted=ZPermuted z; p=P p; edge_of_noise=Noise noise")
		g.log("log of Gumbel's tail", t.Gumbel, "gumbel")
		s.choices("choices before the gate", t.Choices, g.list("plan_before_gate"))
		for k := range s.n {
			if k != l {
				s.e.log("log of a pair's p", t.Pair(k), "gate/pair", l, k)
			}
		}
	}
	for l, plan := range evidence.Gate(trials, s.o) {
		s.e.check("p", trials[l].P, 1e-9, "gate/p", l)
		s.e.check("passed", trials[l].Passed, 0, "gate/passed", l)
		s.choices("plan", plan, s.e.any("plan", l))
	}
}

func (s *splitCase) choices(quantity string, got []evidence.Choice, list []*golden) {
	var a [][]int
	var b [][]float64
	for _, c := range got {
		a = append(a, []int{c.Source, c.Size, len(c.Ranks)})
	}
	for _, v := range list {
		b = append(b, []float64{v.number("source"), v.number("size"), v.number("directions")})
	}
	s.compare(quantity, a, b, 0)
}

// plan is the plan of the file.
func (s *splitCase) plan() [][]evidence.Choice {
	plan := make([][]evidence.Choice, s.n)
	for l := range plan {
		for _, v := range s.e.any("plan", l) {
			plan[l] = append(plan[l], evidence.Choice{Source: v.int("source"), Size: v.int("size"), Ranks: complete(nil, v.int("directions"))})
		}
	}
	return plan
}

func (s *splitCase) basis() {
	b, g, j := must(evidence.NewBasis(s.layers, s.plan(), s.r, s.listed, nil)), s.e.sub("basis"), s.e.sub("joint")
	s.whole = b
	g.check("layers used", b.Layers, 0, "layers_used")
	g.check("degrees", b.Pool.D, 1e-12, "D")
	g.vectors("S", b.F, 1e-8, "F_S")
	g.fields(b, 1e-8, "eigenvalues=Eigenvalues eigenvalues of S")
	if b.F.Cols == 0 {
		return
	}
	want := g.data("spectrum")
	g.compare("spectrum", b.Spectrum, want[:len(want)-1], 1e-8)
	g.vectors("V", b.OnNodes(b.V), 1e-8, "V")
	var u, listed []evidence.Matrix
	for l := range s.n {
		u = append(u, g.matrix("U", l))
		if u[l].Cols+b.U[l].Cols > 0 {
			g.space("U", b.OnNodes(b.U[l]), u[l])
		}
	}
	p := evidence.NewProfile(g.matrix("V"), u)
	for l, a := range p.Matrices {
		j.check("what layers have of V", a, 1e-8, "matrices", l)
		listed = append(listed, j.matrix("matrices", l))
	}
	j.axes(p.Share, evidence.Joint(listed))
}

// axes compares a joint diagonaliser and its diagonals; columns may come in any order.
func (g *golden) axes(share [][]float64, x evidence.Matrix) {
	want, order, sorted := g.matrix("X"), make([]int, x.Cols), evidence.NewMatrix(x.Rows, x.Cols)
	for c := range order {
		top := -1.0
		for k := range x.Cols {
			dot := 0.0
			for i := range x.Rows {
				dot += float64(x.Row(i)[k] * want.Row(i)[c])
			}
			if math.Abs(dot) > top {
				order[c], top = k, math.Abs(dot)
			}
		}
		for i := range x.Rows {
			sorted.Row(i)[c] = x.Row(i)[order[c]]
		}
	}
	g.vectors("joint diagonaliser", sorted, 1e-6, "X")
	for l, a := range share {
		var row []float64
		for _, k := range order {
			row = append(row, a[k])
		}
		g.check("profile", row, 1e-7, "profile", l)
	}
}

func (s *splitCase) folds() {
	for f := range s.o.Folds {
		g := s.e.sub("folds", f)
		var folds [][]int
		for l := range s.n {
			folds = append(folds, s.Folds(l, 0, 0))
		}
		part := must(evidence.NewFold(s.layers, folds, f, s.plan(), s.r, s.e.length("tail/w"), nil))
		g.check("folds: degrees", part.Pool.D, 1e-12, "D")
		g.vectors("folds: S", part.F, 1e-8, "F_S")
		g.vectors("folds: tail", part.Tail, 1e-8, "F_T")
		part.F, part.Tail = s.functions("folds", f, "F_S"), s.functions("folds", f, "F_T")
		ok(part.Own(s.o.Private, nil))
		for l, p := range part.Private {
			if v := g.sub("private", l); (p != nil) != v.has("F") {
				g.fail("folds: private", fmt.Errorf("layer %d: one of the two has no links in fold %d", l, f))
			} else if p != nil {
				v.check("folds: degrees", p.Pool.D, 1e-12, "D")
				v.check("folds: private eigenvalues", p.Eigenvalues, 1e-8, "eigenvalues")
				v.vectors("folds: private", p.F, 1e-8, "F")
				p.F = v.matrix("F")
			}
		}
		s.parts = append(s.parts, part)
	}
	v := s.e.sub("shared")
	list, w := evidence.Shared(s.parts, s.n, s.whole.F.Cols)
	for l, a := range list {
		for f := range s.parts {
			v.check("shared: strengths by fold", a.ByFold[f], 1e-9, "strengths_by_fold", f, l)
			v.check("shared: strengths by fold", a.Squares[f], 1e-9, "squares_by_fold", f, l)
		}
		v.check("shared: strengths", a.Sum, 1e-9, "strengths", l)
		v.check("shared: z", a.Z, 1e-9, "z", l)
	}
	v.check("shared: weights", w, 1e-9, "w")
}

func (s *splitCase) private() {
	for l, a := range s.layers {
		v := s.e.sub("private", l)
		v.fields(evidence.PrivateStrength(s.parts, l, s.o.Private), 1e-8, "strengths_by_fold=ByFold private: strengths by fold; "+
			"squares_by_fold=Squares private: strengths by fold; strengths=Sum private: strengths; z=Z private: z")
		rank, running := evidence.Rank(v.data("z"))
		v.check("private: running sum", running, 1e-8, "running_sum")
		v.check("private: rank", rank, 0, "rank")
		p := must(evidence.NewPrivate(a, s.functions("basis/F_S"), s.o.Private, nil))
		v.check("private: degrees", p.Pool.D, 1e-12, "D")
		v.check("private: eigenvalues", p.Eigenvalues, 1e-8, "eigenvalues")
		v.check("private: s", p.Keep(v.int("rank"), v.data("strengths")), 1e-8, "s")
		v.vectors("private: functions", p.F, 1e-8, "F")
		v.vectors("private: oblique", must(p.Oblique(nil)), 1e-8, "V_oblique")
	}
}

func (s *splitCase) tail() {
	v, shared := s.e.sub("tail"), s.e.matrix("basis/F_S")
	if shared.Cols == 0 {
		v.check("tail: weights", nil, 1e-8, "w")
		return
	}
	f := must(s.whole.Tail(s.whole.Coordinates(s.e.matrix("basis/V")), s.o.Tail, nil))
	v.vectors("tail: functions", f, 1e-8, "F_T")
	var list []*evidence.LeftOut
	for l := range s.layers {
		t, at := must(evidence.NewLeftOut(s.layers, l, shared, s.whole.Pool.Sum, f.Cols, nil)), v.sub("left_out", l)
		at.vectors("tail: functions without a layer", t.F, 1e-8, "F")
		at.fields(t, 1e-8, "factor=Factor tail: factor; strengths=Strength tail: strengths")
		t.Strength = at.data("strengths")
		list = append(list, t)
	}
	sum, w := evidence.TailWeights(list, f.Cols)
	v.check("tail: strengths", sum, 1e-8, "strengths")
	v.check("tail: weights", w, 1e-8, "w")
}

func (s *splitCase) probability(v *golden) {
	var whole []*evidence.Rates
	total := 0.0
	for _, d := range s.e.data("basis/D") {
		total += d
	}
	for l := range s.layers {
		whole = append(whole, &evidence.Rates{Layers: s.n, Sum: total, Shared: s.functions("basis/F_S"), Tail: s.functions("tail/F_T"),
			W: s.e.data("shared/w"), WTail: s.e.data("tail/w"), D: s.e.data("private", l, "D"), Private: s.functions("private", l, "F"),
			S: s.e.data("private", l, "s")})
	}
	rates := func(f, l int) *evidence.Rates { return evidence.FoldRates(whole[l], s.parts[f], l) }
	fits := must(evidence.FitLogistics(s.layers, s.parts, rates, s, nil))
	v.check("probability: sd", fits.SD, 1e-8, "sd")
	v.check("probability: pooled fit", fits.Pooled, 1e-6, "pooled")
	v.check("probability: features of held-out pairs", fits.First, 1e-9, "first_rows")
	for l, fit := range fits.Layers {
		at := v.sub("layers", l)
		at.fields(fit, 0, "links=Links probability: links")
		at.check("probability: own fit", !fit.Pooled, 0, "own_fit")
		at.fields(fit, 1e-6, "intercept=Intercept probability: coefficients; coefficients=Coefficients probability: coefficients; "+
			"coefficients_standardised=Standardized probability: coefficients")
		fit.Intercept, fit.Coefficients = at.number("intercept"), at.data("coefficients")
		for i, pair := range at.list("pairs") {
			x := make([]float64, len(fit.Coefficients))
			whole[l].Features(x, pair.int(0), pair.int(1))
			at.check("probability: features", x, 1e-9, "features", i)
			at.check("probability: logit", fit.Logit(x), 1e-8, "logit", i)
			at.check("probability", evidence.Sigmoid(fit.Logit(x)), 1e-8, "probability", i)
		}
	}
}

// splitTables checks the small algorithms of the split, each by itself.
func splitTables(g *golden) {
	for _, v := range g.list("pool_adjacent_violators") {
		v.check("pool adjacent violators", evidence.Monotone(v.data("input")), 1e-9, "fitted")
		v.check("pool adjacent violators", evidence.Cut(v.data("input")), 1e-9, "cut")
	}
	for _, v := range g.list("gumbel/values") {
		v.log("log of Gumbel's tail", evidence.Gumbel(v.number("x"), g.data("gumbel/null")), "tail")
	}
	for _, v := range g.list("gamma/values") {
		v.check("gamma quantiles", evidence.GammaQuantile(v.number("a"), g.data("gamma/null")), 1e-9, "quantile")
	}
	for _, v := range g.list("strata") {
		v.check("strata", evidence.Strata(v.data("degrees"), v.int("least")), 0, "stratum")
	}
	for _, v := range g.list("joint_diagonaliser") {
		var list []evidence.Matrix
		var share [][]float64
		for _, a := range v.list("matrices") {
			list = append(list, a.matrix())
		}
		x := evidence.Joint(list)
		for _, a := range list {
			share = append(share, evidence.Diagonal(a, x))
		}
		v.axes(share, x)
	}
	for _, v := range g.list("logistic") {
		x := v.matrix("X")
		fit := must(evidence.FitLogistic(x.Data, v.data("y"), x.Cols, 1, nil))
		v.compare("logistic", fit, [][]float64{v.data("intercept"), v.data("coefficients")}, 1e-6)
	}
	for _, v := range g.list("subspaces") {
		var all []evidence.Matrix
		for l, sources := range v.list("sources") {
			var spans []evidence.Matrix
			for _, span := range sources.list() {
				spans = append(spans, span.matrix())
			}
			u, squared, err := evidence.Common(spans[0].Rows, spans, evidence.SameInLayer, nil)
			ok(err)
			v.check("subspaces: squared", squared, 1e-9, "squared", l)
			v.space("subspaces of layers", u, v.matrix("U", l))
			all = append(all, v.matrix("U", l))
		}
		u, squared, err := evidence.Common(all[0].Rows, all, evidence.SameInAll, nil)
		ok(err)
		v.check("subspaces: squared", squared, 1e-9, "squared_all")
		v.space("subspaces in common", u, v.matrix("V"))
	}
}
