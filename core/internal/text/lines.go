package text

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
)

// A layout says how the lines of a file are cut into fields: in one way for the whole file.
type layout struct {
	separator byte   // tab, semicolon, comma, or a blank for any run of blanks and tabs
	comma     bool   // numbers have a decimal comma, which is read as a point
	unclear   bool   // numbers have commas that may be decimal or of thousands
	grouped   uint64 // the columns of numbers whose commas stand between thousands, as bits: they are read without them
	above     *Row   // the titles of columns that a comment above the first record gives
	empty     int    // separators at the end of every line, behind which nothing follows
}

// sampled is the number of lines that decide on a layout.
const sampled = 100

// layoutOf finds the layout of a text: the first of tab, semicolon and comma that cuts its first
// lines into the same number of fields, else the first that its first line has, else blanks.
func layoutOf(text string) layout {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); !input.IsComment(line) {
			if lines = append(lines, line); len(lines) == sampled {
				break
			}
		}
	}
	if lines == nil {
		return layout{separator: ' '}
	}
	l := layout{}
	for _, separator := range []byte("\t;,|") {
		first := count(lines[0], separator)
		if first == 0 || separator == '|' && strings.ContainsAny(lines[0], " \t") { // a name may hold one
			continue
		}
		if l.separator == 0 {
			l.separator = separator
		}
		even := true
		for k, line := range lines[1:] {
			n := count(line, separator)
			even = even && n > 0 && (n == first || n == first+1 && (k == 0 || n == count(lines[1], separator)))
		}
		if even {
			l.separator = separator
			break
		}
	}
	if l.separator == 0 || l.blanksInside(lines) {
		l.separator = ' '
	}
	if l.grouped = l.thousands(text); l.separator != ',' {
		l.comma, l.unclear = l.decimalCommas(text)
	}
	if l.separator != ' ' {
		l.empty = l.ends(text)
		head, _ := l.split(lines[0], nil)
		l.above = l.titled(text, len(head)-l.empty, true)
	}
	return l
}

// ends returns how many separators stand at least at the end of every line. They end lines and begin no column, but for those of
// the lower triangle of a matrix, whose first line holds at most a name before more of them.
func (l *layout) ends(text string) int {
	least, first := len(text), -1
	for least > 0 && text != "" {
		var line string
		if line, text, _ = strings.Cut(text, "\n"); !input.IsComment(line) {
			n, at := 0, len(line)-1
			for ; at >= 0 && (line[at] == l.separator || line[at] == ' ' || line[at] == '\r'); at-- {
				n += btoi(line[at] == l.separator)
			}
			if least = min(least, n); first < 0 {
				first = n * btoi(strings.IndexByte(line[:at+1], l.separator) < 0)
			}
		}
	}
	if first > least {
		return 0
	}
	return least
}

// signs begin comments.
const signs = "#%-"

// titled looks for the titles of n columns in the comments above the first record: in the last of those with a blank behind the
// sign, or below it, as names may begin with the sign. They name the ends of links; numbered: or the ids of nodes, and before comes
// a column called # that numbers the rows.
func (l *layout) titled(text string, n int, numbered bool) (above *Row) {
	var fields []string
	for at := 1; text != ""; at++ {
		var line string
		if line, text, _ = strings.Cut(text, "\n"); !input.IsComment(line) {
			break
		}
		comment := strings.TrimLeft(strings.TrimSpace(line), signs)
		fields = fields[:0]
		if rest, ok := strings.CutPrefix(strings.TrimLeft(comment, " "), string(l.separator)); ok && numbered {
			fields, comment = append(fields, "#"), rest
		}
		if l.separator != ' ' && count(comment, l.separator) == n-1-len(fields) {
			fields, _ = l.split(comment, fields)
		} else {
			fields = l.words(strings.Map(func(r rune) rune {
				if r == ',' || r == ';' {
					return ' '
				}
				return r
			}, comment), fields)
		}
		if len(fields) == n {
			_, ok := headed(fields)
			ok = ok || l.separator != ' ' && isPaired(fields)
			if (ok || numbered && frontOf(fields) > 0) && (fields[0] == "#") == numbered {
				above = &Row{at, slices.Clone(fields)}
				continue
			}
		}
		if !isWord(comment) {
			above = nil
		}
	}
	return above
}

