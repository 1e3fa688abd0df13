package json

import (
	"bytes"
	std "encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/frugal"
)

type inner struct {
	A int     `json:"5,omitempty"`
	B float32 `json:"6"`
}

type named string

// sample has one of everything. Its names are figures, which have no case.
type sample struct {
	inner
	Bool    bool              `json:"7"`
	Small   int8              `json:"8,omitempty"`
	Seed    uint64            `json:"9,string"`
	Text    string            `json:"10,omitempty"`
	Named   named             `json:"11"`
	Numbers []float64         `json:"12"`
	Pair    [2]int            `json:"13"`
	Map     map[string]inner  `json:"14,omitempty"`
	Keys    map[named]*string `json:"15"`
	Pointer *inner            `json:"16,omitempty"`
	Any     any               `json:"17"`
	Raw     RawMessage        `json:"18,omitempty"`
	List    []sample          `json:"19"`
	Left    int               `json:"-"`
	Any2    map[string]any    `json:"20"`
	F       float64           `json:"21,omitempty"`
	hidden  int
	Deep    *[]*bool `json:"22"`
}

// twin is sample as encoding/json takes it.
type twin struct {
	inner
	Bool    bool              `json:"7"`
	Small   int8              `json:"8,omitempty"`
	Seed    uint64            `json:"9,string"`
	Text    string            `json:"10,omitempty"`
	Named   named             `json:"11"`
	Numbers []float64         `json:"12"`
	Pair    [2]int            `json:"13"`
	Map     map[string]inner  `json:"14,omitempty"`
	Keys    map[named]*string `json:"15"`
	Pointer *inner            `json:"16,omitempty"`
	Any     any               `json:"17"`
	Raw     std.RawMessage    `json:"18,omitempty"`
	List    []twin            `json:"19"`
	Left    int               `json:"-"`
	Any2    map[string]any    `json:"20"`
	F       float64           `json:"21,omitempty"`
	hidden  int
	Deep    *[]*bool `json:"22"`
}

var texts = []string{
	`null`, `true`, `false`, `0`, `-0`, `12.5e-3`, `1E400`, `""`, `"a\u00e9\ud83d\ude00\ud83dx\n\/"`, "\"\xff\xe2\x80\xa8<&>\x7f\"", `[]`,
	`[1,[2,{"a":null}],"x"]`, ` { "b" : 1 , "a" : [ ] } `,
	`{"5":7,"6":0.1,"7":true,"8":-128,"9":"18446744073709551615","10":"<b>","11":"n","12":[1,1e-7,1e21,123456789.125],` +
		`"13":[1,2],"14":{"z":{"5":1},"a":{"6":1e-9}},"15":{"k":"v","n":null},"16":{"5":3},"17":{"x":[1,"2",false,null]},"18": {"raw" : [1, ` +
		`2]},"19":[{"8":1},null],"20":{"q":1},"22":[true,null]}`,
	`{"8":128}`, `{"8":1.5}`, `{"9":"-1"}`, `{"9":7}`, `{"12":[1,"2"]}`, `{"13":[1]}`, `{"13":[1,2,3]}`, `{"14":{"z":{"5":"x"}}}`, `{"16":5}`,
	`{"19":[{"12":{}}]}`, `{"21":1e999}`, `{"6":1e39}`, `{"10":null,"12":null}`,
	`{"7":true,"7":false}`, `{"16":{"5":1},"16":{"6":2}}`, `{"14":{"a":{"5":1},"a":{"6":2}}}`,
	``, ` `, `nul`, `tru`, `truee`, `01`, `1.`, `.5`, `1e`, `-`, `+1`, `"`, `"\x"`, `"\u12g4"`, "\"\n\"", `[1,]`, `[1 2]`, `{"a"}`, `{"a":}`, `{a:1}`,
	`{"a":1,}`, `[`, `{`, `]`, `1 2`, "\x00", `"\ud800\u0041"`, `"\ud800\ud800\udc00"`,
}

// compare compares a text with encoding/json: whether it is JSON, its value, and how that is
// written again.
func compare(t *testing.T, text []byte) {
	t.Helper()
	if got, want := Valid(text), std.Valid(text); got != want {
		t.Fatalf("%q: valid %v, expected %v", text, got, want)
	}
	var a, b any
	errA, errB := Unmarshal(text, &a), std.Unmarshal(text, &b)
	if (errA == nil) != (errB == nil) || errA == nil && !reflect.DeepEqual(a, b) {
		t.Fatalf("%q: %#v (%v), expected %#v (%v)", text, a, errA, b, errB)
	}
	if errA == nil {
		same(t, text, a, b)
	}
	var s sample
	var w twin
	errA, errB = Unmarshal(text, &s), std.Unmarshal(text, &w)
	if (errA == nil) != (errB == nil) {
		t.Fatalf("%q into a struct: %v, expected %v", text, errA, errB)
	}
	var mine *diag.Error
	var theirs *std.UnmarshalTypeError
	if errors.As(errB, &theirs) && (!errors.As(errA, &mine) || strings.HasPrefix(mine.Where, "json: byte")) {
		t.Fatalf("%q into a struct: %v, expected %v", text, errA, errB)
	}
	if errA == nil {
		same(t, text, s, w)
	}
}

