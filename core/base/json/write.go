package json

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"cadem.example/core/base/diag"
)

// Marshal writes a value. Keys of maps are sorted. The error, a [*diag.Error], names a number that is
// not finite, or where a RawMessage is not JSON.
func Marshal(v any) ([]byte, error) {
	w := writer{}
	if w.value(reflect.ValueOf(v), false); w.err != nil {
		return nil, w.err
	}
	return w.out, nil
}

type writer struct {
	out []byte
	err error
}

func (w *writer) text(s string) { w.out = append(w.out, s...) }

func (w *writer) value(v reflect.Value, quoted bool) {
	if w.err != nil {
		return
	}
	if !v.IsValid() {
		w.text("null")
		return
	}
	if v.Type() == rawType {
		w.raw(v.Bytes())
		return
	}
	if quoted {
		w.text(`"`)
		defer w.text(`"`)
	}
	switch v.Kind() {
	case reflect.Bool:
		w.out = strconv.AppendBool(w.out, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.out = strconv.AppendInt(w.out, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.out = strconv.AppendUint(w.out, v.Uint(), 10)
	case reflect.Float32:
		w.float(v.Float(), 32)
	case reflect.Float64:
		w.float(v.Float(), 64)
	case reflect.String:
		w.string(v.String())
	case reflect.Pointer, reflect.Interface:
		w.value(v.Elem(), false)
	case reflect.Slice, reflect.Array:
		w.list(v)
	case reflect.Map:
		w.object(v)
	case reflect.Struct:
		w.fields(v)
	default:
		panic(unsupported(v.Type()))
	}
}

// raw writes JSON text without the white space around its parts.
func (w *writer) raw(text []byte) {
	if text == nil {
		w.text("null")
		return
	}
	if err := check(text); err != nil {
		w.err = err
		return
	}
	inString := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			inString = !inString
		case c == '\\': // only in strings
			w.out = append(w.out, c)
			i++
		case !inString && isSpace(c):
			continue
		case inString && (c == '<' || c == '>' || c == '&'):
			w.escaped(rune(c))
			continue
		case inString && c == 0xe2 && i+2 < len(text) && text[i+1] == 0x80 && text[i+2]&^1 == 0xa8:
			w.escaped(0x2000 + rune(text[i+2]&0x3f))
			i += 2
			continue
		}
		w.out = append(w.out, text[i])
	}
}

func (w *writer) float(x float64, bits int) {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		w.err = &diag.Error{Where: "json", Found: fmt.Sprint(x), Expected: "a finite number"}
		return
	}
	// As JavaScript writes numbers.
	form, size := byte('f'), math.Abs(x)
	if size != 0 && (bits == 64 && (size < 1e-6 || size >= 1e21) || bits == 32 && (float32(size) < 1e-6 || float32(size) >= 1e21)) {
		form = 'e'
	}
	w.out = strconv.AppendFloat(w.out, x, form, -1, bits)
	// 1e-09 becomes 1e-9.
	if n := len(w.out); form == 'e' && w.out[n-4] == 'e' && w.out[n-3] == '-' && w.out[n-2] == '0' {
		w.out = append(w.out[:n-2], w.out[n-1])
	}
}

const hex = "0123456789abcdef"

func (w *writer) escaped(r rune) {
	w.out = append(w.out, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// string writes a string that is safe in a page's script, too.
func (w *writer) string(s string) {
	w.out = append(w.out, '"')
	for n := 0; len(s) > 0; s = s[n:] {
		var r rune
		r, n = utf8.DecodeRuneInString(s)
		switch {
		case r == '"' || r == '\\':
			w.out = append(w.out, '\\', byte(r))
		case r == '\n':
			w.text(`\n`)
		case r == '\r':
			w.text(`\r`)
		case r == '\t':
			w.text(`\t`)
		case r == '\b':
			w.text(`\b`)
		case r == '\f':
			w.text(`\f`)
		case r < ' ' || r == '<' || r == '>' || r == '&' || r&^1 == 0x2028:
			w.escaped(r)
		case r == utf8.RuneError && n == 1: // a byte that is not text
			w.text(`\ufffd`)
		default:
			w.out = utf8.AppendRune(w.out, r)
		}
	}
	w.out = append(w.out, '"')
}

func (w *writer) list(v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		panic(unsupported(v.Type()))
	}
	if v.Kind() == reflect.Slice && v.IsNil() {
		w.text("null")
		return
	}
	w.text("[")
	for i := range v.Len() {
		if i > 0 {
			w.text(",")
		}
		w.value(v.Index(i), false)
	}
	w.text("]")
}

func (w *writer) object(v reflect.Value) {
	if v.Type().Key().Kind() != reflect.String {
		panic(unsupported(v.Type()))
	}
	if v.IsNil() {
		w.text("null")
		return
	}
	names := make([]string, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		names = append(names, it.Key().String())
	}
	slices.Sort(names)
	w.text("{")
	for i, name := range names {
		if i > 0 {
			w.text(",")
		}
		w.string(name)
		w.text(":")
		w.value(v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key())), false)
	}
	w.text("}")
}

func (w *writer) fields(v reflect.Value) {
	w.text("{")
	first := true
	for _, f := range fields(v.Type()) {
		x := v.FieldByIndex(f.index)
		if f.omitEmpty && isEmpty(x) {
			continue
		}
		if !first {
			w.text(",")
		}
		first = false
		w.string(f.name)
		w.text(":")
		w.value(x, f.quoted)
	}
	w.text("}")
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
