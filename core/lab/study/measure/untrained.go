package measure

import (
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
)

// ArraySeeds has a row for each model seed that [Untrained] tried: the seed, and the macro-F1 of each private embedding.
const ArraySeeds ArrayName = "untrained seeds"

// Seeds returns how many model seeds a measure tries, from the task's on.
func (m *Spec) Seeds() int {
	n, _ := strconv.Atoi(m.Options["seeds"])
	return n
}

// untrained adds the scores of the private embeddings of untrained encoders on the named label sets, of the first layer on the first set and so
// on, for as many model seeds as asked for.
func (w *Work) untrained() error {
	g, n, a := w.Dataset.Graph, w.Seeds(), Array{Name: ArraySeeds, Shape: []int{w.Seeds(), 1 + len(w.Targets)}}
	for k := range n {
		seed := w.Settings.ModelSeed + uint64(k)
		t, err := cadem.New([]*multiplex.Graph{g}, *w.Settings.CaDeM(), seed, precision.Single)
		if err != nil {
			return err
		}
		a.Data = append(a.Data, float64(seed))
		private := t.Embeddings(0).Private
		for l, target := range w.Targets {
			at := slices.IndexFunc(g.Labels, func(s multiplex.LabelSet) bool { return s.Name == target })
			if at < 0 || l >= len(private) {
				return diag.Option("measure", "untrained embeddings beside the labels "+target, "a layer, and a label set, for each")
			}
			in := evaluate.Input{Trained: []evaluate.Embedding{{Name: string(ArrayPrivate.Layer(l)), Tokens: []*mat.Dense{private[l]}}},
				Targets: g.Labels[at : at+1], Classify: true}
			scores, err := evaluate.Table(in, w.Settings.Scoring(), w.Settings.EvalSeed, steps(w.Yield, k*len(w.Targets)+l, n*len(w.Targets)))
			if err != nil {
				return err
			}
			found := Result{Scores: scores}
			a.Data = append(a.Data, found.Score(scores[0].Embedding, target, "macro_f1").Value)
		}
	}
	w.Result.Arrays = append(w.Result.Arrays, a)
	return nil
}
