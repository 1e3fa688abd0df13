package cadem

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/multiplex/fingerprint"
)

// Embeddings of one multiplex graph, each M x d. Consensus is S, what the paper calls the
// common embedding; Common are the C_l it is computed from; Private are the P_l, without noise.
type Embeddings struct {
	Consensus       *mat.Dense
	Common, Private []*mat.Dense
	Rank            int       // of the consensus
	Singular        []float64 // of the sum it was computed from, falling
}

// Embeddings returns the embeddings of a graph by the current weights.
func (t *Trainer) Embeddings(graph int) *Embeddings { return t.model.embeddings(graph) }

// Hash names the current embeddings of all graphs of a run: equal bits, equal hash.
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
	s, polar := g.consensus.At(m.commonU)
	e := &Embeddings{Consensus: mat.NewDense(g.M, g.D, kernel.Doubles(s)), Rank: polar.Rank, Singular: make([]float64, g.D)}
	copy(e.Singular, polar.Singular)
	x := s // scratch from here on
	for l, pair := range m.enc {
		for branch, list := range []*[]*mat.Dense{&e.Common, &e.Private} {
			pair[branch].embed(x, g.Layers[l].Z[branch])
			*list = append(*list, mat.NewDense(g.M, g.D, kernel.Doubles(x)))
		}
	}
	return e
}

// Consensus returns to comparisons the S that the last step used (M x d), and its rank.
func Consensus(t *Trainer, graph int) (s []float64, rank int) { return t.model.consensus(graph) }

// Parameter returns to comparisons a parameter and its gradient in the last step, without weight
// decay, by its name in [RandomSource]; features without data have no row. It panics if no parameter
// has that name.
func Parameter(t *Trainer, name string) (value, gradient []float64) { return t.model.parameter(name) }

func (m *model[T]) consensus(graph int) (s []float64, rank int) {
	c := m.graphs[graph].consensus
	return kernel.Doubles(c.Target()), c.Rank()
}

func (m *model[T]) parameter(name string) (value, gradient []float64) {
	w, g := m.tensor(name)
	return kernel.Doubles(w), kernel.Doubles(g)
}
