package worker

import (
	"math"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// What the program of other methods is handed of files is what the whole program opens of them, to the bit: weights or none, features of every
// kind, shared and not, labels with gaps, numbers that are not known, names and notes.
func TestGraphsAreHandedOver(t *testing.T) {
	edges := formats.File{Name: "a.edges", Data: []byte("1 a b 1\n1 b c 1\n2 a c 0.1\n2 c b 3\n2 d a 1e-3\n")}
	for name, files := range map[string][]formats.File{
		"links": {edges},
		"features, labels and numbers": {edges,
			{Name: "a.nodes", Data: []byte("node group age\na x 1.5\nb y nan\nc x 0.1\nd y 7\n")},
			{Name: "features.csv", Data: []byte("node,f1,f2\na,0.5,1\nb,2,0\nc,0,0.25\nd,1,1\n")}},
	} {
		specs, contents := run.InMemory(files)
		spec := run.DataSpec{Files: specs}
		want, err := contents.Open(&spec)
		if err != nil {
			t.Fatal(name, err)
		}
		slabs := make([]bridge.Slab, len(files))
		for i, f := range files {
			slabs[i] = bridge.Bytes("file:"+string(rune('0'+i)), f.Data)
		}
		ask, slabs := read(t, "graphs", asArgument(t, "data", spec), slabs...)
		c := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100)}
		w := newMethods(c.in, func() {})
		c.send("open", ask, slabs...)
		w.answer(w.next())
		got := w.data.Dataset
		if a, b := asArgument(t, "data", known(got)), asArgument(t, "data", known(want)); a != b {
			t.Errorf("%s: handed over as\n%s\nexpected\n%s", name, a, b)
		}
		if a, b := got.Graph.Layers, want.Graph.Layers; (a[0].Features == a[1].Features) != (b[0].Features == b[1].Features) {
			t.Errorf("%s: features are shared: %t, expected %t", name, a[0].Features == a[1].Features, b[0].Features == b[1].Features)
		}
	}
}

// known replaces NaN, which is no JSON.
func known(d *run.Dataset) *run.Dataset {
	for _, c := range d.Graph.Columns {
		for i, v := range c.Of {
			if math.IsNaN(v) {
				c.Of[i] = math.MaxFloat64
			}
		}
	}
	return d
}
