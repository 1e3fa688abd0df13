package study

import (
	"regexp"
	"strings"
	"testing"
)

// marked finds what CommonMark, or GitHub's tables, would take for markup.
var marked = regexp.MustCompile("(?m)(^|[^\\\\])(<[A-Za-z/!?]|&[A-Za-z#]|[`~]|\\*[^ ]|\\][(\\[:]|\\b_\\B|\\B_\\b)")

// begun finds what begins a block where a line does.
var begun = regexp.MustCompile("^ *(#+|[-+=]+|>.*|[0-9]+[.)]) ")

// Names of files, columns and classes are shown as they are, whatever somebody called them: taken out of the text again they are
// the same, and nothing of them is markup.
func TestMarkdownIsLiteral(t *testing.T) {
	names := []string{"<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "[here](javascript:alert(1))", "![x](http://host/pixel)",
		"a|b", "**bold**", "_x_", "__init__", "weight_causal", "`code`", `C:\data\*.csv`, "&lt;b&gt;", "<!-- hidden", "~~gone~~", "# Title", "- item",
		"1. first", "> said", "=== ===", "--- ---", "+ more", "[1]: http://host", "p < 0.001 & q > 3", "<\u00a00.001", "snowman \u2603_x_", "a\nb|c", "* *"}
	line := regexp.MustCompile(`\\([[:punct:]])`)
	for _, name := range names {
		r := &Report{Title: name, Findings: []string{name, strings.Repeat("word ", 25) + name}, Text: name, Setting: name,
			Rows: []Row{{Dataset: name, Metric: "ari", Ours: new(0.5)}}, Held: []Sheet{{Title: name, Lines: [][]string{{name, "b"}, {"c", name}}}}}
		text := Markdown([]*Report{r}, name)
		bare := line.ReplaceAllString(text, "$1")
		flat, want := strings.Join(strings.Fields(bare), " "), strings.Join(strings.Fields(name), " ")
		if n := strings.Count(flat, want); n < 9 {
			t.Errorf("%q stands there %d times, expected 9 or more:\n%s", name, n, text)
		}
		for _, l := range strings.Split(text, "\n") {
			own := strings.TrimPrefix(l, "* ")
			m := marked.FindString(own)
			if !strings.HasPrefix(l, "# ") && !strings.HasPrefix(l, "|") {
				m += begun.FindString(own)
			}
			if m != "" {
				t.Errorf("%q: %q is markup in %q", name, m, l)
			}
			cells := strings.Count(strings.ReplaceAll(l, `\|`, ""), "|")
			if strings.HasPrefix(l, "|") && cells != 3 && cells != 4 {
				t.Errorf("%q: %d bars in %q", name, cells, l)
			}
		}
	}
}
