package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"cadem/scripts/e2e/drive"
)

// moduleScript uses the module: graphs of an example, of arrays and of a file, trained by CaDeM and by another method, scored, saved and
// brought back; what is wrong is an error of a class, and a signal ends a training.
const moduleScript = `import * as cadem from 'cadem';
addEventListener('error', () => { globalThis.told.done = 'failed'; });
addEventListener('unhandledrejection', () => { globalThis.told.done = 'failed'; });
const where = {base: '/a/b/'}, told = globalThis.told = {};
const said = async p => p.then(() => 'nothing', e => [e.constructor === Error ? 'Error' : e.name, e.message.slice(0, 40)].join(': '));
const brief = {options: {epochs: 3, early_stop: 'off'}};
const n = 40, ring = step => Int32Array.from({length: 2 * n}, (_, k) => (k % 2 ? (k >> 1) + step : k >> 1) % n);
const source = {nodes: Array.from({length: n}, (_, i) => 'node ' + i), layers: {work: {edges: ring(1)},
  lunch: {edges: ring(7), weights: new Float32Array(n).fill(2)}},
  features: Float32Array.from({length: 2 * n}, (_, i) => 1 + i % 5), labels: {half: Array.from({length: n}, (_, i) => i % 2)}};
const graph = await cadem.open(source, where);
told.graph = [graph.summary.nodes, graph.summary.features, graph.summary.layers.map(l => [l.name, l.edges]), graph.nodes[39],
  Array.from(graph.labels.half.slice(0, 3))];
let events = 0;
const run = await cadem.train(graph, brief, {onProgress() { events++; }});
const {names, byName} = await run.embeddings();
told.run = [names, byName.common.shape, byName.private_2.length, byName.common.some(Number.isNaN), events > 0, run.progress.epoch];
const scores = await run.scores({options: {eval_epochs: 2}});
told.scores = [scores.length > 0, scores.every(s => s.target === 'half')];
const file = await run.save();
const back = await cadem.load(file, where);
told.back = [back.run.hash === run.hash, run.hash.length, back.graph.summary.nodes];
back.graph.close();
const other = await cadem.train(graph, {method: 'pca'});
told.other = [(await other.embeddings()).byName.fused.shape[0], other.hash !== run.hash];
told.stale = await said(run.embeddings());
told.option = await said(cadem.train(graph, {options: {depth: 3}}));
told.range = await said(cadem.open({nodes: 2, layers: {a: {edges: Int32Array.of(0, 2)}}}));
told.data = await said(cadem.open([{name: 'a.edges', data: '1 1 2 -1\n2 1 2 1\n'}]));
told.explain = await said(run.explain());
const stop = new AbortController();
const onProgress = ({step}) => { if (step > 3) stop.abort(); };
told.stopped = await said(cadem.train(graph, {options: {epochs: 1000, early_stop: 'off'}}, {signal: stop.signal, onProgress}));
told.methods = (await cadem.methods()).some(m => m.name === 'dgi');
graph.close();
told.closed = await said(cadem.train(graph));
told.done = true;`

// packedModule has npm pack the module of a site, and bundles the script that imports it from there.
func packedModule(t *testing.T, s *Site) []byte {
	t.Helper()
	dir := t.TempDir()
	put := func(name string, data []byte) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range s.Files {
		put("dist/"+name, data)
	}
	out, err := exec.Command("npm", "pack", "--silent", "--pack-destination", dir, filepath.Join(dir, "dist")).Output()
	if err != nil {
		t.Fatalf("npm pack: %v: %s", err, out)
	}
	put("node_modules/cadem/.keep", nil)
	archive := filepath.Join(dir, strings.TrimSpace(string(out)))
	if out, err := exec.Command("tar", "-xzf", archive, "-C", filepath.Join(dir, "node_modules", "cadem"), "--strip-components=1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"cadem.d.ts", s.Built.WholeGz, s.Built.Worker} { // what is served with it
		if _, err := os.Stat(filepath.Join(dir, "node_modules", "cadem", name)); err != nil {
			t.Error(err)
		}
	}
	put("main.js", []byte(moduleScript))
	r := api.Build(api.BuildOptions{EntryPoints: []string{filepath.Join(dir, "main.js")}, AbsWorkingDir: dir, Bundle: true, Format: api.FormatESModule,
		Target: api.ES2022})
	if len(r.Errors)+len(r.Warnings) > 0 {
		t.Fatal(r.Errors, r.Warnings)
	}
	return r.OutputFiles[0].Contents
}

// TestModule runs a script that a bundler has made with the module of the package, and the examples beside it.
func TestModule(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Files["own/main.js"] = packedModule(t, s)
		s.Files["own/index.html"] = []byte(`<!doctype html><html lang="en"><title>Of one's own</title><link rel="icon" href="../icon.svg">` +
			`<script type="module" src="main.js"></script></html>`)
		b := Start(t, engine, drive.Options{})
		const limit = time.Minute
		shown := func(page, expr string) {
			t.Helper()
			if err := b.Navigate(s.URL + page); err != nil {
				t.Fatal(err)
			}
			if err := b.Wait(expr, limit); err != nil {
				var told any
				_ = b.Eval(&told, "return globalThis.told ?? null")
				t.Errorf("%s: %v: %v", page, err, told)
			}
		}
		shown("own/index.html", "globalThis.told?.done")
		var told map[string]any
		if err := b.Eval(&told, "return globalThis.told"); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"graph": `[40,2,[["work",40],["lunch",40]],"node 39",[0,1,0]]`,
			"run":   `[["common","private_1","private_2"],[40,8],320,false,true,3]`, "scores": `[true,true]`,
			"back": `[true,16,40]`, "other": `[40,true]`, "methods": `true`,
			"stale":  `"EngineError: Something else was trained on this graph`,
			"option": `"OptionError: `, "range": `"RangeError: layer a: found the node 2, expected 0 to`,
			"data": `"DataError: `, "explain": `"EngineError: `, "stopped": `"AbortError: `, "closed": `"EngineError: The graph was closed."`,
		} {
			if got, err := json.Marshal(told[name]); err != nil || !strings.HasPrefix(string(got), want) {
				t.Errorf("%s: %s, expected %s", name, got, want)
			}
		}
		shown("examples/draw.html", "document.title.endsWith('drawn') && "+
			"document.querySelector('canvas').getContext('2d').getImageData(0, 0, 400, 400).data.some(v => v > 0)")
		shown("examples/lecture.html", "Boolean(document.querySelector('iframe').contentDocument?.querySelector('canvas'))")
		Check(t, b)
	})
}
