package formats

import (
	"os"
	"strings"
	"testing"

	"cadem.example/core/base/frugal"
	"cadem.example/core/multiplex"
)

// FuzzEdges opens any text as an edge list, alone and with a node file. A graph passes its own
// checks and agrees with its report.
func FuzzEdges(f *testing.F) {
	for _, name := range []string{"office_multiplex.edges", "office_nodes.txt", "office_layers.txt", "labels.csv"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, []byte("nodeID nodeLabel x\n1 Ana 1\n2 Bo 1\n3 Bo 2\n4 a b c 2\n"))
	}
	for _, s := range []string{
		"1 1 2 1\n2 1 2 1\n", "layer,source,target\na,\"x, y\",z\nb,z,z\n", "0;1;2\r\n1;1;2\r", "\ufeff# c\n1\t1\t2\n", "\xff\xfe1\x00", "1 1 2 1e999\n",
		"1 1 2 -0\n2 0001 +2 1e-12\n",
		"layer,from,to\n1,1,2\n1,1,2\n1,2,1\n2,2,2\n", ",,,\n", "1 1 2 NaN", strings.Repeat("9", 400) + " 1 2",
	} {
		f.Add([]byte(s), []byte("id\n1\n2\n"))
	}
	f.Fuzz(func(t *testing.T, edges, nodes []byte) {
		for _, files := range [][]File{{{Name: "a.edges", Data: edges}}, {{Name: "a.edges", Data: edges}, {Name: "a_nodes.txt", Data: nodes}}} {
			var g *multiplex.Graph
			var r *Report
			var err error
			frugal.Check(t, len(edges)+len(nodes), func() { g, r, err = openChoice(files, Choice{}) })
			if err != nil {
				if g != nil || r != nil || err.Error() == "" {
					t.Fatalf("a graph beside the error %v", err)
				}
				continue
			}
			if err := g.Check(); err != nil {
				t.Fatal(err)
			}
			if r.Nodes != g.M() || len(g.Nodes) != g.M() || len(r.Layers) != g.N() {
				t.Fatalf("%d nodes, %d names, %d layers, report %+v", g.M(), len(g.Nodes), g.N(), r)
			}
			for l, c := range r.Layers {
				// Every row is an edge, a loop, the way back, a repetition.
				if c.LayerSummary != g.Layers[l].Summary() || c.Arcs != c.Edges+c.SelfLoops+c.Mutual+c.Repeated {
					t.Fatalf("layer %d: %+v, %+v", l, c, g.Layers[l].Summary())
				}
			}
		}
	})
}

// FuzzContainer reads any bytes as a file of any kind, and makes of it what can be made.
func FuzzContainer(f *testing.F) {
	for _, data := range samples(f) {
		f.Add(data)
	}
	f.Add([]byte("1 1 2 1\n\x00\x01\x02"))
	f.Fuzz(func(t *testing.T, data []byte) {
		use(t, "a", data)
		same(t, "a", data)
	})
}

// FuzzMAT, FuzzPickle and FuzzGraphML begin as files of their kind do.
func FuzzMAT(f *testing.F) {
	for _, big := range []bool{false, true} {
		f.Add(sampleMAT(big, false)[128:], big)
	}
	f.Fuzz(func(t *testing.T, data []byte, big bool) { use(t, "a.mat", append(newMAT(big).b, data...)) })
}

func FuzzPickle(f *testing.F) {
	f.Add(samplePickle()[2:])
	f.Add([]byte("]q\x00(h\x00h\x00e."))
	f.Add([]byte("\x8c\x05numpy\x8c\x05dtype\x93\x8c\x02f8\x89\x88\x87R."))
	for _, name := range []string{"digraph1", "multigraph2", "multidigraph3", "layers3", "tuples", "mixed"} { // of networkx
		data, err := os.ReadFile("../internal/pickle/testdata/" + name + ".pkl")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[2:])
	}
	f.Fuzz(func(t *testing.T, data []byte) { use(t, "a.pkl", append([]byte("\x80\x05"), data...)) })
}

func FuzzGraphML(f *testing.F) {
	f.Add(office[strings.Index(office, "<key"):])
	f.Fuzz(func(t *testing.T, data string) { use(t, "a.graphml", []byte("<graphml>"+data)) })
}

// FuzzTexts reads any two texts together.
func FuzzTexts(f *testing.F) {
	f.Add("1 2\n2 3\n", "from,to\n1,3\n")
	f.Add("a.txt;One;b.txt\n", "1 2\n")
	f.Add("#ACTORS\na\nb\n#EDGES\na,b,x\na,b,y\n", "0.5,1\n2,3\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		var g *multiplex.Graph
		var err error
		frugal.Check(t, len(a)+len(b), func() {
			g, _, err = openChoice([]File{{Name: "a.txt", Data: []byte(a)}, {Name: "b.txt", Data: []byte(b)}}, Choice{})
		})
		if err == nil && g.Check() != nil {
			t.Fatal(g.Check())
		}
	})
}
