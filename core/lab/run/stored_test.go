package run

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
	"cadem.example/core/base/property"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
)

// sound returns the record of a finished run, as the command line writes it and JSON reads it.
func sound(t testing.TB) map[string]any {
	t.Helper()
	training, evaluation := cadem.Released(), evaluate.Options{}
	property.Defaults(&evaluation)
	return decoded(t, &Record{
		Run: "0a1b", Name: "Syn1, seed 3", Created: "2025-01-31T12:00:00Z", Updated: "2025-01-31T12:00:10.5Z",
		Data: DataSpec{Files: []FileSpec{{Name: "a.edges", Size: 4}}}, Options: property.Values(&training), Evaluation: property.Values(&evaluation),
		Preset: "released", ModelSeed: 1<<64 - 1, EvalSeed: 1, State: "finished",
		Progress: RecordProgress{State: "finished", Epoch: 2, Epochs: 2, Step: 10, Steps: 10, Losses: map[string]float64{"matching": 0.5, "total": 1}, RankS: 8},
		Changes:  []cadem.Change{{}}, Hash: "ab", Scores: []evaluate.Score{{Embedding: "common", Target: "group", Metric: "ari", Value: .5}},
		Summary: Summary{Name: "a"}, Task: "clustering", LossColumns: len(cadem.Terms),
	})
}

func decoded(t testing.TB, v any) map[string]any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// put sets what is at a path of an object; nil removes it.
func put(m map[string]any, path string, value any) {
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		m = m[name].(map[string]any)
	}
	if last := names[len(names)-1]; value == nil {
		delete(m, last)
	} else {
		m[last] = value
	}
}

var soundSlabs = []StoredSlab{{"checkpoint", "u8", []int{100}, ""}, {"file:0", "u8", []int{4}, ""}, {"losses", "f32", []int{10, len(cadem.Terms)}, ""},
	{"xy", "f32", []int{3, 5, 2}, ""}, {"plane:0", "f32", []int{30}, ""}, {"tokens:0", "f32", []int{60}, ""}, {"clusters", "i32", []int{5}, ""}}

func check(t *testing.T, record map[string]any, slabs []StoredSlab) (listed, imported error) {
	t.Helper()
	text, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	return CheckStored(text, slabs), (&StoredRun{Record: text, Slabs: slabs}).Check()
}

func TestBadRecordsAreNamed(t *testing.T) {
	if listed, imported := check(t, sound(t), soundSlabs); listed != nil || imported != nil {
		t.Fatalf("a sound record: %v, %v", listed, imported)
	}
	flat := append([]StoredSlab(nil), soundSlabs...)
	flat[2].Shape, flat[3].Shape = []int{10 * len(cadem.Terms)}, []int{30} // as the page exports them
	if _, imported := check(t, sound(t), flat); imported != nil {
		t.Fatalf("a sound record: %v", imported)
	}
	for _, bad := range []struct {
		path     string
		value    any // nil: it is absent
		field    string
		imported bool // found at an import alone
	}{
		{"name", 5.0, "name: found 5, expected a text", false},
		{"name", nil, "name: found nothing", false},
		{"name", "", `name: found "", expected a text of 1 to 1000`, false},
		{"name", strings.Repeat("x", 1001), "(1001 characters), expected a text of 1 to 1000", false},
		{"name", map[string]any{}, "name: found an object", false},
		{"run", `"] a`, "run: found", false},
		{"run", 7.0, "run: found 7", false},
		{"run", strings.Repeat("r", 65), "run: found", false},
		{"kind", "run", "kind: found", false},
		{"created", "yesterday", "created: found", false},
		{"updated", 17.0, "updated: found 17, expected a time", false},
		{"data", []any{}, "data: found a list of 0, expected an object", false},
		{"data.files", "a.edges", "data.files: found", false},
		{"data.files", []any{map[string]any{"name": 1.0, "size": 4.0}}, "data.files[0].name: found 1", false},
		{"data.files", []any{map[string]any{"name": "a", "size": -4.0}}, "data.files[0].size: found -4", false},
		{"data.files", nil, "data: found an object, expected either an example or files", false},
		{"data.example", "syn1", "data: found an object, expected either an example or files", false},
		{"data.data_seed", .5, "data.data_seed: found 0.5, expected a whole number", false},
		{"data.choice", map[string]any{"layers": "a"}, "data.choice.layers", false},
		{"data.options", map[string]any{"a": []any{}}, "data.options.a: found a list of 0", false},
		{"options", "none", "options: found", false},
		{"options.epochs", []any{1.0}, "options.epochs: found a list of 1", false},
		{"options.epochs", -3.0, "options.epochs: found -3, expected a whole number from 1", true},
		{"options.early_stop", "perhaps", `options.early_stop: found "perhaps"`, true},
		{"evaluation.folds", 1.5, "evaluation.folds: found 1.5", true},
		{"preset", "best", `preset: found "best", expected one of released`, false},
		{"model_seed", -1.0, "model_seed: found -1", false},
		{"model_seed", "1", `model_seed: found "1"`, false},
		{"eval_seed", true, "eval_seed: found true", false},
		{"state", "resting", `state: found "resting"`, false},
		{"progress", "much", "progress: found", false},
		{"progress.step", "10", "progress.step: found", false},
		{"progress.epochs", 1e300, "progress.epochs: found 1e+300", false},
		{"progress.losses", []any{}, "progress.losses: found", false},
		{"progress.losses.total", "low", "progress.losses.total: found", false},
		{"changes", map[string]any{}, "changes: found", false},
		{"hash", 5.0, "hash: found 5", false},
		{"scores", "good", "scores: found", false},
		{"scores", []any{1.0}, "scores[0]: found 1, expected an object", false},
		{"scores", []any{map[string]any{"embedding": "a", "target": "b", "metric": "ari", "value": "high"}}, "scores[0].value", false},
		{"frame", map[string]any{"epoch": 1.0, "step": 1.0, "embeddings": []any{2.0}}, "frame.embeddings[0]", false},
		{"kept", []any{map[string]any{"epoch": 1.0, "step": "2"}}, "kept[0].step", false},
		{"summary", nil, "summary: found nothing", false},
		{"summary.name", 0.0, "summary.name: found 0", false},
		{"expect", 4.0, "expect: found 4", false},
	} {
		r := sound(t)
		put(r, bad.path, bad.value)
		listed, imported := check(t, r, soundSlabs)
		for what, err := range map[string]error{"listed": listed, "imported": imported} {
			if what == "listed" && bad.imported {
				if err != nil {
					t.Errorf("listed: %v", err)
				}
				continue
			}
			var e *diag.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), bad.field) || e.Expected == "" || len(err.Error()) > 300 {
				t.Errorf("%s, %s = %v: %v", what, bad.path, bad.value, err)
			}
		}
	}
}

