package baseline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/baseline/descent"
	"cadem.example/core/baseline/tape"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// DMG, disentangled multiplex graph representation learning (Mo et al. 2023), on all layers at once.
// With P_l = SymNorm(A_l, 3) and features whose rows sum to 1; each layer drops a tenth of the columns for
// good (X_l) and a tenth of the entries in every step:
//
//	t = ReLU(P_l X_l W_l),  common C_l = t Wc_l + bc_l (8 columns),  private R_l = t Wp_l + bp_l (2 columns)
//	S = sqrt(M) U V',  U D V' the thin decomposition of the sum of the centred C_l
//
// S is taken anew at the start of every outer iteration of 10 steps and held in it. Minimised is
//
//	match + alpha (rec + nei) - beta corr + lambda con
//	match = sum over l of |C_l - S|^2 / M,  rec = sum of |X'_l - X_l|^2 / M,  nei = sum of |X'_l - Y_l|^2 / M
//	corr  = sum of |mean(a b)| / (rms(a) rms(b)),  a = phi_l(C_l), b = psi_l(R_l), centred
//	con   = sum of -log(pos / (pos + neg)),  sums of exp(cos(R_i, R_j) / tau)
//
// X'_l is decoded from [C_l | R_l] by a network with batch normalisation; Y_l are the mean features of 30
// neighbours, drawn anew in every step. pos and neg are the most and the least similar pairs of rows of S
// among nnz / 50 drawn entries of P_l. Phi and psi ascend corr, the encoders descend it (gradient reversal).
// The embedding is [S | mean of R_l] (M x 10).
//
// Cost: per layer and step M F^2 + M F (3 256) + 4 M 256^2 multiply-adds, 3 times over; with the identity as
// features F is M.
//
// Not in the paper: the learning rate of phi and psi is 1, at which they blow up now and then:
// a critic that is constant adds nothing to corr. The released program sums the first two layers alone for
// S (option consensus) and counts one neighbour too many (option neighbour_rule).
var dmg = train.Method{
	Name: "dmg", Label: "DMG", Doc: "Common and private encoders, matched, decoded and kept uncorrelated by critics.",
	Family: train.Disentanglement, Fusion: train.Own, Unscaled: true,
	Needs:  []train.Need{train.Layers, train.Edges},
	Losses: []string{"matching", "reconstruction", "neighbours", "correlation", "contrast", "total"},
	Levels: withLite("critic_width", 64, "outer", 30, "inner", 5, "projection", 64),

	Options: func() any { return &DMGOptions{} },
	Memory: func(s *train.Setup) float64 {
		o := s.Options.(*DMGOptions)
		m, f, n := extentOf(s)
		columns := f
		if o.Projection > 0 {
			columns = o.Projection
		}
		weights := n * (f*o.Hidden + columns*(o.DecoderWidth+columns) + o.DecoderLayers*o.DecoderWidth*o.DecoderWidth + 2*o.CriticWidth*o.CriticWidth)
		return networkBytes(s, weights, n*m*(12*columns+4*o.Hidden+4*o.DecoderLayers*o.DecoderWidth+8*o.CriticWidth))
	},
}

