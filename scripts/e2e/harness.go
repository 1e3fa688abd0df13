// Package e2e tests the built site in real browsers, served the way a static
// host serves it: from a path of its own, without any of the headers that the
// project's own server adds.
//
// The tests run where CADEM_E2E names one or more engines, as make e2e does,
// and skip elsewhere:
//
//	CADEM_E2E=chromium,firefox,webkit go test ./scripts/e2e/...
//
// Where WebKit's own process crashes, its test is skipped, which the summary of the tests says, and run again, once.
//
// An engine with a question mark, as in chromium,firefox?, runs the few tests that are in short, and only where it is installed.
//
// With -artifacts, a test that fails leaves a picture of the page.
package e2e

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cadem.example/scripts/build/builder"
	"cadem.example/scripts/e2e/drive"
)

// Each runs a test once in every engine that CADEM_E2E names, beside other tests.
func Each(t *testing.T, test func(t *testing.T, engine string)) {
	t.Helper()
	list := engines(t)
	t.Parallel()
	each(t, list, test)
}

// Alone is Each for a test that measures time: it runs while no other does.
func Alone(t *testing.T, test func(t *testing.T, engine string)) {
	t.Helper()
	each(t, engines(t), test)
}

// optional are the tests for an engine with a question mark: the page loads, trains to the native hash, keeps it and lets nothing out.
var optional = []string{"TestFirstVisit", "TestSavedRuns", "TestNothingLeaks"}

// long reports whether tests that repeat themselves do so in full, as make test-long has them do.
func long() bool { return os.Getenv("CADEM_LONG") != "" }

func engines(t *testing.T) (list []string) {
	t.Helper()
	named := os.Getenv("CADEM_E2E")
	if named == "" {
		t.Skip("browsers are driven where CADEM_E2E names them, as in CADEM_E2E=chromium; make e2e does")
	}
	if instead, ok := deferred[t.Name()]; ok && testing.Short() {
		t.Skip("make test-long runs it; in make test " + instead)
	}
	for name := range strings.SplitSeq(named, ",") {
		if !strings.HasSuffix(name, "?") || slices.Contains(optional, t.Name()) {
			list = append(list, name)
		}
	}
	return list
}

func each(t *testing.T, engines []string, test func(t *testing.T, engine string)) {
	for _, name := range engines {
		engine, spare := strings.CutSuffix(name, "?")
		run := func(t *testing.T) {
			switch err := drive.Available(engine); {
			case err != nil && spare:
				t.Skip(err)
			case err != nil:
				t.Fatal(err) // asked for, so its absence is a failure
			}
			test(t, engine)
		}
		t.Run(engine, run)
		if _, crashed := crashes.LoadAndDelete(t.Name() + "/" + engine); crashed {
			t.Run(engine+again, run)
		}
	}
}

const again = "_again"

// crashes are the tests to be run again.
var crashes sync.Map

// excuse skips a test whose browser has crashed by itself, and has each run it again, once. It returns if there is no such excuse.
func excuse(t *testing.T, b *drive.Browser) {
	t.Helper()
	if !b.Crashed() || t.Failed() || strings.Contains(t.Name(), again) {
		return
	}
	test, _, _ := strings.Cut(t.Name(), "/")
	crashes.Store(test+"/"+b.Name, true)
	t.Skip("WebKit's own process crashed, and the test was run again")
}

// Start returns a browser for the test: one with options of its own ends with it, any other may have served earlier tests,
// each with an origin of its own.
func Start(t *testing.T, engine string, o drive.Options) *drive.Browser {
	t.Helper()
	shared := idle.kept && reflect.ValueOf(o).IsZero()
	b := (*drive.Browser)(nil)
	if shared {
		b = idle.take(engine)
	}
	if b == nil {
		var err error
		if b, err = drive.Start(engine, o); err != nil {
			t.Fatal(err)
		}
		b.Objects = pageObjects
		if shared && b.OneProcess {
			if err := hold(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			p := filepath.Join(t.ArtifactDir(), engine+".png")
			if err := b.Screenshot(p); err == nil {
				t.Logf("picture in %s", p)
			}
		}
		if !shared || t.Failed() || b.Renew() != nil { // one that a test has killed cannot be renewed
			b.Close()
			return
		}
		idle.put(b)
	})
	return b
}

