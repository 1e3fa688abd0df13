package store

import (
	"runtime"

	"cadem/core/json"
	"cadem/core/run"
	"cadem/wasm/bridge"
)

// A Check tells what is wrong with a record and the arrays beside it, as [run.CheckStored] does.
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

// arguments are those of all requests.
type arguments struct {
	Run    string          `json:"run"`
	Runs   []string        `json:"runs"`
	Record json.RawMessage `json:"record"`
	New    bool            `json:"new"`
}

func (s *Store) answer(r *bridge.Request, check Check) {
	var args arguments
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

func (s *Store) do(kind string, args *arguments, given []bridge.Slab, check Check) (result any, slabs []bridge.Slab, err error) {
	type fields = map[string]any
	switch kind {
	case "open":
		return s.Open(), nil, nil
	case "list":
		runs, damaged, err := s.List(check)
		return fields{"runs": runs, "damaged": damaged}, nil, err
	case "put":
		if args.New {
			if err := s.fresh(args.Record, given, check); err != nil {
				return nil, nil, err
			}
		}
		generation, err := s.Put(args.Record, given)
		return fields{"generation": generation}, nil, err
	case "get":
		record, slabs, notes, err := s.Get(args.Run)
		return fields{"record": record, "notes": notes}, slabs, err
	case "raw":
		slabs, err := s.Raw(args.Run)
		return fields{}, slabs, err
	case "delete":
		return fields{}, nil, s.Delete(args.Run)
	case "restore":
		record, err := s.Restore(args.Run)
		return fields{"record": record}, nil, err
	case "purge":
		freed, err := s.Purge(args.Runs)
		return fields{"freed": freed}, nil, err
	}
	return nil, nil, bridge.Errorf("internal", "the storage program knows no request %q", kind)
}
