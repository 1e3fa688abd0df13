package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cadem/core/evaluate"
	"cadem/core/formats"
	"cadem/core/property"
)

// tiny makes any study a matter of a second.
var tiny = map[string]any{"nodes": 60, "label_radius": 1, "centres": 1, "epochs": 2, "inner_steps": 2, "hidden": 8, "eval_epochs": 2, "kmeans_runs": 2, "kmeans_restarts": 1, "tsne_iterations": 20}

// tinyFor returns what a study uses of tiny.
func tinyFor(study string) map[string]any {
	options := maps.Clone(tiny)
	for {
		_, err := Plan(Order{Study: study, Options: options})
		var e *property.Error
		if !errors.As(err, &e) {
			return options
		}
		delete(options, e.Field)
	}
}

func ExampleScheduler() {
	o := Order{Study: "table2", Seeds: 2, Options: map[string]any{"nodes": 40, "epochs": 2, "eval_epochs": 5}}
	tasks, err := Plan(o)
	if err != nil {
		panic(err)
	}
	results, err := (&Scheduler{}).Run(tasks)
	if err != nil {
		panic(err)
	}
	reports, _ := Assemble(o, results)
	last := reports[0].Rows[len(reports[0].Rows)-1]
	fmt.Println(len(tasks), "trainings;", last.Method, last.Metric, *last.Paper, last.Trainings)
	// Output: 2 trainings; CaDeM micro_f1 0.82 2
}