// hold opens a page that no test sees. It keeps the programs in the content process that all pages of the host share: compiled once there, they are
// so for the pages of all tests.
func hold(b *drive.Browser) error {
	host, err := holder()
	if err != nil {
		return err
	}
	var packed []string
	for _, p := range host.Built.Programs() {
		packed = append(packed, p.Packed)
	}
	err = b.Navigate(host.URL + "holder.html")
	if err == nil {
		err = b.Ask(nil, "workers.hold", packed)
	}
	if err == nil {
		err = b.Keep()
	}
	if err == nil {
		err = b.Renew()
	}
	return err
}

// holder is the site of those pages, which ends with the tests.
var holder = sync.OnceValues(func() (*Site, error) {
	built, err := build()
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Site{URL: "http://" + l.Addr().String() + base, Files: maps.Clone(built.Files), Built: built.Built}
	s.Files["holder.html"] = []byte("<!doctype html><title>Programs</title>")
	s.serve(l)
	return s, nil
})

// idle are browsers between two tests.
var idle browsers

type browsers struct {
	kept bool // whether there are any: Main closes them
	mu   sync.Mutex
	list map[string][]*drive.Browser
}

func (p *browsers) take(engine string) *drive.Browser {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.list[engine])
	if n == 0 {
		return nil
	}
	b := p.list[engine][n-1]
	p.list[engine] = p.list[engine][:n-1]
	return b
}

func (p *browsers) put(b *drive.Browser) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list[b.Name] = append(p.list[b.Name], b)
}

// Main runs the tests of a package and keeps browsers open between them.
func Main(m *testing.M) (code int) {
	idle.kept, idle.list = true, map[string][]*drive.Browser{}
	defer func() {
		for _, list := range idle.list {
			for _, b := range list {
				b.Close()
			}
		}
	}()
	return m.Run()
}

// Check fails the test if anything went wrong in the browser so far: an error
// nobody caught, one on the console, a violation of the policy, or a request
// beyond the origin.
func Check(t *testing.T, b *drive.Browser) {
	t.Helper()
	for _, p := range b.Problems() {
		t.Errorf("%s: %s", b.Name, p)
	}
}

// Axe fails the test with every finding of axe-core on the present page, or of some of its rules.
func Axe(t *testing.T, b *drive.Browser, rules ...string) {
	t.Helper()
	var there bool
	var found []string
	err := b.Ask(&there, "page.hasAxe")
	if err == nil && !there {
		src, missing := os.ReadFile(filepath.Join(root(t), "www", "node_modules", "axe-core", "axe.min.js"))
		if missing != nil {
			t.Fatalf("%v (make setup installs axe-core)", missing)
		}
		err = b.Eval(nil, string(src))
	}
	if err == nil {
		err = b.Ask(&found, "page.axe", rules)
	}
	if err != nil {
		excuse(t, b)
		t.Fatalf("axe-core: %v", err)
	}
	for _, f := range found {
		t.Errorf("%s: axe: %s", b.Name, f)
	}
}

