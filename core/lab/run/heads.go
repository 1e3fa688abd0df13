package run

import (
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
)

// LayerProbe returns what reads the layer from copies of the layers of a training's first graph, cut
// as the augmented graphs of the training are.
func LayerProbe(t *cadem.Trainer) *evaluate.LayerProbe {
	head := func(name string) evaluate.Head {
		w, _ := cadem.Parameter(t, "W"+name)
		b, _ := cadem.Parameter(t, "b"+name)
		return evaluate.Head{W: w, B: b}
	}
	o := t.Options()
	return probeOf(t.Embeddings(0), &o, head("phi"), head("psi"))
}

// LayerAccuracy returns how often a linear probe finds the layer in the common and in the private parts of such copies, of
// embeddings that were trained with such options.
func LayerAccuracy(e *cadem.Embeddings, o *cadem.Options, seed uint64) (common, private float64) {
	return probeOf(e, o, evaluate.Head{}, evaluate.Head{}).Probed(seed)
}

func probeOf(e *cadem.Embeddings, o *cadem.Options, phi, psi evaluate.Head) *evaluate.LayerProbe {
	m, _ := e.Consensus.Dims()
	keep := o.Kept(m)
	return &evaluate.LayerProbe{Common: e.Common, Private: e.Private, Phi: phi, Psi: psi, Keep: keep, Noise: o.PooledNoise(keep)}
}
