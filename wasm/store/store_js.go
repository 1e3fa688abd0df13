package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall/js"

	"github.com/hack-pad/go-indexeddb/idb"

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
	newer   bool // something of a later format is stored
}

// State says what a store can do. Reason tells in words why nothing can be kept.
type State struct {
	Owner      bool     `json:"owner"`
	Persistent bool     `json:"persistent"`
	Reason     string   `json:"reason,omitempty"`
	Recovered  []string `json:"recovered"`
}

// New returns the store of the site at prefix. Nothing is opened yet.
func New(prefix string) *Store {
	s := &Store{prefix: prefix, factory: js.Global().Get("indexedDB")}
	if broadcast := js.Global().Get("BroadcastChannel"); broadcast.Truthy() {
		s.channel = broadcast.New(s.name())
	}
	return s
}

// name is the name of the database, the lock and the channel.
func (s *Store) name() string { return s.prefix + "cadem" }

// Open opens the database and takes ownership if no other tab has it. It may be called
// again, after the other tab has gone. That nothing can be kept is not an error.
func (s *Store) Open() State {
	refused := func(reason string) State { return State{Reason: reason, Recovered: []string{}} }
	if !s.factory.Truthy() {
		return refused("This browser has no database for web pages, or has switched it off.")
	}
	if s.owner == nil {
		var err error
		if s.owner, err = own(s.name()); err != nil {
			return refused("Runs cannot be kept here: " + err.Error())
		}
	}
	if err := s.connect(); err != nil {
		return refused(reasonOf(err))
	}
	notes, err := s.repair()
	if err != nil {
		return refused(reasonOf(err))
	}
	return State{Owner: s.owner != nil, Persistent: true, Recovered: notes}
}

// Close gives up the connection and the ownership.
func (s *Store) Close() {
	if s.db != nil {
		s.db.close()
		s.db = nil
	}
	if s.owner != nil {
		s.owner.release()
		s.owner = nil
	}
	if s.channel.Truthy() {
		s.channel.Call("close")
	}
}

// reasonOf says in words why the database cannot be used.
func reasonOf(err error) string {
	var e *bridge.Error
	if errors.As(err, &e) {
		return e.Message
	}
	switch causeOf(err) {
	case "SecurityError", "InvalidStateError":
		return "The browser does not let this page keep anything, as in a private window or with site data blocked."
	case "QuotaExceededError":
		return "There is no room left for this page to keep anything."
	case "VersionError":
		return errNewer.Message
	}
	return "The browser's database could not be opened: " + err.Error()
}

func (s *Store) connect() error {
	if s.db != nil && s.db.ended == "" {
		return nil
	}
	if s.db != nil {
		s.db.close()
	}
	db, err := connect(s.factory, s.name(), schema)
	s.db = db
	return err
}

// ready makes sure that there is a connection; to write, also ownership.
func (s *Store) ready(write bool) error {
	if write && s.owner == nil {
		return bridge.Errorf("locked", "Another tab of this page keeps the runs; this one can only read them.")
	}
	if s.db == nil {
		return bridge.Errorf("storage", "Nothing can be kept: the database is not open.")
	}
	if s.db.ended != "" {
		if err := s.connect(); err != nil {
			return bridge.Errorf("storage", "%s", reasonOf(err))
		}
		_, err := s.load()
		return err
	}
	if s.owner == nil {
		// The other tab may have written since.
		_, err := s.load()
		return err
	}
	return nil
}

// stored is what the database holds: manifests by key, keys of chunks.
type stored struct {
	manifests map[string][]byte
	keys      []string // of manifests, sorted
	chunks    []string
}

func (s *Store) survey() (*stored, error) {
	return read(s.db, func(t tx) (*stored, error) {
		keys, err := t.keys(manifestStore)
		if err != nil {
			return nil, err
		}
		slices.Sort(keys)
		found := &stored{manifests: map[string][]byte{}, keys: keys}
		for _, k := range keys {
			if found.manifests[k], err = t.get(manifestStore, k); err != nil {
				return nil, err
			}
		}
		found.chunks, err = t.keys(chunkStore)
		return found, err
	})
}

