package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What says how files are read is refused by every command where it changes nothing, and heeded
// where it does, or where its wish is fulfilled.
func TestNothingSaidOfFilesIsIgnored(t *testing.T) {
	ring, labels := writeGraph(t, "ring")
	dir := t.TempDir()
	weighted, model := filepath.Join(dir, "w.csv"), filepath.Join(dir, "m.npz")
	const text = "source,target,weight,layer\na,b,2,1\nb,a,3,1\nb,c,5,1\nc,d,1,1\nd,e,4,2\ne,f,1,2\nf,a,2,2\n"
	if err := os.WriteFile(weighted, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	few := []string{"-set", "epochs=1", "-set", "hidden=4", "-score", "none"}
	if _, _, err := command(t, slices.Concat([]string{"train", ring, "-model", model}, few)...); err != nil {
		t.Fatal(err)
	}
	commands := map[string]func(files ...string) []string{
		"train":   func(files ...string) []string { return slices.Concat([]string{"train"}, files, few) },
		"inspect": func(files ...string) []string { return slices.Concat([]string{"inspect"}, files) },
		"apply":   func(files ...string) []string { return slices.Concat([]string{"apply", model}, files) },
		"study": func(files ...string) []string {
			return slices.Concat([]string{"study", "plan", "table6", "-dir", t.TempDir()}, files)
		},
		"all sets": func(files ...string) []string {
			return []string{"study", "plan", "table6", "-dir", t.TempDir(), "-data", strings.Join(files, ",")}
		},
	}
	arrays := matrices(t)
	for _, c := range []struct {
		files   []string
		said    []string
		ignored string // by which commands, or all
	}{
		{[]string{ring, labels}, []string{"-raw"}, "all"},
		{[]string{ring, labels}, []string{"-binary"}, "all"},
		{[]string{ring, labels}, []string{"-mutual"}, "all"},
		{[]string{ring, labels}, []string{"-keep", "100"}, "all"},
		{[]string{ring, labels}, []string{"-splits", "none"}, "apply"},
		{[]string{ring, labels}, []string{"-features", "none"}, ""},
		{[]string{ring, labels}, []string{"-labels", "half"}, ""},
		{[]string{arrays}, []string{"-columns", "source,target"}, "all"},
		{[]string{arrays}, []string{"-features", "none"}, ""},
		{[]string{weighted}, []string{"-binary"}, "inspect"}, // which counts entries
		{[]string{weighted}, []string{"-columns", "source,target,weight,layer"}, ""},
		{[]string{writeSeries(t)}, []string{"-splits", "none"}, "all"},
		{[]string{arrays}, []string{"-raw"}, ""},
	} {
		for name, of := range commands {
			_, _, err := command(t, append(of(c.files...), c.said...)...)
			refused := err != nil && strings.Contains(err.Error(), c.said[0]+": found a flag without effect")
			if refused != (c.ignored == "all" || strings.Contains(c.ignored, name)) ||
				refused && status(err, &bytes.Buffer{}) != 2 {
				t.Errorf("%s of %s with %q: %v", name, filepath.Base(c.files[0]), c.said, err)
			}
		}
	}
}

// One data set for which a flag changes nothing is enough, where it was said of that one.
func TestNothingSaidOfASetIsIgnored(t *testing.T) {
	ring, _ := writeGraph(t, "ring")
	weighted := filepath.Join(t.TempDir(), "w.csv")
	if err := os.WriteFile(weighted, []byte("a,b,2\nb,c,3\nc,a,1\nc,d,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for refused, said := range map[bool][]string{
		false: {"-binary", "-data", ring, "-data", weighted},
		true:  {"-data", ring, "-binary", "-data", weighted, "-binary"},
	} {
		_, _, err := command(t, slices.Concat([]string{"study", "plan", "table6", "-dir", t.TempDir()}, said)...)
		if found := err != nil && strings.Contains(err.Error(), "-binary: found a flag without effect"); found != refused {
			t.Errorf("%q: %v", said, err)
		}
	}
}

// Seeds that draw nothing, and what is of scores where there are none.
func TestNothingSaidOfScoresIsIgnored(t *testing.T) {
	ring, labels := writeGraph(t, "ring")
	train := []string{"train", ring, labels, "-set", "epochs=1", "-set", "hidden=4"}
	plan := func(args ...string) []string {
		return slices.Concat([]string{"study", "plan"}, args, []string{"-dir", t.TempDir()})
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"-seed: found a flag without effect", []string{"train", ring, labels, "-method", "pca", "-seed", "3"}},
		{"-cv-seed: found a flag without effect", append(train, "-score", "none", "-cv-seed", "3")},
		{"folds: found an option without effect", append(train, "-score", "none", "-set", "folds=3")},
		{"folds: found an option without effect", append(train, "-set", "score=none", "-set", "folds=3")},
		{"-cv-seed: found a flag without effect", append(train[:2:2], "-links", "2", "-cv-seed", "3")},
		{"-choose: found a flag without effect", plan("table1", "-choose", "runs=none")},
		{"-choose: found a flag without effect", plan("table6", "-data", ring+","+labels, "-choose", "runs=none")},
		{"-level: found a flag without effect", plan("table2", "-level", "lite")},
		{"-predictions: found a flag without effect", []string{"study", "table1", "-predictions"}},
		{"folds: found an option without effect",
			plan("table6", "-data", ring+","+labels, "-set", "score=none", "-set", "folds=3")},
	} {
		_, _, err := command(t, c.args...)
		if err == nil || !strings.Contains(err.Error(), c.want) || status(err, &bytes.Buffer{}) != 2 {
			t.Errorf("%q: %v, expected %q", c.args, err, c.want)
		}
	}
	if _, _, err := command(t, plan("table1", "-predictions")...); err != nil {
		t.Error("a plan keeps predictions for its report:", err)
	}
}