// isWord reports whether what follows the sign of a comment may be the rest of a name.
func isWord(rest string) bool { return rest != "" && rest[0] != ' ' && rest[0] != '\t' }

// count returns the number of separators in a line outside of quotes.
func count(line string, separator byte) int {
	if strings.IndexByte(line, '"') < 0 {
		return strings.Count(line, string(separator))
	}
	n, quoted := 0, false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == separator && !quoted:
			n++
		}
	}
	return n
}

// blanksInside reports whether blanks separate numbers, too: then they all do.
func (l layout) blanksInside(lines []string) bool {
	blank := func(r rune) bool { return r != rune(l.separator) && unicode.IsSpace(r) }
	if !slices.ContainsFunc(lines[1:], func(line string) bool { return strings.ContainsFunc(line, blank) }) {
		return false
	}
	inside := false
	for k, line := range lines {
		for field := range strings.SplitSeq(line, string(l.separator)) {
			parts := strings.Fields(field)
			inside = inside || len(parts) > 1 && k > 0
			for _, part := range parts {
				if _, ok := input.Number(strings.Replace(part, ",", ".", 1)); !ok && k > 0 {
					return false
				}
			}
		}
	}
	return inside && len(lines) > 1
}

// split appends the fields of a line to dst, without the blanks around them. A field in quotes may hold
// separators, and quotes that are doubled. It tells false when a quotation mark is not closed.
func (l layout) split(line string, dst []string) ([]string, bool) {
	quotes := strings.IndexByte(line, '"') >= 0
	if l.separator == ' ' && !quotes {
		return l.words(line, dst), true
	}
	if !quotes {
		for {
			at := strings.IndexByte(line, l.separator)
			if at < 0 {
				return append(dst, l.point(strings.TrimSpace(line))), true
			}
			dst = append(dst, l.point(strings.TrimSpace(line[:at])))
			line = line[at+1:]
		}
	}
	blank := func(s string) string { return strings.TrimLeft(s, " \t\u00a0") }
	if l.separator == '\t' {
		blank = func(s string) string { return strings.TrimLeft(s, " \u00a0") }
	}
	for line = blank(line); ; line = blank(line) {
		var field string
		if strings.HasPrefix(line, `"`) {
			inside, rest, closed := unquote(line[1:])
			switch {
			case closed:
				field, line = inside, rest
			case l.separator == ' ': // a word that begins with a mark
				at := l.end(line)
				field, line = line[:at], line[at:]
			default:
				return dst, false
			}
			if at := l.end(line); at > 0 { // what follows the closing mark belongs to the field
				field += strings.TrimRight(line[:at], " ")
				line = line[at:]
			}
		} else {
			at := l.end(line)
			field, line = line[:at], line[at:]
		}
		dst = append(dst, l.point(strings.TrimSpace(field)))
		if line == "" {
			return dst, true
		}
		if line = line[1:]; l.separator == ' ' && blank(line) == "" {
			return dst, true
		}
	}
}

// words appends what blanks separate. Most lines hold ASCII alone, and an iterator over fields is slow in the browser.
func (l layout) words(line string, dst []string) []string {
	start := -1
	for i := range len(line) {
		switch c := line[i]; {
		case c >= 0x80:
			if start < 0 {
				start = i
			}
			for field := range strings.FieldsSeq(line[start:]) {
				dst = append(dst, l.point(field))
			}
			return dst
		case c != ' ' && (c < '\t' || c > '\r'):
			if start < 0 {
				start = i
			}
		case start >= 0:
			dst = append(dst, l.point(line[start:i]))
			start = -1
		}
	}
	if start >= 0 {
		dst = append(dst, l.point(line[start:]))
	}
	return dst
}

