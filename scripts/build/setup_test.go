package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The output of the setup goes to standard error, so the JSON of make -s bench is alone.
func TestSetupLeavesStandardOutputAlone(t *testing.T) {
	dir := t.TempDir()
	script, err := os.ReadFile("setup.sh")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("scripts/build/setup.sh", string(script))
	write("www/package-lock.json", "{}")
	for _, name := range []string{"go", "node", "npm", "chromium", "chromedriver", "chromium-headless-shell"} {
		write("bin/"+name, "#!/bin/sh\necho "+name+" talks\n")
	}
	c := exec.Command("sh", filepath.Join(dir, "scripts/build/setup.sh"), "test")
	c.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	var out, log bytes.Buffer
	c.Stdout, c.Stderr = &out, &log
	if err := c.Run(); err != nil || out.Len() > 0 || !bytes.Contains(log.Bytes(), []byte("go talks")) {
		t.Errorf("%v, printed %q, said %q", err, &out, &log)
	}
}
