package main

import (
	"fmt"
	"sync"
	"time"

	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
)

// stepBesideOthers measures a step of Syn2, the floor and the peers, and whether the bits
// are the same everywhere.
func (b *bench) stepBesideOthers() {
	q := newProblem()
	peers := b.peers(q)
	defer func() {
		for _, p := range peers {
			p.close()
		}
	}()
	b.stepAndFloor(peers)
	b.sameBits()
}

// longTrainings measures those that a quick run has no time for.
func (b *bench) longTrainings() {
	b.trainings("long", long(), thoroughly)
}

// behaviour measures scores, memory, preparations, start-up, and the page while it trains and while somebody points at its pictures.
func (b *bench) behaviour() {
	for _, measure := range []func(){b.tableOne, b.module, b.memory, b.waits, b.matrix, b.arrivals, b.responsiveness, b.pointing, b.explaining, b.watching} {
		measure()
	}
}

// peers starts the other programs and compares their losses with ours. One that is not
// here is named and left out.
func (b *bench) peers(q *problem) []*peer {
	var list []*peer
	for _, start := range []struct {
		name string
		peer func(*problem) (*peer, error)
	}{{"TensorFlow.js", b.tensorflow}, {pyTorch, b.torch}} {
		p, err := start.peer(q)
		if err != nil || p == nil {
			b.say("%s: not here", start.name)
			if err != nil {
				b.say("%v", err)
			}
			b.full.NotHere = append(b.full.NotHere, start.name)
			continue
		}
		if err := p.check(q); err != nil {
			ok(fmt.Errorf("another program computes something else: %w", err))
		}
		b.say("%s %s: first losses as ours but for %.1g", p.name, p.version, p.deviation)
		list = append(list, p)
		b.full.Peers[p.key] = peerReport{p.name, p.version, p.deviation}
	}
	return list
}

// tableOne measures the scores of the embeddings of Syn1 on all its labels.
func (b *bench) tableOne() {
	b.say("scores of Syn1")
	t := example("syn1", nil)
	for range rounds {
		var s float64
		ok(b.page.call("shipped", "scores", &s, map[string]any{"task": t, "eval_seed": 1}))
		b.add("scores", 1000*s)
		b.add("scores/native", b.native.scores())
	}
}

// module measures a training of Syn1 by the module for pages of one's own, and by the page, in turns, each the first of a worker.
func (b *bench) module() {
	b.say("Syn1 by the module")
	t := example("syn1", nil)
	for range rounds {
		var s float64
		ok(b.page.call("shipped", "module", &s, t))
		b.add("module", 1000*s)
		ok(b.page.call("shipped", "fresh", &s, t))
		b.add("module/page", 1000*s)
	}
}

// memory measures how large the program's memory becomes when it trains Syn2.
func (b *bench) memory() {
	b.say("memory of a training of Syn2")
	d := must(run.OpenExample("syn2", nil, 0))
	entries := 0
	for i := range d.Graph.Layers {
		entries += d.Graph.Layers[i].Adjacency.NNZ()
	}
	t := example("syn2", nil)
	b.train("memory", &t)
	var bytes float64
	ok(b.page.call("memory", "bytes", &bytes, nil))
	// An entry of the graph is its place and its weight.
	b.full.Memory = memoryReport{Peak: round(bytes / 1e6), Parameters: round(32 * syn2Parameters / 1e6), Graph: round(12 * float64(entries) / 1e6)}
}

// arrivals measures how long after navigation a run can be trained: on first visits, each
// at an address of its own, and on second ones, which the service worker answers.
func (b *bench) arrivals() {
	b.say("start-up")
	for i := range rounds + 1 {
		url := fmt.Sprintf("%svisit%d/", b.server.url, i)
		for _, visit := range []string{"first", "second"} {
			a := b.arrival(url)
			if i > 0 {
				b.add("start/"+visit, a.Ready)
				b.add("paint/"+visit, a.Paint)
				b.add("blocked/"+visit, a.Blocked)
			}
			if visit == "first" {
				ok(b.page.Wait("navigator.serviceWorker.controller || (navigator.serviceWorker.getRegistration().then(r => r?.active))", patience))
			}
		}
	}
}

// arrived holds waiting times of a visit, in ms from navigation on: until a run can be trained, until anything was painted;
// and how long the page's thread was blocked until then, as the part of each task beyond 50 ms.
type arrived struct{ Ready, Paint, Blocked float64 }

// arrival visits a page.
func (b *bench) arrival(url string) (a arrived) {
	ok(b.page.Navigate(url))
	ok(b.page.Wait("window.arrived", patience))
	ok(b.page.Eval(&a, "return window.arrived"))
	return a
}

