package frozen

import (
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/multiplex"
)

// A Newcomer is a node that the model has not seen: its links in every layer to nodes that it knows, and its features.
type Newcomer struct {
	Links    [][]multiplex.Edge // of every layer: J is the known node; I is ignored
	Self     []float64          // of every layer: weight of a link to itself, 0 for none
	Features [][]float64        // of every layer, Features each; nil of a model without features
}

// Embed returns the embeddings of newcomers, each as if it came alone: known nodes keep their embeddings and degrees. A newcomer
// without a link to any of them has the bias alone.
func (s *Saved) Embed(list []Newcomer) *Embedded {
	d, e := s.Dim, &Embedded{S: make([]float64, len(list)*s.Dim)}
	for range s.Layers {
		e.C, e.P = append(e.C, make([]float64, len(list)*d)), append(e.P, make([]float64, len(list)*d))
	}
	for n := range list {
		c, p := make([][]float64, len(s.Layers)), make([][]float64, len(s.Layers))
		for l := range s.layers {
			c[l], p[l] = e.C[l][n*d:(n+1)*d], e.P[l][n*d:(n+1)*d]
		}
		s.embed(&list[n], e.S[n*d:(n+1)*d], c, p)
	}
	return e
}

func (s *Saved) embed(v *Newcomer, all []float64, c, p [][]float64) {
	d := s.Dim
	ys := make([][]float64, len(s.layers))
	for l := range s.layers {
		ys[l] = s.read(l, v)
	}
	for k, x := range s.meanS {
		all[k] = -x
	}
	if len(s.Directions) == 0 {
		for l, y := range ys {
			if s.Own > 0 {
				addTo(all, y)
				continue
			}
			addTo(c[l], y[:d])
			addTo(p[l], y[d:2*d])
			addTo(all, y[2*d:])
		}
	} else {
		j := append([]float64(nil), s.j0...)
		for l, y := range ys {
			if s.Split {
				addTo(j, times(y, s.layers[l].turn, 1, len(y), s.Shared))
			}
		}
		for l, y := range ys {
			q, f := &s.layers[l], len(y)
			common, own := y, y
			if s.Split {
				common = times(j, q.along, 1, s.Shared, f)
				own = times(j, q.hop, 1, s.Shared, f)
				for k := range own {
					if s.Propagation == byEvidence {
						own[k] = y[k] + float64(s.ratio(l, v)*own[k])
					} else {
						own[k] += y[k] - common[k]
					}
				}
			}
			addTo(c[l], times(common, q.uc, 1, f, d))
			addTo(p[l], times(own, q.up, 1, f, d))
			addTo(all, times(common, q.us, 1, f, d))
		}
	}
	for l := range s.layers {
		addTo(c[l], s.layers[l].bc)
		addTo(p[l], s.layers[l].bp)
	}
}

func addTo(dst, x []float64) {
	for k, v := range x {
		dst[k] += v
	}
}

// read returns the input of a newcomer in a layer: the messages of its known neighbours, and its own, less means.
func (s *Saved) read(l int, v *Newcomer) []float64 {
	q, k := &s.layers[l], s.message(l)
	y := make([]float64, k)
	own, means := s.reach(l, v, func(j int, by float64) {
		for n, x := range q.messages[j*k:][:k] {
			y[n] += float64(by * x)
		}
	})
	if own > 0 && s.Features > 0 {
		addTo(y, s.own(v, l, own))
	}
	for n, x := range q.mean {
		y[n] -= float64(means * x)
	}
	s.pool(l, v, y)
	return y
}

// pool multiplies layer l's columns of V by the scale that the pooled layers share, where the split is by evidence.
func (s *Saved) pool(l int, v *Newcomer, y []float64) {
	if slices.Contains(s.Pool, l) {
		by := s.ratio(l, v)
		for n := len(y) - s.Pooled; n < len(y); n++ {
			y[n] *= by
		}
	}
}

