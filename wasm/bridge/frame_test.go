package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// sent collects what a request posts.
type sent struct {
	headers []string
	bodies  [][]byte
}

func (s *sent) post(header string, body []byte, _ []Blob) {
	s.headers = append(s.headers, header)
	s.bodies = append(s.bodies, body)
}

func (s *sent) fields(t *testing.T, i int) map[string]any {
	t.Helper()
	if i >= len(s.headers) {
		t.Fatalf("%d messages were sent, expected at least %d", len(s.headers), i+1)
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(s.headers[i]), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSlabsRoundTrip(t *testing.T) {
	want := []Slab{
		Float32s("xy", []float32{1, float32(math.NaN()), -0.5, math.MaxFloat32, 4, 5}, 1, 3, 2),
		Bytes("empty", nil),
		Bytes("three", []byte{1, 2, 3}),
		Int32s("labels", []int{0, -1, math.MaxInt32}),
	}
	want = slices.Insert(want, 1, InBlob("beside", bytes.NewReader([]byte("in a Blob"))))
	heads, body, blobs := pack(want)
	for _, h := range heads {
		if h.Offset%8 != 0 {
			t.Errorf("slab %s begins at %d, not a multiple of 8", h.Name, h.Offset)
		}
	}
	if len(body) != 24+0+8+12 {
		t.Errorf("body has %d bytes, expected exactly 44", len(body))
	}
	got, err := unpack(heads, body, blobs)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		w, g := want[i], got[i]
		if w.Name != g.Name || w.Type != g.Type || !slices.Equal(w.Shape, g.Shape) || !bytes.Equal(w.Data, g.Data) || w.Blob != g.Blob {
			t.Errorf("slab %d: got %v, want %v", i, g, w)
		}
	}
}

// One array is its own buffer, whatever goes beside it.
func TestOneSlabIsNotCopied(t *testing.T) {
	one := Bytes("one", []byte{1, 2, 3})
	heads, body, blobs := pack([]Slab{InBlob("beside", bytes.NewReader(nil)), one})
	if &body[0] != &one.Data[0] || len(blobs) != 1 || heads[0].Blob != 1 || heads[1].Blob != 0 {
		t.Errorf("%v, %d bytes, %d Blobs", heads, len(body), len(blobs))
	}
	if _, body, _ := pack([]Slab{InBlob("beside", bytes.NewReader(nil))}); body != nil {
		t.Errorf("%d bytes beside a Blob", len(body))
	}
}

func TestUnpackRefuses(t *testing.T) {
	body := make([]byte, 16)
	for _, c := range []struct{ name, slabs, want string }{
		{"type", `[{"name":"a","type":"f16","shape":[1],"offset":0}]`, `type "f16"`},
		{"negative size", `[{"name":"a","type":"u8","shape":[-1],"offset":0}]`, "shape [-1]"},
		{"overflow", `[{"name":"a","type":"f64","shape":[65536,65536,65536,65536],"offset":0}]`, "fit a buffer"},
		{"unaligned", `[{"name":"a","type":"u8","shape":[1],"offset":4}]`, "multiple of 8"},
		{"negative offset", `[{"name":"a","type":"u8","shape":[1],"offset":-8}]`, "multiple of 8"},
		{"past the end", `[{"name":"a","type":"f64","shape":[2],"offset":8}]`, "ends at byte 24 of a buffer of 16"},
		{"begins past the end", `[{"name":"a","type":"u8","shape":[0],"offset":24}]`, "ends at byte 24"},
		{"twice", `[{"name":"a","type":"u8","shape":[1],"offset":0},{"name":"a","type":"u8","shape":[1],"offset":8}]`, "twice"},
	} {
		var s sent
		r := Open(`{"v":1,"id":7,"kind":"open","slabs":`+c.slabs+`}`, body, nil, s.post)
		if r != nil {
			t.Errorf("%s: accepted", c.name)
			continue
		}
		e := s.fields(t, 0)["error"].(map[string]any)
		if !strings.Contains(e["message"].(string), c.want) {
			t.Errorf("%s: %v, expected it to name %q", c.name, e["message"], c.want)
		}
	}
}

func TestOpenAnswersWhatItCannotRead(t *testing.T) {
	var s sent
	if Open("{", nil, nil, s.post) != nil || len(s.headers) != 0 {
		t.Error("a header that is no JSON names nobody to answer")
	}
	if Open(`{"v":2,"id":3,"kind":"open"}`, nil, nil, s.post) != nil {
		t.Error("a newer version was accepted")
	}
	m := s.fields(t, 0)
	if m["id"] != 3.0 || m["ok"] != false || m["error"].(map[string]any)["code"] != "version" {
		t.Errorf("answer %v", m)
	}
}

func TestAnsweredOnce(t *testing.T) {
	var s sent
	r := Open(`{"v":1,"id":9,"kind":"train"}`, nil, nil, s.post)
	if err := r.Event("progress", map[string]any{"step": 3}, Float32s("losses", []float32{1, 2}, 1, 2)); err != nil {
		t.Fatal(err)
	}
	r.Reply(map[string]any{"done": true})
	r.Reply(map[string]any{"done": false})
	r.Fail(errors.New("late"))
	if err := r.Event("progress", map[string]any{}); err != nil {
		t.Fatal(err)
	}
	if len(s.headers) != 2 {
		t.Fatalf("%d messages: %v", len(s.headers), s.headers)
	}
	event := s.fields(t, 0)
	if event["kind"] != "event" || event["event"] != "progress" || event["step"] != 3.0 || len(s.bodies[0]) != 8 {
		t.Errorf("event %v with %d bytes", event, len(s.bodies[0]))
	}
	if reply := s.fields(t, 1); reply["kind"] != "reply" || reply["ok"] != true {
		t.Errorf("reply %v", reply)
	}
}

func TestReplyThatCannotBeWritten(t *testing.T) {
	var s sent
	r := Open(`{"v":1,"id":9,"kind":"evaluate"}`, nil, nil, s.post)
	r.Reply(map[string]any{"value": math.NaN()})
	if m := s.fields(t, 0); m["ok"] != false {
		t.Errorf("a result that is no JSON was answered with %v", m)
	}
}

func TestArgsNameWhatIsWrong(t *testing.T) {
	r := Open(`{"v":1,"id":9,"kind":"train","model_seed":-1}`, nil, nil, new(sent).post)
	var args struct {
		Seed uint64 `json:"model_seed"`
	}
	var e *Error
	if err := r.Args(&args); !errors.As(err, &e) || e.Code != "bad-option" || e.Field != "model_seed" ||
		e.Message != "model_seed: found number -1, expected a whole number >= 0" {
		t.Errorf("%v", err)
	}
}

func TestEventFieldsMustBeAnObject(t *testing.T) {
	r := Open(`{"v":1,"id":9,"kind":"evaluate"}`, nil, nil, new(sent).post)
	if r.Event("scoring", []int{1}) == nil {
		t.Error("a list was accepted")
	}
}

func TestGuardAnswersAPanic(t *testing.T) {
	var s sent
	r := Open(`{"v":1,"id":9,"kind":"open"}`, nil, nil, s.post)
	var m map[string]int
	if err := r.Guard(func() { m["x"] = 1 }); err == nil {
		t.Fatal("the panic was not reported")
	}
	e := s.fields(t, 0)["error"].(map[string]any)
	if e["code"] != "internal" || !strings.Contains(e["message"].(string), "nil map") {
		t.Errorf("answer %v", e)
	}
	if r.Guard(func() {}) != nil {
		t.Error("no panic, yet an error")
	}
}

func TestInboxKeepsOrder(t *testing.T) {
	in := NewInbox()
	go func() {
		for i := range 100 {
			in.Put(&Request{ID: int64(i)})
		}
	}()
	for i := range 100 {
		if r := in.Wait(); r.ID != int64(i) {
			t.Fatalf("request %d came as number %d", r.ID, i)
		}
	}
	if in.Next() != nil {
		t.Error("the inbox is not empty")
	}
}

func TestShapeMisuse(t *testing.T) {
	defer func() {
		if recover() != ErrShape {
			t.Error("expected ErrShape")
		}
	}()
	Float32s("xy", make([]float32, 5), 2, 3)
}
