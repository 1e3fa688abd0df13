package study

import (
	"fmt"
	"strings"

	"cadem/core/evaluate"
	"cadem/core/figure"
)

// A reading takes from a training what is compared: the values of its folds, or the one value
// of a score without folds; nil when there is none.
type reading func(*TaskResult) []float64

// An entry names a row of the table of scores of a training.
type entry struct{ embedding, target, metric string }

// of reads a figure by what pick takes from its score.
func (f entry) of(pick func(*evaluate.Score) []float64) reading {
	return func(t *TaskResult) []float64 {
		if s := t.score(f.embedding, f.target, f.metric); s != nil {
			return pick(s)
		}
		return nil
	}
}

func orOne(folds []float64, value float64) []float64 {
	if len(folds) > 0 {
		return folds
	}
	return []float64{value}
}

func (f entry) trained() reading {
	return f.of(func(s *evaluate.Score) []float64 { return orOne(s.Folds, s.Value) })
}

func (f entry) untrained() reading {
	return f.of(func(s *evaluate.Score) []float64 { return orOne(s.UntrainedFolds, s.Untrained) })
}

func (f entry) trivial() reading {
	return f.of(func(s *evaluate.Score) []float64 {
		if s.Trivial == nil {
			return nil
		}
		return orOne(s.TrivialFolds, *s.Trivial)
	})
}

// probe reads what a linear probe reads from the trained embedding, one value a training.
func (f entry) probe() reading {
	return f.of(func(s *evaluate.Score) []float64 { return []float64{s.Probe} })
}

// A pairing is a comparison of two readings of the same trainings, or of trainings of the same
// seeds, fold by fold where there are folds.
type pairing struct {
	a, b      float64 // means of what is compared
	trainings int
	folds     int // of a training; 1 without folds
	evaluate.Comparison
}

// pair compares a reading of trainings with another of others: a[i] and b[i] have the same
// seeds and data. It returns nil when there is nothing to compare.
func pair(a, b []*TaskResult, of, with reading) *pairing {
	p := &pairing{}
	var differences []float64
	for i := range a {
		x, y := of(a[i]), with(b[i])
		if len(x) == 0 || len(x) != len(y) {
			continue
		}
		p.trainings++
		p.folds = len(x)
		for f := range x {
			differences = append(differences, x[f]-y[f])
			p.a, p.b = p.a+x[f], p.b+y[f]
		}
	}
	if p.trainings == 0 {
		return nil
	}
	testShare := 0.0
	if p.folds > 1 {
		testShare = 1 / float64(p.folds-1)
	}
	p.Comparison = evaluate.Compare(differences, testShare)
	p.a, p.b = p.a/float64(p.Pairs), p.b/float64(p.Pairs)
	return p
}

// pairs returns the results of two lists of tasks that are there in both, a task of one beside
// that of the same seeds in the other.
func (r Results) pairs(a, b []Task) (x, y []*TaskResult) {
	for i := range min(len(a), len(b)) {
		s, t := r[a[i].Key()], r[b[i].Key()]
		if s != nil && t != nil {
			x, y = append(x, s), append(y, t)
		}
	}
	return x, y
}

// compare adds a sentence on a pairing, if there is one: what is compared, how much the one and
// the other have, and whether that is decided.
func (r *Report) compare(p *pairing, what, a, b string) {
	if p != nil {
		r.find("%s: %s %.3f, %s %.3f; %s.", what, a, p.a, b, p.b, p.verdict(a, b))
	}
}

// verdict says what a pairing comes to.
func (p *pairing) verdict(a, b string) string {
	if p.Pairs < 2 {
		return fmt.Sprintf("the difference is %s, and one training decides nothing", signed(p.Mean))
	}
	over := plural(p.trainings, "training")
	if p.folds > 1 {
		over = fmt.Sprintf("%d folds of %s", p.folds, over)
	}
	s := fmt.Sprintf("the difference is %s (95 %% interval %s to %s, %s, %s)", signed(p.Mean), signed(p.Low), signed(p.High), chance(p.P), over)
	switch {
	case !p.Decided:
		return s + ", not decided"
	case p.Mean > 0:
		return s + ", in favour of " + a
	}
	return s + ", in favour of " + b
}

// signed writes a difference for a sentence, with three digits.
func signed(v float64) string {
	s := figure.Fixed(v, 3)
	if v > 0 && s != "0.000" {
		s = "+" + s
	}
	return s
}

// chance writes a p for a sentence.
func chance(p float64) string {
	s := figure.Chance(p)
	if !strings.HasPrefix(s, "<") {
		s = "= " + s
	}
	return "p " + s
}
