package experiments

import (
	"math"
	"testing"

	"cadem.example/core/base/kernel"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// Observing changes nothing, and the result is that of the propositions: trained private embeddings
// identify their layer, untrained ones less.
func TestPosterior(t *testing.T) {
	task := study.Task{Data: run.DataSpec{Example: "syn1", Options: map[string]any{"nodes": 60}}, Preset: "released", Options: map[string]any{"epochs": 60},
		EvalSeed: 1}
	plain, err := task.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	task.Measure = []measure.Spec{{Kind: measure.Posterior}}
	seen, err := task.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if plain.Hash != seen.Hash {
		t.Errorf("hash %s while looking on, %s without", seen.Hash, plain.Hash)
	}
	a := seen.Array("posterior")
	n, columns := a.Shape[0], len(measure.PosteriorColumns)
	if n != 21 || a.Data[(n-1)*columns] != 60 {
		t.Fatalf("%d looks, the last at epoch %v", n, a.Data[(n-1)*columns])
	}
	full := kernel.Log(3)
	for look := range n {
		row := a.Data[look*columns : (look+1)*columns]
		for _, at := range []int{1, 4} {
			entropy, divergence, accuracy := row[at], row[at+1], row[at+2]
			if entropy < 0 || entropy > 1+1e-12 || accuracy < 0 || accuracy > 1 || math.Abs(entropy*full+divergence-full) > 1e-12 {
				t.Errorf("look %d: %v", look, row)
			}
		}
		for _, information := range row[8:] {
			if information < -1e-12 || information > full+1e-12 {
				t.Errorf("look %d: information %v", look, information)
			}
		}
		if row[7] > full+1e-12 {
			t.Errorf("look %d: the bound is %v, above log 3", look, row[7])
		}
	}
	first, last := a.Data[:columns], a.Data[(n-1)*columns:]
	if last[7] < 0.5*full || last[7] <= first[7] || last[4] >= first[4] || last[6] < 0.8 {
		t.Errorf("private embeddings from %v to %v", first, last)
	}
	for _, name := range []measure.ArrayName{"posterior:C", "posterior:P"} {
		for l := range 3 {
			sum := 0.0
			for _, q := range seen.Array(name).Data[3*l : 3*l+3] {
				sum += q
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("%s: layer %d sums to %v", name, l, sum)
			}
		}
	}
	if own := seen.Array("posterior:P").Data; own[0] < 0.5 || own[4] < 0.5 || own[8] < 0.5 {
		t.Errorf("psi names the layers of private embeddings with %v", own)
	}
}

// With every private part beside its own common part, psi may answer by the common one, and answers change
// when that is exchanged; the answers beside each other's parts are those whose mean is p(k | do(P)).
func TestPairings(t *testing.T) {
	kept := map[string]float64{}
	for _, pairing := range []string{"own", "all"} {
		task := study.Task{Data: run.DataSpec{Example: "syn1", Options: map[string]any{"nodes": 60}}, Preset: "released", EvalSeed: 1,
			Options: map[string]any{"epochs": 40, "pairing": pairing}, Measure: []measure.Spec{{Kind: measure.Exchange}, {Kind: measure.Pairings}}}
		r, err := task.Run(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		layer, a, b := r.Array("pairings:layer"), r.Array("pairings:private"), r.Array("pairings:common")
		if copies := layer.Shape[0]; copies != 12 || a.Shape[0] != copies || b.Shape[0] != copies || a.Shape[1] != 3 {
			t.Fatalf("%s: parts of shape %v and %v for %v copies", pairing, a.Shape, b.Shape, layer.Shape)
		}
		if pairs := r.Array("pairs").Data[0]; pairs != 150*149 {
			t.Errorf("%s: %v pairs of 150 copies", pairing, pairs)
		}
		kept[pairing] = r.Array("invariance").Data[0]
	}
	if kept["all"] < kept["own"]+0.05 || kept["all"] < 0.95 {
		t.Errorf("psi keeps its answer in %v of the pairs", kept)
	}
}

// A psi of two parts side by side, as in the printed equations.
func TestPosteriorOfConcatenatedParts(t *testing.T) {
	task := study.Task{Data: run.DataSpec{Example: "syn1", Options: map[string]any{"nodes": 30}}, Preset: "printed", Options: map[string]any{"epochs": 3},
		Measure: []measure.Spec{{Kind: measure.Posterior}}}
	if r, err := task.Run(nil, nil); err != nil || r.Array("posterior").Shape[0] != 3 {
		t.Errorf("concatenated: %v, %v", r, err)
	}
}
