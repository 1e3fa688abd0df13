package bridge

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"syscall/js"
	"testing"
)

func TestListen(t *testing.T) {
	type message struct {
		header string
		bytes  js.Value
		blobs  js.Value
	}
	var posted []message
	post := js.FuncOf(func(_ js.Value, args []js.Value) any {
		m := message{header: args[0].String()}
		m.bytes, m.blobs = args[1], args[2]
		posted = append(posted, m)
		return nil
	})
	defer post.Release()
	global.Set("cademPost", post)
	in := NewInbox()
	Listen(in, "open", "train")
	if list := global.Get("cademAnswers").Call("join").String(); list != "open,train" {
		t.Errorf("the page is told of %q", list)
	}
	receive := global.Get("cademReceive")
	// A view into a larger buffer, as a careless page might send.
	large := uint8Array.New(64)
	for i := range 64 {
		large.SetIndex(i, i)
	}
	receive.Invoke(`{"v":1,"id":1,"kind":"open","slabs":[{"name":"file:0","type":"u8","shape":[3],"offset":8}]}`, large.Call("subarray", 16, 32))
	receive.Invoke(`{"v":1,"id":2,"kind":"list"}`, js.Undefined())
	receive.Invoke(`{"v":1,"id":3,"kind":"list","slabs":[{"name":"x","type":"u8","shape":[1],"offset":0}]}`)

	r := in.Wait()
	if s := r.Slab("file:0"); s == nil || string(s.Data) != string([]byte{24, 25, 26}) {
		t.Fatalf("slab %v", r.Slabs)
	}
	r.Reply(map[string]int{"n": 3}, Bytes("file", make([]byte, 10)), InBlob("beside", NewBlob(global.Get("Blob").New([]any{"abc"}))))
	if r = in.Wait(); r.ID != 2 {
		t.Fatalf("request %d came second", r.ID)
	}
	r.Reply(map[string]int{})
	if in.Next() != nil {
		t.Error("a slab without a buffer was accepted")
	}
	if len(posted) != 3 || !strings.Contains(posted[0].header, `"id":3,"kind":"reply","ok":false`) || !posted[2].bytes.IsUndefined() {
		t.Fatalf("posted %v", posted)
	}
	if b := posted[1].blobs; b.Length() != 1 || b.Index(0).Get("size").Int() != 3 {
		t.Error("the Blob was not posted")
	}
	if b := posted[1].bytes; b.Get("byteLength").Int() != 10 || b.Get("buffer").Get("byteLength").Int() != 10 {
		t.Error("the posted bytes are a view of a larger buffer")
	}
}

func TestYieldLetsMessagesIn(t *testing.T) {
	channel := global.Get("MessageChannel").New()
	arrived := 0
	f := js.FuncOf(func(js.Value, []js.Value) any { arrived++; return nil })
	defer f.Release()
	port := channel.Get("port1")
	port.Set("onmessage", f)
	defer port.Call("close")
	for i := 1; i <= 3; i++ {
		channel.Get("port2").Call("postMessage", 0)
		// The message has its own queue, so it may take a turn or two.
		for n := 0; arrived < i && n < 1000; n++ {
			Yield()
		}
		if arrived != i {
			t.Fatalf("message %d has not arrived", i)
		}
	}
	// Two goroutines may yield at the same time.
	done := make(chan bool)
	for range 2 {
		go func() {
			for range 20 {
				Yield()
			}
			done <- true
		}()
	}
	<-done
	<-done
}

func TestCall(t *testing.T) {
	var e js.Error
	if _, err := Call(global.Get("JSON"), "parse", "{"); !errors.As(err, &e) || e.Value.Get("name").String() != "SyntaxError" {
		t.Errorf("%v", err)
	}
	if v, err := Call(global.Get("JSON"), "parse", "7"); err != nil || v.Int() != 7 {
		t.Errorf("%v %v", v, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a method that does not exist is a mistake of the program")
		}
	}()
	_, _ = Call(js.Undefined(), "parse")
}

// A Blob is read at any place, across windows, to its end and not beyond.
func TestBlob(t *testing.T) {
	data := make([]byte, 2*window+1000)
	for i := range data {
		data[i] = byte(i * i >> 9)
	}
	b := NewBlob(global.Get("Blob").New([]any{ToJS(data)}))
	if b.Size() != int64(len(data)) {
		t.Fatalf("%d bytes", b.Size())
	}
	for _, c := range []struct{ at, n int }{{0, 10}, {window - 3, 7}, {window + 5, 5}, {3, window + 9}, {2*window + 990, 10}, {2*window + 990, 20},
		{0, len(data)}, {len(data) + 5, 1}} {
		p := make([]byte, c.n)
		n, err := b.ReadAt(p, int64(c.at))
		want := data[min(c.at, len(data)):min(c.at+c.n, len(data))]
		if !bytes.Equal(p[:n], want) || (err == io.EOF) != (n < c.n) || err != nil && err != io.EOF {
			t.Errorf("%d bytes at %d: %d, %v", c.n, c.at, n, err)
		}
	}
}

// Many Blobs that are read in turn hold few windows, and are read right.
func TestManyBlobs(t *testing.T) {
	list := make([]Blob, 3*mostWindowed)
	for k := range list {
		list[k] = NewBlob(global.Get("Blob").New([]any{strings.Repeat(string(rune('a'+k)), 100+k)}))
	}
	for round := range 3 {
		held := 0
		for k, b := range list {
			p := make([]byte, 10)
			if n, err := b.ReadAt(p, int64(20*round)); n != len(p) || err != nil || strings.Trim(string(p), string(rune('a'+k))) != "" {
				t.Errorf("Blob %d: %d bytes, %q, %v", k, n, p, err)
			}
		}
		for _, b := range list {
			held += len(b.(*blob).held)
		}
		if held == 0 || held > mostWindowed*(100+len(list)) {
			t.Errorf("%d bytes are held, expected those of at most %d Blobs", held, mostWindowed)
		}
	}
}

// A Blob written in pieces has the whole content, as one Blob and as several joined.
func TestBlobWriter(t *testing.T) {
	data := make([]byte, staged+window+1000)
	for i := range data {
		data[i] = byte(i * i >> 9)
	}
	for _, sizes := range [][]int{{0}, {5}, {staged}, {staged - 1, 1, 0, 3}, {3, staged + 2}, {len(data)}} {
		w, n := NewBlobWriter(), 0
		for _, k := range sizes {
			if m, err := w.Write(data[n : n+k]); m != k || err != nil {
				t.Fatalf("%d of %d bytes, %v", m, k, err)
			}
			n += k
		}
		b, err := w.Blob()
		if err != nil || b.Size() != int64(n) {
			t.Fatalf("%v: %v, %v", sizes, b, err)
		}
		if b, err = Join([]Blob{b, NewBlob(global.Get("Blob").New([]any{"end"}))}); err != nil {
			t.Fatal(err)
		}
		s := InBlob("x", b)
		if got, err := s.Load(); err != nil || string(got[n:]) != "end" || !bytes.Equal(got[:n], data[:n]) {
			t.Errorf("%v: %d bytes, %v", sizes, len(got), err)
		}
	}
}
