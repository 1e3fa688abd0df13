package study

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
)

func small() Task {
	return Task{Name: "small", Data: run.DataSpec{Example: "syn1", Options: map[string]any{"nodes": 30}, DataSeed: 2}, Preset: "released",
		Options: map[string]any{"epochs": 2, "eval_epochs": 3}, ModelSeed: 4, EvalSeed: 1,
		Measure: []measure.Spec{{Kind: measure.Scores, Embeddings: []string{"private_1"}, Targets: []string{"layer_1", "final"}}}}
}

// A task that has been through JSON computes the same and has the same key.
func TestTaskSurvivesJSON(t *testing.T) {
	a := small()
	text, err := json.Marshal(&a)
	if err != nil {
		t.Fatal(err)
	}
	var b Task
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	if a.Key() != b.Key() {
		t.Errorf("keys %s and %s", a.Key(), b.Key())
	}
	first, err := a.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := b.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first, second) {
		t.Errorf("%+v\n%+v", first, second)
	}
	if first.Key != a.Key() || first.Steps != 30 || len(first.Scores) != 4 || first.Scores[0].Embedding != "private_1" {
		t.Errorf("%+v", first)
	}
	text, err = json.Marshal(first)
	var third measure.Result
	if err != nil || json.Unmarshal(text, &third) != nil || !reflect.DeepEqual(first, &third) {
		t.Errorf("%v: the result changes through JSON", err)
	}
}

func TestKeyNamesWhatIsComputed(t *testing.T) {
	base := small()
	same := small()
	same.Name = "another"
	same.Options = map[string]any{"epochs": "2", "eval_epochs": 3.0}
	if base.Key() != same.Key() {
		t.Error("the same task under two keys")
	}
	seen := map[string]int{base.Key(): -1}
	for i, change := range []func(*Task){
		func(t *Task) { t.Data.Example = "syn2" }, func(t *Task) { t.Data.Options["nodes"] = 31 }, func(t *Task) { t.Data.DataSeed++ },
		func(t *Task) { t.Data.Files = []run.FileSpec{{Name: "a", Size: 1, Sum: "6"}} },
		func(t *Task) { t.Data.Files = []run.FileSpec{{Name: "a", Size: 1, Sum: "7"}} }, func(t *Task) { t.Preset = "printed" },
		func(t *Task) { t.Options["epochs"] = 3 },
		func(t *Task) { t.ModelSeed++ }, func(t *Task) { t.EvalSeed++ }, func(t *Task) { t.Measure = nil }, func(t *Task) { t.Measure[0].Targets = nil },
	} {
		other := small()
		change(&other)
		if j, ok := seen[other.Key()]; ok {
			t.Errorf("changes %d and %d have the same key", i, j)
		}
		seen[other.Key()] = i
	}
}

// A key names how files are read: what an earlier reader made of them is never taken for a result of this one, and a plan from before it
// keeps the keys that it has.
func TestKeyOfReader(t *testing.T) {
	task := Task{Data: run.DataSpec{Files: []run.FileSpec{{Name: "a.csv", Size: 3, Sum: "1"}}, Reader: 4}}
	if got := task.Key(); got != "8-3ca67ba1df272ae1a948a9effbd6e58e" {
		t.Errorf("a plan of reader 4 has the key %s", got)
	}
	now := task
	if now.Data.Reader = run.Reader; now.Key() == task.Key() {
		t.Error("one key for two readers")
	}
}

// A key depends on the program's results for a part of the task once they have changed; other tasks keep theirs.
func TestKeyNamesWhatIsFound(t *testing.T) {
	task, before, lines := small(), changed, finds
	t.Cleanup(func() { changed, finds = before, lines })
	key := task.Key()
	for _, part := range task.Parts() {
		for now, same := range map[string]bool{"1": true, "2": false} {
			finds, changed = part+" "+now+" 1\nmethod pca 2 1\n", sync.OnceValue(readChanged)
			if got := task.Key(); (got == key) != same {
				t.Errorf("%s was found as 1, now as %s: the key is %s, was %s", part, now, got, key)
			}
		}
	}
	finds, changed = lines, before
	for _, part := range task.Parts() {
		if !strings.Contains("\n"+finds, "\n"+part+" ") {
			t.Errorf("found.txt has no line of %s", part)
		}
	}
}

