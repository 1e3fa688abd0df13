package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"syscall/js"

	"github.com/hack-pad/go-indexeddb/idb"

	"cadem/core/json"
	"cadem/core/run"
	"cadem/wasm/bridge"
)

// batch bounds the bytes of chunks written in one transaction.
const batch = 16 << 20

// A Store is the saved runs of one site. Its methods must not be called concurrently.
type Store struct {
	prefix  string
	factory js.Value
	db      *database
	owner   *ownership
	channel js.Value // tells other tabs of changes; undefined without BroadcastChannel
	runs    map[string]*history
	newer   bool     // something of a later format is stored
	deleted []string // the runs deleted last, as of [deletedKey]
	part    int64    // how much of a Blob goes into one chunk, see [Store.saveChunks]
}

// State says what a store can do. Reason tells in words why nothing can be kept.
type State struct {
	Owner      bool     `json:"owner"`
	Persistent bool     `json:"persistent"`
	Reason     string   `json:"reason,omitempty"`
	Recovered  []string `json:"recovered"`
	Deleted    []string `json:"deleted"` // the runs that were deleted last, newest first
}

// New returns the store of the site at prefix. Nothing is opened yet.
func New(prefix string) *Store {
	s := &Store{prefix: prefix, factory: js.Global().Get("indexedDB"), part: partSize}
	if broadcast := js.Global().Get("BroadcastChannel"); broadcast.Truthy() {
		s.channel = broadcast.New(s.name())
	}
	return s
}

// name is the name of the database, the lock and the channel.
func (s *Store) name() string { return s.prefix + "cadem" }

// A DamagedRun is stored, but cannot be listed with the others.
type DamagedRun struct {
	Run    string `json:"run"`
	Name   string `json:"name"` // that of its record if it has one that can be read, else Run
	Reason string `json:"reason"`
}

// List returns the records that are not deleted, newest first, and those runs whose record is
// not what check expects, or whose manifests cannot be read.
func (s *Store) List(check Check) (records []json.RawMessage, damaged []DamagedRun, err error) {
	if err := s.ready(false); err != nil {
		return nil, nil, err
	}
	records, damaged = []json.RawMessage{}, []DamagedRun{}
	var newest []*manifest
	for _, run := range slices.Sorted(maps.Keys(s.runs)) {
		h := s.runs[run]
		switch {
		case len(h.kept) == 0:
			if !h.newer && !h.gone {
				damaged = append(damaged, DamagedRun{run, run, "no save of it can be read"})
			}
		case !h.kept[0].Deleted:
			m := h.kept[0]
			reason := check(m.Record, described(m.Slabs))
			if h.lacks != "" {
				reason = errors.New(h.lacks)
			}
			if name, err := runName(m.Record); reason == nil && (err != nil || name != run) {
				reason = fmt.Errorf("run: found %q, expected %q", name, run)
			}
			if reason != nil {
				damaged = append(damaged, DamagedRun{run, s.label(run), reason.Error()})
			} else {
				newest = append(newest, m)
			}
		}
	}
	sort.Sort(inOrder[*manifest]{newest, newestFirst})
	for _, m := range newest {
		records = append(records, m.Record)
	}
	return records, damaged, nil
}

// described is what a check is told of stored arrays.
func described(slabs []storedSlab) []run.StoredSlab {
	list := make([]run.StoredSlab, len(slabs))
	for i, s := range slabs {
		list[i] = run.StoredSlab{Name: s.Name, Type: s.Type, Shape: s.Shape}
	}
	return list
}

