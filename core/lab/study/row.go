package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

// A Row is one figure of a report beside the paper's and that of an untrained model. Names are
// those of the paper's tables. Missing numbers are nil.
type Row struct {
	Table     string   `json:"table,omitempty"`
	Dataset   string   `json:"dataset"`
	Method    string   `json:"method"`
	Preset    string   `json:"preset,omitempty"` // of an order of several
	Level     string   `json:"level,omitempty"`  // of the settings of a method other than CaDeM
	Embedding string   `json:"embedding"`
	Target    string   `json:"target"`
	Metric    string   `json:"metric"`
	Variant   string   `json:"variant,omitempty"`
	Gamma     *float64 `json:"gamma,omitempty"`
	// Ours is the mean over the trainings of the mean over folds or K-means runs. FoldStd
	// is the mean of the spreads within a training, SeedStd the sample deviation between
	// trainings.
	Ours *float64 `json:"ours,omitempty"`
	// Counts says that Ours, Untrained and Trivial count something.
	Counts  bool     `json:"counts,omitempty"`
	FoldStd *float64 `json:"fold_std,omitempty"`
	SeedStd *float64 `json:"seed_std,omitempty"`
	// Lowest and Highest are those of the trainings, if there are several.
	Lowest  *float64 `json:"lowest,omitempty"`
	Highest *float64 `json:"highest,omitempty"`
	// Low and High are the ends of the 95 % interval of the mean over trainings, where it is asked for.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	// Untrained is the score of the same encoders before any step, Trivial that of a method without a
	// graph model.
	Untrained *float64 `json:"untrained,omitempty"`
	Trivial   *float64 `json:"trivial,omitempty"`
	Paper     *float64 `json:"paper,omitempty"`
	PaperStd  *float64 `json:"paper_std,omitempty"`
	// Status, where the paper has a figure, is match, above, below, not run, or other settings
	// where ours was found with others than the paper's.
	Status Status `json:"status,omitempty"`
	// Reach is how many of the trainings are at the paper's figure, to its four digits, or above;
	// nil with other settings.
	Reach *int `json:"reach,omitempty"`

	// With columns of mean 0 and deviation 1.
	Standardised          *float64 `json:"standardised,omitempty"`
	UntrainedStandardised *float64 `json:"untrained_standardised,omitempty"`
	Probe                 *float64 `json:"probe,omitempty"`   // a linear probe on the same embedding
	Fitted                *float64 `json:"fitted,omitempty"`  // a well-fitted reader's score of the same embedding, in the same folds
	ProbeS                *float64 `json:"probe_S,omitempty"` // a linear probe on S: the target in the common embedding
	RankS                 *float64 `json:"rank_S,omitempty"`
	Chance                *float64 `json:"chance,omitempty"` // what would be found by chance
	P                     *float64 `json:"p,omitempty"`      // chance of as much or more, corrected for the networks of a panel
	Trainings             int      `json:"trainings,omitempty"`
	Width                 *float64 `json:"width,omitempty"`      // of all embeddings together, where one was asked for
	Parameters            *float64 `json:"parameters,omitempty"` // that are fitted or drawn
	Seconds               *float64 `json:"seconds,omitempty"`    // a training takes
	// Of a board: why the figure differs from the paper's, as far as a check confirms it, that check, and the command that computes the figure.
	Cause   string `json:"cause,omitempty"`
	Check   string `json:"check,omitempty"`
	Command string `json:"command,omitempty"`

	// Word warns of the readers: that they disagree, or that the paper's is at chance and the other is not.
	Word string `json:"word,omitempty"`

	// Names lists the names of the trainings, which say their seeds, and Folds the values of each of them, by fold or split.
	Names []string    `json:"names,omitempty"`
	Keys  []string    `json:"keys,omitempty"` // of the tasks
	Folds [][]float64 `json:"folds,omitempty"`
	// Share is the ratio of test to training nodes in the data's own splits, 0 for folds.
	Share float64 `json:"test_share,omitempty"`

	cell *Cell   // the figure of every training
	done []*Done // the tasks
}

