package parity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"cadem/core/baseline"
	"cadem/core/baseline/descent"
	"cadem/core/multiplex"
)

// A networkCase is what the cases of methods with gradients have in common.
type networkCase struct {
	Name     string
	M, N     int
	Edges    [][][3]float64 // of each layer, or graph: i, j, weight; once per edge
	Features string         // "given" or "identity"
	X        json.RawMessage
	Init     map[string]tensor
	Expect   json.RawMessage
}

// A networkExpect is what a case expects of one network.
type networkExpect struct {
	Propagation json.RawMessage
	XNormalised json.RawMessage `json:"X_normalised"`
	First       json.RawMessage
	Losses      []float64
	Grads       map[string]tensor            `json:"grads_step1"`
	After       map[string]map[string]tensor `json:"params_after"`
	Restored    map[string]tensor            `json:"params_restored"`
	Record      struct {
		Epochs  int      `json:"epochs_evaluated"`
		Updates int      `json:"updates"`
		Early   bool     `json:"stopped_early"`
		Best    *int     `json:"best_epoch"`
		Loss    *float64 `json:"best_loss"`
	}
	Embedding tensor
}

// layer returns layer l of a case with its features.
func (c *networkCase) layer(l int, x json.RawMessage) (multiplex.Layer, error) {
	return layerOf(c.M, c.Edges[l], x)
}

// layerOf returns a layer of m nodes; its features are the identity where x is none.
func layerOf(m int, list [][3]float64, x json.RawMessage) (multiplex.Layer, error) {
	var edges []multiplex.Edge
	for _, e := range list {
		edges = append(edges, multiplex.Edge{I: int(e[0]), J: int(e[1]), Weight: e[2]})
	}
	a, err := multiplex.FromEdges(m, edges)
	if err != nil {
		return multiplex.Layer{}, err
	}
	features := multiplex.Identity(m)
	if x != nil && string(x) != `"identity"` {
		var values tensor
		if err := json.Unmarshal(x, &values); err != nil {
			return multiplex.Layer{}, err
		}
		if features, err = multiplex.DenseFeatures(m, values.shape[1], values.data); err != nil {
			return multiplex.Layer{}, err
		}
	}
	return multiplex.Layer{Adjacency: a, Features: features}, nil
}

// graph returns the layers as a multiplex graph. An only layer comes twice: the method then trains
// the same network twice, in turns.
func (c *networkCase) graph(each bool) (*multiplex.Graph, error) {
	var x []json.RawMessage
	switch {
	case c.Features == "identity":
		x = make([]json.RawMessage, c.N)
	case each:
		if err := json.Unmarshal(c.X, &x); err != nil {
			return nil, err
		}
	default:
		x = slices.Repeat([]json.RawMessage{c.X}, c.N)
	}
	g := &multiplex.Graph{Name: c.Name}
	for l := range max(2, c.N) {
		at := min(l, c.N-1)
		layer, err := c.layer(at, x[at])
		if err != nil {
			return nil, err
		}
		layer.Name = fmt.Sprint(l)
		g.Layers = append(g.Layers, layer)
	}
	return g, nil
}

// A follower watches networks in training.
type follower struct {
	first  []*baseline.Inspected          // of each network, after its first step
	now    []*baseline.Inspected          // at the end
	losses [][][]float64                  // of each network and step
	after  []map[int]map[string][]float64 // parameters by the number of updates
	list   map[int][]baseline.Embedding   // of each graph, at the end
}

// follow takes all steps of a training.
func follow(m *baseline.Method, s *baseline.Setup, steps func(net int, i *baseline.Inspected)) (*follower, error) {
	t, err := baseline.Start(m, s)
	if err != nil {
		return nil, err
	}
	f := &follower{list: map[int][]baseline.Embedding{}}
	for k := 0; baseline.Inspect(t, k) != nil; k++ {
		f.now = append(f.now, baseline.Inspect(t, k))
		f.after = append(f.after, map[int]map[string][]float64{})
	}
	f.first, f.losses = make([]*baseline.Inspected, len(f.now)), make([][][]float64, len(f.now))
	for !baseline.Done(t) {
		if err := t.Step(nil); err != nil {
			return nil, err
		}
		for k, before := range f.now {
			i := baseline.Inspect(t, k)
			if len(i.Values) == 0 || i.Epochs == before.Epochs && i.Updates == before.Updates {
				continue
			}
			if f.first[k] == nil {
				f.first[k] = i
			}
			f.now[k] = i
			f.losses[k] = append(f.losses[k], slices.Clone(i.Terms))
			f.after[k][i.Updates] = i.Params
			if steps != nil {
				steps(k, i)
			}
		}
	}
	for g := range s.Graphs {
		f.list[g] = t.Embeddings(g)
	}
	return f, nil
}

