package store

import (
	"context"
	"errors"
	"strings"
	"syscall/js"
	"time"

	"github.com/hack-pad/go-indexeddb/idb"

	"cadem.example/wasm/bridge"
)

const (
	manifestStore = "manifests"
	chunkStore    = "chunks"
	schema        = 1
)

// limit is the time limit of a database operation. Twenty seconds let a slow disk write the 16 MB
// of one transaction.
var limit = 20 * time.Second

// A database is an open connection.
type database struct {
	lib    *idb.Database
	raw    js.Value
	ended  string // why the connection is gone, empty while it is there
	listen []listener
}

type listener struct {
	target js.Value
	event  string
	f      js.Func
}

func (d *database) on(target js.Value, event string, f func()) {
	l := listener{target, event, js.FuncOf(func(js.Value, []js.Value) any { f(); return nil })}
	target.Call("addEventListener", event, l.f)
	d.listen = append(d.listen, l)
}

func (d *database) release() {
	for _, l := range d.listen {
		l.target.Call("removeEventListener", l.event, l.f)
		l.f.Release()
	}
	d.listen = nil
}

func (d *database) close() {
	d.release()
	if d.ended == "" {
		d.ended = "the database was closed"
		d.raw.Call("close")
	}
}

// causeOf returns the name of the DOMException behind an error, whether IndexedDB threw
// it or reported it, and "" when there is none.
func causeOf(err error) string {
	var thrown js.Error
	if errors.As(err, &thrown) {
		if name := thrown.Value.Get("name"); name.Type() == js.TypeString {
			return name.String()
		}
	}
	var reported idb.DOMException
	if errors.As(err, &reported) {
		name, _, _ := strings.Cut(reported.Error(), ":")
		return name
	}
	return ""
}

// within runs an operation and returns its result, or an error when it has not ended
// after the limit. The operation's own waits never end early, so a result always
// is one.
func within[T any](what string, operation func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		v, err := operation()
		done <- outcome{v, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case o := <-done:
		return o.value, o.err
	case <-timer.C:
		var zero T
		return zero, bridge.Errorf("storage", "The browser's database did not answer within %v (%s).", limit, what)
	}
}

