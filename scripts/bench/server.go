package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
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
//	/memory/   its workers tell how large their memory has become
//	/timed/   its page notes when its workers answer, and how late its timers are once files were dropped
//	/visit.../ its page notes when it can train; each name is a first visit of its own
//	/          what put adds
type server struct {
	url    string
	http   *http.Server
	files  map[string][]byte            // of the site, and the bench's own, by name
	before map[string]map[string]string // by folder and file: a script to run first
	mu     sync.Mutex
	added  map[string][]byte // by path
}

// scalar turns the kernels off the way a browser without SIMD does.
const scalar = `WebAssembly.validate = () => false;`

// memory answers "bytes?" on a channel with the size of the program's memory, which never shrinks: its peak.
const memory = `{
const instantiate = WebAssembly.instantiate;
let mem = null;
WebAssembly.instantiate = async (module, imports) => {
	const made = await instantiate.call(WebAssembly, module, imports);
	if (made.exports?.mem && imports?.gojs) mem = made.exports.mem;
	return made;
};
const line = new BroadcastChannel('bench');
line.onmessage = ({data}) => { if (data === 'bytes?' && mem) line.postMessage({bytes: mem.buffer.byteLength}); };
}`

// arrival notes when Train can be pressed, when the page was painted, and how long its thread was blocked until then.
const arrival = `{
let Blocked = 0;
const count = list => { for (const {duration} of list) Blocked += Math.max(0, duration - 50); };
const tasks = new PerformanceObserver(list => count(list.getEntries()));
tasks.observe({type: 'longtask', buffered: true});
const look = new MessageChannel();
look.port1.onmessage = async () => {
	if (!globalThis.cadem?.state().ready || document.querySelector('#play')?.disabled !== false) {
		setTimeout(() => look.port2.postMessage(0), 1);
		return;
	}
	const Ready = performance.now();
	let paint;
	while (!(paint = performance.getEntriesByName('first-contentful-paint')[0])) await new Promise(f => setTimeout(f, 5));
	count(tasks.takeRecords());
	window.arrived = {Ready, Paint: paint.startTime, Blocked};
};
look.port2.postMessage(0);
}`

func newServer(root string, site *builder.Site) (*server, error) {
	s := &server{added: map[string][]byte{}}
	var err error
	if s.files, err = site.Contents(filepath.Join(root, "dist")); err != nil {
		return nil, err
	}
	if s.files["bench.js"], err = bundle(root, site); err != nil {
		return nil, err
	}
	s.files["bench.html"] = []byte(`<!doctype html><meta charset="utf-8"><title>bench</title><script type="module" src="bench.js"></script>`)
	for _, name := range site.FirstLoad {
		if strings.HasSuffix(name, ".css") {
			s.files["bench.html"] = fmt.Appendf(s.files["bench.html"], `<link rel="stylesheet" href="%s">`, name)
		}
	}
	s.before = map[string]map[string]string{
		"scalar": {site.Worker: scalar},
		"memory": {site.Worker: memory},
		"visit":  {},
	}
	for _, name := range site.FirstLoad {
		if strings.HasPrefix(name, "app.") {
			s.before["visit"][name], s.before["timed"] = arrival, map[string]string{name: timed}
		}
	}
	parameters := syn2Parameters
	s.put("floor.wasm", floorModule(floorPages(parameters)))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.url = "http://" + l.Addr().String() + "/"
	s.http = &http.Server{Handler: s}
	go func() { _ = s.http.Serve(l) }() // ends with close
	return s, nil
}

func (s *server) close() { _ = s.http.Close() }

// put serves contents at a path from now on.
func (s *server) put(path string, contents []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.added[path] = contents
}

// bundle makes a script of page/bench.js and the product's own modules, which learn the names of the
// shipped files as they do in a build.
func bundle(root string, site *builder.Site) ([]byte, error) {
	values, names := site.Programs(), map[string]string{}
	values["__VERSION__"], values["__WASM_EXEC__"], values["__WORKER__"] = site.Version, site.WasmExec, site.Worker
	for name, value := range values {
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
		return nil, fmt.Errorf("%s", strings.Join(api.FormatMessages(bad, api.FormatMessagesOptions{}), "\n"))
	}
	return r.OutputFiles[0].Contents, nil
}

// ServeHTTP answers as a plain static host does, but that pages which measure and those of
// /isolated.../ are isolated, as serve.go does it.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	s.mu.Lock()
	b, ok := s.added[name]
	s.mu.Unlock()
	if folder, rest, in := strings.Cut(name, "/"); in && !ok {
		if rest == "" {
			rest = "index.html"
		}
		name = rest
		if b, ok = s.files[rest]; ok {
			if script := s.before[strings.TrimRight(folder, "0123456789")][rest]; script != "" {
				b = append([]byte(script+"\n"), b...)
			}
		}
	}
	if !ok {
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

// A page is the one that measures, open in Chromium, with a frame for each variant of the
// site.
type page struct{ *drive.Browser }

// patience bounds a single measurement that hangs.
const patience = 10 * time.Minute

func openPage(url string) (*page, error) {
	b, err := drive.Start("chromium", drive.Options{})
	if err != nil {
		return nil, err
	}
	p := &page{b}
	if err := p.Navigate(url + "shipped/bench.html"); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *page) close() { p.Close() }

// call calls a function of page/bench.js in the frame of a variant and decodes what it
// returns. The browser is left alone meanwhile: a driver that keeps asking would be measured
// too.
func (p *page) call(variant, function string, into any, arg any) error {
	const start = `let frame = document.getElementById(args[0]);
if (!frame) {
	frame = document.createElement('iframe');
	frame.id = args[0];
	frame.src = '../' + args[0] + '/bench.html';
	document.body.append(frame);
}
while (!frame.contentWindow.bench) await new Promise(f => setTimeout(f, 5));
window.job = frame.contentWindow.bench[args[1]](args[2]).then(v => ({value: v === undefined ? null : v}), e => ({error: String(e?.stack ?? e)}));`
	const wait = `return await Promise.race([job, new Promise(f => setTimeout(f, 60000, null))]);`
	fail := func(err error) error { return fmt.Errorf("%s in Chromium (%s): %w", function, variant, err) }
	if err := p.Eval(nil, start, variant, function, arg); err != nil {
		return fail(err)
	}
	for end := time.Now().Add(patience); time.Now().Before(end); {
		var done *struct {
			Value json.RawMessage
			Error string
		}
		if err := p.Eval(&done, wait); err != nil {
			return fail(err)
		}
		switch {
		case done == nil:
			continue
		case done.Error != "":
			return fail(fmt.Errorf("%s", done.Error))
		case into == nil:
			return nil
		}
		return json.Unmarshal(done.Value, into)
	}
	return fail(fmt.Errorf("no answer after %s", patience))
}
