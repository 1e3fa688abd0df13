package experiments

import (
	"strings"
	"testing"

	"cadem/core/cadem"
	"cadem/core/study"
	"cadem/core/study/measure"
)

// What becomes of the sentence on the losses follows from what a probe finds at the end of trainings with and without them, and so changes
// with it. Where an order sets the weights itself there are no arms.
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
	if err != nil || len(tasks) != 2 || tasks[0].Options["weight_causal"] != 0 {
		t.Errorf("with a weight of its own: %d tasks, %v", len(tasks), err)
	}
}

// A trace is seen along a training, which it leaves as it is: communities are known better than by guessing, and C comes nearer to S.
func TestTrace(t *testing.T) {
	task := study.Task{Preset: cadem.Presets[0], Options: map[string]any{"epochs": 30, "weight_causal": 0, "weight_selfsupervised": 0}, EvalSeed: 1}
	task.Data.Example, task.Data.Options = "syn1", map[string]any{"nodes": 60}
	plain, err := task.Run(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	task.Measure = []measure.Spec{{Kind: measure.Trace, Targets: syn1Layers}}
	seen, err := task.Run(nil, nil, nil)
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
	if _, err := tasks[0].Run(nil, nil, nil); err == nil || !strings.Contains(err.Error(), "at most 400") {
		t.Errorf("of 500 nodes: %v", err)
	}
}
