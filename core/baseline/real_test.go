package baseline_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

// A linear probe reads the classes of published graphs from all layers together as well as from the reference's, on their own splits and on
// splits that are dealt anew with as many nodes of each class to train on.
func TestPooledOnRealGraphs(t *testing.T) {
	const shared, deals = "../../../shared/data", 10
	freebase := []string{"freebase/mam.npz", "freebase/mdm.npz", "freebase/mwm.npz", "freebase/labels.npy"}
	for _, n := range []string{"20", "40", "60"} {
		freebase = append(freebase, "freebase/train_"+n+".npy", "freebase/val_"+n+".npy", "freebase/test_"+n+".npy")
	}
	for name, c := range map[string]struct {
		choice   *formats.Choice
		files    []string
		own, new float64
	}{
		"ACM":      {&formats.Choice{Layers: []string{"PLP", "PAP"}, Features: "feature", Labels: []string{"label"}}, []string{"acm/ACM3025.mat"}, .898, .934},
		"IMDB":     {nil, []string{"imdb/mdm.npz", "imdb/mam.npz", "imdb/feature.npz", "imdb/labels.npy", "imdb/splits.npz"}, .629, .688},
		"Freebase": {nil, freebase, .611, .612},
	} {
		var files []formats.File
		for _, file := range c.files {
			data, err := os.ReadFile(filepath.Join(shared, file))
			if err != nil {
				t.Skip("the data are not beside the repository: ", err)
			}
			files = append(files, formats.File{Name: filepath.Base(file), Data: data})
		}
		d, err := run.OpenFiles(files, c.choice, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := run.MethodSettings("pooled", "", d)
		if err != nil {
			t.Fatal(err)
		}
		r, err := run.Train(d, s, precision.Single, run.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		o := s.Scoring()
		if err := property.SetAll(map[string]any{"eval_epochs": 1, "kmeans_runs": 1}, &o); err != nil {
			t.Fatal(err)
		}
		read := func(what string, want float64) {
			scores, err := run.Score(d, r.Scored[:1], nil, o, s.EvalSeed, nil)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(scores, func(s evaluate.Score) bool { return s.Metric == "macro_f1" })
			if got := float64(scores[i].Probe); math.Abs(got-want) > .005 {
				t.Errorf("%s, %s: %.4f, expected %.3f", name, what, got, want)
			} else {
				t.Logf("%s, %s: %.3f", name, what, got)
			}
		}
		read("its own splits", c.own)
		labels := &d.Graph.Labels[0]
		labels.Splits = dealt(labels, deals)
		read("dealt anew", c.new)
	}
}

// dealt returns splits like those of a label set: as many nodes of each class train, and as many choose.
func dealt(l *multiplex.LabelSet, deals int) (list []multiplex.Split) {
	src := rng.New(1, "test/splits")
	for _, own := range l.Splits {
		for range deals {
			s, order := multiplex.Split{}, make([]int, len(l.Of))
			src.Perm(order)
			left := make([]int, len(l.Classes))
			for _, i := range own.Train {
				left[l.Of[i]]++
			}
			for _, i := range order {
				switch c := l.Of[i]; {
				case c == multiplex.Missing:
				case left[c] > 0:
					left[c]--
					s.Train = append(s.Train, i)
				case len(s.Validation) < len(own.Validation):
					s.Validation = append(s.Validation, i)
				case len(s.Test) < len(own.Test):
					s.Test = append(s.Test, i)
				}
			}
			list = append(list, s)
		}
	}
	return list
}