// A run that is imported gets an id of its own if it has none; one that is stored has one.
func TestARecordWithoutAnID(t *testing.T) {
	r := sound(t)
	put(r, "run", nil)
	if listed, imported := check(t, r, soundSlabs); listed == nil || imported != nil {
		t.Errorf("listed: %v; imported: %v", listed, imported)
	}
}

func TestBadSlabsAreNamed(t *testing.T) {
	for want, change := range map[string]func([]StoredSlab){
		"checkpoint: found f32":             func(s []StoredSlab) { s[0].Type = "f32" },
		"called file:0":                     func(s []StoredSlab) { s[1].Name = "file:1" },
		"losses: found f32 of shape [5 3]":  func(s []StoredSlab) { s[2].Shape = []int{5, 3} },
		"losses: found f32 of shape [22]":   func(s []StoredSlab) { s[2].Shape = []int{22} },
		"xy: found f32 of shape [15 2]":     func(s []StoredSlab) { s[3].Shape = []int{15, 2} },
		`slabs[4]: found the name "losses"`: func(s []StoredSlab) { s[4].Name = "losses" },
		`slabs[4]: found the name ""`:       func(s []StoredSlab) { s[4].Name = "" },
	} {
		slabs := append([]StoredSlab(nil), soundSlabs...)
		change(slabs)
		if _, err := check(t, sound(t), slabs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q: %v", want, err)
		}
	}
	for _, text := range []string{"", "5", "[]", `{"name":"x"}`, `{"data":5}`, "{"} {
		var e *diag.Error
		if err := (&StoredRun{Record: json.RawMessage(text)}).Check(); !errors.As(err, &e) {
			t.Errorf("%q: %v", text, err)
		}
		if err := CheckStored(json.RawMessage(text), nil); !errors.As(err, &e) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A stored experiment has a schema of its own.
func TestRecordsOfExperiments(t *testing.T) {
	sound := `{"run":"study:gamma::released","kind":"study","name":"gamma","created":"2025-01-31T12:00:00Z",` +
		`"updated":"2025-01-31T12:00:00Z","order":{"study":"gamma"},"state":"stopped","tasks":10,"finished":3}`
	if err := CheckStored(json.RawMessage(sound), nil); err != nil {
		t.Error(err)
	}
	for old, bad := range map[string]string{`{"study":"gamma"}`: "null", `"tasks":10`: `"tasks":"10"`, `"stopped"`: `"done"`} {
		if err := CheckStored(json.RawMessage(strings.Replace(sound, old, bad, 1)), nil); err == nil {
			t.Errorf("%s in place of %s was not noticed", bad, old)
		}
	}
}

// Losses of a record that does not say how many columns they have are those of the first programs.
func TestLossesOfBeforeAreTaken(t *testing.T) {
	record := sound(t)
	put(record, "loss_columns", nil)
	slabs := slices.Clone(soundSlabs)
	if _, imported := check(t, record, slabs); imported == nil {
		t.Error("five columns passed as four")
	}
	for _, shape := range [][]int{{10, 4}, {40}} {
		slabs[2].Shape = shape
		if _, imported := check(t, record, slabs); imported != nil {
			t.Errorf("shape %v: %v", shape, imported)
		}
	}
	if l := cadem.LossesOf([]float64{1, 2, 3, 4}); l != (cadem.Losses{Matching: 1, SelfSupervised: 2, Causal: 3, Total: 4}) {
		t.Errorf("losses %+v", l)
	}
	put(record, "loss_columns", 1000.0)
	slabs[2].Shape = []int{10, 1000}
	if _, imported := check(t, record, slabs); imported == nil {
		t.Error("losses of more terms than there are passed")
	}
}
