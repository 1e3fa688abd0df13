package links

import (
	"cmp"
	"slices"

	"cadem.example/core/base/pause"
	"cadem.example/core/cadem/evidence"
)

// A Predicted is a pair of nodes I < J without a link, and its score.
type Predicted struct {
	I, J  int
	Score float64
}

// Predict returns the k pairs without a link in a layer that have the highest scores above 0, the highest first; of equal scores the lower nodes.
// Pause is called with how many pairs were looked at since; its error is returned.
func Predict(layer *evidence.Layer, k int, score func(i, j int) float64, pause pause.Work) ([]Predicted, error) {
	var list []Predicted
	floor := 0.0
	cut := func() {
		slices.SortFunc(list, func(a, b Predicted) int { return cmp.Or(cmp.Compare(b.Score, a.Score), a.I-b.I, a.J-b.J) })
		if len(list) >= k {
			list = list[:k]
			floor = list[k-1].Score // pairs come in order: an equal one comes too late
		}
	}
	for i := range layer.M() {
		for j := i + 1; j < layer.M(); j++ {
			if s := score(i, j); s > floor && !layer.A.Has(i, j) {
				if list = append(list, Predicted{i, j, s}); len(list) >= 2*k {
					cut()
				}
			}
		}
		if err := pause.After(layer.M() - i); err != nil {
			return nil, err
		}
	}
	cut()
	return list, nil
}
