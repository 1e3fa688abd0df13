package text

import (
	"cmp"
	"strings"

	"cadem/core/formats/internal/input"
)

// Natural compares ids as people sort them: numbers in them as numbers, the rest as text. Numbers that
// are equal, such as 1 and 01, come in the order of their text.
func Natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		p, q := digits(x), digits(y)
		switch {
		case p > 0 && q > 0:
			m, n := strings.TrimLeft(x[:p], "0"), strings.TrimLeft(y[:q], "0")
			if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
				return c
			}
			x, y = x[p:], y[q:]
		case p > 0:
			return -1
		case q > 0:
			return 1
		case x[0] != y[0]:
			return cmp.Compare(x[0], y[0])
		default:
			x, y = x[1:], y[1:]
		}
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// digits returns how many digits a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// sameNumber tells whether two ids are the same whole number, written in two ways.
func sameNumber(a, b string) bool {
	return a != b && input.IsWhole(a) && input.IsWhole(b) && input.Canonical(a) == input.Canonical(b)
}
