package store

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"syscall/js"

	"cadem.example/core/base/json"
	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

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
	sorting.Stable(newest, newestFirst)
	for _, m := range newest {
		records = append(records, m.Record)
	}
	return records, damaged, nil
}

// described is the description of stored arrays for a check.
func described(slabs []storedSlab) []run.StoredSlab {
	list := make([]run.StoredSlab, len(slabs))
	for i, s := range slabs {
		list[i] = run.StoredSlab{Name: s.Name, Type: s.Type, Shape: s.Shape}
	}
	return list
}

// fresh says why a record that comes from elsewhere cannot be put: it is not what check expects, or something has its
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

// Put saves a run and returns its generation once that is safely stored. Slabs that are not given
// do not change.
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
		if kept, step := stepOf(before.Record), stepOf(record); step < kept {
			return 0, bridge.Errorf("older", "The run %q is kept as of step %.0f, so nothing is written over it as of step %.0f.", s.label(run), kept, step)
		}
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
		// The previous data are still there: free as much as possible and try again.
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
	h.last, h.spoiled, h.notes, h.lacks = m.Generation, nil, nil, ""
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
	notes = append([]string{}, h.notes...)
	for i, m := range h.kept {
		slabs, damage, err := s.slabs(m)
		if err != nil {
			return nil, nil, nil, storageError("reading", err)
		}
		if damage == nil {
			if len(notes) > 0 {
				notes = append(notes, "The save before it was opened.")
				// The next save goes on from this one and removes the damaged ones.
				h.spoiled = append(h.spoiled, h.kept[:i]...)
				h.kept, h.notes = h.kept[i:], nil
			}
			return m.Record, slabs, notes, nil
		}
		notes = append(notes, m.damaged(damage.Error()))
	}
	return nil, nil, nil, bridge.Errorf("corrupt", "The run cannot be opened. %s", strings.Join(notes, " "))
}

// stepOf returns how far a recorded run has come. The records of studies say nothing of it.
func stepOf(record json.RawMessage) float64 {
	var r struct {
		Progress struct {
			Step float64 `json:"step"`
		} `json:"progress"`
	}
	_ = json.Unmarshal(record, &r)
	return r.Progress.Step
}

func errNoRun(run string) error { return bridge.Errorf("no-run", "There is no saved run %q.", run) }

func (s *Store) find(run string) (*history, error) {
	h := s.runs[run]
	switch {
	case h == nil || h.gone:
		return nil, errNoRun(run)
	case len(h.kept) > 0:
		return h, nil
	case h.newer:
		return nil, errNewer
	}
	return nil, bridge.Errorf("corrupt", "No save of the run %q can be read.", run)
}

// slabs reads the slabs of a generation. damage says what is wrong with one of them.
func (s *Store) slabs(m *manifest) (slabs []bridge.Slab, damage, err error) {
	for _, stored := range m.Slabs {
		chunks, err := read(s.db, func(t *tx) []*value {
			chunks := make([]*value, len(stored.Chunks))
			for i, c := range stored.Chunks {
				chunks[i] = t.get(chunkStore, c.Key)
			}
			return chunks
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
	slabs, err := read(s.db, func(t *tx) (slabs []bridge.Slab) {
		for _, from := range []struct {
			store string
			of    func(key string) string
		}{{manifestStore, runOf}, {chunkStore, runOfChunk}} {
			for _, key := range t.keys(from.store) {
				if from.of(key) != run {
					continue
				}
				if v := t.get(from.store, key); v != nil {
					slabs = append(slabs, bridge.Slab{Name: from.store + "/" + key, Type: bridge.Byte, Shape: []int{int(v.contents().Size())}, Data: v.data, Blob: v.blob})
				}
			}
		}
		return slabs
	})
	if err != nil {
		return nil, storageError("reading", err)
	}
	return slabs, nil
}

// tell lets other tabs know that a run has changed.
func (s *Store) tell(run string) {
	if s.channel.Truthy() {
		_, _ = bridge.Call(s.channel, "postMessage", map[string]any{"changed": run})
	}
}

// A Check returns what is wrong with a record and the arrays beside it, as [run.CheckStored] does.
type Check func(record json.RawMessage, slabs []run.StoredSlab) error

// Serve answers the requests of the storage role, one after the other. It never returns.
func Serve(in *bridge.Inbox, check Check) {
	s := New(bridge.Prefix())
	for {
		r := in.Wait()
		_ = r.Guard(func() { s.answer(r, check) })
		r = nil
		runtime.GC() // the browser keeps a Blob for as long as anything here refers to it
	}
}

func (s *Store) answer(r *bridge.Request, check Check) {
	var args Arguments
	if err := r.Args(&args); err != nil {
		r.Fail(err)
		return
	}
	result, slabs, err := s.do(r.Kind, &args, r.Slabs, check)
	if err != nil {
		r.Fail(storageError("answering "+r.Kind, err))
		return
	}
	r.Reply(result, slabs...)
}

func (s *Store) do(kind string, args *Arguments, given []bridge.Slab, check Check) (result any, slabs []bridge.Slab, err error) {
	switch kind {
	case "open":
		return s.Open(), nil, nil
	case "list":
		runs, damaged, err := s.List(check)
		return listing{runs, damaged}, nil, err
	case "put":
		if args.New {
			if err := s.fresh(args.Record, given, check); err != nil {
				return nil, nil, err
			}
		}
		generation, err := s.Put(args.Record, given)
		return saved{generation}, nil, err
	case "get":
		record, slabs, notes, err := s.Get(args.Run)
		return got{record, notes}, slabs, err
	case "raw":
		slabs, err := s.Raw(args.Run)
		return done{}, slabs, err
	case "delete":
		return done{}, nil, s.Delete(args.Run)
	case "restore":
		record, err := s.Restore(args.Run)
		return got{record, nil}, nil, err
	case "purge":
		n, err := s.Purge(args.Runs)
		return freed{n}, nil, err
	}
	return nil, nil, bridge.Errorf("internal", "the storage program knows no request %q", kind)
}