// fresh tells why a record that comes from elsewhere cannot be put: it is not what check expects, or something has its
// name, were it deleted or damaged. Nothing is written.
func (s *Store) fresh(record json.RawMessage, slabs []bridge.Slab, check Check) error {
	if err := s.ready(true); err != nil {
		return err
	}
	list := make([]run.StoredSlab, len(slabs))
	for i, b := range slabs {
		list[i] = run.StoredSlab{Name: b.Name, Type: b.Type, Shape: b.Shape}
	}
	if err := check(record, list); err != nil {
		return bridge.Errorf("bad-data", "%v", err)
	}
	name, err := runName(record)
	if err == nil && s.runs[name] != nil {
		err = bridge.Errorf("taken", "A run called %q is kept already.", name)
	}
	return err
}

// Put saves a run and returns its generation once that is safely stored. Slabs that
// are not given stay as they are.
func (s *Store) Put(record json.RawMessage, slabs []bridge.Slab) (int, error) {
	run, err := runName(record)
	if err != nil {
		return 0, err
	}
	if err := s.ready(true); err != nil {
		return 0, err
	}
	h := s.runs[run]
	if h == nil {
		h = &history{}
	}
	switch {
	case h.newer:
		return 0, errNewer
	case h.last > 0 && len(h.kept) == 0:
		return 0, bridge.Errorf("corrupt", "The saved run %q cannot be read, so nothing is written over it. Save under a new run.", run)
	}
	var before *manifest
	if len(h.kept) > 0 {
		before = h.kept[0]
	}
	var m *manifest
	save := func() error {
		var pieces []piece
		if m, pieces, err = next(before, run, h.last+1, record, slabs, s.part); err == nil {
			err = s.save(m, pieces, h)
		}
		return err
	}
	if noBlobs(save()) && s.part == partSize && slices.ContainsFunc(slabs, func(b bridge.Slab) bool { return b.Blob != nil }) {
		s.part = chunkSize
		if noBlobs(save()) {
			s.part = partSize // it was something else
		}
	}
	if noRoom(err) {
		// What was there before is still there: give up what can be spared and try once more.
		if s.spare(run) {
			err = save()
		}
		if noRoom(err) {
			return 0, bridge.Errorf("quota", "There is no room left to save this run. What was saved before is kept. Export the run to a file, or delete runs.")
		}
	}
	if err != nil {
		return 0, storageError("saving", err)
	}
	h.kept = append([]*manifest{m}, h.kept...)
	h.kept = h.kept[:min(len(h.kept), generations)]
	h.last, h.spoiled, h.lacks = m.Generation, nil, ""
	s.runs[run] = h
	s.tell(run)
	return m.Generation, nil
}

