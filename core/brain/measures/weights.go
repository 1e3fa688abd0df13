package measures

import (
	"math"
	"slices"

	"cadem.example/core/evaluate"
	"cadem.example/core/lab/study/measure"
)

// Arrays of weights, beside those of [measure.Numbers] for what is predicted from all connections.
const (
	ArrayWeights measure.ArrayName = "weights" // a row a pair of regions: its weight, and its pattern
)

// ByConnections is the name of the predictor.
const ByConnections = "connections"

// weighed predicts a number from Fisher's z of all connections, and weighs these by a regression on all scans. A pattern is what a connection
// changes by where one more is predicted: cov(x, y) / var(y), equation (6) of S. Haufe and others, NeuroImage 87, 2014, for one target.
func weighed(w *measure.Work) error {
	o := &measure.NumberOptions{}
	source, err := opened(w, o)
	if err != nil {
		return err
	}
	r := evaluate.Regression{Folds: o.Folds, Permutations: o.Permutations, Seed: w.Settings.EvalSeed}
	scans := slices.Clone(w.Data.Scans)
	for k := range scans { // each is a row, and those of one family share a fold
		r.Groups = append(r.Groups, scans[k].Group)
		scans[k].Group = k
	}
	of := &ContrastOptions{Number: o.Target, Covariates: o.Covariates, Value: "strength", Beyond: 1}
	c := &contrast{o: of, source: source}
	c.begin(scans)
	if err := o.Fits(len(scans[0].Covariates), r.Groups); err != nil {
		return err
	}
	again := func() { c.begin(scans) }
	if err := (&measure.Items{}).Read(scans, again, c.take, part(w, 0, 500)); err != nil {
		return err
	}
	d, err := c.design()
	if err != nil {
		return err
	}
	r.Covariates = d.Covariates
	n, width := len(scans), len(c.pairs)/len(scans)
	gram := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			sum := 0.0
			for e, v := range c.pairs[i*width : (i+1)*width] {
				sum += float64(float64(v) * float64(c.pairs[j*width+e]))
			}
			gram[i*n+j], gram[j*n+i] = sum, sum
		}
	}
	found, err := evaluate.RegressProducts(gram, d.Number, r, part(w, 500, 500))
	if err != nil {
		return err
	}
	w.Result.Row(measure.ArrayRegressed, []float64{found.R, found.R2, found.Error, found.P})
	square := 0.0
	for i, v := range found.Predicted {
		w.Result.Row(measure.ArrayPredicted, []float64{v, found.True[i]})
		square += float64(found.Fitted[i] * found.Fitted[i])
	}
	for e := range width {
		weight, pattern := 0.0, 0.0
		for i, v := range found.Weights {
			weight += float64(v * float64(c.pairs[i*width+e]))
			pattern += float64(found.Fitted[i] * float64(c.pairs[i*width+e]))
		}
		w.Result.Row(ArrayWeights, []float64{weight, pattern / max(square, math.SmallestNonzeroFloat64)})
	}
	for _, q := range c.quality {
		w.Result.Row(ArrayScans, q)
	}
	c.describe(w.Result)
	return nil
}
