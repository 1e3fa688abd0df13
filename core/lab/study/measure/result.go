package measure

import (
	"cmp"
	"errors"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

// means adds the column means of x as a row.
func (r *Result) means(name ArrayName, x *mat.Dense) {
	n, _ := x.Dims()
	sums := columnSums(x)
	for j := range sums {
		sums[j] /= float64(n)
	}
	r.Row(name, sums)
}

// sums adds the column sums of x as a row.
func (r *Result) sums(name ArrayName, x *mat.Dense) { r.Row(name, columnSums(x)) }

func columnSums(x *mat.Dense) []float64 {
	n, d := x.Dims()
	sums := make([]float64, d)
	for i := range n {
		for j := range sums {
			sums[j] += x.At(i, j)
		}
	}
	return sums
}

// Row adds a row to an array, which the first one makes. A row of another length panics with [ErrNeeds].
func (r *Result) Row(name ArrayName, values []float64) {
	a := r.Array(name)
	if a == nil {
		r.Arrays = append(r.Arrays, Array{Name: name, Shape: []int{0, len(values)}})
		a = &r.Arrays[len(r.Arrays)-1]
	}
	ErrNeeds.Unless(a.Shape[1] == len(values))
	a.Shape[0]++
	a.Data = append(a.Data, values...)
}

// stack puts the rows that inputs have of an array below each other; they must have it with one width.
func stack(inputs Held, name ArrayName) *mat.Dense {
	x, err := stacked(inputs, name)
	if err != nil {
		panic(err) // what is in memory can be read
	}
	return x
}

// beside returns matrices with the same rows side by side. Stack, Augment and Copy of gonum would
// link what copies between any two of its matrices.
func beside(list []*mat.Dense) *mat.Dense {
	width := 0
	for _, x := range list {
		width += x.RawMatrix().Cols
	}
	joined := mat.NewDense(list[0].RawMatrix().Rows, width, nil)
	at := 0
	for _, x := range list {
		paste(joined, at, x)
		at += x.RawMatrix().Cols
	}
	return joined
}

// paste copies x over the columns of a wider matrix from one on.
func paste(wide *mat.Dense, from int, x *mat.Dense) {
	for i := range x.RawMatrix().Rows {
		copy(wide.RawRowView(i)[from:], x.RawRowView(i))
	}
}

// Score looks a row of a training's table up.
func (t *Result) Score(embedding, target, metric string) *evaluate.Score {
	for i := range t.Scores {
		if s := &t.Scores[i]; s.Embedding == embedding && s.Target == target && s.Metric == metric {
			return s
		}
	}
	return nil
}

// Array looks an array up, nil if there is none.
func (t *Result) Array(name ArrayName) *Array {
	for i := range t.Arrays {
		if t.Arrays[i].Name == name {
			return &t.Arrays[i]
		}
	}
	return nil
}

// Row returns row i of a matrix.
func (a *Array) Row(i int) []float64 {
	n := a.Shape[1]
	return a.Data[i*n : (i+1)*n]
}

// Integers adds an array of whole numbers.
func (r *Result) Integers(name ArrayName, x []int) {
	r.Arrays = append(r.Arrays, array(name, x, len(x)))
}

// array returns numbers of another type as an array of that shape.
func array[T kernel.Float | int | int32](name ArrayName, x []T, shape ...int) Array {
	return Array{name, shape, kernel.Doubles(x)}
}

// Targets returns the names of the label sets that were scored.
func (t *Result) Targets() []string {
	var names []string
	for _, s := range t.Scores {
		if !slices.Contains(names, s.Target) {
			names = append(names, s.Target)
		}
	}
	return names
}

// A Result is the result of a task.
type Result struct {
	Key          string                `json:"key"`
	Name         string                `json:"name"`
	Hash         string                `json:"hash"` // of the embeddings
	Steps        int                   `json:"steps"`
	EarlyStopped bool                  `json:"early_stopped,omitempty"`
	RankS        int                   `json:"rank_S"`
	Parameters   int                   `json:"parameters,omitempty"`
	Width        int                   `json:"width,omitempty"`   // of all embeddings together, where one was asked for
	Seconds      float64               `json:"seconds,omitempty"` // of training, where a clock was at hand
	Refused      string                `json:"refused,omitempty"` // why a method did nothing with the data
	First        cadem.Losses          `json:"first_losses"`
	Last         cadem.Losses          `json:"losses"`
	Scores       []evaluate.Score      `json:"scores,omitempty"`
	Folds        []evaluate.Deal       `json:"folds,omitempty"` // with predictions, where they were asked for
	Arrays       []Array               `json:"arrays,omitempty"`
	Words        []string              `json:"words,omitempty"` // the names behind the numbers in arrays
	Notes        []string              `json:"notes,omitempty"`
	Summary      *run.Summary          `json:"summary,omitempty"`  // of data of one's own
	Compared     *multiplex.Comparison `json:"compared,omitempty"` // layers
	Links        []LinkScores          `json:"links,omitempty"`
	Sharing      *Sharing              `json:"sharing,omitempty"`
	Part         bool                  `json:"part,omitempty"` // all that reports need of it, and less than other tasks may
}

// ErrNeeds is panicked when a task is run without the results it needs.
const ErrNeeds diag.Misuse = "study: the inputs are not what the task needs"

// Refuse turns the error of a method that cannot take the data, or fails on them, into a result that says so: the others of a
// comparison go on. Other errors are returned.
func (r *Result) Refuse(err error) error {
	var why *diag.Error
	if errors.As(err, &why) && !why.Option {
		r.Refused = err.Error()
		return nil
	}
	return err
}

// Wide notes how many columns all embeddings together have, where it was asked for how many.
func (r *Result) Wide(s *run.Settings, tokens []evaluate.Embedding) {
	if s.Width == 0 || len(tokens) == 0 {
		return
	}
	for _, x := range tokens[0].Tokens {
		_, d := x.Dims()
		r.Width += d
	}
}

// TestShare is the share of the scores that are taken on the data's own splits, 0 if there are none.
func (r *Result) TestShare() (share float64) {
	for i := range r.Scores {
		share = max(share, r.Scores[i].TestShare)
	}
	return share
}

// Protocol names the splits of the data used for scores, "" if there are none.
func (r *Result) Protocol() (words string) {
	for i := range r.Scores {
		words = cmp.Or(words, r.Scores[i].Protocol)
	}
	return words
}

// deals is the destination of folds and predictions of a measure, nil if nobody asked for them.
func (m *Spec) deals(r *Result) *[]evaluate.Deal {
	if m.Predictions {
		return &r.Folds
	}
	return nil
}

// scored adds scores.
func (r *Result) scored(list []evaluate.Score, err error) error {
	r.Scores = append(r.Scores, list...)
	return err
}