// DMGOptions are the options of disentangled multiplex graph learning. The weights are those of its authors for ACM.
type DMGOptions struct {
	Common        int     `name:"common" symbol:"d" label:"Common size" group:"Method" min:"1" max:"512" default:"8" doc:"Numbers per node that all layers share."`
	Private       int     `name:"private" label:"Private size" group:"Method" min:"1" max:"512" default:"2" doc:"Numbers per node of each layer alone."`
	Hidden        int     `name:"hidden" label:"Hidden units" group:"Method" min:"1" max:"4096" default:"256" doc:"Width of the convolution."`
	DecoderWidth  int     `name:"decoder_width" label:"Decoder width" group:"Method" min:"1" max:"4096" default:"256" doc:"Hidden units of the decoder."`
	DecoderLayers int     `name:"decoder_layers" label:"Decoder layers" group:"Method" min:"1" max:"16" default:"3" paper:"2 in the program's defaults" doc:"Linear maps of the decoder before the last."`
	CriticWidth   int     `name:"critic_width" label:"Critic width" group:"Method" min:"1" max:"4096" default:"256" doc:"Hidden units of phi and psi."`
	Outer         int     `name:"outer" label:"Outer iterations" group:"Method" min:"1" max:"100000" default:"200" doc:"How often S is taken at most."`
	Inner         int     `name:"inner" label:"Steps" group:"Method" min:"1" max:"100000" default:"10" doc:"Updates of the weights in an outer iteration."`
	Patience      int     `name:"patience" label:"Patience" group:"Method" min:"0" max:"100000" default:"20" doc:"After how many outer iterations without a lower loss the training ends; 0 for never."`
	PatienceAfter int     `name:"patience_after" label:"Patience after" group:"Method" min:"0" max:"100000" default:"100" doc:"Outer iterations before it may end."`
	Rate          float64 `name:"lr" symbol:"η" label:"Learning rate" group:"Method" min:"0" max:"10" default:"0.001" doc:"The learning rate of Adam."`
	RateCritic    float64 `name:"lr_critic" label:"Learning rate of critics" group:"Method" min:"0" max:"10" default:"1" doc:"The learning rate of phi and psi."`
	DecayCritic   float64 `name:"decay_critic" label:"Weight decay of critics" group:"Method" min:"0" max:"1" default:"0.0001" doc:"Added to the gradient of phi and psi times the weight."`
	Alpha         float64 `name:"alpha" symbol:"α" label:"Weight of reconstruction" group:"Method" min:"0" max:"1000" default:"0.02" paper:"0.08 in the program's defaults" doc:"Weight of both reconstructions."`
	Beta          float64 `name:"beta" symbol:"β" label:"Weight of correlation" group:"Method" min:"0" max:"1000" default:"0.8" paper:"1 in the program's defaults" doc:"Weight of the correlation."`
	Lambda        float64 `name:"lambda" symbol:"λ" label:"Weight of contrast" group:"Method" min:"0" max:"1000" default:"3" paper:"1 in the program's defaults" doc:"Weight of the contrast of private embeddings."`
	Tau           float64 `name:"tau" symbol:"τ" label:"Temperature" group:"Method" min:"0.001" max:"1000" default:"0.5" doc:"What cosines are divided by in the contrast."`
	Pairs         int     `name:"pairs" label:"Pairs contrasted" group:"Method" min:"0" max:"100000000" default:"0" doc:"How many entries of the propagation matrix are drawn in a step; 0 for a fiftieth of all, at least 10."`
	SelfLoop      float64 `name:"self_loop" label:"Self loop" group:"Method" min:"0" max:"1000" default:"3" doc:"Weight added to the diagonal before the adjacency is normalised."`
	DropColumns   float64 `name:"drop_columns" label:"Columns dropped" group:"Method" min:"0" max:"0.99" default:"0.1" doc:"The share of features that each layer never sees."`
	DropEntries   float64 `name:"drop_entries" label:"Entries dropped" group:"Method" min:"0" max:"0.99" default:"0.1" doc:"The share of entries of the features set to 0 in a step."`
	Neighbours    int     `name:"neighbours" label:"Neighbours" group:"Method" min:"1" max:"10000" default:"30" doc:"How many neighbours are averaged in a step."`
	NeighbourList int     `name:"neighbour_list" label:"Neighbour list" group:"Method" min:"1" max:"100000" default:"300" doc:"The length to which the list of neighbours of a node is repeated or cut."`
	NeighbourRule string  `name:"neighbour_rule" label:"Rule for neighbours" group:"Method" choices:"mean|released" default:"mean" doc:"Whether neighbours are averaged, or one more is added than divided by, as in the released program."`
	Consensus     string  `name:"consensus" label:"Layers in S" group:"Method" choices:"all|first_two" default:"all" doc:"Which layers S is the consensus of: all, or the first two as in the released program."`
	Projection    int     `name:"projection" label:"Projection" group:"Method" min:"0" max:"4096" default:"0" doc:"If not 0, features are reconstructed after a random projection to so many columns."`
}

