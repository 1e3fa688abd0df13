package text

import (
	"bytes"
	"encoding/csv"
	"reflect"
	"slices"
	"testing"

	"cadem.example/core/base/frugal"
	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

// nodesOf lists nodes that have names and no ids.
func nodesOf(names ...string) *directory {
	d := newDirectory("node", "the graph")
	for _, name := range names {
		d.add("", name)
	}
	return d
}

// labelsIn reads a file of labels.
func labelsIn(file string, data []byte, d *directory) ([]multiplex.LabelSet, []string, error) {
	text, err := input.Text(&input.File{Name: file, Data: data})
	if err != nil {
		return nil, nil, err
	}
	a, err := readLabels(&textFile{name: file, text: text}, d, Options{})
	if err != nil {
		return nil, nil, err
	}
	return a.labels, a.notes, nil
}

func TestReadLabels(t *testing.T) {
	sets, notes,
		err := labelsIn("l.csv", []byte("# made by hand\nname,x,y,z,one,each\nBo,10,NA,,a,1\nAna,9, n/a ,,a,2\nJan,10,u,,NA,3\n"), nodesOf("Ana", "Bo", "Eva", "Jan"))
	want := []multiplex.LabelSet{{Name: "x", Classes: []string{"9", "10"}, Of: []int{0, 1, -1, 1}}}
	wantNotes := []string{
		"l.csv: 1 node has no line there and no label.", "l.csv: y has the same label for every node and was left out.", "l.csv: z holds no labels and was left out.",
		"l.csv: one has the same label for every node and was left out.",
		"l.csv: each holds numbers and no categories: it can colour the pictures, or be chosen as features.",
	}
	if err != nil || !reflect.DeepEqual(sets, want) || !slices.Equal(notes, wantNotes) {
		t.Errorf("%v %q %v", sets, notes, err)
	}
	_, _, err = labelsIn("l.csv", []byte("name,x\nUlf,1\n"), nodesOf("Ana", "Bo", "Eva", "Jan"))
	formatstest.CheckError(t, err, `l.csv:2: name: found "Ulf", expected one of the 4 nodes of the graph; `+
		`nodes without links need a node file (nodeID, one a line)`)
	_, _, err = labelsIn("l.csv", []byte("name,x\nAna,1\n"), nodesOf("Ana", "Ana"))
	formatstest.CheckError(t, err, `l.csv:2: name: found the name "Ana", which more than one node has, expected its id`)

	sets, _, err = labelsIn("l.tsv", []byte("node\tx\n0\ta b\n3\tc, d\n"), nodesOf("0", "1", "2", "3"))
	want = []multiplex.LabelSet{{Name: "x", Classes: []string{"a b", "c, d"}, Of: []int{0, -1, -1, 1}}}
	if err != nil || !reflect.DeepEqual(sets, want) {
		t.Errorf("%v %v", sets, err)
	}
}

// FuzzLabels reads any text as labels. Labels written as a table read back the same.
func FuzzLabels(f *testing.F) {
	for _, s := range []string{
		"name,x\nAna,1\nBo,2\n", "name;x;y\n\"a,b\";NA;1\n\"say \"\"hi\"\"\";2;\n", "id\tx y\n=1\tA\nAna\tB\n", "# c\nnode x\nBo 1\nAna 01\n",
		"name,\"a\nb\"\n\"two\nlines\",\"c\n\"\nBo,d\n", "name,x\nAna,\"\n",
	} {
		f.Add([]byte(s))
	}
	names := []string{"Ana", "Bo", "a,b", `say "hi"`, "=1", "two\nlines", "7", "# no"}
	f.Fuzz(func(t *testing.T, data []byte) {
		var sets []multiplex.LabelSet
		var err error
		frugal.Check(t, len(data), func() { sets, _, err = labelsIn("l.csv", data, nodesOf(names...)) })
		if err != nil || len(sets) == 0 {
			return
		}
		var b bytes.Buffer
		table := csv.NewWriter(&b)
		row := []string{"name"}
		for k := range sets {
			row = append(row, sets[k].Name)
		}
		table.Write(row)
		for i, name := range names {
			row = append(row[:0], name)
			for k := range sets {
				row = append(row, sets[k].ClassOf(i))
			}
			table.Write(row)
		}
		table.Flush()
		again, _, err := labelsIn("l.csv", b.Bytes(), nodesOf(names...))
		if err != nil || !reflect.DeepEqual(again, sets) {
			t.Fatalf("%v became\n%q\n%v %v", sets, b.String(), again, err)
		}
	})
}
