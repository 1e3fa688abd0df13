package evaluate

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
)

// An Embedding is the input of a score: one matrix with a row for each item, or several, the tokens
// [S, P_1, ..., P_N], that the attention combiner fuses. Items are the nodes of a graph or, with
// pooled embeddings, whole graphs.
type Embedding struct {
	Name   string
	Tokens []*mat.Dense // each items x d
}

// An Input says what to score against what.
type Input struct {
	Trained []Embedding
	// Untrained are of the same encoders before any step: same names and shapes. Nil: the trained ones are
	// scored alone and read by the probe, and nothing is measured beside them.
	Untrained []Embedding
	// Trivial holds, for some of the names, features of the items without any encoder: one token of
	// any width.
	Trivial  []Embedding
	Targets  []multiplex.LabelSet
	Groups   []int // group of each item; no group is trained on and tested at once. Nil: no groups
	Classify bool  // the metrics of a classifier, of every embedding
	Cluster  bool  // the metrics of clusters, of every embedding of one token
	// Fit, which is [Fitted] or nil, reads all of Trained, too, where something is classified.
	Fit Fitter
	// Deals, if not nil, takes what each fold of a target trains on, tests, and finds of the first of Trained.
	Deals *[]Deal
	// Tell, if not nil, is called by [Table] with the name of each embedding whose scores begin, on one processor at a time.
	Tell func(embedding string)
}

// A Deal is a fold of a target, or a split of the data, with items by number, and the classes predicted for the tested ones.
type Deal struct {
	Target     string   `json:"target"`
	Name       string   `json:"name"` // of a split of the data; of a fold its number
	Train      []int    `json:"train"`
	Validation []int    `json:"validation,omitempty"`
	Test       []int    `json:"test"`
	Truth      []string `json:"truth"`            // the classes of Test
	Predicted  []string `json:"predicted"`        // what was found of them
	Fitted     []string `json:"fitted,omitempty"` // what the well-fitted reader found, where it was asked for
}

// A Score is one row of the table of results.
type Score = ScoreOf[float64]

// A ScoreOf is a [Score] whose values are of type V: numbers, or pointers to them where stored
// rows may lack some.
//
// For classification Value is the mean over the folds and FoldStd the population
// standard deviation; for clustering the mean over the K-means runs and the sample
// standard deviation. Both say nothing about other data or other training seeds.
type ScoreOf[V float64 | *float64] struct {
	Embedding string `json:"embedding"`
	Target    string `json:"target"`
	Metric    string `json:"metric"` // the name of one of [Metrics]
	Value     V      `json:"value"`
	FoldStd   V      `json:"fold_std"`
	// Standardised is the value with columns brought to mean 0 and standard deviation 1, which
	// leaves nothing of the embedding's scale; the untrained ones are those of the encoders
	// before training.
	Standardised          V `json:"standardised"`
	Untrained             V `json:"untrained"`
	UntrainedStandardised V `json:"untrained_standardised"`
	// Trivial is the score of the trivial embedding, if there is one.
	Trivial *float64 `json:"trivial,omitempty"`
	// Probe is the score of a linear probe on the trained embedding in the same folds, and
	// UntrainedProbe on the untrained one. For clustering: agreement of its pooled predictions with
	// the labels.
	Probe          V `json:"probe"`
	UntrainedProbe V `json:"untrained_probe"`
	// Folds are the values of each fold, of the trained, the untrained and the trivial
	// embedding, for [Compare]; Selected are the settings that nested selection chose there for
	// the trained one. All are of classification only.
	Folds          []float64 `json:"folds,omitempty"`
	UntrainedFolds []float64 `json:"untrained_folds,omitempty"`
	TrivialFolds   []float64 `json:"trivial_folds,omitempty"`
	Selected       []Setting `json:"selected,omitempty"`
	// Fitted is the result of a well-fitted reader on the trained embedding in the same folds, if asked for.
	Fitted *Fit `json:"fitted,omitempty"`
	// TestShare is the ratio of test to training nodes in the data's own splits, which Folds then belong to; 0 for dealt folds.
	TestShare float64 `json:"test_share,omitempty"`
	// Protocol says which nodes those splits have, as [Protocol] does; "" of folds.
	Protocol string `json:"protocol,omitempty"`
	// Sampled is how many nodes each fold learned from at most, or K-means found its centres of, where that was a sample; 0: all.
	Sampled int `json:"sampled,omitempty"`
}

