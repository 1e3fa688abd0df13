package experiments

import (
	"math"
	"testing"

	"cadem/core/kernel"
	"cadem/core/run"
	"cadem/core/study"
	"cadem/core/study/measure"
)

// Looking on changes nothing, and what is seen is what the propositions speak of: trained
// private embeddings tell their layer, untrained ones less.
func TestPosterior(t *testing.T) {
	task := study.Task{Data: run.DataSpec{Example: "syn1", Options: map[string]any{"nodes": 60}}, Preset: "released", Options: map[string]any{"epochs": 60},
		EvalSeed: 1}
	plain, err := task.Run(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	task.Measure = []measure.Spec{{Kind: measure.Posterior}}
	seen, err := task.Run(nil, nil, nil)
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
	for _, name := range []string{"posterior:C", "posterior:P"} {
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

// A psi of two parts side by side, as in the printed equations.
func TestPosteriorOfConcatenatedParts(t *testing.T) {
	task := study.Task{Data: run.DataSpec{Example: "syn1", Options: map[string]any{"nodes": 30}}, Preset: "printed", Options: map[string]any{"epochs": 3},
		Measure: []measure.Spec{{Kind: measure.Posterior}}}
	if r, err := task.Run(nil, nil, nil); err != nil || r.Array("posterior").Shape[0] != 3 {
		t.Errorf("concatenated: %v, %v", r, err)
	}
}
