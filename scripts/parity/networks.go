package parity

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/property"
	"cadem.example/core/baseline"
	"cadem.example/core/baseline/descent"
	"cadem.example/core/baseline/diffusion"
	"cadem.example/core/baseline/tape"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// A follower watches a training and its networks.
type follower struct {
	train.Training
	first  []*baseline.Inspected          // of each network, after its first step
	now    []*baseline.Inspected          // at the end
	losses [][][]float64                  // of each network and step
	after  []map[int]map[string][]float64 // parameters by the number of updates
	list   [][]float64                    // the embeddings of all graphs, one after another
}

// follow takes all steps of a training.
func (s *setup) follow(steps func(i *baseline.Inspected)) *follower {
	t := must(s.method.New(&s.Setup)) // unlike Start, with any graph
	f := &follower{Training: t}
	for k := 0; baseline.Inspect(t, k) != nil; k++ {
		f.now = append(f.now, baseline.Inspect(t, k))
		f.after = append(f.after, map[int]map[string][]float64{})
	}
	f.first, f.losses = make([]*baseline.Inspected, len(f.now)), make([][][]float64, len(f.now))
	for !train.Done(t) {
		ok(t.Step(nil))
		for k, before := range f.now {
			i := baseline.Inspect(t, k)
			if len(i.Values) == 0 || i.Epochs == before.Epochs && i.Updates == before.Updates {
				continue
			}
			if f.first[k] == nil {
				f.first[k] = i
			}
			f.now[k] = i
			f.losses[k] = append(f.losses[k], slices.Clone(i.Terms))
			f.after[k][i.Updates] = i.Params
			if steps != nil {
				steps(i)
			}
		}
	}
	for g := range s.Graphs {
		for k, e := range t.Embeddings(g) {
			if g == 0 {
				f.list = append(f.list, nil)
			}
			f.list[k] = append(f.list[k], flat(e.X)...)
		}
	}
	return f
}

// totals returns the last term of every step's loss.
func totals(losses [][]float64) (list []float64) {
	for _, terms := range losses {
		list = append(list, terms[len(terms)-1])
	}
	return list
}

// params compares parameters or gradients by name. Idle parameters have gradients only.
func (g *golden) params(quantity string, got map[string][]float64, tolerance float64, path ...any) {
	want := g.part(path...)
	if has := slices.Sorted(maps.Keys(got)); !slices.Equal(want.names(), has) {
		g.fail(g.named(quantity), fmt.Errorf("parameters %v, the file has %v", has, want.names()))
	}
	for _, key := range want.names() {
		if x, ok := got[key]; ok && (quantity != "parameters" || !idle(key, want)) {
			want.check(quantity, x, tolerance, key)
		}
	}
}

// idle names the biases that change nothing: the last of a critic of DMG, whose output is centred, and those
// before a batch normalisation. Their gradients are rounding noise, which Adam magnifies.
func idle(name string, all *golden) bool {
	before, bias, decoder := strings.Cut(name, ".dec.b")
	return strings.HasSuffix(name, ".phi.b3") || strings.HasSuffix(name, ".psi.b3") || decoder && all.has(before+".dec.g"+bias)
}

// trained compares the first step of network k, its parameters after some updates of a training, and its embedding.
func (g *golden) trained(f, all *follower, k int, tolerance float64) {
	g.step(f.first[k].Values, "first")
	g.params("gradients", f.first[k].Gradients, 1e-10, "grads_step1")
	for _, updates := range g.part("params_after").names() {
		g.params("parameters", all.after[k][must(strconv.Atoi(updates))], tolerance, "params_after", updates)
	}
	g.check("embedding", f.list[k], tolerance, "embedding")
}

// step compares the results of the first step; a list holds windows, one after another. What is an object in the file is
// left to the reader of the method.
func (g *golden) step(got map[string][]float64, name string) {
	windows := []*golden{g.sub(name)}
	if g.has(name, 0) {
		windows = g.list(name)
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		var want []float64
		for _, w := range windows {
			want = append(want, w.ifAny(key)...)
		}
		if want != nil {
			g.compare(key, got[key], want, 1e-10)
		}
	}
}

