package frozen

import (
	"fmt"
	"io"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/property"
	"cadem.example/core/multiplex/fingerprint"
)

// Version is the version of the files of models.
const Version = 1

// About is the file's description as JSON.
type About struct {
	Kind        string         `json:"kind"` // nodes
	Version     int            `json:"version"`
	Data        string         `json:"data"`
	Fingerprint string         `json:"fingerprint"` // of the graph
	Options     map[string]any `json:"options"`     // of training
	Propagation string         `json:"propagation"`
	Dim         int            `json:"dim"`
	Rank        int            `json:"rank_S"`
	Nodes       []string       `json:"nodes"`
	Layers      []string       `json:"layers"`
	Features    int            `json:"features"`   // 0: nodes have none
	Directions  []int          `json:"directions"` // that were found of each layer, where inputs were trimmed or split; else none
	Shared      int            `json:"shared"`     // of them
	Split       bool           `json:"split"`
	Pool        []int          `json:"pool,omitempty"`   // split by evidence: layers with shared directions, from 0
	Pooled      int            `json:"pooled,omitempty"` // and how many of the directions of each of these, the last ones, give V
	Own         int            `json:"own,omitempty"`    // all layers together: how many of the layers, the last ones, are features as they are; else 0
	Labels      []Labels       `json:"labels"`           // of the nodes
	// How the run was scored: options, seed, and the macro-F1 of its classifier in the folds of each label set.
	Evaluation map[string]any     `json:"evaluation"`
	EvalSeed   uint64             `json:"eval_seed"`
	Scores     map[string]float64 `json:"scores"`
}

// Labels are a label set: the class of every node, -1 for none.
type Labels struct {
	Name    string   `json:"name"`
	Classes []string `json:"classes"`
	Of      []int    `json:"of"`
}

// A Saved is a model that has left its graph: it embeds nodes that it has never seen, by their links to those that it knows and by their
// features. docs/model.md lists its arrays.
type Saved struct {
	About
	Known Embedded // of the nodes of its graph

	layers []savedLayer
	meanS  []float64 // d
	j0     []float64 // shared: J of a node without links
	ends   []float64 // of a split by evidence: how many ends links have in every layer
	heads  [4][]float64
}

// A savedLayer reads a layer. Where nothing is trimmed or split a message is x U for C, P and S beside each other, 3 d; else it is x R,
// as long as there are directions.
type savedLayer struct {
	uc, up, us []float64 // inputs x d
	bc, bp     []float64 // d
	right      []float64 // features x directions: R
	mean       []float64 // directions: what is taken off B X R
	messages   []float64 // nodes x length of a message
	scales     []float64 // nodes x 2: what B multiplies rows and columns by, once and, as released, a second time
	// For split inputs; y are the directions of a node and J = J0 + sum over layers of y turn. J along is the common part, y - J along
	// + J hop the private one; for a split by evidence y + D_l^1/2 D_U^-1/2 J hop.
	turn, along, hop []float64 // directions x shared, shared x directions
}

// Embedded are embeddings of nodes, each nodes x d.
type Embedded struct {
	S    []float64
	C, P [][]float64 // of every layer
}

// inputs is the number of columns of the inputs of a layer's encoders.
func (a *About) inputs(l int) int {
	switch {
	case len(a.Directions) > 0:
		return a.Directions[l]
	case a.Features > 0:
		return a.Features
	}
	return len(a.Nodes)
}

// message is the length of a layer's messages.
func (a *About) message(l int) int {
	if len(a.Directions) > 0 {
		return a.Directions[l]
	}
	if a.Own > 0 {
		return a.Dim
	}
	return 3 * a.Dim
}

// A slot is an array of a file.
type slot struct {
	name       string
	to         *[]float64
	rows, cols int // cols -1: one dimension
}

func (q *slot) shape() []int {
	if q.cols < 0 {
		return []int{q.rows}
	}
	return []int{q.rows, q.cols}
}

