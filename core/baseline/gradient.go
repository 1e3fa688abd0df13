package baseline

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/baseline/descent"
	"cadem.example/core/baseline/tape"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// A network is a model that a tape differentiates: an encoder of one layer of all graphs, or of all
// layers. Graphs share its parameters; its loss is the mean over them.
type network[T kernel.Float] interface {
	descent.Model[T]
	// embed records the embedding of a graph without noise.
	embed(t *tape.Tape[T], graph int) tape.Value
	// prepare computes what the first step needs and the construction left out. It may be called again.
	prepare(yield pause.Yield) error
	values() *recorded
	State() *train.State // beside the parameters
}

// recorded are the named values of a network's last step. It is embedded in networks.
type recorded struct {
	names []string
	at    []tape.Value
	list  [8]tape.Value // terms of a loss
	notes []string      // rules that acted
}

// A model is what networks have in common: parameters, draws, and values of the last step.
type model[T kernel.Float] struct {
	recorded
	descent.Initial[T]
	source train.Source
}

func newModel[T kernel.Float](s *train.Setup, prefix string) model[T] {
	return model[T]{Initial: descent.Initial[T]{Draw: s.Source, Prefix: prefix}, source: s.Source}
}

func (r *recorded) values() *recorded   { return r }
func (r *recorded) State() *train.State { return &train.State{} }

func (r *recorded) prepare(pause.Yield) error { return nil }

// Updates is one for an epoch, unless a network has more.
func (r *recorded) Updates(int) int { return 1 }

// begin forgets the previous values.
func (r *recorded) begin() { r.names, r.at = r.names[:0], r.at[:0] }

// keep names a value.
func (r *recorded) keep(name string, v tape.Value) tape.Value {
	r.names, r.at = append(r.names, name), append(r.at, v)
	return v
}

// terms returns values as a list that is used again.
func (r *recorded) terms(v ...tape.Value) []tape.Value { return r.list[:copy(r.list[:], v)] }

// folded records values one after the other, each joined to those before it.
func folded(n int, join func(a, b tape.Value) tape.Value, value func(k int) tape.Value) tape.Value {
	all := value(0)
	for k := 1; k < n; k++ {
		all = join(all, value(k))
	}
	return all
}

// networks is a training of one network, or one for each layer. Those of layers take turns.
type networks[T kernel.Float] struct {
	fits  []*descent.Fit[T]
	nets  []network[T]
	tape  *tape.Tape[T]
	total int // steps, if nothing ends early
	fused bool

	turn, steps int
	last        int // network of the last step, whose values the tape holds
}

// A maker makes the network of a layer and the rule by which it is trained.
type maker[T kernel.Float] func(s *train.Setup, layer int) (network[T], descent.Rule, error)

// Whether a method has a network for each layer, or one that fuses the layers.
const perLayer, ofAllLayers = false, true

// networked starts a method's networks in the precision of the setup.
func networked(fused bool, double maker[precision.Wide], single maker[float32]) func(*train.Setup) (train.Training, error) {
	return func(s *train.Setup) (train.Training, error) {
		if s.Precision == precision.Double {
			return newNetworks(s, fused, double)
		}
		return newNetworks(s, fused, single)
	}
}

// either starts the training of the precision of the setup.
func either(double, single func(*train.Setup) (train.Training, error)) func(*train.Setup) (train.Training, error) {
	return func(s *train.Setup) (train.Training, error) {
		if s.Precision == precision.Double {
			return double(s)
		}
		return single(s)
	}
}

func newNetworks[T kernel.Float](s *train.Setup, fused bool, newNetwork maker[T]) (train.Training, error) {
	n, count := &networks[T]{tape: tape.New[T](), fused: fused}, 1
	if !fused {
		count = s.Graphs[0].N()
	}
	for l := range count {
		net, rule, err := newNetwork(s, l)
		if err != nil {
			return nil, err
		}
		n.nets, n.fits = append(n.nets, net), append(n.fits, descent.New[T](net, rule, n.tape))
		for e := range rule.Epochs {
			n.total += net.Updates(e)
		}
	}
	return n, nil
}

// networkBytes is the memory, in bytes, of networks with this number of weights that record this number of values in a step.
// Each weight has a gradient, two moments and its best value so far; each recorded value has a gradient.
func networkBytes(s *train.Setup, weights, numbers int) float64 {
	return float64(numberSize(s) * float64(5*weights+2*numbers))
}

// numberSize is the size of the numbers of a network.
func numberSize(s *train.Setup) float64 {
	if s.Precision == precision.Double {
		return 8
	}
	return 4
}

// extentOf returns the numbers of nodes of the largest graph, of features and of layers.
func extentOf(s *train.Setup) (m, f, n int) {
	for _, g := range s.Graphs {
		m = max(m, g.M())
	}
	return m, s.Graphs[0].F(), s.Graphs[0].N()
}

// Step makes one update of one network.
func (n *networks[T]) Step(yield pause.Yield) error {
	if n.over() {
		return train.ErrDone
	}
	for n.fits[n.turn].Over() {
		n.turn = (n.turn + 1) % len(n.fits)
	}
	if err := n.nets[n.turn].prepare(yield); err != nil {
		return err
	}
	n.last = n.turn
	n.nets[n.turn].values().begin()
	if err := n.fits[n.turn].Step(yield); err != nil {
		return err
	}
	n.steps++
	n.turn = (n.turn + 1) % len(n.fits)
	return nil
}

