package baseline

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// tangled draws layers of m nodes in three groups, common to all of them, with links of some weight, one of a node to itself, and a last
// node without any.
func tangled(t testing.TB, m, layers int, weighted bool) *multiplex.Graph {
	t.Helper()
	g := &multiplex.Graph{Name: "tangled"}
	for l := range layers {
		src := rng.New(uint64(m), fmt.Sprintf("test/tangled %d", l))
		edges := []multiplex.Edge{{I: 3, J: 3, Weight: 1}}
		for i := range m - 1 {
			for j := range i {
				p := .06
				if i%3 == j%3 {
					p = .35
				}
				if src.Float64() < p {
					w := 1.0
					if weighted {
						w = src.Uniform(.2, 3)
					}
					edges = append(edges, multiplex.Edge{I: i, J: j, Weight: w})
				}
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l + 1), Adjacency: a, Features: multiplex.Identity(m)})
	}
	return g
}

// hollow returns the sum of adjacency matrices without their diagonals, and its row sums, written out.
func hollow(g *multiplex.Graph) (*mat.Dense, []float64) {
	m := g.M()
	a, d := mat.NewDense(m, m, nil), make([]float64, m)
	for _, l := range g.Layers {
		a.Add(a, mat.NewDense(m, m, l.Adjacency.Dense()))
	}
	for i := range m {
		a.Set(i, i, 0)
		d[i] = mat.Sum(a.RowView(i))
	}
	return a, d
}

// ranked returns the k eigenpairs of a symmetric matrix that come first by an order.
func ranked(a *mat.Dense, k int, before func(x, y float64) bool) (values []float64, vectors *mat.Dense) {
	m, _ := a.Dims()
	s := mat.NewSymDense(m, nil)
	for i := range m {
		for j := range i + 1 {
			s.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(s, true) {
		panic("no eigenvalues")
	}
	all := eigen.Values(nil)
	var v mat.Dense
	eigen.VectorsTo(&v)
	order := make([]int, m)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		switch {
		case before(all[x], all[y]):
			return -1
		case before(all[y], all[x]):
			return 1
		}
		return 0
	})
	vectors = mat.NewDense(m, k, nil)
	for c, at := range order[:k] {
		values = append(values, all[at])
		vectors.SetCol(c, mat.Col(nil, at, &v))
	}
	return values, vectors
}

func byModulus(x, y float64) bool { return math.Abs(x) > math.Abs(y) }

// onTheUnion computes the embedding and the scores of links from the definitions with gonum.
func onTheUnion(name string, g *multiplex.Graph, k int) (y, scores *mat.Dense) {
	a, d := hollow(g)
	m := g.M()
	y, scores = mat.NewDense(m, k, nil), mat.NewDense(m, m, nil)
	values := make([]float64, k)
	var v *mat.Dense
	scale := func(i, k int) float64 { return 1 }
	root := func(i int) float64 { return 1 }
	sum, squares := 0.0, 0.0
	for _, x := range d {
		sum, squares = sum+x, squares+x*x
	}
	switch name {
	case "union":
		root = func(i int) float64 { return math.Sqrt(d[i] + sum/float64(m)) }
		a.Apply(func(i, j int, x float64) float64 { return x / root(i) / root(j) }, a)
		values, v = ranked(a, k, byModulus)
		scale = func(_, k int) float64 { return math.Sqrt(float64(m) * math.Abs(values[k])) }
	case "bethe":
		r2 := squares/sum - 1
		a.Apply(func(i, j int, x float64) float64 {
			x *= -math.Sqrt(r2)
			if i == j {
				x += r2 - 1 + d[i]
			}
			return x
		}, a)
		_, v = ranked(a, k, func(x, y float64) bool { return x < y })
		for c := range values {
			values[c] = 1
		}
		scale = func(int, int) float64 { return math.Sqrt(float64(m)) }
	case "netmf":
		p, q, x := mat.NewDense(m, m, nil), mat.NewDense(m, m, nil), mat.NewDense(m, m, nil)
		p.Apply(func(i, j int, x float64) float64 { return x / max(d[i], 1e-300) }, a)
		q.Copy(p)
		for range 5 {
			x.Add(x, q)
			var next mat.Dense
			next.Mul(p, q)
			q.Copy(&next)
		}
		x.Apply(func(i, j int, v float64) float64 {
			if d[j] == 0 {
				return 0
			}
			return math.Log(max(1, sum/5*v/d[j]))
		}, x)
		values, v = ranked(x, k, byModulus)
		scale = func(_, k int) float64 { return math.Sqrt(math.Abs(values[k])) }
	}
	for c := range k {
		for i := range m {
			y.Set(i, c, scale(i, c)*v.At(i, c))
			for j := range m {
				scores.Set(i, j, scores.At(i, j)+values[c]*v.At(i, c)*v.At(j, c)*root(i)*root(j))
			}
		}
	}
	return y, scores
}