// slots lists all arrays, for what About says.
func (s *Saved) slots() (all []slot) {
	m, d, n := len(s.Nodes), s.Dim, len(s.Layers)
	s.layers = append(s.layers, make([]savedLayer, n-len(s.layers))...)
	if s.Own > 0 {
		return s.slotsPooled()
	}
	s.Known.C = append(s.Known.C, make([][]float64, n-len(s.Known.C))...)
	s.Known.P = append(s.Known.P, make([][]float64, n-len(s.Known.P))...)
	add := func(name string, to *[]float64, rows, cols int) { all = append(all, slot{name, to, rows, cols}) }
	add("S", &s.Known.S, m, d)
	add("mean_S", &s.meanS, d, -1)
	phi, psi := d, d
	if s.Options["combine"] == "concat" {
		psi *= 2
	}
	add("phi", &s.heads[0], phi, n)
	add("phi_bias", &s.heads[1], n, -1)
	add("psi", &s.heads[2], psi, n)
	add("psi_bias", &s.heads[3], n, -1)
	if s.Split {
		add("J0", &s.j0, s.Shared, -1)
	}
	if s.Propagation == byEvidence {
		add("ends", &s.ends, n, -1)
	}
	for l := range s.layers {
		q, f, k := &s.layers[l], s.inputs(l), s.message(l)
		of := func(name string, to *[]float64, rows, cols int) { add(fmt.Sprintf("%s_%d", name, l+1), to, rows, cols) }
		of("C", &s.Known.C[l], m, d)
		of("P", &s.Known.P[l], m, d)
		of("U_common", &q.uc, f, d)
		of("b_common", &q.bc, d, -1)
		of("U_private", &q.up, f, d)
		of("b_private", &q.bp, d, -1)
		of("U_S", &q.us, f, d)
		of("messages", &q.messages, m, k)
		of("scales", &q.scales, m, 2)
		if len(s.Directions) == 0 {
			continue
		}
		of("mean", &q.mean, f, -1)
		if s.Features > 0 {
			of("R", &q.right, s.Features, f)
		}
		if s.Split {
			of("turn", &q.turn, f, s.Shared)
			of("along", &q.along, s.Shared, f)
			of("hop", &q.hop, s.Shared, f)
		}
	}
	return all
}

// Save returns the file of a model of one graph. The error is a [*diag.Error].
func (m *Model) Save() (*Saved, error) {
	o := &m.Maps.Options
	if len(m.Graphs) != 1 {
		return nil, &diag.Error{Where: "model", Found: fmt.Sprintf("%d graphs", len(m.Graphs)), Expected: "a model of one graph"}
	}
	g := m.Graphs[0]
	s := &Saved{About: About{Kind: "nodes", Version: Version, Data: g.Name, Fingerprint: fingerprint.Graph(g), Options: property.Values(o),
		Propagation: o.Propagation, Dim: m.d, Rank: m.Rank[0], Layers: g.LayerNames(), Split: o.Split != "off", Directions: []int{}, Labels: []Labels{},
		Evaluation: map[string]any{}, Scores: map[string]float64{}}}
	if !g.Layers[0].Features.IsIdentity() {
		s.Features = g.F()
	}
	for i := range g.M() {
		s.Nodes = append(s.Nodes, g.NodeName(i))
	}
	for _, l := range g.Labels {
		s.Labels = append(s.Labels, Labels{l.Name, l.Classes, l.Of})
	}
	switch {
	case s.Propagation == pooled:
		s.Own = m.own
		s.Fingerprint = fingerprint.Graph(m.pooled)
	case m.trail.Evidence != nil:
		m.saveByEvidence(s)
	case m.trail.Prepared != nil:
		for l := range m.layers {
			s.Directions = append(s.Directions, m.columns(l))
		}
		s.Shared = m.trail.Prepared[0].Shared
	}
	_ = s.slots()
	for i, h := range m.Maps.Heads {
		s.heads[2*i], s.heads[2*i+1] = h.W, h.B
	}
	c, err := m.of(0)
	if err != nil {
		return nil, err
	}
	var ys [][]float64
	s.meanS = c.mean
	if s.Known.S, err = m.Places(S, 0, 0); err != nil {
		return nil, err
	}
	if s.Own > 0 {
		m.savePooled(s, c)
		return s, nil
	}
	for l := range m.layers {
		s.Known.C[l], _ = m.Places(C, l, 0) // which prepare nothing
		s.Known.P[l], _ = m.Places(P, l, 0)
		if m.trail.Evidence != nil {
			m.layerByEvidence(s, l, c)
		} else {
			ys = append(ys, m.save(s, l, c))
		}
	}
	if s.Split && ys != nil {
		m.turn(s, ys)
	}
	return s, nil
}

// save fills in a layer, and returns its directions where inputs were split.
func (m *Model) save(s *Saved, l int, c *consensus) (y []float64) {
	q, n, d := &s.layers[l], m.nodes(), m.d
	q.uc, q.up, q.bc, q.bp = m.weights(l, int(C)), m.weights(l, int(P)), m.Maps.B[l][C], m.Maps.B[l][P]
	source := m.trail.Sources[0][l]
	for i := range n {
		first, second := source.B.Scales(i)
		q.scales = append(q.scales, first, second)
	}
	if m.trail.Prepared == nil {
		q.us = c.sums[l].parts[0].w
		for i := range n {
			for _, p := range []*part{m.layers[l].sums[C].parts[0], m.layers[l].sums[P].parts[0], c.sums[l].parts[0]} {
				q.messages = append(q.messages, p.g[i*d:(i+1)*d]...)
			}
		}
		return nil
	}
	prepared, f := &m.trail.Prepared[0].Layers[l], m.columns(l)
	q.us = c.in[l]
	right := &part{x: m.layers[l].features, w: prepared.Maps.Right}
	wide := &Model{d: f, rows: m.rows, Graphs: m.Graphs, layers: m.layers}
	wide.spread(right)
	q.messages, q.mean = right.g, make([]float64, f)
	if s.Features > 0 {
		q.right = right.w
	}
	if prepared.Target != nil {
		right.level = slices.Repeat([]float64{1}, n)
		wide.level(l, right)
		q.mean = right.mu[0]
	}
	if !s.Split {
		return nil
	}
	r := m.trail.Prepared[0]
	k := r.Shared
	y, q.along, q.hop = wide.place(l, &sum{parts: []*part{right}}), make([]float64, k*f), make([]float64, k*f)
	if k == 0 {
		return y
	}
	kernel.AddMulTrans(q.along, r.J, y, n, k, f)
	if h := prepared.Maps.Hop; h != nil { // J'B (I - J J') Y H
		x := slices.Clone(y)
		less(x, wide.along(&part{lots: m.lots}, x))
		kernel.AddMulTrans(q.hop, r.J, times(wide.propagated(l, x), h, n, f, f), n, k, f)
	}
	return y
}

