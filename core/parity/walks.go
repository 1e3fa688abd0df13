package parity

import (
	"encoding/json"
	"fmt"
	"strings"

	"cadem/core/baseline"
	"cadem/core/baseline/skipgram"
	"cadem/core/multiplex"
	"cadem/core/property"
)

// walkers replays the walkers alone. Walks whose candidates are drawn in another way than by alias
// tables are skipped by name.
func (r *Report) walkers(file string, data []byte) error {
	var f struct {
		Graphs []struct {
			Name       string
			M          int
			Edges      [][3]float64
			Neighbours [][]int
			Weights    [][]float64
		}
		Cases []struct {
			Graph  int
			Kind   string
			Length int
			P, Q   float64
			Rule   string
			Walks  []struct {
				Start    int
				Walk     []int
				Uniforms []float64
			}
		}
		Corpus struct {
			Graph    int
			P, Q     float64
			Length   int
			Orders   [][]int
			Uniforms []float64
			Walks    [][]int
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	var graphs []*skipgram.Neighbours
	for _, g := range f.Graphs {
		a, err := layerOfEdges(g.M, g.Edges)
		if err != nil {
			return err
		}
		n := skipgram.Without(a)
		graphs = append(graphs, n)
		for v, want := range g.Neighbours {
			var ids, weights []float64
			for k := n.Start[v]; k < n.Start[v+1]; k++ {
				ids, weights = append(ids, float64(n.Index[k])), append(weights, 1)
				if n.Weight != nil {
					weights[len(weights)-1] = n.Weight[k]
				}
			}
			r.compare(file, g.Name+": neighbours", 64, ids, numbers(want), 0)
			r.compare(file, g.Name+": weights", 64, weights, g.Weights[v], 0)
		}
	}
	for _, c := range f.Cases {
		name := fmt.Sprintf("%s: %s", f.Graphs[c.Graph].Name, c.Kind)
		walker := skipgram.NewWalker(graphs[c.Graph], 1, 1, false)
		if c.Kind == "node2vec" {
			name += fmt.Sprintf(", p = %v, q = %v", c.P, c.Q)
			walker = skipgram.NewWalker(graphs[c.Graph], c.P, c.Q, true)
		}
		if c.Rule != "" && c.Rule != "any" && c.Rule != "alias" {
			r.Skipped = append(r.Skipped, file+": "+name+", by "+c.Rule)
			continue
		}
		for _, w := range c.Walks {
			got := walker.Walk(nil, w.Start, c.Length, decided{key("walk", 0): w.Uniforms}, "walk", 0)
			r.walk(file, name, got, w.Walk)
			r.compare(file, name+", numbers taken", 64, []float64{float64(walker.Taken())}, []float64{float64(len(w.Uniforms))}, 0)
		}
	}
	c := &f.Corpus
	walker, at := skipgram.NewWalker(graphs[c.Graph], c.P, c.Q, true), 0
	m := graphs[c.Graph].Nodes()
	draws := decided{}
	for k, walk := range c.Walks {
		list := c.Uniforms[at:]
		r.walk(file, "corpus", walker.Walk(nil, c.Orders[k/m][k%m], c.Length, decided{key("walk", k): list}, "walk", k), walk)
		at += walker.Taken()
		draws[key("walk", k)] = list[:walker.Taken()]
	}
	r.compare(file, "corpus, numbers taken", 64, []float64{float64(at)}, []float64{float64(len(c.Uniforms))}, 0)
	for n, order := range c.Orders {
		draws[key("order", n)] = numbers(order)
	}
	all, err := walker.Walks(len(c.Orders), c.Length, draws, "", nil)
	if err != nil {
		return err
	}
	for k, walk := range c.Walks {
		r.walk(file, "corpus in rounds", all.Document(k), walk)
	}
	return nil
}

func (r *Report) walk(file, name string, got []int32, want []int) {
	x := make([]int, len(got))
	for i, v := range got {
		x[i] = int(v)
	}
	r.compare(file, name, 64, numbers(x), numbers(want), 0)
}

// walkedMethod replays DeepWalk or node2vec: the trainer by itself, then the method on two layers that are
// both the graph of the case.
func (r *Report) walkedMethod(method string, file string, data []byte) error {
	var f struct {
		Cases []struct {
			skipGramStage
			Name, Variant string
			M             int
			Edges         [][3]float64
			Settings      skipGramSettings
			Start         tensor `json:"e_start"`
			Expect        struct {
				skipGramExpect
				Embedding tensor
			}
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	m, err := baseline.Lookup(method)
	if err != nil {
		return err
	}
	for _, c := range f.Cases {
		if c.Variant != "" {
			r.Skipped = append(r.Skipped, file+": "+c.Name+", variant "+c.Variant)
			continue
		}
		s := &c.Settings
		e := append([]float64(nil), c.Start.data...)
		draws := decided{}
		c.draws(draws, "", c.M, s.Window)
		err := r.stage(file, c.Name, c.corpus(), c.M, s.Size, s.options(s.Epochs), draws, "", &skipgram.Table[float64]{Rows: e, D: s.Size},
			&c.Expect.skipGramExpect, map[string][]float64{"e": e})
		if err != nil {
			return err
		}
		a, err := layerOfEdges(c.M, c.Edges)
		if err != nil {
			return err
		}
		g := &multiplex.Graph{}
		for l := range 2 {
			prefix := fmt.Sprintf("layer %d/", l+1)
			c.draws(draws, prefix, c.M, s.Window)
			c.steps(draws, prefix, skipgram.Without(a), method == "node2vec" && (s.P != 1 || s.Q != 1))
			draws[key(prefix+"e", 0)] = c.Start.data
			g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: multiplex.Identity(c.M)})
		}
		o := m.Options()
		property.Defaults(o)
		s.set(o)
		list, _, err := embedded(m, &baseline.Setup{Graphs: []*multiplex.Graph{g}, Options: o, Source: draws, Double: true})
		if err != nil {
			return err
		}
		for _, e := range list {
			r.compare(file, strings.TrimSpace(c.Name+": embedding"), 64, e.X.RawMatrix().Data, c.Expect.Embedding.data, 1e-9)
		}
	}
	return nil
}

// set gives options of a method the values of a case.
func (s *skipGramSettings) set(o any) {
	tree := "off"
	if s.HS {
		tree = "on"
	}
	for name, value := range map[string]any{"dim": s.Size, "walks": s.PerNode, "length": s.Length, "window": s.Window, "epochs": s.Epochs,
		"negatives": s.Negative, "subsample": s.Subsample, "lr": s.From, "lr_last": s.To, "p": s.P, "q": s.Q, "tree": tree} {
		if property.Has(o, name) {
			if err := property.Set(o, name, property.Text(value)); err != nil {
				panic(err)
			}
		}
	}
}
