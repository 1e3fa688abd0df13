package evidence_test

import (
	"math"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/cadem/evidence"
)

// monotone returns the least squared distance of x to blocks of equal, non-increasing numbers: every way to cut x into blocks is tried.
func monotone(x []float64) float64 {
	best := math.Inf(1)
	for cuts := range 1 << max(0, len(x)-1) {
		sum, last, fits := 0.0, math.Inf(1), true
		for from := 0; from < len(x); {
			to, mean := from+1, x[from]
			for to < len(x) && cuts>>(to-1)&1 == 0 {
				mean += x[to]
				to++
			}
			mean /= float64(to - from)
			for _, v := range x[from:to] {
				sum += (v - mean) * (v - mean)
			}
			fits, last, from = fits && mean <= last, mean, to
		}
		if fits {
			best = min(best, sum)
		}
	}
	return best
}

func TestMonotone(t *testing.T) {
	draw := rng.New(1, "monotone")
	for n := range 9 {
		for range 20 {
			x := make([]float64, n)
			for i := range x {
				x[i] = math.Round(draw.Norm() * 4)
			}
			got, sum := evidence.Monotone(x), 0.0
			for i, v := range got {
				sum += (v - x[i]) * (v - x[i])
				if i > 0 && v > got[i-1] {
					t.Errorf("%v becomes %v", x, got)
				}
			}
			if want := monotone(x); n > 0 && math.Abs(sum-want) > 1e-12 {
				t.Errorf("%v becomes %v, off by %v, the least is %v", x, got, sum, want)
			}
		}
	}
}

// At the minimum the gradient is zero: sum of p - y, and sum of (p - y) x + ridge a.
func TestLogistic(t *testing.T) {
	draw := rng.New(2, "logistic")
	for name, label := range map[string]func(x []float64) bool{
		"noisy":     func(x []float64) bool { return x[0]+draw.Norm() > 0 },
		"separable": func(x []float64) bool { return x[1] > .1 },
		"rare":      func(x []float64) bool { return x[2] > 2.5 },
	} {
		const n, k = 400, 3
		x, y := make([]float64, n*k), make([]float64, n)
		for i := range n {
			for c := range k {
				x[i*k+c] = draw.Norm() * float64(1+c)
			}
			if label(x[i*k : (i+1)*k]) {
				y[i] = 1
			}
		}
		for _, ridge := range []float64{1, .1} {
			b, err := evidence.FitLogistic(x, y, k, ridge, nil)
			if err != nil {
				t.Fatal(err)
			}
			g := append([]float64{0}, b[1:]...)
			for c := range k {
				g[1+c] *= ridge
			}
			for i := range n {
				z := b[0]
				for c := range k {
					z += b[1+c] * x[i*k+c]
				}
				off := 1/(1+math.Exp(-z)) - y[i]
				g[0] += off
				for c := range k {
					g[1+c] += off * x[i*k+c]
				}
			}
			for c, v := range g {
				if math.Abs(v) > 1e-9 {
					t.Errorf("%s, ridge %v: the gradient by parameter %d is %g", name, ridge, c, v)
				}
			}
		}
	}
	for _, y := range [][]float64{{1, 1}, {0, 0}, {}} {
		b, err := evidence.FitLogistic(make([]float64, len(y)), y, 1, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range b {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("labels %v: %v", y, v)
			}
		}
	}
}

// pair is a sample of two with that mean and standard deviation.
func pair(mean, sd float64) []float64 { return []float64{mean - sd, mean + sd} }

// A gamma law of whole shape k is the time to the k-th event: it exceeds x as often as a Poisson number of mean x is below k.
func TestGammaQuantile(t *testing.T) {
	for _, shape := range []float64{1, 2, 7, 40, 900, 30000, 900000} {
		for _, a := range []float64{1e-4, .0125, .05, .5, .95} {
			const scale = .02
			x := evidence.GammaQuantile(a, pair(shape*scale, math.Sqrt(shape)*scale)) / scale
			// From the largest term down.
			log, _ := math.Lgamma(shape)
			term, sum := math.Exp((shape-1)*math.Log(x)-x-log), 0.0
			for k := shape - 1; k >= 0 && term > 1e-18*sum; k-- {
				sum += term
				term *= k / x
			}
			if math.Abs(sum-a) > 1e-7*a {
				t.Errorf("shape %v: %v is exceeded with probability %v, expected %v", shape, x, sum, a)
			}
		}
	}
}

// For laws that are nearly normal, and so narrow that sums lose their digits, a quantile has about as many standard deviations as the
// normal one.
func TestGammaQuantileNarrow(t *testing.T) {
	for _, sd := range []float64{1e-4, 1e-8, 0} {
		x := evidence.GammaQuantile(.05, pair(1, sd))
		if z := (x - 1) / max(sd, 1e-9); math.Abs(z-1.6448536) > 1e-3 {
			t.Errorf("sd %v: %v deviations, expected 1.645", sd, z)
		}
	}
}

func TestGumbel(t *testing.T) {
	for _, p := range []float64{.9, .5, .01, 1e-7, 1e-30} {
		b := 2 * math.Sqrt(6) / math.Pi
		x := 5 + b*(-math.Log(-math.Log1p(-p))-.5772)
		if got := evidence.Gumbel(x, pair(5, 2)); math.Abs(got-p) > 1e-9*p {
			t.Errorf("the tail beyond %v is %v, expected %v", x, got, p)
		}
	}
}

// Matrices with common eigenvectors become diagonal, and X is orthogonal.
func TestJoint(t *testing.T) {
	draw := rng.New(3, "joint")
	const n = 5
	angle := evidence.NewMatrix(n, n)
	for i := range n {
		angle.Data[i*n+i] = 1
	}
	for p := range n {
		for q := range p {
			c, s := math.Cos(draw.Norm()), 0.0
			s = math.Sqrt(1 - c*c)
			for i := range n {
				row := angle.Row(i)
				row[p], row[q] = c*row[p]+s*row[q], c*row[q]-s*row[p]
			}
		}
	}
	var list []evidence.Matrix
	for range 3 {
		a := evidence.NewMatrix(n, n)
		for k := range n {
			v := draw.Norm()
			for i := range n {
				for j := range n {
					a.Data[i*n+j] += v * angle.Row(i)[k] * angle.Row(j)[k]
				}
			}
		}
		list = append(list, a)
	}
	x := evidence.Joint(list)
	list = append(list, evidence.NewMatrix(n, n)) // X'X
	for i := range n {
		list[3].Data[i*n+i] = 1
	}
	for l, a := range list {
		for p := range n {
			for q := range p {
				sum := 0.0
				for i := range n {
					for j := range n {
						sum += x.Row(i)[p] * a.Row(i)[j] * x.Row(j)[q]
					}
				}
				if math.Abs(sum) > 1e-9 {
					t.Errorf("matrix %d: %g is left beside the diagonal", l, sum)
				}
			}
		}
	}
}

// Strata close at the first change of degree after four nodes.
func TestStrata(t *testing.T) {
	got := evidence.Strata([]float64{3, 0, 1, 1, 1, 1, 2, 9, 0, 3, 1}, 4)
	want := []int{1, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("strata %v, expected %v", got, want)
		}
	}
}
