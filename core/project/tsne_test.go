package project

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
)

func begin(t *testing.T, x *mat.Dense, o TSNEOptions, seed uint64) *TSNE {
	t.Helper()
	s, err := NewTSNE(x, o, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// calibrate runs a layout until its neighbourhoods are known.
func calibrate(s *TSNE) {
	for s.ready < s.n {
		s.Step()
	}
}

// clusters has that number of points in three clouds far apart, in d dimensions.
func clusters(n, d int, spread float64, src *rng.Stream) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, spread*src.Norm())
		}
		x.Set(i, i%3%d, x.At(i, i%3%d)+10*float64(1+i%3/d))
	}
	return x
}

func TestNeighbourhoodsHaveThePerplexity(t *testing.T) {
	for _, scale := range []float64{1e-12, 1, 1e12} {
		for _, n := range []int{10, 61, 100} {
			x := cloud(n, 5, rng.New(1, "perplexity"))
			x.Scale(scale, x)
			s := begin(t, x, TSNEDefaults(), 1)
			if want := math.Min(20, float64(n-1)/3); s.Perplexity() != want {
				t.Errorf("%d points: perplexity %v, want %v", n, s.Perplexity(), want)
			}
			for i := range n {
				clear(s.p)
				s.neighbours(i)
				sum, entropy := 0.0, 0.0
				for _, p := range s.p {
					sum += p
					if p > 0 {
						entropy -= p * kernel.Log(p)
					}
				}
				if math.Abs(sum-1) > 1e-12 || math.Abs(entropy-math.Log(s.Perplexity())) > 2e-6 {
					t.Fatalf("%d points of scale %g: probabilities of point %d sum to %v, entropy %v", n, scale, i, sum, entropy)
				}
			}
		}
	}
}

func TestJointProbabilitiesSumToOne(t *testing.T) {
	s := begin(t, clusters(60, 4, 0.5, rng.New(1, "joint")), TSNEDefaults(), 1)
	calibrate(s)
	sum := 0.0
	for _, p := range s.p {
		if p < leastP {
			t.Fatalf("probability %v below the floor", p)
		}
		sum += 2 * p
	}
	if math.Abs(sum-1) > 1e-8 {
		t.Errorf("sum %v", sum)
	}
}

// The force is the slope of the divergence.
func TestForceIsTheGradient(t *testing.T) {
	s := begin(t, cloud(24, 5, rng.New(1, "gradient")), TSNEDefaults(), 1)
	calibrate(s)
	src := rng.New(2, "layout")
	for i := range s.at {
		s.at[i] = src.Norm()
	}
	s.forces()
	grad := make([]float64, len(s.at))
	for i := range grad {
		k := i/2*4 + i%2
		grad[i] = 4 * (s.force[k] - s.force[k+2]/s.mass)
	}
	const h = 1e-5
	for i, g := range grad {
		was := s.at[i]
		s.at[i] = was + h
		up := s.Divergence()
		s.at[i] = was - h
		down := s.Divergence()
		s.at[i] = was
		if want := (up - down) / (2 * h); math.Abs(g-want) > 1e-8*(1+math.Abs(want)) {
			t.Errorf("coordinate %d: %v, differences give %v", i, g, want)
		}
	}
}

func TestDivergenceFalls(t *testing.T) {
	s := begin(t, clusters(120, 8, 2, rng.New(1, "falls")), TSNEDefaults(), 1)
	if s.Divergence() != 0 {
		t.Error("a divergence without neighbourhoods")
	}
	calibrate(s)
	first := s.Divergence()
	last := math.Inf(1) // what exaggeration leaves need not be nearer than the start
	for _, until := range []int{250, 400, 700, 1000} {
		for done, _ := s.Progress(); done < until; done, _ = s.Progress() {
			s.Step()
		}
		kl := s.Divergence()
		if kl > last+1e-3 || kl <= 0 {
			t.Errorf("after %d iterations %v, before %v", until, kl, last)
		}
		last = kl
	}
	if !s.Done() || last > first/2 {
		t.Errorf("divergence %v, at the start %v", last, first)
	}
	before := s.Layout(nil)
	s.Step()
	if distance(before, s.Layout(nil)) != 0 {
		t.Error("a step after the last moves points")
	}
}