// Table scores every embedding against every target, in the order embedding, target,
// metric. A node without a label is left out of training rows and scores, but is
// clustered like any other. Folds are as many as o.Folds or as there are labelled
// nodes or groups of them; those of a target are the same for every embedding. A target is
// passed over when fewer than two classes are labelled; when nothing is left to score the
// error, a [*diag.Error], says why; so it does of options out of range.
//
// A row depends on its own embedding and target, the options and the seed, so that a table
// may be computed in parts.
//
// Yield, if not nil, is called after every few milliseconds of work with what is done of
// a total; its error ends the work and is returned.
func Table(in Input, o Options, seed uint64, yield pause.Yield) ([]Score, error) {
	e, err := newEvaluation(in, o, seed)
	if err != nil {
		return nil, err
	}
	rows := make([][]Score, len(in.Trained))
	workers := min(runtime.GOMAXPROCS(0), len(rows))
	if workers > 1 {
		if err := e.together(workers, rows, yield); err != nil {
			return nil, err
		}
		return slices.Concat(rows...), nil
	}
	e.pace.yield = yield
	for i := range rows {
		e.tell(i)
		if rows[i], err = e.embedding(i); err != nil {
			return nil, err
		}
	}
	return slices.Concat(rows...), nil
}

// together scores embeddings on several processors; one goroutine calls yield at a time. The error is the first that was met.
func (e *evaluation) together(workers int, rows [][]Score, yield pause.Yield) error {
	var wait sync.WaitGroup
	var lock sync.Mutex
	var failed error
	next, done := 0, make([]int, len(rows))
	for range workers {
		wait.Go(func() {
			for {
				lock.Lock()
				i := next
				next++
				stop := failed != nil || i >= len(rows)
				if !stop {
					e.tell(i)
				}
				lock.Unlock()
				if stop {
					return
				}
				one := *e
				one.pace.yield = func(d, total int) error {
					lock.Lock()
					defer lock.Unlock()
					if done[i] = d; failed != nil {
						return failed
					}
					sum := 0
					for _, d := range done {
						sum += d
					}
					failed = yield.At(sum, total)
					return failed
				}
				scores, err := one.embedding(i)
				lock.Lock()
				rows[i], failed = scores, cmp.Or(failed, err)
				lock.Unlock()
			}
		})
	}
	wait.Wait()
	return failed
}

func (e *evaluation) tell(i int) {
	if e.Tell != nil {
		e.Tell(e.Trained[i].Name)
	}
}

// The variants compared.
const (
	trained = iota
	trainedStandardised
	untrained
	untrainedStandardised
	trivial
	variants
)

type evaluation struct {
	Input
	o       Options
	seed    uint64
	targets []*target
	pace    pacer
}

