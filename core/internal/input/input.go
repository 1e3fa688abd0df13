// Package input reads files that are taken for hostile: within limits, counting what is kept in
// memory against the bytes that were really read, and with errors that say file, line and field.
// It also knows what kind of file bytes are, and unpacks zip and gzip.
package input

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
)

// Limits of reading. A file beyond them is refused with a message. Those of lists depend on where it is read.
const (
	MaxNodes   = 100_000 // nodes of matrices and other files that claim a number of them
	MaxLayers  = 256     // layers of an edge list
	MaxColumns = 256     // columns of a table of nodes or labels
	MaxWidth   = 1 << 20 // columns of a matrix, which may be told of few entries
	MaxArrays  = 1 << 30 // bytes of all arrays of an NPZ file, unpacked
	MaxArchive = 1 << 30 // bytes of all members of a run archive, unpacked
	MaxFile    = 1 << 31 // bytes of a file of arrays, as stored and unpacked
	MaxNamed   = 4096    // variables of a file
	MaxDepth   = 8       // levels of variables inside of variables
)

// MaxWeight is the largest edge weight; 1/MaxWeight is the smallest but 0. Degrees and
// their products then stay finite in single precision.
const MaxWeight = 1e12

// Quote returns text of a file fit for a message: quoted, and cut when it is long.
func Quote(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		return strconv.Quote(string([]rune(s[:min(len(s), 4*most)])[:most])+"…") + fmt.Sprintf(" (%d characters)", utf8.RuneCountInString(s))
	}
	return strconv.Quote(s)
}

// List lists names in words, quoted: at most that number of them, and how many more there are.
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
		return diag.At(file, 0, fmt.Sprintf("%s line %d", field, e.Line), e.Found, e.Expected)
	}
	return err
}

// Number reads a number as programs write it, infinity and NaN among them, and reports whether it is one. Digits are not
// grouped by underscores, which Go and Python read as a number, and R, pandas and spreadsheets as a word; and none is
// hexadecimal.
func Number(s string) (x float64, ok bool) {
	if x, ok = plain(s); ok {
		return x, true
	}
	for i := range len(s) {
		if c := s[i]; c == '_' || c == 'x' || c == 'X' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil || math.IsInf(x, 0)
}

// tens are powers of ten, which are exact.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// plain reads a number of at most 15 digits without an exponent, as most in tables are. Its digits and the power of ten are exact, so their
// quotient is the closest number.
func plain(s string) (x float64, ok bool) {
	digits, point, n := s, -1, uint64(0)
	if s != "" && s[0] == '-' {
		digits = s[1:]
	}
	if len(digits) > len(tens) {
		return 0, false
	}
	for i := range len(digits) {
		switch c := digits[i]; {
		case '0' <= c && c <= '9':
			n = 10*n + uint64(c-'0')
		case c == '.' && point < 0:
			point = i
		default:
			return 0, false
		}
	}
	decimals := 0
	if point >= 0 {
		decimals = len(digits) - 1 - point
	}
	if len(digits) == 0 || point >= 0 && len(digits) == 1 || point < 0 && len(digits) == len(tens) {
		return 0, false
	}
	x = float64(n) / tens[decimals]
	if len(digits) < len(s) {
		x = -x
	}
	return x, true
}

// IsComment reports whether a line has no data: it is empty, begins with #, % or --, or is "sep=;", which
// spreadsheets write before a table.
func IsComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#' || line[0] == '%' || strings.HasPrefix(line, "--") || len(line) <= len("sep=;") && strings.HasPrefix(line, "sep=")
}

// Canonical returns the form of an id used for comparison: a whole number without sign and leading
// zeros, any other word unchanged.
func Canonical(id string) string {
	if !IsWhole(id) {
		return id
	}
	return cmp.Or(strings.TrimLeft(strings.TrimPrefix(id, "+"), "0"), "0")
}

// IsWhole reports whether an id is a whole number >= 0 of at most 18 digits.
func IsWhole(id string) bool {
	id = strings.TrimPrefix(id, "+")
	if id == "" || len(id) > 18 {
		return false
	}
	for i := range len(id) {
		if id[i] < '0' || id[i] > '9' {
			return false
		}
	}
	return true
}

// Composed returns the form NFC of a text. Programs set it by what they have for that: its tables would add
// 59 kB to those of the page.
var Composed = func(text string) string { return text }

// Name returns the form of a name used for comparison: letters are composed, blanks of any width plain, and those
// without a width left out.
func Name(s string) string {
	other, marks := false, false
	for i := range len(s) {
		other = other || s[i] >= utf8.RuneSelf
		marks = marks || s[i] >= 0xcc // from U+0300 on; letters below are one character each
	}
	if !other || !utf8.ValidString(s) {
		return s
	}
	if marks {
		s = Composed(s)
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\u200b', r == '\u2060', r == '\ufeff':
			return -1
		case r >= utf8.RuneSelf && unicode.IsSpace(r):
			return ' '
		}
		return r
	}, s))
}

// Index returns where a name is among others, as [Name] has them; -1 if it is not.
func Index(names []string, name string) int {
	name = Name(name)
	return slices.IndexFunc(names, func(other string) bool { return Name(other) == name })
}

// Plain returns the form of a column name used for comparison: lower case letters and digits only.
func Plain(column string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(column))
}

// Stem returns the name of a file without folders and endings.
func Stem(file string) string {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	name = strings.TrimSuffix(name, ".gz")
	if s := strings.TrimSuffix(name, path.Ext(name)); s != "" {
		return s
	}
	return name
}
