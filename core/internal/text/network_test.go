package text

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/frugal"
	"cadem.example/core/internal/input"
)

// networks are files written by hand after the documents of their formats, and how many nodes, and how many links of what weight
// in each layer, networkx 2.8.8 counts in them; of Infomap's what its documentation says (testdata/count.py).
var networks = map[string]string{
	"office.gexf":           "4\nlunch: 3 links, 2.5\nwork: 2 links, 3.5\n",
	"office.gml":            "4\nlunch: 3 links, 2.5\nwork: 2 links, 3.5\n",
	"office.net":            "5\nlunch: 4 links, 3\nwork: 4 links, 5.5\n",
	"office_infomap.net":    "4\nbetween: 2 links, 1.2\nlayer 1: 2 links, 3.5\nlayer 2: 3 links, 2.5\n",
	"office_multilayer.net": "4\nbetween: 2 links, 0.5\nlayer 1: 2 links, 3.5\nlayer 2: 3 links, 2.5\n",
}

// open reads a text of any kind, and describes how many nodes it has, and which links in which layer.
func open(name string, text []byte) (string, error) {
	s := NewSet("")
	if err := s.Read(&input.File{Name: name, Data: text}); err != nil {
		return "", err
	}
	if _, err := s.Sort(); err != nil {
		return "", err
	}
	r, err := s.readAll(Options{})
	if err != nil {
		return "", err
	}
	counted := map[string]string{}
	for l, edges := range r.list.layers {
		total := 0.0
		for _, e := range edges {
			total += e.Weight
		}
		counted[r.layers[l]] = fmt.Sprintf("%d links, %g", len(edges), total)
	}
	text = fmt.Appendf(nil, "%d\n", r.nodes.n)
	if r.list.across > 0 {
		text = fmt.Appendf(text, "between: %d", r.list.across)
		for _, note := range r.notes {
			if strings.Contains(note, "different layers") {
				text = fmt.Appendf(text, " (%s)", note)
			}
		}
		text = append(text, '\n')
	}
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		text = fmt.Appendf(text, "%s: %s\n", name, counted[name])
	}
	return string(text), nil
}

// Every file has the nodes and links that another program counts, asked anew where it is installed.
func TestNetworks(t *testing.T) {
	python := "/usr/bin/python3" // Debian's, which has Debian's networkx
	asked := exec.Command(python, "-c", "import networkx").Run() == nil
	for name, want := range networks {
		if asked {
			out, err := exec.Command(python, "testdata/count.py", "testdata/"+name).CombinedOutput()
			if err != nil || string(out) != want {
				t.Errorf("%s: networkx counts %s, %v, expected %s", name, out, err, want)
			}
		}
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := open(name, data)
		if k := strings.Index(want, "between: 2 links"); k >= 0 { // their weights are not read
			end := k + strings.IndexByte(want[k:], '\n')
			want = want[:k] + "between: 2 (2 rows join nodes of different layers and were left out.)" + want[end:]
		}
		if err != nil || got != want {
			t.Errorf("%s: %s, %v, expected %s", name, got, err, want)
		}
	}
	if !asked {
		t.Log("networkx is not there: its counts are those that were written down")
	}
}

