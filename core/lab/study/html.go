package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
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
		list, words := lines(r.Rows, 3)
		b.WriteString("<p><small>" + GridLegend + "</small></p>\n<details><summary>Every figure</summary><table><thead>")
		for i, line := range list {
			htmlLine(b, i == 0, line, func(k int) bool { return words[k] })
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
			htmlLine(b, i == 0, line, func(k int) bool { return k == 0 })
			b.WriteByte('\n')
		}
		b.WriteString("</table></details>\n")
	}
	fmt.Fprintf(b, "<div>%s</div>\n<p><small>%s", folded(r.Text), chart.Escape(r.Setting))
	if r.Missing > 0 {
		fmt.Fprintf(b, " %d of %s not run.", r.Missing, Plural(r.Tasks, "task"))
	}
	b.WriteString("</small></p>\n</section>\n")
}

// htmlLine writes a line of a table; cells with words are left-aligned.
func htmlLine(b *strings.Builder, head bool, line []string, words func(column int) bool) {
	tag := "td"
	if head {
		tag = "th"
	}
	b.WriteString("<tr>")
	for k, s := range line {
		class := ""
		if words(k) {
			class = ` class="t"`
		}
		fmt.Fprintf(b, "<%s%s>%s</%s>", tag, class, chart.Escape(s), tag)
	}
	b.WriteString("</tr>")
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

// A column of the table of a report has a title and, of a row, words or a number: a *float64, with all digits after the point, so that numbers stand
// below each other, or one of the types below.
type column struct {
	title string
	value any
}

type (
	quantity    struct{ *float64 } // has no more digits than it needs
	probability struct{ *float64 }
)

// columns are all columns of a row.
func (r *Row) columns() []column {
	var difference *float64
	if r.Ours != nil && r.Paper != nil {
		difference = new(*r.Ours - *r.Paper)
	}
	reach := ""
	if r.Reach != nil {
		reach = fmt.Sprintf("%d of %d", *r.Reach, r.Trainings)
	}
	return []column{
		{"table", r.Table}, {"data", r.Dataset}, {"method", r.Method}, {"preset", r.Preset}, {"level", r.Level},
		{"embedding", r.Embedding}, {"target", r.Target}, {"variant", r.Variant}, {"metric", r.Metric},
		{"gamma", quantity{r.Gamma}}, {"here", r.Ours}, {"± folds", r.FoldStd}, {"± seeds", r.SeedStd},
		{"lowest", r.Lowest}, {"highest", r.Highest}, {"95 % from", r.Low}, {"95 % to", r.High},
		{"paper", r.Paper}, {"± paper", r.PaperStd}, {"difference", difference},
		{"status", string(r.Status)}, {"reach", reach}, {"standardised", r.Standardised},
		{"untrained", r.Untrained}, {"untrained, standardised", r.UntrainedStandardised},
		{"trivial", r.Trivial}, {"by chance", r.Chance}, {"p", probability{r.P}},
		{"fitted", r.Fitted}, {"readers", r.Word}, {"probe (of labels)", r.Probe},
		{"probe on S (of labels)", r.ProbeS}, {"rank of S", quantity{r.RankS}}, {"width", quantity{r.Width}},
		{"parameters", quantity{r.Parameters}}, {"seconds", quantity{r.Seconds}},
		{causeTitle, r.Cause}, {checkTitle, r.Check}, {commandTitle, r.Command},
	}
}

// text returns the value, numbers with that number of digits after the point; -1: the shortest text that reads back as the same number.
func (c *column) text(counts bool, digits int) string {
	var v *float64
	short, chance := counts, false
	switch of := c.value.(type) {
	case string:
		return of
	case *float64:
		v = of
	case quantity:
		v, short = of.float64, true
	case probability:
		v, chance = of.float64, true
	}
	switch {
	case v == nil:
		return ""
	case digits < 0:
		return strconv.FormatFloat(*v, 'f', digits, 64)
	case chance:
		return figure.Chance(*v)
	case short:
		return figure.AtMost(*v, digits)
	}
	return figure.Fixed(*v, digits)
}

// Lines returns the rows as text under a line of titles, numbers written for people (see [figure]),
// scores with that number of digits after the point; -1: the shortest text that reads back as the
// same number. A report without rows has no lines.
func (r *Report) Lines(digits int) [][]string {
	if len(r.Rows) == 0 {
		return [][]string{}
	}
	list, _ := lines(r.Rows, digits)
	return list
}

// lines returns rows as text under a line of titles, without the columns that no row has a value in, and which columns have words.
func lines(rows []Row, digits int) (list [][]string, words []bool) {
	all := make([][]column, len(rows))
	for i := range rows {
		all[i] = rows[i].columns()
	}
	list = make([][]string, 1+len(rows))
	for k, c := range (&Row{}).columns() {
		if !slices.ContainsFunc(all, func(of []column) bool { return of[k].text(false, 0) != "" }) {
			continue
		}
		_, isWords := c.value.(string)
		list[0], words = append(list[0], c.title), append(words, isWords)
		for i := range rows {
			list[1+i] = append(list[1+i], all[i][k].text(rows[i].Counts, digits))
		}
	}
	return list, words
}

// CSV returns the rows of all reports as one table of comma-separated values, with a header
// and all digits: behind the columns of [Report.Lines] the trainings of each row with their seeds and the values of their folds.
// Names are written as package export has them.
func CSV(reports []*Report) string {
	rows := sorting.Flat(reports, func(r *Report) []Row { return r.Rows })
	table, _ := lines(rows, -1)
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Names != nil }) {
		table[0] = append(table[0], programTitles...)
		for i := range rows {
			table[1+i] = append(table[1+i], rows[i].forPrograms()...)
		}
	}
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
