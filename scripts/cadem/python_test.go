package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The package of Python is installed without network, its tests pass, and its document says what it prints; where Debian's Python has
// NumPy, which CI always has.
func TestPython(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import numpy, venv, ensurepip").Run() != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("found no python3-numpy and python3-venv, expected what scripts/build/setup.sh installs")
		}
		t.Skip("python3-numpy or python3-venv is not there")
	}
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(here, "docs", "python.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	site := filepath.Join(dir, "site") // in place of the page, which the browser tests open
	if err := os.Mkdir(site, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(site, "index.html"), []byte("a page"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(t *testing.T, name string, args ...string) {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "CADEM="+filepath.Join(dir, "cadem"), "CADEM_SITE="+site, "BROWSER=true", "PYTHONDONTWRITEBYTECODE=1",
			"PIP_NO_INDEX=1", "PIP_DISABLE_PIP_VERSION_CHECK=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
	}
	run(t, "go", "-C", here, "build", "-o", filepath.Join(dir, "cadem"), "./scripts/cadem")
	if err := os.Symlink(filepath.Join(here, "scripts"), filepath.Join(dir, "scripts")); err != nil {
		t.Fatal(err)
	}
	for _, b := range codeBlocks("python.md", string(text)) {
		for _, line := range b.lines {
			if b.language == "sh" {
				run(t, "sh", "-ec", "PATH=/usr/bin:$PATH; "+line)
			}
		}
	}
	installed := filepath.Join(dir, "env", "bin", "python")
	if exec.Command(python, "-c", "import pandas, networkx, scipy, sklearn").Run() != nil {
		t.Log("not all of python3-pandas, -networkx, -scipy and -sklearn are there: stand-ins of the others are tested, not scikit-learn's checks")
	}
	t.Run("wheel", func(t *testing.T) { testWheel(t, here, dir, string(text), run) })
	run(t, installed, "-m", "unittest", "scripts/python/test_cadem.py", "scripts/python/testdata/test_inputs.py")
	run(t, installed, "-m", "doctest", filepath.Join(here, "docs", "python.md"))
}

// testWheel installs a wheel with the command in it, beside no command, no Go and no clone, and embeds a multigraph by the lines of the document.
func testWheel(t *testing.T, here, dir, text string, run func(t *testing.T, name string, args ...string)) {
	const python = "/usr/bin/python3"
	installed := filepath.Join(dir, "env", "bin", "python")
	began := time.Now()
	program := filepath.Join(dir, "cadem")
	c := exec.Command(installed, "-m", "pip", "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", dir, filepath.Join(here, "scripts", "python"))
	c.Env = append(os.Environ(), "CADEM_PROGRAM="+program)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wheels, err := filepath.Glob(filepath.Join(dir, "cadem-*.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatal(wheels, err)
	}
	if archive, err := os.ReadFile(wheels[0]); err != nil || bytes.Contains(archive, []byte(here)) {
		t.Errorf("the wheel has the place of the clone, %v", err)
	}
	run(t, python, "-m", "venv", "--system-site-packages", "--without-pip", "fresh") // whose own pip would take longest
	fresh := filepath.Join(dir, "fresh", "bin", "python")
	run(t, installed, "-m", "pip", "--python", fresh, "install", "--no-deps", wheels[0])
	c = exec.Command(fresh, "-c", "import cadem, numpy; print(cadem.CaDeM(options={'epochs': 1}).fit([numpy.ones((5, 5))] * 2).hash_)")
	c.Dir, c.Env = dir, []string{"PATH=/usr/bin:/bin", "HOME=" + dir} // no command, no Go, no clone
	if out, err := c.CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) != 16 {
		t.Errorf("%v\n%s", err, out)
	}
	if exec.Command(python, "-c", "import networkx").Run() != nil {
		t.Skip("python3-networkx is not there: no multigraph is embedded")
	}
	for _, b := range codeBlocks("python.md", text) {
		if b.language == "python" && strings.Contains(b.lines[0], "networkx") {
			c = exec.Command(fresh, "-c", strings.Join(b.lines, "\n"))
			c.Dir, c.Env = dir, []string{"PATH=/usr/bin:/bin", "HOME=" + dir}
			if out, err := c.CombinedOutput(); err != nil || string(out) != "(20, 8) ['work', 'lunch']\n" {
				t.Errorf("%v\n%s", err, out)
			}
		}
	}
	const most = 3 * time.Minute // of this and of installing, where the machine has nothing else to do
	if used := time.Since(began); used > most && os.Getenv("CI") != "" {
		t.Errorf("from an empty environment to embeddings: %v", used)
	}
}
