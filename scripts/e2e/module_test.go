package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"cadem.example/scripts/e2e/drive"
)

// packedModule has npm pack the module of a site, and bundles the script that imports it from there.
func packedModule(t *testing.T, s *Site) []byte {
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
	archive := filepath.Join(dir, strings.TrimSpace(string(out)))
	if out, err := exec.Command("tar", "-xzf", archive, "-C", filepath.Join(dir, "node_modules", "cadem"), "--strip-components=1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"cadem.d.ts", s.Built.WholeGz, s.Built.Worker} { // what is served with it
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
	return r.OutputFiles[0].Contents
}

// TestModule runs a script that a bundler has made with the module of the package, and the examples beside it.
func TestModule(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Files["own/main.js"] = packedModule(t, s)
		s.Files["own/index.html"] = []byte(`<!doctype html><html lang="en"><title>Of one's own</title><link rel="icon" href="../icon.svg">` +
			`<script type="module" src="main.js"></script></html>`)
		b := Start(t, engine, drive.Options{})
		const limit = time.Minute
		shown := func(page, expr string) {
			t.Helper()
			if err := b.Navigate(s.URL + page); err != nil {
				t.Fatal(err)
			}
			if err := b.Wait(expr, limit); err != nil {
				var told any
				_ = b.Eval(&told, "return globalThis.told ?? null")
				t.Errorf("%s: %v: %v", page, err, told)
			}
		}
		shown("own/index.html", "globalThis.told?.done")
		var told map[string]any
		if err := b.Eval(&told, "return globalThis.told"); err != nil {
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
		shown("examples/draw.html", "document.title.endsWith('drawn') && "+
			"document.querySelector('canvas').getContext('2d').getImageData(0, 0, 400, 400).data.some(v => v > 0) && "+
			"/: node \\d+ \\(-?\\d+ %\\), .*the bias \\(0 %\\) and the mean \\(-?\\d+ %\\)/.test(document.querySelector('p').textContent)")
		shown("examples/lecture.html", "Boolean(document.querySelector('iframe').contentDocument?.querySelector('canvas'))")
		Check(t, b)
	})
}
