package baseline

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/baseline/descent"
	"cadem.example/core/baseline/diffusion"
	"cadem.example/core/baseline/tape"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// MVGRL, contrastive multi-view representation learning (Hassani and Khasahmadi 2020), on every layer
// by itself. The views are P = SymNorm(A, 2) and the diffusion S = alpha (I - (1 - alpha) SymNorm(A, 1))^-1.
// With two convolutions g1, g2 of the form PReLU(. X W + b), and a permutation drawn anew in every epoch,
//
//	h1 = g1(P, X), h2 = g2(S, X), h3 = g1(P, X~), h4 = g2(S, X~),  c1 = sigmoid(mean of h1), c2 = sigmoid(mean of h2)
//	minimise the mean of softplus(-D) over D(h2, c1), D(h1, c2) and of softplus(D) over D(h4, c1), D(h3, c2)
//
// where D(h, c) = h B c' + b0, until the loss has not fallen for 20 epochs. The embedding is h1 + h2 (M x 512).
// Graphs of more than 2000 nodes are cut: each epoch draws 4 windows of 2000 consecutive nodes, with one permutation.
//
// Cost: 4 (nnz(A) + nnz(S)) 512 multiply-adds an epoch, 4 M^2 512 with the exact diffusion, which takes M^3 once.
// Above 1000 nodes S is a series of 60 terms; each row keeps its 128 largest entries.
//
// Not in the paper: the released loader adds the identity twice to the adjacency view; the kept entries of S are not
// rescaled, so S is not symmetric and the gradient has its transpose.
var mvgrl = train.Method{
	Name: "mvgrl", Label: "MVGRL", Doc: "Two convolutions, over the edges and over a diffusion, that recognise each other's graph.",
	Family: train.Contrastive, Fusion: train.Combiner, Needs: []train.Need{train.Edges}, Losses: []string{"total"},
	Levels:  withLite("dim", 64, "top", 32),
	Options: func() any { return &MVGRLOptions{} },
	Memory: func(s *train.Setup) float64 {
		o := s.Options.(*MVGRLOptions)
		m, f, n := extentOf(s)
		rows := m
		if m > o.Window {
			rows = o.Windows * o.Window
		}
		need := networkBytes(s, n*(2*f+o.Dim)*o.Dim, (2*m+16*rows)*o.Dim)
		if o.series(m) {
			return need + float64(float64(n*m*o.Top)*(4+numberSize(s)))
		}
		return need + float64(float64(m*m)*(16+float64(float64(2*n)*numberSize(s))))
	},
}

