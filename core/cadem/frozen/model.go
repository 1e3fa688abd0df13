package frozen

import (
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/cadem"
	"cadem.example/core/cadem/internal/inputs"
	"cadem.example/core/multiplex"
)

// ErrShape is the panic value when arguments do not fit the model.
const ErrShape diag.Misuse = "frozen: dimension mismatch"

// A Target is an embedding. S is of all layers, C and P of one.
type Target int

const (
	C Target = iota
	P
	S
)

// A Model is a training with its weights frozen, and its graphs. It is not safe for concurrent use.
type Model struct {
	Maps   *cadem.Maps
	Graphs []*multiplex.Graph
	Rank   []int // of S of every graph

	d         int
	rows      []int // first node of every graph, and the number of all
	trail     *inputs.Trail
	lots      []lot // nil: nothing is split
	layers    []*layer
	consensus []*consensus // of every graph, once it is asked for
	completed [][]float64  // of every graph: what completion adds to S, nodes x d; nil: nothing

	own    int              // layers of features as they are, of a model of all layers together
	pooled *multiplex.Graph // without them

	base *Model // that this is a change of; nil: none
	edit change // what it changes
}

// A lot is graphs that were split together, and J of their nodes.
type lot struct {
	from, to int
	j        []float64 // (to - from) x s
	s        int
}

// An operator spreads over the links of a layer of a graph: B, or the sparse part of L_l.
type operator struct {
	*multiplex.CSR
	known []float64 // of L_l: what is taken off
}

// Row returns columns and values.
func (o operator) Row(i int) ([]int32, []float64) {
	from, to := o.Start[i], o.Start[i+1]
	return o.Index[from:to], o.Value[from:to]
}

// A layer has the maps of its embeddings.
type layer struct {
	ops      []operator
	features []*multiplex.Features // of every graph
	sums     [2]*sum               // C and P, without bias
}

// A sum gives one embedding of a layer.
type sum struct {
	parts  []*part
	left   []float64 // nodes x d: what the parts leave of it; nil: nothing
	places []float64 // nodes x d: all of it; nil until it is asked for
}

// A kind is the way a part uses B X W, see the package.
type kind int

const (
	direct kind = iota
	shared
	own
	hopped
)

// A part is one term of a sum.
type part struct {
	kind  kind
	lots  []lot
	x     []*multiplex.Features // of every graph
	held  bool                  // x are directions, not the features of nodes
	w     []float64             // columns of X x d
	g     []float64             // nodes x d: X W
	level []float64             // nodes: what mu is taken off in proportion to; nil: nothing is taken off
	mu    [][]float64           // of every graph, d
}

// A consensus gives S of one graph.
type consensus struct {
	sums []*sum      // of every layer
	mean []float64   // d: of the sum of all sums
	in   [][]float64 // of every layer: what its inputs are multiplied by, columns x d
}

// New returns the model of a training, given the graphs it was trained on. Yield, which may be nil, is called while inputs that were
// trimmed or split are prepared again; its error ends that and is returned.
func New(t *cadem.Trainer, graphs []*multiplex.Graph, yield pause.Yield) (*Model, error) {
	trail, err := t.Trail(graphs, yield)
	if err != nil {
		return nil, err
	}
	m := &Model{Maps: t.Maps(), Graphs: graphs, rows: []int{0}, trail: trail, consensus: make([]*consensus, len(graphs))}
	m.d = m.Maps.Options.Dim
	for g, graph := range graphs {
		m.rows = append(m.rows, m.rows[g]+graph.M())
		m.Rank = append(m.Rank, t.Embeddings(g).Rank)
	}
	if trail.Made {
		m.byLinks()
	}
	if trail.Evidence == nil && m.Maps.Options.Split != "off" {
		for _, r := range trail.Prepared {
			from := 0
			if len(m.lots) > 0 {
				from = m.lots[len(m.lots)-1].to
			}
			m.lots = append(m.lots, lot{from, from + r.Rows[len(r.Rows)-1], r.J, r.Shared})
		}
	}
	for l := range m.Maps.U {
		q, err := m.layer(l, yield)
		if err != nil {
			return nil, err
		}
		m.layers = append(m.layers, q)
		for target := range q.sums {
			if q.sums[target], err = m.sum(l, Target(target), m.weights(l, target), yield); err != nil {
				return nil, err
			}
		}
	}
	if m.Maps.Options.Completion != "none" {
		m.complete(t)
	}
	return m, nil
}