// A Cell collects one figure over trainings: lists have a value for each.
type Cell struct {
	Fitted, chance                                                                            []float64
	Value, Fold, standardised, Untrained, untrainedStandardised, Trivial, Probe, probeS, rank []float64

	target string
	share  float64     // of the data's own splits, 0 of folds
	names  []string    // of the trainings: equal for the same data and seeds
	keys   []string    // of their tasks
	folds  [][]float64 // of each training
	took   []float64   // seconds
	width  *float64
}

// Collect gathers a figure over trainings; nil when none has it.
func Collect(results []*measure.Result, embedding, target, metric string) *Cell {
	c := &Cell{target: target}
	for _, r := range results {
		s := r.Score(embedding, target, metric)
		if s == nil {
			continue
		}
		c.Value, c.Fold = append(c.Value, s.Value), append(c.Fold, s.FoldStd)
		c.keys = append(c.keys, r.Key)
		c.names, c.folds = append(c.names, r.Name), append(c.folds, orOne(s.Folds, s.Value))
		c.share, c.standardised = max(c.share, s.TestShare), append(c.standardised, s.Standardised)
		if r.Seconds > 0 {
			c.took = append(c.took, r.Seconds)
		}
		if embedding == run.Combined && r.Width > 0 {
			c.width = new(float64(r.Width))
		}
		c.Untrained, c.untrainedStandardised = append(c.Untrained, s.Untrained), append(c.untrainedStandardised, s.UntrainedStandardised)
		if s.Trivial != nil {
			c.Trivial = append(c.Trivial, *s.Trivial)
		}
		c.Probe = append(c.Probe, s.Probe)
		if s.Fitted != nil {
			c.Fitted, c.chance = append(c.Fitted, s.Fitted.Value), append(c.chance, s.Fitted.Chance)
		}
		if len(r.Hash) > 0 { // a training
			c.rank = append(c.rank, float64(r.RankS))
		}
		if s := r.Score("common", target, metric); s != nil {
			c.probeS = append(c.probeS, s.Probe)
		}
	}
	if len(c.Value) == 0 {
		return nil
	}
	return c
}

// Score adds a row with what trainings score where it names it, unless there is no figure, of the paper's or from here. It returns the scores, nil if
// no training has them.
func (r *Report) Score(row Row, of []*measure.Result) *Cell {
	c := Collect(of, row.Embedding, row.Target, row.Metric)
	if row.Fill(c, r.Differs); row.Ours != nil || row.Paper != nil {
		r.Rows = append(r.Rows, row)
	}
	return c
}

// Fill fills a row from the collected values, and compares it with the paper's figure; differs is
// the result of [Order.Differs].
func (row *Row) Fill(c *Cell, differs []string) {
	if c == nil {
		if row.Paper != nil {
			row.Status = NotRun
		}
		return
	}
	row.cell, row.Names, row.Keys, row.Folds, row.Share = c, c.names, c.keys, c.folds, c.share
	row.Ours, row.FoldStd, row.Standardised = Average(c.Value), Average(c.Fold), Average(c.standardised)
	row.Untrained, row.UntrainedStandardised, row.Trivial = Average(c.Untrained), Average(c.untrainedStandardised), Average(c.Trivial)
	if c.target == run.OfLinks && slices.Equal(c.Untrained, c.Value) { // of a method that is nothing before it is done
		row.Untrained, row.UntrainedStandardised = nil, nil
	}
	row.Probe, row.ProbeS, row.RankS, row.Trainings = Average(c.Probe), Average(c.probeS), Average(c.rank), len(c.Value)
	row.Width = c.width
	if row.Fitted = Average(c.Fitted); row.Fitted != nil {
		row.Word = readers(*row.Ours, *row.Fitted, *Average(c.chance))
	}
	if c.share > 0 && len(c.folds[0]) == 1 {
		row.FoldStd = nil // of one split
	}
	seeds := 0.0
	if len(c.Value) > 1 {
		seeds = Deviation(c.Value)
		row.SeedStd, row.Lowest, row.Highest = &seeds, new(slices.Min(c.Value)), new(slices.Max(c.Value))
	}
	switch {
	case row.Paper == nil:
	case len(differs) > 0:
		row.Status = OtherSettings
	default:
		row.Status = StatusOf(*row.Ours, seeds, *row.Paper, *row.PaperStd)
		const digit = 0.0001 // the last one that is printed
		reach := 0
		for _, v := range c.Value {
			if v >= *row.Paper-digit/2 {
				reach++
			}
		}
		row.Reach = &reach
	}
}

