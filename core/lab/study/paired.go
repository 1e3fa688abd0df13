package study

import (
	"fmt"
	"slices"

	"cadem.example/core/base/figure"
	"cadem.example/core/evaluate"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
)

// A Reading takes from a training what is compared: the values of its folds, or the one value
// of a score without folds; nil when there is none.
type Reading func(*measure.Result) []float64

// An Entry names a row of the table of scores of a training.
type Entry struct {
	Embedding, Target, Metric string
	Fitted                    bool // compares scores by the well-fitted reader instead of the paper's
}

// of reads a figure by what pick takes from its score.
func (f Entry) of(pick func(*evaluate.Score) []float64) Reading {
	return func(t *measure.Result) []float64 {
		if s := t.Score(f.Embedding, f.Target, f.Metric); s != nil {
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

// Trained reads the score of trained embeddings.
func (f Entry) Trained() Reading {
	return f.of(func(s *evaluate.Score) []float64 {
		switch {
		case !f.Fitted:
			return orOne(s.Folds, s.Value)
		case s.Fitted != nil:
			return s.Fitted.Folds
		}
		return nil
	})
}

// Untrained reads the score of untrained embeddings.
func (f Entry) Untrained() Reading {
	return f.of(func(s *evaluate.Score) []float64 { return orOne(s.UntrainedFolds, s.Untrained) })
}

// Trivial reads what is reached without any encoder; nil if that was not measured.
func (f Entry) Trivial() Reading {
	return f.of(func(s *evaluate.Score) []float64 {
		if s.Trivial == nil {
			return nil
		}
		return orOne(s.TrivialFolds, *s.Trivial)
	})
}

// Probe reads what a linear probe reads from the trained embedding, one value a training.
func (f Entry) Probe() Reading {
	return f.of(func(s *evaluate.Score) []float64 { return []float64{s.Probe} })
}

// A Pairing is a comparison of two readings of the same trainings, or of trainings of the same
// seeds, fold by fold if there are folds.
type Pairing struct {
	A, B      float64 // means of the compared values
	trainings int
	folds     int  // of a training; 1 without folds
	splits    bool // folds are splits of links, or of the data
	share     float64
	evaluate.Comparison
}

// A Test is a comparison of a report in numbers.
type Test struct {
	What       string  `json:"what"`
	A          string  `json:"a"`
	B          string  `json:"b"`
	MeanA      float64 `json:"mean_a"`
	MeanB      float64 `json:"mean_b"`
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"` // of the interval of 95 %
	High       float64 `json:"high"`
	P          float64 `json:"p"`
	// Corrected is P after Holm's correction for CorrectedFor comparisons, if there is one.
	Corrected    *float64 `json:"p_corrected,omitempty"`
	CorrectedFor int      `json:"corrected_for,omitempty"`
	Pairs        int      `json:"pairs"`
	// Independent is how many independent differences the pairs weigh as, and Words say it.
	Independent float64 `json:"independent"`
	Words       string  `json:"words"`
}

// independent is how many independent differences would give the mean the variance that the test takes it to have.
func (p *Pairing) independent() float64 { return 1 / (1/float64(p.Pairs) + p.share) }

// weight says how many differences there are, and as how many independent ones they count.
func (p *Pairing) weight() string {
	s := Plural(p.Pairs, "difference") + ", of " + p.over()
	if p.share == 0 {
		return s + ", taken as independent"
	}
	return s + fmt.Sprintf(", which share what they train on and weigh as %s independent ones", figure.Fixed(p.independent(), 1))
}

// over says what the differences are of.
func (p *Pairing) over() string {
	if p.folds < 2 {
		return Plural(p.trainings, "training")
	}
	parts := "folds"
	if p.splits {
		parts = "splits"
	}
	return fmt.Sprintf("%d %s of %s", p.folds, parts, Plural(p.trainings, "training"))
}

// test is the pairing in numbers.
func (p *Pairing) test(what, a, b string) Test {
	return Test{What: what, A: a, B: b, MeanA: p.A, MeanB: p.B, Difference: p.Mean, Low: p.Low, High: p.High, P: p.P, Pairs: p.Pairs,
		Independent: p.independent(), Words: p.weight()}
}

// Pair compares a reading of trainings with another of others: a[i] and b[i] have the same
// seeds and data. It returns nil when there is nothing to compare.
func Pair(a, b []*measure.Result, of, with Reading) *Pairing { return pairOn("", a, b, of, with) }

// PairLinks is [Pair] of scores of held-out links: splits, in the place of folds, share more of what they train on.
func PairLinks(a, b []*measure.Result, of, with Reading) *Pairing {
	return pairOn(run.OfLinks, a, b, of, with)
}

func pairOn(target string, a, b []*measure.Result, of, with Reading) *Pairing {
	var x, y [][]float64
	own := 0.0
	for i := range a {
		x, y = append(x, of(a[i])), append(y, with(b[i]))
		own = max(own, a[i].TestShare())
	}
	return pair(x, y, target, own)
}

// pair compares values of trainings on a target, one or one a fold; x[i] and y[i] have the same seeds and data. Own is the test share of
// the data's own splits, 0 of folds.
func pair(of, with [][]float64, target string, own float64) *Pairing {
	p := &Pairing{}
	var differences []float64
	for i, x := range of {
		y := with[i]
		if len(x) == 0 || len(x) != len(y) {
			continue
		}
		p.trainings++
		p.folds = len(x)
		for f := range x {
			differences = append(differences, x[f]-y[f])
			p.A, p.B = p.A+x[f], p.B+y[f]
		}
	}
	if p.trainings == 0 {
		return nil
	}
	testShare := 0.0
	switch {
	case target == run.OfLinks:
		testShare, p.splits = links.TestShare, true
	case own > 0:
		if p.splits = true; p.folds > 1 {
			testShare = own
		}
	case p.folds > 1:
		testShare = 1 / float64(p.folds-1)
	}
	p.share, p.Comparison = testShare, evaluate.Compare(differences, testShare)
	p.A, p.B = p.A/float64(p.Pairs), p.B/float64(p.Pairs)
	return p
}

// PairFolds compares values of the same folds, or of splits with that test share. A[i] and b[i] are
// of the same seeds.
func PairFolds(a, b [][]float64, share float64) *Pairing { return pair(a, b, "", share) }

// pairCells compares a figure of trainings with the same one of trainings of the same names.
func pairCells(a, b *Cell) *Pairing {
	var x, y [][]float64
	for i, name := range a.names {
		if k := slices.Index(b.names, name); k >= 0 {
			x, y = append(x, a.folds[i]), append(y, b.folds[k])
		}
	}
	return pair(x, y, a.target, a.share)
}

// Compare adds a sentence on a pairing, if there is one: what is compared, how much the one and
// the other have, and whether that is decided.
func (r *Report) Compare(p *Pairing, what, a, b string) {
	if p != nil {
		r.Test(p, what, a, b)
		r.Find("%s: %s %.3f, %s %.3f; %s.", what, a, p.A, b, p.B, p.verdict(a, b))
	}
}

// CompareTraining compares what trainings score with what the same encoders score untrained.
func (r *Report) CompareTraining(list []*measure.Result, f Entry, what string) {
	r.Compare(Pair(list, list, f.Trained(), f.Untrained()), what, "trained", "untrained")
}

// Test adds a pairing in numbers, if it is of several differences.
func (r *Report) Test(p *Pairing, what, a, b string) {
	if p.Pairs > 1 {
		r.Tests = append(r.Tests, p.test(what, a, b))
	}
}

// Interval writes the interval of 95 %, "" of a single difference.
func (p *Pairing) Interval() string {
	if p.Pairs < 2 {
		return ""
	}
	return Signed(p.Low) + " to " + Signed(p.High)
}

// Beside says what B has beside A, and how sure the difference is.
func (p *Pairing) Beside(b string) string {
	s := fmt.Sprintf("%s %s, difference %s", b, figure.Fixed(p.B, 3), Signed(p.Mean))
	if p.Pairs < 2 {
		return s
	}
	return s + fmt.Sprintf(" (95 %% interval %s, %s)", p.Interval(), p.over())
}

// verdict puts the result of a pairing into words.
func (p *Pairing) verdict(a, b string) string {
	if p.Pairs < 2 {
		return fmt.Sprintf("the difference is %s, and one training decides nothing", Signed(p.Mean))
	}
	s := fmt.Sprintf("the difference is %s (95 %% interval %s, %s, %s)", Signed(p.Mean), p.Interval(), chance(p.P), p.over())
	switch {
	case !p.Decided:
		return s + ", not decided"
	case p.Mean > 0:
		return s + ", in favour of " + a
	}
	return s + ", in favour of " + b
}
