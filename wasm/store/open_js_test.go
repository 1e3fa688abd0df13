package store

import (
	"strings"
	"syscall/js"
	"testing"
	"time"
)

func TestBlockedOpen(t *testing.T) {
	name := "/" + t.Name() + "/cadem"
	factory := js.Global().Get("indexedDB")
	old, err := connect(factory, name, 1)
	if err != nil {
		t.Fatal(err)
	}
	// Keep the first connection open in spite of versionchange, as a busy tab does.
	old.release()
	patch(t, "IDBDatabase", "close", "if (globalThis.testClose) return original.apply(this, a);")
	js.Global().Set("testClose", false)
	shorten(t, 300*time.Millisecond)
	if _, err := connect(factory, name, 2); code(err) != "storage" || !strings.Contains(err.Error(), "Another tab") {
		t.Fatalf("a blocked open: %v", err)
	}
	js.Global().Set("testClose", true)
	old.raw.Call("close")
	limit = 5 * time.Second
	// The connection that was given up must not hold the database either.
	again, err := connect(factory, name, 3)
	if err != nil {
		t.Fatal(err)
	}
	again.close()
}

func TestVersionChange(t *testing.T) {
	s := open(t)
	put(t, s, "a", 1)
	newer, err := connect(s.factory, s.name(), schema+1)
	if err != nil {
		t.Fatalf("the store held up another tab: %v", err)
	}
	defer newer.close()
	_, err = s.Put(text("a", 2), nil)
	if code(err) != "storage" || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("put after a newer page took over: %v", err)
	}
	second := New(s.prefix)
	defer second.Close()
	if state := second.Open(); state.Persistent || !strings.Contains(state.Reason, "newer version") {
		t.Errorf("a page of the old version: %+v", state)
	}
}

func TestClosedByTheBrowser(t *testing.T) {
	s := open(t)
	put(t, s, "a", 1)
	s.db.raw.Call("dispatchEvent", js.Global().Get("Event").New("close"))
	if s.db.ended == "" {
		t.Fatal("the close event was not noticed")
	}
	put(t, s, "a", 2)
	if _, updated, _ := get(t, s, "a"); updated != 2 {
		t.Errorf("save %d", updated)
	}
}

func TestRefused(t *testing.T) {
	throwing := func(name string) js.Value {
		return js.Global().Get("Function").New("name", "return {open() { throw new DOMException('no', name); }}").Invoke(name)
	}
	for _, c := range []struct {
		name    string
		factory js.Value
		want    string
	}{
		{"absent", js.Undefined(), "no database"},
		{"private", throwing("SecurityError"), "private window"},
		{"older private", throwing("InvalidStateError"), "private window"},
		{"full", throwing("QuotaExceededError"), "no room"},
		{"broken", throwing("UnknownError"), "could not be opened"},
	} {
		s := New("/" + t.Name() + "/" + c.name + "/")
		s.factory = c.factory
		state := s.Open()
		if state.Persistent || !strings.Contains(state.Reason, c.want) {
			t.Errorf("%s: %+v", c.name, state)
		}
		if _, err := s.Put(text("a", 1), nil); err == nil {
			t.Errorf("%s: saved nowhere", c.name)
		}
		s.Close()
	}
}

func TestTimeLimit(t *testing.T) {
	s := open(t)
	put(t, s, "a", 1)
	shorten(t, 100*time.Millisecond)
	js.Global().Set("testHold", true)
	defer js.Global().Set("testHold", false)
	// A transaction elsewhere that does not end for a while.
	js.Global().Get("Function").New("db", `
		const t = db.transaction(['manifests', 'chunks'], 'readwrite'), s = t.objectStore('chunks');
		const hold = () => { if (globalThis.testHold) s.get('x').onsuccess = hold; };
		hold();`).Invoke(s.db.raw)
	if _, err := s.Put(text("a", 2), nil); code(err) != "storage" || !strings.Contains(err.Error(), "did not answer") {
		t.Errorf("put: %v", err)
	}
	js.Global().Set("testHold", false)
	limit = 5 * time.Second
	put(t, s, "a", 3)
	if _, updated, _ := get(t, s, "a"); updated != 3 {
		t.Errorf("save %d", updated)
	}
}

func TestOneOwner(t *testing.T) {
	first := open(t)
	put(t, first, "a", 1)
	second := New(first.prefix)
	defer second.Close()
	if state := second.Open(); state.Owner || !state.Persistent {
		t.Fatalf("second tab: %+v", state)
	}
	if _, err := second.Put(text("a", 2), nil); code(err) != "locked" {
		t.Errorf("put by the second tab: %v", err)
	}
	if err := second.Delete("a"); code(err) != "locked" {
		t.Errorf("delete by the second tab: %v", err)
	}
	heard := make(chan string, 10)
	listen := js.FuncOf(func(_ js.Value, a []js.Value) any { heard <- a[0].Get("data").Get("changed").String(); return nil })
	defer listen.Release()
	second.channel.Set("onmessage", listen)
	put(t, first, "a", 3)
	select {
	case run := <-heard:
		if run != "a" {
			t.Errorf("told of run %q", run)
		}
	case <-time.After(5 * time.Second):
		t.Error("the second tab was not told")
	}
	if _, updated, _ := get(t, second, "a"); updated != 3 {
		t.Errorf("the second tab reads save %d", updated)
	}
	first.Close()
	var state State
	for i := 0; i < 100 && !state.Owner; i++ {
		time.Sleep(10 * time.Millisecond)
		state = second.Open()
	}
	if !state.Owner {
		t.Fatalf("after the first tab has gone: %+v", state)
	}
	if g := put(t, second, "a", 4); g != 3 {
		t.Errorf("generation %d, expected 3", g)
	}
}
