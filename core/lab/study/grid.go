package study

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
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

// A part is one of the things that tell rows of a report apart, in words.
type part struct {
	what string
	of   func(r *Row) string
}

var (
	acrossParts = []part{
		{"Data", func(r *Row) string { return r.Dataset }}, {"Target", func(r *Row) string { return inWords(r.Target) }},
		{"Score", func(r *Row) string { return metricLabel(r.Metric) }},
	}
	downParts = []part{
		{"Method", func(r *Row) string { return r.Method }}, {"Preset", func(r *Row) string { return r.Preset }},
		{"Settings", func(r *Row) string { return r.Level }}, {"Embedding", func(r *Row) string { return embeddingLabel(r.Embedding) }},
		{"Variant", func(r *Row) string { return r.Variant }}, {"Gamma", func(r *Row) string {
			if r.Gamma == nil {
				return ""
			}
			return "gamma " + figure.Short(*r.Gamma)
		}},
	}
)

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
		if d := r.Rows[i].Dataset; !slices.Contains(sets, d) {
			sets = append(sets, d)
		}
	}
	if len(g.Columns) <= broad || len(sets) < 2 {
		if len(g.Rows) == 0 {
			return []Grid{}
		}
		return []Grid{g}
	}
	var list []Grid
	for _, d := range sets {
		var rows []Row
		for _, row := range r.Rows {
			if row.Dataset == d {
				rows = append(rows, row)
			}
		}
		list = append(list, gridOf(rows))
	}
	return list
}

func gridOf(rows []Row) Grid {
	g := Grid{Columns: []string{}, Rows: []GridLine{}}
	var constant []string
	// differing returns the parts in which rows differ; parts that are the same in all go to the caption.
	differing := func(parts []part) (list []part) {
		for _, p := range parts {
			same := !slices.ContainsFunc(rows, func(r Row) bool { return p.of(&r) != p.of(&rows[0]) })
			if !same {
				list = append(list, p)
			} else if s := p.of(&rows[0]); s != "" {
				constant = append(constant, p.what+": "+s)
			}
		}
		return list
	}
	if len(rows) == 0 {
		return g
	}
	across, down := differing(acrossParts), differing(downParts)
	name := func(parts []part, r *Row) string {
		var words []string
		for _, p := range parts {
			if s := p.of(r); s != "" {
				words = append(words, s)
			}
		}
		return strings.Join(words, ", ")
	}
	for i := range rows {
		column, line := name(across, &rows[i]), name(down, &rows[i])
		c := slices.Index(g.Columns, column)
		if c < 0 {
			c = len(g.Columns)
			g.Columns = append(g.Columns, column)
		}
		l := slices.IndexFunc(g.Rows, func(l GridLine) bool { return l.Name == line })
		if l < 0 {
			l = len(g.Rows)
			g.Rows = append(g.Rows, GridLine{Name: line})
		}
		for len(g.Rows[l].Cells) <= c {
			g.Rows[l].Cells = append(g.Rows[l].Cells, GridCell{})
		}
		g.Rows[l].Cells[c] = rows[i].gridCell()
	}
	for l := range g.Rows {
		for len(g.Rows[l].Cells) < len(g.Columns) {
			g.Rows[l].Cells = append(g.Rows[l].Cells, GridCell{})
		}
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
