package baseline

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/baseline/descent"
	"cadem.example/core/baseline/tape"
	"cadem.example/core/train"
)

// DGI, deep graph infomax (Velickovic et al. 2019), on every layer by itself. With P = SymNorm(A, 1),
// features whose rows sum to 1, and a permutation pi drawn anew in every epoch,
//
//	h = PReLU(P X W + b),  h~ the same with row pi(i) of X in place of row i,  s = sigmoid(mean of h)
//	minimise  mean over i of [softplus(-D(h_i)) + softplus(D(h~_i))] / 2,  D(h) = h B s' + b0
//
// until the loss has not fallen for 20 epochs; the best parameters are kept. The embedding is h (M x 512).
//
// Cost: 4 nnz(A) 512 multiply-adds an epoch; X W is computed once and its rows are permuted. On Syn1
// the fit ends after 100 to 250 epochs.
//
// Not in the paper: the loss that early stopping watches is that of training, with a new
// corruption each time; the variant "pyg" has a slope for each column and -log(sigmoid + 1e-15), the
// two means added, and runs all its epochs.
var dgi = train.Method{
	Name: "dgi", Label: "DGI", Doc: "A graph convolution that tells the nodes of a graph from those with shuffled features, by a summary of the graph.",
	Family: train.Contrastive, Fusion: train.Combiner, Unscaled: true,
	Needs: []train.Need{train.Edges}, Losses: []string{"total"},
	Levels:  withLite("dim", 64),
	Options: func() any { return &DGIOptions{} },
	Memory: func(s *train.Setup) float64 {
		o := s.Options.(*DGIOptions)
		m, f, n := extentOf(s)
		return networkBytes(s, n*(f+o.Dim)*o.Dim, 11*m*o.Dim)
	},
}

// DGIOptions are the options of deep graph infomax.
type DGIOptions struct {
	Dim      int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"2048" default:"512" doc:"Numbers per node in the embedding of each layer."`
	Epochs   int     `name:"epochs" label:"Epochs" group:"Method" min:"1" max:"100000" default:"10000" doc:"Updates of the weights at most."`
	Patience int     `name:"patience" label:"Patience" group:"Method" min:"0" max:"100000" default:"20" doc:"After how many epochs without a lower loss a layer is complete; 0 runs all epochs and keeps the last weights."`
	Rate     float64 `name:"lr" symbol:"η" label:"Learning rate" group:"Method" min:"0" max:"10" default:"0.001" doc:"The learning rate of Adam."`
	Variant  string  `name:"variant" label:"Variant" group:"Method" choices:"released|pyg" default:"released" doc:"The released program, or the loss and the slopes of PyTorch Geometric."`
}

type dgiNet[T kernel.Float] struct {
	model[T]
	o               *DGIOptions
	w, c, a, b, off *tape.Param[T]
	parts           []dgiPart[T]
}

type dgiPart[T kernel.Float] struct {
	p        *tape.Operator[T]
	x        *descent.Features[T]
	shuffled shuffle
}

// A shuffle is a permutation that is drawn anew.
type shuffle struct {
	name  string
	drawn []int
	index []int32
}

func newShuffle(name string, n int) shuffle { return shuffle{name, make([]int, n), make([]int32, n)} }

// draw returns the permutation of a round.
func (p *shuffle) draw(source train.Source, round int) []int32 {
	source.Permutation(p.drawn, p.name, round)
	return indexes(p.index, p.drawn)
}

func newDGI[T kernel.Float](s *train.Setup, layer int) (network[T], descent.Rule, error) {
	o := s.Options.(*DGIOptions)
	n := &dgiNet[T]{o: o, model: newModel[T](s, prefix(layer))}
	slopes := 1
	if o.Variant == "pyg" {
		slopes = o.Dim
	}
	n.w, n.c, n.a = n.Xavier("W", s.Graphs[0].F(), o.Dim), n.Constant("b", 1, o.Dim, 0), n.Constant("a", 1, slopes, 0.25)
	n.b, n.off = n.Bilinear("B", o.Dim, o.Dim), n.Constant("b0", 1, 1, 0)
	for g, graph := range s.Graphs {
		l := &graph.Layers[layer]
		n.parts = append(n.parts, dgiPart[T]{propagation[T](l.Adjacency, 1), descent.NewFeatures[T](l.Features, true),
			newShuffle(of(g, prefix(layer)+"permutation"), graph.M())})
	}
	return n, descent.Rule{Epochs: o.Epochs, Groups: []descent.Group{{Rate: o.Rate}}, Patience: o.Patience}, nil
}

func (n *dgiNet[T]) Parts() int { return len(n.parts) }

// convolve records PReLU(P x + b).
func (n *dgiNet[T]) convolve(t *tape.Tape[T], p *tape.Operator[T], x tape.Value) tape.Value {
	return t.PReLU(t.AddRow(t.Apply(p, x), t.Param(n.c)), t.Param(n.a))
}

func (n *dgiNet[T]) Loss(t *tape.Tape[T], epoch, _, part int) []tape.Value {
	p := &n.parts[part]
	x := p.x.Times(t, t.Param(n.w))
	h := n.keep("h", n.convolve(t, p.p, x))
	hs := n.keep("hs", n.convolve(t, p.p, t.Gather(x, p.shuffled.draw(n.source, epoch))))
	s := n.keep("s", t.Sigmoid(t.MeanRows(h)))
	u := t.Mul(t.Param(n.b), t.Reshape(s, n.o.Dim, 1))
	logits := func(h tape.Value) tape.Value { return t.AddRow(t.Mul(h, u), t.Param(n.off)) }
	pos, neg := n.keep("pos", logits(h)), n.keep("neg", logits(hs))
	if n.o.Variant == "pyg" {
		return n.terms(t.Add(t.LogSigmoid(pos, 1), t.LogSigmoid(neg, -1)))
	}
	return n.terms(t.Scale(t.Add(t.CrossEntropy(pos, 1), t.CrossEntropy(neg, 0)), 0.5))
}

func (n *dgiNet[T]) embed(t *tape.Tape[T], graph int) tape.Value {
	p := &n.parts[graph]
	return n.convolve(t, p.p, p.x.Times(t, t.Param(n.w)))
}
