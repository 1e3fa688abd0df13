package formats

import (
	"archive/zip"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/formatstest"
)

// objectArray puts an array of Python objects of a shape, whose items f puts.
func (p *pickled) objectArray(f func(), shape ...int) *pickled {
	p.op("cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n").ints(0).bytes("b").op("tR(").int(1).ints(shape...)
	p.op("cnumpy\ndtype\n(").text("O8").op("\x89\x88tR(").int(3).text("|").op("NNN").int(-1).int(-1).int(63).op("tb\x89](")
	f()
	return p.op("etb")
}

// objectNPY is a .npy file of Python objects, as numpy.save writes one.
func objectNPY(f func(p *pickled), shape ...int) []byte {
	p := &pickled{}
	p.op("\x80\x03").objectArray(func() { f(p) }, shape...).op(".")
	sizes := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")
	if len(shape) == 1 {
		sizes += ","
	}
	return formatstest.RawNPY(1, "{'descr': '|O', 'fortran_order': False, 'shape': ("+sizes+"), }", p.String())
}

func words(list ...string) func(p *pickled) {
	return func(p *pickled) {
		for _, s := range list {
			p.text(s)
		}
	}
}

// ring returns a matrix in which each of n nodes is joined with the next.
func ring(n int) *npy.Array {
	a := &npy.Array{Shape: []int{n, n}, Data: make([]uint8, n*n)}
	for i := range n {
		j := (i + 1) % n
		a.Data.([]uint8)[i*n+j], a.Data.([]uint8)[j*n+i] = 1, 1
	}
	return a
}

// npzOf makes a .npz file of arrays of numbers, and of whole .npy files.
func npzOf(t testing.TB, namesAndArrays ...any) []byte {
	t.Helper()
	var parts []string
	for k := 0; k < len(namesAndArrays); k += 2 {
		var data []byte
		switch x := namesAndArrays[k+1].(type) {
		case []byte:
			data = x
		case *npy.Array:
			data = npyOf(t, x)
		}
		parts = append(parts, namesAndArrays[k].(string)+".npy", string(data))
	}
	return formatstest.Zip(t, zip.Deflate, parts...)
}

// rowsAndCols is an array of ones.
func rowsAndCols(rows, cols int) *npy.Array {
	a := &npy.Array{Shape: []int{rows, cols}, Data: make([]float32, rows*cols)}
	for k := range a.Data.([]float32) {
		a.Data.([]float32)[k] = 1
	}
	return a
}

// Names beside arrays are any text, and come into the graph as they are; numbers among those of nodes
// move no row.
func TestTitles(t *testing.T) {
	words := func(shape []int, text ...string) *npy.Array { return &npy.Array{Shape: shape, Data: text} }
	names := [][2]string{{"layer_1", "../x/é="}, {"layer_2", "a.b,_"}, {"labels_1", "labels_2"}, {"labels_2", "nodes"}}
	var pairs []string
	for _, p := range names {
		pairs = append(pairs, p[0], p[1])
	}
	nodes := []string{"2", "1", "0"}
	x := &npy.Array{Shape: []int{3, 1}, Data: []float64{1, 2, 3}}
	file := []File{{Name: "graph.npz", Data: npzOf(t, "layer_1", ring(3), "layer_2", ring(3), "features", x,
		"labels_1", words([]int{3}, "p", "q", ""), "labels_2", words([]int{3}, "r", "", "s"),
		"cadem_names", words([]int{4, 2}, pairs...), "cadem_nodes", words([]int{3}, nodes...))}}
	choice := Choice{Layers: []string{"layer_1", "layer_2"}, Features: "features",
		Labels: []string{"labels_1", "labels_2"}, Raw: true}
	g, _, err := openChoice(file, choice)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{g.Layers[0].Name, g.Layers[1].Name}
	for _, s := range g.Labels {
		got = append(got, s.Name)
	}
	for k, name := range got {
		if name != names[k][1] {
			t.Errorf("found the name %q, expected %q", name, names[k][1])
		}
	}
	if len(got) != 4 || !slices.Equal(g.Nodes, nodes) || !slices.Equal(g.Layers[0].Features.Dense, []float64{1, 2, 3}) ||
		g.Labels[1].ClassOf(2) != "s" {
		t.Errorf("found %q, %q, %v", got, g.Nodes, g.Layers[0].Features.Dense)
	}
	file[0].Data = npzOf(t, "layer_1", ring(3), "layer_2", ring(3), "cadem_nodes", words([]int{2}, "a", "b"))
	_, _, err = openChoice(file, Choice{})
	formatstest.CheckError(t, err, "node names: found 2, expected 3, one a node")
}

