//go:build !js

package bridge

import (
	"bytes"
	"fmt"
	"testing"

	"cadem.example/core/base/frugal"
)

func FuzzOpen(f *testing.F) {
	f.Add(`{"v":1,"id":7,"kind":"open","slabs":[{"name":"file:0","type":"u8","shape":[3],"offset":8}]}`, []byte("01234567abc"))
	f.Add(`{"v":1,"id":1,"kind":"x","slabs":[{"name":"","type":"f64","shape":[4611686018427387904,4],"offset":0}]}`, []byte{})
	f.Add(`{"v":1,"id":-9223372036854775808,"kind":"x","slabs":[{"shape":[0,-1]}]}`, []byte{1})
	f.Add(`[]`, []byte{})
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		var r *Request
		frugal.Check(t, len(header)+len(body), func() { r = Open(header, body, nil, func(string, []byte, []Blob) {}) })
		if r == nil {
			return
		}
		// An accepted frame survives being written and read again.
		f, err := encodeEvent(r.ID, "again", struct{}{}, r.Slabs)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decode(f.header, f.body, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range r.Slabs {
			if g := again.Slabs[i]; g.Name != s.Name || !bytes.Equal(g.Data, s.Data) {
				t.Fatalf("slab %q became %q", s.Name, g.Name)
			}
		}
	})
}

func ExampleRequest() {
	post := func(header string, body []byte, _ []Blob) { fmt.Println(header, len(body)) }
	r := Open(`{"v":1,"id":4,"kind":"clusters","k":3}`, nil, nil, post)
	var args struct {
		K int `json:"k"`
	}
	if err := r.Args(&args); err != nil {
		r.Fail(err)
		return
	}
	r.Reply(map[string]int{"k": args.K}, Int32s("clusters", []int{0, 2, 1}))
	// Output:
	// {"v":1,"id":4,"kind":"reply","slabs":[{"name":"clusters","type":"i32","shape":[3],"offset":0}],"ok":true,"result":{"k":3}} 12
}
