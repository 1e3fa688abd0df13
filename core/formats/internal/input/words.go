package input

import (
	"math"
	"path"
	"strconv"
	"strings"
)

// Number reads a number as programs write it, infinity and NaN among them, and tells whether it is one. Digits are not
// grouped by underscores, which Go and Python read as a number, and R, pandas and spreadsheets as a word; and none is
// hexadecimal.
func Number(s string) (x float64, ok bool) {
	if strings.ContainsAny(s, "_xX") {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil || math.IsInf(x, 0)
}

// IsComment tells whether a line holds nothing to read: it is empty, begins with #, % or --, or is what
// spreadsheets write before a table, "sep=;".
func IsComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#' || line[0] == '%' || strings.HasPrefix(line, "--") || len(line) <= len("sep=;") && strings.HasPrefix(line, "sep=")
}

// Canonical returns an id as it is compared: a whole number without sign and leading
// zeros, any other word as it stands.
func Canonical(id string) string {
	if !IsWhole(id) {
		return id
	}
	id = strings.TrimPrefix(id, "+")
	for len(id) > 1 && id[0] == '0' {
		id = id[1:]
	}
	return id
}

// IsWhole tells whether an id is a whole number >= 0 of at most 18 digits.
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

// Plain returns a column name as it is compared: lower case letters and digits only.
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
