package text

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/frugal"
)

const graphMLHead = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
`

// graphMLs are files in the manner of the programs that write them.
var graphMLs = []struct{ name, text, edges, nodes string }{
	{"NetworkX, parallel edges", graphMLHead + `  <key id="d1" for="edge" attr.name="weight" attr.type="double" />
  <key id="d0" for="node" attr.name="age" attr.type="long" />
  <graph edgedefault="undirected">
    <node id="Ana"><data key="d0">41</data></node>
    <node id="Bo &amp; Co" />
    <edge source="Ana" target="Bo &amp; Co" id="0"><data key="d1">0.5</data></edge>
    <edge source="Ana" target="Bo &amp; Co" id="1"><data key="d1">2</data></edge>
    <edge source="Bo &amp; Co" target="Ana" id="0" />
  </graph>
</graphml>`,
		"source,target,weight,key\nAna,Bo & Co,0.5,0\nAna,Bo & Co,2,1\nBo & Co,Ana,,0\n", "id,age\nAna,41\nBo & Co,\n"},
	{"NetworkX, defaults", graphMLHead + `<key id="d0" for="node" attr.name="group" attr.type="string"><default>B</default></key>
<key id="d1" for="edge" attr.name="weight" attr.type="double"><default>2.5</default></key>
<key id="d2" for="edge" attr.name="nothing" attr.type="double"/>
<graph edgedefault="directed"><node id="1"/><node id="01"><data key="d0">A</data></node><node id="3"><data key="d0"></data></node>
<edge source="1" target="01"/><edge source="01" target="3"><data key="d1">7</data></edge></graph></graphml>`,
		"source,target,weight\n1,01,2.5\n01,3,7\n", "id,group\n1,B\n01,A\n3,\n"},
	{"igraph", graphMLHead + `<!-- Created by igraph 0.10.4 -->
  <key id="g_name" for="graph" attr.name="name" attr.type="string"/>
  <key id="v_name" for="node" attr.name="name" attr.type="string"/>
  <key id="v_id" for="node" attr.name="id" attr.type="string"/>
  <key id="e_weight" for="edge" attr.name="weight" attr.type="double"/>
  <key id="e_type" for="edge" attr.name="type" attr.type="string"/>
  <graph id="G" edgedefault="undirected">
    <data key="g_name">Office</data>
    <node id="n0"><data key="v_name">Ana</data><data key="v_id">a</data></node>
    <node id="n1"><data key="v_name">Bo</data><data key="v_id">b</data></node>
    <edge id="e0" source="n0" target="n1"><data key="e_weight">1</data><data key="e_type">work</data></edge>
    <edge id="e1" source="n1" target="n0"><data key="e_weight">NaN</data><data key="e_type">lunch</data></edge>
  </graph>
</graphml>`,
		"source,target,weight,type\nn0,n1,1,work\nn1,n0,NaN,lunch\n", "id,name,id (v_id)\nn0,Ana,a\nn1,Bo,b\n"},
	{"Gephi", graphMLHead + `<key attr.name="label" attr.type="string" for="node" id="label"/>
<key attr.name="Edge Label" attr.type="string" for="edge" id="edgelabel"/>
<key attr.name="weight" attr.type="double" for="edge" id="weight"/>
<key attr.name="kind" attr.type="string" for="edge" id="kind"/>
<key attr.name="r" attr.type="int" for="node" id="r"/>
<key attr.name="size" attr.type="float" for="node" id="size"/>
<graph edgedefault="undirected">
<node id="1"><data key="label">Ana, B</data><data key="size">10.0</data><data key="r">0</data></node>
<node id="2"><data key="label">Bo "B"</data><data key="size">4.0</data><data key="r">255</data></node>
<edge id="7" source="1" target="2"><data key="weight">3.0</data><data key="kind">work</data></edge>
</graph></graphml>`,
		"source,target,weight,kind\n1,2,3.0,work\n", "id,label,r,size\n1,\"Ana, B\",0,10.0\n2,\"Bo \"\"B\"\"\",255,4.0\n"},
	{"yEd", `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <!--Created by yEd 3.22-->
  <key attr.name="Description" attr.type="string" for="graph" id="d0"/>
  <key for="port" id="d1" yfiles.type="portgraphics"/>
  <key for="graphml" id="d2" yfiles.type="resources"/>
  <key attr.name="url" attr.type="string" for="node" id="d3"/>
  <key for="node" id="d5" yfiles.type="nodegraphics"/>
  <key attr.name="layer" attr.type="string" for="edge" id="d8"/>
  <key for="edge" id="d10" yfiles.type="edgegraphics"/>
  <graph edgedefault="directed" id="G">
    <data key="d0" xml:space="preserve"/>
    <node id="n0">
      <data key="d5">
        <y:ShapeNode>
          <y:Geometry height="30.0" width="30.0" x="0.0" y="0.0"/>
          <y:NodeLabel alignment="center" xml:space="preserve">Person
