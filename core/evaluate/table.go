package evaluate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem/core/multiplex"
	"cadem/core/rng"
)

// An Embedding is what is scored: one matrix M x d, or several, the tokens
// [S, P_1, ..., P_N], that the attention combiner fuses.
type Embedding struct {
	Name   string
	Tokens []*mat.Dense
}

// An Input says what to score against what.
type Input struct {
	Trained   []Embedding
	Untrained []Embedding // of the same encoders before any step: same names and shapes
	Targets   []multiplex.LabelSet
	Classify  bool // macro_f1 and micro_f1 of every embedding
	Cluster   bool // ari and nmi of every embedding of one token
}

// A Score is one row of the table of results.
//
// For classification Value is the mean over the folds and FoldStd the population
// standard deviation; for clustering the mean over the K-means runs and the sample
// standard deviation. Both say nothing about other data or other training seeds.
type Score struct {
	Embedding string  `json:"embedding"`
	Target    string  `json:"target"`
	Metric    string  `json:"metric"` // macro_f1, micro_f1, ari or nmi
	Value     float64 `json:"value"`
	FoldStd   float64 `json:"fold_std"`
	// The same for the encoders before training, as they are and with columns of mean 0
	// and standard deviation 1.
	Untrained             float64 `json:"untrained"`
	UntrainedStandardised float64 `json:"untrained_standardised"`
	// What a linear probe reads from the trained embedding in the same folds. For
	// clustering: agreement of its pooled predictions with the labels.
	Probe float64 `json:"probe"`
}

// Table scores every embedding against every target, in the order embedding, target,
// metric. A node without a label is left out of training rows and scores, but is
// clustered like any other. Folds are as many as o.Folds or as there are labelled
// nodes; those of a target are the same for every embedding. A target is passed over
// when fewer than two classes are labelled; when nothing is left to score the error, a
// [*DataError], says why. Options out of range give a [*property.Error].
//
// Yield, if not nil, is called after every few milliseconds of work with what is done of
// a total; its error ends the work and is returned.
func Table(in Input, o Options, seed uint64, yield func(done, total int) error) ([]Score, error) {
	e, err := newEvaluation(in, o, seed)
	if err != nil {
		return nil, err
	}
	e.pace.yield = yield
	var scores []Score
	for i := range in.Trained {
		rows, err := e.embedding(i)
		if err != nil {
			return nil, err
		}
		scores = append(scores, rows...)
	}
	return scores, nil
}

// The three encoders that are compared.
const (
	trained = iota
	untrained
	untrainedStandardised
	variants
)

type evaluation struct {
	Input
	o       Options
	seed    uint64
	targets []*target
	pace    pacer
}

// A target is a label set with at least two classes among its nodes.
type target struct {
	name    string
	labels  []int // dense class number of every node, multiplex.Missing without
	rows    []int // the labelled nodes
	classes int
	train   [][]int // nodes of each fold
	test    [][]int
	truth   []int // labels of rows
}

func newEvaluation(in Input, o Options, seed uint64) (*evaluation, error) {
	e := &evaluation{Input: in, o: o, seed: seed}
	if len(in.Trained) != len(in.Untrained) {
		panic(ErrShape)
	}
	if len(in.Trained) == 0 {
		return nil, &DataError{"embeddings", "none", "at least one"}
	}
	for i, a := range in.Trained {
		b := in.Untrained[i]
		if a.Name != b.Name || len(a.Tokens) != len(b.Tokens) || len(a.Tokens) == 0 {
			panic(ErrShape)
		}
		for t := range a.Tokens {
			m, d := a.Tokens[t].Dims()
			if bm, bd := b.Tokens[t].Dims(); m != bm || d != bd {
				panic(ErrShape)
			}
			for _, s := range in.Targets {
				if len(s.Of) != m {
					panic(ErrShape)
				}
			}
			if len(a.Tokens) > 1 && in.Classify {
				if err := o.Check(d); err != nil {
					return nil, err
				}
			}
		}
		for _, x := range [][]*mat.Dense{a.Tokens, b.Tokens} {
			if err := finite(a.Name, x); err != nil {
				return nil, err
			}
		}
	}
	// A size that any number of heads divides: the other options are still checked.
	if err := o.Check(o.Heads); err != nil {
		return nil, err
	}
	var refused error = &DataError{"labels", "no label set", "at least one"}
	for i := range in.Targets {
		t, err := newTarget(&in.Targets[i], o.Folds, seed)
		if err != nil {
			refused = err
			continue
		}
		e.targets = append(e.targets, t)
	}
	if len(e.targets) == 0 {
		return nil, refused
	}
	for i := range in.Trained {
		e.pace.total += e.planned(in.Trained[i].Tokens)
	}
	if e.pace.total == 0 {
		return nil, &DataError{"embeddings", "none that the task can score", "classification, or clustering with an embedding of one token"}
	}
	return e, nil
}

