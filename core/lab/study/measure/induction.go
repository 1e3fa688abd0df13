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
func induction(w *work) error {
	ways, held, err := run.Newcomers(w.d, w.s, precision.Single, w.s.EvalSeed, w.y)
	if err != nil {
		return err
	}
	for _, way := range ways {
		w.r.Words = append(w.r.Words, way.Way)
		w.r.row(ArrayWays, []float64{way.Nearest, way.Distance})
		for _, l := range w.d.Graph.Labels {
			if f, ok := way.MacroF1[l.Name]; ok {
				w.r.Scores = append(w.r.Scores, evaluate.Score{Embedding: way.Way, Target: l.Name, Metric: "macro_f1", Value: f})
			}
		}
	}
	w.r.row(ArrayHeld, []float64{float64(held)})
	return nil
}
