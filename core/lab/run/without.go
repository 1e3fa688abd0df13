package run

import (
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// Without returns what the methods of [train.Without] score on a data set by the readers and in the folds of a run: rows of the combined
// embedding, which have the name of the method in its place. Methods that do not fit the data, or that this program does not train, have none,
// and none has any of so many nodes that scores are of a sample: finding eigenvectors of these takes longer than a run.
func (s *Settings) Without(d *Dataset, p precision.Bits, yield pause.Yield) ([]evaluate.Score, error) {
	list := []evaluate.Score{}
	for _, name := range train.Without {
		m, err := train.Lookup(name)
		if err != nil || m.Trains() != nil || m.Fits([]*multiplex.Graph{d.Graph}) != nil || d.Graph.M() > evaluate.SampleAbove {
			continue
		}
		of, err := SettingsOf(m, "", d)
		if err != nil {
			return nil, err
		}
		of.Evaluation, of.EvalSeed = s.Evaluation, s.EvalSeed
		r, err := Train(d, of, p, Watch{Within: yield})
		if err != nil {
			return nil, err
		}
		scores, err := Score(d, r.Scored[:1], nil, of.Scoring(), of.EvalSeed, yield)
		if err != nil {
			return nil, err
		}
		for _, row := range scores {
			row.Embedding = name
			list = append(list, row)
		}
	}
	return list, nil
}
