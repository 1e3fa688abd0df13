package builder

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Most of a small build would be compression, whose quality no test checks, and links of the same few lines.
func init() { effort, linked = gzip.BestSpeed, linkOnce }

// linkedAnew links every time.
var linkedAnew = linked

var once struct {
	sync.Mutex
	programs map[string][]byte // by their sources
}

// linkOnce links every program of small trees once.
func linkOnce(t toolchain, path, file string, flags ...string) error {
	source, err := os.ReadFile(filepath.Join(t.modules, path, "main.go"))
	if err != nil || len(source) > 200 {
		return linkedAnew(t, path, file, flags...)
	}
	once.Lock()
	defer once.Unlock()
	key := fmt.Sprint(path, flags, string(source))
	if program := once.programs[key]; program != nil {
		return os.WriteFile(file, program, 0o600)
	}
	if err := linkedAnew(t, path, file, flags...); err != nil {
		return err
	}
	if once.programs == nil {
		once.programs = map[string][]byte{}
	}
	once.programs[key], err = os.ReadFile(file)
	return err
}

// tree is a small module with everything a build looks for.
var tree = map[string]string{
	"go.mod":                              "module cadem.example\n\ngo 1.26\n",
	"go.sum":                              "",
	"LICENSE":                             "terms of the project",
	"wasm/main.go":                        "package main\n\nfunc main() { println(\"up\") }\n",
	"wasm/whole/main.go":                  "package main\n\nfunc main() { println(\"all\") }\n",
	"wasm/studies/main.go":                "package main\n\nfunc main() { println(\"studies\") }\n",
	"wasm/methods/main.go":                "package main\n\nfunc main() { println(\"others\") }\n",
	"scripts/build/shipped/main.go":       "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(`{\"groups\": {}}`) }\n",
	"www/package.json":                    "{}",
	"www/vendor/curve/curve.js":           "export const curve = 'a curve';\n",
	"www/vendor/curve/LICENSE":            "terms of curve",
	"www/vendor/unused/LICENSE":           "terms of what is not used",
	"www/node_modules/check/package.json": `{"name": "check", "version": "2.0.0", "main": "check.js"}`,
	"www/node_modules/check/check.js":     "export const check = 'a check';\n",
	"www/index.html": `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{{csp}}">` +
		"\n" + `<link rel="icon" href="{{icon.svg}}"><link rel="stylesheet" href="{{style.css}}"><script type="module" src="{{app.ts}}"></script>`,
	"www/frame.html": `<!doctype html><meta http-equiv="Content-Security-Policy" content="{{csp}}"><iframe src="./#embed=1"></iframe>`,
	"www/style.css":  "body { color: #123456 }\n",
	"www/app.ts": "import {curve} from './vendor/curve/curve.js';\nconsole.log(curve, __PROGRAMS__, " +
		"__WORKER__, __VERSION__);\nawait import('./later.js');\n",
	"www/later.js":             "console.log('later');\n",
	"www/cadem.ts":             "export const programs = __PROGRAMS__;\n",
	"www/cadem.d.ts":           "export const programs: string[];\n",
	"www/examples/page.html":   `<!doctype html><meta http-equiv="Content-Security-Policy" content="{{csp}}"><script type="module" src="page.js"></script>`,
	"www/examples/page.js":     "import {programs} from '../cadem.js';\n",
	"www/engine/worker.ts":     "importScripts(__WASM_EXEC__);\n",
	"www/unserved.js":          "console.log('a file');\n",
	"www/sw.ts":                "console.log(__PRECACHE__, __CONNECTIONS__, __VERSION__);\n",
	"www/icon.svg":             "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
	"www/manifest.webmanifest": "{}",
	"www/finished/town.json":   "{}",
}

// plant writes the tree, changed by the given pairs of name and contents.
func plant(t *testing.T, changed ...string) Options {
	t.Helper()
	root := filepath.Join(t.TempDir(), "a module")
	files := map[string]string{}
	for name, s := range tree {
		files[name] = s
	}
	for i := 0; i < len(changed); i += 2 {
		files[changed[i]] = changed[i+1]
	}
	for name, s := range files {
		write(t, filepath.Join(root, name), s)
	}
	return Options{Root: root, Dist: filepath.Join(root, "dist")}
}