// Every study runs to a complete report, and with several seeds, too; on changed settings none
// of its figures is held against the paper's.
func TestStudiesAreComplete(t *testing.T) {
	held := 0
	for _, o := range []Order{{Study: "all", Seeds: 1, Options: tiny}, {Study: "gamma", Seeds: 2, DataSeeds: 2, Options: tinyFor("gamma")}} {
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

func complete(t *testing.T, r *Report) {
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
	o := Order{Study: "table4", Options: tinyFor("table4")}
	tasks, err := Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	one, err := (&Scheduler{Workers: 1}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	stop, kept := errors.New("stop"), Results{}
	s := &Scheduler{Workers: 3, Finished: func(r *TaskResult) error {
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
	s = &Scheduler{Workers: 4, Stored: func(key string) *TaskResult { return kept[key] }, Finished: func(*TaskResult) error { computed++; return nil }}
	four, err := s.Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	if before != len(tasks)/2 || before+computed != len(tasks) {
		t.Errorf("%d tasks were kept and %d computed, of %d", before, computed, len(tasks))
	}
	a, err := Assemble(o, one)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := Assemble(o, four)
	if !reflect.DeepEqual(a, b) || HTML(a, "") != HTML(b, "") {
		t.Error("the reports differ")
	}
}

// through returns the result as it comes back from where it is stored.
func through(t *testing.T, r *TaskResult) *TaskResult {
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	again := &TaskResult{}
	if err := json.Unmarshal(text, again); err != nil {
		t.Fatal(err)
	}
	return again
}

// A report of what there is can be made at any time; the rest is said to be missing.
func TestReportWithoutResults(t *testing.T) {
	reports, err := Assemble(Order{Study: "all"}, nil)
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
	if !strings.Contains(HTML(reports, "<note>"), "&lt;note&gt;") {
		t.Error("the note is not there, or not escaped")
	}
}

// refused checks that an order is refused for the sake of a field.
func refused(t *testing.T, o Order, field string) {
	t.Helper()
	_, err := Plan(o)
	var e *property.Error
	if !errors.As(err, &e) || e.Field != field {
		t.Errorf("%+v: %v", o, err)
	}
}

func TestOrdersAreChecked(t *testing.T) {
	for want, o := range map[string]Order{
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
	files, _ := InMemory([]formats.File{{Name: "a.edges", Data: []byte("1 1 2")}})
	for _, o := range []Order{{Study: "table1", Files: files}, {Study: "all", Files: files}, {Study: "table6"}, {Study: "table6", Data: "drawn", Files: files}, {Study: "table6", Files: []FileSpec{{"a", 1, ""}}}} {
		refused(t, o, "data")
	}
}

func TestSchedulerStops(t *testing.T) {
	bad := small()
	bad.Options = map[string]any{"epochs": 0}
	ran := 0
	tasks := []Task{small(), bad, small()}
	tasks[2].ModelSeed = 9
	_, err := (&Scheduler{Workers: 1, Finished: func(*TaskResult) error { ran++; return nil }}).Run(tasks)
	var e *property.Error
	if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "small: ") || ran != 1 {
		t.Errorf("%d tasks, %v", ran, err)
	}
	stop := errors.New("stop")
	results, err := (&Scheduler{Workers: 2, Progress: func(done, total int) error {
		if done > total/4 {
			return stop
		}
		return nil
	}}).Run([]Task{small(), tasks[2]})
	if err != stop || len(results) == 2 {
		t.Errorf("%d results, %v", len(results), err)
	}
	lonely := Task{Needs: []string{"nothing"}}
	if _, err := (&Scheduler{Workers: 2}).Run([]Task{lonely, small()}); err == nil {
		t.Error("a need that nothing fills is no error")
	}
}

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		ours, seed, paper, std float64
		want                   string
	}{{0.5, 0, 0.519, 0, "match"}, {0.5, 0, 0.53, 0, "below"}, {0.5, 0, 0.53, 0.04, "match"}, {0.5, 0.04, 0.53, 0, "match"}, {0.6, 0.04, 0.53, 0.01, "above"}, {-0.0734, 0, -0.0734, 0, "match"}} {
		if got := status(c.ours, c.seed, c.paper, c.std); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// Figures are averaged over trainings; the two spreads stay apart.
func TestSpreadsStayApart(t *testing.T) {
	training := func(value, fold, probe float64) *TaskResult {
		return &TaskResult{Hash: "x", RankS: 2, Scores: []evaluate.Score{
			{Embedding: "common", Target: "final", Metric: "macro_f1", Probe: 0.25},
			{Embedding: "private_1", Target: "final", Metric: "macro_f1", Value: value, FoldStd: fold, Untrained: 0.1, Probe: probe}}}
	}
	row := Row{Paper: value("0.5"), PaperStd: value("0.01")}
	row.fill(collect([]*TaskResult{training(0.4, 0.02, 0.6), training(0.6, 0.04, 0.8)}, "private_1", "final", "macro_f1"), nil)
	for name, got := range map[string][2]float64{"ours": {*row.Ours, 0.5}, "fold_std": {*row.FoldStd, 0.03}, "seed_std": {*row.SeedStd, math.Sqrt(0.02)}, "probe": {*row.Probe, 0.7}, "probe_S": {*row.ProbeS, 0.25}, "rank": {*row.RankS, 2}} {
		if math.Abs(got[0]-got[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got[0], got[1])
		}
	}
	if row.Status != "match" || row.Trainings != 2 {
		t.Errorf("%+v", row)
	}
}

// What the paper prints is what its transcription holds, figure by figure.
func TestPaperAsPrinted(t *testing.T) {
	rows := paper()
	if n := len(rows); n != 228 {
		t.Errorf("%d figures, the paper prints 228", n)
	}
	data, err := os.ReadFile("../../../shared/spec/paper_tables.json")
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

func TestLinesAndCSV(t *testing.T) {
	r := &Report{Rows: []Row{{Dataset: "d", Method: "a,b", Metric: "ari", Ours: value("0.12345")}, {Method: "c", Metric: "ari"}}}
	if got := fmt.Sprint(r.Lines(3)); got != "[[data method metric here] [d a,b ari 0.123] [ c ari ]]" {
		t.Error(got)
	}
	if got := CSV([]*Report{r}); got != "data,method,metric,here\nd,\"a,b\",ari,0.12345\n,c,ari,\n" {
		t.Errorf("%q", got)
	}
}

// People read counts without a fraction, a true minus sign and a bound for a tiny chance;
// programs read all digits.
func TestNumbersOfReports(t *testing.T) {
	r := &Report{Rows: []Row{
		{Metric: "ari", Gamma: value("0.1"), Ours: value("-0.055"), Paper: value("0.1"), RankS: value("8")},
		{Metric: "regions of 36", Counts: true, Ours: value("17"), Untrained: value("16"), Chance: value("5.5"), P: value("0.0000004"), RankS: value("7.6")},
	}}
	if got := fmt.Sprint(r.Lines(3)); got != "[[metric gamma here paper difference untrained by chance p rank of S] [ari 0.1 −0.055 0.100 −0.155    8] [regions of 36  17   16 5.5 <\u00a00.001 7.6]]" {
		t.Errorf("%q", got)
	}
	if got := CSV([]*Report{r}); !strings.Contains(got, "ari,0.1,-0.055,0.1,-0.155,") || !strings.Contains(got, ",17,,,16,5.5,0.0000004,7.6") {
		t.Errorf("%q", got)
	}
	r.find("a fall of %.2f", -0.25)
	if r.Findings[0] != "a fall of −0.25" {
		t.Errorf("%q", r.Findings)
	}
}

// A study says that it classifies just when options of the classification reach its tasks.
func TestStudiesThatClassify(t *testing.T) {
	for _, s := range Studies() {
		o := Order{Study: s.Name, Options: map[string]any{"nested_select": "on"}}
		if s.Needs == NeedGraph {
			o.Files = []FileSpec{{"a.edges", 5, "1"}}
		}
		if _, err := Plan(o); (err == nil) != (s.Classifies && !slices.Contains(s.Without, "nested_select")) {
			t.Errorf("%s classifies: %v; nested_select: %v", s.Name, s.Classifies, err)
		}
		o.Options = map[string]any{"layer_tag": "on"}
		if _, err := Plan(o); (err == nil) != s.Classifies {
			t.Errorf("%s classifies: %v; layer_tag: %v", s.Name, s.Classifies, err)
		}
	}
}

// A graph of too few layers is refused before any training.
func TestTooFewLayers(t *testing.T) {
	tasks, err := Plan(Order{Study: "gamma", Seeds: 1, Options: map[string]any{"layers": 2}})
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	_, err = tasks[0].Run(nil, nil, func(_, _ int) error { steps++; return nil })
	var e *property.Error
	if !errors.As(err, &e) || e.Field != "layers" || e.Found != "2" || steps > 0 {
		t.Errorf("after %d steps: %v", steps, err)
	}
}

// Reports of different columns make one table.
func TestCSVOfSeveralReports(t *testing.T) {
	a := &Report{Rows: []Row{{Table: "I", Dataset: "d", Metric: "ari", Ours: value("0.5")}}}
	b := &Report{Rows: []Row{{Dataset: "e", Metric: "nmi", Variant: "v", Trivial: value("0.25")}}}
	if got := CSV([]*Report{a, b}); got != "table,data,variant,metric,here,trivial\nI,d,,ari,0.5,\n,e,v,nmi,,0.25\n" {
		t.Errorf("%q", got)
	}
}
