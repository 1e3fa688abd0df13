package input

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"cadem/core/diag"
	"cadem/core/figure"
)

// Quote returns text of a file fit for a message: quoted, and cut when it is long.
func Quote(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		return strconv.Quote(string([]rune(s[:min(len(s), 4*most)])[:most])+"…") + fmt.Sprintf(" (%d characters)", utf8.RuneCountInString(s))
	}
	return strconv.Quote(s)
}

// List lists names in words, quoted: so many of them, and how many more there are.
func List(names []string, most int) string {
	var b strings.Builder
	for k, name := range names[:min(len(names), most)] {
		if k > 0 {
			b.WriteString(", ")
		}
		b.WriteString(Quote(name))
	}
	if n := len(names) - most; n > 0 {
		fmt.Fprintf(&b, " and %d more", n)
	}
	return b.String()
}

// Some lists the first few of some names.
func Some(names []string) string { return List(names, 3) }

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
	return figure.Count(int(n), "byte")
}

// XMLError names the file and the field of an error of the XML reader, which knows the line alone.
func XMLError(file, field string, err error) error {
	if e, ok := err.(*diag.Error); ok && e.File == "" && e.Where == "" {
		return &diag.Error{File: file, Where: fmt.Sprintf("%s line %d", field, e.Line), Found: e.Found, Expected: e.Expected}
	}
	return err
}