0<y:LabelModel><y:SmartNodeLabelModel distance="4.0"/></y:LabelModel></y:NodeLabel>
          <y:NodeLabel>second</y:NodeLabel>
        </y:ShapeNode>
      </data>
    </node>
    <node id="n1"><data key="d5"><y:ShapeNode><y:NodeLabel hasText="false"/><y:Shape type="ellipse"/></y:ShapeNode></data></node>
    <edge id="e0" source="n0" target="n1">
      <data key="d8" xml:space="preserve"><![CDATA[work & <play>]]></data>
      <data key="d10"><y:PolyLineEdge><y:EdgeLabel>knows</y:EdgeLabel></y:PolyLineEdge></data>
    </edge>
  </graph>
  <data key="d2"><y:Resources/></data>
</graphml>`,
		"source,target,layer,label\nn0,n1,work & <play>,knows\n", "id,name\nn0,Person 0\nn1,\n"},
	{"yEd, with names of its own", `<graphml xmlns:y="http://www.yworks.com/xml/graphml"><key attr.name="name" for="node" id="d4"/><key for="node" id="d5"/>
<graph><node id="n0"><data key="d5"><y:NodeLabel>one</y:NodeLabel></data><data key="d4">Ana</data></node><node id="n1"/>
<edge source="n0" target="n1"/></graph></graphml>`,
		"source,target\nn0,n1\n", "id,name\nn0,Ana\nn1,\n"},
	{"neo4j", graphMLHead + `<key id="name" for="node" attr.name="name"/>
<key id="labels" for="node" attr.name="labels"/>
<key id="name" for="edge" attr.name="name"/>
<key id="label" for="edge" attr.name="label"/>
<graph id="G" edgedefault="directed">
<node id="n1" labels=":PERSON"><data key="labels">:PERSON</data><data key="name">Ana</data></node>
<node id="n2" labels=":PLACE"><data key="labels">:PLACE</data><data key="name">Rome</data></node>
<edge id="e0" source="n1" target="n2" label="IN"><data key="label">IN</data><data key="name">since
2001</data></edge>
</graph></graphml>`,
		"source,target,name,label\nn1,n2,since 2001,IN\n", "id,name,labels\nn1,Ana,:PERSON\nn2,Rome,:PLACE\n"},
	{"neo4j, without keys of labels", graphMLHead + `<graph edgedefault="directed">
<node id="n1" labels=":PERSON"/><node id="n2" labels=":PLACE"/>
<edge id="e0" source="n1" target="n2" label="IN"/><edge id="e1" source="n2" target="n1" label="OF"/></graph></graphml>`,
		"source,target,label\nn1,n2,IN\nn2,n1,OF\n", "id,labels\nn1,:PERSON\nn2,:PLACE\n"},
	{"graph-tool", graphMLHead + `  <!-- property keys -->
  <key id="key0" for="graph" attr.name="title" attr.type="string" />
  <key id="key1" for="node" attr.name="pos" attr.type="vector_double" />
  <key id="key2" for="edge" attr.name="layer" attr.type="int" />
  <graph id="G" edgedefault="undirected" parse.nodeids="canonical" parse.edgeids="canonical" parse.order="nodesfirst">
   <data key="key0">x</data>
    <node id="n0"><data key="key1">0x1p+0, 2</data></node>
    <node id="n1"><data key="key1">3, 4</data></node>
    <edge id="e0" source="n0" target="n1"><data key="key2">1</data></edge>
    <edge id="e1" source="n0" target="n1"><data key="key2">2</data></edge>
  </graph>
