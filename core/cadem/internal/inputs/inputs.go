// Package inputs prepares the inputs of the encoders, and reports what it found.
package inputs

import (
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/cadem/split"
	"cadem.example/core/multiplex"
)

// Options say what becomes of features on their way to the encoders.
type Options struct {
	Propagation multiplex.Kind
	RowScale    string // of features
	Every       bool   // keep features without data, too
	Dim         int    // columns of embeddings
	split.Options
	Evidence bool // split by package evidence; Own is the only one of its options used
	Double   bool // split in double precision
	// Structure names the features made of links if nodes have none and inputs are neither trimmed nor split; Seed seeds its random numbers.
	Structure Structure
	Seed      uint64
	// Features gives X of a layer after dropout.
	Features func(graph, layer int, x *multiplex.Features) *multiplex.Features
	// Yield, if not nil, is called like that of [split.Prepare], and between layers.
	Yield pause.Yield

	graphs int
}

// A Preparer does what only inputs that are trimmed or split need, or features of a spectrum.
type Preparer struct {
	Split    func(graphs [][]split.Source, o *Options) (*split.Result, error) // of a lot of graphs
	Divide   func(t *Trail, graphs multiplex.Source, o *Options) error        // by evidence
	Spectral func(g *multiplex.Graph, k int, wait pause.Work) (*multiplex.Features, error)
}

var preparer *Preparer

// Register has this program prepare inputs. Package prepare calls it, so that a program that does not import that package leaves out its code.
func Register(p Preparer) { preparer = &p }

func unprepared() error {
	return &diag.Unregistered{What: "inputs that are trimmed or split, and spectral features", By: `import _ "cadem.example/core/cadem/prepare"`}
}

// begun and done report to Yield that the preparation begins, or is over.
func (o *Options) begun() error { return o.Yield.At(0, 1) }
func (o *Options) done() error  { return o.Yield.At(1, 1) }

// Inputs of encoders, F_l columns for those of layer l.
type Inputs[T kernel.Float] struct {
	Common, Private [][]*multiplex.Propagation[T] // of every graph and layer; the same where nothing is split
	Live            [][]int32                     // features that the columns belong to; nil if they are directions
	Features        []int                         // how many there are, or directions
	Preparation
}

// A Preparation is how inputs were trimmed and split.
type Preparation struct {
	Prepared []*split.Result // nil: Z unchanged; else one for all graphs, or one for each
	split    bool
	least    float64 // agreement that the options ask of a shared direction
	evidence *evidence.Found
	remarks  []string // on what a split by evidence left out, or what features are made of
	names    []string // of the layers, then
}

// New returns Z = B X of every layer of every graph, or what the options make of it. Features kept
// are those with a nonzero column in Z of some graph, or all. Where there are at most as many as
// columns of embeddings, encoders lose nothing, and each graph is split by itself; Z is not trimmed
// or scaled.
//
// The error is a [*diag.Error] for graphs that cannot be split, that of o.Yield, or that package prepare is missing.
//
// Graphs generated on demand are requested twice; at most one is held, or all where inputs are trimmed or split.
func New[T kernel.Float](graphs multiplex.Source, o Options) (*Inputs[T], error) {
	first := graphs.Graph(0)
	n := first.N()
	prepared := o.prepared(first, graphs.Len)
	in := &Inputs[T]{Preparation: Preparation{split: o.Split || o.Evidence, least: o.Agreement}}
	if preparer == nil && (prepared || o.Evidence) {
		return nil, unprepared()
	}
	if o.Evidence {
		return in, in.divide(graphs, &o)
	}
	if o.made() {
		in.remarks = o.Structure.notes(first)
	}
	sources, live := make([][]split.Source, graphs.Len), make([][]bool, n)
	for i := range sources {
		layers, err := o.layers(graphs.Graph(i), i)
		if err != nil {
			return nil, err
		}
		for l, s := range layers {
			if live[l] == nil { // spectral features may be fewer than asked for
				live[l] = make([]bool, s.X.Cols)
			}
			multiplex.LiveFeatures(live[l], s.B, s.X)
		}
		if graphs.Held || prepared {
			sources[i] = layers
		}
	}
	if prepared {
		return in, in.prepare(sources, &o)
	}
	for _, mark := range live {
		var rows []int32
		for j, ok := range mark {
			if ok || o.Every {
				rows = append(rows, int32(j))
			}
		}
		in.Live, in.Features = append(in.Live, rows), append(in.Features, len(mark))
	}
	for i, layers := range sources {
		if layers == nil {
			var err error
			if layers, err = o.layers(graphs.Graph(i), i); err != nil {
				return nil, err
			}
		}
		in.Common = append(in.Common, make([]*multiplex.Propagation[T], n))
		for l, s := range layers {
			in.Common[i][l] = multiplex.NewPropagation[T](s.B, s.X, in.Live[l], o.Dim)
		}
		sources[i] = nil
	}
	in.Private = in.Common
	return in, nil
}

