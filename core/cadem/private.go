package cadem

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/cadem/internal/inputs"
	"cadem.example/core/cadem/split"
)

// Private matching, equation (g), draws every private embedding to the leading directions of its layer's
// own part,
//
//	private = sum_l |Z_l U_l - R_l|_F^2 / M,   R_l = Z_l A_l,   Z_l the input of the private encoder
//	dU_l = 2 Z_l'(Z_l U_l - R_l) / M,          the bias is left out,
//
// where R_l, constant within an epoch, is taken from the weights like the consensus: split/target.go.
// It is not in the paper, and is there where inputs are trimmed or split. Several graphs have one
// target, and M is the number of all their nodes.

// A target is the current one of a layer.
type target[T kernel.Float] struct {
	of *split.Target
	e  *encoder[T]
	a  []T       // F x d: A
	u  []float64 // F x d: scratch
	x  []float64 // F x d: scratch
}

// privateTargets returns the targets of all layers, if inputs have some.
func (m *model[T]) privateTargets() (all []*target[T]) {
	for _, r := range m.inputs.Prepared {
		for l := range r.Layers {
			t := r.Layers[l].Target
			if t == nil {
				return nil // features are too few to be trimmed
			}
			t.Prepare(m.o.Dim)
			e := m.enc[l][private]
			all = append(all, &target[T]{t, e, make([]T, len(e.U)), make([]float64, len(e.U)), make([]float64, len(e.U))})
		}
	}
	return all
}

// update takes A of the current weights.
func (q *target[T]) update() {
	kernel.Widen(q.u, q.e.U)
	q.of.Update(q.x, q.u)
	kernel.Round(q.a, q.x)
}

// privateMatching returns the loss and adds weight times its gradient to the private encoders.
func (m *model[T]) privateMatching(weight float64) (sum float64) {
	for _, q := range m.loss.targets {
		sum += split.Match(q.of, q.e.U, q.a, q.e.DU, weight)
	}
	return sum
}

// preparation are the options of package split; package evidence takes Own alone.
func (o *Options) preparation() split.Options {
	return split.Options{Scale: o.FeatureScale == "columns", Noise: o.Trim == "noise", Kept: o.Directions, Split: o.Split == "agreement",
		Agreement: o.Agreement, Own: o.Private == "own"}
}

// Shares is what the layers of a run share.
type Shares = inputs.Shares

// Shares returns nil for a run whose inputs are not split.
func (t *Trainer) Shares() *Shares { return t.model.shares() }

func (m *model[T]) shares() *Shares { return m.inputs.Shares() }