// ratio returns D_l^1/2 D_U^-1/2 of a newcomer.
func (s *Saved) ratio(l int, v *Newcomer) float64 {
	pooled, ends, m := 0.0, 0.0, float64(len(s.Nodes))
	for _, k := range s.Pool {
		pooled, ends = pooled+float64(len(v.Links[k])), ends+s.ends[k]
	}
	return math.Sqrt((float64(len(v.Links[l])) + max(s.ends[l]/m, 1e-9)) / (pooled + max(ends/m, 1e-9)))
}

// reach calls do with the known nodes that a newcomer has links to in a layer, and how much of their messages it gets. It returns how much it
// gets of its own, and how much of the means is taken off.
func (s *Saved) reach(l int, v *Newcomer, do func(j int, by float64)) (own, means float64) {
	q := &s.layers[l]
	if s.Propagation == byEvidence { // links are there or not, and none joins a node with itself
		degree, ends := float64(len(v.Links[l])), s.ends[l]
		scale := 1 / math.Sqrt(degree+max(ends/float64(len(s.Nodes)), 1e-9))
		for _, e := range v.Links[l] {
			do(e.J, float64(scale*q.scales[2*e.J]))
		}
		return 0, float64(scale*degree) / math.Sqrt(max(ends, 1))
	}
	self, twice := 0.0, s.Propagation == "twice"
	if v.Self != nil {
		self = v.Self[l]
	}
	if s.Propagation == "kipf" || s.Own > 0 && self == 0 {
		self++ // n(A + I), or the loop that is missing
	}
	degree := self
	for _, e := range v.Links[l] {
		degree += e.Weight
	}
	if degree == 0 {
		return 0, 1
	}
	first, second := 1/math.Sqrt(degree), 1.0
	if twice {
		degree = float64(float64(first*self) * first)
		for _, e := range v.Links[l] {
			degree += float64(float64(first*e.Weight) * q.scales[2*e.J])
		}
		second = 0
		if degree > 0 {
			second = 1 / math.Sqrt(degree)
		}
	}
	for _, e := range v.Links[l] {
		do(e.J, float64(float64(first*e.Weight)*q.scales[2*e.J])*float64(second*q.scales[2*e.J+1]))
	}
	return float64(float64(first*self)*first) * float64(second*second), 1
}

// own returns the message that a newcomer would send to others, times a number.
func (s *Saved) own(v *Newcomer, l int, by float64) []float64 {
	d, q, y := s.Dim, &s.layers[l], make([]float64, s.message(l))
	for f, x := range v.Features[l] {
		if x == 0 {
			continue
		}
		x = float64(by * x)
		if len(s.Directions) > 0 {
			for n, r := range q.right[f*len(y):][:len(y)] {
				y[n] += float64(x * r)
			}
			continue
		}
		for n := range d {
			if s.Own > 0 {
				y[n] += float64(x * q.us[f*d+n])
				continue
			}
			y[n] += float64(x * q.uc[f*d+n])
			y[d+n] += float64(x * q.up[f*d+n])
			y[2*d+n] += float64(x * q.us[f*d+n])
		}
	}
	return y
}

// Because returns what makes the place of a newcomer in S: a term for each known node and layer that it has a link in, Node being the number
// there, and one for its own features in every layer, Node -1. Means, and J of a node without links, are not part of it.
func (s *Saved) Because(v *Newcomer) (terms []Term) {
	place, joint := make([]float64, s.Dim), make([]float64, s.Shared*s.Dim)
	s.embed(v, place, scratch(s), scratch(s))
	if s.Split {
		for l := range s.layers {
			q := &s.layers[l]
			addTo(joint, times(q.along, q.us, s.Shared, s.Directions[l], s.Dim))
		}
	}
	of := &Why{Place: place}
	for l := range s.layers {
		add := func(node int, message []float64) {
			x, q := message, &s.layers[l]
			s.pool(l, v, x)
			switch {
			case s.Split:
				x = times(times(x, q.turn, 1, len(x), s.Shared), joint, 1, s.Shared, s.Dim)
			case len(s.Directions) > 0:
				x = times(x, q.us, 1, len(x), s.Dim)
			case s.Own > 0: // a message is of R alone
			default:
				x = x[2*s.Dim:]
			}
			terms = append(terms, Term{Graph: 0, Node: node, Feature: -1, Layer: l, X: x, Share: of.share(x)})
		}
		k := s.message(l)
		own, _ := s.reach(l, v, func(j int, by float64) {
			y := make([]float64, k)
			for n, x := range s.layers[l].messages[j*k:][:k] {
				y[n] = float64(by * x)
			}
			add(j, y)
		})
		if own > 0 && s.Features > 0 {
			add(-1, s.own(v, l, own))
		}
	}
	return terms
}

