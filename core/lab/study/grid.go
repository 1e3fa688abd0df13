package study

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
)

// A Grid is a table of figures in the shape in which papers print them: embeddings and methods go down, data, targets and metrics go
// across, and the parts that all figures share go to the caption, once.
type Grid struct {
	Caption string     `json:"caption"`
	Columns []string   `json:"columns"`
	Rows    []GridLine `json:"rows"`
}

// A GridLine is a row of a grid.
type GridLine struct {
	Name  string     `json:"name"`
	Cells []GridCell `json:"cells"`
}

// A GridCell is a result, as text, with the figures beside it: the paper's, an untrained model's, that of chance.
type GridCell struct {
	Here   string   `json:"here"`
	Beside []string `json:"beside"`
}

// broad is the largest number of columns of a grid, if its data can go to several grids.
const broad = 10

// across are the parts of a row, under their names, by which columns differ.
func (r *Row) across() [][2]string {
	return [][2]string{{"Data", r.Dataset}, {"Target", inWords(r.Target)}, {"Score", metricLabel(r.Metric)}}
}

// down are those by which lines differ.
func (r *Row) down() [][2]string {
	gamma := ""
	if r.Gamma != nil {
		gamma = "gamma " + figure.Short(*r.Gamma)
	}
	return [][2]string{{"Method", r.Method}, {"Preset", r.Preset}, {"Settings", r.Level},
		{"Embedding", embeddingLabel(r.Embedding)}, {"Variant", r.Variant}, {"Gamma", gamma}}
}

func inWords(name string) string { return strings.ReplaceAll(name, "_", " ") }

func metricLabel(name string) string {
	if m := evaluate.MetricOf(name); m != nil {
		return m.Label
	}
	return inWords(name)
}

func embeddingLabel(name string) string {
	if name == "common" {
		return "S"
	}
	if l, ok := strings.CutPrefix(name, "private_"); ok {
		return "P" + l
	}
	return inWords(name)
}

// Grids returns the rows of the report as tables in the shape of the paper's: one, or one for each data set where it would be too broad.
func (r *Report) Grids() []Grid {
	g := gridOf(r.Rows)
	var sets []string
	for i := range r.Rows {
		sets = sorting.Add(sets, r.Rows[i].Dataset)
	}
	switch {
	case len(g.Rows) == 0:
		return []Grid{}
	case len(g.Columns) <= broad || len(sets) < 2:
		return []Grid{g}
	}
	return sorting.Map(sets, func(name string) Grid {
		return gridOf(slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool { return row.Dataset != name }))
	})
}

func gridOf(rows []Row) Grid {
	g := Grid{Columns: []string{}, Rows: []GridLine{}}
	if len(rows) == 0 {
		return g
	}
	var constant []string
	// names gives each row its parts that differ between rows; parts that all rows share go to the caption.
	names := func(parts func(*Row) [][2]string) []string {
		of := make([][]string, len(rows))
		for k, part := range parts(&rows[0]) {
			switch {
			case slices.ContainsFunc(rows, func(r Row) bool { return parts(&r)[k] != part }):
				for i := range rows {
					if s := parts(&rows[i])[k][1]; s != "" {
						of[i] = append(of[i], s)
					}
				}
			case part[1] != "":
				constant = append(constant, part[0]+": "+part[1])
			}
		}
		return sorting.Map(of, func(words []string) string { return strings.Join(words, ", ") })
	}
	columns, down := names((*Row).across), names((*Row).down)
	for _, name := range columns {
		g.Columns = sorting.Add(g.Columns, name)
	}
	for i, name := range down {
		l := slices.IndexFunc(g.Rows, func(l GridLine) bool { return l.Name == name })
		if l < 0 {
			l = len(g.Rows)
			g.Rows = append(g.Rows, GridLine{Name: name, Cells: make([]GridCell, len(g.Columns))})
		}
		g.Rows[l].Cells[slices.Index(g.Columns, columns[i])] = rows[i].gridCell()
	}
	g.Caption = strings.Join(constant, ". ")
	return g
}

// gridCell returns the figures of a row, with the spread between trainings, or between folds if there is one training.
func (r *Row) gridCell() GridCell {
	of := func(v, spread *float64) string {
		switch {
		case v == nil:
			return ""
		case r.Counts:
			return figure.AtMost(*v, 1)
		case spread == nil:
			return figure.Fixed(*v, 3)
		}
		return fmt.Sprintf("%s ± %s", figure.Fixed(*v, 3), figure.Fixed(*spread, 3))
	}
	spread := r.SeedStd
	if spread == nil {
		spread = r.FoldStd
	}
	c := GridCell{Here: of(r.Ours, spread)}
	for _, b := range []struct{ what, text string }{
		{"degrees alone", of(r.degrees(), nil)}, {"paper", of(r.Paper, r.PaperStd)}, {"untrained", of(r.Untrained, nil)}, {"by chance", of(r.Chance, nil)},
	} {
		if b.text != "" {
			c.Beside = append(c.Beside, b.what+" "+b.text)
		}
	}
	return c
}

// degrees is the score of degrees alone on held-out links.
func (r *Row) degrees() *float64 {
	if r.Target == run.OfLinks {
		return r.Trivial
	}
	return nil
}

// GridLegend explains the cells of grids.
const GridLegend = "Large: the mean over trainings here, ± the deviation between trainings; of a single one, over its folds or K-means runs. " +
	"Small: the paper's figure, the same encoders before any step (untrained), and what as many regions drawn at random would give " +
	"(by chance), where there are such."
