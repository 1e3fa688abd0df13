package measure

import (
	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/run"
)

// A posterior follows, over a training, what pooled embeddings tell of the layer they come
// from (proposition 2 of the paper), on graphs of its own, cut from the layers as the
// augmented ones of training are. Every look is at the same nodes and noise.
type posterior struct {
	every int // outer epochs between two looks
	seed  uint64
	looks [][]float64 // a row of PosteriorColumns each
	last  *evaluate.LayerPosterior
}

// PosteriorColumns are those of a look: the outer epoch; for the common and the private embeddings the entropy
// of psi's posterior over log N, its divergence from the uniform one in nats, and the
// accuracy of a fresh probe; the bound log N - CE of proposition 1, from phi on P, in nats;
// and what the layer and psi's answers have in common, in nats.
var PosteriorColumns = []string{"epoch", "entropy_C", "kl_C", "probe_C", "entropy_P", "kl_P", "probe_P", "bound_P", "information_C", "information_P"}

const posteriorLooks = 20 // over a training, beside the first

// NewPosterior returns a posterior that looks at a training with such settings.
func NewPosterior(s *run.Settings) *posterior {
	return &posterior{every: max(1, s.Training.Epochs/posteriorLooks), seed: s.EvalSeed}
}

// Watch looks at a training after its first step, every few epochs and at its end.
func (p *posterior) Watch(t *cadem.Trainer) {
	at := t.Progress()
	inner := t.Options().InnerSteps
	if at.Step == 1 || at.Step%(inner*p.every) == 0 || t.Done() {
		p.look(t, float64(at.Step)/float64(inner))
	}
}

func (p *posterior) look(t *cadem.Trainer, epoch float64) {
	e, o := t.Embeddings(0), t.Options()
	head := func(name string) evaluate.Head {
		w, _ := cadem.Parameter(t, "W"+name)
		b, _ := cadem.Parameter(t, "b"+name)
		return evaluate.Head{W: w, B: b}
	}
	r := probeOf(e, &o, head("phi"), head("psi")).Read(p.seed)
	c, q := &r.Common, &r.Private
	p.looks = append(p.looks, []float64{epoch, c.Entropy, c.KL, c.Probe, q.Entropy, q.KL, q.Probe, r.Bound, c.Information, q.Information})
	p.last = r
}

// probeOf reads copies of the layers that are cut as the augmented graphs of training are.
func probeOf(e *cadem.Embeddings, o *cadem.Options, phi, psi evaluate.Head) *evaluate.LayerProbe {
	m, _ := e.Consensus.Dims()
	keep := o.Kept(m)
	return &evaluate.LayerProbe{Common: e.Common, Private: e.Private, Phi: phi, Psi: psi, Keep: keep, Noise: o.PooledNoise(keep)}
}

// add puts what was seen into the result: "posterior", a row of PosteriorColumns for every
// look, and "posterior:C" and "posterior:P", N x N, of the last.
func (p *posterior) add(r *Result) {
	a := Array{Name: "posterior", Shape: []int{len(p.looks), len(PosteriorColumns)}}
	for _, row := range p.looks {
		a.Data = append(a.Data, row...)
	}
	r.Arrays = append(r.Arrays, a)
	for _, view := range []struct {
		name string
		mean [][]float64
	}{{"posterior:C", p.last.Common.Mean}, {"posterior:P", p.last.Private.Mean}} {
		square := Array{Name: view.name, Shape: []int{len(view.mean), len(view.mean)}}
		for _, row := range view.mean {
			square.Data = append(square.Data, row...)
		}
		r.Arrays = append(r.Arrays, square)
	}
}
