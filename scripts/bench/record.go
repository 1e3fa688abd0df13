package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"cadem.example/scripts/cadem/console"
)

// recordName is the only file with measured figures.
const recordName = "BENCHMARKS.md"

const recordHead = "# Measured\n\n" +
	"`make bench` writes this file. It replaces the sections of the parts that it measures and keeps the " +
	"others, each with its own date, machine and commit.\n" +
	"\"Lowest .. highest\" is the range of n measurements. Everything that is compared is measured in " +
	"turns, so a machine that slows down slows down all of it. Absolute times vary by a third from hour " +
	"to hour on shared machines; trust the ratios.\n\n" +
	"Kernels, steps, epochs, scores and readers have Go benchmarks beside them: `make microbench PKG=./core/base/kernel NAME=before` " +
	"runs those of a package, and benchstat compares all that were run.\n"

// record brings BENCHMARKS.md up to date with what was measured.
func (b *bench) record() error {
	name := filepath.Join(b.root, recordName)
	before, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return console.WriteFile(name, []byte(b.merge(string(before))))
}

// merge returns the text of the file: the new sections, and those of the other parts unchanged.
func (b *bench) merge(before string) string {
	kept := map[string]string{} // by title
	for _, text := range strings.Split(before, "\n## ")[1:] {
		title, _, _ := strings.Cut(text, "\n")
		kept[title] = "\n## " + strings.TrimRight(text, "\n") + "\n"
	}
	var w strings.Builder
	w.WriteString(console.Fill(recordHead, ""))
	for _, p := range b.parts() {
		if slices.Contains(b.measured, p.name) {
			b.section(&w, &p)
		} else {
			w.WriteString(kept[p.title])
		}
	}
	return w.String()
}

// section writes one part with how, where and when it was measured.
func (b *bench) section(w *strings.Builder, p *part) {
	how := fmt.Sprintf("Measured by `make bench`, or `make bench ARGS=\"-part %s\"` for this section alone, at commit %s: %s.",
		p.name, b.machine.Commit, b.machine.String())
	writef(w, "\n## %s\n\n%s\n\n%s\n", p.title, console.Fill(p.about, ""), console.Fill(how, ""))
	b.tables(w, p)
}

// quiet is the load average above which figures are not to be trusted.
const quiet = 0.5

// A machine is the class of machine that figures belong to.
type machine struct {
	CPU     string  `json:"cpu"`
	Cores   int     `json:"cores"`
	System  string  `json:"system"`
	Go      string  `json:"go"`
	Browser string  `json:"browser"`
	Date    string  `json:"date"`
	Commit  string  `json:"commit"` // of the sources
	Load    float64 `json:"load_before"`
}

func thisMachine(root string) machine {
	m := machine{CPU: "unknown", Cores: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
		Browser: "Chromium", Date: time.Now().UTC().Format("2006-01-02 15:04 UTC")}
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(b)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				m.CPU = strings.TrimSpace(value)
				break
			}
		}
	}
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		_, _ = fmt.Sscan(string(b), &m.Load) // 0 where the system counts otherwise
	}
	if out, err := exec.Command("chromium", "--version").Output(); err == nil {
		if f := strings.Fields(string(out)); len(f) > 1 {
			m.Browser = strings.Join(f[:2], " ")
		}
	}
	m.Commit = commit(root)
	return m
}

// commit tells which sources lie in a folder.
func commit(root string) string {
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	name, err := git("rev-parse", "--short=12", "HEAD")
	if err != nil {
		return "unknown"
	}
	if changes, err := git("status", "--porcelain", "--", ".", ":!"+recordName); err != nil || changes != "" {
		name += " with changes"
	}
	return name
}

func (m *machine) String() string {
	return fmt.Sprintf("%d x %s, %s, %s, %s; %s, load before %.2f", m.Cores, m.CPU, m.System, m.Go, m.Browser, m.Date, m.Load)
}
