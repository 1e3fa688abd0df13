package builder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"cadem.example/wasm/compact"
)

// A toolchain is the Go that builds: the glue must come from the same one.
type toolchain struct {
	root, version string
	modules       string // the module to run it in
}

func findToolchain(root string) (toolchain, error) {
	c := exec.Command("go", "env", "GOROOT", "GOVERSION")
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		return toolchain{}, fmt.Errorf("go env: %w", err)
	}
	f := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(f) != 2 {
		return toolchain{}, fmt.Errorf("go env: %q", out)
	}
	return toolchain{root: strings.TrimSpace(f[0]), version: strings.TrimSpace(f[1]), modules: root}, nil
}

// run runs the go command and returns its standard output.
func (t toolchain) run(env []string, arg ...string) ([]byte, error) {
	c := exec.Command("go", arg...)
	c.Dir = t.modules
	c.Env = append(os.Environ(), env...)
	var out, text bytes.Buffer
	c.Stdout, c.Stderr = &out, &text
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(arg, " "), err, text.String())
	}
	return out.Bytes(), nil
}

// forBrowser is the environment that compiles for a browser: the same program, whatever natively
// compiled ones are asked to use.
var forBrowser = []string{"GOOS=js", "GOARCH=wasm", "GOEXPERIMENT="}

// inlined are the packages with loops that take the time of a run, what these
// call all the time, and npy, image/color and unicode/utf8, which are smaller that way. Calls are
// inlined in these alone: RATIONALE.md says under "Size of the program" what
// that saves. Generic functions count as of the package that calls them.
var inlined = []string{
	module + "/core/base/checkpoint", module + "/core/base/kernel", module + "/core/base/linalg", module + "/core/base/rng",
	module + "/core/baseline/skipgram", module + "/core/baseline/tape",
	module + "/core/cadem", module + "/core/cadem/internal/route", module + "/core/evaluate",
	module + "/core/formats/npy", module + "/core/project",
	"math", "math/bits", "encoding/binary", "internal/byteorder", "slices", "sort", "syscall/js", "image/color", "unicode/utf8",
	"runtime", "internal/runtime/gc/...", "internal/runtime/maps", "internal/runtime/math", "internal/runtime/sys",
}

// programs are the site's, in the order of [Site.Programs], by the main package and the name of the file. A budget is a download limit for
// a visitor, in bytes after gzip.
var programs = [...]struct {
	path, file, what string
	budget           int
}{
	{"./wasm", "cadem.wasm", "program of a first visit", 1_367_000},
	{"./wasm/whole", "whole.wasm", "whole program", 2_524_000},
	{"./wasm/studies", "studies.wasm", "program of studies", 3_060_000},
	{"./wasm/methods", "methods.wasm", "program of other methods", 1_724_000},
}

// listed runs go list on what the programs link.
func (t toolchain) listed(format string) ([]byte, error) {
	arg := []string{"list", "-tags", tags(programs[1].path), "-deps", "-f", format}
	for _, p := range programs {
		arg = append(arg, p.path)
	}
	return t.run(forBrowser, arg...)
}

// tags are the build tags of the program of a package. That of a first visit opens no archives, makes no wide products, and
// draws no testbeds; the others have all of them. What they train is registered.
func tags(path string) string {
	if path == programs[0].path {
		return "noasm,simd,lean"
	}
	return "noasm,simd"
}

