package links

import (
	"errors"
	"math"
	"slices"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// layers returns a graph of random layers: m nodes, the last fifth of them without links, and a number of links in each layer, more often
// of lower nodes.
func layers(t *testing.T, seed uint64, m int, count ...int) *multiplex.Graph {
	t.Helper()
	draw, g := rng.New(seed, "test/links"), &multiplex.Graph{}
	for _, n := range count {
		var edges []multiplex.Edge
		for range n {
			i, j := draw.IntN(4*m/5), draw.IntN(1+draw.IntN(4*m/5))
			edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1 + float64(draw.IntN(2))})
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: string(rune('a' + len(g.Layers))), Adjacency: a, Features: multiplex.Identity(m)})
	}
	return g
}

func hold(t *testing.T, g *multiplex.Graph, seed uint64) *Held {
	t.Helper()
	h, err := Hold(g, Share, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// entries are the stored entries of a matrix, by position.
func entries(a *multiplex.CSR) map[[2]int]float64 {
	all := map[[2]int]float64{}
	for i := range a.Rows {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			v := 1.0
			if a.Value != nil {
				v = a.Value[k]
			}
			all[[2]int{i, int(a.Index[k])}] = v
		}
	}
	return all
}

// Every held-out pair was a link and no longer is; the others keep their weights, and so do self-loops; non-links are none in the
// whole layer, and join nodes with links; no pair comes twice in one kind; numbers are those asked for.
func TestHold(t *testing.T) {
	g := layers(t, 1, 60, 300, 120, 40)
	h := hold(t, g, 7)
	for l := range g.Layers {
		before, after := entries(g.Layers[l].Adjacency), entries(h.Graph.Layers[l].Adjacency)
		linked, n := map[int]bool{}, 0
		for e := range before {
			if e[0] < e[1] {
				n++
			}
			if e[0] != e[1] {
				linked[e[0]] = true
			}
		}
		var count [kinds]int
		seen := map[Pair]bool{}
		for _, p := range h.Pairs[l] {
			count[p.Kind]++
			_, was := before[[2]int{p.I, p.J}]
			_, is := after[[2]int{p.J, p.I}]
			switch {
			case p.I >= p.J || seen[p] || !linked[p.I] || !linked[p.J]:
				t.Errorf("layer %d: pair %v", l, p)
			case was != (p.Kind == Link) || is:
				t.Errorf("layer %d: pair %v: linked before: %t, after: %t", l, p, was, is)
			}
			seen[p] = true
			delete(before, [2]int{p.I, p.J})
			delete(before, [2]int{p.J, p.I})
		}
		want := int(math.RoundToEven(Share * float64(n)))
		if count != [kinds]int{want, want, want} {
			t.Errorf("layer %d: %v pairs of each kind, expected %d", l, count, want)
		}
		if len(before) != len(after) {
			t.Errorf("layer %d: %d entries are left, expected %d", l, len(after), len(before))
		}
		for e, v := range before {
			if after[e] != v {
				t.Errorf("layer %d: entry %v is %v, expected %v", l, e, after[e], v)
			}
		}
		if !h.Graph.Layers[l].Adjacency.IsSymmetric() {
			t.Errorf("layer %d is not symmetric any more", l)
		}
	}
	again := hold(t, g, 7)
	other := hold(t, g, 8)
	for l := range h.Pairs {
		if !slices.Equal(h.Pairs[l], again.Pairs[l]) {
			t.Errorf("layer %d: the same seed holds out other pairs", l)
		}
		if slices.Equal(h.Pairs[l], other.Pairs[l]) {
			t.Errorf("layer %d: another seed holds out the same pairs", l)
		}
	}
}

// Directed links count once, in no direction.
func TestHoldTakesLinksAsUndirected(t *testing.T) {
	g := layers(t, 2, 40, 200)
	both := hold(t, g, 1)
	g.Layers[0].Adjacency = g.Layers[0].Adjacency.Filtered(func(i, j int) bool { return i <= j })
	one := hold(t, g, 1)
	if !slices.Equal(both.Pairs[0], one.Pairs[0]) {
		t.Error("other pairs are held out where links have a direction")
	}
	if len(entries(both.Graph.Layers[0].Adjacency)) != len(entries(one.Graph.Layers[0].Adjacency)) {
		t.Error("another number of links is left where links have a direction")
	}
}

// The first degree-matched pair has its ends drawn in proportion to the degrees, the first uniform one each with the same chance, both
// without loops and links; which links are held out is uniform, under other numbers of the nodes, too.
func TestDistribution(t *testing.T) {
	const m, draws = 8, 6000
	degrees := []float64{4, 3, 3, 2, 2, 2, 1, 1}
	links := [][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 6}, {3, 7}, {4, 5}}
	for _, numbers := range [][]int{{0, 1, 2, 3, 4, 5, 6, 7}, {5, 2, 7, 0, 1, 6, 4, 3}} {
		var edges []multiplex.Edge
		place, expected := map[[2]int]int{}, [kinds]map[[2]int]float64{{}, {}, {}}
		for k, e := range links {
			edges = append(edges, multiplex.Edge{I: numbers[e[0]], J: numbers[e[1]], Weight: 1})
			place[e] = k
			expected[Link][e] = 1
		}
		for i := range m {
			for j := range i {
				if e := [2]int{j, i}; expected[Link][e] == 0 {
					expected[Uniform][e], expected[Matched][e] = 1, degrees[i]*degrees[j]
				}
			}
		}
		back := make([]int, m)
		for i, n := range numbers {
			back[n] = i
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		g := &multiplex.Graph{Layers: []multiplex.Layer{{Adjacency: a, Features: multiplex.Identity(m)}}}
		found := [kinds]map[[2]int]float64{{}, {}, {}}
		for seed := range uint64(draws) {
			h, err := Hold(g, .4, seed, nil)
			if err != nil {
				t.Fatal(err)
			}
			var first [kinds]bool
			for _, p := range h.Pairs[0] {
				if p.Kind == Link || !first[p.Kind] {
					i, j := back[p.I], back[p.J]
					found[p.Kind][[2]int{min(i, j), max(i, j)}]++
					first[p.Kind] = true
				}
			}
		}
		for kind := range kinds {
			total, all := 0.0, 0.0
			for e, w := range expected[kind] {
				total, all = total+w, all+found[kind][e]
			}
			chi := 0.0
			for e, w := range expected[kind] {
				want := all * w / total
				chi += (found[kind][e] - want) * (found[kind][e] - want) / want
			}
			if freedom := float64(len(expected[kind]) - 1); chi > freedom+4*math.Sqrt(2*freedom) {
				t.Errorf("numbers %v, kind %d: chi squared %.1f of %v degrees of freedom", numbers, kind, chi, freedom)
			}
			if len(found[kind]) != len(expected[kind]) {
				t.Errorf("kind %d: %d pairs were found, expected %d", kind, len(found[kind]), len(expected[kind]))
			}
		}
	}
}

// A layer keeps its last link; one with too few is left out, and said; a graph of such layers is refused, and so is one where all nodes are
// linked.
func TestSmallLayers(t *testing.T) {
	g := layers(t, 3, 30, 200, 4)
	single, err := multiplex.FromEdges(30, []multiplex.Edge{{I: 1, J: 2, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	g.Layers[1].Adjacency = single
	h := hold(t, g, 1)
	if h.Graph.Layers[1].Adjacency.NNZ() != 2 || len(h.Pairs[1]) != 0 || h.Scored(1) || !h.Scored(0) {
		t.Errorf("of one link %d entries are left, and %d pairs are to be told apart", h.Graph.Layers[1].Adjacency.NNZ(), len(h.Pairs[1]))
	}
	if notes := h.Notes(); len(notes) != 1 || notes[0][:7] != "Layer b" {
		t.Errorf("notes %q", notes)
	}
	var all []multiplex.Edge
	for i := range 30 {
		for j := range i {
			all = append(all, multiplex.Edge{I: i, J: j, Weight: 1})
		}
	}
	if g.Layers[0].Adjacency, err = multiplex.FromEdges(30, all); err != nil {
		t.Fatal(err)
	}
	var bad *diag.Error
	if _, err := Hold(g, Share, 1, nil); !errors.As(err, &bad) || bad.Where != "layers" {
		t.Errorf("a graph without anything to tell apart: %v", err)
	}
	stop := errors.New("stop")
	if _, err := Hold(g, Share, 1, func(int) error { return stop }); err != stop {
		t.Errorf("pause was not heeded: %v", err)
	}
}

// brute is the chance that a link has a higher score than a pair of a kind, and the average precision, pair by pair and threshold by threshold.
func brute(pairs []Pair, score []float64, kind Kind) (auc, ap float64) {
	var links, others []float64
	for n, p := range pairs {
		switch p.Kind {
		case Link:
			links = append(links, score[n])
		case kind:
			others = append(others, score[n])
		}
	}
	for _, a := range links {
		hits, all := 0.0, 0.0
		for _, b := range others {
			switch {
			case a > b:
				auc += 1 / float64(len(links)*len(others))
			case a == b:
				auc += .5 / float64(len(links)*len(others))
			}
			if b >= a {
				all++
			}
		}
		for _, b := range links {
			if b >= a {
				hits++
				all++
			}
		}
		ap += hits / all / float64(len(links))
	}
	return auc, ap
}

// fitted is the cross-fitted probability of a link, by gradient descent in plain loops.
func fitted(h *Held, l int, x [][]float64) []float64 {
	n, k := float64(len(x)), len(x[0])
	for c := range k {
		mean, variance := 0.0, 0.0
		for i := range x {
			mean += x[i][c] / n
		}
		for i := range x {
			variance += (x[i][c] - mean) * (x[i][c] - mean) / n
		}
		for i := range x {
			x[i][c] = (x[i][c] - mean) / math.Sqrt(variance)
		}
	}
	logit := func(b, x []float64) float64 {
		z := b[0]
		for c, v := range x {
			z += b[c+1] * v
		}
		return 1 / (1 + math.Exp(-z))
	}
	p, second := make([]float64, len(x)), h.halves(l)
	for _, half := range []bool{false, true} {
		b := make([]float64, k+1)
		for range 200000 {
			g := make([]float64, k+1)
			for c := range k {
				g[c+1] = .1 * b[c+1]
			}
			for i := range x {
				if second[i] != half {
					continue
				}
				e := logit(b, x[i])
				if h.Pairs[l][i].Kind == Link {
					e--
				}
				g[0] += e
				for c, v := range x[i] {
					g[c+1] += e * v
				}
			}
			largest := 0.0
			for c, v := range g {
				b[c] -= v * 2 / n
				largest = max(largest, math.Abs(v))
			}
			if largest < 1e-11 {
				break
			}
		}
		for i := range x {
			if second[i] != half {
				p[i] = logit(b, x[i])
			}
		}
	}
	return p
}

// Scores are those of brute force, with many equal ones, too; the fit is that of gradient descent.
func TestScore(t *testing.T) {
	h := hold(t, layers(t, 4, 80, 300, 150), 3)
	for l := range h.Pairs {
		value := func(i, j, c int) float64 { return float64((7*i + 3*j + 11*c*(i+j)) % (5 + 4*c)) }
		s, err := h.Score(l, 2, func(dst []float64, i, j int) float64 {
			dst[0], dst[1] = value(i, j, 0), value(i, j, 1)
			return dst[0] - dst[1]
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var raw []float64
		var x [][]float64
		for _, p := range h.Pairs[l] {
			a, b := value(p.I, p.J, 0), value(p.I, p.J, 1)
			raw, x = append(raw, a-b), append(x, []float64{a, b, degreeTerm(h, l, p)})
		}
		p := fitted(h, l, x)
		var want Scores
		want[AUC], _ = brute(h.Pairs[l], raw, Uniform)
		want[AUCMatched], _ = brute(h.Pairs[l], raw, Matched)
		want[FittedAUC], want[FittedAP] = brute(h.Pairs[l], p, Uniform)
		want[FittedAUCMatched], _ = brute(h.Pairs[l], p, Matched)
		for i, v := range p {
			if h.Pairs[l][i].Kind != Link {
				v = 1 - v
			}
			want[FittedLoss] -= math.Log(v) / float64(len(p))
		}
		for c, v := range want {
			if math.Abs(s[c]-v) > 1e-8 {
				t.Errorf("layer %d: %s is %.10f, expected %.10f", l, Columns[c].Name, s[c], v)
			}
		}
	}
}

// degreeTerm counts the links that are left.
func degreeTerm(h *Held, l int, p Pair) float64 {
	var d [2]float64
	for e := range entries(h.Graph.Layers[l].Adjacency) {
		for end, i := range []int{p.I, p.J} {
			if e[0] == i && e[1] != i {
				d[end]++
			}
		}
	}
	return math.Log(d[0]+.3) + math.Log(d[1]+.3)
}

// Degrees alone score what their term scores as a feature, and fit what they fit beside a feature that says nothing.
func TestDegrees(t *testing.T) {
	h := hold(t, layers(t, 5, 80, 300), 3)
	alone, err := h.Score(0, 0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var term []float64
	for _, p := range h.Pairs[0] {
		term = append(term, degreeTerm(h, 0, p))
	}
	for c, kind := range map[int]Kind{AUC: Uniform, AUCMatched: Matched} {
		if want, _ := brute(h.Pairs[0], term, kind); math.Abs(alone[c]-want) > 1e-12 {
			t.Errorf("%s of degrees is %v, expected %v", Columns[c].Name, alone[c], want)
		}
	}
	constant, err := h.Score(0, 1, func(dst []float64, i, j int) float64 { dst[0] = .1; return dst[0] }, nil)
	if err != nil {
		t.Fatal(err)
	}
	if constant[AUC] != .5 || constant[AUCMatched] != .5 {
		t.Errorf("a constant scores %v", constant)
	}
	if !slices.Equal(constant[FittedAUC:], alone[FittedAUC:]) {
		t.Errorf("degrees beside a constant fit %v, alone %v", constant[FittedAUC:], alone[FittedAUC:])
	}
}

// Four links and eight pairs apart, by hand: the scores 4, 3, 3, 1 of links against 3, 2, 1, 0 of uniform and 5, 5, 2, 0 of matched pairs.
func TestByHand(t *testing.T) {
	var pairs []Pair
	score := []float64{4, 3, 3, 1, 3, 2, 1, 0, 5, 5, 2, 0}
	for n := range score {
		pairs = append(pairs, Pair{I: n, J: n + 1, Kind: Kind(n / 4)})
	}
	// 4 is above 4 of 4; 3 above 3 and equal to 1; 1 above 1 and equal to 1.
	auc, ap := ranked(pairs, score, Uniform)
	if want := (4 + 3.5 + 3.5 + 1.5) / 16; auc != want {
		t.Errorf("AUC %v, expected %v", auc, want)
	}
	// At the threshold 4 one of one is a link; at 3 three of four; at 1 four of seven.
	if want := .25*1 + .5*(3./4) + .25*(4./7); math.Abs(ap-want) > 1e-15 {
		t.Errorf("AP %v, expected %v", ap, want)
	}
	if auc, _ = ranked(pairs, score, Matched); auc != (2+2+2+1)/16. {
		t.Errorf("AUC against matched pairs %v, expected %v", auc, 7./16)
	}
}

// Each score has a column.
func TestColumns(t *testing.T) {
	if len(Columns) != count || !Columns[FittedLoss].Lower || Columns[FittedAUC].Name != "auc_fitted" {
		t.Errorf("columns %v", Columns)
	}
}

// Any rising function of a score leaves its AUC, and a scale or an offset of features leaves the fit.
func TestScale(t *testing.T) {
	h := hold(t, layers(t, 6, 80, 300), 3)
	score := func(f func(x float64) float64) Scores {
		s, err := h.Score(0, 1, func(dst []float64, i, j int) float64 {
			dst[0] = f(float64((5*i+9*j)%17) / 16)
			return dst[0]
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	plain := score(func(x float64) float64 { return x })
	if s := score(math.Exp); s[AUC] != plain[AUC] || s[AUCMatched] != plain[AUCMatched] {
		t.Errorf("AUC %v and %v, of exp(x) %v and %v", plain[AUC], plain[AUCMatched], s[AUC], s[AUCMatched])
	}
	for _, scale := range []float64{1e-30, 1024} {
		for c, v := range score(func(x float64) float64 { return scale * (x + 3) }) {
			if math.Abs(v-plain[c]) > 1e-9 {
				t.Errorf("%s of features times %g is %v, expected %v", Columns[c].Name, scale, v, plain[c])
			}
		}
	}
}

// A score that is not finite is refused, and the error names its nodes.
func TestScoreRefuses(t *testing.T) {
	h := hold(t, layers(t, 6, 80, 300), 3)
	for _, v := range []float64{math.NaN(), math.Inf(-1)} {
		var bad *diag.Error
		if _, err := h.Score(0, 1, func(dst []float64, i, j int) float64 { dst[0] = v; return 0 }, nil); !errors.As(err, &bad) {
			t.Errorf("%v: %v", v, err)
		}
	}
}

// The interval of equal values is a point; that of splits is wider than of independent values by what they share.
func TestInterval(t *testing.T) {
	values := []float64{.8, .84, .86, .9}
	c := Interval(values)
	sd := math.Sqrt((.05*.05 + .01*.01 + .01*.01 + .05*.05) / 3)
	if want := 3.182446 * sd * math.Sqrt(.25+.15/.85); math.Abs(c.High-c.Mean-want) > 1e-6 || math.Abs(c.Mean-.85) > 1e-12 {
		t.Errorf("%v to %v, expected .85 +- %v", c.Low, c.High, want)
	}
}

// The mean is that of each column.
func TestMean(t *testing.T) {
	if m := Mean([]Scores{{1, 2}, {3, 6}}); m != (Scores{2, 4}) {
		t.Errorf("mean %v", m)
	}
}