// MVGRLOptions are the options of contrastive multi-view learning of nodes.
type MVGRLOptions struct {
	Dim       int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"2048" default:"512" doc:"Numbers per node in the embedding of each layer."`
	Epochs    int     `name:"epochs" label:"Epochs" group:"Method" min:"1" max:"100000" default:"3000" doc:"Updates of the weights at most."`
	Patience  int     `name:"patience" label:"Patience" group:"Method" min:"0" max:"100000" default:"20" doc:"After how many epochs without a lower loss a layer is complete; 0 runs all epochs and keeps the last weights."`
	Rate      float64 `name:"lr" symbol:"η" label:"Learning rate" group:"Method" min:"0" max:"10" default:"0.001" doc:"The learning rate of Adam."`
	Alpha     float64 `name:"alpha" symbol:"α" label:"Return probability" group:"Method" min:"0.01" max:"0.99" default:"0.2" doc:"The probability with which the diffusion returns to where it began."`
	Diffusion string  `name:"diffusion" label:"Diffusion" group:"Method" choices:"auto|exact|series" default:"auto" doc:"The exact matrix, or the largest entries of a series; auto takes the series above 1000 nodes."`
	Terms     int     `name:"terms" label:"Terms of the series" group:"Method" min:"1" max:"1000" default:"60" doc:"How many powers of the propagation matrix the series has."`
	Top       int     `name:"top" label:"Entries kept" group:"Method" min:"1" max:"100000" default:"128" doc:"How many entries of each row of the series are kept."`
	Window    int     `name:"window" label:"Window" group:"Method" min:"1" max:"1000000" default:"2000" doc:"Graphs of more nodes are cut into windows of so many consecutive ones."`
	Windows   int     `name:"windows" label:"Windows" group:"Method" min:"1" max:"64" default:"4" doc:"Windows drawn in an epoch."`
}

// exactMost is the number of nodes up to which the diffusion is exact.
const exactMost = 1000

// series reports whether the diffusion of that number of nodes is a series.
func (o *MVGRLOptions) series(m int) bool {
	return o.Diffusion == "series" || o.Diffusion == "auto" && m > exactMost
}

type mvgrlNet[T kernel.Float] struct {
	model[T]
	o       *MVGRLOptions
	w, c, a [2]*tape.Param[T] // of the views
	b, off  *tape.Param[T]
	parts   []mvgrlPart[T]
}

type mvgrlPart[T kernel.Float] struct {
	adjacency *multiplex.CSR
	views     [2]*tape.Operator[T] // the diffusion is made before the first step
	x         *descent.Features[T]
	shuffled  shuffle

	starts  []int // of windows; none if the graph is not cut
	windows [][2]tape.Operator[T]
	name    string
}

func newMVGRL[T kernel.Float](s *train.Setup, layer int) (network[T], descent.Rule, error) {
	o := s.Options.(*MVGRLOptions)
	n := &mvgrlNet[T]{o: o, model: newModel[T](s, prefix(layer))}
	for v, name := range []string{"g1", "g2"} {
		n.w[v], n.c[v] = n.Xavier(name+".W", s.Graphs[0].F(), o.Dim), n.Constant(name+".b", 1, o.Dim, 0)
		n.a[v] = n.Constant(name+".a", 1, 1, 0.25)
	}
	n.b, n.off = n.Bilinear("B", o.Dim, o.Dim), n.Constant("b0", 1, 1, 0)
	for g, graph := range s.Graphs {
		l := &graph.Layers[layer]
		p := mvgrlPart[T]{adjacency: l.Adjacency, x: descent.NewFeatures[T](l.Features, false), name: of(g, prefix(layer)+"starts")}
		if graph.M() > o.Window {
			p.starts, p.windows = make([]int, o.Windows), make([][2]tape.Operator[T], o.Windows)
		}
		p.views[0] = propagation[T](l.Adjacency, 2)
		p.shuffled = newShuffle(of(g, prefix(layer)+"permutation"), min(graph.M(), o.Window))
		n.parts = append(n.parts, p)
	}
	return n, descent.Rule{Epochs: o.Epochs, Groups: []descent.Group{{Rate: o.Rate}}, Patience: o.Patience}, nil
}

func (n *mvgrlNet[T]) Parts() int { return len(n.parts) }

// diffusionOf returns the second view of a graph.
func diffusionOf[T kernel.Float](a *multiplex.CSR, o *MVGRLOptions, cut bool, yield pause.Yield) (*tape.Operator[T], error) {
	p := SymNorm(a, 1)
	if o.series(a.Rows) {
		s, err := diffusion.Series(p, o.Alpha, o.Terms, o.Top, yield)
		if err != nil {
			return nil, err
		}
		return descent.NewOperator[T](s), nil
	}
	s, err := diffusion.Exact(p, o.Alpha, yield)
	if err != nil {
		return nil, err
	}
	x := make([]T, len(s))
	kernel.Round(x, s)
	if !cut {
		return tape.NewDense(a.Rows, a.Rows, x), nil
	}
	start, index := make([]int32, a.Rows+1), make([]int32, len(x))
	for i := range index {
		index[i] = int32(i % a.Rows)
	}
	for i := range start {
		start[i] = int32(i * a.Rows)
	}
	return tape.NewSparse(a.Rows, a.Rows, start, index, x), nil
}

// prepare computes the missing diffusions.
func (n *mvgrlNet[T]) prepare(yield pause.Yield) error {
	return diffuse(n.parts, n.o, yield)
}

func diffuse[T kernel.Float](parts []mvgrlPart[T], o *MVGRLOptions, yield pause.Yield) (err error) {
	for k := range parts {
		p := &parts[k]
		if p.views[1] != nil {
			continue
		}
		if p.views[1], err = diffusionOf[T](p.adjacency, o, p.starts != nil, partly(yield, k, len(parts))); err != nil {
			return err
		}
	}
	return nil
}

// partly returns the yield of part k of a number of parts.
func partly(yield pause.Yield, k, parts int) pause.Yield {
	return func(done, total int) error { return yield.At(k*total+done, parts*total) }
}

// view records a convolution.
func (n *mvgrlNet[T]) view(t *tape.Tape[T], k int, p *tape.Operator[T], x tape.Value) tape.Value {
	return t.PReLU(t.AddRow(t.Apply(p, x), t.Param(n.c[k])), t.Param(n.a[k]))
}

func (n *mvgrlNet[T]) Loss(t *tape.Tape[T], epoch, _, part int) []tape.Value {
	p := &n.parts[part]
	x := [2]tape.Value{p.x.Times(t, t.Param(n.w[0])), p.x.Times(t, t.Param(n.w[1]))}
	order := p.shuffled.draw(n.source, epoch)
	if p.starts == nil {
		return n.terms(n.contrast(t, p.views, x, order))
	}
	size := len(order)
	n.source.Below(p.starts, p.adjacency.Rows-size+1, p.name, epoch)
	total := folded(len(p.starts), t.Add, func(k int) tape.Value {
		w, from := &p.windows[k], p.starts[k]
		w[0].Window(p.views[0], from, size)
		w[1].Window(p.views[1], from, size)
		return n.contrast(t, [2]*tape.Operator[T]{&w[0], &w[1]}, [2]tape.Value{t.Rows(x[0], from, from+size), t.Rows(x[1], from, from+size)}, order)
	})
	return n.terms(t.Scale(total, 1/float64(len(p.starts))))
}

// contrast records the loss of a graph or a window of one.
func (n *mvgrlNet[T]) contrast(t *tape.Tape[T], views [2]*tape.Operator[T], x [2]tape.Value, order []int32) tape.Value {
	h1, h2 := n.keep("h1", n.view(t, 0, views[0], x[0])), n.keep("h2", n.view(t, 1, views[1], x[1]))
	h3 := n.keep("h3", n.view(t, 0, views[0], t.Gather(x[0], order)))
	h4 := n.keep("h4", n.view(t, 1, views[1], t.Gather(x[1], order)))
	summary := func(name string, h tape.Value) tape.Value {
		return t.Mul(t.Param(n.b), t.Reshape(n.keep(name, t.Sigmoid(t.MeanRows(h))), n.o.Dim, 1))
	}
	u1, u2 := summary("c1", h1), summary("c2", h2)
	logits := func(name string, h, u tape.Value) tape.Value {
		return n.keep(name, t.AddRow(t.Mul(h, u), t.Param(n.off)))
	}
	positive := t.Add(t.CrossEntropy(logits("pos21", h2, u1), 1), t.CrossEntropy(logits("pos12", h1, u2), 1))
	negative := t.Add(t.CrossEntropy(logits("neg41", h4, u1), 0), t.CrossEntropy(logits("neg32", h3, u2), 0))
	return t.Scale(t.Add(positive, negative), 0.25)
}

func (n *mvgrlNet[T]) embed(t *tape.Tape[T], graph int) tape.Value {
	p := &n.parts[graph]
	return t.Add(n.view(t, 0, p.views[0], p.x.Times(t, t.Param(n.w[0]))), n.view(t, 1, p.views[1], p.x.Times(t, t.Param(n.w[1]))))
}
