package experiments

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"cadem.example/core/lab/study"
)

// The private rows of table III on the published data are the paper's to three digits,
// however short the training: they do not depend on it.
func TestTable3AsPublished(t *testing.T) {
	o := study.Order{Study: "table3", Seeds: 1, Data: "published", Options: map[string]any{"epochs": 1, "kmeans_runs": 5}}
	_, _, reports := reported(t, o, nil)
	private := 0
	for _, row := range reports[0].Rows {
		if row.Embedding == "common" {
			if row.Variant == "completion arbitrary" && math.Abs(*row.Ours) > 0.05 {
				t.Errorf("common, filled at random, on %s: %s %v", row.Target, row.Metric, *row.Ours)
			}
			continue
		}
		if row.Variant != "" { // the recipe as printed
			continue
		}
		private++
		if math.Abs(*row.Ours-*row.Paper) > 0.0005 || *row.Trivial != *row.Ours || row.Status != study.OtherSettings {
			t.Errorf("%s on %s: %s %.4f, trivial %.4f, the paper prints %.4f", row.Embedding, row.Target, row.Metric, *row.Ours, *row.Trivial, *row.Paper)
		}
	}
	if private != 8 {
		t.Errorf("%d private rows", private)
	}
}

// Without the causal term the matching loss falls, with it the common embeddings are held
// back: on the published Syn1 from 23.5 to 6.5, and to 15.7, in all of its 140
// epochs; to 15.7 and 20.4 in 50.
func TestCausalTermHoldsMatchingBack(t *testing.T) {
	if testing.Short() {
		t.Skip("trains 3000 steps")
	}
	o, err := (&study.Order{Study: "ablation", Seeds: 1, Data: "published", Options: map[string]any{"epochs": 50}}).Check(&table7)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range lossVariants() {
		task := planVariant(o, v)[0]
		task.Measure = nil
		r, err := task.Run(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		causal := v.name == "match+causal" || v.name == "all"
		if share := r.Last.Matching / r.First.Matching; causal && share < 0.8 || !causal && share > 0.7 {
			t.Errorf("%s: matching goes from %.2f to %.2f", v.name, r.First.Matching, r.Last.Matching)
		}
	}
}

// The curves of the authors' program are those that were measured.
func TestCurvesOfTheAuthorsProgram(t *testing.T) {
	data, err := os.ReadFile("../../../../../shared/golden/published/measured.json")
	if err != nil {
		t.Skip("the measured scores are not beside the repository: ", err)
	}
	type score struct{ ARI float64 }
	var measured struct {
		Syn2 struct {
			Curve []struct {
				Lambda  float64
				Common  score   `json:"S -> common"`
				Private []score `json:"P_i -> private_i"`
			}
		}
	}
	if err := json.Unmarshal(data, &measured); err != nil {
		t.Fatal(err)
	}
	if len(measured.Syn2.Curve) != len(gammas) {
		t.Fatalf("%d points", len(measured.Syn2.Curve))
	}
	for i, p := range measured.Syn2.Curve {
		mean := 0.0
		for _, s := range p.Private {
			mean += s.ARI / float64(len(p.Private))
		}
		if p.Lambda != gammas[i] || p.Common.ARI != authorsCommon[i] || math.Abs(mean-authorsPrivate[i]) > 0.0006 {
			t.Errorf("%+v; here %v: %v and %v", p, gammas[i], authorsCommon[i], authorsPrivate[i])
		}
	}
}
