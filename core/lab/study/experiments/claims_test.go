package experiments

import (
	"strings"
	"testing"

	"cadem.example/core/cadem"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// The sentence on the losses follows the results of a probe at the end of trainings with and without them, and changes with them. An order
// that sets the weights itself has no arms.
func TestLossesAndTheLayer(t *testing.T) {
	o := study.Order{Study: "posterior"}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	with := func(all float64) *study.Report {
		results := study.Results{}
		for i := range tasks {
			task := &tasks[i]
			if task.Measure[0].Kind != measure.Trace {
				continue
			}
			end := 0.4
			if strings.HasSuffix(task.Name, allLosses) {
				end = all
			}
			results[task.Key()] = &measure.Result{Key: task.Key(), Name: task.Name, Arrays: []measure.Array{{Name: "trace", Shape: []int{2, 6},
				Data: []float64{0, 0.7, 0.5, 0.5, 0.5, 3, 200, end, 0.9, 0.9, 0.8, 2}}}}
		}
		if len(results) != 2*8 {
			t.Fatalf("%d arms", len(results))
		}
		return boardOf(t, o, results)
	}
	for all, verdict := range map[float64]string{0.7: "does not hold here", 0.34: "holds here", 0.42: "is not borne out here"} {
		r := with(all)
		if len(r.Claims) != 1 || r.Claims[0].Verdict != verdict || len(r.Held) != 2 || len(r.Held[0].Lines) != 9 || len(r.Charts) != 4 {
			t.Errorf("%v: %+v, %d sheets, %d charts", all, r.Claims, len(r.Held), len(r.Charts))
		}
	}
	o.Options = map[string]any{"weight_causal": 0}
	tasks, err = All().Plan(o)
	if err != nil || len(tasks) != 4 || tasks[0].Options["weight_causal"] != 0 {
		t.Errorf("with a weight of its own: %d tasks, %v", len(tasks), err)
	}
}

// A trace observes a training without changing it: communities are known better than by guessing, and C comes nearer to S.
func TestTrace(t *testing.T) {
	task := study.Task{Preset: cadem.Presets[0], Options: map[string]any{"epochs": 30, "weight_causal": 0, "weight_selfsupervised": 0}, EvalSeed: 1}
	task.Data.Example, task.Data.Options = "syn1", map[string]any{"nodes": 60}
	plain, err := task.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	task.Measure = []measure.Spec{{Kind: measure.Trace, Targets: syn1Layers}}
	seen, err := task.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := seen.Array("trace")
	looks, columns := a.Shape[0], a.Shape[1]
	first, last := a.Data[:columns], a.Data[(looks-1)*columns:]
	if plain.Hash != seen.Hash || columns != len(measure.TraceColumns) || looks < 5 || last[0] != 30 {
		t.Errorf("hash %s, %s without; %d looks, the last %v", seen.Hash, plain.Hash, looks, last)
	}
	if last[5] >= first[5] || last[2] < 0.6 || last[1] < 0 || last[1] > 1 || last[4] > 1 {
		t.Errorf("from %v to %v", first, last)
	}
}

// With as many features as nodes the matching loss lets any consensus stand; with fewer it does not, and refined shows the common encoders
// nothing of one layer's own. The sentence follows from that.
func TestCounterexample(t *testing.T) {
	o := study.Order{Study: "counterexample"}
	tasks, results, reports := reported(t, o, nil)
	r := reports[0]
	one, few := results[tasks[0].Key()].Array(measure.ArrayZero), results[tasks[1].Key()].Array(measure.ArrayZero)
	for l := range 3 {
		if a := one.Data[6*l:]; a[0] != 99 || a[1] > 1e-9 || a[2] > 1e-9 || a[4] < 0.5 {
			t.Errorf("syn1, layer %d: %v", l+1, a[:6])
		}
		if a := few.Data[6*l:]; a[0] != 64 || a[1] < 0.3 || a[2] < 0.3 {
			t.Errorf("latent, layer %d: %v", l+1, a[:6])
		}
	}
	if len(r.Claims) != 1 || r.Claims[0].Verdict != "does not hold here" {
		t.Errorf("%+v", r.Claims)
	}
	if c := boardOf(t, o, study.Results{tasks[1].Key(): results[tasks[1].Key()]}).Claims; len(c) != 1 || c[0].Verdict != "is not refuted here" {
		t.Errorf("of latent alone: %+v", c)
	}
	o.Options = map[string]any{"nodes": 500}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	large, err := tasks[0].Run(nil, nil)
	if err != nil || !strings.Contains(large.Refused, "at most 400") {
		t.Fatalf("of 500 nodes: %+v, %v", large, err)
	}
	told(t, boardOf(t, o, study.Results{large.Key: large}), []string{"was not looked at"}, []string{"The paper says"})
}

// Each of three sentences has a verdict that is computed from trainings on the data at hand, and another one with other settings: without
// further losses nothing takes the layer out of C, and the common encoders' input in refined holds no layer's own communities.
func TestClaims(t *testing.T) {
	o := study.Order{Study: "claims", Example: "syn1", Options: map[string]any{"nodes": 45, "epochs": 4, "eval_epochs": 20, "hidden": 16}}
	tasks, results, reports := reported(t, o, nil)
	r := reports[0]
	if len(r.Claims) != 3 || r.Missing != 0 || len(r.Charts) != 6 || len(r.Sheets) < 3 {
		t.Fatalf("%+v, %d missing, %d charts, %d sheets", r.Claims, r.Missing, len(r.Charts), len(r.Sheets))
	}
	if got := r.Claims[1].Verdict; got != "does not hold here" {
		t.Errorf("one feature a node: the theorem %s", got)
	}
	verdict := func(k int, order study.Order, change func(name string, r *measure.Result)) string {
		t.Helper()
		other := study.Results{}
		for i := range tasks {
			found := through(t, results[tasks[i].Key()])
			change(tasks[i].Name, found)
			other[found.Key] = found
		}
		return boardOf(t, order, other).Claims[k].Verdict
	}
	probe := func(all float64) func(name string, r *measure.Result) {
		return func(name string, r *measure.Result) {
			a := r.Array("trace")
			if a == nil {
				return
			}
			last := a.Data[len(a.Data)-len(measure.TraceColumns):]
			if last[1] = 0.5; strings.HasSuffix(name, allLosses) {
				last[1] = all
			}
		}
	}
	if a, b := verdict(0, o, probe(0.9)), verdict(0, o, probe(0.34)); a != "does not hold here" || b != "holds here" {
		t.Errorf("the losses: %s, %s", a, b)
	}
	score := func(cadem, other float64) func(name string, r *measure.Result) {
		return func(name string, r *measure.Result) {
			s := r.Score("combined", "final", "macro_f1")
			if s == nil {
				return
			}
			if s.Value = other; r.Steps > 4 && r.Score("common", "final", "macro_f1") != nil {
				s.Value = cadem
			}
			for k := range s.Folds {
				s.Folds[k] = s.Value + float64(k)/1000
			}
		}
	}
	if a, b := verdict(2, o, score(0.9, 0.5)), verdict(2, o, score(0.5, 0.9)); a != "holds here" || b != "does not hold here" {
		t.Errorf("outperforms: %s, %s", a, b)
	}
	refined := o
	refined.Preset = "refined"
	list, err := All().Plan(refined)
	if err != nil {
		t.Fatal(err)
	}
	zero, err := list[0].Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := boardOf(t, refined, study.Results{zero.Key: zero}).Claims; len(c) != 1 || c[0].Verdict != "is not refuted here" {
		t.Errorf("refined: %+v", c)
	}
	of := study.Order{Study: "claims", Example: "syn1", Options: map[string]any{"weight_causal": 7.0}}
	if list, err = All().Plan(of); err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if w := list[i].Options["weight_causal"]; strings.HasSuffix(list[i].Name, matchingAlone) && w != 0 || strings.HasSuffix(list[i].Name, allLosses) && w != 7.0 {
			t.Errorf("%s has weight %v", list[i].Name, w)
		}
	}
}
