package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// documents lists the documents that name places in the code.
var documents = append([]string{"README.md", "ARCHITECTURE.md", "RATIONALE.md", "wasm/PROTOCOL.md", "www/README.md"}, matches("docs/*.md")...)

func matches(pattern string) []string {
	list, err := filepath.Glob(pattern)
	if err != nil || list == nil {
		panic("no file is like " + pattern)
	}
	return list
}

// Every path that a document names leads to a file or a folder: from the root, from the
// document's own folder, or from a folder in it.
func TestPathsInDocuments(t *testing.T) {
	for _, name := range documents {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, p := range namedPaths(string(text)) {
			there := false
			for _, pattern := range []string{p, path.Join(path.Dir(name), p), path.Join(path.Dir(name), "*", p)} {
				matches, err := filepath.Glob(filepath.FromSlash(pattern))
				there = there || err == nil && matches != nil
			}
			if !there {
				t.Errorf("%s names %s, which is not there", name, p)
			}
			found++
		}
		if found == 0 && path.Dir(name) != "docs" {
			t.Errorf("%s: no path found", name)
		}
	}
}

var (
	code     = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`")
	link     = regexp.MustCompile(`\]\(([^)#:]+)\)`)
	likeFile = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)*/?$`)
)

// namedPaths returns the names in a document that can only be paths of this project: links, and
// code that begins with one of its folders or ends as its sources do. Outputs of the build and
// files of users are not in the repository.
func namedPaths(text string) []string {
	var list []string
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	for _, span := range code.FindAllString(text, -1) {
		if strings.HasPrefix(span, "```") {
			continue
		}
		p := strings.Trim(span, "`")
		first, _, inFolder := strings.Cut(p, "/")
		ours := inFolder && slices.Contains([]string{"core", "wasm", "www", "scripts", "docs"}, first)
		source := slices.Contains([]string{".go", ".js", ".ts", ".mjs", ".md", ".css", ".sh", ".html"}, path.Ext(p)) && first != "dist"
		if likeFile.MatchString(p) && (ours || source) {
			list = append(list, strings.TrimSuffix(p, "/"))
		}
	}
	return list
}

func TestNamedPaths(t *testing.T) {
	got := namedPaths("See `core/cadem` and [this](docs/files.md), `go run .`, `a.csv`, [that](https://example.org), " +
		"`dom/dom.js`,\n```\nwww/none.js\n``` `dist/x.js`, `www/a b`")
	if want := []string{"docs/files.md", "core/cadem", "dom/dom.js"}; !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
}

// Documents that everybody reads stay short.
func TestWordsInDocuments(t *testing.T) {
	for name, most := range map[string]int{"README.md": 600, "RATIONALE.md": 3600} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(strings.Fields(string(text))); n > most {
			t.Errorf("%s has %d words, expected at most %d", name, n, most)
		}
	}
}

const longest = 160

// No line of a text file is longer than readers see at once, but for the tags of Go's structs
// and the rows of tables, which cannot be broken.
func TestLineLengths(t *testing.T) {
	kinds := []string{".go", ".js", ".ts", ".mjs", ".css", ".html", ".md", ".sh", ".svg", ".py", "Makefile"}
	skipped := []string{".git", "node_modules", "vendor", "testdata", "dist", "bin", "finished"}
	tag := regexp.MustCompile("`[a-z]+:\"")
	files := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(skipped, d.Name()):
			return fs.SkipDir
		case d.IsDir() || !slices.ContainsFunc(kinds, func(end string) bool { return strings.HasSuffix(name, end) }):
			return nil
		}
		files++
		text, err := os.ReadFile(name)
		k := 0
		for line := range strings.Lines(string(text)) {
			k++
			n := utf8.RuneCountInString(strings.TrimRight(line, "\r\n"))
			whole := filepath.Ext(name) == ".go" && tag.MatchString(line) ||
				filepath.Ext(name) == ".md" && (tag.MatchString(line) || strings.HasPrefix(line, "|"))
			if n > longest && !whole {
				t.Errorf("%s:%d: %d characters, expected at most %d", name, k, n, longest)
			}
		}
		return err
	})
	if err != nil || files < 100 {
		t.Errorf("%d files read, %v", files, err)
	}
}

// Every test that the architecture names is there.
func TestNamedTests(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("scripts/e2e/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range files {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(code)
	}
	named := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 14 {
		t.Errorf("%d tests are named", len(named))
	}
	for _, m := range named {
		if !strings.Contains(all.String(), "func "+m[1]+"(") {
			t.Errorf("ARCHITECTURE.md names %s, which scripts/e2e does not have", m[1])
		}
	}
}

// The map of the architecture lists every package, none of more than 25 files, in an order in
// which each imports only what stands above it.
func TestMap(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `((?:core|wasm)[\\w/-]*)` \\|").FindAllStringSubmatch(string(text), -1) {
		if !slices.Contains(rows, m[1]) {
			rows = append(rows, m[1])
		}
	}
	// A package below one that is listed belongs to it.
	place := func(name string) int {
		for ; name != "."; name = path.Dir(name) {
			if k := slices.Index(rows, name); k >= 0 {
				return k
			}
		}
		return -1
	}
	c := exec.Command("go", "list", "-f", `{{.ImportPath}} {{len .GoFiles}}{{range .Imports}} {{.}}{{end}}`, "./core/...", "./wasm/...")
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	met := map[int]bool{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], "cadem.example/")
		if words[1] == "0" { // tests of everything below
			continue
		}
		at := place(name)
		if at < 0 {
			t.Errorf("%s is not on the map", name)
			continue
		}
		met[at] = true
		for _, other := range words[2:] {
			below, ours := strings.CutPrefix(other, "cadem.example/")
			if ours && place(below) > at {
				t.Errorf("%s imports %s, which stands below it", name, below)
			}
		}
	}
	for k, name := range rows {
		if !met[k] {
			t.Errorf("the map lists %s, which is not there", name)
		}
	}
}

// No function of a test is longer than a screen or two: what it does in steps has names.
func TestTestLengths(t *testing.T) {
	const most = 80
	functions := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "node_modules"}, d.Name()):
			return fs.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				functions++
				if n := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; n > most {
					t.Errorf("%s: %s has %d lines, expected at most %d", set.Position(f.Pos()), f.Name.Name, n, most)
				}
			}
		}
		return nil
	})
	if err != nil || functions < 1000 {
		t.Errorf("%d functions, error %v", functions, err)
	}
}
