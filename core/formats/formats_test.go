package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/text"
	"cadem.example/core/multiplex"
)

func ExampleContent_Graph() {
	content, err := Read([]File{
		{Name: "office_multiplex.edges", Data: []byte("1 1 2 1\n1 2 1 1\n1 2 3 1\n2 1 3 1\n")},
		{Name: "office_layers.txt", Data: []byte("layerID layerLabel\n1 advice\n2 lunch\n")},
		{Name: "labels.csv", Data: []byte("nodeID,group\n1,G1\n2,G2\n3,NA\n")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	g, report, err := content.Graph(Choice{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range g.Layers {
		fmt.Println(g.Layers[i].Name, g.Layers[i].Summary().Edges)
	}
	fmt.Println(g.Labels[0].Name, g.Labels[0].Of)
	for _, note := range report.Notes {
		fmt.Println(note)
	}
	content, err = Read([]File{{Name: "office_multiplex.edges", Data: []byte("1 1 2 1\n1 2 3 abc\n")}})
	if err == nil {
		_, _, err = content.Graph(Choice{})
	}
	fmt.Println(err)
	// Output:
	// advice 2
	// lunch 1
	// group [0 1 -1]
	// office_multiplex.edges: columns were taken 1 as layer, 2 as source, 3 as target, 4 as weight.
	// There is no node file: the nodes are the 3 that have an edge.
	// 3 arcs of layer advice were made 2 undirected edges.
	// No pair comes in both directions in layer lunch: the edges were taken as undirected.
	// office_multiplex.edges:2: weight: found "abc", expected a finite number without marks between its digits or a unit; leave out rows of titles or totals
}

func fixture(t testing.TB, names ...string) []File {
	t.Helper()
	var files []File
	for _, name := range names {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, File{Name: name, Data: data})
	}
	return files
}

func TestOpenFixture(t *testing.T) {
	g, r, err := openChoice(fixture(t, "labels.csv", "office_nodes.txt", "office_multiplex.edges", "office_layers.txt"), Choice{})
	if err != nil {
		t.Fatal(err)
	}
	want := []FileReport{{Name: "labels.csv", Kind: text.Labels}, {Name: "office_nodes.txt", Kind: text.Nodes},
		{Name: "office_multiplex.edges", Kind: text.Edges}, {Name: "office_layers.txt", Kind: text.Layers}}
	if !slices.Equal(r.Files, want) {
		t.Errorf("files %v", r.Files)
	}
	if g.Name != "office" || r.Nodes != 7 || r.Isolated != 1 {
		t.Errorf("%s, %d nodes, %d isolated", g.Name, r.Nodes, r.Isolated)
	}
	if want := []string{"Ana Berg (1)", "Bo Ito", "Eva Lund", "Jan Tan", "Mai Cruz", "Ana Berg (6)", "Leo Wolf"}; !slices.Equal(g.Nodes, want) {
		t.Errorf("nodes %q", g.Nodes)
	}
	for l, want := range []LayerReport{
		{LayerSummary: multiplex.LayerSummary{Name: "advice", Edges: 3, SelfLoops: 1, Isolated: 3, MaxDegree: 2, Weighted: true}, Arcs: 6, Direction: Directed,
			Mutual: 1, Repeated: 1},
		{LayerSummary: multiplex.LayerSummary{Name: "lunch table", Edges: 2, Isolated: 3, MaxDegree: 1, Weighted: true}, Arcs: 2, Direction: OneWay, Zero: 1},
		{LayerSummary: multiplex.LayerSummary{Name: "chat", Edges: 2, Isolated: 3, MaxDegree: 1, Weighted: true}, Arcs: 4, Direction: BothWays, Mutual: 2},
	} {
		if r.Layers[l] != want {
			t.Errorf("layer %d:\n%+v\nwant\n%+v", l, r.Layers[l], want)
		}
	}
	if a := g.Layers[0].Adjacency; a.Value[slices.Index(a.Index[a.Start[1]:a.Start[2]], 2)+int(a.Start[1])] != 4 {
		t.Errorf("of the weights 2.5 and 4 the largest was not kept: %v", a.Value)
	}
	if c := g.Columns; len(c) != 2 || c[0].Name != "nodeLong" || c[0].Of[2] != 9.25 || c[1].Name != "nodeAge" || c[1].Of[3] != 28 {
		t.Errorf("columns %v", c)
	}
	wantNotes := []string{
		"office_nodes.txt: nodeLong, nodeAge hold numbers and no categories: they can colour the pictures, or be chosen as features.",
		"office_multiplex.edges: columns were taken 1 as layer, 2 as source, 3 as target, 4 as weight.",
		"labels.csv: 1 node has no line there and no label.",
		"labels.csv: empty holds no labels and was left out.",
		"5 arcs of layer advice were made 3 undirected edges.",
		"1 row of layer advice repeats an earlier one and was merged with it, keeping the largest weight.",
		"Layer advice has 1 self loop; it was kept.",
		"1 row of layer lunch table has weight 0 and was left out.",
		`Layer chat stores each of its 2 undirected edges in both directions.`,
		"No pair comes in both directions in layer lunch table: the edges were taken as undirected.",
		"1 node has no edge in any layer.",
	}
	if !slices.Equal(r.Notes, wantNotes) {
		t.Errorf("notes %q", r.Notes)
	}
	checkClasses(t, g, "nodeCity", []int{4, 3}, 0)
	checkClasses(t, g, "group", []int{2, 2, 1}, 2)
	checkClasses(t, g, "role, main", []int{3, 1, 1}, 2)
	if got := g.Labels[2].Classes; !slices.Equal(got, []string{"PhD", "Phd (visiting)", "a \"quoted\"\nrole"}) {
		t.Errorf("roles %q", got)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

func TestOpenVariants(t *testing.T) {
	labels := File{Name: "l.csv", Data: []byte("name,g\nBo,x\nAna,y\nEva,x\n")}
	for _, c := range []struct {
		name  string
		files []File
		nodes string
		edges []int
	}{
		{"commas", []File{{Name: "e.txt", Data: []byte("1,1,2,1\n1,2,3\u00a0,1\n2, 1 ,3,1")}}, "1 2 3", []int{2, 1}},
		{"no weights, from 0", []File{{Name: "e.txt", Data: []byte("0 0 1 1\n0 1 10 1\n5 10 2 1\n")}}, "0 1 2 10", []int{2, 1}},
		{"leading zeros", []File{{Name: "e.txt", Data: []byte("1 01 2 1\n1 1 3 1\n02 2 3 1\n")}}, "01 1 2 3", []int{2, 1}},
		{"CR ends", []File{{Name: "e.txt", Data: []byte("1 1 2 1\r1 2 3 1\r2 1 3 1\r")}}, "1 2 3", []int{2, 1}},
		{"CRLF and BOM", []File{{Name: "e.txt", Data: []byte("\ufeff1 1 2 1\r\n1 2 3 1\r\n2 1 3 1\r\n")}}, "1 2 3", []int{2, 1}},
		{"header, other order, words", []File{{Name: "ties.csv", Data: []byte("source,target,layer,weight\nBo,Ana,lunch,1\n\"Cruz, Mai\",Bo,work,2\n")}},
			"Ana Bo Cruz, Mai", []int{1, 1}},
		{"header, numbers", []File{{Name: "ties.csv", Data: []byte("layerID;nodeID;nodeID\n2;2;1\n1;1;3\n")}}, "1 2 3", []int{1, 1}},
		{"names of a labels file", []File{{Name: "ties.csv", Data: []byte("from,to,layer\nBo,Ana,lunch\nEva,Bo,work\n")}, labels}, "Ana Bo Eva", []int{1, 1}},
		{"names in the edges",
			[]File{{Name: "e.edges", Data: []byte("1 Bo Ana\n2 Ana 3\n")}, {Name: "n.txt", Data: []byte("id name\n1 Bo\n2 Ana\n3 Eva\n")}, labels}, "Bo Ana Eva",
			[]int{1, 1}},
	} {
		g, _, err := openChoice(c.files, Choice{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var edges []int
		for l := range g.Layers {
			edges = append(edges, g.Layers[l].Summary().Edges)
		}
		if got := strings.Join(g.Nodes, " "); got != c.nodes || !slices.Equal(edges, c.edges) {
			t.Errorf("%s: nodes %s, edges %v, want %s, %v", c.name, got, edges, c.nodes, c.edges)
		}
	}
}

func edges(s string) []File { return []File{{Name: "a.edges", Data: []byte(s)}} }

// withEdges adds a file to edges of three nodes.
func withEdges(name, s string) []File {
	return append(edges("1 1 2 1\n2 2 3 1\n"), File{Name: name, Data: []byte(s)})
}

func TestUnreadableTexts(t *testing.T) {
	most := input.Size(input.MaxText)
	endless := "a.edges: found more than " + most + ", expected at most " + most + " for a text file" + input.Natively
	checkRefused(t, []badChoice{
		{"no files", nil, "found no files, expected an edge list"},
		{"empty", edges(""), "a.edges: found an empty file, expected UTF-8 text"},
		{"blank", edges(" \n\t\r\n"), "a.edges: found an empty file, expected UTF-8 text"},
		{"BOM alone", edges("\ufeff"), "a.edges: found an empty file, expected UTF-8 text"},
		{"binary", edges("1 1 2 1\n\x00\x01\x02"), "a.edges: found an unknown binary file of 11 bytes, expected " + input.WantFiles},
		{"a byte of no text", edges("1 1 2 1\n1 2 3 1\n1 3 4 1\n\x01"), "a.edges:4: found the byte 0x01, which stands in no text, expected UTF-8 text"},
		{"Cyrillic of one byte", edges("1 1 2 1\n1 1 \xc8\xe2\xe0\xed 1\n"), "a.edges:2: found the byte 0xc8, which is not UTF-8, expected UTF-8 text"},
		{"damaged UTF-8", edges("1 1 2 1\n1 1 \xc3\xa9\xc3 1\n"), "a.edges:2: found the byte 0xc3, which is not UTF-8, expected UTF-8 text"},
		{"UTF-16 of a control", edges("\xff\xfe1\x00 \x00\x01\x00"), "a.edges:1: found the byte 0x01, which stands in no text, expected UTF-8 text"},
		{"zip", edges("PK\x03\x04aaaa"), "a.edges: found an archive that is cut off or altered, expected a complete zip archive"},
		{"comments", edges("# a\n% b\n"), "a.edges: found no edges, expected at least one: without edges nothing propagates"},
		{"5 GB", []File{{Name: "a.edges", Size: 5e9, Reader: iotest.ErrReader(errors.New("was read"))}}, "a.edges: found 5.0 GB, expected at most 2.1 GB"},
		{"no end", []File{{Name: "a.edges", Size: 10, Reader: formatstest.Endless{}}}, endless},
		{"cut off", []File{{Name: "a.edges", Size: 10, Reader: strings.NewReader("1 1 2")}},
			"a.edges: found 5 bytes, expected 10: the file changed or was cut off while it was read"},
		{"read fault", []File{{Name: "a.edges", Reader: iotest.ErrReader(io.ErrUnexpectedEOF)}}, "a.edges: unexpected EOF"},
	})
}

const wantID = "an id, a whole number >= 0 or a word; a header line (layer,source,target,weight) or -columns says which columns hold ids"

const (
	aNumber = "a finite number without marks between its digits or a unit; leave out rows of titles or totals"
	aTable  = "a .csv file with a row for each under the titles source,target,layer,weight"
	anID    = "an id; fill cells that were merged, and leave out rows of titles or totals"
)

func TestBadEdges(t *testing.T) {
	checkRefused(t, []badChoice{
		{"two columns", edges("1 2\n"), "a.edges: layers: found 1, expected at least 2: with fewer there is nothing to tell apart"},
		{"five columns", edges("1 2 3 4 5\n"), "a.edges: layer 2: found no edges within it; 1 row joins nodes of different layers, expected at least one: " +
			"without edges nothing propagates"},
		{"six columns", edges("1 2 3 4 5 6\n"), ""},
		{"fewer columns", edges("# x\n1 1 2 1\n1 1 3\n"), "a.edges:3: columns: found 3 columns, expected 4 as in line 2; leave out lines that are no links"},
		{"more columns", edges("1 1 2\n1 1 3 1\n"), "a.edges:2: columns: found 4 columns, expected 3 as in line 1; leave out lines that are no links"},
		{"empty column", edges("1,1,2,1\n1,,3,1\n"), `a.edges:2: node: found "", expected ` + anID},
		{"empty word", edges("layer,from,to\na,b,c\na,,c\n"), `a.edges:3: node: found "", expected ` + anID},
		{"word as weight", edges("1 1 2 1\n1 2 3 heavy\n"), `a.edges:2: weight: found "heavy", expected ` + aNumber},
		{"part of a node", edges("1 1 2.5 1\n"), `a.edges:1: node: found "2.5", expected ` + wantID},
		{"NaN", edges("1 1 2 NaN\n"), `a.edges:1: weight: found "NaN", expected ` + aNumber},
		{"Inf", edges("1 1 2 1\n1 1 2 Inf\n"), `a.edges:2: weight: found "Inf", expected ` + aNumber},
		{"overflow", edges("1 1 2 1e999\n"), `a.edges:1: weight: found "1e999", expected ` + aNumber},
		{"huge weight", edges("1 1 2 1e300\n"), `a.edges:1: weight: found "1e300", expected 0 or a number of a size from 1e-12 to 1e+12`},
		{"tiny weight", edges("1 1 2 1e-300\n"), `a.edges:1: weight: found "1e-300", expected 0 or a number of a size from 1e-12 to 1e+12`},
		{"negative node", edges("1 1 -2 1\n"), `a.edges:1: node: found "-2", expected ` + wantID},
		{"long line", edges("1 1 2 1\n1 1 2 " + strings.Repeat("é", 100000) + "\n"),
			`a.edges:2: weight: found "` + strings.Repeat("é", 40) + `…" (100000 characters), expected ` + aNumber},
	})
}

func TestBadNodesAndLayers(t *testing.T) {
	const nodes = "nodeID nodeLabel\n1 Ana\n2 Bo\n3 Bo\n"
	checkRefused(t, []badChoice{
		{"node out of range", append(edges("1 1 2 1\n1 2 4 1\n"), File{Name: "a_nodes.txt", Data: []byte(nodes)}),
			`a.edges:2: node: found "4", expected one of the 3 nodes of a_nodes.txt`},
		{"ambiguous node", append(edges("1 1 Bo 1\n"), File{Name: "a_nodes.txt", Data: []byte(nodes)}),
			`a.edges:1: node: found the name "Bo", which more than one node has, expected its id`},
		{"layer out of range", withEdges("a_layers.txt", "layerID layerLabel\n1 advice\n"), `a.edges:2: layer: found "2", expected the only layer of a_layers.txt`},
		{"layer without edges", withEdges("a_layers.txt", "layerID layerLabel\n1 advice\n2 lunch\n3 work\n"),
			"a.edges: layer work: found no edges of this layer, which a_layers.txt lists, expected at least one: without edges nothing propagates"},
		{"layer of zeros", edges("1 1 2 1\n2 1 2 0\n"), "a.edges: layer 2: found only edges of weight 0, expected at least one: without edges nothing propagates"},
		{"one node", edges("1 1 1 1\n2 1 1 1\n"), "a.edges: nodes: found 1, expected at least 2"},
		{"columns of 0 and 1", []File{fileOf("wide.csv", "source,target,direct,work\nann,bob,1,0\nbob,cy,1,1\ncy,dee,0,1\n")},
			"wide.csv: layers: found 1, expected at least 2: with fewer there is nothing to tell apart; " +
				"no column is called layer; direct, work hold 0 and 1: if each is a layer, say so: -columns weight=direct,weight=work"},
		{"one layer", edges("1 1 2 1\n"), "a.edges: layers: found 1, expected at least 2: with fewer there is nothing to tell " +
			"apart; column 1 was taken as the layer and holds one value; " +
			"-columns says what columns are otherwise"},
		{"layers, three columns", withEdges("a_layers.csv", "1,advice,x\n"), "a_layers.csv:1: columns: found 3 columns, expected 2: layerID layerLabel"},
		{"layers again", withEdges("a_layers.txt", "1 advice\n1 lunch\n"), `a_layers.txt:2: layerID: found "1", expected an id that no other line has`},
		{"layer names again", withEdges("a_layers.txt", "1 advice\n2 advice\n"),
			`a_layers.txt:2: layerLabel: found "advice", expected a name that no other layer has`},
		{"no layers", withEdges("a_layers.txt", "layerID layerLabel\n"), "a_layers.txt: found no layers, expected one a line: layerID layerLabel"},
		{"nodes again", withEdges("a_nodes.txt", "nodeID\n1\n2\n1\n"), `a_nodes.txt:4: nodeID: found "1" again (first in line 2), expected an id for one node only`},
		{"no nodes", withEdges("a_nodes.txt", "nodeID nodeLabel\n"), "a_nodes.txt: found a header and no nodes, expected a line for every node"},
		{"nodes, columns", withEdges("a_nodes.txt", "nodeID x y\n1 2\n"), "a_nodes.txt:2: found 2 columns, expected 3 as in line 1"},
		{"two edge lists", append(edges("1 1 2 1\n"), edges("1 1 2 1\n")...), "a.edges: found a second file of edges beside a.edges, expected one"},
		{"no edge list", []File{{Name: "labels.csv", Data: []byte("id,g\n1,2\n")}},
			"found labels.csv (labels), expected an edge list among them: layerID nodeID nodeID weight, or " + aTable},
		{"unknown file", withEdges("codes.txt", "# Data\nab cd ef\ngh ij kl\nmn op qr\n"),
			`codes.txt:2: found a file of unknown kind that begins with "ab cd ef", expected edges (layerID nodeID nodeID weight), layers ` +
				`(layerID layerLabel), nodes (nodeID nodeLabel ...) or labels (nodeID, group, ...); of links ` + aTable},
	})
}

func TestBadLabels(t *testing.T) {
	checkRefused(t, []badChoice{
		{"labels of unknown nodes", withEdges("labels.csv", "nodeID,g\n1,a\n7,b\n"), `labels.csv:3: nodeID: found "7", expected one of the 3 nodes ` +
			`of a.edges; nodes without links need a ` +
			`node file (nodeID, one a line)`},
		{"labels twice", withEdges("labels.csv", "nodeID,g\n1,a\n2,b\n1,b\n"), `labels.csv:4: nodeID: found "1" again (first in line 2), expected one line a node`},
		{"labels, columns", withEdges("labels.csv", "nodeID,g\n1,a\n2,b,c\n"), "labels.csv:3: found 3 columns, expected 2 as in line 1"},
		{"labels, one column", withEdges("labels.csv", "nodeID\n1\n"), "labels.csv:1: columns: found 1 column, expected at least 2: the node and its label"},
		{"labels, quotes", withEdges("labels.csv", "nodeID,g\n1,\"a\n2,b\n"),
			`labels.csv:2: found a quotation mark out of place, expected quotes around a whole field, doubled inside: "a ""b"" c"`},
		{"labels, column again", withEdges("labels.csv", "nodeID,g,g\n1,a,b\n"),
			`labels.csv:1: header: found a second column "g", expected another name for every column`},
		{"labels, nameless", withEdges("labels.csv", "nodeID,g,\n1,a,b\n"), `labels.csv:1: header: found no name for column 3, expected a name for every column`},
		{"labels, too wide", withEdges("labels.csv", "nodeID"+strings.Repeat(",x", 256)+"\n"), "labels.csv:1: header: found 257 columns, expected at most 256"},
		{"sets again", append(withEdges("labels.csv", "nodeID,g\n1,a\n2,b\n3,b\n"), File{Name: "labels2.csv", Data: []byte("nodeID,g\n1,a\n2,b\n3,b\n")}),
			`labels2.csv: header: found a second set of labels "g", expected names that no other file has`},
	})
}

func TestTooMany(t *testing.T) {
	var layers bytes.Buffer
	layers.WriteString("layer source target\n")
	for i := range input.MaxLayers + 1 {
		fmt.Fprintln(&layers, i, 1, 2)
	}
	_, _, err := openChoice([]File{{Name: "a.edges", Data: layers.Bytes()}}, Choice{})
	formatstest.CheckError(t, err, "a.edges:258: layer: found more than 256 different ids, expected at most 256 layers")
}
