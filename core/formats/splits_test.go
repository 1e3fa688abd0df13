package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/formatstest"
	"cadem.example/core/multiplex"
)

// array makes a .npy file of a list or, with columns, of a matrix.
func array[T int32 | float64 | bool](t *testing.T, name string, columns int, x ...T) File {
	t.Helper()
	shape := []int{len(x)}
	if columns > 0 {
		shape = []int{len(x) / columns, columns}
	}
	a := &npy.Array{Shape: shape}
	switch x := any(x).(type) {
	case []int32:
		a.Data = x
	case []float64:
		a.Data = x
	case []bool:
		a.Data = x
	}
	return File{Name: name + ".npy", Data: npyOf(t, a)}
}

// six are two layers of six nodes, with labels.
func six(t *testing.T, more ...File) []File {
	ring, star := make([]float64, 36), make([]float64, 36)
	for i := range 6 {
		k := (i + 1) % 6
		ring[6*i+k], ring[6*k+i] = 1, 1
		if i > 0 {
			star[i], star[6*i] = 1, 1
		}
	}
	return append([]File{array(t, "ring", 6, ring...), array(t, "star", 6, star...), array[int32](t, "label", 0, 0, 1, 0, 1, 0, 1)}, more...)
}

func splitsIn(t *testing.T, choice Choice, files []File) ([]multiplex.LabelSet, *Report, error) {
	t.Helper()
	c, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	g, report, err := c.Graph(choice)
	if err != nil {
		return nil, nil, err
	}
	return g.Labels, report, nil
}

// Splits come as masks, as lists of nodes and as columns, one or several in a file or in files of their own.
func TestSplits(t *testing.T) {
	yes, no := true, false
	first := multiplex.Split{Train: []int{0, 1}, Validation: []int{2}, Test: []int{3, 4, 5}}
	second := multiplex.Split{Train: []int{4, 5}, Validation: []int{2}, Test: []int{0, 1, 3}}
	named := func(s multiplex.Split, name string) multiplex.Split { s.Name = name; return s }
	parts := func(suffix string, s multiplex.Split, from int32) []File {
		var files []File
		for k, nodes := range [][]int{s.Train, s.Validation, s.Test} {
			var x []int32
			for _, i := range nodes {
				x = append(x, int32(i)+from)
			}
			files = append(files, array(t, []string{"train", "val", "test"}[k]+suffix, 0, x...))
		}
		return files
	}
	edges := fileOf("a.edges", "1 n0 n1 1\n1 n1 n2 1\n2 n3 n4 1\n2 n4 n5 1\n2 n5 n0 1\n")
	table := func(header string, rows ...string) []File {
		text := header + "\n"
		for i, row := range rows {
			text += fmt.Sprintf("n%d,%s\n", i, row)
		}
		return []File{edges, fileOf("labels.csv", text)}
	}
	for name, c := range map[string]struct {
		files  []File
		choice Choice
		want   []multiplex.Split
	}{
		"lists":        {six(t, parts("_idx", first, 0)...), Choice{}, []multiplex.Split{first}},
		"lists from 1": {six(t, parts("_idx", first, 1)...), Choice{}, []multiplex.Split{first}},
		"a row": {six(t, array[int32](t, "idx_train", 2, 0, 1), array[int32](t, "idx_test", 3, 3, 4, 5)), Choice{},
			[]multiplex.Split{{Train: first.Train, Test: first.Test}}},
		"two of lists": {six(t, slices.Concat(parts("_20", first, 0), parts("_40", second, 0))...), Choice{},
			[]multiplex.Split{named(first, "20"), named(second, "40")}},
		"one of two": {six(t, slices.Concat(parts("_20", first, 0), parts("_40", second, 0))...), Choice{Splits: []string{"train_40", "val_40", "test_40"}},
			[]multiplex.Split{second}},
		"none of two": {six(t, slices.Concat(parts("_20", first, 0), parts("_40", second, 0))...), Choice{Splits: []string{NoSplits}}, nil},
		"masks": {six(t, array(t, "train_mask", 0, yes, yes, no, no, no, no), array(t, "valid_mask", 0, no, no, yes, no, no, no),
			array(t, "test_mask", 0, no, no, no, yes, yes, yes)), Choice{}, []multiplex.Split{first}},
		"masks of two, one for both": {six(t, array(t, "train_mask", 2, 1., 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1), array(t, "val_mask", 0, 0., 0, 1, 0, 0, 0),
			array(t, "test_mask", 2, 0., 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0)), Choice{}, []multiplex.Split{named(first, "0"), named(second, "1")}},
		"a column of words": {table("node,class,split", "a,train", "b,train", "a,val", "b,test", "a,test", "b,test"), Choice{}, []multiplex.Split{first}},
		"columns of 0 and 1": {table("node,class,train_mask,val_mask,test_mask", "a,1,0,0", "b,1,0,0", "a,0,1,0", "b,0,0,1", "a,0,0,1", "b,0,0,1"), Choice{},
			[]multiplex.Split{first}},
		"other names": {six(t, array[int32](t, "value", 0, 1, 1, 1, 2, 2, 2), array[int32](t, "testosterone", 0, 3, 3, 1, 2, 2, 2)), Choice{}, nil},
		"no test":     {six(t, parts("_idx", first, 0)[:2]...), Choice{}, nil},
	} {
		sets, report, err := splitsIn(t, c.choice, c.files)
		if err != nil || len(sets) != 1 {
			t.Errorf("%s: %v, %v", name, sets, err)
			continue
		}
		if !slices.EqualFunc(sets[0].Splits, c.want, func(a, b multiplex.Split) bool {
			return a.Name == b.Name && slices.Equal(a.Train, b.Train) && slices.Equal(a.Validation, b.Validation) && slices.Equal(a.Test, b.Test)
		}) {
			t.Errorf("%s: %v, expected %v", name, sets[0].Splits, c.want)
		}
		if told := strings.Contains(strings.Join(report.Notes, " "), "not used: a split has a training and a test part"); told != (name == "no test") &&
			name != "other names" {
			t.Errorf("%s: %q", name, report.Notes)
		}
	}
}

