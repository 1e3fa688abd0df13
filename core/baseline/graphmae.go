package baseline

import (
	"fmt"
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/baseline/descent"
	"cadem.example/core/baseline/tape"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// GraphMAE, the masked graph autoencoder (Hou et al. 2022), on every layer by itself. A graph attention
// layer (Velickovic et al. 2018) with k heads takes x to
//
//	y_i = sum over j in N(i) of w_ij z_j + b,  z = x W,  w_ij = softmax over j of LeakyReLU(l z_j + r z_i)
//
// where N(i) are the neighbours of i and i itself. Every epoch half of the nodes, U, are masked: 95 of
// 100 get a learned token for features, 5 of 100 those of another node, the rest their own. With two
// attention layers, each followed by PReLU, as encoder, and one of a single head as decoder,
//
//	R = encoder(masked X) bridge, its rows U set to 0;  X' = decoder(R)
//	minimise  mean over U of (1 - cos(X'_i, X_i))^3
//
// for 1500 epochs with a learning rate that falls by a cosine. The embedding is encoder(X) (M x 512).
//
// Cost: M (F + 2 512) 512 + 3 nnz(A) 512 multiply-adds forward, twice that backward. The decoder sums over
// neighbours before it goes from 512 to F columns, and for U alone.
//
// Not in the paper: dropout of features (0.2) before each attention layer, the decoder's too,
// and of attention weights (0.1), which are not normalised again; the decay of weights acts on all parameters;
// features are not normalised, weights of edges not used. A row whose reconstruction has no length counts
// as cosine 0 without a gradient: dividing by its length at the first epoch would silence the decoder's
// bias for the whole run.
var graphMAE = train.Method{
	Name: "graphmae", Label: "GraphMAE", Doc: "A graph attention autoencoder that reconstructs the features of masked nodes.",
	Family: train.Autoencoder, Fusion: train.Combiner, Needs: []train.Need{train.Edges}, Losses: []string{"total"},
	Levels:  withLite("dim", 64, "attention", 2, "epochs", 300),
	Options: func() any { return &GraphMAEOptions{} },
	Memory: func(s *train.Setup) float64 {
		o := s.Options.(*GraphMAEOptions)
		m, f, n := extentOf(s)
		links := 0
		for _, l := range s.Graphs[0].Layers {
			links = max(links, l.Adjacency.NNZ()+m)
		}
		return networkBytes(s, 2*n*(f+o.Dim)*o.Dim, m*(12*f+22*o.Dim)+9*links*o.Attention)
	},
}

// GraphMAEOptions are the options of the masked graph autoencoder.
type GraphMAEOptions struct {
	Dim         int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"2048" default:"512" doc:"Numbers per node in the embedding of each layer."`
	Attention   int     `name:"attention" symbol:"k" label:"Heads of the encoder" group:"Method" min:"1" max:"64" default:"4" doc:"Attention heads of the encoder; they divide the embedding size."`
	Epochs      int     `name:"epochs" label:"Epochs" group:"Method" min:"1" max:"100000" default:"1500" doc:"Updates of the weights."`
	Schedule    int     `name:"schedule" label:"Length of the schedule" group:"Method" min:"0" max:"100000" default:"0" doc:"Epochs after which the learning rate would reach 0; 0 for as many as there are."`
	Rate        float64 `name:"lr" symbol:"η" label:"Learning rate" group:"Method" min:"0" max:"10" default:"0.001" doc:"The learning rate of Adam at the beginning."`
	Decay       float64 `name:"decay" label:"Weight decay" group:"Method" min:"0" max:"1" default:"0.0002" doc:"Added to the gradient times the weight."`
	Masked      float64 `name:"masked" label:"Nodes masked" group:"Method" min:"0.01" max:"1" default:"0.5" doc:"The share of nodes that are masked in an epoch."`
	Token       float64 `name:"token" label:"Nodes with the token" group:"Method" min:"0" max:"1" default:"0.95" doc:"The share of masked nodes whose features are replaced by the token."`
	Noise       float64 `name:"noise" label:"Nodes with noise" group:"Method" min:"0" max:"1" default:"0.05" doc:"The share of masked nodes that get the features of another node."`
	Dropout     float64 `name:"dropout" label:"Dropout of features" group:"Method" min:"0" max:"0.99" default:"0.2" doc:"The share of entries set to 0 before each attention layer."`
	DropoutEdge float64 `name:"dropout_attention" label:"Dropout of attention" group:"Method" min:"0" max:"0.99" default:"0.1" doc:"The share of attention weights set to 0."`
	Gamma       int     `name:"gamma" symbol:"γ" label:"Exponent" group:"Method" min:"1" max:"10" default:"3" doc:"The exponent of the error."`
}

// leaky is the slope of LeakyReLU in attention.
const leaky = 0.2

type graphMAENet[T kernel.Float] struct {
	model[T]
	o             *GraphMAEOptions
	layers        [3]attention[T] // of the encoder, and the decoder
	bridge, token *tape.Param[T]
	inputs        int
	parts         []graphMAEPart[T]
}

type attention[T kernel.Float] struct{ w, l, r, c, a *tape.Param[T] }

type graphMAEPart[T kernel.Float] struct {
	p         *tape.Pattern
	x, masked []T // M x F
	unit      []T // of the masked nodes: features of length 1
	m, f      int

	masking, order, sources   shuffle
	tokens                    []int32
	features, weights         [3]marks[T]
	masks, tokenCount, noises int
}

// marks are the factors of dropout: 0, or 1 / (1 - rate).
type marks[T kernel.Float] struct {
	name  string
	rate  float64
	drawn []float64
	value []T
}

func newMarks[T kernel.Float](name string, n int, rate float64) marks[T] {
	if rate == 0 {
		return marks[T]{}
	}
	return marks[T]{name, rate, make([]float64, n), make([]T, n)}
}

// apply records v after dropout.
func (d *marks[T]) apply(t *tape.Tape[T], v tape.Value, source train.Source, round int) tape.Value {
	if d.rate == 0 {
		return v
	}
	rows, cols := t.Shape(v)
	return t.Times(v, t.Constant(rows, cols, d.draw(source, round)))
}

func (d *marks[T]) draw(source train.Source, round int) []T {
	source.Uniform(d.drawn, 0, 1, d.name, round)
	for i, u := range d.drawn {
		d.value[i] = 0
		if u >= d.rate {
			d.value[i] = T(1 / (1 - d.rate))
		}
	}
	return d.value
}

func newGraphMAE[T kernel.Float](s *train.Setup, layer int) (network[T], descent.Rule, error) {
	o := s.Options.(*GraphMAEOptions)
	if o.Dim%o.Attention != 0 {
		return nil, descent.Rule{}, diag.Option("attention", fmt.Sprint(o.Attention), fmt.Sprintf("a divisor of the embedding size %d", o.Dim))
	}
	n := &graphMAENet[T]{o: o, inputs: s.Graphs[0].F(), model: newModel[T](s, prefix(layer))}
	for k, name := range []string{"enc0", "enc1", "dec"} {
		in, heads, out := o.Dim, o.Attention, o.Dim/o.Attention
		switch k {
		case 0:
			in = n.inputs
		case 2:
			heads, out = 1, n.inputs
		}
		deviation := func(in, out int) float64 { return math.Sqrt2 * math.Sqrt(2/float64(in+out)) } // Xavier's with gain sqrt(2)
		a := &n.layers[k]
		a.w = n.Normal(name+".W", in, heads*out, deviation(in, heads*out))
		a.l, a.r = n.Normal(name+".l", heads, out, deviation(heads*out, out)), n.Normal(name+".r", heads, out, deviation(heads*out, out))
		a.c = n.Constant(name+".b", 1, heads*out, 0)
		if k < 2 {
			a.a = n.Constant(name+".a", 1, 1, 0.25)
		}
	}
	n.bridge = n.Uniform("bridge", o.Dim, o.Dim, 1/math.Sqrt(float64(o.Dim)))
	n.token = n.Constant("token", 1, n.inputs, 0)
	for g, graph := range s.Graphs {
		n.parts = append(n.parts, n.part(&graph.Layers[layer], of(g, prefix(layer))))
	}
	length := o.Schedule
	if length == 0 {
		length = o.Epochs
	}
	schedule := func(epoch int) float64 { return (1 + kernel.Cos(math.Pi*float64(epoch)/float64(length))) / 2 }
	return n, descent.Rule{Epochs: o.Epochs, Groups: []descent.Group{{Rate: o.Rate, Decay: o.Decay}}, Schedule: schedule}, nil
}

// part prepares one graph, whose draws have names that begin with name.
func (n *graphMAENet[T]) part(l *multiplex.Layer, name string) graphMAEPart[T] {
	o, m, f := n.o, l.Adjacency.Rows, n.inputs
	p := graphMAEPart[T]{p: descent.WithLoops(l.Adjacency), x: descent.NewFeatures[T](l.Features, false).Dense(), masked: make([]T, m*f), m: m, f: f,
		masks: max(1, int(o.Masked*float64(m)))}
	p.unit = make([]T, p.masks*f)
	p.tokenCount, p.noises = int(o.Token*float64(p.masks)), int(o.Noise*float64(p.masks))
	p.tokens = make([]int32, p.tokenCount)
	p.masking, p.order, p.sources = newShuffle(name+"masked", m), newShuffle(name+"order", p.masks), newShuffle(name+"sources", m)
	edges := len(p.p.Index)
	for k, layer := range []struct {
		name         string
		width, heads int
	}{{"enc0", f, o.Attention}, {"enc1", o.Dim, o.Attention}, {"dec", o.Dim, 1}} {
		p.features[k] = newMarks[T](name+"drop_"+layer.name, m*layer.width, o.Dropout)
		p.weights[k] = newMarks[T](name+"att_"+layer.name, edges*layer.heads, o.DropoutEdge)
	}
	return p
}

func (n *graphMAENet[T]) Parts() int { return len(n.parts) }

// encode records the encoder; noise adds its dropout.
func (n *graphMAENet[T]) encode(t *tape.Tape[T], p *graphMAEPart[T], x tape.Value, epoch int, noise bool) tape.Value {
	for k := range 2 {
		a := &n.layers[k]
		if noise {
			x = p.features[k].apply(t, x, n.source, epoch)
		}
		z := t.Mul(x, t.Param(a.w))
		w := t.EdgeSoftmax(p.p, t.HeadDot(z, t.Param(a.l)), t.HeadDot(z, t.Param(a.r)), leaky)
		n.keep([...]string{"attention_enc0", "attention_enc1"}[k], w)
		if noise {
			w = p.weights[k].apply(t, w, n.source, epoch)
		}
		x = n.keep([...]string{"hidden", "encoded"}[k], t.PReLU(t.AddRow(t.EdgeSum(p.p, w, z), t.Param(a.c)), t.Param(a.a)))
	}
	return x
}

func (n *graphMAENet[T]) Loss(t *tape.Tape[T], epoch, _, part int) []tape.Value {
	p := &n.parts[part]
	u := p.mask(n.source, epoch)
	x := n.keep("masked_X", t.ReplaceRows(t.Constant(p.m, p.f, p.masked), t.Param(n.token), p.tokens))
	r := t.ClearRows(t.Mul(n.encode(t, p, x, epoch, true), t.Param(n.bridge)), u)
	n.keep("R", r)
	r = p.features[2].apply(t, r, n.source, epoch)
	// One head: the sum over neighbours comes before the projection, and l (R_j W) is R_j (W l').
	d := &n.layers[2]
	projection := t.Param(d.w)
	score := func(v *tape.Param[T]) tape.Value { return t.Mul(r, t.MulTrans(projection, t.Param(v))) }
	w := n.keep("attention_dec", t.EdgeSoftmax(p.p, score(d.l), score(d.r), leaky))
	sum := t.EdgeSum(p.p, p.weights[2].apply(t, w, n.source, epoch), r)
	y := n.keep("reconstruction", t.AddRow(t.Mul(t.Gather(sum, u), projection), t.Param(d.c)))
	cos := n.keep("cos", t.RowDot(t.NormalizeRows(y), t.Constant(p.masks, p.f, p.unit)))
	return n.terms(t.MeanPower(cos, n.o.Gamma))
}

// mask draws the masked nodes, which it returns, and their features, except for the token.
func (p *graphMAEPart[T]) mask(source train.Source, epoch int) []int32 {
	u := p.masking.draw(source, epoch)[:p.masks]
	order := p.order.draw(source, epoch)
	copy(p.masked, p.x)
	for k := range p.tokens {
		p.tokens[k] = u[order[k]]
	}
	if p.noises > 0 {
		from := p.sources.draw(source, epoch)
		for k, at := range order[p.masks-p.noises:] {
			copy(p.masked[int(u[at])*p.f:int(u[at]+1)*p.f], p.x[int(from[k])*p.f:])
		}
	}
	for k, i := range u {
		unit(p.unit[k*p.f:(k+1)*p.f], p.x[int(i)*p.f:int(i+1)*p.f])
	}
	return u
}

// unit sets dst to x divided by its length, or to 0 if it has none.
func unit[T kernel.Float](dst, x []T) {
	s := 0.0
	for _, v := range x {
		s += float64(float64(v) * float64(v))
	}
	clear(dst)
	if s >= 1e-24 {
		for i, v := range x {
			dst[i] = T(float64(v) / math.Sqrt(s))
		}
	}
}

func (n *graphMAENet[T]) embed(t *tape.Tape[T], graph int) tape.Value {
	p := &n.parts[graph]
	return n.encode(t, p, t.Constant(p.m, p.f, p.x), 0, false)
}
