package e2e

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"cadem/scripts/e2e/drive"
)

// TestOpenedAsAFile opens the built page and its source without a server: as soon as they are loaded, they say what starts one.
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
			v.Read(&y, "return document.querySelector('#unserved').getBoundingClientRect().bottom")
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
	v.Read(&drawn, "return document.querySelector(args[0]).checkVisibility()", css)
	return drawn
}
