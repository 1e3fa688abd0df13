package e2e

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"cadem/core/run"
	"cadem/core/study"
	"cadem/scripts/e2e/drive"
)

// witness has a worker hold a lock, which the page sees at once, when it has asked another one to
// train beside it, and one when it has put a step in memory shared with it. It lets that one
// fail: between two steps, or in the next.
const witness = `{
const line = new BroadcastChannel('e2e');
if (self.name === 'cadem helper') {
	line.onmessage = ({data}) => {
		if (data === 'fail') throw new Error('so to speak');
		if (data === 'fail in a step') Atomics.store = () => { throw new Error('so to speak'); };
	};
} else if (self.name === 'cadem compute' && self.Worker) {
	const Other = self.Worker, {exchange} = Atomics, noted = new Set();
	const note = what => noted.has(what) || noted.add(what) && navigator.locks.request('e2e ' + what, {mode: 'shared'}, () => new Promise(() => {}));
	self.Worker = class extends Other { constructor(...a) { note('asked'); super(...a); } };
	Atomics.exchange = (...a) => { note('laid'); return exchange(...a); };
}
}`

// isolates reports whether the engine knows the header that lets workers share memory.
func isolates(engine string) bool { return engine == "chromium" }

// slowly has a run go on at the slowest pace as soon as the page finds what stands before it: what comes then does not
// race against the end of the run.
const slowly = `(p => { p.value = 0; return p.dispatchEvent(new Event('input', {bubbles: true})); })(document.querySelector('#pace'))`

// asked returns how many compute programs of the page have asked for a second worker, and how
// many have put steps in memory shared with it.
func (v *Visit) asked() (workers, laid int) {
	v.t.Helper()
	var sum [2]int
	v.Read(&sum, `const {held} = await navigator.locks.query();
return ['asked', 'laid'].map(what => held.filter(lock => lock.name === 'e2e ' + what).length);`)
	return sum[0], sum[1]
}

// TestOffload trains the private encoders of a run in a second worker, changes a weight on the
// way, pauses, goes on from a checkpoint in another program, and loses the second worker. The
// bits are those of the native program, whether steps go by messages or lie in shared memory, and
// of a browser whose workers cannot have others.
func TestOffload(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "syn2", Data: map[string]any{"nodes": 130},
			Options: map[string]any{"epochs": 70, "hidden": 1024, "early_stop": "off", "kmeans_runs": 2}, ModelSeed: 4}
		for _, kind := range []struct {
			name, prelude    string
			helper, isolated bool
			fail             string
		}{
			{"messages", witness, true, false, "fail"},
			{"shared memory", witness, true, true, map[bool]string{true: "fail in a step", false: "fail"}[isolates(engine)]},
			{"one worker", witness + `self.Worker = undefined;`, false, false, ""},
		} {
			t.Run(kind.name, func(t *testing.T) {
				if kind.name != "messages" && !long() {
					t.Skip("make test-long trains by shared memory and in one worker, too; in make test TestHelpers shares memory")
				}
				s := NewSite(t)
				s.Isolated = kind.isolated
				if kind.helper {
					kind.prelude += drive.Crowd(1, 8, time.Hour) // who fails below has not gone before, because the machine was busy
				}
				s.Precede(s.Built.Worker, kind.prelude)
				v := Open(t, engine, s, drive.Options{}, c.Link())
				v.Until(untouch)
				v.Until("cadem.state().owner")
				v.Pace(tenASecond)
				v.Push("#play")
				v.Until("cadem.state().step > 70 && cadem.state().saved > 0 && " + slowly) // it is offloaded after 50
				v.Push("#play")
				v.Until(`cadem.state().phase === 'paused'`)
				v.Enter("#options-weight_causal", "2.5")
				changed := v.State().Step
				v.Push("#step")
				v.Until("cadem.state().step === " + strconv.Itoa(changed+1) + " && " + kept)
				if n, laid := v.asked(); (n > 0) != kind.helper || (laid > 0) != (kind.isolated && isolates(engine)) {
					t.Errorf("%d programs asked for a second worker, %d laid down steps for it", n, laid)
				}
				run := v.State().Run
				v.Load("")
				v.Pace(tenASecond)
				v.Push(fmt.Sprintf("[data-run=%q] [data-act=continue]", run))
				v.Until(running + " && cadem.state().step > " + strconv.Itoa(changed+70) + " && cadem.state().saved > " + strconv.Itoa(changed+50) +
					" && " + slowly)
				if kind.helper {
					v.die(kind.fail)
					v.Until("document.querySelector('[data-notice=engine]')")
					v.Want("[data-notice=engine]", "The engine stopped and was started again", "goes on from step")
				}
				v.Pace(fullSpeed)
				v.Until(finished)

				if st, want := v.State(), c.TrainChanged(t, changed, 2.5); st.Hash != want {
					t.Errorf("hash %s, natively with the change at step %d %s", st.Hash, changed, want)
				}
				v.Check()
			})
		}
	})
}

