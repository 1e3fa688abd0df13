package run

import (
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/evaluate"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// OfLinks takes the place of a label set in scores of held-out links.
const OfLinks = "held-out links"

// Probability names, among scores of links, the method's own estimate of their probability.
const Probability = "probability"

// Links scores how well trainings predict unseen links: for each split it trains on the graph of a data set without some of its links, always
// with the same seed. Split k of a graph is the same for every method and its settings. Rows are those of [evaluate.LinkMetrics], means over
// the layers, with a fold for each split: for all embeddings together, "combined", for the common one, if any, and for what stands
// beside: [links.Near], or nil. Trivial is the score of degrees alone, Probe the fit to the score of that row. A note says which layers are
// left out. Yield, which may be nil, is called often with the amount done and the total.
func Links(d *Dataset, s *Settings, p precision.Bits, splits int, beside links.Ways, yield pause.Yield) (scores []evaluate.Score, notes []string, err error) {
	if splits < 1 {
		return nil, nil, diag.Option("links", "no split", "at least 1")
	}
	t := &linkTable{}
	for k := range splits {
		const thousand = 1000
		within := func(done, total int) error {
			return yield.At(k*thousand+done*(thousand-1)/max(total, 1), splits*thousand)
		}
		worked, trained := 0, 0
		work := func(more int) error { // its share of a split is not known, and small
			const each = 1 << 19
			if worked += more; worked < each {
				return nil
			}
			worked = 0
			return yield.At(k*thousand+trained, splits*thousand)
		}
		held, err := links.Hold(d.Graph, links.Share, uint64(k), work)
		if err != nil {
			return nil, nil, err
		}
		r, err := s.Train([]*multiplex.Graph{held.Graph}, p, Watch{Preparing: within, Within: within})
		if err != nil {
			return nil, nil, err
		}
		trained = thousand - 1
		if err := t.split(held, r, beside, work); err != nil {
			return nil, nil, err
		}
		if k == 0 {
			notes = held.Notes()
		}
	}
	return t.rows(), notes, nil
}

// A linkTable is the scores of splits.
type linkTable struct {
	names              []string
	trained, untrained map[string][]links.Scores // by name, those of every split
	degrees            []links.Scores
}

// split adds the scores of a training on unseen links.
func (t *linkTable) split(held *links.Held, r *Run, beside links.Ways, pause pause.Work) error {
	after := r.Embeddings(0)
	before := r.before
	if before == nil {
		before = after
	}
	var err error
	score := func(of func(layer int) train.PairScore) (mean links.Scores, scored bool) {
		var list []links.Scores
		for l := range held.Pairs {
			if !held.Scored(l) || err != nil {
				continue
			}
			var f train.PairScore
			if of != nil {
				if f = of(l); f.Of == nil {
					return mean, false
				}
			}
			var s links.Scores
			s, err = held.Score(l, f.Width, f.Of, pause)
			list = append(list, s)
		}
		return links.Mean(list), err == nil
	}
	add := func(name string, of, before func(layer int) train.PairScore) {
		trained, there := score(of)
		if !there {
			return
		}
		untrained, _ := score(before)
		if !slices.Contains(t.names, name) {
			t.names = append(t.names, name)
		}
		t.trained[name], t.untrained[name] = append(t.trained[name], trained), append(t.untrained[name], untrained)
	}
	if t.trained == nil {
		t.trained, t.untrained = map[string][]links.Scores{}, map[string][]links.Scores{}
	}
	alone, _ := score(nil) // degrees
	t.degrees = append(t.degrees, alone)
	in := func(list []train.Embedding) func(int) train.PairScore {
		return func(l int) train.PairScore { return train.Links(list, l) }
	}
	add(Combined, in(after), in(before))
	if common := only(after, train.Common); common != nil {
		add(train.Common, in(common), in(only(before, train.Common)))
	}
	if p, ok := r.training.(train.Predictor); ok {
		own := func(l int) train.PairScore { return p.Links(0, l) }
		if own(0).Of != nil {
			add(Probability, own, own)
		}
	}
	if beside != nil {
		for _, way := range beside(held.Graph.Layers) {
			of := func(int) train.PairScore { return train.PairScore{Width: 1, Of: way.Of} }
			add(way.Name, of, of)
		}
	}
	return err
}

// only returns the embedding of a name, in a list; nil if there is none.
func only(list []train.Embedding, name string) []train.Embedding {
	if k := slices.IndexFunc(list, func(e train.Embedding) bool { return e.Name == name }); k >= 0 {
		return list[k : k+1]
	}
	return nil
}

// rows returns the scores of all splits.
func (t *linkTable) rows() []evaluate.Score {
	fitted := map[int]int{links.AUC: links.FittedAUC, links.AUCMatched: links.FittedAUCMatched}
	scores := []evaluate.Score{}
	folds := func(list []links.Scores, c int) (values []float64) {
		for _, s := range list {
			values = append(values, s[c])
		}
		return values
	}
	degrees := links.Mean(t.degrees)
	for _, name := range t.names {
		trained, untrained := links.Mean(t.trained[name]), links.Mean(t.untrained[name])
		for c, m := range links.Columns {
			probe, raw := fitted[c]
			if !raw {
				probe = c
			}
			s := evaluate.Score{Embedding: name, Target: OfLinks, Metric: m.Name, Value: trained[c], Standardised: trained[c], Untrained: untrained[c],
				UntrainedStandardised: untrained[c], Trivial: &degrees[c], Probe: trained[probe], UntrainedProbe: untrained[probe],
				Folds: folds(t.trained[name], c), UntrainedFolds: folds(t.untrained[name], c), TrivialFolds: folds(t.degrees, c)}
			s.FoldStd = evaluate.Deviation(s.Folds)
			scores = append(scores, s)
		}
	}
	return scores
}
