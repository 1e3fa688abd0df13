package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cadem.example/scripts/build/builder"
	"cadem.example/scripts/e2e/drive"
)

// A trap listens for one way out of one role of the page: for connections, and for what they ask for, be it by datagrams to the same
// port. Nothing else of the tests ever had its address: Firefox goes on for a while to send to where nobody is any more.
type trap struct {
	net.Listener
	addr  string // host and port
	hits  atomic.Int32
	mu    sync.Mutex
	asked []string
}

const trapHost = "127.0.0.2" // on Linux all of 127.0.0.0/8 is the loopback

var laid sync.Map // addresses that traps have had

func (p *trap) Accept() (net.Conn, error) {
	c, err := p.Listener.Accept()
	if err == nil {
		p.hits.Add(1)
	}
	return c, err
}

func (p *trap) ask(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, what)
}

func (p *trap) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

// met reports whether anybody came.
func (p *trap) met() bool { return p.hits.Load() > 0 || len(p.requests()) > 0 }

// traps lists the traps of all ways by role.
type traps map[string]map[string]*trap

// lay returns a trap that accepts every connection, with the answer it wants.
func lay(t *testing.T) *trap {
	t.Helper()
	for {
		l, err := net.Listen("tcp", trapHost+":0")
		if err != nil {
			t.Fatal(err)
		}
		p := &trap{Listener: l, addr: l.Addr().String()}
		datagrams, err := net.ListenPacket("udp", p.addr)
		if err != nil { // another program has that one
			l.Close()
			continue
		}
		if _, had := laid.LoadOrStore(p.addr, true); had {
			l.Close()
			datagrams.Close()
			continue
		}
		srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			p.ask(r.Method + " " + r.RequestURI)
			w.Header().Set("Access-Control-Allow-Origin", "*")
			w.Header().Set("Content-Type", "text/javascript")
		})}
		go func() { _ = srv.Serve(p) }() // ends with Close
		go func() {
			for b := make([]byte, 2048); ; {
				n, from, err := datagrams.ReadFrom(b)
				if err != nil {
					return // closed
				}
				p.ask(fmt.Sprintf("%d bytes from %s", n, from))
			}
		}()
		t.Cleanup(func() {
			srv.Close()
			datagrams.Close()
		})
		return p
	}
}

// The ways out that testdata/leaks.js knows, by the roles that scripts of the site have.
var (
	waysEverywhere = []string{"fetch", "keepalive", "xhr", "websocket", "eventsource", "webtransport", "webrtc", "font", "cache", "import", "eval", "function",
		"blob worker", "data worker"}
	waysOfPage = []string{"beacon", "image", "srcset", "css", "cursor", "mask", "css import", "stylesheet", "script", "inline script", "html", "speculation",
		"audio", "video", "object", "embed", "frame", "svg image", "form", "ping", "preload", "modulepreload", "prefetch", "prerender", "preconnect", "icon",
		"timer of text"}
	waysOut = map[string][]string{
		"page":           append(slices.Clone(waysEverywhere), waysOfPage...),
		"cadem compute":  append(slices.Clone(waysEverywhere), "importScripts"),
		"cadem storage":  append(slices.Clone(waysEverywhere), "importScripts"),
		"service worker": waysEverywhere,
	}
)

// eager are preferences that open what the drivers of the tests, or an engine by default, keep closed: connections ahead and pings, and
// WebRTC on a machine without a network.
var eager = map[string]map[string]any{
	"chromium": {"net.network_prediction_options": 0},
	"firefox":  {"browser.send_pings": true, "media.peerconnection.ice.loopback": true},
}

// ahead marks a connection without a request. Chromium connects to the target of a frame or a form before it asks the policy whether
// it may.
const ahead = ", ahead of a request"

// unclosed are the ways that no policy closes, and where they are open. Firefox and WebKit make connections ahead under every policy.
// The header Connection-Allowlist closes them and WebRTC in Chromium, which alone heeds it. A host may not send it; the service worker
// adds it to its responses. A service worker has the policy of its own script's response, so none from a host without headers; it gets
// none of the reader's data.
func unclosed(engine, visit, role, way string, policed bool) bool {
	listed := engine == "chromium" && (policed || visit == "later")
	switch {
	case role == "service worker":
		return !policed
	case role != "page" || listed:
		return false
	case way == "webrtc":
		return engine != "webkit" // which has none
	}
	return way == "preconnect"+ahead || engine == "chromium" && strings.HasSuffix(way, ahead)
}

