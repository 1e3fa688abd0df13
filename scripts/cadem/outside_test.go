package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A module outside of this one trains, scores and exports with the packages of core.
func TestOutsideModule(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "outside")
	build := exec.Command("go", "build", "-o", exe, ".")
	build.Dir = filepath.Join(root, "testdata", "outside")
	build.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(exe)
	run.Dir = t.TempDir()
	out, err := run.CombinedOutput()
	if err != nil || strings.Count(string(out), ", untrained 0.") < 10 {
		t.Errorf("%v, printed %s", err, out)
	}
	table, err := os.ReadFile(filepath.Join(run.Dir, "embeddings.csv"))
	if head, rest, _ := strings.Cut(string(table), "\n"); err != nil || !strings.HasPrefix(head, "node,name,") || strings.Count(rest, "\n") != 60 {
		t.Errorf("%v, wrote %d bytes that begin with %s", err, len(table), head)
	}
}

// Each package that is promised to stay has an example.
func TestPromisedPackages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "go.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `(core/[\\w/]+)` \\|").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 5 {
		t.Fatalf("%d packages", len(rows))
	}
	for _, m := range rows {
		files, err := filepath.Glob(filepath.Join(root, m[1], "*_test.go"))
		found := false
		for _, name := range files {
			code, err := os.ReadFile(name)
			found = found || err == nil && strings.Contains(string(code), "\nfunc Example")
		}
		if err != nil || !found {
			t.Errorf("%s has no example, %v", m[1], err)
		}
	}
}