func same(t *testing.T, text []byte, a, b any) {
	t.Helper()
	got, errA := Marshal(a)
	want, errB := std.Marshal(b)
	if (errA == nil) != (errB == nil) || !bytes.Equal(got, want) {
		t.Fatalf("%q: written as\n%s (%v), expected\n%s (%v)", text, got, errA, want, errB)
	}
}

func TestAsEncodingJSON(t *testing.T) {
	for _, text := range texts {
		compare(t, []byte(text))
	}
}

func FuzzAsEncodingJSON(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Count(text, []byte("[")) > 200 || bytes.Count(text, []byte("{")) > 200 {
			return // deeper than this package goes
		}
		frugal.Check(t, len(text), func() {
			var v any
			_ = Unmarshal(text, &v)
		})
		compare(t, text)
	})
}

func TestNumbersAsWritten(t *testing.T) {
	for _, x := range []float64{0, math.Copysign(0, -1), 1e-6, 9.99e-7, 1e-9, 1e-10, 1e20, 1e21, 1.5e300, 5e-324, 0.1, 1.0 / 3, 123456789} {
		same(t, nil, []any{x, float32(x * 0.5e-10)}, []any{x, float32(x * 0.5e-10)})
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		var e *diag.Error
		if b, err := Marshal(map[string]float64{"x": x}); !errors.As(err, &e) {
			t.Errorf("%v is written as %s, %v", x, b, err)
		}
	}
}

func TestTypeErrorsSayWhere(t *testing.T) {
	for text, want := range map[string]diag.Error{
		`{"14":{"z":{"5":"x"}}}`: {Where: "14.z.5", Found: "string", Expected: "a whole number"},
		`{"8":128}`:              {Where: "8", Found: "number 128", Expected: "a whole number"},
		`[]`:                     {Found: "array", Expected: "json.sample"},
		`{"7":{}}`:               {Where: "7", Found: "object", Expected: "bool"},
		`{"10":5}`:               {Where: "10", Found: "number", Expected: "string"},
		`{"12":true}`:            {Where: "12", Found: "bool", Expected: "[]float64"},
	} {
		var e *diag.Error
		if err := Unmarshal([]byte(text), &sample{}); !errors.As(err, &e) || *e != want {
			t.Errorf("%s: %v, expected %v", text, err, &want)
		}
	}
}

func TestSyntaxErrorsSayWhere(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,}`: `json: byte 7: found '}', expected a name in quotation marks`,
		`[1 2]`:    `json: byte 3: found '2', expected a comma or ']'`,
		`"abc`:     `json: byte 4: found the end, expected the end of the string`,
		`1 x`:      `json: byte 2: found 'x', expected the end of the text`,
	} {
		if err := Unmarshal([]byte(text), new(any)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, expected %s", text, err, want)
		}
	}
	if Valid([]byte(strings.Repeat("[", deepest+1)+strings.Repeat("]", deepest+1))) ||
		!Valid([]byte(strings.Repeat("[", deepest)+strings.Repeat("]", deepest))) {
		t.Error("the limit of depth is elsewhere")
	}
	if _, err := Marshal(RawMessage(`{"a":`)); err == nil {
		t.Error("half a text is written")
	}
}

// encoding/json keeps a RawMessage of this package as one of its own.
func TestRawMessageElsewhere(t *testing.T) {
	var x struct{ Raw RawMessage }
	text := []byte(`{"Raw":{"a":[1,2]}}`)
	if err := std.Unmarshal(text, &x); err != nil || string(x.Raw) != `{"a":[1,2]}` {
		t.Errorf("%s, %v", x.Raw, err)
	}
	if again, err := std.Marshal(x); err != nil || !bytes.Equal(again, text) {
		t.Errorf("%s, %v", again, err)
	}
}

// Names are met letter by letter, where encoding/json takes any case.
func TestNamesAreExact(t *testing.T) {
	var x struct{ Name string }
	if err := Unmarshal([]byte(`{"name":"a","NAME":"b"}`), &x); err != nil || x.Name != "" {
		t.Errorf("%+v %v", x, err)
	}
	if err := Unmarshal([]byte(`{"Name":"a"}`), &x); err != nil || x.Name != "a" {
		t.Errorf("%+v %v", x, err)
	}
}

func TestMisuse(t *testing.T) {
	for name, f := range map[string]func(){
		"channel":       func() { _, _ = Marshal(make(chan int)) },
		"bytes":         func() { _, _ = Marshal([]byte("x")) },
		"keys":          func() { _, _ = Marshal(map[int]int{1: 1}) },
		"no pointer":    func() { _ = Unmarshal([]byte("1"), 1) },
		"into bytes":    func() { _ = Unmarshal([]byte("[1]"), new([]byte)) },
		"into keys":     func() { _ = Unmarshal([]byte("{}"), new(map[int]int)) },
		"into a method": func() { _ = Unmarshal([]byte("1"), new(error)) },
		"two of a name": func() {
			_, _ = Marshal(struct {
				inner
				A int `json:"5"`
			}{})
		},
		"embedded pointer": func() { _, _ = Marshal(struct{ *inner }{}) },
		"quoted": func() {
			_, _ = Marshal(struct {
				A string `json:"a,string"`
			}{})
		},
	} {
		func() {
			defer func() {
				if _, ok := recover().(diag.Misuse); !ok {
					t.Errorf("%s: no Misuse", name)
				}
			}()
			f()
		}()
	}
}
