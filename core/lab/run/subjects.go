package run

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
	"cadem.example/core/base/sorting"
	"cadem.example/core/cadem"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
)

// SubjectModel returns the encoders of a training on many graphs, to leave with their classes; those of one group are of one subject.
// The error is a [*diag.Error].
func SubjectModel(t *cadem.Trainer, graphs []*multiplex.Graph, classes []string, class, group []int, yield pause.Yield) (*frozen.Encoders, error) {
	m, err := frozen.New(t, graphs, yield)
	if err != nil {
		return nil, err
	}
	e, err := m.Encoders()
	if err != nil {
		return nil, err
	}
	e.Classes, e.Class, e.Group = classes, class, group
	return e, nil
}

// Subjects predicts the class of graphs that a training has not seen by the sums of their C_l and P_l over the nodes, by a linear classifier on
// the graphs that it was trained on. Its score is a sum over the nodes, too. Without classes, only leverages are reported.
type Subjects struct {
	*frozen.Encoders
	Temperature float64 // divides scores, so that probabilities of graphs held out are as often right as they say
	// What is predicted of graphs in folds that hold out whole groups, with the temperature that fits the other folds.
	Reliability []Bin
	Accuracy    float64
	Brier       float64   // mean over graphs of the squared distance between the probabilities of all classes and what came: 0 to 2
	BrierShares float64   // of the shares of the classes in the training, for all graphs
	Gap         float64   // expected calibration error: how far the shares of Reliability are from its probabilities, in the mean over graphs
	Seen        []float64 // one for each graph of the training: the leverage that it would have if it were new
	Most        float64   // the largest of these

	classes    int
	mean, sd   []float64 // of the sums
	weight     []float64 // classes x width, of sums that are standardised
	bias       []float64
	means      []float64 // of the means of Z
	directions []float64 // of the means of Z, columns x rank: what a deviation from their mean is multiplied by for its leverage
	rank       int
}

// A Bin holds graphs of the training, while they are held out, whose most probable class has about one probability.
type Bin struct {
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
	Graphs      int     `json:"graphs"`
	Probability float64 `json:"probability"` // the mean
	Right       float64 `json:"right"`       // share
}

const (
	subjectFolds = 5
	bins         = 5
)

// NewSubjects fits the classifier. It needs two classes, and two groups of each, or none. The error is a [*diag.Error] unless it is yield's.
func NewSubjects(e *frozen.Encoders, seed uint64, yield pause.Yield) (*Subjects, error) {
	n, width := len(e.Graphs), e.Width()
	s := &Subjects{Encoders: e, classes: len(e.Classes), Temperature: 1}
	if s.reach(); s.classes == 0 {
		return s, nil
	}
	groups := map[[2]int]bool{}
	count := make([]int, s.classes)
	for i, c := range e.Class {
		if !groups[[2]int{c, e.Group[i]}] {
			groups[[2]int{c, e.Group[i]}] = true
			count[c]++
		}
	}
	for c, k := range count {
		if k < 2 || s.classes < 2 {
			return nil, &diag.Error{Where: "classes", Found: fmt.Sprintf("%d, and %d subjects of %s", s.classes, k, e.Classes[c]),
				Expected: "two classes, with two subjects of each"}
		}
	}
	all := sorting.Places(n)
	folds := evaluate.GroupedFolds(e.Class, e.Group, min(subjectFolds, slices.Min(count)), rng.New(seed, "subjects/folds"))
	held := make([]float64, n*s.classes)
	for f := range slices.Max(folds) + 1 {
		var in []int
		for i, fold := range folds {
			if fold != f {
				in = append(in, i)
			}
		}
		part := &Subjects{Encoders: e, classes: s.classes}
		if err := part.fit(in, yield); err != nil {
			return nil, err
		}
		for i, fold := range folds {
			if fold == f {
				copy(held[i*s.classes:], part.scores(e.Pooled[i*width:(i+1)*width]))
			}
		}
	}
	if err := s.fit(all, yield); err != nil {
		return nil, err
	}
	s.calibrate(held, folds)
	return s, nil
}

