package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

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