// rankRule: singular values up to this share of the largest count as zero.
const rankRule = 1e-6

type dmgNet[T kernel.Float] struct {
	model[T]
	o      *DMGOptions
	layers []dmgLayer[T]
	parts  []dmgPart[T]
	eval   *tape.Tape[T] // of S
}

type dmgLayer[T kernel.Float] struct {
	w, wc, bc, wp, bp *tape.Param[T]
	decoder           []dmgDecoder[T]
	wout, bout        *tape.Param[T]
	critics           [2]dmgCritic[T] // phi, psi
}

type dmgDecoder[T kernel.Float] struct{ w, b, gain, shift *tape.Param[T] }

type dmgCritic[T kernel.Float] struct{ w, b [3]*tape.Param[T] }

type dmgPart[T kernel.Float] struct {
	m       int
	layers  []dmgInput[T]
	s       []float64 // M x d
	fixed   []T       // the same for the tape
	sum     []float64 // of centred C_l
	polar   *linalg.Polar
	cosines []float64
}

// dmgInput is a layer of one graph.
type dmgInput[T kernel.Float] struct {
	p            *tape.Operator[T]
	x, noisy     *tape.Operator[T] // without and with entries dropped
	target, near []T               // M x columns: X_l and Y_l
	lists        []int32           // M x length
	drop         marks[T]

	pairs         shuffle
	from, to      []int32 // rows and columns of the entries of P_l
	first, second []int32 // of the pairs drawn
	order         []int
	pos, neg      []int32
	noise         []T
	columns       int
}

func newDMG[T kernel.Float](s *train.Setup, _ int) (network[T], descent.Rule, error) {
	o, first := s.Options.(*DMGOptions), s.Graphs[0]
	n := &dmgNet[T]{o: o, model: newModel[T](s, ""), eval: tape.New[T]()}
	n.notes = oneFeatures(first)
	columns := first.F()
	if o.Projection > 0 {
		columns = o.Projection
	}
	for l := range first.Layers {
		n.layers = append(n.layers, n.layer(fmt.Sprintf("l%d.", l), first.F(), columns))
	}
	for g, graph := range s.Graphs {
		m := graph.M()
		p := dmgPart[T]{m: m, s: make([]float64, m*o.Common), fixed: make([]T, m*o.Common), sum: make([]float64, m*o.Common), polar: linalg.NewPolar(m, o.Common)}
		for l := range graph.Layers {
			p.layers = append(p.layers, n.input(graph, g, l, columns))
			p.cosines = make([]float64, max(len(p.cosines), len(p.layers[l].first)))
		}
		n.parts = append(n.parts, p)
	}
	critic := func(name string) int {
		if strings.Contains(name, ".phi.") || strings.Contains(name, ".psi.") {
			return 1
		}
		return 0
	}
	return n, descent.Rule{Epochs: o.Outer, Groups: []descent.Group{{Rate: o.Rate}, {Rate: o.RateCritic, Decay: o.DecayCritic}}, Group: critic,
		Patience: o.Patience, Stop: descent.Last, After: o.PatienceAfter}, nil
}

// layer makes the parameters of one layer.
func (n *dmgNet[T]) layer(name string, features, columns int) (y dmgLayer[T]) {
	o := n.o
	y.w = n.Xavier(name+"W", features, o.Hidden)
	y.wc, y.bc = n.Linear(name+"Wc", name+"bc", o.Hidden, o.Common)
	y.wp, y.bp = n.Linear(name+"Wp", name+"bp", o.Hidden, o.Private)
	in := o.Common + o.Private
	for k := 1; k <= o.DecoderLayers; k++ {
		var d dmgDecoder[T]
		out := o.DecoderWidth
		if k == o.DecoderLayers {
			out = columns
		}
		d.w, d.b = n.Linear(fmt.Sprintf("%sdec.W%d", name, k), fmt.Sprintf("%sdec.b%d", name, k), in, out)
		if k < o.DecoderLayers {
			d.gain, d.shift = n.Constant(fmt.Sprintf("%sdec.g%d", name, k), 1, out, 1), n.Constant(fmt.Sprintf("%sdec.s%d", name, k), 1, out, 0)
		}
		y.decoder = append(y.decoder, d)
		in = out
	}
	y.wout, y.bout = n.Linear(name+"dec.Wout", name+"dec.bout", columns, columns)
	for c, critic := range []struct {
		name string
		in   int
	}{{"phi", o.Common}, {"psi", o.Private}} {
		sizes := []int{critic.in, o.CriticWidth, o.CriticWidth, 1}
		for k := range 3 {
			of := name + critic.name
			y.critics[c].w[k], y.critics[c].b[k] = n.Linear(fmt.Sprintf("%s.W%d", of, k+1), fmt.Sprintf("%s.b%d", of, k+1), sizes[k], sizes[k+1])
		}
	}
	return y
}

