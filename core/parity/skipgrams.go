package parity

import (
	"encoding/json"
	"fmt"
	"math"

	"cadem/core/baseline/skipgram"
	"cadem/core/kernel"
	"cadem/core/multiplex"
)

// decided is a source of what a case lists, by what it is for. What is asked for beyond it is never
// taken.
type decided map[string][]float64

func (d decided) Uniform(dst []float64, _, _ float64, what string, round int) {
	for i := copy(dst, d[key(what, round)]); i < len(dst); i++ {
		dst[i] = 0.5
	}
}

func (d decided) Normal(dst []float64, _ float64, what string, round int) {
	d.Uniform(dst, 0, 1, what, round)
}
func (d decided) Permutation(dst []int, what string, round int) {
	given(d).Permutation(dst, what, round)
}
func (d decided) Below(dst []int, n int, what string, round int) { given(d).Below(dst, n, what, round) }

// A decision is what is drawn for a document in an epoch.
type decision struct {
	Kept, Window []int
	Negatives    [][]int
}

// skipGramSettings are those of every method of the family.
type skipGramSettings struct {
	PerNode   int `json:"per_node"`
	Length    int
	Size      int
	Window    int
	Epochs    int
	Negative  int
	HS        bool
	Subsample float64
	From      float64 `json:"lr0"`
	To        float64 `json:"lr1"`
	P, Q      float64
}

func (s *skipGramSettings) options(epochs int) skipgram.Options {
	return skipgram.Options{Window: s.Window, Epochs: epochs, Negatives: s.Negative, Tree: s.HS, Subsample: s.Subsample, From: s.From, To: s.To}
}

// skipGramStage is a training on one corpus as cases list it.
type skipGramStage struct {
	Orders    [][]int
	Walks     [][]int
	Decisions [][]decision
}

// skipGramExpect is what is expected of it.
type skipGramExpect struct {
	Counts         []int
	Keep           tensor
	NegativeWeight []float64 `json:"negative_weight"`
	Paths, Codes   [][]int
	LR             tensor
	PairsPerEpoch  []float64 `json:"pairs_per_epoch"`
	PairLoss       []float64 `json:"pair_loss"`
	WordLoss       []float64 `json:"word_loss"`
	Details        []struct {
		Pair, Input, Target int
		LR, Loss            float64
		Before              []float64 `json:"x_before"`
		Change              []float64 `json:"add_to_x"`
	}
	AfterEpoch []map[string]tensor `json:"after_epoch"`
}

func (s *skipGramStage) corpus() *skipgram.Corpus {
	c := &skipgram.Corpus{Start: []int{0}}
	for _, walk := range s.Walks {
		for _, v := range walk {
			c.Tokens = append(c.Tokens, int32(v))
		}
		c.Start = append(c.Start, len(c.Tokens))
	}
	return c
}

// draws adds to d the numbers that lead to what is listed.
func (s *skipGramStage) draws(d decided, prefix string, words, window int) {
	c := s.corpus()
	sums := skipgram.NewNoise(c.Counts(words)).Sums
	for r, order := range s.Orders {
		d[key(prefix+"order", r)] = numbers(order)
	}
	for e, documents := range s.Decisions {
		for k, doc := range documents {
			round := e*len(documents) + k
			tokens := make([]float64, len(c.Document(k)))
			for i := range tokens {
				tokens[i] = math.Nextafter(1, 0)
			}
			for _, at := range doc.Kept {
				tokens[at] = 0
			}
			d[key(prefix+"keep", round)] = tokens
			for _, w := range doc.Window {
				d[key(prefix+"window", round)] = append(d[key(prefix+"window", round)], (float64(w)-0.5)/float64(window))
			}
			for _, list := range doc.Negatives {
				for _, n := range list {
					below := 0.0
					if n > 0 {
						below = sums[n-1]
					}
					d[key(prefix+"negatives", round)] = append(d[key(prefix+"negatives", round)], (below+sums[n])/2/sums[words-1])
				}
			}
		}
	}
}

// steps adds to d the numbers that lead to the walks listed.
func (s *skipGramStage) steps(d decided, prefix string, a *skipgram.Neighbours, coins bool) {
	for k, walk := range s.Walks {
		var list []float64
		for i := 1; i < len(walk); i++ {
			from, to := a.Start[walk[i-1]], a.Start[walk[i-1]+1]
			for at, x := range a.Index[from:to] {
				if int(x) == walk[i] {
					list = append(list, (float64(at)+1e-6)/float64(to-from))
				}
			}
			if coins && i > 1 {
				list = append(list, 0)
			}
		}
		d[key(prefix+"walk", k)] = list
	}
}

