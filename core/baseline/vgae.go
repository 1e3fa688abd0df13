package baseline

import (
	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/baseline/descent"
	"cadem.example/core/baseline/tape"
	"cadem.example/core/train"
)

// VGAE, the variational graph autoencoder (Kipf and Welling 2016), on every layer by itself. With
// P = SymNorm(A, 1), features whose rows sum to 1 and noise e drawn anew in every epoch,
//
//	H = ReLU(P X W0),  mu = P H W1,  s = min(P H W2, 10),  z = mu + e exp(s)
//	minimise  c mean over i, j of [(1 - T) softplus(L) + p T softplus(-L)] - KL,  L = z z'
//	KL = (0.5 / M) mean over i of the sum over k of (1 + 2 s - mu^2 - exp(2 s))
//
// where T is 1 on the diagonal and at the e off-diagonal entries of A, p = (M^2 - e) / e and
// c = M^2 / (2 (M^2 - e)). The embedding is mu (M x 16).
//
// Cost: (2 nnz(A) 32 + M^2 16) multiply-adds and M^2 / 2 exponentials an epoch, 200 epochs. The decoder
// "sampled" draws e pairs that are not edges instead of using all: O(nnz 32) an epoch, which is less if
// nodes have fewer than some hundred neighbours and M is above 10,000.
//
// Not in the paper: the divergence is divided by M twice, which the released program does
// on purpose; that program holds edges out for link prediction, while here all edges are used; the
// target ignores weights; T has ones on the diagonal.
var vgae = train.Method{
	Name: "vgae", Label: "VGAE", Doc: "A graph convolutional encoder of normal distributions whose inner products reconstruct the edges.",
	Family: train.Autoencoder, Fusion: train.Combiner, Unscaled: true,
	Levels: official, Needs: []train.Need{train.Edges}, Losses: []string{"reconstruction", "divergence", "total"},
	Options: func() any { return &VGAEOptions{} },
	Memory: func(s *train.Setup) float64 {
		o := s.Options.(*VGAEOptions)
		m, f, n := extentOf(s)
		return networkBytes(s, n*f*o.Hidden, m*(8*o.Hidden+24*o.Dim))
	},
}

