package linalg_test

import (
	"math"
	"testing"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/rng"
)

// grouped returns a random graph of n nodes in some groups less what degrees explain, over the mean degree, and its products.
func grouped(n, groups int) (*linalg.Sum, func(dst, x []float64, columns int) error) {
	const degree = 20.0
	draw, lists := rng.New(5, "grouped"), make([][]int32, n)
	for range int(n * degree / 2) {
		i, j := draw.IntN(n), draw.IntN(n)
		if draw.Float64() < .9 {
			j = j - j%groups + i%groups
		}
		if i != j && j < n {
			lists[i], lists[j] = append(lists[i], int32(j)), append(lists[j], int32(i))
		}
	}
	s, all := &linalg.Sum{Start: []int32{0}, Columns: 1}, 0.0
	for _, list := range lists {
		for _, j := range list {
			s.Index, s.Value = append(s.Index, j), append(s.Value, 1/degree)
		}
		s.Start, all = append(s.Start, int32(len(s.Index))), all+float64(len(list))
	}
	for _, list := range lists {
		s.Left, s.Right = append(s.Left, float64(len(list))/all/degree), append(s.Right, float64(len(list)))
	}
	return s, func(dst, x []float64, columns int) error {
		below := make([]float64, columns)
		for i, r := range s.Right {
			for c := range columns {
				below[c] += r * x[i*columns+c]
			}
		}
		for i, l := range s.Left {
			for c := range columns {
				dst[i*columns+c] = -l * below[c]
			}
			for k := s.Start[i]; k < s.Start[i+1]; k++ {
				for c := range columns {
					dst[i*columns+c] += s.Value[k] * x[int(s.Index[k])*columns+c]
				}
			}
		}
		return nil
	}
}

// Filtering in single precision gives the result of double precision, to a good tolerance; begun near it, it takes fewer products.
func TestExtremeSum(t *testing.T) {
	const n, k = linalg.Large + 603, 4
	s, mul := grouped(n, 1+k)
	counted := 0
	counts := func(dst, x []float64, columns int) error {
		counted++
		return mul(dst, x, columns)
	}
	want, vectors, err := linalg.Extreme(n, k, mul, 1e-7, nil)
	if err != nil {
		t.Fatal(err)
	}
	far := 0
	for _, near := range [][]float32{nil, make([]float32, n*k)} {
		for i := range near {
			near[i] = float32(vectors[i])
		}
		counted, s.Near = 0, near
		values, got, err := linalg.ExtremeSum(n, k, counts, s, 1e-4, nil)
		if err != nil || len(values) != k {
			t.Fatalf("values %v, %v", values, err)
		}
		for c, v := range values {
			if math.Abs(v-want[c]) > 1e-6 {
				t.Errorf("value %d is %v, expected %v", c, v, want[c])
			}
			off := 0.0
			for i := range n {
				off += (got[i*k+c] - vectors[i*k+c]) * (got[i*k+c] - vectors[i*k+c])
			}
			if off > 1e-5 {
				t.Errorf("vector %d is off by %g", c, math.Sqrt(off))
			}
		}
		if near == nil {
			far = counted
		} else if counted != 1 {
			t.Errorf("%d products with all vectors, %d without any", counted, far)
		}
	}
}

// Where one eigenvalue stands far outside the noise, and most of those looked for are noise of either sign, they are found in a few looks at the vectors.
func TestExtremeSumOfNoise(t *testing.T) {
	const n, k, tolerance = linalg.Large + 603, 48, 2e-3
	s, mul := grouped(n, 2)
	looks := 0
	counts := func(dst, x []float64, columns int) error {
		looks++
		return mul(dst, x, columns)
	}
	values, vectors, err := linalg.ExtremeSum(n, k, counts, s, tolerance, nil)
	if err != nil || len(values) != k {
		t.Fatalf("values %v, %v", values, err)
	}
	above := 0
	y := make([]float64, n*k)
	if err := mul(y, vectors, k); err != nil {
		t.Fatal(err)
	}
	for c, v := range values {
		if v > 0 {
			above++
		}
		off := 0.0
		for i := range n {
			r := y[i*k+c] - v*vectors[i*k+c]
			off += r * r
		}
		if off = math.Sqrt(off); off > tolerance*values[0] {
			t.Errorf("vector %d of eigenvalue %v is off by %v, expected at most %v", c, v, off, tolerance*values[0])
		}
	}
	if noise := math.Abs(values[k-1]); values[0] < 1.5*noise || above < 4 || above > k-4 {
		t.Errorf("values %v, expected one of a group and noise of both signs", values)
	}
	if looks > 4 {
		t.Errorf("looked %d times, expected at most 4", looks)
	}
}

// Stars have eigenvalues of 1 and of -1, one of each for every star once degrees are taken out: more than are looked for. A subspace that takes
// both ends for one never tells them apart.
func TestBothEnds(t *testing.T) {
	for _, n := range []int{900, linalg.Large + 604} {
		const hubs, k = 60, 4
		s := &linalg.Sum{Start: []int32{0}}
		value := func(hub int) float64 { return 1 / math.Sqrt(float64((n-1-hub)/hubs)) } // over the number of its leaves
		for i := range n {
			if i >= hubs {
				s.Index, s.Value = append(s.Index, int32(i%hubs)), append(s.Value, value(i%hubs))
			}
			for j := i + hubs; i < hubs && j < n; j += hubs {
				s.Index, s.Value = append(s.Index, int32(j)), append(s.Value, value(i))
			}
			s.Start = append(s.Start, int32(len(s.Index)))
		}
		mul := func(dst, x []float64, columns int) error {
			kernel.SparseMul(dst, s.Start, s.Index, s.Value, x, columns)
			return nil
		}
		values, vectors, err := linalg.ExtremeSum(n, k, mul, s, 1e-2, nil)
		if err != nil || len(values) != k {
			t.Fatalf("%d nodes: values %v, %v", n, values, err)
		}
		y := make([]float64, n*k)
		_ = mul(y, vectors, k)
		for c, v := range values {
			off := 0.0
			for i := range n {
				r := y[i*k+c] - v*vectors[i*k+c]
				off += r * r
			}
			if math.Abs(math.Abs(v)-1) > 1e-3 || math.Sqrt(off) > 1e-2 {
				t.Errorf("%d nodes: eigenvalue %v of a vector that is off by %v, expected 1 or -1", n, v, math.Sqrt(off))
			}
		}
	}
}
