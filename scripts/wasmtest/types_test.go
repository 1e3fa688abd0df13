package main

import (
	"os/exec"
	"testing"
)

// TestTypes has the compiler of TypeScript check the types of the page's modules, with those of messages beside them.
func TestTypes(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed (make setup installs it)")
	}
	for _, c := range [][]string{{"go", "run", "../scripts/build/messages"}, {node, "node_modules/typescript/bin/tsc", "--noEmit", "--project", "."}} {
		cmd := exec.Command(c[0], c[1:]...)
		cmd.Dir = "../../www"
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", c, err, out)
		}
	}
}
