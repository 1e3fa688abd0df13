package inputs_test

import (
	"cmp"
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem/internal/inputs"
	_ "cadem.example/core/cadem/prepare"
	"cadem.example/core/multiplex"
)

// graph draws two layers of groups of nodes without features; node 0 has no link, and node 1 one to itself.
func graph(t *testing.T, m int) *multiplex.Graph {
	t.Helper()
	draw, g := rng.New(1, "structure"), &multiplex.Graph{Name: "groups"}
	for l := range 2 {
		edges := []multiplex.Edge{{I: 1, J: 1, Weight: 1}}
		for i := 2; i < m; i++ {
			for j := 1; j < i; j++ {
				p := .05
				if (i/(2+l))%3 == (j/(2+l))%3 {
					p = .3
				}
				if draw.Float64() < p {
					edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
				}
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: string(rune('a' + l)), Adjacency: a, Features: multiplex.Identity(m)})
	}
	return g
}

func made(t *testing.T, g *multiplex.Graph, option string) *multiplex.Features {
	t.Helper()
	s := inputs.ParseStructure(option)
	x, err := s.Of(g, 1, 3, nil)
	if err != nil {
		t.Fatalf("%s: %v", option, err)
	}
	if n := s.Columns(g.M(), g.N()); x.Rows != g.M() || x.Cols != n {
		t.Fatalf("%s: %d x %d, said to be %d x %d", option, x.Rows, x.Cols, g.M(), n)
	}
	return x
}

// Spectral features are eigenvectors of the operator as its formula has it, of gonum's decomposition.
func TestSpectralFeatures(t *testing.T) {
	const m, k = 120, 6
	g := graph(t, m)
	op, sum := mat.NewSymDense(m, nil), make([]float64, m)
	total := 0.0
	for _, l := range g.Layers {
		a := l.Adjacency.Dense()
		degree, twice := make([]float64, m), 0.0
		for i := range m {
			for j := range m {
				if i != j {
					degree[i] += a[i*m+j]
				}
			}
			twice += degree[i]
		}
		for i := range m {
			sum[i] += degree[i]
			for j := i; j < m; j++ {
				v := -degree[i] * degree[j] / twice
				if i != j {
					v += a[i*m+j]
				}
				op.SetSym(i, j, op.At(i, j)+v)
			}
		}
		total += twice
	}
	for i := range m {
		for j := i; j < m; j++ {
			op.SetSym(i, j, op.At(i, j)/math.Sqrt((sum[i]+total/m)*(sum[j]+total/m)))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(op, true) {
		t.Fatal("no decomposition")
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	values := e.Values(nil)
	x := made(t, g, "spectral:6")
	order := make([]int, m)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(values[j]), math.Abs(values[i])) })
	squares := 0.0
	for _, i := range order[:k] {
		squares += values[i] * values[i]
	}
	for c, best := range order[:k] {
		dot, norm := 0.0, 0.0
		for i := range m {
			v := x.Dense[i*k+c]
			dot += v * vectors.At(i, best)
			norm += v * v
		}
		want := math.Sqrt(m/squares) * math.Abs(values[best])
		if math.Abs(math.Sqrt(norm)-want) > 1e-6*want || math.Abs(math.Abs(dot)-want) > 1e-5*want {
			t.Errorf("column %d: length %v, along the eigenvector %v, expected %v", c, math.Sqrt(norm), dot, want)
		}
	}
}

// A random projection has a place in each quarter of the columns, and keeps inner products as closely as its width says.
func TestRandomFeatures(t *testing.T) {
	const m, k = 400, 64
	x := made(t, graph(t, m), "random:64").Sparse
	off := 0.0
	d := x.Dense()
	for i := range m {
		for p, e := 0, x.Start[i]; e < x.Start[i+1]; p, e = p+1, e+1 {
			if x.Start[i+1]-x.Start[i] != 4 || int(x.Index[e])/(k/4) != p || math.Abs(x.Value[e]) != .5 {
				t.Fatalf("row %d: %v %v", i, x.Index[x.Start[i]:x.Start[i+1]], x.Value[x.Start[i]:x.Start[i+1]])
			}
		}
		for j := range i {
			dot := 0.0
			for c := range k {
				dot += d[i*k+c] * d[j*k+c]
			}
			off += dot * dot
		}
	}
	if mean := off / (m * (m - 1) / 2) * k; math.Abs(mean-1) > .05 {
		t.Errorf("the mean square of an inner product is %.3f / K, expected 1 / K", mean)
	}
	for _, option := range []string{"random:1", "random:3", "random:6"} {
		x := made(t, graph(t, 20), option).Sparse
		for i := range 20 {
			sum := 0.0
			for e := x.Start[i]; e < x.Start[i+1]; e++ {
				sum += x.Value[e] * x.Value[e]
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("%s: row %d has the length %v", option, i, sum)
			}
		}
	}
}

func TestDegreeFeatures(t *testing.T) {
	const m = 50
	g := graph(t, m)
	x := made(t, g, "degree").Sparse.Dense()
	for l := range g.Layers {
		a := g.Layers[l].Adjacency.Dense()
		for i := range m {
			links := 0
			for j := range m {
				if a[i*m+j] != 0 {
					links++
				}
			}
			for c := range 24 {
				want := 0.0
				if c == bits.Len(uint(links)) {
					want = 1
				}
				if got := x[i*48+l*24+c]; got != want {
					t.Errorf("layer %d, node %d with %d links, column %d: %v, expected %v", l, i, links, c, got, want)
				}
			}
		}
	}
}

// Graphs that share encoders share what features mean.
func TestFeaturesOfSeveralGraphs(t *testing.T) {
	g := graph(t, 30)
	for _, option := range []string{"spectral:4", "degree"} {
		var e *diag.Error
		if _, err := inputs.ParseStructure(option).Of(g, 2, 0, nil); !errors.As(err, &e) || e.Where != "features" {
			t.Errorf("%s: %v", option, err)
		}
	}
	if _, err := inputs.ParseStructure("random:4").Of(g, 2, 0, nil); err != nil {
		t.Error(err)
	}
	full, _ := multiplex.FromEdges(2, []multiplex.Edge{{I: 0, J: 0, Weight: 1}})
	empty := &multiplex.Graph{Layers: []multiplex.Layer{{Adjacency: full, Features: multiplex.Identity(2)}}}
	if _, err := inputs.ParseStructure("spectral:1").Of(empty, 1, 0, nil); err == nil {
		t.Error("spectral features of a graph without links")
	}
	stop := errors.New("stop")
	if _, err := inputs.ParseStructure("spectral:4").Of(g, 1, 0, func(int) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped: %v", err)
	}
}

// The progress of making features goes up, and the first yield that ends it does.
func TestProgressOfFeatures(t *testing.T) {
	g := graph(t, 400)
	var done []int
	stop := errors.New("stop")
	same := func(_, _ int, x *multiplex.Features) *multiplex.Features { return x }
	o := inputs.Options{Structure: inputs.ParseStructure("spectral:8"), Features: same, Yield: func(n, total int) error {
		if total != 1000 {
			return nil // the propagation, afterwards
		}
		done = append(done, n)
		return nil
	}}
	if _, err := o.Layers(g); err != nil {
		t.Fatal(err)
	}
	if len(done) < 5 || !slices.IsSorted(done) || done[0] > 500 || done[len(done)-1] < 200 {
		t.Errorf("progress %v", done)
	}
	o.Yield = func(n, _ int) error {
		if n > 0 {
			return stop
		}
		return nil
	}
	if _, err := o.Layers(g); !errors.Is(err, stop) {
		t.Error(err)
	}
}
