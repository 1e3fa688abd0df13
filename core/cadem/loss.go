package cadem

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/cadem/internal/parallel"
)

// A loss holds the working memory of its terms.
type loss[T kernel.Float] struct {
	matchers parallel.Crew // matches the layers of matched, each by itself
	matched  matched[T]
	logits   []float64     // of phi
	ce       *crossEntropy // of its predictions
	causal   *causal[T]
	targets  []*target[T] // of private matching; none if inputs are not trimmed or split
}

// init allocates for the largest batch of pooled graphs.
func (s *loss[T]) init(m *model[T]) {
	largest := 1
	for _, g := range m.graphs {
		largest = max(largest, largestBatch(g.Sets))
	}
	s.matchers.Do, s.matched.sums = m.match, make([]float64, len(m.enc))
	s.logits, s.ce = make([]float64, largest*m.phi.Width), newCrossEntropy(m.phi.N, largest)
	s.causal = newCausal(m.psi, largest, m.o)
}

// gradients fills the gradients of all parameters and returns the losses, with (6), their weighted sum
//
//	w matching + alpha selfsupervised + beta causal, and omega private
//
// Those of several graphs are averaged.
func (m *model[T]) gradients(step int) Losses {
	o := m.o
	for _, pair := range m.enc {
		for _, e := range pair {
			clear(e.DB) // dU is set with the first graph: by matching, and by unpool for private encoders
		}
	}
	m.phi.Prepare()
	m.psi.Prepare()
	var sum Losses
	share := 1 / float64(len(m.graphs))
	for i, g := range m.graphs {
		sum.Matching += m.matching(g, i == 0, share, o.WeightMatching)
		m.pool(i)
		for k := range g.Sets {
			set := &g.Sets[k]
			from, to := g.span(k)
			hc, hp, dhc, dhp := g.H[common][from:to], g.H[private][from:to], g.DH[common][from:to], g.DH[private][from:to]
			pair := func(batch int, partners []int) { m.source.Pair(i, k, batch, step, partners) }
			sum.SelfSupervised += float64(share * selfSupervised(m.phi, set, hp, dhp, m.loss.logits, m.loss.ce, o.WeightSelfSupervised*share))
			sum.Causal += float64(share * m.loss.causal.loss(set, hp, hc, dhp, dhc, o.WeightCausal*share, pair))
		}
		m.unpool(i)
	}
	sum.Private = m.privateMatching(o.WeightPrivate)
	sum.Total = o.Weights.total(sum)
	return sum
}
