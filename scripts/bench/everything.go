package main

import (
	"fmt"

	"cadem/core/run"
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
	for _, measure := range []func(){b.tableOne, b.memory, b.waits, b.matrix, b.arrivals, b.responsiveness, b.pointing, b.watching} {
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
// at an address of its own, and on second ones, which the service worker answers; on a plain host
// and on one that isolates the page.
func (b *bench) arrivals() {
	b.say("start-up")
	for i := range 2 * (rounds + 1) {
		folder, name := "visit", "start/"
		if i%2 == 1 {
			folder, name = "isolated", "isolated/"
		}
		url := fmt.Sprintf("%s%s%d/", b.server.url, folder, i)
		for _, visit := range []string{"first", "second"} {
			a := b.arrival(url)
			if i > 1 {
				b.add(name+visit, a.Ready)
				b.add("paint/"+visit, a.Paint)
				b.add("blocked/"+visit, a.Blocked)
			}
			if visit == "first" {
				ok(b.page.Wait("navigator.serviceWorker.controller || (navigator.serviceWorker.getRegistration().then(r => r?.active))", patience))
			}
		}
	}
}

// arrived is what a visit has waited for, in ms from navigation on: until a run can be trained, until anything was painted;
// and how long the page's thread was blocked until then, counting of each task what is beyond 50 ms.
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
