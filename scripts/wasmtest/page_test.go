package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"cadem/core/study/experiments"
)

// noCrypto makes any node like Debian 12's, which has no global crypto.
const noCrypto = "data:text/javascript,delete globalThis.crypto"

// TestPage runs the tests of the page's own modules, which stand beside them, under node.
func TestPage(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed (make setup installs it)")
	}
	tests, err := filepath.Glob("../../www/*/*.test.mjs")
	if err != nil || len(tests) == 0 {
		t.Fatal("no tests of the page's modules", err)
	}
	options := filepath.Join(t.TempDir(), "options.json")
	if err := os.WriteFile(options, experiments.NewCatalogue().JSON(), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, append([]string{"--import", noCrypto, "--test"}, tests...)...)
	cmd.Env = append(os.Environ(), "CADEM_OPTIONS="+options)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestTypes has the compiler of TypeScript check the types of the page's modules.
func TestTypes(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed (make setup installs it)")
	}
	cmd := exec.Command(node, "node_modules/typescript/bin/tsc", "--noEmit", "--project", ".")
	cmd.Dir = "../../www"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPageFiles keeps the page's files short enough to be read: each is one idea, and every script has its types checked.
func TestPageFiles(t *testing.T) {
	const mostLines, longestLine = 400, 160
	kinds := map[string]bool{".js": true, ".mjs": true, ".css": true, ".html": true}
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
		if kind == ".js" && !bytes.HasPrefix(b, []byte("// @ts-check\n")) {
			t.Errorf("%s: the first line is not // @ts-check", path)
		}
		lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
		if len(lines) > mostLines {
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
