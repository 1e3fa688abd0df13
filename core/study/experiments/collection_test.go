package experiments

import (
	"strings"
	"testing"

	"cadem/core/connectome"
	"cadem/core/formats"
	"cadem/core/run"
	"cadem/core/run/runtest"
	"cadem/core/study"
)

// ofCollection returns the order about a collection, and its files.
func ofCollection(t *testing.T, files []formats.File) (study.Order, *run.Files) {
	t.Helper()
	found, err := connectome.FindScans(files)
	if err != nil {
		t.Fatal(err)
	}
	specs, contents := run.InMemory(files[:len(files)-1]) // no task needs the table
	return study.Order{Study: "collection", Files: specs, Cohort: found.Scans, Options: map[string]any{"epochs": 20}}, contents
}

// invented names data of a reader's own in an order, where its study needs some.
func invented(t *testing.T, needs study.Need, o *study.Order) (files *run.Files) {
	t.Helper()
	switch needs {
	case study.NeedGraph:
		o.Files, files = run.InMemory(runtest.Friends())
	case study.NeedGraphs:
		var own study.Order
		own, files = ofCollection(t, runtest.Collection(t))
		o.Files, o.Cohort = own.Files, own.Cohort
	}
	return files
}

// Graphs of different sizes are told apart by which features their hubs have, with encoders of all graphs and of each, and
// not by their sizes.
func TestCollection(t *testing.T) {
	o, files := ofCollection(t, runtest.Collection(t))
	r := assembled(t, o, resultsOf(t, o, files))
	if text := strings.Join(r.Findings, "\n"); !strings.HasPrefix(text, "20 graphs of 2 classes; folds hold out whole ones of 10 groups. Chance is 0.500") {
		t.Errorf("findings %s", text)
	}
	for _, variant := range encoderVariants {
		if row := figureOf(r, t, "combined", variant); *row.Ours < 0.8 {
			t.Errorf("combined with %s scores %.3f", variant, *row.Ours)
		}
	}
	if row := figureOf(r, t, "size", ""); *row.Ours > 0.8 {
		t.Errorf("the sizes score %.3f", *row.Ours)
	}
	if n := len(r.Sheets[0].Lines); n != 21 || strings.Join(r.Sheets[0].Lines[0], " ") != "graph class nodes links of layer 1 links of layer 2" {
		t.Errorf("a sheet of %d lines, the first %q", n, r.Sheets[0].Lines[0])
	}
}

// What does not fit the other graphs, or is none, is named by its file.
func TestCollectionRefused(t *testing.T) {
	for want, change := range map[string]func(files []formats.File){
		"unlike/3.npz: features: found 8, expected 3, as in": func(files []formats.File) {
			files[13].Data = []byte("1 1 2\n1 2 3\n2 1 2\n2 3 4\n1 5 6\n2 7 8\n")
		},
		"alike/0.npz": func(files []formats.File) { files[0].Data = files[0].Data[:300] },
		"alike/1.npz: layers: found 3, expected 2": func(files []formats.File) {
			files[1].Data = []byte("1 1 2\n2 2 3\n3 1 3\n")
		},
	} {
		list := runtest.Collection(t)
		change(list)
		o, files := ofCollection(t, list)
		tasks, err := All().Plan(o)
		if err == nil {
			_, err = (&study.Scheduler{Files: files}).Run(tasks)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("found %v, want %s", err, want)
		}
	}
	o, _ := ofCollection(t, runtest.Collection(t))
	o.Study = "table5"
	if _, err := All().Plan(o); err == nil || !strings.Contains(err.Error(), "the experiment collection is about graphs") {
		t.Errorf("table5 takes graphs: %v", err)
	}
}
