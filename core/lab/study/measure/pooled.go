package measure

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

// pool adds what one of many graphs is represented by: the means over its nodes of S, C_l
// and P_l, trained and untrained, and of the features; its class and its group.
func pool(r *Result, d *run.Dataset, trained *run.Result) error {
	truth := d.Graph.Truth
	if truth == nil || len(truth.Classes) == 0 {
		return diag.Option("measure", "pool of a graph without a class", "the data of syn4")
	}
	r.Groups(&Items{class: []int{truth.Class}, groups: []int{truth.Group}})
	for l := range d.Graph.Layers {
		x := d.Graph.Layers[l].Features
		if x.Dense == nil {
			return diag.Option("measure", "pool of features that are not dense", "the data of syn4")
		}
		r.means(ArrayFeature.Layer(l), mat.NewDense(x.Rows, x.Cols, x.Dense))
	}
	pooled(trained.Trained, "", r.means)
	pooled(trained.Untrained, untrained, r.means)
	return nil
}

// pooled hands S, C_l and P_l over to be pooled under their names.
func pooled(e *cadem.Embeddings, prefix ArrayName, pool func(name ArrayName, x *mat.Dense)) {
	pool(prefix+ArrayCommon, e.Consensus)
	for l := range e.Common {
		pool((prefix + ArrayCommon).Layer(l), e.Common[l])
		pool((prefix + ArrayPrivate).Layer(l), e.Private[l])
	}
}

// Items are many graphs by what represents them.
type Items struct {
	inputs Held
	layers int
	class  []int
	groups []int
}

// collected reads all inputs for a measure.
func (w *Work) collected(of func(*Items, *Work) error) error {
	c := &Items{}
	err := each(w.Inputs, func(in *Result) error {
		c.inputs = append(c.inputs, in)
		c.add(in)
		return nil
	})
	if err != nil {
		return err
	}
	for c.inputs[0].Array(ArrayPrivate.Layer(c.layers)) != nil {
		c.layers++
	}
	return of(c, w)
}

// add adds the classes and groups of an input.
func (c *Items) add(in *Result) {
	for i, k := range in.Array(ArrayClass).Data {
		c.class, c.groups = append(c.class, int(k)), append(c.groups, int(in.Array(ArrayGroup).Data[i]))
	}
}

// names returns the names of an array of all layers.
func (c *Items) names(of ArrayName) []ArrayName {
	var list []ArrayName
	for l := range c.layers {
		list = append(list, of.Layer(l))
	}
	return list
}

// below stacks arrays of all graphs, one name below the other.
func (c *Items) below(names []ArrayName) *mat.Dense {
	var all []float64
	n, width := 0, 0
	for _, name := range names {
		x := stack(c.inputs, name).RawMatrix()
		n, width, all = n+x.Rows, x.Cols, append(all, x.Data...)
	}
	return mat.NewDense(n, width, all)
}

// subclasses returns the class of every layer of every graph, as [collection.below] stacks
// them: layers times the graph's class, plus the layer.
func (c *Items) subclasses() []int {
	var list []int
	for l := range c.layers {
		for _, k := range c.class {
			list = append(list, c.layers*k+l)
		}
	}
	return list
}

// embeddings lists what is scored of the graphs, trained without a prefix, or untrained: the tokens together; the pooled
// consensus; what it was taken from, before centring; and the private ones.
func (c *Items) embeddings(prefix ArrayName) []evaluate.Embedding {
	common := stack(c.inputs, prefix+ArrayCommon)
	all, uncentred := []*mat.Dense{common}, stack(c.inputs, (prefix+ArrayCommon).Layer(0))
	for l := 1; l < c.layers; l++ {
		x := stack(c.inputs, (prefix + ArrayCommon).Layer(l)).RawMatrix().Data
		for i, v := range x {
			uncentred.RawMatrix().Data[i] += v
		}
	}
	singles := []evaluate.Embedding{{Name: "common", Tokens: all[:1]}, {Name: "common_uncentred", Tokens: []*mat.Dense{uncentred}}}
	for _, name := range c.names(ArrayPrivate) {
		x := stack(c.inputs, prefix+name)
		all = append(all, x)
		singles = append(singles, evaluate.Embedding{Name: string(name), Tokens: []*mat.Dense{x}})
	}
	return append([]evaluate.Embedding{{Name: "combined", Tokens: all}}, singles...)
}

// features lists the pooled features of each layer, which private embeddings are compared
// with, and of all side by side.
func (c *Items) features() []evaluate.Embedding {
	var list []evaluate.Embedding
	var layers []*mat.Dense
	for l, name := range c.names(ArrayFeature) {
		x := stack(c.inputs, name)
		layers = append(layers, x)
		list = append(list, evaluate.Embedding{Name: string(ArrayPrivate.Layer(l)), Tokens: []*mat.Dense{x}})
	}
	return append(list, evaluate.Embedding{Name: "combined", Tokens: []*mat.Dense{beside(layers)}})
}

// graphs scores pooled embeddings: the dynamics of a graph by each of them, and of each
// layer of a graph, twice as many items, by the private ones of all layers.
func (c *Items) graphs(w *Work) error {
	s, yield := w.Settings, w.Yield
	in := evaluate.Input{Trained: c.embeddings(""), Untrained: c.embeddings(untrained), Groups: c.groups, Classify: true, Deals: w.deals(w.Result),
		Targets: []multiplex.LabelSet{{Name: "dynamics_3class", Classes: numbered(3), Of: c.class}}}
	in.Trivial = c.features()
	scores, err := evaluate.Table(in, s.Scoring(), s.EvalSeed, func(done, total int) error { return yield(done, 2*total) })
	if err != nil {
		return err
	}
	var groups []int
	for range c.layers {
		groups = append(groups, c.groups...)
	}
	one := func(names []ArrayName) []evaluate.Embedding {
		return []evaluate.Embedding{{Name: "private_all", Tokens: []*mat.Dense{c.below(names)}}}
	}
	more, err := evaluate.Table(evaluate.Input{Trained: one(c.names(ArrayPrivate)), Untrained: one(c.names(untrained + ArrayPrivate)),
		Trivial: one(c.names(ArrayFeature)), Groups: groups, Classify: true,
		Targets: []multiplex.LabelSet{{Name: "dynamics_6subclass", Classes: make([]string, 3*c.layers), Of: c.subclasses()}}},
		s.Scoring(), s.EvalSeed, func(done, total int) error { return yield(total+done, 2*total) })
	return w.Result.scored(append(scores, more...), err)
}

// ErrAgain says that those before an item were read as they should not have been, as by a region that it lacks.
var ErrAgain = errors.New("all are to be read once more")

// Read hands scans, or graphs, over one after the other and lists their classes and groups. When take returns [ErrAgain],
// begin is called and all are handed over once more.
func (c *Items) Read(scans []run.Scan, begin func(), take func(*run.Scan) error, y yield) error {
	for i := 0; i < len(scans); i++ {
		scan := &scans[i]
		switch err := take(scan); {
		case err == ErrAgain:
			begin()
			c.class, c.groups, i = nil, nil, -1
			continue
		case err != nil:
			return err
		}
		c.class, c.groups = append(c.class, scan.Class), append(c.groups, scan.Group)
		if err := y(i+1, len(scans)); err != nil {
			return err
		}
	}
	return nil
}

// Groups adds classes and groups.
func (r *Result) Groups(c *Items) {
	r.Integers(ArrayClass, c.class)
	r.Integers(ArrayGroup, c.groups)
}
