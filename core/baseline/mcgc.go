package baseline

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/sorting"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// MCGC, multi-view contrastive graph clustering (Pan and Kang 2021), learns one matrix S (M x M, diagonal
// 0) of which nodes make up which. With P_v = SymNorm(A_v, 1), smooth features H_v = ((I + P_v) / 2)^2 X_v and the
// ten rows of H_v nearest to row i, N_v(i):
//
//	minimise  sum over v of lam_v [ |H_v' - H_v'S|^2 + alpha sum over i, j in N_v(i) of (log sum over p != i of e^S_ip - S_ij) ] + lam_v^g
//	S_0 = (a0 I + sum of lam_v G_v)^-1 (a0 P + sum of lam_v G_v),  G_v = H_v H_v'
//
// by Adam on S in rounds; each ends with lam_v = (-(the bracket of v) / g)^(1 / (g - 1)). S_0 results from three such rounds without the
// second part. The embedding is U_K, the leading K singular vectors of (|S| + |S|') / 2 (M x K), K the number of classes. Nothing is
// random.
//
// Cost: M^3 multiply-adds a step, 300 steps; seven matrices of M x M.
//
// Not in the paper: P, which is that of the first layer here, so that the order of the layers matters
// (option prior); a0, g and alpha for other data than its own; what a classifier reads. Its program stops a
// round when the loss hardly moves, which may be at once, filters every view by every layer, mirrors
// the gradient, and keeps the S whose clusters fit the true ones best. The first three are options here, off by
// default; the last one looks at labels, and there is no such option. The level lite makes 50 steps a round.
var mcgc = train.Method{
	Name: "mcgc", Label: "MCGC", Doc: "A consensus matrix by which nodes make each other up, drawn to nearest neighbours in every layer.",
	Family: train.Contrastive, Fusion: train.Own, Fixed: true, Needs: []train.Need{train.OneGraph, train.Layers, train.Edges}, Losses: []string{"total"},
	Levels:  withLite("steps", 50),
	Options: func() any { return &MCGCOptions{} },
	Memory: func(s *train.Setup) float64 {
		m, f, n := extentOf(s)
		return 8 * float64(m*m*(10+n)+f*f+(n+1)*m*f)
	},
}

// MCGCOptions are the options of MCGC.
type MCGCOptions struct {
	Vectors    int     `name:"vectors" symbol:"K" label:"Vectors" group:"Method" min:"0" max:"256" default:"0" doc:"Singular vectors of the consensus; 0 for as many as the first labels have classes."`
	Neighbours int     `name:"neighbours" label:"Neighbours" group:"Method" min:"1" max:"1000" default:"10" doc:"Nearest nodes that a node is drawn to in each layer."`
	Alpha      float64 `name:"alpha" symbol:"α" label:"Weight of contrast" group:"Method" min:"0" max:"100000" default:"1" doc:"Weight of the neighbours beside the reconstruction."`
	A0         float64 `name:"a0" label:"Weight of the prior" group:"Method" min:"0.000001" max:"1000000" default:"100" doc:"How near the start is to the prior."`
	G          float64 `name:"g" symbol:"γ" label:"Exponent of weights" group:"Method" min:"-20" max:"-0.01" default:"-5" doc:"The lower, the more alike are the weights of layers."`
	Prior      int     `name:"prior" label:"Layer of the prior" group:"Method" min:"1" max:"1000" default:"1" doc:"The layer whose propagation matrix is the prior. The result depends on it."`
	Rate       float64 `name:"lr" symbol:"η" label:"Learning rate" group:"Method" min:"0" max:"10" default:"0.001" doc:"The learning rate of Adam, which starts afresh in every round."`
	Steps      int     `name:"steps" label:"Steps" group:"Method" min:"1" max:"10000" default:"100" doc:"Updates of a round, at most."`
	Rounds     int     `name:"rounds" label:"Rounds" group:"Method" min:"1" max:"100" default:"3" doc:"Times that the weights of layers are found anew."`
	StartLoops int     `name:"rounds_start" label:"Rounds of the start" group:"Method" min:"1" max:"100" default:"3" doc:"Times that they are found anew before the first update."`
	Filter     string  `name:"filter" label:"Filter" group:"Method" choices:"own|all" default:"own" doc:"Whether features are smoothed on their own layer or, as the released program does, on all layers in turn."`
	Mirror     string  `name:"mirror" label:"Mirrored gradient" group:"Method" choices:"on|off" default:"off" doc:"Whether the gradient below the diagonal is that above it, as in the released program."`
	Stop       string  `name:"stop" label:"Stop rule" group:"Method" choices:"on|off" default:"off" doc:"Whether a round ends when the loss hardly moves, as in the released program."`
}