func root(t *testing.T) string {
	t.Helper()
	r, err := builder.FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// base is the path of the site under test: a project page's, not the root.
const base = "/a/b/"

// A Site is the built site behind a static host.
type Site struct {
	URL   string            // address of the page, ending in a slash
	Files map[string][]byte // by name; change them while stopped
	Built *builder.Site
	// Everything comes with a policy, as from serve.go; a plain host sends none.
	Policy string

	t        *testing.T
	addr     string
	version  string
	srv      *http.Server
	listener net.Listener
	mu       sync.Mutex
	log      []string
	held     map[string]chan struct{} // names whose answers wait, until the channel closes
}

// build makes the site once for all tests and reads it, so a build that
// runs meanwhile changes nothing under them.
var build = sync.OnceValues(func() (*Site, error) {
	r, err := builder.FindRoot(".")
	if err != nil {
		return nil, err
	}
	dist := filepath.Join(r, "dist")
	s := &Site{}
	if s.Built, err = builder.Ensure(builder.Options{Root: r, Dist: dist, Log: os.Stderr}); err != nil {
		return nil, err
	}
	s.Files, err = s.Built.Contents(dist)
	return s, err
})

// Sites are given one port after the other, never one a second time: a browser that is kept open knows what was stored there. They lie
// below those that systems give to connections, so that no connection takes that of a site which is stopped for a while.
const (
	lowestPort = 20_000
	ports      = 12_000
)

var sites atomic.Int64

// NewSite builds the site if it is stale and serves it on a free port until the
// test ends. Its service worker keeps nothing, but in make test-long: to fetch every program and
// to store it is a quarter of what a page costs that is opened for the first time.
func NewSite(t *testing.T) *Site { return newSite(t, long()) }

// NewKeptSite is NewSite with the service worker that keeps the site for visits without network.
func NewKeptSite(t *testing.T) *Site { return newSite(t, true) }

func newSite(t *testing.T, kept bool) *Site {
	t.Helper()
	built, err := build()
	if err != nil {
		t.Fatal(err)
	}
	s := &Site{Files: maps.Clone(built.Files), Built: built.Built, version: built.Built.Version, t: t}
	if !kept {
		s.Files["sw.js"] = nil
	}
	var l net.Listener
	for range ports {
		s.addr = fmt.Sprintf("127.0.0.1:%d", lowestPort+(int64(os.Getpid())*61+sites.Add(1))%ports)
		if l, err = net.Listen("tcp", s.addr); err == nil {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	s.serve(l)
	s.URL = "http://" + s.addr + base
	t.Cleanup(s.Stop)
	return s
}

// Start makes the site reachable, again at the same address. A browser that is being started meanwhile holds what was open here
// for a moment, the port among it.
func (s *Site) Start() {
	s.t.Helper()
	for tries := 0; ; tries++ {
		l, err := net.Listen("tcp", s.addr)
		if err == nil {
			s.serve(l)
			return
		}
		if tries == 100 {
			s.t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (s *Site) serve(l net.Listener) {
	s.srv, s.listener = &http.Server{Handler: s}, l
	go func(srv *http.Server) { _ = srv.Serve(l) }(s.srv) // ends with Stop
}

// Stop takes the site off the network, and ends what it was sending.
func (s *Site) Stop() {
	if s.srv != nil {
		_ = s.srv.Close()
		_ = s.listener.Close() // if the server has not begun with it
		s.srv = nil
	}
}

// Precede puts a script before a file of the site that is one itself, to look
// into it or to break it.
func (s *Site) Precede(name, script string) {
	s.Stop()
	s.Files[name] = append([]byte(script+"\n"), s.Files[name]...)
	s.Start()
}

// App is the name of the page's script.
func (s *Site) App() string {
	return s.Built.FirstLoad[slices.IndexFunc(s.Built.FirstLoad, func(name string) bool {
		return strings.HasPrefix(name, "app.") && strings.HasSuffix(name, ".js")
	})]
}

// Update puts a newer version of the site in the place of the current one.
func (s *Site) Update(version string) {
	s.Stop()
	for name, b := range s.Files {
		if strings.HasSuffix(name, ".js") || strings.HasSuffix(name, ".html") {
			s.Files[name] = bytes.ReplaceAll(b, []byte(s.version), []byte(version))
		}
	}
	s.version = version
	s.Start()
}

// Hold keeps back the answers to every request for a name, until the function
// that it returns is called.
func (s *Site) Hold(name string) (release func()) {
	c := make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held == nil {
		s.held = map[string]chan struct{}{}
	}
	s.held[name] = c
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.held, name)
		close(c)
	})
}

// Requests returns the names asked for since the last call, in order.
func (s *Site) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.log
	s.log = nil
	return list
}

// ServeHTTP answers as a plain static host does: types by extension, ten
// minutes of caching for everything, no compression and no policy, but what Policy says.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutPrefix(r.URL.Path, base)
	s.mu.Lock()
	s.log = append(s.log, name)
	held := s.held[name]
	s.mu.Unlock()
	if held != nil {
		select {
		case <-held:
		case <-r.Context().Done():
			return
		}
	}
	if name == "" {
		name = "index.html"
	}
	b, found := s.Files[name]
	if !ok || !found {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", builder.MediaType(name))
	if s.Policy != "" {
		w.Header().Set("Content-Security-Policy", s.Policy)
		w.Header().Set("Connection-Allowlist", builder.Connections)
	}
	w.Header().Set("Cache-Control", "max-age=600")
	w.Header().Set("ETag", fmt.Sprintf(`"%08x-%d"`, crc32.ChecksumIEEE(b), len(b)))
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(b))
}