// operator compares the propagation matrix of a layer and its normalised features.
func (g *golden) operator(l *multiplex.Layer, loop float64, propagation ...any) {
	g.maybe("propagation", baseline.SymNorm(l.Adjacency, loop).Dense(), 1e-12, propagation...)
	if g.has("X_normalised", 0) {
		g.check("normalised features", descent.NewFeatures[float64](l.Features, true).Dense(), 1e-12, "X_normalised")
	}
}

// fitted compares network k, trained with early stopping in that number of updates an epoch, and the same network trained
// without, whose last parameters are not replaced by the best.
func (g *golden) fitted(s *setup, stopped *follower, k, batches int) {
	i, all, set := stopped.now[k], stopped, property.Values(s.Options)
	if set["patience"] != nil && set["patience"] != 0 {
		ok(property.Set(s.Options, "patience", "0"))
		ok(property.Set(s.Options, "epochs", strconv.Itoa(g.int("record/updates")/batches)))
		all = s.follow(nil)
		ok(property.SetAll(set, s.Options))
	}
	g.record(i, "epochs_evaluated", "updates", "stopped_early", "best_epoch")
	g.maybe("best loss", i.BestLoss, 1e-10, "record/best_loss")
	if g.has("losses") {
		g.check("losses", totals(stopped.losses[k]), 1e-10, "losses")
	}
	g.trained(stopped, all, k, 1e-9)
	if g.has("params_restored") {
		g.params("restored", i.Params, 1e-9, "params_restored")
	}
}

// record compares how a fit ended, by what the file calls it.
func (g *golden) record(i *baseline.Inspected, names ...string) {
	var got, want []any
	for k, x := range []any{i.Epochs, i.Updates, i.Early, i.BestEpoch}[:len(names)] {
		if g.has("record", names[k]) {
			got, want = append(got, x), append(want, g.number("record", names[k]))
		}
	}
	g.compare("record", got, want, 0)
}

// vgae replays the variational graph autoencoder.
func vgae(c *golden) {
	s := c.setup("vgae", "settings", "size=dim hidden epochs lr logstd_max:10")
	c.set(s.Options, "variant", "decoder")
	s.first(1, c)
	s.rounds(1, "noise", c.sub("eps"))
	for t, x := range c.any("non_edges") {
		s.each(1, "pairs", t*baseline.PairRounds, x.data())
	}
	got, layer, m, e := s.follow(nil), &s.Graphs[0].Layers[0], c.int("M"), c.sub("expect")
	e.operator(layer, 1, "propagation")
	pattern, target := descent.WithLoops(layer.Adjacency), []bool{}
	e.check("edges", len(pattern.Index)-m, 0, "off_diagonal_entries")
	for k := range m * m {
		target = append(target, pattern.Has(k/m, k%m))
	}
	e.maybe("target", target, 0, "target")
	e.check("terms", got.losses[0], 1e-10, "terms")
	e.step(got.first[0].Values, "step1")
	e.params("gradients", got.first[0].Gradients, 1e-10, "step1/grad")
	e.params("parameters", got.now[0].Params, 1e-9, "params_after")
	e.check("embedding", got.list[0], 1e-9, "embedding")
}

// ofLayers replays networks that train on each layer by themselves.
func (g *golden) ofLayers(s *setup, loop float64, more func(e *golden, l int, got *baseline.Inspected)) {
	stopped := s.follow(nil)
	for l := range g.length("expect/layers") {
		e := g.in(fmt.Sprintf("%s, layer %d", g.name, l), "expect/layers", l)
		e.operator(&s.Graphs[0].Layers[l], loop, "propagation")
		more(e, l, stopped.first[l])
		e.fitted(s, stopped, l, 1)
	}
}

// dgi replays deep graph infomax.
func dgi(c *golden) {
	s := c.setup("dgi", "hyper", "lr epochs patience loss=variant H=dim self_loop:1")
	s.first(s.Graphs[0].N(), c)
	s.rounds(s.Graphs[0].N(), "permutation", c.sub("perms"))
	c.ofLayers(s, 1, func(*golden, int, *baseline.Inspected) {})
}

