package experiments

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// tiny makes any study a matter of a second.
var tiny = map[string]any{"nodes": 60, "label_radius": 1, "centres": 1, "epochs": 2, "inner_steps": 2, "hidden": 8, "eval_epochs": 2, "kmeans_runs": 2,
	"kmeans_restarts": 1, "tsne_iterations": 20}

// tinyFor returns what an order uses of tiny, and its own options in place of these.
func tinyFor(o study.Order) map[string]any {
	options := maps.Clone(tiny)
	maps.Copy(options, o.Options)
	for o.Options = options; ; {
		_, err := All().Plan(o)
		var e *diag.Error
		if !errors.As(err, &e) || options[e.Where] == nil {
			return options
		}
		delete(options, e.Where)
	}
}

func ExampleScheduler() {
	o := study.Order{Study: "table2", Seeds: 2, Options: map[string]any{"nodes": 40, "epochs": 2, "eval_epochs": 5}}
	tasks, err := All().Plan(o)
	if err != nil {
		panic(err)
	}
	results, err := (&study.Scheduler{}).Run(tasks)
	if err != nil {
		panic(err)
	}
	reports, _ := All().Assemble(o, results)
	last := reports[0].Rows[len(reports[0].Rows)-1]
	fmt.Println(len(tasks), "trainings;", last.Method, last.Metric, *last.Paper, last.Trainings)
	// Output: 9 trainings; CaDeM micro_f1 0.82 2
}

// Every study runs to a complete report, and with several seeds, too; on changed settings none
// of its figures is held against the paper's.
func TestStudiesAreComplete(t *testing.T) {
	held := 0
	gamma := study.Order{Study: "gamma", Seeds: 2, DataSeeds: 2}
	gamma.Options = tinyFor(gamma)
	for _, o := range []study.Order{{Study: "all", Seeds: 1, Options: tiny}, gamma} {
		for _, r := range runAll(t, o) {
			complete(t, r)
			held += notHeld(t, r)
			if r.Study == "gamma" && *r.Rows[0].RankS != 8 {
				t.Errorf("rank of S %v", *r.Rows[0].RankS)
			}
		}
	}
	if held < 80 {
		t.Errorf("%d figures stand beside the paper's", held)
	}
}

func complete(t *testing.T, r *study.Report) {
	if r.Missing != 0 || len(r.Rows)+len(r.Charts) < 2 || len(r.Charts) == 0 || len(r.Findings) == 0 || len(r.Text) < 100 {
		t.Errorf("%s: %d missing, %d rows, %d charts, %d findings", r.Study, r.Missing, len(r.Rows), len(r.Charts), len(r.Findings))
	}
	if _, err := json.Marshal(r); err != nil {
		t.Errorf("%s: %v", r.Study, err)
	}
	for _, row := range r.Rows {
		if (row.Paper != nil) != (row.Status != "") || row.Method == "CaDeM" && row.Ours == nil {
			t.Errorf("%s: %+v", r.Study, row)
		}
	}
}