func (n *networks[T]) over() bool {
	return !slices.ContainsFunc(n.fits, func(f *descent.Fit[T]) bool { return !f.Over() })
}

// Progress gives the epoch of the network that is furthest and the mean of the losses of those that
// began.
func (n *networks[T]) Progress() train.Progress {
	p := train.Progress{Steps: n.steps, Total: n.total}
	began := 0
	for _, f := range n.fits {
		p.Epoch = max(p.Epoch, f.Epoch())
		if len(f.Terms()) > 0 {
			began++
		}
		for i, v := range f.Terms() {
			if i == len(p.Losses) {
				p.Losses = append(p.Losses, 0)
			}
			p.Losses[i] += v
		}
	}
	for i := range p.Losses {
		p.Losses[i] /= float64(began)
	}
	p.Early = n.over() && p.Steps < p.Total
	return p
}

func (n *networks[T]) Embeddings(graph int) []train.Embedding {
	var list []*mat.Dense
	for _, net := range n.nets {
		if err := net.prepare(nil); err != nil {
			panic(err) // nothing else ends it
		}
		n.tape.Reset()
		net.values().begin()
		v := net.embed(n.tape, graph)
		rows, cols := n.tape.Shape(v)
		list = append(list, asDense(n.tape.Data(v), rows, cols))
	}
	if n.fused {
		return fused(list[0])
	}
	return ofLayers(list)
}

func (n *networks[T]) State() *train.State {
	s := &train.State{Integers: []*int{&n.turn, &n.steps}}
	for k, f := range n.fits {
		integers, numbers, arrays := f.State()
		own := n.nets[k].State()
		s.Integers = append(append(s.Integers, integers...), own.Integers...)
		s.Numbers = append(append(s.Numbers, numbers...), own.Numbers...)
		for _, a := range arrays {
			s.Add(a)
		}
		s.Singles, s.Doubles = append(s.Singles, own.Singles...), append(s.Doubles, own.Doubles...)
	}
	return s
}

// sound reports whether State holds what steps could lead to.
func (n *networks[T]) Sound() bool {
	odd := slices.ContainsFunc(n.fits, func(f *descent.Fit[T]) bool { return !f.Sound() })
	return n.turn >= 0 && n.turn < len(n.fits) && !odd
}

// Report says how many parameters there are and where each network stopped.
func (n *networks[T]) Report() train.Report {
	count := 0
	var r train.Report
	for k, net := range n.nets {
		for _, p := range net.Params() {
			count += len(p.Value)
		}
		r.Notes = append(r.Notes, net.values().notes...)
		name := "epochs"
		if !n.fused {
			name = fmt.Sprintf("epochs_layer_%d", k+1)
		}
		r = r.With(name, float64(n.fits[k].Epoch()))
	}
	return r.With("parameters", float64(count))
}

// indexes copies whole numbers to the type that a tape takes.
func indexes(dst []int32, src []int) []int32 {
	for i := range dst {
		dst[i] = int32(src[i])
	}
	return dst
}

// propagation returns the operator of SymNorm(A, w).
func propagation[T kernel.Float](a *multiplex.CSR, w float64) *tape.Operator[T] {
	return descent.NewOperator[T](SymNorm(a, w))
}

// prefix is the prefix of the names under which the draws of a layer are made.
func prefix(layer int) string { return fmt.Sprintf("layer %d/", layer+1) }

// of names the draws of one graph: the first of many has the names of an only one.
func of(graph int, name string) string {
	if graph == 0 {
		return name
	}
	return fmt.Sprintf("graph %d/%s", graph+1, name)
}

// oneFeatures notes that layers have different features, because the method uses the first layer's.
func oneFeatures(g *multiplex.Graph) []string {
	first := g.Layers[0].Features
	for l := range g.Layers {
		x := g.Layers[l].Features
		same := x.IsIdentity() == first.IsIdentity() && slices.Equal(x.Dense, first.Dense) && (x.Sparse == nil) == (first.Sparse == nil)
		if s, f := x.Sparse, first.Sparse; same && s != nil {
			same = slices.Equal(s.Start, f.Start) && slices.Equal(s.Index, f.Index) && slices.Equal(s.Value, f.Value)
		}
		if !same {
			return []string{"The layers have features of their own; those of the first were used for all."}
		}
	}
	return nil
}

func (n *networks[T]) inspect(k int) *Inspected {
	if k >= len(n.nets) {
		return nil
	}
	f, values := n.fits[k], n.nets[k].values()
	i := &Inspected{Values: map[string][]float64{}, Params: map[string][]float64{}, Gradients: map[string][]float64{}, Terms: f.Terms(),
		Epochs: f.Epoch(), Updates: f.Updates(), Early: f.Early()}
	i.BestEpoch, i.BestLoss = f.Best()
	for q, p := range n.nets[k].Params() {
		i.Params[p.Name], i.Gradients[p.Name] = kernel.Doubles(p.Value), kernel.Doubles(f.Gradient(q))
	}
	if k == n.last {
		for q, name := range values.names {
			i.Values[name] = append(i.Values[name], kernel.Doubles(n.tape.Data(values.at[q]))...)
		}
	}
	return i
}
