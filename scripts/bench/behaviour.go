package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"cadem.example/core/base/kernel"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
)

// syn2Parameters is the number of weights of the encoders of Syn2: 3 layers of 2 encoders,
// F = 1000, H = 256, d = 8.
const syn2Parameters = 3 * 2 * (1000*256 + 256*8 + 8)

// rounds is the number of measurements for a comparison, after one that warms up.
const rounds = 5

// step measures a step of Syn2, the floor and the peers, in turns, and whether the bits are the same
// everywhere.
func (b *bench) step() {
	floor, peers := "Floor$/stream", []*peer(nil)
	if !b.quick {
		floor, peers = "Floor", b.peers(newProblem())
	}
	for _, p := range peers {
		defer p.close()
	}
	b.say("step of Syn2 and stream over its parameters")
	for round := range rounds + 1 {
		b.warming = round == 0
		b.goBench("tab", "./core/base/kernel", floor, "200ms", "1")
		for _, v := range []struct {
			variant string
			epochs  int // over within a second, when the program would take a checkpoint
		}{{"shipped", 20}, {"scalar", 4}} {
			t := example("syn2", nil)
			t.Options = map[string]any{"epochs": v.epochs, "dropout_rate": 0, "early_stop": "off"}
			r := b.train(v.variant, &t)
			b.add("step/"+v.variant, r.Loop/float64(r.Steps))
		}
		b.goBench("native", "./core/cadem", "Syn2", "200ms", "1,2")
		for _, p := range peers {
			for _, f := range p.forms {
				b.add(p.key+"/"+f.name, p.ask(request{Form: f.name, Steps: f.steps}).MS)
			}
		}
	}
	b.sameBits()
}

// sameBits runs Syn1 natively and in Chromium, with and without vectors: only the bits count.
func (b *bench) sameBits() {
	b.say("hashes of Syn1")
	t := example("syn1", nil)
	b.hashes["native"] = must(t.Run(nil, nil)).Hash
	defer kernel.UseVectors(kernel.UseVectors(false))
	b.hashes["native scalar"] = must(t.Run(nil, nil)).Hash
	for _, variant := range []string{"shipped", "scalar"} {
		b.hashes[variant] = b.train(variant, &t).Hash
	}
}

// A trained is the page's report of a training.
type trained struct {
	Seconds float64 `json:"s"`
	Loop    float64 `json:"loop_ms"`
	Steps   int     `json:"steps"`
	Hash    string  `json:"hash"`
}

func (b *bench) train(variant string, t *study.Task) (r trained) {
	b.call(variant, "train", &r, t)
	if r.Steps == 0 {
		ok(fmt.Errorf("%s, %s: a training without a step", t.Name, variant))
	}
	return r
}

// trainings measures whole trainings, one or several on some workers, from request to answer: as often as a
// comparison, except for those that take long, which are not begun again after a while.
func (b *bench) trainings(part string, list []whole) {
	most, fewest, while := rounds, 2, time.Minute
	if b.quick {
		most, fewest, while = 3, 1, 5*time.Second
	}
	for _, w := range list {
		b.say("%s", w.What)
		files := make([][]string, len(w.files)) // addresses of the contents, where the page fetches them
		for i, list := range w.files {
			files[i] = b.putFiles(fmt.Sprintf("data/%s/%d/", w.Key, i), list)
		}
		began := time.Now()
		for k := 0; k < most && (k < fewest || time.Since(began) <= while); k++ {
			var r trained
			if len(w.tasks) == 1 && w.files == nil {
				r = b.train("shipped", &w.tasks[0])
			} else {
				b.call("shipped", "pool", &r, map[string]any{"tasks": w.tasks, "workers": w.workers, "files": files})
			}
			b.add("run/"+w.Key, r.Seconds)
			b.steps[w.Key] = r.Steps
		}
		b.wholes[part] = append(b.wholes[part], w)
	}
}

// putFiles serves files under a path and returns their addresses.
func (b *bench) putFiles(path string, files []formats.File) (addresses []string) {
	for _, f := range files {
		addresses = append(addresses, b.server.put(path+f.Name, f.Data))
	}
	return addresses
}

// reading measures how long a list of links takes to become a graph.
func (b *bench) reading() {
	src := rand.New(rand.NewPCG(1, 1)) // as BenchmarkEdges draws them
	var list bytes.Buffer
	for k := range 1_000_000 {
		fmt.Fprintln(&list, 1+k%3, src.IntN(100_000), src.IntN(100_000), 1)
	}
	file := b.server.put("data/reading/net.edges", list.Bytes())
	data := run.DataSpec{Files: []run.FileSpec{{Name: "net.edges", Size: int64(list.Len())}}, Reader: run.Reader}
	for range rounds {
		b.goBench("native", "./core/formats", "Edges", "1x", "")
		ms := b.of["native/Edges"]
		b.add("read/native", ms[len(ms)-1]/1000)
		b.times("read/tab", "reading", map[string]any{"data": data, "files": []string{file}})
	}
}