// The embeddings of the union of all layers, and the scores of links that follow, are those of the definition written out, up to signs and
// a factor for the scores.
func TestUnionFromDefinitions(t *testing.T) {
	for _, c := range []struct {
		m        int
		weighted bool
	}{{40, false}, {61, true}, {190, true}} {
		g := tangled(t, c.m, 3, c.weighted)
		for name, set := range map[string]map[string]any{"union": {"dim": 5}, "bethe": {"dim": 3}, "netmf": {"dim": 5, "window": 5}} {
			run := trained(t, name, []*multiplex.Graph{g}, set)
			y := run.Embeddings(0)[0].X
			want, scores := onTheUnion(name, g, set["dim"].(int))
			to := make([]int, c.m)
			for i := range to {
				to[i] = i
			}
			if err := sameUpToSigns(want, y, to, 1e-8*math.Sqrt(float64(c.m))); err != nil {
				t.Errorf("%s, %d nodes: %v", name, c.m, err)
			}
			f, factor := affinity(run), 0.0
			for i := range c.m {
				for j := range c.m {
					got := f(1, i, j)
					if factor == 0 && scores.At(i, j) > 1e-3*mat.Max(scores) {
						factor = got / scores.At(i, j)
					}
					if math.Abs(got-factor*scores.At(i, j)) > 1e-7*factor*mat.Max(scores) {
						t.Fatalf("%s, %d nodes: the link of %d and %d has the score %v, expected %v", name, c.m, i, j, got, factor*scores.At(i, j))
					}
				}
			}
			if factor <= 0 {
				t.Errorf("%s: scores are %v times as high", name, factor)
			}
		}
	}
}

// Groups of nodes that hold in all layers are the negative eigenvalues of the Bethe Hessian, and the rows of all embeddings tell them apart.
func TestUnionSeparatesGroups(t *testing.T) {
	g := tangled(t, 61, 3, false)
	g.Layers = slices.Clone(g.Layers)
	for name, set := range map[string]map[string]any{"union": {"dim": 3}, "bethe": {"dim": 3}, "netmf": {"dim": 3, "window": 5}} {
		run := trained(t, name, []*multiplex.Graph{g}, set)
		r := run.Report()
		if groups, ok := r.Figure("groups"); ok != (name == "bethe") || ok && groups != 3 {
			t.Errorf("%s finds %v groups, expected 3", name, groups)
		}
		f := affinity(run)
		if wrong := outOfPlace(g.M()-1, 3, func(i, j int) float64 { return f(0, i, j) }); wrong > 0 {
			t.Errorf("%s: %d of %d nodes have higher scores with another group", name, wrong, g.M()-1)
		}
	}
	plain := trained(t, "union", []*multiplex.Graph{g}, map[string]any{"dim": 4, "row_length": "unit"})
	x := plain.Embeddings(0)[0].X
	for i := range g.M() - 1 {
		if norm := mat.Norm(x.RowView(i), 2); math.Abs(norm-1) > 1e-12 {
			t.Errorf("row %d has length %v", i, norm)
		}
	}
	for i := range 10 {
		whole := affinity(trained(t, "union", []*multiplex.Graph{g}, map[string]any{"dim": 4}))
		if got, want := affinity(plain)(0, i, i+3), whole(0, i, i+3); math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("with rows of unit length the link %d has the score %v, expected %v", i, got, want)
		}
	}
}

