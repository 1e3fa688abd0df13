package connectome

import (
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/formats"
)

// shapes are the tables of regions without a header, by what their columns hold: nodes of BrainNet Viewer; FreeSurfer's and CBIG's lists
// of colours; that of FSL; and AAL's, a short name before name and code, or these alone.
var shapes = [...]string{"x y z number number name", "index name colour colour colour colour",
	"index colour colour colour name", "- name index", "name index"}

// shaped returns the numbers, places and names of regions in a table of one of the [shapes]; nil for other tables. A name may be missing,
// written "-"; then it is the number of the row.
func shaped(t *formats.Table, shape string) *formats.Table {
	columns, regions, sides := strings.Fields(shape), &formats.Table{File: t.File}, 0
	for k, row := range t.Rows {
		if t.Header != nil || len(t.Rows) < 2 || len(row.Fields) != len(columns) {
			return nil
		}
		to := formats.Row{Line: row.Line}
		for c, f := range row.Fields {
			x, number := formats.Number(f)
			is := number
			switch columns[c] {
			case "-", "name":
				is = columns[c] == "-" || isWord(f)
			case "index":
				is = isWhole(f)
			case "colour":
				is = number && x >= 0 && x <= 255
			}
			if !is {
				return nil
			}
			if columns[c] == "name" {
				if side, _ := sided(f); side != "" {
					sides++
				}
				if f == "-" {
					f = strconv.Itoa(k + 1)
				}
			}
			if !slices.Contains([]string{"-", "number", "colour"}, columns[c]) {
				to.Fields = append(to.Fields, f)
				if k == 0 {
					regions.Header = append(regions.Header, columns[c])
				}
			}
		}
		regions.Rows = append(regions.Rows, to)
	}
	if len(columns) <= 3 && 2*sides < len(t.Rows) { // numbers and words of something else
		return nil
	}
	return regions
}