// behaviour measures scores, memory, preparations, start-up, and the page while it trains and while somebody
// points at its pictures.
func (b *bench) behaviour() {
	syn1, syn2 := example("syn1", nil), example("syn2", nil)
	b.say("scores of Syn1, and its training by the module and by the page, each the first of a worker")
	for range rounds {
		b.times("scores", "scores", map[string]any{"task": syn1, "eval_seed": 1})
		b.goBench("native", "./core/lab/run", "Score", "1x", "")
		b.times("module", "module", syn1)
		b.times("module/page", "fresh", syn1)
	}
	b.memory(&syn2)
	b.say("requests during a preparation")
	files, spec := acm.files()
	for range rounds {
		for _, of := range []struct {
			key   string
			data  run.DataSpec
			files []string
		}{{"waits/syn2", syn2.Data, []string{}}, {"waits/acm", spec, b.putFiles("data/waits/", files)}} {
			b.times(of.key, "waits", map[string]any{"task": map[string]any{"data": of.data, "preset": "refined"},
				"files": of.files})
		}
	}
	b.say("the matrix of a layer of Syn2")
	b.times("matrix", "matrix", map[string]any{"data": syn2.Data, "rounds": 4 * rounds})
	b.arrivals()
	b.responsiveness()
	b.pointing()
	b.explaining()
	b.watching()
}

// memory measures how large the program's memory becomes when it trains Syn2, in MB, beside what its
// parameters, 32 bytes each, and its graph take.
func (b *bench) memory(syn2 *study.Task) {
	b.say("memory of a training of Syn2")
	entries := 0
	for _, l := range must(run.OpenExample("syn2", nil, 0)).Graph.Layers {
		entries += l.Adjacency.NNZ()
	}
	b.times("memory/peak", "memory", syn2)
	b.add("memory/parameters", 32*syn2Parameters/1e6)
	b.add("memory/graph", 12*float64(entries)/1e6) // an entry is its place and its weight
}

// arrivals measures how long after navigation a run can be trained: on first visits, each
// at an address of its own, and on second ones, which the service worker answers.
func (b *bench) arrivals() {
	b.say("start-up")
	for i := range rounds + 1 {
		b.warming = i == 0
		for _, visit := range []string{"first", "second"} {
			ok(b.page.Navigate("about:blank")) // or the second one would only move within the page
			ok(b.page.Navigate(fmt.Sprintf("%s/visit%d/#learn", b.server.URL, i)))
			var arrived map[string]float64
			b.page.until("window.arrived")
			b.page.run(&arrived, "return window.arrived")
			for what, ms := range arrived {
				b.add(what+"/"+visit, ms)
			}
			if visit == "first" {
				b.page.until("navigator.serviceWorker.controller || (await navigator.serviceWorker.getRegistration())?.active")
			}
		}
	}
}

// shipped is an address of the site as it is, with the settings of a link.
func (b *bench) shipped(format string, arg ...any) string {
	return b.server.URL + "/shipped/#v=1&" + fmt.Sprintf(format, arg...)
}

// measured adds what a script of a page returns.
func (b *bench) measured(p page, name, body string, arg ...any) {
	var ms samples
	p.run(&ms, body, arg...)
	b.add(name, ms...)
}

// Conditions of the page that is measured.
const (
	startable = "cadem.state().phase === 'paused' && !document.querySelector('#play').disabled"
	press     = "document.querySelector('#play').click();"
)

// responsiveness measures the page while it trains Syn2: how late timers of its thread are,
// and how long a press of pause takes to hold the run.
func (b *bench) responsiveness() {
	b.say("the page while it trains")
	b.page.visit(b.shipped("data=syn2&o.epochs=1000"), startable)
	const late = `const late = [];
for (const end = performance.now() + args[0]; performance.now() < end;) {
	const t = performance.now();
	await new Promise(f => setTimeout(f, 5));
	late.push(Math.max(0, performance.now() - t - 5));
}
return late;`
	const pause = `if (cadem.state().phase !== 'running') throw new Error('the run is not under way: ' + cadem.state().phase);
const {port1, port2} = new MessageChannel(), t = performance.now();
` + press + `
await new Promise(done => {
	port1.onmessage = () => cadem.state().phase === 'paused' ? done() : port2.postMessage(0);
	port2.postMessage(0);
});
return [performance.now() - t];`
	b.measured(b.page, "late/idle", late, 3000)
	for i := range 12 {
		ok(b.page.Click("#play"))
		b.page.until("cadem.state().phase === 'running'")
		b.measured(b.page, "late/training", late, 700+37*i)
		b.measured(b.page, "pause", pause)
	}
}

