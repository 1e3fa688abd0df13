package study

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"cadem.example/core/brain/measures"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
)

// A training that is stopped anywhere, even while it is scored, continues to the same result.
func TestStoppedTaskGoesOn(t *testing.T) {
	task := small()
	task.Measure = append(task.Measure, measure.Spec{Kind: measure.Losses})
	want, err := task.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	for _, at := range []int{10, 250, 499, 500, 600} {
		var left *Left
		s := &Scheduler{Workers: 1, Leave: func(key string, l *Left) {
			text, err := json.Marshal(l)
			if err != nil || key != task.Key() || json.Unmarshal(text, &left) != nil {
				t.Error(key, err)
			}
		}, Progress: func(done, _ int) error {
			if done >= at {
				return stop
			}
			return nil
		}}
		if results, err := s.Run([]Task{task}); err != stop || len(results) > 0 {
			t.Fatalf("at %d: %d results, %v", at, len(results), err)
		}
		if left == nil {
			t.Fatalf("at %d nothing is left", at)
		}
		for name, from := range map[string]*Left{"as it was left": left, "cut off": {Losses: left.Losses, Checkpoint: left.Checkpoint[:100]},
			"of other steps": {Checkpoint: left.Checkpoint}} {
			steps := 0
			s := &Scheduler{Workers: 1, Left: func(string) *Left { return from }, Leave: func(string, *Left) { t.Error("it was not stopped") },
				Progress: func(int, int) error { steps++; return nil }}
			results, err := s.Run([]Task{task})
			if err != nil || !reflect.DeepEqual(results[task.Key()], want) {
				t.Errorf("at %d, %s: %v\n%+v\n%+v", at, name, err, results[task.Key()], want)
			}
		}
	}
}

// The reason of a failed task is reported, and the others run anyway.
func TestSchedulerGoesOnAfterAFailure(t *testing.T) {
	bad, other, needy := small(), small(), small()
	bad.Options = map[string]any{"epochs": 0}
	other.ModelSeed = 9
	needy.Needs = []string{bad.Key()}
	var failed []string
	var now atomic.Int64
	var took []float64
	clock := func() float64 { return float64(now.Add(1)) }
	s := &Scheduler{Workers: 2, Clock: clock, Failed: func(t *Task, err error) error { failed = append(failed, err.Error()); return nil },
		Finished: func(_ *measure.Result, d float64) error { took = append(took, d); return nil }}
	results, err := s.Run([]Task{bad, other, needy})
	if err != nil || len(failed) != 1 || len(results) != 1 || results[other.Key()] == nil || len(took) != 1 || took[0] <= 0 {
		t.Errorf("%v, %q, %d results, %v", err, failed, len(results), took)
	}
}