func write(t *testing.T, path, s string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(s), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, elem ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestEnsure(t *testing.T) {
	o := plant(t)
	goOnly(t)
	site, err := Ensure(o)
	if err != nil {
		t.Fatal(err)
	}
	for name, size := range site.Sizes {
		if got := len(read(t, o.Dist, name)); got != size.Bytes {
			t.Errorf("%s: %d bytes, build.json says %d", name, got, size.Bytes)
		}
	}
	var onDisk Site
	if err := json.Unmarshal([]byte(read(t, o.Dist, "build.json")), &onDisk); err != nil {
		t.Fatal(err)
	}
	first := site.First
	if onDisk.First != first || !Hashed(first.Plain) || first.Packed != first.Plain+".gz" || !Hashed(first.Packed) || !Hashed(site.Worker) ||
		!Hashed(site.WasmExec) {
		t.Errorf("names %+v", onDisk)
	}
	checkPage(t, o, site)
	checkServiceWorker(t, o, site)
	if text := read(t, o.Dist, "licenses.txt"); !strings.Contains(text, "terms of the project") ||
		!strings.Contains(text, "==== npm curve ====\n\nterms of curve") ||
		strings.Contains(text, "not used") {
		t.Errorf("licenses.txt:\n%s", text)
	}
	if text := read(t, o.Dist, "package.json"); !strings.Contains(text, `"./cadem.js"`) || !strings.Contains(text, site.Whole.Packed) ||
		strings.Contains(text, "studies") {
		t.Errorf("package.json is not that of the module:\n%s", text)
	}
	if text := read(t, o.Dist, "examples", "page.html"); !strings.Contains(text, Policy) || strings.Contains(read(t, o.Dist, "sw.js"), "page.html") {
		t.Errorf("an example has no policy, or is kept for visits of the page:\n%s", text)
	}
	if err := site.Check(); err != nil {
		t.Error(err)
	}

	again, err := Ensure(o)
	if err != nil {
		t.Fatal(err)
	}
	if again.Version != site.Version {
		t.Errorf("nothing changed and the version went from %s to %s", site.Version, again.Version)
	}
	checkRebuilds(t, o)
}

// Two builds of the same sources in two places are the same bytes, and the checksums are those of sha256sum. CADEM_LONG does it
// with the sources of the project itself.
func TestSameBytesEverywhere(t *testing.T) {
	linked = linkedAnew // in each place
	t.Cleanup(func() { linked = linkOnce })
	first, second := plant(t), plant(t)
	if os.Getenv("CADEM_LONG") != "" {
		root, err := FindRoot(".")
		if err != nil {
			t.Fatal(err)
		}
		copied := t.TempDir()
		for _, name := range []string{"go.mod", "go.sum", "LICENSE", "core", "wasm", "scripts", "www"} {
			if out, err := exec.Command("cp", "-R", filepath.Join(root, name), copied).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		first, second = Options{Root: root, Dist: filepath.Join(t.TempDir(), "dist")}, Options{Root: copied, Dist: filepath.Join(copied, "dist")}
	}
	goOnly(t)
	for _, o := range []Options{first, second} {
		if _, err := Ensure(o); err != nil {
			t.Fatal(err)
		}
	}
	a, b := treeOf(t, first.Dist), treeOf(t, second.Dist)
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if a[name] != b[name] {
			t.Errorf("%s differs: %d and %d bytes", name, len(a[name]), len(b[name]))
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d and %d files", len(a), len(b))
	}
	listed := 0
	for line := range strings.Lines(a["SHA256SUMS"]) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if want := fmt.Sprintf("%x", sha256.Sum256([]byte(a[name]))); !ok || sum != want {
			t.Errorf("SHA256SUMS: %q, expected %s", line, want)
		}
		listed++
	}
	files := 0
	for name := range a {
		if !strings.HasSuffix(name, "/") {
			files++
		}
	}
	if listed != files-3 { // build.json, .stamp and the list itself
		t.Errorf("%d files are listed, there are %d", listed, files)
	}
}

// checkPage finds in the page, its script and its worker what they need.
func checkPage(t *testing.T, o Options, site *Site) {
	t.Helper()
	html := read(t, o.Dist, "index.html")
	app := ""
	for _, name := range site.FirstLoad {
		if strings.HasPrefix(name, "app.") {
			app = name
		}
		if strings.HasPrefix(name, "later.") {
			t.Errorf("%s is loaded on demand and counted as first load", name)
		}
	}
	for _, want := range []string{`content="` + Policy + `"`, `src="` + app + `"`, `href="icon.svg"`} {
		if !strings.Contains(html, want) {
			t.Errorf("index.html lacks %s:\n%s", want, html)
		}
	}
	if frame := read(t, o.Dist, "frame.html"); !strings.Contains(frame, `content="`+Policy+`"`) || site.Sizes["frame.html"].Bytes != len(frame) {
		t.Errorf("frame.html, %d bytes in build.json:\n%s", site.Sizes["frame.html"].Bytes, frame)
	}
	if strings.Contains(html, "{{") || strings.Contains(html, "frame-ancestors") {
		t.Errorf("index.html:\n%s", html)
	}
	script := ""
	for _, name := range site.FirstLoad { // the table of programs may be a script of its own
		if path.Ext(name) == ".js" {
			script += read(t, o.Dist, name)
		}
	}
	for _, want := range []string{"a curve", site.First.Plain, site.Studies.Packed, site.Worker, site.Version} {
		if !strings.Contains(script, want) {
			t.Errorf("%s and what it loads lack %s", app, want)
		}
	}
	if w := read(t, o.Dist, site.Worker); !strings.Contains(w, site.WasmExec) {
		t.Errorf("the worker does not import %s: %s", site.WasmExec, w)
	}
}

// checkServiceWorker finds in it what it keeps: one form of each program.
func checkServiceWorker(t *testing.T, o Options, site *Site) {
	t.Helper()
	sw := read(t, o.Dist, "sw.js")
	for _, want := range append(site.FirstLoad[1:], `"./"`, `"`+Connections+`"`, site.First.Packed, site.Whole.Packed, site.Studies.Packed,
		site.Methods.Packed, site.Worker, "options.json", "finished/town.json") {
		if !strings.Contains(sw, want) {
			t.Errorf("sw.js lacks %s:\n%s", want, sw)
		}
	}
	for _, p := range site.Programs() {
		if strings.Contains(sw, `"`+p.Plain+`"`) {
			t.Errorf("sw.js keeps both forms of %s", p.Plain)
		}
	}
}

// checkRebuilds changes one thing after another: only what goes into the site has it built again.
func checkRebuilds(t *testing.T, o Options) {
	t.Helper()
	for _, c := range []struct {
		name    string
		do      func()
		rebuilt bool
	}{
		{"nothing", func() {}, false},
		{"a test", func() { write(t, filepath.Join(o.Root, "wasm/a_test.go"), "package main\n") }, false},
		{"a test of the page", func() { write(t, filepath.Join(o.Root, "www/app.test.mjs"), "import './app.js';\n") }, false},
		{"an installed package", func() { write(t, filepath.Join(o.Root, "www/node_modules/x/x.js"), "") }, false},
		{"the page", func() { write(t, filepath.Join(o.Root, "www/app.ts"), "console.log('other')\n") }, true},
		{"a Go file", func() {
			write(t, filepath.Join(o.Root, "wasm/main.go"), "package main\n\nfunc main() { println(\"down\") }\n")
		}, true},
		{"a lost file of the site", func() { os.Remove(filepath.Join(o.Dist, "icon.svg")) }, true},
	} {
		var log bytes.Buffer
		o.Log = &log
		c.do()
		if _, err := Ensure(o); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if rebuilt := log.Len() > 0; rebuilt != c.rebuilt {
			t.Errorf("change of %s: rebuilt %v, want %v", c.name, rebuilt, c.rebuilt)
		}
	}
}

func TestRefuses(t *testing.T) {
	goOnly(t)
	for _, c := range []struct {
		name    string
		changed []string
		want    string // part of the error
	}{
		{"unknown token", []string{"www/index.html", "<title>\n{{no.js}}"}, "index.html:2: {{no.js}}"},
		{"no policy in the frame", []string{"www/frame.html", "<title></title>"}, "frame.html: no content security policy"},
		{"other policy", []string{"www/index.html", `<meta http-equiv="Content-Security-Policy" content="default-src *">`}, "index.html: no content security policy"},
		{"script error", []string{"www/engine/worker.ts", "const = 1\n"}, "worker.ts:1"},
		{"Go error", []string{"wasm/main.go", "package main\n\nfunc main() { x }\n"}, "undefined: x"},
		{"no table", []string{"scripts/build/shipped/main.go", "package main\n\nfunc main() {}\n"}, "scripts/build/shipped printed no JSON"},
		{"package of npm", []string{"www/later.js", "import {check} from 'check';\nconsole.log(check);\n"}, "node_modules/check/check.js"},
		{"library without a licence", []string{"www/vendor/bare/bare.js", "export default 1;\n", "www/later.js", "import bare from " +
			"'./vendor/bare/bare.js';\nconsole.log(bare);\n"}, "npm bare comes without a licence file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := plant(t, c.changed...)
			_, err := Ensure(o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if _, err := os.Stat(o.Dist); err == nil {
				t.Error("a failed build left a folder")
			}
		})
	}
}

// goOnly leaves the go command on the path and nothing else: a build needs no more.
func goOnly(t *testing.T) {
	root, err := findToolchain(".")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(root.root, "bin"))
}