// layAll returns a trap for each way out of each role.
func layAll(t *testing.T) traps {
	t.Helper()
	all := traps{}
	for role, ways := range waysOut {
		all[role] = map[string]*trap{}
		for _, way := range ways {
			all[role][way] = lay(t)
		}
	}
	return all
}

// leakScript returns testdata/leaks.js for the traps of each visit. A visit has its own: a browser that still has a connection to
// one makes none ahead.
func leakScript(t *testing.T, visits map[string]traps) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "leaks.js"))
	if err != nil {
		t.Fatal(err)
	}
	addresses := map[string]map[string]map[string]string{}
	for visit, all := range visits {
		addresses[visit] = map[string]map[string]string{}
		for role, ways := range all {
			addresses[visit][role] = map[string]string{}
			for way, p := range ways {
				addresses[visit][role][way] = p.addr
			}
		}
	}
	j, err := json.Marshal(addresses)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("const LEAKS = %s;\n%s", j, b)
}

// An attempt is the report of each role on each way that it tried.
type attempt map[string]map[string]string

// attempt has the roles try every way.
func (all traps) attempt(v *Visit, visit string, roles ...string) (told attempt) {
	v.t.Helper()
	v.Read(&told, "checks.leakers", visit, roles)
	for _, role := range roles {
		if got, want := slices.Sorted(maps.Keys(told[role])), slices.Sorted(slices.Values(waysOut[role])); !slices.Equal(got, want) {
			v.t.Errorf("%s tried %q, expected %q", role, got, want)
		}
	}
	return told
}

// caught returns the ways by which a connection came, or text ran as code; those with the mark ahead made only a connection.
func (all traps) caught(told attempt) (out map[string][]string) {
	out = map[string][]string{}
	for role := range told {
		for _, way := range waysOut[role] {
			switch p := all[role][way]; {
			case len(p.requests()) > 0 || told[role][way] == "ran":
				out[role] = append(out[role], way)
			case p.met():
				out[role] = append(out[role], way+ahead)
			}
		}
	}
	return out
}

// see waits until somebody has come by the ways that preferences can close, lest their silence be taken for a policy's work.
func (all traps) see(t *testing.T, engine string) {
	t.Helper()
	ways := []string{"preconnect", "ping"}
	if engine != "webkit" { // which has none
		ways = append(ways, "webrtc")
	}
	for _, way := range ways {
		p := all["page"][way]
		for i := 0; !p.met() && i < 300; i++ {
			time.Sleep(100 * time.Millisecond)
		}
		if !p.met() {
			t.Errorf("the trap does not catch %s", way)
		}
	}
}

