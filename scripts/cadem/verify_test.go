package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/lab/run"
)

// handedIn makes the sheet of a student who has trained a small run.
func handedIn(t *testing.T, student string) map[string]any {
	t.Helper()
	r := run.Record{Data: run.DataSpec{Example: "town", Options: map[string]any{"nodes": 30}}, Preset: "released",
		Options: map[string]any{"epochs": 1, "hidden": 4, "dim": 4}, Evaluation: map[string]any{"kmeans_runs": 1}, ModelSeed: studentSeed(student)}
	got := (&marker{known: map[string]*marked{}}).train(&sheetRun{Record: r})
	if got.err != nil {
		t.Fatal(got.err)
	}
	best := 0.0
	for _, s := range got.scores {
		best = max(best, *s.Value)
	}
	return map[string]any{"sheet": sheetVersion, "student": student,
		"found": []map[string]string{{"title": "What layers share", "sentence": fmt.Sprintf("So the best score is %.2f.", best)}},
		"runs": []map[string]any{{"data": r.Data, "preset": r.Preset, "options": r.Options, "evaluation": r.Evaluation, "model_seed": r.ModelSeed,
			"hash": got.hash, "scores": got.scores}}}
}

// sheetOf writes a sheet to a file.
func sheetOf(t *testing.T, name string, sheet map[string]any) {
	t.Helper()
	text, err := json.Marshal(sheet)
	if err == nil {
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// marksOf has sheets marked and returns the rows of the table below its titles.
func marksOf(t *testing.T, names ...string) [][]string {
	t.Helper()
	out, _, err := command(t, append([]string{"verify"}, names...)...)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	titles := []string{"sheet", "student", "findings", "runs", "mark", "why", "sheets of this number", "in the student's own words"}
	if err != nil || len(rows) != len(names)+1 || !slices.Equal(rows[0], titles) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	return rows[1:]
}

// TestVerifyClass marks a class of 60, or of 200 where CADEM_LONG is set. Eleven of them submit errors, each of another kind or in another
// place: exactly these are marked, and the table says why.
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
		3:  {func(s map[string]any) { firstRun(s)["hash"] = "0000000000000000" }, "fingerprint 0000000000000000, found"},
		17: {func(s map[string]any) { changed(0, s) }, "found"},
		18: {func(s map[string]any) { changed(2, s) }, "found"},
		40: {func(s map[string]any) { s["student"] = "nobody" }, "expected"},
		41: {func(s map[string]any) { s["student"] = "" }, "no student's number"},
		44: {func(s map[string]any) { firstRun(s)["model_seed"] = 5 }, "that of the student's number"},
		45: {func(s map[string]any) { firstRun(s)["options"] = map[string]any{"epochs": 2, "hidden": 4, "dim": 4} }, "fingerprint"},
		46: {func(s map[string]any) { firstRun(s)["data"] = run.DataSpec{Example: "lost"} }, "lost"},
		50: {func(s map[string]any) { firstRun(s)["data"] = run.DataSpec{} }, "not about an example"},
		55: {func(s map[string]any) { s["runs"] = []map[string]any{} }, "it has no run"},
		59: {func(s map[string]any) { s["sheet"] = 9 }, "no answer sheet of version 1"},
	}
	var names []string
	class := 60
	if os.Getenv("CADEM_LONG") != "" {
		class = 200
	}
	for i := range class {
		s := handedIn(t, fmt.Sprintf("%07d", 4711*i))
		if w, ok := wrong[i]; ok {
			w.spoil(s)
		}
		names = append(names, filepath.Join(dir, fmt.Sprintf("sheet-%03d.json", i)))
		sheetOf(t, names[i], s)
	}
	for i, row := range marksOf(t, names...) {
		w, bad := wrong[i]
		if mark := row[4]; (mark == "wrong") != bad || mark != "wrong" && mark != "runs right" || !strings.Contains(row[5], w.why) || bad == (row[5] == "") {
			t.Errorf("sheet %d is marked %q, expected wrong: %t, %q", i, row[4:], bad, w.why)
		}
	}
}

// What a student says is never marked right: invented and emptied findings and scores are wrong, or stand in the student's own words.
func TestVerifyFindings(t *testing.T) {
	dir := t.TempDir()
	found := func(s map[string]any, text string) {
		s["found"] = []map[string]string{{"title": "What layers share", "sentence": text}}
	}
	run := func(s map[string]any) map[string]any { return s["runs"].([]map[string]any)[0] }
	cases := []struct {
		spoil func(s map[string]any)
		why   string // "": the runs are right
		words string
	}{
		{func(s map[string]any) {}, "", "What layers share: So the best score is "},
		{func(s map[string]any) { found(s, "All of it is private.") }, "", "What layers share: All of it is private."},
		{func(s map[string]any) { found(s, "The score is less than 0.01 in 97 % of 3 runs.") }, "", "97 %"},
		{func(s map[string]any) { found(s, "S matches at 7.77.") }, "finding 1: no run has the number 7.77", "7.77"},
		{func(s map[string]any) { found(s, " ") }, "finding 1: it says nothing", ""},
		{func(s map[string]any) { s["found"] = nil }, "it has no finding", ""},
		{func(s map[string]any) { run(s)["scores"] = nil }, "run 1: 0 scores, found", ""},
		{func(s map[string]any) { run(s)["scores"] = run(s)["scores"].([]claimed)[1:] }, "scores, found", ""},
		{func(s map[string]any) { run(s)["scores"].([]claimed)[0].Value = nil }, "is empty, found", ""},
		{func(s map[string]any) {
			run(s)["scores"] = append(run(s)["scores"].([]claimed), claimed{Embedding: "x"})
		}, "no score", ""},
		{func(s map[string]any) { run(s)["evaluation"] = map[string]any{"score": "none"}; run(s)["scores"] = nil }, "wrong", ""},
	}
	var names []string
	for i, c := range cases {
		s := handedIn(t, "4711")
		c.spoil(s)
		names = append(names, filepath.Join(dir, fmt.Sprint(i, ".json")))
		sheetOf(t, names[i], s)
	}
	for i, row := range marksOf(t, names...) {
		c := cases[i]
		if c.why == "wrong" {
			c.why = ""
			if row[4] != "wrong" {
				t.Errorf("sheet %d: %q", i, row)
			}
		} else if right := c.why == ""; (row[4] == "runs right") != right {
			t.Errorf("sheet %d is marked %q", i, row[4:])
		}
		if !strings.Contains(row[5], c.why) || !strings.Contains(row[7], c.words) || strings.Contains(row[4], "right") && row[4] != "runs right" {
			t.Errorf("sheet %d is marked %q, expected %q and %q", i, row[4:], c.why, c.words)
		}
	}
}

