package property

import (
	"strings"

	"cadem.example/core/base/diag"
)

// Unknown returns the error of a name that is none of those there are: it lists them, and says
// which of them was probably meant. Field and found are those of an [diag.Error].
func Unknown(field, found, name string, valid []string) *diag.Error {
	return diag.Option(field, found, "one of "+strings.Join(valid, ", ")+Meant(name, valid))
}

// Meant returns the end of a sentence that asks for the one of names that is nearest to name,
// "" if none is near.
func Meant(name string, names []string) string {
	if near := Nearest(name, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// Nearest returns the one of names that is name with a slip of the hand, "" if there is none:
// a few letters are other ones, missing, doubled or swapped, or it is the beginning of a single one.
func Nearest(name string, names []string) string {
	name = strings.ToLower(name)
	best, least := "", max(1, len(name)/3)+1
	for _, other := range names {
		if d := slips(name, strings.ToLower(other)); d < least {
			best, least = other, d
		}
	}
	if best != "" || name == "" {
		return best
	}
	for _, other := range names {
		if strings.HasPrefix(strings.ToLower(other), name) {
			if best != "" {
				return ""
			}
			best = other
		}
	}
	return best
}

// slips counts the letters to change, add, take away or swap with the next to make b of a.
func slips(a, b string) int {
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
