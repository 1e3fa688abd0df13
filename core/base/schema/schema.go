// Package schema says what decoded JSON from elsewhere must be; what does not fit comes back as a [*diag.Error]:
//
//	run := schema.Object(schema.Fields{
//		{"name", schema.Text(1, 100)},
//		{"step?", schema.Number(0, 1<<53, true)},
//	})
//	err := run("record", value) // record.name: found 5, expected a text of 1 to 100 characters
package schema

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
)

// A Schema checks a decoded JSON value: nil, bool, float64, string, []any or map[string]any; nil if
// it is absent. At is its path; the error is a [*diag.Error].
type Schema func(at string, v any) error

// Unfit makes the error of a value.
func Unfit(at string, v any, expected string) error {
	return &diag.Error{Where: at, Found: inWords(v), Expected: expected}
}

// inWords describes a value, a long text by its beginning.
func inWords(v any) string {
	const most = 40
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		if r := []rune(v); len(r) > most {
			return strconv.Quote(string(r[:most])+"…") + fmt.Sprintf(" (%d characters)", len(r))
		}
		return strconv.Quote(v)
	case []any:
		return "a list of " + strconv.Itoa(len(v))
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(v)
}

// Fields lists the fields of an object, in the order in which they are checked. It is a list, since a map made at program
// start takes more code. A name that ends with a question mark may be absent.
type Fields []struct {
	Name string
	Is   Schema
}

// Object is one with such fields; others are left alone.
func Object(fields Fields) Schema {
	return func(at string, v any) error {
		m, ok := v.(map[string]any)
		if !ok {
			return Unfit(at, v, "an object")
		}
		for _, f := range fields {
			name, optional := strings.CutSuffix(f.Name, "?")
			if optional && m[name] == nil {
				continue
			}
			if err := f.Is(Join(at, name), m[name]); err != nil {
				return err
			}
		}
		return nil
	}
}

// Join returns the path of a field below another path.
func Join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// Each is an object whose fields are all of one kind.
func Each(name, value Schema) Schema {
	return func(at string, v any) error {
		m, ok := v.(map[string]any)
		if !ok {
			return Unfit(at, v, "an object")
		}
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if err := name(at, k); err != nil {
				return err
			}
			if err := value(Join(at, k), m[k]); err != nil {
				return err
			}
		}
		return nil
	}
}

// List is a list of at most that number of values of a kind.
func List(most int, of Schema) Schema {
	return func(at string, v any) error {
		l, ok := v.([]any)
		if !ok || len(l) > most {
			return Unfit(at, v, fmt.Sprintf("a list of at most %d", most))
		}
		for i, x := range l {
			if err := of(fmt.Sprintf("%s[%d]", at, i), x); err != nil {
				return err
			}
		}
		return nil
	}
}

// Text is a string of at most that number of characters.
func Text(least, most int) Schema {
	return func(at string, v any) error {
		if s, ok := v.(string); !ok || len(s) < least || len([]rune(s)) > most {
			return Unfit(at, v, fmt.Sprintf("a text of %d to %d characters", least, most))
		}
		return nil
	}
}

// ID is a name used in keys and selectors.
func ID(at string, v any) error {
	s, _ := v.(string)
	strange := func(r rune) bool {
		return !(r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '.' || r == '-')
	}
	if s == "" || len(s) > 64 || strings.ContainsFunc(s, strange) {
		return Unfit(at, v, "1 to 64 letters, digits, dots, dashes or underscores")
	}
	return nil
}

// Moment is a time as RFC 3339 writes it in UTC: 2025-01-31T12:00:00Z, with digits of a second or
// without. Core keeps no time, so no day is looked up in a calendar here.
func Moment(at string, v any) error {
	s, _ := v.(string)
	const form = "0000-00-00T00:00:00"
	ok := len(s) > len(form) && len(s) < len(form)+12
	for i := 0; ok && i < len(form); i++ {
		ok = s[i] == form[i] || form[i] == '0' && isDigit(s[i])
	}
	if ok {
		part := func(from int) int { return int(s[from]-'0')*10 + int(s[from+1]-'0') }
		month, day := part(5), part(8)
		ok = month >= 1 && month <= 12 && day >= 1 && day <= 31 && part(11) < 24 && part(14) < 60 && part(17) < 60
		rest := s[len(form):]
		fraction, utc := strings.CutSuffix(rest, "Z")
		ok = ok && utc &&
			(fraction == "" || len(fraction) > 1 && fraction[0] == '.' && !strings.ContainsFunc(fraction[1:], func(r rune) bool { return !isDigit(byte(r)) || r > '9' }))
	}
	if !ok {
		return Unfit(at, v, "a time such as 2025-01-31T12:00:00Z")
	}
	return nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Number is a finite one in a range, whole if asked for.
func Number(from, to float64, whole bool) Schema {
	what := "a number"
	if whole {
		what = "a whole number"
	}
	return func(at string, v any) error {
		x, ok := v.(float64)
		if !ok || !(x >= from && x <= to) || whole && x != math.Trunc(x) {
			return Unfit(at, v, fmt.Sprintf("%s from %v to %v", what, from, to))
		}
		return nil
	}
}

// OneOf is one of some words.
func OneOf[S ~string](words ...S) Schema {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	return func(at string, v any) error {
		if s, ok := v.(string); !ok || !slices.Contains(all, s) {
			return Unfit(at, v, "one of "+strings.Join(all, ", "))
		}
		return nil
	}
}

// Optional may be absent.
func Optional(s Schema) Schema {
	return func(at string, v any) error {
		if v == nil {
			return nil
		}
		return s(at, v)
	}
}

// Plain is a number, a short text, true or false.
func Plain(at string, v any) error {
	switch v := v.(type) {
	case float64, bool:
		return nil
	case string:
		if len(v) <= 1000 {
			return nil
		}
	}
	return Unfit(at, v, "a number, a text of at most 1000 characters, true or false")
}

// Bool is true or false.
func Bool(at string, v any) error {
	if _, ok := v.(bool); !ok {
		return Unfit(at, v, "true or false")
	}
	return nil
}
