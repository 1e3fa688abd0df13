package split

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/linalg"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem/reference/dense"
	"cadem.example/core/cadem/reference/preparation"
	"cadem.example/core/multiplex"
)

// usual are the options of the preset.
var usual = Options{Scale: true, Noise: true, Kept: 64, Split: true, Agreement: .5, Own: true}

// adjacency draws edges with probabilities that depend on blocks of the nodes.
func adjacency(t testing.TB, src *rng.Stream, block []int, in, out float64, weighted bool) *multiplex.CSR {
	t.Helper()
	var edges []multiplex.Edge
	for i := range block {
		for j := range i {
			p := out
			if block[i] == block[j] {
				p = in
			}
			if src.Float64() < p {
				e := multiplex.Edge{I: i, J: j, Weight: 1}
				if weighted {
					e.Weight = src.Uniform(.5, 2)
				}
				edges = append(edges, e)
			}
		}
	}
	a, err := multiplex.FromEdges(len(block), edges)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func blocks(src *rng.Stream, m, k int) []int {
	list := make([]int, m)
	for i := range list {
		list[i] = src.IntN(k)
	}
	return list
}

// features draws sparse or dense ones that follow the blocks, or none.
func features(t testing.TB, src *rng.Stream, kind string, block []int, f int) *multiplex.Features {
	t.Helper()
	m := len(block)
	x := make([]float64, m*f)
	for i := range m {
		for j := range f {
			p := .1
			if j%3 == block[i] {
				p = .5
			}
			if src.Float64() < p {
				x[i*f+j] = src.Uniform(.5, 1.5)
			}
		}
	}
	switch kind {
	case "identity":
		return multiplex.Identity(m)
	case "dense":
		d, err := multiplex.DenseFeatures(m, f, x)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	a := &multiplex.CSR{Rows: m, Cols: f, Start: make([]int32, m+1)}
	for i := range m {
		for j := range f {
			if v := x[i*f+j]; v != 0 {
				a.Index, a.Value = append(a.Index, int32(j)), append(a.Value, v)
			}
		}
		a.Start[i+1] = int32(len(a.Index))
	}
	return multiplex.SparseFeatures(a)
}

func gram(x []float64, m int) []float64 {
	a := mat.NewDense(m, len(x)/m, x)
	return dense.Product(a, a.T()).RawMatrix().Data
}

func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	scale := 1.0
	for _, v := range want {
		scale = max(scale, math.Abs(v))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance*scale) {
			t.Fatalf("%s[%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}

// The preparation is that of the formulas, by dense matrices and gonum's decompositions, over
// features of every kind and options of every kind; in single precision to its rounding.
func TestPreparationIsThatOfTheFormulas(t *testing.T) {
	shared := 0
	for seed := range uint64(36) {
		src := rng.New(seed, "formulas")
		kind := []string{"identity", "sparse", "dense"}[seed%3]
		m, n, f := 40+src.IntN(40), 2+src.IntN(2), 5+src.IntN(40)
		o := usual
		switch seed / 3 % 4 {
		case 1:
			o.Own, o.Scale = false, false
		case 2:
			o.Kept, o.Agreement = 4, .3
		case 3:
			o.Noise, o.Kept = false, 6
		}
		if seed%7 == 6 {
			o.Split = false
		}
		if seed%5 == 4 && kind != "identity" {
			o.Whole, f = true, 4
		}
		var layers []Source
		common := blocks(src, m, 3)
		for range n {
			own := blocks(src, m, 3)
			for i := range own {
				if src.Float64() < .6 {
					own[i] = common[i]
				}
			}
			a := adjacency(t, src, own, .6, .05, seed%2 == 0)
			layers = append(layers, Source{multiplex.NewPropagator(a, multiplex.Kind(seed%2)), features(t, src, kind, own, f), false})
		}
		want := preparation.Prepare(plain(layers), preparation.Options{Scale: o.Scale, Noise: o.Noise, Kept: o.Kept, Whole: o.Whole, Split: o.Split,
			Agreement: o.Agreement, Own: o.Own})
		name := fmt.Sprintf("seed %d, %s, %+v", seed, kind, o)
		got, err := Prepare[float64]([][]Source{layers}, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 1e-8
		if o.Kept < 20 {
			tolerance = 1e-2 // the subspace is not the whole: the last directions are near those behind them
		}
		compare(t, name, got, want, m, tolerance)
		single, err := Prepare[float32]([][]Source{layers}, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, name+", single precision", single, want, m, max(tolerance, 2e-3))
		if got.Shared > 0 {
			shared++
		}
	}
	if shared < 6 {
		t.Errorf("%d of 36 cases share something", shared)
	}
}

// plain returns dense B and Z of layers of one graph.
func plain(layers []Source) (all []preparation.Layer) {
	for _, l := range layers {
		m := l.X.Rows
		b := mat.NewDense(m, m, l.B.Matrix().Dense())
		all = append(all, preparation.Layer{B: []*mat.Dense{b}, Z: []*mat.Dense{mat.NewDense(m, l.X.Cols, l.B.Product(l.X))}, Identity: l.X.IsIdentity()})
	}
	return all
}

// compare compares what does not depend on the signs of directions.
func compare(t *testing.T, name string, got *Result, want *preparation.Result, m int, tolerance float64) {
	t.Helper()
	if got.Shared != want.Shared {
		t.Fatalf("%s: %d directions are shared, want %d: %v", name, got.Shared, want.Shared, want.Agreement)
	}
	k := min(len(got.Agreement), len(want.Agreement))
	near(t, name+": agreement", got.Agreement[:k], want.Agreement[:k], tolerance)
	near(t, name+": chance", []float64{got.Chance}, []float64{want.Chance}, 1e-12)
	for l := range got.Layers {
		layer := &got.Layers[l]
		near(t, name+": singular values", layer.Singular, want.Layers[l].Singular, tolerance)
		near(t, name+": edge", []float64{layer.Edge}, []float64{want.Layers[l].Edge}, tolerance)
		near(t, name+": common", gram(layer.Common, m), gram(want.Layers[l].Common.RawMatrix().Data, m), tolerance)
		near(t, name+": own", gram(layer.Own, m), gram(want.Layers[l].Own.RawMatrix().Data, m), 3*tolerance)
		if layer.Target == nil {
			continue
		}
		// U in coordinates of the nodes.
		const d = 3
		src := rng.New(uint64(l), "nodes")
		w := mat.NewDense(m, d, nil)
		for i := range w.RawMatrix().Data {
			w.RawMatrix().Data[i] = src.Norm() / float64(m)
		}
		u := dense.Product(mat.NewDense(m, layer.F, layer.y).T(), w)
		a := mat.NewDense(layer.F, d, nil)
		layer.Target.Prepare(d)
		layer.Target.Update(a.RawMatrix().Data, u.RawMatrix().Data)
		r := want.Target(l, dense.Product(want.Layers[l].Y.T(), w))
		near(t, name+": target", dense.Product(mat.NewDense(m, layer.F, layer.Own), a).RawMatrix().Data, r.RawMatrix().Data, 10*tolerance)
	}
}

// Of many rows the columns of a subspace become orthonormal in the fast way, and in the other one where two are alike; both span what they did.
func TestSubspaceOfManyRows(t *testing.T) {
	const m, k = linalg.Large + 1, 5
	src := rng.New(1, "many rows")
	for _, alike := range []bool{false, true} {
		x := make([]float64, m*k)
		for i := range x {
			x[i] = src.Norm()
			if alike && i%k == k-1 {
				x[i] = x[i-1]
			}
		}
		for _, last := range []bool{false, true} {
			o := linalg.NewQR(m, k)
			copy(o.A, x)
			q := &trimming{task: &task{m: m}, k: k}
			basis, err := q.orthonormal(o, last)
			if err != nil {
				t.Fatal(err)
			}
			b, all := mat.NewDense(m, k, basis), mat.NewDense(m, k, x)
			inner, onto := dense.Product(b.T(), b), dense.Product(b.T(), all)
			rest := dense.Product(b, onto)
			rest.Sub(rest, all)
			for c := range k {
				inner.Set(c, c, inner.At(c, c)-1)
			}
			if off, lost := mat.Norm(inner, 2), mat.Norm(rest, 2); off > 1e-12 || lost > 1e-9 {
				t.Errorf("alike %v, last %v: inner products off by %v, %v lost", alike, last, off, lost)
			}
		}
	}
}

// Of many features a layer is what it is by its maps, which need the longer decomposition: up to rounding.
func TestLayerOfManyFeatures(t *testing.T) {
	const m = linalg.Large + 100
	src := rng.New(3, "many features")
	var graphs [][]Source
	var layers []Source
	for range 2 {
		var edges []multiplex.Edge
		for range 8 * m {
			i, j := src.IntN(m), src.IntN(m)
			if src.Float64() < .7 { // of three groups
				j = min(j/3*3+i%3, m-1)
			}
			edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		layers = append(layers, Source{B: multiplex.NewPropagator(a, multiplex.Twice), X: multiplex.Identity(m), Featureless: true})
	}
	graphs = append(graphs, layers)
	o := Options{Noise: true, Kept: 16, Split: true, Own: true}
	short, err := Prepare[float32](graphs, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Maps = true
	long, err := Prepare[float32](graphs, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	for l := range short.Layers {
		a, b := &short.Layers[l], &long.Layers[l]
		if a.Rank != b.Rank || a.Rank < 2 || short.Shared != long.Shared {
			t.Fatalf("layer %d: ranks %d and %d, %d and %d shared", l, a.Rank, b.Rank, short.Shared, long.Shared)
		}
		near(t, fmt.Sprint("singular values of layer ", l), a.Singular, b.Singular, 1e-9)
		near(t, fmt.Sprint("common part of layer ", l), a.Common, b.Common, 1e-6)
		near(t, fmt.Sprint("own part of layer ", l), a.Own, b.Own, 1e-6)
	}
}
