package json

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cadem.example/core/base/diag"
)

// deepest is the largest depth of nested values.
const deepest = 1000

// Unmarshal reads one value into the target of a pointer. Unknown names are skipped; null does not
// change a value that cannot be nil. A text that is not JSON changes nothing and gives a
// [*diag.Error]; so does a value of another type, but values before it have been read then.
func Unmarshal(text []byte, target any) error {
	v := reflect.ValueOf(target)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		panic(unsupported(reflect.TypeOf(target)))
	}
	if err := check(text); err != nil {
		return err
	}
	r := reader{text: text}
	return r.value(v.Elem(), false)
}

// Valid reports whether a text is one JSON value.
func Valid(text []byte) bool { return check(text) == nil }

// check reads a text without keeping anything.
func check(text []byte) error {
	r := reader{text: text}
	if err := r.skip(); err != nil {
		return err
	}
	if r.space() != 0 || r.at < len(text) {
		return r.wrong("the end of the text")
	}
	return nil
}

type reader struct {
	text  []byte
	at    int
	depth int
	path  []string
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// space goes to the next byte that is none and returns it, 0 at the end.
func (r *reader) space() byte {
	for r.at < len(r.text) && isSpace(r.text[r.at]) {
		r.at++
	}
	return r.peek()
}

func (r *reader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// syntax is the error of a text that is not JSON.
func (r *reader) syntax(found, expected string) error {
	return &diag.Error{Where: fmt.Sprintf("json: byte %d", r.at), Found: found, Expected: expected}
}

func (r *reader) wrong(expected string) error {
	found := "the end"
	if r.at < len(r.text) {
		found = fmt.Sprintf("%q", r.text[r.at])
	}
	return r.syntax(found, expected)
}

// skip passes a value, and finds out whether it is one.
func (r *reader) skip() error {
	switch c := r.space(); {
	case c == '{':
		return r.members('}', func() error {
			if r.space() != '"' {
				return r.wrong("a name in quotation marks")
			}
			if err := r.pass(); err != nil {
				return err
			}
			if r.space() != ':' {
				return r.wrong("a colon")
			}
			r.at++
			return r.skip()
		})
	case c == '[':
		return r.members(']', r.skip)
	case c == '"':
		return r.pass()
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(string(r.text[r.at:min(len(r.text), r.at+len(word))]), word) {
			r.at += len(word)
			return nil
		}
	}
	return r.wrong("a value")
}

// members passes an object or array, whose members are read by one.
func (r *reader) members(end byte, one func() error) error {
	if r.depth++; r.depth > deepest {
		return r.syntax("more", fmt.Sprintf("at most %d values in each other", deepest))
	}
	defer func() { r.depth-- }()
	r.at++
	if r.space() == end {
		r.at++
		return nil
	}
	for {
		if err := one(); err != nil {
			return err
		}
		switch r.space() {
		case ',':
			r.at++
		case end:
			r.at++
			return nil
		default:
			return r.wrong(fmt.Sprintf("a comma or %q", end))
		}
	}
}

// pass passes a string.
func (r *reader) pass() error {
	for r.at++; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			return nil
		case c < ' ':
			return r.wrong("no control character in a string")
		case c == '\\':
			r.at++
			switch c := r.peek(); {
			case c == 'u':
				for range 4 {
					r.at++
					if c := r.peek() | 0x20; !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') || r.peek() < '0' {
						return r.wrong("a hexadecimal digit")
					}
				}
			case c == 0 || !strings.ContainsRune(`"\/bfnrt`, rune(c)):
				return r.wrong("one of \" \\ / b f n r t u")
			}
		}
	}
	return r.wrong("the end of the string")
}

func (r *reader) digits() error {
	from := r.at
	for c := r.peek(); c >= '0' && c <= '9'; c = r.peek() {
		r.at++
	}
	if r.at == from {
		return r.wrong("a digit")
	}
	return nil
}

// number passes a number.
func (r *reader) number() error {
	if r.peek() == '-' {
		r.at++
	}
	if r.peek() == '0' {
		r.at++
	} else if err := r.digits(); err != nil {
		return err
	}
	if r.peek() == '.' {
		r.at++
		if err := r.digits(); err != nil {
			return err
		}
	}
	if r.peek()|0x20 == 'e' {
		r.at++
		if c := r.peek(); c == '+' || c == '-' {
			r.at++
		}
		return r.digits()
	}
	return nil
}

// The functions below read a text that has been checked.

// value reads a value into v; quoted: a number written as a string.
func (r *reader) value(v reflect.Value, quoted bool) error {
	c := r.space()
	from := r.at
	if v.Type() == rawType {
		_ = r.skip()
		v.SetBytes(append([]byte(nil), r.text[from:r.at]...))
		return nil
	}
	if c == 'n' {
		r.at += len("null")
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice:
			v.SetZero()
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return r.value(v.Elem(), quoted)
	case reflect.Interface:
		if v.NumMethod() > 0 {
			panic(unsupported(v.Type()))
		}
		x, err := r.anything()
		if err == nil {
			v.Set(reflect.ValueOf(x))
		}
		return err
	}
	switch c {
	case '{':
		switch v.Kind() {
		case reflect.Struct:
			return r.fields(v)
		case reflect.Map:
			return r.object(v)
		}
		return r.misfit(v, "object")
	case '[':
		if k := v.Kind(); k != reflect.Slice && k != reflect.Array {
			return r.misfit(v, "array")
		}
		return r.list(v)
	case 't', 'f':
		if v.Kind() != reflect.Bool {
			return r.misfit(v, "bool")
		}
		_ = r.skip()
		v.SetBool(c == 't')
		return nil
	case '"':
		s := r.string()
		if quoted {
			return r.setNumber(v, s)
		}
		if v.Kind() != reflect.String {
			return r.misfit(v, "string")
		}
		v.SetString(s)
		return nil
	}
	_ = r.number()
	if quoted {
		return r.misfit(v, "number")
	}
	return r.setNumber(v, string(r.text[from:r.at]))
}