</graphml>`,
		"source,target,layer\nn0,n1,1\nn0,n1,2\n", "id,pos\nn0,\"0x1p+0, 2\"\nn1,\"3, 4\"\n"},
	{"Cytoscape", graphMLHead + `  <key id="shared name" for="edge" attr.name="shared name" attr.type="string"/>
  <key id="shared name" for="node" attr.name="shared name" attr.type="string"/>
  <key id="interaction" for="edge" attr.name="interaction" attr.type="string"/>
  <key id="selected" for="node" attr.name="selected" attr.type="boolean"/>
  <key id="shared interaction" for="edge" attr.name="interaction" attr.type="string"/>
  <graph id="Network" edgedefault="directed">
    <node id="101"><data key="shared name">YKR026C</data><data key="selected">false</data></node>
    <node id="102"><data key="shared name">YGL122C</data><data key="selected">true</data></node>
    <edge id="110" source="101" target="102"><data key="shared name">YKR026C (pp) YGL122C</data>
      <data key="interaction">pp</data><data key="shared interaction">pd</data></edge>
  </graph>
</graphml>`,
		"source,target,shared name,interaction,interaction (shared interaction)\n101,102,YKR026C (pp) YGL122C,pp,pd\n",
		"id,shared name,selected\n101,YKR026C,false\n102,YGL122C,true\n"},
	{"keys for all, prefixes, no names", `<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns"><g:key id="w"/>