// plans has a program hold a lock for every worker that it tells what to do. The last of them fails when it is asked to.
const plans = `if (self.name === 'cadem helper') addEventListener('message', e => {
	if (!e.data?.fail) return;
	e.stopImmediatePropagation();
	throw new Error('so to speak');
});
else if (self.name === 'cadem compute' && self.Worker) {
	const {postMessage} = Worker.prototype, known = new Set();
	Worker.prototype.postMessage = function (...a) {
		if (a[0]?.plan && !known.has(this)) navigator.locks.request('e2e plan', {mode: 'shared'}, () => new Promise(() => {}));
		if (a[0]?.plan) known.add(this);
		postMessage.apply(this, a);
	};
	new BroadcastChannel('e2e').onmessage = ({data}) => { if (data === 'fail') postMessage.call([...known].at(-1), {fail: true}); };
}
`

// missing has the second worker that a program asks for never come up.
const missing = `if (self.name === 'cadem compute' && self.Worker) {
	const {postMessage} = Worker.prototype;
	let asked = 0;
	Worker.prototype.postMessage = function (...a) {
		if (!a[0]?.helper || ++asked !== 2) postMessage.apply(this, a);
	};
}
`

// late keeps back what brings other workers up until the page says so.
const late = `if (self.name === 'cadem compute' && self.Worker) {
	const {postMessage} = Worker.prototype, kept = [];
	let come = false;
	new BroadcastChannel('e2e').onmessage = ({data}) => {
		come ||= data === 'come';
		if (come) for (const go of kept.splice(0)) go();
	};
	Worker.prototype.postMessage = function (...a) {
		if (a[0]?.helper && !come) kept.push(() => postMessage.apply(this, a));
		else postMessage.apply(this, a);
	};
}
`

// planned waits until that number of workers has trained beside runs of the current programs.
func (v *Visit) planned(want int) {
	v.t.Helper()
	n := 0
	for began, once := time.Now(), true; once || n < want && time.Since(began) < time.Minute; once = false {
		v.Read(&n, `return (await navigator.locks.query()).held.filter(lock => lock.name === 'e2e plan').length;`)
	}
	if n != want {
		v.t.Errorf("%d workers have trained beside the run, want %d", n, want)
	}
}

// lose stores the state of a run, and makes the last of the workers beside it fail once they all train. The page says
// so, and the run continues from that state.
func (v *Visit) lose(of int) {
	v.t.Helper()
	v.Until(running + " && cadem.state().step > 0")
	v.Push("#play")
	v.Until("cadem.state().phase === 'paused' && " + kept)
	v.Push("#play")
	v.planned(of)
	v.Pace(slowest)
	v.die("fail")
	v.Until("document.querySelector('[data-notice=engine]')")
	v.Want("[data-notice=engine]", "The engine stopped and was started again", "goes on from step", "a worker beside it ended")
	v.Pace(fullSpeed)
}

