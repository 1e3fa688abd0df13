package evaluate

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The files come from the project's float64 reference implementation; their README
// says how they were made and which tolerances hold.
func golden(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func dense(x [][]float64) *mat.Dense {
	m := mat.NewDense(len(x), len(x[0]), nil)
	for i, row := range x {
		m.SetRow(i, row)
	}
	return m
}

func flat(x [][]float64) []float64 {
	var all []float64
	for _, row := range x {
		all = append(all, row...)
	}
	return all
}

// near compares with the scaled tolerance of the golden files.
func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tolerance*(1+math.Abs(w))) {
			t.Errorf("%s[%d] = %v, want %v", what, i, got[i], w)
			return
		}
	}
}

func TestCombinerGolden(t *testing.T) {
	type parameters map[string]json.RawMessage
	var g struct {
		N, Tokens, Embed, Heads, Classes int
		LR                               float64
		X                                [][][]float64
		Y, Train                         []int
		Init                             parameters
		Expect                           struct {
			First struct {
				Fused, Logits [][]float64
				Attention     [][][]float64
				Loss          float64
				Grads         parameters
			}
			Losses      []float64
			ParamsAfter []parameters `json:"params_after"`
			FinalLogits [][]float64  `json:"final_logits"`
		}
	}
	golden(t, "combiner.json", &g)
	values := func(p parameters, name string) []float64 {
		var v []float64
		if json.Unmarshal(p[name], &v) == nil {
			return v
		}
		var m [][]float64
		if err := json.Unmarshal(p[name], &m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return flat(m)
	}
	tokens := make([]*mat.Dense, g.Tokens)
	for k := range tokens {
		tokens[k] = mat.NewDense(g.N, g.Embed, nil)
		for i := range g.N {
			tokens[k].SetRow(i, g.X[i][k])
		}
	}
	c := NewCombiner(Shape{Tokens: g.Tokens, Dim: g.Embed, Classes: g.Classes, Heads: g.Heads})
	if len(c.Parameters()) != len(g.Init) {
		t.Fatalf("parameters %v, file has %d", c.Parameters(), len(g.Init))
	}
	for _, name := range c.Parameters() {
		if copy(c.Parameter(name), values(g.Init, name)) != len(c.Parameter(name)) {
			t.Fatalf("%s: wrong size", name)
		}
	}
	all, train := NewBatch(tokens, nil, nil), NewBatch(tokens, g.Train, g.Y)
	near(t, "fused", c.Fused(all).RawMatrix().Data, flat(g.Expect.First.Fused), 1e-9)
	near(t, "logits", c.Logits(all).RawMatrix().Data, flat(g.Expect.First.Logits), 1e-9)
	for a, w := range c.Attention(all) {
		for i := range g.N {
			near(t, "attention", w.RawRowView(i), g.Expect.First.Attention[i][a], 1e-9)
		}
	}
	near(t, "loss", []float64{c.Loss(train)}, []float64{g.Expect.First.Loss}, 1e-9)
	c.Backward(train)
	for _, name := range c.Parameters() {
		near(t, "gradient of "+name, c.Gradient(name), values(g.Expect.First.Grads, name), 1e-10)
	}
	for s, want := range g.Expect.Losses {
		near(t, "losses", []float64{c.Loss(train)}, []float64{want}, 1e-9)
		c.Step(train, g.LR)
		for _, name := range c.Parameters() {
			got, want := c.Parameter(name), values(g.Expect.ParamsAfter[s], name)
			if name == "in_proj_bias" {
				// The bias of the keys has no influence; the file holds magnified rounding there.
				d := g.Embed
				got, want = append(append([]float64{}, got[:d]...), got[2*d:]...), append(append([]float64{}, want[:d]...), want[2*d:]...)
			}
			near(t, name, got, want, 1e-6)
		}
	}
	near(t, "final logits", c.Logits(all).RawMatrix().Data, flat(g.Expect.FinalLogits), 1e-9)
}

func TestMetricsGolden(t *testing.T) {
	var g struct {
		KMeans []struct {
			K         int
			X, Init   [][]float64
			Labels    []int
			Centroids [][]float64
			Inertia   float64
		}
		Partitions []struct {
			A, B     []int
			ARI, NMI float64
		}
		F1 []struct {
			True, Pred   []int
			Macro, Micro float64
		}
		Stratified []struct {
			Y           []int
			K           int
			FoldSizes   []int `json:"fold_sizes"`
			PerClassMin []int `json:"per_class_min"`
			PerClassMax []int `json:"per_class_max"`
		} `json:"stratified_folds"`
		Grouped struct {
			Y, Groups []int
			K         int
			Counts    []int `json:"every_fold_class_counts"`
			PerFold   int   `json:"every_fold_groups"`
		} `json:"grouped_folds"`
	}
	golden(t, "metrics.json", &g)
	for _, k := range g.KMeans {
		c := Lloyd(dense(k.X), dense(k.Init))
		for i, want := range k.Labels {
			if c.Labels[i] != want {
				t.Fatalf("K=%d: label %d is %d, want %d", k.K, i, c.Labels[i], want)
			}
		}
		near(t, "centroids", c.Centroids.RawMatrix().Data, flat(k.Centroids), 1e-9)
		near(t, "inertia", []float64{c.Inertia}, []float64{k.Inertia}, 1e-9)
	}
	for _, p := range g.Partitions {
		near(t, "ARI and NMI", []float64{ARI(p.A, p.B), NMI(p.A, p.B)}, []float64{p.ARI, p.NMI}, 1e-12)
	}
	for _, f := range g.F1 {
		macro, micro := F1(f.True, f.Pred)
		near(t, "F1", []float64{macro, micro}, []float64{f.Macro, f.Micro}, 1e-12)
	}
	for _, s := range g.Stratified {
		checkStratified(t, s.Y, s.K, s.FoldSizes, s.PerClassMin, s.PerClassMax)
	}
	checkGrouped(t, g.Grouped.Y, g.Grouped.Groups, g.Grouped.K, g.Grouped.Counts, g.Grouped.PerFold)
	if len(g.KMeans) == 0 || len(g.Partitions) == 0 || len(g.F1) == 0 || len(g.Stratified) == 0 || len(g.Grouped.Y) == 0 {
		t.Error("metrics.json lacks a part")
	}
}
