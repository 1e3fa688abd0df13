package text

import (
	"fmt"
	"strings"

	"cadem.example/core/internal/input"
)

// triangle returns the lower triangle of a matrix as the whole matrix, in CSV, with the names above that stand beside or above its rows;
// "" of any other text. Each row has a number more than the one before. Without a diagonal the first row holds its name alone, or is left
// out where there are no names.
func triangle(file, text string) (whole, note string) {
	before, grown := -1, 0
	for line := range linesOf(text) { // few lines say what most texts are not
		n := len(strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t,;", r) }))
		if grown = (grown + 1) * btoi(before < 0 || n > before || grown < 2); grown == 4 || grown == 0 {
			break
		}
		before = n
	}
	if grown == 0 {
		return "", ""
	}
	s := newScanner(file, text, layoutOf(text))
	s.table = true
	var head []string
	var rows [][]string
	for s.scan() {
		switch n := len(rows); {
		case n == 1 && len(s.fields) != len(rows[0])+1 && head == nil: // what came first is a header, or counts the rows
			head, rows = rows[0], [][]string{s.clone()}
		case n > 0 && len(s.fields) != len(rows[0])+n:
			return "", ""
		default:
			rows = append(rows, s.clone())
		}
	}
	if len(rows) < 3 || s.err != nil {
		return "", ""
	}
	_, number := input.Number(rows[0][0])
	named := btoi(!number)
	diagonal, n := len(rows[0])-named, len(rows)
	if diagonal > 1 || len(head) > 1 && len(head) != n && len(head) != n+1 || len(head) == 1 && shortNumber(head[0]) != n {
		return "", ""
	}
	last := rows[0][len(rows[0])-1]
	for i, row := range rows {
		for _, cell := range row[named:] {
			if _, ok := input.Number(cell); !ok {
				return "", ""
			}
		}
		if number && row[len(row)-1] != last { // the diagonal would be 0 or 1
			diagonal = 0
		}
		if named > 0 && len(head) > 1 && head[len(head)-n+i] != row[0] {
			return "", ""
		}
	}
	if number && diagonal == 0 {
		rows, n = append([][]string{{}}, rows...), n+1
	}
	full := make([][]string, n, n+1)
	for i := range full {
		for k := range n {
			cell := "0"
			if a, b := max(i, k), min(i, k); a != b || diagonal > 0 {
				cell = rows[a][named+b]
			}
			full[i] = append(full[i], cell)
		}
	}
	if len(head) > 1 || named > 0 {
		names := []string{""}
		for i := range full {
			name := rows[i][0]
			if named == 0 {
				name = head[len(head)-n+i]
			}
			full[i] = append([]string{name}, full[i]...)
			names = append(names, name)
		}
		full = append([][]string{names}, full...)
	}
	var b strings.Builder
	for _, row := range full {
		WriteRecord(&b, row)
	}
	return b.String(), fmt.Sprintf("%s was read as the lower triangle of a symmetric matrix of %d rows, %s its diagonal.", file, n,
		[...]string{"without", "with"}[diagonal])
}