// finite refuses values with which distances would overflow.
func finite(name string, tokens []*mat.Dense) error {
	const most = 1e100
	for _, x := range tokens {
		n, d := x.Dims()
		for i := range n {
			for j := range d {
				if v := x.At(i, j); !(math.Abs(v) <= most) {
					return &DataError{fmt.Sprintf("embedding %s, node %d, coordinate %d", name, i, j), fmt.Sprint(v), "a finite number of at most 1e100"}
				}
			}
		}
	}
	return nil
}

func newTarget(s *multiplex.LabelSet, folds int, seed uint64) (*target, error) {
	t := &target{name: s.Name, labels: make([]int, len(s.Of))}
	number := make([]int, len(s.Classes))
	counts, _ := s.Counts()
	for c, n := range counts {
		number[c] = t.classes
		if n > 0 {
			t.classes++
		}
	}
	for i, c := range s.Of {
		t.labels[i] = multiplex.Missing
		if c != multiplex.Missing {
			t.labels[i] = number[c]
			t.rows = append(t.rows, i)
			t.truth = append(t.truth, number[c])
		}
	}
	if t.classes < 2 {
		return nil, &DataError{"labels " + s.Name, fmt.Sprintf("%d labelled nodes of %d classes", len(t.rows), t.classes), "nodes of at least 2 classes"}
	}
	folds = min(folds, len(t.rows))
	fold := StratifiedFolds(t.truth, folds, rng.New(seed, "evaluate/folds/"+s.Name))
	t.train, t.test = make([][]int, folds), make([][]int, folds)
	for k, node := range t.rows {
		for f := range folds {
			if f == fold[k] {
				t.test[f] = append(t.test[f], node)
			} else {
				t.train[f] = append(t.train[f], node)
			}
		}
	}
	return t, nil
}

// pick returns the labels of the given nodes.
func (t *target) pick(nodes []int) []int {
	y := make([]int, len(nodes))
	for i, node := range nodes {
		y[i] = t.labels[node]
	}
	return y
}

// shape returns the combiner for these tokens, or the classifier alone for one.
func (e *evaluation) shape(tokens []*mat.Dense, k int) Shape {
	_, d := tokens[0].Dims()
	s := Shape{Tokens: len(tokens), Dim: d, Classes: k}
	if s.Tokens > 1 {
		s.Heads, s.Average, s.Tag = e.o.Heads, e.o.HeadsMerge == "averaged", e.o.LayerTag == "on"
	}
	return s
}

// embedding returns the rows of one embedding.
func (e *evaluation) embedding(i int) ([]Score, error) {
	name, tokens := e.Trained[i].Name, [variants][]*mat.Dense{trained: e.Trained[i].Tokens, untrained: e.Untrained[i].Tokens}
	for _, x := range tokens[untrained] {
		tokens[untrainedStandardised] = append(tokens[untrainedStandardised], standardized(x))
	}
	cluster := e.Cluster && len(tokens[trained]) == 1
	var agreement [variants][]agreement
	if cluster {
		for v, x := range tokens {
			var err error
			if agreement[v], err = e.clusters(x[0]); err != nil {
				return nil, err
			}
		}
	}
	var scores []Score
	for k, t := range e.targets {
		if !e.Classify && !cluster {
			continue
		}
		probe, err := e.probe(t, tokens[trained])
		if err != nil {
			return nil, err
		}
		row := func(metric string, values [variants][]float64, std func([]float64) float64, probe float64) {
			scores = append(scores, Score{Embedding: name, Target: t.name, Metric: metric,
				Value: mean(values[trained]), FoldStd: std(values[trained]), Untrained: mean(values[untrained]),
				UntrainedStandardised: mean(values[untrainedStandardised]), Probe: probe})
		}
		if e.Classify {
			var macro, micro [variants][]float64
			for v, x := range tokens {
				if macro[v], micro[v], err = e.classify(t, x); err != nil {
					return nil, err
				}
			}
			row("macro_f1", macro, deviation, mean(probe.macro))
			row("micro_f1", micro, deviation, mean(probe.micro))
		}
		if cluster {
			var ari, nmi [variants][]float64
			for v := range variants {
				ari[v], nmi[v] = agreement[v][k].ari, agreement[v][k].nmi
			}
			row("ari", ari, sampleDeviation, ARI(t.truth, probe.predicted))
			row("nmi", nmi, sampleDeviation, NMI(t.truth, probe.predicted))
		}
	}
	return scores, nil
}

// classify trains a combiner in every fold, always from the weights of that fold, and
// returns the scores of its test nodes after the last epoch.
func (e *evaluation) classify(t *target, tokens []*mat.Dense) (macro, micro []float64, err error) {
	c := NewCombiner(e.shape(tokens, t.classes))
	e.pace.begin(e.classifyWork(t, tokens))
	for f, nodes := range t.train {
		c.Init(rng.New(e.seed, fmt.Sprintf("evaluate/combiner/fold %d", f)))
		b := NewBatch(tokens, nodes, t.labels)
		for range e.o.Epochs {
			c.Step(b, e.o.Rate)
			if err := e.pace.add(c.work(b.n)); err != nil {
				return nil, nil, err
			}
		}
		predicted := make([]int, len(t.test[f]))
		c.Predict(predicted, NewBatch(tokens, t.test[f], nil))
		a, i := F1(t.pick(t.test[f]), predicted)
		macro, micro = append(macro, a), append(micro, i)
	}
	return macro, micro, nil
}

