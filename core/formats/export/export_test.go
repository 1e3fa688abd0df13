package export

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/variable"
	"cadem.example/core/multiplex"
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
	return g, []Embedding{{Name: "common", Cols: 2, Values: x, Single: true}}
}

// Exported GraphML is well-formed and reads as the same graph.
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
	content, err := formats.Read([]input.File{{Name: "g.graphml", Data: b.Bytes()}})
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := content.Graph(formats.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for l := range g.Layers { // they come back in natural order of their names
		a := &g.Layers[l]
		b := &again.Layers[slices.IndexFunc(again.Layers, func(l multiplex.Layer) bool { return l.Name == a.Name })]
		if a.Adjacency.Hash() != b.Adjacency.Hash() || a.Summary() != b.Summary() {
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
	// Two names that differ where a member of an archive cannot are two arrays anyway.
	g.Labels = append(g.Labels, multiplex.LabelSet{Name: `a b "c"`, Classes: []string{"z"}, Of: make([]int, g.M())})
	var b bytes.Buffer
	if err := WriteNPZ(&b, g, embeddings); err != nil {
		t.Fatal(err)
	}
	arrays, err := npy.ReadNPZ(input.File{Name: "e.npz", Data: b.Bytes()})
	if err != nil || len(arrays) != 1 || !slices.Equal(arrays["common"].Shape, []int{len(g.Nodes), 2}) ||
		!slices.Equal(arrays["common"].Float64s(), embeddings[0].Values) {
		t.Errorf("%v, %v", arrays, err)
	}
	c, err := formats.Read([]input.File{{Name: "e.npz", Data: b.Bytes()}})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Variables[1]; got.Name != "nodes" || !slices.Equal(wordsOf(got), g.Nodes) {
		t.Errorf("%s: %q", got.Name, wordsOf(got))
	}
	if got := c.Variables[2]; got.Name != "layer_names" || !slices.Equal(wordsOf(got), []string{"one", "<two>"}) {
		t.Errorf("%s: %q", got.Name, wordsOf(got))
	}
	if got := c.Variables[3]; got.Name != `labels_a_b_"c"` || wordsOf(got)[1] != "x" || wordsOf(got)[0] != "" {
		t.Errorf("%s: %q", got.Name, wordsOf(got))
	}
	if got := c.Variables[4]; got.Name != `labels_a_b_"c"_2` || wordsOf(got)[1] != "z" {
		t.Errorf("%s: %q", got.Name, wordsOf(got))
	}
}

func ExampleWriteCSV() {
	a, _ := multiplex.FromEdges(2, []multiplex.Edge{{I: 0, J: 1, Weight: 1}})
	g := &multiplex.Graph{
		Nodes:  []string{"Ana", "Berg, Bo"},
		Layers: []multiplex.Layer{{Name: "lunch", Adjacency: a, Features: multiplex.Identity(2)}},
		Labels: []multiplex.LabelSet{{Name: "group", Classes: []string{"G1"}, Of: []int{0, multiplex.Missing}}},
	}
	var b bytes.Buffer
	if err := WriteCSV(&b, g, []Embedding{{Name: "private_1", Layer: "lunch", Cols: 2, Values: []float64{0.1, -2, 3, 1e-9}}}); err != nil {
		fmt.Println(err)
	}
	fmt.Print(b.String())
	// Output:
	// node,name,group,private_1_1 (lunch),private_1_2 (lunch)
	// 0,Ana,G1,0.1,-2
	// 1,"Berg, Bo",,3,1e-09
}

func TestEmbeddingsRoundTrip(t *testing.T) {
	g := named(t, hard, multiplex.LabelSet{Name: "g", Classes: []string{"=a", "b"}, Of: make([]int, len(hard))})
	values := make([]float64, 2*len(hard))
	single := make([]float64, len(hard))
	for i := range values {
		values[i] = math.Pi * float64(i-5) / 1e7
	}
	for i := range single {
		single[i] = float64(float32(0.1 * float64(i)))
	}
	var b bytes.Buffer
	if err := WriteCSV(&b, g, []Embedding{{Name: "common", Cols: 2, Values: values}, {Name: "private_1", Cols: 1, Values: single, Single: true}}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"node", "name", "g", "common_1", "common_2", "private_1_1"}; !slices.Equal(rows[0], want) {
		t.Errorf("columns %q", rows[0])
	}
	number := func(s string, bits int) float64 {
		v, err := strconv.ParseFloat(s, bits)
		if err != nil {
			t.Error(err)
		}
		return v
	}
	for i, r := range rows[1:] {
		if r[0] != strconv.Itoa(i) || r[1] != Cell(hard[i]) || r[2] != "'=a" || number(r[3], 64) != values[2*i] || number(r[4], 64) != values[2*i+1] ||
			number(r[5], 32) != single[i] {
			t.Errorf("row %d: %q", i, r)
		}
	}
	if rows[2][5] != "0.1" {
		t.Errorf("0.1 in single precision is written %s", rows[2][5])
	}
}

// No cell begins like a formula, unless it is a number; the text is the name's after at most an apostrophe.
func TestCellsAreNoFormulas(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "Ana": "Ana", "a=1": "a=1", "'quoted'": "'quoted'", "-2": "-2", "+1e5": "+1e5", "2-1": "2-1",
		"=1+1": "'=1+1", "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0", "-2+3": "'-2+3", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t'=1", "\r=1": "'\r'=1",
		"\n=1": "'\n'=1", "a;=1+1": "a;'=1+1", `a; "@x";-2`: `a; "'@x";'-2`, "a|+b": "a|'+b", "x\t-1": "x\t'-1", "a=b;c": "a=b;c", "a,＝1": "a,'＝1", " =1": " '=1",
		"＝HYPERLINK(A1)": "'＝HYPERLINK(A1)", "=": "'=", "\xff=": "\xff=",
	} {
		if got := Cell(s); got != want {
			t.Errorf("Cell(%q) = %q, want %q", s, got, want)
		}
	}
	g := named(t, []string{"=1", "b"}, multiplex.LabelSet{Name: "=l", Classes: []string{"@c"}, Of: []int{0, 0}})
	var b bytes.Buffer
	if err := WriteCSV(&b, g, []Embedding{{Name: "-e", Cols: 1, Values: []float64{-1, 2}}}); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "node,name,'=l,'-e_1\n0,'=1,'@c,-1\n1,b,'@c,2\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// hard are names that are hard on tables and spreadsheets.
var hard = []string{`a,b`, `say "hi"`, "two\nlines", `=1+1`, `+cmd|' /C calc'!A0`, `-2`, `@x`, "tab\there", `# no comment`, "é 漢字", `'quoted'`, `;`, `%`}

// named returns a graph without edges: tables need names and labels only.
func named(t testing.TB, names []string, labels ...multiplex.LabelSet) *multiplex.Graph {
	t.Helper()
	a, err := multiplex.FromEdges(len(names), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &multiplex.Graph{Nodes: names, Layers: []multiplex.Layer{{Adjacency: a, Features: multiplex.Identity(len(names))}}, Labels: labels}
}

func wordsOf(v *variable.Variable) []string {
	words, _ := v.Words()
	return words
}
