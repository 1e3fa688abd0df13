package stats

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"cadem.example/core/base/rng"
)

// theory is the chance that |t| of n differences with an effect of d is beyond a level: the noncentral t distribution, integrated
// over the chi-squared one of its denominator.
func theory(n int, d, level float64) float64 {
	freedom := float64(n - 1)
	beyond := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(1 - level/2)
	chi, normal, shift := distuv.ChiSquared{K: freedom}, distuv.UnitNormal, d*math.Sqrt(float64(n))
	const steps = 20000
	most, within := freedom+20*math.Sqrt(2*freedom), 0.0
	for k := range steps {
		v := most * (float64(k) + .5) / steps
		c := beyond * math.Sqrt(v/freedom)
		within += chi.Prob(v) * (normal.CDF(c-shift) - normal.CDF(-c-shift)) * most / steps
	}
	return 1 - within
}

// Of differences planted in six of 30 regions as many are found, after correction for all, as theory says of a correction by
// Bonferroni, which for independent regions is nearly that of the largest t. The figures are printed with -v.
func TestPower(t *testing.T) {
	const cohorts, columns, planted, level = 60, 30, 6, .05
	s := rng.New(12, "planted")
	for _, c := range []struct {
		rows int
		d    float64
	}{{12, 1}, {20, .5}, {20, 1}, {40, .5}, {40, 1}} {
		found, mistaken := 0, 0
		for range cohorts {
			values := make([]float64, c.rows*columns)
			for k := range values {
				if values[k] = s.Norm(); k%columns < planted {
					values[k] += c.d
				}
			}
			r, err := Test(values, &Design{}, &Options{Permutations: 999, Seed: s.Uint64()}, c.rows, nil)
			if err != nil {
				t.Fatal(err)
			}
			wrong := 0
			for j, p := range r.Corrected {
				switch {
				case p > level:
				case j < planted:
					found++
				default:
					wrong = 1
				}
			}
			mistaken += wrong
		}
		power, want := float64(found)/(cohorts*planted), theory(c.rows, c.d, level/columns)
		t.Logf("%d subjects, d = %v: %.2f of the planted regions found, by theory %.2f; another one in %.2f of the cohorts", c.rows, c.d, power, want,
			float64(mistaken)/cohorts)
		near(t, fmt.Sprintf("power of %d subjects, d = %v", c.rows, c.d), power, want, .09)
		if mistaken > 9 { // 3 are expected; four standard errors
			t.Errorf("%d subjects: a region without a difference in %d of %d cohorts", c.rows, mistaken, cohorts)
		}
	}
}

// Connectivity of 2,000 subjects and 360 regions, and its test, take less than 1 GB.
func TestTwoThousandSubjects(t *testing.T) {
	if os.Getenv("CADEM_LONG") == "" {
		t.Skip("set CADEM_LONG=1 to test 129 million values")
	}
	const rows, nodes = 2000, 360
	values := make([]float32, rows*nodes*(nodes-1)/2)
	s := rng.New(2, "many subjects")
	for k := range values {
		values[k] = float32(s.Float64() - .5)
	}
	if _, err := Test(values, &Design{}, &Options{Permutations: 20, Nodes: nodes, Beyond: 3}, rows, nil); err != nil {
		t.Fatal(err)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d MB", m.Sys>>20)
	if m.Sys > 1e9 {
		t.Errorf("%d MB taken from the system, expected at most 1 GB", m.Sys>>20)
	}
}