// totals returns the last term of every step's loss.
func totals(losses [][]float64) (list []float64) {
	for _, terms := range losses {
		list = append(list, terms[len(terms)-1])
	}
	return list
}

// params compares parameters or gradients by name.
func (r *Report) params(file, quantity string, got map[string][]float64, want map[string]tensor, tolerance float64) {
	for name, w := range want {
		g, ok := got[name]
		if !ok {
			r.fail(file, quantity, 64, fmt.Errorf("the method has no parameter %s", name))
			continue
		}
		r.compare(file, quantity, 64, g, w.data, tolerance)
	}
	if len(want) != len(got) {
		r.fail(file, quantity, 64, fmt.Errorf("%d parameters, the file has %d", len(got), len(want)))
	}
}

// afterUpdates compares parameters after some updates.
func (r *Report) afterUpdates(file, name string, f *follower, k int, want map[string]map[string]tensor, tolerance float64) {
	for updates, w := range want {
		n, err := strconv.Atoi(updates)
		if err != nil || f.after[k][n] == nil {
			r.fail(file, name+": parameters", 64, fmt.Errorf("there were never %s updates", updates))
			continue
		}
		r.params(file, name+": parameters", f.after[k][n], w, tolerance)
	}
}

// values compares what the first step computed, flattened; a list of objects holds windows, one after
// another.
func (r *Report) values(file, name string, got map[string][]float64, want json.RawMessage, tolerance float64) {
	var windows []map[string]json.RawMessage
	if json.Unmarshal(want, &windows) != nil {
		var one map[string]json.RawMessage
		if err := json.Unmarshal(want, &one); err != nil {
			r.fail(file, name+": first step", 64, err)
			return
		}
		windows = []map[string]json.RawMessage{one}
	}
	for key := range windows[0] {
		var all []float64
		for _, w := range windows {
			var x tensor
			if json.Unmarshal(w[key], &x) != nil {
				break // not numbers: the reader of the method compares it
			}
			all = append(all, x.data...)
		}
		if g, ok := got[key]; ok && all != nil {
			r.compare(file, name+": "+key, 64, g, all, tolerance)
		}
	}
}

// operator compares the propagation matrix of a layer and its normalised features.
func (r *Report) operator(file, name string, l *multiplex.Layer, loop float64, propagation, features json.RawMessage) {
	var want tensor
	if json.Unmarshal(propagation, &want) == nil && propagation != nil {
		r.compare(file, name+": propagation", 64, baseline.SymNorm(l.Adjacency, loop).Dense(), want.data, 1e-12)
	}
	want = tensor{}
	if features != nil && string(features) != `"identity"` && json.Unmarshal(features, &want) == nil {
		r.compare(file, name+": normalised features", 64, descent.NewFeatures[float64](l.Features, true).Dense(), want.data, 1e-12)
	}
}

// record compares how a fit ended.
func (r *Report) record(file, name string, i *baseline.Inspected, e *networkExpect) {
	got := []float64{float64(i.Epochs), float64(i.Updates), truth(i.Early)}
	want := []float64{float64(e.Record.Epochs), float64(e.Record.Updates), truth(e.Record.Early)}
	if e.Record.Best != nil {
		got, want = append(got, float64(i.BestEpoch)), append(want, float64(*e.Record.Best))
		r.compare(file, name+": best loss", 64, []float64{i.BestLoss}, []float64{*e.Record.Loss}, 1e-10)
	}
	r.compare(file, name+": record", 64, got, want, 0)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// fitted compares a network that was trained with early stopping, and the same network trained without,
// of which the last parameters are not replaced by the best.
func (r *Report) fitted(file, name string, stopped, all *follower, k int, e *networkExpect) {
	r.record(file, name, stopped.now[k], e)
	r.compare(file, name+": losses", 64, totals(stopped.losses[k]), e.Losses, 1e-10)
	r.values(file, name, stopped.first[k].Values, e.First, 1e-10)
	r.params(file, name+": gradients", stopped.first[k].Gradients, e.Grads, 1e-10)
	r.afterUpdates(file, name, all, k, e.After, 1e-9)
	if e.Restored != nil {
		r.params(file, name+": restored", stopped.now[k].Params, e.Restored, 1e-9)
	}
}