func runName(record json.RawMessage) (string, error) {
	var r struct {
		Run string `json:"run"`
	}
	if err := json.Unmarshal(record, &r); err != nil {
		return "", bridge.Errorf("internal", "the record is not an object: %v", err)
	}
	if r.Run == "" {
		return "", bridge.Errorf("internal", "the record names no run")
	}
	return r.Run, nil
}

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
	err = s.db.write(idb.DurabilityStrict, func(t tx) error {
		if err := t.put(manifestStore, m.key(), text); err != nil {
			return err
		}
		if err := s.note(t, m.Run, false); err != nil {
			return err
		}
		return remove(t, drop, stale)
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
		err := s.db.write(idb.DurabilityDefault, func(t tx) error {
			for _, p := range pieces[:n] {
				if p.blob != nil && s.part == partSize {
					if err := t.putPart(chunkStore, p.Key, p.blob, p.at, p.Length); err != nil {
						return err
					}
					continue
				}
				data, err := p.bytes()
				if err != nil {
					return err
				}
				if err := t.put(chunkStore, p.Key, data); err != nil {
					return err
				}
			}
			return nil
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
	there, err := read(s.db, func(t tx) (bool, error) {
		for _, p := range pieces {
			if ok, err := t.has(chunkStore, p.Key); !ok || err != nil {
				return false, err
			}
		}
		return t.has(manifestStore, m.key())
	})
	if err == nil && !there {
		err = fmt.Errorf("the browser dropped what was written")
	}
	return err
}

// discard removes what a failed save has written. What stays is removed at the next
// start.
func (s *Store) discard(m *manifest, pieces []piece) {
	_ = s.db.write(idb.DurabilityDefault, func(t tx) error {
		if err := t.delete(manifestStore, m.key()); err != nil {
			return err
		}
		for _, p := range pieces {
			if err := t.delete(chunkStore, p.Key); err != nil {
				return err
			}
		}
		return nil
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

func remove(t tx, drop []*manifest, chunks []string) error {
	var keys []string
	for _, m := range drop {
		keys = append(keys, m.key())
	}
	return removeKeys(t, keys, chunks)
}

// removeKeys removes manifests and chunks by their keys.
func removeKeys(t tx, manifests, chunks []string) error {
	for _, k := range manifests {
		if err := t.delete(manifestStore, k); err != nil {
			return err
		}
	}
	for _, k := range chunks {
		if err := t.delete(chunkStore, k); err != nil {
			return err
		}
	}
	return nil
}

// spare frees what is kept only for comfort: deleted runs that could be restored, and
// the earlier generations of all other runs. It tells whether there was any.
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
	if err := s.db.write(idb.DurabilityDefault, func(t tx) error { return remove(t, drop, stale) }); err != nil {
		return freed > 0
	}
	for name, h := range s.runs {
		if name != run && len(h.kept) > 1 {
			h.kept = h.kept[:1]
		}
	}
	return freed > 0 || len(drop) > 0
}

// Get returns a run's record and slabs. If the newest generation is damaged, it is the
// one before, and notes say so.
func (s *Store) Get(run string) (record json.RawMessage, slabs []bridge.Slab, notes []string, err error) {
	if err := s.ready(false); err != nil {
		return nil, nil, nil, err
	}
	h, err := s.find(run)
	if err != nil {
		return nil, nil, nil, err
	}
	notes = []string{}
	for i, m := range h.kept {
		slabs, damage, err := s.slabs(m)
		if err != nil {
			return nil, nil, nil, storageError("reading", err)
		}
		if damage == nil {
			if i > 0 {
				notes = append(notes, "The save before it was opened.")
				// The next save goes on from this one and removes the damaged ones.
				h.spoiled = append(h.spoiled, h.kept[:i]...)
				h.kept = h.kept[i:]
			}
			return m.Record, slabs, notes, nil
		}
		notes = append(notes, fmt.Sprintf("Save %d of this run is damaged: %v.", m.Generation, damage))
	}
	return nil, nil, nil, bridge.Errorf("corrupt", "The run cannot be opened. %s", strings.Join(notes, " "))
}

func errNoRun(run string) error { return bridge.Errorf("no-run", "There is no saved run %q.", run) }

func (s *Store) find(run string) (*history, error) {
	h := s.runs[run]
	if h == nil || len(h.kept) == 0 {
		return nil, errNoRun(run)
	}
	return h, nil
}

// slabs reads the slabs of a generation. damage says what is wrong with one of them.
func (s *Store) slabs(m *manifest) (slabs []bridge.Slab, damage, err error) {
	for _, stored := range m.Slabs {
		chunks, err := read(s.db, func(t tx) ([]*value, error) {
			chunks := make([]*value, len(stored.Chunks))
			for i, c := range stored.Chunks {
				v, err := t.get(chunkStore, c.Key)
				if err != nil {
					return nil, err
				}
				chunks[i] = v
			}
			return chunks, nil
		})
		if err != nil {
			return nil, nil, err
		}
		slab, damage, err := stored.assemble(chunks)
		if damage != nil || err != nil {
			return nil, damage, err
		}
		slabs = append(slabs, slab)
	}
	return slabs, nil, nil
}

// Raw returns every value that is stored of a run, damaged or not, under its key: the last way to have what no other
// request can read.
func (s *Store) Raw(run string) ([]bridge.Slab, error) {
	if err := s.ready(false); err != nil {
		return nil, err
	}
	if s.runs[run] == nil {
		return nil, errNoRun(run)
	}
	slabs, err := read(s.db, func(t tx) (slabs []bridge.Slab, err error) {
		for _, from := range []struct {
			store string
			of    func(key string) string
		}{{manifestStore, runOf}, {chunkStore, runOfChunk}} {
			keys, err := t.keys(from.store)
			if err != nil {
				return nil, err
			}
			for _, key := range keys {
				if from.of(key) != run {
					continue
				}
				v, err := t.get(from.store, key)
				if err != nil {
					return nil, err
				}
				if v != nil {
					slabs = append(slabs, bridge.Slab{Name: from.store + "/" + key, Type: bridge.Byte, Shape: []int{int(v.contents().Size())}, Data: v.data, Blob: v.blob})
				}
			}
		}
		return slabs, nil
	})
	if err != nil {
		return nil, storageError("reading", err)
	}
	return slabs, nil
}

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
func (s *Store) note(t tx, run string, deleted bool) error {
	const most = 100
	if !deleted && !slices.Contains(s.deleted, run) {
		return nil
	}
	list := slices.DeleteFunc(slices.Clone(s.deleted), func(r string) bool { return r == run })
	if deleted {
		list = append([]string{run}, list[:min(len(list), most-1)]...)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	s.deleted = list
	return t.put(chunkStore, deletedKey, text)
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
	marked := make([]*manifest, len(h.kept))
	err = s.db.write(idb.DurabilityStrict, func(t tx) error {
		for i, m := range h.kept {
			c := *m
			c.Deleted = deleted
			marked[i] = &c
			text, err := c.encode()
			if err != nil {
				return err
			}
			if err := t.put(manifestStore, c.key(), text); err != nil {
				return err
			}
		}
		return s.note(t, run, deleted)
	})
	if err != nil {
		return storageError("deleting", err)
	}
	h.kept = marked
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
	if err := s.db.write(idb.DurabilityDefault, func(t tx) error { return remove(t, drop, stale) }); err != nil {
		return 0, storageError("deleting", err)
	}
	for _, m := range drop {
		delete(s.runs, m.Run)
		s.tell(m.Run)
	}
	return freed, nil
}

// purgeUnreadable frees the deleted runs of which no manifest can be read, with every chunk that has their name.
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
		err = s.db.write(idb.DurabilityDefault, func(t tx) error {
			if err := s.note(t, run, true); err != nil {
				return err
			}
			return removeKeys(t, h.damaged, chunks)
		})
		if err != nil {
			return storageError("deleting", err)
		}
		delete(s.runs, run)
		s.tell(run)
	}
	return nil
}

// tell lets other tabs know that a run has changed.
func (s *Store) tell(run string) {
	if s.channel.Truthy() {
		_, _ = bridge.Call(s.channel, "postMessage", map[string]any{"changed": run})
	}
}

// noBlobs tells whether an error says that the database takes no Blobs: WebKit's, in private
// windows, aborts the transaction with an UnknownError, others could throw at once.
func noBlobs(err error) bool {
	name := causeOf(err)
	return name == "UnknownError" || name == "DataCloneError"
}

// noRoom tells whether an error says that the disk or the site's share of it is full.
// Chromium keeps large values in files of their own; when the disk takes no more of one,
// it reports no quota but that file.
func noRoom(err error) bool {
	switch causeOf(err) {
	case "QuotaExceededError":
		return true
	case "DataError":
		return strings.Contains(err.Error(), "Failed to write blobs")
	}
	return false
}

// storageError gives an error of the database a code and a sentence.
func storageError(doing string, err error) error {
	var e *bridge.Error
	if errors.As(err, &e) {
		return e
	}
	if noRoom(err) {
		return bridge.Errorf("quota", "There is no room left (%s).", doing)
	}
	return bridge.Errorf("storage", "The browser's database failed while %s: %v.", doing, err)
}