// Arrays that cannot be splits are refused with a remedy.
func TestBadSplits(t *testing.T) {
	const end = "; or no splits (splits: none), and folds are dealt"
	list := func(name string, x ...int32) File { return array(t, name, 0, x...) }
	for want, files := range map[string][]File{
		"test_idx.npy: test_idx: found node 1, which train_idx has, too, expected parts that share no node": {
			list("train_idx", 0, 1), list("test_idx", 1, 2, 3)},
		"test_idx.npy: test_idx: found node 1 and 1 more, which train_idx has, too, expected parts that share no node": {
			list("train_idx", 0, 1), list("test_idx", 0, 1, 2)},
		"train_mask.npy: train_mask: found a mask of 5 nodes, expected 6, as the graph has": {
			array(t, "train_mask", 0, true, true, false, false, false), array(t, "test_mask", 0, false, false, true, true, true, true)},
		"test_idx.npy: test_idx: found the node 9, expected numbers from 0 to 5, or a mask of 6 entries": {list("train_idx", 0, 1), list("test_idx", 4, 9)},
		"train_idx.npy: train_idx: found the node 0 twice, expected it once":                             {list("train_idx", 0, 0, 1), list("test_idx", 4, 5)},
		`split: found no training node of class "1" of labels label, expected one at least of every class that is tested`: {
			list("train_idx", 0, 2), list("test_idx", 4, 5)},
		"test_mask.npy: test_mask: found 3 splits, expected 2, as the other parts have, or one for all": nil,
	} {
		if files == nil {
			files = []File{
				array(t, "train_mask", 3, slices.Repeat([]bool{true, false, false}, 6)...), array(t, "test_mask", 2, slices.Repeat([]bool{false, true}, 6)...),
			}
			want = "test_mask.npy: test_mask: found 2 splits, expected 3, as the other parts have, or one for all"
		}
		_, _, err := splitsIn(t, Choice{}, six(t, files...))
		formatstest.CheckError(t, err, want+end)
		if _, _, err := splitsIn(t, Choice{Splits: []string{NoSplits}}, six(t, files...)); err != nil {
			t.Errorf("without splits: %v", err)
		}
	}
}

// The splits that public data sets come with are theirs by every container.
func TestPublishedSplits(t *testing.T) {
	var freebase []string
	for _, stem := range []string{"mam.npz", "mdm.npz", "mwm.npz", "labels.npy", "train_20.npy", "val_20.npy", "test_20.npy", "train_60.npy", "val_60.npy",
		"test_60.npy"} {
		freebase = append(freebase, "freebase/"+stem)
	}
	for _, c := range []struct {
		files []string
		want  string // of each split, its name and the sizes of its parts
	}{
		{[]string{"acm/ACM3025.mat"}, "[ 600 300 2125]"},
		{[]string{"imdb/imdb_lil_edges.pkl"}, "[ 300 300 2950]"},
		{[]string{"imdb/imdb_csr_proto2.pkl"}, "[ 300 300 2950]"},
		{[]string{"imdb/mdm.npz", "imdb/mam.npz", "imdb/feature.npz", "imdb/labels.npy", "imdb/splits.npz"}, "[ 300 300 2950]"},
		{freebase, "[20 60 1000 1000][60 180 1000 1000]"},
	} {
		sets, _, err := splitsIn(t, Choice{}, realFiles(t, c.files...))
		if err != nil {
			t.Error(err)
			continue
		}
		got := ""
		for _, s := range sets[0].Splits {
			got += fmt.Sprintf("[%s %d %d %d]", s.Name, len(s.Train), len(s.Validation), len(s.Test))
		}
		if got != c.want {
			t.Errorf("%s: %s, expected %s", c.files[0], got, c.want)
		}
	}
}
