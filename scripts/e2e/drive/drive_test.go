package drive_test

import (
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"cadem.example/scripts/e2e"
	"cadem.example/scripts/e2e/drive"
)

const page = `<!doctype html><meta charset="utf-8"><title>%s</title><link rel="icon" href="data:,">
<style>html { background: rgb(10 200 30) }
@media (prefers-color-scheme: dark) { body { color: rgb(1, 2, 3) } }</style>
<input id="text"><input id="file" type="file" multiple><button id="go">Go</button><a id="save" download="out.csv" href="data:text/csv,1,2">save</a>
<script>
var keys = [], marks = {};
addEventListener('keydown', e => keys.push((e.shiftKey ? 'Shift ' : '') + e.key));
document.getElementById('go').onclick = e => { marks.trusted = e.isTrusted; };
%s</script>`

// patience is the time limit for a page, on a machine that does other things, too.
const patience = time.Minute

// host serves the page with the given title and further script.
func host(t *testing.T, script string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			fmt.Fprintf(w, page, "a page", script)
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `fetch('http://worker.example/x').catch(() => 0).then(() => postMessage('done'));`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestPage(t *testing.T) {
	e2e.Each(t, func(t *testing.T, engine string) {
		b := e2e.Start(t, engine, drive.Options{})
		must(t, b.Navigate(host(t, "")))
		var got string
		must(t, b.Eval(&got, "return document.title + args[0]", "!"))
		if got != "a page!" {
			t.Errorf("title %q", got)
		}
		if err := b.Eval(nil, "throw new TypeError('on purpose')"); err == nil || !strings.Contains(err.Error(), "on purpose") {
			t.Errorf("a script that throws: %v", err)
		}

		must(t, b.Click("#go"))
		must(t, b.Wait("marks.trusted === true", patience))
		if err := b.Click("#absent"); err == nil {
			t.Error("clicked an element that is not there")
		}
		must(t, b.Eval(nil, "marks = {}; document.body.insertAdjacentHTML('beforeend', args[0])",
			`<button id="hid" hidden>hid</button><button id="far" style="position: absolute; top: 3000px">far</button>
<div id="over" style="position: fixed; inset: 0 0 50%; background: rgb(10, 200, 30)"></div>`))
		for _, css := range []string{"#hid", "#go"} {
			if err := b.Click(css); err == nil {
				t.Errorf("clicked %s, which is hidden or covered", css)
			}
		}
		must(t, b.Click("#far"))
		must(t, b.Eval(nil, "document.getElementById('over').remove(); scrollTo(0, 0)"))
		if err := b.Wait("marks.trusted", 50*time.Millisecond); err == nil {
			t.Error("what is covered was clicked")
		}
		must(t, b.Click("#go"))
		if err := b.Wait("false", 50*time.Millisecond); err == nil || !strings.Contains(err.Error(), "false") {
			t.Errorf("waited for what never comes: %v", err)
		}

		must(t, b.Type("#text", "äb"))
		must(t, b.Eval(nil, "document.activeElement.blur(); keys.length = 0"))
		must(t, b.Press("Space", ".", "ArrowLeft", "Shift+Enter"))
		must(t, b.Eval(&got, "return document.getElementById('text').value + '|' + keys.join()"))
		if want := "äb| ,.,ArrowLeft,Shift Shift,Shift Enter"; got != want {
			t.Errorf("keys %q, want %q", got, want)
		}
		if err := b.Press("Hyper"); err == nil {
			t.Error("pressed a key that does not exist")
		}

		dir := t.TempDir()
		for _, name := range []string{"a.csv", "b.csv"} {
			must(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644))
		}
		must(t, b.Upload("#file", filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv")))
		must(t, b.Eval(&got, "return (await Promise.all([...document.getElementById('file').files].map(f => f.text()))).join()"))
		if got != "a.csv,b.csv" {
			t.Errorf("files %q", got)
		}

		shot := filepath.Join(dir, "page.png")
		must(t, b.Screenshot(shot))
		f, err := os.Open(shot)
		must(t, err)
		defer f.Close()
		img, err := png.Decode(f)
		must(t, err)
		at := img.Bounds().Max
		if r, g, b, _ := img.At(at.X/2, at.Y/2).RGBA(); r>>8 != 10 || g>>8 != 200 || b>>8 != 30 {
			t.Errorf("the page is rgb(%d %d %d) in its picture of %v, want rgb(10 200 30)", r>>8, g>>8, b>>8, at)
		}

		old, _, err := b.NewTab()
		must(t, err)
		must(t, b.Navigate(host(t, "")))
		must(t, b.CloseTab())
		must(t, b.Switch(old))
		must(t, b.Wait("marks.trusted === true", patience))
		must(t, b.Reload())
		must(t, b.Wait("marks.trusted === undefined", patience))
		e2e.Check(t, b)
	})
}

func TestEmulation(t *testing.T) {
	e2e.Each(t, func(t *testing.T, engine string) {
		if engine == "webkit" {
			t.Skip("WebKitGTK's driver has neither media nor narrow windows")
		}
		b := e2e.Start(t, engine, drive.Options{})
		must(t, b.Navigate(host(t, "")))
		for _, m := range []drive.Media{{Dark: true}, {ReducedMotion: true}, {Dark: true, ReducedMotion: true}, {}} {
			must(t, b.SetMedia(m))
			must(t, b.Wait(fmt.Sprintf("matchMedia('(prefers-color-scheme: dark)').matches === %v && matchMedia('(prefers-reduced-motion: reduce)').matches === %v",
				m.Dark, m.ReducedMotion), patience))
		}
		sizes := [][2]int{{1280, 700}, {700, 800}}
		if engine == "chromium" {
			sizes = append(sizes, [2]int{320, 640})
		}
		for _, s := range sizes {
			must(t, b.Resize(s[0], s[1]))
			var got [2]int
			must(t, b.Eval(&got, "return [innerWidth, innerHeight]"))
			if got != s {
				t.Errorf("page of %v, want %v", got, s)
			}
		}
		must(t, b.Click("#save"))
		path, err := b.Download("out*.csv", patience)
		must(t, err)
		if text, err := os.ReadFile(path); err != nil || string(text) != "1,2" {
			t.Errorf("downloaded %q, %v", text, err)
		}
	})
}

func TestProblems(t *testing.T) {
	e2e.Each(t, func(t *testing.T, engine string) {
		b := e2e.Start(t, engine, drive.Options{})
		known, other := 0, host(t, "")
		watched := func(script string) string { // the witness comes with the load event, or later
			return "const w = setInterval(() => { if (window.driveWitness) { clearInterval(w); " + script + "; } }, 50)"
		}
		for _, c := range []struct{ script, want string }{
			{"throw new Error('at once')", "at once"},
			{watched("throw new Error('lost')"), "lost"},
			{watched("Promise.reject(new Error('unkept'))"), "unkept"},
			{watched("console.error('said')"), "said"},
			{`const m = document.createElement('meta'); m.httpEquiv = 'Content-Security-Policy'; m.content = "img-src 'none'"; document.head.append(m);` +
				watched("new Image().src = '/x.png'"), "img-src"},
			{`const d = document.body.appendChild(document.createElement('div'));
				new ResizeObserver(() => { d.style.height = d.clientHeight + 1 + 'px'; }).observe(d)`, "ResizeObserver loop"},
			{"fetch('http://page.example/y').catch(() => 0)", "page.example/y"},
			{"new Worker('worker.js').onmessage = () => { marks.done = true; }", "worker.example/x"},
			{"fetch('" + other + "', {mode: 'no-cors'}).catch(() => 0)", other},
		} {
			if engine == "webkit" && c.want == "at once" {
				continue // what fails before the load event is not seen there
			}
			must(t, b.Navigate(host(t, c.script)))
			found := false
			var list []string
			for end := time.Now().Add(patience); !found && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
				list = b.Problems()[known:]
				found = slices.ContainsFunc(list, func(p string) bool { return strings.Contains(p, c.want) })
			}
			if !found {
				t.Errorf("%s: problems %q, want one with %q\n%s", c.script, list, c.want, b.Output())
			}
			known += len(list)
		}
	})
}

// TestKill ends a browser without warning and starts it again on its profile.
func TestKill(t *testing.T) {
	e2e.Each(t, func(t *testing.T, engine string) {
		if engine == "webkit" {
			t.Skip("MiniBrowser keeps its storage in memory when driven")
		}
		url := host(t, "")
		profile := t.TempDir()
		b := e2e.Start(t, engine, drive.Options{Profile: profile})
		must(t, b.Navigate(url))
		const open = `const db = await new Promise((yes, no) => { const r = indexedDB.open('d', 1);
			r.onupgradeneeded = () => r.result.createObjectStore('s'); r.onsuccess = () => yes(r.result); r.onerror = () => no(r.error); });`
		must(t, b.Eval(nil, open+`await new Promise((yes, no) => { const x = db.transaction('s', 'readwrite', {durability: 'strict'});
			x.objectStore('s').put('kept', 'k'); x.oncomplete = yes; x.onabort = () => no(x.error); })`))
		b.Kill()
		if err := b.Navigate(url); err == nil {
			t.Error("a killed browser still navigates")
		}
		b = e2e.Start(t, engine, drive.Options{Profile: profile})
		must(t, b.Navigate(url))
		var got string
		must(t, b.Eval(&got, open+"return await new Promise((yes, no) => { const r = db.transaction('s').objectStore('s').get('k'); r.onsuccess = "+
			"() => yes(r.result); r.onerror = no; })"))
		if got != "kept" {
			t.Errorf("read %q after the restart", got)
		}
	})
}

// TestMemory counts what a page holds, and no more what it has let go of.
func TestMemory(t *testing.T) {
	e2e.Each(t, func(t *testing.T, engine string) {
		b := e2e.Start(t, engine, drive.Options{Profile: t.TempDir()})
		must(t, b.Navigate(host(t, "")))
		if err := b.CollectGarbage(); errors.Is(err, drive.ErrUnsupported) {
			t.Skip("its processes are not looked into")
		}
		held := func() int64 {
			t.Helper()
			must(t, b.CollectGarbage())
			u, err := b.Usage()
			must(t, err)
			return u.Now
		}
		const much = 64 << 20
		before := held()
		must(t, b.Eval(nil, "window.kept = new Uint8Array(args[0]).fill(1)", much))
		if grown := held() - before; grown < much/2 {
			t.Errorf("a page that holds %d bytes more has grown by %d", much, grown)
		}
		must(t, b.Eval(nil, "delete window.kept"))
		grown := held() - before
		for end := time.Now().Add(patience); grown > much/4 && time.Now().Before(end); {
			grown = held() - before
		}
		if grown > much/4 {
			t.Errorf("a page that has let go of %d bytes still has %d of them", much, grown)
		}
		e2e.Check(t, b)
	})
}

// TestAvailable asks for browsers on a machine without any: each is refused with the line that installs it.
func TestAvailable(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, engine := range drive.Engines {
		if err := drive.Available(engine); err == nil || !strings.HasSuffix(err.Error(), "run: make setup E2E="+engine) {
			t.Errorf("%s: %v", engine, err)
		}
	}
}

// TestCrashed ends a page's process as a fault of its own would. A process killed by KillContent is not a crash.
func TestCrashed(t *testing.T) {
	e2e.Each(t, func(t *testing.T, engine string) {
		if engine != "webkit" {
			t.Skip("only WebKit's crashes are known")
		}
		for _, crash := range []bool{true, false} {
			const mark = "CADEM_CRASH=this"
			b := e2e.Start(t, engine, drive.Options{Env: []string{mark}})
			must(t, b.Navigate(host(t, "")))
			if b.Crashed() {
				t.Error("crashed before it did")
			}
			if crash {
				abort(t, mark)
			} else if b.KillContent() == 0 {
				t.Error("no process of the page was found")
			}
			for end := time.Now().Add(patience); !strings.Contains(b.Output(), "CRASHED") && time.Now().Before(end); {
				time.Sleep(100 * time.Millisecond)
			}
			if b.Crashed() != crash {
				t.Errorf("crashed: %v, expected %v; it said %s", b.Crashed(), crash, b.Output())
			}
			if err := b.Eval(nil, "return 1"); err == nil {
				t.Error("the page answers after its end")
			}
		}
	})
}

// abort ends the process of WebKit's page that has such an environment.
func abort(t *testing.T, env string) {
	t.Helper()
	list, err := filepath.Glob("/proc/[0-9]*")
	must(t, err)
	for _, dir := range list {
		// A process may end meanwhile: then these are empty.
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		its, _ := os.ReadFile(filepath.Join(dir, "environ"))
		if !strings.Contains(string(line), "WebKitWebProcess") || !strings.Contains(string(its), env) {
			continue
		}
		id, err := strconv.Atoi(filepath.Base(dir))
		must(t, err)
		must(t, syscall.Kill(id, syscall.SIGABRT))
	}
}
