package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/scripts/cadem/console"
	"cadem.example/scripts/parity"
)

// told records the progress that a study reports.
type told struct{ lines []string }

func (t *told) Tell(_, _ int, detail string) { t.lines = append(t.lines, detail) }
func (t *told) Had(int)                      {}

// Two tasks that are half done are not one that is done: what is said to be done is kept.
func TestOnlyWhatIsDoneCounts(t *testing.T) {
	var tasks []study.Task
	for seed := range uint64(2) {
		tasks = append(tasks, study.Task{Preset: "released", Data: run.DataSpec{Example: "syn1", Options: map[string]any{"nodes": 30}},
			Options: map[string]any{"epochs": 3, "inner_steps": 2, "hidden": 8}, ModelSeed: seed})
	}
	p, s, said, kept := &program{ctx: context.Background()}, &study.Scheduler{Workers: 2}, &told{}, 0
	p.follow(s, tasks, &resultFolder{}, said, func(*measure.Result, float64) error { kept++; return nil })
	tell := s.Progress
	s.Progress = func(done, total int) error {
		err := tell(done, total)
		var n, of int
		if _, failed := fmt.Sscanf(said.lines[len(said.lines)-1], "%d of %d tasks done", &n, &of); failed != nil || n != kept || of != 2 {
			t.Errorf("%q while %d were kept", said.lines[len(said.lines)-1], kept)
		}
		return err
	}
	if _, err := s.Run(tasks); err != nil || kept != 2 || len(said.lines) < 4 {
		t.Errorf("%d kept, %q, %v", kept, said.lines, err)
	}
}

// The content of a picture comes with -json as well: its points, and a figure of each.
func TestPicturesAsJSON(t *testing.T) {
	out, _, err := command(t, "study", "tsne", "-json", "-set", "epochs=1", "-set", "inner_steps=1", "-set", "hidden=4", "-set", "tsne_iterations=2")
	if err != nil {
		t.Fatal(err)
	}
	var found studyOutput
	if err := json.Unmarshal([]byte(out), &found); err != nil || len(found.Rows) != 4 || len(found.Charts) != 4 {
		t.Fatalf("%d rows, %d charts, %v", len(found.Rows), len(found.Charts), err)
	}
	points := 0
	for _, s := range found.Charts[0].Series {
		points += len(s.X)
	}
	if points != 90 || found.Rows[0].Ours == nil {
		t.Errorf("%d points, %+v", points, found.Rows[0])
	}
}

// The verdict is in the line of its case however long names are, and the reason of a failure follows below with its name.
func TestVerdictsStandBesideCases(t *testing.T) {
	r := &parity.Report{Cases: []parity.Case{
		{File: strings.Repeat("folder/", 8) + "a.json", Quantity: strings.Repeat("quantity ", 5), Precision: 64, Pass: true},
		{File: "b.json", Quantity: "gradient", Precision: 32, MaxDeviation: 1, Reason: "no such array"},
	}}
	text := parityText(r)
	for _, want := range []string{"a.json", "b.json"} {
		for line := range strings.Lines(text) {
			if strings.Contains(line, want) && !strings.HasPrefix(line, "pass") && !strings.HasPrefix(line, "FAIL") && !strings.Contains(line, "no such array") {
				t.Errorf("a case without its verdict: %q", line)
			}
		}
	}
	if !strings.Contains(text, "b.json, gradient, 32 bits: no such array") {
		t.Errorf("%s", text)
	}
	if n := strings.Count(text, "FAIL"); n == 0 || utf8.RuneCountInString(wide(text)) > console.Columns {
		t.Errorf("%d failures, or a wide line in\n%s", n, text)
	}
}
