package experiments

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/brain/braintest"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/run/runtest"
	"cadem.example/core/lab/study"
)

// Tasks on the same files read them once, and those on others do not take them for theirs.
func TestFilesAreReadOnce(t *testing.T) {
	specs, files := run.InMemory(runtest.Friends())
	reads, read := 0, files.Read
	files.Read = func(f run.FileSpec) ([]byte, error) {
		reads++
		return read(f)
	}
	task := study.Task{Data: run.DataSpec{Files: specs}, Preset: "released", Options: map[string]any{"epochs": 2, "hidden": 4}}
	var hash [2]string
	for seed := range hash {
		task.ModelSeed = uint64(seed)
		r, err := task.Run(files, nil)
		if err != nil {
			t.Fatal(err)
		}
		if hash[seed] = r.Hash; r.Summary == nil || r.Summary.Nodes != 8 || r.Summary.Paper != "" {
			t.Errorf("summary %+v", r.Summary)
		}
	}
	if hash[0] == hash[1] || reads != len(specs) {
		t.Errorf("hashes %q, %d files read", hash, reads)
	}
	// The same name and size, but another link.
	other, same := runtest.Friends(), task
	other[0].Data = bytes.Replace(other[0].Data, []byte("work,h,d"), []byte("work,h,c"), 1)
	task.Data.Files, files = run.InMemory(other)
	if task.Data.Files[0].Size != specs[0].Size || task.Key() == same.Key() {
		t.Errorf("%+v and %+v have one key", task.Data.Files, specs)
	}
	r, err := task.Run(files, nil)
	if err != nil || r.Hash == hash[1] {
		t.Errorf("other contents give the same: %v, %v", r, err)
	}
}

func TestFilesThatAreGone(t *testing.T) {
	specs, _ := run.InMemory(runtest.Friends())
	task := study.Task{Data: run.DataSpec{Files: specs}, Preset: "released"}
	if _, err := task.Run(nil, nil); err == nil || !strings.Contains(err.Error(), "friends.edges") {
		t.Errorf("without contents: %v", err)
	}
	gone := errors.New("gone")
	if _, err := task.Run(&run.Files{Read: func(run.FileSpec) ([]byte, error) { return nil, gone }}, nil); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
}

func TestTable6OnSmallFiles(t *testing.T) {
	specs, files := run.InMemory(runtest.Friends())
	o := study.Order{Study: "table6", Seeds: 2, Files: specs, Options: map[string]any{"epochs": 3, "hidden": 4, "eval_epochs": 3, "folds": 2}}
	_, _, reports := reported(t, o, files)
	complete(t, reports[0])
	bothReaders(t, reports[0])
	for _, row := range reports[0].Rows {
		if probe := row.Method == "propagated features" || row.Level != ""; row.Ours != nil && probe == (row.Standardised != nil) || probe && row.Probe == nil {
			t.Errorf("%+v", row)
		}
	}
}

// bothReaders demands of every figure of a classifier what the paper's reader and a well-fitted one find, and a word where these are apart.
func bothReaders(t *testing.T, r *study.Report) {
	t.Helper()
	n := map[string]int{} // by embedding
	for _, row := range r.Rows {
		if m := evaluate.MetricOf(row.Metric); row.Ours == nil || m == nil || m.From != evaluate.Classifier {
			continue
		}
		if n[row.Embedding]++; row.Fitted == nil {
			t.Errorf("one reader: %+v", row)
		} else if apart := math.Abs(*row.Fitted-*row.Ours) > .1; apart != (row.Word != "") {
			t.Errorf("%.3f by the paper's reader, %.3f by the well-fitted one, and the word %q", *row.Ours, *row.Fitted, row.Word)
		}
	}
	if n["combined"] < 2 || n["common"] < 2 {
		t.Errorf("rows by embedding: %v", n)
	}
}

// Data without labels are refused before any training.
func TestTable6WithoutLabels(t *testing.T) {
	specs, files := run.InMemory(runtest.Friends()[:1])
	tasks, err := All().Plan(study.Order{Study: "table6", Files: specs})
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	_, err = tasks[0].Run(files, func(_, _ int) error { steps++; return nil })
	var e *diag.Error
	if !errors.As(err, &e) || e.Where != "labels" || steps > 0 {
		t.Errorf("after %d steps: %v", steps, err)
	}
}

// A task with options of a brain is about another graph than without.
func TestFilesOfASubjectHaveOptions(t *testing.T) {
	series, regions, _ := braintest.Subject(t)
	specs, contents := run.InMemory([]formats.File{series, regions})
	task := study.Task{Data: run.DataSpec{Files: specs}, Preset: "released", Options: map[string]any{"epochs": 1}}
	plain, err := task.Run(contents, nil)
	if err != nil {
		t.Fatal(err)
	}
	key := task.Key()
	task.Data.Options = map[string]any{"tr": 0.72, "keep": 5.0, "crop": 80.0}
	changed, err := task.Run(contents, nil)
	if err != nil || changed.Hash == plain.Hash || task.Key() == key {
		t.Errorf("%v, hashes %s and %s", err, plain.Hash, changed.Hash)
	}
}
