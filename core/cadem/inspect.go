package cadem

import "cadem/core/kernel"

// Consensus returns to comparisons the S that the last step used (M x d), and its rank.
func Consensus(t *Trainer, graph int) (s []float64, rank int) { return t.model.consensus(graph) }

// Parameter returns to comparisons a parameter and its gradient in the last step, without weight
// decay, by its name in [RandomSource]; features without data have no row. It panics if there is none.
func Parameter(t *Trainer, name string) (value, gradient []float64) { return t.model.parameter(name) }

func (m *model[T]) consensus(graph int) (s []float64, rank int) {
	c := m.graphs[graph].consensus
	return kernel.Doubles(c.Target()), c.Rank()
}

func (m *model[T]) parameter(name string) (value, gradient []float64) {
	m.privates.Reclaim()
	w, g := m.weights.Parameter(name, dW1)
	return kernel.Doubles(w), kernel.Doubles(g)
}