func TestFailedBuildKeepsLast(t *testing.T) {
	o := plant(t)
	site, err := Ensure(o)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(o.Root, "www/app.ts"), "import 'nowhere';\n")
	if _, err := Ensure(o); err == nil {
		t.Fatal("built a script that imports nothing there is")
	}
	if !strings.Contains(read(t, o.Dist, "build.json"), site.Version) {
		t.Error("a failed build replaced the last good one")
	}
}

func TestHashed(t *testing.T) {
	for name, want := range map[string]bool{
		"app.2FJ4Q7XA.js": true, "cadem.ABCD2345.wasm.gz": true, "deep/app.2FJ4Q7XA.js": true,
		"index.html": false, "sw.js": false, "options.json": false, "app.2FJ4Q7X.js": false, "app.2fj4q7xa.js": false, "2FJ4Q7XA.js": false,
	} {
		if Hashed(name) != want {
			t.Errorf("Hashed(%q) = %v", name, !want)
		}
	}
}

// The compiler ignores flags for a missing package: a package that moved would become slower
// silently.
func TestInlinedPackagesAreLinked(t *testing.T) {
	c, err := findToolchain(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.listed("{{.ImportPath}}")
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	for _, path := range inlined {
		found := slices.ContainsFunc(linked, func(p string) bool {
			tree, all := strings.CutSuffix(path, "/...")
			return p == tree || all && strings.HasPrefix(p, tree+"/")
		})
		if !found {
			t.Errorf("no program links %s", path)
		}
	}
}

func TestCheck(t *testing.T) {
	site := Site{FirstLoad: []string{"a", "b"}, Sizes: map[string]Size{"a": {Gzip: 1}, "b": {Gzip: FirstLoadBudget - 1}, "later": {Gzip: FirstLoadBudget}}}
	for i, p := range site.Programs() {
		p.Packed = programs[i].file
		site.Sizes[p.Packed] = Size{Bytes: programs[i].budget}
	}
	if err := site.Check(); err != nil {
		t.Errorf("at the budget: %v", err)
	}
	site.Sizes["a"] = Size{Gzip: 2}
	if err := site.Check(); err == nil || strings.Contains(err.Error(), strconv.Itoa(programs[0].budget)) {
		t.Errorf("one byte over on the first load: %v", err)
	}
	for _, p := range programs {
		site.Sizes[p.file] = Size{Bytes: p.budget + 1}
		if err := site.Check(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%s: %d bytes", p.what, p.budget+1)) {
			t.Errorf("one byte over on the %s: %v", p.what, err)
		}
	}
}

func TestBinding(t *testing.T) {
	for version, binding := range map[string]bool{"go1.26": true, "go1.26.8-X:simd": true, "go1.27.1": false, "go1.260.1": false, "": false} {
		if got := (&Site{Go: version}).Binding(); got != binding {
			t.Errorf("%s: %v", version, got)
		}
	}
}

func TestFindRoot(t *testing.T) {
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "serve.go")); err != nil {
		t.Error(err)
	}
	if _, err := FindRoot(t.TempDir()); err == nil {
		t.Error("found a module in an empty folder")
	}
}

// Documents say the budgets that hold.
func TestBudgetsInDocuments(t *testing.T) {
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	thousands := func(n int) string { return fmt.Sprintf("%d,%03d kB", n/1e6, n/1e3%1e3) }
	row := func(what string, n int) string { return fmt.Sprintf(`\| %s \| [\d.]+ \| %d \|`, what, n/1e3) }
	first, rows := thousands(programs[0].budget), []string{row("page, style and scripts of a first visit", FirstLoadBudget)}
	for _, p := range programs {
		rows = append(rows, row(p.what, p.budget))
	}
	for name, wants := range map[string][]string{
		"ARCHITECTURE.md": {`first program may weigh ` + first + ` after gzip, the whole one ` + thousands(programs[1].budget) +
			`, that of studies ` + thousands(programs[2].budget) + `, and that of the other methods ` + thousands(programs[3].budget)},
		"RATIONALE.md":  {`first program is limited to ` + first},
		"BENCHMARKS.md": rows,
	} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		line := strings.Join(strings.Fields(string(text)), " ")
		for _, want := range wants {
			if !regexp.MustCompile(want).MatchString(line) {
				t.Errorf("%s does not say %q", name, want)
			}
		}
	}
}