// The fields of a task determine its kind.
func TestKinds(t *testing.T) {
	needs, method, scans := []string{"a"}, "random", make([]run.Scan, 1)
	for i, c := range []struct {
		task Task
		want Kind
	}{
		{small(), Train}, {Task{Data: run.DataSpec{Scans: scans}}, Prepare}, {Task{Method: method}, TrainMethod},
		{Task{Method: method, Data: run.DataSpec{Scans: scans}}, TrainMethod}, {Task{Needs: needs, Data: run.DataSpec{Example: run.CohortData}}, Compare},
	} {
		if got := c.task.Kind(); got != c.want {
			t.Errorf("task %d is of kind %d, expected %d", i, got, c.want)
		}
	}
}

func TestTaskYields(t *testing.T) {
	task := small()
	last, calls := -1, 0
	if _, err := task.Run(nil, func(done, total int) error {
		if done < last || done > total {
			t.Fatalf("%d of %d after %d", done, total, last)
		}
		last = done
		calls++
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if calls < 30 || last < 500 {
		t.Errorf("%d calls, last %d", calls, last)
	}
	stop := errors.New("stop")
	for after := range 40 {
		n := 0
		if r, err := task.Run(nil, func(_, _ int) error {
			if n++; n > after {
				return stop
			}
			return nil
		}); err != nil && err != stop || err == stop && r != nil {
			t.Fatalf("stopped after %d calls: %v", after, err)
		}
	}
}

func TestTaskMistakesAreErrors(t *testing.T) {
	for i, change := range []func(*Task){
		func(t *Task) { t.Data.Example = "none" }, func(t *Task) { t.Data.Example = "" }, func(t *Task) { t.Data.Options["nodes"] = "x" },
		func(t *Task) { t.Preset = "" }, func(t *Task) { t.Options["epochs"] = 0 }, func(t *Task) { t.Options["heads"] = 3 },
		func(t *Task) { t.Measure[0].Kind = "mood" },
		func(t *Task) { t.Measure[0].Targets = []string{"nobody"} },
		func(t *Task) { t.Data.Scans, t.Measure = make([]run.Scan, 1), nil },
	} {
		task := small()
		change(&task)
		if _, err := task.Run(nil, nil); err == nil {
			t.Errorf("change %d: no error", i)
		}
	}
	task := small()
	if _, err := task.RunMethod("key", nil, nil); err == nil {
		t.Error("a method without a name: no error")
	}
}

func TestBytesGrowWithTheData(t *testing.T) {
	a, b := small(), small()
	b.Data.Options = map[string]any{"nodes": 3000.0}
	files := Task{Data: run.DataSpec{Files: []run.FileSpec{{Name: "a", Size: 1 << 20, Sum: ""}}}}
	if a.Bytes() < 1<<20 || b.Bytes() < 300<<20 || b.Bytes() > 2<<30 || files.Bytes() < 30<<20 {
		t.Errorf("%d, %d and %d bytes", a.Bytes(), b.Bytes(), files.Bytes())
	}
	const each, n = 1 << 20, 15
	scans := Task{Data: run.DataSpec{Scans: make([]run.Scan, n)}}
	for range n {
		scans.Data.Files = append(scans.Data.Files, run.FileSpec{Name: "a", Size: each, Sum: ""})
	}
	if m := scans.Bytes() - files.Bytes(); m != n*each {
		t.Errorf("%d scans one after the other take %d bytes more than one", n, m)
	}
	// The memory of a measurement on results of others is known from their shapes, before their
	// numbers are there.
	const nodes, pairs = 360, 4096
	bytes := func(kind measure.Kind, scans int) int64 {
		in := &measure.Result{Arrays: []measure.Array{{Name: "moments", Shape: []int{scans, 2 * nodes}, Data: nil},
			{Name: "z", Shape: []int{scans, 4 * nodes}, Data: nil}, {Name: "fc", Shape: []int{scans, pairs}, Data: nil}}}
		return (&Task{Data: run.DataSpec{Example: run.CohortData}, Needs: []string{"a"}, Inputs: []*measure.Result{nil, in},
			Measure: []measure.Spec{{Kind: kind}}}).Bytes()
	}
	for _, kind := range []measure.Kind{measure.Shared, measure.Alone, measure.Baselines} {
		if more := bytes(kind, 450) - bytes(kind, 15); more < 435*(6*nodes+pairs)*8 {
			t.Errorf("%s: 435 more scans take %d more bytes", kind, more)
		}
	}
	if s, a, b := bytes(measure.Shared, 450), bytes(measure.Alone, 450), bytes(measure.Baselines, 450); s-b < 450*nodes*64 || a-b < nodes*64 || a >= s {
		t.Errorf("shared %d, alone %d, without training %d bytes", s, a, b)
	}
}
