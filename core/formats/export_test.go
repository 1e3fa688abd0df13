package formats

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"cadem/core/multiplex"
)

func ExampleWriteGraphML() {
	a, _ := multiplex.FromEdges(2, []multiplex.Edge{{I: 0, J: 1, Weight: 2.5}})
	g := &multiplex.Graph{Nodes: []string{"Ana", "Bo"}, Layers: []multiplex.Layer{{Name: "lunch", Adjacency: a, Features: multiplex.Identity(2)}}}
	cluster := multiplex.LabelSet{Name: "cluster", Classes: []string{"0", "1"}, Of: []int{0, 1}}
	var b bytes.Buffer
	if err := WriteGraphML(&b, g, []multiplex.LabelSet{cluster}, []float64{0, 1, 2, 3}, nil); err != nil {
		fmt.Println(err)
	}
	for _, line := range strings.Split(b.String(), "\n")[8:11] {
		fmt.Println(line)
	}
	// Output:
	// <graph edgedefault="undirected">
	// <node id="0"><data key="k0">Ana</data><data key="k1">0</data><data key="k2">1</data><data key="k3">0</data></node>
	// <node id="1"><data key="k0">Bo</data><data key="k1">2</data><data key="k2">3</data><data key="k3">1</data></node>
}

// exported is a graph with names that are hard on tables and markup.
func exported(t testing.TB) (*multiplex.Graph, []Embedding) {
	names := append(slices.Clone(hard), "<b> & \x01")
	n := len(names)
	of := make([]int, n)
	for i := range of {
		of[i] = i%3 - 1
	}
	g := named(t, names, multiplex.LabelSet{Name: `a/b "c"`, Classes: []string{"x", "<y>"}, Of: of})
	g.Layers = nil
	for l, name := range []string{"one", "<two>"} {
		var edges []multiplex.Edge
		for i := range n - 1 {
			edges = append(edges, multiplex.Edge{I: i, J: i + 1, Weight: float64(l) + .5})
		}
		edges = append(edges, multiplex.Edge{I: 2, J: 2, Weight: 1})
		a, err := multiplex.FromEdges(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: name, Adjacency: a, Features: multiplex.Identity(n)})
	}
	x := make([]float64, 2*n)
	for k := range x {
		x[k] = float64(float32(1) / float32(k+1))
	}
	return g, []Embedding{{"common", 2, x, true}}
}

// What is written as GraphML is well-formed and reads as the same graph.
func TestGraphMLRoundTrip(t *testing.T) {
	g, embeddings := exported(t)
	var b bytes.Buffer
	if err := WriteGraphML(&b, g, nil, nil, embeddings); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	again, _, err := Open([]File{{Name: "g.graphml", Data: b.Bytes()}})
	if err != nil {
		t.Fatal(err)
	}
	for l := range g.Layers {
		a, b := &g.Layers[l], &again.Layers[l]
		if a.Name != b.Name || a.Adjacency.Hash() != b.Adjacency.Hash() || a.Summary() != b.Summary() {
			t.Errorf("layer %s: %+v, was %+v", b.Name, b.Summary(), a.Summary())
		}
	}
	for i, name := range again.Nodes {
		if want := strings.ReplaceAll(g.Nodes[i], "\x01", "\ufffd"); name != want {
			t.Errorf("node %d is %q, was %q", i, name, want)
		}
	}
	k := slices.IndexFunc(again.Labels, func(s multiplex.LabelSet) bool { return s.Name == `a/b "c"` })
	if k < 0 || !slices.Equal(again.Labels[k].Of, []int{-1, 1, 0, -1, 1, 0, -1, 1, 0, -1, 1, 0, -1, 1}) {
		t.Errorf("labels %+v", again.Labels)
	}
}

func TestEmbeddingsNPZ(t *testing.T) {
	g, embeddings := exported(t)
	var b bytes.Buffer
	if err := WriteEmbeddingsNPZ(&b, g, embeddings); err != nil {
		t.Fatal(err)
	}
	arrays, err := ReadNPZ(File{Name: "e.npz", Data: b.Bytes()})
	if err != nil || len(arrays) != 1 || !slices.Equal(arrays["common"].Shape, []int{len(g.Nodes), 2}) || !slices.Equal(arrays["common"].Float64s(), embeddings[0].Values) {
		t.Errorf("%v, %v", arrays, err)
	}
	c, err := Read([]File{{Name: "e.npz", Data: b.Bytes()}})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Variables[1]; got.Name != "names" || !slices.Equal(got.text(), g.Nodes) {
		t.Errorf("%s: %q", got.Name, got.text())
	}
	if got := c.Variables[2]; got.Name != `labels_a_b_"c"` || got.text()[1] != "x" || got.text()[0] != "" {
		t.Errorf("%s: %q", got.Name, got.text())
	}
}
