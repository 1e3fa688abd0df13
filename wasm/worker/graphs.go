package worker

import (
	"slices"

	"cadem.example/core/base/json"
	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/multiplex"
	"cadem.example/wasm/bridge"
)

// A handover is what one program has read of files for another one that has no readers. The numbers of its graphs are in two arrays beside it.
type handover struct {
	Data    *run.Dataset       `json:"data,omitempty"`    // without its graph, which is the only one
	Subject json.RawMessage    `json:"subject,omitempty"` // of the data set
	Graphs  []*multiplex.Graph `json:"graphs"`
	Shared  [][]int            `json:"shared"` // of each graph, of each layer: the layer that has the same features, the first such
	Said    []string           `json:"said,omitempty"`
}

// The arrays of a handover.
const (
	wholes    = "graphs:wholes"
	fractions = "graphs:fractions"
)

// A numbering is a walk over the numbers of graphs, in one order both ways: it collects them, or puts them back in place.
type numbering struct {
	wholes    []int32
	fractions []float64
	back      bool
	short     bool // there were fewer than it takes
}

// take returns the next n entries of a list, which it shortens.
func take[T any](k *numbering, list *[]T, n int) []T {
	if n < 0 || n > len(*list) {
		k.short = true
		return nil
	}
	x := (*list)[:n:n]
	*list = (*list)[n:]
	return x
}

// walk moves an array that is nil where it has no entries, by its length before the entries.
func walk[T any](k *numbering, list, x *[]T) {
	if !k.back {
		k.wholes = append(k.wholes, int32(len(*x)))
		*list = append(*list, *x...)
	} else if n := take(k, &k.wholes, 1); len(n) > 0 && n[0] != 0 {
		*x = take(k, list, int(n[0]))
	}
}

func (k *numbering) sparse(a *multiplex.CSR) {
	walk(k, &k.wholes, &a.Start)
	walk(k, &k.wholes, &a.Index)
	walk(k, &k.fractions, &a.Value)
}

// graph walks over a graph whose layers have the features of others where shared says so.
func (k *numbering) graph(g *multiplex.Graph, shared []int) {
	for l := range g.Layers {
		layer := &g.Layers[l]
		k.sparse(layer.Adjacency)
		if shared[l] < l {
			layer.Features = g.Layers[shared[l]].Features
			continue
		}
		if layer.Features.Sparse != nil {
			k.sparse(layer.Features.Sparse)
		}
		walk(k, &k.fractions, &layer.Features.Dense)
	}
	for i := range g.Columns {
		walk(k, &k.fractions, &g.Columns[i].Of)
	}
}

// handOver answers with a data set, or graphs, for another program.
func handOver(r *bridge.Request, o *study.Opened) error {
	h, k := handover{Said: o.Said}, numbering{}
	graphs := o.Graphs
	if o.Data != nil {
		d := *o.Data
		h.Data, h.Subject, graphs = &d, d.Summary().Subject, []*multiplex.Graph{d.Graph}
		d.Graph, d.Subject = nil, nil
	}
	for _, g := range graphs {
		shared := make([]int, g.N())
		for l := range shared {
			for shared[l] < l && g.Layers[shared[l]].Features != g.Layers[l].Features {
				shared[l]++
			}
		}
		k.graph(g, shared)
		h.Graphs, h.Shared = append(h.Graphs, withoutNumbers(g, shared)), append(h.Shared, shared)
	}
	_, whole := npy.Encode(k.wholes)
	return r.Reply(h, bridge.Slab{Name: wholes, Type: bridge.Int32, Shape: []int{len(k.wholes)}, Data: whole}, bridge.Float64s(fractions, k.fractions))
}

