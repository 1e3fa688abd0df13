package parity

import (
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/baseline"
	"cadem.example/core/baseline/skipgram"
	"cadem.example/core/train"
)

// between returns the number from 0 to 1 that leads to number k of n.
func between(k, n float64) float64 { return (k - 0.5) / n }

// corpus returns documents.
func corpus(documents ...*golden) *skipgram.Corpus {
	c := &skipgram.Corpus{Start: []int{0}}
	for _, document := range documents {
		for _, v := range document.data() {
			c.Tokens = append(c.Tokens, int32(v))
		}
		c.Start = append(c.Start, len(c.Tokens))
	}
	return c
}

// rates returns the learning rate of every document in every epoch.
func rates(c *skipgram.Corpus, epochs int, from, to float64) (rates []float64) {
	for e := range epochs {
		for k := range c.Documents() {
			rates = append(rates, c.Rate(e, epochs, k, from, to))
		}
	}
	return rates
}

// A stage is a training on one corpus.
type stage struct {
	*golden  // what is expected
	listed   *golden
	corpus   *skipgram.Corpus
	words, d int
	options  skipgram.Options
	draws    given
}

// stage returns the one whose decisions are listed, on documents.
func (g *golden) stage(listed *golden, words int, epochs string, expect *golden, documents []*golden, draws given) *stage {
	s := g.sub("settings")
	return &stage{expect, listed, corpus(documents...), words, s.int("size"), skipgram.Options{
		Window: int(s.orZero("window")), Epochs: s.int(epochs), Negatives: s.int("negative"), Tree: s.orZero("hs") != 0,
		Subsample: s.number("subsample"), From: s.number("lr0"), To: s.number("lr1"),
	}, draws}
}

// decide adds the numbers that lead to what is listed.
func (s *stage) decide(prefix string) {
	sums := append([]float64{0}, skipgram.NewNoise(s.corpus.Counts(s.words)).Sums...)
	for r, order := range s.listed.any("orders") {
		s.draws[key(prefix+"order", r)] = order.data()
	}
	for e, documents := range s.listed.list("decisions") {
		for k, doc := range documents.list() {
			tokens := slices.Repeat([]float64{math.Nextafter(1, 0)}, len(s.corpus.Document(k)))
			for _, at := range doc.ints("kept") {
				tokens[at] = 0
			}
			var windows, negatives []float64
			for _, w := range doc.ifAny("window") {
				windows = append(windows, between(w, float64(s.options.Window)))
			}
			for _, n := range doc.ifAny("negatives") {
				negatives = append(negatives, (sums[int(n)]+sums[int(n)+1])/2/sums[s.words])
			}
			for what, draws := range map[string][]float64{"keep": tokens, "window": windows, "negatives": negatives} {
				s.draws[key(prefix+what, e*documents.length()+k)] = draws
			}
		}
	}
}

// walk adds the numbers that lead to the walks.
func (s *stage) walk(prefix string, a *skipgram.Neighbours, coins bool) {
	for k := range s.corpus.Documents() {
		var list []float64
		walk := s.corpus.Document(k)
		for i := 1; i < len(walk); i++ {
			from, to := a.Start[walk[i-1]], a.Start[walk[i-1]+1]
			if at := slices.Index(a.Index[from:to], walk[i]); at >= 0 {
				list = append(list, (float64(at)+1e-6)/float64(to-from))
			}
			if coins && i > 1 {
				list = append(list, 0)
			}
		}
		s.draws[key(prefix+"walk", k)] = list
	}
}

// before records the vectors that predict.
type before struct {
	skipgram.Input[float64]
	x []float64
}

func (b *before) Vector(input int) []float64 {
	x := b.Input.Vector(input)
	b.x = append(b.x[:0], x...)
	return x
}

