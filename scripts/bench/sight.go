package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"cadem.example/core/lab/run"
)

// Limits for the page without a graphics processor: Chromium draws in software here.
var pointed = []struct {
	points int
	most   map[string]float64 // ms of a frame, 95th percentile, while it points and while it draws around some
}{{3000, map[string]float64{"hover": 50, "lasso": 50}}, {8000, map[string]float64{"hover": 90, "lasso": 90}},
	{100_000, map[string]float64{"hover": 50, "lasso": 200}}}

// watched is the largest factor by which a training may slow down when all views show it.
const watched = 1.1

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

// matrix measures how long the matrix of a layer of Syn2 takes, a pixel for every pair of 1000 nodes.
func (b *bench) matrix() {
	b.say("the matrix of a layer of Syn2")
	var ms samples
	ok(b.page.call("shipped", "matrix", &ms, map[string]any{"data": example("syn2", nil).Data, "rounds": 4 * rounds}))
	b.add("matrix", ms...)
}

// pointing measures frames over pictures of many nodes, which come from files: no example has as many.
func (b *bench) pointing() {
	dir := must(os.MkdirTemp("", "cadem-bench"))
	defer os.RemoveAll(dir)
	for _, c := range pointed {
		b.say("pointing at %d nodes", c.points)
		files := manyNodes(dir, c.points)
		b.visit("shipped/#v=1&data=files&place=lab&o.hidden=8", "globalThis.cadem && cadem.state().ready")
		ok(b.page.Upload("#open-files", files...))
		drawn := fmt.Sprintf("cadem.state().phase === 'paused' && cadem.state().drawn && document.querySelector('#data-summary')?.textContent.includes('%d nodes')",
			c.points)
		ok(b.page.Wait(drawn, patience))
		ok(b.page.Eval(nil, `document.querySelector('#places a[href="#lab"]').click()`))
		ok(b.page.Wait("cadem.state().drawn && document.querySelector('#layers-view canvas')?.width > 0 && "+
			"document.querySelector('#embeddings-view canvas')?.width > 0", patience))
		for name, lasso := range map[string]bool{"hover": false, "lasso": true} {
			var ms samples
			ok(b.page.Eval(&ms, frameTimes, lasso, rounds))
			b.add(fmt.Sprintf("frame/%s/%d", name, c.points), ms...)
		}
	}
}

// explained are graphs, one node of which is drawn as the sum of what holds it: how long a link that is taken may wait for the picture, in ms.
var explained = []struct {
	nodes int
	most  float64
}{{120, 17}, {1000, 100}}

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
	for _, c := range explained {
		b.say("a sum among %d nodes", c.nodes)
		b.visit(fmt.Sprintf("shipped/#v=1&data=syn2&d.nodes=%d&o.epochs=2&o.early_stop=off&place=lab&show=embeddings&select=7&view.why=C2&view.of=C", c.nodes),
			"globalThis.cadem && cadem.state().ready && cadem.state().phase === 'paused' && !document.querySelector('#play').disabled")
		ok(b.page.Eval(nil, "document.querySelector('#play').click()"))
		ok(b.page.Wait("cadem.state().phase === 'finished' && cadem.state().drawn && "+
			"document.querySelector('#why-drawn')?.textContent.includes('add up to its dot')", patience))
		var arrows float64
		ok(b.page.Eval(&arrows, `const more = /(\d+) more/.exec(document.querySelector('#why-answer [data-lights=more]')?.textContent ?? '');
return Number(more?.[1] ?? 0) + document.querySelectorAll('#why-answer [data-lights^=node]').length`))
		b.say("%.0f arrows", arrows)
		var ms samples
		ok(b.page.Eval(&ms, frameTimes, false, rounds, 2))
		b.add(fmt.Sprintf("sum/hover/%d", c.nodes), ms...)
		ms = nil
		ok(b.page.Eval(&ms, snaps, 4*rounds))
		b.add(fmt.Sprintf("sum/snap/%d", c.nodes), ms...)
	}
}

// manyNodes writes a multiplex graph of that number of nodes, in three layers of six groups, as files.
func manyNodes(dir string, n int) []string {
	src := rand.New(rand.NewPCG(1, uint64(n)))
	const groups, links = 6, 4
	var edges, labels strings.Builder
	labels.WriteString("node,group\n")
	for i := range n {
		fmt.Fprintf(&labels, "%d,g%d\n", i, i%groups)
		for l := range 3 {
			for range links {
				j := src.IntN(n)
				if src.IntN(4) > 0 { // mostly within the group
					j = min(j/groups*groups+i%groups, n-1)
				}
				if i != j {
					fmt.Fprintf(&edges, "%d %d %d 1\n", l+1, i, j)
				}
			}
		}
	}
	stem := filepath.Join(dir, fmt.Sprint("many", n))
	files := []string{stem + "_multiplex.edges", stem + "_labels.csv"}
	for k, text := range []string{edges.String(), labels.String()} {
		ok(os.WriteFile(files[k], []byte(text), 0o644))
	}
	return files
}

// watching measures trainings of Syn2 by one worker, with all views open that the stage shows together, and with none.
func (b *bench) watching() {
	b.say("trainings with views and without")
	const train = `const began = performance.now();
document.getElementById('play').click();
while (cadem.state().phase !== 'finished') await new Promise(f => setTimeout(f, 10));
return performance.now() - began;`
	for i := range rounds + 1 { // the first is not counted
		for k, place := range []string{"lab", "data"} {
			// With the same settings the page would open the stored run.
			link := fmt.Sprintf("shipped/#v=1&data=syn2&o.epochs=100&o.early_stop=off&place=%s&model_seed=%d", place, 2*i+k+1)
			b.visit(link, "globalThis.cadem && cadem.state().ready && cadem.state().drawn && cadem.state().phase === 'paused' && "+
				"!document.querySelector('#play').disabled")
			var ms float64
			ok(b.page.Eval(&ms, train))
			if i > 0 {
				b.add("watched/"+place, ms)
			}
			ok(b.page.Wait("cadem.state().pending === 0 && cadem.state().scores > 0", patience))
		}
	}
}

// visit opens an address of the server anew, whatever was there before, and waits for it.
func (b *bench) visit(address, until string) {
	for _, url := range []string{"about:blank", b.server.url + address} {
		ok(b.page.Navigate(url))
	}
	ok(b.page.Wait(until, patience))
}

// waits measures how long requests wait for an answer while a run of refined is prepared, of Syn2 and of a graph of
// ACM's size.
func (b *bench) waits() {
	b.say("requests during a preparation")
	files, spec := acm.files()
	var addresses []string
	for _, f := range files {
		name := "data/waits/" + f.Name
		b.server.put(name, f.Data)
		addresses = append(addresses, "../"+name)
	}
	syn2 := run.DataSpec{Example: "syn2"}
	for _, of := range []struct {
		key   string
		data  run.DataSpec
		files []string
	}{{"waits/syn2", syn2, []string{}}, {"waits/acm", spec, addresses}} {
		for range rounds {
			var ms samples
			task := map[string]any{"data": of.data, "preset": "refined"}
			ok(b.page.call("shipped", "waits", &ms, map[string]any{"task": task, "files": of.files}))
			b.add(of.key, ms...)
		}
	}
}
