// Command wasmtest runs a Go test binary built for js/wasm inside a dedicated
// worker of a real browser, where there is storage and no document:
//
//	GOOS=js GOARCH=wasm go test -exec "env GOOS= GOARCH= go run cadem.example/scripts/wasmtest [-engine firefox]" ./wasm/store
//
// A binary built with the tag simd finds the kernels of core/base/kernel there.
// The tests' output is passed on, and their exit code is the command's. There is no file system behind them.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cadem.example/scripts/e2e/drive"
)

const page = `<!doctype html><meta charset="utf-8"><title>go test</title><link rel="icon" href="data:,"><script src="page.js"></script>`

const script = `'use strict';
const w = new Worker('worker.js');
w.onerror = e => fetch('exit?code=125', {method: 'POST', body: 'worker: ' + e.message + '\n'});
`

// worker runs the program and posts what it writes, in order and in whole writes.
const worker = `'use strict';
importScripts('wasm_exec.js');
let sent = Promise.resolve(), waiting = [];
const flush = () => {
  const parts = waiting;
  waiting = [];
  for (const [fd, body] of parts) sent = sent.then(() => fetch('out?fd=' + fd, {method: 'POST', body}));
  return sent;
};
fs.writeSync = (fd, b) => {
  if (!waiting.length) setTimeout(flush);
  waiting.push([fd, b.slice()]);
  return b.length;
};
fs.write = (fd, b, offset, length, position, done) => done(null, fs.writeSync(fd, b.subarray(offset, offset + length)));
(async () => {
  const conf = await (await fetch('conf')).json();
  const go = new Go();
  let code = 0, note = '', over = false;
  go.argv = conf.argv;
  go.env = conf.env;
  go.exit = c => { code = c; over = true; };
  self.addEventListener('error', e => { if (over) e.preventDefault(); }); // events that come too late find no program
  try {
    self.cademBlobs = (await import('./blobs.js')).blobs;
    const compile = name => WebAssembly.compileStreaming(fetch(name));
    const kernel = await compile('kernel.wasm').catch(() => null); // there may be no SIMD
    const {exports: shim} = await WebAssembly.instantiate(await compile('shim.wasm'));
    const kern = {...shim, ready: () => Number(kernel !== null)};
    const instance = await WebAssembly.instantiate(await compile('test.wasm'), {...go.importObject, kern});
    if (kernel) await WebAssembly.instantiate(kernel, {go: {mem: instance.exports.mem}, shim: {t: shim.t}});
    await go.run(instance);
  } catch (e) {
    code = code || 124;
    note = String(e) + '\n';
  }
  await flush();
  await fetch('exit?code=' + code, {method: 'POST', body: note});
})();
`

func main() {
	engine := flag.String("engine", "chromium", "one of "+strings.Join(drive.Engines, ", "))
	limit := flag.Duration("limit", 10*time.Minute, "longest time the tests may take")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: wasmtest [-engine name] [-limit time] test.wasm [argument ...]")
		os.Exit(2)
	}
	code, err := run(*engine, *limit, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "wasmtest:", err)
		os.Exit(126)
	}
	os.Exit(code)
}

// run runs the binary argv[0] with the rest of argv and returns its exit code.
func run(engine string, limit time.Duration, argv []string) (int, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return 0, err
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return 0, err
	}
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return 0, err
	}
	ours := map[string][]byte{}
	for _, name := range []string{"www/engine/blobs.ts", "core/base/kernel/simd/kernel.wasm", "core/base/kernel/simd/shim.wasm"} {
		if ours[name], err = scriptOf(filepath.Join(strings.TrimSpace(string(module)), filepath.FromSlash(name))); err != nil {
			return 0, err
		}
	}
	program, err := os.ReadFile(argv[0])
	if err != nil {
		return 0, err
	}
	conf, err := json.Marshal(map[string]any{"argv": argv, "env": map[string]string{}})
	if err != nil {
		return 0, err
	}

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	done := make(chan int, 1)
	srv := &http.Server{Handler: handler(done, map[string]file{
		"/":             {"text/html; charset=utf-8", []byte(page)},
		"/page.js":      {"text/javascript", []byte(script)},
		"/worker.js":    {"text/javascript", []byte(worker)},
		"/wasm_exec.js": {"text/javascript", glue},
		"/blobs.js":     {"text/javascript", ours["www/engine/blobs.ts"]},
		"/kernel.wasm":  {"application/wasm", ours["core/base/kernel/simd/kernel.wasm"]},
		"/shim.wasm":    {"application/wasm", ours["core/base/kernel/simd/shim.wasm"]},
		"/test.wasm":    {"application/wasm", program},
		"/conf":         {"application/json", conf},
	})}
	go func() { _ = srv.Serve(l) }() // ends with Close
	defer srv.Close()

	b, err := drive.Start(engine, drive.Options{})
	if err != nil {
		return 0, err
	}
	defer b.Close()
	if err := b.Navigate("http://" + l.Addr().String() + "/"); err != nil {
		return 0, err
	}
	select {
	case code := <-done:
		return code, nil
	case <-time.After(limit):
		return 0, fmt.Errorf("no end after %s; the browser printed:\n%s", limit, b.Output())
	}
}

type file struct {
	typ  string
	body []byte
}

// handler hands out files and takes in what the tests print and how they end.
func handler(done chan<- int, files map[string]file) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		f, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", f.typ)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
	})
	mux.HandleFunc("POST /out", func(_ http.ResponseWriter, r *http.Request) {
		out := os.Stdout
		if r.URL.Query().Get("fd") == "2" {
			out = os.Stderr
		}
		_, _ = io.Copy(out, r.Body) // the tests go on without us
	})
	mux.HandleFunc("POST /exit", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(os.Stderr, r.Body)
		code, err := strconv.Atoi(r.URL.Query().Get("code"))
		if err != nil {
			code = 125
		}
		select {
		case done <- code:
		default: // one end is enough
		}
	})
	return mux
}
