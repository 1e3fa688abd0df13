package connectome

import (
	"fmt"
	"path"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
)

// Columns of a table of graphs; that of groups may be left out.
const graphColumn, classColumn, groupColumn, pathColumn = "graph", "class", "group", "file"

// readGraphs reads a table of graphs, which has the first, second and last of their columns. Without groups every graph is
// one of its own.
func readGraphs(t *formats.Table) ([]collection.Scan, error) {
	columns, err := t.Columns()
	if err != nil {
		return nil, err
	}
	var at [4]int
	names := [...]string{graphColumn, classColumn, groupColumn, pathColumn}
	for k, name := range names {
		at[k] = column(t.Header, name)
	}
	var scans []collection.Scan
	first := map[[2]string]int{} // lines of graphs and of files
	for i, row := range t.Rows {
		bad := func(where, found, expected string) error {
			return diag.At(t.File, row.Line, where, found, expected)
		}
		var value [4]string
		for k, name := range names {
			if at[k] < 0 {
				continue
			}
			if value[k] = strings.TrimSpace(columns[at[k]].Cells[i]); value[k] == "" {
				return nil, bad(name, "an empty field", "a "+name)
			}
		}
		for _, k := range []int{0, 3} {
			key := [2]string{names[k], value[k]}
			if line, again := first[key]; again {
				return nil, bad(names[k], fmt.Sprintf("%q, which stands in line %d, too", value[k], line), "each "+names[k]+" once")
			}
			first[key] = row.Line
		}
		s := collection.Scan{Graph: value[0], Condition: value[1], Subject: value[2], File: value[3]}
		if at[2] < 0 {
			s.Subject = s.Graph
		}
		scans = append(scans, s)
	}
	return scans, nil
}

// graphsOfFolders makes a collection of files that lie in several folders, one for each class. A folder that holds other
// ones is none of a class, and files that begin with a dot are not graphs.
func graphsOfFolders(names []string) []collection.Scan {
	holds := map[string]bool{}
	for _, name := range names {
		for dir := path.Dir(clean(name)); dir != path.Dir(dir); dir = path.Dir(dir) {
			holds[path.Dir(dir)] = true
		}
	}
	classes := map[string]bool{}
	var scans []collection.Scan
	for _, name := range names {
		dir, base := path.Split(clean(name))
		if dir = path.Clean(dir); dir == "." || holds[dir] || strings.HasPrefix(base, ".") {
			continue
		}
		class := path.Base(dir)
		classes[class] = true
		scans = append(scans, collection.Scan{Graph: name, Subject: name, Condition: class, File: name})
	}
	if len(classes) < 2 {
		return nil
	}
	return scans
}
