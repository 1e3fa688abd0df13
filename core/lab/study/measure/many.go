//go:build !js

package measure

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/pause"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
)

// nearest is conditions for many classes: the nearest class mean replaces the classifier, and the probe with columns
// standardised.
func (c *Items) nearest(s *run.Settings, yield pause.Yield) (scores []evaluate.Score, err error) {
	t := c.target()
	trained, untrained, trivial := c.embeddings(""), c.embeddings(untrained), c.features()
	at, parts := 0, 4*len(trained)+len(trivial)
	read := func(e *evaluate.Embedding, how evaluate.Nearness) (rows []evaluate.Score) {
		if err == nil {
			rows, err = evaluate.Nearest(e.Name, rowsIn(beside(e.Tokens)), how, &t, c.groups, s.Scoring(), s.EvalSeed, steps(yield, at, parts))
		}
		at++
		return rows
	}
	for i := range trained {
		var of [4][]evaluate.Score
		for k, e := range []*evaluate.Embedding{&trained[i], &untrained[i]} {
			of[2*k], of[2*k+1] = read(e, evaluate.Distance), read(e, evaluate.StandardisedDistance)
		}
		var known []evaluate.Score
		for k := range trivial {
			if trivial[k].Name == trained[i].Name {
				known = read(&trivial[k], evaluate.Distance)
			}
		}
		if err != nil {
			return nil, err
		}
		for k, row := range of[0] {
			row.Standardised, row.Probe = of[1][k].Value, of[1][k].Value
			row.Untrained, row.UntrainedFolds = of[2][k].Value, of[2][k].Folds
			row.UntrainedStandardised, row.UntrainedProbe = of[3][k].Value, of[3][k].Value
			if known != nil {
				row.Trivial, row.TrivialFolds = &known[k].Value, known[k].Folds
			}
			scores = append(scores, row)
		}
	}
	return scores, nil
}

// nearestRows classifies items of many classes by the nearest mean of what is known without embeddings.
func (c *Items) nearestRows(inputs Inputs, k *known, s *run.Settings, yield pause.Yield) ([]evaluate.Score, error) {
	t := c.target()
	return evaluate.Nearest(k.name, rowsOf(inputs, k), k.how, &t, c.groups, s.Scoring(), s.EvalSeed, yield)
}

// rowsOf are the rows of known data in inputs, read anew every time.
func rowsOf(inputs Inputs, k *known) evaluate.Rows {
	return func(take func(row []float64) error) error {
		return each(inputs, func(in *Result) error {
			a := in.rows(k.array)
			width := a.Shape[1]
			for at := 0; at < len(a.Data); at += width {
				row := a.Data[at : at+width]
				if k.columns > 0 {
					row = row[:k.columns]
				}
				if err := take(row); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// rowsIn are the rows of a matrix.
func rowsIn(x *mat.Dense) evaluate.Rows {
	return func(take func(row []float64) error) error {
		for i := range x.RawMatrix().Rows {
			if err := take(x.RawRowView(i)); err != nil {
				return err
			}
		}
		return nil
	}
}
