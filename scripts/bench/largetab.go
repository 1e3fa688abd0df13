package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/scripts/cadem/console"
	"cadem.example/scripts/e2e/drive"
)

// A tabWork is a training that is measured in the page.
type tabWork struct {
	nodes, links int
	preset       string
	steps        int // 0: it is prepared alone
}

// tabWorks are in the order of their sizes. `evidence` has two, since its times are compared.
var tabWorks = []tabWork{
	{10_000, 100_000, "refined", 1000}, {20_000, 200_000, "evidence", 0},
	{100_000, 1_000_000, "refined", 1000}, {100_000, 1_000_000, "evidence", 0},
	{1_000_000, 10_000_000, "refined", 1000},
}

// A tabFit tells what a preset takes in the page on a large graph, phase by phase, from the drop of the files to the scores.
type tabFit struct {
	Nodes   int                `json:"nodes"`
	Links   int                `json:"links"`
	Preset  string             `json:"preset"`
	Steps   int                `json:"steps"`
	Picture float64            `json:"s_to_picture"` // from the drop
	Seconds map[string]float64 `json:"seconds"`
	MB      map[string]float64 `json:"mb"` // the most that the page's process has held by the end of a phase
	Refused string             `json:"refused,omitempty"`
}

// of names what is sampled of a fit.
func (f *tabFit) of(what string) string { return fmt.Sprintf("tab/%s/%s/%d", what, f.Preset, f.Nodes) }

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

// largeTab trains large graphs in the page, each in a browser of its own. The server comes and goes with it: the files of the site would count as memory
// of what is measured natively.
func (b *bench) largeTab() {
	site := must(newServer(b.root, b.site))
	defer site.close()
	dir := must(os.MkdirTemp("", "bench-"))
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder at worst
	nodes, paths := 0, []string{}
	for _, w := range tabWorks {
		if w.nodes > largeSizes[0].nodes && os.Getenv("CADEM_LARGE") == "" {
			break
		}
		if w.nodes != nodes {
			nodes, paths = w.nodes, written(dir, largeFiles(w.nodes, w.links))
		}
		b.full.LargeTab = append(b.full.LargeTab, b.tabFit(site.url, paths, w))
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

// A tab is a page that notes its times.
type tab struct {
	*drive.Browser
	most float64 // megabytes that its process has held
	mu   sync.Mutex
}

// look returns the most megabytes so far. It is asked every second: Chromium now and then has the kernel begin anew.
func (t *tab) look() float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if u, err := t.Usage(); err == nil { // else there is no page yet, or none any more
		t.most = max(t.most, round(float64(u.Most)/1e6))
	}
	return t.most
}

// until waits for an expression of the page, which is left alone meanwhile: a driver that keeps asking would be measured too.
func (t *tab) until(expr string) {
	body := "for (const end = performance.now() + 60000; performance.now() < end; await new Promise(f => setTimeout(f, 100))) if (" + expr + ") return true"
	for end := time.Now().Add(patience); ; {
		var done bool
		ok(t.Eval(&done, body))
		if done {
			return
		}
		if time.Now().After(end) {
			ok(fmt.Errorf("%s in Chromium: not after %s", expr, patience))
		}
	}
}

// between returns the seconds from the first time that one thing was heard to the last time that another one was.
func (t *tab) between(from, to string) (s float64) {
	ok(t.Eval(&s, "return (timed.heard.findLast(h => h.what === args[1]).t - timed.heard.find(h => h.what === args[0]).t) / 1000", from, to))
	return round(s)
}

// tabFit drops files on the page, and waits for the picture, the run and the scores.
func (b *bench) tabFit(url string, paths []string, w tabWork) tabFit {
	b.say("%d nodes in the page, %s", w.nodes, w.preset)
	f := tabFit{Nodes: w.nodes, Links: w.links, Preset: w.preset, Steps: w.steps, Seconds: map[string]float64{}, MB: map[string]float64{}}
	o := must(cadem.Preset(w.preset))
	t := &tab{Browser: must(drive.Start("chromium", drive.Options{}))}
	defer t.Close()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for tick := time.Tick(time.Second); ; {
			select {
			case <-ended:
				return
			case <-tick:
				t.look()
			}
		}
	}()
	ok(t.Navigate(fmt.Sprintf("%stimed/#v=1&data=files&place=lab&preset=%s&o.epochs=%d&o.early_stop=off&e.score=sample:%d", url, w.preset,
		max(1, w.steps/o.InnerSteps), evaluate.UsualSample)))
	t.until("globalThis.cadem?.state().ready && (await navigator.serviceWorker.getRegistration())?.active && cadem.state().drawn")
	over := func(phase, from, to string) {
		f.Seconds[phase], f.MB[phase] = t.between(from, to), t.look()
	}
	ok(t.Upload("#open-files", paths...))
	t.until("timed.heard.some(h => ['open', 'refusal'].includes(h.what))")
	ok(t.Eval(&f.Refused, "return document.querySelector('#files-problem').innerText"))
	if f.Refused != "" {
		over("read", "drop", "refusal")
		return f
	}
	over("read", "drop", "open")
	t.until("timed.heard.some(h => h.what === 'picture')")
	over("prepare", "train?", "train shares")
	f.Picture = t.between("drop", "picture")
	var ms samples
	ok(t.Eval(&ms, "return timed.late"))
	b.add(f.of("late"), ms...)
	ms = nil
	ok(t.Eval(&ms, frameTimes, false, rounds))
	b.add(f.of("hover"), ms...)
	if w.steps == 0 {
		return f
	}
	ok(t.Eval(nil, "timed.heard.push({what: 'play', t: performance.now()}); document.querySelector('#play').click()"))
	t.until("timed.heard.some(h => h.what === 'train')")
	over("steps", "play", "train")
	t.until("cadem.state().scores > 0 && !cadem.state().scoring")
	over("score", "evaluate?", "evaluate")
	return f
}