// train replays the training.
func (s *stage) train(prefix string, in skipgram.Input[float64], tables map[string][]float64) {
	o, counts := s.options, s.ints("counts")
	s.check("counts", s.corpus.Counts(s.words), 0, "counts")
	s.check("keep probabilities", skipgram.Keep(counts, o.Subsample), 1e-12, "keep")
	s.maybe("weights of negatives", differences(skipgram.NewNoise(counts).Sums), 1e-12, "negative_weight")
	if s.has("paths") {
		s.tree("paths and codes")
	}
	recorder := &before{Input: in}
	t := skipgram.NewTrainer[float64](s.corpus, s.words, s.d, o, s.draws, prefix)
	t.O, t.H = make([]float64, s.words*s.d), make([]float64, max(s.words-1, 0)*s.d)
	tables["o"], tables["h"] = t.O, t.H
	details := map[int]*golden{}
	for _, d := range s.any("details") {
		details[d.int("pair")] = d
	}
	var losses []float64
	t.Watch = func(p *skipgram.Pair[float64]) {
		if d, ok := details[len(losses)]; ok {
			s.compare("pairs in detail", []int{p.Input, p.Target}, []any{d.number("input"), d.number("target")}, 0)
			s.compare("vectors before a pair", recorder.x, d.data("x_before"), 1e-9)
			s.compare("changes by a pair", p.Change, d.data("add_to_x"), 1e-10)
		}
		losses = append(losses, p.Loss)
	}
	for e := range o.Epochs {
		pairs := len(losses)
		must(t.Epoch(e, recorder, nil))
		s.maybe("number of pairs", len(losses)-pairs, 0, "pairs_per_epoch", e)
		for _, table := range s.names("after_epoch", e) {
			s.check("table "+table+" after epochs", tables[table], 1e-9, "after_epoch", e, table)
		}
	}
	s.check("learning rates", rates(s.corpus, o.Epochs, o.From, o.To), 1e-12, "lr")
	s.compare("losses of pairs", losses, append(s.ifAny("pair_loss"), s.ifAny("word_loss")...), 1e-10)
}

func differences(sums []float64) []float64 {
	list := slices.Clone(sums)
	for i := 1; i < len(list); i++ {
		list[i] -= sums[i-1]
	}
	return list
}

// tree compares the Huffman tree of counts.
func (g *golden) tree(quantity string) {
	tree := skipgram.NewTree(g.ints("counts"))
	for w := range g.length("counts") {
		codes, way := g.data("codes", w), g.data("paths", w)
		for i, a := range way {
			way[i] = 2*a + 1 - codes[i]
		}
		g.compare(quantity, tree.Way(w), way, 0)
	}
}

// skipGramParts replays the parts of the trainer alone.
func skipGramParts(g *golden) {
	for _, c := range g.list("huffman") {
		c.tree("huffman: paths and codes")
	}
	for _, c := range g.list("keep") {
		c.check("keep probabilities", skipgram.Keep(c.ints("counts"), c.number("s")), 1e-12, "keep")
	}
	for _, c := range g.list("negatives") {
		noise := skipgram.NewNoise(c.ints("counts"))
		c.check("weights of negatives", differences(noise.Sums), 1e-12, "weights")
		var got []int
		for _, u := range c.data("uniforms") {
			if n := int(noise.Word(u)); n != c.int("target") {
				got = append(got, n)
			}
		}
		c.check("negatives", got, 0, "negatives")
	}
	r, c := g.part("learning_rates"), &skipgram.Corpus{Start: []int{0}}
	for _, n := range r.ints("lengths") {
		c.Start = append(c.Start, c.Start[len(c.Start)-1]+n)
	}
	c.Tokens = make([]int32, c.Start[len(c.Start)-1])
	r.check("learning rates", rates(c, r.int("epochs"), r.number("lr0"), r.number("lr1")), 1e-12, "lr")

	// How far each position of a long document reaches to the right of it.
	uniforms, window := g.data("windows/uniforms"), g.int("windows/window")
	document := make([]int32, len(uniforms)+2*window)
	for i := range document {
		document[i] = int32(i)
	}
	reach := make([]int, len(document))
	for _, p := range pairs(document, window, append(make([]float64, window), uniforms...)) {
		reach[p[1]] = max(reach[p[1]], p[0]-p[1])
	}
	g.check("windows", reach[window:window+len(uniforms)], 0, "windows/reduced")

	// The pairs of a document in their order.
	draws := g.data("pairs/reduced")
	widest := slices.Max(append(draws, 0))
	for i, b := range draws {
		draws[i] = between(b, widest)
	}
	g.check("pairs", pairs(corpus(g.sub("pairs/kept_nodes")).Tokens, int(widest), draws), 0, "pairs/input_target")
	for _, u := range g.list("updates") {
		u.update()
	}
}