// TestHelpers trains a run with one to four other workers, on whatever machine this is: the bits are those of
// the native program. One that is asked for never comes, and one of three fails.
func TestHelpers(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		if !isolates(engine) {
			t.Skip("its workers share no memory, and a program has one other at most")
		}
		c := Course{Example: "syn2", Data: map[string]any{"nodes": 130},
			Options: map[string]any{"epochs": 400, "hidden": 256, "early_stop": "off", "kmeans_runs": 2}, ModelSeed: 4}
		want := c.Train(t).Hash
		for _, kind := range []struct {
			name          string
			helpers, come int
			prelude       string
			fails, long   bool
		}{
			{"one", 1, 1, "", false, true},
			{"two", 2, 2, "", false, true},
			{"three", 3, 3, "", false, true},
			{"four", 4, 4, "", false, true},
			{"two, one missing", 2, 1, missing, false, false},
			{"three, one fails", 3, 3, "", true, true},
		} {
			t.Run(kind.name, func(t *testing.T) {
				if kind.long && !long() {
					t.Skip("make test-long trains with every number of workers, and loses one of three; in make test TestOffload loses the only one")
				}
				c, want := c, want
				if kind.fails {
					c = c.With(nil, map[string]any{"epochs": 1200}) // it fails long before the end
					want = c.Train(t).Hash
				}
				s := NewSite(t)
				s.Isolated = true
				s.Precede(s.Built.Worker, plans+kind.prelude+drive.Crowd(kind.helpers, 2, 500*time.Microsecond))
				v := Open(t, engine, s, drive.Options{}, c.Link())
				v.Until(untouch)
				v.Until("cadem.state().owner")
				v.Pace(fullSpeed)
				v.Push("#play")
				if kind.fails {
					v.lose(kind.come)
				}
				v.Until(finished)
				if st := v.State(); st.Hash != want {
					t.Errorf("hash %s, natively %s", st.Hash, want)
				}
				v.planned(kind.come)
				v.Check()
			})
		}
	})
}

// TestLateHelper asks for another worker that is up only when the run that wanted it is over. That run trained without it, the next one trains
// with it, and both have the bits of the native program.
func TestLateHelper(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "syn2", Data: map[string]any{"nodes": 130},
			Options: map[string]any{"epochs": 60, "hidden": 1024, "early_stop": "off", "kmeans_runs": 2}, ModelSeed: 4} // messages pay as well
		want := c.Train(t).Hash
		s := NewSite(t)
		s.Isolated = isolates(engine)
		s.Precede(s.Built.Worker, plans+late+drive.Crowd(1, 8, time.Hour))
		v := Open(t, engine, s, drive.Options{}, c.Link())
		v.Until(untouch)
		v.Until("cadem.state().owner")
		v.Push("#play")
		v.Until(finished + " && " + kept)
		first := v.State()
		v.planned(0)
		v.die("come")
		v.Push("#play")
		v.Until(finished + " && cadem.state().run !== " + strconv.Quote(first.Run))
		v.planned(1)
		if second := v.State(); first.Hash != want || second.Hash != want {
			t.Errorf("hashes %s without and %s with another worker, natively %s", first.Hash, second.Hash, want)
		}
		v.Check()
	})
}

// TestOffloadOfTask trains a task of an experiment while the machine has a core to spare: its
// private encoders go to a second worker, and come back when another task wants the core. The bits
// are those of the native program.
func TestOffloadOfTask(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		task := study.Task{Name: "large", Data: run.DataSpec{Example: "syn2", Options: map[string]any{"nodes": 130}}, Preset: "released",
			Options: map[string]any{"epochs": 40, "hidden": 1024, "early_stop": "off"}, ModelSeed: 4}
		want, err := task.Run(nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := NewSite(t)
		s.Precede(s.Built.Worker, witness)
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until(untouch)
		if got := v.pooled([]study.Task{task}, 1); got[0].Hash != want.Hash {
			t.Errorf("with one worker: hash %s, natively %s", got[0].Hash, want.Hash)
		}
		asked := func() int {
			n, _ := v.asked()
			return n
		}
		if n := asked(); n > 0 {
			t.Errorf("with one worker %d programs asked for another", n)
		}
		v.Read(nil, `cadem.pool.size = 2;
window.first = cadem.pool.run([args[0]]).then(([o]) => o.result?.hash ?? o.error.message);`, task)
		for began := time.Now(); asked() == 0; {
			if time.Since(began) > time.Minute {
				t.Fatal("no second worker is asked for though a core is free")
			}
		}
		task.ModelSeed++
		other, err := task.Run(nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.pooled([]study.Task{task, task}, 2); got[0].Hash != other.Hash || got[1].Hash != other.Hash {
			t.Errorf("beside another: hashes %s and %s, natively %s", got[0].Hash, got[1].Hash, other.Hash)
		}
		var first string
		if v.Read(&first, `return await first;`); first != want.Hash {
			t.Errorf("with a second worker for a while: hash %s, natively %s", first, want.Hash)
		}
		v.Check()
	})
}
