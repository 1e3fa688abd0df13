package frozen

import (
	"fmt"
	"io"
	"math"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
	"cadem.example/core/base/property"
	"cadem.example/core/formats/npy"
	"cadem.example/core/multiplex"
)

// ofGraphs is the kind of a file of encoders that graphs share.
const ofGraphs = "graphs"

// AboutEncoders is the file's description as JSON.
type AboutEncoders struct {
	Kind        string         `json:"kind"` // graphs
	Version     int            `json:"version"`
	Data        string         `json:"data"`
	Options     map[string]any `json:"options"` // of training
	Propagation string         `json:"propagation"`
	Dim         int            `json:"dim"`
	Layers      []string       `json:"layers"`
	Features    int            `json:"features"`
	Graphs      []string       `json:"graphs"`  // that were trained on
	Classes     []string       `json:"classes"` // of graphs
	Class       []int          `json:"class"`   // of every graph; none where there are no classes
	Group       []int          `json:"group"`   // those of one are held out together
}

// Encoders are the part of a training that graphs share: they embed graphs that it has never seen. Each graph has C_l and P_l of its own
// nodes. It is distinguished from others by their sums over the nodes, which are linear in the sums of Z.
type Encoders struct {
	AboutEncoders
	Pooled []float64 // of every graph that was trained on: sums over nodes of C_1, P_1, C_2, ...: graphs x 2 layers d
	Means  []float64 // means of Z over nodes: graphs x layers F

	layers []savedLayer
}

// Width is the number of sums of a graph.
func (e *Encoders) Width() int { return 2 * len(e.Layers) * e.Dim }

// Encoders returns the encoders of a model of several graphs for a file. The error is a [*diag.Error].
func (m *Model) Encoders() (*Encoders, error) {
	o, first := &m.Maps.Options, m.Graphs[0]
	if m.trail.Prepared != nil {
		return nil, &diag.Error{Where: "model", Found: "inputs that were trimmed or split",
			Expected: "a preset that takes Z as it is, released or printed: what refined and evidence find belongs to the graphs that it was found on"}
	}
	if first.Layers[0].Features.IsIdentity() {
		return nil, &diag.Error{Where: "model", Found: "nodes without features",
			Expected: "nodes with features: without any, encoders know each node by itself, and nothing of those of other graphs"}
	}
	e := &Encoders{AboutEncoders: AboutEncoders{Kind: ofGraphs, Version: Version, Options: property.Values(o), Propagation: o.Propagation, Dim: m.d,
		Layers: first.LayerNames(), Features: first.F(), Classes: []string{}, Class: []int{}, Group: []int{}}}
	for l := range m.layers {
		e.layers = append(e.layers, savedLayer{uc: m.weights(l, int(C)), up: m.weights(l, int(P)), bc: m.Maps.B[l][C], bp: m.Maps.B[l][P]})
	}
	for _, g := range m.Graphs {
		s, err := e.Embed(g)
		if err != nil {
			return nil, err
		}
		e.Graphs, e.Pooled, e.Means = append(e.Graphs, g.Name), append(e.Pooled, s.Pooled()...), append(e.Means, s.Means...)
	}
	return e, nil
}

// A Subject is a graph as encoders see it.
type Subject struct {
	Nodes int
	C, P  [][]float64 // of every layer, nodes x d
	Means []float64   // of Z over the nodes, layers x F
	d     int
}

// Row returns C_1, P_1, C_2, ... of a node, a list of 2 d numbers for each layer.
func (s *Subject) Row(node int) (x []float64) {
	for l := range s.C {
		x = append(append(x, s.C[l][node*s.d:(node+1)*s.d]...), s.P[l][node*s.d:(node+1)*s.d]...)
	}
	return x
}

// Pooled returns the sum of all rows.
func (s *Subject) Pooled() []float64 {
	x := make([]float64, 2*len(s.C)*s.d)
	for i := range s.Nodes {
		addTo(x, s.Row(i))
	}
	return x
}

// Embed embeds a graph. Its layers are found by their names, wherever both have some. The error is a [*diag.Error].
func (e *Encoders) Embed(g *multiplex.Graph) (*Subject, error) {
	bad := func(where, found, expected string) (*Subject, error) {
		return nil, &diag.Error{Where: where, Found: found, Expected: expected}
	}
	if len(g.Layers) != len(e.Layers) {
		return bad("layers", fmt.Sprint(len(g.Layers)), fmt.Sprintf("the %d of the model: %q", len(e.Layers), e.Layers))
	}
	s := &Subject{Nodes: g.M(), d: e.Dim}
	for l, name := range e.Layers {
		k := slices.IndexFunc(g.Layers, func(x multiplex.Layer) bool { return x.Name == name })
		if k < 0 {
			return bad("layers", fmt.Sprintf("%q", g.LayerNames()), fmt.Sprintf("those of the model, %q: there is no %q", e.Layers, name))
		}
		x, f := g.Layers[k].Features, e.Features
		switch {
		case x.IsIdentity():
			return bad("features", "none", fmt.Sprintf("%d, as in training", f))
		case x.Cols != f:
			return bad("features", fmt.Sprint(x.Cols), fmt.Sprintf("%d, as in training", f))
		}
		z := multiplex.NewPropagator(g.Layers[k].Adjacency, multiplex.KindOf(e.Propagation)).Product(x)
		means := make([]float64, f)
		for i, v := range z {
			means[i%f] += v / float64(s.Nodes)
		}
		q := &e.layers[l]
		c, p := times(z, q.uc, s.Nodes, f, e.Dim), times(z, q.up, s.Nodes, f, e.Dim)
		for i := range c {
			c[i] += q.bc[i%e.Dim]
			p[i] += q.bp[i%e.Dim]
		}
		s.C, s.P, s.Means = append(s.C, c), append(s.P, p), append(s.Means, means...)
	}
	return s, nil
}

