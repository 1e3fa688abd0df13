package connectome

import (
	"reflect"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
)

// A table of graphs names them with their classes and groups, by paths from itself; folders name their classes.
func TestFindGraphs(t *testing.T) {
	file := func(name, text string) formats.File { return formats.File{Name: name, Data: []byte(text)} }
	edges := "1 1 2\n2 1 2\n"
	for name, test := range map[string]struct {
		files   []formats.File
		scans   []collection.Scan
		ignored []string
	}{
		"table": {[]formats.File{file("all/list.csv", "file,graph,class,group\nA/1.edges,first,x,g\nB/1.edges,second,y,g\n"),
			file("all/A/1.edges", edges), file("all/B/1.edges", edges), file("all/B/2.edges", edges)},
			[]collection.Scan{{Subject: "g", Condition: "x", File: "all/A/1.edges", Graph: "first"},
				{Subject: "g", Condition: "y", File: "all/B/1.edges", Graph: "second"}},
			[]string{"all/B/2.edges"}},
		"without groups": {[]formats.File{file("list.tsv", "graph\tclass\tfile\na\tx\t1.edges\n"), file("1.edges", edges)},
			[]collection.Scan{{Subject: "a", Condition: "x", File: "1.edges", Graph: "a"}}, nil},
		"folders": {[]formats.File{file("all/A/1.edges", edges), file("all/B/1.edges", edges), file("all/README", "graphs\n"), file("all/A/.hidden", "")},
			[]collection.Scan{{Subject: "all/A/1.edges", Condition: "A", File: "all/A/1.edges", Graph: "all/A/1.edges"},
				{Subject: "all/B/1.edges", Condition: "B", File: "all/B/1.edges", Graph: "all/B/1.edges"}},
			[]string{"all/README", "all/A/.hidden"}},
		"one folder": {[]formats.File{file("A/1.edges", edges), file("A/2.edges", edges)}, nil, []string{"A/1.edges", "A/2.edges"}},
	} {
		found, err := FindScans(test.files, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !reflect.DeepEqual(found.Scans, test.scans) || !reflect.DeepEqual(found.Ignored, test.ignored) {
			t.Errorf("%s: found %+v, ignored %q", name, found.Scans, found.Ignored)
		}
	}
	for text, want := range map[string]string{
		"graph,class,file\na,x,1\na,y,2\n":       `list.csv:3: graph: found "a", which stands in line 2, too, expected each graph once`,
		"graph,class,file\na,x,1\nb,y,1\n":       `list.csv:3: file: found "1", which stands in line 2, too, expected each file once`,
		"graph,class,group,file\na,x,,1\n":       "list.csv:2: group: found an empty field, expected a group",
		"graph,class,file\na,x\n":                "list.csv:2: found 2 columns, expected 3 as in the header",
		"graph,class,file\na,x,1\nb,y,nowhere\n": `list.csv: graph "b": found nowhere, which is not among the files, expected a file that is there`,
	} {
		_, err := FindScans([]formats.File{file("list.csv", text), file("1", edges), file("2", edges)}, nil)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: found %v, want %s", text, err, want)
		}
	}
}

// Graphs that folds cannot hold out are refused.
func TestNewCollection(t *testing.T) {
	for want, graphs := range map[string][]collection.Scan{
		`classes: found "x" alone, expected at least 2 to tell apart`: {{Subject: "a", Condition: "x", File: "1", Graph: "a"},
			{Subject: "b", Condition: "x", File: "2", Graph: "b"}},
		`class "y": found graphs of one group, expected at least 2: folds hold out whole groups`: {
			{Subject: "a", Condition: "x", File: "1", Graph: "a"},
			{Subject: "b", Condition: "x", File: "2", Graph: "b"},
			{Subject: "c", Condition: "y", File: "3", Graph: "c"}},
		`graph "b": found 1 a second time, expected each graph and each file once`: {{Subject: "a", Condition: "x", File: "1", Graph: "a"},
			{Subject: "b", Condition: "y", File: "1", Graph: "b"}},
	} {
		if _, err := collection.NewCollection(graphs); err == nil || err.Error() != want {
			t.Errorf("found %v, want %s", err, want)
		}
	}
}
