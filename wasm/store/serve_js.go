package store

import (
	"runtime"

	"cadem/core/json"
	"cadem/wasm/bridge"
)

// Serve answers the requests of the storage role, one after the other. Check tells what is wrong
// with a record that is stored. It never returns.
func Serve(in *bridge.Inbox, check func(json.RawMessage) error) {
	s := New(bridge.Prefix())
	for {
		r := in.Wait()
		_ = r.Guard(func() { s.answer(r, check) })
		r = nil
		runtime.GC() // the browser keeps a Blob for as long as anything here refers to it
	}
}

func (s *Store) answer(r *bridge.Request, check func(json.RawMessage) error) {
	var args struct {
		Run    string          `json:"run"`
		Record json.RawMessage `json:"record"`
	}
	if err := r.Args(&args); err != nil {
		r.Fail(err)
		return
	}
	result, slabs, err := s.do(r.Kind, args.Run, args.Record, r.Slabs, check)
	if err != nil {
		r.Fail(storageError("answering "+r.Kind, err))
		return
	}
	r.Reply(result, slabs...)
}

func (s *Store) do(kind, run string, record json.RawMessage, given []bridge.Slab, check func(json.RawMessage) error) (result any, slabs []bridge.Slab,
	err error) {
	type fields = map[string]any
	switch kind {
	case "open":
		return s.Open(), nil, nil
	case "list":
		runs, damaged, err := s.List(check)
		return fields{"runs": runs, "damaged": damaged}, nil, err
	case "put":
		generation, err := s.Put(record, given)
		return fields{"generation": generation}, nil, err
	case "get":
		record, slabs, notes, err := s.Get(run)
		return fields{"record": record, "notes": notes}, slabs, err
	case "delete":
		return fields{}, nil, s.Delete(run)
	case "restore":
		record, err := s.Restore(run)
		return fields{"record": record}, nil, err
	case "purge":
		freed, err := s.Purge()
		return fields{"freed": freed}, nil, err
	}
	return nil, nil, bridge.Errorf("internal", "the storage program knows no request %q", kind)
}
