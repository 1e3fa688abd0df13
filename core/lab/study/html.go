package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/lab/study/chart"
)

const pageStyle = `body{font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff;margin:2rem auto;max-width:72rem;padding:0 1rem}
table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums;display:block;overflow-x:auto}
th,td{padding:.15rem .55rem;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}
th{border-bottom:2px solid #888;vertical-align:bottom}td.t,th.t{text-align:left}
caption{text-align:left;padding:.5rem 0}figure{margin:1rem 1rem 1rem 0;display:inline-block;vertical-align:top;max-width:100%}svg{max-width:100%;height:auto}
small{color:#444}`

// HTML returns the reports as one self-contained page without scripts: text, charts and
// tables. Note, one line, says when and by what it was made; it may be empty.
func HTML(reports []*Report, note string) string {
	var b strings.Builder
	title := "CaDeM: the paper's synthetic experiments"
	if len(reports) == 1 {
		title = reports[0].Title
	}
	b.WriteString("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>")
	b.WriteString(chart.Escape(title) + "</title><style>" + pageStyle + "</style></head><body>\n")
	if len(reports) > 1 {
		b.WriteString("<h1>" + chart.Escape(title) + "</h1>\n")
	}
	for _, r := range reports {
		r.write(&b)
	}
	if note != "" {
		b.WriteString("<p><small>" + chart.Escape(note) + "</small></p>\n")
	}
	b.WriteString("</body></html>\n")
	return b.String()
}

// mostWords are seen of a text at once.
const mostWords = 60

// folded returns a text as HTML. Sentences beyond that number of words are in a <details> element, as on the page.
func folded(text string) string {
	end := len(text)
	for len(strings.Fields(text[:end])) > mostWords {
		cut := strings.LastIndex(strings.TrimSuffix(text[:end], " "), ". ")
		if cut < 0 {
			break
		}
		end = cut + 2
	}
	if end == len(text) {
		return chart.Escape(text)
	}
	return chart.Escape(text[:end]) + "<details><summary>more</summary>" + folded(text[end:]) + "</details>"
}

func (r *Report) write(b *strings.Builder) {
	fmt.Fprintf(b, "<section id=\"%s\"><h2>%s</h2>\n", chart.Escape(r.Study), chart.Escape(r.Title))
	if len(r.Findings) > 0 {
		b.WriteString("<ul>")
		for _, s := range r.Findings {
			b.WriteString("<li>" + folded(s) + "</li>")
		}
		b.WriteString("</ul>\n")
	}
	for i := range r.Charts {
		b.WriteString("<figure>" + r.Charts[i].SVG() + "</figure>\n")
	}
	for _, g := range r.Grids() {
		g.write(b)
	}
	if len(r.Rows) > 0 {
		columns := columnsOf(r)
		b.WriteString("<p><small>" + GridLegend + "</small></p>\n<details><summary>Every figure</summary><table><thead>")
		for i, line := range r.Lines(3) {
			b.WriteString("<tr>")
			for k, s := range line {
				b.WriteString(columns[k].cell(i == 0, s))
			}
			b.WriteString("</tr>")
			if i == 0 {
				b.WriteString("</thead><tbody>")
			}
			b.WriteByte('\n')
		}
		b.WriteString("</tbody></table>\n<p><small>" + Legend + "</small></p></details>\n")
	}
	for _, sheet := range r.Sheets {
		fmt.Fprintf(b, "<details><summary>%s</summary><table>", chart.Escape(sheet.Title))
		for i, line := range sheet.Lines {
			tag := "td"
			if i == 0 {
				tag = "th"
			}
			b.WriteString("<tr>")
			for k, s := range line {
				class := ""
				if k == 0 {
					class = ` class="t"`
				}
				fmt.Fprintf(b, "<%s%s>%s</%s>", tag, class, chart.Escape(s), tag)
			}
			b.WriteString("</tr>\n")
		}
		b.WriteString("</table></details>\n")
	}
	fmt.Fprintf(b, "<div>%s</div>\n<p><small>%s", folded(r.Text), chart.Escape(r.Setting))
	if r.Missing > 0 {
		fmt.Fprintf(b, " %d of %s not run.", r.Missing, Plural(r.Tasks, "task"))
	}
	b.WriteString("</small></p>\n</section>\n")
}

