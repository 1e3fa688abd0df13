package baseline

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/property"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// Graphs at the edge of what there may be are embedded all the same: without links between nodes, with features that are constant or each
// layer's own, and with fewer directions than columns.
func TestPooledAtTheEdges(t *testing.T) {
	const m = 12
	loop := must(multiplex.FromEdges(m, []multiplex.Edge{{I: 3, J: 3, Weight: 5}}))
	pair := must(multiplex.FromEdges(m, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 2}}))
	some := func(f int, of func(i, k int) float64) *multiplex.Features {
		x := make([]float64, m*f)
		for i := range x {
			x[i] = of(i/f, i%f)
		}
		return must(multiplex.DenseFeatures(m, f, x))
	}
	own := func(by float64) *multiplex.Features {
		return some(3, func(i, k int) float64 { return math.Cos(by * float64(i+7*k)) })
	}
	for _, c := range []struct {
		name string
		a, b *multiplex.CSR
		x, y *multiplex.Features
		rank int
	}{
		{"a link to itself and no features", loop, loop, multiplex.Identity(m), multiplex.Identity(m), 0},
		{"two links and no features", pair, loop, multiplex.Identity(m), multiplex.Identity(m), 2},
		{"constant features", pair, loop, some(1, func(int, int) float64 { return 2 }), nil, 1},
		{"constant features without links", loop, loop, some(1, func(int, int) float64 { return 2 }), nil, 0},
		{"features of their own", pair, pair, own(1), own(2), 6},
	} {
		if c.y == nil {
			c.y = c.x
		}
		g := &multiplex.Graph{Layers: []multiplex.Layer{{Name: "a", Adjacency: c.a, Features: c.x}, {Name: "b", Adjacency: c.b, Features: c.y}}}
		r := trained(t, "pooled", []*multiplex.Graph{g}, nil).Embeddings(0)[0]
		rank := 0
		for k := range 8 {
			if n := mat.Norm(r.X.ColView(k), 2); math.IsNaN(n) || n > 1e-9 {
				rank++
			}
		}
		if rows, cols := r.X.Dims(); rows != m || cols != 8 || r.Name != train.Fused || rank != c.rank || math.IsNaN(mat.Sum(r.X)) {
			t.Errorf("%s: %s is %d x %d of rank %d, expected rank %d", c.name, r.Name, rows, cols, rank, c.rank)
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// The closed form has rows of length 1 by its option; a checkpoint from before there was that option resumes as one with the usual value.
func TestRowScaleOfTheClosedForm(t *testing.T) {
	g := blocks(t, 16)
	unit := *g
	unit.Layers = append([]multiplex.Layer(nil), g.Layers...)
	for l, x := range multiplex.RowsOf(g.Layers, "unit") {
		unit.Layers[l].Features = x
	}
	hash := func(g *multiplex.Graph, scale string) string {
		return train.Hash(trained(t, "closed", []*multiplex.Graph{g}, map[string]any{"row_scale": scale, "dim": 2}).Embeddings(0))
	}
	if asked := hash(g, "unit"); asked != hash(&unit, "sum") || asked == hash(g, "sum") {
		t.Error("rows of length 1 by the option are not those that are so by themselves")
	}
	m := must(train.Lookup("closed"))
	old := *m
	old.Options = func() any {
		var fields []reflect.StructField
		for f := range reflect.TypeFor[ClosedOptions]().Fields() {
			if f.Name != "RowScale" {
				fields = append(fields, f)
			}
		}
		return reflect.New(reflect.StructOf(fields)).Interface()
	}
	run, before := must(train.Start(m, setupOf(t, m, g, 3))), setupOf(t, m, g, 3)
	before.Options = old.Options()
	property.Defaults(before.Options)
	var b bytes.Buffer
	if err := m.Format.Write(&b, &old, before, run); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(m, setupOf(t, m, g, 3), bytes.NewReader(b.Bytes())); err != nil {
		t.Error(err)
	}
	other := setupOf(t, m, g, 3)
	other.Options.(*ClosedOptions).RowScale = "unit"
	if _, err := Resume(m, other, bytes.NewReader(b.Bytes())); err == nil {
		t.Error("it resumes with rows of another length, too")
	}
}
