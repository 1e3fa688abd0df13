package run

import (
	"fmt"
	"math"
	"os"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/evaluate"
)

// Scores that are learned from a sample are within .01 of those of all nodes: of a planted sparse graph whose nodes have no features, and, where
// CADEM_LONG is set, of one of 20,000 nodes from the usual sample, and of Syn2 with 5,000 nodes from 3,500. Probes of Syn2 need as many.
func TestScoresOfASample(t *testing.T) {
	sparse := func(nodes int) func(t *testing.T) (*Dataset, map[string]any) {
		return func(t *testing.T) (*Dataset, map[string]any) {
			return planted(t, nodes, 20), map[string]any{"epochs": 30, "features": "spectral:16", "eval_epochs": 200}
		}
	}
	syn2 := func(t *testing.T) (*Dataset, map[string]any) {
		d, err := OpenExample("syn2", map[string]any{"nodes": 5000}, 0)
		if err != nil {
			t.Fatal(err)
		}
		return d, map[string]any{"epochs": 20, "features": "spectral:64"}
	}
	for _, c := range []struct {
		name   string
		open   func(t *testing.T) (*Dataset, map[string]any)
		sample int
		long   bool
	}{{"planted", sparse(3000), 1500, false}, {"planted, large", sparse(20_000), evaluate.UsualSample, true}, {"Syn2", syn2, 3500, true}} {
		t.Run(c.name, func(t *testing.T) {
			if c.long && os.Getenv("CADEM_LONG") == "" {
				t.Skip("takes minutes: CADEM_LONG=1")
			}
			d, set := c.open(t)
			s, err := NewSettings("released", d)
			if err == nil {
				err = s.SetAll(set)
			}
			if err != nil {
				t.Fatal(err)
			}
			s.Evaluation.KMeansRuns, s.Evaluation.KMeansRestarts = 5, 20 // whose starts move scores more
			r, err := Train(d, s, precision.Single, Watch{})
			if err != nil {
				t.Fatal(err)
			}
			all, err := Score(d, r.Scored, nil, s.Scoring(), 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			s.Evaluation.Score = fmt.Sprintf("sample:%d", c.sample)
			some, err := Score(d, r.Scored, nil, s.Scoring(), 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			most := 0.0
			for i, q := range some {
				if q.Sampled == 0 {
					t.Errorf("%s, %s, %s: not of a sample", q.Embedding, q.Target, q.Metric)
				}
				most = max(most, math.Abs(q.Value-all[i].Value), math.Abs(q.Probe-all[i].Probe))
				if math.Abs(q.Value-all[i].Value) > .01 || math.Abs(q.Probe-all[i].Probe) > .01 {
					t.Errorf("%s, %s, %s: %.4f and probe %.4f of a sample, %.4f and %.4f of all", q.Embedding, q.Target, q.Metric, q.Value, q.Probe,
						all[i].Value, all[i].Probe)
				}
			}
			t.Logf("at most %.4f apart", most)
		})
	}
}
