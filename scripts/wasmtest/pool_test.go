package main

import (
	"os/exec"
	"testing"
)

// TestPool runs the tests of the page's worker pool, and of what it does for experiments,
// under node.
func TestPool(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed (make setup installs it)")
	}
	if out, err := exec.Command(node, "--test", "pool.test.mjs", "experiments.test.mjs").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
