package run

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
	"cadem/core/cadem/frozen"
	"cadem/core/diag"
	"cadem/core/evaluate"
	"cadem/core/kernel"
	"cadem/core/linalg"
	"cadem/core/multiplex"
	"cadem/core/pause"
	"cadem/core/rng"
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

// Subjects tells the class of graphs that a training has not seen by the sums of their C_l and P_l over the nodes, by a linear classifier on
// the graphs that it was trained on. Its score is a sum over the nodes, too.
type Subjects struct {
	*frozen.Encoders
	// Temperature divides scores, so that probabilities of graphs held out are as often right as they say. Reliability tells how far they are.
	Temperature float64
	Reliability []Bin
	Accuracy    float64 // in folds that hold out whole groups
	Most        float64 // the largest leverage that a graph of the training would have if it were new

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

// NewSubjects fits the classifier. It needs two classes, and two groups of each. The error is a [*diag.Error] unless it is yield's.
func NewSubjects(e *frozen.Encoders, seed uint64, yield pause.Yield) (*Subjects, error) {
	n, width := len(e.Graphs), e.Width()
	s := &Subjects{Encoders: e, classes: len(e.Classes), Temperature: 1}
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
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	folds := evaluate.GroupedFolds(e.Class, e.Group, min(subjectFolds, slices.Min(count)), rng.New(seed, "subjects/folds"))
	held, truth := []float64{}, []int{}
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
				held, truth = append(held, part.scores(e.Pooled[i*width:(i+1)*width])...), append(truth, e.Class[i])
			}
		}
	}
	if err := s.fit(all, yield); err != nil {
		return nil, err
	}
	s.calibrate(held, truth)
	s.reach()
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

// calibrate finds the temperature that makes the classes of held-out graphs most probable, and how often they are right then.
func (s *Subjects) calibrate(held []float64, truth []int) {
	loss := func(t float64) (sum float64) {
		for i, c := range truth {
			sum -= kernel.Log(max(probabilities(held[i*s.classes:(i+1)*s.classes], t)[c], 1e-300))
		}
		return sum
	}
	best, least := 1.0, loss(1)
	for step := 0; step <= 80; step++ { // from 1/20 to 20
		if t := kernel.Exp(kernel.Log(20) * float64(step-40) / 40); loss(t) < least {
			best, least = t, loss(t)
		}
	}
	s.Temperature = best
	for b := range bins {
		s.Reliability = append(s.Reliability, Bin{Low: float64(b) / bins, High: float64(b+1) / bins})
	}
	for i, c := range truth {
		p := probabilities(held[i*s.classes:(i+1)*s.classes], best)
		k := slices.Index(p, slices.Max(p))
		b := &s.Reliability[min(int(p[k]*bins), bins-1)]
		b.Graphs++
		b.Probability += p[k]
		if k == c {
			b.Right++
			s.Accuracy += 1 / float64(len(truth))
		}
	}
	for i := range s.Reliability {
		if b := &s.Reliability[i]; b.Graphs > 0 {
			b.Probability, b.Right = b.Probability/float64(b.Graphs), b.Right/float64(b.Graphs)
		}
	}
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
		s.Most = max(s.Most, h/max(1-h, 1e-9)) // as it would be without the graph itself
	}
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
	Class         int       `json:"class"`
	Probabilities []float64 `json:"probabilities"` // one for each class
	Leverage      float64   `json:"leverage"`
	Unlike        bool      `json:"unlike"` // it is unlike anything seen: its leverage is larger than that of any graph of the training
	// Regions are the nodes that decide, the largest first: how much each adds to the score of the class, less the mean of the others'.
	Regions []RegionShare `json:"regions"`
	Score   float64       `json:"score"` // the sum over all nodes, without the bias
}

// A RegionShare is the contribution of a node.
type RegionShare struct {
	Node  int     `json:"node"`
	Share float64 `json:"share"`
}

// Ask tells the class of a graph. The error is a [*diag.Error].
func (s *Subjects) Ask(g *multiplex.Graph) (*Answer, error) {
	x, err := s.Embed(g)
	if err != nil {
		return nil, err
	}
	scores := s.scores(x.Pooled())
	a := &Answer{Probabilities: probabilities(scores, s.Temperature), Leverage: s.leverage(x.Means)}
	a.Class, a.Unlike = slices.Index(scores, slices.Max(scores)), a.Leverage > s.Most
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
	slices.SortStableFunc(a.Regions, func(p, q RegionShare) int { return cmp.Compare(q.Share, p.Share) })
	return a, nil
}
