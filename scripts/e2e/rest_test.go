package e2e

import (
	"testing"

	"cadem/scripts/e2e/drive"
)

// roll lets compute workers answer a call of their names.
const roll = `{
const line = new BroadcastChannel('e2e roll');
line.onmessage = ({data}) => { if (data === 'who?') line.postMessage({name: self.name}); };
}`

// computing returns how many compute programs the page has, those of the pool among them.
func (v *Visit) computing() (n int) {
	v.t.Helper()
	v.Read(&n, `const line = new BroadcastChannel('e2e roll');
let n = 0;
line.onmessage = ({data}) => { if (data.name === 'cadem compute') n++; };
line.postMessage('who?');
await new Promise(f => setTimeout(f, 300));
line.close();
return n;`)
	return n
}

// TestRest finishes a large run and starts an experiment, which ends the program that held the
// run. What is asked of the run afterwards brings it back as it was.
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
