package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"syscall/js"

	"github.com/hack-pad/go-indexeddb/idb"

	"cadem.example/core/base/json"
	"cadem.example/core/base/sorting"
	"cadem.example/wasm/bridge"
)

// Open opens the database and takes ownership if no other tab has it. It may be called
// again, after the other tab has gone. That nothing can be kept is not an error.
func (s *Store) Open() State {
	refused := func(reason string) State { return State{Reason: reason, Recovered: []string{}, Deleted: []string{}} }
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
	notes, deleted, err := s.repair()
	if err != nil {
		return refused(reasonOf(err))
	}
	return State{Owner: s.owner != nil, Persistent: true, Recovered: notes, Deleted: deleted}
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
	return "The browser's database of saved runs could not be opened; it may be damaged (" + err.Error() + ")."
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
		return s.load()
	}
	if s.owner == nil {
		// The other tab may have written since.
		return s.load()
	}
	return nil
}

// stored is the content of the database: manifests by key, keys of chunks.
type stored struct {
	manifests map[string][]byte
	keys      []string // of manifests, sorted
	chunks    []string
	deleted   []string // see [deletedKey]
}

func (s *Store) survey() (*stored, error) {
	return read(s.db, func(t *tx) *stored {
		keys := t.keys(manifestStore)
		slices.Sort(keys)
		found := &stored{manifests: map[string][]byte{}, keys: keys}
		for _, k := range keys {
			if v := t.get(manifestStore, k); v != nil {
				found.manifests[k] = v.data
			}
		}
		found.chunks = t.keys(chunkStore)
		if i := slices.Index(found.chunks, deletedKey); i >= 0 {
			found.chunks = slices.Delete(found.chunks, i, i+1)
			if v := t.get(chunkStore, deletedKey); v == nil || json.Unmarshal(v.data, &found.deleted) != nil {
				found.deleted = nil // what cannot be read is no loss
			}
		}
		return found
	})
}

// load reads all manifests.
func (s *Store) load() error {
	found, err := s.survey()
	if err == nil {
		s.index(found)
	}
	return err
}

// index sorts the findings by run. A run whose manifests are all damaged is kept by those that are
// still readable; the notes name it.
func (s *Store) index(found *stored) (notes []string) {
	s.runs = map[string]*history{}
	s.newer, s.deleted = false, found.deleted
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
			h.damaged = append(h.damaged, key)
		default:
			h.kept = append(h.kept, m)
		}
	}
	chunks := map[string]bool{}
	for _, key := range found.chunks {
		chunks[key] = true
	}
	for _, run := range slices.Sorted(maps.Keys(s.runs)) {
		h := s.runs[run]
		sorting.Stable(h.kept, func(a, b *manifest) int { return b.Generation - a.Generation })
		sorting.Stable(h.damaged, func(a, b string) int { return generationOf(b) - generationOf(a) })
		if len(h.kept) > 0 || h.newer {
			h.look(chunks)
			continue
		}
		h.damaged = slices.DeleteFunc(h.damaged, func(key string) bool {
			m := salvage(found.manifests[key], key)
			if m != nil {
				h.kept = append(h.kept, m)
			}
			return m != nil
		})
		h.look(chunks)
		if len(h.kept) > 0 {
			notes = append(notes, fmt.Sprintf("What storage notes of the run \u201c%s\u201d is damaged. What can still be read of it is listed; open "+
				"it and export it to a file.", s.label(run)))
		}
	}
	return notes
}

// look passes over the newest generations as long as they lack chunks and an older one lacks none; which bytes the chunks
// hold shows when they are read.
func (h *history) look(chunks map[string]bool) {
	var notes []string
	for i, m := range h.kept {
		lacks := m.lacks(chunks)
		if lacks == "" {
			h.lacks, h.notes = "", notes
			h.spoiled, h.kept = h.kept[:i:i], h.kept[i:]
			return
		}
		lacks = "a part of " + lacks + " is missing"
		notes = append(notes, m.damaged(lacks))
		if i == 0 {
			h.lacks = lacks
		}
	}
}