// records gives the fields of every line that is no comment.
func (l layout) records(text string) iter.Seq[[]string] {
	return func(yield func(fields []string) bool) {
		var fields []string
		for line := range strings.Lines(text) {
			if input.IsComment(line) {
				continue
			}
			if fields, _ = l.split(strings.TrimRight(line, "\r\n"), fields[:0]); !yield(fields) {
				return
			}
		}
	}
}

// end returns the end of the field at the beginning of a line.
func (l layout) end(line string) int {
	at := strings.IndexByte(line, l.separator)
	if l.separator == ' ' {
		at = strings.IndexAny(line, " \t")
	}
	if at < 0 {
		return len(line)
	}
	return at
}

// unquote returns the text before the closing mark, and the rest.
func unquote(s string) (field, rest string, closed bool) {
	for at := 0; at < len(s); at++ {
		if s[at] != '"' {
			continue
		}
		if at++; at == len(s) || s[at] != '"' { // not doubled
			return strings.ReplaceAll(s[:at-1], `""`, `"`), s[at:], true
		}
	}
	return "", "", false
}

// point writes a number with a decimal point.
func (l layout) point(field string) string {
	if l.comma && isDecimalComma(field) {
		return strings.Replace(field, ",", ".", 1)
	}
	return field
}

// id restores an id from the file: [layout.point] read 1,2 as 1.2 if numbers have commas, and then none has a point.
func (l layout) id(field string) string {
	if l.comma && strings.IndexByte(field, '.') >= 0 {
		if _, ok := input.Number(field); ok {
			return strings.Replace(field, ".", ",", 1)
		}
	}
	return field
}

// A scanner reads the records of a text one after the other: lines of fields, or several lines where a
// field in quotes goes on. Empty lines are none. Lines that begin as comments do are none, either, unless
// separators cut them into as many fields as the records before them: further down a name may begin with # or %. Where blanks
// separate, it may do so below a header alone. Titles that a comment gives are the first record.
type scanner struct {
	layout
	file   string
	front  int  // the field that comes first in place of the first
	ids    int  // the column of the ids of a table of nodes, from 1; 0: by its title
	table  bool // further down no line is a comment that has as many fields as the first
	rest   string
	row    int     // records that were read
	lines  []int32 // of the records, where the text was made of something else
	line   int     // of the record
	next   int     // the line that comes next
	fields []string
	width  int // of the first record
	err    error

	headed bool            // a header was read before
	early  [widest + 1]int // comments above the first record, by their number of fields
	left   int             // comments below it
	doubt  int             // rows that begin with the sign of a comment and a blank
}

func newScanner(file, text string, l layout) *scanner {
	return &scanner{layout: l, file: file, rest: text, next: 1}
}

