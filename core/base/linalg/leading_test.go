package linalg

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

// dense returns the operator of a matrix.
func dense(a *mat.Dense) *Operator {
	rows, cols := a.Dims()
	times := func(b mat.Matrix, n int) func(dst, x []float64, columns int) error {
		return func(dst, x []float64, columns int) error {
			mat.NewDense(len(dst)/columns, columns, dst).Mul(b, mat.NewDense(n, columns, x))
			return nil
		}
	}
	return &Operator{Rows: rows, Cols: cols, Mul: times(a, cols), MulTrans: times(a.T(), rows)}
}

// Values and vectors are gonum's, those of a matrix of rank 5 among them, whose other vectors are 0.
func TestLeading(t *testing.T) {
	src := rng.New(1, "test")
	random := func(rows, cols int) *mat.Dense {
		x := make([]float64, rows*cols)
		for i := range x {
			x[i] = src.Norm()
		}
		return mat.NewDense(rows, cols, x)
	}
	var low mat.Dense
	low.Mul(random(40, 5), random(5, 60))
	for name, a := range map[string]*mat.Dense{"wide": random(30, 90), "tall": random(90, 30), "small": random(4, 3), "low": &low} {
		const d = 8
		rows, cols := a.Dims()
		singular, left, err := Leading(dense(a), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		var svd mat.SVD
		if !svd.Factorize(a, mat.SVDThin) {
			t.Fatal("gonum's decomposition failed")
		}
		want := append(svd.Values(nil), make([]float64, d)...)
		var u mat.Dense
		svd.UTo(&u)
		for k := range d {
			if math.Abs(singular[k]-want[k]) > 1e-11*want[0] {
				t.Errorf("%s: singular value %d is %v, expected %v", name, k, singular[k], want[k])
			}
			along, length, largest := 0.0, 0.0, 0.0
			for i := range rows {
				x := left[i*d+k]
				length += x * x
				if k < min(rows, cols) {
					along += x * u.At(i, k)
				}
				if math.Abs(x) > math.Abs(largest) {
					largest = x
				}
			}
			if want[k] <= 1e-12*want[0] {
				if length != 0 {
					t.Errorf("%s: a vector for value %d, which is 0", name, k)
				}
			} else if math.Abs(math.Abs(along)-1) > 1e-9 || math.Abs(length-1) > 1e-12 || largest < 0 {
				t.Errorf("%s: vector %d: cosine %v, squared length %v, largest entry %v", name, k, along, length, largest)
			}
		}
	}
}

func TestLeadingStops(t *testing.T) {
	enough := errors.New("enough")
	stop := func(dst, x []float64, columns int) error { return enough }
	if _, _, err := Leading(&Operator{Rows: 4, Cols: 4, Mul: stop, MulTrans: stop}, 2, nil); err != enough {
		t.Errorf("the error of a product: %v", err)
	}
	a := dense(mat.NewDense(2, 2, []float64{1, 2, 3, 4}))
	if _, _, err := Leading(a, 1, func(int) error { return enough }); err != enough {
		t.Errorf("the error of a pause: %v", err)
	}
}

// An operator whose values may still move ends early, with the directions that stand out as they are.
func TestLeadingSettled(t *testing.T) {
	const rows, cols = 80, 120
	src, x := rng.New(2, "test"), make([]float64, rows*cols)
	for i := range x {
		x[i] = src.Norm()
		if i/cols < 40 == (i%cols < 60) {
			x[i] += 2
		}
	}
	var left [2][]float64
	var passes [2]int
	for k := range left {
		a := dense(mat.NewDense(rows, cols, x))
		mul := a.Mul
		a.Mul = func(dst, x []float64, columns int) error {
			passes[k]++
			return mul(dst, x, columns)
		}
		a.Settled = 1e-3 * float64(k)
		var err error
		if _, left[k], err = Leading(a, 8, nil); err != nil {
			t.Fatal(err)
		}
	}
	same := 0.0
	for i := range rows {
		same += left[0][i*8] * left[1][i*8]
	}
	if passes[1] > passes[0]/3 || same < 1-1e-6 {
		t.Errorf("%d passes of %d, cosine %v", passes[1], passes[0], same)
	}
}