// pairs returns the inputs and targets of the pairs of one document from which nothing is dropped.
func pairs(document []int32, window int, windows []float64) (list [][2]int) {
	words := int(slices.Max(append(document, 0))) + 1
	draws := given{key("window", 0): windows, key("keep", 0): make([]float64, len(document))}
	c := &skipgram.Corpus{Tokens: document, Start: []int{0, len(document)}}
	t := skipgram.NewTrainer[float64](c, words, 1, skipgram.Options{Window: window, Epochs: 1}, draws, "")
	t.Watch = func(p *skipgram.Pair[float64]) { list = append(list, [2]int{p.Input, p.Target}) }
	must(t.Epoch(0, &skipgram.Table[float64]{Rows: make([]float64, words), D: 1}, nil))
	return list
}

// update replays one pair, target by target, so that the logits are seen, too.
func (g *golden) update() {
	x, o, h := g.data("x"), g.data("o"), g.data("h")
	change, loss := make([]float64, len(x)), 0.0
	var logits []float64
	train := func(table []float64, target int32) {
		f := 0.0
		for k, v := range table[int(target>>1)*len(x):][:len(x)] {
			f += float64(x[k] * v)
		}
		logits = append(logits, f)
		loss += kernel.SkipGram(table, x, change, []int32{target}, g.number("lr"))
	}
	if g.option("hs") == "on" {
		for _, target := range skipgram.NewTree(g.ints("counts")).Way(g.int("target")) {
			train(h, target)
		}
	}
	for i, n := range g.ints("negatives") {
		if i == 0 {
			train(o, int32(2*g.int("target")+1))
		}
		train(o, int32(2*n))
	}
	g.check("logits of updates", logits, 1e-10, "expect/logits")
	g.check("losses of updates", loss, 1e-10, "expect/loss")
	g.check("changes by updates", change, 1e-10, "expect/add_to_x")
	g.compare("rows after updates", [][]float64{o, h}, [][]float64{g.data("expect/o"), g.data("expect/h")}, 1e-9)
}

// walkers replays the walkers alone.
func walkers(g *golden) {
	var graphs []*skipgram.Neighbours
	for _, v := range g.list("graphs") {
		n := skipgram.Without(v.adjacency(v.int("M"), "edges"))
		graphs = append(graphs, n)
		for i := range n.Nodes() {
			from, to := n.Start[i], n.Start[i+1]
			weights := slices.Repeat([]float64{1}, int(to-from))
			if n.Weight != nil {
				weights = n.Weight[from:to]
			}
			v.check(v.text("name")+": neighbours", n.Index[from:to], 0, "neighbours", i)
			v.check(v.text("name")+": weights", weights, 0, "weights", i)
		}
	}
	for _, v := range g.list("cases") {
		name, p, q, second := g.text("graphs", v.int("graph"), "name")+": "+v.text("kind"), 1.0, 1.0, v.text("kind") == "node2vec"
		if second {
			p, q = v.number("p"), v.number("q")
			name += fmt.Sprintf(", p = %v, q = %v", p, q)
		}
		v.in(name).try(name+": file", func() {
			if v.has("rule") && !slices.Contains([]string{"", "any", "alias"}, v.text("rule")) {
				panic(unknown{"rule", v.text("rule")})
			}
			walker := skipgram.NewWalker(graphs[v.int("graph")], p, q, second)
			for _, w := range v.list("walks") {
				draws := given{key("walk", 0): w.data("uniforms")}
				w.check(name, walker.Walk(nil, w.int("start"), v.int("length"), draws, "walk", 0), 0, "walk")
				w.compare(name+", numbers taken", walker.Taken(), w.length("uniforms"), 0)
			}
		})
	}
	c := g.sub("corpus")
	a, length, uniforms, at := graphs[c.int("graph")], c.int("length"), c.data("uniforms"), 0
	walker, draws := skipgram.NewWalker(a, c.number("p"), c.number("q"), true), given{}
	for k := range c.length("walks") {
		draws[key("walk", k)] = uniforms[at:]
		start := c.int("orders", k/a.Nodes(), k%a.Nodes())
		c.check("corpus", walker.Walk(nil, start, length, draws, "walk", k), 0, "walks", k)
		draws[key("walk", k)] = uniforms[at : at+walker.Taken()]
		at += walker.Taken()
	}
	c.compare("corpus, numbers taken", at, len(uniforms), 0)
	for n, order := range c.list("orders") {
		draws[key("order", n)] = order.data()
	}
	all := must(walker.Walks(c.length("orders"), length, draws, "", nil))
	for k := range c.length("walks") {
		c.check("corpus in rounds", all.Document(k), 0, "walks", k)
	}
}