// writeLargeTab sets what the page takes beside what the same takes natively, and says how long its thread was not free.
func (b *bench) writeLargeTab(w io.Writer) {
	if len(b.full.LargeTab) == 0 {
		return
	}
	writef(w, "\n| nodes | links | preset | | s to read | s to prepare | s to picture | steps | s of steps | s to score | MB read | MB prepared | MB of steps | "+
		"MB of scores |\n|---:|---:|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	write := func(nodes, links, steps int, preset, where, picture string, seconds, mb map[string]float64) {
		figure := func(of map[string]float64, phase, format string) string {
			if x, there := of[phase]; there {
				return fmt.Sprintf(format, x)
			}
			return ""
		}
		counted := ""
		if steps > 0 {
			counted = fmt.Sprint(steps)
		}
		cells := []string{fmt.Sprint(nodes), fmt.Sprint(links), preset, where, figure(seconds, "read", "%.3g"), figure(seconds, "prepare", "%.3g"), picture,
			counted, figure(seconds, "steps", "%.3g"), figure(seconds, "score", "%.3g")}
		for _, phase := range largePhases {
			cells = append(cells, figure(mb, phase, "%.0f"))
		}
		writef(w, "| %s |\n", strings.Join(cells, " | "))
	}
	for _, f := range b.full.LargeTab {
		if f.Refused != "" {
			continue
		}
		write(f.Nodes, f.Links, f.Steps, f.Preset, "tab", fmt.Sprintf("%.3g", f.Picture), f.Seconds, f.MB)
		for _, n := range b.full.Large {
			if n.Nodes == f.Nodes && n.Preset == f.Preset {
				write(n.Nodes, n.Links, n.Steps, n.Preset, "native", "", n.Seconds, n.MB)
			}
		}
	}
	head(w, "The page with large graphs, ms", "99th percentile")
	for _, f := range b.full.LargeTab {
		for _, r := range []row{{"late", "timers late from the drop to the picture"}, {"hover", "frame, pointing at nodes"}} {
			if s := b.samples[f.of(r.key)]; s != nil {
				entry(w, fmt.Sprintf("%d nodes, %s: %s", f.Nodes, f.Preset, r.what), *s, fmt.Sprintf("%.3g", s.quantile(0.99)))
			}
		}
	}
	for _, f := range b.full.LargeTab {
		if f.Refused != "" {
			text := fmt.Sprintf("A list of %d links between %d nodes is refused %.2g s after the drop, while the page's process holds at most %.0f MB: \u201c%s\u201d.",
				f.Links, f.Nodes, f.Seconds["read"], f.MB["read"], f.Refused)
			writef(w, "\n%s\n", console.Fill(text, ""))
		}
	}
}

// acceptLargeTab compares what large graphs take in the page with what they may.
func (b *bench) acceptLargeTab(compare func(what string, value, target float64, atMost bool, unit string)) {
	const size = 100_000
	for _, f := range b.full.LargeTab {
		switch {
		case f.Nodes != size || f.Refused != "":
		case f.Preset == "refined":
			compare("In the tab, 100,000 nodes, 1,000,000 links: read", f.Seconds["read"], 4, true, "s")
			compare("The same, `refined`: prepared", f.Seconds["prepare"], 30, true, "s")
			compare("The same: memory until it is prepared", f.MB["prepare"], 700, true, "MB")
			compare("The same: 1,000 steps", f.Seconds["steps"], 20, true, "s")
			compare("The same: scored from a sample", f.Seconds["score"], 40, true, "s")
			compare("The same: the page's thread blocked until the picture, 99th percentile", b.samples[f.of("late")].quantile(0.99), 50, true, "ms")
			compare("The same: frame, pointing at nodes, 95th percentile", b.samples[f.of("hover")].quantile(0.95), 50, true, "ms")
		case f.Preset == "evidence":
			k := slices.IndexFunc(b.full.LargeTab, func(s tabFit) bool { return s.Preset == f.Preset && s.Nodes < size })
			if k < 0 {
				continue
			}
			times := f.Seconds["prepare"] / b.full.LargeTab[k].Seconds["prepare"]
			compare("In the tab, `evidence`: prepared, to a fifth of nodes and links", times, 5.5, true, "times")
			compare("The same: memory until it is prepared", f.MB["prepare"], 900, true, "MB")
		}
	}
}
