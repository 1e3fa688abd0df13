package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"text/template"
	"time"

	"cadem.example/scripts/cadem/console"
)

// recordName is the only file with measured figures.
const recordName = "BENCHMARKS.md"

// sections has a template for the head of the file and one for each part: what is measured, and how; where
// and when; tables.
//
//go:embed sections.md
var sections string

// none is a line of a template that is left out, for want of figures.
const none = "\x00"

// template returns the sections with what they may ask for.
func (b *bench) template(p *part) *template.Template {
	figure := func(format, name string) string {
		if !b.has(name) {
			return ""
		}
		return fmt.Sprintf(format, round(b.median(name)))
	}
	row := func(name, what, last string) string {
		if !b.has(name) {
			return none
		}
		x := b.of[name].spread()
		return fmt.Sprintf("| %s | %g | %g .. %g | %d | %s |", what, x.Median, x.Low, x.High, x.N, last)
	}
	target := func(bound string, met func(x, limit float64) bool) any {
		return func(what string, limit float64, unit string, x float64) string {
			verdict := "met"
			if math.IsNaN(x) {
				return none
			} else if !met(x, limit) {
				verdict = "**missed**"
			}
			return fmt.Sprintf("| %s | %s | %g | %s |", what,
				strings.TrimSpace(fmt.Sprintf("%s %g %s", bound, limit, unit)), round(x), verdict)
		}
	}
	return template.Must(template.New("").Funcs(template.FuncMap{
		"measured": func() string {
			return fmt.Sprintf("Measured by `make bench`, or `make bench ARGS=\"-part %s\"` for this section alone, "+
				"at commit %s: %s.", p.name, b.machine.Commit, b.machine.String())
		},
		// A row of a table of times: with the 99th percentile, which of few is the maximum and left out, or with
		// something else.
		"row": func(name, what string) string {
			last := ""
			if len(b.of[name]) >= 100 {
				last = fmt.Sprintf("%.3g", b.high(0.99, name))
			}
			return row(name, what, last)
		},
		"entry":  row,
		"times":  func(x float64) string { return fmt.Sprintf("%.3g", x) },
		"most":   target("at most", func(x, limit float64) bool { return x <= limit }),
		"least":  target("at least", func(x, limit float64) bool { return x >= limit }),
		"figure": func(name string) string { return figure("%g", name) },
		"cells": func(format, of string, units ...string) string { // figures of several units, in cells
			for i, unit := range units {
				units[i] = figure(format, of+"|"+unit)
			}
			return strings.Join(units, " | ")
		},
		"has": b.has, "median": b.median, "high": b.high, "ratio": b.ratio, "under": b.under, "groups": b.groups,
		"series": b.series, "exponent": func(prefix, suffix string) float64 {
			return b.series(prefix, suffix).Exponent()
		},
		"count":   func(name string) int { return len(b.of[name]) },
		"slowest": b.slowest, "beyond": b.beyond, "equal": b.sameHashes,
		"runs":    func() []whole { return b.wholes[p.name] },
		"steps":   func(key string) string { return fmt.Sprint(b.steps[key]) },
		"remarks": func() []string { return b.remarks[p.name] },
		"paper":   func() []map[string]any { return b.paper },
		"base":    path.Base, "dir": path.Dir,
		"split":  func(list string) string { return strings.ReplaceAll(list, "/", " | ") },
		"before": func(s, end string) string { s, _, _ = strings.Cut(s, end); return s },
		"add":    func(x, y float64) float64 { return x + y },
		"sub":    func(x, y float64) float64 { return x - y },
		"max":    math.Max,
		"mul":    func(x, y float64) float64 { return x * y },
		"div":    func(x, y float64) float64 { return x / y },
		"round":  round,
		"kB":     func(bytes int) float64 { return float64(bytes) / 1e3 }, "downloads": b.site.Downloads,
	}).Parse(sections))
}

var (
	emptyTable = regexp.MustCompile(`(?m)^\|.*\|\n\|[-:|]+\|\n(\n|\z)`)
	wideGap    = regexp.MustCompile(`\n{3,}`)
)

// render writes a section of the file, or with no part its head.
func (b *bench) render(p *part) string {
	var w strings.Builder
	name := "head"
	if p != nil {
		name = p.name
		fmt.Fprintf(&w, "\n## %s\n\n", p.title)
	}
	ok(b.template(p).ExecuteTemplate(&w, name, nil))
	text := strings.ReplaceAll(w.String(), none+"\n", "")
	text = wideGap.ReplaceAllString(emptyTable.ReplaceAllString(text, ""), "\n\n")
	blocks := strings.Split(strings.TrimRight(text, "\n"), "\n\n")
	for i, block := range blocks {
		if !strings.HasPrefix(block, "|") && !strings.HasPrefix(strings.TrimLeft(block, "\n"), "#") {
			blocks[i] = console.Fill(strings.Join(strings.Fields(block), " "), "")
		}
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// record brings BENCHMARKS.md up to date with what was measured.
func (b *bench) record(sections map[string]string) error {
	name := filepath.Join(b.root, recordName)
	before, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return console.WriteFile(name, []byte(b.merge(string(before), sections)))
}

// merge returns the text of the file: the new sections, and those of the other parts unchanged.
func (b *bench) merge(before string, sections map[string]string) string {
	kept := map[string]string{} // by title
	for _, text := range strings.Split(before, "\n## ")[1:] {
		title, _, _ := strings.Cut(text, "\n")
		kept[title] = "\n## " + strings.TrimRight(text, "\n") + "\n"
	}
	all := b.render(nil)
	for _, p := range parts {
		if text, there := sections[p.name]; there {
			all += text
		} else {
			all += kept[p.title]
		}
	}
	return all
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

var model = regexp.MustCompile(`(?m)^model name\s*: (.*)$`)

func thisMachine(root string) machine {
	m := machine{CPU: "unknown", Cores: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Go: runtime.Version(), Browser: "Chromium", Commit: commit(root),
		Date: time.Now().UTC().Format("2006-01-02 15:04 UTC")}
	info, _ := os.ReadFile("/proc/cpuinfo") // other systems have none, nor the next
	if found := model.FindSubmatch(info); found != nil {
		m.CPU = string(found[1])
	}
	load, _ := os.ReadFile("/proc/loadavg")
	_, _ = fmt.Sscan(string(load), &m.Load)
	if out, err := exec.Command("chromium", "--version").Output(); err == nil {
		if f := strings.Fields(string(out)); len(f) > 1 {
			m.Browser = strings.Join(f[:2], " ")
		}
	}
	return m
}

// commit names the sources in a folder.
func commit(root string) string {
	git := func(args ...string) string { // "" outside a repository
		out, _ := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
		return strings.TrimSpace(string(out))
	}
	name := git("rev-parse", "--short=12", "HEAD")
	if name == "" {
		return "unknown"
	}
	if git("status", "--porcelain", "--", ".", ":!"+recordName) != "" {
		name += " with changes"
	}
	return name
}

func (m *machine) String() string {
	return fmt.Sprintf("%d x %s, %s, %s, %s; %s, load before %.2f",
		m.Cores, m.CPU, m.System, m.Go, m.Browser, m.Date, m.Load)
}