// slots lists all arrays, for what is said in words.
func (e *Encoders) slots() (all []slot) {
	d, n := e.Dim, len(e.Layers)
	e.layers = append(e.layers, make([]savedLayer, n-len(e.layers))...)
	all = []slot{{"pooled", &e.Pooled, len(e.Graphs), e.Width()}, {"means_Z", &e.Means, len(e.Graphs), n * e.Features}}
	for l := range e.layers {
		q := &e.layers[l]
		for _, s := range []slot{{"U_common", &q.uc, e.Features, d}, {"b_common", &q.bc, d, -1}, {"U_private", &q.up, e.Features, d}, {"b_private", &q.bp, d, -1}} {
			s.name = fmt.Sprintf("%s_%d", s.name, l+1)
			all = append(all, s)
		}
	}
	return all
}

// Write writes encoders as an archive of arrays of NumPy. Errors come from w.
func (e *Encoders) Write(w io.Writer) error { return writeSlots(w, &e.AboutEncoders, e.slots()) }

// ReadEncoders reads them. The error is a [*diag.Error].
func ReadEncoders(name string, data []byte) (*Encoders, error) {
	e := &Encoders{}
	arrays, err := openSlots(name, data, &e.AboutEncoders)
	if err != nil {
		return nil, err
	}
	bad := func(where, found, expected string) (*Encoders, error) {
		return nil, diag.At(name, 0, where, found, expected)
	}
	n := len(e.Graphs)
	switch {
	case e.Kind != ofGraphs:
		return bad("kind", "a model of the nodes of one graph", "one of graphs, as \"cadem subjects -model FILE\" writes it; \"cadem apply\" asks this one")
	case e.Version != Version:
		return bad("version", fmt.Sprint(e.Version), fmt.Sprintf("%d, that of this program: save the model anew", Version))
	case e.Propagation != "twice" && e.Propagation != "kipf":
		return bad("propagation", fmt.Sprintf("%q", e.Propagation), "twice or kipf")
	case e.Dim < 1 || e.Dim > 256 || len(e.Layers) < 1 || e.Features < 1 || e.Features > math.MaxInt32 || n < 1:
		return bad("about", fmt.Sprintf("%d graphs, %d layers, %d features and embeddings of %d numbers", n, len(e.Layers), e.Features, e.Dim),
			"at least 1 of each, and at most 256 numbers")
	case len(e.Class) != n && len(e.Class)+len(e.Classes) > 0 || len(e.Group) != n:
		return bad("class", fmt.Sprintf("%d classes and %d groups", len(e.Class), len(e.Group)), fmt.Sprintf("%d, one a graph", n))
	}
	for _, c := range e.Class {
		if c < 0 || c >= len(e.Classes) {
			return bad("class", fmt.Sprint(c), fmt.Sprintf("one of %d", len(e.Classes)))
		}
	}
	return e, fillSlots(name, arrays, e.slots())
}

// writeSlots writes what is said in words, and arrays.
func writeSlots(w io.Writer, about any, slots []slot) error {
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	list := []npy.Named{{Name: "about", Array: &npy.Array{Shape: []int{len(text)}, Data: text}}}
	for _, q := range slots {
		list = append(list, npy.Named{Name: q.name, Array: &npy.Array{Shape: q.shape(), Data: *q.to}})
	}
	return npy.WriteNPZ(w, list)
}

const aModel = "a model, as \"cadem train -model FILE\" writes it"

// openSlots reads what is said in words.
func openSlots(name string, data []byte, about any) (map[string]*npy.Array, error) {
	bad := func(where, found string) (map[string]*npy.Array, error) {
		return nil, diag.At(name, 0, where, found, aModel)
	}
	arrays, err := npy.OpenNPZ(name, data)
	if err != nil {
		return nil, err
	}
	a, ok := arrays["about"]
	if !ok {
		return bad("", "an archive without an array \"about\"")
	}
	text, ok := a.Data.([]byte)
	if !ok {
		return bad("about", "numbers")
	}
	if err := json.Unmarshal(text, about); err != nil {
		return bad("about", err.Error())
	}
	return arrays, nil
}

// fillSlots takes arrays, which have to be there in their shapes, of finite numbers.
func fillSlots(name string, arrays map[string]*npy.Array, slots []slot) error {
	for _, q := range slots {
		bad := func(found, expected string) error {
			return diag.At(name, 0, q.name, found, expected)
		}
		a, ok := arrays[q.name]
		if !ok {
			return bad("no such array", aModel)
		}
		if !slices.Equal(a.Shape, q.shape()) {
			return bad(fmt.Sprintf("an array of the shape %v", a.Shape), fmt.Sprint(q.shape()))
		}
		x := a.Float64s()
		for _, v := range x {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return bad(fmt.Sprint(v), "finite numbers")
			}
		}
		*q.to = x
	}
	return nil
}