// load reads all manifests. It returns the keys of those that cannot be read.
func (s *Store) load() (damaged []string, err error) {
	found, err := s.survey()
	if err != nil {
		return nil, err
	}
	return s.index(found), nil
}

func (s *Store) index(found *stored) (damaged []string) {
	s.runs = map[string]*history{}
	s.newer = false
	for _, key := range found.keys {
		run := runOf(key)
		if s.runs[run] == nil {
			s.runs[run] = &history{}
		}
		h := s.runs[run]
		h.last = max(h.last, generationOf(key))
		m, err := decodeManifest(found.manifests[key])
		switch {
		case errors.Is(err, errNewer):
			s.newer, h.newer = true, true
		case err != nil || m.key() != key:
			damaged = append(damaged, key)
		default:
			h.kept = append(h.kept, m)
		}
	}
	for _, h := range s.runs {
		slices.SortFunc(h.kept, func(a, b *manifest) int { return b.Generation - a.Generation })
	}
	return damaged
}

// repair reads what is stored and, as the owner, frees what an interrupted save or a
// deletion left. The notes say what was found amiss.
func (s *Store) repair() (notes []string, err error) {
	notes = []string{}
	found, err := s.survey()
	if err != nil {
		return notes, err
	}
	damaged := s.index(found)
	var drop []string
	for _, key := range damaged {
		run := runOf(key)
		if len(s.runs[run].kept) > 0 {
			notes = append(notes, fmt.Sprintf("A save of run %q was damaged; the one before it is used.", s.label(run)))
			drop = append(drop, key)
		} else {
			notes = append(notes, fmt.Sprintf("The saved run %q is damaged and cannot be read.", run))
		}
	}
	if s.newer {
		notes = append(notes, errNewer.Message)
	}
	if s.owner == nil {
		return notes, nil
	}
	if _, err := s.Purge(); err != nil {
		return notes, err
	}
	orphans := s.orphans(found.chunks)
	if len(drop)+len(orphans) == 0 {
		return notes, nil
	}
	return notes, s.db.write(idb.DurabilityDefault, func(t tx) error {
		for _, k := range drop {
			if err := t.delete(manifestStore, k); err != nil {
				return err
			}
		}
		for _, k := range orphans {
			if err := t.delete(chunkStore, k); err != nil {
				return err
			}
		}
		return nil
	})
}

// label returns the name a run is known by.
func (s *Store) label(run string) string {
	var r struct{ Name string }
	if h := s.runs[run]; len(h.kept) > 0 && json.Unmarshal(h.kept[0].Record, &r) == nil && r.Name != "" {
		return r.Name
	}
	return run
}

// orphans returns the chunks that no manifest names. As long as there are manifests of
// a later format, or a run without any readable one, nothing is taken for an orphan
// that could be theirs.
func (s *Store) orphans(chunks []string) []string {
	if s.newer {
		return nil
	}
	used := map[string]bool{}
	for _, h := range s.runs {
		for _, m := range h.kept {
			m.references(used)
		}
	}
	return slices.DeleteFunc(slices.Clone(chunks), func(key string) bool {
		// A chunk's key is that of its manifest and two numbers.
		h := s.runs[runOf(runOf(runOf(key)))]
		return used[key] || (h != nil && len(h.kept) == 0)
	})
}