// Largest difference of two readers that goes unmentioned, and of a score from chance that still counts as chance.
const (
	readersApart = 0.1
	nearChance   = 0.03
)

// readers says in a word what two readers make of one embedding, the paper's, with its fixed rate and epochs, and a well-fitted one; "" if they agree.
func readers(fixed, fitted, chance float64) string {
	switch {
	case math.Abs(fixed-fitted) <= readersApart:
		return ""
	case fixed <= chance+nearChance:
		return "at chance by the fixed reader alone"
	}
	return "the readers disagree"
}

// Readers says in which rows of a metric the readers disagree, and in which the paper's finds nothing and the other something.
func (r *Report) Readers(metric string) {
	var list []string
	n := 0
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Metric != metric || row.Fitted == nil {
			continue
		}
		if n++; row.Word != "" {
			list = append(list, fmt.Sprintf("%s on %s (%s, fitted %s: %s)", row.of(row.Named()), row.Target, Number(row.Ours), Number(row.Fitted), row.Word))
		}
	}
	switch {
	case list != nil:
		r.Find("Of %s (%s), %d are not read alike by the reader with fixed rate and epochs and by a well-fitted one: %s.",
			Plural(n, "row"), metric, len(list), strings.Join(list, "; "))
	case n > 0:
		r.Find("The reader with fixed rate and epochs and a well-fitted one agree within %.1f on %s (%s).", readersApart, Plural(n, "row"), metric)
	}
}

// OfBoard adds the certainty of the figure and the cost of a training, and leaves out what does not belong to the printed figure.
func (row *Row) OfBoard() {
	row.FoldStd, row.SeedStd, row.Lowest, row.Highest, row.Standardised, row.UntrainedStandardised, row.Trivial = nil, nil, nil, nil, nil, nil, nil
	row.Probe, row.ProbeS, row.RankS, row.Parameters, row.Seconds, row.Level = nil, nil, nil, nil, nil, ""
	if row.cell == nil {
		return
	}
	if c := evaluate.Compare(row.cell.Value, 0); c.Pairs > 1 {
		row.Low, row.High = &c.Low, &c.High
	}
	row.Seconds = Average(row.cell.took)
}

// Named is the method of the row. It says so where its settings are not its own.
func (row *Row) Named() string {
	if row.Level == "" || row.Level == train.Official {
		return row.Method
	}
	return row.Method + " (" + row.Level + ")"
}

// of returns the name of a method with the settings in which its row differs from the other rows of the method.
func (row *Row) of(method string) string {
	if row.Embedding != "" && row.Embedding != run.Combined {
		method += ", " + row.Embedding
	}
	for _, part := range []string{row.Variant, row.Preset} {
		if part != "" {
			method += ", " + part
		}
	}
	if row.Gamma != nil {
		method += fmt.Sprintf(", γ = %g", *row.Gamma)
	}
	return method
}

// Cost puts in what a training took in the mean.
func (row *Row) Cost(trainings []*measure.Result) {
	var parameters, seconds []float64
	for _, r := range trainings {
		if r.Parameters > 0 {
			parameters = append(parameters, float64(r.Parameters))
		}
		if r.Seconds > 0 {
			seconds = append(seconds, r.Seconds)
		}
	}
	row.Parameters, row.Seconds = Average(parameters), Average(seconds)
}

// Alone leaves in the row what its embedding scores by itself: of a method that is scored so.
func (row *Row) Alone() {
	row.Standardised, row.Untrained, row.UntrainedStandardised, row.ProbeS, row.RankS = nil, nil, nil, nil, nil
}

// A Status says how a figure stands to the paper's; another one is [OtherSettings].
type Status string

const (
	Match  Status = "match"
	Above  Status = "above"
	Below  Status = "below"
	NotRun Status = "not run"
	// NoData is of a figure about data that nobody may pass on, or that are not to be had.
	NoData Status = "no data"
)

// StatusOf compares a figure with the paper's: a match within 0.02, the paper's spread or
// that between our trainings.
func StatusOf(ours, seedStd, paper, paperStd float64) Status {
	switch difference := ours - paper; {
	case math.Abs(difference) <= max(0.02, paperStd, seedStd):
		return Match
	case difference > 0:
		return Above
	}
	return Below
}
