package study

import (
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/sorting"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats/export"
)

// A Done is a task of a report with what it took: what a figure was made of.
type Done struct {
	Key        string          `json:"key"` // rows name it
	Name       string          `json:"name"`
	Data       string          `json:"data,omitempty"` // an example, or the first of the files
	Method     string          `json:"method,omitempty"`
	Preset     string          `json:"preset,omitempty"`
	Level      string          `json:"level,omitempty"`
	Options    map[string]any  `json:"options,omitempty"` // where they differ from those of preset, or level, and data
	ModelSeed  uint64          `json:"model_seed"`
	DataSeed   uint64          `json:"data_seed"`
	EvalSeed   uint64          `json:"eval_seed"`
	Steps      int             `json:"steps,omitempty"`
	Seconds    float64         `json:"seconds,omitempty"` // of training
	Parameters int             `json:"parameters,omitempty"`
	Hash       string          `json:"hash,omitempty"`    // of the embeddings
	Refused    string          `json:"refused,omitempty"` // why a method did nothing with the data
	Folds      []evaluate.Deal `json:"folds,omitempty"`   // with predictions, where they were asked for
}

// Done lists the tasks of a report that were run, in their order.
func (r *Report) Done(results Results) []Done {
	var list []Done
	for i := range r.Planned {
		t := &r.Planned[i]
		found := results[t.Key()]
		if found == nil {
			continue
		}
		d := Done{Key: found.Key, Name: t.Name, Data: t.Data.Example, Method: t.Method, Preset: t.Preset, Level: t.Level, Options: t.Options,
			ModelSeed: t.ModelSeed, DataSeed: t.Data.DataSeed, EvalSeed: t.EvalSeed, Steps: found.Steps, Seconds: found.Seconds,
			Parameters: found.Parameters, Hash: found.Hash, Refused: found.Refused, Folds: found.Folds}
		if len(t.Data.Files) > 0 {
			d.Data = t.Data.Files[0].Name
		}
		list = append(list, d)
	}
	return list
}

// of puts in the rows the tasks that they are made of.
func (r *Report) of(results Results) {
	at := map[string]*Done{}
	list := r.Done(results)
	for i := range list {
		at[list[i].Key] = &list[i]
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		for _, key := range row.Keys {
			if d := at[key]; d != nil {
				row.done = append(row.done, d)
			}
		}
	}
}

// programTitles are those of [Row.forPrograms].
var programTitles = []string{"trainings", "keys", "model seeds", "data seeds", "evaluation seeds", "seconds each", "parameters each", "folds"}

// forPrograms are columns of programs alone: of each training of the row its name and key, its seeds, what it took, and the values of its folds.
func (r *Row) forPrograms() []string {
	each := func(of func(d *Done) string) string { return strings.Join(sorting.Map(r.done, of), "; ") }
	exact := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	seed := func(n uint64) string { return strconv.FormatUint(n, 10) }
	folds := sorting.Map(r.Folds, func(values []float64) string { return strings.Join(sorting.Map(values, exact), " ") })
	return []string{strings.Join(r.Names, "; "), strings.Join(r.Keys, "; "),
		each(func(d *Done) string { return seed(d.ModelSeed) }), each(func(d *Done) string { return seed(d.DataSeed) }),
		each(func(d *Done) string { return seed(d.EvalSeed) }), each(func(d *Done) string { return exact(d.Seconds) }),
		each(func(d *Done) string { return strconv.Itoa(d.Parameters) }), strings.Join(folds, "; ")}
}

// TestsCSV returns the tests of reports as a table of comma-separated values; "" if there are none.
func TestsCSV(reports []*Report) string {
	table := [][]string{{"study", "what", "a", "b", "mean a", "mean b", "difference", "95 % from", "95 % to", "p", "p corrected", "corrected for", "pairs",
		"independent", "words"}}
	digits := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, r := range reports {
		for _, t := range r.Tests {
			corrected, number := "", ""
			if t.Corrected != nil {
				corrected, number = digits(*t.Corrected), strconv.Itoa(t.CorrectedFor)
			}
			table = append(table, []string{r.Study, t.What, t.A, t.B, digits(t.MeanA), digits(t.MeanB), digits(t.Difference), digits(t.Low), digits(t.High),
				digits(t.P), corrected, number, strconv.Itoa(t.Pairs), digits(t.Independent), t.Words})
		}
	}
	return commaSeparated(table)
}

// PredictionsCSV returns the training, validation and test items of each fold or split as a table of comma-separated values, a line for each
// item, which has a number from 0; "" if nobody asked for it.
func PredictionsCSV(reports []*Report, results Results) string {
	table := [][]string{{"study", "task", "key", "target", "fold", "part", "item", "class", "predicted", "fitted"}}
	for _, r := range reports {
		for _, d := range r.Done(results) {
			for _, f := range d.Folds {
				add := func(part string, items []int) {
					for k, i := range items {
						line := []string{r.Study, d.Name, d.Key, f.Target, f.Name, part, strconv.Itoa(i), "", "", ""}
						if part == "test" {
							line[7], line[8] = f.Truth[k], f.Predicted[k]
							if f.Fitted != nil {
								line[9] = f.Fitted[k]
							}
						}
						table = append(table, line)
					}
				}
				add("train", f.Train)
				add("validation", f.Validation)
				add("test", f.Test)
			}
		}
	}
	return commaSeparated(table)
}

// commaSeparated writes a table with a header; "" of the header alone.
func commaSeparated(table [][]string) string {
	if len(table) < 2 {
		return ""
	}
	var b strings.Builder
	for _, line := range table {
		line = slices.Clone(line)
		for i := range line {
			line[i] = export.Cell(line[i])
		}
		b.WriteString(export.Line(line))
	}
	return b.String()
}
