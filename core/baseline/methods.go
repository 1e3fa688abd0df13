package baseline

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/train"
)

// Rows describes all methods, in the order of tables, without what trains them: enough to plan studies and to read runs.
func Rows() []train.Method {
	return []train.Method{
		closedForm,
		deepWalk, node2vec, netMF, mne,
		vgae, dgi, mvgrl, mvgrlGraph, graphMAE, hdmi, mcgc, dmg, multiNeSS,
		graph2vec, untrainedCaDeM, randomEncoder, wideRandomEncoder,
		pooledComponents, unitComponents, pooled, spectral, unionSpectral, betheHessian, modularity, rawFeatures,
	}
}

// Trainers are [Rows] with what trains each.
func Trainers() []train.Method {
	return []train.Method{
		ClosedForm(),
		deepWalk.With(either(newDeepWalk[precision.Wide], newDeepWalk[float32])),
		node2vec.With(either(newNode2vec[precision.Wide], newNode2vec[float32])),
		netMF.With(startNetMF),
		mne.With(either(newMNE[precision.Wide], newMNE[float32])),
		vgae.With(networked(perLayer, newVGAE[precision.Wide], newVGAE[float32])),
		dgi.With(networked(perLayer, newDGI[precision.Wide], newDGI[float32])),
		mvgrl.With(networked(perLayer, newMVGRL[precision.Wide], newMVGRL[float32])),
		mvgrlGraph.With(networked(perLayer, newMVGRLGraph[precision.Wide], newMVGRLGraph[float32])),
		graphMAE.With(networked(perLayer, newGraphMAE[precision.Wide], newGraphMAE[float32])),
		hdmi.With(networked(ofAllLayers, newHDMI[precision.Wide], newHDMI[float32])),
		mcgc.With(newMCGC),
		dmg.With(networked(ofAllLayers, newDMG[precision.Wide], newDMG[float32])),
		multiNeSS.With(newMultiNeSS),
		graph2vec.With(either(newGraph2vec[precision.Wide], newGraph2vec[float32])),
		untrainedCaDeM.With(newRandom), randomEncoder.With(newRandom), wideRandomEncoder.With(newRandom),
		pooledComponents.With(newPCA), unitComponents.With(newPCA), pooled.With(newPooled), spectral.With(startSpectral),
		unionSpectral.With(startUnionSpectral), betheHessian.With(startBetheHessian),
		modularity.With(startModularity), rawFeatures.With(startRawFeatures),
	}
}

// ClosedForm is the row of the closed form with what trains it.
func ClosedForm() train.Method { return closedForm.With(newClosed) }

// Found is the row of all layers together for a program that asks what was found and finds nothing itself: that would take 20 kB.
func Found() train.Method {
	return pooled.With(func(s *train.Setup) (train.Training, error) {
		p := foundPooled(s)
		p.embed = func(int, pause.Yield) error { return diag.Option("method", pooled.Name, "a program that trains it") }
		return p, nil
	})
}

// Levels of methods: the official one with settings of its own, names and values in turn, and with a lite one.
var official = officialWith()

func officialWith(settings ...any) []train.Level { return levels(train.Official, settings) }

func withLite(settings ...any) []train.Level {
	return append(officialWith(), levels(train.Lite, settings)...)
}

func levels(name string, settings []any) []train.Level {
	of := map[string]any{}
	for i := 0; i < len(settings); i += 2 {
		of[settings[i].(string)] = settings[i+1]
	}
	return []train.Level{{Name: name, Settings: of}}
}

// fused lists the one embedding of a method that makes one of all layers.
func fused(x *mat.Dense) []train.Embedding { return []train.Embedding{{Name: train.Fused, X: x}} }

// parameters reports how many numbers were fitted.
func parameters(n int) train.Report { return train.Report{}.With("parameters", float64(n)) }
