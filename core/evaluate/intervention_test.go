package evaluate

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

func ExampleIntervene() {
	// Two graphs that psi, the sum of its inputs, distinguishes by their private part alone.
	psi := Head{W: []float64{1, -1}, B: []float64{0, 0}}
	private := mat.NewDense(2, 1, []float64{3, -3})
	common := mat.NewDense(2, 1, []float64{0.5, -0.5})
	r := Intervene(psi, private, common)
	fmt.Printf("%.0f %.3f %.3f\n", r.Invariance, r.Observed.At(0, 0), r.Do.At(0, 0))

	// A common part that outweighs it decides: no answer stays when the common parts are exchanged.
	r = Intervene(psi, mat.NewDense(2, 1, []float64{1, -1}), mat.NewDense(2, 1, []float64{3, -3}))
	fmt.Printf("%.0f\n", r.Invariance)
	// Output:
	// 1 0.999 0.996
	// 0
}

// Against the definition in plain loops, for both ways to combine the parts.
func TestInterveneByDefinition(t *testing.T) {
	src := rng.New(1, "test/intervention")
	const items, d, n = 7, 3, 4
	fill := func(rows, cols int) *mat.Dense {
		x := mat.NewDense(rows, cols, nil)
		for k := range x.RawMatrix().Data {
			x.RawMatrix().Data[k] = src.Norm()
		}
		return x
	}
	for _, rows := range []int{d, 2 * d} {
		private, common, w, b := fill(items, d), fill(items, d), fill(rows, n), fill(1, n)
		posterior := func(i, j int) (p []float64, top int) {
			sum := 0.0
			for k := range n {
				x := b.At(0, k)
				for c := range d {
					x += private.At(i, c)*w.At(c, k) + common.At(j, c)*w.At(rows-d+c, k)
				}
				p = append(p, math.Exp(x))
				sum += p[k]
			}
			for k := range p {
				if p[k] /= sum; p[k] > p[top] {
					top = k
				}
			}
			return p, top
		}
		r := Intervene(Head{W: w.RawMatrix().Data, B: b.RawMatrix().Data}, private, common)
		same := 0
		for i := range items {
			observed, own := posterior(i, i)
			do := make([]float64, n)
			for j := range items {
				p, top := posterior(i, j)
				for k := range p {
					do[k] += p[k] / items
				}
				if j != i && top == own {
					same++
				}
			}
			for k := range n {
				logit := r.Private.At(i, k) + r.Common.At(0, k) - r.Private.At(i, 0) - r.Common.At(0, 0)
				if p, _ := posterior(i, 0); math.Abs(logit-math.Log(p[k]/p[0])) > 1e-9 {
					t.Errorf("%d rows, item %d beside 0, layer %d: logits differ by %v, expected %v", rows, i, k, logit, math.Log(p[k]/p[0]))
				}
				if math.Abs(r.Observed.At(i, k)-observed[k]) > 1e-12 || math.Abs(r.Do.At(i, k)-do[k]) > 1e-12 {
					t.Errorf("%d rows, item %d, layer %d: %v and %v, expected %v and %v", rows, i, k, r.Observed.At(i, k), r.Do.At(i, k), observed[k], do[k])
				}
			}
		}
		if want := float64(same) / (items * (items - 1)); r.Invariance != want {
			t.Errorf("%d rows: invariance %v, expected %v", rows, r.Invariance, want)
		}
	}
}

// By layer the distributions still add up to 1, and common parts that are all the same change no
// answer.
func TestLayerIntervention(t *testing.T) {
	src := rng.New(2, "test/intervention")
	const m, d, n = 20, 2, 3
	x := func() *mat.Dense {
		e := mat.NewDense(m, d, nil)
		for k := range e.RawMatrix().Data {
			e.RawMatrix().Data[k] = src.Norm()
		}
		return e
	}
	p := &LayerProbe{Copies: 10, Keep: 12, Phi: Head{W: make([]float64, d*n), B: make([]float64, n)},
		Psi: Head{W: x().RawMatrix().Data[:d*n], B: make([]float64, n)}}
	zero := mat.NewDense(m, d, nil)
	for range n {
		p.Common, p.Private = append(p.Common, zero), append(p.Private, x())
	}
	r := p.Intervene(1)
	if r.Invariance != 1 {
		t.Errorf("invariance %v without a common part", r.Invariance)
	}
	if r.Pairs != 30*29 {
		t.Errorf("%d pairs of 30 copies", r.Pairs)
	}
	if want := []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}; !slices.Equal(r.Layer, want) || len(r.Private) != len(want) || len(r.Common) != len(want) {
		t.Errorf("layers %v with %d private and %d common parts, expected %v", r.Layer, len(r.Private), len(r.Common), want)
	}
	for _, table := range [][][]float64{r.Observed, r.Do} {
		for l, row := range table {
			if sum := row[0] + row[1] + row[2]; math.Abs(sum-1) > 1e-12 {
				t.Errorf("layer %d: probabilities add up to %v", l, sum)
			}
		}
	}
}
