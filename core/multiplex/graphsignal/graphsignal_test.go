package graphsignal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/multiplex"
)

func Example() {
	// A path of four nodes and a spike after smoothing.
	a, err := multiplex.FromEdges(4, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}, {I: 2, J: 3, Weight: 1}})
	if err != nil {
		panic(err)
	}
	x := make([]float64, 4)
	Filter(x, Laplacian(a), []float64{0, 1, 0, 0}, 4, func(l float64) float64 { return kernel.Exp(-l) })
	fmt.Printf("%.3f\n", x)
	fmt.Println(Hops(a, 3), Bump(Hops(a, 3), 2))
	// Output:
	// [0.309 0.339 0.229 0.124]
	// [3 2 1 0] [0 0 0.3333333333333333 0.6666666666666666]
}

// wheel returns a spiral of m points with noise.
func wheel(m int) []float64 {
	src := rand.New(rand.NewPCG(5, uint64(m)))
	p := make([]float64, 2*m)
	for i := range m {
		u := float64(i) / float64(m-1)
		a, r := 2*math.Pi*(1+2*u)+0.03*src.NormFloat64(), 0.1+0.9*u
		p[2*i], p[2*i+1] = r*math.Cos(a)+0.01*src.NormFloat64(), r*math.Sin(a)+0.01*src.NormFloat64()
	}
	return p
}

// dense returns the matrix of an operator.
func dense(a Operator, m int) *mat.SymDense {
	s := mat.NewSymDense(m, nil)
	x, y := make([]float64, m), make([]float64, m)
	for j := range m {
		clear(x)
		x[j] = 1
		a(y, x)
		for i := range j + 1 {
			s.SetSym(i, j, y[i])
		}
	}
	return s
}

func TestFilterAgainstEigenvectors(t *testing.T) {
	const m = 600
	w, _, err := NeighbourGraph(wheel(m), 14)
	if err != nil {
		t.Fatal(err)
	}
	l := Laplacian(w)
	var eigen mat.EigenSym
	if !eigen.Factorize(dense(l, m), true) {
		t.Fatal("no eigenvectors")
	}
	values := eigen.Values(nil)
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	src := rand.New(rand.NewPCG(7, 8))
	noise, spike := make([]float64, m), Bump(Hops(w, 300), 2)
	for i := range noise {
		noise[i] = src.NormFloat64()
	}
	scale := 20 / values[m-1]
	for _, v := range [][]float64{noise, spike} {
		for name, f := range map[string]func(float64) float64{
			"low":  func(x float64) float64 { return kernel.Exp(-x) },
			"band": func(x float64) float64 { return Wavelet(scale * x) },
		} {
			want := make([]float64, m)
			for k, value := range values {
				c := 0.0
				for i := range m {
					c += vectors.At(i, k) * v[i]
				}
				for i := range m {
					want[i] += f(value) * c * vectors.At(i, k)
				}
			}
			got := make([]float64, m)
			Filter(got, l, v, 100, f)
			Add(got, -1, want)
			if d := max(slices.Max(got), -slices.Min(got)); d > 1e-13 {
				t.Errorf("%s pass: differs by %v", name, d)
			}
		}
	}
}

func TestEigenTridiagonal(t *testing.T) {
	src := rand.New(rand.NewPCG(9, 1))
	for n := range 40 {
		diagonal, below := make([]float64, n), make([]float64, max(n-1, 0), n)
		for i := range n {
			diagonal[i] = float64(src.IntN(5)) // equal ones among them
			if i > 0 && src.IntN(6) > 0 {
				below[i-1] = src.NormFloat64()
			}
		}
		tri := mat.NewSymDense(max(n, 1), nil)
		vectors := make([]float64, n*n)
		for i := range n {
			tri.SetSym(i, i, diagonal[i])
			vectors[i*n+i] = 1
			if i > 0 {
				tri.SetSym(i, i-1, below[i-1])
			}
		}
		eigenTridiagonal(diagonal, below, vectors)
		for i := range n {
			for j := range i + 1 {
				var product, identity float64
				for k := range n {
					product += diagonal[k] * vectors[i*n+k] * vectors[j*n+k]
					identity += vectors[i*n+k] * vectors[j*n+k]
				}
				if i == j {
					identity--
				}
				if math.Abs(product-tri.At(i, j)) > 1e-13 || math.Abs(identity) > 1e-13 {
					t.Fatalf("%d x %d: entry %d, %d is %v, want %v; orthogonal to %v", n, n, i, j, product, tri.At(i, j), identity)
				}
			}
		}
	}
}

