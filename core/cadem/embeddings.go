package cadem

import (
	"gonum.org/v1/gonum/mat"

	"cadem/core/fingerprint"
	"cadem/core/kernel"
)

// Embeddings of one multiplex graph, each M x d. Consensus is S, what the paper calls the
// common embedding; Common are the C_l it is taken from; Private are the P_l, without noise.
type Embeddings struct {
	Consensus       *mat.Dense
	Common, Private []*mat.Dense
	Rank            int       // of the consensus
	Singular        []float64 // of the sum it was taken from, falling
}

// Embeddings returns what the present weights make of a graph.
func (t *Trainer) Embeddings(graph int) *Embeddings { return t.model.embeddings(graph) }

// Hash names the present embeddings of all graphs of a run: equal bits, equal hash.
func Hash(t *Trainer) string {
	var all []*mat.Dense
	for g := range t.graphs {
		e := t.Embeddings(g)
		all = append(append(append(all, e.Consensus), e.Common...), e.Private...)
	}
	return fingerprint.Matrices(all)
}

func (m *model[T]) embeddings(graph int) *Embeddings {
	g := m.graphs[graph]
	m.privates.Refresh()
	s, polar := g.consensus.At(m.commonU)
	e := &Embeddings{Consensus: mat.NewDense(g.M, g.D, kernel.Doubles(s)), Rank: polar.Rank, Singular: make([]float64, g.D)}
	copy(e.Singular, polar.Singular)
	z := s // scratch from here on
	for l, pair := range m.enc {
		for branch, list := range []*[]*mat.Dense{&e.Common, &e.Private} {
			pair[branch].embed(z, g.Layers[l].Z)
			*list = append(*list, mat.NewDense(g.M, g.D, kernel.Doubles(z)))
		}
	}
	return e
}
