package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"cadem.example/scripts/build/builder"
	"cadem.example/scripts/e2e/drive"
)

// A server serves the built site from several folders of one loopback address, and beside
// it the page that measures:
//
//	/shipped/  the site as it is
//	/scalar/   its worker believes that this browser has no SIMD
//	/timed/    its page notes when its workers answer, and how late its timers are once files were dropped
//	/visit.../ its page notes when it can train; each name is a first visit of its own
//	/          what put adds
type server struct {
	*httptest.Server
	files  map[string][]byte            // of the site, and the bench's own, by name
	before map[string]map[string]string // by folder and file: a script to run first
	added  sync.Map                     // contents by path
}

// scalar turns the kernels off the way a browser without SIMD does.
const scalar = `WebAssembly.validate = () => false;`

// arrival notes, in ms from navigation, when a run can be trained and when the page was painted; and how long
// its thread was blocked until then, as the part of each task beyond 50 ms.
const arrival = `{
let blocked = 0;
const count = list => { for (const {duration} of list) blocked += Math.max(0, duration - 50); };
const tasks = new PerformanceObserver(list => count(list.getEntries()));
tasks.observe({type: 'longtask', buffered: true});
const look = new MessageChannel();
look.port1.onmessage = async () => {
	if (!globalThis.cadem?.state().ready || document.querySelector('#play')?.disabled !== false) {
		setTimeout(() => look.port2.postMessage(0), 1);
		return;
	}
	const start = performance.now();
	let paint;
	while (!(paint = performance.getEntriesByName('first-contentful-paint')[0])) await new Promise(f => setTimeout(f, 5));
	count(tasks.takeRecords());
	window.arrived = {start, paint: paint.startTime, blocked};
};
look.port2.postMessage(0);
}`

func newServer(root string, site *builder.Site) *server {
	s := &server{files: must(site.Contents(filepath.Join(root, "dist")))}
	s.before = map[string]map[string]string{"scalar": {site.Worker: scalar}}
	s.files["bench.js"] = must(bundle(root, site))
	page := `<!doctype html><meta charset="utf-8"><title>bench</title><script type="module" src="bench.js"></script>`
	for _, name := range site.FirstLoad {
		switch {
		case strings.HasSuffix(name, ".css"):
			page += fmt.Sprintf(`<link rel="stylesheet" href="%s">`, name)
		case strings.HasPrefix(name, "app."):
			s.before["visit"], s.before["timed"] = map[string]string{name: arrival}, map[string]string{name: timed}
		}
	}
	s.files["bench.html"] = []byte(page)
	s.Server = httptest.NewServer(s)
	return s
}

// put serves contents at a path from now on, and returns the path from a variant of the site.
func (s *server) put(path string, contents []byte) string {
	s.added.Store(path, contents)
	return "../" + path
}

// bundle makes a script of page/bench.js and the product's own modules, which learn the names of the
// shipped files as they do in a build.
func bundle(root string, site *builder.Site) ([]byte, error) {
	programs, err := json.Marshal(site.Programs())
	if err != nil {
		return nil, err
	}
	names := map[string]string{"__PROGRAMS__": string(programs)}
	for name, value := range map[string]string{"__VERSION__": site.Version, "__WASM_EXEC__": site.WasmExec, "__WORKER__": site.Worker} {
		names[name] = fmt.Sprintf("%q", value)
	}
	r := api.Build(api.BuildOptions{
		AbsWorkingDir: filepath.Join(root, "scripts", "bench", "page"),
		EntryPoints:   []string{"bench.js"},
		Bundle:        true,
		Format:        api.FormatESModule,
		Define:        names,
		Loader:        map[string]api.Loader{".wasm": api.LoaderBinary},
		Target:        api.ES2022,
	})
	if bad := append(r.Errors, r.Warnings...); len(bad) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(bad, api.FormatMessagesOptions{}), "\n"))
	}
	return r.OutputFiles[0].Contents, nil
}

// ServeHTTP answers as a plain static host does, but that the page which measures is isolated, as serve.go
// does it.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	var b []byte
	if added, there := s.added.Load(name); there {
		b = added.([]byte)
	} else if folder, rest, in := strings.Cut(name, "/"); in {
		if name = rest; rest == "" {
			name = "index.html"
		}
		b = s.files[name]
		if script := s.before[strings.TrimRight(folder, "0123456789")][name]; script != "" {
			b = append([]byte(script+"\n"), b...)
		}
	}
	if b == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", builder.MediaType(name))
	if name == "bench.html" { // whose clock is finer then
		w.Header().Set("Document-Isolation-Policy", "isolate-and-require-corp")
	}
	w.Header().Set("Cache-Control", "max-age=600")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
}

// A page is open in Chromium: the one that measures, with a frame for each variant of the site, or one that
// is measured.
type page struct{ *drive.Browser }

// patience bounds a single measurement that hangs.
const patience = 10 * time.Minute

// open starts the server and the browser.
func (b *bench) open() {
	b.server = newServer(b.root, b.site)
	b.page = page{must(drive.Start("chromium", drive.Options{}))}
	ok(b.page.Navigate(b.server.URL + "/shipped/bench.html"))
}

// run runs the body of an async function in the page and decodes what it returns. The browser is left alone
// meanwhile: a driver that keeps asking would be measured too.
func (p page) run(into any, body string, arg ...any) {
	ok(p.Eval(nil, "window.job = (async () => {"+body+
		"\n})().then(value => ({value: value ?? null}), e => ({error: String(e?.stack ?? e)}))", arg...))
	for end := time.Now().Add(patience); ; {
		var done *struct {
			Value json.RawMessage
			Error string
		}
		ok(p.Eval(&done, `return await Promise.race([job, new Promise(f => setTimeout(f, 60000, null))])`))
		switch {
		case done == nil && time.Now().Before(end):
			continue
		case done == nil:
			ok(fmt.Errorf("%s in Chromium: no answer after %s", body, patience))
		case done.Error != "":
			ok(fmt.Errorf("%s in Chromium: %s", body, done.Error))
		case into != nil:
			ok(json.Unmarshal(done.Value, into))
		}
		return
	}
}

// until waits for an expression of the page.
func (p page) until(expr string) {
	p.run(nil, "while (!("+expr+")) await new Promise(f => setTimeout(f, 25))")
}

// visit opens an address anew, whatever was there before, and waits for it.
func (p page) visit(url, until string) {
	ok(p.Navigate("about:blank"))
	ok(p.Navigate(url))
	p.until("globalThis.cadem?.state().ready && " + until)
}

// call calls a function of page/bench.js in the frame of a variant and decodes what it returns.
func (b *bench) call(variant, function string, into, arg any) {
	b.page.run(into, `const [variant, name, arg] = args;
let frame = document.getElementById(variant);
if (!frame) {
	frame = document.createElement('iframe');
	Object.assign(frame, {id: variant, src: '../' + variant + '/bench.html'});
	document.body.append(frame);
}
while (!frame.contentWindow.bench) await new Promise(f => setTimeout(f, 5));
return frame.contentWindow.bench[name](arg);`, variant, function, arg)
}

// times adds what a function of the page that measures returns: one measurement, or several.
func (b *bench) times(name, function string, arg any) {
	var ms samples
	b.call("shipped", function, &ms, arg)
	b.add(name, ms...)
}
