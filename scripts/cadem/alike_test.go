package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
)

// filesOf returns the files of a folder by their paths, except for what is expected of them.
func filesOf(t *testing.T, folder string) (paths []string, files []formats.File) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Skip("not there: " + folder)
	}
	for _, e := range entries {
		if e.IsDir() || e.Name() == "expected.txt" || e.Name() == "README.md" {
			continue
		}
		path := filepath.Join(folder, e.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		paths, files = append(paths, path), append(files, formats.File{Name: e.Name(), Data: data})
	}
	return paths, files
}

// inspect, train and the page's calls for opening files agree on every file beside the repository: on nodes, layers,
// edges, features, labels and notes, or on the error.
func TestFilesAreReadAlike(t *testing.T) {
	var folders []string
	for _, pattern := range []string{"../../../shared/cases/*", "../../../shared/data/small/*", "../../../shared/data/imdb", "../../../shared/data/freebase",
		"../../../shared/data/acm4019"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		folders = append(folders, found...)
	}
	if len(folders) == 0 {
		t.Skip("not there: ../shared/cases, ../shared/data")
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			paths, files := filesOf(t, folder)
			if len(paths) == 0 || filepath.Base(folder) == "imdb" && len(paths) > 9 {
				t.Skip("folders of many sets")
			}
			d, err := run.OpenFiles(files, nil, nil)
			out, _, inspectErr := command(t, append([]string{"inspect", "-json"}, paths...)...)
			args := []string{"train", "-json", "-set", "epochs=1", "-set", "inner_steps=1"}
			if err == nil && len(d.Graph.Labels) > 0 {
				args = append(args, "-set", "eval_epochs=1", "-set", "folds=2")
			}
			trainErr := error(nil)
			if err != nil || d.Graph.M() < 1000 { // a larger one takes long to be scored
				_, _, trainErr = command(t, append(append(args, "-data"), paths...)...)
			}
			if err != nil {
				if trainErr == nil || !strings.Contains(trainErr.Error(), err.Error()) {
					t.Errorf("train: %v, the page: %v", trainErr, err)
				}
				return
			}
			if trainErr != nil || inspectErr != nil {
				t.Fatalf("the page opens it; train: %v, inspect: %v", trainErr, inspectErr)
			}
			if d.Subject != nil {
				return // see TestOneReaderOfASubject
			}
			var o struct {
				Nodes    int
				Layers   map[string]formats.LayerCounts
				Features *formats.FeatureCounts
				Guess    formats.Choice
			}
			if err := json.Unmarshal([]byte(out), &o); err != nil {
				t.Fatal(err)
			}
			sum := d.Summary()
			if o.Nodes != sum.Nodes || len(o.Layers) != len(sum.Layers) {
				t.Fatalf("inspect: %d nodes, %d layers; the page: %d, %d", o.Nodes, len(o.Layers), sum.Nodes, len(sum.Layers))
			}
			for _, l := range sum.Layers {
				if of, ok := o.Layers[l.Name]; !ok || of.Isolated != l.Isolated || of.MaxDegree != l.MaxDegree || of.SelfLoops != l.SelfLoops {
					t.Errorf("layer %s: inspect: %+v, the page: %+v", l.Name, of, l)
				}
			}
			if f := o.Features; f != nil && f.Shape[1] != sum.Features || f == nil && sum.Features != sum.Nodes {
				t.Errorf("features: inspect: %+v, the page: %d", f, sum.Features)
			}
			sameInDialog(t, files, sum.Nodes, o.Guess.Layers)
		})
	}
}

// sameInDialog looks at files as the page's dialog does, and opens what it guesses.
func sameInDialog(t *testing.T, files []formats.File, nodes int, layers []string) {
	t.Helper()
	c, err := formats.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Survey(formats.Choice{}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if s.Ask == nil && (s.Nodes != nodes || !slices.Equal(s.Guess.Layers, layers) && len(layers) > 0) {
		t.Errorf("the dialog: %d nodes, %q; inspect: %d, %q", s.Nodes, s.Guess.Layers, nodes, layers)
	}
	if chosen, err := run.OpenContent(c, &s.Guess); err != nil || chosen.Summary().Nodes != nodes {
		t.Errorf("by the guess: %v", err)
	}
}
