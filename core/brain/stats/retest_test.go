package stats

import (
	"math"
	"slices"
	"testing"

	"cadem.example/core/base/rng"
)

// The six targets and four judges of Shrout and Fleiss (1979), table 2, whose ICC(3,1) they give as .71.
func TestAgreeAsPrinted(t *testing.T) {
	judged := []float64{9, 2, 5, 8, 6, 1, 3, 2, 8, 4, 6, 8, 7, 1, 2, 6, 10, 5, 6, 9, 6, 2, 4, 7}
	a := Agree(judged, 4)
	near(t, "ICC(3,1)", a.ICC, 0.7148407, 1e-7)
	near(t, "its lower end", a.Low, 0.34, 0.005) // as R's psych has it, to two digits
	near(t, "its upper end", a.High, 0.95, 0.005)
	moved := slices.Clone(judged)
	for i := range moved {
		moved[i] = 3*moved[i] + 100*float64(i%4)
	}
	near(t, "with judges that are stricter by different amounts", Agree(moved, 4).ICC, a.ICC, 1e-12)
	if same := Agree([]float64{1, 1, 2, 2, 5, 5}, 2); same != (Agreement{1, 1, 1}) {
		t.Error("of equal values:", same)
	}
	if none := Agree(make([]float64, 8), 2); none != (Agreement{}) {
		t.Error("of nothing that varies:", none)
	}
}

// Two times are enough for ICC(3,1) to be the covariance of both over the mean of their variances.
func TestAgreeIsCovariance(t *testing.T) {
	s := rng.New(1, "agree")
	for range 20 {
		n := 3 + s.IntN(30)
		x := make([]float64, 2*n)
		for i := range n {
			x[2*i] = s.Norm()
			x[2*i+1] = x[2*i] + s.Norm()
		}
		var mean [2]float64
		for i, v := range x {
			mean[i%2] += v / float64(n)
		}
		both, each := 0.0, 0.0
		for i := range n {
			a, b := x[2*i]-mean[0], x[2*i+1]-mean[1]
			both += a * b
			each += (a*a + b*b) / 2
		}
		a := Agree(x, 2)
		near(t, "ICC", a.ICC, both/each, 1e-12)
		if !(a.Low < a.ICC && a.ICC < a.High && a.High <= 1) {
			t.Errorf("%v is not inside its interval", a)
		}
	}
}

// Subjects whose values hardly change are all found again, those of other people are not, and p tells chance.
func TestIdentify(t *testing.T) {
	const n, width = 12, 40
	s := rng.New(2, "identify")
	first, same, others := make([]float32, n*width), make([]float32, n*width), make([]float32, n*width)
	for i := range first {
		v := s.Norm()
		first[i], same[i], others[i] = float32(v), float32(3*v+s.Norm()+7), float32(s.Norm())
	}
	raw := slices.Clone(first)
	f, err := Identify(first, same, n, 999, 1, nil)
	if err != nil || f.Right() != [2]int{n, n} || f.P != [2]float64{0.001, 0.001} {
		t.Fatalf("%v of %d found, p %v: %v", f.Right(), n, f.P, err)
	}
	own, rest := 0.0, 0.0
	for i := range n {
		for j := range n {
			r := pearson(raw[i*width:(i+1)*width], same[j*width:(j+1)*width])
			if i == j {
				own += r / n
			} else {
				rest += r / (n * (n - 1))
			}
		}
	}
	near(t, "correlation with oneself", f.Own, own, 1e-6)
	near(t, "correlation with others", f.Others, rest, 1e-6)
	small := 0
	for k := range 200 {
		for i := range others {
			others[i] = float32(s.Norm())
		}
		f, _ = Identify(first, others, n, 199, uint64(k), nil)
		if f.P[0] <= 0.05 {
			small++
		}
	}
	if small > 20 {
		t.Errorf("p is at most .05 in %d of 200 times for other people", small)
	}
	flat := make([]float32, 2*n*width)
	f, _ = Identify(flat[:n*width], flat[n*width:], n, 9, 1, nil)
	if f.Right() != [2]int{} || f.P != [2]float64{1, 1} {
		t.Errorf("of values that are all alike %v are found, p %v", f.Right(), f.P)
	}
}

func pearson(x, y []float32) float64 {
	var mx, my, xy, xx, yy float64
	for i := range x {
		mx += float64(x[i]) / float64(len(x))
		my += float64(y[i]) / float64(len(x))
	}
	for i := range x {
		a, b := float64(x[i])-mx, float64(y[i])-my
		xy += a * b
		xx += a * a
		yy += b * b
	}
	return xy / math.Sqrt(xx*yy)
}
