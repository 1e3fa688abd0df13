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

// parts are those beside the library, by their folders, and what each may import beside itself and the library.
var parts = map[string][]string{"baseline": nil, "brain": {"lab"}, "lab": nil, "wasm": {"lab"}}

// The library knows neither methods nor brains nor the lab, and the lab knows neither methods but CaDeM nor brains: these register with it,
// and only the main packages of the page's programs import them. Tests may know all.
func TestArrows(t *testing.T) {
	c := exec.Command("go", "list", "-f", `{{if ne .Name "main"}}{{.ImportPath}}{{range .Imports}} {{.}}{{end}}{{end}}`, "./core/...", "./wasm/...")
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOEXPERIMENT=")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	part := func(name string) string {
		folder, inside, _ := strings.Cut(name, "/")
		switch folder {
		case "wasm", "scripts":
			return folder
		case "core":
			folder, _, _ = strings.Cut(inside, "/")
			if _, ok := parts[folder]; ok {
				return folder
			}
		}
		return "" // the library, or not ours
	}
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(strings.ReplaceAll(line, "cadem.example/", ""))
		for _, name := range names[1:] {
			if from, to := part(names[0]), part(name); to != "" && to != from && !slices.Contains(parts[from], to) {
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
