package evaluate

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

// blobs returns n points around k far corners and the corner of each.
func blobs(n, d, k int, spread float64, src *rng.Stream) (*mat.Dense, []int) {
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % k
		for j := range d {
			v := spread * src.Norm()
			if y[i]&(1<<j) != 0 {
				v += 10
			}
			x.Set(i, j, v)
		}
	}
	return x, y
}

func TestKMeansFindsBlobs(t *testing.T) {
	for seed := range uint64(20) {
		src := rng.New(seed, "blobs")
		x, y := blobs(120, 5, 6, 0.5, src)
		c := KMeans(x, 6, 4, src)
		if a := ARI(y, c.Labels); a != 1 {
			t.Errorf("seed %d: ARI %v", seed, a)
		}
		checkClustering(t, x, c)
	}
}

// Every item belongs to the nearest centroid, and the inertia is that of its definition.
func checkClustering(t *testing.T, x *mat.Dense, c *Clustering) {
	t.Helper()
	n, d := x.Dims()
	k, _ := c.Centroids.Dims()
	sum := 0.0
	for i := range n {
		nearest, own := math.Inf(1), 0.0
		for a := range k {
			s := 0.0
			for j := range d {
				s += (x.At(i, j) - c.Centroids.At(a, j)) * (x.At(i, j) - c.Centroids.At(a, j))
			}
			nearest = min(nearest, s)
			if a == c.Labels[i] {
				own = s
			}
		}
		if own > nearest+1e-9 {
			t.Errorf("item %d is %v from its centroid, %v from another", i, own, nearest)
		}
		sum += own
	}
	near(t, "inertia", []float64{c.Inertia}, []float64{sum}, 1e-9)
}

func TestRestartsNeverRaiseInertia(t *testing.T) {
	src := rng.New(1, "data")
	x := mat.NewDense(80, 3, nil)
	for i := range 80 {
		for j := range 3 {
			x.Set(i, j, src.Norm())
		}
	}
	for seed := range uint64(10) {
		one, many := KMeans(x, 7, 1, rng.New(seed, "runs")), KMeans(x, 7, 10, rng.New(seed, "runs"))
		if many.Inertia > one.Inertia {
			t.Errorf("10 restarts reach %v, the first alone %v", many.Inertia, one.Inertia)
		}
		if !slices.Equal(one.Labels, KMeans(x, 7, 1, rng.New(seed, "runs")).Labels) {
			t.Error("the same stream gave other clusters")
		}
	}
}

func TestLloydRefillsAnEmptyCluster(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{0, 0.1, 0.2, 10, 10.1, 30})
	c := Lloyd(x, mat.NewDense(3, 1, []float64{0, 10, 1000}))
	if want := []int{0, 0, 0, 1, 1, 2}; !slices.Equal(c.Labels, want) {
		t.Errorf("labels %v, want %v", c.Labels, want)
	}
	checkClustering(t, x, c)
}

func TestKMeansOfFewDistinctItems(t *testing.T) {
	for name, x := range map[string]*mat.Dense{
		"all equal":    mat.NewDense(5, 2, []float64{3, 4, 3, 4, 3, 4, 3, 4, 3, 4}),
		"two distinct": mat.NewDense(5, 2, []float64{3, 4, 3, 4, 0, 4, 3, 4, 0, 4}),
		"k items":      mat.NewDense(3, 2, []float64{3, 4, 5, 4, 0, 4}),
	} {
		c := KMeans(x, 3, 2, rng.New(1, name))
		if c.Inertia > 1e-20 {
			t.Errorf("%s: inertia %v", name, c.Inertia)
		}
		checkClustering(t, x, c)
	}
}

func TestKMeansRefusesShapes(t *testing.T) {
	x := mat.NewDense(3, 2, nil)
	for name, f := range map[string]func(){
		"no clusters": func() { KMeans(x, 0, 1, rng.New(1, "")) },
		"too many":    func() { KMeans(x, 4, 1, rng.New(1, "")) },
		"other width": func() { Lloyd(x, mat.NewDense(2, 3, nil)) },
	} {
		func() {
			defer func() {
				if r := recover(); r != ErrShape {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			f()
		}()
	}
}

// Twenty restarts on the embeddings of Syn2. A score of Syn3 takes a thousand on eight times the
// size.
func BenchmarkKMeans(b *testing.B) {
	src := rng.New(1, "bench")
	x := randomTokens(1000, 8, 1, src)[0]
	for i := range 1000 {
		x.Set(i, i%3, x.At(i, i%3)+3)
	}
	for b.Loop() {
		KMeans(x, 3, 20, src)
	}
}

// The combiner on ACM: 2420 training nodes, three tokens.
func BenchmarkStepACM(b *testing.B) {
	src := rng.New(1, "bench")
	for _, d := range []int{8, 64} {
		b.Run(fmt.Sprintf("d=%d", d), func(b *testing.B) {
			batch := whole(randomTokens(2420, d, 3, src), randomLabels(2420, 3, src))
			c := randomized(Shape{Tokens: 3, Dim: d, Classes: 3, Heads: 4}, src)
			for b.Loop() {
				c.Step(batch, 0.1)
			}
		})
	}
}
