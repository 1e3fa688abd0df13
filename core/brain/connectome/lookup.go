package connectome

import (
	"cadem.example/core/formats"
)

// lookUpTable returns the numbers and names of regions in a list without a header: FreeSurfer's and CBIG's lists of colours (number,
// name, red, green, blue, alpha), that of FSL (number, three shares of colours, name), and AAL's (number, name, code; or a short
// name before name and code; or name and code). It returns nil for other tables.
func lookUpTable(t *formats.Table) *formats.Table {
	if t.Header != nil || len(t.Rows) < 2 {
		return nil
	}
	id, name := -1, -1
	switch len(t.Rows[0].Fields) {
	case 6:
		id, name = 0, 1
	case 5:
		id, name = 0, 4
	case 3:
		id, name = 2, 1
	case 2:
		id, name = 1, 0
	default:
		return nil
	}
	width, hemispheres := len(t.Rows[0].Fields), 0
	regions := &formats.Table{File: t.File, Header: []string{"index", "name"}}
	for _, row := range t.Rows {
		if len(row.Fields) != width || !isWhole(row.Fields[id]) || !isWord(row.Fields[name]) {
			return nil
		}
		for k, f := range row.Fields { // colours
			if v, ok := value(f); k != id && k != name && width > 3 && !(ok && v >= 0 && v <= 255) {
				return nil
			}
		}
		if side, _ := sided(row.Fields[name]); side != "" {
			hemispheres++
		}
		regions.Rows = append(regions.Rows, formats.Row{Line: row.Line, Fields: []string{row.Fields[id], row.Fields[name]}})
	}
	if width <= 3 && 2*hemispheres < len(t.Rows) { // numbers and words of something else
		return nil
	}
	return regions
}
