package synth

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex/graphsignal"
)

// with returns a generator's options, some of them set by name.
func with(t *testing.T, name string, values ...string) any {
	t.Helper()
	o := byName(name).Options()
	for i := 0; i < len(values); i += 2 {
		if err := property.Set(o, values[i], values[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

func TestSyn3(t *testing.T) {
	for _, c := range []struct {
		variant, radius string
		nodes, hops     int
	}{{"released", "0", 600, 2}, {"printed", "0", 300, 3}, {"released", "5", 300, 5}} {
		g := generate(t, "syn3", with(t, "syn3", "variant", c.variant, "nodes", strconv.Itoa(c.nodes), "label_radius", c.radius), 4)
		if len(g.Truth.Positions) != 2*c.nodes || len(g.Truth.Centres) != 2 || g.Layers[0].Adjacency != g.Layers[1].Adjacency {
			t.Fatalf("%s: %d coordinates, centres %v", c.variant, len(g.Truth.Positions), g.Truth.Centres)
		}
		for l, centres := range g.Truth.Centres {
			if len(centres) != 3 {
				t.Errorf("%s: layer %d has centres %v", c.variant, l, centres)
			}
			a, x := g.Layers[l].Adjacency, g.Layers[l].Features.Dense
			foreground, region := g.Labels[2*l].Of, g.Labels[2*l+1].Of
			var inside, outside float64
			for i, h := range graphsignal.Hops(a, centres...) {
				if (foreground[i] == 1) != (h >= 0 && h <= c.hops) || (foreground[i] == 1) != (region[i] < 3) {
					t.Fatalf("%s: node %d, %d hops from a centre: foreground %d, region %d", c.variant, i, h, foreground[i], region[i])
				}
				if foreground[i] == 1 {
					inside += x[i] * x[i]
				} else {
					outside += x[i] * x[i]
				}
			}
			for k, i := range centres {
				if region[i] != k {
					t.Errorf("%s: centre %d is in region %d", c.variant, i, region[i])
				}
			}
			// The signal of the released variant is a private one of norm 1 and a common
			// one of norm 0.3 times 0.8; most of it is around the centres.
			if c.variant == "released" && c.hops == 2 {
				if total := inside + outside; math.Abs(math.Sqrt(total)-1) > 0.25 || inside < outside {
					t.Errorf("layer %d: %.3f of the energy inside, %.3f outside", l, inside, outside)
				}
			}
		}
	}
}

func TestSyn3CommonSignal(t *testing.T) {
	// Without the common signal the layers differ by it alone.
	with0 := generate(t, "syn3", with(t, "syn3", "nodes", "200", "common_weight", "0"), 4)
	with1 := generate(t, "syn3", with(t, "syn3", "nodes", "200", "common_weight", "1"), 4)
	var common [2][]float64
	for l := range common {
		common[l] = slices.Clone(with1.Layers[l].Features.Dense)
		graphsignal.Add(common[l], -1, with0.Layers[l].Features.Dense)
		if n := graphsignal.Norm(common[l]); math.Abs(n-0.8) > 1e-12 {
			t.Errorf("layer %d: the common signal has norm %v, expected 0.8", l, n)
		}
		if n := graphsignal.Norm(with0.Layers[l].Features.Dense); math.Abs(n-1) > 1e-12 {
			t.Errorf("layer %d: the private signal has norm %v, expected 1", l, n)
		}
	}
	graphsignal.Add(common[0], -1, common[1])
	if graphsignal.Norm(common[0]) > 1e-12 {
		t.Error("the layers do not share the common signal")
	}
}

func TestCentres(t *testing.T) {
	s := rng.New(1, "centres")
	angle, offset := make([]float64, 400), make([]float64, 800)
	for i := range angle {
		angle[i], offset[2*i], offset[2*i+1] = s.Norm(), s.Norm(), s.Norm()
	}
	points := spiral(angle, offset)
	for _, count := range []int{1, 3, 8} {
		c := centresOf(points, count, 0, 10*math.Pi/180)
		if slices.Sort(c); len(slices.Compact(c)) != count {
			t.Errorf("%d centres wanted, found %v", count, c)
		}
		for _, i := range centresOf(points, count, 0.5, 0.1) {
			if i < 150 {
				t.Errorf("centre %d, expected the outer half only", i)
			}
		}
	}
	if c := centresOf(points, 10, 0, 4); len(c) == 0 || len(c) == 10 {
		t.Errorf("with nearly a turn between them: %v", c)
	}
}

func TestSyn4(t *testing.T) {
	base := generate(t, "syn4", with(t, "syn4", "sample", "21"), 5)
	for c := range 3 {
		for _, variant := range []string{"released", "printed"} {
			g := generate(t, "syn4", with(t, "syn4", "sample", strconv.Itoa(21+c), "variant", variant), 5)
			if g.Truth.Class != c || g.Truth.Group != 7 || !reflect.DeepEqual(g.Layers[0].Adjacency, base.Layers[0].Adjacency) {
				t.Errorf("class %d, group %d, or other edges than class 0 of the same base graph", g.Truth.Class, g.Truth.Group)
			}
			for l := range g.Layers {
				mean := 0.0
				for _, v := range g.Layers[l].Features.Dense {
					mean += v / 100
				}
				if math.Abs(mean-g.Truth.MeanFinal[l]) > 1e-12 {
					t.Errorf("mean %v, Truth has %v", mean, g.Truth.MeanFinal[l])
				}
				// The baseline of a classifier: the mean state alone identifies the classes.
				if want := [3][2]float64{{0.9, 0.38}, {0.13, 0.61}, {0.72, 0.04}}[c][l]; math.Abs(mean-want) > 0.07 {
					t.Errorf("class %d, layer %d: mean final state %.3f, expected about %.2f", c, l, mean, want)
				}
			}
		}
	}
	released := generate(t, "syn4", with(t, "syn4", "sample", "1"), 5)
	printed := generate(t, "syn4", with(t, "syn4", "sample", "1", "variant", "printed"), 5)
	if slices.Equal(released.Layers[0].Features.Dense, printed.Layers[0].Features.Dense) {
		t.Error("the epidemic is the same in both variants")
	}
	// The printed biochemical dynamics start from a beta(2, 2) distribution.
	var sum, square float64
	for s := range 60 {
		g := generate(t, "syn4", with(t, "syn4", "sample", strconv.Itoa(3*s+1), "variant", "printed"), 5)
		for _, v := range g.Truth.Initial[1] {
			sum += v
			square += v * v
		}
	}
	if mean, variance := sum/6000, square/6000-(sum/6000)*(sum/6000); math.Abs(mean-0.5) > 0.015 || math.Abs(variance-0.05) > 0.004 {
		t.Errorf("start with mean %.3f and variance %.4f, expected 0.5 and 0.05", mean, variance)
	}
}

func TestSyn4IsConnected(t *testing.T) {
	for seed := range uint64(10) {
		g := generate(t, "syn4", with(t, "syn4", "nodes", "60", "p_edge", "0.02"), seed)
		for i, h := range graphsignal.Hops(g.Layers[0].Adjacency, 0) {
			if h < 0 {
				t.Fatalf("seed %d: node %d cannot be reached", seed, i)
			}
		}
	}
	// Without any drawn edge a tree is left.
	g := generate(t, "syn4", with(t, "syn4", "nodes", "30", "p_edge", "0"), 1)
	if e := g.Layers[0].Summary().Edges; e != 29 {
		t.Errorf("%d edges, expected 29", e)
	}
}

func TestRefusedSignals(t *testing.T) {
	for _, c := range []struct {
		name   string
		values [2]string
		text   string
	}{
		{"syn3", [2]string{"nodes", "50"}, `nodes: found "50", expected a whole number from 60 to 5000`},
		{"syn4", [2]string{"sample", "3000"}, `sample: found "3000", expected a whole number from 0 to 2999`},
		{"syn4", [2]string{"variant", "new"}, `variant: found "new", expected one of released, printed`},
	} {
		var p *diag.Error
		err := property.Set(with(t, c.name), c.values[0], c.values[1])
		if !errors.As(err, &p) || err.Error() != c.text {
			t.Errorf("%s %v: %v, want %s", c.name, c.values, err, c.text)
		}
	}
}
