package parity

import (
	"fmt"
	"math"
	"slices"

	"cadem.example/core/cadem/evidence"
)

// split replays the search for what layers share, stage by stage: each is given what the file has of the one before.
func split(g *golden) {
	s := &splitCase{golden: g, e: g.in("", g.sub("expect")), m: g.int("M"), n: g.int("N"), r: g.int("R")}
	s.o = evidence.Options{Level: g.number("alpha"), Permutations: g.int("B"), Functions: s.r, Folds: g.int("K"), Private: g.int("private_max"),
		Tail: g.int("tail_max")}
	for l := range s.n {
		a := evidence.NewLayer(g.adjacency(s.m, "edges", l))
		s.layers = append(s.layers, a)
		var links []float64
		for _, e := range a.Links {
			links = append(links, float64(e[0]), float64(e[1]))
		}
		g.check("links", links, 0, "edges", l)
	}
	s.degrees()
	s.functions()
	s.gate()
	s.basis()
	s.folds()
	s.private()
	s.tail()
	s.embedding()
	if s.e.has("probability") {
		s.probability()
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
	x := s.ints("non_links", fold, layer)
	for i := 0; i < len(x); i += 2 {
		pairs = append(pairs, [2]int{x[i], x[i+1]})
	}
	return pairs
}

// matrix returns one of the file, which may have no columns.
func (v values) matrix(name ...any) evidence.Matrix {
	t := v.tensor(name...)
	if len(t.shape) < 2 {
		return evidence.Matrix{}
	}
	return evidence.Matrix{Rows: t.shape[0], Cols: t.shape[1], Data: t.data}
}

// vectors compares columns up to their signs.
func (g *golden) vectors(quantity string, got evidence.Matrix, tolerance float64, name ...any) {
	want := g.matrix(name...)
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
	g.compare(quantity, turned, want.Data, tolerance)
}

// projector returns U U'.
func projector(u evidence.Matrix) []float64 {
	p := make([]float64, u.Rows*u.Rows)
	for i := range u.Rows {
		for j := range u.Rows {
			for c, x := range u.Row(i) {
				p[i*u.Rows+j] += float64(x * u.Row(j)[c])
			}
		}
	}
	return p
}

func (s *splitCase) others(l int) []*evidence.Layer {
	return slices.Delete(slices.Clone(s.layers), l, l+1)
}

func (s *splitCase) degrees() {
	for l, a := range s.layers {
		s.e.check("degrees", a.Degrees, 1e-12, "degrees", "d", l)
		s.e.check("degrees", evidence.NewPool(a).D, 1e-12, "degrees", "D", l)
		s.e.check("degrees", evidence.NewPool(s.others(l)...).D, 1e-12, "degrees", "D_others", l)
		s.e.check("strata", floats(evidence.Strata(a.Degrees, evidence.LeastStratum)), 0, "strata", l)
	}
}

func (s *splitCase) functions() {
	compare := func(layers []*evidence.Layer, v *golden) {
		want := v.data("eigenvalues")
		x, f, err := evidence.NewPool(layers...).Functions(s.r, nil)
		ok(err)
		v.compare("eigenvalues", x, want[:s.r], 1e-8)
		v.vectors("functions", f, 1e-8, "F")
	}
	for l, a := range s.layers {
		compare([]*evidence.Layer{a}, s.e.in("", s.e.sub("functions", "single", l)))
		if s.e.has("functions", "others") {
			compare(s.others(l), s.e.in("", s.e.sub("functions", "others", l)))
		}
	}
}

// listed returns the functions of the file.
func (s *splitCase) listed(l, source int) (evidence.Matrix, error) {
	if source == evidence.Pooled {
		return s.e.matrix("functions", "others", l, "F"), nil
	}
	return s.e.matrix("functions", "single", source, "F"), nil
}

func (s *splitCase) gate() {
	var trials []*evidence.Trial
	for l := range s.layers {
		g := s.e.in("", s.e.sub("gate", "layers", l))
		var sources []evidence.Source
		for _, v := range g.list("sources") {
			f, _ := s.listed(l, v.int("source"))
			sources = append(sources, evidence.Source{Layer: v.int("source"), F: f})
		}
		t, err := evidence.Try(s.layers, l, sources, s.o, s, nil)
		ok(err)
		trials = append(trials, t)
		var columns []float64
		for _, c := range t.Columns {
			columns = append(columns, float64(c[0]), float64(c[1]))
		}
		g.check("columns", columns, 0, "columns")
		for i := range sources {
			at := g.in("", g.sub("sources", i))
			at.check("G", t.G[i].Data, 1e-10, "G")
			at.check("H", t.H[i].Data, 1e-10, "H")
			for k, level := range t.Levels[i] {
				size := at.in("", at.sub("sizes", k))
				size.check("columns", []float64{float64(level.Size)}, 0, "size")
				size.check("evidence", level.Eigenvalues, 1e-9, "evidence_eigenvalues")
				size.check("edge", []float64{level.Edge}, 1e-9, "edge")
				size.compare("overlap with the layer's own", level.CosSquared, size.ifAny("cos2_with_own"), 1e-9)
				size.check("directions above the edge", []float64{float64(level.Above)}, 0, "above")
				size.check("sum above the edge", []float64{level.Sum}, 1e-9, "sum_above")
			}
		}
		g.check("statistic", t.T, 1e-9, "t")
		g.check("statistic, permuted", slices.Concat(t.Permuted...), 1e-9, "t_permuted")
		g.check("mean and sd", t.Mean, 1e-9, "mean")
		g.check("mean and sd", t.SD, 1e-9, "sd")
		g.check("z", []float64{t.Z}, 1e-9, "z_max")
		g.check("z", t.ZPermuted, 1e-9, "z_max_permuted")
		g.check("exceedances", []float64{float64(t.Exceeded)}, 0, "exceedances")
		g.compare("log of Gumbel's tail", []float64{math.Log(t.Gumbel)}, []float64{math.Log(g.number("gumbel"))}, 1e-8)
		g.check("p", []float64{t.P}, 1e-9, "p")
		g.check("noise", []float64{t.Noise}, 1e-9, "edge_of_noise")
		g.check("strong", []float64{truth(t.Strong)}, 0, "strong")
		s.choices("choices before the gate", t.Choices, g.list("plan_before_gate"))
		for k := range s.n {
			if k != l {
				s.compare("log of a pair's p", []float64{math.Log(t.Pair(k))}, []float64{math.Log(s.e.number("gate", "pair", l, k))}, 1e-8)
			}
		}
	}
	for l, t := range trials {
		s.compare("p", []float64{t.P}, s.e.data("gate", "p", l), 1e-9)
	}
	for l, plan := range evidence.Gate(trials, s.o) {
		s.compare("passed", []float64{truth(trials[l].Passed)}, s.e.data("gate", "passed", l), 0)
		s.choices("plan", plan, s.e.any("plan", l))
	}
}

func (s *splitCase) choices(quantity string, got []evidence.Choice, list []values) {
	var a, b []float64
	for _, c := range got {
		a = append(a, float64(c.Source), float64(c.Size), float64(len(c.Ranks)))
	}
	for _, v := range list {
		b = append(b, v.number("source"), v.number("size"), v.number("directions"))
	}
	s.compare(quantity, a, b, 0)
}

// plan is the plan of the file.
func (s *splitCase) plan() [][]evidence.Choice {
	plan := make([][]evidence.Choice, s.n)
	for l := range plan {
		for _, v := range s.e.any("plan", l) {
			c := evidence.Choice{Source: v.int("source"), Size: v.int("size")}
			for k := range v.int("directions") {
				c.Ranks = append(c.Ranks, k)
			}
			plan[l] = append(plan[l], c)
		}
	}
	return plan
}

func (s *splitCase) basis() {
	b, err := evidence.NewBasis(s.layers, s.plan(), s.r, s.listed, nil)
	ok(err)
	s.whole = b
	g := s.e.in("", s.e.sub("basis"))
	g.check("layers used", floats(b.Layers), 0, "layers_used")
	g.check("degrees", b.Pool.D, 1e-12, "D")
	g.vectors("S", b.F, 1e-8, "F_S")
	g.compare("eigenvalues of S", b.Eigenvalues, g.ifAny("eigenvalues"), 1e-8)
	if b.F.Cols == 0 {
		return
	}
	want := g.data("spectrum")
	g.compare("spectrum", b.Spectrum, want[:len(want)-1], 1e-8)
	g.vectors("V", b.OnNodes(b.V), 1e-8, "V")
	var u []evidence.Matrix
	for l := range s.n {
		u = append(u, g.matrix("U", l))
		if u[l].Cols+b.U[l].Cols > 0 {
			g.compare("U", projector(b.OnNodes(b.U[l])), projector(u[l]), 1e-8)
		}
	}
	j := s.e.in("", s.e.sub("joint"))
	p := evidence.NewProfile(g.matrix("V"), u)
	var listed []evidence.Matrix
	for l, a := range p.Matrices {
		j.check("what layers have of V", a.Data, 1e-8, "matrices", l)
		listed = append(listed, j.matrix("matrices", l))
	}
	j.axes(p.Share, evidence.Joint(listed))
}

// axes compares a joint diagonaliser and its diagonals; columns may come in any order.
func (g *golden) axes(share [][]float64, x evidence.Matrix) {
	want := g.matrix("X")
	order := make([]int, x.Cols)
	for c := range x.Cols {
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
	}
	sorted := evidence.NewMatrix(x.Rows, x.Cols)
	for i := range x.Rows {
		for c, k := range order {
			sorted.Row(i)[c] = x.Row(i)[k]
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
		g := s.e.in("", s.e.sub("folds", f))
		var folds [][]int
		for l := range s.n {
			folds = append(folds, s.Folds(l, 0, 0))
		}
		part, err := evidence.NewFold(s.layers, folds, f, s.plan(), s.r, s.e.length("tail", "w"), nil)
		ok(err)
		g.check("folds: degrees", part.Pool.D, 1e-12, "D")
		g.vectors("folds: S", part.F, 1e-8, "F_S")
		g.vectors("folds: tail", part.Tail, 1e-8, "F_T")
		part.F, part.Tail = g.matrix("F_S"), g.matrix("F_T")
		part.F.Rows, part.Tail.Rows = s.m, s.m
		ok(part.Own(s.o.Private, nil))
		for l, p := range part.Private {
			if v := g.in("", g.sub("private", l)); (p != nil) != v.has("F") {
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
	v := s.e.in("", s.e.sub("shared"))
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
		v := s.e.in("", s.e.sub("private", l))
		t := evidence.PrivateStrength(s.parts, l, s.o.Private)
		v.check("private: strengths by fold", slices.Concat(t.ByFold...), 1e-8, "strengths_by_fold")
		v.check("private: strengths by fold", slices.Concat(t.Squares...), 1e-8, "squares_by_fold")
		v.check("private: strengths", t.Sum, 1e-8, "strengths")
		v.check("private: z", t.Z, 1e-8, "z")
		rank, running := evidence.Rank(v.data("z"))
		v.check("private: running sum", running, 1e-8, "running_sum")
		v.check("private: rank", []float64{float64(rank)}, 0, "rank")
		shared := s.e.matrix("basis", "F_S")
		shared.Rows = s.m
		p, err := evidence.NewPrivate(a, shared, s.o.Private, nil)
		ok(err)
		v.check("private: degrees", p.Pool.D, 1e-12, "D")
		v.check("private: eigenvalues", p.Eigenvalues, 1e-8, "eigenvalues")
		v.check("private: s", p.Keep(v.int("rank"), v.data("strengths")), 1e-8, "s")
		v.vectors("private: functions", p.F, 1e-8, "F")
		oblique, err := p.Oblique(nil)
		ok(err)
		v.vectors("private: oblique", oblique, 1e-8, "V_oblique")
	}
}

func (s *splitCase) tail() {
	v := s.e.in("", s.e.sub("tail"))
	shared := s.e.matrix("basis", "F_S")
	if shared.Cols == 0 {
		v.check("tail: weights", nil, 1e-8, "w")
		return
	}
	f, err := s.whole.Tail(s.whole.Coordinates(s.e.matrix("basis", "V")), s.o.Tail, nil)
	ok(err)
	v.vectors("tail: functions", f, 1e-8, "F_T")
	var list []*evidence.LeftOut
	for l := range s.layers {
		t, err := evidence.NewLeftOut(s.layers, l, shared, s.whole.Pool.Sum, f.Cols, nil)
		ok(err)
		at := v.in("", v.sub("left_out", l))
		at.vectors("tail: functions without a layer", t.F, 1e-8, "F")
		at.check("tail: factor", []float64{t.Factor}, 1e-8, "factor")
		at.check("tail: strengths", t.Strength, 1e-8, "strengths")
		t.Strength = at.data("strengths")
		list = append(list, t)
	}
	sum, w := evidence.TailWeights(list, f.Cols)
	v.check("tail: strengths", sum, 1e-8, "strengths")
	v.check("tail: weights", w, 1e-8, "w")
}

func (s *splitCase) embedding() {
	v := s.e.in("", s.e.sub("embedding"))
	v.check("embedding", evidence.Embedding(s.e.matrix("basis", "F_S"), s.e.data("shared", "w")).Data, 1e-9, "S")
	v.check("embedding", evidence.Embedding(s.e.matrix("tail", "F_T"), s.e.data("tail", "w")).Data, 1e-9, "T")
	for l := range s.layers {
		v.check("embedding", evidence.Embedding(s.e.matrix("private", l, "F"), s.e.data("private", l, "s")).Data, 1e-9, "P", l)
	}
}

func (s *splitCase) probability() {
	v := s.e.in("", s.e.sub("probability"))
	var whole []*evidence.Rates
	total := 0.0
	for _, d := range s.e.data("basis", "D") {
		total += d
	}
	for l := range s.layers {
		r := &evidence.Rates{Layers: s.n, Sum: total, Shared: s.e.matrix("basis", "F_S"), Tail: s.e.matrix("tail", "F_T"), W: s.e.data("shared", "w"),
			WTail: s.e.data("tail", "w"), D: s.e.data("private", l, "D"), Private: s.e.matrix("private", l, "F"), S: s.e.data("private", l, "s")}
		r.Shared.Rows, r.Tail.Rows, r.Private.Rows = s.m, s.m, s.m
		whole = append(whole, r)
	}
	fits, err := evidence.FitLogistics(s.layers, s.parts, func(f, l int) *evidence.Rates { return evidence.FoldRates(whole[l], s.parts[f], l) }, s, nil)
	ok(err)
	v.check("probability: sd", fits.SD, 1e-8, "sd")
	v.check("probability: pooled fit", fits.Pooled, 1e-6, "pooled")
	for f, rows := range fits.First {
		for l, x := range rows {
			v.check("probability: features of held-out pairs", x, 1e-9, "first_rows", f, l)
		}
	}
	for l, fit := range fits.Layers {
		at := v.in("", v.sub("layers", l))
		at.check("probability: links", []float64{float64(fit.Links)}, 0, "links")
		at.check("probability: own fit", []float64{truth(!fit.Pooled)}, 0, "own_fit")
		at.check("probability: coefficients", []float64{fit.Intercept}, 1e-6, "intercept")
		at.check("probability: coefficients", fit.Standardized, 1e-6, "coefficients_standardised")
		at.check("probability: coefficients", fit.Coefficients, 1e-6, "coefficients")
		fit.Intercept, fit.Coefficients = at.number("intercept"), at.data("coefficients")
		for i, pair := range at.list("pairs") {
			x := make([]float64, len(fit.Coefficients))
			ends := pair.ints()
			whole[l].Features(x, ends[0], ends[1])
			at.check("probability: features", x, 1e-9, "features", i)
			at.check("probability: logit", []float64{fit.Logit(x)}, 1e-8, "logit", i)
			at.check("probability", []float64{evidence.Sigmoid(fit.Logit(x))}, 1e-8, "probability", i)
		}
	}
}
