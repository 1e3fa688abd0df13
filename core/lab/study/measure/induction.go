package measure

import (
	"cadem.example/core/base/precision"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
)

// Arrays of held-out nodes: a row for each way of embedding them, named in Words, and the number of nodes.
const (
	ArrayWays ArrayName = "ways" // the share of the ten nearest in common with a training with them, and the distance from it
	ArrayHeld ArrayName = "held"
)

// induction embeds nodes that were held out with all their links. The evaluation's seed draws them.
func induction(w *Work) error {
	ways, held, err := run.Newcomers(w.Dataset, w.Settings, precision.Single, w.Settings.EvalSeed, w.Yield)
	if err != nil {
		return err
	}
	for _, way := range ways {
		w.Result.Words = append(w.Result.Words, way.Way)
		w.Result.Row(ArrayWays, []float64{way.Nearest, way.Distance})
		for _, l := range w.Dataset.Graph.Labels {
			if f, ok := way.MacroF1[l.Name]; ok {
				w.Result.Scores = append(w.Result.Scores, evaluate.Score{Embedding: way.Way, Target: l.Name, Metric: "macro_f1", Value: f})
			}
		}
	}
	w.Result.Row(ArrayHeld, []float64{float64(held)})
	return nil
}