// input prepares layer l of graph g.
func (n *dmgNet[T]) input(graph *multiplex.Graph, g, l, columns int) dmgInput[T] {
	o, m, name := n.o, graph.M(), of(g, prefix(l))
	p := SymNorm(graph.Layers[l].Adjacency, o.SelfLoop)
	y := dmgInput[T]{p: descent.NewOperator[T](p), columns: columns, near: make([]T, m*columns)}
	y.x = n.kept(graph.Layers[0].Features, l)
	y.noisy = n.kept(graph.Layers[0].Features, l)
	y.target = n.projected(y.x, l)
	y.drop = newMarks[T](name+"drop", len(y.x.Values()), o.DropEntries)
	y.noise = make([]T, len(y.x.Values()))
	y.lists = n.neighbours(graph.Layers[l].Adjacency, name)
	for i := range m {
		for k := p.Start[i]; k < p.Start[i+1]; k++ {
			y.from, y.to = append(y.from, int32(i)), append(y.to, p.Index[k])
		}
	}
	pairs := o.Pairs
	if pairs == 0 {
		pairs = max(10, p.NNZ()/50)
	}
	y.pairs = newShuffle(name+"pairs", pairs)
	y.first, y.second, y.order = make([]int32, pairs), make([]int32, pairs), make([]int, pairs)
	return y
}

// kept returns the features of a layer without the columns that it drops.
func (n *dmgNet[T]) kept(features *multiplex.Features, layer int) *tape.Operator[T] {
	f := descent.NewFeatures[T](features, true)
	if f.X == nil {
		start, index, ones := make([]int32, f.Rows+1), make([]int32, f.Rows), make([]T, f.Rows)
		for i := range index {
			start[i+1], index[i], ones[i] = int32(i+1), int32(i), 1
		}
		f.X = tape.NewSparse(f.Rows, f.Cols, start, index, ones)
	}
	if n.o.DropColumns == 0 {
		return f.X
	}
	drawn := make([]float64, f.Cols)
	n.source.Uniform(drawn, 0, 1, prefix(layer)+"columns", 0)
	f.X.ClearColumns(func(j int) bool { return drawn[j] < n.o.DropColumns })
	return f.X
}

// projected returns the target of reconstruction: the features, or a random projection of them.
func (n *dmgNet[T]) projected(x *tape.Operator[T], layer int) []T {
	k := n.o.Projection
	if k == 0 {
		return x.Dense()
	}
	drawn, r := make([]float64, x.Cols*k), make([]T, x.Cols*k)
	n.source.Normal(drawn, 1/math.Sqrt(float64(k)), prefix(layer)+"projection", 0)
	kernel.Round(r, drawn)
	n.eval.Reset()
	return slices.Clone(n.eval.Data(n.eval.Apply(x, n.eval.Constant(x.Cols, k, r))))
}

// neighbours lists, for every node, its neighbours and itself, repeated or cut to the same length.
// More than fit are put in a random order first.
func (n *dmgNet[T]) neighbours(a *multiplex.CSR, name string) []int32 {
	p, length := descent.WithLoops(a), n.o.NeighbourList
	lists := make([]int32, 0, a.Rows*length)
	for i := range a.Rows {
		list := slices.Clone(p.Index[p.Start[i]:p.Start[i+1]])
		if len(list) > length {
			order := make([]int, len(list))
			n.source.Permutation(order, name+"neighbours", i)
			sorted := slices.Clone(list)
			for k, from := range order {
				list[k] = sorted[from]
			}
		}
		for k := range length {
			lists = append(lists, list[k%len(list)])
		}
	}
	return lists
}