func newEvaluation(in Input, o Options, seed uint64) (*evaluation, error) {
	e := &evaluation{Input: in, o: o, seed: seed}
	ErrShape.Unless(in.Untrained == nil || len(in.Trained) == len(in.Untrained))
	if len(in.Trained) == 0 {
		return nil, &diag.Error{Where: "embeddings", Found: "none", Expected: "at least one"}
	}
	for i, a := range in.Trained {
		b := a
		if in.Untrained != nil {
			b = in.Untrained[i]
		}
		ErrShape.Unless(a.Name == b.Name && len(a.Tokens) == len(b.Tokens) && len(a.Tokens) > 0)
		for t := range a.Tokens {
			m, d := a.Tokens[t].Dims()
			bm, bd := b.Tokens[t].Dims()
			ErrShape.Unless(m == bm && d == bd)
			for _, s := range in.Targets {
				ErrShape.Unless(len(s.Of) == m)
			}
			ErrShape.Unless(in.Groups == nil || len(in.Groups) == m)
			if len(a.Tokens) > 1 && in.Classify {
				if err := o.Check(d); err != nil {
					return nil, err
				}
			}
		}
		for _, x := range e.variants(i) {
			if x == nil {
				continue
			}
			n, _ := x[0].Dims()
			ErrShape.Unless(n == items(a.Tokens))
			if err := finite(a.Name, x); err != nil {
				return nil, err
			}
		}
	}
	// A size that any number of heads divides: the other options are still checked.
	if err := o.Check(o.Heads); err != nil {
		return nil, err
	}
	var refused error = &diag.Error{Where: "labels", Found: "no label set", Expected: "at least one"}
	for i := range in.Targets {
		t, err := newTarget(&in.Targets[i], in.Groups, &o, seed)
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
		e.pace.total += e.planned(i)
	}
	if e.pace.total == 0 {
		return nil, &diag.Error{Where: "embeddings", Found: "none that the task can score",
			Expected: "classification, or clustering with an embedding of one token"}
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
					return &diag.Error{Where: fmt.Sprintf("embedding %s, node %d, coordinate %d", name, i, j), Found: fmt.Sprint(v),
						Expected: "a finite number of at most 1e100"}
				}
			}
		}
	}
	return nil
}

func items(tokens []*mat.Dense) int {
	n, _ := tokens[0].Dims()
	return n
}

// variants returns the raw tokens to be compared for an embedding, nil if there are none. The
// standardised ones are made when their turn comes.
func (e *evaluation) variants(i int) (v [variants][]*mat.Dense) {
	v[trained] = e.Trained[i].Tokens
	if e.Untrained != nil {
		v[untrained] = e.Untrained[i].Tokens
	}
	for _, t := range e.Trivial {
		if t.Name == e.Trained[i].Name {
			v[trivial] = t.Tokens
		}
	}
	return v
}

func standardizedAll(tokens []*mat.Dense) []*mat.Dense {
	y := make([]*mat.Dense, len(tokens))
	for t, x := range tokens {
		y[t] = standardized(x)
	}
	return y
}

