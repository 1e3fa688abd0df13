package baseline_test

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// drawnFor draws two layers of nodes, with features or without; the last node has no link to itself, another one has.
func drawnFor(t *testing.T, features bool) *multiplex.Graph {
	t.Helper()
	const m, f = 40, 9
	g, src, x := &multiplex.Graph{}, rng.New(5, "test/linear"), multiplex.Identity(m)
	if features {
		x = &multiplex.Features{Rows: m, Cols: f}
		for range m * f {
			x.Dense = append(x.Dense, src.Float64())
		}
	}
	for l := range 2 {
		edges := []multiplex.Edge{{I: 3, J: 3, Weight: 2}}
		for i := range m {
			for j := range i {
				if src.Float64() < .2 {
					edges = append(edges, multiplex.Edge{I: i, J: j, Weight: .5 + src.Float64()})
				}
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint("layer ", l), Adjacency: a, Features: x})
	}
	for i := range m {
		g.Nodes = append(g.Nodes, fmt.Sprint(i))
	}
	return g
}

// linearOf returns R of a graph, its map and its model.
func linearOf(t *testing.T, g *multiplex.Graph) (r *mat.Dense, w [][]float64, bias []float64, model *frozen.Model) {
	t.Helper()
	m, err := train.Lookup("pooled")
	if err != nil {
		t.Fatal(err)
	}
	o, _, err := m.Settings("")
	if err != nil {
		t.Fatal(err)
	}
	run, err := train.Start(m, &train.Setup{Graphs: []*multiplex.Graph{g}, Options: o, Precision: precision.Double})
	if err == nil {
		err = run.Step(nil)
	}
	if err == nil {
		w, bias = run.(interface {
			Linear() ([][]float64, []float64)
		}).Linear()
	}
	if err != nil {
		t.Fatal(err)
	}
	return run.Embeddings(0)[0].X, w, bias, frozen.Pooled(g, w, bias)
}

// forward returns R of a graph by the formula.
func forward(g *multiplex.Graph, w [][]float64, bias []float64) *mat.Dense {
	m, d := g.M(), len(bias)
	r, x := mat.NewDense(m, d, nil), multiplex.RowsOf(g.Layers, "unit")
	for v := range w {
		own := v >= g.N()
		features := x[v%g.N()]
		rows := mat.NewDense(m, d, nil)
		if features.IsIdentity() {
			rows.Copy(mat.NewDense(m, d, w[v]))
		} else {
			rows.Mul(mat.NewDense(m, features.Cols, features.Dense), mat.NewDense(features.Cols, d, w[v]))
		}
		if !own {
			b := mat.NewDense(m, m, multiplex.NewPropagator(g.Layers[v].Adjacency, multiplex.Looped).Product(multiplex.Identity(m)))
			rows.Mul(b, mat.DenseCopyOf(rows))
		}
		r.Add(r, rows)
	}
	r.Apply(func(_, c int, v float64) float64 { return v + bias[c] }, r)
	return r
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i, v := range want {
		if math.Abs(got[i]-v) > 1e-9*(1+math.Abs(v)) {
			t.Fatalf("%s: number %d is %v, expected %v", what, i, got[i], v)
		}
	}
}

// All layers together are one linear map: contributions add up to R exactly, with another link or feature R is that of a forward pass, and a node
// that comes under another name lands where it was.
func TestPooledIsLinear(t *testing.T) {
	for _, features := range []bool{true, false} {
		g := drawnFor(t, features)
		r, w, bias, model := linearOf(t, g)
		places, _ := model.Places(frozen.S, 0, 0)
		near(t, "places", places, r.RawMatrix().Data)
		near(t, "the formula", forward(g, w, bias).RawMatrix().Data, r.RawMatrix().Data)
		why, err := model.Why(frozen.S, 0, 0, 7)
		if err != nil {
			t.Fatal(err)
		}
		for _, terms := range [][]frozen.Term{why.ByNode(), why.ByLink(), why.ByFeature(), why.ByPair(), why.ByLayer()} {
			sum := append([]float64(nil), why.Mean...)
			for _, term := range terms {
				for k, x := range term.X {
					sum[k] += x
				}
			}
			near(t, "contributions", sum, r.RawRowView(7))
		}
		changed, err := model.WithLink(0, 1, 7, 8, 2.5)
		if err == nil && features {
			changed, err = changed.WithFeature(0, -1, 7, 2, 3)
		}
		if err != nil {
			t.Fatal(err)
		}
		after := *changed.Graphs[0]
		after.Layers = after.Layers[:g.N()] // without those of features as they are
		places, _ = changed.Places(frozen.S, 0, 0)
		near(t, "what if", places, forward(&after, w, bias).RawMatrix().Data)
		comesBack(t, g, model, features)
	}
}

// comesBack writes the model, reads it, and has a node come under another name.
func comesBack(t *testing.T, g *multiplex.Graph, model *frozen.Model, features bool) {
	t.Helper()
	saved, err := model.Save()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := saved.Write(&b); err != nil {
		t.Fatal(err)
	}
	read, err := frozen.Read("model.npz", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	again := *g
	again.Nodes = append([]string(nil), g.Nodes...)
	again.Nodes[9] = "new"
	found, err := read.Find(&again)
	if err != nil || len(found.Nodes) != 1 {
		t.Fatal(found, err)
	}
	place := read.Embed(found.Nodes).S
	sum := make([]float64, len(place))
	alone := frozen.Newcomer{Links: make([][]multiplex.Edge, 3), Features: [][]float64{make([]float64, 9), make([]float64, 9), make([]float64, 9)}}
	for k, v := range read.Embed([]frozen.Newcomer{alone}).S {
		sum[k] = v
	}
	for _, term := range read.Because(&found.Nodes[0]) {
		for k, x := range term.X {
			sum[k] += x
		}
	}
	near(t, "because", sum, place)
	if features { // without them what it adds of its own is not known
		near(t, "a node that comes back", place, read.Known.S[9*len(place):10*len(place)])
	}
}

// of1 is a training whose checkpoints hold the first array alone.
type of1 struct{ train.Training }

func (o of1) State() *train.State {
	s := *o.Training.State()
	s.Doubles = s.Doubles[:1]
	return &s
}

// Runs that were kept before checkpoints held the map find it again, and the same R.
func TestPooledRunsOfBefore(t *testing.T) {
	m, err := train.Lookup("pooled")
	if err != nil {
		t.Fatal(err)
	}
	g := drawnFor(t, true)
	o, _, err := m.Settings("")
	if err != nil {
		t.Fatal(err)
	}
	s := &train.Setup{Graphs: []*multiplex.Graph{g}, Options: o, Precision: precision.Double}
	run, err := train.Start(m, s)
	if err == nil {
		err = run.Step(nil)
	}
	var b bytes.Buffer
	if err == nil {
		err = m.Format.Write(&b, m, s, of1{run})
	}
	if err != nil {
		t.Fatal(err)
	}
	again, err := train.Start(m, s)
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.Format.Open(bytes.NewReader(b.Bytes()))
	if err == nil {
		err = c.Restore(again, m, s)
	}
	if err == nil {
		err = again.Step(nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got, want := again.State().Doubles, run.State().Doubles; !reflect.DeepEqual(got, want) {
		t.Error("another map")
	}
}
