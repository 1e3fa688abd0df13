package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	decimal    = regexp.MustCompile(`(?:^|[^\w.=/,-]-?)([0-9]*\.[0-9]+)\b`)
	printed    = regexp.MustCompile(`(?m)^    .*(bin/cadem|make |go test|go run|CADEM_|python)`)
	inline     = regexp.MustCompile("`[^`\n]*(bin/cadem|make |go test|CADEM_|_test\\.go)") // where it comes from, in a word
	sourceOf   = regexp.MustCompile(`\]\(([^)#:]+\.md)\)|data-source="([^"]+)"`)
	codeOrLink = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`|https?://[^ )]+|(?:Go|GEXF|MATLAB|MAT|HDF5|WebKitGTK|pandas|NumPy|version) [0-9.]+")
	headed     = regexp.MustCompile(`(?m)^##+ `)
)

// unsourced lists the decimal numbers of a text that have no source. A number in a section with a command is printed by that. Other sections have numbers
// of those, or of the results that their paragraph links to.
func unsourced(name, text string, read func(string) string) (list []string) {
	if strings.Contains(text, "\nMade on ") && strings.Contains(text, " by: bin/cadem ") {
		return nil // stored results, as a command wrote them
	}
	var sections, of []string
	from := 0
	for _, at := range append(headed.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		section := text[from:at[0]]
		if from = at[0]; printed.MatchString(section) {
			of = append(of, section)
		} else {
			sections = append(sections, section)
		}
	}
	for _, section := range sections {
		section = codeBlock.ReplaceAllString(section, "")
		for paragraph := range strings.SplitSeq(strings.ReplaceAll(section, "\n* ", "\n\n* "), "\n\n") {
			if inline.MatchString(paragraph) {
				continue
			}
			known := strings.Join(of, "")
			for _, m := range sourceOf.FindAllStringSubmatch(paragraph, -1) {
				known += read(path.Join(path.Dir(name), m[1]+m[2]))
			}
			for _, m := range decimal.FindAllStringSubmatch(codeOrLink.ReplaceAllString(paragraph, ""), -1) {
				if !holds(known, m[1]) {
					list = append(list, name+" "+m[1])
				}
			}
		}
	}
	return list
}

// holds reports whether a text has a decimal number, with a 0 ahead of the point or without.
func holds(text, number string) bool {
	return regexp.MustCompile(`(?:^|[^0-9.])0?` + regexp.QuoteMeta(strings.TrimPrefix(number, "0")) + `(?:[^0-9]|$)`).MatchString(text)
}

var codeBlock = regexp.MustCompile("(?s)```.*?```")

// Decimal numbers of documents, exercises, captions and stored sentences stand beside the command that prints them, the stored results that they are
// of, or the test that measures them again, but for those that testdata/decimals.txt lists with a reason.
func TestFiguresHaveSources(t *testing.T) {
	const most = 40
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	allowed := map[string]bool{}
	for line := range strings.Lines(read("testdata/decimals.txt")) {
		if number, reason, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && reason != "" {
			allowed[number] = false
		}
	}
	if len(allowed) > most {
		t.Errorf("%d decimals are allowed without a source, expected at most %d", len(allowed), most)
	}
	exercises, err := filepath.Glob("www/exercises/*.ts")
	if err != nil || exercises == nil {
		t.Fatal("no exercises", err)
	}
	for _, name := range slices.Concat([]string{"README.md", "RATIONALE.md", "www/index.html", "www/essay/scenes.ts", "www/explain/glossary.ts",
		"www/settings/form.ts"}, matches("docs/*.md"), exercises) {
		text := read(name)
		if path.Ext(name) == ".html" { // a paragraph is an element, and numbers in tags are none of it
			text = regexp.MustCompile(`(?s)<(p|dd|li)\b`).ReplaceAllString(text, "\n\n<$1")
			text = regexp.MustCompile(`(?s)<math.*?</math>`).ReplaceAllString(text, "")
			text = regexp.MustCompile(`<[^>]*>`).ReplaceAllStringFunc(text, func(tag string) string {
				return strings.Join(sourceOf.FindAllString(tag, -1), " ")
			})
			text = strings.ReplaceAll(text, `data-source="`, `data-source="../`)
		}
		if path.Ext(name) == ".ts" {
			texts := regexp.MustCompile(`'(?:[^'\\\n]|\\.)*'`).FindAllString(text, -1)
			of := "\n\n"
			if name == "www/settings/form.ts" { // what it says of presets is of these documents
				of = "](../../docs/refined.md) ](../../docs/evidence.md)" + of
			}
			text = strings.Join(slices.DeleteFunc(texts, func(s string) bool { return !strings.Contains(s, " ") }), of)
		}
		for _, n := range unsourced(name, text, read) {
			if _, ok := allowed[n]; ok {
				allowed[n] = true
				continue
			}
			t.Errorf("%s: a decimal without a source, expected a command in its section, or a link to the results that it is of", n)
		}
	}
	stored := read("docs/reproduced.md") + read("docs/length.md")
	for _, m := range decimal.FindAllStringSubmatch(read("www/claims.json"), -1) {
		if !holds(stored, m[1]) {
			t.Errorf("www/claims.json: %s is in no stored result", m[1])
		}
	}
	for n, used := range allowed {
		if !used {
			t.Errorf("testdata/decimals.txt: %s stands nowhere", n)
		}
	}
	const bad = "# A\n\nIt is 0.123 or .8.\n\n## B\n\n    bin/cadem train\n\nIt is 0.456.\n\n## C\n\nIt is 0.789 ([there](x.md)) and 0.79.\n"
	want := []string{"docs/a.md 0.123", "docs/a.md .8", "docs/a.md 0.79"}
	if got := unsourced("docs/a.md", bad, func(string) string { return "0.789" }); !slices.Equal(got, want) {
		t.Errorf("found %v", got)
	}
}
