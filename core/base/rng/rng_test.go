package rng

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func ExampleStream() {
	a, b := New(7, "noise/common"), New(7, "noise/private")
	fmt.Printf("%.4f %.4f\n", a.Norm(), b.Norm())
	again := New(7, "noise/common")
	fmt.Printf("%.4f\n", again.Norm())
	// Output:
	// -1.0704 -0.3570
	// -1.0704
}

func TestMoments(t *testing.T) {
	s := New(1, "moments")
	const n = 400000
	var sum, sq, cube, four, u float64
	for range n {
		x := s.Norm()
		sum, sq, cube, four = sum+x, sq+x*x, cube+x*x*x, four+x*x*x*x
		u += s.Float64()
	}
	for _, c := range []struct {
		name           string
		got, want, tol float64
	}{
		{"mean", sum / n, 0, 0.01}, {"variance", sq / n, 1, 0.015}, {"third", cube / n, 0, 0.03},
		{"fourth", four / n, 3, 0.1}, {"uniform mean", u / n, 0.5, 0.003},
	} {
		if math.Abs(c.got-c.want) > c.tol {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestIntNIsUniform(t *testing.T) {
	s := New(2, "ints")
	var n [7]int
	for range 70000 {
		n[s.IntN(7)]++
	}
	for i, c := range n {
		if c < 9600 || c > 10400 {
			t.Errorf("%d came %d times of 70000", i, c)
		}
	}
}

func TestSampleAndPerm(t *testing.T) {
	s := New(3, "sample")
	seen := make([]int, 10)
	for range 10000 {
		d := make([]int, 4)
		s.Sample(d, 10)
		if !slices.IsSorted(d) || len(slices.Compact(d)) != 4 {
			t.Fatalf("not four distinct numbers in order: %v", d)
		}
		for _, v := range d {
			seen[v]++
		}
	}
	for v, c := range seen {
		if c < 3800 || c > 4200 {
			t.Errorf("%d was taken %d times of 10000, expected 4000", v, c)
		}
	}
	p := make([]int, 50)
	s.Perm(p)
	q := slices.Sorted(slices.Values(p))
	for i, v := range q {
		if i != v {
			t.Fatal("not a permutation")
		}
	}
}

func TestPartsAreIndependentOfEachOther(t *testing.T) {
	s := New(4, "parts")
	s.At(9)
	want := []float64{s.Norm(), s.Norm(), s.Norm()}
	s.At(3)
	s.Norm()
	s.At(9)
	for _, w := range want {
		if g := s.Norm(); g != w {
			t.Fatalf("part 9 began with %v, now %v", w, g)
		}
	}
	a, b, c := New(4, "a"), New(4, "b"), New(5, "a")
	if x, y, z := a.Uint64(), b.Uint64(), c.Uint64(); x == y || x == z {
		t.Error("streams of other names or seeds start alike")
	}
}

// Many numbers at a time are those that come one by one.
func TestFill(t *testing.T) {
	one, many := New(5, "fill"), New(5, "fill")
	x := make([]float64, 100)
	for range 2 {
		many.Fill(x)
		for i, v := range x {
			if w := one.Float64(); v != w {
				t.Fatalf("number %d: %v, one by one %v", i, v, w)
			}
		}
	}
}

// The generator gives the bits of the standard library's.
func TestPCG(t *testing.T) {
	for _, seed := range [][2]uint64{{0, 0}, {1, 2}, {math.MaxUint64, math.MaxUint64}, {0x0123456789abcdef, 0xfedcba9876543210}} {
		want, g := rand.NewPCG(seed[0], seed[1]), pcg{seed[0], seed[1]}
		for i := range 100_000 {
			if a, b := g.next(), want.Uint64(); a != b {
				t.Fatalf("seed %x: number %d is %x, expected %x", seed, i, a, b)
			}
		}
	}
}

func BenchmarkFill(b *testing.B) {
	s, dst := New(1, "bench"), make([]float64, 1000)
	for b.Loop() {
		s.Fill(dst)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(dst)), "ns/number")
}