// outOfPlace counts the nodes whose mean score with nodes of another of some groups, the remainders of their numbers, is above that with their own.
func outOfPlace(m, groups int, f func(i, j int) float64) int {
	wrong := 0
	for i := range m {
		mean := make([]float64, groups)
		for j := range m {
			if i != j {
				mean[j%groups] += f(i, j)
			}
		}
		for k := range mean {
			if k != i%groups && mean[k] > mean[i%groups] {
				wrong++
				break
			}
		}
	}
	return wrong
}

// All negative eigenvalues of a small graph are counted, also of groups that are alike. For a large one the report says that not all were.
func TestBetheCountsUpTo(t *testing.T) {
	for _, cliques := range []int{70, 110} {
		var edges []multiplex.Edge
		for clique := range cliques {
			for i := range 5 {
				for j := range i {
					w := 1.0
					if cliques > 100 {
						w += float64(clique) / 50
					}
					edges = append(edges, multiplex.Edge{I: 5*clique + i, J: 5*clique + j, Weight: w})
				}
			}
		}
		a, err := multiplex.FromEdges(5*cliques, edges)
		if err != nil {
			t.Fatal(err)
		}
		layer := multiplex.Layer{Name: "cliques", Adjacency: a, Features: multiplex.Identity(5 * cliques)}
		r := trained(t, "bethe", []*multiplex.Graph{{Layers: []multiplex.Layer{layer, layer}}}, nil).Report()
		groups, _ := r.Figure("groups")
		more := strings.Contains(strings.Join(r.Notes, ""), "64 negative eigenvalues or more")
		if more != (cliques > 100) || !more && groups != float64(cliques) {
			t.Errorf("%d cliques: %v groups, %q", cliques, groups, r.Notes)
		}
		if parts := strings.Contains(strings.Join(r.Notes, ""), "make 110 separate parts"); parts != more {
			t.Errorf("%d cliques: %q", cliques, r.Notes)
		}
	}
}

// With as many eigenpairs as nodes the approximation is the matrix of walks, except for negative eigenvalues of the sum; and it is said which was used.
func TestNetMFByEigenpairs(t *testing.T) {
	g := tangled(t, 70, 2, true)
	exact := trained(t, "netmf", []*multiplex.Graph{g}, map[string]any{"dim": 3, "window": 6})
	near := trained(t, "netmf", []*multiplex.Graph{g}, map[string]any{"dim": 3, "window": 6, "exact": 10, "pairs": 70})
	for _, c := range []struct {
		run  train.Training
		says string
	}{{exact, "exactly"}, {near, "eigenpairs: there are 70 nodes, and more than 10"}} {
		r := c.run.Report()
		if notes := strings.Join(r.Notes, ""); !strings.Contains(notes, c.says) {
			t.Errorf("%q says nothing of %q", notes, c.says)
		}
	}
	a, d := hollow(g)
	m, vol := g.M(), mat.Sum(mat.NewVecDense(g.M(), d))
	a.Apply(func(i, j int, x float64) float64 { return x / math.Sqrt(max(d[i]*d[j], 1e-300)) }, a)
	w, v := ranked(a, m, func(x, y float64) bool { return x > y })
	r := mat.NewDense(m, m, nil)
	for k, x := range w {
		sum := 0.0
		for s := 1; s <= 6; s++ {
			sum += math.Pow(x, float64(s))
		}
		for i := range m {
			for j := range m {
				if d[i] > 0 && d[j] > 0 {
					r.Set(i, j, r.At(i, j)+max(sum, 0)*v.At(i, k)*v.At(j, k)/math.Sqrt(d[i]*d[j]))
				}
			}
		}
	}
	r.Apply(func(_, _ int, x float64) float64 { return math.Log(max(1, vol/6*x)) }, r)
	values, vectors := ranked(r, 3, byModulus)
	for k, x := range values {
		for i := range m {
			vectors.Set(i, k, math.Sqrt(math.Abs(x))*vectors.At(i, k))
		}
	}
	to := make([]int, m)
	for i := range to {
		to[i] = i
	}
	if err := sameUpToSigns(vectors, near.Embeddings(0)[0].X, to, 1e-8); err != nil {
		t.Error(err)
	}
}
