package measure

import (
	"slices"
	"strconv"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
)

// maps adds, for data that lie in the plane, positions, centres ("centres:1"), the label sets asked
// for, and two K-means clusters of every embedding; the smaller one is 1.
func (w *Work) maps() error {
	r, d, s := w.Result, w.Dataset, w.Settings
	truth := d.Graph.Truth
	if truth == nil || truth.Positions == nil {
		return diag.Option("measure", "maps of data without positions", "the data of syn3")
	}
	n := d.Graph.M()
	r.Arrays = append(r.Arrays, Array{"positions", []int{n, 2}, truth.Positions})
	for l, c := range truth.Centres {
		r.Integers(ArrayCentres.Of(strconv.Itoa(l+1)), c)
	}
	for i := range d.Graph.Labels {
		if l := &d.Graph.Labels[i]; slices.Contains(w.Targets, l.Name) {
			r.Integers(ArrayMap.Of(l.Name), l.Of)
		}
	}
	for _, e := range run.Tokens(w.Training.Trained) {
		if !slices.Contains(w.Embeddings, e.Name) {
			continue
		}
		of := evaluate.KMeans(e.Tokens[0], 2, s.Evaluation.KMeansRestarts, rng.New(s.EvalSeed, "study/map/"+e.Name)).Labels
		ones := 0
		for _, c := range of {
			ones += c
		}
		if 2*ones > n {
			for i := range of {
				of[i] = 1 - of[i]
			}
		}
		r.Integers(ArrayMap.Of(e.Name), of)
	}
	return nil
}
