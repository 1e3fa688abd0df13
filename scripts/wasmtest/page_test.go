package main

import (
	"os/exec"
	"testing"
)

// noCrypto makes any node like Debian 12's, which has no global crypto.
const noCrypto = "data:text/javascript,delete globalThis.crypto"

// TestPage runs the tests of the page's own modules under node.
func TestPage(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed (make setup installs it)")
	}
	if out, err := exec.Command(node, "--import", noCrypto, "--test", "dom.test.mjs", "keeper.test.mjs", "pool.test.mjs", "experiments.test.mjs", "projection.test.mjs", "session.test.mjs").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
