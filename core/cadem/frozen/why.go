package frozen

import (
	"cmp"
	"math"
	"slices"

	"cadem.example/core/base/sorting"
)

// A Why is a place, with what makes it.
type Why struct {
	Target      Target
	Layer       int // -1 of S
	Graph, Node int
	Place       []float64 // of length d
	// All are of length d. Bias is b, and Mean the means subtracted. Left is the residual of the iteration that found directions, and completion.
	Bias, Mean, Left []float64

	m      *Model
	pieces []piece
}

// A piece is a part's contribution by node, all graphs one after the other.
type piece struct {
	layer  int
	part   *part
	nodes  []int
	weight []float64
}

// A Term is one contribution. Graph and Node are the contributing node, Feature its feature, and Layer the layer; -1: all of them. For
// features of evidence, and of nodes without any, Feature is a direction or the node.
type Term struct {
	Graph, Node, Feature, Layer int

	X     []float64 // of length d
	Share float64   // of the place: X along it, in units of its length; those of all terms and of bias, means and residual add up to 1
}

// Why returns what makes the place of a node of a graph. Layer is not looked at for S. Nothing interrupts it, so that the error
// is nil.
func (m *Model) Why(of Target, l, g, node int) (*Why, error) {
	w := &Why{Target: of, Layer: l, Graph: g, Node: node, m: m, Place: make([]float64, m.d),
		Bias: make([]float64, m.d), Mean: make([]float64, m.d), Left: make([]float64, m.d)}
	at := m.rows[g] + node
	if of != S {
		copy(w.Bias, m.Maps.B[l][of])
		w.add(l, m.layers[l].sums[of], at)
	} else {
		c, err := m.of(g)
		if err != nil {
			return nil, err
		}
		w.Layer = -1
		less(w.Mean, c.mean)
		for l, s := range c.sums {
			w.add(l, s, at)
		}
		if g < len(m.completed) {
			for k := range w.Left {
				w.Left[k] += m.completed[g][node*m.d+k]
			}
		}
	}
	for _, x := range [][]float64{w.Bias, w.Mean, w.Left} {
		w.addTo(w.Place, x, 1)
	}
	for _, p := range w.pieces {
		for n, j := range p.nodes {
			w.addTo(w.Place, p.part.g[j*m.d:(j+1)*m.d], p.weight[n])
		}
	}
	return w, nil
}

func (w *Why) addTo(dst, x []float64, by float64) {
	for k, v := range x {
		dst[k] += float64(by * v)
	}
}

// add adds the parts of a sum, of the node at a row.
func (w *Why) add(l int, s *sum, at int) {
	m := w.m
	if s.left != nil {
		w.addTo(w.Left, s.left[at*m.d:(at+1)*m.d], 1)
	}
	for _, p := range s.parts {
		q := piece{layer: l, part: p}
		if p.kind == direct {
			from := m.rows[w.Graph]
			index, values := m.layers[l].ops[w.Graph].Row(w.Node)
			for n, j := range index {
				q.nodes, q.weight = append(q.nodes, from+int(j)), append(q.weight, values[n])
			}
			w.off(p, []int{at}, []float64{1})
		} else {
			rows := m.over(l, p, at)
			w.off(p, nil, rows)
			for j, v := range m.row(l, rows) {
				if v != 0 {
					q.nodes, q.weight = append(q.nodes, j), append(q.weight, v)
				}
			}
		}
		w.pieces = append(w.pieces, q)
	}
}

// off subtracts the means of a part, each times its weight: for some nodes, or for all.
func (w *Why) off(p *part, nodes []int, weight []float64) {
	if p.mu == nil {
		return
	}
	g := 0
	for n, v := range weight {
		i := n
		if nodes != nil {
			i = nodes[n]
		}
		for i >= w.m.rows[g+1] {
			g++
		}
		w.addTo(w.Mean, p.mu[g], -float64(v*p.level[i]))
	}
}

// over returns how much of every row of B X W the row at has, in a part that is not direct.
func (m *Model) over(l int, p *part, at int) []float64 {
	e := make([]float64, m.nodes())
	e[at] = 1
	a := m.turned(p, e)
	switch p.kind {
	case own:
		less(e, a)
		return e
	case hopped:
		b := m.row(l, a)
		less(b, m.turned(p, b))
		return b
	}
	return a
}

// turned returns J J'x of numbers of the nodes.
func (m *Model) turned(p *part, x []float64) []float64 {
	y := make([]float64, len(x))
	for _, q := range p.lots {
		h := make([]float64, q.s)
		for i := q.from; i < q.to; i++ {
			if v := x[i]; v != 0 {
				for k, j := range q.j[(i-q.from)*q.s:][:q.s] {
					h[k] += float64(v * j)
				}
			}
		}
		for i := q.from; i < q.to; i++ {
			for k, j := range q.j[(i-q.from)*q.s:][:q.s] {
				y[i] += float64(h[k] * j)
			}
		}
	}
	return y
}

// row returns B x of numbers of the nodes; B is symmetric.
func (m *Model) row(l int, x []float64) []float64 {
	y := make([]float64, len(x))
	for g, op := range m.layers[l].ops {
		from := m.rows[g]
		for i := from; i < m.rows[g+1]; i++ {
			index, values := op.Row(i - from)
			for n, j := range index {
				y[i] += float64(values[n] * x[from+int(j)])
			}
		}
	}
	return y
}

