package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

const storedFiles = "../../testdata/stored"

// storedExpectation is the entry in expected.json on the files beside it.
type storedExpectation struct {
	Runs, Methods map[string]struct {
		Steps    int
		PausedAt int `json:"paused_at"`
		Hash     string
	}
	Study struct {
		Args []string
		Rows []map[string]any
	}
}

func expectStored(t *testing.T) *storedExpectation {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(storedFiles, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	e := &storedExpectation{}
	if err := json.Unmarshal(data, e); err != nil {
		t.Fatal(err)
	}
	return e
}

// A run file of an earlier version goes on to the hash it had then, and so does what is written of it.
func TestStoredRunsGoOn(t *testing.T) {
	e := expectStored(t)
	runs := e.Runs
	maps.Copy(runs, e.Methods)
	if len(runs) != 10 {
		t.Fatalf("%d runs, expected 10", len(runs))
	}
	for name, want := range runs {
		t.Run(name, func(t *testing.T) {
			again := filepath.Join(t.TempDir(), "again.zip")
			for _, file := range []string{filepath.Join(storedFiles, name), again} {
				out, _, err := command(t, "train", "-json", "-resume", file, "-out", again)
				if err != nil {
					t.Fatal(err)
				}
				var o output
				if err := json.Unmarshal([]byte(out), &o); err != nil {
					t.Fatal(err)
				}
				if o.Hash != want.Hash || o.Steps != want.Steps || len(o.Scores) == 0 {
					t.Errorf("%s: hash %s after %d steps with %d scores, expected %s after %d", file, o.Hash, o.Steps, len(o.Scores), want.Hash, want.Steps)
				}
			}
		})
	}
}

// The results of an earlier version are found in its folder: nothing is computed again, and no figure changes.
func TestStoredStudyIsNotRunAgain(t *testing.T) {
	e := expectStored(t)
	cache := t.TempDir()
	if err := os.CopyFS(cache, os.DirFS(filepath.Join(storedFiles, "cache"))); err != nil {
		t.Fatal(err)
	}
	before := filesIn(t, cache)
	out, _, err := command(t, append(e.Study.Args, "-cache", cache)...)
	if err != nil {
		t.Fatal(err)
	}
	after := filesIn(t, cache)
	if len(before) != 4 || len(after) != len(before) {
		t.Errorf("%d results were stored, now there are %d", len(before), len(after))
	}
	for name, info := range before {
		if !os.SameFile(info, after[name]) {
			t.Errorf("%s was computed again", name)
		}
	}
	var got struct{ Rows []map[string]any }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != len(e.Study.Rows) {
		t.Fatalf("%d rows, expected %d", len(got.Rows), len(e.Study.Rows))
	}
	for i, row := range e.Study.Rows {
		for field, want := range row {
			if !reflect.DeepEqual(got.Rows[i][field], want) {
				t.Errorf("row %d: %s is %v, expected %v", i, field, got.Rows[i][field], want)
			}
		}
	}
}

func filesIn(t *testing.T, dir string) map[string]os.FileInfo {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]os.FileInfo{}
	for _, e := range entries {
		if files[e.Name()], err = e.Info(); err != nil {
			t.Fatal(err)
		}
	}
	return files
}
