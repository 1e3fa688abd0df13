package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/internal/formatstest"
)

// graphML is a graph whose nodes have the names that are given, counted from n0 on, and whose edges join nodes by number.
func graphML(name string, nodes []string, edges ...[2]int) File {
	b := &strings.Builder{}
	b.WriteString("<graphml><key id='v' for='node' attr.name='name' attr.type='string'/><key id='d' for='node' attr.name='degree' attr.type='int'/>\n<graph>\n")
	for k, n := range nodes {
		fmt.Fprintf(b, "<node id='n%d'><data key='v'>%s</data><data key='d'>%d</data></node>\n", k, n, len(name)+k)
	}
	for _, e := range edges {
		fmt.Fprintf(b, "<edge source='n%d' target='n%d'/>\n", e[0], e[1])
	}
	b.WriteString("</graph></graphml>")
	return fileOf(name, b.String())
}

// links are the links of each layer, by the names of nodes.
func links(t *testing.T, files ...File) string {
	t.Helper()
	g, _, err := openChoice(files, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, l := range g.Layers {
		all = append(all, l.Name+":")
		for i := range g.M() {
			for _, j := range l.Adjacency.Index[l.Adjacency.Start[i]:l.Adjacency.Start[i+1]] {
				if int(j) > i {
					pair := []string{g.NodeName(i), g.NodeName(int(j))}
					slices.Sort(pair)
					all = append(all, strings.Join(pair, "-"))
				}
			}
		}
	}
	return strings.Join(all, " ")
}

// A graph for each layer, as igraph writes them: ids are counted anew in every file, and names identify nodes. The order in which
// the files are opened has no effect.
func TestIDsCountedAnew(t *testing.T) {
	a := graphML("lunch.graphml", []string{"Ann", "Bob", "Cid"}, [2]int{0, 1}, [2]int{1, 2})
	b := graphML("work.graphml", []string{"Cid", "Ann", "Dan", "Bob"}, [2]int{0, 1}, [2]int{2, 3})
	const want = "lunch: Ann-Bob Bob-Cid work: Ann-Cid Bob-Dan"
	for _, files := range [][]File{{a, b}, {b, a}} {
		if got := links(t, files...); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	_, r, err := openChoice([]File{a, b}, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	checkNotes(t, r, `Files call nodes differently (lunch.graphml:3: "n0" is "Ann", in line 3 of work.graphml it is "Cid"): nodes were joined by their names.`)
	checkNotes(t, r, `The files differ in degree of a node: it was left out.`)

	// Without names of their own there is no telling.
	twice := graphML("work.graphml", []string{"Cid", "Ann", "Ann"}, [2]int{0, 1})
	_, _, err = openChoice([]File{a, twice}, Choice{})
	formatstest.CheckError(t, err, `work.graphml:3: node: found "n0" is "Cid", in line 3 of lunch.graphml it is "Ann", `+
		"expected an id to mean one node in all files, or every node to have a name that no other of its file has")

	// Ids that mean the same everywhere join nodes whatever their names are, and each file may have nodes of its own.
	namesakes := []File{graphML("a.graphml", []string{"Ann", "Ann", "Bob"}, [2]int{0, 1}),
		graphML("b.graphml", []string{"Ann", "Ann", "Bob", "Cid"}, [2]int{2, 3})}
	if got, want := links(t, namesakes...), "a: Ann (n0)-Ann (n1) b: Bob-Cid"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	blank := []File{fileOf("a.graphml", `<graphml><graph><node id="Ann Lee"/><node id="Bo, Jr"/><edge source="Ann Lee" target="Bo, Jr"/></graph></graphml>`),
		fileOf("b.graphml", `<graphml><graph><node id="Ann Lee"/><node id="x"/><edge source="Ann Lee" target="x"/></graph></graphml>`)}
	if got, want := links(t, blank...), "a: Ann Lee-Bo, Jr b: Ann Lee-x"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Leftovers of spreadsheets and joins in files are refused, or left out with a note; nothing becomes a node, a layer or another number.
func TestTroubleInCells(t *testing.T) {
	const list = "layer,source,target,weight\na,Ann,Bob,1\na,Bob,Cid,2\nb,Ann,Cid,1\n"
	ok := fileOf("edges.csv", list)
	checkRefused(t, []badChoice{
		{"missing layer", []File{fileOf("edges.csv", list+"NA,Ann,Dan,1\n")}, `edges.csv:5: layer: found "NA", expected an id: programs write this where a ` +
			"value is missing; a layer that is really called so needs a layer file that lists it"},
		{"missing node", []File{fileOf("edges.csv", list+"b,nan,Dan,1\n")}, `edges.csv:5: node: found "nan", expected an id: programs write this where a ` +
			"value is missing; a node that is really called so needs a node file that lists it"},
		{"mistyped feature", []File{ok, fileOf("features.csv", "id,f0,f1\nAnn,1,2\nBob,1;5,3\nCid,2,4\n")},
			`features.csv:3: column 2: found "1;5", expected a number, as in most rows; a cell without a value is empty or NA`},
		{"thousands", []File{fileOf("edges.tsv", "layer\tsource\ttarget\tweight\na\tx\ty\t12,500\nb\tx\ty\t3,250\n")},
			`edges.tsv:2: column 4: found "12,500", expected a number whose comma is clear: 12500 if it separates thousands, 12.500 if it is decimal`},
		{"thousands of features", []File{ok, fileOf("features.tsv", "id\tf\nAnn\t1,250\nBob\t2,500\nCid\t3,750\n")},
			`features.tsv:2: column 2: found "1,250", expected a number whose comma is clear: 1250 if it separates thousands, 1.250 if it is decimal`},
		{"number of a float", []File{fileOf("edges.csv", "layer,source,target\na,1,2\nb,1,3\n"), fileOf("labels.csv", "node,group\n1.0,x\n2.0,y\n3.0,x\n")},
			`labels.csv:2: node: found "1.0", expected one of the 3 nodes of edges.csv; ids are text, so "1" is another node`},
	})
	for _, c := range []struct {
		name  string
		files []File
		want  string // links
		notes []string
	}{
		{"header again", []File{fileOf("edges.csv", list+"layer,source,target,weight\nb,Bob,Cid,1\n"),
			fileOf("labels.csv", "node,group\nAnn,x\nBob,y\nnode,group\nCid,x\n")},
			"a: Ann-Bob Bob-Cid b: Ann-Cid Bob-Cid", []string{"1 row repeats the header and was left out."}},
		{"listed NA", []File{fileOf("edges.csv", "layer,source,target\na,NA,ZA\nb,ZA,NA\n"),
			fileOf("nodes.csv", "id,continent\nNA,Africa\nZA,Africa\nFR,Europe\nDE,Europe\n")},
			"a: NA-ZA b: NA-ZA", nil},
		{"a layer called NA", []File{fileOf("NA.csv", "source,target\nAnn,Bob\n"), fileOf("none.csv", "source,target\nBob,Ann\n")}, "NA: Ann-Bob none: Ann-Bob", nil},
		{"decimal commas", []File{fileOf("edges.tsv", "layer\tsource\ttarget\tweight\na\t1,2\t3,4\t,5\nb\t1,2\t3,4\t0,25\n"),
			fileOf("labels.csv", "node,group\n\"1,2\",x\n\"3,4\",y\n")},
			"a: 1,2-3,4 b: 1,2-3,4", []string{"edges.tsv: the commas of numbers were read as decimal."}},
		{"weight before value", []File{fileOf("edges.csv", "layer,source,target,value,weight\na,Ann,Bob,x,1\nb,Ann,Bob,y,2\n")}, "a: Ann-Bob b: Ann-Bob",
			[]string{"edges.csv: a column is not used: value."}},
		{"a matrix of i, j and w", []File{fileOf("a.csv", ",i,j,w\ni,0,1,0\nj,1,0,1\nw,0,1,0\n"),
			fileOf("b.csv", ",i,j,w\ni,0,1,0\nj,1,0,0\nw,0,0,0\n")}, "a: i-j j-w b: i-j", nil},
		{"capitals", []File{fileOf("edges.csv", "layer,source,target\nFriend,Ann,Bob\nfriend,Bob,ann\n")}, "Friend: Ann-Bob friend: Bob-ann",
			[]string{`Ids are text: "Ann" and "ann" are two nodes.`, `Ids are text: "Friend" and "friend" are two layers.`}},
		{"layers apart", []File{fileOf("a.csv", "source,target\nAnn,Bob\n"), fileOf("b.csv", "source,target\nann,bob\n"),
			fileOf("c.csv", "source,target\nBob,Cid\n")},
			"a: Ann-Bob b: ann-bob c: Bob-Cid", []string{"Layer b shares no node with another layer: ids are compared as text, with their capitals and zeros."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := links(t, c.files...); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			_, r, _ := openChoice(c.files, Choice{})
			checkNotes(t, r, c.notes...)
		})
	}
	// A first row whose node has no link is a row.
	g, _, err := openChoice([]File{ok, fileOf("labels.txt", "Zoe x\nAnn x\nBob y\nCid y\n")}, Choice{})
	formatstest.CheckError(t, err, `labels.txt:1: node: found "Zoe", expected one of the 3 nodes of edges.csv; `+
		`nodes without links need a node file (nodeID, one a line)`)
	if g != nil {
		t.Error("read")
	}
	// Inspecting says what opening says.
	c, err := Read([]File{fileOf("edges.csv", list+"layer,source,target,weight\n")})
	if err != nil {
		t.Fatal(err)
	}
	d, err := c.Describe(Choice{})
	if err != nil || !slices.Contains(d.Notes, "1 row repeats the header and was left out.") {
		t.Errorf("%q, %v", d.Notes, err)
	}
}
