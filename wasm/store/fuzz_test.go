//go:build !js

package store

import (
	"bytes"
	"testing"

	"cadem.example/core/base/frugal"
)

// FuzzManifest reads any text as a manifest, under any key and with its checksum in order or not. An accepted one is written and
// read back the same, and finds its chunks missing.
func FuzzManifest(f *testing.F) {
	text := `{"format":1,"run":"r","generation":2,"record":{"run":"r","name":"R","updated":7},"slabs":[` +
		`{"name":"checkpoint","type":"u8","shape":[3],"chunks":[{"key":"r/2/0/0","length":3,"crc":7}]}]}`
	f.Add(text, "r/2", true)
	f.Add(text, "r/2", false)
	f.Add(`{"format":2}`, "/", true)
	f.Add(`{"format":1,"run":"r","generation":-1,"record":null,"slabs":[{"chunks":[{"length":-1},{"length":9223372036854775807}]}]}`, "r/-1", true)
	f.Add(``, "a", true)
	f.Fuzz(func(t *testing.T, text, key string, sealed bool) {
		b := seal(text)
		if !sealed {
			b[0]++
		}
		var m *manifest
		frugal.Check(t, len(b)+len(key), func() {
			var err error
			if m, err = decodeManifest(b); err != nil {
				m = salvage(b, key)
			} else if !sealed {
				t.Fatal("a wrong checksum is taken for right")
			}
		})
		if run := runOf(key); len(run) > 0 && generationOf(key) != 0 && runOf(key+"/x") != key {
			t.Fatalf("%q is of the run %q", key, run)
		}
		if m == nil {
			return
		}
		for i := range m.Slabs {
			chunks := make([]*value, len(m.Slabs[i].Chunks))
			if _, damage, err := m.Slabs[i].assemble(chunks); err != nil || damage == nil && len(chunks) > 0 {
				t.Fatalf("chunks that are not there: %v, %v", damage, err)
			}
		}
		m.references(map[string]bool{})
		m.updated()
		again, err := m.encode()
		if err != nil {
			return // numbers of the record that were text only
		}
		twin, err := decodeManifest(again)
		if err != nil || twin.key() != m.key() {
			t.Fatalf("%s is read as %+v, %v", again, twin, err)
		}
		if b, err := twin.encode(); err != nil || !bytes.Equal(b, again) {
			t.Fatalf("%s is written as %s, %v", again, b, err)
		}
	})
}