// consensus is MCGC in training. A step is an evaluation of the loss and, unless a round ends by it, an update.
type consensus struct {
	graph   *multiplex.Graph
	o       *MCGCOptions
	m, k    int
	h, gram [][]float64 // of each layer: H (M x its columns) and G (M x M)
	near    [][]int32   // of each layer: M x Neighbours
	sum     []float64   // sum of lam G
	// From the rounds before the first update, for comparison.
	startValues, startWeights []float64

	steps, round, inRound int
	last, loss            float64
	s, weights            []float64 // S and lam
	first, second         []float64 // moments
	gradient              []float64 // of the last evaluation, its diagonal included
	apart, rebuilt        []float64 // I - S, and G times it
	exps, parts           []float64 // scratch: of a row, and of each layer
	panel                 panel
}

func newMCGC(s *train.Setup) (train.Training, error) {
	c := &consensus{graph: s.Graphs[0], o: s.Options.(*MCGCOptions)}
	c.m = c.graph.M()
	n := c.graph.N()
	if c.o.Prior > n {
		return nil, diag.Option("prior", fmt.Sprint(c.o.Prior), fmt.Sprintf("a layer, 1 to %d", n))
	}
	if c.o.Neighbours >= c.m {
		return nil, diag.Option("neighbours", fmt.Sprint(c.o.Neighbours), fmt.Sprintf("fewer than there are nodes, %d", c.m))
	}
	if c.k = c.o.Vectors; c.k == 0 {
		c.k = 8
		if len(c.graph.Labels) > 0 {
			c.k = len(c.graph.Labels[0].Classes)
		}
	}
	square := func() []float64 { return make([]float64, c.m*c.m) }
	c.s, c.first, c.second, c.gradient, c.apart, c.rebuilt, c.sum = square(), square(), square(), square(), square(), square(), square()
	c.weights, c.parts, c.exps = make([]float64, n), make([]float64, n), make([]float64, c.m)
	return c, nil
}

// prepare finds H, G and the neighbours and, before the first step, S and the weights.
func (c *consensus) prepare(yield pause.Yield) error {
	if c.gram != nil {
		return nil
	}
	pause := pauses(yield)
	for l := range c.graph.Layers {
		h, f := c.smooth(l)
		c.h = append(c.h, h)
		near, err := nearest(h, c.m, f, c.o.Neighbours, pause)
		if err != nil {
			return err
		}
		c.near = append(c.near, near)
		gram, other := make([]float64, c.m*c.m), make([]float64, f*c.m)
		for i := range c.m {
			for q, v := range h[i*f : (i+1)*f] {
				other[q*c.m+i] = v
			}
		}
		if err := c.panel.product(gram, h, other, c.m, f, c.m, pause); err != nil {
			return err
		}
		c.gram = append(c.gram, gram)
	}
	if c.steps > 0 {
		c.weigh()
		return nil
	}
	return c.begin(yield)
}

// smooth returns H of a layer and its number of columns.
func (c *consensus) smooth(layer int) (h []float64, f int) {
	x := c.graph.Layers[layer].Features
	f = x.Cols
	h = make([]float64, c.m*f)
	unit := make([]float64, f*f)
	for j := range f {
		unit[j*f+j] = 1
	}
	times(h, x, unit, f)
	filters := []int{layer}
	if c.o.Filter == "all" {
		filters = sorting.Places(c.graph.N())
	}
	next := make([]float64, c.m*f)
	for _, l := range filters {
		p := SymNorm(c.graph.Layers[l].Adjacency, 1)
		for range 2 {
			kernel.SparseMul(next, p.Start, p.Index, p.Value, h, f)
			for i, v := range next {
				h[i] = (h[i] + v) / 2
			}
		}
	}
	return h, f
}