// mvgrl replays contrastive multi-view learning of nodes.
func mvgrl(c *golden) {
	s := c.setup("mvgrl", "hyper", "lr epochs patience H=dim self_loop:2 alpha diffusion terms top window")
	o, layers := s.Options.(*baseline.MVGRLOptions), s.Graphs[0].Layers
	s.first(len(layers), c)
	o.Windows = max(1, len(c.any("draws/0/starts")))
	for t, x := range c.list("draws") {
		s.each(len(layers), "permutation", t, x.ifAny("perm"))
		s.each(len(layers), "starts", t, x.ifAny("starts"))
	}
	c.ofLayers(s, 2, func(e *golden, l int, _ *baseline.Inspected) {
		p := baseline.SymNorm(layers[l].Adjacency, 1)
		if o.Diffusion == "series" {
			e.check("diffusion", must(diffusion.Series(p, o.Alpha, o.Terms, o.Top, nil)).Dense(), 1e-12, "diffusion")
			return
		}
		e.check("diffusion", must(diffusion.Exact(p, o.Alpha, nil)), 1e-12, "diffusion")
	})
}

// mvgrlGraph replays contrastive multi-view learning of graphs.
func mvgrlGraph(c *golden) {
	s := c.setup("mvgrl-graph", "hyper", "lr epochs patience layers=convolutions H=dim self_loop:2 alpha")
	o, e := s.Options.(*baseline.MVGRLGraphOptions), c.sub("expect")
	for k, m := range c.ints("sizes") {
		l := multiplex.Layer{Adjacency: c.adjacency(m, "edges", k), Features: c.sub("X", k).features(m)}
		s.Graphs = append(s.Graphs, &multiplex.Graph{Layers: []multiplex.Layer{l}})
		e.operator(&l, 2, "propagation", k)
		e.check("diffusion", must(diffusion.Exact(baseline.SymNorm(l.Adjacency, 1), o.Alpha, nil)), 1e-12, "diffusion", k)
	}
	s.first(1, c)
	s.rounds(1, "order", c.sub("draws"))
	batches := c.list("draws/0")
	o.Batch = batches[0].length()
	for k, batch := range batches {
		if n := batch.length(); n > o.Batch || n < o.Batch && k < len(batches)-1 {
			panic(unknown{"batches", "of several sizes"})
		}
	}
	stopped := s.follow(nil)
	var means []float64
	for t := range e.length("batch_losses") {
		got := totals(stopped.losses[0][t*len(batches) : (t+1)*len(batches)])
		e.check("batches", got, 1e-10, "batch_losses", t)
		means = append(means, mat.Sum(mat.NewVecDense(len(got), got))/float64(len(got)))
	}
	e.check("epochs", means, 1e-10, "epoch_losses")
	e.check("losses", totals(stopped.losses[0]), 1e-10, "batch_losses")
	e.fitted(s, stopped, 0, len(batches))
}

// graphMAE replays the masked graph autoencoder.
func graphMAE(c *golden) {
	s := c.setup("graphmae", "hyper", "lr wd=decay epochs schedule_epochs=schedule mask_rate=masked token_rate=token "+
		"noise_rate=noise feature_dropout=dropout attention_dropout=dropout_attention gamma H=dim heads=attention")
	m, layers := c.int("M"), s.Graphs[0].Layers
	s.first(len(layers), c)
	for l := range layers {
		for epoch, d := range c.list("draws", l) {
			u, token, noise := d.ints("U"), d.ints("token_nodes"), d.ints("noise_nodes")
			among := func(list []int) func(int) bool { return func(i int) bool { return slices.Contains(list, i) } }
			order := slices.Concat(token, slices.DeleteFunc(slices.Clone(u), among(slices.Concat(token, noise))), noise)
			for k, i := range order {
				order[k] = slices.Index(u, i)
			}
			draws := map[string][]float64{"masked": flat(complete(u, m)), "order": flat(order),
				"sources": flat(complete(d.ints("noise_sources"), m))}
			for _, name := range strings.Fields("masked order sources drop_enc0 att_enc0 drop_enc1 att_enc1 drop_dec att_dec") {
				s.given[key(ofLayer(l, name), epoch)] = append(draws[name], d.ifAny(name)...)
			}
		}
	}
	c.ofLayers(s, 0, func(e *golden, l int, got *baseline.Inspected) {
		var pattern [][]int
		var want []float64
		p := descent.WithLoops(layers[l].Adjacency)
		for i := range m {
			for _, j := range p.Index[p.Start[i]:p.Start[i+1]] {
				pattern = append(pattern, []int{i, int(j)})
			}
		}
		e.check("pattern", pattern, 0, "pattern")
		for _, i := range c.ints("draws", l, "0/U") { // of the masked nodes
			want = append(want, e.data("first/reconstruction", i)...)
		}
		e.compare("reconstruction", got.Values["reconstruction"], want, 1e-10)
		delete(got.Values, "reconstruction")
	})
}

