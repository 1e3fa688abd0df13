package e2e

import (
	"regexp"
	"strconv"
	"testing"

	"cadem/scripts/e2e/drive"
)

// mortal lets the page end the Go programs of its workers. The compute program
// panics at its next rest; that of the storage says that it has ended.
const mortal = `{
let give, dying = false, role = '';
Object.defineProperty(self, 'cademYield', {
	set(f) { give = f; },
	get: () => f => {
		if (!dying) return give(f);
		dying = false;
		throw new RangeError('out of memory, so to speak');
	},
});
addEventListener('message', ({data}) => { if (data.start) role = data.role; });
new BroadcastChannel('e2e').onmessage = ({data}) => {
	if (data !== role) return;
	if (role === 'compute') dying = true;
	else postMessage({exit: 2, text: 'panic: so to speak\n\ngoroutine 1 [running]:'});
};
}`

// die sends a message to mortal workers.
func (v *Visit) die(role string) {
	v.t.Helper()
	v.Read(nil, "const line = new BroadcastChannel('e2e'); line.postMessage(args[0]); line.close()", role)
}

// doomed opens a page whose workers begin with a script, and trains slowly until a state of the run is kept.
func doomed(t *testing.T, engine, script string, c Course) *Visit {
	t.Helper()
	s := NewSite(t)
	s.Precede(s.Built.Worker, script)
	v := Open(t, engine, s, drive.Options{}, c.Link())
	v.Until(untouch)
	v.Until("cadem.state().owner")
	v.Pace(tenASecond)
	v.Push("#play")
	v.Until("cadem.state().saved > 0")
	return v
}

// TestDeath lets the compute program panic in the middle of a run. The page says
// so, starts another, and the run ends where an undisturbed one does.
func TestDeath(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(nil, map[string]any{"epochs": 80})
		v := doomed(t, engine, mortal, c)
		run := v.State().Run
		v.die("compute")
		v.Until("document.querySelector('[data-notice=engine]')")
		v.Want("[data-notice=engine]", "The engine stopped and was started again", "goes on from step")
		v.Pace(fullSpeed)
		v.Until(finished + " && " + kept)
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash || st.Run != run {
			t.Errorf("after a death: %+v, undisturbed %s", st, want.Hash)
		}
		v.Until(`document.querySelectorAll('#losses-table tbody tr').length === 12`)

		// The storage program, which is started again without a word lost.
		v.die("storage")
		v.Until("document.querySelector('[data-notice=storage-restart]')")
		v.Want("[data-notice=storage-restart]", "had to be started again")
		v.Until("cadem.state().owner")
		v.Push("#play")
		v.Until(finished + " && " + kept + " && cadem.state().run !== '" + run + "'")
		v.Until("document.querySelectorAll('#runs-list li[data-run]').length === 2")
		v.Check()
	})
}

// TestDeaths lets the program panic again and again. The page gives up and says
// so, and another run can be made.
func TestDeaths(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Precede(s.Built.Worker, mortal)
		v := Open(t, engine, s, drive.Options{}, Small.With(nil, map[string]any{"epochs": 2000, "early_stop": "off"}).Link())
		v.Until(untouch)
		v.Read(nil, `window.killer = setInterval(() => { const l = new BroadcastChannel('e2e'); l.postMessage('compute'); l.close(); }, 3)`)
		v.Push("#play")
		v.Until("cadem.state().phase === 'failed'")
		v.Read(nil, "clearInterval(window.killer)")
		v.Want("#messages", "stopped three times")
		v.Push("#play")
		v.Until(running + " && cadem.state().step > 50")
		v.Check()
	})
}

// TestTooLarge asks for more memory than a tab has.
func TestTooLarge(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		v.Until("cadem.state().owner")
		was := v.Finish()
		large := Small.With(map[string]any{"nodes": 5000, "p_intra": 0.01, "p_inter": 0.001}, map[string]any{"hidden": 4096})
		v.Read(nil, "location.hash = args[0]", large.Link())
		v.Push("#run-hint button") // Set it up
		v.Until("document.querySelector('#messages').innerText.includes('GB')")
		v.Want("#messages", "4096 hidden units", "a page can use 2 GB")
		v.Want("#runs-list", "nodes 90", "finished")
		v.Read(nil, "location.hash = args[0]", Small.Link())
		v.Until(untouch)
		if st := v.Finish(); st.Hash != was.Hash {
			t.Errorf("afterwards %+v, before %+v", st, was)
		}
		v.Check()
	})
}

// midway ends a compute program, when it is asked to, after the first part of its next large checkpoint.
const midway = `{
let armed = false;
new BroadcastChannel('e2e').onmessage = ({data}) => { if (data === 'midway') armed = true; };
self.Blob = new Proxy(self.Blob, {construct(Blob, [list, ...rest]) {
	if (armed && list[0]?.length >= 1 << 22) {
		armed = false;
		postMessage({exit: 2, text: 'so to speak, in the middle of a checkpoint'});
	}
	return new Blob(list, ...rest);
}});
}`

// TestDeathInACheckpoint lets the compute program end while it writes a checkpoint of several parts. The
// run goes on from the one before and ends where an undisturbed one does.
func TestDeathInACheckpoint(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "syn2", Data: map[string]any{"nodes": 130},
			Options: map[string]any{"epochs": 40, "hidden": 1024, "early_stop": "off", "kmeans_runs": 2}, ModelSeed: 4}
		v := doomed(t, engine, midway, c)
		saved := v.State().Saved
		v.die("midway")
		v.Until("document.querySelector('[data-notice=engine]')")
		v.Want("[data-notice=engine]", "in the middle of a checkpoint", "goes on from step")
		notice := v.Text("[data-notice=engine]")
		var from int
		if m := regexp.MustCompile(`from step (\d+)`).FindStringSubmatch(notice); m != nil {
			from, _ = strconv.Atoi(m[1])
		}
		if from < saved {
			t.Errorf("step %d was kept; the page says %q", saved, notice)
		}
		v.Pace(fullSpeed)
		v.Until(finished + " && " + kept)
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("after a death: %+v, undisturbed %s", st, want.Hash)
		}
		v.Check()
	})
}