// across is the number of columns of a large matrix that are worked on at a time, so that they stay in cache.
const across = 64

// A panel is memory for some columns of a large matrix and for their product.
type panel struct {
	columns, part []float64
}

// product sets dst (n x d) to a (n x h) times b (h x d), some columns at a time, with pauses.
func (p *panel) product(dst, a, b []float64, n, h, d int, pause pause.Work) error {
	rows := max(8, 4_000_000/(h*across))
	if len(p.columns) < h*across {
		p.columns = make([]float64, h*across)
	}
	if len(p.part) < rows*across {
		p.part = make([]float64, rows*across)
	}
	columns, part := p.columns, p.part
	for j := 0; j < d; j += across {
		w := min(across, d-j)
		for k := range h {
			copy(columns[k*w:(k+1)*w], b[k*d+j:])
		}
		for i := 0; i < n; i += rows {
			count := min(rows, n-i)
			kernel.Mul(part[:count*w], a[i*h:(i+count)*h], columns[:h*w], count, h, w)
			for r := range count {
				copy(dst[(i+r)*d+j:(i+r)*d+j+w], part[r*w:])
			}
			if err := pause.After(count * h * w); err != nil {
				return err
			}
		}
	}
	return nil
}

// nearest returns the k nearest rows of each of h (m x f), among equally near ones those with the lower number.
func nearest(h []float64, m, f, k int, pause pause.Work) ([]int32, error) {
	var list []int32
	apart := make([]float64, m*m)
	for from := 0; from < m; from += across {
		end := min(from+across, m)
		for i := from; i < m; i++ {
			x, j := h[i*f:(i+1)*f], from
			for last := min(end, i+1); j < last; j += 4 {
				// Four sums at a time, which are independent; the last group repeats a row if there are fewer.
				at := [4]int{j, min(j+1, last-1), min(j+2, last-1), min(j+3, last-1)}
				a, b, c, d := h[at[0]*f:][:f], h[at[1]*f:][:f], h[at[2]*f:][:f], h[at[3]*f:][:f]
				var s [4]float64
				for q, v := range x {
					p0, p1, p2, p3 := v-a[q], v-b[q], v-c[q], v-d[q]
					s[0] += float64(p0 * p0)
					s[1] += float64(p1 * p1)
					s[2] += float64(p2 * p2)
					s[3] += float64(p3 * p3)
				}
				for k, j := range at {
					apart[i*m+j], apart[j*m+i] = s[k], s[k]
				}
			}
			if err := pause.After((end - from) * f); err != nil {
				return nil, err
			}
		}
	}
	for i := range m {
		away := apart[i*m : (i+1)*m]
		away[i] = math.Inf(1)
		for _, j := range sorting.Order(m, func(a, b int) int { return cmp.Compare(away[a], away[b]) })[:k] {
			list = append(list, int32(j))
		}
		if err := pause.After(m * bits.Len(uint(m))); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// weigh sets the sum of lam G.
func (c *consensus) weigh() {
	clear(c.sum)
	for l, w := range c.weights {
		kernel.AddScaled(c.sum, c.gram[l], w)
	}
}

// power returns x^y for x > 0.
func power(x, y float64) float64 { return kernel.Exp(float64(y * kernel.Log(x))) }

// begin finds the first S and weights.
func (c *consensus) begin(yield pause.Yield) error {
	m, pause := c.m, pauses(yield)
	for l := range c.weights {
		c.weights[l] = 1 / float64(len(c.weights))
	}
	p := SymNorm(c.graph.Layers[c.o.Prior-1].Adjacency, 1).Dense()
	lower, x := make([]float64, m*m), make([]float64, m*across)
	for range c.o.StartLoops {
		c.weigh()
		copy(lower, c.sum)
		for i := range m {
			lower[i*m+i] += c.o.A0
		}
		if err := linalg.Cholesky(lower, m, pause); err != nil {
			return err
		}
		for from := 0; from < m; from += across {
			n := min(across, m-from)
			for i := range m {
				for j, v := range c.sum[i*m+from : i*m+from+n] {
					x[i*n+j] = v + float64(c.o.A0*p[i*m+from+j])
				}
			}
			if err := linalg.Solve(lower, x[:m*n], m, n, 0, pause); err != nil {
				return err
			}
			for i := range m {
				copy(c.s[i*m+from:i*m+from+n], x[i*n:])
			}
		}
		c.startValues = c.startValues[:0]
		for l := range c.weights {
			v, err := c.reconstruction(c.gram[l], yield)
			if err != nil {
				return err
			}
			c.startValues = append(c.startValues, v)
		}
		c.reweigh(c.startValues)
	}
	c.startWeights = slices.Clone(c.weights)
	c.weigh()
	c.hollow()
	return nil
}

// reweigh sets the weights of layers for the values of their brackets.
func (c *consensus) reweigh(values []float64) {
	for l, v := range values {
		c.weights[l] = power(-v/c.o.G, 1/(c.o.G-1))
	}
}

// hollow sets the diagonal of S to 0.
func (c *consensus) hollow() {
	for i := range c.m {
		c.s[i*c.m+i] = 0
	}
}

// reconstruction sets rebuilt to G (I - S) and returns |H' - H'S|^2.
func (c *consensus) reconstruction(gram []float64, yield pause.Yield) (sum float64, err error) {
	m := c.m
	for i, v := range c.s {
		c.apart[i] = -v
	}
	for i := range m {
		c.apart[i*m+i]++
	}
	if err := c.panel.product(c.rebuilt, gram, c.apart, m, m, m, pauses(yield)); err != nil {
		return 0, err
	}
	for i, v := range c.rebuilt {
		sum += float64(v * c.apart[i])
	}
	return sum, nil
}

// contrast adds alpha times the weighted contrast to the gradient and returns the contrast of every
// layer until the next call.
func (c *consensus) contrast() (values []float64) {
	m, k := c.m, c.o.Neighbours
	values = c.parts
	clear(values)
	all := 0.0
	for _, w := range c.weights {
		all += w
	}
	e := c.exps
	for i := range m {
		row, g := c.s[i*m:(i+1)*m], c.gradient[i*m:(i+1)*m]
		top := math.Inf(-1)
		for j, v := range row {
			if j != i {
				top = max(top, v)
			}
		}
		sum := 0.0
		for j, v := range row {
			if e[j] = 0; j != i {
				e[j] = kernel.Exp(v - top)
				sum += e[j]
			}
		}
		kernel.AddScaled(g, e, float64(c.o.Alpha*all)*float64(k)/sum)
		level := top + kernel.Log(sum)
		for l, w := range c.weights {
			for _, j := range c.near[l][i*k : (i+1)*k] {
				values[l] += level - row[j]
				g[j] -= float64(c.o.Alpha * w)
			}
		}
	}
	return values
}

// evaluate sets the gradient and returns the loss.
func (c *consensus) evaluate(yield pause.Yield) (loss float64, err error) {
	if loss, err = c.reconstruction(c.sum, yield); err != nil {
		return 0, err
	}
	for i, v := range c.rebuilt {
		c.gradient[i] = -2 * v
	}
	for l, v := range c.contrast() {
		w := c.weights[l]
		loss += float64(w*float64(c.o.Alpha*v)) + power(w, c.o.G)
	}
	return loss, nil
}

// values returns the bracket of every layer.
func (c *consensus) values(yield pause.Yield) ([]float64, error) {
	values := c.contrast() // the gradient is of no use any more
	for l := range values {
		v, err := c.reconstruction(c.gram[l], yield)
		if err != nil {
			return nil, err
		}
		values[l] = v + float64(c.o.Alpha*values[l])
	}
	return values, nil
}

// Step evaluates and updates.
func (c *consensus) Step(yield pause.Yield) error {
	if train.Done(c) {
		return train.ErrDone
	}
	if err := c.prepare(yield); err != nil {
		return err
	}
	loss, err := c.evaluate(yield)
	if err != nil {
		return err
	}
	c.loss = loss
	if err := finite(loss, "all"); err != nil {
		return err
	}
	stopped := c.o.Stop == "on" && c.inRound > 0 && math.Abs(loss-c.last)/c.last < tolerance(loss)
	c.last = loss
	c.inRound++
	c.steps++
	if !stopped {
		c.update()
	}
	if !stopped && c.inRound < c.o.Steps {
		return nil
	}
	gradient := slices.Clone(c.gradient)
	values, err := c.values(yield)
	if err != nil {
		return err
	}
	copy(c.gradient, gradient)
	c.reweigh(values)
	c.weigh()
	clear(c.first)
	clear(c.second)
	c.round, c.inRound = c.round+1, 0
	return nil
}

// tolerance is the relative change of a loss below which a round ends.
func tolerance(loss float64) float64 {
	t := 1.0
	for range int(min(3, math.Floor(kernel.Log(loss)/math.Ln10))) {
		t /= 10
	}
	return t
}

// update moves S by Adam.
func (c *consensus) update() {
	g := c.gradient
	if c.o.Mirror == "on" {
		g = slices.Clone(g)
		for i := range c.m {
			for j := range i {
				g[i*c.m+j] = g[j*c.m+i]
			}
		}
	}
	powers := kernel.NewAdamPowers()
	for range c.inRound {
		powers.Next()
	}
	rate := kernel.NewAdamRate[float64](powers, c.o.Rate, 0)
	kernel.Adam(c.s, c.first, c.second, g, &rate)
	c.hollow() // whatever its gradient was: it enters no other entry
}

func (c *consensus) Progress() train.Progress {
	return train.Progress{Steps: c.steps, Total: c.o.Rounds * c.o.Steps, Epoch: c.steps, Losses: []float64{c.loss},
		Early: c.round == c.o.Rounds && c.steps < c.o.Rounds*c.o.Steps}
}

// Embeddings returns the leading singular vectors of the consensus.
func (c *consensus) Embeddings(int) []train.Embedding {
	if c.steps == 0 {
		return nil
	}
	m := c.m
	both := make([]float64, m*m)
	for i := range m {
		for j := range m {
			both[i*m+j] = (math.Abs(c.s[i*m+j]) + math.Abs(c.s[j*m+i])) / 2
		}
	}
	times := func(dst, x []float64, d int) error {
		kernel.Mul(dst, both, x, m, m, d)
		return nil
	}
	_, u, err := linalg.Leading(&linalg.Operator{Rows: m, Cols: m, Mul: times, MulTrans: times}, c.k, nil)
	if err != nil {
		panic(err) // there is no pause
	}
	return fused(mat.NewDense(m, c.k, u))
}

func (c *consensus) State() *train.State {
	return &train.State{Integers: []*int{&c.steps, &c.round, &c.inRound}, Numbers: []*float64{&c.last, &c.loss},
		Doubles: [][]float64{c.s, c.weights, c.first, c.second}}
}

// sound reports whether State holds what steps could lead to.
func (c *consensus) Sound() bool {
	return c.round >= 0 && c.round <= c.o.Rounds && c.inRound >= 0 && c.inRound < max(c.o.Steps, 1)
}

// Report gives the weights of the layers and the terms of the start.
func (c *consensus) Report() train.Report {
	r := parameters(c.m * c.m)
	for l, w := range c.weights {
		r = r.With(fmt.Sprintf("weight_layer_%d", l+1), w)
	}
	r.Notes = []string{fmt.Sprintf("The start was drawn to layer %s, with a weight of %v; another layer (option prior) gives another result.",
		c.graph.Layers[c.o.Prior-1].Name, c.o.A0)}
	return r
}

// inspect shows S, the weights and the values of the layers as they are, and the gradient of the last
// evaluation.
func (c *consensus) inspect(k int) *Inspected {
	if k > 0 {
		return nil
	}
	if err := c.prepare(nil); err != nil {
		panic(err) // there is no pause
	}
	gradient := slices.Clone(c.gradient)
	values, err := c.values(nil)
	if err != nil {
		panic(err) // there is no pause
	}
	copy(c.gradient, gradient)
	i := &Inspected{Values: map[string][]float64{"S": slices.Clone(c.s), "weights": slices.Clone(c.weights), "values": slices.Clone(values), "gradient": gradient,
		"H": slices.Concat(c.h...), "start values": c.startValues, "start weights": c.startWeights}, Terms: []float64{c.loss}, Updates: c.steps, Epochs: c.round}
	for _, near := range c.near {
		i.Values["neighbours"] = append(i.Values["neighbours"], kernel.Doubles(near)...)
	}
	return i
}
