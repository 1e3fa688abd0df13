package baseline

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// trained takes all steps of a method with the given options set.
func trained(t *testing.T, name string, graphs []*multiplex.Graph, set map[string]any) train.Training {
	t.Helper()
	m, err := train.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	o, _, err := m.Settings("")
	if err != nil {
		t.Fatal(err)
	}
	for option, v := range set {
		if err := property.Set(o, option, property.Text(v)); err != nil {
			t.Fatal(err)
		}
	}
	run, err := train.Start(m, &train.Setup{Graphs: graphs, Options: o, Seed: 1, Precision: precision.Double})
	if err != nil {
		t.Fatal(err)
	}
	take(t, run, -1)
	return run
}

// Components of the propagated features, of two graphs at once, are those of gonum's decomposition of
// the matrix written out, scaled or not.
func TestPooledComponents(t *testing.T) {
	const d = 3
	graphs := []*multiplex.Graph{blocks(t, 16), blocks(t, 12)}
	for _, name := range []string{"pca", "pca-unit"} {
		z, below := mat.NewDense(28, 12, nil), 0
		for _, g := range graphs {
			for l, layer := range g.Layers {
				part := mat.NewDense(g.M(), 6, multiplex.NewPropagator(layer.Adjacency, multiplex.Twice).Product(layer.Features.RowNormalized()))
				z.Slice(below, below+g.M(), 6*l, 6*l+6).(*mat.Dense).Copy(part)
			}
			below += g.M()
		}
		m, n := z.Dims()
		for j := range n {
			mean, squares := 0.0, 0.0
			for i := range m {
				mean += z.At(i, j) / float64(m)
				squares += z.At(i, j) * z.At(i, j)
			}
			for i := range m {
				v := z.At(i, j) - mean
				if name == "pca-unit" {
					v /= math.Sqrt(squares)
				}
				z.Set(i, j, v)
			}
		}
		var svd mat.SVD
		svd.Factorize(z, mat.SVDThin)
		var u mat.Dense
		svd.UTo(&u)
		values := svd.Values(nil)
		run := trained(t, name, graphs, map[string]any{"dim": d})
		row := 0
		for g := range graphs {
			y := run.Embeddings(g)[0].X
			rows, _ := y.Dims()
			for i := range rows {
				for k := range d {
					want := math.Sqrt(float64(m)) * u.At(row+i, k) * values[k] / values[0]
					if math.Abs(math.Abs(y.At(i, k))-math.Abs(want)) > 1e-7 {
						t.Fatalf("%s: graph %d, node %d, component %d: %v, expected %v or its opposite", name, g, i, k, y.At(i, k), want)
					}
				}
			}
			row += rows
		}
	}
}

// The columns are eigenvectors of the normalised adjacency, orthogonal, of the largest eigenvalues.
func TestSpectral(t *testing.T) {
	g := blocks(t, 40)
	run := trained(t, "spectral", []*multiplex.Graph{g}, map[string]any{"dim": 4})
	for l, e := range run.Embeddings(0) {
		s := mat.NewSymDense(40, SymNorm(g.Layers[l].Adjacency, 0).Dense())
		var eigen mat.EigenSym
		eigen.Factorize(s, true)
		values := eigen.Values(nil)
		for k := range 4 {
			x := mat.Col(nil, k, e.X)
			var sx mat.VecDense
			sx.MulVec(s, mat.NewVecDense(40, x))
			for i := range x {
				if want := values[39-k] * x[i]; math.Abs(sx.AtVec(i)-want) > 1e-6 {
					t.Fatalf("layer %d, column %d: S x is %v, expected %v", l, k, sx.AtVec(i), want)
				}
			}
			for j := range k + 1 {
				want := 0.0
				if j == k {
					want = 40
				}
				if got := mat.Dot(mat.NewVecDense(40, x), e.X.ColView(j)); math.Abs(got-want) > 1e-9 {
					t.Errorf("layer %d, columns %d and %d: %v, expected %v", l, j, k, got, want)
				}
			}
		}
	}
}

// Features that layers share are read once; others lie side by side; sparse ones are those of the
// dense matrix.
func TestRawFeatures(t *testing.T) {
	g := blocks(t, 12)
	y := trained(t, "features", []*multiplex.Graph{g}, nil).Embeddings(0)[0].X
	if m, d := y.Dims(); m != 12 || d != 12 {
		t.Fatalf("%d x %d, expected 12 x 12", m, d)
	}
	sparse, err := multiplex.NewCSR(12, 3, []int32{0, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, []int32{2, 0, 1}, []float64{4, 5, 6})
	if err != nil {
		t.Fatal(err)
	}
	for l := range g.Layers {
		for i := range 12 {
			for k := range 6 {
				if y.At(i, 6*l+k) != g.Layers[l].Features.Dense[6*i+k] {
					t.Fatalf("layer %d, node %d, feature %d differs", l, i, k)
				}
			}
		}
		g.Layers[l].Features = multiplex.SparseFeatures(sparse)
	}
	y = trained(t, "features", []*multiplex.Graph{g}, nil).Embeddings(0)[0].X
	if _, d := y.Dims(); d != 3 || y.At(0, 2) != 4 || y.At(2, 0) != 5 || y.At(2, 1) != 6 || mat.Sum(y) != 15 {
		t.Errorf("shared sparse features became %v", mat.Formatted(y))
	}
}

// Other numbers for the nodes give the same embeddings in another order, up to the signs of columns.
func TestMethodsWithoutDrawsPermute(t *testing.T) {
	g, to := blocks(t, 32), make([]int, 32)
	rng.New(2, "test/permutation").Perm(to)
	moved := permuted(t, g, to)
	for name, set := range map[string]map[string]any{
		"pca": {"dim": 3}, "pca-unit": {"dim": 3}, "pooled": {"dim": 3}, "spectral": {"dim": 3}, "features": nil, "mcgc": {"vectors": 3, "steps": 20, "a0": 5},
		"union": {"dim": 3}, "bethe": {"dim": 3}, "netmf": {"dim": 3}, "multiness": {"dim": 4, "steps": 20},
	} {
		after := trained(t, name, []*multiplex.Graph{moved}, set).Embeddings(0)
		for k, e := range trained(t, name, []*multiplex.Graph{g}, set).Embeddings(0) {
			if err := sameUpToSigns(e.X, after[k].X, to, 1e-6); err != nil {
				t.Errorf("%s: %s: %v", name, e.Name, err)
			}
		}
	}
}

// sameUpToSigns compares embeddings of nodes before and after they got the numbers to.
func sameUpToSigns(before, after *mat.Dense, to []int, tolerance float64) error {
	m, d := before.Dims()
	for k := range d {
		apart, opposite := 0.0, 0.0
		for i := range m {
			apart = max(apart, math.Abs(before.At(i, k)-after.At(to[i], k)))
			opposite = max(opposite, math.Abs(before.At(i, k)+after.At(to[i], k)))
		}
		if min(apart, opposite) > tolerance {
			return fmt.Errorf("column %d differs by %v", k, min(apart, opposite))
		}
	}
	return nil
}