// complete returns a list of different numbers below n with the others after them.
func complete(list []int, n int) []int {
	for i := range n {
		if !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}

// scaledCosine checks the error of the masked autoencoder by itself.
func scaledCosine(g *golden) {
	for _, v := range g.any("sce/values") {
		shape := g.shape("sce/reconstruction")
		y := tape.NewParam[float64]("Y", shape[0], shape[1])
		copy(y.Value, g.data("sce/reconstruction"))
		t := tape.New[float64]()
		x := t.Constant(y.Rows, y.Cols, g.data("sce/target"))
		cos := t.RowDot(t.NormalizeRows(t.Param(y)), t.NormalizeRows(x))
		loss := t.MeanPower(cos, v.int("gamma"))
		t.Backward(loss)
		name := fmt.Sprintf("scaled cosine error, exponent %d", v.int("gamma"))
		g.compare(name, t.Number(loss), v.data("loss"), 1e-10)
		g.compare(name+": cos", t.Data(cos), v.data("cos"), 1e-10)
		g.compare(name+": gradient", y.Grad, v.data("gradient"), 1e-10)
	}
}

// hdmi replays high-order deep multiplex infomax.
func hdmi(c *golden) {
	s := c.setup("hdmi", "hyper", "lr epochs patience self_loop:3 layer_weights=layer_external,layer_internal,layer_joint "+
		"fused_weights=fused_external,fused_internal,fused_joint H=dim")
	e := c.sub("expect")
	s.first(0, c)
	s.rounds(0, "permutation", c.sub("perms"))
	stopped := s.follow(nil)
	for l := range s.Graphs[0].Layers {
		e.operator(&s.Graphs[0].Layers[l], 3, "propagation", l)
	}
	e.fitted(s, stopped, 0, 1)
	// Terms, logits and inner values of the blocks; those of weight 0 are left out.
	want, blocks := map[string][]float64{}, e.list("first/blocks")
	for k, b := range blocks {
		weights := c.data("hyper", []string{"layer_weights", "fused_weights"}[k/(len(blocks)-1)])
		for i, name := range []string{"ext", "int", "joint"} {
			if weights[i] == 0 {
				continue
			}
			want["term"] = append(want["term"], b.data("terms", name)...)
			want["logits"] = append(want["logits"], b.data("logits", name)...)
			for _, inner := range map[string][]string{"joint": {"cc", "f", "q"}}[name] {
				want[inner] = append(want[inner], b.data(inner)...)
			}
		}
	}
	for _, name := range []string{"term", "logits", "cc", "f", "q"} {
		e.compare(name, stopped.first[0].Values[name], want[name], 1e-10)
	}
}

// dmg replays disentangled multiplex graph learning.
func dmg(c *golden) {
	s := c.setup("dmg", "hyper", "lr lr_critic wd:0 wd_critic=decay_critic outer inner patience stop_after=patience_after alpha "+
		"beta tau lambda self_loop input_dropout=drop_entries list_length=neighbour_list neighbours neighbour_rule consensus "+
		"h=hidden d=common e=private decoder_width decoder_layers critic_width")
	o, e, tolerance, g := s.Options.(*baseline.DMGOptions), c.sub("expect"), c.number("tolerance"), s.Graphs[0]
	o.Pairs = c.length("draws/0/pairs/0")
	s.first(0, c)
	for l := range g.Layers {
		s.given[key(ofLayer(l, "columns"), 0)] = c.data("columns", l)
		p := baseline.SymNorm(g.Layers[l].Adjacency, o.SelfLoop)
		for t, d := range c.list("draws") { // marks of stored features, and numbers of entries
			marks := d.data("drop", l)
			if m := g.M(); g.Layers[0].Features.IsIdentity() {
				marks = nil // those of the diagonal
				for i := range m {
					marks = append(marks, d.number("drop", l, i, i))
				}
			}
			var entries []float64
			for _, pair := range d.list("pairs", l) {
				from, to := pair.int(0), pair.int(1)
				k := slices.Index(p.Index[p.Start[from]:p.Start[from+1]], int32(to))
				entries = append(entries, float64(int(p.Start[from])+k))
			}
			s.given[key(ofLayer(l, "drop"), t)], s.given[key(ofLayer(l, "pairs"), t)] = marks, entries
		}
		e.operator(&g.Layers[l], o.SelfLoop, "propagation", l)
	}
	var outer []float64
	got := s.follow(func(i *baseline.Inspected) {
		if (i.Updates-1)%o.Inner == 0 {
			outer = append(outer, i.Values["S"]...)
		}
	})
	e.check("S", outer, tolerance, "S_outer")
	e.check("terms", got.losses[0], tolerance, "terms")
	e.record(got.now[0], "outer_run", "steps", "stopped_early")
	e.trained(got, got, 0, tolerance)
}

// correlations checks the correlation of two vectors by itself.
func correlations(g *golden) {
	for _, c := range g.any("correlation") {
		a, b, t := c.data("a"), c.data("b"), tape.New[float64]()
		x, y := tape.NewParam[float64]("a", len(a), 1), tape.NewParam[float64]("b", len(b), 1)
		copy(x.Value, a)
		copy(y.Value, b)
		v := t.Correlation(t.Param(x), t.Param(y))
		t.Backward(v)
		name := "correlation, " + c.text("kind")
		g.compare(name, t.Number(v), c.data("value"), 1e-10)
		g.compare(name+": gradients", [][]float64{x.Grad, y.Grad}, [][]float64{c.data("grad_a"), c.data("grad_b")}, 1e-10)
	}
}

// A ruler is a source that records the rule of each initial value.
type ruler struct {
	train.Source
	drawn map[string]string
}

func (r *ruler) note(what, rule string, value float64) {
	r.drawn[strings.TrimPrefix(what, "layer 1/")] = fmt.Sprintf("%s %v", rule, value)
}

func (r *ruler) Uniform(dst []float64, low, high float64, what string, round int) {
	if low == high {
		r.note(what, "constant", high)
	} else if low == -high {
		r.note(what, "uniform", high)
	}
	r.Source.Uniform(dst, low, high, what, round)
}

func (r *ruler) Normal(dst []float64, deviation float64, what string, round int) {
	r.note(what, "normal", deviation)
	r.Source.Normal(dst, deviation, what, round)
}

// rules compares how a method draws the first values of its official settings on 100 nodes without
// features.
func (g *golden) rules() {
	m := must(train.Lookup(strings.NewReplacer("_node", "", "_", "-").Replace(g.text("method"))))
	o, _, err := m.Settings(train.Official)
	l := multiplex.Layer{Features: multiplex.Identity(100),
		Adjacency: must(multiplex.FromEdges(100, []multiplex.Edge{{I: 0, J: 1, Weight: 1}}))}
	graph := &multiplex.Graph{Layers: []multiplex.Layer{l, l, l}}
	r := &ruler{train.Seeded(1), map[string]string{}}
	must(train.Start(m, &train.Setup{Graphs: []*multiplex.Graph{graph, graph}, Options: must(o, err), Source: r}))
	for _, name := range g.names("init_rules") {
		if name == "F" {
			continue // the number of features: 100
		}
		rule, value, _ := strings.Cut(r.drawn[name], " ")
		got, err := strconv.ParseFloat(value, 64)
		if err != nil || rule != g.text("init_rules", name, "draw") {
			got = math.NaN()
		}
		g.check("initial values", got, 1e-12, "init_rules", name, "value")
	}
}
