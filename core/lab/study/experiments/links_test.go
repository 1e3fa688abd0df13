package experiments

import (
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/evaluate"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// unlabelledGraph are the files of a graph without labels.
func unlabelledGraph() ([]run.FileSpec, *run.Files) { return run.InMemory(graphFiles("plain", 3)[:1]) }

func linkRow(r *study.Report, method, embedding, variant, metric string) *study.Row {
	i := slices.IndexFunc(r.Rows, func(row study.Row) bool {
		return row.Method == method && row.Embedding == embedding && row.Variant == variant && row.Target == run.OfLinks && row.Metric == metric
	})
	if i < 0 {
		return nil
	}
	return &r.Rows[i]
}

// Methods are held against each other on data without labels, by links: all are asked for the same, so that degrees tell the same beside each; the
// interval over splits is the corrected one. Without splits such data are refused, and the error says what to do.
func TestLinksWithoutLabels(t *testing.T) {
	files, contents := unlabelledGraph()
	o := study.Order{Study: "table6", Files: files, Options: quick, Links: 3, Methods: "modularity,spectral"}
	r := assembled(t, o, resultsOf(t, o, contents))
	if r.Missing != 0 {
		t.Errorf("%d tasks are missing", r.Missing)
	}
	first := linkRow(r, "CaDeM", "combined", "", "auc_fitted")
	for _, method := range []string{"CaDeM", "Multiplex modularity", "Spectral embedding"} {
		for _, m := range evaluate.LinkMetrics {
			row := linkRow(r, method, "combined", "", m.Name)
			if row == nil || row.Ours == nil || row.Trivial == nil {
				t.Fatalf("no row %s of %s", m.Name, method)
			}
			if m.Name == "auc_fitted" && *row.Trivial != *first.Trivial {
				t.Errorf("degrees tell %v beside %s, %v beside CaDeM", *row.Trivial, method, *first.Trivial)
			}
		}
	}
	text := study.Markdown([]*study.Report{r}, "")
	for _, way := range links.NearWays {
		if row := linkRow(r, way, "", "", "auc_fitted"); row == nil || !strings.Contains(text, "|"+way+"|"+study.Number(row.Ours)+"|") {
			t.Errorf("no row, or line of the list, of %s", way)
		}
	}
	if slices.ContainsFunc(r.Rows, func(row study.Row) bool { return row.Target != run.OfLinks }) {
		t.Error("there are rows of labels")
	}
	if !slices.ContainsFunc(r.Findings, func(s string) bool { return strings.HasPrefix(s, "The data have no labels") }) {
		t.Errorf("no finding says that there are no labels: %q", r.Findings)
	}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	results := resultsOf(t, o, contents)
	var values, others []float64
	for i := range tasks {
		if s := results[tasks[i].Key()].Score("combined", run.OfLinks, "auc_fitted"); s != nil {
			switch tasks[i].Method {
			case "":
				values = s.Folds
			case "modularity":
				others = s.Folds
			}
		}
	}
	differences := make([]float64, len(values))
	for k := range values {
		differences[k] = values[k] - others[k]
	}
	want := links.Interval(differences)
	p := study.PairLinks([]*measure.Result{{}}, []*measure.Result{{}}, func(*measure.Result) []float64 { return values },
		func(*measure.Result) []float64 { return others })
	if math.Abs(p.Low-want.Low) > 1e-12 || math.Abs(p.High-want.High) > 1e-12 || p.Pairs != 3 {
		t.Errorf("interval %v to %v of %d splits, expected %v to %v", p.Low, p.High, p.Pairs, want.Low, want.High)
	}
	o.Links = 0
	plain, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	_, err = (&study.Scheduler{Files: contents}).Run(plain)
	if err == nil || !strings.Contains(err.Error(), "links that are held out") {
		t.Errorf("without labels and splits: %v", err)
	}
}

// A task that is scored by labels is the same with held-out links, and without.
func TestLinksLeaveOtherTasks(t *testing.T) {
	files, _ := run.InMemory(graphFiles("labelled", 1))
	o := study.Order{Study: "table6", Files: files, Options: quick, Methods: "modularity"}
	plain, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	o.Links = 2
	beside, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range plain {
		if plain[i].Key() != beside[i].Key() {
			t.Errorf("task %q has another key where links are held out", plain[i].Name)
		}
	}
	if len(beside) != len(plain)+2 {
		t.Errorf("%d tasks, and %d with held-out links", len(plain), len(beside))
	}
	for name, bad := range map[string]study.Order{"experiment": {Study: "table1", Links: 2}, "number": {Study: "table6", Files: files, Links: -1}} {
		if _, err := All().Plan(bad); err == nil || !strings.HasPrefix(err.Error(), "links: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Without labels a sweep chooses the combination that tells most of held-out links; it is scored in each split by the choice of the others.
func TestSweepSelectsByLinks(t *testing.T) {
	files, contents := unlabelledGraph()
	o := study.Order{Study: "sweep", Files: files, Links: 3, Options: map[string]any{"epochs": "1", "inner_steps": 2, "dim": "4,8", "hidden": "8",
		"heads": "1", "nested_select": "on"}}
	all := study.Studies{Sweep}
	tasks, err := all.Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	results, err := (&study.Scheduler{Files: contents}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	values := map[any][]float64{"4": {.6, .9, .8}, "8": {.7, .5, .9}}
	for i := range tasks {
		if s := results[tasks[i].Key()].Score("combined", run.OfLinks, "auc_fitted"); s != nil {
			s.Folds = values[tasks[i].Options["dim"]]
			s.Value = (s.Folds[0] + s.Folds[1] + s.Folds[2]) / 3
		}
	}
	reports, err := all.Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	// The others choose 4 (1.7 against 1.4), 8 (1.4, 1.6), 4 (1.5, 1.2): .6, .5, .8.
	const want = "dim=4; chosen by the other splits, AUC, fitted is 0.633 in each split."
	if !slices.ContainsFunc(r.Findings, func(s string) bool { return strings.HasSuffix(s, want) }) {
		t.Errorf("no finding ends with %q: %q", want, r.Findings)
	}
	row, chosen := linkRow(r, "CaDeM", "combined", "selected by "+run.OfLinks, "auc_fitted"), linkRow(r, "CaDeM", "combined", "dim=4", "auc_fitted")
	if row == nil || chosen == nil || *row.Ours != *chosen.Ours {
		t.Errorf("selected %v, expected the row %v", row, chosen)
	}
	if !slices.ContainsFunc(r.Findings, func(s string) bool { return strings.Contains(s, "Log-loss, fitted of held-out links: best at") }) {
		t.Errorf("no best log-loss: %q", r.Findings)
	}
	low, other := linkRow(r, "CaDeM", "combined", "dim=4", "log_loss"), linkRow(r, "CaDeM", "combined", "dim=8", "log_loss")
	best := "dim=4"
	if *other.Ours < *low.Ours {
		best = "dim=8"
	}
	if !slices.ContainsFunc(r.Findings, func(s string) bool {
		return strings.HasPrefix(s, "combined, Log-loss, fitted of held-out links: best at "+best)
	}) {
		t.Errorf("the lowest log-loss is at %s: %q", best, r.Findings)
	}
}