// frameTimes has the pointer move over the first picture of the embeddings, a place a frame, and returns how long each frame took. With
// a line to be drawn around nodes the button is held, and let go after every turn, which chooses them.
const frameTimes = `const [lasso, turns, at = 0] = args, canvas = document.querySelectorAll('#embeddings-view canvas')[at];
const box = canvas.getBoundingClientRect(), each = 40, times = [];
const point = (type, k) => {
	const a = 2 * Math.PI * k / each, r = box.width * (lasso ? 0.3 : 0.45 * k / (turns * each));
	const clientX = box.left + box.width / 2 + r * Math.cos(a), clientY = box.top + box.height / 2 + r * Math.sin(a);
	canvas.dispatchEvent(new PointerEvent(type, {clientX, clientY, pointerId: 1, pointerType: 'mouse', isPrimary: true, bubbles: true}));
};
await new Promise(done => {
	let k = 0, last = 0;
	requestAnimationFrame(function frame(now) {
		if (last) times.push(now - last);
		last = now;
		if (lasso && k > 0 && k % each === 0) point('pointerup', k);
		if (k === turns * each) return done();
		if (lasso && k % each === 0) point('pointerdown', k);
		point('pointermove', k++);
		requestAnimationFrame(frame);
	});
});
return times;`

// pointing measures frames over pictures of many nodes, which come from files: no example has as many.
func (b *bench) pointing() {
	dir := must(os.MkdirTemp("", "bench-"))
	defer os.RemoveAll(dir)
	for _, n := range []int{3000, 8000, 100_000} {
		b.say("pointing at %d nodes", n)
		b.page.visit(b.shipped("data=files&place=lab&o.hidden=8"), "true")
		ok(b.page.Upload("#open-files", written(dir, linked("many", n, 12*n, 3, 6, .75))...))
		b.page.until("cadem.state().phase === 'paused' && cadem.state().drawn && " +
			fmt.Sprintf("document.querySelector('#data-summary')?.textContent.includes('%d nodes')", n))
		b.page.run(nil, `document.querySelector('#places a[href="#lab"]').click()`)
		b.page.until("cadem.state().drawn && document.querySelector('#layers-view canvas')?.width > 0 && " +
			"document.querySelector('#embeddings-view canvas')?.width > 0")
		b.measured(b.page, fmt.Sprintf("frame/hover/%d", n), frameTimes, false, rounds)
		b.measured(b.page, fmt.Sprintf("frame/lasso/%d", n), frameTimes, true, rounds)
	}
}

// written writes files into a folder and returns their paths.
func written(dir string, files []formats.File) (paths []string) {
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		ok(os.WriteFile(path, f.Data, 0o644))
		paths = append(paths, path)
	}
	return paths
}

// snaps takes the link to the strongest neighbour and gives it back, several times, and returns how long the pictures took to follow.
const snaps = `const times = [], moved = () => document.querySelector('#what-if-moved');
const settled = async until => { do await new Promise(f => setTimeout(f)); while (!until() || !cadem.state().drawn); };
for (let k = 0; k < args[0]; k++) {
	const take = document.querySelector('#why-answer th .take'), began = performance.now();
	take.click();
	await settled(() => moved()?.textContent.includes('Nodes are drawn'));
	times.push(performance.now() - began);
	moved().querySelector('button').click();
	await settled(() => !moved());
}
return times;`

// explaining measures frames while the pointer moves over the arrows of a sum, and how soon dots and arrows follow a link that is taken.
func (b *bench) explaining() {
	for _, n := range []int{120, 1000} {
		b.say("a sum among %d nodes", n)
		b.page.visit(b.shipped("data=syn2&d.nodes=%d&o.epochs=2&o.early_stop=off&place=lab&"+
			"show=embeddings&select=7&view.why=C2&view.of=C", n), startable)
		b.page.run(nil, press)
		b.page.until("cadem.state().phase === 'finished' && cadem.state().drawn && " +
			"document.querySelector('#why-drawn')?.textContent.includes('add up to its dot')")
		b.measured(b.page, fmt.Sprintf("sum/hover/%d", n), frameTimes, false, rounds, 2)
		b.measured(b.page, fmt.Sprintf("sum/snap/%d", n), snaps, 4*rounds)
	}
}

// watching measures trainings of Syn2 by one worker, with all views open that the stage shows together, and with none.
func (b *bench) watching() {
	b.say("trainings with views and without")
	for i := range rounds + 1 {
		b.warming = i == 0
		for k, place := range []string{"lab", "data"} {
			// With the same settings the page would open the stored run.
			b.page.visit(b.shipped("data=syn2&o.epochs=100&o.early_stop=off&place=%s&model_seed=%d", place, 2*i+k+1),
				"cadem.state().drawn && "+startable)
			b.measured(b.page, "watched/"+place, "const began = performance.now();"+press+`
while (cadem.state().phase !== 'finished') await new Promise(f => setTimeout(f, 10));
return [performance.now() - began];`)
			b.page.until("cadem.state().pending === 0 && cadem.state().scores > 0")
		}
	}
}