// embedding returns the rows of one embedding.
func (e *evaluation) embedding(i int) ([]Score, error) {
	name, v := e.Trained[i].Name, e.variants(i)
	if e.Untrained != nil {
		v[trainedStandardised], v[untrainedStandardised] = standardizedAll(v[trained]), standardizedAll(v[untrained])
	}
	cluster := e.Cluster && len(v[trained]) == 1
	var agreement [variants][]values
	for k, x := range v {
		if !cluster || x == nil {
			continue
		}
		var err error
		if agreement[k], err = e.clusters(x[0]); err != nil {
			return nil, err
		}
	}
	var scores []Score
	for k, t := range e.targets {
		if !e.Classify && !cluster {
			continue
		}
		probe, err := e.probe(t, v[trained])
		if err != nil {
			return nil, err
		}
		before := probe // used if nothing is measured before training
		if v[untrained] != nil {
			if before, err = e.probe(t, v[untrained]); err != nil {
				return nil, err
			}
		}
		row := func(metric string, value [variants]float64, std, probe, before float64) *Score {
			s := Score{Embedding: name, Target: t.name, Metric: metric, Value: value[trained], FoldStd: std,
				Standardised: value[trainedStandardised], Untrained: value[untrained], UntrainedStandardised: value[untrainedStandardised],
				Probe: probe}
			if v[untrained] != nil {
				s.UntrainedProbe = before
			}
			if v[trivial] != nil {
				s.Trivial = &value[trivial]
			}
			scores = append(scores, s)
			return &scores[len(scores)-1]
		}
		var of [variants]classified
		for k, x := range v {
			if !e.Classify || x == nil {
				continue
			}
			c, err := e.classify(t, x)
			if err != nil {
				return nil, err
			}
			if of[k] = *c; i == 0 && k == trained && e.Deals != nil {
				*e.Deals = append(*e.Deals, t.deals(c.predicted)...)
			}
		}
		first := len(scores)
		for i, m := range Metrics {
			var means [variants]float64
			switch {
			case m.From == Classifier && e.Classify:
				for k, x := range v {
					if x != nil {
						means[k] = mean(of[k].of(i))
					}
				}
				folds := of[trained].of(i)
				s := row(m.Name, means, Deviation(folds), mean(probe.of(i)), mean(before.of(i)))
				t.say(s)
				s.Folds, s.UntrainedFolds, s.TrivialFolds, s.Selected = folds, of[untrained].of(i), of[trivial].of(i), of[trained].selected
			case m.From == Clusters && cluster:
				for x := range v {
					if v[x] != nil {
						means[x] = mean(agreement[x][k].of(i))
					}
				}
				s := row(m.Name, means, sampleDeviation(agreement[trained][k].of(i)), m.Of(probe.truth, probe.predicted), m.Of(before.truth, before.predicted))
				if n := items(v[trained]); e.o.Sample(n) < n {
					s.Sampled = e.o.Sample(n)
				}
			}
		}
		if e.Fit != nil && e.Classify {
			found, err := e.wellFitted(scores[first:], t, v[trained])
			if err != nil {
				return nil, err
			}
			if i == 0 && e.Deals != nil {
				for f := range found {
					(*e.Deals)[len(*e.Deals)-len(found)+f].Fitted = t.named(found[f])
				}
			}
		}
	}
	return scores, nil
}

// planned estimates the multiply-adds of one embedding.
func (e *evaluation) planned(i int) int {
	v, work := e.variants(i), 0
	cluster := e.Cluster && len(v[trained]) == 1
	for k, x := range [variants][]*mat.Dense{v[trained], v[trained], v[untrained], v[untrained], v[trivial]} {
		if x == nil || k == trainedStandardised && e.Untrained == nil {
			continue
		}
		for _, t := range e.targets {
			if e.Classify {
				work += e.classifyWork(t, x)
			}
			if e.Classify && e.Fit != nil && k == trained {
				work += e.fittedWork(t, x)
			}
			if (e.Classify || cluster) && (k == trained || k == untrained) {
				work += e.probeWork(t, x)
			}
		}
		if cluster {
			for _, classes := range e.clusterCounts() {
				work += e.clusterWork(x[0], classes)
			}
		}
	}
	return work
}

func mean(x []float64) float64 { return total(x) / float64(len(x)) }

// sampleDeviation divides by one less than the number of values; it is 0 for one.
func sampleDeviation(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	n := float64(len(x))
	return Deviation(x) * math.Sqrt(n/(n-1))
}

// A pacer reports progress often enough to share the processor. It counts work, not time, so it is
// the same everywhere.
type pacer struct {
	done, since int // multiply-adds
	limit       int // where the piece of work at hand ends
	total       int
	yield       pause.Yield
}

// A slice of work takes below 1 ms natively and a few in a browser.
const slice = 1 << 19

// begin starts a piece of work that was planned with that number of multiply-adds. Unused work of
// the piece before counts as done.
func (p *pacer) begin(planned int) {
	p.done = p.limit
	p.limit += planned
}

// add counts work and yields when a slice is full. The error is that of yield.
func (p *pacer) add(work int) error {
	p.done = min(p.done+work, p.limit)
	p.since += work
	if p.since < slice {
		return nil
	}
	p.since = 0
	return p.yield.At(p.done, p.total)
}