// The same seed gives the same bits, on every machine.
func TestLayoutIsDeterministic(t *testing.T) {
	hash := func(seed uint64) string {
		o := TSNEDefaults()
		o.Early, o.Iterations = 30, 60
		s := begin(t, clusters(40, 6, 1, rng.New(1, "bits")), o, seed)
		for !s.Done() {
			s.Step()
		}
		h := fnv.New64a()
		for _, v := range s.at {
			fmt.Fprintf(h, "%016x", math.Float64bits(v))
		}
		return fmt.Sprintf("%016x", h.Sum64())
	}
	if got := hash(1); got != "37f1a6755e0f16c8" {
		t.Errorf("layout %s", got)
	}
	if hash(1) == hash(2) {
		t.Error("another seed gives the same layout")
	}
}

// Clouds that are far apart stay apart, whatever their number of points and dimensions,
// even on a line, where the start is one as well.
func TestClustersStayApart(t *testing.T) {
	for _, c := range []struct{ n, d int }{{30, 8}, {90, 1}, {180, 8}, {300, 2}} {
		s := begin(t, clusters(c.n, c.d, 0.2, rng.New(1, "apart")), TSNEDefaults(), 1)
		for !s.Done() {
			s.Step()
		}
		at := s.Layout(nil)
		for i := range c.n {
			near, best := -1, math.Inf(1)
			for j := range c.n {
				dx, dy := float64(at[2*i]-at[2*j]), float64(at[2*i+1]-at[2*j+1])
				if d := dx*dx + dy*dy; j != i && d < best {
					near, best = j, d
				}
			}
			if near < 0 || near%3 != i%3 {
				t.Errorf("%d points of %d dimensions: the point nearest to %d is %d, of another cloud", c.n, c.d, i, near)
				break
			}
		}
	}
}

func TestPointsInOnePlace(t *testing.T) {
	for name, x := range map[string]*mat.Dense{"two": mat.NewDense(2, 3, nil), "many": mat.NewDense(50, 3, nil), "all but one": mat.NewDense(40, 1, nil),
		"three": mat.NewDense(3, 1, []float64{1, 2, 4})} {
		if name == "all but one" {
			x.Set(7, 0, 1)
		}
		o := TSNEDefaults()
		o.Iterations = 300
		s := begin(t, x, o, 1)
		for !s.Done() {
			s.Step()
		}
		for _, v := range s.Layout(nil) {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Errorf("%s: coordinate %v", name, v)
				break
			}
		}
	}
}

func TestTSNERefuses(t *testing.T) {
	x := cloud(5, 2, rng.New(1, "refuses"))
	x.Set(3, 1, math.NaN())
	low := TSNEDefaults()
	low.Perplexity = 1
	for _, c := range []struct {
		x    *mat.Dense
		o    TSNEOptions
		want string
	}{
		{x, TSNEDefaults(), "node 3, coordinate 1: found NaN, expected a finite number in single precision"},
		{mat.NewDense(1, 2, nil), TSNEDefaults(), "t-SNE: found 1 points, expected 2 to 5000: time and memory grow with their square"},
		{mat.NewDense(5001, 1, nil), TSNEDefaults(), "t-SNE: found 5001 points, expected 2 to 5000: time and memory grow with their square"},
		{cloud(5, 2, rng.New(1, "x")), low, `perplexity: found "1", expected a number from 2 to 500`},
	} {
		if _, err := NewTSNE(c.x, c.o, 1); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	want := TSNEOptions{Perplexity: 20, Rate: 200, Exaggeration: 12, Early: 250, Iterations: 1000}
	if o := TSNEDefaults(); o != want {
		t.Errorf("defaults %+v", o)
	}
	if n := len(property.Table(&want)); n != 5 {
		t.Errorf("%d options", n)
	}
}

func BenchmarkTSNEStep(b *testing.B) {
	for _, n := range []int{180, 1000, 3000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, err := NewTSNE(cloud(n, 8, rng.New(1, "bench")), TSNEDefaults(), 1)
			if err != nil {
				b.Fatal(err)
			}
			calibrate(s)
			b.ReportAllocs()
			for b.Loop() {
				s.iterate()
			}
		})
	}
}

func BenchmarkTSNENeighbours(b *testing.B) {
	s, err := NewTSNE(cloud(1000, 8, rng.New(1, "bench")), TSNEDefaults(), 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s.ready = 0
		clear(s.p)
		calibrate(s)
	}
}
