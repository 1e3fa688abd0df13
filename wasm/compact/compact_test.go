package compact

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// module makes a module of a type section, the data segments and a custom section.
func module(segments ...segment) []byte {
	section := func(b []byte, kind byte, body []byte) []byte {
		b = append(b, kind)
		b = binary.AppendUvarint(b, uint64(len(body)))
		return append(b, body...)
	}
	b := []byte("\x00asm\x01\x00\x00\x00")
	b = section(b, 1, []byte{0})
	b = section(b, dataSection, write(segments))
	return section(b, 0, []byte("\x04note"))
}

// memory returns the memory that a module with data segments initialises, and their number.
func memory(t *testing.T, m []byte) (mem []byte, count int) {
	t.Helper()
	start := bytes.Index(m, []byte{1, 1, 0}) + 3
	size, n := binary.Uvarint(m[start+1:])
	segments, err := read(m[start+1+n : start+1+n+int(size)])
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range segments {
		end := int(s.offset) + len(s.data)
		if end > len(mem) {
			mem = append(mem, make([]byte, end-len(mem))...)
		}
		copy(mem[s.offset:], s.data)
	}
	return mem, len(segments)
}

func TestMemoryStaysTheSame(t *testing.T) {
	m := module(segment{200_000, []byte("far")}, segment{16, []byte("one")}, segment{27, []byte("two")}, segment{30, []byte("next")}, segment{50, nil},
		segment{34 + gap, []byte("close")})
	got, err := Segments(m)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := memory(t, m)
	after, n := memory(t, got)
	if !bytes.Equal(before, after) || n != 2 {
		t.Errorf("%d segments, memory the same: %v", n, bytes.Equal(before, after))
	}
	if !bytes.HasSuffix(got, []byte("\x04note")) {
		t.Error("the section behind the data is gone")
	}
	odd, err := Segments(module(segment{5, []byte("one")}, segment{100_003, []byte("far")}))
	if err != nil {
		t.Fatal(err)
	}
	body := odd[bytes.IndexByte(odd, dataSection)+2:]
	if segments, err := read(body); err != nil || len(segments) != 2 || segments[0].offset != 0 || segments[1].offset != 100_000 ||
		string(segments[1].data) != "\x00\x00\x00far" {
		t.Errorf("segments that begin within a word: %v, %v", segments, err)
	}
	again, err := Segments(got)
	if err != nil || !bytes.Equal(again, got) {
		t.Errorf("a second time changes the module (%v)", err)
	}
}

func TestManySmallSegments(t *testing.T) {
	var all []segment
	for i := range 20_000 {
		all = append(all, segment{int64(4096 + 32*i), []byte(fmt.Sprint(i))})
	}
	m := module(all...)
	got, err := Segments(m)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := memory(t, m)
	after, n := memory(t, got)
	if n != 1 || !bytes.Equal(before, after) {
		t.Errorf("%d segments", n)
	}
}

func TestRefused(t *testing.T) {
	good := module(segment{16, []byte("one")}, segment{70_000, []byte("two")})
	for i := 9; i < len(good); i++ {
		// Cut between two sections a module is whole, only shorter.
		if got, err := Segments(good[:i]); err == nil && i != 11 && i != len(good)-7 {
			t.Errorf("cut to %d bytes: %d bytes came back", i, len(got))
		}
	}
	for name, c := range map[string]struct {
		module []byte
		want   string
	}{
		"text":    {[]byte("hello world"), "no WebAssembly"},
		"overlap": {module(segment{16, []byte("one")}, segment{18, []byte("two")}), "overlap"},
		"passive": {bytes.Replace(good, []byte{0, 0x41}, []byte{1, 0x41}, 1), "kind 1"},
	} {
		if _, err := Segments(c.module); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSigned(t *testing.T) {
	for _, v := range []int64{0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 30, -1, -64, -65, -1 << 31, 1<<31 - 1} {
		b := appendSigned(nil, v)
		if got, n := signed(b); got != v || n != len(b) {
			t.Errorf("%d comes back as %d from %d of %d bytes", v, got, n, len(b))
		}
	}
	// Memory above 2 GB has negative constants.
	high := segment{3 << 30, []byte("high")}
	s, err := read(write([]segment{high}))
	if err != nil || s[0].offset != high.offset {
		t.Errorf("%v %v", s, err)
	}
}

func ExampleSegments() {
	m := module(segment{16, []byte("spread")}, segment{40, []byte("out")})
	joined, err := Segments(m)
	fmt.Println(bytes.Contains(joined, []byte("spread"+strings.Repeat("\x00", 18)+"out")), err)
	// Output: true <nil>
}
