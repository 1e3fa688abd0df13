package evaluate

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

// At the minimum of a strictly convex objective the gradient vanishes: that fixes the
// fit whatever the path to it.
func TestProbeConverges(t *testing.T) {
	for _, c := range []struct{ n, d, k int }{{40, 3, 2}, {100, 8, 3}, {30, 40, 4}, {5, 2, 5}} {
		src := rng.New(1, "probe")
		tokens := randomTokens(c.n, c.d, 1, src)
		b := whole([]*mat.Dense{features(tokens)}, randomLabels(c.n, c.k, src))
		p := NewProbe(c.d, c.k)
		iterations := 0
		if err := p.Fit(b, func() error { iterations++; return nil }); err != nil {
			t.Fatal(err)
		}
		p.evaluate(b)
		if g := largest(p.model.grad); g > probeGradient {
			t.Errorf("%+v: gradient %v after %d iterations", c, g, iterations)
		}
		if iterations == 0 || iterations >= probeIterations {
			t.Errorf("%+v: %d iterations", c, iterations)
		}
	}
}

func TestProbeGradient(t *testing.T) {
	src := rng.New(2, "probe")
	b := whole(randomTokens(12, 3, 1, src), randomLabels(12, 3, src))
	p := NewProbe(3, 3)
	p.ridge = 0.3
	for i := range p.model.param {
		p.model.param[i] = src.Norm()
	}
	p.evaluate(b)
	grad := append([]float64(nil), p.model.grad...)
	const h = 1e-5
	for i, was := range p.model.param {
		p.model.param[i] = was + h
		up := p.evaluate(b)
		p.model.param[i] = was - h
		down := p.evaluate(b)
		p.model.param[i] = was
		if want := (up - down) / (2 * h); math.Abs(grad[i]-want) > 1e-8 {
			t.Errorf("gradient[%d] = %v, differences give %v", i, grad[i], want)
		}
	}
}

// Separable classes and columns of very unequal size, where plain descent stalls.
func TestProbeReadsWhatIsLinear(t *testing.T) {
	src := rng.New(3, "probe")
	x, y := blobs(90, 4, 3, 0.5, src)
	for i := range 90 {
		x.Set(i, 0, 1e6*x.At(i, 0)-3e5)
		x.Set(i, 1, 1e-6*x.At(i, 1))
	}
	b := whole([]*mat.Dense{features([]*mat.Dense{x})}, y)
	p, got := NewProbe(4, 3), make([]int, 90)
	if err := p.Fit(b, nil); err != nil {
		t.Fatal(err)
	}
	p.Predict(got, b)
	if _, micro := F1(y, got); micro != 1 {
		t.Errorf("micro F1 %v on separable classes", micro)
	}
}

func TestProbeStops(t *testing.T) {
	src, stop := rng.New(4, "probe"), errors.New("stop")
	b := whole(randomTokens(30, 4, 1, src), randomLabels(30, 3, src))
	calls := 0
	if err := NewProbe(4, 3).Fit(b, func() error { calls++; return stop }); err != stop || calls != 1 {
		t.Errorf("error %v after %d calls", err, calls)
	}
}
