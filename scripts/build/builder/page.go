package builder

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// A pack is a site in the making.
type pack struct {
	root, www string
	site      *Site
	files     map[string][]byte // of the site so far
	names     map[string]string // file of www -> its name in the site
	vendored  map[string]bool   // folders of www/vendor whose libraries are in the bundles
	preload   string            // links to the modules that app.ts imports
	// uncompacted: this version of Go lays the tables of programs out in a way that is not known here.
	uncompacted bool
}

// effort is the level of compression.
var effort = gzip.BestCompression

// gzipped compresses b, without a time in the header.
func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, effort)
	if err != nil {
		panic(err) // there is such a level
	}
	_, _ = w.Write(b) // a bytes.Buffer takes everything
	_ = w.Close()
	return out.Bytes()
}

// Hashed says whether a file name carries a digest of the contents, so
// what it names never changes.
func Hashed(name string) bool { return hashed.MatchString(name) }

// Eight letters of base 32, as esbuild writes them.
var hashed = regexp.MustCompile(`\.[0-9A-Z]{8}\.[a-z0-9.]+$`)

// add adds a file to the site.
func (p *pack) add(name string, b []byte) {
	size := Size{Bytes: len(b)}
	if strings.HasSuffix(name, ".gz") {
		size.Gzip = len(b)
	} else {
		size.Gzip = len(gzipped(b))
	}
	p.site.Sizes[name], p.files[name] = size, b
}

// addHashed adds a file under a name made from its contents.
func (p *pack) addHashed(name string, b []byte) string {
	name = hashedName(name, b)
	p.add(name, b)
	return name
}

func hashedName(name string, b []byte) string {
	sum := sha256.Sum256(b)
	stem, ext, _ := strings.Cut(name, ".")
	return stem + "." + base32.StdEncoding.EncodeToString(sum[:5]) + "." + ext
}

// minified takes comments and white space from a script that stands alone.
func minified(b []byte) ([]byte, error) {
	r := api.Transform(
		string(b),
		api.TransformOptions{MinifyWhitespace: true, MinifySyntax: true, LegalComments: api.LegalCommentsInline, Charset: api.CharsetUTF8},
	)
	if err := failed(r.Errors); err != nil {
		return nil, err
	}
	return r.Code, nil
}

// failed joins the bundler's messages, each naming file and line.
func failed(list []api.Message) error {
	if len(list) == 0 {
		return nil
	}
	return errors.New(strings.Join(api.FormatMessages(list, api.FormatMessagesOptions{Kind: api.ErrorMessage}), "\n"))
}

// define returns the constants of a script as the bundler takes them.
func define(values map[string]any) map[string]string {
	d := map[string]string{}
	for name, v := range values {
		b, err := json.Marshal(v)
		if err != nil {
			panic(err) // strings and lists of strings
		}
		d[name] = string(b)
	}
	return d
}

// An entry is a script or style sheet to bundle.
type entry struct {
	file   string
	format api.Format
	split  bool   // modules imported later become files of their own
	fixed  bool   // keeps its name
	soon   string // a module that is imported later, but by every first visit
	values map[string]any
}

// metafile is the part of the bundler's account that is used here.
type metafile struct {
	Inputs  map[string]struct{} `json:"inputs"`
	Outputs map[string]struct {
		EntryPoint string `json:"entryPoint"`
		Imports    []struct{ Path, Kind string }
	} `json:"outputs"`
}