// byLinks turns encoders of features made of links into encoders of nodes without features, Z U = B (X U): a row of X U for each node.
// All graphs have the same X then. Later questions keep these rows fixed: a changed link changes B, but not the features made of links.
func (m *Model) byLinks() {
	m.Maps.Live = append([][]int32(nil), m.Maps.Live...) // the training keeps its own
	for l := range m.Maps.U {
		p := &part{}
		for _, s := range m.trail.Sources {
			p.x = append(p.x, s[l].X)
		}
		var u [2][]float64
		for b := range u {
			p.w = m.weights(l, b)
			m.spread(p)
			u[b] = p.g[:m.rows[1]*m.d]
		}
		m.Maps.U[l], m.Maps.Live[l] = u, nil
		for i := range m.rows[1] {
			m.Maps.Live[l] = append(m.Maps.Live[l], int32(i))
		}
		for g := range m.trail.Sources {
			m.trail.Sources[g][l].X = multiplex.Identity(m.rows[1])
		}
	}
}

// nodes is the number of nodes in all graphs.
func (m *Model) nodes() int { return m.rows[len(m.rows)-1] }

// layer returns what its graphs have.
func (m *Model) layer(l int, yield pause.Yield) (*layer, error) {
	q := &layer{}
	if e := m.trail.Evidence; e != nil {
		q.ops, q.features = []operator{laplacian(m.trail.Layers[l])}, []*multiplex.Features{m.Graphs[0].Layers[l].Features}
	}
	for _, s := range m.trail.Sources {
		q.ops, q.features = append(q.ops, operator{CSR: s[l].B.Matrix()}), append(q.features, s[l].X)
	}
	return q, yield.At(1, 1)
}

// columns is the number of columns of the inputs of a layer's encoders.
func (m *Model) columns(l int) int {
	if m.trail.Prepared != nil {
		return m.trail.Prepared[0].Layers[l].F
	}
	return m.trail.Sources[0][l].X.Cols
}

// weights returns U of an encoder, over all columns of its inputs.
func (m *Model) weights(l, branch int) []float64 {
	u := make([]float64, m.columns(l)*m.d)
	for k, j := range m.Maps.Live[l] {
		copy(u[int(j)*m.d:][:m.d], m.Maps.U[l][branch][k*m.d:])
	}
	return u
}

// input returns the inputs of an encoder that were trimmed or split, nodes x columns.
func (m *Model) input(l int, of Target) (all []float64) {
	for _, r := range m.trail.Prepared {
		if of == P {
			all = append(all, r.Layers[l].Own...)
		} else {
			all = append(all, r.Layers[l].Common...)
		}
	}
	return all
}

// sum returns what makes the inputs of a layer times u (columns x d).
func (m *Model) sum(l int, of Target, u []float64, yield pause.Yield) (*sum, error) {
	s := &sum{}
	switch {
	case m.trail.Evidence != nil:
		parts, err := m.byEvidence(l, of, u, yield)
		if err != nil {
			return nil, err
		}
		s.parts = parts
	case m.trail.Prepared != nil:
		s.parts = m.bySplit(l, of, u)
	default:
		s.parts = []*part{{x: m.layers[l].features, w: u}}
	}
	for _, p := range s.parts {
		m.spread(p)
		m.level(l, p)
	}
	if err := yield.At(1, 1); err != nil || m.trail.Prepared == nil {
		return s, err
	}
	f := m.columns(l)
	made, place := m.place(l, s), times(m.input(l, of), u, m.nodes(), f, m.d)
	s.left = place
	for i, v := range made {
		s.left[i] -= v
	}
	return s, yield.At(1, 1)
}

// bySplit returns the parts of inputs that package split prepared.
func (m *Model) bySplit(l int, of Target, u []float64) (parts []*part) {
	first, x := &m.trail.Prepared[0].Layers[l], m.layers[l].features
	f, columns := first.F, x[0].Cols
	kinds := []kind{direct}
	if m.lots != nil {
		kinds = [][]kind{C: {shared}, P: {own, hopped}, S: {shared}}[of]
	}
	for _, k := range kinds {
		u := u
		if k == hopped {
			if first.Maps.Hop == nil {
				continue
			}
			u = times(first.Maps.Hop, u, f, f, m.d)
		}
		p := &part{kind: k, lots: m.lots, x: x, w: times(first.Maps.Right, u, columns, f, m.d)}
		if first.Target != nil { // inputs that are whole keep their means
			p.level = slices.Repeat([]float64{1}, m.nodes())
		}
		parts = append(parts, p)
	}
	return parts
}

