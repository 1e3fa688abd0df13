package evaluate

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

func normal(name string, n, d int) *mat.Dense {
	src := rng.New(3, "test/latent/"+name)
	x := mat.NewDense(n, d, nil)
	for k := range x.RawMatrix().Data {
		x.RawMatrix().Data[k] = src.Norm()
	}
	return x
}

func ExampleR2() {
	// An embedding that mixes two latent variables holds both, however it is turned.
	latent := mat.NewDense(6, 2, []float64{1, 0, 0, 1, -1, 0, 0, -1, 2, 1, -1, 2})
	var embedding mat.Dense
	embedding.Mul(latent, mat.NewDense(2, 2, []float64{1, 2, 3, -1}))
	r := R2(&embedding, latent, 3, 1)
	fmt.Printf("%.4f %.4f %.4f\n", r[0], r[1], r[2])
	// Output: 1.0000 1.0000 1.0000
}

func ExampleHSIC() {
	x := mat.NewDense(4, 1, []float64{0, 1, 2, 3})
	fmt.Printf("%.3f %.3f\n", HSIC(x, x), HSIC(x, mat.NewDense(4, 1, []float64{5, 5, 5, 5})))
	// Output: 1.000 0.000
}

// The noise that hides half of a latent variable's variance leaves an R2 of one half; what has
// nothing to do with it, and an embedding of zeros, leave none.
func TestR2(t *testing.T) {
	const n = 4000
	y, noise := normal("y", n, 2), normal("noise", n, 2)
	var half mat.Dense
	half.Add(y, noise)
	for _, c := range []struct {
		x          *mat.Dense
		want, near float64
	}{{&half, 0.5, 0.03}, {normal("other", n, 3), 0, 0.01}, {mat.NewDense(n, 4, nil), 0, 0}, {y, 1, 1e-9}} {
		for _, v := range R2(c.x, y, 5, 1) {
			if math.Abs(v-c.want) > c.near {
				t.Errorf("R2 is %v, expected %v", v, c.want)
			}
		}
	}
}

// Dependence without correlation is seen; scale and place do not count.
func TestHSIC(t *testing.T) {
	x := normal("x", 300, 1)
	square, moved := mat.DenseCopyOf(x), mat.DenseCopyOf(x)
	square.MulElem(x, x)
	moved.Scale(-7, moved)
	if v := HSIC(x, normal("independent", 300, 1)); v > 0.02 {
		t.Errorf("independent: %v", v)
	}
	if v := HSIC(x, square); v < 0.2 {
		t.Errorf("a square: %v", v)
	}
	if v := HSIC(x, moved); math.Abs(v-1) > 1e-9 {
		t.Errorf("the same, turned and scaled: %v", v)
	}
}
