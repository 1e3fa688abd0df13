package cadem

import (
	"cadem/core/diag"
	"cadem/core/kernel"
)

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
	for head, p := range map[string]*head[T]{"phi": m.phi, "psi": m.psi} {
		switch w, b := p.Parameters(); name {
		case "W" + head:
			return kernel.Doubles(w[0]), kernel.Doubles(w[3])
		case "b" + head:
			return kernel.Doubles(b[0]), kernel.Doubles(b[3])
		}
	}
	m.private.Reclaim()
	for l, pair := range m.enc {
		for branch, e := range pair {
			switch name {
			case tensorName(l, "W1", branch):
				g := make([]T, len(e.w1)) // dU W2', which a step never stores
				for i := range g {
					for k := range e.d {
						g[i] += T(e.du[i/e.h*e.d+k] * e.old[i%e.h*e.d+k])
					}
				}
				return kernel.Doubles(e.w1), kernel.Doubles(g)
			case tensorName(l, "W2", branch):
				return kernel.Doubles(e.w2), kernel.Doubles(e.dw2)
			case tensorName(l, "b", branch):
				return kernel.Doubles(e.b), kernel.Doubles(e.db)
			}
		}
	}
	panic(diag.Misuse("cadem: no parameter " + name))
}
