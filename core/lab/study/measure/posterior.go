package measure

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

// A posterior follows, over a training, the information of pooled embeddings about their layer
// (proposition 2 of the paper), on graphs of its own, cut from the layers like the augmented ones
// of training. Every look is at the same nodes and noise.
type posterior struct {
	every int // outer epochs between two looks
	seed  uint64
	looks [][]float64 // a row of PosteriorColumns each
	last  *evaluate.LayerPosterior
	// exchanged holds the answers of psi at the last look when common parts are exchanged.
	exchanged *evaluate.LayerIntervention

	traces bool
	data   *run.Dataset
	own    []*multiplex.LabelSet // of each layer, for a trace; nil if there is none
	trace  [][]float64           // a row of TraceColumns for each look
}

// ArrayUnseen has what an [evaluate.Unseen] has, in its order.
const ArrayUnseen ArrayName = "unseen"

// TraceColumns are those of the array "trace": the outer epoch, 0 before any step; how often a probe names the layer of a pooled C, and a layer's own
// communities from its C and from S, the mean over the layers, 0 if none has such; psi's invariance, 0 before any step; how far the C_l are from S,
// the root of the mean square over nodes and layers; how often a probe that sees squares and products, too, names the layer of a pooled C; how often
// these two name that of a node in C; and how often a probe names the classes of the first label set from S and all P, 0 if there is none.
var TraceColumns = []string{"epoch", "probe_C", "own_C", "own_S", "invariance", "distance", "products_C", "rows_C", "row_products_C", "target"}

// traceLooks are the epochs after which a trace looks, a few to a power of ten, beside the end.
var traceLooks = []int{1, 3, 10, 30, 60, 100, 140, 200, 300, 500, 1000, 2000, 5000}

// Trace has a posterior note a trace, too; names are those of [ownLabels].
func (p *posterior) Trace(d *run.Dataset, names []string) {
	p.traces, p.data, p.own = true, d, ownLabels(d.Graph, names)
}

// ownLabels returns the label set of each layer's own communities, nil if there is none. If names are given, name l is that of layer l;
// otherwise it is called as the layer, or private_1 or layer_1 for the first.
func ownLabels(g *multiplex.Graph, names []string) []*multiplex.LabelSet {
	own := make([]*multiplex.LabelSet, g.N())
	for l := range own {
		called := []string{g.Layers[l].Name, fmt.Sprintf("private_%d", l+1), fmt.Sprintf("layer_%d", l+1)}
		if len(names) > 0 {
			called = names[min(l, len(names)):min(l+1, len(names))]
		}
		if i := slices.IndexFunc(g.Labels, func(s multiplex.LabelSet) bool { return slices.Contains(called, s.Name) }); i >= 0 {
			own[l] = &g.Labels[i]
		}
	}
	return own
}

// traced is a row of a trace: of embeddings, which probe says how to pool.
func (p *posterior) traced(e *cadem.Embeddings, probe evaluate.LayerProbe, epoch, invariance float64) []float64 {
	probe.Common, probe.Private = e.Common, e.Private
	leak := probe.Leak(p.seed)
	row := []float64{epoch, leak.Pooled, 0, 0, invariance, 0, leak.PooledProducts, leak.Rows, leak.RowProducts, 0}
	n, labelled := float64(len(e.Common)), 0.0
	for _, s := range p.own {
		if s != nil {
			labelled++
		}
	}
	score := func(x *mat.Dense, s *multiplex.LabelSet) float64 {
		x, of := labelledRows(x, s.Of)
		return evaluate.Probed(x, of, len(s.Classes))
	}
	for l, c := range e.Common {
		if s := p.own[l]; s != nil {
			row[2] += score(c, s) / labelled
			row[3] += score(e.Consensus, s) / labelled
		}
		m, d := c.Dims()
		for i := range m {
			s, own := e.Consensus.RawRowView(i), c.RawRowView(i)
			for j := range d {
				difference := own[j] - s[j]
				row[5] += float64(difference*difference) / (n * float64(m))
			}
		}
	}
	row[5] = math.Sqrt(row[5])
	if sets := p.data.Graph.Labels; len(sets) > 0 {
		row[9] = score(beside(append([]*mat.Dense{e.Consensus}, e.Private...)), &sets[0])
	}
	return row
}