// A forged sheet with the number of somebody else leaves the mark of the honest one, whichever comes first, and both are named.
func TestVerifyTwoOfOneNumber(t *testing.T) {
	t.Chdir(t.TempDir())
	forged := handedIn(t, "4711")
	forged["runs"].([]map[string]any)[0]["hash"] = "0000000000000000"
	sheetOf(t, "forged.json", forged)
	sheetOf(t, "honest.json", handedIn(t, "4711"))
	sheetOf(t, "other.json", handedIn(t, "4712"))
	for _, names := range [][]string{{"forged.json", "other.json", "honest.json"}, {"honest.json", "other.json", "forged.json"}} {
		for i, row := range marksOf(t, names...) {
			mark, both := "runs right", names[0]+", "+names[2]
			switch names[i] {
			case "forged.json":
				mark = "wrong"
			case "other.json":
				both = ""
			}
			if row[4] != mark || row[6] != both {
				t.Errorf("%s is marked %q", names[i], row)
			}
		}
	}
}

// A sheet cannot make more work than the exercises do, and it does not keep the others from being marked.
func TestVerifyIsBounded(t *testing.T) {
	t.Chdir(t.TempDir())
	sheetOf(t, "last.json", handedIn(t, "4711"))
	var names []string
	for i, change := range []map[string]any{
		{"options": map[string]any{"epochs": 1000000}}, {"options": map[string]any{"inner_steps": 100, "hidden": 200, "dim": 64}},
		{"evaluation": map[string]any{"kmeans_runs": 1000}}, {"evaluation": map[string]any{"eval_epochs": 10000}},
		{"data": run.DataSpec{Example: "town", Options: map[string]any{"nodes": 1000}}},
		{"data": run.DataSpec{Example: "syn2", Options: map[string]any{"nodes": 5000}}},
		{"method": "deepwalk", "level": "official"},
	} {
		s := handedIn(t, "4711")
		for k, v := range change {
			s["runs"].([]map[string]any)[0][k] = v
		}
		names = append(names, fmt.Sprint(i, ".json"))
		sheetOf(t, names[i], s)
	}
	many := handedIn(t, "4711")
	many["runs"] = slices.Repeat(many["runs"].([]map[string]any), mostRuns+1)
	sheetOf(t, "many.json", many)
	rows := marksOf(t, append(names, "many.json", "last.json")...)
	for i, row := range rows {
		if (row[4] == "wrong") != (i < len(rows)-1) || i < len(names)-1 && !strings.Contains(row[5], "too much") && !strings.Contains(row[5], "expected") {
			t.Errorf("%q", row)
		}
	}
}

// Lessons stay within what a sheet may ask for: eight numbers a person, on every example that they train.
func TestVerifyTakesLessons(t *testing.T) {
	for _, r := range []run.Record{
		{Data: run.DataSpec{Example: "town"}, Preset: "released", Options: map[string]any{"dim": 8, "weight_causal": 50, "pairing": "own"}},
		{Data: run.DataSpec{Example: "town", Options: map[string]any{"gamma": 0}}, Preset: "refined"},
		{Data: run.DataSpec{Example: "syn2"}, Preset: "released"}, {Data: run.DataSpec{Example: "syn1"}, Preset: "refined"},
	} {
		if _, _, err := usualWork(&r); err != nil {
			t.Errorf("%+v: %v", r.Data, err)
		}
	}
}

// Marks that are known stand in the table when the rest is interrupted.
func TestInterruptedMarks(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 3 {
		sheetOf(t, fmt.Sprint(i, ".json"), handedIn(t, fmt.Sprint(i)))
	}
	for looks := int64(0); ; looks++ {
		ctx := &interruption{Context: t.Context()}
		ctx.left.Store(looks)
		var out, log bytes.Buffer
		err := execute(ctx, []string{"verify", "0.json", "1.json", "2.json"}, &out, &log)
		if err == nil {
			t.Fatal("no moment between two marks")
		}
		if status(err, &log) != 130 {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "runs right"); n == 2 {
			break
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

// TestStudentSeeds has the seeds that the page computes, as www/exercises/found.test.mjs has them.
func TestStudentSeeds(t *testing.T) {
	for number, want := range map[string]uint64{"0000000": 661784, "4711": 162419, "A-12": 667645} {
		if got := studentSeed(number); got != want {
			t.Errorf("%s has the seed %d, expected %d", number, got, want)
		}
	}
}
