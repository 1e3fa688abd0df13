// Package builder makes the static site out of the tree: it compiles the Go
// programs to WebAssembly, bundles the page, names files by their contents and
// fills those names in.
//
// The folder it makes runs from any path of any static host, because every
// address in it is relative. It holds
//
//	index.html, sw.js                    names that stay; always revalidated
//	app.HASH.js, style.HASH.css          the page (and chunks it loads later)
//	worker.HASH.js, wasm_exec.HASH.js    a worker and the toolchain's glue for it
//	cadem.HASH.wasm, cadem.HASH.wasm.gz  the program of a first visit, in two forms
//	whole.HASH.wasm, whole.HASH.wasm.gz  the one that knows everything, loaded when asked for
//	options.json                         the option table, emitted by the command line
//	build.json                           a Site: names, version and sizes of all this
//	licenses.txt                         the terms of everything inside
//	icon.svg, manifest.webmanifest, ...  copied from www as they are
//
// The compressed form of a program is for a host that does not compress: the
// page pipes it through DecompressionStream. A host that labels it with
// Content-Encoding hands the page the plain bytes, so the page looks at the
// first two.
//
// The scripts know these names through constants that the bundler fills in:
//
//	__VERSION__, __WASM__, __WASM_GZ__, __WHOLE__, __WHOLE_GZ__, __WASM_EXEC__, __WORKER__   strings
//	__PRECACHE__   sw.js only: the addresses of an offline visit, one form of each program among them
//	__CSP__        sw.js only: the policy to add to worker scripts
//
// In index.html, {{csp}}, {{version}}, {{modulepreload}} (links to the modules that
// app.js imports, so that they come with it) and {{NAME}}, with NAME a file of www
// such as {{app.js}} or {{icon.svg}}, are filled in.
package builder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// stampName is the file that says which inputs a folder was built from.
const stampName = ".stamp"

// Options says what to build and where.
type Options struct {
	Root string    // folder of go.mod
	Dist string    // folder to make
	Log  io.Writer // progress, for people; nil for none
}

func (o Options) say(format string, arg ...any) {
	if o.Log != nil {
		fmt.Fprintf(o.Log, format+"\n", arg...)
	}
}

// A Size is what a file weighs in bytes, as it is and after gzip -9.
type Size struct {
	Bytes int `json:"bytes"`
	Gzip  int `json:"gzip"`
}

// A Site describes a built folder; build.json holds one.
type Site struct {
	Version   string          `json:"version"`
	Wasm      string          `json:"wasm"`
	WasmGz    string          `json:"wasm_gz"`
	Whole     string          `json:"whole"`
	WholeGz   string          `json:"whole_gz"`
	WasmExec  string          `json:"wasm_exec"`
	Worker    string          `json:"worker"`
	FirstLoad []string        `json:"first_load"` // page, style and scripts of a first visit, without wasm
	Sizes     map[string]Size `json:"sizes"`      // every other file of the folder
}

// FindRoot returns the nearest folder, from dir upwards, that holds the module.
func FindRoot(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for d := abs; ; d = filepath.Dir(d) {
		b, err := os.ReadFile(filepath.Join(d, "go.mod"))
		if err == nil && bytes.HasPrefix(b, []byte("module cadem\n")) {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("no go.mod of module cadem in %s or above it", abs)
		}
	}
}

// Foreign says whether dir holds files that no build put there.
func Foreign(dir string) bool {
	list, err := os.ReadDir(dir)
	if err != nil || len(list) == 0 {
		return false
	}
	_, err = os.Stat(filepath.Join(dir, stampName))
	return err != nil
}

// Ensure returns the site in o.Dist, building it first unless it is there and
// made from the inputs as they are now.
func Ensure(o Options) (*Site, error) {
	t, err := findToolchain(o.Root)
	if err != nil {
		return nil, err
	}
	inputs, err := hashInputs(o.Root, t.version)
	if err != nil {
		return nil, err
	}
	if site, ok := fresh(o.Dist, inputs); ok {
		return site, nil
	}
	if Foreign(o.Dist) {
		return nil, fmt.Errorf("%s holds files that were not built here: name an empty or a new folder", o.Dist)
	}
	begin := time.Now()
	site, err := build(o, t, inputs)
	if err != nil {
		return nil, err
	}
	o.say("built %s in %.1f s", o.Dist, time.Since(begin).Seconds())
	return site, nil
}

// Contents reads a built site: its files by their paths below dist, with slashes.
func Contents(dist string) (map[string][]byte, error) {
	files := map[string][]byte{}
	return files, filepath.WalkDir(dist, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dist, p)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(p)
		return err
	})
}

// fresh reads the site in dist if its stamp is inputs and no file is missing.
func fresh(dist, inputs string) (*Site, bool) {
	stamp, err := os.ReadFile(filepath.Join(dist, stampName))
	if err != nil || strings.TrimSpace(string(stamp)) != inputs {
		return nil, false
	}
	b, err := os.ReadFile(filepath.Join(dist, "build.json"))
	if err != nil {
		return nil, false
	}
	site := new(Site)
	if json.Unmarshal(b, site) != nil || len(site.Sizes) == 0 {
		return nil, false
	}
	for name, size := range site.Sizes {
		if fi, err := os.Stat(filepath.Join(dist, filepath.FromSlash(name))); err != nil || fi.Size() != int64(size.Bytes) {
			return nil, false
		}
	}
	return site, true
}

// build makes the folder beside o.Dist and swaps it in when it is whole, so
// that a failed build leaves the last good one.
func build(o Options, t toolchain, inputs string) (*Site, error) {
	dist, err := filepath.Abs(o.Dist)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(dist), 0o755); err != nil {
		return nil, err
	}
	out, err := os.MkdirTemp(filepath.Dir(dist), ".dist-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(out)
	if err := os.Chmod(out, 0o755); err != nil { // a static host's user has to read it
		return nil, err
	}

	p := &pack{root: o.Root, www: filepath.Join(o.Root, "www"), out: out, site: &Site{Version: inputs[:12], Sizes: map[string]Size{}}}
	steps := []struct {
		what string
		do   func() error
	}{
		{"compiling Go to WebAssembly", func() error { return p.compile(t) }},
		{"asking the command line for the option table", func() error { return p.options(t) }},
		{"bundling the page", p.bundle},
		{"copying files", p.copyFiles},
		{"collecting licences", func() error { return p.licences(t) }},
		{"filling in index.html and sw.js", p.fill},
	}
	for _, s := range steps {
		o.say("%s", s.what)
		if err := s.do(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.what, err)
		}
	}
	j, err := json.MarshalIndent(p.site, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(out, "build.json"), append(j, '\n'), 0o644); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(out, stampName), []byte(inputs+"\n"), 0o644); err != nil {
		return nil, err
	}
	return p.site, swap(out, dist)
}

// swap puts the folder fresh in the place of dist.
func swap(fresh, dist string) error {
	old := fresh + "-old"
	defer os.RemoveAll(old)
	if err := os.Rename(dist, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(fresh, dist)
}
