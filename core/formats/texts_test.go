package formats

import (
	"archive/zip"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/formatstest"
)

func fileOf(name, s string) File { return File{Name: name, Data: []byte(s)} }

const office = `<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="n" for="node" attr.name="name"/><key id="g" for="node" attr.name="group"/>
<key id="l" for="edge" attr.name="layer"/><key id="w" for="edge" attr.name="weight"/>
<graph edgedefault="undirected">
<node id="a"><data key="n">Ana</data><data key="g">G1</data></node><node id="b"><data key="g">G1</data><data key="n">Bo, B</data></node>
<node id="c"><data key="n">Eva</data><data key="g">G2</data></node><node id="d"><data key="n">Jan</data><data key="g">G2</data></node>
<edge source="a" target="b"><data key="l">lunch</data><data key="w">2.5</data></edge>
<edge source="b" target="c"><data key="l">work</data></edge><edge source="c" target="a"><data key="l">work</data></edge>
</graph></graphml>`

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		name          string
		files         []File
		nodes, layers string
		edges         []int
		groups        []int
	}{
		{"a layer a file", []File{fileOf("lunch.txt", "1 2\n2 3\n"), fileOf("work.txt", "1 3\n")}, "1 2 3", "lunch work", []int{2, 1}, nil},
		{"with weights", []File{fileOf("lunch.txt", "1 2 1\n2 3 2\n"), fileOf("work.txt", "1 3 2\n")}, "1 2 3", "lunch work", []int{2, 1}, nil},
		{"headers, words, labels",
			[]File{fileOf("lunch.csv", "source,target\nAna,Bo\n"), fileOf("work.csv", "from,to,weight\nBo,Eva,1.5\n"),
				fileOf("labels.csv", "name,g\nEva,x\nAna,y\nBo,x\n")},
			"Ana Bo Eva", "lunch work", []int{1, 1}, []int{2, 1}},
		{"GraphML", []File{fileOf("office.graphml", office)}, "Ana Bo, B Eva Jan", "lunch work", []int{1, 2}, []int{2, 2}},
		{"GraphML, a layer a file",
			[]File{fileOf("a.graphml", strings.ReplaceAll(office, "layer", "tie")), fileOf("b.graphml", strings.ReplaceAll(office, "layer", "tie"))},
			"Ana Bo, B Eva Jan", "a b", []int{3, 3}, []int{2, 2}},
		{"multinet",
			[]File{fileOf("o.mpx", "#TYPE\nmultiplex\n#ACTOR ATTRIBUTES\ng,STRING\n#ACTORS\nAna,x\nBo,x\nEva,y\nJan,y\n#EDGES\nAna,Bo,lunch\nBo,Eva,work\n")},
			"Ana Bo Eva Jan", "lunch work", []int{1, 1}, []int{2, 2}},
		{"muxViz",
			[]File{fileOf("config.txt", "data/one.edges;Lunch v1.2;layout.txt\ndata/two.edges;Work;layout.txt\n"), fileOf("one.edges", "1 2 1\n2 3 1\n"),
				fileOf("two.edges", "1 3 0.5\n"),
				fileOf("layout.txt", "nodeID nodeLabel\n1 Ana\n2 Bo\n3 Eva\n")}, "Ana Bo Eva", "Lunch v1.2 Work", []int{2, 1}, nil},
		{"gzip",
			[]File{{Name: "e.edges.gz", Data: formatstest.Gzip(t, []byte("layer source target\n1 1 2\n2 2 3\n"))}}, "1 2 3", "layer 1 layer 2", []int{1, 1}, nil},
		{"gzip, two members and zeros",
			[]File{{Name: "e.edges.gz", Data: slices.Concat(formatstest.Gzip(t, []byte("layer source target\n1 1 2\n")), formatstest.Gzip(t,
				[]byte("2 2 3\n")), make([]byte, 512))}}, "1 2 3", "layer 1 layer 2", []int{1, 1}, nil},
		{"zip", []File{{Name: "all.zip",
			Data: formatstest.Zip(t, zip.Deflate, "x/lunch.txt", "1 2\n2 3\n", "x/work.txt", "1 3\n", "__MACOSX/x", "no", ".DS_Store", "no")}}, "1 2 3",
			"lunch work", []int{2, 1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, _, err := openChoice(c.files, Choice{})
			if err != nil {
				t.Fatal(err)
			}
			var layers []string
			var edges []int
			for i := range g.Layers {
				layers = append(layers, g.Layers[i].Name)
				edges = append(edges, g.Layers[i].Summary().Edges)
			}
			if got := strings.Join(g.Nodes, " "); got != c.nodes || strings.Join(layers, " ") != c.layers || !slices.Equal(edges, c.edges) {
				t.Errorf("nodes %s, layers %q, edges %v, want %s, %s, %v", got, layers, edges, c.nodes, c.layers, c.edges)
			}
			if c.groups != nil {
				if counts, _ := g.Labels[0].Counts(); !slices.Equal(counts, c.groups) {
					t.Errorf("groups %v, want %v", counts, c.groups)
				}
			}
		})
	}
}

