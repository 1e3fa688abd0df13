package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSetup runs setup.sh on machines with nothing but the programs named.
func TestSetup(t *testing.T) {
	const sudo = "sudo apt-get update && sudo apt-get install --no-install-recommends "
	const ready = "node npm chromium chromedriver"
	for _, c := range []struct {
		name, has, user, args string
		ok                    bool
		prints                string // all of it, or the end of it where it fails
		ran                   string // what it asked of programs that change the machine
	}{
		{"building needs Go alone", "", "1000", "build", true, "", ""},
		{"tests need more", "", "1000", "test", false, sudo + "nodejs npm chromium chromium-driver\n", ""},
		{"a driver is missing", "node npm chromium", "1000", "test chromium", false, sudo + "chromium chromium-driver\n", ""},
		{"further browsers", ready, "1000", "test chromium,firefox,webkit", false, sudo + "firefox-esr webkit2gtk-driver xvfb\n", ""},
		{"no such browser", ready, "1000", "test lynx", false, "setup: there is no engine lynx (expected chromium, firefox or webkit)\n", ""},
		{"root", "apt-get " + ready, "0", "test firefox", true, "setup: installing firefox-esr\n", "apt-get -q update\napt-get -q install -y --no-install-recommends firefox-esr\n"},
		{"root elsewhere", ready, "0", "test firefox", false, sudo + "firefox-esr\n", ""},
		{"everything is there", "apt-get firefox-esr WebKitWebDriver Xvfb " + ready, "0", "test chromium,firefox,webkit", true, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, bin := t.TempDir(), t.TempDir()
			log := filepath.Join(root, "log")
			program := func(name, text string) {
				if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range []string{"dirname", "tr"} { // of the machine that runs this
				path, err := exec.LookPath(name)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
					t.Fatal(err)
				}
			}
			program("go", "exit 0")
			program("id", "echo "+c.user)
			for _, name := range strings.Fields(c.has) {
				program(name, `echo "`+name+` $*" >> '`+log+`'`)
			}
			script, err := os.ReadFile("setup.sh")
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"scripts/build/setup.sh": string(script), "www/package-lock.json": "{}", "www/node_modules/.package-lock.json": "{}"} {
				path := filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			// The packages of npm are newer than the list of them.
			if err := os.Chtimes(filepath.Join(root, "www/package-lock.json"), time.Time{}, time.Unix(0, 0)); err != nil {
				t.Fatal(err)
			}
			run := exec.Command("/bin/sh", append([]string{filepath.Join(root, "scripts/build/setup.sh")}, strings.Fields(c.args)...)...)
			run.Env = []string{"PATH=" + bin}
			out, err := run.CombinedOutput()
			if (err == nil) != c.ok || (c.ok && string(out) != c.prints) || !strings.HasSuffix(string(out), c.prints) {
				t.Errorf("%v: printed %q, expected %q", err, out, c.prints)
			}
			if ran, _ := os.ReadFile(log); string(ran) != c.ran {
				t.Errorf("ran %q, expected %q", ran, c.ran)
			}
		})
	}
}