func (r *reader) misfit(v reflect.Value, found string) error {
	return &diag.Error{Where: strings.Join(r.path, "."), Found: found, Expected: inWords(v.Type())}
}

// inWords says what a value of a type is read from.
func inWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number >= 0"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return t.String()
}

func (r *reader) setNumber(v reflect.Value, s string) error {
	var err error
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		var x int64
		if x, err = strconv.ParseInt(s, 10, v.Type().Bits()); err == nil {
			v.SetInt(x)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		var x uint64
		if x, err = strconv.ParseUint(s, 10, v.Type().Bits()); err == nil {
			v.SetUint(x)
		}
	case reflect.Float32, reflect.Float64:
		var x float64
		if x, err = strconv.ParseFloat(s, v.Type().Bits()); err == nil {
			v.SetFloat(x)
		}
	case reflect.Bool, reflect.String, reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
		return r.misfit(v, "number")
	default:
		panic(unsupported(v.Type()))
	}
	if err != nil {
		return r.misfit(v, "number "+s)
	}
	return nil
}

// string reads a string.
func (r *reader) string() string {
	from := r.at + 1
	_ = r.pass()
	s := r.text[from : r.at-1]
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if c := s[i]; c != '\\' {
			if c < utf8.RuneSelf {
				out = append(out, c)
				i++
				continue
			}
			x, n := utf8.DecodeRune(s[i:])
			out = utf8.AppendRune(out, x) // bytes that are not text become U+FFFD
			i += n
			continue
		}
		switch c := s[i+1]; c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			x := code(s[i+2:])
			i += 6
			if utf16.IsSurrogate(x) {
				pair := rune(utf8.RuneError)
				if i+6 <= len(s) && s[i] == '\\' && s[i+1] == 'u' {
					if pair = utf16.DecodeRune(x, code(s[i+2:])); pair != utf8.RuneError {
						i += 6
					}
				}
				x = pair
			}
			out = utf8.AppendRune(out, x)
			continue
		default:
			out = append(out, c)
		}
		i += 2
	}
	return string(out)
}

// code reads four hexadecimal digits.
func code(s []byte) rune {
	x, _ := strconv.ParseUint(string(s[:4]), 16, 16)
	return rune(x)
}

// anything reads a value as map[string]any, []any, string, float64, bool or nil.
func (r *reader) anything() (any, error) {
	var into reflect.Value
	switch c := r.space(); c {
	case 'n', 't', 'f':
		_ = r.skip()
		if c == 'n' {
			return nil, nil
		}
		return c == 't', nil
	case '"':
		return r.string(), nil
	case '{':
		m := map[string]any{}
		into = reflect.ValueOf(&m)
	case '[':
		l := []any{}
		into = reflect.ValueOf(&l)
	default:
		var x float64
		into = reflect.ValueOf(&x)
	}
	err := r.value(into.Elem(), false)
	return into.Elem().Interface(), err
}

// named reads the members of an object, whose values are read by one.
func (r *reader) named(one func(name string) error) error {
	return r.members('}', func() error {
		r.space()
		name := r.string()
		r.space()
		r.at++ // the colon
		r.path = append(r.path, name)
		err := one(name)
		r.path = r.path[:len(r.path)-1]
		return err
	})
}

func (r *reader) fields(v reflect.Value) error {
	list := fields(v.Type())
	return r.named(func(name string) error {
		for _, f := range list {
			if f.name == name {
				return r.value(v.FieldByIndex(f.index), f.quoted)
			}
		}
		return r.skip()
	})
}

func (r *reader) object(v reflect.Value) error {
	t := v.Type()
	if t.Key().Kind() != reflect.String {
		panic(unsupported(t))
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(t))
	}
	return r.named(func(name string) error {
		x := reflect.New(t.Elem()).Elem()
		err := r.value(x, false)
		v.SetMapIndex(reflect.ValueOf(name).Convert(t.Key()), x)
		return err
	})
}

// list reads an array. One that is shorter than a Go array leaves zeros there; what is
// beyond its length is left out.
func (r *reader) list(v reflect.Value) error {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		panic(unsupported(v.Type()))
	}
	n := 0
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	} else {
		v.SetZero()
	}
	return r.members(']', func() error {
		defer func() { n++ }()
		if v.Kind() == reflect.Slice {
			if n == v.Cap() {
				v.Grow(1)
			}
			v.SetLen(n + 1)
			v.Index(n).SetZero()
		} else if n >= v.Len() {
			return r.skip()
		}
		return r.value(v.Index(n), false)
	})
}
