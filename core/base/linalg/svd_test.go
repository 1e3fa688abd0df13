package linalg

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

func ExampleSVD() {
	s := NewSVD(3, 2)
	copy(s.A, []float64{0, 3, 4, 0, 0, 0})
	if err := s.Decompose(nil); err != nil {
		panic(err) // there is no pause
	}
	fmt.Println(s.Singular)
	// Output: [4 3]
}

// Singular values are those of gonum, vectors of nonzero ones are orthonormal, and the product is
// the matrix: of full rank, with columns that repeat or are zero, and square.
func TestSVDIsThatOfGonum(t *testing.T) {
	src := rng.New(6, "svd")
	for _, c := range []struct{ m, n, rank int }{{1, 1, 1}, {40, 4, 4}, {30, 9, 5}, {9, 9, 9}, {70, 33, 33}, {20, 3, 0}} {
		left, right := make([]float64, c.m*max(c.rank, 1)), make([]float64, max(c.rank, 1)*c.n)
		if c.rank > 0 {
			for i := range left {
				left[i] = src.Norm()
			}
			for i := range right {
				right[i] = src.Norm()
			}
		}
		var a mat.Dense
		a.Mul(mat.NewDense(c.m, max(c.rank, 1), left), mat.NewDense(max(c.rank, 1), c.n, right))
		var want mat.SVD
		if !want.Factorize(&a, mat.SVDThin) {
			t.Fatal("gonum has no decomposition")
		}
		s := NewSVD(c.m, c.n)
		copy(s.A, a.RawMatrix().Data)
		calls := 0
		if err := s.Decompose(func(work int) error { calls++; return nil }); err != nil || calls < c.n {
			t.Fatalf("%+v: %d pauses, %v", c, calls, err)
		}
		scale := 1 + s.Singular[0]
		near(t, "singular values", s.Singular, want.Values(nil), 1e-12*scale)
		u, v := mat.NewDense(c.m, c.n, nil), mat.NewDense(c.n, c.n, nil)
		if err := s.Left(u.RawMatrix().Data, c.n, nil); err != nil {
			t.Fatal(err)
		}
		s.Right(v.RawMatrix().Data, c.n)
		var gram, back, d mat.Dense
		gram.Mul(u.T(), u)
		for i := range c.rank {
			for j := range c.rank {
				near(t, "U'U", []float64{gram.At(i, j)}, []float64{map[bool]float64{true: 1}[i == j]}, 1e-12)
			}
		}
		d.Mul(u, mat.NewDiagDense(c.n, s.Singular))
		back.Mul(&d, v.T())
		near(t, "L D R'", back.RawMatrix().Data, a.RawMatrix().Data, 1e-12*scale)
	}
}

// A basis has orthonormal columns and holds the matrix.
func TestBasis(t *testing.T) {
	src := rng.New(7, "basis")
	q := NewQR(20, 6)
	for i := range q.A {
		q.A[i] = src.Norm()
	}
	a := mat.NewDense(20, 6, append([]float64(nil), q.A...))
	q.Decompose()
	b := mat.NewDense(20, 6, nil)
	if err := q.Basis(b.RawMatrix().Data, nil); err != nil {
		t.Fatal(err)
	}
	var gram, inside, back mat.Dense
	gram.Mul(b.T(), b)
	for i := range 6 {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	near(t, "Q'Q - I", gram.RawMatrix().Data, make([]float64, 36), 1e-13)
	inside.Mul(b.T(), a)
	back.Mul(b, &inside)
	near(t, "Q Q'A", back.RawMatrix().Data, a.RawMatrix().Data, 1e-13)
}

// An error of a pause ends every part of the work.
func TestPausesEndTheWork(t *testing.T) {
	stop := errors.New("stop")
	for after := range 40 {
		left := after
		pause := func(int) error {
			if left--; left < 0 {
				return stop
			}
			return nil
		}
		s, u := NewSVD(8, 4), make([]float64, 32)
		for i := range s.A {
			s.A[i] = math.Sqrt(float64(i + 1))
		}
		err := s.Decompose(pause)
		if err == nil {
			err = s.Left(u, 4, pause)
		}
		if err == nil {
			err = s.Basis(u, pause)
		}
		if (err == nil) != (left >= 0) || err != nil && err != stop {
			t.Fatalf("after %d pauses: %v", after, err)
		}
	}
}
