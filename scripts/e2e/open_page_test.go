package e2e

import (
	"bufio"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cadem.example/scripts/e2e/drive"
)

// TestOpens opens the page as a visitor does, from a plain static host.
func TestOpens(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewKeptSite(t)
		if err := s.Built.Check(); err != nil {
			t.Error(err)
		}
		b := Start(t, engine, drive.Options{})
		if err := b.Navigate(s.URL + lab); err != nil {
			t.Fatal(err)
		}
		if err := b.Await(30*time.Second, "page.scripted && page.started"); err != nil {
			t.Error(err)
		}
		for _, name := range s.Requests() {
			if _, ok := s.Files[name]; !ok && name != "" {
				t.Errorf("asked for %s, which is no file of the site", name)
			}
		}
		Check(t, b)
	})
}

// TestServe starts the project's own server the way the README says, visits
// the page under the headers that only it sends, and ends it by its parent.
func TestServe(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		NewSite(t) // builds, so the server only serves
		c := exec.Command("go", "run", ".", "-addr", "127.0.0.1:0")
		c.Dir = root(t)
		out, err := c.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := false
		defer func() {
			if !ended {
				_ = c.Process.Signal(syscall.SIGTERM)
				_ = c.Wait()
			}
		}()
		url, lines := "", bufio.NewScanner(out)
		for url == "" && lines.Scan() {
			if rest, ok := strings.CutPrefix(lines.Text(), "open "); ok {
				url, _, _ = strings.Cut(rest, " ")
			}
		}
		if url == "" {
			t.Fatal("the server named no address")
		}
		b := Start(t, engine, drive.Options{})
		if err := b.Navigate(url + lab); err != nil {
			t.Fatal(err)
		}
		if err := b.Await(30*time.Second, "page.scripted && page.started"); err != nil {
			t.Error(err)
		}
		if err := b.Screenshot(filepath.Join(t.ArtifactDir(), engine+"-served.png")); err != nil {
			t.Error(err)
		}
		if err := b.Navigate(url + "frame.html"); err != nil {
			t.Fatal(err)
		}
		if err := b.Await(30*time.Second, "framed.started"); err != nil {
			t.Error(err)
		}
		Check(t, b)

		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		ended = true
		for lines.Scan() { // the pipe closes when the server is gone, too
		}
		_ = c.Wait() // ended by a signal: never a success
		if err := b.Ask(nil, "page.ask", url+"build.json"); err == nil {
			t.Error("the server still answers after its parent ended")
		}
	})
}

// TestNoLanguage opens the page in a browser that names a language that does not exist.
func TestNoLanguage(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Precede(s.App(), scriptOf("nolanguage"))
		v := Open(t, engine, s, drive.Options{}, "")
		v.Until("losses.there")
		var language string
		v.Read(&language, "page.language")
		if language != "en" {
			t.Errorf("the language is %q", language)
		}
		v.Check()
	})
}

// TestOpenedAsAFile opens the built page and its source without a server: as soon as they are loaded, they say how to start one.
func TestOpenedAsAFile(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		built := filepath.Join(t.TempDir(), "a built site")
		for name, b := range s.Files {
			path := filepath.Join(built, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		o := drive.Options{}
		if engine == "firefox" { // its driver lets files read files, which people's browsers do not
			o.Prefs = map[string]any{"security.fileuri.strict_origin_policy": true}
		}
		v := &Visit{Browser: Start(t, engine, o), Site: s, t: t}
		for _, dir := range []string{built, filepath.Join(root(t), "www")} {
			v.must(v.Navigate((&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, "index.html"))}).String()))
			if !v.visible("#unserved") {
				t.Errorf("%s: no hint is shown", dir)
			}
			v.Want("#unserved", "make serve", "python3 -m http.server")
			v.Want("#status", "opened as a file")
			var y float64
			v.Read(&y, "see.bottom", "#unserved")
			if y <= 0 || y > 600 {
				t.Errorf("%s: the hint ends at %g pixels, out of sight", dir, y)
			}
			if dir == built {
				Axe(t, v.Browser)
			}
		}

		v = Open(t, engine, s, drive.Options{}, "")
		if v.visible("#unserved") {
			t.Error("the page that is served asks for a server")
		}
		v.Check()
	})
}

// visible says whether an element is drawn.
func (v *Visit) visible(css string) bool {
	v.t.Helper()
	var drawn bool
	v.Read(&drawn, "see.visible", css)
	return drawn
}
