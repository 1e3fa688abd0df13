package store

import (
	"errors"
	"fmt"
	"strings"
	"syscall/js"
	"testing"

	"github.com/hack-pad/go-indexeddb/idb"

	"cadem.example/core/base/json"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// named is a check that wants a name.
func named(record json.RawMessage, _ []run.StoredSlab) error {
	var r struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(record, &r) != nil || r.Name == "" {
		return errors.New("name: found something else, expected a text")
	}
	return nil
}

// listed writes down what a store lists: the sound runs, then the damaged ones.
func listed(t *testing.T, s *Store) string {
	t.Helper()
	runs, damaged, err := s.List(named)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, r := range runs {
		name, _ := runName(r)
		words = append(words, name)
	}
	words = append(words, "|")
	for _, d := range damaged {
		if d.Reason == "" {
			t.Errorf("no reason for %+v", d)
		}
		words = append(words, d.Run+"="+d.Name)
	}
	return strings.Join(words, " ")
}

// sealed is the manifest of a run's first save with a record of any kind.
func sealed(run, record string) []byte {
	return seal(fmt.Sprintf(`{"format":1,"run":%q,"generation":1,"record":%s,"slabs":[]}`, run, record))
}

// One bad record hides no other: it is listed apart, by its key if by nothing else, and goes when it is deleted.
func TestBadRecordsAreListedApart(t *testing.T) {
	s := open(t)
	put(t, s, "good", 1, bridge.Bytes("checkpoint", []byte("one")))
	for run, record := range map[string]string{"number": `{"run":"number","name":5}`, "none": `{"run":"none"}`, "null": `null`, "list": `[]`,
		"other": `{"run":"another","name":"Other"}`, "id": `{"run":5,"name":"ID"}`} {
		overwrite(t, s, manifestStore, run+"/1", sealed(run, record))
	}
	overwrite(t, s, manifestStore, "text/1", []byte("no manifest"))
	overwrite(t, s, chunkStore, "text/1/0/0", []byte("of the one that cannot be read"))
	// Values and keys of another hand.
	err := s.db.write(idb.DurabilityDefault, func(x *tx) {
		x.on(manifestStore, func(m *idb.ObjectStore) error {
			_, err := m.PutKey(js.ValueOf("string/1"), js.ValueOf("not bytes"))
			_, also := m.PutKey(js.ValueOf(7), js.ValueOf(8))
			return errors.Join(err, also)
		})
	})
	if err != nil {
		t.Fatal(err)
	}

	s, state := reopen(t, s)
	if !state.Persistent || len(state.Recovered) != 0 {
		t.Errorf("state %+v, expected no note on runs that are listed as damaged", state)
	}
	want := "good | id=ID list=list none=none null=null number=number other=Other string=string text=text"
	if got := listed(t, s); got != want {
		t.Errorf("listed %q, expected %q", got, want)
	}
	for _, run := range []string{"number", "null", "text"} {
		if err := s.Delete(run); err != nil {
			t.Errorf("delete %s: %v", run, err)
		}
	}
	if got, want := listed(t, s), "good | id=ID list=list none=none other=Other string=string"; got != want {
		t.Errorf("after deleting: %q, expected %q", got, want)
	}
	if _, err := s.Restore("text"); err != nil {
		t.Error(err)
	}
	if got := listed(t, s); !strings.Contains(got, " text=text") {
		t.Errorf("after restoring: %q", got)
	}
	if err := s.Delete("text"); err != nil {
		t.Error(err)
	}
	if _, err := s.Purge(nil); err != nil {
		t.Fatal(err)
	}
	if keys := chunkKeys(t, s); len(keys) != 1 {
		t.Errorf("chunks %v are left, expected that of the good run", keys)
	}
	s, _ = reopen(t, s)
	if got, want := listed(t, s), "good | id=ID list=list none=none other=Other string=string"; got != want {
		t.Errorf("after a reload: %q, expected %q", got, want)
	}
	if slabs, _, _ := get(t, s, "good"); string(slabs["checkpoint"]) != "one" {
		t.Errorf("the good run holds %q", slabs["checkpoint"])
	}
}

// Flipped bytes of manifests are reported, and the parts that can still be read are kept: the record and the
// arrays, which have checksums of their own.
func TestSalvage(t *testing.T) {
	s := open(t)
	flip := func(key string, at func(text string) int) {
		t.Helper()
		v, err := read(s.db, func(x *tx) *value { return x.get(manifestStore, key) })
		if err != nil {
			t.Fatal(err)
		}
		v.data[at(string(v.data))] ^= 1
		overwrite(t, s, manifestStore, key, v.data)
	}
	in := func(what string) func(string) int {
		return func(text string) int { return strings.Index(text, what) + len(what) - 1 }
	}
	for _, run := range []string{"sum", "name", "chunk", "brace", "both"} {
		put(t, s, run, 1, bridge.Bytes("checkpoint", []byte("one "+run)))
	}
	put(t, s, "both", 2, bridge.Bytes("checkpoint", []byte("two both")))
	flip("sum/1", func(string) int { return 2 })
	flip("name/1", in("Run n"))
	flip("chunk/1", in(`"length":9`))
	flip("brace/1", in(`{"format"`))
	flip("both/1", func(text string) int { return in(`"crc":`)(text) + 1 })
	flip("both/2", in("Run b"))
	overwrite(t, s, chunkStore, "both/2/0/0", []byte("two bath"))

	s, state := reopen(t, s)
	if len(state.Recovered) != 4 {
		t.Errorf("notes %q, expected one a run that is listed", state.Recovered)
	}
	if all := strings.Join(state.Recovered, "\n"); strings.Count(all, "export it to a file") != 4 ||
		!strings.Contains(all, "“Run oame” is damaged") {
		t.Errorf("notes %s", all)
	}
	if got := listed(t, s); !strings.HasSuffix(got, "| brace=brace") || strings.Count(got, " ") != 5 {
		t.Errorf("listed %q", got)
	}
	for _, run := range []string{"sum", "name"} {
		if slabs, _, notes := get(t, s, run); string(slabs["checkpoint"]) != "one "+run || len(notes) != 0 {
			t.Errorf("%s: %q, notes %v", run, slabs["checkpoint"], notes)
		}
		put(t, s, run, 2)
	}
	for _, run := range []string{"chunk", "both"} {
		if _, _, _, err := s.Get(run); code(err) != "corrupt" {
			t.Errorf("%s: %v", run, err)
		}
	}
	s, state = reopen(t, s)
	if all := strings.Join(state.Recovered, "\n"); strings.Count(all, "export it to a file") != 2 ||
		!strings.Contains(all, "A save of the run “Run sum” was damaged") {
		t.Errorf("after another save of them: %s", all)
	}
	if slabs, _, _ := get(t, s, "sum"); string(slabs["checkpoint"]) != "one sum" {
		t.Errorf("after another save: %q", slabs["checkpoint"])
	}
}