// An object that is not needed is left out by name; chosen, or alone, it is refused.
func TestObjectsThatAreNotNeeded(t *testing.T) {
	tensor := func(p *pickled) { p.op("ctorch._utils\n_rebuild_tensor_v2\n(").int(1).op("tR}bN") }
	p := &pickled{}
	p.op("\x80\x04}(")
	for _, name := range []string{"a", "b"} {
		p.text(name).array("u1", "\x00\x01\x00\x01\x00\x00\x00\x00\x01", 3, 3)
	}
	p.text("frame").op("cpandas.core.frame\nDataFrame\n)\x81}(").text("_mgr").op("Nub")
	p.text("set").op("\x8f(").int(1).int(2).op("\x90")
	p.text("more").op("ccollections\ndefaultdict\n(cbuiltins\nlist\ntR(").int(0).op("](").text("x").op("eu")
	p.text("state").op("\x8a\x0a" + strings.Repeat("\x7f", 10))
	p.text("when").op("cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n").ints(0).bytes("b").op("tR(").int(1).ints(1)
	p.op("cnumpy\ndtype\n(").text("M8").op("\x89\x88tR(").int(4).text("<").op("NNN").int(-1).int(-1).int(0).op("}tb\x89").bytes("12345678").op("tbu.")
	m := newMAT(false)
	for _, name := range []string{"a", "b"} {
		m.add(false, m.matrix(name, mxDouble, []int{3, 3}, m.ints(2, 0, 1, 0, 1, 0, 0, 0, 0, 1)))
	}
	m.add(false, m.matrix("z", mxDouble|flagComplex, []int{1, 1}, m.ints(9, 7), m.ints(9, 7)))
	m.add(false, m.element(miMatrix, m.ints(miUint32, 17, 0))) // as MATLAB keeps tables
	complexes := formatstest.RawNPY(1, "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "12345678")
	fields := formatstest.RawNPY(1, "{'descr': [('x', '<f4'), ('y', '<f4')], 'fortran_order': False, 'shape': (1,), }", "12345678")
	for name, c := range map[string]struct {
		data  []byte
		notes []string
		alone string // what is said when it is chosen
	}{
		"objects.npz": {npzOf(t, "a", ring(3), "b", ring(3), "what", objectNPY(tensor, 2), "z", complexes, "xy", fields), []string{
			`what[0] was left out: an object of "torch._utils._rebuild_tensor_v2", which is not read because reading it could run a program.`,
			`z was left out: entries of type "<c8".`, `xy was left out: entries of type "|V".`},
			`objects.npz: what[0]: found an object of "torch._utils._rebuild_tensor_v2", which is not read because reading it could run a program, ` +
				"expected arrays: tensor.numpy() makes one of a tensor, and numpy.savez keeps them"},
		"objects.pkl": {p.Bytes(), []string{
			`frame was left out: an object of "pandas.core.frame.DataFrame", which is not read because reading it could run a program.`,
			"state was left out: a number of more than 8 bytes.",
			`when was left out: entries of type "M8".`},
			`objects.pkl: frame: found an object of "pandas.core.frame.DataFrame", which is not read because reading it could run a program, expected a table: ` +
				`frame.to_csv("FILE.csv") writes one`},
		"objects.mat": {m.b, []string{"z was left out: complex numbers.", "variable 4 was left out: an object of MATLAB."},
			"objects.mat: z: found complex numbers, expected real ones: abs or real makes them"},
	} {
		g, r, err := openChoice([]File{{Name: name, Data: c.data}}, Choice{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if g.N() != 2 {
			t.Errorf("%s: %d layers", name, g.N())
		}
		checkNotes(t, r, c.notes...)
		refused, _, _ := strings.Cut(c.notes[0], " was")
		for _, choice := range []Choice{{Features: refused}, {Labels: []string{refused}}, {Layers: []string{"a", refused}}} {
			_, _, err := openChoice([]File{{Name: name, Data: c.data}}, choice)
			formatstest.CheckError(t, err, c.alone)
		}
	}
	_, err := Read([]File{{Name: "alone.npz", Data: npzOf(t, "what", objectNPY(tensor, 2))}})
	if err == nil || !strings.HasPrefix(err.Error(), `alone.npz: what[0]: found an object of "torch._utils`) {
		t.Error(err)
	}
	_, _, err = openChoice([]File{{Name: "one.npz", Data: npzOf(t, "a", ring(3), "what", objectNPY(tensor, 2))}}, Choice{})
	if err == nil || !strings.HasSuffix(err.Error(), "; in place of what[0], arrays: tensor.numpy() makes one of a tensor, and numpy.savez keeps them") {
		t.Error(err)
	}
}

// Arrays of objects that are words, numbers, matrices or a dictionary are read.
func TestObjectArrays(t *testing.T) {
	layers := func(p *pickled) {
		for range 2 {
			p.array("u1", "\x00\x01\x01\x01\x00\x00\x01\x00\x00", 3, 3)
		}
	}
	data := npzOf(t, "adj", objectNPY(layers, 2), "label", objectNPY(words("b", "a", "b"), 3), "age", objectNPY(func(p *pickled) { p.int(7).int(8).int(9) }, 3),
		"class_names", objectNPY(words("one", "two"), 2))
	c, err := Read([]File{{Name: "a.npz", Data: data}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range c.Variables {
		got = append(got, fmt.Sprint(v.Name, v.Form, v.Shape, v.Type))
	}
	want := []string{"adj[0]dense[3 3]uint8", "adj[1]dense[3 3]uint8", "labeltext[3]text", "agedense[3]float64", "class_namestext[2]text"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	g, _, err := c.Graph(Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if g.N() != 2 || len(g.Labels) != 1 || !slices.Equal(g.Labels[0].Of, []int{1, 0, 1}) || !slices.Equal(g.Labels[0].Classes, []string{"a", "b"}) {
		t.Errorf("%+v", g.Labels)
	}
	wrapped := objectNPY(func(p *pickled) {
		p.op("}(").text("a").array("u1", "\x00\x01\x01\x00", 2, 2).text("b").array("u1", "\x00\x01\x01\x00", 2, 2).op("u")
	})
	if g, _, err = openChoice([]File{{Name: "set.npy", Data: wrapped}}, Choice{}); err != nil || g.N() != 2 || g.Layers[0].Name != "a" {
		t.Errorf("a dictionary: %+v, %v", g, err)
	}
}

// Candidates for features and labels need as many rows as the graph has nodes; among them names
// count before width.
func TestCandidatesFit(t *testing.T) {
	labels := func(n int) *npy.Array {
		a := &npy.Array{Shape: []int{n}, Data: make([]int32, n)}
		for k := range n {
			a.Data.([]int32)[k] = int32(k % 2)
		}
		return a
	}
	for name, c := range map[string]struct {
		data     []byte
		features string
		labels   []string
		notes    []string
	}{
		"a wider one of other rows": {npzOf(t, "a", ring(12), "b", ring(12), "full_feature", rowsAndCols(30, 9), "feature", rowsAndCols(12, 4)), "feature", nil,
			[]string{"full_feature was passed over: it has 30 rows, the graph 12 nodes."}},
		"an exact name": {npzOf(t, "a", ring(12), "b", ring(12), "feature_all", rowsAndCols(12, 9), "feature", rowsAndCols(12, 4)), "feature", nil,
			[]string{"feature_all was passed over: feature is used."}},
		"a name before width": {npzOf(t, "a", ring(12), "b", ring(12), "other", rowsAndCols(12, 9), "feat_x", rowsAndCols(12, 2)), "feat_x", nil, nil},
		"the widest of names": {npzOf(t, "a", ring(12), "b", ring(12), "feat_a", rowsAndCols(12, 2), "feat_b", rowsAndCols(12, 3)), "feat_b", nil,
			[]string{"feat_a was passed over: feat_b is used."}},
		"one without a name": {npzOf(t, "a", ring(12), "b", ring(12), "feature", rowsAndCols(30, 4), "bag", rowsAndCols(12, 3)), "bag", nil,
			[]string{"feature was passed over: it has 30 rows, the graph 12 nodes."}},
		"labels": {npzOf(t, "a", ring(12), "b", ring(12), "full_label", labels(30), "label", labels(12)), NoFeatures, []string{"label"},
			[]string{"full_label was passed over: it has 30 rows, the graph 12 nodes."}},
		"names of labels": {npzOf(t, "a", ring(12), "b", ring(12), "label_names", objectNPY(words("x", "y"), 2), "label", labels(12)), NoFeatures, []string{"label"},
			[]string{"label_names was passed over: it has 2 rows, the graph 12 nodes."}},
		"layers": {npzOf(t, "a", ring(12), "b", ring(12), "full", ring(30)), NoFeatures, nil, []string{"full was passed over: it has 30 rows, the graph 12 nodes."}},
		"links": {npzOf(t, "edge_a", &npy.Array{Shape: []int{2, 3}, Data: []int32{0, 1, 2, 1, 2, 11}}, "edge_b",
			&npy.Array{Shape: []int{2, 2}, Data: []int32{0, 1, 2, 1}},
			"full_feature", rowsAndCols(30, 9), "feature", rowsAndCols(12, 4), "label", labels(12)), "feature", []string{"label"},
			[]string{"full_feature was passed over: it has 30 rows, the graph 12 nodes."}},
	} {
		c2, err := Read([]File{{Name: "g.npz", Data: c.data}})
		if err != nil {
			t.Fatal(err)
		}
		guess := c2.Guess()
		if guess.Features != c.features || !slices.Equal(guess.Labels, c.labels) || len(guess.Layers) != 2 {
			t.Errorf("%s: %+v", name, guess)
		}
		g, r, err := c2.Graph(Choice{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if g.M() != 12 {
			t.Errorf("%s: %d nodes", name, g.M())
		}
		checkNotes(t, r, c.notes...)
		var passed []string
		for _, note := range r.Notes {
			if strings.Contains(note, "passed over") {
				passed = append(passed, note)
			}
		}
		if len(passed) != len(c.notes) {
			t.Errorf("%s: %q", name, passed)
		}
		d, err := c2.Describe(Choice{})
		if d.Notes = slices.DeleteFunc(d.Notes, func(note string) bool { return !strings.Contains(note, "passed over") }); err != nil ||
			!slices.Equal(d.Notes, passed) || d.Nodes != 12 {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}

// Several sparse matrices in one file are put together from their parts.
func TestPartsOfSparseMatrices(t *testing.T) {
	var all []any
	for name, x := range map[string]string{"adj": "_", "net": ".", "attr": "_"} {
		all = append(all, name+x+"data", &npy.Array{Shape: []int{2}, Data: []float32{1, 2}}, name+x+"indices", &npy.Array{Shape: []int{2}, Data: []int32{1, 0}},
			name+x+"indptr", &npy.Array{Shape: []int{4}, Data: []int32{0, 1, 1, 2}}, name+x+"shape", &npy.Array{Shape: []int{2}, Data: []int64{3, 3}})
	}
	all = append(all, "class_names", objectNPY(words("x", "y"), 2), "indptr", &npy.Array{Shape: []int{1}, Data: []int32{0}})
	g, _, err := openChoice([]File{{Name: "a.npz", Data: npzOf(t, all...)}}, Choice{Layers: []string{"adj", "net"}, Raw: true})
	if err != nil {
		t.Fatal(err)
	}
	if a := g.Layers[0].Adjacency; !slices.Equal(a.Index, []int32{1, 2, 0, 0}) || !slices.Equal(a.Value, []float64{1, 2, 1, 2}) {
		t.Errorf("%+v", a)
	}
	if x := g.Layers[0].Features; x.Cols != 3 || x.Rows != 3 {
		t.Errorf("%+v", x)
	}
}

// Graphs of networkx in a dictionary are layers, with features beside them.
func TestNetworkXLayers(t *testing.T) {
	data, err := os.ReadFile("../internal/pickle/testdata/layers3.pkl")
	if err != nil {
		t.Fatal(err)
	}
	g, r, err := openChoice([]File{{Name: "layers3.pkl", Data: data}}, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if g.M() != 4 || g.N() != 2 || r.Files[0].Name != "layers3.pkl" || len(r.Files) != 1 {
		t.Fatalf("%d nodes, %d layers, %+v", g.M(), g.N(), r.Files)
	}
	edges := map[string]float64{}
	for _, l := range g.Layers {
		for i := range g.M() {
			for k := l.Adjacency.Start[i]; k < l.Adjacency.Start[i+1]; k++ {
				if j := int(l.Adjacency.Index[k]); g.NodeName(i) < g.NodeName(j) {
					x := 1.0
					if l.Adjacency.Value != nil {
						x = l.Adjacency.Value[k]
					}
					edges[l.Name+" "+g.NodeName(i)+" - "+g.NodeName(j)] = x
				}
			}
		}
	}
	if fmt.Sprint(edges) != "map[lunch Bo - Di:1e+10 lunch Cy - Di:1 work Ana, A. - Bo:2 work Bo - Cy:1.5]" {
		t.Error(edges)
	}
}

// PyTorch's zip archives are recognised by their contents.
func TestPyTorchArchive(t *testing.T) {
	for _, names := range [][]string{{"archive/data.pkl", "archive/data/0", "archive/version"}, {"g/version", "g/byteorder", "g/data.pkl"}} {
		var parts []string
		for _, name := range names {
			parts = append(parts, name, "\x80\x02}.")
		}
		_, err := Read([]File{{Name: "data.pt", Data: formatstest.Zip(t, zip.Store, parts...)}})
		if err == nil || !strings.HasPrefix(err.Error(), "data.pt: found a PyTorch file, expected arrays: ") {
			t.Error(err)
		}
	}
}
