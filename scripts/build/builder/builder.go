// Package builder makes the static site out of the tree: it compiles the Go
// programs to WebAssembly, bundles the page, names files by their contents and
// fills those names in.
//
// The folder it makes runs from any path of any static host, because every
// address in it is relative. It holds
//
//	index.html, sw.js, unserved.js       names that stay; always revalidated
//	frame.html                           a page that frames the stage of the first one, likewise
//	cadem.js, cadem.d.ts, package.json   a module for pages of one's own, and the package of npm that it is
//	examples/                            such pages
//	app.HASH.js, style.HASH.css          the page (and chunks it loads later)
//	worker.HASH.js, wasm_exec.HASH.js    a worker and the toolchain's glue for it
//	cadem.HASH.wasm, cadem.HASH.wasm.gz  the program of a first visit, in two forms
//	whole.HASH.wasm, whole.HASH.wasm.gz  the one that reads files and answers questions, loaded when asked for
//	studies.HASH.wasm, ...wasm.gz        that of studies, likewise
//	methods.HASH.wasm, ...wasm.gz        that of the methods CaDeM is compared with, likewise
//	options.json                         the option table, emitted by the command line
//	build.json                           a Site: names, version and sizes of all this
//	licenses.txt                         the terms of everything inside
//	SHA256SUMS                           checksums of all files but build.json, for sha256sum -c
//	.stamp                               the inputs that this was built from
//	icon.svg, manifest.webmanifest, ...  copied from www as they are
//
// The compressed form of a program is for a host that does not compress: the
// page pipes it through DecompressionStream. A host that labels it with
// Content-Encoding hands the page the plain bytes, so the page looks at the
// first two.
//
// The scripts know these names through constants that the bundler fills in:
//
//	__VERSION__, __WASM_EXEC__, __WORKER__ strings
//	__PROGRAMS__   the names of the programs: {plain, packed} of the first, the whole one, and those of studies and methods
//	__PRECACHE__   sw.js only: the addresses of an offline visit, one form of each program among them
//	__CONNECTIONS__ sw.js only: Connections
//
// In the pages, {{csp}}, {{version}}, {{modulepreload}} (links to the modules that
// app.ts imports, so they come with it) and {{NAME}}, with NAME a file of www
// such as {{app.ts}} or {{icon.svg}}, are filled in.
package builder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

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

// A Size is the size of a file in bytes, raw and after gzip -9.
type Size struct {
	Bytes int `json:"bytes"`
	Gzip  int `json:"gzip"`
}

// A Site describes a built folder; build.json holds one.
type Site struct {
	Version   string          `json:"version"`
	Go        string          `json:"go"` // the version of Go that compiled it
	First     Program         `json:"first"`
	Whole     Program         `json:"whole"`
	Studies   Program         `json:"studies"`
	Methods   Program         `json:"methods"`
	WasmExec  string          `json:"wasm_exec"`
	Worker    string          `json:"worker"`
	FirstLoad []string        `json:"first_load"` // page, style and scripts of a first visit, without wasm
	Sizes     map[string]Size `json:"sizes"`      // every other file of the folder
}

// A Program has a file for each of its two forms.
type Program struct {
	Plain  string `json:"plain"`
	Packed string `json:"packed"` // by gzip
}

// Programs lists them, as scripts have them.
func (s *Site) Programs() []*Program { return []*Program{&s.First, &s.Whole, &s.Studies, &s.Methods} }

// module is the path of this module. A fork has another one: `make module NAME=...` changes it.
const module = "cadem.example"

// FindRoot returns the nearest folder, from dir upwards, that holds the module.
func FindRoot(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for d := abs; ; d = filepath.Dir(d) {
		b, err := os.ReadFile(filepath.Join(d, "go.mod"))
		if err == nil && bytes.HasPrefix(b, []byte("module "+module+"\n")) {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("no go.mod of module %s in %s or above it", module, abs)
		}
	}
}

