package multiplex

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/rng"
)

func Example() {
	friends, _ := FromEdges(3, []Edge{{0, 1, 1}, {1, 2, 1}})
	work, _ := FromEdges(3, []Edge{{0, 2, 1}})
	g := &Graph{Layers: []Layer{{"friends", friends, Identity(3)}, {"work", work, Identity(3)}}}
	fmt.Println(g.Check(), g.M(), g.N(), g.F())
	fmt.Printf("%+v\n", g.Layers[1].Summary())
	// Output:
	// <nil> 3 2 3
	// {Name:work Edges:1 SelfLoops:0 Isolated:1 MaxDegree:1 Weighted:false}
}

func TestFromEdges(t *testing.T) {
	a, err := FromEdges(4, []Edge{{2, 1, .5}, {1, 2, 2}, {0, 0, 3}, {3, 1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	// 1-2 came twice, the larger weight counts; 3-1 has none.
	if !slices.Equal(a.Index, []int32{0, 2, 1}) || !slices.Equal(a.Value, []float64{3, 2, 2}) {
		t.Errorf("columns %v, values %v", a.Index, a.Value)
	}
	if b, _ := FromEdges(2, []Edge{{0, 1, 1}}); b.Value != nil {
		t.Error("a layer of ones keeps values")
	}
	for _, e := range []Edge{{0, 4, 1}, {-1, 0, 1}, {0, 1, -1}, {0, 1, math.NaN()}, {0, 1, math.Inf(1)}} {
		if _, err := FromEdges(4, []Edge{e}); err == nil {
			t.Errorf("%v passed", e)
		}
	}
}

func TestNewCSRRefusesWhatWouldBeReadOutside(t *testing.T) {
	for _, c := range []struct {
		start, index []int32
		value        []float64
	}{
		{[]int32{0, 1}, []int32{0}, nil}, {[]int32{0, 2, 1}, []int32{0}, nil}, {[]int32{0, 1, 2}, []int32{0, 3}, nil}, {[]int32{0, 2, 2}, []int32{1, 1}, nil},
		{[]int32{0, 2, 2}, []int32{1, 0}, nil}, {[]int32{0, 1, 2}, []int32{0, -1}, nil}, {[]int32{0, 1, 2}, []int32{0, 1}, []float64{1}},
		{[]int32{0, 1, 2}, []int32{0, 1}, []float64{1, math.NaN()}},
	} {
		if _, err := NewCSR(2, 2, c.start, c.index, c.value); err == nil {
			t.Errorf("%+v passed", c)
		}
	}
	if _, err := NewCSR(2, 2, []int32{0, 1, 2}, []int32{1, 0}, nil); err != nil {
		t.Error(err)
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	layer := func(m int, edges ...Edge) Layer {
		a, err := FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		return Layer{"x", a, Identity(m)}
	}
	lopsided, _ := NewCSR(2, 2, []int32{0, 1, 1}, []int32{1}, nil)
	ok := layer(2, Edge{0, 1, 1})
	for want, g := range map[string]*Graph{
		"layers: found 1":       {Layers: []Layer{ok}},
		"nodes: found 1":        {Layers: []Layer{layer(1, Edge{0, 0, 1}), layer(1, Edge{0, 0, 1})}},
		"no edges":              {Layers: []Layer{ok, layer(2)}},
		"3 x 3":                 {Layers: []Layer{ok, layer(3, Edge{0, 1, 1})}},
		"node 1 that add up to": {Layers: []Layer{ok, layer(2, Edge{0, 1, 1e308}, Edge{1, 1, 1e308})}},
		"not symmetric":         {Layers: []Layer{ok, {"y", lopsided, Identity(2)}}},
		"2 x 1 feature matrix":  {Layers: []Layer{ok, {"y", ok.Adjacency, &Features{Rows: 2, Cols: 1, Dense: make([]float64, 2)}}}},
		"1 labels":              {Layers: []Layer{ok, ok}, Labels: []LabelSet{{Name: "l", Classes: []string{"a"}, Of: []int{0}}}},
		"class 1 for node 1":    {Layers: []Layer{ok, ok}, Labels: []LabelSet{{Name: "l", Classes: []string{"a"}, Of: []int{0, 1}}}},
		"node names: found 1, ": {Layers: []Layer{ok, ok}, Nodes: []string{"a"}},
	} {
		var e *diag.Error
		if err := g.Check(); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// random returns a layer of m nodes, some isolated, with weights or without.
func random(t *testing.T, m int, density float64, weights bool, src *rng.Stream) *CSR {
	var edges []Edge
	for i := range m - 2 { // the last two are isolated
		for j := range i + 1 {
			if src.Float64() < density {
				w := 1.0
				if weights {
					w = src.Uniform(.1, 3)
				}
				edges = append(edges, Edge{i, j, w})
			}
		}
	}
	a, err := FromEdges(m, edges)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func expand(a *CSR) [][]float64 {
	x := make([][]float64, a.Rows)
	for i := range x {
		x[i] = make([]float64, a.Cols)
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			x[i][a.Index[k]] = a.at(int(k))
		}
	}
	return x
}

func TestPropagationMatrixFromItsDefinition(t *testing.T) {
	src := rng.New(1, "propagation")
	for _, kind := range []Kind{Twice, Kipf} {
		a := random(t, 12, .3, true, src)
		want := expand(a)
		passes := 2
		if kind == Kipf {
			passes = 1
			for i := range want {
				want[i][i]++
			}
		}
		for range passes {
			deg := make([]float64, len(want))
			for i, row := range want {
				for _, v := range row {
					deg[i] += v
				}
			}
			for i, row := range want {
				for j := range row {
					if row[j] != 0 {
						row[j] /= math.Sqrt(deg[i] * deg[j])
					}
				}
			}
		}
		got := expand(NewPropagator(a, kind).Matrix())
		for i := range want {
			for j := range want {
				if math.Abs(got[i][j]-want[i][j]) > 1e-12 {
					t.Fatalf("kind %d: entry %d,%d is %v, want %v", kind, i, j, got[i][j], want[i][j])
				}
			}
		}
	}
}

// A planTrial is a layer of m nodes and features on them.
type planTrial struct {
	m        int
	density  float64
	x        *Features
	weighted bool
}

// planTrials returns features of every form on layers from thin to nearly full, without weights and with them.
func planTrials(t *testing.T, src *rng.Stream) (list []planTrial) {
	t.Helper()
	sparse := func(m, f int, density float64) *Features {
		s := &CSR{Rows: m, Cols: f, Start: []int32{0}}
		for range m {
			for j := range f {
				if src.Float64() < density {
					s.Index, s.Value = append(s.Index, int32(j)), append(s.Value, src.Norm())
				}
			}
			s.Start = append(s.Start, int32(len(s.Index)))
		}
		return SparseFeatures(s)
	}
	dense := func(m, f int) *Features {
		q, err := DenseFeatures(m, f, normal(src, m*f))
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	// One feature a node, of no other, in another order than the nodes.
	turned := &CSR{Rows: 30, Cols: 30, Start: []int32{0}}
	for i := range 30 {
		turned.Index, turned.Start = append(turned.Index, int32(i*7%30)), append(turned.Start, int32(i+1))
	}
	for _, c := range []planTrial{
		{30, .05, Identity(30), false}, {30, .9, Identity(30), false}, {30, .3, dense(30, 4), false}, {40, .05, sparse(40, 50, .02), false},
		{60, .12, sparse(60, 80, .12), false}, {60, .8, sparse(60, 10, .5), false}, {30, .2, Identity(30).Masked(func(i, _ int) bool { return i%3 != 0 }), false},
		{50, .97, sparse(50, 30, .5), false}, {30, .2, SparseFeatures(turned), false},
	} {
		list = append(list, c)
		c.weighted = true
		list = append(list, c)
	}
	return list
}

func normal(src *rng.Stream, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = src.Norm()
	}
	return x
}

// rows returns the features as rows of numbers.
func (c *planTrial) rows() [][]float64 {
	x := make([][]float64, c.m)
	for i := range x {
		x[i] = make([]float64, c.x.Cols)
		switch {
		case c.x.Dense != nil:
			copy(x[i], c.x.Dense[i*c.x.Cols:])
		case c.x.Sparse != nil:
			copy(x[i], expand(c.x.Sparse)[i])
		default:
			x[i][i] = 1
		}
	}
	return x
}

// definition returns Z from its definition, the columns of B X that live features have, and
// these features. The others must be 0 everywhere.
func (c *planTrial) definition(t *testing.T, b *Propagator) (z []float64, features []int32) {
	t.Helper()
	live := make([]bool, c.x.Cols)
	LiveFeatures(live, b, c.x)
	for j, ok := range live {
		if ok {
			features = append(features, int32(j))
		}
	}
	x := c.rows()
	z = make([]float64, c.m*len(features))
	for i, row := range expand(b.Matrix()) {
		for n, f := range features {
			for j, v := range row {
				z[i*len(features)+n] += v * x[j][f]
			}
		}
		for f, ok := range live {
			for j, v := range row {
				if !ok && v*x[j][f] != 0 {
					t.Fatalf("feature %d is called dead and is not", f)
				}
			}
		}
	}
	return z, features
}

// In every form of Z, its products are those of B X.
func TestPlansAgree(t *testing.T) {
	src := rng.New(2, "plans")
	plans := map[Plan]bool{}
	for _, c := range planTrials(t, src) {
		b := NewPropagator(random(t, c.m, c.density, c.weighted, src), Twice)
		z, features := c.definition(t, b)
		p := NewPropagation[float64](b, c.x, features, 3)
		if c.x.Sparse != nil && (b.whole(c.x.Sparse) != nil) != (c.density > .95 && !c.weighted) {
			t.Errorf("of density %v", c.density)
		}
		plans[p.Plan] = true
		whole := b.Product(c.x)
		for i := range c.m {
			for n, j := range features {
				near(t, p, "B X", whole[i*c.x.Cols+int(j)], z[i*len(features)+n])
			}
		}
		checkProducts(t, p, z, c.m, len(features), src)
		checkSums(t, p, z, c.m, len(features))
	}
	for _, p := range []Plan{SparseZ, DenseZ, TwoStage} {
		if !plans[p] {
			t.Errorf("no case was kept %v", p)
		}
	}
}

func near(t *testing.T, p any, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
		t.Fatalf("%v, %s: %v, want %v", p, what, got, want)
	}
}

// checkProducts compares Z u and Z'y with those of z, which is m x f.
func checkProducts(t *testing.T, p *Propagation[float64], z []float64, m, f int, src *rng.Stream) {
	t.Helper()
	const d = 3
	u, y := normal(src, f*d), normal(src, m*d)
	zu, zy := make([]float64, m*d), make([]float64, f*d)
	p.Mul(zu, u, d)
	p.MulTrans(zy, y, d)
	for k := range d {
		for i := range m {
			want := 0.0
			for n := range f {
				want += z[i*f+n] * u[n*d+k]
			}
			near(t, p, "Z u", zu[i*d+k], want)
		}
		for n := range f {
			want := 0.0
			for i := range m {
				want += z[i*f+n] * y[i*d+k]
			}
			near(t, p, "Z'y", zy[n*d+k], want)
		}
	}
}

// checkSums compares sums over nodes and Z'Z with those of z, which is m x f.
func checkSums(t *testing.T, p *Propagation[float64], z []float64, m, f int) {
	t.Helper()
	gram, pooled, all := make([]float64, f*f), make([]float64, f), make([]float64, f)
	gram[0] = 1 // Gram sets, it does not add
	p.Gram(gram)
	nodes := []int{1, 4, 5, 17}
	p.Pool(pooled, nodes)
	p.Pool(all, nil)
	for n := range f {
		want, total := 0.0, 0.0
		for _, i := range nodes {
			want += z[i*f+n]
		}
		for i := range m {
			total += z[i*f+n]
		}
		near(t, p, "pooled", pooled[n], want)
		near(t, p, "pooled over all", all[n], total)
		for q := range f {
			want := 0.0
			for i := range m {
				want += z[i*f+n] * z[i*f+q]
			}
			near(t, p, "Z'Z", gram[n*f+q], want)
		}
	}
}

func TestRowNormalized(t *testing.T) {
	x, _ := DenseFeatures(3, 2, []float64{1, 3, 0, 0, 2, 2})
	if got := x.RowNormalized().Dense; !slices.Equal(got, []float64{.25, .75, 0, 0, .5, .5}) {
		t.Errorf("dense: %v", got)
	}
	s, _ := NewCSR(2, 3, []int32{0, 2, 2}, []int32{0, 2}, nil)
	if got := SparseFeatures(s).RowNormalized().Sparse.Value; !slices.Equal(got, []float64{.5, .5}) {
		t.Errorf("sparse: %v", got)
	}
	if id := Identity(3); id.RowNormalized() != id {
		t.Error("the identity did not stay itself")
	}
}

func TestMissingLabels(t *testing.T) {
	s := LabelSet{Name: "l", Classes: []string{"a", "b"}, Of: []int{0, Missing, 1, 1}}
	counts, missing := s.Counts()
	if !slices.Equal(counts, []int{1, 2}) || missing != 1 {
		t.Errorf("%v, %d missing", counts, missing)
	}
	for label, want := range map[string]bool{"": true, " NA ": true, "nan": true, "?": true, "0": false, "Nadia": false} {
		if IsMissing(label) != want {
			t.Errorf("IsMissing(%q) is not %v", label, want)
		}
	}
}

// Blocks of columns, the last of them of an odd number, fit together.
func TestGramOfManyColumns(t *testing.T) {
	src := rng.New(3, "gram")
	const m, f = 70, 517
	x := make([]float64, m*f)
	for i := range x {
		x[i] = src.Norm()
	}
	q, err := DenseFeatures(m, f, x)
	if err != nil {
		t.Fatal(err)
	}
	features := make([]int32, f)
	for j := range features {
		features[j] = int32(j)
	}
	p := NewPropagation[float64](NewPropagator(random(t, m, .2, true, src), Twice), q, features, 1)
	gram, want, row := make([]float64, f*f), make([]float64, f*f), make([]float64, f)
	p.Gram(gram)
	for i := range m {
		p.Row(row, i)
		for j, a := range row {
			for k, b := range row {
				want[j*f+k] += float64(a * b)
			}
		}
	}
	for k := range want {
		if math.Abs(gram[k]-want[k]) > 1e-12 {
			t.Fatalf("entry %d, %d is %v, want %v", k/f, k%f, gram[k], want[k])
		}
	}
}

// Links in one direction only are left out, and the smaller of two weights is kept.
func TestMutual(t *testing.T) {
	a, err := NewCSR(4, 4, []int32{0, 2, 4, 6, 6}, []int32{1, 2, 0, 3, 0, 2}, []float64{3, 5, 2, 1, 4, 7})
	if err != nil {
		t.Fatal(err)
	}
	m := a.Mutual()
	if !slices.Equal(m.Start, []int32{0, 2, 3, 5, 5}) || !slices.Equal(m.Index, []int32{1, 2, 0, 0, 2}) || !slices.Equal(m.Value, []float64{2, 4, 2, 4, 7}) {
		t.Errorf("%+v", m)
	}
	if m.Mutual() != m {
		t.Error("a symmetric matrix is its own mutual part")
	}
}

// A long list of links is sampled evenly; self loops are left out.
func TestLinks(t *testing.T) {
	var edges []Edge
	for i := range 100 {
		edges = append(edges, Edge{I: i, J: i + 1, Weight: 1}, Edge{I: i, J: i, Weight: 1})
	}
	a, err := FromEdges(101, edges)
	if err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int]int{100: 100, 99: 50, 10: 10, 1000: 100} {
		if pairs, of := a.Links(most); of != 100 || len(pairs) != 2*want {
			t.Errorf("at most %d: %d links of %d, expected %d", most, len(pairs)/2, of, want)
		}
	}
}
