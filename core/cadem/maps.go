package cadem

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem/internal/inputs"
	"cadem.example/core/multiplex"
)

// Maps are the results of training: the encoders, which are linear, and the heads. Package frozen reads them.
type Maps struct {
	Options Options
	Live    [][]int32      // of every layer: the columns that rows of U belong to; others have no effect
	U, B    [][2][]float64 // of every layer, common and private: U (F x d) and b (d)
	Heads   [2]Head        // phi and psi
}

// A Head is h W + b, W being rows x layers.
type Head struct{ W, B []float64 }

// Maps returns the maps of the current weights.
func (t *Trainer) Maps() *Maps { return t.model.maps() }

// Trail returns how the inputs of the encoders were made from the graphs. Inputs that are trimmed or split are prepared anew for it,
// and the error is that of yield.
func (t *Trainer) Trail(graphs []*multiplex.Graph, yield pause.Yield) (*inputs.Trail, error) {
	return t.model.trail(multiplex.Held(graphs), yield)
}

func (m *model[T]) maps() *Maps {
	f := &Maps{Options: *m.o, Live: m.live}
	for _, pair := range m.enc {
		var u, b [2][]float64
		for branch, e := range pair {
			u[branch], b[branch] = kernel.Doubles(e.U), kernel.Doubles(e.B)
		}
		f.U, f.B = append(f.U, u), append(f.B, b)
	}
	for i, p := range []*head[T]{m.phi, m.psi} {
		f.Heads[i] = Head{kernel.Doubles(p.W), kernel.Doubles(p.B)}
	}
	return f
}

func (m *model[T]) trail(graphs multiplex.Source, yield pause.Yield) (*inputs.Trail, error) {
	return inputs.Retrace(graphs, m.inputOptions(m.source, yield))
}

// inputOptions are the options of package inputs.
func (m *model[T]) inputOptions(source RandomSource, yield pause.Yield) inputs.Options {
	o := m.o
	return inputs.Options{Propagation: multiplex.KindOf(o.Propagation), RowScale: o.RowScale, Every: o.DecayEncoders > 0, Dim: o.Dim,
		Options: o.preparation(), Evidence: o.Split == "evidence", Double: m.precision == precision.Double,
		Structure: inputs.ParseStructure(o.Features), Seed: m.seed, Features: source.Features, Yield: yield}
}