func TestFilterOfWhatLeavesEarly(t *testing.T) {
	// Two parts: what is on one of them stays there; an eigenvector is only scaled.
	a, err := multiplex.FromEdges(5, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 2, J: 3, Weight: 1}, {I: 3, J: 4, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 5)
	Filter(x, Laplacian(a), []float64{1, -1, 0, 0, 0}, 5, func(l float64) float64 { return 10 + l })
	Add(x, -1, []float64{12, -12, 0, 0, 0})
	if Norm(x) > 1e-13 {
		t.Errorf("off by %v", x)
	}
	Filter(x, Laplacian(a), make([]float64, 5), 5, func(l float64) float64 { return 1 })
	if Norm(x) != 0 {
		t.Errorf("of nothing: %v", x)
	}
	if h := Hops(a, 3); !slices.Equal(h, []int{-1, -1, 1, 0, 1}) {
		t.Errorf("hops %v", h)
	}
}

func TestLargestEigenvalues(t *testing.T) {
	src := rand.New(rand.NewPCG(2, 2))
	for _, m := range []int{2, 3, 30, 200} {
		var edges []multiplex.Edge
		for j := 1; j < m; j++ {
			for i := range j {
				if i == j-1 || src.Float64() < 0.1 {
					edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
				}
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		var eigen mat.EigenSym
		eigen.Factorize(dense(Adjacency(a), m), false)
		want := eigen.Values(nil)[m-1]
		if got := SpectralRadius(a); math.Abs(got-want) > 1e-13*want {
			t.Errorf("%d nodes: spectral radius %v, want %v", m, got, want)
		}
		eigen.Factorize(dense(Laplacian(a), m), false)
		want = eigen.Values(nil)[m-1]
		start := make([]float64, m)
		for i := range start {
			start[i] = src.NormFloat64()
		}
		if got := PowerIteration(Laplacian(a), start); got > want*(1+1e-12) || got < 0.99*want {
			t.Errorf("%d nodes: power iteration %v, largest eigenvalue %v", m, got, want)
		}
	}
}

func TestNeighbourGraph(t *testing.T) {
	// On a line at 0, 1, 3, 7: the nearest ones are 1, 0, 1, 2; only 0 and 1 are mutual.
	w, sigma, err := NeighbourGraph([]float64{0, 0, 1, 0, 3, 0, 7, 0}, 1)
	if err != nil {
		t.Fatal(err)
	}
	e := func(d float64) float64 { return math.Exp(-(d / 1.5) * (d / 1.5)) }
	want := []float64{2 * e(1), 2 * e(1), e(2), e(2), e(4), e(4)}
	if sigma != 1.5 || !slices.Equal(w.Index, []int32{1, 0, 2, 1, 3, 2}) ||
		!slices.EqualFunc(w.Value, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
		t.Errorf("sigma %v, %+v, want weights %v", sigma, w, want)
	}
	// Among equally near points the lower numbers are taken.
	w, _, err = NeighbourGraph([]float64{0, 0, 1, 0, -1, 0, 0, 1, 5, 5}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if w.Start[1] != 3 || !slices.Equal(w.Index[:3], []int32{1, 2, 3}) {
		t.Errorf("node 0 is joined to %v", w.Index[:w.Start[1]])
	}
	if _, _, err = NeighbourGraph(make([]float64, 10), 2); err == nil {
		t.Error("accepted points that fall together")
	}
}

func TestDynamicsStayInBounds(t *testing.T) {
	a, err := multiplex.FromEdges(3, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, printed := range []bool{false, true} {
		for _, d := range Systems(printed) {
			bounded := d.Name == "epidemic" || d.Name == "mutualistic" || d.Name == "regulatory_r2"
			x := []float64{0.1, 0.5, 0.3}
			if bounded {
				x = []float64{-3, 0.5, 3}
			}
			steps := 0
			d.Steps = 50
			d.Run(x, a, math.Sqrt2, func(step int) {
				steps++
				for _, v := range x {
					if bounded && (v < 0 || v > 1) || math.IsNaN(v) {
						t.Fatalf("%s: step %d: %v", d.Name, step, x)
					}
				}
			})
			if steps != 50 {
				t.Errorf("%s: %d steps", d.Name, steps)
			}
		}
	}
}

func TestShapes(t *testing.T) {
	a, _ := multiplex.FromEdges(2, []multiplex.Edge{{I: 0, J: 1, Weight: 1}})
	for name, call := range map[string]func(){
		"product": func() { Adjacency(a)(make([]float64, 2), make([]float64, 3)) },
		"filter":  func() { Filter(make([]float64, 1), Adjacency(a), make([]float64, 2), 2, Wavelet) },
		"points":  func() { NeighbourGraph(make([]float64, 6), 3) },
		"state":   func() { (&Systems(false)[0]).Run(make([]float64, 3), a, 1, nil) },
	} {
		func() {
			defer func() {
				if r := recover(); r != ErrShape {
					t.Errorf("%s: panicked with %v", name, r)
				}
			}()
			call()
		}()
	}
}