// connect opens the database in that version, and creates it if there is none.
func connect(factory js.Value, name string, version int) (*database, error) {
	request, err := bridge.Call(factory, "open", name, version)
	if err != nil {
		return nil, err
	}
	d := &database{}
	settled := make(chan error, 1)
	blocked := false
	abandoned := false
	settle := func(err error) {
		select {
		case settled <- err:
		default:
		}
	}
	// The library opens its request through a factory: hand it one that gives out the
	// request just made (pop returns the array's only element), so all of the
	// request's events can be listened to here as well.
	tap := js.Global().Get("Object").New()
	held := js.ValueOf([]any{request})
	tap.Set("open", held.Get("pop").Call("bind", held))
	lib, err := idb.WrapFactory(tap)
	if err != nil {
		return nil, err
	}
	ctx, done := context.WithCancel(context.Background())
	defer done()
	var upgrade error
	open, err := lib.Open(ctx, name, uint(version), func(db *idb.Database, from, _ uint) error {
		if from > 0 {
			return nil
		}
		// An error returned from here would end the program: keep it and abort.
		for _, s := range []string{manifestStore, chunkStore} {
			if _, err := db.CreateObjectStore(s, idb.ObjectStoreOptions{}); err != nil {
				upgrade = err
				_, _ = bridge.Call(request.Get("transaction"), "abort")
				break
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.on(request, "success", func() {
		if abandoned {
			request.Get("result").Call("close")
			d.release()
			return
		}
		settle(nil)
	})
	d.on(request, "error", func() { settle(js.Error{Value: request.Get("error")}) })
	d.on(request, "blocked", func() { blocked = true })

	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err = <-settled:
		d.release()
	case <-timer.C:
		abandoned = true
		if blocked {
			return nil, bridge.Errorf("storage", "Another tab holds the saved runs open in an older version of this page. Close it, then reload.")
		}
		return nil, bridge.Errorf("storage", "The browser's database did not open within %v.", limit)
	}
	if upgrade != nil {
		return nil, upgrade
	}
	if err != nil {
		return nil, err
	}
	if d.lib, err = open.Result(); err != nil {
		return nil, err
	}
	d.raw = request.Get("result")
	d.on(d.raw, "versionchange", func() {
		// The library closes on this event too; close waits for running transactions.
		d.ended = "a newer version of this page took over the saved runs in another tab; reload this one"
		d.raw.Call("close")
	})
	d.on(d.raw, "close", func() { d.ended = "the browser closed the database, perhaps because site data were cleared" })
	return d, nil
}

// A tx issues the requests of one transaction. After the first that fails, the others do nothing.
type tx struct {
	t   *idb.Transaction
	err error
}

// fail has the transaction fail, unless there is no error or it failed before.
func (t *tx) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// on makes a request of a store, unless one failed before.
func (t *tx) on(store string, request func(*idb.ObjectStore) error) {
	if t.err != nil {
		return
	}
	s, err := t.t.ObjectStore(store)
	if err == nil {
		err = request(s)
	}
	t.err = err
}

func (t *tx) put(store, key string, b []byte) {
	t.on(store, func(s *idb.ObjectStore) error {
		_, err := s.PutKey(js.ValueOf(key), bridge.ToJS(b))
		return err
	})
}

// putPart stores a part of a Blob as a Blob.
func (t *tx) putPart(store, key string, b bridge.Blob, at int64, n int) {
	t.on(store, func(s *idb.ObjectStore) error {
		part, err := bridge.Part(b, at, at+int64(n))
		if err == nil {
			_, err = s.PutKey(js.ValueOf(key), part)
		}
		return err
	})
}

func (t *tx) delete(store, key string) {
	t.on(store, func(s *idb.ObjectStore) error {
		_, err := s.Delete(js.ValueOf(key))
		return err
	})
}

// answer waits for what a request gives.
func answer[T any](r interface {
	Await(context.Context) (T, error)
}, err error) (T, error) {
	if err != nil {
		var zero T
		return zero, err
	}
	return r.Await(context.Background())
}

// get returns a stored value, nil when there is none under that key.
func (t *tx) get(store, key string) (found *value) {
	t.on(store, func(s *idb.ObjectStore) error {
		v, err := answer(s.Get(js.ValueOf(key)))
		switch {
		case err != nil || v.IsUndefined():
		case v.InstanceOf(js.Global().Get("Blob")):
			found = &value{blob: bridge.NewBlob(v)}
		case !v.InstanceOf(js.Global().Get("Uint8Array")):
			found = &value{} // of another hand: as damaged as one without its bytes
		default:
			found = &value{data: bridge.FromJS(v)}
		}
		return err
	})
	return found
}

func (t *tx) has(store, key string) (is bool) {
	t.on(store, func(s *idb.ObjectStore) error {
		n, err := answer(s.CountKey(js.ValueOf(key)))
		is = err == nil && n == 1
		return err
	})
	return is
}

func (t *tx) keys(store string) (keys []string) {
	t.on(store, func(s *idb.ObjectStore) error {
		values, err := answer(s.GetAllKeys())
		for _, v := range values {
			if v.Type() == js.TypeString { // no other keys are written here
				keys = append(keys, v.String())
			}
		}
		return err
	})
	return keys
}

func (d *database) begin(mode idb.TransactionMode, durability idb.TransactionDurability) (*tx, error) {
	if d.ended != "" {
		return nil, bridge.Errorf("storage", "Saving has stopped: %s.", d.ended)
	}
	t, err := d.lib.TransactionWithOptions(idb.TransactionOptions{Mode: mode, Durability: durability}, manifestStore, chunkStore)
	return &tx{t: t}, err
}

// write runs a transaction that body fills with requests, and returns when it is
// complete. body must wait for nothing.
func (d *database) write(durability idb.TransactionDurability, body func(*tx)) error {
	t, err := d.begin(idb.TransactionReadWrite, durability)
	if err != nil {
		return err
	}
	if body(t); t.err != nil {
		// Waiting for a transaction aborted here would report success.
		_ = t.t.Abort()
		return t.err
	}
	_, err = within("writing", func() (struct{}, error) { return struct{}{}, t.t.Await(context.Background()) })
	return err
}

// read runs a read-only transaction; body may wait for its requests and nothing else.
func read[T any](d *database, body func(*tx) T) (T, error) {
	return within("reading", func() (found T, err error) {
		t, err := d.begin(idb.TransactionReadOnly, idb.DurabilityDefault)
		if err != nil {
			return found, err
		}
		found = body(t)
		return found, t.err
	})
}

// noBlobs reports whether an error says that the database takes no Blobs: WebKit's, in private
// windows, aborts the transaction with an UnknownError, others could throw at once.
func noBlobs(err error) bool {
	name := causeOf(err)
	return name == "UnknownError" || name == "DataCloneError"
}

// noRoom reports whether an error says that the disk or the site's share of it is full.
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
