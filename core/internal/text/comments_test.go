package text

import (
	"fmt"
	"strings"
	"testing"

	"cadem.example/core/internal/input"
)

// linksOf makes a graph of files, "name\ntext" each, and returns its links "a-b" by layer, its nodes and the notes.
func linksOf(t *testing.T, o Options, files ...string) (links map[string][]string, nodes []string, notes string, err error) {
	t.Helper()
	s := NewSet("")
	for _, f := range files {
		name, text, _ := strings.Cut(f, "\n")
		if err := s.Read(&input.File{Name: name, Data: []byte(text)}); err != nil {
			return nil, nil, "", err
		}
	}
	if _, err := s.Sort(); err != nil {
		return nil, nil, "", err
	}
	g, report, err := s.Graph(o)
	if err != nil {
		return nil, nil, "", err
	}
	links = map[string][]string{}
	for _, l := range g.Layers {
		for i := range l.Adjacency.Rows {
			for _, j := range l.Adjacency.Index[l.Adjacency.Start[i]:l.Adjacency.Start[i+1]] {
				if i <= int(j) {
					links[l.Name] = append(links[l.Name], g.Nodes[i]+"-"+g.Nodes[j])
				}
			}
		}
	}
	return links, g.Nodes, strings.Join(report.Notes, "\n"), nil
}

// Below a header a row of as many fields is data, whatever its names begin with and wherever it stands. The same
// list with names that begin otherwise says how many links there are.
func TestNamesThatBeginAsComments(t *testing.T) {
	plain := []string{"xa", "xb", "c", "xd"}
	pairs := [][]int{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {1, 2}}
	for _, sign := range []string{"#", "%", "--", "##", "#1", "% of "} {
		for _, separator := range []string{",", ";", "\t", " "} {
			if separator == " " && strings.Contains(sign, " ") {
				continue
			}
			var b, labels strings.Builder
			b.WriteString(strings.Join([]string{"source", "target", "layer", "weight"}, separator) + "\n")
			labels.WriteString("id" + separator + "team\n")
			named := func(k int) string { return strings.Replace(plain[k], "x", sign, 1) }
			for _, layer := range []string{"work", "#lunch"} {
				for k, p := range pairs {
					b.WriteString(strings.Join([]string{named(p[0]), named(p[1]), layer, fmt.Sprint(k + 1)}, separator) + "\n")
				}
			}
			for k := range plain {
				labels.WriteString(named(k) + separator + []string{"red", "blue"}[k%2] + "\n")
			}
			links, nodes, notes, err := linksOf(t, Options{}, "net.csv\n"+b.String(), "team.csv\n"+labels.String())
			if err != nil {
				t.Errorf("%q, %q: %v", sign, separator, err)
				continue
			}
			if len(links["work"]) != len(pairs) || len(links["#lunch"]) != len(pairs) || len(nodes) != len(plain) {
				t.Errorf("%q, %q: %v", sign, separator, links)
			}
			if said := strings.Contains(notes, "read as data"); said != (sign == "% of ") || strings.Contains(notes, "no line there") {
				t.Errorf("%q, %q: %s", sign, separator, notes)
			}
		}
	}
}

