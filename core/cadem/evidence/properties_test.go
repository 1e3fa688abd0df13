package evidence_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"testing"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/multiplex"
)

// quick draws fewer permutations.
func quick() evidence.Options {
	o := evidence.Defaults()
	o.Permutations = 59
	return o
}

func find(t *testing.T, layers []*multiplex.CSR, draws evidence.Draws) *evidence.Result {
	t.Helper()
	r, err := evidence.Find(layers, quick(), draws, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func layersOf(graph []*multiplex.CSR) (layers []*evidence.Layer) {
	for _, a := range graph {
		layers = append(layers, evidence.NewLayer(a))
	}
	return layers
}

// products returns x x', which knows no signs.
func products(x evidence.Matrix) evidence.Matrix {
	p := evidence.NewMatrix(x.Rows, x.Rows)
	for i := range x.Rows {
		for j := range x.Rows {
			for k, v := range x.Row(i) {
				p.Data[i*x.Rows+j] += v * x.Row(j)[k]
			}
		}
	}
	return p
}

// same compares x, whose rows are in the order of to, with y.
func same(t *testing.T, what string, x, y evidence.Matrix, to []int) {
	t.Helper()
	if x.Cols != y.Cols {
		t.Errorf("%s: %d columns and %d", what, x.Cols, y.Cols)
		return
	}
	a, b := products(x), products(y)
	worst, size := 0.0, 1e-300
	for i := range x.Rows {
		for j := range x.Rows {
			worst = max(worst, math.Abs(a.Row(to[i])[to[j]]-b.Row(i)[j]))
			size = max(size, math.Abs(b.Row(i)[j]))
		}
	}
	if worst > 1e-7*size {
		t.Errorf("%s differs by %g of %g", what, worst, size)
	}
}

func identity(m int) []int {
	list := make([]int, m)
	for i := range list {
		list[i] = i
	}
	return list
}

// relabelled makes the draws of other layers whose node to[i] was node i, and whose layer at[l] was layer l.
type relabelled struct {
	evidence.Draws
	before   []*evidence.Layer
	after    []*evidence.Layer
	to, from []int
	at       []int // the original number of each layer
}

func (r *relabelled) Permutation(dst []int, layer, b int, _ []int) {
	old, q := r.at[layer], make([]int, len(dst))
	r.Draws.Permutation(q, old, b, evidence.Strata(r.before[old].Degrees, evidence.LeastStratum))
	for i, j := range q {
		dst[r.to[i]] = r.to[j]
	}
}

func (r *relabelled) Folds(layer, links, k int) []int {
	old := r.at[layer]
	of := map[[2]int]int{}
	for n, f := range r.Draws.Folds(old, links, k) {
		e := r.before[old].Links[n]
		i, j := r.to[e[0]], r.to[e[1]]
		of[[2]int{min(i, j), max(i, j)}] = f
	}
	folds := make([]int, links)
	for n, e := range r.after[layer].Links {
		folds[n] = of[e]
	}
	return folds
}

func (r *relabelled) NonLinks(fold, layer, n int, nodes []int, weight []float64) (pairs [][2]int) {
	byOld := map[int]float64{}
	for k, i := range nodes {
		byOld[r.from[i]] = weight[k]
	}
	var oldNodes []int
	var oldWeight []float64
	for i := range r.to {
		if w, ok := byOld[i]; ok {
			oldNodes, oldWeight = append(oldNodes, i), append(oldWeight, w)
		}
	}
	for _, e := range r.Draws.NonLinks(fold, r.at[layer], n, oldNodes, oldWeight) {
		i, j := r.to[e[0]], r.to[e[1]]
		pairs = append(pairs, [2]int{min(i, j), max(i, j)})
	}
	return pairs
}

// newRelabelled returns layers with their nodes renamed and in another order.
func newRelabelled(t *testing.T, layers []*multiplex.CSR, to, at []int) (out []*multiplex.CSR, r *relabelled) {
	t.Helper()
	r = &relabelled{Draws: evidence.Seeded(1), to: to, from: make([]int, len(to)), at: at}
	for i, j := range to {
		r.from[j] = i
	}
	r.before = layersOf(layers)
	for _, l := range at {
		var edges []multiplex.Edge
		for _, e := range r.before[l].Links {
			edges = append(edges, multiplex.Edge{I: to[e[0]], J: to[e[1]], Weight: 1})
		}
		a, err := multiplex.FromEdges(len(to), edges)
		if err != nil {
			t.Fatal(err)
		}
		out, r.after = append(out, a), append(r.after, evidence.NewLayer(a))
	}
	return out, r
}

// Names of nodes and the order of layers have no effect: S and P come renamed, and the results for layers come in their order.
func TestRelabelling(t *testing.T) {
	const m = 120
	layers, _, _ := planted(3, m, 3, 2, 14, .6, .95, 2)
	first := find(t, layers, evidence.Seeded(1))
	own := 0
	for _, p := range first.P {
		own += p.Cols
	}
	if first.Rank() == 0 || own == 0 {
		t.Fatalf("rank %d, %d private directions: nothing to compare", first.Rank(), own)
	}
	to := make([]int, m)
	rng.New(1, "names").Perm(to)
	for name, c := range map[string]struct{ to, at []int }{
		"nodes":  {to, identity(3)},
		"layers": {identity(m), []int{2, 0, 1}},
	} {
		others, draws := newRelabelled(t, layers, c.to, c.at)
		r := find(t, others, draws)
		same(t, name+": S", r.S, first.S, c.to)
		same(t, name+": the tail", r.T, first.T, c.to)
		for l, old := range c.at {
			same(t, fmt.Sprintf("%s: P of layer %d", name, l), r.P[l], first.P[old], c.to)
			if p := r.Trials[l].P; math.Abs(p-first.Trials[old].P) > 1e-9 || r.Trials[l].Passed != first.Trials[old].Passed {
				t.Errorf("%s: p of layer %d is %v, was %v", name, l, p, first.Trials[old].P)
			}
			if x, y := r.Probability(l, c.to[3], c.to[40]), first.Probability(old, 3, 40); math.Abs(x-y) > 1e-7 {
				t.Errorf("%s: a link of layer %d has probability %v, had %v", name, l, x, y)
			}
		}
	}
}

// The order in which links are listed has no effect, nor do weights, loops and directions.
func TestLinkOrder(t *testing.T) {
	layers, _, _ := planted(4, 90, 2, 2, 8, .8, .95, 2)
	first := find(t, layers, evidence.Seeded(2))
	draw := rng.New(5, "order")
	var others []*multiplex.CSR
	for _, a := range layers {
		links := evidence.NewLayer(a).Links
		order := make([]int, len(links))
		draw.Perm(order)
		var edges []multiplex.Edge
		for _, n := range order {
			edges = append(edges, multiplex.Edge{I: links[n][1], J: links[n][0], Weight: 1 + draw.Float64()})
		}
		b, err := multiplex.FromEdges(90, append(edges, multiplex.Edge{I: 7, J: 7, Weight: 1}))
		if err != nil {
			t.Fatal(err)
		}
		others = append(others, b)
	}
	r := find(t, others, evidence.Seeded(2))
	if !slices.Equal(r.S.Data, first.S.Data) || first.Rank() == 0 {
		t.Error("S is another one, or empty")
	}
}

// Where layers have nothing in common, S is mostly empty.
func TestNothingShared(t *testing.T) {
	const draws = 25
	found := 0
	for seed := range uint64(draws) {
		graph, _, _ := planted(100+seed, 100, 3, 3, 6, 0, .95, 0)
		layers := layersOf(graph)
		sources, err := evidence.Sources(layers, 25, nil)
		if err != nil {
			t.Fatal(err)
		}
		var trials []*evidence.Trial
		for l := range layers {
			trial, err := evidence.Try(layers, l, sources[l], quick(), evidence.Seeded(seed), nil)
			if err != nil {
				t.Fatal(err)
			}
			trials = append(trials, trial)
		}
		for _, choices := range evidence.Gate(trials, quick()) {
			if len(choices) > 0 {
				found++
				break
			}
		}
	}
	if found > 4 { // 1.25 are expected
		t.Errorf("something is shared in %d draws of %d", found, draws)
	}
}

// Nodes without a link have nothing.
func TestIsolated(t *testing.T) {
	whole, _, _ := planted(3, 120, 2, 2, 14, .6, .95, 2)
	var layers []*multiplex.CSR
	for _, a := range whole {
		var edges []multiplex.Edge
		for _, e := range evidence.NewLayer(a).Links {
			if e[0] != 5 && e[1] != 5 {
				edges = append(edges, multiplex.Edge{I: e[0], J: e[1], Weight: 1})
			}
		}
		a, err := multiplex.FromEdges(120, edges)
		if err != nil {
			t.Fatal(err)
		}
		layers = append(layers, a)
	}
	r := find(t, layers, evidence.Seeded(1))
	if r.Rank() == 0 {
		t.Fatal("nothing is shared")
	}
	for what, x := range map[string]evidence.Matrix{"S": r.S, "the tail": r.T, "P 0": r.P[0], "P 1": r.P[1]} {
		for _, v := range x.Row(5) {
			if math.Abs(v) > 1e-12 {
				t.Errorf("%s has %g", what, v)
			}
		}
	}
}

// Stopping early changes no decision, and saves permutations.
func TestPatience(t *testing.T) {
	graph, _, _ := planted(8, 100, 3, 3, 8, .7, .95, 2)
	layers := layersOf(graph)
	sources, err := evidence.Sources(layers, 25, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := evidence.Options{Permutations: 199}
	passed, drawn := map[int][]bool{}, map[int]int{}
	for _, o.Patience = range []int{0, 10} {
		var trials []*evidence.Trial
		for l := range layers {
			trial, err := evidence.Try(layers, l, sources[l], o, evidence.Seeded(1), nil)
			if err != nil {
				t.Fatal(err)
			}
			trials = append(trials, trial)
			drawn[o.Patience] += len(trial.Permuted)
		}
		evidence.Gate(trials, o)
		for _, trial := range trials {
			passed[o.Patience] = append(passed[o.Patience], trial.Passed)
		}
	}
	if !slices.Equal(passed[0], passed[10]) || !slices.Equal(passed[0], []bool{true, true, false}) {
		t.Errorf("layers pass: %v", passed)
	}
	if drawn[0] != 3*199 || drawn[10] >= drawn[0] || drawn[10] <= 2*199 {
		t.Errorf("permutations: %v", drawn)
	}
}

// Layers of few nodes, few links or all of them are split, or found empty, without a number that is none.
func TestSparsest(t *testing.T) {
	star, path, all := []multiplex.Edge{}, []multiplex.Edge{}, []multiplex.Edge{}
	for i := range 40 {
		star, path = append(star, multiplex.Edge{I: 0, J: i, Weight: 1}), append(path, multiplex.Edge{I: i, J: (i + 1) % 40, Weight: 1})
		for j := range i {
			all = append(all, multiplex.Edge{I: i, J: j, Weight: 1})
		}
	}
	for name, c := range map[string]struct {
		m     int
		edges [][]multiplex.Edge
	}{
		"no links":          {40, [][]multiplex.Edge{path, {}}},
		"no links at all":   {40, [][]multiplex.Edge{{}, {}, {}}},
		"one link":          {40, [][]multiplex.Edge{path, path[:1], path}},
		"two links":         {40, [][]multiplex.Edge{path, path[:2], star}},
		"four links":        {40, [][]multiplex.Edge{star, path[:4], star[:5]}},
		"everything":        {40, [][]multiplex.Edge{all, all}},
		"everything and no": {40, [][]multiplex.Edge{all, path, all[:300]}},
		"twice":             {40, [][]multiplex.Edge{path, path}},
		"two nodes":         {2, [][]multiplex.Edge{path[:1], path[:1]}},
		"one node":          {1, [][]multiplex.Edge{{}, {}}},
		"nine nodes":        {9, [][]multiplex.Edge{path[:8], star[:9], path[:8]}},
	} {
		var layers []*multiplex.CSR
		for _, e := range c.edges {
			a, err := multiplex.FromEdges(c.m, e)
			if err != nil {
				t.Fatal(err)
			}
			layers = append(layers, a)
		}
		r := find(t, layers, evidence.Seeded(1))
		numbers := slices.Concat(r.S.Data, r.T.Data, r.W, r.TailW)
		for l := range layers {
			numbers = append(slices.Concat(numbers, r.P[l].Data, r.Own[l].Oblique.Data, r.Own[l].Strength.Z), r.Trials[l].P, r.Probability(l, 0, c.m-1))
		}
		for _, v := range numbers {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: %v", name, v)
				break
			}
		}
		if len(c.edges[1]) == 0 && r.Rank() != 0 {
			t.Errorf("%s: rank %d", name, r.Rank())
		}
	}
}

// explained returns the share of x's squares that lies between the means of groups.
func explained(x evidence.Matrix, groups []int) float64 {
	sum, count, total := map[int][]float64{}, map[int]float64{}, 0.0
	for i, g := range groups {
		if sum[g] == nil {
			sum[g] = make([]float64, x.Cols)
		}
		count[g]++
		for k, v := range x.Row(i) {
			sum[g][k] += v
			total += v * v
		}
	}
	between := 0.0
	for g, row := range sum {
		for _, v := range row {
			between += v * v / count[g]
		}
	}
	return between / total
}

// S knows the groups that layers share and not their own, and P the layer's own alone, though links are drawn from both and half of
// each layer's are of either kind.
func TestPlanted(t *testing.T) {
	layers, shared, own := planted(3, 300, 3, 3, 24, .5, .95, 3)
	r := find(t, layers, evidence.Seeded(1))
	if r.Rank() != 2 || explained(r.S, shared) < .8 {
		t.Errorf("rank %d, shared groups explain %.2f of S", r.Rank(), explained(r.S, shared))
	}
	for l, of := range own {
		if p := r.P[l]; p.Cols != 2 || explained(p, of) < .6 || explained(p, shared) > .05 || explained(r.S, of) > .05 {
			t.Errorf("layer %d: P has %d columns, of which its own groups explain %.2f and shared ones %.2f; its own explain %.2f of S", l, p.Cols,
				explained(p, of), explained(p, shared), explained(r.S, of))
		}
	}
}

// Links that are there are more probable than others, also those that the split has not seen.
func TestProbability(t *testing.T) {
	whole, _, _ := planted(5, 200, 2, 4, 24, .6, .95, 2)
	draw := rng.New(9, "held out")
	var layers []*multiplex.CSR
	held := make([][][2]int, 2)
	for l, a := range layersOf(whole) {
		var edges []multiplex.Edge
		for _, e := range a.Links {
			if draw.Float64() < .15 {
				held[l] = append(held[l], e)
			} else {
				edges = append(edges, multiplex.Edge{I: e[0], J: e[1], Weight: 1})
			}
		}
		a, err := multiplex.FromEdges(200, edges)
		if err != nil {
			t.Fatal(err)
		}
		layers = append(layers, a)
	}
	r := find(t, layers, evidence.Seeded(1))
	for l := range layers {
		won, of := 0.0, 0.0
		for _, e := range held[l] {
			for range 20 {
				i, j := draw.IntN(200), draw.IntN(200)
				if i != j {
					of++
					if r.Probability(l, e[0], e[1]) > r.Probability(l, i, j) {
						won++
					}
				}
			}
			if x, y := r.Probability(l, e[0], e[1]), r.Probability(l, e[1], e[0]); x != y || x <= 0 || x >= 1 {
				t.Errorf("probabilities %v and %v", x, y)
			}
		}
		if auc := won / of; auc < .7 {
			t.Errorf("layer %d: links held out are above others in %.2f of the cases", l, auc)
		}
	}
}

// A layer that is there twice is shared.
func TestTwice(t *testing.T) {
	layers, _, _ := planted(2, 120, 1, 3, 10, 0, .95, 0)
	if r := find(t, []*multiplex.CSR{layers[0], layers[0]}, evidence.Seeded(1)); r.Rank() < 2 || !r.Trials[0].Passed {
		t.Errorf("rank %d, passed %t", r.Rank(), r.Trials[0].Passed)
	}
}

// Yield is called with progress, and its error ends the split at any point.
func TestYield(t *testing.T) {
	layers, _, _ := planted(3, 100, 3, 2, 10, .6, .95, 2)
	last, calls := 0, 0
	_, err := evidence.Find(layers, quick(), evidence.Seeded(1), func(done, total int) error {
		if done < last || done > total {
			t.Fatalf("%d of %d after %d", done, total, last)
		}
		last = done
		calls++
		return nil
	})
	if err != nil || calls < 20 {
		t.Fatalf("%d calls, error %v", calls, err)
	}
	stop := errors.New("stop")
	for part := range 8 {
		left := 1 + part*(calls-1)/7
		_, err := evidence.Find(layers, quick(), evidence.Seeded(1), func(int, int) error {
			left--
			if left <= 0 {
				return stop
			}
			return nil
		})
		if !errors.Is(err, stop) || left != 0 {
			t.Errorf("part %d: error %v, %d calls left", part, err, left)
		}
	}
}

// Draws of a seed: permutations stay in strata, folds are equal and never take all, and non-links join nodes that were named.
func TestSeeded(t *testing.T) {
	draws, strata := evidence.Seeded(3), []int{0, 1, 0, 1, 1, 0, 2}
	moved, q := 0, make([]int, len(strata))
	for b := range 20 {
		draws.Permutation(q, 0, b, strata)
		met := map[int]bool{}
		for i, j := range q {
			met[j] = true
			if strata[i] != strata[j] {
				t.Errorf("permutation %v leaves the strata %v", q, strata)
			}
			if i != j {
				moved++
			}
		}
		if len(met) != len(q) {
			t.Errorf("%v is no permutation", q)
		}
	}
	if moved < 40 {
		t.Errorf("20 permutations move %d nodes", moved)
	}
	for links := range 14 {
		count := map[int]int{}
		for _, f := range draws.Folds(1, links, 5) {
			count[f]++
		}
		for f, n := range count {
			if f >= 0 && (n == links || n > (links+4)/5) {
				t.Errorf("fold %d has %d links of %d", f, n, links)
			}
		}
	}
	heavy := 0
	pairs := draws.NonLinks(0, 0, 500, []int{2, 5, 6}, []float64{1, 8, 1})
	for k, e := range pairs {
		if e[0] > e[1] || e[0] < 2 || e[1] > 6 {
			t.Errorf("pair %v", e)
		}
		for _, i := range e {
			if i == 5 && k >= 1000 {
				heavy++
			}
		}
	}
	if len(pairs) != 2000 || heavy < 1500 || heavy > 1700 {
		t.Errorf("%d pairs; a node of weight .8 comes %d times in 2000", len(pairs), heavy)
	}
}

// A plan names directions by their rank: those of the second rank are not those of the first.
func TestRanks(t *testing.T) {
	graph, _, _ := planted(3, 120, 2, 3, 14, .9, .95, 2)
	layers := layersOf(graph)
	sources, err := evidence.Sources(layers, 30, nil)
	if err != nil {
		t.Fatal(err)
	}
	var u []evidence.Matrix
	for _, ranks := range [][]int{{0}, {1}, {0, 1}} {
		b, err := evidence.NewBasis(layers, [][]evidence.Choice{{{Source: 1, Size: 4, Ranks: ranks}}, nil}, 30,
			func(l, _ int) (evidence.Matrix, error) { return sources[l][0].F, nil }, nil)
		if err != nil {
			t.Fatal(err)
		}
		if b.V.Cols != len(ranks) {
			t.Errorf("ranks %v: %d directions", ranks, b.V.Cols)
		}
		u = append(u, b.U[0])
	}
	dot := func(x, y evidence.Matrix) (sum float64) { // |x'y|^2
		for i := range x.Cols {
			for j := range y.Cols {
				s := 0.0
				for r := range x.Rows {
					s += x.Row(r)[i] * y.Row(r)[j]
				}
				sum += s * s
			}
		}
		return sum
	}
	if dot(u[0], u[1]) > .5 || dot(u[0], u[2]) < 1-1e-9 || dot(u[1], u[2]) < 1-1e-9 {
		t.Errorf("overlaps %v, %v, %v", dot(u[0], u[1]), dot(u[0], u[2]), dot(u[1], u[2]))
	}
}

// partial returns signs that agree with others so far that their cosine is as given.
func partial(draw *rng.Stream, signs []float64, cosine float64) []float64 {
	out, flipped := slices.Clone(signs), make([]int, int(float64(len(signs))*(1-cosine)/2))
	draw.Sample(flipped, len(signs))
	for _, i := range flipped {
		out[i] = -out[i]
	}
	return out
}

// In strong layers the directions that were validated are taken, which need not be those of largest modulus: half a direction that the layer
// hardly has may show more than one that it has.
func TestValidated(t *testing.T) {
	draw := rng.New(6, "validated")
	const m = 400
	y, z := make([]float64, m), make([]float64, m)
	for i := range m {
		y[i], z[i] = float64(i%2*2-1), float64(i/2%2*2-1)
	}
	dense := func(y, z []float64, a, b float64) *evidence.Layer {
		var edges []multiplex.Edge
		for i := range m {
			for j := range i {
				if draw.Float64() < .5+a*y[i]*y[j]+b*z[i]*z[j] {
					edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
				}
			}
		}
		graph, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		return evidence.NewLayer(graph)
	}
	layers := []*evidence.Layer{dense(y, z, .33, .16), dense(partial(draw, y, .45), partial(draw, z, .57), .25, .24)}
	sources, err := evidence.Sources(layers, 8, nil)
	if err != nil {
		t.Fatal(err)
	}
	for validated, want := range map[bool][]int{false: {0}, true: {1}} {
		o := evidence.Options{Functions: 8, Permutations: 59, Validated: validated}
		trial, err := evidence.Try(layers, 0, sources[0], o, evidence.Seeded(1), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := trial.Choices[0].Ranks; !trial.Strong || !slices.Equal(got, want) {
			t.Errorf("validated %t: strong %t, directions %v, expected %v; %v", validated, trial.Strong, got, want, trial.Levels[0])
		}
	}
}

// The bits are the same on every machine with any kernels, also for many nodes, when much is done in single precision.
func TestHash(t *testing.T) {
	few := evidence.Options{Permutations: 19, Functions: 4, Folds: 2, Private: 3, Tail: 4, Patience: 10, Validated: true}
	for _, c := range []struct {
		m, n int
		o    evidence.Options
		hash uint64
	}{{260, 3, quick(), 0x1e9dc598e732b34}, {linalg.Large + 104, 2, few, 0x1f388ef576226edc}} {
		layers, groups, _ := planted(7, c.m, c.n, 3, 8, .6, .95, 2)
		for _, vectors := range []bool{true, false} {
			before := kernel.UseVectors(vectors)
			r, err := evidence.Find(layers, c.o, evidence.Seeded(5), nil)
			kernel.UseVectors(before)
			if err != nil {
				t.Fatal(err)
			}
			if explained(r.S, groups) < .6 {
				t.Errorf("%d nodes: rank %d, groups explain %v of S", c.m, r.Rank(), explained(r.S, groups))
			}
			h := fnv.New64a()
			numbers := slices.Concat(r.S.Data, r.T.Data, r.W, r.TailW)
			for l := range layers {
				numbers = append(slices.Concat(numbers, r.P[l].Data, r.Own[l].Oblique.Data), r.Trials[l].P, r.Probability(l, 3, 200))
			}
			if _, err := h.Write(kernel.AppendBytes(nil, numbers)); err != nil {
				t.Fatal(err)
			}
			if got := h.Sum64(); got != c.hash {
				t.Errorf("%d nodes, vectors %t: hash %#x, expected %#x", c.m, vectors, got, c.hash)
			}
		}
	}
}