// labelledRows returns the rows of x that have a class, and these; all of them unchanged if none lacks one.
func labelledRows(x *mat.Dense, of []int) (*mat.Dense, []int) {
	if !slices.Contains(of, multiplex.Missing) {
		return x, of
	}
	_, d := x.Dims()
	var rows []float64
	var classes []int
	for i, c := range of {
		if c != multiplex.Missing {
			rows, classes = append(rows, x.RawRowView(i)...), append(classes, c)
		}
	}
	return mat.NewDense(len(classes), d, rows), classes
}

// PosteriorColumns are the columns of a look: the outer epoch; for the common and the private embeddings the entropy
// of psi's posterior over log N, its divergence from the uniform one in nats, and the accuracy of a fresh probe; the
// bound log N - CE of proposition 1, from phi on P, in nats; and the mutual information of the layer and psi's
// answers, in nats.
var PosteriorColumns = []string{"epoch", "entropy_C", "kl_C", "probe_C", "entropy_P", "kl_P", "probe_P", "bound_P", "information_C", "information_P"}

const posteriorLooks = 20 // over a training, beside the first

// NewPosterior returns a posterior that looks at a training with such settings.
func NewPosterior(s *run.Settings) *posterior {
	return &posterior{every: max(1, s.CaDeM().Epochs/posteriorLooks), seed: s.EvalSeed}
}

// Watch looks at a training after its first step, every few epochs and at its end.
func (p *posterior) Watch(t *cadem.Trainer) {
	at := t.Progress()
	inner := t.Options().InnerSteps
	due := at.Step%(inner*p.every) == 0
	if p.traces {
		due = at.Step%inner == 0 && slices.Contains(traceLooks, at.Step/inner)
	}
	if at.Step == 1 || due || t.Done() {
		p.look(t, float64(at.Step)/float64(inner))
	}
}

func (p *posterior) look(t *cadem.Trainer, epoch float64) {
	probe := run.LayerProbe(t)
	r := probe.Read(p.seed)
	c, q := &r.Common, &r.Private
	p.looks = append(p.looks, []float64{epoch, c.Entropy, c.KL, c.Probe, q.Entropy, q.KL, q.Probe, r.Bound, c.Information, q.Information})
	p.last, p.exchanged = r, probe.Intervene(p.seed)
	if p.traces {
		p.trace = append(p.trace, p.traced(t.Embeddings(0), *probe, epoch, p.exchanged.Invariance))
	}
}

// addTrace puts the trace into the result, the untrained embeddings first.
func (p *posterior) addTrace(w *Work) error {
	before := p.traced(w.Training.Untrained, *w.Training.Probe, 0, 0)
	w.Result.tables(map[ArrayName][][]float64{"trace": append([][]float64{before}, p.trace...)})
	return nil
}

// add puts what was seen into the result: "posterior", a row of PosteriorColumns for every
// look, and "posterior:C" and "posterior:P", N x N, of the last.
func (p *posterior) add(r *Result) error {
	r.tables(map[ArrayName][][]float64{"posterior": p.looks, "posterior:C": p.last.Common.Mean, "posterior:P": p.last.Private.Mean})
	return nil
}

// interventions puts into the result what becomes of psi's answers in the end when common parts are
// exchanged: "invariance", and "observed" and "do", N x N.
func (p *posterior) interventions(r *Result) error {
	r.tables(map[ArrayName][][]float64{"observed": p.exchanged.Observed, "do": p.exchanged.Do})
	r.Arrays = append(r.Arrays, Array{"invariance", []int{1}, []float64{p.exchanged.Invariance}})
	return nil
}

// pairings puts into the result the logits of a few copies of each layer, whose sums are psi's answers in the
// end: "pairings:private" and "pairings:common", copies x N, and "pairings:layer"; and "pairs", of how many
// "invariance" is a share.
func (p *posterior) pairings(r *Result) error {
	r.tables(map[ArrayName][][]float64{"pairings:private": p.exchanged.Private, "pairings:common": p.exchanged.Common})
	r.Integers("pairings:layer", p.exchanged.Layer)
	r.Integers("pairs", []int{p.exchanged.Pairs})
	return nil
}

// tables adds matrices in order of their names.
func (r *Result) tables(list map[ArrayName][][]float64) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		for _, row := range list[name] {
			r.Row(name, row)
		}
	}
}