// A lean run keeps no result, and gives tasks what they need from where it is stored.
func TestLeanRun(t *testing.T) {
	first, needy := small(), small()
	first.Data = run.DataSpec{Example: "syn4", Options: map[string]any{"nodes": 30, "sample": 0}}
	first.Options, first.Measure = map[string]any{"epochs": 1}, []measure.Spec{{Kind: measure.Pool}}
	needy.Data, needy.Options, needy.Measure = run.DataSpec{Example: "syn4"}, nil, []measure.Spec{{Kind: measure.TSNE}}
	var tasks []Task
	for k := range 6 {
		one := first
		one.ModelSeed = uint64(k)
		tasks, needy.Needs = append(tasks, one), append(needy.Needs, one.Key())
	}
	tasks = append(tasks, needy)
	want, err := (&Scheduler{}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	stored := Results{}
	lost := ""
	s := &Scheduler{Workers: 2, Lean: true, Finished: func(r *measure.Result, _ float64) error { stored[r.Key] = r; return nil },
		Stored: func(key string) *measure.Result {
			if key == lost {
				return nil
			}
			return stored[key]
		}}
	if kept, err := s.Run(tasks); err != nil || len(kept) > 0 || !reflect.DeepEqual(stored, want) {
		t.Errorf("%v, %d kept, %d stored", err, len(kept), len(stored))
	}
	delete(stored, needy.Key())
	lost = needy.Needs[3]
	if _, err := s.Run(tasks); err == nil || !strings.Contains(err.Error(), lost+", was there and is lost") {
		t.Errorf("%v", err)
	}
}

// A task that is stopped while it prepares scans leaves no part of a result.
func TestStoppedPreparation(t *testing.T) {
	task := Task{Name: "graphs", Data: run.DataSpec{Example: run.CohortData, Options: map[string]any{"subjects": 2, "regions": 60, "frames": 80},
		Scans: make([]run.Scan, 2)}, Preset: "released", Measure: []measure.Spec{{Kind: measures.Scans}}}
	stop := errors.New("stop")
	results, err := (&Scheduler{Workers: 1, Progress: func(int, int) error { return stop }}).Run([]Task{task})
	if !errors.Is(err, stop) || len(results) != 0 {
		t.Errorf("%v, %d results", err, len(results))
	}
	task.Measure[0].Kind = measure.Scores
	if _, err := task.Run(nil, nil); err == nil || !strings.Contains(err.Error(), "expected one of scans, contrast, retest, weights, collection") {
		t.Errorf("scans that are prepared by another measure: %v", err)
	}
}

// So does one on results of other tasks, wherever it is stopped: what was trained is not trained again.
func TestStoppedCohortGoesOn(t *testing.T) {
	first := Task{Name: "graphs", Data: run.DataSpec{Example: run.CohortData, Options: map[string]any{"subjects": 2, "regions": 60, "frames": 80}},
		Preset: "released", Measure: []measure.Spec{{Kind: measures.Scans}}}
	for k := range 6 {
		first.Data.Scans = append(first.Data.Scans, run.Scan{Name: "a scan", Class: k % 3, Group: k / 3, Subject: k / 3, Condition: k % 3})
	}
	shared := Task{Name: "shared", Data: run.DataSpec{Example: run.CohortData}, Preset: "released", Options: map[string]any{"epochs": 20},
		Measure: []measure.Spec{{Kind: measure.Shared}}, Needs: []string{first.Key()}}
	tasks := []Task{first, shared}
	steps := 0
	want, err := (&Scheduler{Workers: 1, Progress: func(int, int) error { steps++; return nil }}).Run(tasks)
	if err != nil || want[shared.Key()].Steps != 100 {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	for _, at := range []int{1100, 1500, 1990} {
		var left *Left
		s := &Scheduler{Workers: 1, Leave: func(key string, l *Left) {
			text, err := json.Marshal(l)
			if err != nil || key != shared.Key() || json.Unmarshal(text, &left) != nil {
				t.Error(key, err)
			}
		}, Progress: func(done, _ int) error {
			if done >= at {
				return stop
			}
			return nil
		}}
		if results, err := s.Run(tasks); err != stop || len(results) != 1 || left == nil {
			t.Fatalf("at %d: %d results, %v, left %v", at, len(results), err, left)
		}
		for name, from := range map[string]*Left{"as it was left": left, "cut off": {Checkpoint: left.Checkpoint[:100]}} {
			again := 0
			s := &Scheduler{Workers: 1, Left: func(key string) *Left { return map[string]*Left{shared.Key(): from}[key] },
				Leave: func(string, *Left) { t.Error("it was not stopped") }, Progress: func(int, int) error { again++; return nil }}
			results, err := s.Run(tasks)
			if err != nil || !reflect.DeepEqual(results, want) {
				t.Errorf("at %d, %s: %v\n%+v\n%+v", at, name, err, results[shared.Key()], want[shared.Key()])
			}
			if went := steps - again; (name == "cut off") != (went == 0) || went > 0 && went != (at-1000)/10 {
				t.Errorf("at %d, %s: %d steps less than all", at, name, went)
			}
		}
	}
}