// fit fits the classifier to some of the graphs.
func (s *Subjects) fit(items []int, yield pause.Yield) error {
	width, n := s.Width(), float64(len(items))
	s.mean, s.sd = make([]float64, width), make([]float64, width)
	for _, i := range items {
		for k, v := range s.Pooled[i*width : (i+1)*width] {
			s.mean[k] += v / n
		}
	}
	for _, i := range items {
		for k, v := range s.Pooled[i*width : (i+1)*width] {
			s.sd[k] += float64((v-s.mean[k])*(v-s.mean[k])) / n
		}
	}
	for k, v := range s.sd {
		if s.sd[k] = math.Sqrt(v); s.sd[k] <= 1e-12*math.Abs(s.mean[k]) {
			s.sd[k] = 0
		}
	}
	x := mat.NewDense(len(s.Graphs), width, nil)
	for i := range s.Graphs {
		x.SetRow(i, s.standardised(s.Pooled[i*width:(i+1)*width]))
	}
	p := evaluate.NewProbe(width, s.classes)
	if err := p.Fit(evaluate.NewBatch([]*mat.Dense{x}, items, s.Class), func() error { return yield.At(0, 1) }); err != nil {
		return err
	}
	s.weight, s.bias = p.Weights()
	return nil
}

func (s *Subjects) standardised(x []float64) []float64 {
	y := make([]float64, len(x))
	for k, v := range x {
		if s.sd[k] > 0 {
			y[k] = (v - s.mean[k]) / s.sd[k]
		}
	}
	return y
}

// scores returns the scores of all classes, of the sums of a graph.
func (s *Subjects) scores(pooled []float64) []float64 {
	x, out := s.standardised(pooled), slices.Clone(s.bias)
	for c := range out {
		for k, v := range x {
			out[c] += float64(v * s.weight[c*len(x)+k])
		}
	}
	return out
}

