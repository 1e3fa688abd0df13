package store

import (
	"fmt"
	"slices"

	"github.com/hack-pad/go-indexeddb/idb"
)

// batch bounds the bytes of chunks written in one transaction.
const batch = 16 << 20

// save writes chunks, then the manifest together with the removal of what falls out
// of the history, and checks that all of it is there.
func (s *Store) save(m *manifest, pieces []piece, h *history) error {
	text, err := m.encode()
	if err != nil {
		return err
	}
	if err := s.saveChunks(pieces); err != nil {
		s.discard(m, pieces)
		return err
	}
	n := min(len(h.kept), generations-1)
	keep, drop := h.kept[:n], slices.Concat(h.kept[n:], h.spoiled)
	stale := unreferenced(drop, append([]*manifest{m}, keep...))
	err = s.db.write(idb.DurabilityStrict, func(t *tx) {
		t.put(manifestStore, m.key(), text)
		s.note(t, m.Run, false)
		remove(t, drop, stale)
	})
	if err == nil {
		err = s.confirm(m, pieces)
	}
	if err != nil {
		s.discard(m, pieces)
	}
	return err
}

// saveChunks writes the chunks of a save, parts of Blobs as Blobs, which the browser copies
// by itself, unless it was found to refuse them: then smaller parts, as bytes.
func (s *Store) saveChunks(pieces []piece) error {
	for len(pieces) > 0 {
		n, bytes := 0, 0
		for n < len(pieces) && (n == 0 || bytes+pieces[n].Length <= batch) {
			bytes += pieces[n].Length
			n++
		}
		err := s.db.write(idb.DurabilityDefault, func(t *tx) {
			for _, p := range pieces[:n] {
				if p.blob != nil && s.part == partSize {
					t.putPart(chunkStore, p.Key, p.blob, p.at, p.Length)
					continue
				}
				data, err := p.bytes()
				t.fail(err)
				t.put(chunkStore, p.Key, data)
			}
		})
		if err != nil {
			return err
		}
		pieces = pieces[n:]
	}
	return nil
}

// confirm looks for a saved generation in a transaction of its own. Only then is it
// acknowledged: the library reports some aborted transactions as complete.
func (s *Store) confirm(m *manifest, pieces []piece) error {
	there, err := read(s.db, func(t *tx) bool {
		for _, p := range pieces {
			if !t.has(chunkStore, p.Key) {
				return false
			}
		}
		return t.has(manifestStore, m.key())
	})
	if err == nil && !there {
		err = fmt.Errorf("the browser dropped what was written")
	}
	return err
}

// discard removes the writes of a failed save. The rest is removed at the next start.
func (s *Store) discard(m *manifest, pieces []piece) {
	_ = s.db.write(idb.DurabilityDefault, func(t *tx) {
		t.delete(manifestStore, m.key())
		for _, p := range pieces {
			t.delete(chunkStore, p.Key)
		}
	})
}

// unreferenced returns the chunks of the dropped manifests that none of those kept names.
func unreferenced(drop, keep []*manifest) []string {
	used, gone := map[string]bool{}, map[string]bool{}
	for _, m := range keep {
		m.references(used)
	}
	for _, m := range drop {
		m.references(gone)
	}
	var keys []string
	for k := range gone {
		if !used[k] {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

func remove(t *tx, drop []*manifest, chunks []string) {
	var keys []string
	for _, m := range drop {
		keys = append(keys, m.key())
	}
	removeKeys(t, keys, chunks)
}

// removeKeys removes manifests and chunks by their keys.
func removeKeys(t *tx, manifests, chunks []string) {
	for _, k := range manifests {
		t.delete(manifestStore, k)
	}
	for _, k := range chunks {
		t.delete(chunkStore, k)
	}
}

// spare frees what is kept only for comfort: deleted runs that could be restored, and
// the earlier generations of all other runs. It reports whether there was any.
func (s *Store) spare(run string) bool {
	freed, err := s.Purge(nil)
	if err != nil {
		return false
	}
	var drop, keep []*manifest
	for name, h := range s.runs {
		if name == run || len(h.kept) < 2 {
			keep = append(keep, h.kept...)
			continue
		}
		keep = append(keep, h.kept[0])
		drop = append(drop, h.kept[1:]...)
	}
	stale := unreferenced(drop, keep)
	if err := s.db.write(idb.DurabilityDefault, func(t *tx) { remove(t, drop, stale) }); err != nil {
		return freed > 0
	}
	for name, h := range s.runs {
		if name != run && len(h.kept) > 1 {
			h.kept = h.kept[:1]
		}
	}
	return freed > 0 || len(drop) > 0
}
