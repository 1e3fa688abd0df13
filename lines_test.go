package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// codeLines counts the lines of a text that are neither blank nor comment, and those of them over 100 columns.
func codeLines(text string) (lines, wide int) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if noCode.MatchString(line) {
			continue
		}
		lines++
		if len(line) > 100 {
			wide++
		}
	}
	return lines, wide
}

// What begins as a comment does in Go, TypeScript, CSS, HTML, Python or a shell is no code.
var noCode = regexp.MustCompile(`^[ \t]*($|//|/\*|\*|<!--|#)`)

func TestCodeLines(t *testing.T) {
	text := "package a\n\n\t// why\n\tx := 1 // one\n/* a */\n * b\n# c\n<!-- d -->\n<!doctype html>\n<p>\n" + strings.Repeat("y", 101) + "\n/x/.test(s)\n"
	if lines, wide := codeLines(text); lines != 6 || wide != 1 {
		t.Errorf("%d lines, %d of them wide, expected 6 and 1", lines, wide)
	}
}

var (
	counted = regexp.MustCompile(`\.(go|js|mjs|ts|css|html|s|py|sh)$`)
	apart   = regexp.MustCompile(`(^|/)(vendor|testdata)/|_test\.go$|\.test\.(m?js|ts)$|^scripts/e2e/`)
	budget  = regexp.MustCompile("(?m)^\\| (all|[a-z]+(?:/[a-z]+)?) \\| ([0-9,]+) \\| ([0-9,]+) \\|$")
)

// The code has no more lines, and no more wide ones, than ARCHITECTURE.md gives it. Where it has, the parts that grew are named.
func TestLineBudget(t *testing.T) {
	files, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Skipf("no files of a repository to count: %v", err)
	}
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	type count struct{ lines, wide int }
	number := func(s string) int {
		n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	var parts []string
	may, has := map[string]count{}, map[string]count{}
	for _, m := range budget.FindAllStringSubmatch(string(text), -1) {
		name := m[1]
		parts, may[name] = append(parts, name), count{number(m[2]), number(m[3])}
	}
	if _, ok := may["all"]; !ok || len(parts) < 5 {
		t.Fatalf("ARCHITECTURE.md has a budget for %q, expected one for all and for the parts", parts)
	}
	for name := range strings.Lines(string(files)) {
		name = strings.TrimSuffix(name, "\n")
		if !counted.MatchString(name) || apart.MatchString(name) {
			continue
		}
		b, err := os.ReadFile(name)
		if os.IsNotExist(err) { // removed, and not yet committed
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		part := "rest"
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if _, ok := may[dir]; ok {
				part = dir
				break
			}
		}
		lines, wide := codeLines(string(b))
		for _, p := range []string{part, "all"} {
			c := has[p]
			has[p] = count{c.lines + lines, c.wide + wide}
		}
	}
	var grew []string
	for _, p := range parts {
		if c, m := has[p], may[p]; p != "all" && (c.lines > m.lines || c.wide > m.wide) {
			grew = append(grew, fmt.Sprintf("%s has %d lines, %d of them wide (%d and %d before)", p, c.lines, c.wide, m.lines, m.wide))
		}
	}
	if c, m := has["all"], may["all"]; c.lines > m.lines || c.wide > m.wide {
		t.Errorf("%d code lines, %d of them over 100 columns; ARCHITECTURE.md allows %d and %d. What grew:\n%s",
			c.lines, c.wide, m.lines, m.wide, strings.Join(grew, "\n"))
	}
	t.Logf("%d code lines of %d, %d wide of %d", has["all"].lines, may["all"].lines, has["all"].wide, may["all"].wide)
	for _, p := range parts { // the table as it would stand
		t.Logf("| %s | %d | %d |", p, has[p].lines, has[p].wide)
	}
}
