package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"cadem.example/core/formats/archive"
)

// An interruption is a context that ends when it has been looked at so often.
type interruption struct {
	context.Context
	left atomic.Int64
}

func (c *interruption) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// interruptedCommand runs the program and interrupts it at a look.
func interruptedCommand(t *testing.T, looks int64, args ...string) (stdout, stderr string) {
	t.Helper()
	ctx := &interruption{Context: t.Context()}
	ctx.left.Store(looks)
	var out, log bytes.Buffer
	err := execute(ctx, args, &out, &log)
	if !errors.Is(err, errInterrupted) || status(err, &log) != 130 || out.Len() > 0 {
		t.Fatalf("%v: %v, printed %q, said %q", args, err, &out, &log)
	}
	return out.String(), log.String()
}

// advice returns the arguments of the line that says how to go on.
func advice(t *testing.T, log string) []string {
	t.Helper()
	_, line, ok := strings.Cut(log, "To continue:\n  cadem ")
	if !ok {
		t.Fatalf("no advice in %q", log)
	}
	return strings.Fields(line)
}

func blobsOf(t *testing.T, name string) map[string][]byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	a, err := archive.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return a.Blobs
}

// A training that is interrupted once or twice, also while it scores, ends with the bits and
// scores of one that is not.
func TestInterruptedTrainingGoesOn(t *testing.T) {
	files := matrices(t)
	for name, data := range map[string][]string{
		"example":   {"-data", "syn1", "-set", "nodes=40", "-seed", "5", "-data-seed", "2", "-cv-seed", "3"},
		"published": {"-data", "syn1:published"},
		"double":    {"-data", "syn1", "-precision", "64"},
		"files":     {"-data", files, "-layers", "ring,pairs", "-features", "feature", "-labels", "label", "-set", "dim=2", "-set", "heads=1", "-set", "folds=2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			args := append([]string{"train", "-json", "-set", "epochs=2", "-set", "hidden=8", "-set", "eval_epochs=3"}, data...)
			out, _, err := command(t, append(args, "-out", "whole.zip")...)
			if err != nil {
				t.Fatal(err)
			}
			when := [][]int64{{3}, {0, 4}}
			if name != "files" { // whose scores are not long enough to be interrupted
				when = append(when, []int64{int64(stepsOf(t, out))})
			}
			for _, looks := range when {
				_, log := interruptedCommand(t, looks[0], args...)
				next := advice(t, log)
				if len(next) != 4 || next[0] != "train" || next[1] != "-resume" || next[3] != "-json" {
					t.Fatalf("advice %q", next)
				}
				for _, n := range looks[1:] {
					_, log = interruptedCommand(t, n, next...)
					if again := advice(t, log); !slices.Equal(again, next) {
						t.Errorf("advice %q, then %q", next, again)
					}
				}
				resumed, log, err := command(t, next...)
				if err != nil {
					t.Fatalf("%v, %q", err, log)
				}
				if a, b := comparable(resumed), comparable(out); a != b {
					t.Errorf("interrupted at %v it ends with\n%s\notherwise with\n%s", looks, a, b)
				}
				whole, part := blobsOf(t, "whole.zip"), blobsOf(t, next[2])
				for name, blob := range whole {
					if !bytes.Equal(blob, part[name]) {
						t.Errorf("interrupted at %v %s differs", looks, name)
					}
				}
				if err := os.Remove(next[2]); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func stepsOf(t *testing.T, out string) int {
	t.Helper()
	var o output
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatal(err)
	}
	return o.Steps
}

// comparable is the output of a training without the time it took.
func comparable(out string) string {
	return regexp.MustCompile(`"data":"[^"]*"|"seconds":[^,]*`).ReplaceAllString(out, "")
}

// Where -out names a file, the run is kept there; where it cannot be written, that is said.
func TestInterruptedTrainingKeepsItsFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a run.zip")
	_, log := interruptedCommand(t, 3, "train", "-data", "syn1", "-out", file, "-embeddings", dir+"/e.csv")
	if want := "-resume '" + file + "' -embeddings " + dir + "/e.csv\n"; !strings.Contains(log, "interrupted after step 4 of 2100; the run is kept in "+file) ||
		!strings.HasSuffix(log, want) {
		t.Errorf("said %q", log)
	}
	long := dir + "/" + strings.Repeat("x", 300) + ".zip" // which no file system takes
	if _, log = interruptedCommand(t, 3, "train", "-data", "syn1", "-out", long); !strings.Contains(log, "the run could not be kept") {
		t.Errorf("said %q", log)
	}
}

// A run file that is none, or is damaged, is reported as such.
func TestResumeOfSomethingElse(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "run.zip")
	if _, _, err := command(t, "train", "-data", "syn1", "-set", "epochs=1", "-set", "eval_epochs=1", "-out", file); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{file: "run.zip: ", matrices(t): "an archive without run.json", filepath.Join(dir, "none.zip"): "no such file"} {
		if _, _, err := command(t, "train", "-resume", name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected one that says %q", name, err, want)
		}
	}
}

// Finished tasks of an interrupted study are not repeated, with -cache and without.
func TestInterruptedStudyGoesOn(t *testing.T) {
	for _, more := range [][]string{nil, {"-cache", "kept"}} {
		t.Chdir(t.TempDir())
		usual := []string{"study", "ablation", "-seeds", "1", "-workers", "1",
			"-set", "nodes=30", "-set", "epochs=2", "-set", "inner_steps=2", "-set", "eval_epochs=3"}
		args := slices.Concat(usual, more)
		out, _, err := command(t, slices.Concat(usual, []string{"-cache", "whole"})...)
		if err != nil {
			t.Fatal(err)
		}
		all, err := filepath.Glob("whole/*.json")
		if err != nil || len(all) != 4 {
			t.Fatal(all, err)
		}
		// Look for an interruption between two tasks: each is looked at some ten times.
		var log string
		for looks := int64(10); ; looks += 10 {
			if _, log = interruptedCommand(t, looks, args...); strings.Contains(log, "2 of 4 tasks are done") {
				break
			}
			if strings.Contains(log, "kept in") {
				if err := os.RemoveAll(advice(t, log)[len(advice(t, log))-1]); err != nil {
					t.Fatal(err)
				}
			}
		}
		next := advice(t, log)
		folder := next[len(next)-1]
		first, err := filepath.Glob(folder + "/*.json")
		if err != nil || len(first) != 2 {
			t.Fatal(first, err)
		}
		var before []os.FileInfo
		for _, name := range first {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			before = append(before, info)
		}
		resumed, _, err := command(t, next...)
		if err != nil || resumed != out {
			t.Errorf("%v: resumed it prints\n%s\nwhole\n%s", err, resumed, out)
		}
		for k, name := range first {
			if info, err := os.Stat(name); err != nil || !os.SameFile(info, before[k]) {
				t.Errorf("%s was computed again: %v", name, err)
			}
		}
	}
}

// Results that were put aside for later tasks are kept whole when a study of a cohort is interrupted, and go with it.
func TestInterruptedCohortGoesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	args := []string{"study", "table5", "-set", "subjects=6", "-set", "regions=60", "-set", "frames=60", "-set", "epochs=2", "-set", "eval_epochs=3",
		"-workers", "1"}
	out, _, err := command(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	var log string
	for looks := int64(10); !strings.Contains(log, "3 of 8 tasks are done"); looks += 2 {
		if _, log = interruptedCommand(t, looks, args...); strings.Contains(log, "kept in") && !strings.Contains(log, "3 of 8 tasks are done") {
			if err := os.RemoveAll(advice(t, log)[len(advice(t, log))-1]); err != nil {
				t.Fatal(err)
			}
		}
		if looks > 1000 {
			t.Fatal(log)
		}
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	if resumed, _, err := command(t, advice(t, log)...); err != nil || resumed != out {
		t.Errorf("%v: resumed it prints\n%s\nwhole\n%s", err, resumed, out)
	}
}

// Interrupted before there is anything to keep, while inputs are trimmed and split, it says that.
func TestInterruptedPreparation(t *testing.T) {
	if _, log := interruptedCommand(t, 0, "train", "-data", "syn1", "-preset", "refined"); !strings.Contains(log, "interrupted while the data were prepared\n") {
		t.Errorf("said %q", log)
	}
}

// Finished parts of a preparation are kept, and the same command goes on with them to the same bits. A file that is damaged, or of another
// preparation, is said to be one and not read.
func TestInterruptedPreparationGoesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"train", "-json", "-data", "sparsetown", "-set", "nodes=150", "-preset", "evidence", "-set", "epochs=2", "-score", "none"}
	out, _, err := command(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	_, log := interruptedCommand(t, 40, args...)
	if next := advice(t, log); !slices.Equal(next, args) || !strings.Contains(log, "Finished parts are in cadem-") {
		t.Fatalf("advice %q", next)
	}
	files, err := filepath.Glob("*")
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	file := files[0]
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, log = interruptedCommand(t, 20, args...) // with less than the first time, had it begun anew
	if more, err := os.ReadFile(file); err != nil || len(more) <= len(kept) || strings.Contains(log, "cannot be used") {
		t.Errorf("of %d bytes %d are left: %v, %q", len(kept), len(more), err, log)
	}
	again := func(content []byte, damaged bool) {
		t.Helper()
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		resumed, log, err := command(t, args...)
		if err != nil || comparable(resumed) != comparable(out) || strings.Contains(log, "cannot be used") != damaged {
			t.Errorf("%v: it ends with %s, expected %s, and says %q", err, resumed, out, log)
		}
		if left, err := filepath.Glob("*"); err != nil || len(left) > 0 {
			t.Errorf("left over: %v, %v", left, err)
		}
	}
	again(kept, false)
	changed := bytes.Clone(kept)
	changed[len(changed)/2] ^= 1
	again(changed, true)
	again(kept[:len(kept)/2], true)
	again(nil, true)
	_, log = interruptedCommand(t, 40, append(args, "-seed", "2")...)
	if files, err = filepath.Glob("*"); err != nil || len(files) != 1 || files[0] == file {
		t.Fatal(files, err)
	}
	if other, err := os.ReadFile(files[0]); err != nil || os.Remove(files[0]) != nil {
		t.Error(err)
	} else {
		again(other, true)
	}
}
