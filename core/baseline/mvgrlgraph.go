package baseline

import (
	"fmt"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/baseline/descent"
	"cadem.example/core/baseline/tape"
	"cadem.example/core/train"
)

// The graph version of MVGRL (Hassani and Khasahmadi 2020) embeds whole graphs, every layer by
// itself. The views are those of the node version. Each has an encoder of L = 4 convolutions
//
//	H(k+1) = PReLU(V (H(k) W_k) + b_k),  H(0) = X,
//
// the vector of a graph holds the column sums of all H(k) side by side, the states of its nodes are
// the last H. Networks f (nodes) and g (graphs), shared by the views, have three PReLU layers and a
// linear shortcut. With scores x = f(node) . g(graph) between the nodes of one view and the graphs of
// the other, in batches of 64 graphs,
//
//	minimise  E_neg - E_pos, added over the two directions,
//	E_pos = mean over nodes of log 2 - softplus(-x) for the own graph
//	E_neg = mean over nodes and other graphs of softplus(x) - log 2
//
// for 40 epochs, or until the mean loss of an epoch has not fallen for 20. The embedding is the sum
// of both views' g(graph): 1 x 512 for each layer.
//
// Cost: 6 L (nnz(A) + M^2) 512 + 12 L M 512^2 multiply-adds for a graph and epoch.
//
// Not in the paper: the sizes and the sharing of f and g; with one graph in a batch E_neg is
// 0; the best copy is taken after the last update of an epoch.
var mvgrlGraph = train.Method{
	Name: "mvgrl-graph", Label: "MVGRL (graphs)", Doc: "Two graph encoders, over edges and over a diffusion, whose nodes recognise their own graph among others.",
	Family: train.Contrastive, Fusion: train.Combiner, Needs: []train.Need{train.Edges, train.Graphs}, Losses: []string{"total"},
	Levels:  withLite("dim", 64, "convolutions", 2),
	Options: func() any { return &MVGRLGraphOptions{} },
	Memory: func(s *train.Setup) float64 {
		o := s.Options.(*MVGRLGraphOptions)
		m, f, n := extentOf(s)
		nodes, squares := 0, 0
		for _, g := range s.Graphs {
			nodes, squares = nodes+g.M(), squares+g.M()*g.M()
		}
		batch := min(nodes, o.Batch*m)
		return networkBytes(s, n*2*(f+(2*o.Convolutions+6)*o.Dim)*o.Dim, batch*o.Dim*(8*o.Convolutions+32)) + float64(16*m*m) +
			float64(float64(2*n*squares)*numberSize(s))
	},
}