// entry bundles one. It returns the name of the result and those of the
// files that it needs at once, itself first.
func (p *pack) entry(e entry) (name string, need []string, err error) {
	out := filepath.Join(p.root, "dist") // names places alone: nothing is written
	opt := api.BuildOptions{
		AbsWorkingDir:     p.www,
		EntryPoints:       []string{e.file},
		EntryNames:        "[name].[hash]",
		ChunkNames:        "[name].[hash]",
		AssetNames:        "[name].[hash]",
		Outdir:            out,
		Bundle:            true,
		Splitting:         e.split,
		Format:            e.format,
		Define:            define(e.values),
		Loader:            map[string]api.Loader{".svg": api.LoaderFile, ".woff2": api.LoaderFile, ".html": api.LoaderText, ".wasm": api.LoaderBinary},
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsInline,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Metafile:          true,
	}
	if e.fixed {
		opt.EntryNames = "[name]"
	}
	r := api.Build(opt)
	if err := failed(append(r.Errors, r.Warnings...)); err != nil {
		return "", nil, err
	}
	for _, f := range r.OutputFiles {
		rel, err := filepath.Rel(out, f.Path)
		if err != nil {
			return "", nil, err
		}
		p.add(filepath.ToSlash(rel), f.Contents)
	}
	var meta metafile
	if err := json.Unmarshal([]byte(r.Metafile), &meta); err != nil {
		return "", nil, err
	}
	for in := range meta.Inputs {
		if strings.Contains(in, "node_modules/") {
			return "", nil, fmt.Errorf("%s comes from a package of npm: a library of the page belongs into www/vendor, with its licence", in)
		}
		if rest, ok := strings.CutPrefix(in, "vendor/"); ok {
			library, _, _ := strings.Cut(rest, "/")
			p.vendored[library] = true
		}
	}
	first, soon := "", ""
	for path, o := range meta.Outputs {
		switch o.EntryPoint {
		case "":
		case e.file:
			first = path
		case e.soon:
			soon = path
		}
	}
	seen := map[string]bool{}
	var walk func(path string)
	walk = func(path string) {
		if seen[path] {
			return
		}
		seen[path] = true
		need = append(need, filepath.Base(path))
		for _, i := range meta.Outputs[path].Imports {
			if i.Kind == "import-statement" {
				walk(i.Path)
			}
		}
	}
	walk(first)
	if soon != "" {
		walk(soon)
	}
	return need[0], need, nil
}

// bundle makes the worker, the style sheet and the page's script, and notes
// what a first visit loads.
func (p *pack) bundle() error {
	p.names, p.vendored = map[string]string{}, map[string]bool{}
	values := map[string]any{"__VERSION__": p.site.Version, "__WASM_EXEC__": p.site.WasmExec}
	worker, need, err := p.entry(entry{file: "engine/worker.ts", format: api.FormatIIFE, values: values})
	if err != nil {
		return err
	}
	p.site.Worker = worker
	p.site.FirstLoad = append([]string{"index.html"}, need...)
	p.site.FirstLoad = append(p.site.FirstLoad, p.site.WasmExec)
	values["__WORKER__"], values["__PROGRAMS__"] = worker, p.site.Programs()
	for _, e := range []entry{
		{file: "unserved.js", format: api.FormatIIFE, fixed: true}, // found by its name in www as well, where nothing fills in names
		{file: "style.css"},
		{file: "app.ts", format: api.FormatESModule, split: true, soon: "essay/essay.ts", values: values},
	} {
		name, need, err := p.entry(e)
		if err != nil {
			return err
		}
		p.names[e.file] = name
		for _, module := range need[1:] {
			p.preload += fmt.Sprintf("<link rel=\"modulepreload\" href=%q>", module)
		}
		p.site.FirstLoad = append(p.site.FirstLoad, need...)
	}
	_, _, err = p.entry(entry{file: "cadem.ts", format: api.FormatESModule, fixed: true, values: values})
	return err
}

// library are the files for pages of one's own, which the page itself does not need: those in www beside it and
// the package of npm that they make.
func (p *pack) library() error {
	names, err := filepath.Glob(filepath.Join(p.www, "examples", "*"))
	if err != nil {
		return err
	}
	for _, path := range append(names, filepath.Join(p.www, "cadem.d.ts")) {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(p.www, path)
		if err != nil {
			return err
		}
		name, text := filepath.ToSlash(rel), string(b)
		if strings.HasSuffix(name, ".html") {
			if text, err = p.fillPage(name, text); err != nil {
				return err
			}
		}
		p.add(name, []byte(text))
	}
	files := []string{"cadem.js", "cadem.d.ts", "options.json", "licenses.txt", p.site.Worker, p.site.WasmExec}
	for _, program := range []Program{p.site.First, p.site.Whole, p.site.Methods} {
		files = append(files, program.Plain, program.Packed)
	}
	about, err := json.MarshalIndent(map[string]any{"name": "cadem", "version": "0.1.0", "description": "Disentangled embeddings of multiplex graphs, in a page",
		"type": "module", "license": "MIT", "exports": map[string]any{".": map[string]string{"types": "./cadem.d.ts", "default": "./cadem.js"}},
		"files": files}, "", "  ")
	if err == nil {
		p.add("package.json", append(about, '\n'))
	}
	return err
}

