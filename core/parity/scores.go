package parity

import (
	"encoding/json"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem/core/evaluate"
)

// combiner replays the training of the attention combiner, in double precision.
func (r *Report) combiner(file string, data []byte) {
	var g struct {
		N, Tokens, Embed, Heads, Classes int
		LR                               float64
		X                                tensor
		Y, Train                         []int
		Init                             map[string]tensor
		Expect                           struct {
			First struct {
				Fused, Attention, Logits tensor
				Loss                     float64
				Grads                    map[string]tensor
			}
			Losses      []float64
			ParamsAfter []map[string]tensor `json:"params_after"`
			FinalLogits tensor              `json:"final_logits"`
		}
	}
	if err := json.Unmarshal(data, &g); err != nil {
		r.fail(file, "file", 64, err)
		return
	}
	check := func(quantity string, got, want []float64, tolerance float64) {
		r.compare(file, quantity, 64, got, want, tolerance)
	}
	tokens := make([]*mat.Dense, g.Tokens)
	for k := range tokens {
		tokens[k] = mat.NewDense(g.N, g.Embed, nil)
		for i := range g.N {
			tokens[k].SetRow(i, g.X.at(i).at(k).data)
		}
	}
	c := evaluate.NewCombiner(evaluate.Shape{Tokens: g.Tokens, Dim: g.Embed, Classes: g.Classes, Heads: g.Heads})
	for _, name := range c.Parameters() {
		if x := g.Init[name].data; copy(c.Parameter(name), x) != len(c.Parameter(name)) {
			r.fail(file, name, 64, fmt.Errorf("%d values, expected %d", len(x), len(c.Parameter(name))))
			return
		}
	}
	every := make([]int, g.N)
	for i := range every {
		every[i] = i
	}
	all, train := evaluate.NewBatch(tokens, every, nil), evaluate.NewBatch(tokens, g.Train, g.Y)
	first := &g.Expect.First
	check("fused", c.Fused(all).RawMatrix().Data, first.Fused.data, 1e-9)
	check("logits", c.Logits(all).RawMatrix().Data, first.Logits.data, 1e-9)
	for head, w := range c.Attention(all) {
		for i := range g.N {
			check("attention", w.RawRowView(i), first.Attention.at(i).at(head).data, 1e-9)
		}
	}
	check("loss", []float64{c.Backward(train)}, []float64{first.Loss}, 1e-9)
	for _, name := range c.Parameters() {
		check("gradients", c.Gradient(name), first.Grads[name].data, 1e-10)
	}
	for s, want := range g.Expect.Losses {
		check("loss", []float64{c.Backward(train)}, []float64{want}, 1e-9)
		c.Step(train, g.LR)
		for _, name := range c.Parameters() {
			got, want := c.Parameter(name), g.Expect.ParamsAfter[s][name].data
			if name == "in_proj_bias" {
				// The gradient of the keys' bias is 0 exactly; Adam magnified its rounding in
				// the reference, and it has no influence.
				d := g.Embed
				check("parameters", got[:d], want[:d], 1e-6)
				got, want = got[2*d:], want[2*d:]
			}
			check("parameters", got, want, 1e-6)
		}
	}
	check("final logits", c.Logits(all).RawMatrix().Data, g.Expect.FinalLogits.data, 1e-9)
}

// metrics checks K-means, ARI, NMI and F1, and the properties of folds.
func (r *Report) metrics(file string, data []byte) {
	var g struct {
		KMeans []struct {
			X, Init   tensor
			Labels    []float64
			Centroids tensor
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
			FoldSizes   []float64 `json:"fold_sizes"`
			PerClassMin []int     `json:"per_class_min"`
			PerClassMax []int     `json:"per_class_max"`
		} `json:"stratified_folds"`
		Grouped struct {
			Y, Groups []int
			K         int
			Counts    []int `json:"every_fold_class_counts"`
			PerFold   int   `json:"every_fold_groups"`
		} `json:"grouped_folds"`
	}
	if err := json.Unmarshal(data, &g); err != nil {
		r.fail(file, "file", 64, err)
		return
	}
	check := func(quantity string, got, want []float64, tolerance float64) {
		r.compare(file, quantity, 64, got, want, tolerance)
	}
	matrix := func(t tensor) *mat.Dense { return mat.NewDense(t.shape[0], t.shape[1], t.data) }
	for _, c := range g.KMeans {
		got := evaluate.Lloyd(matrix(c.X), matrix(c.Init))
		labels := make([]float64, len(got.Labels))
		for i, l := range got.Labels {
			labels[i] = float64(l)
		}
		check("kmeans labels", labels, c.Labels, 0)
		check("kmeans centroids", got.Centroids.RawMatrix().Data, c.Centroids.data, 1e-9)
		check("kmeans inertia", []float64{got.Inertia}, []float64{c.Inertia}, 1e-9)
	}
	for _, c := range g.Partitions {
		check("ari", []float64{evaluate.ARI(c.A, c.B)}, []float64{c.ARI}, 1e-12)
		check("nmi", []float64{evaluate.NMI(c.A, c.B)}, []float64{c.NMI}, 1e-12)
	}
	for _, c := range g.F1 {
		macro, micro := evaluate.F1(c.True, c.Pred)
		check("f1", []float64{macro, micro}, []float64{c.Macro, c.Micro}, 1e-12)
	}
	for seed := range uint64(5) {
		for _, c := range g.Stratified {
			check(
				"stratified folds: rows outside the limits",
				[]float64{float64(stratifiedMisses(c.Y, c.K, c.FoldSizes, c.PerClassMin, c.PerClassMax, seed))},
				[]float64{0},
				0,
			)
		}
		check(
			"grouped folds: rows outside the limits",
			[]float64{float64(groupedMisses(g.Grouped.Y, g.Grouped.Groups, g.Grouped.K, g.Grouped.Counts, g.Grouped.PerFold, seed))},
			[]float64{0},
			0,
		)
	}
}
