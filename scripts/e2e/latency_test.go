package e2e

import (
	"math/rand/v2"
	"slices"
	"testing"

	"cadem/scripts/e2e/drive"
)

// What the page promises is 50 ms, on a machine of its own. A test may share
// its machine with anything, so it fails only beyond sluggish, only if that
// happens in each of some rounds, and, but for medians, only if an idle page
// is not held up as well. What it measures is in its log.
const (
	sluggish = 250 // ms
	busy     = 20  // ms that timers of an idle page are late on a machine with too much to do
	rounds   = 3
)

// watchTasks notes every task of the page's own thread that takes more than 50 ms.
const watchTasks = `window.longTasks = [];
new PerformanceObserver(list => {
	for (const e of list.getEntries()) window.longTasks.push(e.duration);
}).observe({type: 'longtask'});`

// lateTimers measures the machine: by how much, at worst in a second, timers of
// an idle page are late, in ms.
const lateTimers = `let worst = 0;
for (const end = performance.now() + 1000; performance.now() < end;) {
	const t = performance.now();
	await new Promise(f => setTimeout(f, 1));
	worst = Math.max(worst, performance.now() - t - 1);
}
return worst;`

// pressPause presses the button and returns how long it took until the page had
// heard from the engine that the run is paused, in ms.
const pressPause = `await new Promise(f => setTimeout(f, args[0]));
if (cadem.state().phase !== 'running') throw new Error('the run is not under way');
const {port1, port2} = new MessageChannel();
const t = performance.now();
document.getElementById('play').click();
await new Promise(done => {
	port1.onmessage = () => {
		if (cadem.state().phase === 'paused') done();
		else port2.postMessage(0);
	};
	port2.postMessage(0);
});
return performance.now() - t;`

// TestPause pauses a run of the opening example at many moments, while pictures
// are drawn, clusters found and checkpoints taken, and looks at how long the
// page's own thread is held up.
func TestPause(t *testing.T) {
	Alone(t, func(t *testing.T, engine string) {
		c := Course{Example: "syn2", Options: map[string]any{"epochs": 1000}, ModelSeed: 5}
		v := Open(t, engine, NewSite(t), drive.Options{}, c.Link())
		v.Until(untouch)
		if engine == "chromium" {
			v.Read(nil, watchTasks)
		} else {
			v.Read(nil, "window.longTasks = []")
		}
		random := rand.New(rand.NewPCG(1, 2)) // decides when, not what comes out
		for _, part := range []struct{ what, colour string }{
			{"among pictures and checkpoints", "labels:shared"},
			{"among clusters as well", "clusters:common"},
		} {
			v.colourBy(part.colour)
			for round := 1; ; round++ {
				var idle float64
				v.Read(&idle, lateTimers)
				took := v.pauses(random, 10)
				median, worst := took[len(took)/2], took[len(took)-1]
				var tasks []float64
				v.Read(&tasks, "return window.longTasks.splice(0)")
				longest := slices.Max(append(tasks, 0))
				t.Logf("pause %s: median %.1f ms, longest %.1f ms of %d; %d tasks of the page's thread above 50 ms, the longest %.0f ms; control: timers "+
					"of the idle page up to %.1f ms late",
					part.what, median, worst, len(took), len(tasks), longest, idle)
				if median <= sluggish && (max(worst, longest) <= sluggish || idle > busy) {
					break
				}
				if round == rounds {
					t.Errorf("above %d ms in each of %d rounds", sluggish, rounds)
					break
				}
			}
		}
		if st := v.State(); st.Step == 0 || st.Step >= st.Steps {
			t.Errorf("paused at step %d of %d, expected somewhere between", st.Step, st.Steps)
		}
		v.Check()
	})
}

// pauses sets a run going and pauses it n times, and returns how long that took, sorted.
func (v *Visit) pauses(random *rand.Rand, n int) []float64 {
	v.t.Helper()
	took := make([]float64, n)
	for i := range took {
		v.Push("#play")
		v.Until(running)
		v.Read(&took[i], pressPause, random.IntN(700))
	}
	slices.Sort(took)
	return took
}