// commonSettings are the settings of every method on walks.
const commonSettings = "size=dim window negative=negatives subsample lr0=lr lr1=lr_last per_node=walks length "

// walked replays DeepWalk or node2vec: the trainer by itself, then the method.
func walked(method, settings string) func(c *golden) {
	return func(c *golden) {
		if c.has("variant") {
			panic(unknown{"variant", c.text("variant")})
		}
		s := c.setup(method, "settings", commonSettings+settings)
		e, prefix := c.data("e_start"), ofLayer(0, "")
		t := c.stage(c, c.int("M"), "epochs", c.sub("expect"), c.list("walks"), s.given)
		t.decide("")
		t.train("", &skipgram.Table[float64]{Rows: e, D: t.d}, map[string][]float64{"e": e})
		o, second := s.Options.(*baseline.Node2vecOptions)
		t.decide(prefix)
		t.walk(prefix, skipgram.Without(s.Graphs[0].Layers[0].Adjacency), second && (o.P != 1 || o.Q != 1))
		s.given[key(prefix+"e", 0)] = c.data("e_start")
		c.check("embedding", s.follow(nil).list, 1e-9, "expect/embedding")
	}
}

// mne replays MNE: each part of the training by itself, then the method.
func mne(c *golden) {
	s := c.setup("mne", "settings", commonSettings+"extra base_epochs=epochs_union layer_epochs=epochs_layer norm_limit=limit")
	o := s.Options.(*baseline.MNEOptions)
	matrices := s.Graphs[0].Adjacencies()
	union, edges := skipgram.Union(matrices), [][]int{}
	for v := range union.Nodes() {
		for _, x := range union.Index[union.Start[v]:union.Start[v+1]] {
			if v < int(x) {
				edges = append(edges, []int{v, int(x)})
			}
		}
	}
	c.check("edges of the union", edges, 0, "expect/union_edges")
	b := c.data("b_start")
	for k, listed := range c.list("stages") {
		names, neighbours, epochs := "union/", union, "base_epochs"
		var in skipgram.Input[float64] = &skipgram.Table[float64]{Rows: b, D: o.Dim}
		tables := map[string][]float64{"b": b}
		var layered *skipgram.Layered[float64]
		if k > 0 {
			names, neighbours, epochs = ofLayer(k-1, ""), skipgram.Without(matrices[k-1]), "layer_epochs"
			layered = skipgram.NewLayered(b, c.data("a_start", k-1), o.Dim, o.Extra, o.Limit)
			in, tables = layered, map[string][]float64{"a": layered.A, "T": layered.T}
			s.given[key(names+"a", 0)] = c.data("a_start", k-1)
		}
		t := c.stage(listed, c.int("M"), epochs, c.sub("expect/stages", k), listed.list("walks"), s.given)
		t.decide(names)
		t.walk(names, neighbours, false)
		t.train(names, in, tables)
		if layered != nil {
			t.compare("times the map was rescaled", layered.Rescaled, t.length("T_rescaled_at_pairs"), 0)
		}
	}
	s.given[key("union/b", 0)] = c.data("b_start")
	for l, e := range s.follow(nil).Embeddings(0) {
		if e.Name == train.Fused {
			c.check("embedding", e.X, 1e-9, "expect/embedding")
			continue
		}
		c.check("vectors of layers", e.X, 1e-9, "expect/layer_vectors", l-1)
	}
}

