package connectome

import (
	"fmt"
	"slices"
	"strings"

	"cadem/core/diag"
	"cadem/core/formats"
)

// variables takes the array of a binary file.
func (r *reader) variables(f formats.File) error {
	r.arrays = true
	c, err := formats.Read([]formats.File{f})
	if err != nil {
		return err
	}
	var fit []*formats.Variable
	for _, v := range c.Variables {
		large := isMatrix(v) && v.Form == formats.Dense
		if large && (r.hints.Variable == "" || r.hints.Variable == v.Name) {
			fit = append(fit, v)
		}
	}
	if len(fit) > 1 {
		fit = slices.DeleteFunc(fit, isPlaces)
	}
	lists := cells(c.Variables)
	for _, v := range c.Variables {
		_, words := v.Words()
		small := v.Form == formats.Dense && (v.Rows()*v.Cols() <= 3 || isMatrix(v) && isPlaces(v))
		r.others = r.others || !words && !small && v.Form != formats.Other && v.Form != formats.Text && len(fit) > 0 && v != fit[0]
	}
	switch {
	case len(fit) == 0 && r.hints.Variable != "":
		return &diag.Error{File: f.Name, Where: "variable", Found: fmt.Sprintf("no matrix %q among %s", r.hints.Variable, variableNames(c.Variables)),
			Expected: "one of its matrices"}
	case len(fit) != 1:
		return &diag.Error{File: f.Name, Where: "variable", Found: fmt.Sprintf("%s of numbers among %s", matrices(len(fit)), variableNames(c.Variables)),
			Expected: "one; name the variable to take"}
	}
	v := fit[0]
	values, err := v.Values()
	if err != nil {
		return err
	}
	m := &matrix{file: f.Name, rows: v.Shape[0], cols: v.Shape[1], values: values, variable: v.Name}
	m.named(lists)
	if len(c.Variables) > 1 {
		m.notes = append(m.notes, fmt.Sprintf("%s: the matrix %s was taken.", f.Name, v.Name))
	}
	return r.takeMatrix(m)
}

// isMatrix tells whether a variable is a matrix of more than one row and column.
func isMatrix(v *formats.Variable) bool {
	return v.IsNumeric() && len(v.Shape) == 2 && v.Shape[0] >= 2 && v.Shape[1] >= 2
}

// isPlaces tells whether a matrix holds where regions lie.
func isPlaces(v *formats.Variable) bool {
	name := strings.ToLower(v.Name)
	return min(v.Shape[0], v.Shape[1]) == 3 && slices.ContainsFunc([]string{"xyz", "coord", "centroid", "center", "centre", "position", "mni"},
		func(s string) bool { return strings.Contains(name, s) })
}

// cells returns the words of cell arrays, names{1}, names{2} and so on, by their names.
func cells(variables []*formats.Variable) map[string][]string {
	lists := map[string][]string{}
	for _, v := range variables {
		words, ok := v.Words()
		if !ok {
			continue
		}
		name, rest, inside := strings.Cut(v.Name, "{")
		if !inside {
			lists[name] = words
		} else if len(words) == 1 && rest == fmt.Sprintf("%d}", len(lists[name])+1) {
			lists[name] = append(lists[name], words[0])
		}
	}
	return lists
}

// named gives rows and columns the names of a list that has as many: of CONN's names those of the rows, names2 those of
// the columns, which may be more.
func (m *matrix) named(lists map[string][]string) {
	rows, columns := lists["names"], lists["names2"]
	if len(rows) == m.rows && len(columns) == m.cols && m.cols >= m.rows && slices.Equal(rows, columns[:m.rows]) {
		if m.cols > m.rows { // CONN appends targets that are no sources
			m.notes = append(m.notes, fmt.Sprintf("%s: %d columns that are no rows left out: %s.", m.file, m.cols-m.rows, some(columns[m.rows:])))
			x := make([]float64, 0, m.rows*m.rows)
			for i := range m.rows {
				x = append(x, m.values[i*m.cols:i*m.cols+m.rows]...)
			}
			m.values, m.cols = x, m.rows
		}
		m.rowNames, m.columnNames = rows, columns[:m.rows]
		return
	}
	var fit [][]string
	for _, list := range lists {
		if len(list) > 1 && (len(list) == m.rows || len(list) == m.cols) {
			fit = append(fit, list)
		}
	}
	if len(fit) != 1 {
		return
	}
	if len(fit[0]) == m.rows {
		m.rowNames = fit[0]
	} else {
		m.columnNames = fit[0]
	}
}

// variableNames lists variables, those of a cell array as one.
func variableNames(variables []*formats.Variable) string {
	var names []string
	for _, v := range variables {
		name, _, _ := strings.Cut(v.Name, "{")
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return formats.List(names, 20)
}

func matrices(n int) string {
	if n == 1 {
		return "1 matrix"
	}
	return fmt.Sprintf("%d matrices", n)
}
