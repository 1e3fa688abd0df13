package store

import (
	"slices"

	"github.com/hack-pad/go-indexeddb/idb"

	"cadem.example/core/base/json"
)

// Delete marks a run as deleted, Restore takes the mark away and returns the record.
func (s *Store) Delete(run string) error { return s.mark(run, true) }

// Restore brings a run back that was deleted and not yet purged. One that cannot be read has no record.
func (s *Store) Restore(run string) (json.RawMessage, error) {
	if err := s.mark(run, false); err != nil {
		return nil, err
	}
	if h := s.runs[run]; len(h.kept) > 0 {
		return h.kept[0].Record, nil
	}
	return nil, nil
}

// deletedKey is where the names of deleted runs are noted, among the chunks: a page that notes elsewhere which runs there were
// may be closed before the browser has written down that one of them was deleted. Earlier versions take it for a chunk
// without a manifest, and remove it.
const deletedKey = "deleted"

// note notes that a run was deleted, or is there again.
func (s *Store) note(t *tx, run string, deleted bool) {
	const most = 100
	if !deleted && !slices.Contains(s.deleted, run) {
		return
	}
	list := slices.DeleteFunc(slices.Clone(s.deleted), func(r string) bool { return r == run })
	if deleted {
		list = append([]string{run}, list[:min(len(list), most-1)]...)
	}
	text, err := json.Marshal(list)
	t.fail(err)
	s.deleted = list
	t.put(chunkStore, deletedKey, text)
}

func (s *Store) mark(run string, deleted bool) error {
	if err := s.ready(true); err != nil {
		return err
	}
	if h := s.runs[run]; h != nil && len(h.kept) == 0 && !h.newer {
		h.gone = deleted // there is nothing to write it into
		s.tell(run)
		return nil
	}
	h, err := s.find(run)
	if err != nil {
		return err
	}
	if h.newer {
		return errNewer
	}
	// A spoiled generation that is not marked would be the newest one again after a reload.
	all := slices.Concat(h.kept, h.spoiled)
	marked := make([]*manifest, len(all))
	err = s.db.write(idb.DurabilityStrict, func(t *tx) {
		for i, m := range all {
			c := *m
			c.Deleted = deleted
			marked[i] = &c
			text, err := c.encode()
			t.fail(err)
			t.put(manifestStore, c.key(), text)
		}
		s.note(t, run, deleted)
	})
	if err != nil {
		return storageError("deleting", err)
	}
	h.kept, h.spoiled = marked[:len(h.kept):len(h.kept)], marked[len(h.kept):]
	s.tell(run)
	return nil
}

// Purge frees those of some runs that are marked as deleted, nil for all of them, and returns how many bytes those were.
func (s *Store) Purge(runs []string) (freed int, err error) {
	if err := s.ready(true); err != nil {
		return 0, err
	}
	meant := func(run string) bool { return runs == nil || slices.Contains(runs, run) }
	if err := s.purgeUnreadable(meant); err != nil {
		return 0, err
	}
	var drop, keep []*manifest
	for run, h := range s.runs {
		if len(h.kept) > 0 && h.kept[0].Deleted && meant(run) {
			drop = slices.Concat(drop, h.kept, h.spoiled)
			freed += h.kept[0].size()
		} else {
			keep = append(keep, h.kept...)
		}
	}
	if len(drop) == 0 {
		return 0, nil
	}
	stale := unreferenced(drop, keep)
	if err := s.db.write(idb.DurabilityDefault, func(t *tx) { remove(t, drop, stale) }); err != nil {
		return 0, storageError("deleting", err)
	}
	for _, m := range drop {
		delete(s.runs, m.Run)
		s.tell(m.Run)
	}
	return freed, nil
}

// purgeUnreadable frees the deleted runs without a readable manifest, with every chunk of their name.
func (s *Store) purgeUnreadable(meant func(run string) bool) error {
	for run, h := range s.runs {
		if !h.gone || !meant(run) {
			continue
		}
		found, err := s.survey()
		if err != nil {
			return storageError("deleting", err)
		}
		chunks := slices.DeleteFunc(found.chunks, func(key string) bool { return runOfChunk(key) != run })
		err = s.db.write(idb.DurabilityDefault, func(t *tx) {
			s.note(t, run, true)
			removeKeys(t, h.damaged, chunks)
		})
		if err != nil {
			return storageError("deleting", err)
		}
		delete(s.runs, run)
		s.tell(run)
	}
	return nil
}