// MVGRLGraphOptions are the options of contrastive multi-view learning of graphs.
type MVGRLGraphOptions struct {
	Dim          int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"2048" default:"512" doc:"Numbers per graph in the embedding of each layer."`
	Convolutions int     `name:"convolutions" symbol:"L" label:"Convolutions" group:"Method" min:"1" max:"16" default:"4" doc:"Convolutions of each encoder."`
	Epochs       int     `name:"epochs" label:"Epochs" group:"Method" min:"1" max:"100000" default:"40" doc:"Passes over all graphs at most."`
	Batch        int     `name:"batch" label:"Batch" group:"Method" min:"1" max:"100000" default:"64" doc:"Graphs of an update."`
	Patience     int     `name:"patience" label:"Patience" group:"Method" min:"0" max:"100000" default:"20" doc:"After how many epochs without a lower loss a layer is complete; 0 runs all epochs and keeps the last weights."`
	Rate         float64 `name:"lr" symbol:"η" label:"Learning rate" group:"Method" min:"0" max:"10" default:"0.001" doc:"The learning rate of Adam."`
	Alpha        float64 `name:"alpha" symbol:"α" label:"Return probability" group:"Method" min:"0.01" max:"0.99" default:"0.2" doc:"The probability with which the diffusion returns to where it began."`
}

type graphView[T kernel.Float] struct{ w, c, a []*tape.Param[T] }

// A perceptron has three PReLU layers and a linear shortcut.
type perceptron[T kernel.Float] struct {
	w, c, a [3]*tape.Param[T]
	ws, cs  *tape.Param[T]
}

type mvgrlGraphNet[T kernel.Float] struct {
	model[T]
	o      *MVGRLGraphOptions
	order  shuffle
	f      int
	graphs []mvgrlPart[T]
	views  [2]graphView[T]
	nodes  perceptron[T]
	whole  perceptron[T]

	// A batch: operators of the views and the features, owners of nodes, where graphs begin.
	operators     [3][]*tape.Operator[T]
	owner, bounds []int32
	rows          []int32 // of W for every node, with features of the identity
}

func newMVGRLGraph[T kernel.Float](s *train.Setup, layer int) (network[T], descent.Rule, error) {
	o := s.Options.(*MVGRLGraphOptions)
	n := &mvgrlGraphNet[T]{o: o, f: s.Graphs[0].F(), model: newModel[T](s, prefix(layer)),
		order: newShuffle(prefix(layer)+"order", len(s.Graphs))}
	for v := range n.views {
		for k := range o.Convolutions {
			in := o.Dim
			if k == 0 {
				in = n.f
			}
			w := &n.views[v]
			w.w = append(w.w, n.Xavier(fmt.Sprintf("v%d.W%d", v+1, k), in, o.Dim))
			w.c = append(w.c, n.Constant(fmt.Sprintf("v%d.b%d", v+1, k), 1, o.Dim, 0))
			w.a = append(w.a, n.Constant(fmt.Sprintf("v%d.a%d", v+1, k), 1, 1, 0.25))
		}
	}
	n.nodes, n.whole = n.perceptron("mlp1", o.Dim), n.perceptron("mlp2", o.Dim*o.Convolutions)
	for _, graph := range s.Graphs {
		l := &graph.Layers[layer]
		n.graphs = append(n.graphs, mvgrlPart[T]{adjacency: l.Adjacency, x: descent.NewFeatures[T](l.Features, false),
			views: [2]*tape.Operator[T]{propagation[T](l.Adjacency, 2), nil}})
	}
	return n, descent.Rule{Epochs: o.Epochs, Groups: []descent.Group{{Rate: o.Rate}}, Patience: o.Patience, Stop: descent.BestAfter}, nil
}

func (n *mvgrlGraphNet[T]) perceptron(name string, in int) (p perceptron[T]) {
	d := n.o.Dim
	for k := range p.w {
		from := d
		if k == 0 {
			from = in
		}
		p.w[k], p.c[k] = n.Linear(fmt.Sprintf("%s.W%d", name, k+1), fmt.Sprintf("%s.b%d", name, k+1), from, d)
		p.a[k] = n.Constant(fmt.Sprintf("%s.a%d", name, k+1), 1, 1, 0.25)
	}
	p.ws, p.cs = n.Linear(name+".Ws", name+".bs", in, d)
	return p
}

func (p *perceptron[T]) apply(t *tape.Tape[T], x tape.Value) tape.Value {
	y := x
	for k := range p.w {
		y = t.PReLU(t.AddRow(t.Mul(y, t.Param(p.w[k])), t.Param(p.c[k])), t.Param(p.a[k]))
	}
	return t.Add(y, t.AddRow(t.Mul(x, t.Param(p.ws)), t.Param(p.cs)))
}

func (n *mvgrlGraphNet[T]) Updates(int) int {
	return (len(n.graphs) + n.o.Batch - 1) / n.o.Batch
}
func (n *mvgrlGraphNet[T]) Parts() int { return 1 }

// prepare computes the missing diffusions.
func (n *mvgrlGraphNet[T]) prepare(yield pause.Yield) error {
	return diffuse(n.graphs, &MVGRLOptions{Alpha: n.o.Alpha, Diffusion: "exact"}, yield)
}

// take chooses a batch of graphs.
func (n *mvgrlGraphNet[T]) take(list []int32) {
	for k := range n.operators {
		n.operators[k] = n.operators[k][:0]
	}
	n.owner, n.bounds, n.rows = n.owner[:0], append(n.bounds[:0], 0), n.rows[:0]
	for at, g := range list {
		p := &n.graphs[g]
		n.operators[0], n.operators[1] = append(n.operators[0], p.views[0]), append(n.operators[1], p.views[1])
		if p.x.X != nil {
			n.operators[2] = append(n.operators[2], p.x.X)
		}
		for i := range p.adjacency.Rows {
			n.owner, n.rows = append(n.owner, int32(at)), append(n.rows, int32(i))
		}
		n.bounds = append(n.bounds, int32(len(n.owner)))
	}
}

// encode records, for one view of the batch, the nodes after f and the graphs after g.
func (n *mvgrlGraphNet[T]) encode(t *tape.Tape[T], view int) (nodes, graphs tape.Value) {
	v := &n.views[view]
	var h, sums tape.Value
	for k := range v.w {
		x := t.Param(v.w[k])
		switch {
		case k > 0:
			x = t.Mul(h, x)
		case len(n.operators[2]) > 0:
			x = t.ApplyEach(n.operators[2], x)
		default:
			x = t.Gather(x, n.rows)
		}
		h = t.PReLU(t.AddRow(t.ApplyBlocks(n.operators[view], x), t.Param(v.c[k])), t.Param(v.a[k]))
		if sum := t.SumSegments(h, n.bounds); k == 0 {
			sums = sum
		} else {
			sums = t.Beside(sums, sum)
		}
	}
	n.keep([...]string{"sum1", "sum2"}[view], sums)
	return n.keep([...]string{"node1", "node2"}[view], n.nodes.apply(t, h)), n.keep([...]string{"graph1", "graph2"}[view], n.whole.apply(t, sums))
}

func (n *mvgrlGraphNet[T]) Loss(t *tape.Tape[T], epoch, update, _ int) []tape.Value {
	order := n.order.draw(n.source, epoch)
	n.take(order[update*n.o.Batch : min((update+1)*n.o.Batch, len(order))])
	node1, graph1 := n.encode(t, 0)
	node2, graph2 := n.encode(t, 1)
	one := t.JensenShannon(n.keep("score12", t.MulTrans(node1, graph2)), n.owner)
	return n.terms(t.Add(one, t.JensenShannon(n.keep("score21", t.MulTrans(node2, graph1)), n.owner)))
}

func (n *mvgrlGraphNet[T]) embed(t *tape.Tape[T], graph int) tape.Value {
	n.take([]int32{int32(graph)})
	_, graph1 := n.encode(t, 0)
	_, graph2 := n.encode(t, 1)
	return t.Add(graph1, graph2)
}
