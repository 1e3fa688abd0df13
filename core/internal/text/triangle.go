package text

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/internal/input"
)

// triangle returns a triangle of a symmetric matrix as the whole matrix, in CSV, with the names above that stand beside or above its rows;
// "" of any other text. Each row has a number more than the one before, or one less. Without a diagonal the row without numbers holds its
// name alone, or is left out where there are no names.
func triangle(file, text string) (whole, note string) {
	before, step, rows := -1, 0, 0
	for line := range linesOf(text) { // few lines say what most texts are not
		n := len(strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t,;", r) }))
		if rows++; rows == 3 {
			step = n - before
		} else if rows == 4 && n-before != step {
			step = 0
		}
		if before = n; rows == 4 {
			break
		}
	}
	if step != 1 && step != -1 {
		return "", ""
	}
	s := newScanner(file, text, layoutOf(text))
	s.table = true
	var head []string
	var list [][]string
	for s.scan() {
		switch n := len(list); {
		case n == 1 && len(s.fields) != len(list[0])+step && head == nil:
			// What came first is a header, or counts the rows.
			head, list = list[0], [][]string{s.clone()}
		case n > 0 && len(s.fields) != len(list[0])+n*step:
			return "", ""
		default:
			list = append(list, s.clone())
		}
	}
	if len(list) < 3 || s.err != nil {
		return "", ""
	}
	_, number := input.Number(list[0][0])
	named, shortest := btoi(!number), list[0]
	if step < 0 {
		shortest = list[len(list)-1]
	}
	diagonal, n := len(shortest)-named, len(list)
	if diagonal < 0 || diagonal > 1 || len(head) > 1 && len(head) != n && len(head) != n+1 || len(head) == 1 && shortNumber(head[0]) != n {
		return "", ""
	}
	if named := !number && len(head) == n && head[0] != list[0][0]; named && diagonal == 1 && step > 0 { // as R prints distances
		list = append([][]string{{head[0]}}, list...)
		head, diagonal, n = nil, 0, n+1
	}
	cells, names := make([][]string, n), make([]string, n)
	for i, row := range list {
		if named > 0 {
			names[i] = row[0]
		} else if len(head) > 1 {
			names[i] = head[len(head)-n+i]
		}
		cells[i] = row[named:]
		for _, cell := range cells[i] {
			if _, ok := input.Number(cell); !ok {
				return "", ""
			}
		}
		if named > 0 && len(head) > 1 && head[len(head)-n+i] != row[0] {
			return "", ""
		}
	}
	on := func(row []string) string { return row[(len(row)-1)*btoi(step > 0)] } // the diagonal, which would be 0 or 1
	other := func(row []string) bool {
		x, _ := input.Number(on(row))
		return x != 0 && x != 1 || on(row) != on(cells[0])
	}
	if number && slices.ContainsFunc(cells, other) {
		diagonal = 0
		if cells = append(cells, nil); step > 0 {
			cells = append([][]string{nil}, cells[:n]...)
		}
		names, n = make([]string, n+1), n+1
		if len(head) > 1 && copy(names, head) < n {
			return "", ""
		}
	}
	var b strings.Builder
	if names[0] != "" {
		WriteRecord(&b, append([]string{""}, names...))
	}
	for i := range n {
		var row []string
		if names[0] != "" {
			row = append(row, names[i])
		}
		for k := range n {
			a, c := max(i, k), min(i, k)
			if step < 0 { // row c holds what stands right of the diagonal, from there on
				a, c = c, a-c-1+diagonal
			}
			if i == k && diagonal == 0 {
				row = append(row, "0")
			} else {
				row = append(row, cells[a][c])
			}
		}
		WriteRecord(&b, row)
	}
	side, with := [...]string{"upper", "lower"}[btoi(step > 0)], [...]string{"without", "with"}[diagonal]
	return b.String(), fmt.Sprintf("%s was read as the %s triangle of a symmetric matrix of %d rows, "+
		"%s its diagonal.", file, side, n, with)
}
