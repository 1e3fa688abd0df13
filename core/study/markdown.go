package study

import (
	"fmt"
	"slices"
	"strings"
)

// The columns of a board that are too long for a table of text.
const causeTitle, checkTitle, commandTitle = "cause", "check", "command"

// Markdown returns the reports as a text for people that programs can read, too: sentences, and the table of figures. Long texts of a row
// are below the table, once, under a number.
func Markdown(reports []*Report, note string) string {
	var b strings.Builder
	for i, r := range reports {
		if i > 0 {
			b.WriteByte('\n')
		}
		r.markdown(&b)
	}
	if note != "" {
		b.WriteString("\n" + wrapped(note, ""))
	}
	return b.String()
}

func (r *Report) markdown(b *strings.Builder) {
	b.WriteString("# " + r.Title + "\n")
	if len(r.Findings) > 0 {
		b.WriteByte('\n')
	}
	for _, s := range r.Findings {
		b.WriteString("* " + wrapped(s, "  "))
	}
	var notes []string
	note := func(s string) string {
		if s == "" {
			return ""
		}
		k := slices.Index(notes, s)
		if k < 0 {
			k = len(notes)
			notes = append(notes, s)
		}
		return fmt.Sprint(k + 1)
	}
	list := r.Lines(3)
	for i, line := range list {
		var cells []string
		for k, s := range line {
			if i > 0 && slices.Contains([]string{causeTitle, checkTitle, commandTitle}, list[0][k]) {
				s = note(strings.TrimSpace(s))
			}
			cells = append(cells, strings.ReplaceAll(s, "|", `\|`))
		}
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("|" + strings.Join(cells, "|") + "|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(cells)) + "|\n")
		}
	}
	if len(notes) > 0 {
		b.WriteByte('\n')
	}
	for k, s := range notes {
		b.WriteString(wrapped(fmt.Sprintf("%d. %s", k+1, s), "   "))
	}
	for _, s := range r.Held {
		b.WriteString("\n" + wrapped(s.Title, "") + "\n")
		for i, line := range s.Lines {
			b.WriteString("|" + strings.Join(line, "|") + "|\n")
			if i == 0 {
				b.WriteString(strings.Repeat("|---", len(line)) + "|\n")
			}
		}
	}
	b.WriteString("\n" + wrapped(r.Text, "") + "\n" + wrapped(r.Setting, ""))
	if r.Missing > 0 {
		b.WriteString("\n" + wrapped(fmt.Sprintf("%d of %s not run.", r.Missing, Plural(r.Tasks, "task")), ""))
	}
}

// wrapped breaks a text into lines; all after the first begin with an indent.
func wrapped(text, indent string) string {
	const width = 130
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		switch n := len([]rune(word)); {
		case column == 0:
			column = n
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = len(indent) + n
		default:
			b.WriteByte(' ')
			column += 1 + n
		}
		b.WriteString(word)
	}
	return b.String() + "\n"
}
