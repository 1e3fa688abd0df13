// Package json reads and writes JSON (RFC 8259) for the structs of this program. It is the
// part of encoding/json that they need, with the same tags and, byte for byte, the same
// text, at a fraction of its size in the program of the page.
//
// What it knows are booleans, numbers, strings, slices, arrays, maps with strings as keys,
// structs, pointers, values of type any and [RawMessage]. Tags give a field another name,
// leave it out ("-"), leave it out when it is empty ("omitempty") or write its number as a
// string ("string"); the fields of an embedded struct stand among those of the outer one,
// under names of their own. Types beyond that are a mistake in the program: they panic with
// a [diag.Misuse].
//
// It is stricter than encoding/json in two ways: field names are case-sensitive, and values may be
// nested at most 1000 deep, not 10,000.
package json

import (
	"reflect"
	"strings"
	"sync"

	"cadem.example/core/base/diag"
)

// RawMessage is JSON text that is kept verbatim, by encoding/json, too.
type RawMessage []byte

// MarshalJSON returns the text, or null for nil. The error is nil.
func (m RawMessage) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("null"), nil
	}
	return m, nil
}

// UnmarshalJSON keeps a copy of the text. The error is nil.
func (m *RawMessage) UnmarshalJSON(text []byte) error {
	*m = append((*m)[:0], text...)
	return nil
}

// unsupported is the misuse of a type that this package does not know.
func unsupported(t reflect.Type) diag.Misuse {
	return diag.Misuse("json: unsupported type " + t.String())
}

var rawType = reflect.TypeFor[RawMessage]()

// A field of a struct, or of one embedded in it.
type field struct {
	name      string
	index     []int
	omitEmpty bool
	quoted    bool
}

// fields lists what a struct has in JSON, in order.
func fields(t reflect.Type) []field {
	listed.Lock()
	defer listed.Unlock()
	list, ok := listed.of[t]
	if !ok {
		list = appendFields(nil, t, nil)
		listed.of[t] = list
	}
	return list
}

// listed keeps them: tags are slow to read, and a study has the keys of thousands of tasks.
var listed = struct {
	sync.Mutex
	of map[reflect.Type][]field
}{of: map[reflect.Type][]field{}}

func appendFields(list []field, t reflect.Type, index []int) []field {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		at := append(index[:len(index):len(index)], i)
		switch {
		case name == "-" && options == "":
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			list = appendFields(list, f.Type, at)
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Pointer:
			panic(unsupported(t))
		case f.PkgPath == "":
			if name == "" {
				name = f.Name
			}
			for _, other := range list {
				if other.name == name {
					panic(unsupported(t)) // which of the two it is, only a reader of all rules could tell
				}
			}
			quoted := strings.Contains(options, "string")
			if k := f.Type.Kind(); quoted && (k < reflect.Int || k > reflect.Uint64) {
				panic(unsupported(t))
			}
			list = append(list, field{name, at, strings.Contains(options, "omitempty"), quoted})
		}
	}
	return list
}
