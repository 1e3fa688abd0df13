package e2e

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"cadem/core/run"
	"cadem/core/study"
	"cadem/core/study/measure"
	"cadem/scripts/e2e/drive"
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

// pooled runs tasks in the page's pool and returns what they came to.
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
			r, err := tasks[i].Run(nil, nil, nil)
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