<g:key id="l" for="all" attr.name="layer"><g:desc>text</g:desc><g:default>work</g:default></g:key><g:key id="n"><g:default>x</g:default></g:key>
<g:graph><g:desc>a <g:b>c</g:b></g:desc><g:edge source="b" target="a"><g:data key="w">3</g:data><g:data key="other">&#233;</g:data></g:edge>
<g:node id="a"/><g:node id="b"><g:data key="n">y</g:data></g:node><g:edge source="a" target="b"><g:data key="l">lunch</g:data></g:edge>
</g:graph></g:graphml>`,
		"source,target,w,layer,other\nb,a,3,work,é\na,b,,lunch,\n", "id,n\na,x\nb,y\n"},
	{"edges alone", `<graphml><graph><edge source="b" target="a"/></graph></graphml>`, "source,target\nb,a\n", ""},
}

// Files of each program are read with all attributes.
func TestGraphML(t *testing.T) {
	for _, c := range graphMLs {
		t.Run(c.name, func(t *testing.T) {
			if !isXML(c.text, "graphml") {
				t.Error("it is not known as GraphML")
			}
			g, err := graphOf(readGraphML("g.graphml", c.text))
			if err != nil {
				t.Fatal(err)
			}
			if g.Edges != c.edges || g.Nodes != c.nodes {
				t.Errorf("edges\n%s\nwant\n%s\nnodes\n%s\nwant\n%s", g.Edges, c.edges, g.Nodes, c.nodes)
			}
			lines := strings.Split(c.text, "\n")
			for kind, at := range map[string][]int32{"edge ": g.edgeLines, "node ": g.nodeLines} {
				if len(at) != strings.Count(c.text, "<"+kind)+strings.Count(c.text, ":"+kind) {
					t.Errorf("%d lines of %ss", len(at), kind)
				}
				for _, line := range at {
					if !strings.Contains(lines[line-1], kind) {
						t.Errorf("line %d holds no %s: %s", line, kind, lines[line-1])
					}
				}
			}
		})
	}
}

func TestBadGraphML(t *testing.T) {
	many := strings.Builder{}
	for k := range 5000 {
		fmt.Fprintf(&many, "<key id='%d'/>", k)
	}
	for text, want := range map[string]string{
		"<graph>\n<node id='a'/>\n<node id='a'/></graph>":              `g.graphml:3: node: found "a" again (first in line 2), expected an id for one node only`,
		"<graph><node id='a'/>\n<edge source='a' target='b'/></graph>": `g.graphml:2: target: found "b", expected the id of a <node> of this file`,
		"<graph><node id='a'/>\n<edge source='c' target='a'/></graph>": `g.graphml:2: source: found "c", expected the id of a <node> of this file`,
		"<key id='k'/>\n<key id='k' for='edge'/>":                      `g.graphml:2: key: found "k" again (first in line 1), expected an id for one key only`,
		"<graph/>\n<graph/>":            "g.graphml:2: graph: found a second graph, expected one graph a file",
		"<graph><node/></graph>":        `g.graphml:1: node: found a node without id, expected <node id="...">`,
		"<graph><hyperedge/></graph>":   "g.graphml:1: hyperedge: found an edge that joins more than two nodes, expected edges with a source and a target",
		"<graph><node id='a'>\n<port/>": "g.graphml:2: port: found a port of the node of line 1, expected edges that join nodes, not ports of nodes",
		"<graph><node id='a'>\n<edge/>": "g.graphml:2: edge: found <edge> inside of the node of line 1, expected nodes and edges beside each other",
		"<graph><edge source='a' />":    `g.graphml:1: edge: found an edge without ends, expected <edge source="..." target="...">`,
		"<graph><edge source='a' target=''><graph>": "g.graphml:1: graph: found a graph inside of the edge of line 1, expected one graph, without groups: " +
			"ungroup the nodes and save again",
		many.String(): "g.graphml:1: key: found more than 4096 attributes, expected fewer",
	} {
		_, err := readGraphML("g.graphml", "<graphml>"+text+"</graphml>")
		if err == nil || err.Error() != want {
			t.Errorf("%.80s: %v\nwant %s", text, err, want)
		}
	}
	if _, err := readGraphML("g.graphml", "<svg xmlns:graphml=''/>"); err == nil || !strings.Contains(err.Error(), `a document of the kind "svg"`) {
		t.Error(err)
	}
}

// Another order of the elements is another order of the rows, and nothing else.
func TestGraphMLOrder(t *testing.T) {
	const head = `<graphml><key id="a" for="node" attr.name="age"/><key id="w"><default>1</default></key><graph>`
	names := []string{"1", "01", "Ana", "Bo, B", "10", "2"}
	var elements []string
	for k, id := range names {
		elements = append(elements, []string{
			fmt.Sprintf(`<node id="%s"/>`, id), fmt.Sprintf(`<node id="%s" labels="p"><data key="a">%d</data></node>`, id, k),
			fmt.Sprintf(`<node id="%s"><data key="zone">%d</data><data key="d"><y:NodeLabel>%[1]s</y:NodeLabel></data></node>`, id, k)}[k%3])
		for l, other := range names[:k] {
			elements = append(elements, []string{
				fmt.Sprintf(`<edge id="%d" source="%s" target="%s"/>`, l%2, id, other),
				fmt.Sprintf(`<edge id="2" source="%s" target="%s" label="x"><data key="w">%d</data></edge>`, id, other, l),
				fmt.Sprintf(`<edge source="%s" target="%s"><data key="since">%d</data><data key="by">%d</data></edge>`, other, id, l, k)}[(k+l)%3])
		}
	}
	tables := func() (edges, nodes []string) {
		g, err := graphOf(readGraphML("g.graphml", head+strings.Join(elements, "")+"</graph></graphml>"))
		if err != nil {
			t.Fatal(err)
		}
		edges, nodes = strings.Split(g.Edges, "\n"), strings.Split(g.Nodes, "\n")
		slices.Sort(edges[1:])
		slices.Sort(nodes[1:])
		return edges, nodes
	}
	edges, nodes := tables()
	if edges[0] != "source,target,w,by,key,label,since" || nodes[0] != "id,age,labels,name,zone" || len(edges) != 17 || len(nodes) != 8 {
		t.Fatalf("%q, %q", edges, nodes)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		random.Shuffle(len(elements), func(i, j int) { elements[i], elements[j] = elements[j], elements[i] })
		if e, n := tables(); !slices.Equal(e, edges) || !slices.Equal(n, nodes) {
			t.Fatalf("%q, %q, were %q, %q", e, n, edges, nodes)
		}
	}
}

// A few bytes that every element is to repeat make no text out of proportion.
func TestGraphMLAllocatesInProportion(t *testing.T) {
	keys := func(n int, fill string) string {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, `<key id="k%d"><default>%s</default></key>`, k, fill)
		}
		return b.String()
	}
	const n = 200_000
	last := `<edge source="a" target="b"><data key="k200"/><data key="k199">1</data></edge>`
	for name, c := range map[string]struct {
		text    string
		refused bool
	}{
		"edges":        {strings.Repeat(`<edge source="a" target="b"/>`, n), false},
		"ids":          {strings.Repeat(`<edge id="e" source="a" target="b"/>`, n), false},
		"data":         {strings.Repeat(`<edge source="a" target="b">`+strings.Repeat(`<data key="z">1</data>`, 20)+`</edge>`, n/20), false},
		"keys":         {keys(200, "") + strings.Repeat(last, n), false},
		"sparse":       {`<edge source="a" target="b">` + dataOf(200) + `</edge>` + strings.Repeat(`<edge source="a" target="b"/>`, n), true},
		"defaults":     {keys(50, "12345") + strings.Repeat(`<edge source="a" target="b"/>`, n), true},
		"long default": {keys(1, strings.Repeat("x", 1000)) + strings.Repeat(`<edge source="a" target="b"/>`, n), true},
		"no elements":  {"<desc><![CDATA[" + strings.Repeat("<edge ", n) + "]]></desc>", false},
		"no data":      {"<desc><![CDATA[" + strings.Repeat("<data ", n) + "]]></desc>", false},
		"parts":        {`<edge source="a" target="b"><data key="z">` + strings.Repeat("x<!---->", n) + `</data></edge>`, false},
	} {
		text := "<graphml>" + c.text + "</graphml>"
		var err error
		took := frugal.Allocated(func() {
			_, err = graphOf(readGraphML("g.graphml", text))
		})
		t.Logf("%s: %d kB, %.1f times as much allocated, %v", name, len(text)>>10, float64(took)/float64(len(text)), err)
		if (err != nil) != c.refused || took > uint64(12*len(text)+4<<20) {
			t.Errorf("%s: %d bytes took %d, error %v", name, len(text), took, err)
		}
	}
}

func dataOf(n int) string {
	var b strings.Builder
	for k := range n {
		fmt.Fprintf(&b, `<data key="a%d">1</data>`, k)
	}
	return b.String()
}

// FuzzGraphML reads any text and turns it into tables.
func FuzzGraphML(f *testing.F) {
	for _, c := range graphMLs {
		f.Add(strings.TrimPrefix(c.text, graphMLHead))
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = "<graphml>" + text
		var g *Graph
		var err error
		frugal.Check(t, len(text), func() { g, err = graphOf(readGraphML("g.graphml", text)) })
		if err != nil {
			if _, ok := err.(*diag.Error); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for table, lines := range map[string][]int32{g.Edges: g.edgeLines, g.Nodes: g.nodeLines} {
			rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
			if err != nil || table != "" && len(rows) != len(lines)+1 {
				t.Fatalf("%d rows of %d elements, %v: %q", len(rows), len(lines), err, table)
			}
			if len(rows) > 0 {
				slices.Sort(rows[0])
				if len(slices.Compact(rows[0])) != len(rows[len(rows)-1]) {
					t.Fatalf("columns %q", rows[0])
				}
			}
		}
		if strings.Count(g.Edges, "\n") != len(g.edgeLines)+1 {
			t.Fatalf("an edge of several lines: %q", g.Edges)
		}
	})
}
