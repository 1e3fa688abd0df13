package linalg

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

// definite returns a positive definite matrix of m x m.
func definite(m int) []float64 {
	src := rng.New(uint64(m), "definite")
	b := mat.NewDense(m, m, nil)
	for i := range m {
		for j := range m {
			b.Set(i, j, src.Uniform(-1, 1))
		}
	}
	var a mat.Dense
	a.Mul(b, b.T())
	for i := range m {
		a.Set(i, i, a.At(i, i)+1)
	}
	return a.RawMatrix().Data
}

func ExampleSolve() {
	a := []float64{
		4, 2,
		2, 5,
	}
	if err := Cholesky(a, 2, nil); err != nil {
		panic(err)
	}
	x := []float64{
		8, 4,
		12, 2,
	}
	if err := Solve(a, x, 2, 2, 0, nil); err != nil {
		panic(err)
	}
	fmt.Println(x)
	// Output: [1 1 2 0]
}

// The factor is gonum's, and its solutions solve the system, for sizes near that of a block, and for X that begins with zeros.
func TestCholesky(t *testing.T) {
	for _, m := range []int{1, 2, 31, 32, 33, 64, 75, 130} {
		a := definite(m)
		l := append([]float64(nil), a...)
		if err := Cholesky(l, m, nil); err != nil {
			t.Fatal(err)
		}
		var want mat.Cholesky
		if !want.Factorize(mat.NewSymDense(m, append([]float64(nil), a...))) {
			t.Fatal("not positive definite")
		}
		var lower mat.TriDense
		want.LTo(&lower)
		for i := range m {
			for j := range m {
				if j <= i && math.Abs(l[i*m+j]-lower.At(i, j)) > 1e-10 || j > i && l[i*m+j] != a[i*m+j] {
					t.Fatalf("m = %d, entry %d, %d: %v, expected %v", m, i, j, l[i*m+j], lower.At(i, j))
				}
			}
		}
		src := rng.New(7, "columns")
		for _, d := range []int{1, 3, 8, 64} {
			for _, from := range []int{0, m / 2, m - 1} {
				x := make([]float64, m*d)
				for i := range x[from*d:] {
					x[from*d+i] = src.Uniform(-1, 1)
				}
				y := append([]float64(nil), x...)
				if err := Solve(l, y, m, d, from, nil); err != nil {
					t.Fatal(err)
				}
				var back mat.Dense
				back.Mul(mat.NewDense(m, m, a), mat.NewDense(m, d, y))
				near(t, fmt.Sprintf("m = %d, d = %d, from %d", m, d, from), back.RawMatrix().Data, x, 1e-9)
			}
		}
	}
}

// Pauses report the announced work, and an error of any ends it.
func TestCholeskyPauses(t *testing.T) {
	const m, d = 75, 5
	a, end := definite(m), errors.New("enough")
	for last := 0; ; last++ {
		calls, work := 0, 0
		pause := func(n int) error {
			work += n
			if calls++; calls > last {
				return end
			}
			return nil
		}
		l, x := append([]float64(nil), a...), make([]float64, m*d)
		err := Cholesky(l, m, pause)
		if err == nil {
			err = Solve(l, x, m, d, 0, pause)
		}
		if err == nil {
			if least, most := m*m*m/6+m*m*d, m*m*m+3*m*m*d; work < least || work > most {
				t.Errorf("%d multiply-adds told, expected %d to %d", work, least, most)
			}
			return
		}
		if err != end {
			t.Fatal(err)
		}
	}
}
