package input

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"cadem/core/formats/internal/xml"
)

// An Error says what is wrong with a file and what was expected.
type Error struct {
	File     string // "" when there is no single one
	Line     int    // from 1; 0 when there is none
	Field    string // column, header entry or part; "" when it is the file as a whole
	Found    string // quoted when it is text of the file
	Expected string
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	}
	if e.Field != "" {
		b.WriteString(clip(e.Field) + ": ")
	}
	return b.String() + "found " + e.Found + ", expected " + e.Expected
}

// clip returns a name of a file, such as that of a layer, cut when it is long.
func clip(s string) string {
	const most = 80
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s[:min(len(s), 4*most)])[:most]) + "…"
}

// Quote returns text of a file fit for a message: quoted, and cut when it is long.
func Quote(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		return strconv.Quote(string([]rune(s[:min(len(s), 4*most)])[:most])+"…") + fmt.Sprintf(" (%d characters)", utf8.RuneCountInString(s))
	}
	return strconv.Quote(s)
}

// Count returns "1 node", "2 nodes".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Plural returns one word for n = 1 and the other for more.
func Plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// Size returns a number of bytes in words.
func Size(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 10_000:
		return fmt.Sprintf("%d kB", n/1000)
	}
	return Count(int(n), "byte")
}

// XMLError turns an error of the XML reader into one of this package.
func XMLError(file, field string, err error) error {
	if e, ok := err.(*xml.Error); ok {
		return &Error{file, 0, fmt.Sprintf("%s line %d", field, e.Line), e.Found, e.Expected}
	}
	return err
}