// probabilities of classes by their scores.
func probabilities(scores []float64, temperature float64) []float64 {
	p, top, sum := make([]float64, len(scores)), slices.Max(scores), 0.0
	for c, v := range scores {
		p[c] = kernel.Exp((v - top) / temperature)
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
	return p
}

// calibrate finds the temperature, and the error of each fold's predictions at the temperature of the other folds. Held are the scores of graphs
// while they are held out, graphs x classes.
func (s *Subjects) calibrate(held []float64, folds []int) {
	s.Temperature = s.temperature(held, func(int) bool { return true })
	for b := range bins {
		s.Reliability = append(s.Reliability, Bin{Low: float64(b) / bins, High: float64(b+1) / bins})
	}
	n, count := float64(len(folds)), make([]float64, s.classes)
	for f := range slices.Max(folds) + 1 {
		t := s.temperature(held, func(i int) bool { return folds[i] != f })
		for i, fold := range folds {
			if fold == f {
				s.tally(probabilities(held[i*s.classes:(i+1)*s.classes], t), s.Class[i])
			}
		}
	}
	for _, c := range s.Class {
		count[c]++
	}
	s.Brier, s.Accuracy, s.BrierShares = s.Brier/n, s.Accuracy/n, 1
	for _, k := range count {
		s.BrierShares -= float64(k / n * k / n)
	}
	for i := range s.Reliability {
		if b := &s.Reliability[i]; b.Graphs > 0 {
			b.Probability, b.Right = b.Probability/float64(b.Graphs), b.Right/float64(b.Graphs)
			s.Gap += float64(float64(b.Graphs) / n * math.Abs(b.Probability-b.Right))
		}
	}
}

// tally counts a graph that is held out, with its predicted probabilities, and its class.
func (s *Subjects) tally(p []float64, class int) {
	k := slices.Index(p, slices.Max(p))
	b := &s.Reliability[min(int(p[k]*bins), bins-1)]
	b.Graphs++
	b.Probability += p[k]
	if k == class {
		b.Right++
		s.Accuracy++
	}
	for c, v := range p {
		if c == class {
			v--
		}
		s.Brier += float64(v * v)
	}
}

// temperature returns the temperature, from 1/20 to 20, that makes the classes of some graphs most probable.
func (s *Subjects) temperature(held []float64, of func(graph int) bool) float64 {
	loss := func(t float64) (sum float64) {
		for i, c := range s.Class {
			if of(i) {
				sum -= kernel.Log(max(probabilities(held[i*s.classes:(i+1)*s.classes], t)[c], 1e-300))
			}
		}
		return sum
	}
	best, least := 1.0, loss(1)
	for step := 0; step <= 80; step++ {
		if t := kernel.Exp(kernel.Log(20) * float64(step-40) / 40); loss(t) < least {
			best, least = t, loss(t)
		}
	}
	return best
}

// reach learns how far the means of Z reach.
func (s *Subjects) reach() {
	n, q := len(s.Graphs), len(s.Means)/len(s.Graphs)
	s.means = make([]float64, q)
	for i, v := range s.Means {
		s.means[i%q] += v / float64(n)
	}
	d := linalg.NewSVD(max(n, q), q)
	for i, v := range s.Means {
		d.A[i] = v - s.means[i%q]
	}
	_ = d.Decompose(nil)
	for s.rank < min(q, n/2) && d.Singular[s.rank] > 1e-6*d.Singular[0] { // of fewer graphs than directions all would be as far as can be
		s.rank++
	}
	s.directions = make([]float64, q*s.rank)
	d.Right(s.directions, s.rank)
	for i := range s.directions {
		s.directions[i] /= d.Singular[i%s.rank]
	}
	for i := range n {
		h := s.leverage(s.Means[i*q : (i+1)*q])
		s.Seen = append(s.Seen, h/max(1-h, 1e-9)) // as it would be without the graph itself
	}
	s.Most = slices.Max(s.Seen)
}

// leverage returns the leverage of the means of Z of a graph: 1/n and its squared distance from the mean, in units of the spread along each direction.
func (s *Subjects) leverage(means []float64) float64 {
	h := 1 / float64(len(s.Graphs))
	for r := range s.rank {
		along := 0.0
		for k, v := range means {
			along += float64((v - s.means[k]) * s.directions[k*s.rank+r])
		}
		h += float64(along * along)
	}
	return h
}

// An Answer is the prediction for a graph that the training has not seen.
type Answer struct {
	Class         int       `json:"class"`         // -1 where the training had no classes
	Probabilities []float64 `json:"probabilities"` // one for each class
	Leverage      float64   `json:"leverage"`
	Unlike        bool      `json:"unlike"` // it is unlike anything seen: its leverage is larger than that of any graph of the training
	// Regions are the nodes that decide, the largest first: how much each adds to the score of the class, less the mean of the others'.
	Regions []RegionShare `json:"regions"`
	Score   float64       `json:"score"` // the sum over all nodes, without the bias
	Pooled  []float64     `json:"-"`     // one number for each of [frozen.Encoders.Width]: C_1, P_1, C_2, ... summed over the nodes
}

// A RegionShare is the contribution of a node.
type RegionShare struct {
	Node  int     `json:"node"`
	Share float64 `json:"share"`
}

// Ask predicts the class of a graph. The error is a [*diag.Error].
func (s *Subjects) Ask(g *multiplex.Graph) (*Answer, error) {
	x, err := s.Embed(g)
	if err != nil {
		return nil, err
	}
	a := &Answer{Class: -1, Leverage: s.leverage(x.Means), Pooled: x.Pooled()}
	if a.Unlike = a.Leverage > s.Most; s.classes == 0 {
		return a, nil
	}
	scores := s.scores(a.Pooled)
	a.Class, a.Probabilities = slices.Index(scores, slices.Max(scores)), probabilities(scores, s.Temperature)
	width := s.Width()
	margin := make([]float64, width)
	for c := range s.classes {
		by := -1 / float64(s.classes-1)
		if c == a.Class {
			by = 1
		}
		for k, w := range s.weight[c*width : (c+1)*width] {
			if s.sd[k] > 0 {
				margin[k] += float64(by*w) / s.sd[k]
			}
		}
	}
	for i := range x.Nodes {
		share := 0.0
		for k, v := range x.Row(i) {
			share += float64(margin[k] * (v - s.mean[k]/float64(x.Nodes)))
		}
		a.Regions = append(a.Regions, RegionShare{i, share})
		a.Score += share
	}
	sorting.Stable(a.Regions, func(p, q RegionShare) int { return cmp.Compare(q.Share, p.Share) })
	return a, nil
}
