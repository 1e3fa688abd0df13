package run

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
)

// The posterior cuts as many nodes as training does, where a product that rounds down would lose one.
func TestPosteriorCutsAsTrainingDoes(t *testing.T) {
	o := cadem.Released()
	o.NodeRatio, o.Noise = 0.58, 0
	// All embeddings being 1, a copy's sum is the number of its nodes, and of a phi that
	// answers by a hundredth of it the bound tells that number.
	ones := mat.NewDense(50, 1, slices.Repeat([]float64{1}, 50))
	e := &cadem.Embeddings{Consensus: ones, Common: []*mat.Dense{ones, ones}, Private: []*mat.Dense{ones, ones}}
	r := probeOf(e, &o, evaluate.Head{W: []float64{0.01, 0}, B: []float64{0, 0}}, evaluate.Head{W: []float64{0, 0}, B: []float64{0, 0}}).Read(1)
	x := 0.29
	if want := math.Log(2) - (2*math.Log(math.Exp(x)+1)-x)/2; math.Abs(r.Bound-want) > 1e-12 {
		t.Errorf("the bound is %v, of 29 nodes it would be %v", r.Bound, want)
	}
}

// The logits of both parts of 1,000 random pairs of bags of a trained model add up to psi's answer, as a forward pass gives it to both parts at once.
func TestPartsAddUpToPsi(t *testing.T) {
	const bags, pairs = 60, 1000
	top := func(z []float64) int { return slices.Index(z, slices.Max(z)) }
	for _, combine := range []string{"add", "concat"} {
		d, err := OpenExample("town", map[string]any{"nodes": 60}, 0)
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewSettings("released", d)
		if err != nil {
			t.Fatal(err)
		}
		o := s.CaDeM()
		o.Combine, o.Epochs, o.Hidden, o.WeightCausal, o.Pairing = combine, 12, 16, 50, "own"
		m, err := cadem.New([]*multiplex.Graph{d.Graph}, *o, 1, precision.Single)
		for err == nil && !m.Done() {
			err = m.Step()
		}
		if err != nil {
			t.Fatal(err)
		}
		e, psi, src := m.Embeddings(0), LayerProbe(m).Psi, rng.New(1, "test/psi")
		private, common := mat.NewDense(bags, o.Dim, nil), mat.NewDense(bags, o.Dim, nil)
		nodes := make([]int, 36)
		for k := range bags {
			src.Sample(nodes, d.Graph.M())
			for _, i := range nodes {
				for j := range o.Dim {
					private.Set(k, j, private.At(k, j)+e.Private[k%d.Graph.N()].At(i, j))
					common.Set(k, j, common.At(k, j)+e.Common[k%d.Graph.N()].At(i, j))
				}
			}
		}
		forward := func(i, j int) int {
			h := slices.Concat(private.RawRowView(i), common.RawRowView(j))
			if combine == "add" {
				for k := range o.Dim {
					h[k] += h[o.Dim+k]
				}
				h = h[:o.Dim]
			}
			var z mat.VecDense
			z.MulVec(mat.NewDense(len(h), d.Graph.N(), psi.W).T(), mat.NewVecDense(len(h), h))
			z.AddVec(&z, mat.NewVecDense(len(psi.B), psi.B))
			return top(z.RawVector().Data)
		}
		found, crossed := evaluate.Intervene(psi, private, common), 0
		for range pairs {
			i, j := src.IntN(bags), src.IntN(bags)
			z := slices.Clone(found.Private.RawRowView(i))
			for k, v := range found.Common.RawRowView(j) {
				z[k] += v
			}
			if top(z) != forward(i, j) {
				t.Fatalf("%s: of P %d beside C %d the parts say layer %d, psi says %d", combine, i, j, top(z), forward(i, j))
			}
			if forward(i, j) != forward(i, i) {
				crossed++
			}
		}
		if crossed == 0 {
			t.Errorf("%s: no swap of %d changes an answer", combine, pairs)
		}
	}
}
