package linalg_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"cadem.example/core/base/linalg"
	"cadem.example/core/base/rng"
)

// off returns the largest entry of A V' - V' diag(values) and of V V' - 1, V having the eigenvectors as rows.
func off(a, rows, values []float64, n int) (worst float64) {
	for r, v := range values {
		x := rows[r*n : (r+1)*n]
		for i := range n {
			sum := -v * x[i]
			for j := range n {
				sum += a[i*n+j] * x[j]
			}
			worst = max(worst, math.Abs(sum))
		}
		for s := range r + 1 {
			sum := 0.0
			if s == r {
				sum = -1
			}
			for j, y := range rows[s*n : (s+1)*n] {
				sum += x[j] * y
			}
			worst = max(worst, math.Abs(sum))
		}
	}
	return worst
}

func symmetric(n int, draw *rng.Stream) []float64 {
	a := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			a[i*n+j] = draw.Norm()
			a[j*n+i] = a[i*n+j]
		}
	}
	return a
}

// A v = lambda v, the vectors are orthonormal, and values alone are the same.
func TestSymmetric(t *testing.T) {
	draw := rng.New(1, "symmetric")
	ones := make([]float64, 49)
	for i := range ones {
		ones[i] = 1
	}
	for name, c := range map[string][]float64{
		"one": {3}, "two": symmetric(2, draw), "random": symmetric(33, draw), "zero": make([]float64, 25), "ones, of rank 1": ones,
		"diagonal": {2, 0, 0, 0, -1, 0, 0, 0, 5}, "none": {},
	} {
		n := int(math.Sqrt(float64(len(c))))
		rows := slices.Clone(c)
		values, err := linalg.Symmetric(rows, n, nil)
		if err != nil || len(values) != n || !slices.IsSorted(values) {
			t.Errorf("%s: values %v, error %v", name, values, err)
		}
		if worst := off(c, rows, values, n); worst > 1e-13*float64(1+n) {
			t.Errorf("%s: A v - lambda v or V V' - 1 is off by %g", name, worst)
		}
		alone := linalg.SymmetricValues(slices.Clone(c), n)
		for i, v := range values {
			if math.Abs(v-alone[i]) > 1e-13*float64(1+n) {
				t.Errorf("%s: value %d is %v, alone %v", name, i, v, alone[i])
			}
		}
	}
}

// operator returns the products with a dense matrix.
func operator(a []float64, n int) func(dst, x []float64, columns int) error {
	return func(dst, x []float64, columns int) error {
		clear(dst)
		for i := range n {
			for j := range n {
				for c := range columns {
					dst[i*columns+c] += a[i*n+j] * x[j*columns+c]
				}
			}
		}
		return nil
	}
}

// The leading vectors are found of a matrix with a cluster at either end and a value that comes ten times, and of one whose first value is
// far above all others.
func TestExtreme(t *testing.T) {
	spectrum := []float64{-3, 2.9, 2.8, -2.7}
	for range 10 {
		spectrum = append(spectrum, 2)
	}
	extreme(t, spectrum)
	spectrum = []float64{3000}
	for i := range 13 {
		spectrum = append(spectrum, 3-float64(i)/10)
	}
	extreme(t, spectrum)
}

func extreme(t *testing.T, spectrum []float64) {
	const n, k = 260, 14
	draw := rng.New(2, "extreme")
	rows := symmetric(n, draw)
	if _, err := linalg.Symmetric(rows, n, nil); err != nil {
		t.Fatal(err)
	}
	for i := len(spectrum); i < n; i++ {
		spectrum = append(spectrum, draw.Uniform(-1, 1))
	}
	a := make([]float64, n*n)
	for r, v := range spectrum {
		for i := range n {
			for j := range n {
				a[i*n+j] += v * rows[r*n+i] * rows[r*n+j]
			}
		}
	}
	values, vectors, err := linalg.Extreme(n, k, operator(a, n), 1e-12, nil)
	if err != nil || len(values) != k {
		t.Fatalf("values %v, error %v", values, err)
	}
	for c, v := range values {
		if math.Abs(v-spectrum[c]) > 1e-11*max(1, math.Abs(spectrum[0])) {
			t.Errorf("value %d is %v, expected %v", c, v, spectrum[c])
		}
		top := 0.0
		for i := range n {
			sum := -v * vectors[i*k+c]
			for j := range n {
				sum += a[i*n+j] * vectors[j*k+c]
			}
			if math.Abs(sum) > 1e-10*max(1, math.Abs(spectrum[0])) {
				t.Fatalf("vector %d: A v - lambda v is %g", c, sum)
			}
			if x := vectors[i*k+c]; math.Abs(x) > math.Abs(top) {
				top = x
			}
		}
		if top < 0 {
			t.Errorf("the largest entry of vector %d is %v", c, top)
		}
	}
}

// Values that vanish are not there: of a matrix of rank 2, two are found, small or large, and of zero none.
func TestExtremeRank(t *testing.T) {
	for _, n := range []int{20, 400} {
		a := make([]float64, n*n)
		for rank := range 3 {
			values, vectors, err := linalg.Extreme(n, 9, operator(a, n), 1e-12, nil)
			if err != nil || len(values) != rank || len(vectors) != n*rank {
				t.Errorf("%d nodes, rank %d: values %v, error %v", n, rank, values, err)
			}
			a[rank*n+rank] = float64(1 + rank)
		}
	}
}

func TestExtremeStops(t *testing.T) {
	stop := errors.New("stop")
	for _, n := range []int{20, 400} {
		a := symmetric(n, rng.New(3, "stops"))
		if _, _, err := linalg.Extreme(n, 4, operator(a, n), 1e-12, func(int) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("%d nodes: error %v", n, err)
		}
		if _, _, err := linalg.Extreme(n, 4, func(dst, x []float64, columns int) error { return stop }, 1e-12, nil); !errors.Is(err, stop) {
			t.Errorf("%d nodes: error %v", n, err)
		}
	}
}