// turn finds how directions of all layers turn into J, by least squares: J is in their span, less their means.
func (m *Model) turn(s *Saved, ys [][]float64) {
	n, k, all := m.nodes(), s.Shared, 0
	for _, f := range s.Directions {
		all += f
	}
	y, means, from := make([]float64, n*all), make([]float64, all), 0
	for l, f := range s.Directions {
		for i, v := range ys[l] {
			y[i/f*all+from+i%f] = v
			means[from+i%f] += v / float64(n)
		}
		from += f
	}
	for i := range y {
		y[i] -= means[i%all]
	}
	turn := make([]float64, all*k)
	if k > 0 {
		turn = leastSquares(y, m.trail.Prepared[0].J, n, all, k)
	}
	s.j0, from = make([]float64, k), 0
	for l, f := range s.Directions {
		s.layers[l].turn = turn[from*k : (from+f)*k]
		from += f
	}
	for c, v := range means {
		for i := range k {
			s.j0[i] -= float64(v * turn[c*k+i])
		}
	}
}

// Write writes a model as an archive of arrays of NumPy. Errors come from w.
func (s *Saved) Write(w io.Writer) error { return writeSlots(w, &s.About, s.slots()) }

// Read reads a model. The error is a [*diag.Error].
func Read(name string, data []byte) (*Saved, error) {
	bad := func(where, found, expected string) (*Saved, error) {
		return nil, diag.At(name, 0, where, found, expected)
	}
	s := &Saved{}
	arrays, err := openSlots(name, data, &s.About)
	if err != nil {
		return nil, err
	}
	m := len(s.Nodes)
	switch {
	case s.Kind == ofGraphs:
		return bad("kind", "encoders that graphs share", "a model of the nodes of one graph; \"cadem subjects\" asks this one")
	case s.Version != Version:
		return bad("version", fmt.Sprint(s.Version), fmt.Sprintf("%d, that of this program: save the model anew", Version))
	case s.Own < 0 || s.Own > 0 && s.Own >= len(s.Layers) || s.Own > 0 != (s.Propagation == pooled) || s.Own > 0 && (s.Split || len(s.Directions) > 0):
		return bad("own", fmt.Sprintf("%d of %d layers, with the propagation %s", s.Own, len(s.Layers), s.Propagation), "fewer, in a model of all layers together")
	case s.Propagation != "twice" && s.Propagation != "kipf" && s.Propagation != byEvidence && s.Own == 0:
		return bad("propagation", fmt.Sprintf("%q", s.Propagation), "twice or kipf, or evidence")
	case s.Propagation == byEvidence && (s.Features > 0 || !s.Split):
		return bad("propagation", fmt.Sprintf("evidence with %d features", s.Features), "inputs that are split, of nodes without features")
	case s.Pooled < 0 || slices.ContainsFunc(s.Pool, func(l int) bool { return l < 0 || l >= len(s.Directions) || s.Directions[l] < s.Pooled }):
		return bad("pool", fmt.Sprint(s.Pool), "layers with as many directions")
	case s.Dim < 1 || s.Dim > 256 || m < 2 || len(s.Layers) < 2:
		return bad("about", fmt.Sprintf("%d nodes, %d layers and embeddings of %d numbers", m, len(s.Layers), s.Dim), "at least 2, 2 and 1, and at most 256 numbers")
	case len(s.Directions) != 0 && len(s.Directions) != len(s.Layers), s.Split && len(s.Directions) == 0:
		return bad("directions", fmt.Sprint(len(s.Directions)), "one for each layer, or none")
	case s.Features < 0 || s.Shared < 0:
		return bad("about", "a size below 0", "sizes of 0 or more")
	}
	for _, l := range s.Labels {
		if len(l.Of) != m {
			return bad("labels "+l.Name, fmt.Sprint(len(l.Of)), fmt.Sprintf("%d, one a node", m))
		}
		for _, c := range l.Of {
			if c < -1 || c >= len(l.Classes) {
				return bad("labels "+l.Name, fmt.Sprint(c), "a class, or -1")
			}
		}
	}
	return s, fillSlots(name, arrays, s.slots())
}
