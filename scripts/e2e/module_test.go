package e2e

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"cadem.example/scripts/e2e/drive"
)

// packedModule has npm pack the module of a site, and bundles the script that imports it from there.
func packedModule(t *testing.T, s *Site) (bundle []byte, archive string) {
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
	archive = filepath.Join(dir, strings.TrimSpace(string(out)))
	if out, err := exec.Command("tar", "-xzf", archive, "-C", filepath.Join(dir, "node_modules", "cadem"), "--strip-components=1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"cadem.d.ts", s.Built.Whole.Packed, s.Built.Worker} { // what is served with it
		if _, err := os.Stat(filepath.Join(dir, "node_modules", "cadem", name)); err != nil {
			t.Error(err)
		}
	}
	put("main.ts", sourceOf("module"))
	r := api.Build(api.BuildOptions{EntryPoints: []string{filepath.Join(dir, "main.ts")}, AbsWorkingDir: dir, Bundle: true, Format: api.FormatESModule,
		Target: api.ES2022})
	if len(r.Errors)+len(r.Warnings) > 0 {
		t.Fatal(r.Errors, r.Warnings)
	}
	return r.OutputFiles[0].Contents, archive
}

// newcomer runs the lines of docs/javascript.md in an empty folder, and puts what it holds then, and the page of the document, into a site.
func newcomer(t *testing.T, s *Site, archive string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/javascript.md")
	lines := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if err != nil || len(lines) != 1 {
		t.Fatalf("docs/javascript.md: %v, %d blocks of commands, expected 1", err, len(lines))
	}
	dir := t.TempDir()
	c := exec.Command("sh", "-ec", strings.ReplaceAll(lines[0][1], "../cadem/bin/", filepath.Dir(archive)+"/"))
	c.Dir, c.Env = dir, append(os.Environ(), "npm_config_offline=true", "npm_config_audit=false")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const most = 3 * time.Minute // of processor, which other work on the machine does not prolong
	if used := c.ProcessState.UserTime() + c.ProcessState.SystemTime(); used > most {
		t.Errorf("the lines took %v", used)
	}
	page, err := os.ReadFile("../../testdata/outside/index.html")
	if err == nil {
		s.Files["first/index.html"] = page
		err = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				s.Files["first/"+name], err = os.ReadFile(filepath.Join(dir, name))
			}
			return err
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// notebook is a page that frames a run as Python shows it in a notebook; nil where there is no NumPy.
func notebook(t *testing.T, s *Site) []byte {
	t.Helper()
	dir := t.TempDir()
	for name, data := range s.Files {
		if !strings.Contains(name, "/") {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	const code = "from cadem import _notebook as n; print(n.Framed(n.page('../../testdata/stored/page-example-finished.zip', False))._repr_html_())"
	c := exec.Command("/usr/bin/python3", "-c", code)
	c.Env = append(os.Environ(), "PYTHONPATH=../python", "PYTHONDONTWRITEBYTECODE=1", "CADEM_SITE="+dir)
	out, err := c.CombinedOutput()
	if err != nil && strings.Contains(string(out), "No module named 'numpy'") {
		t.Log("python3-numpy is not there: no page of a notebook is opened")
		return nil
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return append([]byte(`<!doctype html><html lang="en"><title>Notebook</title><link rel="icon" href="data:,">`), out...)
}

// TestModule runs a script that a bundler has made with the module of the package, and the examples beside it.
func TestModule(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		var archive string
		s.Files["own/main.js"], archive = packedModule(t, s)
		page := notebook(t, s)
		newcomer(t, s, archive)
		s.Files["own/index.html"] = []byte(`<!doctype html><html lang="en"><title>Of one's own</title><link rel="icon" href="../icon.svg">` +
			`<script type="module" src="main.js"></script></html>`)
		b := Start(t, engine, drive.Options{})
		const limit = time.Minute
		shown := func(page, condition string) {
			t.Helper()
			if err := b.Navigate(s.URL + page); err != nil {
				t.Fatal(err)
			}
			if err := b.Await(limit, condition); err != nil {
				var told any
				_ = b.Ask(&told, "own.told")
				t.Errorf("%s: %v: %v", page, err, told)
			}
		}
		shown("own/index.html", "own.done")
		var told map[string]any
		if err := b.Ask(&told, "own.told"); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"graph":  `[40,2,[["work",40],["lunch",40]],"node 39",[0,1,0]]`,
			"copies": `[1,true]`,
			"run":    `[["common","private_1","private_2"],[40,8],320,false,true,3]`, "scores": `[true,true]`,
			"back": `[true,16,40]`, "other": `[40,true]`, "methods": `true`,
			"stale":  `"EngineError: Something else was trained on this graph`,
			"option": `"OptionError: `, "range": `"RangeError: layer a: found the node 2, expected 0 to`,
			"data":      `"DataError: `,
			"types":     `["TypeError: layer a: edges[0]: found \"0\", expected t","RangeError: nodes: found 1000000000, expected from 1"]`,
			"names":     `[["../x/é=","a.b,c_"],["2","1","0"],[["features",0,-1,1]]]`,
			"kept":      `["OptionError: `,
			"first":     `["OptionError: `,
			"explained": `[16,true]`,
			"unexplained": `["RangeError: node: found node 40, expected 0 to 39, o",` +
				`"RangeError: layer: found dinner, expected one of wor","OptionError: Found node 0 of layer 0 and 0 parts`,
			"asked": `true`, "pca": `"OptionError: method: found pca, expected cadem`, "shape": `"RangeError: features: found 81 numbers`,
			"large": `"TooLargeError: This run would need about `, "stopped": `"AbortError: `, "closed": `"EngineError: The graph was closed."`,
		} {
			if got, err := json.Marshal(told[name]); err != nil || !strings.HasPrefix(string(got), want) {
				t.Errorf("%s: %s, expected %s", name, got, want)
			}
		}
		for name, want := range map[string]string{"kept": `,"fused"]`, "first": `,3]`} {
			if got, _ := json.Marshal(told[name]); !strings.HasSuffix(string(got), want) {
				t.Errorf("%s: %s, expected %s at the end", name, got, want)
			}
		}
		shown("examples/draw.html", "own.drawn")
		shown("first/index.html", "own.trained")
		if page != nil {
			s.Files["notebook.html"] = page
			shown("notebook.html", "own.asksForClick")
			shown("notebook.html", "own.clickExplains")
		}
		shown("examples/lecture.html", "own.framesPicture")
		Check(t, b)
	})
}
