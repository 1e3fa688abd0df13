package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	stored "cadem.example/core/lab/run"
	"cadem.example/core/lab/study/experiments"
)

// noCrypto makes any node like Debian 12's, which has no global crypto.
const noCrypto = "data:text/javascript,delete globalThis.crypto"

// TestPage runs the tests of the page's own modules, which stand beside them, under node: all, or those that CADEM_PAGE names.
func TestPage(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed (make setup installs it)")
	}
	var tests []string
	dir := transpiled(t)
	for _, name := range strings.Fields(cmp.Or(os.Getenv("CADEM_PAGE"), "*/*")) {
		list, err := filepath.Glob(filepath.Join(dir, "www", name+".test.mjs"))
		if err != nil || len(list) == 0 {
			t.Fatalf("no tests of the page's module %q (expected one such as run/model): %v", name, err)
		}
		tests = append(tests, list...)
	}
	options := filepath.Join(t.TempDir(), "options.json")
	if err := os.WriteFile(options, experiments.NewCatalogue().JSON(), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, append([]string{"--import", noCrypto, "--test"}, tests...)...)
	cmd.Env = append(os.Environ(), "CADEM_OPTIONS="+options, "CADEM_CHECK="+answerChecks(t))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// answerChecks answers memorystore.mjs whether a record and the arrays beside it are valid for the page. It returns its address.
func answerChecks(t *testing.T) string {
	dir, err := os.MkdirTemp("", "cadem") // that of the test may be too long for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "check")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return // the test is over
			}
			go func() {
				defer c.Close()
				questions, answers := json.NewDecoder(c), json.NewEncoder(c)
				for {
					var q struct {
						Record json.RawMessage     `json:"record"`
						Slabs  []stored.StoredSlab `json:"slabs"`
					}
					if questions.Decode(&q) != nil {
						return
					}
					answer := ""
					if err := stored.CheckStored([]byte(q.Record), q.Slabs); err != nil {
						answer = err.Error()
					}
					if answers.Encode(answer) != nil {
						return
					}
				}
			}()
		}
	}()
	return path
}

// TestReader compares how the page says that files are read with how they are.
func TestReader(t *testing.T) {
	source, err := os.ReadFile("../../www/engine/reader.ts")
	if want := fmt.Sprintf("READER = %d;", stored.Reader); err != nil || !strings.Contains(string(source), want) {
		t.Errorf("reader.ts has no %q: %v", want, err)
	}
}

// TestPageAny keeps `any` out of the page's modules, except for those where messages and records come from elsewhere: the engine's, the
// module for pages of one's own, the reader of backups, what the Go programs put in place, and the part of types.d.ts that says what they send.
func TestPageAny(t *testing.T) {
	loose := regexp.MustCompile(`[:<,|(=]\s*any\b|\bas any\b|\bany\[\]`)
	loosely, found := []string{"cadem.ts", "globals.d.ts", "run/backup.ts"}, 0
	err := filepath.WalkDir("../../www", func(path string, d fs.DirEntry, err error) error {
		switch name := filepath.ToSlash(strings.TrimPrefix(path, "../../www/")); {
		case err != nil:
			return err
		case d.IsDir() && (name == "vendor" || name == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".ts" || strings.HasPrefix(name, "engine/") || slices.Contains(loosely, name):
			return nil
		}
		text, err := os.ReadFile(path)
		part := ""
		for k, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "// --- ") {
				part = line
			}
			switch {
			case !loose.MatchString(line):
			case strings.HasSuffix(part, "the Go programs"):
				found++
			default:
				t.Errorf("%s:%d: any, expected a type", path, k+1)
			}
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d in the messages of types.d.ts, error %v", found, err)
	}
}

// TestPageFiles keeps the page's files short enough to be read: each is one idea.
func TestPageFiles(t *testing.T) {
	const mostLines, longestLine = 400, 160
	kinds := map[string]bool{".js": true, ".ts": true, ".mjs": true, ".css": true, ".html": true}
	seen := 0
	err := filepath.WalkDir("../../www", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "node_modules" || d.Name() == "vendor" {
				return filepath.SkipDir
			}
			return nil
		}
		kind := filepath.Ext(path)
		if !kinds[kind] {
			return nil
		}
		seen++
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
		if len(lines) > mostLines && !strings.HasSuffix(path, ".d.ts") {
			t.Errorf("%s has %d lines, expected at most %d", path, len(lines), mostLines)
		}
		for i, line := range lines {
			if n := utf8.RuneCountInString(line); n > longestLine {
				t.Errorf("%s:%d has %d characters, expected at most %d", path, i+1, n, longestLine)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen == 0 {
		t.Error("no file of the page is there")
	}
}
