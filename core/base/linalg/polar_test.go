package linalg

import (
	"fmt"
	"math"
	"testing"

	"cadem.example/core/base/rng"
)

func ExamplePolar() {
	// The consensus of a matrix that is orthogonal already is the matrix, scaled.
	t := []float64{3, 0, 0, 3}
	s := make([]float64, 4)
	p := NewPolar(2, 2)
	p.Factor(s, t, 1, 0x1p-51, 2, nil)
	fmt.Println(s[:2])
	fmt.Println(s[2:])
	// Output:
	// [1 0]
	// [0 1]
}

// Among all S with S'S = M I the polar factor maximises trace(S'T); it is equivariant
// under orthogonal maps on both sides, and completion fills what is missing.
func TestPolarProperties(t *testing.T) {
	src := rng.New(1, "polar")
	for _, c := range []struct{ m, d, rank int }{{30, 4, 4}, {30, 4, 2}, {9, 8, 8}, {50, 1, 1}, {3, 5, 2}, {20, 3, 0}} {
		x := make([]float64, c.m*c.d)
		for range c.rank { // a sum of rank-one terms, centred
			u, v := make([]float64, c.m), make([]float64, c.d)
			mean := 0.0
			for i := range u {
				u[i] = src.Norm()
				mean += u[i] / float64(c.m)
			}
			for k := range v {
				v[k] = src.Norm()
			}
			for i := range u {
				for k := range v {
					x[i*c.d+k] += (u[i] - mean) * v[k]
				}
			}
		}
		scale, rule := math.Sqrt(float64(c.m)), float64(max(c.m, c.d))*0x1p-52
		p, s := NewPolar(c.m, c.d), make([]float64, c.m*c.d)
		p.Factor(s, x, scale, rule, c.d, nil)
		rank := min(c.rank, c.m-1)
		if p.Rank != rank {
			t.Fatalf("%+v: rank %d", c, p.Rank)
		}
		trace, nuclear := 0.0, 0.0
		for i := range s {
			trace += s[i] * x[i]
		}
		for _, v := range p.Singular {
			nuclear += v
		}
		near(t, "trace", []float64{trace}, []float64{scale * nuclear}, 1e-10)
		draw := func(x []float64) {
			noise := rng.New(1, "completion")
			for i := range x {
				x[i] = noise.Norm()
			}
		}
		for how, want := range map[Completion]int{Centred: min(c.d, c.m-1), Arbitrary: min(c.d, c.m)} {
			p.Factor(s, x, scale, rule, c.d, NewFilling(how, c.m, c.d, draw))
			total := 0.0
			gram := make([]float64, c.d*c.d)
			sums := make([]float64, c.d)
			for i := range c.m {
				for j := range c.d {
					sums[j] += s[i*c.d+j]
					for k := range c.d {
						gram[j*c.d+k] += s[i*c.d+j] * s[i*c.d+k] / float64(c.m)
					}
				}
			}
			for j := range c.d {
				total += gram[j*c.d+j]
			}
			near(t, "completed directions", []float64{total}, []float64{float64(want)}, 1e-9)
			if how == Centred {
				near(t, "column sums", sums, make([]float64, c.d), 1e-9)
			}
			if want == c.d {
				for j := range c.d {
					gram[j*c.d+j]--
				}
				near(t, "S'S/M - I", gram, make([]float64, c.d*c.d), 1e-9)
			}
		}
	}
}

// A direction at 1e-7 of the largest is there: through T'T it would drown.
func TestPolarKeepsSmallDirections(t *testing.T) {
	x := []float64{1, 0, 0, 1e-7, 0, 0}
	s := make([]float64, 6)
	p := NewPolar(3, 2)
	p.Factor(s, x, 1, 3*0x1p-52, 2, nil)
	near(t, "S", s, []float64{1, 0, 0, 1, 0, 0}, 1e-9)
}

// The decomposition gives the matrix back: Q R, with orthonormal columns of Q.
func TestQR(t *testing.T) {
	src := rng.New(2, "qr")
	for _, size := range [][2]int{{1, 1}, {5, 1}, {6, 6}, {40, 7}} {
		m, n := size[0], size[1]
		q := NewQR(m, n)
		for i := range q.A {
			q.A[i] = src.Norm()
		}
		if n > 2 {
			for i := range m { // a column that depends on another
				q.A[i*n+2] = 3 * q.A[i*n]
			}
		}
		want := append([]float64(nil), q.A...)
		q.Decompose()
		r, one := make([]float64, m*n), make([]float64, m*n)
		for i := range n {
			copy(r[i*n+i:(i+1)*n], q.A[i*n+i:(i+1)*n])
			one[i*n+i] = 1
		}
		q.Apply(r, n, n)
		near(t, "Q R", r, want, 1e-12)
		q.Apply(one, n, n)
		gram := make([]float64, n*n)
		for i := range n {
			for j := range n {
				for k := range m {
					gram[i*n+j] += one[k*n+i] * one[k*n+j]
				}
			}
			gram[i*n+i]--
		}
		near(t, "Q'Q - I", gram, make([]float64, n*n), 1e-12)
	}
}

func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance*(1+math.Abs(want[i]))) {
			t.Fatalf("%s[%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}
