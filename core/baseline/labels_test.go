package baseline_test

import (
	"fmt"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// Trained on Syn1, an embedding of a layer tells the communities of that layer: a macro-F1 of at least
// 0.97 by a linear classifier. CADEM_LONG tries all methods that embed layers, with official settings.
func TestOwnLabels(t *testing.T) {
	names := []string{"vgae"}
	if os.Getenv("CADEM_LONG") != "" {
		names = append(names, "dgi", "mvgrl", "graphmae")
	}
	d, err := run.OpenExample("syn1", map[string]any{"instance": "published"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		m, err := train.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		o, _, err := m.Settings(train.Official)
		if err != nil {
			t.Fatal(err)
		}
		training, err := train.Start(m, &train.Setup{Graphs: []*multiplex.Graph{d.Graph}, Options: o, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		for !train.Done(training) {
			if err := training.Step(nil); err != nil {
				t.Fatal(err)
			}
		}
		for l, e := range training.Embeddings(0) {
			own := fmt.Sprintf("layer_%d", l+1)
			for _, labels := range d.Graph.Labels {
				if labels.Name != own {
					continue
				}
				list := []evaluate.Embedding{{Name: e.Name, Tokens: []*mat.Dense{e.X}}}
				scores, err := evaluate.Probes(list, []multiplex.LabelSet{labels}, nil, evaluate.Defaults(), 1, nil)
				if err != nil {
					t.Fatal(err)
				}
				if s := scores[0]; s.Metric != "macro_f1" || s.Value < 0.97 {
					t.Errorf("%s, %s: %s %.3f", name, e.Name, s.Metric, s.Value)
				} else {
					t.Logf("%s, %s: %.3f", name, e.Name, s.Value)
				}
			}
		}
	}
}