func numbers(x []int) []float64 {
	list := make([]float64, len(x))
	for i, v := range x {
		list[i] = float64(v)
	}
	return list
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

// stage replays a training on one corpus.
func (r *Report) stage(file, name string, c *skipgram.Corpus, words, d int, o skipgram.Options, source skipgram.Source, prefix string,
	in skipgram.Input[float64], want *skipGramExpect, tables map[string][]float64) error {
	compare := func(what string, got, want []float64, tolerance float64) {
		r.compare(file, name+": "+what, 64, got, want, tolerance)
	}
	compare("counts", numbers(c.Counts(words)), numbers(want.Counts), 0)
	compare("keep probabilities", skipgram.Keep(want.Counts, o.Subsample), want.Keep.data, 1e-12)
	if want.NegativeWeight != nil {
		compare("weights of negatives", differences(skipgram.NewNoise(want.Counts).Sums), want.NegativeWeight, 1e-12)
	}
	if want.Paths != nil {
		r.tree(file, name, want.Counts, want.Paths, want.Codes)
	}
	recorder := &before{Input: in}
	t := skipgram.NewTrainer[float64](c, words, d, o, source, prefix)
	t.O, t.H = make([]float64, words*d), make([]float64, max(words-1, 0)*d)
	tables["o"], tables["h"] = t.O, t.H
	var losses []float64
	t.Watch = func(p *skipgram.Pair[float64]) {
		losses = append(losses, p.Loss)
		for _, detail := range want.Details {
			if detail.Pair == len(losses)-1 {
				compare("pairs in detail", []float64{float64(p.Input), float64(p.Target)}, []float64{float64(detail.Input), float64(detail.Target)}, 0)
				compare("vectors before a pair", recorder.x, detail.Before, 1e-9)
				compare("changes by a pair", p.Change, detail.Change, 1e-10)
			}
		}
	}
	var rates []float64
	for e := range o.Epochs {
		pairs := len(losses)
		if _, err := t.Epoch(e, recorder, nil); err != nil {
			return err
		}
		if want.PairsPerEpoch != nil {
			compare("number of pairs", []float64{float64(len(losses) - pairs)}, want.PairsPerEpoch[e:e+1], 0)
		}
		for k := range c.Documents() {
			rates = append(rates, c.Rate(e, o.Epochs, k, o.From, o.To))
		}
		for table, rows := range want.AfterEpoch[e] {
			if tables[table] == nil {
				return fmt.Errorf("%s: no table %s", name, table)
			}
			compare("table "+table+" after epochs", tables[table], rows.data, 1e-9)
		}
	}
	compare("learning rates", rates, want.LR.data, 1e-12)
	compare("losses of pairs", losses, append(want.PairLoss, want.WordLoss...), 1e-10)
	return nil
}

func differences(sums []float64) []float64 {
	list, last := make([]float64, len(sums)), 0.0
	for i, s := range sums {
		list[i], last = s-last, s
	}
	return list
}

// tree compares the Huffman tree of counts.
func (r *Report) tree(file, name string, counts []int, paths, codes [][]int) {
	tree := skipgram.NewTree(counts)
	for w := range counts {
		var want []float64
		for i, a := range paths[w] {
			want = append(want, float64(2*a+1-codes[w][i]))
		}
		var got []float64
		for _, v := range tree.Way(w) {
			got = append(got, float64(v))
		}
		r.compare(file, name+": paths and codes", 64, got, want, 0)
	}
}

// skipGramParts replays the parts of the trainer alone.
func (r *Report) skipGramParts(file string, data []byte) error {
	var f struct {
		Huffman []struct {
			Counts       []int
			Paths, Codes [][]int
		}
		Keep []struct {
			Counts []int
			S      float64
			Keep   []float64
		}
		Negatives []struct {
			Counts            []int
			Target            int
			Weights, Uniforms []float64
			Negatives         []int
		}
		LearningRates struct {
			Lengths  []int
			Epochs   int
			LR0, LR1 float64
			LR       tensor
		} `json:"learning_rates"`
		Windows struct {
			Window   int
			Uniforms []float64
			Reduced  []int
		}
		Pairs struct {
			Kept    []int   `json:"kept_nodes"`
			Reduced []int   `json:"reduced"`
			Pairs   [][]int `json:"input_target"`
		}
		Updates []skipGramUpdate
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	for _, c := range f.Huffman {
		r.tree(file, "huffman", c.Counts, c.Paths, c.Codes)
	}
	for _, c := range f.Keep {
		r.compare(file, "keep probabilities", 64, skipgram.Keep(c.Counts, c.S), c.Keep, 1e-12)
	}
	for _, c := range f.Negatives {
		noise := skipgram.NewNoise(c.Counts)
		r.compare(file, "weights of negatives", 64, differences(noise.Sums), c.Weights, 1e-12)
		var got []int
		for _, u := range c.Uniforms {
			if n := int(noise.Word(u)); n != c.Target {
				got = append(got, n)
			}
		}
		r.compare(file, "negatives", 64, numbers(got), numbers(c.Negatives), 0)
	}
	rates := f.LearningRates
	c := &skipgram.Corpus{Start: []int{0}}
	for _, n := range rates.Lengths {
		c.Tokens = append(c.Tokens, make([]int32, n)...)
		c.Start = append(c.Start, len(c.Tokens))
	}
	var got []float64
	for e := range rates.Epochs {
		for k := range rates.Lengths {
			got = append(got, c.Rate(e, rates.Epochs, k, rates.LR0, rates.LR1))
		}
	}
	r.compare(file, "learning rates", 64, got, rates.LR.data, 1e-12)
	r.windows(file, f.Windows.Window, f.Windows.Uniforms, f.Windows.Reduced)
	r.pairs(file, f.Pairs.Kept, f.Pairs.Reduced, f.Pairs.Pairs)
	for _, u := range f.Updates {
		r.update(file, &u)
	}
	return nil
}

// trained returns the inputs and targets of the pairs of one document.
func trained(document []int, window int, draws decided) (list [][2]int) {
	stage := skipGramStage{Walks: [][]int{document}}
	words := 0
	for _, v := range document {
		words = max(words, v+1)
	}
	t := skipgram.NewTrainer[float64](stage.corpus(), words, 1, skipgram.Options{Window: window, Epochs: 1}, draws, "")
	t.Watch = func(p *skipgram.Pair[float64]) { list = append(list, [2]int{p.Input, p.Target}) }
	if _, err := t.Epoch(0, &skipgram.Table[float64]{Rows: make([]float64, words), D: 1}, nil); err != nil {
		panic(err) // there is no pause
	}
	return list
}

// windows compares how far each position of a long document reaches to the right of it.
func (r *Report) windows(file string, window int, uniforms []float64, want []int) {
	document := make([]int, len(uniforms)+2*window)
	for i := range document {
		document[i] = i
	}
	draws := decided{key("window", 0): append(make([]float64, window), uniforms...), key("keep", 0): make([]float64, len(document))}
	reach := make([]int, len(document))
	for _, p := range trained(document, window, draws) {
		reach[p[1]] = max(reach[p[1]], p[0]-p[1])
	}
	r.compare(file, "windows", 64, numbers(reach[window:window+len(uniforms)]), numbers(want), 0)
}

// pairs compares the pairs of a document in their order.
func (r *Report) pairs(file string, kept, reduced []int, want [][]int) {
	window := 0
	for _, b := range reduced {
		window = max(window, b)
	}
	draws := decided{key("keep", 0): make([]float64, len(kept))}
	for _, b := range reduced {
		draws[key("window", 0)] = append(draws[key("window", 0)], (float64(b)-0.5)/float64(window))
	}
	var a, b []int
	for _, p := range trained(kept, window, draws) {
		a = append(a, p[0], p[1])
	}
	for _, p := range want {
		b = append(b, p...)
	}
	r.compare(file, "pairs", 64, numbers(a), numbers(b), 0)
}

// A skipGramUpdate is one pair.
type skipGramUpdate struct {
	Counts    []int
	HS        bool
	LR        float64
	Target    int
	Negatives []int
	X         []float64
	O, H      tensor
	Expect    struct {
		Logits []float64
		Loss   float64
		Change []float64 `json:"add_to_x"`
		O, H   tensor
	}
}

// update replays one pair, target by target, so that the logits are seen, too.
func (r *Report) update(file string, u *skipGramUpdate) {
	change, loss := make([]float64, len(u.X)), 0.0
	var logits []float64
	train := func(table []float64, target int32) {
		f := 0.0
		for k, v := range table[int(target>>1)*len(u.X):][:len(u.X)] {
			f += float64(u.X[k] * v)
		}
		logits = append(logits, f)
		loss += kernel.SkipGram(table, u.X, change, []int32{target}, u.LR)
	}
	if u.HS {
		for _, target := range skipgram.NewTree(u.Counts).Way(u.Target) {
			train(u.H.data, target)
		}
	}
	if len(u.Negatives) > 0 {
		train(u.O.data, int32(2*u.Target+1))
		for _, n := range u.Negatives {
			train(u.O.data, int32(2*n))
		}
	}
	r.compare(file, "logits of updates", 64, logits, u.Expect.Logits, 1e-10)
	r.compare(file, "losses of updates", 64, []float64{loss}, []float64{u.Expect.Loss}, 1e-10)
	r.compare(file, "changes by updates", 64, change, u.Expect.Change, 1e-10)
	r.compare(file, "rows after updates", 64, append(u.O.data, u.H.data...), append(u.Expect.O.data, u.Expect.H.data...), 1e-9)
}

// layerOfEdges returns an adjacency matrix.
func layerOfEdges(m int, list [][3]float64) (*multiplex.CSR, error) {
	var edges []multiplex.Edge
	for _, e := range list {
		edges = append(edges, multiplex.Edge{I: int(e[0]), J: int(e[1]), Weight: e[2]})
	}
	return multiplex.FromEdges(m, edges)
}