// List returns the records that are not deleted, newest first.
func (s *Store) List() ([]json.RawMessage, error) {
	if err := s.ready(false); err != nil {
		return nil, err
	}
	var newest []*manifest
	for _, h := range s.runs {
		if len(h.kept) > 0 && !h.kept[0].Deleted {
			newest = append(newest, h.kept[0])
		}
	}
	slices.SortFunc(newest, newestFirst)
	records := make([]json.RawMessage, len(newest))
	for i, m := range newest {
		records[i] = m.Record
	}
	return records, nil
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
	m, pieces := next(before, run, h.last+1, record, slabs)
	err = s.save(m, pieces, h)
	if causeOf(err) == "QuotaExceededError" {
		// What was there before is still there: give up what can be spared and try once more.
		if s.spare(run) {
			err = s.save(m, pieces, h)
		}
		if causeOf(err) == "QuotaExceededError" {
			return 0, bridge.Errorf("quota", "There is no room left to save this run. What was saved before is kept. Export the run to a file, or delete runs.")
		}
	}
	if err != nil {
		return 0, storageError("saving", err)
	}
	h.kept = append([]*manifest{m}, h.kept...)
	h.kept = h.kept[:min(len(h.kept), generations)]
	h.last, h.spoiled = m.Generation, nil
	s.runs[run] = h
	s.tell(run)
	return m.Generation, nil
}

func runName(record json.RawMessage) (string, error) {
	var r struct{ Run string }
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

func (s *Store) saveChunks(pieces []piece) error {
	for len(pieces) > 0 {
		n, bytes := 0, 0
		for n < len(pieces) && (n == 0 || bytes+pieces[n].Length <= batch) {
			bytes += pieces[n].Length
			n++
		}
		err := s.db.write(idb.DurabilityDefault, func(t tx) error {
			for _, p := range pieces[:n] {
				if err := t.put(chunkStore, p.Key, p.data); err != nil {
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
	for _, m := range drop {
		if err := t.delete(manifestStore, m.key()); err != nil {
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
	freed, err := s.Purge()
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

func (s *Store) find(run string) (*history, error) {
	h := s.runs[run]
	if h == nil || len(h.kept) == 0 {
		return nil, bridge.Errorf("no-run", "There is no saved run %q.", run)
	}
	return h, nil
}

// slabs reads the slabs of a generation. damage says what is wrong with one of them.
func (s *Store) slabs(m *manifest) (slabs []bridge.Slab, damage, err error) {
	for _, stored := range m.Slabs {
		chunks, err := read(s.db, func(t tx) ([][]byte, error) {
			chunks := make([][]byte, len(stored.Chunks))
			for i, c := range stored.Chunks {
				b, err := t.get(chunkStore, c.Key)
				if err != nil {
					return nil, err
				}
				chunks[i] = b
			}
			return chunks, nil
		})
		if err != nil {
			return nil, nil, err
		}
		slab, damage := stored.assemble(chunks)
		if damage != nil {
			return nil, damage, nil
		}
		slabs = append(slabs, slab)
	}
	return slabs, nil, nil
}

// Delete marks a run as deleted, Restore takes the mark away and returns the record.
func (s *Store) Delete(run string) error { return s.mark(run, true) }

// Restore brings a run back that was deleted and not yet purged.
func (s *Store) Restore(run string) (json.RawMessage, error) {
	if err := s.mark(run, false); err != nil {
		return nil, err
	}
	return s.runs[run].kept[0].Record, nil
}

func (s *Store) mark(run string, deleted bool) error {
	if err := s.ready(true); err != nil {
		return err
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
		return nil
	})
	if err != nil {
		return storageError("deleting", err)
	}
	h.kept = marked
	s.tell(run)
	return nil
}

// Purge frees the runs marked as deleted and returns how many bytes those were.
func (s *Store) Purge() (freed int, err error) {
	if err := s.ready(true); err != nil {
		return 0, err
	}
	var drop, keep []*manifest
	for _, h := range s.runs {
		if len(h.kept) > 0 && h.kept[0].Deleted {
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

// tell lets other tabs know that a run has changed.
func (s *Store) tell(run string) {
	if s.channel.Truthy() {
		_, _ = bridge.Call(s.channel, "postMessage", map[string]any{"changed": run})
	}
}

// storageError gives an error of the database a code and a sentence.
func storageError(doing string, err error) error {
	var e *bridge.Error
	if errors.As(err, &e) {
		return e
	}
	if causeOf(err) == "QuotaExceededError" {
		return bridge.Errorf("quota", "There is no room left (%s).", doing)
	}
	return bridge.Errorf("storage", "The browser's database failed while %s: %v.", doing, err)
}
