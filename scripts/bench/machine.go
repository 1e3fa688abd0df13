package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

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
