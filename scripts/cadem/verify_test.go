package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem/core/run"
)

// handedIn makes the sheet of a student who has trained a small run.
func handedIn(t *testing.T, student string) map[string]any {
	t.Helper()
	r := run.Record{Data: run.DataSpec{Example: "town", Options: map[string]any{"nodes": 30}}, Preset: "released",
		Options: map[string]any{"epochs": 1, "hidden": 4, "dim": 4}, Evaluation: map[string]any{"kmeans_runs": 1}, ModelSeed: studentSeed(student)}
	hash, scores, err := retrain(&r)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"sheet": sheetVersion, "student": student,
		"found": []map[string]string{{"title": "What layers share", "sentence": "S tells it."}},
		"runs": []map[string]any{{"data": r.Data, "preset": r.Preset, "options": r.Options, "evaluation": r.Evaluation, "model_seed": r.ModelSeed,
			"hash": hash, "scores": scores}}}
}

// TestVerifyClass marks a class of 200. Twelve of them submit errors, each of another kind or in another place: exactly these are marked, and the table
// says why.
func TestVerifyClass(t *testing.T) {
	dir := t.TempDir()
	firstRun := func(s map[string]any) map[string]any { return s["runs"].([]map[string]any)[0] }
	changed := func(k int, s map[string]any) {
		list := firstRun(s)["scores"].([]claimed)
		v := *list[k].Value + 0.01
		list[k].Value = &v
	}
	wrong := map[int]struct {
		spoil func(s map[string]any)
		why   string
	}{
		3:   {func(s map[string]any) { firstRun(s)["hash"] = "0000000000000000" }, "fingerprint 0000000000000000, found"},
		17:  {func(s map[string]any) { changed(0, s) }, "found"},
		18:  {func(s map[string]any) { changed(2, s) }, "found"},
		40:  {func(s map[string]any) { s["student"] = "nobody" }, "expected"},
		41:  {func(s map[string]any) { s["student"] = "" }, "no student's number"},
		77:  {func(s map[string]any) { firstRun(s)["model_seed"] = 5 }, "that of the student's number"},
		101: {func(s map[string]any) { firstRun(s)["options"] = map[string]any{"epochs": 2, "hidden": 4, "dim": 4} }, "fingerprint"},
		102: {func(s map[string]any) { firstRun(s)["data"] = run.DataSpec{Example: "lost"} }, "lost"},
		150: {func(s map[string]any) { firstRun(s)["data"] = run.DataSpec{} }, "not about an example"},
		163: {func(s map[string]any) { s["runs"] = []map[string]any{} }, "it has no run"},
		164: {func(s map[string]any) { maps.Copy(s, handedIn(t, fmt.Sprintf("%07d", 4711*2))) }, "is that of sheet-002.json, too"},
		199: {func(s map[string]any) { s["sheet"] = 9 }, "no answer sheet of version 1"},
	}
	var names []string
	for i := range 200 {
		s := handedIn(t, fmt.Sprintf("%07d", 4711*i))
		if w, ok := wrong[i]; ok {
			w.spoil(s)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, filepath.Join(dir, fmt.Sprintf("sheet-%03d.json", i)))
		if err := os.WriteFile(names[i], text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, _, err := command(t, append([]string{"verify"}, names...)...)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) != 201 || !slices.Equal(rows[0], []string{"sheet", "student", "findings", "runs", "mark", "why"}) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1:] {
		w, bad := wrong[i]
		if mark := row[4]; (mark == "wrong") != bad || !strings.Contains(row[5], w.why) || bad == (row[5] == "") {
			t.Errorf("sheet %d is marked %q, expected wrong: %t, %q", i, row[4:], bad, w.why)
		}
	}
}

// TestVerifyRefuses says what is no sheet at all, and goes on with the others.
func TestVerifyRefuses(t *testing.T) {
	if _, _, err := command(t, "verify"); err == nil || !strings.Contains(err.Error(), "expected at least one file") {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, err := command(t, "verify", file, filepath.Join(t.TempDir(), "none.json"))
	if err != nil || strings.Count(out, "wrong") != 2 || !strings.Contains(out, "no such file") {
		t.Errorf("%q, %v", out, err)
	}
}

// TestStudentSeeds has the seeds that the page computes, as www/lessons/found.test.mjs has them.
func TestStudentSeeds(t *testing.T) {
	for number, want := range map[string]uint64{"0000000": 661784, "4711": 162419, "A-12": 667645} {
		if got := studentSeed(number); got != want {
			t.Errorf("%s has the seed %d, expected %d", number, got, want)
		}
	}
}