// Matrices, tables of numbers and tables of labels go together.
func TestTablesBesideMatrices(t *testing.T) {
	square := func(name string, x ...float64) File {
		return File{Name: name, Data: npyOf(t, &npy.Array{Shape: []int{3, 3}, Data: x})}
	}
	a, b := square("a.npy", 0, 1, 0, 1, 0, 1, 0, 1, 0), square("b.npy", 1, 0, 2, 0, 0, 0, 0, 0, 0)
	for _, tables := range [][2]string{
		{"node,g\n3,y\n1,x\n2,x\n", "id,age,height\n1,1,3\n2,0,0\n3,2,2\n"}, {"node,g\n0,x\n2,y\n1,x\n", "id,age,height\n2,2,2\n0,1,3\n1,0,0\n"},
		{"3,y\n1,x\n2,x\n", "1,3\n0,0\n2,2\n"},
	} {
		g, r, err := openChoice([]File{a, b, fileOf("features.csv", tables[1]), fileOf("labels.csv", tables[0])}, Choice{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(g.Labels[0].Of, []int{0, 0, 1}) || !slices.Equal(g.Layers[0].Features.Dense, []float64{.25, .75, 0, 0, .5, .5}) {
			t.Errorf("%v, %v", g.Labels, g.Layers[0].Features)
		}
		l := g.Layers[1].Adjacency
		if !slices.Equal(l.Index, []int32{0, 2, 0}) || !slices.Equal(l.Value, []float64{1, 2, 2}) {
			t.Errorf("%v %v", l.Index, l.Value)
		}
		if r.Layers[1].Direction != Directed || r.Layers[0].Direction != BothWays || r.Isolated != 0 {
			t.Errorf("%+v", r)
		}
	}
	g, _, err := openChoice([]File{a, b}, Choice{Binary: true, Layers: []string{"b", "a"}})
	if err != nil || g.Layers[0].Adjacency.Value != nil || g.Layers[0].Name != "b" || !g.Layers[0].Features.IsIdentity() {
		t.Errorf("%+v, %v", g, err)
	}
	// Links without a counterpart are left out, the smaller weight of the others kept; a list without
	// any counterparts is kept unchanged.
	for _, list := range []string{"1 1 2 3\n1 2 1 2\n1 2 3 1\n1 3 3 1\n2 1 2 1\n2 2 3 1\n", "1 1 2 2\n1 2 1 2\n1 2 3 1\n2 1 2 1\n2 2 3 1\n"} {
		files := []File{fileOf("e.edges", list)}
		g, r, err := openChoice(files, Choice{Mutual: true})
		if err != nil {
			t.Fatal(err)
		}
		if l := g.Layers[0].Adjacency; l.NNZ()-r.Layers[0].SelfLoops != 2 || l.Value[0] != 2 || r.Layers[0].Edges != 1 {
			t.Errorf("%v %v, %+v", l.Index, l.Value, r)
		}
		if l := g.Layers[1].Adjacency; l.NNZ() != 4 || r.Layers[1].Direction != OneWay {
			t.Errorf("%v, %+v", l.Index, r)
		}
	}
	// Features beside an edge list.
	g, _, err = openChoice([]File{fileOf("e.edges", "layer source target\n1 1 2\n2 2 3\n"), fileOf("features.csv", "0.5 1\n2 1\n0 0\n")}, Choice{})
	if err != nil || g.F() != 2 || g.N() != 2 {
		t.Errorf("%v, %v", g, err)
	}
}

func TestBadTexts(t *testing.T) {
	graphml := func(s string) []File { return []File{fileOf("g.graphml", "<graphml><graph>\n"+s+"</graph></graphml>")} }
	for _, c := range []struct {
		files []File
		want  string
	}{
		{[]File{fileOf("a.txt", "1 2\n2 3\n4 2.5\n"), fileOf("b.txt", "1 2\n")},
			`a.txt:3: node: found "2.5", expected ` + wantID},
		{[]File{fileOf("a.txt", "1 2\n"), fileOf("e.edges", "1 1 2 1\n")},
			"a.txt: found the edges of one layer beside e.edges, expected all layers in one file, or each in one of its own; " +
				"without the column of layers there: -columns -,source,target,weight"},
		{[]File{fileOf("o.mpx", "#TYPE\nmultilayer\n")}, `o.mpx:2: type: found "multilayer", expected multiplex`},
		{[]File{fileOf("o.mpx", "#EDGES\na,b\n")}, "o.mpx:2: columns: found 2 columns, expected at least 3: actor, actor, layer"},
		{[]File{fileOf("o.mpx", "#ACTORS\na,b\n")}, "o.mpx:2: columns: found 2 columns, expected 1: the actor and its attributes"},
		{graphml("<edge source='a'/>"), `g.graphml:2: edge: found an edge without ends, expected <edge source="..." target="...">`},
		{graphml("<hyperedge/>"),
			"g.graphml:2: hyperedge: found an edge that joins more than two nodes, " +
				"expected edges with a source and a target"},
		{graphml("<node id='a'><graph/></node>"),
			"g.graphml:2: graph: found a graph inside of the node of line 2, expected one graph, without groups: ungroup the nodes " +
				"and save again"},
		{[]File{fileOf("c.txt", "a.txt;One\nb.txt;Two\n"), fileOf("a.txt", "1 2\n")},
			`c.txt:2: layer: found "b.txt", expected the name of a file that was opened, too; the name of its layer`},
		{[]File{fileOf("e.csv", "source,target,layer,weight\na,b,x,1_000\n")},
			`e.csv:2: weight: found "1_000", expected ` + aNumber},
		{[]File{{Name: "a.gz", Data: formatstest.Gzip(t, []byte("1 1 2\n2 2 3\n"))[:25]}}, "a.gz: found a file that is cut off, expected a complete one"},
		{[]File{{Name: "a.gz", Data: append(formatstest.Gzip(t, []byte("1 1 2\n2 2 3\n")), "x"...)}}, "a.gz: found bytes after the end of what gzip packed, " +
			"expected a file that ends there: unpack it with gzip -d and pack it again"},
		{[]File{{Name: "a.gz", Data: append(formatstest.Gzip(t, []byte("1 1 2\n2 2 3\n")), "\x00\x00more than a header\n"...)}},
			"a.gz: found bytes after the end of what gzip packed, expected a file that ends there: unpack it with gzip -d and pack it again"},
		{[]File{{Name: "a.gz", Data: append(formatstest.Gzip(t, []byte("1 1 2\n2 2 3\n")), "\x1f\x8b\x08\x00"...)}},
			"a.gz: found a file that is cut off, expected a complete one"},
	} {
		_, _, err := openChoice(c.files, Choice{})
		formatstest.CheckError(t, err, c.want)
	}
}

// A first line that counts the columns is not a row, and the note names it.
func TestCountedColumns(t *testing.T) {
	c, err := Read([]File{fileOf("x.csv", "# of a program\n0,1,2\n0.5,0.25,1\n0.125,1,2\n")})
	if err != nil || len(c.Variables) != 1 || c.Variables[0].Rows() != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	if want := "x.csv: line 2 only numbers the columns and was read as a header, not as data."; c.Variables[0].Note != want {
		t.Errorf("%q", c.Variables[0].Note)
	}
}
