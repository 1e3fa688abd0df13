package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/scripts/e2e/drive"
)

// A largeSize is nodes and links of a graph that is lists of links, in two layers, and nothing else but groups to score.
type largeSize struct{ nodes, links int }

// largeSizes are those that are trained natively. Without CADEM_LARGE the first is measured alone.
var largeSizes = []largeSize{{10_000, 100_000}, {100_000, 1_000_000}, {1_000_000, 10_000_000}}

// largePhases are the parts of a training.
var largePhases = []string{"read", "prepare", "steps", "score"}

// largeLayers is the number of layers of these graphs.
const largeLayers = 2

func (s largeSize) files() []formats.File {
	return linked("large", s.nodes, s.links, largeLayers, 4, .6)
}

// linked are links between nodes of some groups, a share of them inside a group, and the groups.
func linked(name string, nodes, links, layers, many int, share float64) []formats.File {
	var text, groups bytes.Buffer
	draw := rng.New(1, "bench/"+name)
	text.WriteString("source,target,layer\n")
	for k := range links {
		i, j := draw.IntN(nodes), draw.IntN(nodes)
		if draw.Float64() < share {
			j = min(j/many*many+i%many, nodes-1)
		}
		fmt.Fprintf(&text, "%d,%d,%c\n", i, j, 'a'+k%layers)
	}
	groups.WriteString("node,group\n")
	for i := range nodes {
		fmt.Fprintf(&groups, "%d,%c\n", i, 'a'+i%many)
	}
	return []formats.File{{Name: "links.csv", Data: text.Bytes()}, {Name: "groups.csv", Data: groups.Bytes()}}
}

// tabWorks are the trainings that are measured in the page, in the order of their sizes. `evidence` has two, since its
// times are compared. With no steps a run is prepared alone.
var tabWorks = []struct {
	largeSize
	preset string
	steps  int
}{
	{largeSizes[0], "refined", 1000}, {largeSizes[0], "refined" + allScored, 1000}, {largeSize{20_000, 200_000}, "evidence", 0},
	{largeSizes[1], "refined", 1000}, {largeSizes[1], "evidence", 0}, {largeSizes[2], "refined", 1000},
}

// allScored behind a preset has scores learned from all nodes, not from a sample.
const allScored = ", all scored"

// large trains graphs without features, one larger than the other, natively and in the page, each there in a browser
// of its own, and compares how well methods find links that were held out.
func (b *bench) large() {
	b.goBench("native", "./scripts/bench", "(Large|HeldOut)", "1x", "")
	if withSciPy() == "" {
		b.absent("large", "SciPy")
	}
	dir := must(os.MkdirTemp("", "bench-"))
	defer os.RemoveAll(dir)
	for _, w := range tabWorks {
		if w.nodes <= largeSizes[0].nodes || os.Getenv("CADEM_LARGE") != "" {
			b.say("%d nodes in the page, %s", w.nodes, w.preset)
			b.largeTab(written(dir, w.files()), w.largeSize, w.preset, w.steps)
		}
	}
}

// timed has the page note when its workers are asked what and answer, how late its timers are from the drop of files to their picture, and when that
// stands or the files are refused. Only the ends of the headers of messages are looked at, as these may be long.
const timed = `{
const heard = [], late = [], Plain = Worker;
window.timed = {heard, late};
const hear = (what, t = performance.now()) => heard.push({what, t});
window.Worker = class extends Plain {
	#asked = new Map();
	constructor(...of) {
		super(...of);
		this.addEventListener('message', ({data: {header}}) => {
			const [, id, event] = /"id":(\d+),"kind":"(?:reply|event)"(?:,"event":"(\w+)")?/.exec(header?.slice(0, 200)) ?? [];
			if (id) hear(this.#asked.get(id) + (event ? ' ' + event : ''));
		});
	}
	postMessage(data, ...more) {
		const [, id, what] = /"id":(\d+),"kind":"(\w+)"(?:,"slabs":\[\{.*\}\])?\}$/.exec(data.header?.slice(-4000)) ?? [];
		if (id) {
			this.#asked.set(id, what);
			hear(what + '?');
		}
		super.postMessage(data, ...more);
	}
};
const has = what => heard.some(h => h.what === what);
const stands = () => has('train frame') && has('layers') && cadem.state().phase === 'paused' && cadem.state().drawn;
addEventListener('change', async ({target}) => {
	if (target.id !== 'open-files') return;
	heard.length = 0;
	hear('drop');
	for (;;) {
		const t = performance.now();
		await new Promise(f => setTimeout(f, 5));
		late.push(Math.max(0, performance.now() - t - 5));
		if (!document.querySelector('#files-problem').hidden) return hear('refusal');
		if (stands()) return hear('picture');
	}
}, true);
}`

