// Package figure writes numbers and counts for people: with a true minus sign (U+2212), counts without
// a fraction, and small chances as a bound. Data for programs, CSV and JSON, do not use it.
// www/dom/figures.ts has the same for the page's own scripts.
package figure

import (
	"math"
	"strconv"
	"strings"
)

// Minus is the sign of negative numbers.
const Minus = "\u2212"

// Fixed writes v with that number of digits after the point. A value that rounds to 0 has no sign.
func Fixed(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.HasPrefix(s, "-") && strings.Trim(s, "-0.") == "" {
		s = s[1:]
	}
	return Signs(s)
}

// AtMost writes v with at most that number of digits after the point: 8, 7.6, 0.125.
func AtMost(v float64, digits int) string {
	s := Fixed(v, digits)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Short writes v with four significant digits at most, very small and very large numbers with
// a power of ten: 2.346, 12350, 1.23e−5. The page's figure has the same limits; one table tests both.
func Short(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-3 || a >= 1e6) && !math.IsInf(v, 0) {
		mantissa, power, _ := strings.Cut(strconv.FormatFloat(v, 'e', 2, 64), "e")
		sign := strings.TrimPrefix(power[:1], "+")
		return Signs(mantissa + "e" + sign + strings.TrimLeft(power[1:], "0"))
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	if err != nil {
		panic(err) // it was written a line above
	}
	return Signs(strconv.FormatFloat(rounded, 'f', -1, 64))
}

// Chance writes a probability: three digits after the point, and less than the least of them
// as a bound.
func Chance(p float64) string {
	const least = 0.001
	if p < least {
		return "<\u00a00.001"
	}
	return Fixed(p, 3)
}

// Signs gives the numbers of a text their true minus: a hyphen before a digit that follows
// nothing, a space, an opening bracket or the e of a power.
func Signs(s string) string {
	at := -1
	for i := range len(s) - 1 {
		if s[i] == '-' && digit(s[i+1]) && (i == 0 || strings.IndexByte(" (", s[i-1]) >= 0 || s[i-1] == 'e' && i > 1 && digit(s[i-2])) {
			at = i
			break
		}
	}
	if at < 0 {
		return s
	}
	return s[:at] + Minus + Signs(s[at+1:])
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

// Count writes how many there are: "1 node", "2 nodes".
func Count(n int, what string) string {
	return strconv.Itoa(n) + " " + Plural(n, what, what+"s")
}

// And joins words as a sentence does: "a, b and c".
func And(words []string) string {
	if last := len(words) - 1; last > 0 {
		return strings.Join(words[:last], ", ") + " and " + words[last]
	}
	return strings.Join(words, "")
}

// Does writes how many do something: "1 node has", "2 nodes have".
func Does(n int, what, one, more string) string { return Count(n, what) + " " + Plural(n, one, more) }

// Plural returns one word for n = 1 and the other for more.
func Plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
