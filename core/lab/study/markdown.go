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
		b.WriteString("\n" + wrapped("", note))
	}
	return b.String()
}

func (r *Report) markdown(b *strings.Builder) {
	b.WriteString("# " + cell(r.Title) + "\n")
	if len(r.Findings) > 0 {
		b.WriteByte('\n')
	}
	for _, s := range r.Findings {
		b.WriteString(wrapped("* ", s))
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
			cells = append(cells, s)
		}
		if i == 0 {
			b.WriteByte('\n')
		}
		tableLine(b, i, cells)
	}
	if len(notes) > 0 {
		b.WriteByte('\n')
	}
	for k, s := range notes {
		b.WriteString(wrapped(fmt.Sprintf("%d. ", k+1), s))
	}
	for _, s := range r.Held {
		b.WriteString("\n" + wrapped("", s.Title) + "\n")
		for i, line := range s.Lines {
			tableLine(b, i, line)
		}
	}
	b.WriteString("\n" + wrapped("", r.Text) + "\n" + wrapped("", r.Setting))
	if r.Missing > 0 {
		b.WriteString("\n" + wrapped("", fmt.Sprintf("%d of %s not run.", r.Missing, Plural(r.Tasks, "task"))))
	}
}

// tableLine writes line i of a table; the first one is its head.
func tableLine(b *strings.Builder, i int, cells []string) {
	for _, s := range cells {
		b.WriteString("|" + cell(s))
	}
	b.WriteString("|\n")
	if i == 0 {
		b.WriteString(strings.Repeat("|---", len(cells)) + "|\n")
	}
}

// cell returns a text as one line, which no table takes apart.
func cell(s string) string {
	return strings.ReplaceAll(literal(strings.NewReplacer("\n", " ", "\r", " ").Replace(s)), "|", `\|`)
}

// literal returns a text in which nothing is markup: names of files, columns and classes are whatever somebody called them.
func literal(s string) string {
	var b strings.Builder
	for i := range len(s) {
		before, after := byte(' '), byte(' ')
		if i > 0 {
			before = s[i-1]
		}
		if i+1 < len(s) {
			after = s[i+1]
		}
		markup := false
		switch s[i] {
		case '\\', '`', '*', '~':
			markup = true
		case '_':
			markup = !inWord(before) || !inWord(after)
		case '<', '&':
			markup = inWord(after) || strings.IndexByte("/!?#", after) >= 0
		case ']':
			markup = strings.IndexByte("([:", after) >= 0
		}
		if markup {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// inWord reports whether a byte is a letter or a digit of ASCII.
func inWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// first returns the first word of a line so that it begins no heading, list, quotation or rule.
func first(word string) string {
	number := strings.TrimLeft(word, "0123456789")
	if len(number) < len(word) && (number == "." || number == ")") {
		return strings.TrimSuffix(word, number) + `\` + number
	}
	if strings.HasPrefix(word, ">") || strings.Trim(word, "#") == "" || strings.Trim(word, "-+=") == "" {
		return `\` + word
	}
	return word
}

// wrapped breaks a text into lines behind a mark; all after the first are indented as far.
func wrapped(mark, text string) string {
	const width = 130
	var b strings.Builder
	b.WriteString(mark)
	column := 0
	for _, word := range strings.Fields(literal(text)) {
		switch n := len([]rune(word)); {
		case column == 0:
			column = n
			word = first(word)
		case column+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", len(mark)))
			column = len(mark) + n
			word = first(word)
		default:
			b.WriteByte(' ')
			column += 1 + n
		}
		b.WriteString(word)
	}
	return b.String() + "\n"
}
