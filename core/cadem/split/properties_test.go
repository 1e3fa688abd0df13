package split

import (
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/cadem/reference/dense"
	"cadem.example/core/multiplex"
)

// layersOf draws a layer without features for every list of blocks.
func layersOf(t testing.TB, src *rng.Stream, in, out float64, list ...[]int) (all []Source) {
	for _, block := range list {
		a := adjacency(t, src, block, in, out, false)
		all = append(all, Source{multiplex.NewPropagator(a, multiplex.Twice), multiplex.Identity(len(block)), false})
	}
	return all
}

func prepared(t testing.TB, graphs ...[]Source) *Result {
	t.Helper()
	r, err := Prepare[float32](graphs, usual, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Layers with communities of their own, independent of each other, share nothing: in 98 of 100
// draws at least, whatever the number of nodes. So do layers without communities. Large graphs and all draws
// are for CADEM_LONG.
func TestNothingIsSharedByIndependentLayers(t *testing.T) {
	for _, c := range []struct{ m, draws int }{{30, 100}, {50, 40}, {100, 10}, {200, 3}, {400, 1}} {
		if os.Getenv("CADEM_LONG") != "" {
			c.draws = 100
		}
		for _, in := range []float64{.7, .1} {
			found := 0
			for seed := range uint64(c.draws) {
				src := rng.New(seed, fmt.Sprint("independent ", c.m, in))
				r := prepared(t, layersOf(t, src, in, .1, blocks(src, c.m, 3), blocks(src, c.m, 3), blocks(src, c.m, 3)))
				if r.Shared > 0 {
					found++
				}
			}
			if t.Logf("%d nodes, density %v: %d of %d share something", c.m, in, found, c.draws); 50*found > c.draws {
				t.Errorf("%d nodes, density %v within communities: %d of %d draws share something", c.m, in, found, c.draws)
			}
		}
	}
}

// Layers that keep every direction agree on all of them, which says nothing: independent ones would, too.
func TestWholeSpacesShareNothing(t *testing.T) {
	o := usual
	o.Noise = false
	for seed := range uint64(10) {
		src := rng.New(seed, "whole spaces")
		layers := layersOf(t, src, .7, .1, blocks(src, 30, 3), blocks(src, 30, 3), blocks(src, 30, 3))
		r, err := Prepare[float32]([][]Source{layers}, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Chance != 1 || r.Shared != 0 || r.Agreement[0] < .999 {
			t.Errorf("seed %d: %d directions are shared, agreement %v, by chance %v", seed, r.Shared, r.Agreement[0], r.Chance)
		}
	}
}

// Communities that all layers have are found, whatever else a layer has, and leave the private part.
func TestAPlantedSubspaceIsFound(t *testing.T) {
	const m = 240
	for seed := range uint64(4) {
		src := rng.New(seed, "planted")
		common := blocks(src, m, 3)
		var list [][]int
		for range 3 {
			own := blocks(src, m, 3)
			for i := range own {
				own[i] += 3 * common[i] // nine blocks: three in each of three
			}
			list = append(list, own)
		}
		layers := layersOf(t, src, .6, .05, list...)
		for l := range layers { // edges between blocks of one community
			wide := adjacency(t, src, common, .35, 0, false)
			layers[l].B = multiplex.NewPropagator(union(t, layers[l], wide), multiplex.Twice)
		}
		r := prepared(t, layers)
		if r.Shared != 2 {
			t.Fatalf("seed %d: %d directions are shared, want 2: agreement %.2f above %.2f", seed, r.Shared, r.Agreement[:6], r.Chance)
		}
		within := indicators(common, 3)
		for l, layer := range r.Layers {
			if share := inside(layer.Common, within, m); share < .9 {
				t.Errorf("seed %d, layer %d: %.2f of the common part lies in the planted subspace", seed, l, share)
			}
			if layer.Rank < 6 {
				t.Errorf("seed %d, layer %d: rank %d, the layer has 9 blocks", seed, l, layer.Rank)
			}
		}
	}
}

// union returns the edges of a layer and some more.
func union(t *testing.T, s Source, wide *multiplex.CSR) *multiplex.CSR {
	t.Helper()
	var edges []multiplex.Edge
	for i := range wide.Rows {
		index, _ := s.B.Row(i)
		for _, j := range index {
			edges = append(edges, multiplex.Edge{I: i, J: int(j), Weight: 1})
		}
		for _, j := range wide.Index[wide.Start[i]:wide.Start[i+1]] {
			edges = append(edges, multiplex.Edge{I: i, J: int(j), Weight: 1})
		}
	}
	a, err := multiplex.FromEdges(wide.Rows, edges)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// indicators returns an orthonormal basis (M x k) of the functions of a block.
func indicators(block []int, k int) *mat.Dense {
	x := mat.NewDense(len(block), k, nil)
	count := make([]float64, k)
	for _, b := range block {
		count[b]++
	}
	for i, b := range block {
		x.Set(i, b, 1/math.Sqrt(count[b]))
	}
	return x
}

// inside returns the share of the squares of x (M x f) that lies in a subspace.
func inside(x []float64, basis *mat.Dense, m int) float64 {
	a := mat.NewDense(m, len(x)/m, x)
	part, whole := mat.Norm(dense.Product(basis.T(), a), 2), mat.Norm(a, 2)
	return part * part / (whole * whole)
}

// To permute the nodes, or the layers, permutes the result.
func TestPermutationsPermuteTheResult(t *testing.T) {
	const m = 90
	src := rng.New(3, "permutations")
	common := blocks(src, m, 3)
	var list [][]int
	for range 3 {
		own := blocks(src, m, 3)
		for i := range own {
			if src.Float64() < .7 {
				own[i] = common[i]
			}
		}
		list = append(list, own)
	}
	layers := layersOf(t, src, .6, .05, list...)
	want := prepared(t, layers)
	if want.Shared == 0 {
		t.Fatal("nothing is shared")
	}
	swapped := prepared(t, []Source{layers[2], layers[0], layers[1]})
	near(t, "agreement of permuted layers", swapped.Agreement[:4], want.Agreement[:4], 1e-5)
	for l, at := range []int{1, 2, 0} {
		near(t, "common part of a permuted layer", gram(swapped.Layers[at].Common, m), gram(want.Layers[l].Common, m), 1e-3)
		near(t, "own part of a permuted layer", gram(swapped.Layers[at].Own, m), gram(want.Layers[l].Own, m), 1e-3)
	}
	order := make([]int, m)
	src.Perm(order)
	var moved []Source
	for _, s := range layers {
		var edges []multiplex.Edge
		for i := range m {
			index, _ := s.B.Row(i)
			for _, j := range index {
				edges = append(edges, multiplex.Edge{I: order[i], J: order[j], Weight: 1})
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		moved = append(moved, Source{multiplex.NewPropagator(a, multiplex.Twice), multiplex.Identity(m), false})
	}
	got := prepared(t, moved)
	near(t, "agreement of permuted nodes", got.Agreement[:4], want.Agreement[:4], 1e-5)
	for l := range layers {
		a, b := gram(got.Layers[l].Own, m), gram(want.Layers[l].Own, m)
		back := make([]float64, m*m)
		for i := range m {
			for j := range m {
				back[i*m+j] = a[order[i]*m+order[j]]
			}
		}
		near(t, "own part of permuted nodes", back, b, 1e-3)
	}
}

// An error of yield ends the preparation, wherever it comes; what is done rises and ends at the total.
func TestYieldEndsThePreparation(t *testing.T) {
	src := rng.New(4, "yield")
	layers := layersOf(t, src, .6, .05, blocks(src, 300, 3), blocks(src, 300, 3))
	calls, last := 0, 0
	if _, err := Prepare[float32]([][]Source{layers}, usual, func(done, total int) error {
		if calls++; done < last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
		return nil
	}); err != nil || calls < 10 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	stop := errors.New("stop")
	for after := 0; after < calls; after += 1 + calls/8 {
		left := after
		if _, err := Prepare[float32]([][]Source{layers}, usual, func(int, int) error {
			if left--; left < 0 {
				return stop
			}
			return nil
		}); err != stop {
			t.Fatalf("after %d calls: %v", after, err)
		}
	}
}

// No product is done in one piece that would hold up a page: between two calls there are at most the
// multiply-adds of one part of a sparse product beside what a call waits for.
func TestYieldComesOften(t *testing.T) {
	src := rng.New(6, "often")
	layers := layersOf(t, src, .2, .02, blocks(src, 900, 3), blocks(src, 900, 3))
	o := usual
	o.Noise, o.Agreement = false, .1 // all 64 directions, some of them shared
	last := 0
	r, err := Prepare[float32]([][]Source{layers}, o, func(done, total int) error {
		if work := done - last; work > 3*yieldEvery {
			t.Errorf("%d multiply-adds in one piece, before %d of %d", work, done, total)
		}
		last = done
		return nil
	})
	if err != nil || r.Shared == 0 || r.Layers[0].Rank != 64 {
		t.Fatalf("%d shared of %d, %v", r.Shared, r.Layers[0].Rank, err)
	}
}

// Graphs of one kind share what their layers share, in coordinates that mean the same: in each graph
// its columns are the same function of the node's community.
func TestSeveralGraphsShareCoordinates(t *testing.T) {
	const m, graphs = 120, 3
	src := rng.New(5, "several")
	common := blocks(src, m, 3)
	var list [][]Source
	for range graphs {
		list = append(list, layersOf(t, src, .6, .05, common, common))
	}
	r := prepared(t, list...)
	if r.Shared != 2 || len(r.Rows) != graphs+1 || r.Rows[graphs] != graphs*m {
		t.Fatalf("%d directions are shared, %.2f above %.2f, rows %v", r.Shared, r.Agreement[:4], r.Chance, r.Rows)
	}
	within := indicators(common, 3)
	for l, layer := range r.Layers {
		first := layer.Common[:m*layer.F]
		for g := range graphs {
			x := layer.Common[g*m*layer.F : (g+1)*m*layer.F]
			if share := inside(x, within, m); share < .9 {
				t.Errorf("layer %d, graph %d: %.2f of the common part follows the communities", l, g, share)
			}
			dot, a, b := 0.0, 0.0, 0.0
			for i, v := range x {
				dot, a, b = dot+v*first[i], a+v*v, b+first[i]*first[i]
			}
			if dot < .9*math.Sqrt(a*b) {
				t.Errorf("layer %d: graphs 0 and %d have a cosine of %.2f", l, g, dot/math.Sqrt(a*b))
			}
		}
	}
}