func (g *Grid) write(b *strings.Builder) {
	b.WriteString("<table><caption>" + chart.Escape(g.Caption) + "</caption><thead><tr><th class=\"t\"></th>")
	for _, c := range g.Columns {
		b.WriteString("<th>" + chart.Escape(c) + "</th>")
	}
	b.WriteString("</tr></thead><tbody>\n")
	for _, l := range g.Rows {
		b.WriteString("<tr><th class=\"t\">" + chart.Escape(l.Name) + "</th>")
		for _, c := range l.Cells {
			b.WriteString("<td>" + chart.Escape(c.Here))
			for _, s := range c.Beside {
				b.WriteString("<br><small>" + chart.Escape(s) + "</small>")
			}
			b.WriteString("</td>")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody></table>\n")
}

// Legend explains the columns of the table of a report.
const Legend = "here: mean over trainings; ± folds: spread over folds or K-means runs within a training, in the mean; ± seeds: deviation between trainings. " +
	"Lowest and highest: of the trainings. " +
	"Standardised: with columns of mean 0 and deviation 1. Untrained: the same encoders before any step. Trivial: what is known of the data " +
	"without any encoder. Probe: a linear classifier fitted to convergence on the same embedding, and on the common embedding S alone, which " +
	"shows what leaks into S; it learns from labels, beside scores of clusters, too. " +
	"Fitted: the same with the ridge chosen by inner folds, and columns standardised by what each fold trains on; readers: where it " +
	"and the score here, whose reader has fixed rate and epochs, differ by more than 0.1. " +
	"By chance: how many of as many regions drawn at random. p: the chance of as many as here or more, corrected for the number of networks in a panel (Holm). " +
	"Status: match within 0.02, the paper's spread or that between seeds; other settings where data or settings are not the paper's, so that " +
	"the two figures cannot be held against each other. " +
	"Level: the settings of a method, official or lite, which are smaller and never held against the paper's figures. " +
	"Parameters: numbers that are fitted, or only drawn, for all layers. Seconds: what a training takes on one core of this machine. " +
	"Reach: how many of the trainings are at the paper's figure, to its digits, or above. " +
	"Differences in the sentences are tested in pairs, in the same folds and with the same seeds, by the corrected resampled t-test: the " +
	"variance counts 1/pairs + tested/trained times, so that folds that share what they train on are not taken for independent. " +
	"One is decided when p is below 0.05, each by itself: of twenty equal pairs one would be, by chance."

// A column of the table of a report: words or a number of each row.
type column struct {
	title  string
	words  func(*Row) string
	number func(*Row) *float64
	kind   kind
}

// A kind of number decides how it is written for people.
type kind int

const (
	scores     kind = iota // all digits after the point, so they stand below each other; counts without
	quantities             // no more digits than they have
	chances
)

// text returns the values of a row, with that number of digits after the point; -1: the shortest
// text that reads back as the same number.
func (c *column) text(r *Row, digits int) string {
	if c.words != nil {
		return c.words(r)
	}
	v := c.number(r)
	switch {
	case v == nil:
		return ""
	case digits < 0:
		return strconv.FormatFloat(*v, 'f', digits, 64)
	case c.kind == chances:
		return figure.Chance(*v)
	case c.kind == quantities || r.Counts:
		return figure.AtMost(*v, digits)
	}
	return figure.Fixed(*v, digits)
}

func (c *column) cell(head bool, s string) string {
	tag, class := "td", ""
	if head {
		tag = "th"
	}
	if c.words != nil {
		class = ` class="t"`
	}
	return "<" + tag + class + ">" + chart.Escape(s) + "</" + tag + ">"
}

var allColumns = []column{
	{title: "table", words: func(r *Row) string { return r.Table }}, {title: "data", words: func(r *Row) string { return r.Dataset }},
	{title: "method", words: func(r *Row) string { return r.Method }}, {title: "preset", words: func(r *Row) string { return r.Preset }},
	{title: "level", words: func(r *Row) string { return r.Level }},
	{title: "embedding", words: func(r *Row) string { return r.Embedding }}, {title: "target", words: func(r *Row) string { return r.Target }},
	{title: "variant", words: func(r *Row) string { return r.Variant }}, {title: "metric", words: func(r *Row) string { return r.Metric }},
	{title: "gamma", kind: quantities, number: func(r *Row) *float64 { return r.Gamma }},
	{title: "here", number: func(r *Row) *float64 { return r.Ours }},
	{title: "± folds", number: func(r *Row) *float64 { return r.FoldStd }}, {title: "± seeds", number: func(r *Row) *float64 { return r.SeedStd }},
	{title: "lowest", number: func(r *Row) *float64 { return r.Lowest }}, {title: "highest", number: func(r *Row) *float64 { return r.Highest }},
	{title: "95 % from", number: func(r *Row) *float64 { return r.Low }}, {title: "95 % to", number: func(r *Row) *float64 { return r.High }},
	{title: "paper", number: func(r *Row) *float64 { return r.Paper }}, {title: "± paper", number: func(r *Row) *float64 { return r.PaperStd }},
	{title: "difference", number: func(r *Row) *float64 {
		if r.Ours == nil || r.Paper == nil {
			return nil
		}
		d := *r.Ours - *r.Paper
		return &d
	}},
	{title: "status", words: func(r *Row) string { return string(r.Status) }},
	{title: "reach", words: func(r *Row) string {
		if r.Reach == nil {
			return ""
		}
		return fmt.Sprintf("%d of %d", *r.Reach, r.Trainings)
	}},
	{title: "standardised", number: func(r *Row) *float64 { return r.Standardised }},
	{title: "untrained", number: func(r *Row) *float64 { return r.Untrained }},
	{title: "untrained, standardised", number: func(r *Row) *float64 { return r.UntrainedStandardised }},
	{title: "trivial", number: func(r *Row) *float64 { return r.Trivial }},
	{title: "by chance", number: func(r *Row) *float64 { return r.Chance }}, {title: "p", kind: chances, number: func(r *Row) *float64 { return r.P }},
	{title: "fitted", number: func(r *Row) *float64 { return r.Fitted }}, {title: "readers", words: func(r *Row) string { return r.Word }},
	{title: "probe (of labels)", number: func(r *Row) *float64 { return r.Probe }},
	{title: "probe on S (of labels)", number: func(r *Row) *float64 { return r.ProbeS }},
	{title: "rank of S", kind: quantities, number: func(r *Row) *float64 { return r.RankS }},
	{title: "width", kind: quantities, number: func(r *Row) *float64 { return r.Width }},
	{title: "parameters", kind: quantities, number: func(r *Row) *float64 { return r.Parameters }},
	{title: "seconds", kind: quantities, number: func(r *Row) *float64 { return r.Seconds }},
	{title: causeTitle, words: func(r *Row) string { return r.Cause }}, {title: checkTitle, words: func(r *Row) string { return r.Check }},
	{title: commandTitle, words: func(r *Row) string { return r.Command }},
}

// columnsOf returns the columns with values in some row of the reports.
func columnsOf(reports ...*Report) []column {
	var list []column
	for _, c := range allColumns {
		if slices.ContainsFunc(reports, func(r *Report) bool {
			return slices.ContainsFunc(r.Rows, func(row Row) bool { return c.text(&row, 0) != "" })
		}) {
			list = append(list, c)
		}
	}
	return list
}

// Lines returns the rows as text under a line of titles, numbers written for people (see [figure]),
// scores with that number of digits after the point; -1: the shortest text that reads back as the
// same number. A report without rows has no lines.
func (r *Report) Lines(digits int) [][]string {
	if len(r.Rows) == 0 {
		return [][]string{}
	}
	return lines(columnsOf(r), r.Rows, digits)
}

func lines(columns []column, rows []Row, digits int) [][]string {
	list := make([][]string, 1, 1+len(rows))
	for _, c := range columns {
		list[0] = append(list[0], c.title)
	}
	for i := range rows {
		var line []string
		for _, c := range columns {
			line = append(line, c.text(&rows[i], digits))
		}
		list = append(list, line)
	}
	return list
}

// CSV returns the rows of all reports as one table of comma-separated values, with a header
// and all digits: behind the columns of [Report.Lines] the trainings of each row with their seeds and the values of their folds.
// Names are written as package export has them.
func CSV(reports []*Report) string {
	var rows []Row
	for _, r := range reports {
		rows = append(rows, r.Rows...)
	}
	columns := columnsOf(reports...)
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Names != nil }) {
		columns = append(columns, doneColumns()...)
	}
	table := lines(columns, rows, -1)
	if s := tableOf(reports); s != nil && rows == nil {
		table = s.Lines
	}
	return forPrograms(table)
}