// Ensure returns the site in o.Dist, building it first unless it exists and was made from the
// present inputs. It refuses an o.Dist that is a file or a symbolic link, and a folder with files
// in it that no build made. Files that somebody added to a built site stay unchanged.
func Ensure(o Options) (*Site, error) {
	dist, err := filepath.Abs(o.Dist)
	if err != nil {
		return nil, err
	}
	if err := usable(dist); err != nil {
		return nil, err
	}
	t, err := findToolchain(o.Root)
	if err != nil {
		return nil, err
	}
	inputs, err := hashInputs(o.Root, t.version)
	if err != nil {
		return nil, err
	}
	if site, ok := fresh(dist, inputs); ok {
		return site, nil
	}
	begin := time.Now()
	p, err := build(o, t, inputs)
	if err != nil {
		return nil, err
	}
	kept, err := publish(dist, inputs, p.site, p.files)
	if err != nil {
		return nil, err
	}
	o.say("built %s in %.1f s", o.Dist, time.Since(begin).Seconds())
	if len(kept) > 0 {
		o.say("kept what was not built here: %s", strings.Join(kept, ", "))
	}
	return p.site, nil
}

// Contents reads the files of a built site by their paths below dist, with
// slashes. Files that were not built here are left out.
func (s *Site) Contents(dist string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range append(slices.Collect(maps.Keys(s.Sizes)), siteName) {
		b, err := os.ReadFile(filepath.Join(dist, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		files[name] = b
	}
	return files, nil
}

// fresh reads the site in dist if its stamp is inputs and no file is missing.
func fresh(dist, inputs string) (*Site, bool) {
	stamp, err := os.ReadFile(filepath.Join(dist, stampName))
	if err != nil || strings.TrimSpace(string(stamp)) != inputs {
		return nil, false
	}
	b, err := os.ReadFile(filepath.Join(dist, siteName))
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

// build makes every file of the site in memory, so a failed build changes
// nothing.
func build(o Options, t toolchain, inputs string) (*pack, error) {
	www := filepath.Join(o.Root, "www")
	p := &pack{root: o.Root, www: www, files: map[string][]byte{}, site: &Site{Version: inputs[:12], Go: t.version, Sizes: map[string]Size{}}}
	steps := []struct {
		what string
		do   func() error
	}{
		{"compiling Go to WebAssembly", func() error { return p.compile(t) }},
		{"asking the command line for the option table", func() error { return p.options(t) }},
		{"bundling the page", p.bundle},
		{"copying files", p.copyFiles},
		{"adding the module for other pages", p.library},
		{"collecting licences", func() error { return p.licences(t) }},
		{"filling in the pages and sw.js", p.fill},
		{"adding up checksums", p.sums},
	}
	for _, s := range steps {
		o.say("%s", s.what)
		if err := s.do(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.what, err)
		}
	}
	if p.uncompacted {
		o.say("how %s lays out the tables of functions is not known here: programs keep what only crash reports need, and are larger", t.version)
	}
	return p, nil
}

// inputs are the files and folders that the site is made of. Tests and their
// data are left out, so editing one rebuilds nothing.
var inputs = []string{"go.mod", "go.sum", "LICENSE", "core", "wasm", "www", "scripts/build"}

// hashInputs returns a digest of the compiler's version and of the name and
// contents of every input, and nothing else: two clones agree on it.
func hashInputs(root, goVersion string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, goVersion)
	for _, in := range inputs {
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(in)), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := d.Name()
			if d.IsDir() {
				if name == "node_modules" || name == "testdata" || strings.HasPrefix(name, ".") {
					return filepath.SkipDir
				}
				return nil
			}
			if !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".test.mjs") || strings.HasPrefix(name, ".") ||
				strings.HasSuffix(name, "~") {
				return nil
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			return hashFile(h, path, filepath.ToSlash(rel))
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // what a build cannot do without, it names itself
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashFile adds a file with its name and length to the digest.
func hashFile(h io.Writer, path, name string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "%s\x00%d\x00", name, fi.Size())
	_, err = io.Copy(h, f)
	return err
}
