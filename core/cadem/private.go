package cadem

import (
	"fmt"

	"cadem/core/cadem/split"
	"cadem/core/kernel"
)

// Private matching draws every private embedding to the leading directions of its layer's own part,
//
//	private = sum_l |Z_l U_l - R_l|_F^2 / M,   R_l = Z_l A_l,   Z_l the input of the private encoder
//	dU_l = 2 Z_l'(Z_l U_l - R_l) / M,          the bias is left out,
//
// where R_l, constant within an epoch, is taken from the weights like the consensus: see
// [split.Target]. It is not in the paper, and is there where inputs are trimmed or split. Several
// graphs have one target, and M is the number of all their nodes.

// A target is the present one of a layer.
type target[T kernel.Float] struct {
	*split.Target
	e *encoder[T]
	a []T       // F x d: A
	u []float64 // F x d: scratch
	x []float64 // F x d: scratch
}

// privateTargets makes the targets of all layers, if inputs have some.
func (m *model[T]) privateTargets() {
	for _, r := range m.prepared {
		for l := range r.Layers {
			t := r.Layers[l].Target
			if t == nil {
				return // features are too few to be trimmed
			}
			t.Prepare(m.o.Dim)
			e := m.enc[l][private]
			m.targets = append(m.targets, &target[T]{t, e, make([]T, len(e.U)), make([]float64, len(e.U)), make([]float64, len(e.U))})
		}
	}
}

// update takes A of the current weights.
func (q *target[T]) update() {
	for i, v := range q.e.U {
		q.u[i] = float64(v)
	}
	q.Target.Update(q.x, q.u)
	kernel.Round(q.a, q.x)
}

// privateMatching returns the loss and adds weight times its gradient to the private encoders.
func (m *model[T]) privateMatching(weight float64) (sum float64) {
	for _, q := range m.targets {
		sum += split.Match(q.Target, q.e.U, q.a, q.e.DU, weight)
	}
	return sum
}

// preparation are the options of package split.
func (o *Options) preparation() split.Options {
	return split.Options{Scale: o.FeatureScale == "columns", Noise: o.Trim == "noise", Kept: o.Directions, Split: o.Split == "agreement",
		Agreement: o.Agreement, Own: o.Private == "own"}
}

// Shares tell what the layers of the first graph share, or those of all graphs where they were
// split together.
type Shares struct {
	Agreement []float64 // of every direction, falling
	Chance    float64   // independent layers stay below it
	Least     float64   // what a shared direction exceeds: the option, or chance
	Shared    int       // directions
	Ranks     []int     // directions that each layer keeps
	Edges     []float64 // the noise edge of each, in units of its largest singular value; 0: none
}

// Shares returns nil for a run whose inputs are not split.
func (t *Trainer) Shares() *Shares { return t.model.shares() }

func (m *model[T]) shares() *Shares {
	if m.prepared == nil || m.o.Split == "off" {
		return nil
	}
	r := m.prepared[0]
	s := &Shares{Agreement: r.Agreement, Chance: r.Chance, Least: max(m.o.Agreement, r.Chance), Shared: r.Shared}
	for _, l := range r.Layers {
		s.Ranks, s.Edges = append(s.Ranks, l.Rank), append(s.Edges, l.Edge)
	}
	return s
}

// shared returns how many directions the common inputs of a graph have at most.
func (m *model[T]) shared(graph int) int {
	if m.prepared == nil || m.o.Split == "off" {
		return m.o.Dim
	}
	return m.prepared[min(graph, len(m.prepared)-1)].Shared
}

// preparedNotes tell what trimming and splitting found, and what did not act.
func (m *model[T]) preparedNotes() (notes []string) {
	if m.o.WeightPrivate > 0 && m.targets == nil {
		notes = append(notes, "weight_private has nothing to act on: the inputs are neither trimmed nor split, or have no more features than dim")
	}
	if m.prepared == nil {
		return notes
	}
	r := m.prepared[0]
	for l, layer := range r.Layers {
		switch {
		case layer.Rank == 0:
			notes = append(notes, fmt.Sprintf("layer %d is noise: none of its directions stands above the noise edge", l+1))
		case layer.Target != nil:
			notes = append(notes, fmt.Sprintf("layer %d: %d directions are kept", l+1, layer.Rank))
		}
	}
	if s := m.shares(); s != nil {
		what := fmt.Sprintf("the layers share %d directions", s.Shared)
		if s.Shared == 0 {
			what = "the layers share nothing: the consensus is 0"
		}
		if len(s.Agreement) > 0 {
			what += fmt.Sprintf("; the largest agreement is %.2f, and shared is what exceeds %.2f", s.Agreement[0], s.Least)
		}
		notes = append(notes, what)
	}
	const few = 16
	if n := r.Rows[len(r.Rows)-1]; n < few {
		notes = append(notes, fmt.Sprintf("with %d nodes the noise edge and the agreement by chance are rough: they are for %d and more", n, few))
	}
	return notes
}
