package e2e

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/scripts/e2e/drive"
)

// sweep is a short one: Syn2 at every value of gamma.
func sweep() []study.Task {
	var tasks []study.Task
	for i := range 11 {
		gamma := float64(i) / 10
		tasks = append(tasks,
			study.Task{Name: fmt.Sprintf("gamma %.1f", gamma), Data: run.DataSpec{Example: "syn2", Options: map[string]any{"nodes": 90, "gamma": gamma}},
				Preset:  "released",
				Options: map[string]any{"epochs": 6, "hidden": 16, "kmeans_runs": 2}, ModelSeed: 3, Measure: []measure.Spec{{Kind: measure.Scores}}})
	}
	return tasks
}

// pooled runs tasks in the page's pool and returns their results.
func (v *Visit) pooled(tasks []study.Task, size int) []measure.Result {
	v.t.Helper()
	var all []struct {
		Result measure.Result
		Error  string
	}
	v.Read(&all, "experiments.run", tasks, size)
	var found []measure.Result
	for _, o := range all {
		if o.Error != "" {
			v.t.Error(o.Error)
		}
		found = append(found, o.Result)
	}
	return found
}

// TestPool runs a sweep on one worker and on two, and finds what the core finds
// natively; and again after a cancel in its middle and the death of a worker.
func TestPool(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		tasks := sweep()
		var want []measure.Result
		for i := range tasks {
			r, err := tasks[i].Run(nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, *r)
		}
		s := NewSite(t)
		s.Precede(s.Built.Worker, scriptOf("panics"))
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until("lab.untouched")
		for size := 1; size <= 2; size++ {
			if got := v.pooled(tasks, size); !reflect.DeepEqual(got, want) {
				t.Errorf("%d workers: %+v, natively %+v", size, got, want)
			}
		}

		long := sweep()
		for i := range long {
			long[i].Options["epochs"], long[i].Options["early_stop"] = 100000, "off"
		}
		var took float64
		v.Read(&took, "experiments.cancel", long)
		t.Logf("two workers have given up their tasks %.0f ms after the cancel", took)

		var all []measure.Result
		v.Read(&all, "experiments.outlive", tasks)
		if !reflect.DeepEqual(all, want) {
			got, _ := json.Marshal(all)
			t.Errorf("after the death of workers: %s", got)
		}
		v.Until("notices.there", "engine") // the page's own died, too, and was replaced
		v.Check()
	})
}

// computing returns how many compute programs the page has, those of the pool among them.
func (v *Visit) computing() (n int) {
	v.t.Helper()
	v.Read(&n, "workers.locks")
	return n
}

// TestRest finishes a large run and starts an experiment, which ends the program that held the run.
// A later request to the run brings it back unchanged.
func TestRest(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "syn2", Data: map[string]any{"nodes": 700}, Options: map[string]any{"epochs": 2, "hidden": 2048, "kmeans_runs": 2}, ModelSeed: 4}
		s := NewSite(t)
		s.Precede(s.Built.Worker, scriptOf("roll"))
		v := Open(t, engine, s, drive.Options{}, c.Link())
		v.Until("lab.untouched")
		v.Until("storage.owned")
		was := v.Finish()
		if n := v.computing(); n != 1 {
			t.Fatalf("%d compute programs beside no experiment", n)
		}
		v.Enter(".orders [name=workers]", "1")
		v.Push("[data-study=table2] .primary")
		v.Until("experiments.reported", "table2")
		if n := v.computing(); n != 1 {
			t.Errorf("%d compute programs, expected that of the pool alone", n)
		}
		if st := v.State(); st.Phase != "finished" || !st.Ready || st.Hash != was.Hash {
			t.Errorf("at rest %+v, before %+v", st, was)
		}
		v.colourBy("clusters:common")
		v.Until("embeddings.legend", "cluster 1")
		v.Until("lab.finished && lab.kept")
		if st := v.State(); st.Run != was.Run || st.Hash != was.Hash || st.Step != was.Step {
			t.Errorf("brought back %+v, before %+v", st, was)
		}
		if n := v.computing(); n != 2 {
			t.Errorf("%d compute programs, expected that of the run as well", n)
		}
		v.Push("#play")
		v.Until("!runs.current", was.Run)
		v.Until("lab.finished")
		v.Check()
	})
}

// TestSignals trains the examples with one number a node, from a link and of the published
// data: one is scored by clusters, the other has no labels to score.
func TestSignals(t *testing.T) {
	for _, c := range []Course{
		{Example: "syn3", Data: map[string]any{"instance": "published"}, Options: map[string]any{"epochs": 20, "kmeans_runs": 2}},
		{Example: "syn4", Data: map[string]any{"instance": "published", "sample": 7}, Options: map[string]any{"epochs": 20}},
	} {
		t.Run(c.Example, func(t *testing.T) {
			Each(t, func(t *testing.T, engine string) {
				v := OpenReady(t, engine, c.Link())
				v.Push("#play")
				v.Until("lab.ended && lab.hashed && !lab.scoring")
				if st, want := v.State(), c.Train(t); st.Hash != want.Hash || st.Step != 100 {
					t.Errorf("after %d steps the hash is %s, natively it is %s", st.Step, st.Hash, want.Hash)
				}
				v.Check()
			})
		})
	}
}
