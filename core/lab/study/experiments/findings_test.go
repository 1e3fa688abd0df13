package experiments

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/run/runtest"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
)

// A stage holds small results of an order, to be altered and used as those of another one.
type stage struct {
	order study.Order // told
	tasks []study.Task
	small []*measure.Result // of each task
}

// staged runs an order in small and tells the results as those of its tasks without the
// options, which are the paper's settings where the data are published.
func staged(t *testing.T, o study.Order, options map[string]any) *stage {
	t.Helper()
	small := o
	small.Options = options
	files := &run.Files{}
	if len(o.Files) > 0 {
		o.Files, files = run.InMemory(runtest.Friends())
		small.Files = o.Files
	}
	tasks, err := All().Plan(small)
	if err != nil {
		t.Fatal(err)
	}
	results, err := (&study.Scheduler{Files: files}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{order: o}
	if s.tasks, err = All().Plan(o); err != nil || len(s.tasks) < len(tasks) {
		t.Fatalf("%d tasks, %d in small, %v", len(s.tasks), len(tasks), err)
	}
	s.tasks = s.tasks[:len(tasks)] // what belongs to the paper's settings alone comes last
	for i := range tasks {
		s.small = append(s.small, results[tasks[i].Key()])
	}
	return s
}

// report tells the results as edit leaves them.
func (s *stage) report(t *testing.T, edit func(*study.Task, *measure.Result)) *study.Report {
	t.Helper()
	results := study.Results{}
	for i := range s.tasks {
		text, err := json.Marshal(s.small[i])
		if err != nil {
			t.Fatal(err)
		}
		r := &measure.Result{}
		if err := json.Unmarshal(text, r); err != nil {
			t.Fatal(err)
		}
		edit(&s.tasks[i], r)
		results[s.tasks[i].Key()] = r
	}
	reports, err := All().Assemble(s.order, results)
	if err != nil {
		t.Fatal(err)
	}
	return reports[0]
}

// scored is the expected score, up to the differences between folds and seeds.
type scored struct{ value, untrained, trivial, probe float64 }

// edits calls f for every score and puts what it returns there.
func edits(f func(*study.Task, *evaluate.Score) scored) func(*study.Task, *measure.Result) {
	return func(task *study.Task, r *measure.Result) {
		for i := range r.Scores {
			s := &r.Scores[i]
			v := f(task, s)
			at := int(task.ModelSeed)
			noise := func(f, k int) float64 { return 0.004 * float64((3*f+5*at+k)%7-3) }
			around := func(mean float64, folds []float64, k int) float64 {
				if len(folds) == 0 {
					return mean + noise(0, k)
				}
				sum := 0.0
				for f := range folds {
					folds[f] = mean + noise(f, k)
					sum += folds[f]
				}
				return sum / float64(len(folds))
			}
			s.Value, s.Untrained, s.Probe = around(v.value, s.Folds, 1), around(v.untrained, s.UntrainedFolds, 2), v.probe
			if s.Trivial != nil {
				*s.Trivial = around(v.trivial, s.TrivialFolds, 4)
			}
		}
	}
}

// told checks that all of want is in the findings and nothing of never.
func told(t *testing.T, r *study.Report, want, never []string) {
	t.Helper()
	all := strings.Join(r.Findings, "\n")
	for _, s := range want {
		if !strings.Contains(all, s) {
			t.Errorf("%s: %q is not told:\n%s", r.Study, s, all)
		}
	}
	for _, s := range never {
		if strings.Contains(all, s) {
			t.Errorf("%s: %q is told:\n%s", r.Study, s, all)
		}
	}
}

func layerOf(name string) string { return name[strings.LastIndex(name, "_")+1:] }

var tinySyn1 = map[string]any{"nodes": 60, "epochs": 2, "inner_steps": 2, "eval_epochs": 2, "hidden": 8}

func TestFindingsOfTable1(t *testing.T) {
	s := staged(t, study.Order{Study: "table1", Seeds: 2, Data: "published"}, nil2published(tinySyn1))
	own := func(v *evaluate.Score) bool {
		return strings.HasPrefix(v.Embedding, "private") && layerOf(v.Embedding) == layerOf(v.Target)
	}
	with := func(ofOwn, ofOther, untrained, probeS, probeOther float64) *study.Report {
		return s.report(t, edits(func(_ *study.Task, v *evaluate.Score) scored {
			x := scored{ofOther, untrained, 0, probeOther}
			switch {
			case v.Embedding == "common":
				x.probe = probeS
			case own(v):
				x.value, x.probe = ofOwn, ofOwn
			}
			return x
		}))
	}
	told(t, with(0.9, 0.3, 0.5, 0.8, 0.3),
		[]string{"own layer, more than on any other's", "private_2 on layer_2, macro-F1: trained 0.9", "in favour of trained", "S keeps what single layers hold",
			"0 of 2 for combined on final"},
		[]string{"no more than on some", "S keeps little", "not decided"})
	told(t, with(0.3, 0.9, 0.5, 0.32, 0.3), []string{"own layer, no more than on some other's", "in favour of untrained", "S keeps little of " +
		"what single layers hold", "2 of 2 for combined on final"},
		[]string{"more than on any other's", "S keeps what single"})
	even := with(0.5, 0.5, 0.5, 0.8, 0.3)
	told(t, even, []string{"not decided"}, []string{"in favour of"})
	clusters := 0
	for _, row := range even.Rows {
		if row.Metric == "ari" {
			if clusters++; layerOf(row.Embedding) != layerOf(row.Target) || row.Trainings != 2 || !(*row.Lowest <= *row.Ours && *row.Ours <= *row.Highest) {
				t.Errorf("%+v", row)
			}
		}
	}
	if clusters != 3 {
		t.Errorf("clusters of %d private embeddings, want 3", clusters)
	}
}

// nil2published leaves out what the published data fix.
func nil2published(options map[string]any) map[string]any {
	options = maps.Clone(options)
	delete(options, "nodes")
	return options
}

func TestFindingsOfTable2(t *testing.T) {
	s := staged(t, study.Order{Study: "table2", Seeds: 2, Data: "published"}, nil2published(tinySyn1))
	with := func(ours float64) *study.Report {
		return s.report(t, edits(func(*study.Task, *evaluate.Score) scored { return scored{ours, 0.5, 0, 0} }))
	}
	told(t, with(0.95), []string{"would be number 1 of the 11", "7 of the 10 other methods", "2 of 2 for combined", "in favour of trained"},
		[]string{"number 11", "0 of 2"})
	told(t, with(0.1), []string{"would be number 11 of the 11", "7 of the 10 other methods", "0 of 2 for combined", "in favour of untrained"},
		[]string{"number 1 of"})
	one := s.report(t, func(task *study.Task, r *measure.Result) {
		if a := r.Array("ceiling"); a != nil {
			a.Data = []float64{0.7, 0.71, 42, 60}
		}
		if task.ModelSeed > 0 {
			r.Scores = nil
		}
	})
	told(t, one, []string{"42 of 60 final labels", "macro-F1 0.700", "5 folds of 1 training"}, []string{"85 of"})
}

func TestFindingsOfVariants(t *testing.T) {
	for experiment, of := range map[string][2]string{"ablation": {"all", "match"}, "augmentation": {"augmentation_on", "augmentation_off"}} {
		s := staged(t, study.Order{Study: experiment, Seeds: 2, Data: "published"}, map[string]any{"epochs": 2, "inner_steps": 2, "eval_epochs": 2, "hidden": 8})
		with := func(full, other float64) *study.Report {
			return s.report(t, edits(func(task *study.Task, _ *evaluate.Score) scored {
				x := scored{other, 0.4, 0, 0}
				if len(task.Options) == 0 {
					x.value = full
				}
				return x
			}))
		}
		told(t, with(0.8, 0.6), []string{"in favour of " + of[0] + "."}, []string{"in favour of " + of[1] + ".", "not decided"})
		told(t, with(0.6, 0.8), []string{"in favour of " + of[1] + "."}, []string{"in favour of " + of[0] + ".", "not decided"})
		told(t, with(0.7, 0.7), []string{"not decided"}, []string{"in favour of"})
	}
}

func TestFindingsOfTable3(t *testing.T) {
	s := staged(t, study.Order{Study: "table3", Seeds: 3, Data: "published"},
		map[string]any{"epochs": 1, "inner_steps": 1, "kmeans_runs": 2, "kmeans_restarts": 1})
	with := func(own, other float64, printed ...float64) *study.Report { // of each layer
		return s.report(t, edits(func(task *study.Task, v *evaluate.Score) scored {
			x := scored{value: other}
			if layerOf(v.Embedding) == layerOf(v.Target) {
				x.value = own
			}
			if task.Data.Options["variant"] != nil {
				x.value = printed[layerOf(v.Embedding)[0]-'1']
			}
			x.trivial = x.value
			return x
		}))
	}
	told(t, with(0.6, -0.1, 0.03, 0.03),
		[]string{"private_1: 0.6", "with that of layer 1, found; −0.0", "this recipe does not give table III", "The foregrounds of layers 1 and 2 have",
			"3 of 3 for private_1 on layer_1"}, []string{"recipe gives", "private_2: 0.6"})
	told(t, with(0.05, 0.6, 0.5, 0.1), []string{"private_1: 0.0", "private_2: 0.6", "recipe gives table III in part", "0 of 3 for private_1 on layer_1"},
		[]string{"private_1: 0.6", "does not give"})
	told(t, with(0.1, 0.1, 0.49, 0.64), []string{"recipe gives those figures"}, []string{"does not give", "in part"})
}

func TestFindingsOfTable4(t *testing.T) {
	s := staged(t, study.Order{Study: "table4", Data: "published"}, map[string]any{"epochs": 1, "inner_steps": 1, "eval_epochs": 2, "hidden": 8})
	with := func(private, mean, common float64) *study.Report {
		return s.report(t, edits(func(_ *study.Task, v *evaluate.Score) scored {
			x := scored{private, 0.5, mean, 0}
			if strings.HasPrefix(v.Embedding, "common") {
				x.value = common
			}
			return x
		}))
	}
	told(t, with(0.9, 0.5, 0.33), []string{"private_1 on dynamics_3class, macro-F1: trained 0.899", "in favour of trained", "common, completion " +
		"none, scores micro-F1 0.3", "which chance gives too", "5 folds of 1 training"}, []string{"in favour of mean feature", "more than chance"})
	told(t, with(0.5, 0.9, 0.8), []string{"in favour of mean feature", "more than chance gives"}, []string{"in favour of trained", "which chance gives too"})
	told(t, with(0.5, 0.5, 0.1), []string{"not decided", "less than chance gives"}, []string{"in favour of"})
}

func TestFindingsOfGamma(t *testing.T) {
	s := staged(t, study.Order{Study: "gamma", Seeds: 3, Data: "published"}, map[string]any{"epochs": 1, "inner_steps": 1, "kmeans_runs": 1, "hidden": 4})
	with := func(common func(gamma float64) float64, private, untrained, probeS, probeP float64) *study.Report {
		return s.report(t, edits(func(task *study.Task, v *evaluate.Score) scored {
			if v.Embedding == "common" {
				return scored{common(task.Data.Options["gamma"].(float64)), 0.1, 0, probeS}
			}
			return scored{private, untrained, 0, probeP}
		}))
	}
	told(t, with(func(g float64) float64 { return g }, 0.8, 0.3, 1, 0.4),
		[]string{"without a fall of more than 0.1", "reaches 0.5 from gamma 0.5 on", "higher at 11, lower at 0, not decided at 0",
			"S is the better source at 11 of 11", "Largest distance"}, nil)
	told(t, with(func(g float64) float64 { return 0.4 * (1 - g) }, 0.3, 0.3, 0.2, 0.4),
		[]string{"with falls of up to 0.4", "0.5 nowhere", "higher at 0, lower at 0, not decided at 11", "S is the better source at 0 of 11"},
		[]string{"without a fall"})
	told(t, with(func(float64) float64 { return 0.4 }, 0.2, 0.6, 0.2, 0.4), []string{"higher at 0, lower at 11"}, nil)
	s.order.Options = map[string]any{"epochs": 3}
	s.tasks, _ = All().Plan(s.order)
	told(t, with(func(g float64) float64 { return g }, 0.8, 0.3, 1, 0.4), []string{"S is the better source at 11"}, []string{"authors"})
}

func TestFindingsOfPosterior(t *testing.T) {
	s := staged(t, study.Order{Study: "posterior"}, map[string]any{"nodes": 30, "epochs": 1, "inner_steps": 1, "hidden": 4})
	with := func(entropy, information, probe float64) *study.Report {
		return s.report(t, func(_ *study.Task, r *measure.Result) {
			a := r.Array("posterior")
			if a == nil { // of an arm
				return
			}
			last := a.Data[(a.Shape[0]-1)*a.Shape[1]:]
			last[1], last[3], last[8] = entropy, probe, information
		})
	}
	told(t, with(0.99, 0.01, 0.35), []string{"is even, psi's answers cannot tell their layer, and the probe cannot"}, nil)
	told(t, with(0.4, 0.5, 0.9), []string{"is not even, psi's answers can tell their layer, and the probe can "}, nil)
	told(t, with(0.4, 0.03, 0.9), []string{"is not even, psi's answers cannot tell their layer, and the probe can "}, nil)
}

func TestFindingsOfPictures(t *testing.T) {
	s := staged(t, study.Order{Study: "tsne", Data: "published"}, map[string]any{"epochs": 1, "inner_steps": 1, "hidden": 4, "tsne_iterations": 2})
	with := func(apart float64) *study.Report {
		return s.report(t, func(_ *study.Task, r *measure.Result) {
			for _, name := range tsneEmbeddings {
				at, of := r.Array(measure.ArrayTSNE.Of(name)), r.Array(measure.ArrayClasses.Of(name))
				if at == nil {
					return
				}
				for i, k := range of.Data {
					at.Data[2*i], at.Data[2*i+1] = float64(i*i%101)+apart*k, float64(i*37%89)
				}
			}
		})
	}
	told(t, with(1e4),
		[]string{"S, common: the nearest neighbour in the picture is of the same class for 90 of 90 points: the classes part (parted: from 80 %"},
		[]string{"chance gives too"})
	told(t, with(0), nil, []string{": the classes part ("})
}

func TestOtherSettings(t *testing.T) {
	published := func(experiment string, options map[string]any) study.Order {
		return study.Order{Study: experiment, Seeds: 1, Data: "published", Options: options}
	}
	for _, c := range []struct {
		order study.Order
		want  string // differences, between bars
	}{
		{published("table1", nil), ""},
		{study.Order{Study: "table1", Seeds: 7, Data: "published"}, ""},
		{published("table1", map[string]any{"epochs": "140", "eval_lr": 0.30}), ""},
		{published("table1", map[string]any{"first_share": "0.8"}), ""},
		{published("table1", map[string]any{"epochs": 6}), "epochs = 6"},
		{published("table1", map[string]any{"nested_select": "on", "epochs": 6}), "epochs = 6|nested_select = on"},
		{study.Order{Study: "table1", Seeds: 1, Data: "published", Preset: "printed"}, "preset printed"},
		{study.Order{Study: "table1"}, study.DrawnHere},
		{study.Order{Study: "table1", Options: map[string]any{"nodes": 200}}, study.DrawnHere + "|nodes = 200"},
		{study.Order{Study: "table1", Options: map[string]any{"instance": "published"}}, ""},
		{published("table3", map[string]any{"kmeans_restarts": 20}), ""},
		{published("table3", map[string]any{"kmeans_restarts": 1}), "kmeans_restarts = 1"},
		{study.Order{Study: "table3", Options: map[string]any{"variant": "printed"}}, study.DrawnHere + "|variant = printed"},
		{published("ablation", map[string]any{"dim": 4}), "dim = 4"},
		{study.Order{Study: "table5"}, "other subjects"},
	} {
		o := c.order
		reports, err := All().Assemble(o, nil)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		if got := strings.Join(reports[0].Differs, "|"); got != c.want {
			t.Errorf("%+v: %q, want %q", o, got, c.want)
		}
	}
	o := study.Order{Study: "table6", Preset: "released", Options: map[string]any{"eval_lr": 0.1, "hidden": 256}}
	layer := func(loops int) []multiplex.LayerSummary { return []multiplex.LayerSummary{{SelfLoops: loops}} }
	data := &run.Summary{Nodes: 3025, Paper: "ACM", Layers: layer(3025)}
	for want, s := range map[string]*run.Summary{"": data, "other data": {Nodes: 8},
		"data without the link of every node to itself": {Nodes: 3025, Paper: "ACM", Layers: layer(0)},
		"hidden = 256": {Nodes: 3492, Paper: "Freebase", Layers: layer(3492)}} {
		if got := strings.Join(o.Differs(study.NeedGraph, []string{""}, s), "|"); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}

// notHeld checks that a report on changed settings compares none of its figures with the paper's,
// and says so; it returns how many have one beside them.
func notHeld(t *testing.T, r *study.Report) int {
	t.Helper()
	rows := 0
	for _, row := range r.Rows {
		if row.Paper == nil || row.Ours == nil {
			continue
		}
		rows++
		if row.Status != study.OtherSettings || row.Reach != nil {
			t.Errorf("%s: %+v", r.Study, row)
		}
	}
	told(t, r, nil, []string{"a match", "would be number", "that reach the paper's", "authors' program", "Kendall"})
	if rows > 0 && !strings.Contains(r.Setting, "Not the paper's settings: data drawn here, ") {
		t.Errorf("%s: %s", r.Study, r.Setting)
	}
	return rows
}

// Without results the report says nothing but the paper's figures.
func TestNoFindingsWithoutResults(t *testing.T) {
	for _, s := range All() {
		o := study.Order{Study: s.Name}
		invented(t, s.Needs, &o)
		reports, err := All().Assemble(o, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range reports[0].Findings {
			if !strings.HasPrefix(f, "As printed, ") {
				t.Errorf("%s: %s", s.Name, f)
			}
		}
	}
}