// share returns x along the place, in units of its length.
func (w *Why) share(x []float64) float64 {
	along, all := 0.0, 0.0
	for k, v := range w.Place {
		along, all = along+float64(v*x[k]), all+float64(v*v)
	}
	if all == 0 {
		return 0
	}
	return along / all
}

// A gathering adds up contributions under keys, in the order of their first occurrence.
type gathering struct {
	w     *Why
	terms []Term
	at    map[[3]int]int
}

func (s *gathering) add(key [3]int, t Term, x []float64, by float64) {
	at, ok := s.at[key]
	if !ok {
		at = len(s.terms)
		s.at[key] = at
		t.X = make([]float64, s.w.m.d)
		s.terms = append(s.terms, t)
	}
	s.w.addTo(s.terms[at].X, x, by)
}

func (s *gathering) all() []Term {
	for i := range s.terms {
		s.terms[i].Share = s.w.share(s.terms[i].X)
	}
	return s.terms
}

func (w *Why) gather() *gathering { return &gathering{w: w, at: map[[3]int]int{}} }

// each calls do with every node that a piece has.
func (w *Why) each(do func(p *piece, graph, j int, weight float64)) {
	for i := range w.pieces {
		p, g := &w.pieces[i], 0
		for n, j := range p.nodes {
			for j >= w.m.rows[g+1] {
				g++
			}
			do(p, g, j, p.weight[n])
		}
	}
}

// ByNode returns the contributions of the nodes that reach the place.
func (w *Why) ByNode() []Term {
	s := w.gather()
	w.each(func(p *piece, g, j int, v float64) {
		s.add([3]int{j}, Term{Graph: g, Node: j - w.m.rows[g], Feature: -1, Layer: w.Layer}, p.part.g[j*w.m.d:(j+1)*w.m.d], v)
	})
	return s.all()
}

// ByLink returns the contributions of the nodes that reach the place, in every layer by itself.
func (w *Why) ByLink() []Term {
	s := w.gather()
	w.each(func(p *piece, g, j int, v float64) {
		s.add([3]int{p.layer, j}, Term{Graph: g, Node: j - w.m.rows[g], Feature: -1, Layer: p.layer}, p.part.g[j*w.m.d:(j+1)*w.m.d], v)
	})
	return s.all()
}

// ByLayer returns the contributions of the layers; there is one except for S.
func (w *Why) ByLayer() []Term {
	s := w.gather()
	w.each(func(p *piece, g, j int, v float64) {
		s.add([3]int{p.layer}, Term{Graph: -1, Node: -1, Feature: -1, Layer: p.layer}, p.part.g[j*w.m.d:(j+1)*w.m.d], v)
	})
	return s.all()
}

// ByGroup returns the contributions of groups of nodes, of[g] being those of graph g; Node is the group.
func (w *Why) ByGroup(of [][]int) []Term {
	s := w.gather()
	w.each(func(p *piece, g, j int, v float64) {
		group := of[g][j-w.m.rows[g]]
		s.add([3]int{group}, Term{Graph: -1, Node: group, Feature: -1, Layer: w.Layer}, p.part.g[j*w.m.d:(j+1)*w.m.d], v)
	})
	return s.all()
}

// ByFeature returns the contributions of features, in layers of their own for S.
func (w *Why) ByFeature() []Term { return w.features(false) }

// ByPair returns the contributions of features of nodes, in layers of their own for S.
func (w *Why) ByPair() []Term { return w.features(true) }

func (w *Why) features(pairs bool) []Term {
	s := w.gather()
	w.each(func(p *piece, g, j int, v float64) {
		i := j - w.m.rows[g]
		entries(p.part.x[g], i, func(f int, x float64) {
			key, t := [3]int{p.layer, f}, Term{Graph: -1, Node: -1, Feature: f, Layer: p.layer}
			if pairs {
				key[2], t.Graph, t.Node = j, g, i
			}
			s.add(key, t, p.part.w[f*w.m.d:(f+1)*w.m.d], float64(v*x))
		})
	})
	return s.all()
}

// Strongest parts terms into the k that are longest, in falling order, and the sum of the rest.
func (w *Why) Strongest(terms []Term, k int) (first []Term, rest Term) {
	length := func(t *Term) (sum float64) {
		for _, v := range t.X {
			sum += float64(v * v)
		}
		return sum
	}
	first = slices.Clone(terms)
	sorting.Stable(first, func(a, b Term) int { return cmp.Compare(length(&b), length(&a)) })
	rest = Term{Graph: -1, Node: -1, Feature: -1, Layer: w.Layer, X: make([]float64, w.m.d)}
	for n := k; n < len(first); n++ {
		w.addTo(rest.X, first[n].X, 1)
	}
	rest.Share = w.share(rest.X)
	return first[:min(k, len(first))], rest
}

// Shares of bias, means and residual.
func (w *Why) Shares() (bias, mean, left float64) {
	return w.share(w.Bias), w.share(w.Mean), w.share(w.Left)
}

// Length returns the length of the place.
func (w *Why) Length() float64 {
	sum := 0.0
	for _, v := range w.Place {
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}
