package main

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// parts are the four parts of core, by their folders, and what each may import beside itself and the library. What core has no other part
// for is the library.
var parts = []struct {
	folder string
	of     []string
}{{"baseline", nil}, {"brain", []string{"lab"}}, {"lab", nil}}

// The library knows neither methods nor brains nor the lab, and the lab knows neither methods but CaDeM nor brains: these register with it. Tests may know all.
func TestArrows(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./core/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	part := func(name string) (string, bool) {
		inside, ok := strings.CutPrefix(name, "core/")
		folder, _, _ := strings.Cut(inside, "/")
		for _, p := range parts {
			if p.folder == folder {
				return folder, true
			}
		}
		return "", ok
	}
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(strings.ReplaceAll(line, "cadem.example/", ""))
		from, _ := part(names[0])
		for _, name := range names[1:] {
			to, inCore := part(name)
			may := to == "" || to == from || slices.ContainsFunc(parts, func(p struct {
				folder string
				of     []string
			}) bool {
				return p.folder == from && slices.Contains(p.of, to)
			})
			if ours := inCore || strings.HasPrefix(name, "wasm/") || strings.HasPrefix(name, "scripts/"); ours && !(inCore && may) {
				t.Errorf("%s imports %s, against the arrows", names[0], name)
			}
		}
	}
}

// From the drop of an edge list to its graph few packages are entered, and none of brains.
func TestEdgeListStaysAmongGraphs(t *testing.T) {
	before, entered := map[string]bool{}, []string{} // what is initialised is executed before, as often
	for _, test := range []string{"^$", "^TestOpenEdgeList$"} {
		profile := filepath.Join(t.TempDir(), "profile")
		c := exec.Command("go", "test", "-count=1", "-run="+test, "-covermode=count", "-coverpkg=cadem.example/core/...", "-coverprofile="+profile, "./core/lab/run")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		text, err := os.ReadFile(profile)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			file, _, _ := strings.Cut(line, ":")
			if name := path.Dir(file); test != "^$" && !before[line] && name != "mode" && !slices.Contains(entered, name) {
				entered = append(entered, name)
			}
			before[line] = true
		}
	}
	t.Logf("%d packages", len(entered))
	inBrain := slices.ContainsFunc(entered, func(name string) bool { return strings.HasPrefix(name, "cadem.example/core/brain") })
	if len(entered) < 5 || len(entered) > 25 || inBrain {
		t.Errorf("%d packages are entered, expected at most 25, none of brains:\n%s", len(entered), strings.Join(entered, "\n"))
	}
}
