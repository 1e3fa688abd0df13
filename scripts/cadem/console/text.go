package console

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Columns is the greatest width of lines that people read.
const Columns = 120

// code is what is copied as a whole.
var code = regexp.MustCompile("`[^`]+`")

// Fill breaks text into lines of at most [Columns] characters; all but the first begin with indent.
// Line ends of the text stay. A longer word has a line of its own, and so has code between backticks.
func Fill(text, indent string) string {
	var b strings.Builder
	for k, line := range strings.Split(text, "\n") {
		if k > 0 {
			b.WriteByte('\n')
		}
		width := 0
		line = code.ReplaceAllStringFunc(line, func(s string) string {
			return strings.ReplaceAll(s, " ", "\x00")
		})
		for i, word := range strings.Split(line, " ") {
			n := utf8.RuneCountInString(word)
			switch {
			case i == 0:
			case width+1+n > Columns:
				b.WriteString("\n" + indent)
				width = utf8.RuneCountInString(indent)
			default:
				b.WriteByte(' ')
				width++
			}
			b.WriteString(word)
			width += n
		}
	}
	return strings.ReplaceAll(b.String(), "\x00", " ")
}

// Table sets rows in columns; the first row holds titles. Columns with the same value in all rows
// go to a line above. A table wider than [Columns] is split into several, one below the other, each
// with the columns of words that identify the rows.
func Table(rows [][]string) string {
	var b strings.Builder
	if rows = common(&b, rows); len(rows) > 0 && len(rows[0]) > 0 {
		for _, block := range blocks(rows) {
			for _, row := range block {
				b.WriteString(strings.TrimRight(row, " ") + "\n")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// common takes the columns out whose entries are all the same, and writes what they say.
func common(b *strings.Builder, rows [][]string) [][]string {
	if len(rows) < 3 { // a single row has nothing in common
		return rows
	}
	var same []string
	rest := make([][]string, len(rows))
	for k, title := range rows[0] {
		alike := rows[1][k] != ""
		for _, row := range rows[2:] {
			alike = alike && row[k] == rows[1][k]
		}
		if alike && title != "" {
			same = append(same, title+" "+rows[1][k])
			continue
		}
		for i := range rows {
			rest[i] = append(rest[i], rows[i][k])
		}
	}
	if len(same) > 0 {
		b.WriteString(Fill("In all rows: "+strings.Join(same, ", ")+".", "  ") + "\n\n")
	}
	return rest
}

const gap = 2 // spaces between columns

// blocks lays rows out in columns, as many side by side as fit.
func blocks(rows [][]string) [][]string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for k, s := range row {
			widths[k] = max(widths[k], utf8.RuneCountInString(s))
		}
	}
	keys, taken := 0, 0
	for keys < len(widths)-1 && isWords(rows, keys) {
		taken += widths[keys] + gap
		keys++
	}
	if taken > Columns*2/3 {
		keys, taken = 0, 0
	}
	var all [][]string
	for from := keys; from < len(widths); {
		to, width := from, taken
		for to < len(widths) && (to == from || width+widths[to] <= Columns) {
			width += widths[to] + gap
			to++
		}
		lines := make([]string, len(rows))
		for i, row := range rows {
			for k, s := range row {
				if k < keys || k >= from && k < to {
					lines[i] += s + strings.Repeat(" ", widths[k]-utf8.RuneCountInString(s)+gap)
				}
			}
		}
		all = append(all, lines)
		from = to
	}
	return all
}

// isWords reports whether a column holds no numbers.
func isWords(rows [][]string, k int) bool {
	for _, row := range rows[1:] {
		if _, err := strconv.ParseFloat(row[k], 64); err == nil {
			return false
		}
	}
	return true
}
