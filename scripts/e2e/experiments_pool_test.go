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

// fatal lets the page end its compute workers at any moment.
const fatal = `{
let role = '';
addEventListener('message', ({data}) => { if (data.start) role = data.role; });
new BroadcastChannel('e2e').onmessage = ({data}) => {
	if (data === role) postMessage({exit: 2, text: 'panic: so to speak'});
};
}`

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
	v.Read(&all, `const {pool} = cadem;
pool.size = args[1];
let last;
const told = [];
const all = await pool.run(args[0], {onResult: i => told.push(i), onProgress: p => { last = p; }});
if (pool.workers > args[1] || told.length !== all.length || last.finished !== all.length ||
	last.done !== all.length) throw new Error(JSON.stringify([pool.workers, told, last]));
return all.map(o => ({result: o.result, error: o.error?.message ?? ''}));`, tasks, size)
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
		s.Precede(s.Built.Worker, fatal)
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until(untouch)
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
		v.Read(&took, `const control = new AbortController(), {pool} = cadem;
let at;
const started = new Promise(f => pool.run(args[0], {signal: control.signal, onProgress: p =>
	{ if (p.each.filter(x => x > 0).length > 1) f(); }}).catch(e => { at = [e.name, performance.now()]; }));
await started;
const began = performance.now();
control.abort();
await new Promise(f => setTimeout(f));
const rejected = at;
while (pool.busy) await new Promise(f => setTimeout(f, 1));
if (rejected[0] !== 'AbortError' || pool.workers !== 2) throw new Error(JSON.stringify([rejected, pool.workers]));
return performance.now() - began;`, long)
		t.Logf("two workers have given up their tasks %.0f ms after the cancel", took)

		var all []measure.Result
		v.Read(&all, `const {pool} = cadem;
let killed = false;
const all = await pool.run(args[0], {onResult(i) {
	if (killed) return;
	killed = true;
	const l = new BroadcastChannel('e2e');
	l.postMessage('compute');
	l.close();
}});
return all.map(o => { if (o.error) throw o.error; return o.result; });`, tasks)
		if !reflect.DeepEqual(all, want) {
			got, _ := json.Marshal(all)
			t.Errorf("after the death of workers: %s", got)
		}
		v.Until("document.querySelector('[data-notice=engine]')") // the page's own died, too, and was replaced
		v.Check()
	})
}

// roll lets every worker hold a lock of its name, for as long as it lives.
const roll = `navigator.locks.request('e2e ' + self.name + ' ' + Math.random(), () => new Promise(() => {}));`

// computing returns how many compute programs the page has, those of the pool among them.
func (v *Visit) computing() (n int) {
	v.t.Helper()
	v.Read(&n, "return (await navigator.locks.query()).held.filter(l => l.name.startsWith('e2e cadem compute ')).length")
	return n
}

// TestRest finishes a large run and starts an experiment, which ends the program that held the run.
// A later request to the run brings it back unchanged.
func TestRest(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "syn2", Data: map[string]any{"nodes": 700}, Options: map[string]any{"epochs": 2, "hidden": 2048, "kmeans_runs": 2}, ModelSeed: 4}
		s := NewSite(t)
		s.Precede(s.Built.Worker, roll)
		v := Open(t, engine, s, drive.Options{}, c.Link())
		v.Until(untouch)
		v.Until("cadem.state().owner")
		was := v.Finish()
		if n := v.computing(); n != 1 {
			t.Fatalf("%d compute programs beside no experiment", n)
		}
		v.Enter(".orders [name=workers]", "1")
		v.Push("[data-study=table2] .primary")
		v.Until("document.querySelector('[data-study=table2] .report table')")
		if n := v.computing(); n != 1 {
			t.Errorf("%d compute programs, expected that of the pool alone", n)
		}
		if st := v.State(); st.Phase != "finished" || !st.Ready || st.Hash != was.Hash {
			t.Errorf("at rest %+v, before %+v", st, was)
		}
		v.colourBy("clusters:common")
		v.Until(`[...document.querySelectorAll('#embeddings-view .legend .key')].some(k => k.textContent.includes('cluster 1'))`)
		v.Until(finished + " && " + kept)
		if st := v.State(); st.Run != was.Run || st.Hash != was.Hash || st.Step != was.Step {
			t.Errorf("brought back %+v, before %+v", st, was)
		}
		if n := v.computing(); n != 2 {
			t.Errorf("%d compute programs, expected that of the run as well", n)
		}
		v.Push("#play")
		v.Until("cadem.state().run !== '" + was.Run + "'")
		v.Until(finished)
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
				v.Until(`cadem.state().phase === 'finished' && cadem.state().hash && !cadem.state().scoring`)
				if st, want := v.State(), c.Train(t); st.Hash != want.Hash || st.Step != 100 {
					t.Errorf("after %d steps the hash is %s, natively it is %s", st.Step, st.Hash, want.Hash)
				}
				v.Check()
			})
		})
	}
}