// What is left out without a header is counted and said, if it may be a row.
func TestCommentsAreCounted(t *testing.T) {
	for text, want := range map[string]string{
		"#a #b 1\n#a c 2\nd c 2\nc e 1\nd e 1\n#d #e 7\n":        "net.edges: 3 lines begin",
		"# 5 links\n# of a list\nd c 2\nc e 1\nd e 1\n":          "",
		"# A list\nd c 2\nc e 1\nd e 1\n# the end of the list\n": "",
		"d,c,2\n#c,2\nc,e,1\nd,e,1\n":                            "net.edges: 1 line begins",
		"#a,b,2\nc,b,1\nc,a,3\n":                                 "net.edges: 1 line begins",
		"source target\n# a\na b\nb c\n#b c d\n":                 "net.edges: 1 line begins",
		"source,target\n# one, two\na,b\nb,c\n":                  "net.edges: 1 line begins as a comment does, with #, % or --, and was read as data",
		"# A list, comma and all\nsource,target\na,b\nb,c\n":     "",
		"\"#a\" \"#b\" 1\n\"#a\" c 2\nd c 2\nc e 1\nd e 1\n":     "",
		"sep=,\n# links, weights\nsource,target\na,b\nb,c\n":     "",
		"id;x\n":                          "-",
		"#,source,target\n1,a,b\n2,b,c\n": "",
		"# layer source target\n1 a b\n1 b c\n1 a c\n":        "",
		"# source\ttarget\n#a\tb\nb\tc\na\tc\nc\td\n":         "",
		"# source target\n# of a list\n#a b\nb c\na c\nc d\n": "net.edges: 1 line begins",
		"--------\na b\nb c\na c\n--------\n":                 "",
	} {
		_, _, notes, err := linksOf(t, Options{}, "net.edges\n"+text)
		if want == "-" {
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		said := ""
		for _, note := range strings.Split(notes, "\n") {
			if strings.Contains(note, "begin") {
				said += note
			}
		}
		if (said == "") != (want == "") || !strings.HasPrefix(said, want) {
			t.Errorf("%q: %q", text, said)
		}
	}
	for _, head := range []string{"#TYPE\nmultiplex\n#ACTORS\n#a\nb\n#c\n", "#VERSION\n3.0\n#LAYERS\nx,UNDIRECTED\ny,UNDIRECTED\n",
		"#ACTOR ATTRIBUTES\nage,NUMERIC\n#ACTORS\n#a,1\nb,2\n#c,3\n--d,4\n"} {
		links, _, _, err := linksOf(t, Options{}, "net.mpx\n"+head+"#EDGES\n#a,b,x\nb,#c,x\n#c,#a,y\n")
		if err != nil || len(links["x"]) != 2 || len(links["y"]) != 1 {
			t.Errorf("multinet, %q: %v, %v", head, links, err)
		}
	}
}

// Separators at the end of every line begin no column, also in a choice of before.
func TestSeparatorsAtTheEnd(t *testing.T) {
	files := func(text string) []string { return []string{"a.txt\n" + text, "b.txt\n" + text} }
	for _, end := range []string{"\t", "\t\t", ";", ",", ",,", "; "} {
		separator := end[:1]
		for list, columns := range map[string]string{"1 2\n2 3\n3 4\n4 1\n": "source,target", "1 2 5\n2 3 1\n3 4 2\n4 1 9\n": "source,target,weight",
			"source target other\n1 2 x\n2 3 x\n2 3 y\n4 2 y\n": "source,target,-"} {
			plain := strings.ReplaceAll(list, " ", separator)
			ended := strings.ReplaceAll(plain, "\n", end+"\n")
			for _, columns := range []string{"", columns, columns + strings.Repeat(",-", strings.Count(end, separator))} {
				want, nodes, _, err := linksOf(t, Options{}, files(plain)...)
				got, names, _, failed := linksOf(t, Options{Columns: columns}, files(ended)...)
				if err != nil || failed != nil || fmt.Sprint(got, names) != fmt.Sprint(want, nodes) {
					t.Errorf("%q, %q, %q: %v %v, want %v %v", end, list, columns, got, failed, want, err)
				}
			}
		}
	}
}

// What pandas writes above a stacked matrix is a header, and the first row of no list is taken for one without a word.
func TestHeadersOfPandas(t *testing.T) {
	body := ""
	for _, p := range []string{"A,B,.5", "A,C,.25", "B,C,.75", "B,D,.5", "C,D,.125"} {
		body += p + "\n"
	}
	for _, head := range []string{"level_0,level_1,0\n", "level_0,level_1,weight\n", "level_0,level_1,corr\n"} {
		links, nodes, notes, err := linksOf(t, Options{}, "one.csv\n"+head+body, "two.csv\n"+head+body)
		if err != nil || len(nodes) != 4 || len(links["one"]) != 5 || strings.Contains(notes, "weight=corr") != strings.Contains(head, "corr") {
			t.Errorf("%q: %v, %v, %s", head, links, err, notes)
		}
		index := ""
		for k, row := range strings.Split(strings.TrimSpace(body), "\n") {
			index += fmt.Sprintf("%d,%s\n", k, row)
		}
		links, nodes, _, err = linksOf(t, Options{}, "one.csv\n,"+head+index, "two.csv\n,"+head+index)
		if err != nil || len(nodes) != 4 || len(links["two"]) != 5 {
			t.Errorf("%q with an index: %v, %v", head, links, err)
		}
	}
	deep := "level_0,level_1,level_2,0\n"
	for _, layer := range []string{"liver", "lung"} {
		deep += layer + "," + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n"+layer+",") + "\n"
	}
	if links, nodes, _, err := linksOf(t, Options{}, "net.csv\n"+deep); err != nil || len(nodes) != 4 || len(links["liver"]) != 5 || len(links["lung"]) != 5 {
		t.Errorf("%v, %v", links, err)
	}
	for _, text := range []string{"0,1,2\n" + body, "0,1\nA,B\nA,C\nB,C\nC,D\n", ",0,1,2\n0,A,B,1\n1,A,C,1\n2,B,C,1\n3,C,D,2\n"} {
		if _, nodes, notes, err := linksOf(t, Options{}, "net.csv\n"+text); err != nil || len(nodes) != 4 ||
			!strings.Contains(notes, "net.csv: line 1 only numbers the columns and was read as a header, not as data.") {
			t.Errorf("%q: %q, %v, %s", text, nodes, err, notes)
		}
	}
	for _, text := range []string{"Zoe Yan\nA B\nA C\nB C\nB D\n"} {
		s := NewSet("")
		if err := s.Read(&input.File{Name: "net.csv", Data: []byte(text)}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Sort(); err != nil {
			t.Fatal(err)
		}
		_, _, err := s.Graph(Options{})
		if err == nil || !strings.Contains(err.Error(), "if the first line is a link") {
			t.Errorf("%q: %v", text, err)
		}
		if q := s.Question(""); q == nil || !strings.Contains(q.Why, "first line") {
			t.Errorf("%q: question %v", text, q)
		}
	}
	links, _, notes, err := linksOf(t, Options{Columns: "source,target"}, "net.csv\nZoe Yan\nA B\nA C\nB C\nB D\n")
	if err != nil || len(links["net"]) != 4 || !strings.Contains(notes, "line 1 was taken for titles and is no link") {
		t.Errorf("%v, %v, %s", links, err, notes)
	}
}

// Empty fields at the end are those of a triangle below the diagonal, with and without names of the rows.
func TestTriangleIsNotEnded(t *testing.T) {
	for _, text := range []string{",,,\n1,,,\n2,3,,\n4,5,6,\n", "a;;;\nb;1;;\nc;2;3;\n", "# made\n,, , \n1,,,\n2,3,,\n4,5,6,\n"} {
		table, err := ReadTable(input.File{Name: "fc.csv", Data: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range table.Rows {
			if len(row.Fields) != 4 {
				t.Errorf("%q: a row %q", text, row.Fields)
			}
		}
	}
}