// scan reads the next record; false at the end, or with err of a quotation mark that is not closed.
func (s *scanner) scan() bool {
	if a := s.above; a != nil && s.width == 0 {
		s.fields, s.line = append(s.fields, a.Fields...), a.Line
		for ; s.next <= a.Line; s.next++ {
			_, s.rest, _ = strings.Cut(s.rest, "\n")
		}
		s.begin()
		return true
	}
	for s.rest != "" {
		var line string
		line, s.rest, _ = strings.Cut(s.rest, "\n")
		s.line = s.next
		s.next++
		if s.lines != nil && s.row < len(s.lines) {
			s.line = int(s.lines[s.row])
		}
		comment := input.IsComment(line)
		begin := strings.TrimLeft(line, " \t\r")
		if comment && (begin == "" || strings.IndexByte(signs, begin[0]) < 0) {
			continue // it is empty or says the separator
		}
		var closed bool
		s.fields, closed = s.split(strings.TrimRight(line, "\r"), s.fields[:0])
		if !closed && !comment {
			if line, closed = s.more(line); closed {
				s.fields, closed = s.split(line, s.fields[:0])
			}
			if !closed {
				s.err = diag.At(s.file, s.line, "", "a quotation mark out of place",
					`quotes around a whole field, doubled inside: "a ""b"" c"`)
				return false
			}
		}
		for k := s.empty; k > 0 && len(s.fields) > 1 && s.fields[len(s.fields)-1] == ""; k-- {
			s.fields = s.fields[:len(s.fields)-1]
		}
		if comment && !s.isRow() {
			continue
		}
		for k, left := 0, s.grouped; left > 0 && k < len(s.fields); k, left = k+1, left>>1 {
			if left&1 > 0 {
				s.fields[k] = strings.ReplaceAll(s.fields[k], ",", "")
			}
		}
		if s.unclear {
			if k := slices.IndexFunc(s.fields, isDecimalComma); k >= 0 {
				s.err = diag.At(s.file, s.line, fmt.Sprintf("column %d", k+1), input.Quote(s.fields[k]), clearComma(s.fields[k]))
				return false
			}
		}
		s.begin()
		return true
	}
	return false
}

// isRow reports whether a line that begins as a comment is a row all the same, and counts it.
func (s *scanner) isRow() bool {
	n, name := len(s.fields), strings.TrimLeft(s.fields[0], signs)
	switch {
	case s.width == 0:
		if n < len(s.early) && isWord(name) {
			s.early[n]++
		}
		return false
	case n != s.width, s.separator == ' ' && !s.table && !(s.headed && name != ""):
		s.left += btoi(isWord(name))
		return false
	}
	s.doubt += btoi(name != "" && !isWord(name))
	return true
}

// comments says how many lines were left out that may be rows, because no blank follows the sign: above the first row, unless
// that is a header, those of as many fields.
func (s *scanner) comments(headed bool) (notes sentences) {
	if !headed && s.width < len(s.early) {
		s.left += s.early[s.width]
	}
	for k, n := range [...]int{s.left, s.doubt} {
		if n > 0 {
			notes.add("%s: %s as a comment does, with #, %% or --, and %s %s.", s.file,
				figure.Does(n, "line", "begins", "begin"), figure.Plural(n, "was", "were"),
				[...]string{"left out; in quotes a name may begin so", "read as data, by the number of fields"}[k])
		}
	}
	return notes
}

// begin counts a record, and brings the ids of a table to its front.
func (s *scanner) begin() {
	s.row++
	if s.width == 0 {
		s.width = len(s.fields)
		if s.table {
			if s.front = s.ids - 1; s.ids == 0 {
				s.front = frontOf(s.fields)
			}
		}
	}
	if k := s.front; k > 0 && k < len(s.fields) {
		s.fields[0], s.fields[k] = s.fields[k], s.fields[0]
	}
}

// frontOf returns which column of a table of nodes holds their ids by its title, where that is not the first.
func frontOf(header []string) int {
	if isHeaded(header) {
		return 0
	}
	for _, titles := range [][]string{idColumns, nameColumns} {
		for k, title := range header {
			if slices.Contains(titles, plainTitle(title)) {
				return k
			}
		}
	}
	return 0
}

// more returns a line together with those after it, up to the one that closes its last quotation
// mark: the one with an odd number of marks.
func (s *scanner) more(line string) (string, bool) {
	at := 0
	for at < len(s.rest) {
		end := strings.IndexByte(s.rest[at:], '\n') + 1
		if end == 0 {
			end = len(s.rest) - at
		}
		marks := strings.Count(s.rest[at:at+end], `"`)
		at += end
		s.next++
		if marks%2 == 1 {
			line += "\n" + strings.TrimRight(s.rest[:at], "\n")
			s.rest = s.rest[at:]
			return line, true
		}
	}
	return "", false
}

// clone returns the fields of the record; scan reuses them.
func (s *scanner) clone() []string { return slices.Clone(s.fields) }