// compile makes the programs, each in two forms, and takes over their glue.
func (p *pack) compile(t toolchain) error {
	var plain, packed [len(programs)][]byte
	var compressing sync.WaitGroup
	for i, program := range programs {
		var err error
		if plain[i], err = p.program(t, program.path); err != nil {
			compressing.Wait()
			return err
		}
		compressing.Go(func() { packed[i] = gzipped(plain[i]) })
	}
	compressing.Wait()
	for i, names := range p.site.Programs() {
		name := hashedName(programs[i].file, plain[i])
		names.Plain, names.Packed = name, name+".gz"
		p.files[name], p.files[name+".gz"] = plain[i], packed[i]
		p.site.Sizes[name], p.site.Sizes[name+".gz"] = Size{len(plain[i]), len(packed[i])}, Size{len(packed[i]), len(packed[i])}
	}
	glue, err := os.ReadFile(filepath.Join(t.root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	if glue, err = minified(glue); err != nil {
		return err
	}
	p.site.WasmExec = p.addHashed("wasm_exec.js", glue)
	return nil
}

// linked compiles a program, with the flags of the linker, into a file. No version-control stamp and no paths: equal sources give an
// equal file. Tests have it keep what it made.
var linked = func(t toolchain, path, file string, flags ...string) error {
	arg := append([]string{"build", "-tags", tags(path), "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-o", file}, flags...)
	for _, path := range inlined {
		arg = append(arg, "-gcflags="+path+"=")
	}
	_, err := t.run(forBrowser, append(arg, path)...)
	return err
}

// program makes one.
func (p *pack) program(t toolchain, path string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "cadem-build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "program.wasm")
	if err := linked(t, path, file, "-ldflags=-s -w"); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if b, err = compact.Segments(b); err != nil {
		return nil, err
	}
	small, err := compact.Positions(b, t.version)
	if errors.Is(err, compact.ErrLayout) { // of another version of Go: larger, and as good
		p.uncompacted = true
		return b, nil
	}
	return small, err
}

// options writes the option table that the form is generated from.
func (p *pack) options(t toolchain) error {
	b, err := t.run(nil, "run", "-tags", "noasm", "-buildvcs=false", "./scripts/build/shipped")
	if err != nil {
		return err
	}
	var table bytes.Buffer
	if err := json.Compact(&table, b); err != nil {
		return fmt.Errorf("scripts/build/shipped printed no JSON: %w", err)
	}
	p.add("options.json", table.Bytes())
	return nil
}

// licences writes the terms of this project and of all that is compiled or
// bundled into the site, which their licences ask of whoever passes it on.
func (p *pack) licences(t toolchain) error {
	var text bytes.Buffer
	section := func(title, dir string) error {
		for _, name := range []string{"LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING"} {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if errors.Is(err, os.ErrNotExist) {
				continue
			} else if err != nil {
				return err
			}
			fmt.Fprintf(&text, "==== %s ====\n\n%s\n\n", title, bytes.TrimSpace(b))
			return nil
		}
		return fmt.Errorf("%s comes without a licence file", title)
	}
	if err := section("CaDeM in the browser", p.root); err != nil {
		return err
	}
	if err := section("Go "+strings.TrimPrefix(t.version, "go"), t.root); err != nil { // distributions move the file
		fmt.Fprintf(&text, "==== Go ====\n\nBSD 3-Clause. Copyright The Go Authors. The terms are the LICENSE file of the Go distribution.\n\n")
	}
	list, err := t.listed("{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}")
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, line := range strings.Split(string(list), "\n") {
		title, dir, ok := strings.Cut(line, "\t")
		if !ok || seen[title] {
			continue
		}
		seen[title] = true
		if err := section(title, dir); err != nil {
			return err
		}
	}
	for _, library := range slices.Sorted(maps.Keys(p.vendored)) {
		if err := section("npm "+library, filepath.Join(p.www, "vendor", library)); err != nil {
			return err
		}
	}
	p.add("licenses.txt", text.Bytes())
	return nil
}

// budgeted is the version of Go whose programs have to keep to their budgets: others write other code.
const budgeted = "go1.26"

// FirstLoadBudget is the download limit for the page, style and scripts of a first visit, in bytes after gzip.
const FirstLoadBudget = 130_000

// A Download is what a visit loads, in bytes after gzip, and how much it may be.
type Download struct {
	What         string
	Size, Budget int
}

// Downloads are the first visit's before its program, and the programs.
func (s *Site) Downloads() []Download {
	first := 0
	for _, name := range s.FirstLoad {
		first += s.Sizes[name].Gzip
	}
	list := []Download{{"page, style and scripts of a first visit", first, FirstLoadBudget}}
	for i, names := range s.Programs() {
		list = append(list, Download{programs[i].what, s.Sizes[names.Packed].Bytes, programs[i].budget})
	}
	return list
}

// Report sets the sizes beside their budgets, for people.
func (s *Site) Report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version %s\n", s.Version)
	for i, d := range s.Downloads() {
		what := "wasm, " + d.What
		if i == 0 {
			what = d.What
		}
		fmt.Fprintf(&b, "%-42s%8.1f kB gzip (budget %.0f kB)\n", what, float64(d.Size)/1e3, float64(d.Budget)/1e3)
	}
	for _, name := range s.FirstLoad {
		fmt.Fprintf(&b, "    %-38s%8.1f kB\n", name, float64(s.Sizes[name].Gzip)/1e3)
	}
	return b.String()
}

// Binding reports whether the budgets hold for the version of Go that compiled the site.
func (s *Site) Binding() bool { return strings.HasPrefix(s.Go+".", budgeted+".") }

// Check returns an error that names each size over its budget.
func (s *Site) Check() error {
	var over []string
	for _, d := range s.Downloads() {
		if d.Size > d.Budget {
			over = append(over, fmt.Sprintf("%s: %d bytes after gzip (budget %d)", d.What, d.Size, d.Budget))
		}
	}
	if over != nil {
		return fmt.Errorf("over budget: %s", strings.Join(over, "; "))
	}
	return nil
}
