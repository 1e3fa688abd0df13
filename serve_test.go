package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"cadem.example/scripts/build/builder"
)

var page = "<!doctype html>" + strings.Repeat("<p>the page</p>", 50)

// folder makes a site with a secret beside it and links that lead to the secret.
func folder(t testing.TB) string {
	t.Helper()
	top := t.TempDir()
	dir := filepath.Join(top, "dist")
	for name, s := range map[string]string{
		"secret.txt":                  "secret",
		"dist/index.html":             page,
		"dist/sw.js":                  strings.Repeat("// worker of the site\n", 50),
		"dist/app.2FJ4Q7XA.js":        strings.Repeat("console.log('page');\n", 50),
		"dist/cadem.2FJ4Q7XA.wasm":    "\x00asm\x01\x00\x00\x00",
		"dist/cadem.2FJ4Q7XA.wasm.gz": "\x1f\x8b",
		"dist/manifest.webmanifest":   "{}",
		"dist/finished/town.json":     "{}",
		"dist/.stamp":                 "secret",
		"dist/.hidden/secret.txt":     "secret",
	} {
		p := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link.txt": "../secret.txt", "up": ".."} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// ask sends a request with the path exactly as given.
func ask(t *testing.T, h http.Handler, method, path, host string, header ...string) *http.Response {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	req := method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + strings.Join(append(header, ""), "\r\n") + "\r\n"
	if _, err := io.WriteString(c, req); err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(raw)), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%s: %v in %q", path, err, raw)
	}
	return r
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const local, keep, check = "127.0.0.1:8080", "public, max-age=31536000, immutable", "no-cache"

// siteRequests are requests to the site: for existing files, for other hosts, and for files that are not served.
var siteRequests = []struct {
	method, path, host string
	code               int
	typ, cache         string
}{
	{"GET", "/", local, 200, "text/html; charset=utf-8", check},
	{"HEAD", "/", local, 200, "text/html; charset=utf-8", check},
	{"GET", "/index.html?x=1", local, 200, "text/html; charset=utf-8", check},
	{"GET", "/sw.js", local, 200, "text/javascript; charset=utf-8", check},
	{"GET", "/app.2FJ4Q7XA.js", local, 200, "text/javascript; charset=utf-8", keep},
	{"GET", "/cadem.2FJ4Q7XA.wasm", local, 200, "application/wasm", keep},
	{"GET", "/cadem.2FJ4Q7XA.wasm.gz", local, 200, "application/gzip", keep},
	{"GET", "/manifest.webmanifest", local, 200, "application/manifest+json", check},
	{"GET", "/finished/town.json", local, 200, "application/json", check},

	{"GET", "/", "localhost:8080", 200, "text/html; charset=utf-8", check},
	{"GET", "/", "LOCALHOST", 200, "text/html; charset=utf-8", check},
	{"GET", "/", "[::1]:8080", 200, "text/html; charset=utf-8", check},
	{"GET", "/", "[::1]", 200, "text/html; charset=utf-8", check},
	{"GET", "/", "rebind.example:8080", 421, "", ""},
	{"GET", "/", "127.0.0.1.rebind.example", 421, "", ""},
	{"GET", "/", "192.0.2.1:8080", 421, "", ""},
	{"GET", "/", "localhost:80:80", 421, "", ""},

	{"POST", "/", local, 405, "", ""},
	{"PUT", "/new.txt", local, 405, "", ""},
	{"OPTIONS", "/", local, 405, "", ""},
	{"GET", "/no.txt", local, 404, "", ""},
	{"GET", "/finished", local, 404, "", ""},
	{"GET", "/finished/", local, 404, "", ""},
	{"GET", "/.stamp", local, 404, "", ""},
	{"GET", "/.hidden/secret.txt", local, 404, "", ""},
	{"GET", "/link.txt", local, 404, "", ""},
	{"GET", "/up/secret.txt", local, 404, "", ""},
	{"GET", "/../secret.txt", local, 404, "", ""},
	{"GET", "/finished/../../secret.txt", local, 404, "", ""},
	{"GET", "/%2e%2e/secret.txt", local, 404, "", ""},
	{"GET", "/..%2fsecret.txt", local, 404, "", ""},
	{"GET", "/..%5csecret.txt", local, 404, "", ""},
	{"GET", "/%252e%252e/secret.txt", local, 404, "", ""},
	{"GET", "//secret.txt", local, 404, "", ""},
	{"GET", "/index.html%00.txt", local, 404, "", ""},
	{"GET", "/finished/..%00/secret.txt", local, 404, "", ""},
}

func TestSite(t *testing.T) {
	h, err := newSite(folder(t), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range siteRequests {
		r := ask(t, h, c.method, c.path, c.host)
		text := body(t, r)
		if r.StatusCode != c.code {
			t.Errorf("%s %s (%s): %d, want %d", c.method, c.path, c.host, r.StatusCode, c.code)
			continue
		}
		if strings.Contains(text, "secret") {
			t.Errorf("%s %s gave the secret away", c.method, c.path)
		}
		if c.method == "HEAD" && text != "" {
			t.Errorf("HEAD %s has a body", c.path)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": builder.HeaderPolicy, "Connection-Allowlist": builder.Connections,
			"X-Content-Type-Options": "nosniff",
			"Referrer-Policy":        "no-referrer",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s %s: %s: %q, want %q", c.method, c.path, name, got, want)
			}
		}
		if c.code != 200 {
			continue
		}
		if got := r.Header.Get("Content-Type"); got != c.typ {
			t.Errorf("%s: type %q, want %q", c.path, got, c.typ)
		}
		if got := r.Header.Get("Cache-Control"); got != c.cache {
			t.Errorf("%s: cache %q, want %q", c.path, got, c.cache)
		}
	}
}

func TestFrameAncestors(t *testing.T) {
	if !strings.Contains(builder.HeaderPolicy, "frame-ancestors 'self'") || strings.Contains(builder.Policy, "frame-ancestors") {
		t.Error("frame-ancestors belongs to the header and not to the page")
	}
}

func TestAnyHostBeyondLoopback(t *testing.T) {
	h, err := newSite(folder(t), false)
	if err != nil {
		t.Fatal(err)
	}
	if r := ask(t, h, "GET", "/", "lab.example"); r.StatusCode != 200 {
		t.Errorf("status %d", r.StatusCode)
	}
}

func TestGzipAndValidators(t *testing.T) {
	h, err := newSite(folder(t), true)
	if err != nil {
		t.Fatal(err)
	}
	const host = "127.0.0.1"
	plain := ask(t, h, "GET", "/", host)
	if got := body(t, plain); got != page || plain.Header.Get("Content-Encoding") != "" {
		t.Errorf("unasked: %q, %d bytes", plain.Header.Get("Content-Encoding"), len(got))
	}
	r := ask(t, h, "GET", "/", host, "Accept-Encoding: br, gzip;q=0.5")
	packed := body(t, r)
	if r.Header.Get("Content-Encoding") != "gzip" || r.Header.Get("Vary") != "Accept-Encoding" || r.Header.Get("Content-Length") != strconv.Itoa(len(packed)) {
		t.Errorf("headers %v for %d bytes", r.Header, len(packed))
	}
	z, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); err != nil || string(got) != page {
		t.Errorf("unpacked %d bytes, %v", len(got), err)
	}
	if r.Header.Get("ETag") == plain.Header.Get("ETag") {
		t.Error("two encodings share a validator")
	}
	if r := ask(t, h, "GET", "/", host, "Accept-Encoding: gzip", "If-None-Match: "+r.Header.Get("ETag")); r.StatusCode != 304 {
		t.Errorf("known contents: %d", r.StatusCode)
	}
	if r := ask(t, h, "GET", "/", host, "Accept-Encoding: gzip;q=0"); r.Header.Get("Content-Encoding") != "" {
		t.Error("packed though refused")
	}
	if r := ask(t, h, "GET", "/cadem.2FJ4Q7XA.wasm.gz", host, "Accept-Encoding: gzip"); r.Header.Get("Content-Encoding") != "" {
		t.Error("packed twice")
	}
	if r := ask(t, h, "GET", "/", host, "Range: bytes=0-13", "Accept-Encoding: gzip"); r.StatusCode != 206 || body(t, r) != page[:14] {
		t.Errorf("range: %d", r.StatusCode)
	}
}