// VGAEOptions are the options of the variational graph autoencoder.
type VGAEOptions struct {
	Dim     int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"512" default:"16" doc:"Numbers per node in the embedding of each layer."`
	Hidden  int     `name:"hidden" label:"Hidden units" group:"Method" min:"1" max:"4096" default:"32" doc:"Width of the first convolution."`
	Epochs  int     `name:"epochs" label:"Epochs" group:"Method" min:"1" max:"100000" default:"200" doc:"Updates of the weights."`
	Rate    float64 `name:"lr" symbol:"η" label:"Learning rate" group:"Method" min:"0" max:"10" default:"0.01" doc:"The learning rate of Adam."`
	Decoder string  `name:"decoder" label:"Decoder" group:"Method" choices:"dense|sampled" default:"dense" doc:"What is reconstructed: all pairs of nodes, or the edges and as many pairs that are none (PyTorch Geometric's loss, with biases)."`
}

// PairRounds is the number of rounds of draws for the pairs of one epoch that are not edges.
const PairRounds = 1 << 16

// logLimit is the largest logarithm of a deviation.
const logLimit = 10

type vgaeNet[T kernel.Float] struct {
	model[T]
	o          *VGAEOptions
	w0, w1, w2 *tape.Param[T]
	c0, c1, c2 *tape.Param[T] // biases of the sampled decoder, or nil
	parts      []vgaePart[T]
}

// vgaePart is the model's part for one graph.
type vgaePart[T kernel.Float] struct {
	p       *tape.Operator[T]
	x       *descent.Features[T]
	target  *tape.Pattern
	noise   []float64 // M x d
	noiseT  []T
	drawing string

	// For the sampled decoder.
	from, to      []int32 // of the edges, each in both directions
	pairs         []int   // node indices, two per edge
	first, second []int32 // of the pairs that are not edges
	drawPairs     string
}

func newVGAE[T kernel.Float](s *train.Setup, layer int) (network[T], descent.Rule, error) {
	o := s.Options.(*VGAEOptions)
	n := &vgaeNet[T]{o: o, model: newModel[T](s, prefix(layer))}
	f := s.Graphs[0].F()
	n.w0, n.w1, n.w2 = n.Xavier("W0", f, o.Hidden), n.Xavier("W1", o.Hidden, o.Dim), n.Xavier("W2", o.Hidden, o.Dim)
	if o.Decoder == "sampled" {
		n.c0, n.c1, n.c2 = n.Constant("c0", 1, o.Hidden, 0), n.Constant("c1", 1, o.Dim, 0), n.Constant("c2", 1, o.Dim, 0)
	}
	for g, graph := range s.Graphs {
		l := &graph.Layers[layer]
		part := vgaePart[T]{p: propagation[T](l.Adjacency, 1), x: descent.NewFeatures[T](l.Features, true), target: descent.WithLoops(l.Adjacency),
			drawing: of(g, prefix(layer)+"noise"), noise: make([]float64, graph.M()*o.Dim), noiseT: make([]T, graph.M()*o.Dim)}
		if o.Decoder == "sampled" {
			if err := part.sample(of(g, prefix(layer)+"pairs")); err != nil {
				return nil, descent.Rule{}, err
			}
		}
		n.parts = append(n.parts, part)
	}
	return n, descent.Rule{Epochs: o.Epochs, Groups: []descent.Group{{Rate: o.Rate}}}, nil
}

// sample prepares the sampled decoder.
func (p *vgaePart[T]) sample(name string) error {
	m := len(p.target.Start) - 1
	for i := range m {
		for _, j := range p.target.Index[p.target.Start[i]:p.target.Start[i+1]] {
			if int(j) != i {
				p.from, p.to = append(p.from, int32(i)), append(p.to, j)
			}
		}
	}
	e := len(p.from)
	if e == m*(m-1) {
		return &diag.Error{Where: "data", Found: "a layer with an edge between any two nodes", Expected: "pairs without one, which the sampled decoder needs"}
	}
	p.pairs, p.first, p.second, p.drawPairs = make([]int, 2*e), make([]int32, e), make([]int32, e), name
	return nil
}

func (n *vgaeNet[T]) Parts() int { return len(n.parts) }

// encode records mu and the logarithms of the deviations.
func (n *vgaeNet[T]) encode(t *tape.Tape[T], p *vgaePart[T]) (mu, s tape.Value) {
	biased := func(v tape.Value, c *tape.Param[T]) tape.Value {
		if c == nil {
			return v
		}
		return t.AddRow(v, t.Param(c))
	}
	h := n.keep("H", t.ReLU(biased(t.Apply(p.p, p.x.Times(t, t.Param(n.w0))), n.c0)))
	mu = n.keep("mu", biased(t.Apply(p.p, t.Mul(h, t.Param(n.w1))), n.c1))
	s = n.keep("logstd", t.AtMost(biased(t.Apply(p.p, t.Mul(h, t.Param(n.w2))), n.c2), logLimit))
	return mu, s
}

func (n *vgaeNet[T]) Loss(t *tape.Tape[T], epoch, _, part int) []tape.Value {
	p := &n.parts[part]
	mu, s := n.encode(t, p)
	m, d := t.Shape(mu)
	n.source.Normal(p.noise, 1, p.drawing, epoch)
	kernel.Round(p.noiseT, p.noise)
	z := n.keep("z", t.Add(mu, t.Times(t.Constant(m, d, p.noiseT), t.Exp(s))))
	var reconstruction tape.Value
	if n.o.Decoder == "sampled" {
		p.drawNonEdges(n.source, epoch)
		logits := func(a, b []int32) tape.Value { return t.RowDot(t.Gather(z, a), t.Gather(z, b)) }
		reconstruction = t.Add(t.LogSigmoid(logits(p.from, p.to), 1), t.LogSigmoid(logits(p.first, p.second), -1))
	} else {
		reconstruction = t.InnerProduct(z, p.target)
	}
	divergence := t.Divergence(mu, s)
	return n.terms(reconstruction, divergence, t.Add(reconstruction, t.Scale(divergence, -1)))
}

// drawNonEdges draws as many pairs of different nodes as there are edges. A pair that is an edge, or
// one node twice, is drawn again.
func (p *vgaePart[T]) drawNonEdges(source train.Source, epoch int) {
	m := len(p.target.Start) - 1
	for k, again := 0, 0; k < len(p.first); again++ {
		draw := p.pairs[:2*(len(p.first)-k)]
		source.Below(draw, m, p.drawPairs, epoch*PairRounds+again)
		for i := 0; i < len(draw); i += 2 {
			if a, b := draw[i], draw[i+1]; !p.target.Has(a, b) {
				p.first[k], p.second[k] = int32(a), int32(b)
				k++
			}
		}
	}
}

func (n *vgaeNet[T]) embed(t *tape.Tape[T], graph int) tape.Value {
	mu, _ := n.encode(t, &n.parts[graph])
	return mu
}