// scratch returns zeros for an embedding of a node in every layer.
func scratch(s *Saved) (list [][]float64) {
	for range s.layers {
		list = append(list, make([]float64, s.Dim))
	}
	return list
}

// Found are the nodes of a graph that a model has not seen.
type Found struct {
	New     []int // by their numbers in the graph
	Known   int   // others
	Unknown int   // links of new nodes to each other, which are left out
	Apart   int   // new nodes without a link to a known one
	Nodes   []Newcomer
}

// Find compares a graph with the model by names of nodes and layers. The error is a [*diag.Error].
func (s *Saved) Find(g *multiplex.Graph) (*Found, error) {
	bad := func(where, found, expected string) (*Found, error) {
		return nil, &diag.Error{Where: where, Found: found, Expected: expected}
	}
	g = withOwn(g, s.Layers[:s.Own])
	at, layers := map[string]int{}, make([]*multiplex.Layer, len(s.Layers))
	for i, name := range s.Nodes {
		at[name] = i
	}
	for l, name := range s.Layers {
		for k := range g.Layers {
			if g.Layers[k].Name == name {
				layers[l] = &g.Layers[k]
			}
		}
		if layers[l] == nil {
			return bad("layers", fmt.Sprintf("%q", g.LayerNames()), fmt.Sprintf("those of the model, %q: there is no %q", s.Layers, name))
		}
	}
	if len(g.Layers) != len(layers) {
		return bad("layers", fmt.Sprintf("%d of them", len(g.Layers)), fmt.Sprintf("the %d of the model: %q", len(layers), s.Layers))
	}
	identity := layers[0].Features.IsIdentity()
	if own := layers[0].Features.Cols; !identity && own != s.Features {
		return bad("features", fmt.Sprint(own), fmt.Sprintf("%d, as in training", s.Features))
	} else if identity && s.Features > 0 {
		return bad("features", "none", fmt.Sprintf("%d, as in training", s.Features))
	}
	known := make([]int, g.M())
	f := &Found{}
	for i := range known {
		n, ok := at[g.NodeName(i)]
		if known[i] = n; !ok {
			known[i], f.New = -1, append(f.New, i)
		} else {
			f.Known++
		}
	}
	if f.Known == 0 {
		return bad("nodes", "none that the model knows", fmt.Sprintf("links of new nodes to those that it was trained on, like %s", s.Nodes[0]))
	}
	for _, i := range f.New {
		v := Newcomer{Links: make([][]multiplex.Edge, len(layers)), Self: make([]float64, len(layers))}
		links := 0
		for l, layer := range layers {
			a := layer.Adjacency
			for k := a.Start[i]; k < a.Start[i+1]; k++ {
				j, w := int(a.Index[k]), 1.0
				if a.Value != nil {
					w = a.Value[k]
				}
				switch {
				case j == i:
					v.Self[l] = w
				case known[j] < 0:
					f.Unknown++
				default:
					v.Links[l] = append(v.Links[l], multiplex.Edge{J: known[j], Weight: w})
					links++
				}
			}
			if !identity {
				row := make([]float64, s.Features)
				entries(layer.Features, i, func(c int, x float64) { row[c] = x })
				x := multiplex.Layer{Features: &multiplex.Features{Rows: 1, Cols: len(row), Dense: row}}
				v.Features = append(v.Features, multiplex.RowsOf([]multiplex.Layer{x}, fmt.Sprint(s.Options["row_scale"]))[0].Dense)
			}
		}
		if links == 0 {
			f.Apart++
		}
		f.Nodes = append(f.Nodes, v)
	}
	return f, nil
}