// Elements with several values of an attribute, as of one that changes in time, are counted: one is read, and the others are said.
func TestSeveralValues(t *testing.T) {
	gexf := `<gexf><attributes class="edge"><attribute id="0" title="relation"/></attributes><edges>
<edge source="1" target="2"><attvalue for="0" value="work" start="2001"/><attvalue for="0" value="lunch" start="2003"/><attvalue for="0" value="x"/></edge>
<edge source="2" target="3"><attvalue for="0" value="work" start="2001"/><attvalue for="0" value="work" start="2003"/></edge>
<edge source="1" target="3"><attvalue for="0" value="lunch"/></edge></edges></gexf>`
	gml := "graph [ node [ id 1 team \"a\" team \"b\" ] node [ id 2 ] node [ id 3 ]\n" +
		"edge [ source 1 target 2 layer \"work\" ] edge [ source 2 target 3 layer \"lunch\" weight 2 weight 3 ] ]"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"gexf": {gexf, []string{"1 edge has several values of relation, over time perhaps: the first was taken"}},
		"gml":  {gml, []string{"1 node has several values of team", "1 edge has several values of weight"}},
	} {
		s := NewSet("")
		if err := s.Read(&input.File{Name: "a", Data: []byte(c.text)}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Sort(); err != nil {
			t.Fatal(err)
		}
		g, report, err := s.Graph(Options{})
		if err != nil || g.N() != 2 {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if notes := strings.Join(report.Notes, "\n"); !strings.Contains(notes, want) {
				t.Errorf("%s: no note says %q:\n%s", name, want, notes)
			}
		}
		g.Layers = g.Layers[:1] // one layer is refused, and why it may be one is said
		if err := s.Check(g); err == nil || !strings.Contains(err.Error(), c.want[0]) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Features of the formats that the files above do not show.
func TestNetworkTexts(t *testing.T) {
	for name, c := range map[string]struct{ text, edges, nodes string }{
		"gexf, version 1.0 and what nobody declares": {`<gexf><graph defaultedgetype="directed"><nodes><node id="1" label="a
b" pid="2"><attvalues><attvalue id="x" value="7"/></attvalues></node><node id="2"/></nodes><edges>
<edge source="1" target="2" label="first
last"><spells><spell start="1"/></spells></edge></edges></graph></gexf>`,
			"source,target,label\n1,2,first last\n", "id,label,pid,x\n1,\"a\nb\",2,7\n2,,,\n"},
		"gexf, defaults of edges": {`<gexf><graph><attributes class="edge"><attribute id="l" title="layer"><default>x</default></attribute></attributes>
<edges><edge source="a" target="b"/><edge source="a" target="b"><attvalue for="l" value="y"/></edge></edges></graph></gexf>`,
			"source,target,layer\na,b,x\na,b,y\n", ""},
		"gml, in a line": {`graph[node[id 1 label "[" x[y[z 1]] w "a,""]node[ID 2]edge[source 1target 2 target 2 layer "&#97;&amp;&b;"]]`,
			"", ""},
		"gml, nested and case": {"GRAPH [\nDIRECTED 1\nNode [ id 1 label \"[\" x [ y [ z \"]\" ] ] ]\nnode [ ID 2 ]\n" +
			"edge [ Source 1 Target 2 layer \"&#97;&amp;&b;\" layer \"again\" ] ]\n# end", "source,target,layer\n1,2,a&&b;\n", "id,label\n1,[\n2,\n"},
		"net, without a list": {"*Vertices 3\n*Arcs\n1 2 -1 c Red\n*edges\n2 3 [1-4]\n*ArcsList\n1 2 3",
			"source,target,weight\n1,2,-1\n2,3,\n1,2,\n1,3,\n", "id,label\n1,\n2,\n3,\n"},
		"net, of two modes": {"*Vertices 4 2\n3 \"a, \"\"b\"\n*Matrix\n0 2\n1 0.0\n",
			"source,target,weight\n1,4,2\n2,3,1\n", "id,label\n3,\"a, \"\"b\"\n1,\n2,\n4,\n"},
		"net, relations before links": {"*Vertices 2\n*Arcs\n1: 1 2 5\n2: 2 1\n*Arcs :2 \"has, a comma\"\n1 2 3\n",
			"source,target,weight,relation\n1,2,5,1\n2,1,,\"has, a comma\"\n1,2,3,\"has, a comma\"\n", "id,label\n1,\n2,\n"},
		"net, vertices that nobody lists": {"*arcs\n07 2\n", "source,target,weight\n7,2,\n", ""},
		"infomap, vertices that are not listed": {"*Vertices\n1 \"a\" 0.5\n*multiplex\n3 1 3 2\n*intra\n4 2 0 .5\n",
			"source,target,\"source layer\",\"target layer\",weight\n1,2,3,3,\n2,0,4,4,.5\n", "id,label\n1,a\n2,\n0,\n"},
	} {
		s := NewSet("")
		err := s.Read(&input.File{Name: "a", Data: []byte(c.text)})
		var edges, nodes string
		for _, f := range s.loose {
			if f.generated {
				nodes = f.text
			} else {
				edges = f.text
			}
		}
		if c.edges == "" {
			if err == nil {
				t.Errorf("%s: read %s", name, edges)
			}
		} else if err != nil || edges != c.edges || nodes != c.nodes {
			t.Errorf("%s: %v\n%s\n%s\nexpected\n%s\n%s", name, err, edges, nodes, c.edges, c.nodes)
		}
	}
}

// Errors name the line and field.
func TestBadNetworks(t *testing.T) {
	const pajek = "*Vertices 2\n"
	for text, want := range map[string]string{
		"<gexf><graph/>\n<graph/></gexf>":                     "a:2: graph: found a second graph, expected one graph a file",
		"<gexf><nodes><node id='a'/>\n<node id='a'/></nodes>": `a:2: node: found "a" again (first in line 1), expected an id for one node only`,
		"<gexf><nodes><node id='a'>\n<nodes/>": "a:2: nodes: found <nodes> inside of the node of line 1" +
			", expected one graph, without groups: ungroup the nodes and save again",
		"<gexf><nodes><node id='a'/></nodes><edge source='a'\n/>":    `a:1: edge: found an edge without ends, expected <edge source="..." target="...">`,
		"<gexf><node id='a'/>\n<edge source='a' target='b'/></gexf>": `a:2: target: found "b", expected the id of a <node> of this file`,
		"<gexf><attributes><attribute id='a'/>\n<attribute id='a'/>": `a:2: attribute: found "a" again (first in line 1)` +
			`, expected an id for one attribute only`,
		"<svg xmlns:gexf='x'/>":                                `a:1: GEXF: found a document of the kind "svg", expected <gexf>`,
		"graph [\nnode [ id 1 ]\nnode [ id 1 ] ]":              `a:3: node: found "1" again (first in line 2), expected an id for one node only`,
		"graph [\nnode [ id 1 ]\nedge [ source 1 target 2 ] ]": `a:3: target: found "2", expected the id of a node of this file`,
		"graph [\nedge [ source 1 ] ]":                         "a:2: edge: found an edge without ends, expected edge [ source 1 target 2 ]",
		"graph [\nnode [ label \"x\" ] ]":                      "a:2: node: found a node without id, expected node [ id 1 ]",
		"graph [\nnode [ id 1\nlabel \"x ] ]":                  `a:3: GML: found a quotation mark that is not closed, expected "`,
		"graph [\nnode [ id ] ]": `a:2: GML: found no value of "id"` +
			`, expected a number, a text in quotes, or a list in brackets`,
		"graph [\nnode [ \"id\" 1 ] ]": `a:2: GML: found "id", expected a key: a word before its value`,
		"graph [\nnode [ id 1 ]\n":     "a:3: GML: found the end of the file, expected ]",
		"graph [\nnode [ id 1 graph [ ] ] ]": `a:2: GML: found "graph" inside of the node of line 2` +
			`, expected one graph, without groups: ungroup the nodes and save again`,
		"graph [ ]\ngraph [ ]":       "a:2: graph: found a second graph, expected one graph a file",
		pajek + "1 \"x\"\n1 \"y\"\n": "a:3: vertex: found 1 again, expected a line for each",
		pajek + "3 \"x\"\n":          `a:2: vertex: found "3", expected the number of a vertex, from 1 to 2`,
		pajek + "*Arcs\n1 0\n":       `a:3: target: found "0", expected the number of a vertex, from 1 to 2`,
		pajek + "*Arcs\n1\n": "a:3: columns: found 1 column" +
			", expected at least 2: source, target and perhaps a value",
		pajek + "*Partition x\n":   `a:2: section: found "*Partition", expected ` + wantSections,
		pajek + "*Vertices 3\n":    "a:2: section: found *Vertices again (first in line 1), expected one network a file",
		pajek + "*Matrix\n0 1 1\n": "a:3: matrix: found row 1 with 3 values, expected 2 rows with 2 values each",
		pajek + "*Arcs :x\n":       `a:2: relation: found "x", expected the number of the relation: *Arcs :1 "name"`,
		pajek + "*Arcs :1 \"x\"\n*Edges :2 \"x\"\n": `a:3: relation: found "x" again (first in line 2)` +
			`, expected a name for one relation only`,
		pajek + "*Arcs :1 \"x\"\n*Edges :1 \"y\"\n": `a:3: relation: found "y" for relation 1, "x" in line 2, expected one name`,
		pajek + "*Arcs\n1 2\n*Intra\n1 1 2\n": "a:4: section: found *intra beside *arcs" +
			", expected links of layers or of relations in a file, not both",
		"*Vertices 999999999\n":            `a:1: vertices: found "999999999", expected how many there are, from 1 to 100000`,
		"*Vertices 99999\n2\n*Arcs\n1 2\n": "a:1: vertices: found 99999, of which 1 have a line, expected a line for each",
		"*Vertices 2 3\n":                  "a:1: vertices: found 3 of the first kind among 2, expected at most 2",
		"*Vertices\n*Matrix\n": "a:2: section: found a matrix of 0 vertices" +
			", expected 1 to 1500 of them, listed before it; or *Arcs",
		"*Intra\n1 1\n":        "a:2: columns: found 2 columns, expected 3 or 4: layer node node weight",
		"*Inter\n1 1 x\n":      `a:2: layer: found "x", expected the number of a layer`,
		"*Multilayer\n1 1 2\n": "a:2: columns: found 3 columns, expected 4 or 5: layer node layer node weight",
	} {
		_, err := open("a", []byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v\nexpected %s", text, err, want)
		}
	}
}

// fuzzNetwork reads any text that begins as one of a kind. The result is tables with a line for each record.
func fuzzNetwork(f *testing.F, begin string, files ...string) {
	for _, name := range files {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(strings.TrimPrefix(string(data), begin))
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = begin + text
		s := NewSet("")
		var err error
		frugal.Check(t, len(text), func() { err = s.Read(&input.File{Name: "a", Data: []byte(text)}) })
		if err != nil {
			if _, ok := err.(*diag.Error); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for _, table := range s.loose {
			rows, err := csv.NewReader(strings.NewReader(table.text)).ReadAll()
			if table.edges != nil && !table.generated {
				table.lines = append([]int32{1}, table.edges.lines...)
			}
			if err != nil || table.lines != nil && len(rows) != len(table.lines) {
				t.Fatalf("%d rows of %d elements, %v: %q", len(rows), len(table.lines), err, table.text)
			}
		}
		frugal.Check(t, len(text), func() { _, err = open("a", []byte(text)) })
		if e, ok := err.(*diag.Error); err != nil && (!ok || e.File != "a" && e.File != "") {
			t.Fatalf("%T: %v", err, err)
		}
	})
}

func FuzzGEXF(f *testing.F)  { fuzzNetwork(f, "<gexf>", "office.gexf") }
func FuzzGML(f *testing.F)   { fuzzNetwork(f, "graph [", "office.gml") }
func FuzzPajek(f *testing.F) { fuzzNetwork(f, "*Vertices ", "office.net") }
func FuzzInfomap(f *testing.F) {
	fuzzNetwork(f, "*Intra\n", "office_infomap.net", "office_multilayer.net")
}

// No text takes memory out of proportion.
func TestNetworksAllocateInProportion(t *testing.T) {
	row := func(n int, format string) string {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, format, 1+k%99, 1+k*7%99)
		}
		return b.String()
	}
	var dense strings.Builder
	for range maxMatrix / 2 {
		dense.WriteString(strings.Repeat("1 ", maxMatrix/2) + "\n")
	}
	for name, text := range map[string]string{
		"GEXF":    "<gexf><edges>" + row(50_000, `<edge source="%d" target="%d"/>`) + "</edges></gexf>",
		"GML":     "graph[" + row(50_000, "edge[source %d target %d]") + "]",
		"arcs":    "*Arcs\n" + row(100_000, "%d %d\n"),
		"count":   "*Vertices " + "32000\n*Arcs\n1 2\n",
		"matrix":  "*Vertices " + strconv.Itoa(maxMatrix/2) + "\n*Matrix\n" + dense.String(),
		"Infomap": "*Intra\n" + row(100_000, "1 %d %d\n"),
	} {
		var err error
		took := frugal.Allocated(func() { _, err = open("a", []byte(text)) })
		t.Logf("%s: %d kB, %.1f times as much allocated", name, len(text)>>10, float64(took)/float64(len(text)))
		if err != nil || took > uint64(16*len(text)+64<<20) {
			t.Errorf("%s: %d bytes took %d, error %v", name, len(text), took, err)
		}
	}
}
