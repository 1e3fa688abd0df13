package experiments

import (
	"strings"
	"testing"

	"cadem.example/core/cadem"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// The sentences on the losses follow what every reader names in trainings of several seeds, before and after, with and without the further losses;
// one seed decides nothing. An order that sets the weights itself has no arms.
func TestLossesAndTheLayer(t *testing.T) {
	trace := func(before, after, rows float64) measure.Array {
		return measure.Array{Name: "trace", Shape: []int{2, 10}, Data: []float64{0, before, .5, .5, .5, 3, before, before, before, .5,
			200, after, .9, .9, .8, 2, after, rows, rows, .7}}
	}
	with := func(seeds int, alone, all, rows float64) *study.Report {
		o := study.Order{Study: "posterior", Seeds: seeds}
		tasks, err := All().Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		results := study.Results{}
		for i := range tasks {
			task := &tasks[i]
			if task.Measure[0].Kind != measure.Trace {
				continue
			}
			a := trace(.7, alone, alone)
			if strings.HasSuffix(task.Name, allLosses) {
				a = trace(.7, all, rows)
			}
			for _, k := range []int{11, 16, 17, 18} { // seeds differ a little
				a.Data[k] += float64(task.ModelSeed) / 1000
			}
			results[task.Key()] = &measure.Result{Key: task.Key(), Name: task.Name, Arrays: []measure.Array{a}}
		}
		if len(results) != 2*8*seeds {
			t.Fatalf("%d arms", len(results))
		}
		return boardOf(t, o, results)
	}
	for _, c := range []struct {
		seeds            int
		alone, all, rows float64
		want             [2]string
	}{
		{3, .5, .4, .4, [2]string{holds, holds}},  // below both
		{3, .4, .4, .4, [2]string{holds, fails}},  // not below matching alone
		{3, .4, .4, .99, [2]string{fails, fails}}, // one reader names it after all
		{3, .4, .6, .6, [2]string{holds, fails}},
		{1, .5, .4, .4, [2]string{oneRun, oneRun}},
	} {
		r := with(c.seeds, c.alone, c.all, c.rows)
		if len(r.Claims) != 4 || r.Claims[0].Verdict != c.want[0] || r.Claims[1].Verdict != c.want[1] || len(r.Held) != 2 || len(r.Held[0].Lines) != 9 {
			t.Errorf("%+v: %+v, %d sheets", c, r.Claims, len(r.Held))
		}
	}
	o := study.Order{Study: "posterior", Options: map[string]any{"weight_causal": 0}}
	tasks, err := All().Plan(o)
	if err != nil || len(tasks) != 4 || tasks[0].Options["weight_causal"] != 0 {
		t.Errorf("with a weight of its own: %d tasks, %v", len(tasks), err)
	}
}

// Intervals that reach over a reduction that matters and over none decide nothing.
func TestVerdicts(t *testing.T) {
	pair := func(differences ...float64) *study.Pairing {
		var x, y [][]float64
		for _, d := range differences {
			x, y = append(x, []float64{d}), append(y, []float64{0})
		}
		return study.PairFolds(x, y, 0)
	}
	low, same, wide := pair(-.3, -.31, -.29), pair(.001, -.001, 0), pair(-.4, .1, -.1)
	for want, list := range map[string][]*study.Pairing{holds: {low, low}, fails: {low, same, wide}, undecided: {low, wide}, oneRun: {low, pair(-.3)}} {
		if got := verdictOf(list); got != want {
			t.Errorf("got %s, expected %s", got, want)
		}
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
	if plain.Hash != seen.Hash || columns != len(measure.TraceColumns) || first[0] != 0 || looks < 6 || last[0] != 30 {
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
	if c := boardOf(t, o, study.Results{tasks[1].Key(): results[tasks[1].Key()]}).Claims; len(c) != 1 || c[0].Verdict != undecided {
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

// Each of the sentences has a verdict that is computed from trainings on the data at hand, and another one with other settings: without
// further losses nothing takes the layer out of C, and the common encoders' input in refined holds no layer's own communities.
func TestClaims(t *testing.T) {
	o := study.Order{Study: "claims", Example: "syn1", Seeds: 2, Options: map[string]any{"nodes": 45, "epochs": 4, "eval_epochs": 20, "hidden": 16}}
	tasks, results, reports := reported(t, o, nil)
	r := reports[0]
	if len(r.Claims) != 4 || r.Missing != 0 || len(r.Charts) != 6 || len(r.Sheets) < 3 {
		t.Fatalf("%+v, %d missing, %d charts, %d sheets", r.Claims, r.Missing, len(r.Charts), len(r.Sheets))
	}
	if got := r.Claims[2].Verdict; got != "does not hold here" {
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
			for _, k := range readers {
				a.Data[k] = 0.8
				if last[k] = 0.5; strings.HasSuffix(name, allLosses) {
					last[k] = all
				}
			}
		}
	}
	for k := range 2 {
		if a, b := verdict(k, o, probe(0.9)), verdict(k, o, probe(0.34)); a != fails || b != holds {
			t.Errorf("the losses: %s, %s", a, b)
		}
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
	if a, b := verdict(3, o, score(0.9, 0.5)), verdict(3, o, score(0.5, 0.9)); a != "holds here" || b != "does not hold here" {
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
	if c := boardOf(t, refined, study.Results{zero.Key: zero}).Claims; len(c) != 1 || c[0].Verdict != undecided {
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