type probed struct {
	macro, micro []float64 // of each fold
	predicted    []int     // of all labelled nodes, each by the fold that tests it
}

// probe fits a linear probe in every fold to the tokens side by side.
func (e *evaluation) probe(t *target, tokens []*mat.Dense) (*probed, error) {
	x := features(tokens)
	_, d := x.Dims()
	p := NewProbe(d, t.classes)
	e.pace.begin(e.probeWork(t, tokens))
	r := &probed{}
	class := make([]int, len(t.labels))
	for f, nodes := range t.train {
		b := NewBatch([]*mat.Dense{x}, nodes, t.labels)
		work := p.model.work(b.n)
		if err := p.Fit(b, func() error { return e.pace.add(work) }); err != nil {
			return nil, err
		}
		predicted := make([]int, len(t.test[f]))
		p.Predict(predicted, NewBatch([]*mat.Dense{x}, t.test[f], nil))
		a, i := F1(t.pick(t.test[f]), predicted)
		r.macro, r.micro = append(r.macro, a), append(r.micro, i)
		for k, node := range t.test[f] {
			class[node] = predicted[k]
		}
	}
	for _, node := range t.rows {
		r.predicted = append(r.predicted, class[node])
	}
	return r, nil
}

// An agreement holds the scores of every K-means run against one target.
type agreement struct{ ari, nmi []float64 }

// clusters compares K-means clusters of x with every target, K being its number of
// classes. Targets with the same K share the runs.
func (e *evaluation) clusters(x *mat.Dense) ([]agreement, error) {
	scores := make([]agreement, len(e.targets))
	for _, k := range e.clusterCounts() {
		e.pace.begin(e.clusterWork(x, k))
		for run := range e.o.KMeansRuns {
			c, src := newClusterer(x, k), rng.New(e.seed, fmt.Sprintf("evaluate/kmeans/%d clusters/run %d", k, run))
			for r := range e.o.KMeansRestarts {
				before := c.passes
				c.run(src, r == 0)
				if err := e.pace.add((c.passes - before) * c.n * (c.d + 2)); err != nil {
					return nil, err
				}
			}
			for i, t := range e.targets {
				if t.classes == k {
					found := make([]int, len(t.rows))
					for j, node := range t.rows {
						found[j] = c.bestLabel[node]
					}
					scores[i].ari = append(scores[i].ari, ARI(t.truth, found))
					scores[i].nmi = append(scores[i].nmi, NMI(t.truth, found))
				}
			}
		}
	}
	return scores, nil
}

// clusterCounts returns the distinct numbers of classes in order of appearance.
func (e *evaluation) clusterCounts() []int {
	var counts []int
	seen := map[int]bool{}
	for _, t := range e.targets {
		if !seen[t.classes] {
			seen[t.classes] = true
			counts = append(counts, t.classes)
		}
	}
	return counts
}

// planned estimates the multiply-adds of one embedding.
func (e *evaluation) planned(tokens []*mat.Dense) int {
	cluster, work := e.Cluster && len(tokens) == 1, 0
	for _, t := range e.targets {
		if e.Classify {
			work += variants * e.classifyWork(t, tokens)
		}
		if e.Classify || cluster {
			work += e.probeWork(t, tokens)
		}
	}
	if cluster {
		for _, k := range e.clusterCounts() {
			work += variants * e.clusterWork(tokens[0], k)
		}
	}
	return work
}

func (e *evaluation) classifyWork(t *target, tokens []*mat.Dense) int {
	c, work := NewCombiner(e.shape(tokens, t.classes)), 0
	for _, nodes := range t.train {
		work += e.o.Epochs * c.work(len(nodes))
	}
	return work
}

func (e *evaluation) probeWork(t *target, tokens []*mat.Dense) int {
	const typical = 40 // iterations until convergence
	_, d := tokens[0].Dims()
	c, work := NewCombiner(Shape{Tokens: 1, Dim: len(tokens) * d, Classes: t.classes}), 0
	for _, nodes := range t.train {
		work += typical * c.work(len(nodes))
	}
	return work
}

func (e *evaluation) clusterWork(x *mat.Dense, k int) int {
	const typical = 15 // iterations of Lloyd
	n, d := x.Dims()
	return e.o.KMeansRuns * e.o.KMeansRestarts * typical * k * n * (d + 2)
}

func mean(x []float64) float64 { return total(x) / float64(len(x)) }

// sampleDeviation divides by one less than the number of values; it is 0 for one.
func sampleDeviation(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	n := float64(len(x))
	return deviation(x) * math.Sqrt(n/(n-1))
}
