package diffusion

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

func Example() {
	// Two nodes that are joined: P is 1/2 everywhere, and S is 0.6 on the diagonal.
	p := &multiplex.CSR{Rows: 2, Cols: 2, Start: []int32{0, 2, 4}, Index: []int32{0, 1, 0, 1}, Value: []float64{0.5, 0.5, 0.5, 0.5}}
	s, err := Exact(p, 0.2, nil)
	if err != nil {
		panic(err)
	}
	for _, v := range s {
		fmt.Printf("%.3f ", v)
	}
	// Output: 0.600 0.400 0.400 0.600
}

// ring returns D^-1/2 (A + I) D^-1/2 of a weighted ring with chords, and the roots of the degrees.
func ring(t *testing.T, m int) (*multiplex.CSR, []float64) {
	src := rng.New(1, "ring")
	a := make([]float64, m*m)
	for i := range m {
		a[i*m+i] = 1
		for _, j := range []int{(i + 1) % m, (i + 5) % m} {
			w := src.Uniform(0.5, 2)
			a[i*m+j], a[j*m+i] = w, w
		}
	}
	roots := make([]float64, m)
	for i := range roots {
		sum := 0.0
		for _, v := range a[i*m : (i+1)*m] {
			sum += v
		}
		roots[i] = math.Sqrt(sum)
	}
	p := &multiplex.CSR{Rows: m, Cols: m, Start: []int32{0}}
	for i := range m {
		for j := range m {
			if v := a[i*m+j]; v != 0 {
				p.Index, p.Value = append(p.Index, int32(j)), append(p.Value, v/roots[i]/roots[j])
			}
		}
		p.Start = append(p.Start, int32(len(p.Index)))
	}
	return p, roots
}

func exactly(t *testing.T, p *multiplex.CSR, alpha float64) []float64 {
	t.Helper()
	s, err := Exact(p, alpha, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func summed(t *testing.T, p *multiplex.CSR, alpha float64, terms, top int) *multiplex.CSR {
	t.Helper()
	s, err := Series(p, alpha, terms, top, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Pauses count up to the whole, and the error of any of them ends the work.
func TestPauses(t *testing.T) {
	p, _ := ring(t, 70)
	for name, work := range map[string]func(yield pause.Yield) error{
		"exact":  func(y pause.Yield) error { _, err := Exact(p, 0.2, y); return err },
		"series": func(y pause.Yield) error { _, err := Series(p, 0.2, 10, 5, y); return err },
	} {
		calls, last, of := 0, 0, 0
		if err := work(func(done, total int) error {
			if done <= last {
				t.Errorf("%s: %d done after %d", name, done, last)
			}
			calls, last, of = calls+1, done, total
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if last > of || last < of*8/10 || calls < 10 {
			t.Errorf("%s: %d pauses, the last after %d of %d", name, calls, last, of)
		}
		stop := errors.New("stop")
		for k := range calls {
			left := k
			if err := work(func(int, int) error {
				if left--; left < 0 {
					return stop
				}
				return nil
			}); err != stop {
				t.Fatalf("%s: stopped at pause %d: %v", name, k, err)
			}
		}
	}
}

// S is symmetric, solves its equation, and its rows are distributions after a change of scale.
func TestExact(t *testing.T) {
	const m, alpha = 70, 0.2
	p, roots := ring(t, m)
	s, dense := exactly(t, p, alpha), p.Dense()
	for i := range m {
		sum := 0.0
		for j := range m {
			sum += s[i*m+j] / roots[i] * roots[j]
			got, want := s[i*m+j], 0.0
			if i == j {
				want = alpha
			}
			for k := range m {
				got -= (1 - alpha) * dense[i*m+k] * s[k*m+j]
			}
			if math.Abs(got-want) > 1e-13 || s[i*m+j] != s[j*m+i] {
				t.Fatalf("entry %d, %d: %g off, mirrored %g", i, j, got-want, s[i*m+j]-s[j*m+i])
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("row %d sums to %g", i, sum)
		}
	}
}

// The series comes as near as its bound says, also in several blocks of columns, and keeps the
// largest entries.
func TestSeries(t *testing.T) {
	const m, alpha, top = 70, 0.2, 9
	p, _ := ring(t, m)
	exact := exactly(t, p, alpha)
	for i, v := range summed(t, p, alpha, 60, m).Dense() {
		if d := math.Abs(v - exact[i]); d > 1.6e-6 {
			t.Fatalf("entry %d is %g off", i, d)
		}
	}
	s := summed(t, p, alpha, 200, top)
	for i := range m {
		row := slices.Clone(exact[i*m : (i+1)*m])
		slices.Sort(row)
		for k := s.Start[i]; k < s.Start[i+1]; k++ {
			if v := s.Value[k]; math.Abs(v-exact[i*m+int(s.Index[k])]) > 1e-12 || v < row[m-top]-1e-12 {
				t.Errorf("row %d keeps %g; the smallest to keep is %g", i, v, row[m-top])
			}
		}
		if n := s.Start[i+1] - s.Start[i]; n != top {
			t.Errorf("row %d keeps %d entries", i, n)
		}
	}
}

// All leaves of a star are equally near to each other: those with the lowest numbers stay.
func TestTiesGoToTheLowerColumn(t *testing.T) {
	const m = 9
	p := &multiplex.CSR{Rows: m, Cols: m, Start: []int32{0}}
	for i := range m {
		for j := range m {
			if i == j || i == 0 || j == 0 {
				di, dj := 2.0, 2.0
				if i == 0 {
					di = m
				}
				if j == 0 {
					dj = m
				}
				p.Index, p.Value = append(p.Index, int32(j)), append(p.Value, 1/math.Sqrt(di)/math.Sqrt(dj))
			}
		}
		p.Start = append(p.Start, int32(len(p.Index)))
	}
	s := summed(t, p, 0.2, 60, 4)
	if got, want := s.Index[s.Start[5]:s.Start[6]], []int32{0, 1, 2, 5}; !slices.Equal(got, want) {
		t.Errorf("leaf 5 keeps %v, expected %v", got, want)
	}
}
