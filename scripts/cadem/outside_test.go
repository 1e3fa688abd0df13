package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

// The commands at the head of docs/go.md make an empty folder a module that trains, scores and exports with the library. So do those for a
// module that is to stay.
func TestOutsideModule(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "go.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 2 || strings.Count(blocks[0][1], "\n") != 3 {
		t.Fatalf("docs/go.md has %d blocks of commands, expected 2, the first of three lines", len(blocks))
	}
	program, err := os.ReadFile(filepath.Join(root, "testdata", "outside", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	clone, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	stays := "go mod init trial\n" + blocks[1][1] + "go run -tags noasm .\n"
	for _, lines := range []string{blocks[0][1], stays} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "main.go"), program, 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.Command("sh", "-ec", strings.ReplaceAll(lines, "../cadem", clone))
		c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-trimpath", "GOPROXY=off", "GONOSUMDB=*")
		out, err := c.CombinedOutput()
		const most = 3 * time.Minute // of processor, which other work on the machine does not prolong
		if used := c.ProcessState.UserTime() + c.ProcessState.SystemTime(); used > most {
			t.Errorf("%s took %v", lines, used)
		}
		if err != nil || strings.Count(string(out), ", untrained 0.") < 10 {
			t.Errorf("%s: %v, printed %s", lines, err, out)
		}
		table, err := os.ReadFile(filepath.Join(dir, "embeddings.csv"))
		if head, rest, _ := strings.Cut(string(table), "\n"); err != nil || !strings.HasPrefix(head, "node,name,") || strings.Count(rest, "\n") != 60 {
			t.Errorf("%v, wrote %d bytes that begin with %s", err, len(table), head)
		}
	}
}

// What is wrong is what docs/go.md says: an error of data or of a setting where these come from elsewhere, a panic where the program is.
func TestErrorsOfCallers(t *testing.T) {
	d, err := run.OpenExample("syn1", map[string]any{"nodes": 60}, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.NewSettings("released", d)
	if err != nil {
		t.Fatal(err)
	}
	var large strings.Builder
	large.WriteString("layer source target\n")
	for i := range 257 { // layers of a link each, the last one more than there may be
		fmt.Fprintf(&large, "%d 1 2\n", i)
	}
	_, tooLarge := run.OpenFiles([]formats.File{{Name: "large.edges", Data: []byte(large.String())}}, nil, nil)
	_, ofData := run.OpenExample("syn1", map[string]any{"depth": 3}, 0)
	for said, err := range map[string]error{
		"large.edges:258: layer: found more than 256": tooLarge, "depth: found an unknown option": s.Set("depth", "3"), "depth: found": ofData,
	} {
		var e *diag.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Error(), said) || e.Option != strings.HasPrefix(said, "depth") {
			t.Errorf("%T: %v, expected %s", err, err, said)
		}
	}
	defer func() {
		if e, ok := recover().(diag.Misuse); !ok || e != multiplex.ErrShape {
			t.Errorf("5 numbers for 2 x 3 features: %v", e)
		}
	}()
	_, err = multiplex.DenseFeatures(2, 3, make([]float64, 5))
	t.Errorf("5 numbers for 2 x 3 features: %v", err)
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