// graph2vec replays the words of graphs and the training of their vectors. The labels of words are
// not compared: words have numbers here, not hashes.
func graph2vec(c *golden) {
	o := c.setup("graph2vec", "settings", "size=dim negative=negatives subsample lr0=lr lr1=lr_last epochs wl_rounds=rounds "+
		"min_count=least bins").Options.(*baseline.Graph2vecOptions)
	e := c.sub("expect")
	var graphs []*skipgram.Neighbours
	var labels [][]int
	for _, v := range c.list("graphs") {
		n := skipgram.Without(v.adjacency(v.int("M"), "edges"))
		graphs, labels = append(graphs, n), append(labels, n.Degrees())
	}
	e.maybe("degrees", labels, 0, "degree")
	if o.Bins > 0 {
		var edges []float64
		edges, labels = skipgram.Bins(labels, o.Bins)
		e.check("edges of bins", edges, 1e-12, "bin_edges")
		e.maybe("bins", labels, 0, "bin")
	}
	words := skipgram.Subtrees(graphs, labels, o.Rounds)
	e.maybe("numbers of words", words, 0, "word_number")
	documents, kept := skipgram.Frequent(words, o.Least)
	e.check("words kept", kept, 0, "kept_words")
	for g, want := range e.any("documents") {
		want.check("documents", documents.Document(g), 0)
	}
	z := c.data("z_start")
	t := c.stage(c, len(kept), "epochs", e, e.list("documents"), given{})
	t.decide("")
	t.train("", &skipgram.Table[float64]{Rows: z, D: o.Dim}, map[string][]float64{"z": z})
	e.check("embedding", z, 1e-9, "embedding")
}

// mcgc replays MCGC evaluation by evaluation.
func mcgc(c *golden) {
	s := c.setup("mcgc", "settings", "neighbours alpha a0 g lr steps rounds init_rounds=rounds_start stop filter_all=filter mirror "+
		"clusters=vectors")
	e, near := c.sub("expect"), c.int("settings/neighbours")
	t := must(s.method.New(&s.Setup))
	now := baseline.Inspect(t, 0).Values
	for l, layer := range s.Graphs[0].Layers {
		e.check("propagation", baseline.SymNorm(layer.Adjacency, 1).Dense(), 1e-12, "propagation", l)
		for i := range e.length("neighbours", l) {
			got, want := slices.Values(now["neighbours"][:near]), slices.Values(e.data("neighbours", l, i))
			e.compare("neighbours", slices.Sorted(got), slices.Sorted(want), 0)
			now["neighbours"] = now["neighbours"][near:]
		}
	}
	e.check("H", now["H"], 1e-12, "H")
	last := e.sub("initial_rounds", e.length("initial_rounds")-1)
	last.check("values of the start", now["start values"], 1e-10, "values")
	last.check("weights of the start", now["start weights"], 1e-10, "lambda")
	e.check("S of the start", now["S"], 1e-9, "S_start")
	for k, losses := range e.list("losses") {
		for at := range losses.length() {
			e.check("values", baseline.Inspect(t, 0).Values["values"], 1e-10, "values", k, at)
			ok(t.Step(nil))
			i := baseline.Inspect(t, 0)
			e.check("losses", i.Terms, 1e-10, "losses", k, at)
			if k == 0 && at == 0 {
				e.check("gradient", i.Values["gradient"], 1e-10, "grad_first_unconstrained")
			}
		}
		i, round := baseline.Inspect(t, 0), e.part("rounds", k)
		round.compare("rounds made", i.Epochs, k+1, 0)
		round.check("S after rounds", i.Values["S"], 1e-9, "S")
		round.check("values after rounds", i.Values["values"], 1e-9, "values")
		round.check("weights after rounds", i.Values["weights"], 1e-9, "lambda")
	}
	if !train.Done(t) {
		panic("steps are left after the last round")
	}
	e.check("embedding", t.Embeddings(0)[0].X, 1e-9, "embedding")
}