// damaged is the note of [Store.Get] on a generation that it passes over.
func (m *manifest) damaged(why string) string {
	return fmt.Sprintf("Save %d of this run is damaged: %s.", m.Generation, why)
}

// repair reads what is stored and, as the owner, frees what an interrupted save or a
// deletion left. The notes say what was found amiss beside runs that
// are listed as damaged; deleted are the runs that were deleted last.
func (s *Store) repair() (notes, deleted []string, err error) {
	notes, deleted = []string{}, []string{}
	found, err := s.survey()
	if err != nil {
		return notes, deleted, err
	}
	notes = append(notes, s.index(found)...)
	deleted = append(deleted, s.deleted...)
	var drop []string
	for _, run := range slices.Sorted(maps.Keys(s.runs)) {
		h := s.runs[run]
		if len(h.kept) > 0 && h.kept[0].Deleted && !slices.Contains(deleted, run) {
			deleted = append(deleted, run)
		}
		if len(h.damaged) > 0 && len(h.kept) > 0 {
			notes = append(notes, fmt.Sprintf("A save of the run \u201c%s\u201d was damaged; another one is used.", s.label(run)))
			drop = append(drop, h.damaged...)
			h.damaged = nil
		}
	}
	if s.newer {
		notes = append(notes, errNewer.Message)
	}
	if s.owner == nil {
		return notes, deleted, nil
	}
	if _, err := s.Purge(nil); err != nil {
		return notes, deleted, err
	}
	orphans := s.orphans(found.chunks)
	if len(drop)+len(orphans) == 0 {
		return notes, deleted, nil
	}
	return notes, deleted, s.db.write(idb.DurabilityDefault, func(t *tx) { removeKeys(t, drop, orphans) })
}

// label returns the name a run is known by.
func (s *Store) label(run string) string {
	var r struct {
		Name string `json:"name"`
	}
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
		for _, m := range slices.Concat(h.kept, h.spoiled) {
			m.references(used)
		}
	}
	return slices.DeleteFunc(slices.Clone(chunks), func(key string) bool {
		h := s.runs[runOfChunk(key)]
		return used[key] || (h != nil && len(h.kept) == 0)
	})
}

// An ownership is the site's Web Lock, held until it is released or the worker ends.
type ownership struct{ resolve js.Value }

// own takes the lock of that name if it is free; without it the ownership is nil.
func own(name string) (*ownership, error) {
	locks := js.Global().Get("navigator").Get("locks")
	if !locks.Truthy() {
		return nil, errors.New("the browser offers no locks to this page, without which two tabs could overwrite each other. It needs a secure " +
			"address (https or this machine).")
	}
	o := &ownership{}
	// The lock is held as long as this promise is pending.
	executor := js.FuncOf(func(_ js.Value, args []js.Value) any {
		o.resolve = args[0]
		return nil
	})
	defer executor.Release()
	held := js.Global().Get("Promise").New(executor)

	granted := make(chan bool, 1)
	taken := js.FuncOf(func(_ js.Value, args []js.Value) any {
		ok := args[0].Truthy()
		granted <- ok
		if ok {
			return held
		}
		return nil
	})
	defer taken.Release()
	refused := make(chan error, 1)
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		select {
		case refused <- js.Error{Value: args[0]}:
		default:
		}
		return nil
	})
	// Never released: the promise may be rejected at any later time.
	promise, err := bridge.Call(locks, "request", name, map[string]any{"ifAvailable": true}, taken)
	if err != nil {
		return nil, err
	}
	promise.Call("catch", failed)
	select {
	case ok := <-granted:
		if !ok {
			return nil, nil
		}
		return o, nil
	case err := <-refused:
		return nil, err
	}
}

func (o *ownership) release() { o.resolve.Invoke() }
