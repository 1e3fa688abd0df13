package torch

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func Example() {
	g := New(0)
	fmt.Println(g.Float32(), g.Float32(), g.Float32())
	fmt.Println(New(0).Perm(10))
	// Output:
	// 0.4962566 0.7682218 0.08847743
	// [4 1 7 5 3 9 0 8 6 2]
}

// Output of torch after manual_seed, in four places.
func TestPrinted(t *testing.T) {
	four := func(x []float64) (s []string) {
		for _, v := range x {
			s = append(s, fmt.Sprintf("%.4f", v))
		}
		return s
	}
	norm := func(g *Generator, n int) []string {
		x := make([]float64, n)
		g.Norm(x)
		return four(x)
	}
	few := New(0)
	for _, c := range []struct {
		call      string
		got, want []string
	}{
		{"randn(5)", norm(few, 5), []string{"1.5410", "-0.2934", "-2.1788", "0.5684", "-1.0845"}},
		{"randn(3) after it", norm(few, 3), []string{"-1.3986", "0.4033", "0.8380"}},
		{"randn(4, 4)", norm(New(0), 16), []string{"-1.1258", "-1.1524", "-0.2506", "-0.4339", "0.8487", "0.6920", "-0.3160", "-2.1152",
			"0.3223", "-1.2633", "0.3500", "0.3081", "0.1198", "1.2377", "1.1168", "-0.2473"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s is %v, want %v", c.call, c.got, c.want)
		}
	}
	x := make([]float64, 20)
	New(0).Norm(x)
	if want := norm(New(0), 16)[:4]; !slices.Equal(four(x[:4]), want) {
		t.Errorf("randn(20) begins with %v, want %v as of 16", x[:4], want)
	}
}

// Calls take as many words as PyTorch's do: the number after a call is the one after that many words.
func TestWords(t *testing.T) {
	for name, c := range map[string]struct {
		draw  func(*Generator)
		words int
	}{
		"an integer":         {func(g *Generator) { g.Uint64() }, 2},
		"few normal numbers": {func(g *Generator) { g.Norm(make([]float64, 8)) }, 16},
		"an odd number":      {func(g *Generator) { g.Norm(make([]float64, 7)) }, 16},
		"sixteen":            {func(g *Generator) { g.Norm(make([]float64, 16)) }, 16},
		"twenty":             {func(g *Generator) { g.Norm(make([]float64, 20)) }, 36},
		"a linear map":       {func(g *Generator) { g.Linear(3, 5) }, 20},
		"a permutation":      {func(g *Generator) { g.Perm(9) }, 8},
		"an order":           {func(g *Generator) { g.Loaded(9) }, 10},
		"uniform numbers":    {func(g *Generator) { g.Uniform(make([]float64, 11), 1) }, 11},
	} {
		a, b := New(3), New(3)
		c.draw(a)
		b.Skip(c.words)
		if a.Uint64() != b.Uint64() {
			t.Errorf("%s: not %d words", name, c.words)
		}
	}
}

// Numbers are as they should be distributed, and permutations are ones.
func TestProperties(t *testing.T) {
	g, n := New(7), 4096
	x := make([]float64, n)
	g.Norm(x)
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(n)
		square += float64(v*v) / float64(n)
	}
	if math.Abs(mean) > 0.06 || math.Abs(square-1) > 0.1 {
		t.Errorf("normal numbers have mean %.3f and square %.3f", mean, square)
	}
	g.Xavier(x, 10, 14)
	if low, high := slices.Min(x), slices.Max(x); low < -0.5000001 || high >= 0.5 || low > -0.49 || high < 0.49 {
		t.Errorf("within %g and %g, want -0.5 and 0.5", low, high)
	}
	for _, v := range x {
		if float64(float32(v)) != v {
			t.Fatalf("%v is not of single precision", v)
		}
	}
	for n := range 20 {
		p := g.Perm(n)
		slices.Sort(p)
		for i, v := range p {
			if v != i {
				t.Errorf("of %d numbers %v", n, p)
			}
		}
	}
}