// ofLibrary reports whether a file of the site is for pages of one's own.
func ofLibrary(name string) bool {
	return strings.HasPrefix(name, "cadem.js") || strings.HasPrefix(name, "cadem.d.ts") || strings.HasPrefix(name, "examples/") || name == "package.json"
}

// copied are the kinds of file that go into the site unchanged.
var copied = map[string]bool{".svg": true, ".png": true, ".ico": true, ".webmanifest": true, ".json": true, ".txt": true}

// copyFiles takes the other files of www over, under their own names.
func (p *pack) copyFiles() error {
	return filepath.WalkDir(p.www, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "node_modules" || d.Name() == "vendor" || strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(p.www, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if !d.Type().IsRegular() || !copied[filepath.Ext(rel)] || rel == "package.json" || rel == "package-lock.json" || rel == "tsconfig.json" {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p.names[rel] = rel
		p.add(rel, b)
		return nil
	})
}

// pages lists the pages of the site. The first is kept for visits without network by its folder's name.
var pages = []string{"index.html", "frame.html"}

// token is a name in a page to fill in.
var token = regexp.MustCompile(`\{\{([^{}]*)\}\}`)

// fill writes the pages with the names of this build, and sw.js with the list
// of what it keeps for a visit without network.
func (p *pack) fill() error {
	for _, name := range pages {
		b, err := os.ReadFile(filepath.Join(p.www, name))
		if err != nil {
			return err
		}
		html, err := p.fillPage(name, string(b))
		if err != nil {
			return err
		}
		p.add(name, []byte(html))
	}
	keep := []string{"./"}
	for name := range p.site.Sizes {
		if name != pages[0] && !ofLibrary(name) && !strings.HasSuffix(name, ".wasm") {
			keep = append(keep, name)
		}
	}
	sort.Strings(keep)
	values := map[string]any{"__VERSION__": p.site.Version, "__PRECACHE__": keep, "__CONNECTIONS__": Connections,
		"__PROGRAMS__": p.site.Programs()}
	_, _, err := p.entry(entry{file: "sw.ts", format: api.FormatIIFE, fixed: true, values: values})
	return err
}

// sums lists the checksum of every file: equal sources and toolchains give equal ones, so what a host serves can be
// compared with what somebody else built.
func (p *pack) sums() error {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(p.files[name]), name)
	}
	p.add("SHA256SUMS", b.Bytes())
	return nil
}

// fillPage replaces the tokens of a page, and insists on the policy.
func (p *pack) fillPage(page, html string) (string, error) {
	var bad error
	out := token.ReplaceAllStringFunc(html, func(t string) string {
		name := token.FindStringSubmatch(t)[1]
		switch name {
		case "csp":
			return Policy
		case "version":
			return p.site.Version
		case "modulepreload":
			return p.preload
		}
		if to, ok := p.names[name]; ok {
			return to
		}
		if bad == nil {
			line := 1 + strings.Count(html[:strings.Index(html, t)], "\n")
			bad = fmt.Errorf("%s:%d: %s names no file of the site (expected csp, version or one of %s)", page, line, t, strings.Join(p.known(), ", "))
		}
		return t
	})
	if bad != nil {
		return "", bad
	}
	if want := `<meta http-equiv="Content-Security-Policy" content="` + Policy + `">`; !strings.Contains(out, want) {
		return "", fmt.Errorf(
			"%s: no content security policy, or another one (expected %s)",
			page,
			`<meta http-equiv="Content-Security-Policy" content="{{csp}}">`,
		)
	}
	return out, nil
}

func (p *pack) known() []string {
	list := make([]string, 0, len(p.names))
	for name := range p.names {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}