// TestNothingLeaks has the page, its workers and its service worker try every way to reach another origin: on the first visit
// and on a later one, from a host that sends the policy in headers and from one that sends none. A page without a policy
// first shows which of them are open in this engine at all.
func TestNothingLeaks(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		for _, policed := range []bool{true, false} {
			t.Run(map[bool]string{true: "headers", false: "no headers"}[policed], func(t *testing.T) {
				visits := map[string]traps{"first": layAll(t), "later": layAll(t)}
				s := NewKeptSite(t)
				if policed {
					s.Policy = builder.HeaderPolicy
				}
				script := leakScript(t, visits)
				for _, name := range []string{s.App(), s.Built.Worker, "sw.js"} {
					s.Precede(name, script)
				}
				release := s.Hold("sw.js")
				v := Open(t, engine, s, drive.Options{Prefs: eager[engine]}, Small.Link())
				told := map[string]attempt{}
				try := func(visit string, roles ...string) {
					t.Helper()
					v.Until("lab.untouched")
					told[visit] = visits[visit].attempt(v, visit, roles...)
				}
				try("first", "page", "cadem compute", "cadem storage")
				release()
				v.Until("page.offline")
				v.Load("?later" + Small.Link())
				try("later", "page", "cadem compute", "cadem storage", "service worker")
				if st, want := v.Finish(), Small.Train(t); st.Hash != want.Hash {
					t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
				}
				for _, visit := range []string{"first", "later"} {
					out := visits[visit].caught(told[visit])
					t.Logf("%s visit: %v", visit, out)
					for role, ways := range out {
						for _, way := range ways {
							if !unclosed(engine, visit, role, way, policed) {
								p := visits[visit][role][strings.TrimSuffix(way, ahead)]
								t.Errorf("%s visit: %s reached another origin by %s: %q", visit, role, way, p.requests())
							}
						}
					}
				}
			})
		}
		t.Run("no policy", func(t *testing.T) {
			all := layAll(t)
			s := NewSite(t)
			s.Stop()
			script := leakScript(t, map[string]traps{"open": all})
			s.Files["open.html"] = []byte(`<!doctype html><link rel="icon" href="data:,"><body><script src="open.js"></script><script src="open-start.js"></script>`)
			s.Files["open.js"], s.Files["open-worker.js"] = []byte(script), []byte(script)
			s.Files["open-start.js"] = []byte(`new Worker('open-worker.js', {name: 'cadem compute'});`)
			s.Start()
			b := Start(t, engine, drive.Options{Prefs: eager[engine]})
			v := &Visit{Browser: b, Site: s, t: t}
			v.must(v.Navigate(s.URL + "open.html"))
			told := all.attempt(v, "open", "page", "cadem compute")
			all.see(t, engine)
			for role, ways := range all.caught(told) {
				var never []string
				for _, way := range waysOut[role] {
					if !slices.Contains(ways, way) && !slices.Contains(ways, way+ahead) {
						never = append(never, way)
					}
				}
				t.Logf("without a policy, %s gets out by %d of %d ways; this engine has none by %s", role, len(ways), len(waysOut[role]), strings.Join(never, ", "))
				if len(ways) < 2*len(waysOut[role])/3 {
					t.Errorf("the traps catch too little: %q", ways)
				}
			}
		})
	})
}

// TestHostileNames opens files whose names, and whose nodes, layers and labels, are markup that would load something: they
// are shown as text, everywhere, and nothing is asked for.
func TestHostileNames(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		p := lay(t)
		mark := func(n int) string {
			return fmt.Sprintf(`<img src=http://%s/%d onerror=globalThis.leaked=1>`, p.addr, n)
		}
		dir, paths := t.TempDir(), []string(nil)
		name := `<img src=x onerror=globalThis.leaked=1>`
		for ending, text := range map[string]string{
			"_multiplex.edges": "1 1 2 1\n1 2 3 1\n1 3 4 1\n2 1 3 1\n2 2 4 1\n2 1 4 1\n",
			"_layers.txt":      "layerID layerLabel\n1 " + strings.ReplaceAll(mark(1), " ", "/") + "\n2 </script><svg/onload=globalThis.leaked=1>\n",
			"_nodes.txt":       "nodeID nodeLabel\n1 " + strings.ReplaceAll(mark(2), " ", "/") + "\n2 javascript:leaked=1\n3 {{7*7}}\n4 \"><script>leaked=1</script>\n",
			"_labels.csv":      "nodeID," + mark(3) + "\n1," + mark(4) + "\n2,<b>b</b>\n3," + mark(4) + "\n4,<b>b</b>\n",
		} {
			path := filepath.Join(dir, name+ending)
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
		v := OpenReady(t, engine, Small.Link())
		v.Give("#open-files", paths...)
		v.Until("lab.untouched && settings.data", "files")
		v.Enter("#options-epochs", "2")
		v.Until("lab.untouched && lab.epochs", 2)
		v.Finish()
		for _, view := range []string{"layers", "losses", "causality", "method"} {
			v.Read(nil, "hand.click", `#tabs [data-show="`+view+`"]`)
		}
		for _, place := range places {
			v.Go(place)
		}
		v.Want("#data-summary", "<img/src=http://"+trapHost)
		var made int
		v.Read(&made, "page.leaked", p.addr)
		if made > 0 || p.hits.Load() > 0 {
			t.Errorf("%d elements were made of names, %d requests followed", made, p.hits.Load())
		}
		v.Check()
	})
}