func (n *dmgNet[T]) Updates(int) int { return n.o.Inner }
func (n *dmgNet[T]) Parts() int      { return len(n.parts) }

// encode records C_l and R_l.
func (y *dmgLayer[T]) encode(t *tape.Tape[T], p, x *tape.Operator[T]) (common, private tape.Value) {
	h := t.ReLU(t.Apply(p, t.Apply(x, t.Param(y.w))))
	return t.AddRow(t.Mul(h, t.Param(y.wc)), t.Param(y.bc)), t.AddRow(t.Mul(h, t.Param(y.wp)), t.Param(y.bp))
}

// consensus takes S of one graph from the encoders without noise.
func (n *dmgNet[T]) consensus(p *dmgPart[T]) {
	t, d := n.eval, n.o.Common
	t.Reset()
	clear(p.sum)
	for l := range p.layers {
		if n.o.Consensus == "first_two" && l >= 2 {
			break
		}
		c, _ := n.layers[l].encode(t, p.layers[l].p, p.layers[l].x)
		for i, v := range t.Data(t.Centre(c)) {
			p.sum[i] += float64(v)
		}
	}
	p.polar.Factor(p.s, p.sum, math.Sqrt(float64(p.m)), rankRule, d, nil)
}

// decode records X'_l.
func (y *dmgLayer[T]) decode(t *tape.Tape[T], x tape.Value) tape.Value {
	for _, d := range y.decoder {
		x = t.AddRow(t.Mul(x, t.Param(d.w)), t.Param(d.b))
		if d.gain != nil {
			x = t.BatchNorm(x, t.Param(d.gain), t.Param(d.shift), batchEpsilon)
		}
		x = t.ReLU(x)
	}
	return t.AddRow(t.Mul(x, t.Param(y.wout)), t.Param(y.bout))
}

// batchEpsilon is added to the variances of batch normalisation.
const batchEpsilon = 1e-5

// apply records the centred output of a critic, behind a reversal of the gradient.
func (c *dmgCritic[T]) apply(t *tape.Tape[T], x tape.Value) tape.Value {
	x = t.Reverse(x)
	for k := range c.w {
		x = t.AddRow(t.Mul(x, t.Param(c.w[k])), t.Param(c.b[k]))
		if k < 2 {
			x = t.ReLU(x)
		}
	}
	return t.Centre(x)
}

func (n *dmgNet[T]) Loss(t *tape.Tape[T], epoch, update, part int) []tape.Value {
	o, p := n.o, &n.parts[part]
	step := epoch*o.Inner + update
	if update == 0 {
		n.consensus(p)
	}
	kernel.Round(p.fixed, p.s)
	s := n.keep("S", t.Constant(p.m, o.Common, p.fixed))
	var terms [5]tape.Value
	share := 1 / float64(p.m)
	for l := range p.layers {
		in, y := &p.layers[l], &n.layers[l]
		c, r := y.encode(t, in.p, in.dropped(n.source, step))
		n.keep("C", c)
		n.keep("P", r)
		in.average(o, step)
		x := n.keep("reconstruction", y.decode(t, t.Beside(c, r)))
		a, b := n.keep("a", y.critics[0].apply(t, c)), n.keep("b", y.critics[1].apply(t, r))
		in.draw(n.source, step)
		p.rank(in, o.Common)
		u := t.NormalizeRows(r)
		cosines := t.Scale(t.RowDot(t.Gather(u, in.first), t.Gather(u, in.second)), 1/o.Tau)
		for k, v := range [5]tape.Value{
			t.Scale(t.SquaredDistance(c, s), share),
			t.Scale(t.SquaredDistance(x, t.Constant(p.m, in.columns, in.target)), share),
			t.Scale(t.SquaredDistance(x, t.Constant(p.m, in.columns, in.near)), share),
			t.Correlation(a, b),
			t.Contrast(cosines, in.pos, in.neg),
		} {
			if l > 0 {
				v = t.Add(terms[k], v)
			}
			terms[k] = v
		}
	}
	total := t.Add(terms[0], t.Scale(t.Add(terms[1], terms[2]), o.Alpha))
	total = t.Add(t.Add(total, t.Scale(terms[3], -o.Beta)), t.Scale(terms[4], o.Lambda))
	return n.terms(terms[0], terms[1], terms[2], terms[3], terms[4], total)
}

