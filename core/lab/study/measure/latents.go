package measure

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
)

// Names of what [Latents] scores: R2 of latent directions from an embedding, and the dependence of
// embeddings.
const (
	R2         = "r2"
	HSIC       = "hsic"
	OfShared   = "shared"              // the directions U of all layers
	OfOwn      = "own"                 // the directions V of a layer
	OfOther    = "private"             // for embeddings: the private ones
	FromShared = "explained by shared" // the share of an embedding that the directions U explain
)

// latents adds how well a linear regression finds the latent directions of the data in trained and
// untrained embeddings, and the private ones in the shared directions, means over the layers fold by fold, and how much S and P depend on each other:
// rows of the table of scores for common and private embeddings.
func latents(w *Work) error {
	r, d, s, trained := w.Result, w.Dataset, w.Settings, w.Training
	truth := d.Graph.Truth
	if truth == nil || len(truth.Private) == 0 {
		return diag.Option("measure", "latent directions of data without them", "the data of latent")
	}
	m := d.Graph.M()
	matrix := func(x []float64) *mat.Dense {
		if len(x) == 0 {
			return nil
		}
		return mat.NewDense(m, len(x)/m, x)
	}
	shared := matrix(truth.Shared)
	var own []*mat.Dense
	for _, v := range truth.Private {
		own = append(own, matrix(v))
	}
	fits := func(x, y *mat.Dense) []float64 {
		return evaluate.R2(x, y, s.Evaluation.Folds, s.EvalSeed)
	}
	for _, row := range []struct {
		embedding, target string
		of                func(e *cadem.Embeddings, layer int) (x, y *mat.Dense)
	}{
		{"common", OfShared, func(e *cadem.Embeddings, _ int) (x, y *mat.Dense) { return e.Consensus, shared }},
		{"common", OfOwn, func(e *cadem.Embeddings, l int) (x, y *mat.Dense) { return e.Consensus, own[l] }},
		{"private", OfShared, func(e *cadem.Embeddings, l int) (x, y *mat.Dense) { return e.Private[l], shared }},
		{"private", OfOwn, func(e *cadem.Embeddings, l int) (x, y *mat.Dense) { return e.Private[l], own[l] }},
		{"private", FromShared, func(e *cadem.Embeddings, l int) (x, y *mat.Dense) {
			if shared == nil {
				return nil, nil
			}
			return shared, e.Private[l]
		}},
	} {
		mean := func(e *cadem.Embeddings) []float64 {
			var folds []float64
			for l := range own {
				x, y := row.of(e, l)
				if y == nil {
					return nil // no such direction was drawn
				}
				v := fits(x, y)
				if folds == nil {
					folds = make([]float64, len(v))
				}
				for f := range v {
					folds[f] += v[f] / float64(len(own))
				}
			}
			return folds
		}
		after, before := mean(trained.Trained), mean(trained.Untrained)
		if after == nil {
			continue
		}
		r.Scores = append(r.Scores, evaluate.Score{Embedding: row.embedding, Target: row.target, Metric: R2, Value: average(after), Untrained: average(before),
			Folds: after, UntrainedFolds: before})
	}
	depend := func(e *cadem.Embeddings) (sum float64) {
		for _, p := range e.Private {
			sum += evaluate.HSIC(e.Consensus, p) / float64(len(e.Private))
		}
		return sum
	}
	r.Scores = append(r.Scores, evaluate.Score{Embedding: "common", Target: OfOther, Metric: HSIC, Value: depend(trained.Trained),
		Untrained: depend(trained.Untrained)})
	return nil
}

func average(x []float64) (sum float64) {
	for _, v := range x {
		sum += v / float64(len(x))
	}
	return sum
}
