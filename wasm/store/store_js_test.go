package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall/js"
	"testing"
	"time"

	"github.com/hack-pad/go-indexeddb/idb"

	"cadem.example/core/base/json"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

func open(t *testing.T) *Store {
	t.Helper()
	s := New("/" + t.Name() + "/")
	if state := s.Open(); !state.Owner || !state.Persistent {
		t.Fatalf("state %+v", state)
	}
	t.Cleanup(s.Close)
	return s
}

// reopen simulates a reload.
func reopen(t *testing.T, s *Store) (*Store, State) {
	t.Helper()
	s.Close()
	s = New(s.prefix)
	t.Cleanup(s.Close)
	var state State
	// The lock is free some moments after its holder let go.
	for range 100 {
		if state = s.Open(); state.Owner || !state.Persistent {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return s, state
}

// anything is a check that every record passes.
func anything(json.RawMessage, []run.StoredSlab) error { return nil }

func text(run string, updated int) json.RawMessage {
	return record(fmt.Sprintf(`{"run":%q,"name":%q,"updated":%d}`, run, "Run "+run, updated))
}

func put(t *testing.T, s *Store, run string, updated int, slabs ...bridge.Slab) int {
	t.Helper()
	g, err := s.Put(text(run, updated), slabs)
	if err != nil {
		t.Fatalf("put: %v", err)
	}
	return g
}

func get(t *testing.T, s *Store, run string) (slabs map[string][]byte, updated int, notes []string) {
	t.Helper()
	r, all, notes, err := s.Get(run)
	if err != nil {
		t.Fatalf("get: %v", err)
	}
	var m struct {
		Updated int `json:"updated"`
	}
	if err := json.Unmarshal(r, &m); err != nil {
		t.Fatal(err)
	}
	slabs = map[string][]byte{}
	for _, b := range all {
		if slabs[b.Name], err = b.Load(); err != nil {
			t.Fatal(err)
		}
	}
	return slabs, m.Updated, notes
}

func chunkKeys(t *testing.T, s *Store) []string {
	t.Helper()
	found, err := s.survey()
	if err != nil {
		t.Fatal(err)
	}
	return found.chunks
}

func code(err error) string {
	var e *bridge.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return fmt.Sprint(err)
}

// overwrite changes the database behind the store's back.
func overwrite(t *testing.T, s *Store, store, key string, b []byte) {
	t.Helper()
	err := s.db.write(idb.DurabilityDefault, func(x *tx) {
		if b == nil {
			x.delete(store, key)
			return
		}
		x.put(store, key, b)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// patch replaces a method for the time of the test by a JavaScript function that gets
// the original as its first argument, then the object, then the arguments.
func patch(t *testing.T, class, method, body string) {
	t.Helper()
	prototype := js.Global().Get(class).Get("prototype")
	original := prototype.Get(method)
	wrap := js.Global().Get("Function").New("original", "return function(...a) {"+body+"}")
	prototype.Set(method, wrap.Invoke(original))
	t.Cleanup(func() { prototype.Set(method, original) })
}

func shorten(t *testing.T, d time.Duration) {
	before := limit
	limit = d
	t.Cleanup(func() { limit = before })
}

func TestRoundTrip(t *testing.T) {
	s := open(t)
	big := make([]byte, 2*chunkSize+5)
	for i := range big {
		big[i] = byte(i * 7)
	}
	g := put(t, s, "a", 1, bridge.Bytes("file:0", big), bridge.Bytes("empty", nil), bridge.Float32s("xy", []float32{1, 2, 3, 4}, 1, 2, 2))
	if g != 1 {
		t.Errorf("generation %d, expected 1", g)
	}
	if g = put(t, s, "a", 2, bridge.Bytes("checkpoint", []byte("two"))); g != 2 {
		t.Errorf("generation %d, expected 2", g)
	}
	put(t, s, "b", 5)
	put(t, s, "c", 3)
	s, _ = reopen(t, s)
	slabs, updated, notes := get(t, s, "a")
	if updated != 2 || len(notes) != 0 {
		t.Errorf("record of save %d, notes %v", updated, notes)
	}
	if !bytes.Equal(slabs["file:0"], big) || string(slabs["checkpoint"]) != "two" || len(slabs["xy"]) != 16 || len(slabs) != 4 {
		t.Errorf("slabs of %d entries, file of %d bytes", len(slabs), len(slabs["file:0"]))
	}
	_, all, _, _ := s.Get("a")
	for _, b := range all {
		if b.Name == "xy" && (b.Type != bridge.Float32 || fmt.Sprint(b.Shape) != "[1 2 2]") {
			t.Errorf("xy came back as %s %v", b.Type, b.Shape)
		}
	}
	runs, _, err := s.List(anything)
	if err != nil {
		t.Fatal(err)
	}
	order := ""
	for _, r := range runs {
		name, _ := runName(r)
		order += name
	}
	if order != "bca" {
		t.Errorf("listed %s, expected the newest first: bca", order)
	}
	if _, _, _, err := s.Get("nobody"); code(err) != "no-run" {
		t.Errorf("a run that is not there: %v", err)
	}
}

func TestExactArrays(t *testing.T) {
	s := open(t)
	put(t, s, "a", 1, bridge.Bytes("checkpoint", make([]byte, 100)))
	n, err := read(s.db, func(x *tx) (n int) {
		x.on(chunkStore, func(st *idb.ObjectStore) error {
			v, err := answer(st.Get(js.ValueOf("a/1/0/0")))
			if err == nil {
				n = v.Get("buffer").Get("byteLength").Int()
			}
			return err
		})
		return n
	})
	if err != nil || n != 100 {
		t.Errorf("100 bytes are stored with a buffer of %d, %v", n, err)
	}
}

// A Blob is stored in parts and read back whole, also after a reload.
func TestBlobs(t *testing.T) {
	s := open(t)
	data := make([]byte, partSize+12345)
	for i := range data {
		data[i] = byte(i * i >> 7)
	}
	put(t, s, "a", 1, inBlob("file:0", data))
	s, _ = reopen(t, s)
	if slabs, _, notes := get(t, s, "a"); !bytes.Equal(slabs["file:0"], data) || len(notes) > 0 {
		t.Errorf("%d bytes, %v", len(slabs["file:0"]), notes)
	}
}

// inBlob is bytes in a Blob of the browser.
func inBlob(name string, data []byte) bridge.Slab {
	return bridge.InBlob(name, bridge.NewBlob(js.Global().Get("Blob").New([]any{bridge.ToJS(data)})))
}

// Where the database takes no Blobs their bytes are stored, in the same save, and the next
// save offers none any more.
func TestBlobsRefused(t *testing.T) {
	for name, refusal := range map[string]string{
		"at once": "throw new DOMException('no Blobs', 'DataCloneError');",
		// As WebKit does in private windows.
		"later": `const r = original.call(this, 0, a[1]), t = this.transaction;
			Object.defineProperty(t, 'error', {value: new DOMException('Error preparing Blob/File data', 'UnknownError')});
			r.addEventListener('success', () => t.abort());
			return r;`,
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			js.Global().Set("testRefused", 0)
			patch(t, "IDBObjectStore", "put", `
				if (!(a[0] instanceof Blob)) return original.apply(this, a);
				globalThis.testRefused++;`+refusal)
			data := make([]byte, 2*chunkSize+5)
			for i := range data {
				data[i] = byte(i * i >> 7)
			}
			put(t, s, "a", 1, inBlob("checkpoint", data))
			put(t, s, "a", 2, inBlob("weights", data[:7]))
			s, _ = reopen(t, s)
			slabs, updated, notes := get(t, s, "a")
			if !bytes.Equal(slabs["checkpoint"], data) || !bytes.Equal(slabs["weights"], data[:7]) || updated != 2 || len(notes) > 0 {
				t.Errorf("save %d with %d and %d bytes, notes %v", updated, len(slabs["checkpoint"]), len(slabs["weights"]), notes)
			}
			if keys := strings.Join(chunkKeys(t, s), " "); keys != "a/1/0/0 a/1/0/1 a/1/0/2 a/2/0/0" {
				t.Errorf("chunks %s", keys)
			}
			if n := js.Global().Get("testRefused").Int(); n != 1 {
				t.Errorf("%d Blobs were offered, expected 1", n)
			}
		})
	}
}

// A disk that is full for Blobs is so for bytes: nothing is read into memory to try.
func TestFullIsNoRefusalOfBlobs(t *testing.T) {
	s := open(t)
	put(t, s, "b", 1, inBlob("checkpoint", []byte("one")))
	if s.part != partSize {
		t.Skip("this browser takes no Blobs into its database, as in a private window, so bytes are all that is tried")
	}
	js.Global().Set("testRoom", 0)
	js.Global().Set("testBytes", 0)
	patch(t, "IDBObjectStore", "put", "if (!(a[0] instanceof Blob)) globalThis.testBytes++;"+full)
	if _, err := s.Put(text("a", 1), []bridge.Slab{inBlob("checkpoint", []byte("one"))}); code(err) != "quota" {
		t.Errorf("put: %v", err)
	}
	if n := js.Global().Get("testBytes").Int(); n != 0 {
		t.Errorf("%d chunks were written as bytes", n)
	}
}

func TestTwoGenerationsAreKept(t *testing.T) {
	s := open(t)
	for i := 1; i <= 5; i++ {
		put(t, s, "a", i, bridge.Bytes("checkpoint", []byte{byte(i)}))
	}
	if keys := chunkKeys(t, s); strings.Join(keys, " ") != "a/4/0/0 a/5/0/0" {
		t.Errorf("chunks %v, expected those of saves 4 and 5", keys)
	}
}

func TestInterruptedSave(t *testing.T) {
	s := open(t)
	put(t, s, "a", 1, bridge.Bytes("checkpoint", []byte("one")))
	// As if the tab had died after the chunks and before the manifest.
	_, pieces, _ := next(s.runs["a"].kept[0], "a", 2, text("a", 2), []bridge.Slab{bridge.Bytes("checkpoint", []byte("two"))}, partSize)
	if err := s.saveChunks(pieces); err != nil {
		t.Fatal(err)
	}
	s, state := reopen(t, s)
	if len(state.Recovered) != 0 {
		t.Errorf("notes %v about a save that was never acknowledged", state.Recovered)
	}
	slabs, updated, _ := get(t, s, "a")
	if updated != 1 || string(slabs["checkpoint"]) != "one" {
		t.Errorf("save %d with %q", updated, slabs["checkpoint"])
	}
	if keys := chunkKeys(t, s); len(keys) != 1 {
		t.Errorf("chunks %v: the orphan is still there", keys)
	}
}

func TestDamagedChunkFallsBack(t *testing.T) {
	s := open(t)
	put(t, s, "a", 1, bridge.Bytes("file:0", []byte("data")), bridge.Bytes("checkpoint", []byte("one")))
	put(t, s, "a", 2, bridge.Bytes("checkpoint", []byte("two")))
	overwrite(t, s, chunkStore, "a/2/0/0", []byte("tw0"))
	slabs, updated, notes := get(t, s, "a")
	if updated != 1 || string(slabs["checkpoint"]) != "one" || len(notes) != 2 || !strings.Contains(notes[0], "checksum of part 1 of 1 of checkpoint") {
		t.Errorf("save %d with %q, notes %v", updated, slabs["checkpoint"], notes)
	}
	if g := put(t, s, "a", 3, bridge.Bytes("losses", []byte("l"))); g != 3 {
		t.Errorf("generation %d, expected 3", g)
	}
	s, _ = reopen(t, s)
	slabs, updated, notes = get(t, s, "a")
	if updated != 3 || string(slabs["checkpoint"]) != "one" || len(notes) != 0 {
		t.Errorf("after the next save: %d with %q, notes %v", updated, slabs["checkpoint"], notes)
	}
	overwrite(t, s, chunkStore, "a/1/0/0", nil)
	if _, _, _, err := s.Get("a"); code(err) != "corrupt" || !strings.Contains(err.Error(), "file:0 is missing") {
		t.Errorf("without the file: %v", err)
	}
}

func TestDamagedManifestFallsBack(t *testing.T) {
	s := open(t)
	put(t, s, "a", 1, bridge.Bytes("checkpoint", []byte("one")))
	put(t, s, "a", 2, bridge.Bytes("checkpoint", []byte("two")))
	put(t, s, "b", 1, bridge.Bytes("checkpoint", []byte("only")))
	overwrite(t, s, manifestStore, "a/2", []byte("no manifest"))
	overwrite(t, s, manifestStore, "b/1", []byte("no manifest"))
	s, state := reopen(t, s)
	if len(state.Recovered) != 1 {
		t.Errorf("notes %q, expected one on the run that has another save", state.Recovered)
	}
	if slabs, updated, _ := get(t, s, "a"); updated != 1 || string(slabs["checkpoint"]) != "one" {
		t.Errorf("save %d with %q", updated, slabs["checkpoint"])
	}
	if g := put(t, s, "a", 3); g != 3 {
		t.Errorf("generation %d, expected 3: a number is not used twice while it is remembered", g)
	}
	// Unreadable data are neither overwritten nor freed.
	if _, err := s.Put(text("b", 2), nil); code(err) != "corrupt" {
		t.Errorf("put over the damaged run: %v", err)
	}
	if keys := strings.Join(chunkKeys(t, s), " "); !strings.Contains(keys, "b/1/0/0") {
		t.Errorf("chunks %v", keys)
	}
}

func TestLaterFormatIsLeftAlone(t *testing.T) {
	s := open(t)
	put(t, s, "a", 1, bridge.Bytes("checkpoint", []byte("one")))
	overwrite(t, s, manifestStore, "b/1", seal(`{"format":2,"run":"b","generation":1}`))
	overwrite(t, s, chunkStore, "b.1.0.0", []byte("in another order"))
	s, state := reopen(t, s)
	if len(state.Recovered) != 1 || !strings.Contains(state.Recovered[0], "newer version") {
		t.Errorf("notes %q", state.Recovered)
	}
	if _, err := s.Put(text("b", 1), nil); code(err) != "version" {
		t.Errorf("put: %v", err)
	}
	put(t, s, "a", 2)
	if keys := strings.Join(chunkKeys(t, s), " "); keys != "a/1/0/0 b.1.0.0" {
		t.Errorf("chunks %v", keys)
	}
}

// full makes put behave as on a full disk: requests succeed, then the transaction
// aborts, with QuotaExceededError unless testRefusal names another. testRoom counts how
// many writes may still succeed.
const full = `
	if (globalThis.testRoom > 0) { globalThis.testRoom--; return original.apply(this, a); }
	const r = original.apply(this, a), t = this.transaction;
	Object.defineProperty(t, 'error', {value: new DOMException(...(globalThis.testRefusal ?? ['no room', 'QuotaExceededError']))});
	r.addEventListener('success', () => t.abort());
	return r;`

func TestQuota(t *testing.T) {
	for i, refusal := range []js.Value{
		js.ValueOf([]any{"no room", "QuotaExceededError"}),
		js.ValueOf([]any{"Failed to write blobs (IOError)", "DataError"}), // as Chromium says of a full disk
	} {
		testQuota(t, fmt.Sprint(i), refusal)
	}
}

func testQuota(t *testing.T, name string, refusal js.Value) {
	js.Global().Set("testRefusal", refusal)
	defer js.Global().Delete("testRefusal")
	for room := range 2 { // refused at the chunk, at the manifest
		t.Run(fmt.Sprintf("%s at %d", name, room), func(t *testing.T) {
			s := open(t)
			put(t, s, "a", 1, bridge.Bytes("checkpoint", []byte("one")))
			patch(t, "IDBObjectStore", "put", full)
			js.Global().Set("testRoom", room)
			_, err := s.Put(text("a", 2), []bridge.Slab{bridge.Bytes("checkpoint", []byte("two"))})
			if code(err) != "quota" {
				t.Fatalf("put: %v", err)
			}
			js.Global().Set("testRoom", 100)
			slabs, updated, _ := get(t, s, "a")
			if updated != 1 || string(slabs["checkpoint"]) != "one" {
				t.Errorf("after the refusal: save %d with %q", updated, slabs["checkpoint"])
			}
			if keys := chunkKeys(t, s); len(keys) != 1 {
				t.Errorf("the refused save left chunks: %v", keys)
			}
			if g := put(t, s, "a", 3); g != 2 {
				t.Errorf("with room again: generation %d, expected 2", g)
			}
		})
	}
}

func TestQuotaFreesWhatCanBeSpared(t *testing.T) {
	s := open(t)
	put(t, s, "gone", 1, bridge.Bytes("checkpoint", []byte("x")))
	put(t, s, "other", 1, bridge.Bytes("checkpoint", []byte("y")))
	put(t, s, "other", 2, bridge.Bytes("checkpoint", []byte("z")))
	put(t, s, "a", 1, bridge.Bytes("checkpoint", []byte("one")))
	if err := s.Delete("gone"); err != nil {
		t.Fatal(err)
	}
	// The first put is refused; the deletions that follow make room.
	patch(t, "IDBObjectStore", "put", full)
	patch(t, "IDBObjectStore", "delete", "globalThis.testRoom = 100; return original.apply(this, a);")
	js.Global().Set("testRoom", 0)
	put(t, s, "a", 2, bridge.Bytes("checkpoint", []byte("two")))
	if keys := strings.Join(chunkKeys(t, s), " "); keys != "a/1/0/0 a/2/0/0 other/2/0/0" {
		t.Errorf("chunks %s", keys)
	}
	if slabs, updated, _ := get(t, s, "other"); updated != 2 || string(slabs["checkpoint"]) != "z" {
		t.Errorf("other run: save %d with %q", updated, slabs["checkpoint"])
	}
}

// A transaction that is aborted without a cause after all its requests have succeeded
// is reported as complete by the library.
func TestAbortedSaveIsNotAcknowledged(t *testing.T) {
	for _, which := range []string{chunkStore, manifestStore} {
		t.Run(which, func(t *testing.T) {
			s := open(t)
			put(t, s, "a", 1, bridge.Bytes("checkpoint", []byte("one")))
			js.Global().Set("testStore", which)
			patch(t, "IDBObjectStore", "put", `
				const r = original.apply(this, a), t = this.transaction;
				if (this.name === globalThis.testStore) r.addEventListener('success', () => t.abort());
				return r;`)
			if g, err := s.Put(text("a", 2), []bridge.Slab{bridge.Bytes("checkpoint", []byte("two"))}); err == nil {
				t.Fatalf("generation %d was acknowledged and is not there", g)
			}
			if _, updated, notes := get(t, s, "a"); updated != 1 || len(notes) != 0 {
				t.Errorf("save %d, notes %v", updated, notes)
			}
		})
	}
}

// The transaction with the manifest is kept open for a while after the put has
// succeeded, and then completes: an acknowledgement in between would come too early.
func TestAcknowledgedAfterComplete(t *testing.T) {
	s := open(t)
	g := js.Global()
	g.Set("testComplete", 0)
	patch(t, "IDBObjectStore", "put", `
		const r = original.apply(this, a), store = this, until = performance.now() + 150;
		if (store.name !== 'manifests') return r;
		store.transaction.addEventListener('complete', () => { globalThis.testComplete++; });
		const hold = () => { if (performance.now() < until) store.get('nothing').onsuccess = hold; };
		hold();
		return r;`)
	put(t, s, "a", 1, bridge.Bytes("checkpoint", []byte("one")))
	if g.Get("testComplete").Int() != 1 {
		t.Error("acknowledged before the transaction was complete")
	}
}

func TestManifestIsStrict(t *testing.T) {
	s := open(t)
	js.Global().Set("testDurability", "")
	patch(t, "IDBObjectStore", "put", `
		globalThis.testDurability += this.name + ':' + this.transaction.durability + ' ';
		return original.apply(this, a);`)
	put(t, s, "a", 1, bridge.Bytes("checkpoint", []byte("one")))
	if got := js.Global().Get("testDurability").String(); !strings.HasSuffix(got, "manifests:strict ") {
		t.Errorf("writes: %s", got)
	}
}

func TestDeleteRestorePurge(t *testing.T) {
	s := open(t)
	put(t, s, "a", 1, bridge.Bytes("checkpoint", make([]byte, 1000)))
	put(t, s, "b", 2)
	if err := s.Delete("a"); err != nil {
		t.Fatal(err)
	}
	if runs, _, _ := s.List(anything); len(runs) != 1 {
		t.Errorf("%d runs after deleting one of two", len(runs))
	}
	r, err := s.Restore("a")
	if name, _ := runName(r); err != nil || name != "a" {
		t.Fatalf("restored %s, %v", r, err)
	}
	if slabs, _, _ := get(t, s, "a"); len(slabs["checkpoint"]) != 1000 {
		t.Error("the restored run has lost its checkpoint")
	}
	if err := s.Delete("a"); err != nil {
		t.Fatal(err)
	}
	if freed, err := s.Purge(nil); freed != 1000 || err != nil {
		t.Errorf("freed %d bytes, %v", freed, err)
	}
	if _, err := s.Restore("a"); code(err) != "no-run" {
		t.Errorf("restore after purge: %v", err)
	}
	if keys := chunkKeys(t, s); len(keys) != 0 {
		t.Errorf("chunks %v", keys)
	}
	// A deletion that nobody took back before the page was closed is final.
	if err := s.Delete("b"); err != nil {
		t.Fatal(err)
	}
	s, state := reopen(t, s)
	if runs, _, _ := s.List(anything); len(runs) != 0 {
		t.Errorf("%d runs after a restart", len(runs))
	}
	if !slices.Equal(state.Deleted, []string{"b", "a"}) {
		t.Errorf("deleted are %q, expected b and a", state.Deleted)
	}
	// Later visits report it, too: the first one may have been over before anybody noted it.
	s, state = reopen(t, s)
	if !slices.Equal(state.Deleted, []string{"b", "a"}) {
		t.Errorf("at the next start %q are deleted, expected b and a", state.Deleted)
	}
	put(t, s, "a", 3)
	if _, state = reopen(t, s); !slices.Equal(state.Deleted, []string{"b"}) {
		t.Errorf("when a is there again, %q are deleted", state.Deleted)
	}
}

// A purge frees what it names: another run that was deleted can still be brought back.
func TestPurgeFreesItsOwn(t *testing.T) {
	s := open(t)
	for _, run := range []string{"a", "b"} {
		put(t, s, run, 1, bridge.Bytes("checkpoint", []byte(run)))
		if err := s.Delete(run); err != nil {
			t.Fatal(err)
		}
	}
	overwrite(t, s, manifestStore, "c/1", []byte("no manifest"))
	if err := s.load(); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete("c"); err != nil {
		t.Fatal(err)
	}
	for _, runs := range [][]string{{}, {"b"}, {"x"}} {
		if _, err := s.Purge(runs); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Restore("b"); code(err) != "no-run" {
		t.Errorf("the one that was purged: %v", err)
	}
	for _, run := range []string{"a", "c"} {
		if _, err := s.Restore(run); err != nil {
			t.Errorf("another one: %v", err)
		}
	}
	if slabs, _, _ := get(t, s, "a"); string(slabs["checkpoint"]) != "a" {
		t.Errorf("it holds %q", slabs["checkpoint"])
	}
}

// Imported data are checked whole before anything is written, and replace nothing.
func TestPutNew(t *testing.T) {
	s := open(t)
	put(t, s, "a", 1, bridge.Bytes("checkpoint", []byte("one")))
	put(t, s, "gone", 1)
	if err := s.Delete("gone"); err != nil {
		t.Fatal(err)
	}
	overwrite(t, s, manifestStore, "damaged/1", []byte("no manifest"))
	if err := s.load(); err != nil {
		t.Fatal(err)
	}
	before := chunkKeys(t, s)
	try := func(record string) string {
		args := Arguments{Record: json.RawMessage(record), New: true}
		_, _, err := s.do("put", &args, []bridge.Slab{bridge.Bytes("checkpoint", []byte("two"))}, named)
		return code(err)
	}
	for record, want := range map[string]string{
		`{"run":"a","name":"A","updated":2}`: "taken", `{"run":"gone","name":"G"}`: "taken", `{"run":"damaged","name":"D"}`: "taken",
		`{"run":"b","name":5}`: "bad-data", `{"run":"b"}`: "bad-data", `{"run":"","name":"B"}`: "internal", `null`: "bad-data",
	} {
		if got := try(record); got != want {
			t.Errorf("%s: %s, expected %s", record, got, want)
		}
	}
	if now := chunkKeys(t, s); !slices.Equal(now, before) {
		t.Errorf("chunks %v, were %v", now, before)
	}
	if slabs, updated, _ := get(t, s, "a"); string(slabs["checkpoint"]) != "one" || updated != 1 {
		t.Errorf("the run that was there holds %q", slabs["checkpoint"])
	}
	if got := try(`{"run":"b","name":"B"}`); got != "<nil>" {
		t.Errorf("a new one: %s", got)
	}
}

// A run with a missing part is listed as damaged, without its chunks being read, and all remaining parts can be had.
func TestMissingParts(t *testing.T) {
	s := open(t)
	put(t, s, "whole", 1, bridge.Bytes("checkpoint", []byte("one")))
	put(t, s, "falls back", 1, bridge.Bytes("checkpoint", []byte("one")))
	put(t, s, "falls back", 2, bridge.Bytes("checkpoint", []byte("two")))
	put(t, s, "lacks", 1, bridge.Bytes("checkpoint", []byte("one")), bridge.Bytes("losses", []byte("left")))
	for _, key := range []string{"falls back/2/0/0", "lacks/1/0/0"} {
		overwrite(t, s, chunkStore, key, nil)
	}
	overwrite(t, s, manifestStore, "text/1", []byte("no manifest"))
	s, _ = reopen(t, s)
	if got, want := listed(t, s), "falls back whole | lacks=Run lacks text=text"; got != want {
		t.Errorf("listed %q, expected %q", got, want)
	}
	for run, want := range map[string]string{"lacks": "manifests/lacks/1 chunks/lacks/1/1/0=left", "text": "manifests/text/1=no manifest"} {
		slabs, err := s.Raw(run)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range slabs {
			data, err := b.Load()
			if err != nil {
				t.Fatal(err)
			}
			if text := b.Name + "=" + string(data); b.Name == "manifests/lacks/1" {
				got = append(got, b.Name)
			} else {
				got = append(got, text)
			}
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%s: %q, expected %q", run, all, want)
		}
	}
	fallsBack := func(to, notes int) {
		t.Helper()
		slabs, updated, said := get(t, s, "falls back")
		if string(slabs["checkpoint"]) != "one" || updated != to || len(said) != notes {
			t.Errorf("save %d with %q, notes %q, expected %d with what the first one held, %d notes", updated, slabs["checkpoint"], said, to, notes)
		}
	}
	fallsBack(1, 2)
	fallsBack(1, 0) // it was told
	s, _ = reopen(t, s)
	put(t, s, "falls back", 3) // only its name has changed
	fallsBack(3, 0)
	s, _ = reopen(t, s)
	fallsBack(3, 0)
	put(t, s, "lacks", 2, bridge.Bytes("checkpoint", []byte("again")))
	if got, want := listed(t, s), "falls back lacks whole | text=text"; got != want {
		t.Errorf("after a new save: %q, expected %q", got, want)
	}
}

// A deleted run does not come back with a reload, whichever of its saves are damaged.
func TestDeletedWithDamage(t *testing.T) {
	s := open(t)
	for run, damage := range map[string][]byte{"wrong": []byte("tw0"), "missing": nil} {
		put(t, s, run, 1, bridge.Bytes("checkpoint", []byte("one")))
		put(t, s, run, 2, bridge.Bytes("checkpoint", []byte("two")))
		overwrite(t, s, chunkStore, run+"/2/0/0", damage)
		if slabs, _, _ := get(t, s, run); string(slabs["checkpoint"]) != "one" {
			t.Errorf("%s: %q", run, slabs["checkpoint"])
		}
		if err := s.Delete(run); err != nil {
			t.Fatal(err)
		}
	}
	s, _ = reopen(t, s)
	if got := listed(t, s); got != "|" {
		t.Errorf("listed %q after they were deleted", got)
	}
}

func TestRecordMustNameItsRun(t *testing.T) {
	s := open(t)
	for _, r := range []string{`{}`, `{"run":7}`, `[]`, `null`} {
		if _, err := s.Put(record(r), nil); err == nil {
			t.Errorf("record %s was saved", r)
		}
	}
}

func TestRequests(t *testing.T) {
	s := open(t)
	var reply string
	ask := func(header string) string {
		t.Helper()
		s.answer(bridge.Open(header, nil, nil, func(h string, _ []byte, _ []bridge.Blob) { reply = h }), anything)
		return reply
	}
	if got := ask(`{"v":1,"id":1,"kind":"put","record":{"run":"a","updated":1}}`); !strings.Contains(got, `"result":{"generation":1}`) {
		t.Error(got)
	}
	if got := ask(`{"v":1,"id":2,"kind":"list"}`); !strings.Contains(got, `"result":{"runs":[{"run":"a","updated":1}],"damaged":[]}`) {
		t.Error(got)
	}
	if got := ask(`{"v":1,"id":3,"kind":"delete","run":"x"}`); !strings.Contains(got, `"code":"no-run"`) {
		t.Error(got)
	}
	if got := ask(`{"v":1,"id":4,"kind":"frobnicate"}`); !strings.Contains(got, `"ok":false`) {
		t.Error(got)
	}
}

// An earlier state of a run replaces none that is kept, were it put after a reload or beside arrays; one as far on and a later one do. What
// is kept then is what was.
func TestNoStepBack(t *testing.T) {
	s := open(t)
	at := func(step string) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`{"run":"a","name":"A","updated":1,"progress":%s}`, step))
	}
	checkpoint := func(text string) bridge.Slab { return bridge.Bytes("checkpoint", []byte(text)) }
	for _, c := range []struct{ progress, text, code string }{
		{`{"step":0}`, "0", "<nil>"},
		{`{"step":3380}`, "3380", "<nil>"},
		{`{"step":0}`, "0 again", "older"},
		{`null`, "none", "older"},
		{`{"step":3379}`, "3379", "older"},
		{`{"step":3380}`, "3380 scored", "<nil>"},
		{`{"step":3381}`, "3381", "<nil>"},
	} {
		if _, err := s.Put(at(c.progress), []bridge.Slab{checkpoint(c.text)}); code(err) != c.code {
			t.Errorf("put of %s: %v, expected code %q", c.text, err, c.code)
		}
	}
	s, _ = reopen(t, s)
	if _, err := s.Put(at(`{"step":1}`), nil); code(err) != "older" {
		t.Errorf("put of step 1 after a reload: %v", err)
	}
	if slabs, _, _ := get(t, s, "a"); string(slabs["checkpoint"]) != "3381" {
		t.Errorf("kept is %q", slabs["checkpoint"])
	}
	// Where the newest save is damaged, the run goes on from the one before.
	overwrite(t, s, chunkStore, chunkKeys(t, s)[len(chunkKeys(t, s))-1], []byte("?"))
	if slabs, _, notes := get(t, s, "a"); string(slabs["checkpoint"]) != "3380 scored" || len(notes) == 0 {
		t.Fatalf("with a damaged save: %q, %q", slabs["checkpoint"], notes)
	}
	if _, err := s.Put(at(`{"step":3380}`), nil); err != nil {
		t.Errorf("put of what was found: %v", err)
	}
}

// A run of which no save can be read is not taken for one that was never written.
func TestUnreadableIsNotUnwritten(t *testing.T) {
	s := open(t)
	put(t, s, "a", 1)
	overwrite(t, s, manifestStore, "a/1", []byte("no manifest"))
	if err := s.load(); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := s.Get("a"); code(err) != "corrupt" {
		t.Errorf("a run without a readable save: %v", err)
	}
	if _, _, _, err := s.Get("b"); code(err) != "no-run" {
		t.Errorf("a run that never was: %v", err)
	}
}
