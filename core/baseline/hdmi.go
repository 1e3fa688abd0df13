package baseline

import (
	"fmt"

	"cadem.example/core/base/kernel"
	"cadem.example/core/baseline/descent"
	"cadem.example/core/baseline/tape"
	"cadem.example/core/train"
)

// HDMI, high-order deep multiplex infomax (Jing, Park and Tong 2021), on all layers at once. With
// P_l = SymNorm(A_l, 3), one X whose rows sum to 1, and a permutation of its rows drawn anew in every epoch,
//
//	h_l = ReLU(P_l X W_l + b_l), h~_l from the permuted rows, c_l = mean of h_l
//	h = sum over l of w_l h_l, w = softmax over l of tanh(h_l V_l y_l + beta_l), c = mean of h
//
// A block discriminates (c, h, X) from (c, h~, X) by three pairs of logits:
//
//	external  sigmoid(c) E h_i
//	internal  X_i I h_i
//	joint     q_i J h_i,  q_i = sigmoid([sigmoid(sigmoid(c) C) | sigmoid(X_i G)] K), q~ = q permuted
//
// the corrupted side being h~_i, h~_i with the same X_i, and q~_i with the same h_i. Minimised is the mean
// cross-entropy of each, 1 external + 2 internal + 0.001 joint, added over the layers, which share a
// block, plus 0.01, 0.1 and 0.001 for the fused h with a block of its own, until the loss has not
// fallen for 100 epochs. The embedding is h (M x 128).
//
// Cost: 4 N nnz(A) 128 + (N + 1) (M F 128 + 4 M 128^2) multiply-adds an epoch. On Syn1 the fit takes 1600
// to 2500 epochs.
//
// Not in the paper: losses of layers are added; all layers have the features of the first; V_l and y_l are
// two parameters. Tanh keeps the weight of a layer below e^2 / (e^2 + N - 1). The lite level leaves out the
// joint term, whose weight is small.
var hdmi = train.Method{
	Name: "hdmi", Label: "HDMI", Doc: "Convolutions of all layers, fused by attention, that tell true from shuffled features, alone and jointly.",
	Family: train.Contrastive, Fusion: train.Own, Unscaled: true,
	Needs: []train.Need{train.Layers, train.Edges}, Losses: []string{"external", "internal", "joint", "total"},
	Levels:  withLite("dim", 32, "layer_joint", 0.0, "fused_joint", 0.0, "epochs", 1000),
	Options: func() any { return &HDMIOptions{} },
	Memory: func(s *train.Setup) float64 {
		o := s.Options.(*HDMIOptions)
		m, f, n := extentOf(s)
		return networkBytes(s, ((n+4)*f+(n+8)*o.Dim)*o.Dim, m*o.Dim*22*(n+1))
	},
}