// dropped returns the features of a step.
func (in *dmgInput[T]) dropped(source train.Source, step int) *tape.Operator[T] {
	if in.drop.rate == 0 {
		return in.x
	}
	x := in.x.Values()
	for i, m := range in.drop.draw(source, step) {
		in.noise[i] = T(x[i] * m)
	}
	in.noisy.SetValues(in.noise)
	return in.noisy
}

// average sets near to the mean of the neighbours of a step.
func (in *dmgInput[T]) average(o *DMGOptions, step int) {
	count, length, d := o.Neighbours, o.NeighbourList, in.columns
	if o.NeighbourRule == "released" {
		count++
	}
	stride := length / o.Neighbours
	clear(in.near)
	for i := range len(in.near) / d {
		row := in.near[i*d : (i+1)*d]
		for j := range count {
			at := int(in.lists[i*length+(step+j*stride)%length])
			kernel.Add(row, in.target[at*d:(at+1)*d])
		}
		for k, v := range row {
			row[k] = v / T(o.Neighbours)
		}
	}
}

// draw draws the pairs of a step.
func (in *dmgInput[T]) draw(source train.Source, step int) {
	source.Below(in.pairs.drawn, len(in.from), in.pairs.name, step)
	for k, e := range in.pairs.drawn {
		in.first[k], in.second[k] = in.from[e], in.to[e]
	}
}

// rank puts a fifth of the pairs, those with the most similar rows of S, into pos, and the least
// similar tenth into neg. Ties keep the order drawn.
func (p *dmgPart[T]) rank(in *dmgInput[T], d int) {
	row := func(i int32) []float64 { return p.s[int(i)*d : int(i+1)*d] }
	for k := range in.first {
		in.order[k] = k
		p.cosines[k] = cosine(row(in.first[k]), row(in.second[k]))
	}
	slices.SortFunc(in.order, func(a, b int) int { return cmp.Or(cmp.Compare(p.cosines[b], p.cosines[a]), a-b) })
	ranked, n := indexes(in.pairs.index, in.order), len(in.order)
	in.pos, in.neg = ranked[:n/5], ranked[n-n/10:]
}

// cosine returns the cosine of the angle between two vectors; lengths below 1e-12 count as that.
func cosine(x, y []float64) float64 {
	xx, yy, xy := 0.0, 0.0, 0.0
	for i, v := range x {
		xx += float64(v * v)
		yy += float64(y[i] * y[i])
		xy += float64(v * y[i])
	}
	return xy / (max(math.Sqrt(xx), 1e-12) * max(math.Sqrt(yy), 1e-12))
}

func (n *dmgNet[T]) embed(t *tape.Tape[T], graph int) tape.Value {
	p := &n.parts[graph]
	kept := slices.Clone(p.s)
	n.consensus(p)
	kernel.Round(p.fixed, p.s)
	copy(p.s, kept) // an embedding between two steps changes neither
	sum := folded(len(p.layers), t.Add, func(l int) tape.Value {
		_, r := n.layers[l].encode(t, p.layers[l].p, p.layers[l].x)
		return r
	})
	return t.Beside(t.Constant(p.m, n.o.Common, p.fixed), t.Scale(sum, 1/float64(len(p.layers))))
}

// State lists S of every graph.
func (n *dmgNet[T]) State() *train.State {
	s := &train.State{}
	for k := range n.parts {
		s.Doubles = append(s.Doubles, n.parts[k].s)
	}
	return s
}
