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
func (m *Spec) maps(r *Result, d *run.Dataset, s *run.Settings, trained *run.Result) error {
	truth := d.Graph.Truth
	if truth == nil || truth.Positions == nil {
		return diag.Option("measure", "maps of data without positions", "the data of syn3")
	}
	n := d.Graph.M()
	r.Arrays = append(r.Arrays, Array{"positions", []int{n, 2}, truth.Positions})
	for l, c := range truth.Centres {
		r.integers(ArrayCentres.Of(strconv.Itoa(l+1)), c)
	}
	for i := range d.Graph.Labels {
		if l := &d.Graph.Labels[i]; slices.Contains(m.Targets, l.Name) {
			r.integers(ArrayMap.Of(l.Name), l.Of)
		}
	}
	for _, e := range run.Tokens(trained.Trained) {
		if !slices.Contains(m.Embeddings, e.Name) {
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
		r.integers(ArrayMap.Of(e.Name), of)
	}
	return nil
}
