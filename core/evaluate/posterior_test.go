package evaluate

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

// layers has N layers of embeddings whose means differ by that distance.
func layers(n, m, d int, apart float64, src *rng.Stream) []*mat.Dense {
	x := make([]*mat.Dense, n)
	for l := range x {
		x[l] = mat.NewDense(m, d, nil)
		for i := range m {
			for j := range d {
				x[l].Set(i, j, 0.1*src.Norm())
			}
			x[l].Set(i, l%d, x[l].At(i, l%d)+apart)
		}
	}
	return x
}

// Without noise and with all nodes, every copy is the sum of the rows; psi's posterior then
// follows by hand.
func TestPosteriorByHand(t *testing.T) {
	for _, rows := range []int{2, 4} { // added, side by side
		src := rng.New(uint64(rows), "hand")
		common, private := randomTokens(5, 2, 3, src), randomTokens(5, 2, 3, src)
		head := func(rows int) Head {
			h := Head{make([]float64, rows*3), make([]float64, 3)}
			for i := range h.W {
				h.W[i] = 0.3 * src.Norm()
			}
			for i := range h.B {
				h.B[i] = src.Norm()
			}
			return h
		}
		p := LayerProbe{Common: common, Private: private, Phi: head(2), Psi: head(rows), Copies: 4}
		r := p.Read(1)
		sum := func(x *mat.Dense, j int) float64 { return mat.Sum(x.ColView(j)) }
		mean := func(x []*mat.Dense, j int) float64 { return (sum(x[0], j) + sum(x[1], j) + sum(x[2], j)) / 3 }
		entropy, kl, bound, all := 0.0, 0.0, math.Log(3), make([]float64, 3)
		for l := range 3 {
			logits, own := make([]float64, 3), make([]float64, 3)
			for c := range 3 {
				logits[c], own[c] = p.Psi.B[c], p.Phi.B[c]
				for j := range 2 {
					logits[c] += mean(private, j)*p.Psi.W[j*3+c] + sum(common[l], j)*p.Psi.W[(rows-2+j)*3+c]
					own[c] += sum(private[l], j) * p.Phi.W[j*3+c]
				}
			}
			normal := func(x []float64) float64 { return math.Exp(x[0]) + math.Exp(x[1]) + math.Exp(x[2]) }
			for c := range 3 {
				q := math.Exp(logits[c]) / normal(logits)
				near(t, fmt.Sprint("posterior of layer ", l), r.Common.Mean[l][c:c+1], []float64{q}, 1e-12)
				entropy -= q * math.Log(q) / 3
				kl += q * math.Log(3*q) / 3
				all[c] += q / 3
			}
			bound += math.Log(math.Exp(own[l])/normal(own)) / 3
		}
		near(t, "entropy", []float64{r.Common.Entropy}, []float64{entropy / math.Log(3)}, 1e-12)
		information := -entropy
		for _, q := range all {
			information -= q * math.Log(q)
		}
		near(t, "information", []float64{r.Common.Information}, []float64{information}, 1e-12)
		near(t, "divergence", []float64{r.Common.KL}, []float64{kl}, 1e-12)
		near(t, "bound", []float64{r.Bound}, []float64{bound}, 1e-12)
	}
}

// A head that says nothing is undecided, yet the probe reads what is there.
func TestTwoViewsOfALayer(t *testing.T) {
	src := rng.New(1, "views")
	p := LayerProbe{Common: layers(3, 40, 4, 0, src), Private: layers(3, 40, 4, 1, src),
		Phi: Head{make([]float64, 12), make([]float64, 3)}, Psi: Head{make([]float64, 12), make([]float64, 3)}, Keep: 24, Noise: 0.5}
	p.Common[1], p.Common[2] = p.Common[0], p.Common[0]
	r := p.Read(1)
	for name, v := range map[string]LayerView{"common": r.Common, "private": r.Private} {
		if math.Abs(v.Entropy-1) > 1e-12 || math.Abs(v.KL) > 1e-12 {
			t.Errorf("%s: entropy %v, divergence %v", name, v.Entropy, v.KL)
		}
	}
	if r.Private.Probe != 1 || r.Common.Probe > 0.5 || r.Common.Probe < 0.2 || math.Abs(r.Bound) > 1e-12 {
		t.Errorf("probe of private %v, of common %v, bound %v", r.Private.Probe, r.Common.Probe, r.Bound)
	}
	if again := p.Read(1); !reflect.DeepEqual(r, again) {
		t.Error("the same seed reads something else")
	}
	if other := p.Read(2); reflect.DeepEqual(r, other) {
		t.Error("another seed reads the same")
	}
}

// Probed needs no heads: it finds what Read finds with any.
func TestToldAsRead(t *testing.T) {
	src := rng.New(5, "told")
	p := &LayerProbe{Copies: 20, Keep: 6, Noise: 0.1}
	for l := range 3 {
		common, private := mat.NewDense(9, 2, nil), mat.NewDense(9, 2, nil)
		for i := range 9 {
			for j := range 2 {
				common.Set(i, j, src.Norm())
				private.Set(i, j, src.Norm()+float64(10*l))
			}
		}
		p.Common, p.Private = append(p.Common, common), append(p.Private, private)
	}
	common, private := p.Probed(4)
	p.Phi, p.Psi = Head{make([]float64, 6), make([]float64, 3)}, Head{make([]float64, 6), make([]float64, 3)}
	if r := p.Read(4); common != r.Common.Probe || private != r.Private.Probe || private != 1 || common == 1 {
		t.Errorf("told %v and %v, read %+v", common, private, r)
	}
}

func TestPosteriorRefusesShapes(t *testing.T) {
	src := rng.New(1, "shapes")
	for name, p := range map[string]*LayerProbe{
		"none": {},
		"more nodes than there are": {Common: layers(2, 5, 3, 0, src), Private: layers(2, 5, 3, 0, src), Phi: Head{make([]float64, 6), make([]float64, 2)},
			Psi: Head{make([]float64, 6), make([]float64, 2)}, Keep: 6},
		"sizes": {Common: layers(2, 5, 3, 0, src), Private: layers(2, 5, 3, 0, src), Phi: Head{make([]float64, 6), make([]float64, 2)},
			Psi: Head{make([]float64, 8), make([]float64, 2)}},
	} {
		func() {
			defer func() {
				if r := recover(); r != ErrShape {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			p.Read(1)
		}()
	}
}
