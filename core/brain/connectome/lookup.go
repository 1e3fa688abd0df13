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
	kinds, n := strings.Fields(shape), len(t.Rows)
	if t.Header != nil || n < 2 || len(t.Rows[0].Fields) != len(kinds) {
		return nil
	}
	columns, err := t.Columns()
	if err != nil {
		return nil
	}
	regions, sides := &formats.Table{File: t.File}, 0
	for _, r := range t.Rows {
		regions.Rows = append(regions.Rows, formats.Row{Line: r.Line})
	}
	for k, c := range columns {
		is := c.Numbers == n
		switch kinds[k] {
		case "-":
			continue
		case "name":
			is = c.Words == n
		case "index":
			is = c.Whole()
		case "colour":
			is = is && slices.Min(c.Values) >= 0 && slices.Max(c.Values) <= 255
		}
		switch {
		case !is:
			return nil
		case kinds[k] == "number" || kinds[k] == "colour":
			continue
		}
		regions.Header = append(regions.Header, kinds[k])
		for i, f := range c.Cells {
			if side, _ := sided(f); side != "" && kinds[k] == "name" {
				sides++
			}
			if f == "-" {
				f = strconv.Itoa(i + 1)
			}
			regions.Rows[i].Fields = append(regions.Rows[i].Fields, f)
		}
	}
	if len(columns) <= 3 && 2*sides < n { // numbers and words of something else
		return nil
	}
	return regions
}