// SheetCSV returns the sheets with a file as tables of comma-separated values; "" if there are none.
func SheetCSV(reports []*Report, file string) (text string) {
	for _, r := range reports {
		for _, s := range r.Sheets {
			if s.File == file {
				text += forPrograms(s.Lines)
			}
		}
	}
	return text
}

// forPrograms writes a table with the minus that programs read.
func forPrograms(lines [][]string) string {
	table := make([][]string, len(lines))
	for k, line := range lines {
		table[k] = slices.Clone(line)
		for i := range line {
			if rest, negative := strings.CutPrefix(line[i], figure.Minus); negative {
				table[k][i] = "-" + rest
			}
		}
	}
	return commaSeparated(table)
}

// foldWords are the values of every training, by fold.
func (r *Row) foldWords() string {
	var each []string
	for _, folds := range r.Folds {
		var values []string
		for _, v := range folds {
			values = append(values, strconv.FormatFloat(v, 'f', -1, 64))
		}
		each = append(each, strings.Join(values, " "))
	}
	return strings.Join(each, "; ")
}

// tableOf returns the table of the first report that has one in place of rows.
func tableOf(reports []*Report) *Sheet {
	for _, r := range reports {
		for i := range r.Sheets {
			if r.Sheets[i].Table {
				return &r.Sheets[i]
			}
		}
	}
	return nil
}