// TestTwin sends the compressed twin that a build made, unless it is of another file.
func TestTwin(t *testing.T) {
	dir := folder(t)
	for name, b := range map[string][]byte{
		"a.js": []byte(page), "a.js.gz": compress([]byte(page)), "b.js": []byte(page), "b.js.gz": compress([]byte(page + "x")),
		"c.js": []byte(page), "c.js.gz": []byte("\x1f\x8b"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h, err := newSite(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	if a := h.assets["a.js"]; &a.gz[0] != &h.assets["a.js.gz"].plain[0] {
		t.Error("compressed again what the folder has compressed")
	}
	for _, name := range []string{"a.js", "b.js", "c.js"} {
		if !unpacksTo(h.assets[name].gz, []byte(page)) {
			t.Errorf("%s comes as something else when compressed", name)
		}
	}
}

func TestNoIndex(t *testing.T) {
	if _, err := newSite(t.TempDir(), true); err == nil {
		t.Error("an empty folder is no site")
	}
}

func TestListenTakesNextFreePort(t *testing.T) {
	first, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	var log bytes.Buffer
	second, err := listen(first.Addr().String(), &log)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	a, b := first.Addr().(*net.TCPAddr).Port, second.Addr().(*net.TCPAddr).Port
	if b <= a || b > a+100 {
		t.Errorf("port %d after %d", b, a)
	}
	if got := log.String(); !strings.Contains(got, strconv.Itoa(a)) || !strings.Contains(got, strconv.Itoa(b)) {
		t.Errorf("said %q", got)
	}
	if _, err := listen("192.0.2.1:1", &log); err == nil {
		t.Error("listening at an address of no interface")
	}
}

// TestOpenToTheNetwork listens where others can reach this machine, and where they cannot.
func TestOpenToTheNetwork(t *testing.T) {
	dir := folder(t)
	if err := os.Remove(filepath.Join(dir, ".stamp")); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for addr, open := range map[string]bool{":0": true, "0.0.0.0:0": true, "127.0.0.1:0": false, "localhost:0": false} {
		var log bytes.Buffer
		if err := run(ended, addr, dir, "", false, &log); err != nil {
			t.Fatalf("%s: %v", addr, err)
		}
		if got := log.String(); strings.Contains(got, "open to the network") != open || (open && !strings.Contains(got, "open http://localhost:")) {
			t.Errorf("%s: said %q", addr, got)
		}
	}
}

// TestHandedRun serves the file of a run under a name that is another one each time, and nothing keeps a copy of it.
func TestHandedRun(t *testing.T) {
	h, err := newSite(folder(t), true)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "my.zip")
	if err := os.WriteFile(file, []byte("a run"), 0o600); err != nil {
		t.Fatal(err)
	}
	var names []string
	for range 2 {
		link, err := h.hand(file)
		name, ok := strings.CutPrefix(link, "?run=")
		if err != nil || !ok || len(name) < 26 || slices.Contains(names, name) {
			t.Fatalf("%q after %q, %v", link, names, err)
		}
		names = append(names, name)
		for path, want := range map[string]string{"/" + link: page, "/runs/" + name + ".zip": "a run"} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil))
			if w.Body.String() != want || (want == "a run") != (w.Header().Get("Cache-Control") == "no-store") {
				t.Errorf("%s: %q, %v", path, w.Body, w.Header())
			}
		}
	}
	if _, err := h.hand(file + "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestRunKeepsFiles names a file and a link to nothing as the folder of the site.
func TestRunKeepsFiles(t *testing.T) {
	top := t.TempDir()
	file, link := filepath.Join(top, "go.mod"), filepath.Join(top, "link")
	if err := os.WriteFile(file, []byte("module mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, link} {
		if err := run(context.Background(), "127.0.0.1:0", dir, "", false, io.Discard); err == nil || !strings.Contains(err.Error(), dir+" is a") {
			t.Errorf("%s: got %v", dir, err)
		}
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "module mine\n" {
		t.Errorf("the file holds %q, %v", b, err)
	}
}

// TestRun serves a folder that was not built here, and ends when asked to.
func TestRun(t *testing.T) {
	for _, how := range []string{"context", "signal"} {
		ctx, cancel := context.WithCancel(context.Background())
		if how == "signal" {
			cancel()
			ctx, cancel = signal.NotifyContext(context.Background(), syscall.SIGTERM)
		}
		r, w := io.Pipe()
		done := make(chan error, 1)
		dir := folder(t)
		if err := os.Remove(filepath.Join(dir, ".stamp")); err != nil {
			t.Fatal(err)
		}
		go func() { done <- run(ctx, "127.0.0.1:0", dir, "", false, w); w.Close() }()
		url := ""
		lines := bufio.NewReader(r)
		for url == "" {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if rest, ok := strings.CutPrefix(line, "open "); ok {
				url, _, _ = strings.Cut(rest, " ")
			}
		}
		go func() { _, _ = io.Copy(io.Discard, lines) }()
		resp, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		if got := body(t, resp); got != page {
			t.Errorf("got %q", got)
		}
		resp.Body.Close()
		if how == "signal" {
			if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		} else {
			cancel()
		}
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("%s: %v", how, err)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%s: still serving", how)
		}
		cancel()
		if _, err := http.Get(url); err == nil {
			t.Errorf("%s: still answering", how)
		}
	}
}

// Arguments that are no flags are refused before anything is built or served.
func TestStrayArguments(t *testing.T) {
	for _, args := range [][]string{{"foo"}, {"-addr", "127.0.0.1:0", "dist"}, {"-port", "80"}} {
		var out, log bytes.Buffer
		if code := command(args, &out, &log); code != 2 || out.Len() > 0 || !strings.HasPrefix(log.String(), "serve: ") {
			t.Errorf("%v: exit code %d, %q, %q", args, code, &out, &log)
		}
	}
	var out, log bytes.Buffer
	if code := command([]string{"-h"}, &out, &log); code != 0 || !strings.Contains(out.String(), "-addr") || log.Len() > 0 {
		t.Errorf("-h: exit code %d, %q, %q", code, &out, &log)
	}
}