// spread forms X W.
func (m *Model) spread(p *part) {
	p.g = make([]float64, m.nodes()*m.d)
	for g := range m.Graphs {
		for i := range m.Graphs[g].M() {
			p.row(i, g, p.g[(m.rows[g]+i)*m.d:][:m.d])
		}
	}
}

// row adds x_i W of a node of a graph.
func (p *part) row(i, g int, dst []float64) {
	entries(p.x[g], i, func(f int, v float64) {
		for k, w := range p.w[f*len(dst):][:len(dst)] {
			dst[k] += float64(v * w)
		}
	})
}

// entries calls do with the entries of row i of features.
func entries(x *multiplex.Features, i int, do func(f int, v float64)) {
	switch {
	case x.Dense != nil:
		for f, v := range x.Dense[i*x.Cols : (i+1)*x.Cols] {
			if v != 0 {
				do(f, v)
			}
		}
	case x.Sparse != nil:
		for k := x.Sparse.Start[i]; k < x.Sparse.Start[i+1]; k++ {
			v := 1.0
			if x.Sparse.Value != nil {
				v = x.Sparse.Value[k]
			}
			do(int(x.Sparse.Index[k]), v)
		}
	default:
		do(i, 1)
	}
}

// level finds the mu of a part: the means of B X W, or k'X W of evidence.
func (m *Model) level(l int, p *part) {
	if p.level == nil {
		return
	}
	p.mu = nil
	z := p.g
	if !p.held {
		z = m.propagated(l, p.g)
	}
	for g := range m.Graphs {
		mu := make([]float64, m.d)
		for i := m.rows[g]; i < m.rows[g+1]; i++ {
			for k := range mu {
				mu[k] += float64(p.level[i] * z[i*m.d+k])
			}
		}
		if !p.held {
			for k := range mu {
				mu[k] /= float64(m.rows[g+1] - m.rows[g])
			}
		}
		p.mu = append(p.mu, mu)
	}
}

// propagated returns B x, nodes x d.
func (m *Model) propagated(l int, x []float64) []float64 {
	y := make([]float64, len(x))
	for g, op := range m.layers[l].ops {
		from, to := m.rows[g]*m.d, m.rows[g+1]*m.d
		kernel.SparseMul(y[from:to], op.Start, op.Index, op.Value, x[from:to], m.d)
	}
	return y
}

// along returns J J'x, nodes x d.
func (m *Model) along(p *part, x []float64) []float64 {
	y := make([]float64, len(x))
	for _, q := range p.lots {
		if q.s == 0 {
			continue
		}
		n, part := q.to-q.from, x[q.from*m.d:q.to*m.d]
		h := make([]float64, q.s*m.d)
		kernel.AddMulTrans(h, q.j, part, n, q.s, m.d)
		kernel.Mul(y[q.from*m.d:q.to*m.d], q.j, h, n, q.s, m.d)
	}
	return y
}

// less takes y off x.
func less(x, y []float64) {
	for i, v := range y {
		x[i] -= v
	}
}

// place returns the sum over the parts, nodes x d, with what is left.
func (m *Model) place(l int, s *sum) []float64 {
	all := make([]float64, m.nodes()*m.d)
	copy(all, s.left)
	for _, p := range s.parts {
		q := m.propagated(l, p.g)
		for g := range p.mu {
			for i := m.rows[g]; i < m.rows[g+1]; i++ {
				for k, v := range p.mu[g] {
					q[i*m.d+k] -= float64(p.level[i] * v)
				}
			}
		}
		switch p.kind {
		case shared:
			q = m.along(p, q)
		case own:
			less(q, m.along(p, q))
		case hopped:
			less(q, m.along(p, q))
			q = m.along(p, m.propagated(l, q))
		}
		kernel.AddScaled(all, q, 1)
	}
	return all
}

// made returns the places of a sum, which are kept.
func (m *Model) made(l int, s *sum) []float64 {
	if s.places == nil {
		s.places = m.place(l, s)
	}
	return s.places
}

// times returns a (n x k) times b (k x d).
func times(a, b []float64, n, k, d int) []float64 {
	x := make([]float64, n*d)
	if k > 0 {
		kernel.Mul(x, a, b, n, k, d)
	}
	return x
}