// withoutNumbers returns a copy of a graph without what a numbering walks over, and without what only a generator knows.
func withoutNumbers(g *multiplex.Graph, shared []int) *multiplex.Graph {
	sized := func(a *multiplex.CSR) *multiplex.CSR {
		if a == nil {
			return nil
		}
		return &multiplex.CSR{Rows: a.Rows, Cols: a.Cols}
	}
	c := *g
	c.Truth, c.Layers, c.Columns = nil, make([]multiplex.Layer, g.N()), slices.Clone(g.Columns)
	for l, layer := range g.Layers {
		c.Layers[l] = multiplex.Layer{Name: layer.Name, Adjacency: sized(layer.Adjacency)}
		if x := layer.Features; shared[l] == l {
			c.Layers[l].Features = &multiplex.Features{Rows: x.Rows, Cols: x.Cols, Sparse: sized(x.Sparse)}
		}
	}
	for i := range c.Columns {
		c.Columns[i].Of = nil
	}
	return &c
}

// handed returns what came with a request from the program that has read it.
func handed(r *bridge.Request) (*study.Opened, error) {
	var args struct {
		Graphs *handover `json:"graphs"`
	}
	if err := r.Args(&args); err != nil {
		return nil, err
	}
	h, whole, fraction := args.Graphs, r.Slab(wholes), r.Slab(fractions)
	bad := bridge.Errorf("bad-request", "The graphs of these files did not come along with their numbers.")
	if h == nil || whole == nil || fraction == nil || len(h.Shared) != len(h.Graphs) || h.Data != nil && len(h.Graphs) != 1 {
		return nil, bad
	}
	k := numbering{back: true}
	k.wholes, k.fractions = npy.Decode("<i4", whole.Data).([]int32), npy.Decode("<f8", fraction.Data).([]float64)
	o := &study.Opened{Data: h.Data, Graphs: h.Graphs, Said: h.Said}
	for i, g := range h.Graphs {
		if len(h.Shared[i]) != g.N() {
			return nil, bad
		}
		if k.graph(g, h.Shared[i]); k.short {
			return nil, bad
		}
		if err := g.Check(); err != nil {
			return nil, err
		}
	}
	if o.Data != nil {
		o.Data.Graph, o.Graphs = h.Graphs[0], nil
		if o.Data.Subject = nil; h.Subject != nil {
			o.Data.Subject = h.Subject
		}
	}
	return o, nil
}

// graphs reads files for the program of other methods.
func (w *Worker) graphs(r *bridge.Request, given any) error {
	args := given.(*dataArgs)
	defer w.begin(w.run)()
	d, err := w.load(args.Data, r)
	if err != nil {
		return err
	}
	return handOver(r, &study.Opened{Data: d.Dataset})
}

// taskGraphsArgs are the arguments of taskGraphs.
type taskGraphsArgs struct {
	Task study.Task `json:"task"`
}

// taskGraphs reads the files of a task, or makes graphs of its scans, for the program of other methods.
func (w *Worker) taskGraphs(r *bridge.Request, given any) error {
	args := given.(*taskGraphsArgs)
	defer w.begin(w.run)()
	defer w.reads(r, args.Task.Data.Files)()
	o, err := args.Task.Open(&w.tasks.files, func(int, int) error { return w.breathe() })
	if err != nil {
		return err
	}
	return handOver(r, o)
}

// Graphs takes data sets of files from the program that has readers.
func Graphs(w *Worker) {
	w.read = func(_ *Worker, spec run.DataSpec, r *bridge.Request) (*dataset, error) {
		o, err := handed(r)
		if err != nil {
			return nil, err
		}
		d := &dataset{Dataset: o.Data, spec: spec}
		_, d.files, err = contents(spec, r)
		return d, err
	}
	writesFiles(w)
}

// opened returns the data of a task of another method: they are drawn here, came with it, or are those of the task before.
func (w *Worker) opened(r *bridge.Request, data *run.DataSpec) (*study.Opened, error) {
	if len(data.Scans) == 0 && data.Example != "" {
		d, err := run.OpenExample(data.Example, data.Options, data.DataSeed)
		return &study.Opened{Data: d}, err
	}
	spec, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	if w.tasks.of == string(spec) && r.Slab(wholes) == nil {
		return w.tasks.opened, nil
	}
	w.tasks.of, w.tasks.opened = "", nil // before there are two
	o, err := handed(r)
	if err == nil {
		w.tasks.of, w.tasks.opened = string(spec), o
	}
	return o, err
}
