package frozen

import (
	"fmt"
	"math"

	"cadem/core/diag"
	"cadem/core/multiplex"
)

// A Newcomer is a node that the model has not seen: its links in every layer to nodes that it knows, and its features.
type Newcomer struct {
	Links    [][]multiplex.Edge // of every layer: J is the known node; I is ignored
	Self     []float64          // of every layer: weight of a link to itself, 0 for none
	Features [][]float64        // of every layer, Features each; nil of a model without features
}

// Embed returns the embeddings of newcomers, each as if it came alone: nodes that the model knows stay as they are, with their degrees.
// A newcomer without a link to any of them has the bias alone.
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
			addTo(c[l], y[:d])
			addTo(p[l], y[d:2*d])
			addTo(all, y[2*d:])
		}
	} else {
		j := append([]float64(nil), s.j0...)
		for l, y := range ys {
			for k := range y {
				y[k] -= s.layers[l].mean[k]
			}
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
					own[k] += y[k] - common[k]
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

// read returns the row of Z of a newcomer times what its layer reads of it: messages of those that it has links to.
func (s *Saved) read(l int, v *Newcomer) []float64 {
	q, k := &s.layers[l], s.message(l)
	y := make([]float64, k)
	self, twice := 0.0, s.Propagation == "twice"
	if v.Self != nil {
		self = v.Self[l]
	}
	if !twice {
		self++ // n(A + I)
	}
	degree := self
	for _, e := range v.Links[l] {
		degree += e.Weight
	}
	if degree == 0 {
		return y
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
		by := float64(float64(first*e.Weight)*q.scales[2*e.J]) * float64(second*q.scales[2*e.J+1])
		for n, x := range q.messages[e.J*k:][:k] {
			y[n] += float64(by * x)
		}
	}
	if self > 0 && s.Features > 0 {
		by := float64(float64(first*self)*first) * float64(second*second)
		for f, x := range v.Features[l] {
			if x != 0 {
				s.own(y, q, f, float64(by*x))
			}
		}
	}
	return y
}

// own adds a feature of a node itself.
func (s *Saved) own(y []float64, q *savedLayer, f int, by float64) {
	d := s.Dim
	if len(s.Directions) > 0 {
		for n, x := range q.right[f*len(y):][:len(y)] {
			y[n] += float64(by * x)
		}
		return
	}
	for n := range d {
		y[n] += float64(by * q.uc[f*d+n])
		y[d+n] += float64(by * q.up[f*d+n])
		y[2*d+n] += float64(by * q.us[f*d+n])
	}
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
				v.Features = append(v.Features, row)
			}
		}
		if links == 0 {
			f.Apart++
		}
		f.Nodes = append(f.Nodes, v)
	}
	return f, nil
}