// prepared reports whether inputs are trimmed or split. Features are made of links only for inputs that are not.
func (o *Options) prepared(first *multiplex.Graph, graphs int) bool {
	o.Whole, o.graphs = first.F() <= o.Dim, graphs
	prepared := o.Split || o.Noise && !o.Whole
	if prepared || o.Evidence || !first.Featureless() {
		o.Structure = Structure{}
	}
	return prepared
}

// made reports whether features are made of links.
func (o *Options) made() bool { return o.Structure.Kind != "" && o.Structure.Kind != "identity" }

// layers returns B and X of every layer of graph i.
func (o *Options) layers(g *multiplex.Graph, i int) (list []split.Source, err error) {
	tell := o.begun
	var made *multiplex.Features
	if o.made() {
		work, half := 0, o.Structure.half(g)
		making := func(more int) error {
			const total = 1000
			work += more
			return o.Yield.At(total-int(total*math.Exp2(-float64(work)/half)), total)
		}
		if made, err = o.Structure.Of(g, o.graphs, o.Seed, making); err != nil {
			return nil, err
		}
		tell = o.done // what is left takes a moment
	}
	wait, rows := func(int) error { return tell() }, multiplex.RowsOf(g.Layers, o.RowScale)
	for l, layer := range g.Layers {
		x := rows[l]
		if made != nil {
			x = made
		}
		b, err := multiplex.NewPropagatorIn(layer.Adjacency, o.Propagation, wait)
		if err != nil {
			return nil, err
		}
		list = append(list, split.Source{B: b, X: o.Features(i, l, x), Featureless: layer.Features.IsIdentity()})
		if err := tell(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// divide gives the encoders the split of package evidence.
func (in *Inputs[T]) divide(graphs multiplex.Source, o *Options) error {
	var t Trail
	if err := preparer.Divide(&t, graphs, o); err != nil {
		return err
	}
	in.evidence, in.remarks, in.names, in.Prepared = t.Evidence.Found(), t.Remarks, graphs.Graph(0).LayerNames(), t.Prepared
	return in.take(t.Prepared[0], 1, o)
}

func (in *Inputs[T]) prepare(graphs [][]split.Source, o *Options) error {
	return o.lots(graphs, func(lot [][]split.Source) error {
		r, err := preparer.Split(lot, o)
		if err != nil {
			return err
		}
		in.Prepared = append(in.Prepared, r)
		return in.take(r, len(lot), o)
	})
}

// lots gives graphs that are prepared together to do: all, or one after the other.
func (o *Options) lots(graphs [][]split.Source, do func([][]split.Source) error) error {
	each := len(graphs)
	if o.Whole {
		each = 1
	}
	for ; len(graphs) > 0; graphs = graphs[each:] {
		if err := do(graphs[:each]); err != nil {
			return err
		}
	}
	return nil
}

// take gives the encoders the parts of graphs, and lets go of them.
func (in *Inputs[T]) take(r *split.Result, graphs int, o *Options) error {
	for g := range graphs {
		in.Common, in.Private = append(in.Common, dense[T](r, g, 0)), append(in.Private, dense[T](r, g, 1))
		if err := o.done(); err != nil {
			return err
		}
	}
	for l := range r.Layers {
		if len(in.Live) <= l {
			all := make([]int32, r.Layers[l].F)
			for k := range all {
				all[k] = int32(k)
			}
			in.Live, in.Features = append(in.Live, all), append(in.Features, len(all))
		}
		r.Layers[l].Forget()
	}
	return nil
}

// dense returns the parts of all layers of a graph, for the common encoders or for the private ones.
func dense[T kernel.Float](r *split.Result, graph, branch int) []*multiplex.Propagation[T] {
	from, to := r.Rows[graph], r.Rows[graph+1]
	list := make([]*multiplex.Propagation[T], len(r.Layers))
	for i := range list {
		l := &r.Layers[i]
		list[i] = multiplex.NewDense[T](to-from, l.F, [2][]float64{l.Common, l.Own}[branch][from*l.F:to*l.F])
	}
	return list
}