// of returns what makes S of a graph, found once.
func (m *Model) of(g int) (*consensus, error) {
	if m.consensus[g] != nil {
		return m.consensus[g], nil
	}
	if m.base != nil {
		c, err := m.base.of(g)
		if err != nil {
			return nil, err
		}
		n := &consensus{sums: slices.Clone(c.sums), mean: c.mean, in: c.in}
		for _, l := range m.edit.layers(len(m.layers)) {
			n.sums[l] = m.follow(l, c.sums[l])
		}
		m.consensus[g] = n
		return n, nil
	}
	d, from, to := m.d, m.rows[g], m.rows[g+1]
	t, maps := make([]float64, (to-from)*d), [][]float64{}
	for l, q := range m.layers {
		u := m.weights(l, int(C))
		if m.Maps.Options.Target == "power" {
			u = m.powered(l, g)
		}
		maps = append(maps, u)
		made := q.sums[C]
		if m.Maps.Options.Target == "power" {
			var err error
			if made, err = m.sum(l, S, u, nil); err != nil {
				return nil, err
			}
		}
		kernel.AddScaled(t, m.made(l, made)[from*d:to*d], 1)
	}
	linalg.Centre(t, d)
	k := m.whitening(t, m.Rank[g])
	c := &consensus{mean: make([]float64, d)}
	for l, u := range maps {
		c.in = append(c.in, times(u, k, len(u)/d, d, d))
		s, err := m.sum(l, S, c.in[l], nil)
		if err != nil {
			return nil, err
		}
		for i, v := range m.made(l, s)[from*d : to*d] {
			c.mean[i%d] += v / float64(to-from)
		}
		c.sums = append(c.sums, s)
	}
	m.consensus[g] = c
	return c, nil
}

// powered returns Z_l'(C_l - means) of a graph, Z_l being the inputs of the common encoder: columns x d.
func (m *Model) powered(l, g int) []float64 {
	d, from, to := m.d, m.rows[g], m.rows[g+1]
	y := make([]float64, m.nodes()*d)
	copy(y[from*d:], m.made(l, m.layers[l].sums[C])[from*d:to*d])
	linalg.Centre(y[from*d:to*d], d)
	f := m.columns(l)
	v := make([]float64, f*d)
	if m.trail.Prepared != nil {
		kernel.AddMulTrans(v, m.input(l, C)[from*f:to*f], y[from*d:to*d], to-from, f, d)
		return v
	}
	y = m.propagated(l, y) // B is symmetric
	for i := from; i < to; i++ {
		entries(m.layers[l].features[g], i-from, func(f int, x float64) {
			for k := range d {
				v[f*d+k] += float64(x * y[i*d+k])
			}
		})
	}
	return v
}

// whitening returns K (d x d) such that S = T K, the polar factor of T (nodes x d) times its scale, over that number of directions.
func (m *Model) whitening(t []float64, rank int) []float64 {
	d, n := m.d, len(t)/m.d
	s := linalg.NewSVD(max(n, d), d)
	copy(s.A, t)
	_ = s.Decompose(nil)
	right, scale := make([]float64, d*d), 1.0
	s.Right(right, d)
	if m.Maps.Options.TargetScale == "nodes" {
		scale = root(n)
	}
	k := make([]float64, d*d)
	for r := range rank {
		if s.Singular[r] == 0 {
			break
		}
		for i := range d {
			for j := range d {
				k[i*d+j] += float64(float64(scale/s.Singular[r]*right[i*d+r]) * right[j*d+r])
			}
		}
	}
	return k
}

// complete finds what completion adds to S.
func (m *Model) complete(t *cadem.Trainer) {
	for g := range m.Graphs {
		rest := slices.Clone(t.Embeddings(g).Consensus.RawMatrix().Data)
		linear, err := m.Places(S, 0, g)
		if err != nil {
			panic(err) // nothing is prepared, and nobody stops it
		}
		less(rest, linear)
		m.completed = append(m.completed, rest)
	}
}

// Places returns an embedding of graph g, nodes x d, of layer l unless it is S. Nothing interrupts it, so that the error is nil.
func (m *Model) Places(of Target, l, g int) ([]float64, error) {
	d, from, to := m.d, m.rows[g], m.rows[g+1]
	if of != S {
		x := slices.Clone(m.made(l, m.layers[l].sums[of])[from*d : to*d])
		for i := range x {
			x[i] += m.Maps.B[l][of][i%d]
		}
		return x, nil
	}
	c, err := m.of(g)
	if err != nil {
		return nil, err
	}
	x := make([]float64, (to-from)*d)
	for l, s := range c.sums {
		kernel.AddScaled(x, m.made(l, s)[from*d:to*d], 1)
	}
	for i := range x {
		x[i] -= c.mean[i%d]
	}
	if g < len(m.completed) {
		kernel.AddScaled(x, m.completed[g], 1)
	}
	return x, nil
}
