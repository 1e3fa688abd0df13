package formats

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"cadem/core/multiplex"
)

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

func ExampleWriteEmbeddings() {
	a, _ := multiplex.FromEdges(2, []multiplex.Edge{{I: 0, J: 1, Weight: 1}})
	g := &multiplex.Graph{
		Nodes:  []string{"Ana", "Berg, Bo"},
		Layers: []multiplex.Layer{{Name: "lunch", Adjacency: a, Features: multiplex.Identity(2)}},
		Labels: []multiplex.LabelSet{{Name: "group", Classes: []string{"G1"}, Of: []int{0, multiplex.Missing}}},
	}
	var b bytes.Buffer
	if err := WriteEmbeddings(&b, g, []Embedding{{"common", 2, []float64{0.1, -2, 3, 1e-9}, false}}); err != nil {
		fmt.Println(err)
	}
	fmt.Print(b.String())
	// Output:
	// node,name,group,common_1,common_2
	// 0,Ana,G1,0.1,-2
	// 1,"Berg, Bo",,3,1e-09
}

func TestLabelsRoundTrip(t *testing.T) {
	of := make([]int, len(hard))
	other := make([]int, len(hard))
	for i := range of {
		of[i] = i%3 - 1 // Missing, 0, 1
		other[i] = i % 2
	}
	g := named(t, hard,
		multiplex.LabelSet{Name: "group, \"main\"", Classes: []string{"G1", "G2/G3"}, Of: of},
		multiplex.LabelSet{Name: "=set", Classes: []string{"\"x\"", "+1,\n2"}, Of: other})
	var b bytes.Buffer
	if err := WriteLabels(&b, g); err != nil {
		t.Fatal(err)
	}
	sets, notes, err := ReadLabels(File{Name: "labels.csv", Data: b.Bytes()}, g)
	if err != nil || !reflect.DeepEqual(sets, g.Labels) || len(notes) != 0 {
		t.Errorf("%v %q %v\n%s", sets, notes, err, b.String())
	}
}

func TestReadLabels(t *testing.T) {
	g := named(t, []string{"Ana", "Bo", "Eva", "Jan"})
	sets, notes, err := ReadLabels(File{Name: "l.csv", Data: []byte("# made by hand\nname,x,y,z,one,each\nBo,10,NA,,a,1\nAna,9, n/a ,,a,2\nJan,10,u,,NA,3\n")}, g)
	want := []multiplex.LabelSet{{Name: "x", Classes: []string{"9", "10"}, Of: []int{0, 1, -1, 1}}}
	wantNotes := []string{
		"l.csv: 1 node has no line there and no label.", "l.csv: y has the same label for every node and was left out.", "l.csv: z holds no labels and was left out.",
		"l.csv: one has the same label for every node and was left out.", "l.csv: each has another label for every node and was left out.",
	}
	if err != nil || !reflect.DeepEqual(sets, want) || !slices.Equal(notes, wantNotes) {
		t.Errorf("%v %q %v", sets, notes, err)
	}
	_, _, err = ReadLabels(File{Name: "l.csv", Data: []byte("name,x\nUlf,1\n")}, g)
	checkError(t, err, `l.csv:2: name: found "Ulf", expected one of the 4 nodes of the graph`)
	_, _, err = ReadLabels(File{Name: "l.csv", Data: []byte("name,x\nAna,1\n")}, named(t, []string{"Ana", "Ana"}))
	checkError(t, err, `l.csv:2: name: found the name "Ana", which more than one node has, expected its id`)

	// Nodes without names are called by their numbers.
	g.Nodes = nil
	sets, _, err = ReadLabels(File{Name: "l.tsv", Data: []byte("node\tx\n0\ta b\n3\tc, d\n")}, g)
	want = []multiplex.LabelSet{{Name: "x", Classes: []string{"a b", "c, d"}, Of: []int{0, -1, -1, 1}}}
	if err != nil || !reflect.DeepEqual(sets, want) {
		t.Errorf("%v %v", sets, err)
	}
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
	if err := WriteEmbeddings(&b, g, []Embedding{{"common", 2, values, false}, {"private_1", 1, single, true}}); err != nil {
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
		if r[0] != strconv.Itoa(i) || r[1] != hard[i] || r[2] != "=a" || number(r[3], 64) != values[2*i] || number(r[4], 64) != values[2*i+1] || number(r[5], 32) != single[i] {
			t.Errorf("row %d: %q", i, r)
		}
	}
	if rows[2][5] != "0.1" {
		t.Errorf("0.1 in single precision is written %s", rows[2][5])
	}
}