// largeTab drops files on the page, and waits for the picture, the run and the scores. Its figures are seconds of the
// phases and megabytes, the most that the page's process has held by the end of each.
func (b *bench) largeTab(paths []string, size largeSize, preset string, steps int) {
	t := page{must(drive.Start("chromium", drive.Options{}))}
	defer t.Close()
	held, stop := peak(t)
	defer stop()
	name := fmt.Sprintf("tab/Large/%d/%d/%s", size.nodes, size.links, preset)
	score := fmt.Sprint("sample:", evaluate.UsualSample)
	if of, all := strings.CutSuffix(preset, allScored); all {
		preset, score = of, "all"
	}
	o := must(cadem.Preset(preset))
	t.visit(fmt.Sprintf("%s/timed/#v=1&data=files&place=lab&preset=%s&o.epochs=%d&o.early_stop=off&e.score=%s",
		b.server.URL, preset, max(1, steps/o.InnerSteps), score),
		"(await navigator.serviceWorker.getRegistration())?.active && cadem.state().drawn")
	seconds := func(from, to string) (s float64) {
		t.run(&s, "const [from, to] = args.map(w => h => h.what === w), all = timed.heard;"+
			"return (all.findLast(to).t - all.find(from).t) / 1000", from, to)
		return s
	}
	over := func(phase, from, to string) {
		b.add(name+"|s-"+phase, seconds(from, to))
		b.add(name+"|MB-"+phase, held())
	}
	ok(t.Upload("#open-files", paths...))
	t.until("timed.heard.some(h => ['open', 'refusal'].includes(h.what))")
	var refused string
	t.run(&refused, "return document.querySelector('#files-problem').innerText")
	if refused != "" {
		b.remark("large", "A list of %d links between %d nodes is refused %.2g s after the drop, while the page's process "+
			"holds at most %.0f MB: \u201c%s\u201d.", size.links, size.nodes, seconds("drop", "refusal"), held(), refused)
		return
	}
	over("read", "drop", "open")
	t.until("timed.heard.some(h => h.what === 'picture')")
	over("prepare", "train?", "train shares")
	b.add(name+"|s-picture", seconds("drop", "picture"))
	b.measured(t, name+"|late", "return timed.late")
	b.measured(t, name+"|hover", frameTimes, false, rounds)
	if steps == 0 {
		return
	}
	t.run(nil, "timed.heard.push({what: 'play', t: performance.now()});"+press)
	t.until("timed.heard.some(h => h.what === 'train')")
	b.add(name+"|steps", float64(steps))
	over("steps", "play", "train")
	t.until("cadem.state().scores > 0 && !cadem.state().scoring")
	over("score", "evaluate?", "evaluate")
}

// peak watches the most megabytes that the process of a page has held. It is asked every second: Chromium now and then
// has the kernel begin anew.
func peak(p page) (most func() float64, stop func()) {
	var mu sync.Mutex
	var mb float64
	most = func() float64 {
		mu.Lock()
		defer mu.Unlock()
		if u, err := p.Usage(); err == nil { // else there is no page yet, or none any more
			mb = max(mb, float64(u.Most)/1e6)
		}
		return mb
	}
	tick := time.NewTicker(time.Second)
	go func() { // ends with the program
		for range tick.C {
			most()
		}
	}()
	return most, tick.Stop
}

// wire is the speed of a network between machines that the projection takes, in bytes a second: 10 Gbit/s.
const wire = 10e9 / 8

// mostEntries is the largest number of entries that a layer may have: rows begin at numbers of 32 bits.
const mostEntries = math.MaxInt32

// A projected is what training a larger graph would take.
type projected struct {
	Links, Nodes    float64
	List, Graph     float64            // GB of the file, and of the graph
	Hours, GB       map[string]float64 // of every phase
	Broken          string             // limits that it exceeds
	Exchange, Epoch float64            // seconds that the exchange of an epoch takes on the wire, and those of the epoch itself
}

// beyond projects the largest graph that refined was trained on, to graphs with as many links a node: memory in
// proportion to links, times by the exponents over all sizes, two at least. These count as 1 at least, but for scores,
// which are learned from a sample of one size. The first is that graph itself. It returns none where there is one size.
func (b *bench) beyond(sizes ...float64) (list []projected) {
	const prefix, suffix = "native/Large/", "/refined/|"
	o := must(cadem.Preset("refined"))
	of := b.series(prefix, suffix+"links")
	if len(of.X) < 2 {
		return nil
	}
	last := func(unit string) float64 { return b.series(prefix, suffix+unit).Y[len(of.Y)-1] }
	nodes, links := of.X[len(of.X)-1], of.Y[len(of.Y)-1]
	for _, size := range append([]float64{links}, sizes...) {
		times := size / links
		p := projected{Links: size, Nodes: nodes * times, List: last("MB-list") * times / 1e3,
			Graph: last("MB-graph") * times / 1e3, Hours: map[string]float64{}, GB: map[string]float64{}}
		for _, phase := range largePhases {
			power := b.series(prefix, suffix+"s-"+phase).Exponent()
			if phase != "score" {
				power = max(1, power)
			}
			p.Hours[phase] = last("s-"+phase) * math.Pow(times, power) / 3600
			p.GB[phase] = last("MB-"+phase) * times / 1e3
		}
		p.Epoch = p.Hours["steps"] * 3600 / last("steps") * float64(o.InnerSteps)
		p.Hours["steps"] *= 1000 / last("steps")
		// Layers on machines of their own would send their C_l and fetch S once an epoch, M x d numbers of four bytes each.
		p.Exchange = 2 * 4 * p.Nodes * float64(o.Dim) / wire
		p.Broken = broken(p.List*1e9/formats.MaxText, p.Nodes/formats.MaxListed, 2*size/largeLayers/mostEntries)
		list = append(list, p)
	}
	return list
}

// broken names the limits that a graph exceeds, by the parts of them that it takes.
func broken(list, nodes, entries float64) string {
	var over []string
	for i, times := range []float64{list, nodes, entries} {
		if times > 1 {
			what := []string{"bytes of a list", "nodes of a list", "entries of a layer"}[i]
			over = append(over, fmt.Sprintf("%s, %.2g times", what, times))
		}
	}
	if over == nil {
		return "none"
	}
	return strings.Join(over, "; ")
}