// A report is the same whatever the number of workers and however often the run was
// interrupted; nothing that was finished is computed again.
func TestReportsDoNotDependOnWorkers(t *testing.T) {
	o := study.Order{Study: "table4", Options: tinyFor(study.Order{Study: "table4"})}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	one, err := (&study.Scheduler{Workers: 1}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	stop, kept := errors.New("stop"), study.Results{}
	s := &study.Scheduler{Workers: 3, Finished: func(r *measure.Result, _ float64) error {
		kept[r.Key] = through(t, r)
		if len(kept) == len(tasks)/2 {
			return stop
		}
		return nil
	}}
	if _, err := s.Run(tasks); err != stop {
		t.Fatal(err)
	}
	before, computed := len(kept), 0
	s = &study.Scheduler{Workers: 4, Stored: func(key string) *measure.Result { return kept[key] },
		Finished: func(*measure.Result, float64) error { computed++; return nil }}
	four, err := s.Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	if before != len(tasks)/2 || before+computed != len(tasks) {
		t.Errorf("%d tasks were kept and %d computed, of %d", before, computed, len(tasks))
	}
	a, err := All().Assemble(o, one)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := All().Assemble(o, four)
	if !reflect.DeepEqual(a, b) || study.HTML(a, "") != study.HTML(b, "") {
		t.Error("the reports differ")
	}
}

// through returns the result as it comes back from where it is stored.
func through(t *testing.T, r *measure.Result) *measure.Result {
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	again := &measure.Result{}
	if err := json.Unmarshal(text, again); err != nil {
		t.Fatal(err)
	}
	return again
}

// A report of what there is can be made at any time; the rest is said to be missing.
func TestReportWithoutResults(t *testing.T) {
	reports, err := All().Assemble(study.Order{Study: "all"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		if r.Missing != r.Tasks || r.Tasks == 0 {
			t.Errorf("%s: %d of %d missing", r.Study, r.Missing, r.Tasks)
		}
		for _, row := range r.Rows {
			if row.Status != "not run" || row.Ours != nil {
				t.Errorf("%s: %+v", r.Study, row)
			}
		}
	}
	if !strings.Contains(study.HTML(reports, "<note>"), "&lt;note&gt;") {
		t.Error("the note is not there, or not escaped")
	}
}

// refused checks that an order is refused for the sake of a field.
func refused(t *testing.T, o study.Order, field string) {
	t.Helper()
	_, err := All().Plan(o)
	var e *diag.Error
	if !errors.As(err, &e) || e.Where != field {
		t.Errorf("%+v: %v", o, err)
	}
}

func TestOrdersAreChecked(t *testing.T) {
	for want, o := range map[string]study.Order{
		"study":           {Study: "table9"},
		"preset":          {Study: "table1", Preset: "other"},
		"data":            {Study: "table1", Data: "stolen"},
		"seeds":           {Study: "table1", Seeds: -1},
		"data_seeds":      {Study: "table1", Data: "published", DataSeeds: 2},
		"gamma ":          {Study: "table1", Options: map[string]any{"gamma": 0.5}},
		"eval_lr":         {Study: "gamma", Options: map[string]any{"eval_lr": 0.5}},
		"kmeans_runs":     {Study: "table4", Options: map[string]any{"kmeans_runs": 3}},
		"tsne_iterations": {Study: "table4", Options: map[string]any{"tsne_iterations": 30}},
		"colour":          {Study: "table1", Options: map[string]any{"colour": 1}},
		"gamma":           {Study: "gamma", Options: map[string]any{"gamma": 0.5}},
		"completion":      {Study: "all", Options: map[string]any{"completion": "none"}},
		"augmented":       {Study: "augmentation", Options: map[string]any{"augmented": 1}},
		"instance":        {Study: "table4", Data: "published", Options: map[string]any{"instance": "drawn"}},
	} {
		refused(t, o, strings.TrimSpace(want))
	}
	files, _ := run.InMemory([]formats.File{{Name: "a.edges", Data: []byte("1 1 2")}})
	for _, o := range []study.Order{{Study: "table1", Files: files}, {Study: "all", Files: files}, {Study: "table6"},
		{Study: "table6", Data: "drawn", Files: files}, {Study: "table6", Files: []run.FileSpec{{Name: "a", Size: 1, Sum: ""}}}} {
		refused(t, o, "data")
	}
}

// The paper's figures are those of its transcription.
func TestPaperAsPrinted(t *testing.T) {
	rows := paper()
	if n := len(rows); n != 228 {
		t.Errorf("%d figures, the paper prints 228", n)
	}
	data, err := os.ReadFile("../../../../../shared/spec/paper_tables.json")
	if err != nil {
		t.Skip("the transcription is not beside the repository: ", err)
	}
	var want struct {
		Results []struct {
			Table, Dataset, Method, Embedding, Target, Metric, Variant string
			Mean, Std                                                  float64
		}
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	printed := map[string]string{}
	for _, w := range want.Results {
		printed[fmt.Sprint(w.Table, w.Dataset, w.Method, w.Embedding, w.Target, w.Metric, w.Variant)] = fmt.Sprint(w.Mean, w.Std)
	}
	seen := map[string]bool{}
	for _, r := range rows {
		key := fmt.Sprint(r.Table, r.Dataset, r.Method, r.Embedding, r.Target, r.Metric, r.Variant)
		if got := fmt.Sprint(*r.Paper, *r.PaperStd); printed[key] != got {
			t.Errorf("%s: %s, printed: %s", key, got, printed[key])
		}
		if seen[key] {
			t.Errorf("%s: twice", key)
		}
		seen[key] = true
	}
	for key, value := range printed {
		if !seen[key] {
			t.Errorf("%s: missing, printed: %s", key, value)
		}
	}
}

// A study says that it classifies just when options of the classification reach its tasks.
func TestStudiesThatClassify(t *testing.T) {
	for _, s := range All() {
		o := study.Order{Study: s.Name, Options: map[string]any{"nested_select": "on"}}
		invented(t, s.Needs, &o)
		if _, err := All().Plan(o); (err == nil) != (s.Classifies && !slices.Contains(s.Without, "nested_select")) {
			t.Errorf("%s classifies: %v; nested_select: %v", s.Name, s.Classifies, err)
		}
		o.Options = map[string]any{"layer_tag": "on"}
		if _, err := All().Plan(o); (err == nil) != s.Classifies {
			t.Errorf("%s classifies: %v; layer_tag: %v", s.Name, s.Classifies, err)
		}
	}
}

// A graph of too few layers is refused before any training.
func TestTooFewLayers(t *testing.T) {
	tasks, err := All().Plan(study.Order{Study: "gamma", Seeds: 1, Options: map[string]any{"layers": 2}})
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	_, err = tasks[0].Run(nil, func(_, _ int) error { steps++; return nil })
	var e *diag.Error
	if !errors.As(err, &e) || e.Where != "layers" || e.Found != "2" || steps > 0 {
		t.Errorf("after %d steps: %v", steps, err)
	}
}

// reported runs a study from its plan to its reports.
func reported(t *testing.T, o study.Order, files *run.Files) ([]study.Task, study.Results, []*study.Report) {
	t.Helper()
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	results, err := (&study.Scheduler{Files: files}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := All().Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	return tasks, results, reports
}
