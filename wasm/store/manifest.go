package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"

	"cadem.example/core/base/json"
	"cadem.example/wasm/bridge"
)

// format is the number of the stored layout. A manifest of a higher number is left
// alone.
const format = 1

// chunkSize bounds a stored value: large enough for few requests, small enough that
// copying one does not show.
const chunkSize = 2 << 20

// partSize bounds a stored part of a Blob. The browser keeps it in a file of its own, and it is
// read in windows.
const partSize = 16 << 20

// generations is the number of saves of a run that are kept: the newest and one to fall back to.
const generations = 2

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A manifest describes one generation of a run.
type manifest struct {
	Format     int             `json:"format"`
	Run        string          `json:"run"`
	Generation int             `json:"generation"`
	Deleted    bool            `json:"deleted,omitempty"`
	Record     json.RawMessage `json:"record"`
	Slabs      []storedSlab    `json:"slabs"`
}

type storedSlab struct {
	Name   string  `json:"name"`
	Type   string  `json:"type"`
	Shape  []int   `json:"shape"`
	Chunks []chunk `json:"chunks"`
}

// A chunk is a piece of a slab, stored under Key.
type chunk struct {
	Key    string `json:"key"`
	Length int    `json:"length"`
	CRC    uint32 `json:"crc"` // Castagnoli
}

func (m *manifest) key() string { return m.Run + "/" + strconv.Itoa(m.Generation) }

// runOf returns the run that a manifest's key names.
func runOf(key string) string { return key[:max(strings.LastIndexByte(key, '/'), 0)] }

// runOfChunk returns the run that a chunk's key names: the key of its manifest and two numbers.
func runOfChunk(key string) string { return runOf(runOf(runOf(key))) }

// generationOf returns the generation that a manifest's key names, 0 when it names none.
func generationOf(key string) int {
	n, err := strconv.Atoi(key[strings.LastIndexByte(key, '/')+1:])
	if err != nil {
		return 0
	}
	return n
}

// encode returns the checksum of the manifest and the manifest.
func (m *manifest) encode() ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(text)), crc32.Checksum(text, castagnoli))
	return append(b, text...), nil
}

// errNewer is met where a manifest is of a later format.
var errNewer = bridge.Errorf("version", "The saved runs were written by a newer version of this page. Reload it; they are kept as they are.")

// decodeManifest reads what encode wrote.
func decodeManifest(b []byte) (*manifest, error) {
	if len(b) < 4 {
		return nil, fmt.Errorf("a manifest of %d bytes", len(b))
	}
	text := b[4:]
	if binary.LittleEndian.Uint32(b) != crc32.Checksum(text, castagnoli) {
		return nil, fmt.Errorf("a manifest whose checksum is wrong")
	}
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	if head.Format > format {
		return nil, errNewer
	}
	m := &manifest{}
	return m, json.Unmarshal(text, m)
}

// salvage reads what it can of a damaged manifest: one whose text is whole except for some letters or
// its checksum still names the chunks, which have checksums of their own. nil when there is nothing to read.
func salvage(b []byte, key string) *manifest {
	m := &manifest{}
	if len(b) < 4 || json.Unmarshal(b[4:], m) != nil || m.key() != key || m.Format != format || len(m.Record) == 0 {
		return nil
	}
	return m
}

// A piece is a chunk on the way into the database: its bytes, or where in a Blob they are.
type piece struct {
	chunk
	data []byte
	blob bridge.Blob
	at   int64
}

