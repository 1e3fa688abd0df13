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
	decimal    = regexp.MustCompile(`(?:^|[^\w.=/,-])([0-9]?\.[0-9]{2,}|[0-9]+\.[0-9]{2,})\b`)
	printed    = regexp.MustCompile(`(?m)^    .*(bin/cadem|make |go test|go run|CADEM_|python)`)
	inline     = regexp.MustCompile("`[^`\n]*(bin/cadem|make |go test|CADEM_)|\\*prototype\\*") // where it comes from, in a word
	sourceOf   = regexp.MustCompile(`\]\(([^)#:]+\.md)\)|data-source="([^"]+)"`)
	codeOrLink = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`|https?://[^ )]+|Go [0-9.]+")
)

// unsourced lists the decimal numbers of a text that have no source. A number in a section with a command is printed by that, and so is a table
// below one. Prose of another section has numbers of the document's tables, or of the results that its paragraph links to.
func unsourced(name, text string, read func(string) string) (list []string) {
	if name == "docs/table6.md" || strings.Contains(text, "\nMade on ") && strings.Contains(text, " by: bin/cadem ") {
		return nil // stored results, as a command wrote them
	}
	row := regexp.MustCompile(`(?m)^\|.*$`)
	tables := strings.Join(row.FindAllString(text, -1), "\n")
	heading := regexp.MustCompile(`(?m)^##+ `)
	from, seen := 0, false
	for _, at := range append(heading.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		section := text[from:at[0]]
		if from = at[0]; printed.MatchString(section) {
			seen = true
			continue
		}
		if seen {
			section = row.ReplaceAllString(section, "")
		}
		for paragraph := range strings.SplitSeq(strings.ReplaceAll(section, "\n* ", "\n\n* "), "\n\n") {
			if inline.MatchString(paragraph) {
				continue
			}
			known := ""
			if seen {
				known = tables
			}
			for _, m := range sourceOf.FindAllStringSubmatch(paragraph, -1) {
				known += read(path.Join(path.Dir(name), m[1]+m[2]))
			}
			for _, m := range decimal.FindAllStringSubmatch(codeOrLink.ReplaceAllString(paragraph, ""), -1) {
				if !strings.Contains(known, m[1]) {
					list = append(list, name+" "+m[1])
				}
			}
		}
	}
	return list
}

// Decimal numbers of documents, exercises, captions and stored sentences stand beside the command that prints them the stored results that they are of, or
// the test that measures them again, but for those that testdata/decimals.txt lists with a reason.
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
	for _, name := range slices.Concat([]string{"README.md", "www/index.html"}, matches("docs/*.md"), exercises) {
		text := read(name)
		if path.Ext(name) == ".html" { // a paragraph is an element, and numbers in tags are none of it
			text = regexp.MustCompile(`(?s)<(p|dd|li)\b`).ReplaceAllString(text, "\n\n<$1")
			text = regexp.MustCompile(`<[^>]*>`).ReplaceAllStringFunc(text, func(tag string) string { return strings.Join(sourceOf.FindAllString(tag, -1), " ") })
			text = strings.ReplaceAll(text, `data-source="`, `data-source="../`)
		}
		if path.Ext(name) == ".ts" {
			texts := regexp.MustCompile(`'(?:[^'\\\n]|\\.)*'`).FindAllString(text, -1)
			text = strings.Join(slices.DeleteFunc(texts, func(s string) bool { return !strings.Contains(s, " ") }), "\n\n")
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
		if !strings.Contains(stored, m[1]) {
			t.Errorf("www/claims.json: %s is in no stored result", m[1])
		}
	}
	for n, used := range allowed {
		if !used {
			t.Errorf("testdata/decimals.txt: %s stands nowhere", n)
		}
	}
	const bad = "# A\n\nIt is 0.123.\n\n## B\n\n    bin/cadem train\n\nIt is 0.456.\n\n## C\n\nIt is 0.789 ([there](x.md)) and 0.79.\n"
	if got := unsourced("docs/a.md", bad, func(string) string { return "0.789" }); !slices.Equal(got, []string{"docs/a.md 0.123", "docs/a.md 0.79"}) {
		t.Errorf("found %v", got)
	}
}
