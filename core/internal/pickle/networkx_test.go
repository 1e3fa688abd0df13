package pickle

import (
	"os"
	"strings"
	"testing"

	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/input"
)

// read reads one of the pickles that testdata/networkx.py writes.
func read(t *testing.T, name string) (*Content, error) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := input.Open(&input.File{Name: name, Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return Read(s, input.Stem(name))
}

// Graphs of three versions and four classes: every node and edge with all attributes, each edge
// of an undirected graph once.
func TestNetworkX(t *testing.T) {
	const nodes = "\"Ana, A.\",41,chess\nBo,39,go and chess\nCy,,go\n"
	for _, c := range []struct{ file, edges, nodes, notes string }{
		{"digraph1.pkl", "source,target,weight\n0,1,0.5\n1,0,2.0\n10,1,3\n10,10,\n", "id\n0\n1\n10\n", ""},
		{"multigraph2.pkl", "source,target,key,kind,sure\n\"Ana, A.\",Bo,0,mail,\n\"Ana, A.\",Bo,1,call,True\nBo,Cy,0,mail,\n", "id,age,club\n" + nodes,
			`Of the edges in multigraph2.pkl what is no number or word was left out: "place".`},
		{"multidigraph3.pkl", "source,target,key,weight\n\"Ana, A.\",Bo,x,\nBo,\"Ana, A.\",x,0.1\n", "id,age,club\n" + nodes, ""},
		{"layers3.pkl", "layer,source,target,weight,since\nwork,\"Ana, A.\",Bo,2,1e-07\nwork,Bo,Cy,1.5,\nlunch,Bo,Di,10000000000.0,\nlunch,Cy,Di,,\n",
			"id,age,club\n" + nodes + "Di,,bridge\n", ""},
	} {
		got, err := read(t, c.file)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if got.Edges != c.edges || got.Nodes != c.nodes || strings.Join(got.Notes, " ") != c.notes || len(got.Variables) > 0 {
			t.Errorf("%s: %q\n%q\n%v %v\nexpected %q\n%q\n%s", c.file, got.Edges, got.Nodes, got.Notes, got.Variables, c.edges, c.nodes, c.notes)
		}
	}
}

func TestBadNetworkX(t *testing.T) {
	_, err := read(t, "tuples.pkl")
	formatstest.CheckError(t, err, "tuples.pkl: tuples: found a node that is a tuple, expected numbers and text: nx.relabel_nodes(graph, str) makes text of "+
		"the nodes")
	_, err = read(t, "mixed.pkl")
	formatstest.CheckError(t, err, "mixed.pkl: mixed: found nodes that are the number and the text 1, expected one of them: nx.relabel_nodes(graph, str) "+
		"makes text of numbers")
}