// bytes returns the bytes of the piece.
func (p *piece) bytes() ([]byte, error) {
	if p.blob == nil {
		return p.data, nil
	}
	b := make([]byte, p.Length)
	if _, err := p.blob.ReadAt(b, p.at); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// sum returns the checksum of a part of a Blob.
func sum(b bridge.Blob, at int64, n int) (uint32, error) {
	h := crc32.New(castagnoli)
	_, err := io.Copy(h, io.NewSectionReader(b, at, int64(n)))
	return h.Sum32(), err
}

// cut describes slab number i of a generation and cuts it into pieces, a Blob into those of
// the given size.
func (m *manifest) cut(i int, s bridge.Slab, part int64) (stored storedSlab, pieces []piece, err error) {
	stored = storedSlab{Name: s.Name, Type: s.Type, Shape: s.Shape, Chunks: []chunk{}}
	each := int64(chunkSize)
	if s.Blob != nil {
		each = part
	}
	for at, size := int64(0), slabSize(&s); at < size; at += each {
		p := piece{blob: s.Blob, at: at}
		p.Key, p.Length = fmt.Sprintf("%s/%d/%d", m.key(), i, len(pieces)), int(min(each, size-at))
		if s.Blob == nil {
			p.data = s.Data[at:][:p.Length]
			p.CRC = crc32.Checksum(p.data, castagnoli)
		} else if p.CRC, err = sum(s.Blob, at, p.Length); err != nil {
			return stored, nil, err
		}
		stored.Chunks = append(stored.Chunks, p.chunk)
		pieces = append(pieces, p)
	}
	return stored, pieces, nil
}

func slabSize(s *bridge.Slab) int64 {
	if s.Blob != nil {
		return s.Blob.Size()
	}
	return int64(len(s.Data))
}

// next makes the generation after m, which may be nil, of the given number: slabs that
// are not given are carried over, Blobs come in pieces of that many bytes.
func next(m *manifest, run string, generation int, record json.RawMessage, slabs []bridge.Slab, part int64) (*manifest, []piece, error) {
	n := &manifest{Format: format, Run: run, Generation: generation, Record: record, Slabs: []storedSlab{}}
	given := map[string]bool{}
	var pieces []piece
	for i, s := range slabs {
		given[s.Name] = true
		stored, p, err := n.cut(i, s, part)
		if err != nil {
			return nil, nil, err
		}
		n.Slabs = append(n.Slabs, stored)
		pieces = append(pieces, p...)
	}
	if m != nil {
		for _, s := range m.Slabs {
			if !given[s.Name] {
				n.Slabs = append(n.Slabs, s)
			}
		}
	}
	return n, pieces, nil
}

// references adds the keys of the manifest's chunks to a set.
func (m *manifest) references(set map[string]bool) {
	for _, s := range m.Slabs {
		for _, c := range s.Chunks {
			set[c.Key] = true
		}
	}
}

// lacks names the first slab that misses a stored chunk, "" if all are there.
func (m *manifest) lacks(stored map[string]bool) string {
	for _, s := range m.Slabs {
		for _, c := range s.Chunks {
			if !stored[c.Key] {
				return s.Name
			}
		}
	}
	return ""
}

// size returns the number of bytes in the manifest's chunks.
func (m *manifest) size() int {
	n := 0
	for _, s := range m.Slabs {
		for _, c := range s.Chunks {
			n += c.Length
		}
	}
	return n
}

// A value is the stored form of a chunk: bytes, or a Blob of them.
type value struct {
	data []byte
	blob bridge.Blob
}

func (v *value) contents() bridge.Blob {
	s := bridge.Slab{Data: v.data, Blob: v.blob}
	return s.Contents()
}

// assemble puts a slab together from its chunks, in order, and checks each; missing ones are nil.
// Data stored in Blobs come as one. damage says what is wrong with a chunk, err why that could not
// be found out.
func (s *storedSlab) assemble(chunks []*value) (slab bridge.Slab, damage, err error) {
	total, parts := 0, []bridge.Blob{}
	for i, c := range s.Chunks {
		v := chunks[i]
		if v == nil {
			return slab, fmt.Errorf("part %d of %d of %s is missing", i+1, len(s.Chunks), s.Name), nil
		}
		b := v.contents()
		if b.Size() != int64(c.Length) {
			return slab, fmt.Errorf("part %d of %d of %s has %d bytes, expected %d", i+1, len(s.Chunks), s.Name, b.Size(), c.Length), nil
		}
		// A Blob whose file has gone or is cut short is as good as a wrong one.
		if crc, err := sum(b, 0, c.Length); err != nil || crc != c.CRC {
			return slab, fmt.Errorf("the checksum of part %d of %d of %s is wrong", i+1, len(s.Chunks), s.Name), nil
		}
		total += c.Length
		if v.blob != nil {
			parts = append(parts, b)
		}
	}
	slab = bridge.Slab{Name: s.Name, Type: s.Type, Shape: s.Shape}
	if len(parts) > 0 && len(parts) == len(chunks) {
		slab.Blob, err = bridge.Join(parts)
		return slab, nil, err
	}
	slab.Data = make([]byte, 0, total)
	for _, v := range chunks {
		b := bridge.Slab{Data: v.data, Blob: v.blob}
		data, err := b.Load()
		if err != nil {
			return slab, nil, err
		}
		slab.Data = append(slab.Data, data...)
	}
	return slab, nil, nil
}

// A history is the stored data of one run.
type history struct {
	kept    []*manifest // newest generation first
	damaged []string    // keys of manifests that cannot be read
	gone    bool        // it has no other manifests and was deleted
	spoiled []*manifest // generations with damaged chunks, to go with the next save
	notes   []string    // what is missing from those, until reported
	last    int         // the highest generation ever seen, readable or not
	newer   bool        // there is a generation of a later format
	lacks   string      // what every generation lacks that can be read, in words
}

// updated returns the record's time of change for sorting: a number of milliseconds
// or a text in which later sorts higher.
func (m *manifest) updated() (number float64, text string) {
	var r struct {
		Updated any `json:"updated"`
	}
	if json.Unmarshal(m.Record, &r) != nil {
		return 0, ""
	}
	switch u := r.Updated.(type) {
	case float64:
		return u, ""
	case string:
		return 0, u
	}
	return 0, ""
}

// newestFirst orders manifests by their record's time of change.
func newestFirst(a, b *manifest) int {
	an, at := a.updated()
	bn, bt := b.updated()
	switch {
	case an != bn && an > bn:
		return -1
	case an != bn:
		return 1
	}
	if c := strings.Compare(bt, at); c != 0 {
		return c
	}
	return strings.Compare(a.Run, b.Run)
}