// HDMIOptions are the options of high-order deep multiplex infomax.
type HDMIOptions struct {
	Dim           int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"2048" default:"128" doc:"Numbers per node in the fused embedding."`
	Epochs        int     `name:"epochs" label:"Epochs" group:"Method" min:"1" max:"100000" default:"10000" doc:"Updates of the weights at most."`
	Patience      int     `name:"patience" label:"Patience" group:"Method" min:"0" max:"100000" default:"100" doc:"After how many epochs without a lower loss the training ends; 0 runs all epochs and keeps the last weights."`
	Rate          float64 `name:"lr" symbol:"η" label:"Learning rate" group:"Method" min:"0" max:"10" default:"0.001" doc:"The learning rate of Adam."`
	LayerExternal float64 `name:"layer_external" label:"Layers, external" group:"Method" min:"0" max:"1000" default:"1" doc:"Weight of the external term of every layer."`
	LayerInternal float64 `name:"layer_internal" label:"Layers, internal" group:"Method" min:"0" max:"1000" default:"2" doc:"Weight of the internal term of every layer."`
	LayerJoint    float64 `name:"layer_joint" label:"Layers, joint" group:"Method" min:"0" max:"1000" default:"0.001" doc:"Weight of the joint term of every layer."`
	FusedExternal float64 `name:"fused_external" label:"Fused, external" group:"Method" min:"0" max:"1000" default:"0.01" doc:"Weight of the external term of the fused embedding."`
	FusedInternal float64 `name:"fused_internal" label:"Fused, internal" group:"Method" min:"0" max:"1000" default:"0.1" doc:"Weight of the internal term of the fused embedding."`
	FusedJoint    float64 `name:"fused_joint" label:"Fused, joint" group:"Method" min:"0" max:"1000" default:"0.001" doc:"Weight of the joint term of the fused embedding."`
}

type hdmiNet[T kernel.Float] struct {
	model[T]
	o       *HDMIOptions
	w, c    []*tape.Param[T] // of layers
	v, y, b []*tape.Param[T] // of the fusion
	blocks  [2]hdmiBlock[T]  // of the layers, of the fused embedding
	parts   []hdmiPart[T]

	h, hs   []tape.Value
	weights [2][3]float64
	sums    [3]tape.Value // of the terms so far, weighted
	begun   [3]bool
	none    []T // a zero
}

// hdmiBlock holds bilinear forms E, I, J and linear maps C, G, K with their biases.
type hdmiBlock[T kernel.Float] struct{ e, i, j, e0, i0, j0, c, g, k, c0, g0, k0 *tape.Param[T] }

type hdmiPart[T kernel.Float] struct {
	p        []*tape.Operator[T]
	x        *descent.Features[T]
	shuffled shuffle
}

func newHDMI[T kernel.Float](s *train.Setup, _ int) (network[T], descent.Rule, error) {
	o, first := s.Options.(*HDMIOptions), s.Graphs[0]
	n := &hdmiNet[T]{o: o, model: newModel[T](s, ""), none: make([]T, 1),
		weights: [2][3]float64{{o.LayerExternal, o.LayerInternal, o.LayerJoint}, {o.FusedExternal, o.FusedInternal, o.FusedJoint}}}
	n.notes = oneFeatures(first)
	f, d := first.F(), o.Dim
	for l := range first.Layers {
		n.w, n.c = append(n.w, n.Xavier(fmt.Sprintf("l%d.W", l), f, d)), append(n.c, n.Constant(fmt.Sprintf("l%d.b", l), 1, d, 0))
		n.v, n.y = append(n.v, n.Xavier(fmt.Sprintf("fuse%d.V", l), d, d)), append(n.y, n.Xavier(fmt.Sprintf("fuse%d.y", l), d, 1))
		n.b = append(n.b, n.Constant(fmt.Sprintf("fuse%d.beta", l), 1, 1, 0))
	}
	for k, t := range []string{"layer.", "fused."} {
		n.blocks[k] = hdmiBlock[T]{e: n.Bilinear(t+"E", d, d), i: n.Bilinear(t+"I", f, d), j: n.Bilinear(t+"J", d, d), e0: n.Constant(t+"e0", 1, 1, 0),
			i0: n.Constant(t+"i0", 1, 1, 0), j0: n.Constant(t+"j0", 1, 1, 0), c: n.Xavier(t+"C", d, d), g: n.Xavier(t+"G", f, d), k: n.Xavier(t+"K", 2*d, d),
			c0: n.Constant(t+"c", 1, d, 0), g0: n.Constant(t+"g", 1, d, 0), k0: n.Constant(t+"k", 1, d, 0)}
	}
	for g, graph := range s.Graphs {
		p := hdmiPart[T]{x: descent.NewFeatures[T](graph.Layers[0].Features, true), shuffled: newShuffle(of(g, "permutation"), graph.M())}
		for l := range graph.Layers {
			p.p = append(p.p, propagation[T](graph.Layers[l].Adjacency, 3))
		}
		n.parts = append(n.parts, p)
	}
	return n, descent.Rule{Epochs: o.Epochs, Groups: []descent.Group{{Rate: o.Rate}}, Patience: o.Patience}, nil
}

func (n *hdmiNet[T]) Parts() int { return len(n.parts) }

// encode records h_l of a layer from X W_l.
func (n *hdmiNet[T]) encode(t *tape.Tape[T], p *hdmiPart[T], l int, x tape.Value) tape.Value {
	return t.ReLU(t.AddRow(t.Apply(p.p[l], x), t.Param(n.c[l])))
}

// fuse records the sum of the layers weighted by attention.
func (n *hdmiNet[T]) fuse(t *tape.Tape[T], h []tape.Value, side int) tape.Value {
	scores := folded(len(h), t.Beside, func(l int) tape.Value {
		u := t.Mul(t.Param(n.v[l]), t.Param(n.y[l]))
		return t.Tanh(t.AddRow(t.Mul(h[l], u), t.Param(n.b[l])))
	})
	n.keep([...]string{"scores", "scores_s"}[side], scores)
	w := n.keep([...]string{"weights", "weights_s"}[side], t.SoftmaxRows(scores))
	return folded(len(h), t.Add, func(l int) tape.Value { return t.TimesColumn(h[l], t.Column(w, l)) })
}

func (n *hdmiNet[T]) Loss(t *tape.Tape[T], epoch, _, part int) []tape.Value {
	p := &n.parts[part]
	order := p.shuffled.draw(n.source, epoch)
	n.h, n.hs, n.begun = n.h[:0], n.hs[:0], [3]bool{}
	for l := range p.p {
		x := p.x.Times(t, t.Param(n.w[l]))
		n.h = append(n.h, n.keep("h", n.encode(t, p, l, x)))
		n.hs = append(n.hs, n.keep("hs", n.encode(t, p, l, t.Gather(x, order))))
	}
	for l := range p.p {
		n.block(t, p, order, n.keep("c", t.MeanRows(n.h[l])), n.h[l], n.hs[l], 0)
	}
	h, hs := n.keep("fused_h", n.fuse(t, n.h, 0)), n.keep("fused_hs", n.fuse(t, n.hs, 1))
	n.block(t, p, order, n.keep("fused_c", t.MeanRows(h)), h, hs, 1)
	total := t.Constant(1, 1, n.none)
	for k, begun := range n.begun {
		if !begun {
			n.sums[k] = t.Constant(1, 1, n.none)
			continue
		}
		total = t.Add(total, n.sums[k])
	}
	return n.terms(n.sums[0], n.sums[1], n.sums[2], total)
}

// block adds the weighted terms of one block.
func (n *hdmiNet[T]) block(t *tape.Tape[T], p *hdmiPart[T], order []int32, c, h, hs tape.Value, kind int) {
	b := &n.blocks[kind]
	s := t.Sigmoid(c)
	logits := func(v tape.Value, bias *tape.Param[T]) tape.Value {
		return n.keep("logits", t.AddRow(v, t.Param(bias)))
	}
	term := func(k int, clean, corrupted tape.Value) {
		x := n.keep("term", t.Scale(t.Add(t.CrossEntropy(clean, 1), t.CrossEntropy(corrupted, 0)), 0.5))
		if x = t.Scale(x, n.weights[kind][k]); n.begun[k] {
			x = t.Add(n.sums[k], x)
		}
		n.sums[k], n.begun[k] = x, true
	}
	if n.weights[kind][0] != 0 {
		e := t.Mul(s, t.Param(b.e))
		term(0, logits(t.MulTrans(h, e), b.e0), logits(t.MulTrans(hs, e), b.e0))
	}
	if n.weights[kind][1] != 0 {
		x := p.x.Times(t, t.Param(b.i))
		term(1, logits(t.RowDot(x, h), b.i0), logits(t.RowDot(x, hs), b.i0))
	}
	if n.weights[kind][2] != 0 {
		d := n.o.Dim
		k := t.Param(b.k)
		cc := n.keep("cc", t.Sigmoid(t.AddRow(t.Mul(s, t.Param(b.c)), t.Param(b.c0))))
		f := n.keep("f", t.Sigmoid(t.AddRow(p.x.Times(t, t.Param(b.g)), t.Param(b.g0))))
		row := t.AddRow(t.Mul(cc, t.Rows(k, 0, d)), t.Param(b.k0)) // the same for all nodes
		q := n.keep("q", t.Sigmoid(t.AddRow(t.Mul(f, t.Rows(k, d, 2*d)), row)))
		x := t.Mul(q, t.Param(b.j))
		term(2, logits(t.RowDot(x, h), b.j0), logits(t.RowDot(t.Gather(x, order), h), b.j0))
	}
}

func (n *hdmiNet[T]) embed(t *tape.Tape[T], graph int) tape.Value {
	p := &n.parts[graph]
	n.h = n.h[:0]
	for l := range p.p {
		n.h = append(n.h, n.encode(t, p, l, p.x.Times(t, t.Param(n.w[l]))))
	}
	return n.fuse(t, n.h, 0)
}