// responsiveness measures the page while it trains Syn2: how late timers of its thread are,
// and how long a press of pause takes to hold the run.
func (b *bench) responsiveness() {
	b.say("the page while it trains")
	ok(b.page.Navigate(b.server.url + "shipped/#v=1&data=syn2&o.epochs=1000"))
	ok(b.page.Wait("globalThis.cadem && cadem.state().ready && cadem.state().phase === 'paused' && !document.querySelector('#play').disabled",
		patience))
	const late = `const late = [];
for (const end = performance.now() + args[0]; performance.now() < end;) {
	const t = performance.now();
	await new Promise(f => setTimeout(f, 5));
	late.push(Math.max(0, performance.now() - t - 5));
}
return late;`
	const pause = `if (cadem.state().phase !== 'running') throw new Error('the run is not under way: ' + cadem.state().phase);
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
	var idle samples
	ok(b.page.Eval(&idle, late, 3000))
	b.add("late/idle", idle...)
	for i := range 12 {
		ok(b.page.Click("#play"))
		ok(b.page.Wait("cadem.state().phase === 'running'", patience))
		var busy samples
		ok(b.page.Eval(&busy, late, 700+37*i))
		b.add("late/training", busy...)
		var ms float64
		ok(b.page.Eval(&ms, pause))
		b.add("pause", ms)
	}
}

// rounds is the number of measurements for a comparison, after one that warms up.
const rounds = 5

// A repetition says how often trainings are measured: most times, except for those that take
// long, which are not begun again after a while if they were measured fewest times.
type repetition struct {
	most, fewest int
	while        time.Duration
}

var (
	hastily    = repetition{3, 1, 5 * time.Second}
	thoroughly = repetition{rounds, 2, time.Minute}
)

// quick measures what the first keys of the report hold.
func (b *bench) quick() {
	b.stepAndFloor(nil)
	b.trainings("runs", brief(), hastily)
	b.measured = []string{"step", "runs", "size"}
	b.sameBits()
}

// stepAndFloor measures the step of Syn2 in three programs, the page's own in one worker and as it
// ships, and in those of peers, and the stream over its parameters, in turns.
func (b *bench) stepAndFloor(peers []*peer) {
	b.say("step of Syn2 and stream over its parameters")
	for round := range rounds + 1 {
		note := func(name string, value float64) {
			if round > 0 {
				b.add(name, value)
			}
		}
		loops := floorLoops[:1]
		if b.full != nil {
			loops = floorLoops
		}
		for _, l := range loops {
			var ms float64
			arg := map[string]any{"address": "../floor.wasm", "parameters": syn2Parameters, "passes": floorPasses, "loop": l.name, "turn": l.turn}
			ok(b.page.call("shipped", "floor", &ms, arg))
			note(l.key, ms)
		}
		for _, v := range []struct {
			name, variant string
			epochs        int // over within a second, when the program would take a checkpoint
		}{{"step/simd", "shipped", 20}, {"step/scalar", "scalar", 4}} {
			t := example("syn2", nil)
			t.Options = map[string]any{"epochs": v.epochs}
			for name, value := range syn2Step {
				t.Options[name] = value
			}
			r := b.train(v.variant, &t)
			note(v.name, r.Loop/float64(r.Steps))
		}
		for _, v := range []struct {
			name       string
			processors int
			vectors    bool
		}{{"step/native", 1, true}, {"step/native_scalar", 1, false}, {"step/native_two", 2, true}} {
			b.native.on(v.processors, v.vectors, func() { note(v.name, b.native.milliseconds(10)) })
		}
		for _, p := range peers {
			for _, f := range p.forms {
				a := must(p.ask(request{Form: f.name, Steps: f.steps}))
				note(p.key+"/"+f.name, a.MS)
			}
		}
	}
	b.allocs = b.native.allocations()
}

// A trained is the page's report of a training.
type trained struct {
	Seconds float64 `json:"s"`
	Loop    float64 `json:"loop_ms"`
	Steps   int     `json:"steps"`
	Hash    string  `json:"hash"`
}

func (b *bench) train(variant string, t *study.Task) (r trained) {
	ok(b.page.call(variant, "train", &r, t))
	if r.Steps == 0 {
		ok(fmt.Errorf("%s, %s: a training without a step", t.Name, variant))
	}
	return r
}

// trainings measures a list of them.
func (b *bench) trainings(part string, list []whole, r repetition) {
	for i := range list {
		list[i].part = part
		b.whole(&list[i], r)
		b.wholes = append(b.wholes, list[i])
	}
}

// whole measures one training, or several on some workers, from request to answer.
func (b *bench) whole(w *whole, repeat repetition) {
	b.say("%s", w.what)
	addresses := make([][]string, len(w.files)) // of the contents, where the page fetches them
	for i, files := range w.files {
		for _, f := range files {
			name := fmt.Sprintf("data/%s/%d/%s", w.key, i, f.Name)
			b.server.put(name, f.Data)
			addresses[i] = append(addresses[i], "../"+name)
		}
	}
	began := time.Now()
	for k := range repeat.most {
		if k >= repeat.fewest && time.Since(began) > repeat.while {
			break
		}
		var r trained
		if len(w.tasks) == 1 && w.files == nil {
			r = b.train("shipped", &w.tasks[0])
		} else {
			ok(b.page.call("shipped", "pool", &r, map[string]any{"tasks": w.tasks, "workers": w.workers, "files": addresses}))
		}
		b.add("run/"+w.key, r.Seconds)
		b.steps[w.key] = r.Steps
	}
}

// sameBits runs Syn1 natively and in Chromium, with and without vectors, at once in both: only the
// bits count.
func (b *bench) sameBits() {
	b.say("hashes of Syn1")
	t := example("syn1", nil)
	var group sync.WaitGroup
	var hash, scalar string
	var failed error
	group.Go(func() {
		defer caught(&failed)
		b.native.on(2, true, func() { hash = b.native.hash(&t) })
		b.native.on(1, false, func() { scalar = b.native.hash(&t) })
	})
	defer func() {
		group.Wait()
		b.hashes["native"], b.hashes["native scalar"] = hash, scalar
		ok(failed)
	}()
	for _, variant := range []string{"shipped", "scalar"} {
		b.hashes[variant] = b.train(variant, &t).Hash
	}
}
