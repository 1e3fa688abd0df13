package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"testing"

	"cadem.example/core/base/json"
	"cadem.example/wasm/bridge"
)

func record(s string) json.RawMessage { return json.RawMessage(s) }

func blobOf(data []byte) bridge.Blob {
	w := bridge.NewBlobWriter()
	_, _ = w.Write(data)
	b, _ := w.Blob()
	return b
}

// chunksOf returns the database's content once pieces are stored.
func chunksOf(pieces []piece) (chunks []*value) {
	for _, p := range pieces {
		data, _ := p.bytes()
		v := &value{data: data}
		if p.blob != nil {
			v = &value{blob: blobOf(data)}
		}
		chunks = append(chunks, v)
	}
	return chunks
}

func TestCutAndAssemble(t *testing.T) {
	for _, n := range []int{0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 3*chunkSize + 7} {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(i * 31)
		}
		m, pieces, _ := next(nil, "r", 1, record(`{}`), []bridge.Slab{bridge.Bytes("file:0", data)}, partSize)
		if want := (n + chunkSize - 1) / chunkSize; len(pieces) != want {
			t.Errorf("%d bytes: %d pieces, expected %d", n, len(pieces), want)
		}
		got, damage, err := m.Slabs[0].assemble(chunksOf(pieces))
		if damage != nil || err != nil || !bytes.Equal(got.Data, data) || m.size() != n {
			t.Errorf("%d bytes: %d come back, %v, %v", n, len(got.Data), damage, err)
		}
	}
}

// A Blob is cut into larger parts and comes back as one; parts that were stored as bytes do no harm.
func TestCutAndAssembleBlobs(t *testing.T) {
	data := make([]byte, 2*partSize+7)
	for i := range data {
		data[i] = byte(i * 31)
	}
	for _, n := range []int{1, partSize, partSize + 1, len(data)} {
		m, pieces, err := next(nil, "r", 1, record(`{}`), []bridge.Slab{bridge.InBlob("checkpoint", blobOf(data[:n]))}, partSize)
		if want := (n + partSize - 1) / partSize; err != nil || len(pieces) != want {
			t.Errorf("%d bytes: %d pieces, expected %d, %v", n, len(pieces), want, err)
		}
		chunks := chunksOf(pieces)
		for range 2 {
			got, damage, err := m.Slabs[0].assemble(chunks)
			back, _ := got.Load()
			if damage != nil || err != nil || !bytes.Equal(back, data[:n]) || got.Blob == nil != (chunks[0].blob == nil) {
				t.Errorf("%d bytes: %d come back, %v, %v", n, len(back), damage, err)
			}
			chunks[0] = &value{data: data[:min(n, partSize)]}
		}
	}
}

func TestAssembleFindsDamage(t *testing.T) {
	data := make([]byte, chunkSize+100)
	m, pieces, _ := next(nil, "r", 1, record(`{}`), []bridge.Slab{bridge.Bytes("checkpoint", data)}, partSize)
	for name, spoil := range map[string]func([]*value){
		"missing":  func(c []*value) { c[1] = nil },
		"short":    func(c []*value) { c[0].data = c[0].data[1:] },
		"one bit":  func(c []*value) { c[1].data = append([]byte{1}, c[1].data[1:]...) },
		"exchange": func(c []*value) { c[0], c[1] = c[1], c[0] },
		"a Blob":   func(c []*value) { c[1] = &value{blob: blobOf(append([]byte{1}, c[1].data[1:]...))} },
	} {
		chunks := chunksOf(pieces)
		spoil(chunks)
		if _, damage, err := m.Slabs[0].assemble(chunks); damage == nil || err != nil {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func TestManifestRoundTrip(t *testing.T) {
	m, _, _ := next(nil, "a/b", 12, record(`{"run":"a/b","name":"é"}`), []bridge.Slab{bridge.Float32s("xy", []float32{1, 2}, 1, 2)}, partSize)
	b, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeManifest(b)
	if err != nil || string(got.Record) != string(m.Record) || got.key() != "a/b/12" || len(got.Slabs) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if runOf(got.key()) != "a/b" || generationOf(got.key()) != 12 {
		t.Errorf("key %s names run %s, generation %d", got.key(), runOf(got.key()), generationOf(got.key()))
	}
	for i := range b {
		spoiled := slices.Clone(b)
		spoiled[i] ^= 0x10
		if _, err := decodeManifest(spoiled); err == nil {
			t.Fatalf("a wrong byte %d was not noticed", i)
		}
	}
	if _, err := decodeManifest(b[:3]); err == nil {
		t.Error("three bytes were accepted")
	}
}

// seal puts a checksum before the text of a manifest.
func seal(text string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, crc32.Checksum([]byte(text), castagnoli)), text...)
}

func TestManifestOfALaterFormat(t *testing.T) {
	_, err := decodeManifest(seal(`{"format":2,"slabs":"of another kind"}`))
	if !errors.Is(err, errNewer) {
		t.Errorf("got %v", err)
	}
}

func TestNextCarriesOver(t *testing.T) {
	first, _, _ := next(nil, "r", 1, record(`{}`), []bridge.Slab{bridge.Bytes("file:0", []byte("abc")), bridge.Bytes("checkpoint", []byte("one"))}, partSize)
	second, pieces, _ := next(first, "r", 2, record(`{}`), []bridge.Slab{bridge.Bytes("checkpoint", []byte("two"))}, partSize)
	if len(pieces) != 1 || string(pieces[0].data) != "two" || pieces[0].Key != "r/2/0/0" {
		t.Fatalf("pieces %v", pieces)
	}
	used := map[string]bool{}
	second.references(used)
	if !used["r/1/0/0"] || used["r/1/1/0"] || !used["r/2/0/0"] || len(used) != 2 {
		t.Errorf("chunks %v", used)
	}
}

func TestNewestFirst(t *testing.T) {
	m := func(run, updated string) *manifest {
		return &manifest{Run: run, Record: record(`{"updated":` + updated + `}`)}
	}
	list := []*manifest{m("a", "1700000000000"), m("b", "1800000000000"), m("d", "null"), m("c", "1800000000000")}
	slices.SortFunc(list, newestFirst)
	if list[0].Run != "b" || list[1].Run != "c" || list[2].Run != "a" || list[3].Run != "d" {
		t.Errorf("order %s %s %s %s", list[0].Run, list[1].Run, list[2].Run, list[3].Run)
	}
	texts := []*manifest{m("a", `"2024-01-02T00:00:00Z"`), m("b", `"2025-01-01T00:00:00Z"`)}
	slices.SortFunc(texts, newestFirst)
	if texts[0].Run != "b" {
		t.Error("texts in the wrong order")
	}
}
