package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	_ "cadem.example/core/baseline/all"
	"cadem.example/core/brain"
	"cadem.example/core/brain/subject"
	"cadem.example/wasm/bridge"
)

func init() { brain.Register() }

// Workers of the programs, as their main packages put them together; the whole one has the requests of studies besides.
func newFirst(in *bridge.Inbox, yield func()) *Worker { return New(in, yield, Runs, CaDeM) }

func newWhole(in *bridge.Inbox, yield func()) *Worker {
	return New(in, yield, Runs, CaDeM, Compared, Files, Splits, Imports, Questions, Brains(subject.Answers{}), Studies, Subjects(brain.Graphs))
}

func newMethods(in *bridge.Inbox, yield func()) *Worker {
	return New(in, yield, Runs, Compared, Graphs, OtherMethods)
}

// A message is one that the page receives.
type message struct {
	ID    int64
	Kind  string
	Event string
	OK    bool
	Error *bridge.Error
	// Result and, for events, the header itself.
	Result json.RawMessage
	header []byte
	slabs  map[string]bridge.Slab
}

func (m *message) read(t *testing.T, into any) {
	t.Helper()
	raw := []byte(m.Result)
	if m.Kind == "event" {
		raw = m.header
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

func (m *message) progress(t *testing.T) progress {
	t.Helper()
	if m.Kind == "event" {
		var p progress
		m.read(t, &p)
		return p
	}
	var p struct{ Progress progress }
	m.read(t, &p)
	return p.Progress
}

// A client plays the page.
type client struct {
	t    *testing.T
	in   *bridge.Inbox
	got  chan *message
	w    *Worker // its state after the last answer
	next int64
	seen []*message // everything received, in order
}

func start(t *testing.T) *client {
	c := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100000)}
	c.w = newWhole(c.in, runtime.Gosched)
	go c.w.Serve()
	return c
}

func (c *client) post(header string, body []byte, blobs []bridge.Blob) {
	m := &message{header: []byte(header), slabs: map[string]bridge.Slab{}}
	var h struct {
		message
		Slabs []struct {
			Name   string
			Type   string
			Shape  []int
			Offset int
			Blob   int
		}
	}
	if err := json.Unmarshal(m.header, &h); err != nil {
		panic(err)
	}
	h.message.header = m.header
	*m = h.message
	m.slabs = map[string]bridge.Slab{}
	for _, s := range h.Slabs {
		if s.Blob > 0 {
			m.slabs[s.Name] = bridge.InBlob(s.Name, blobs[s.Blob-1])
			continue
		}
		n := map[string]int{"f32": 4, "f64": 8, "i32": 4, "u8": 1}[s.Type]
		for _, d := range s.Shape {
			n *= d
		}
		m.slabs[s.Name] = bridge.Slab{Name: s.Name, Type: s.Type, Shape: s.Shape, Data: bytes.Clone(body[s.Offset : s.Offset+n])}
	}
	c.got <- m
}

// send sends a request; args is JSON without the braces.
func (c *client) send(kind, args string, slabs ...bridge.Slab) int64 {
	c.t.Helper()
	c.next++
	if args != "" {
		args = "," + args
	}
	heads, body, blobs := []string{}, []byte{}, []bridge.Blob{}
	for _, s := range slabs {
		if s.Blob != nil {
			blobs = append(blobs, s.Blob)
			heads = append(heads, fmt.Sprintf(`{"name":%q,"type":"u8","shape":[%d],"blob":%d}`, s.Name, s.Blob.Size(), len(blobs)))
			continue
		}
		for len(body)%8 != 0 {
			body = append(body, 0)
		}
		shape, _ := json.Marshal(s.Shape)
		heads = append(heads, fmt.Sprintf(`{"name":%q,"type":%q,"shape":%s,"offset":%d}`, s.Name, s.Type, shape, len(body)))
		body = append(body, s.Data...)
	}
	r := bridge.Open(fmt.Sprintf(`{"v":1,"id":%d,"kind":%q%s,"slabs":[%s]}`, c.next, kind, args, strings.Join(heads, ",")), body, blobs, c.post)
	if r == nil {
		c.t.Fatalf("the request %s %s was not understood", kind, args)
	}
	c.in.Put(r)
	return c.next
}

// until receives messages up to the one wanted.
func (c *client) until(wanted func(*message) bool) *message {
	c.t.Helper()
	late := time.After(patience)
	for {
		select {
		case m := <-c.got:
			c.seen = append(c.seen, m)
			if wanted(m) {
				return m
			}
		case <-late:
			c.t.Fatalf("%d messages, and within %v none that was awaited", len(c.seen), patience)
		}
	}
}

// patience is the time limit of an answer on a machine that does other things, too.
const patience = 5 * time.Minute

func (c *client) reply(id int64) *message {
	return c.until(func(m *message) bool { return m.ID == id && m.Kind == "reply" })
}

func (c *client) event(id int64, name string) *message {
	return c.until(func(m *message) bool { return m.ID == id && m.Event == name })
}

// call sends a request and returns its answer, which must be a success.
func (c *client) call(kind, args string, slabs ...bridge.Slab) *message {
	c.t.Helper()
	m := c.reply(c.send(kind, args, slabs...))
	if !m.OK {
		c.t.Fatalf("%s %s: %+v", kind, args, m.Error)
	}
	return m
}

// fail sends a request and returns its error.
func (c *client) fail(kind, args string, slabs ...bridge.Slab) *bridge.Error {
	c.t.Helper()
	m := c.reply(c.send(kind, args, slabs...))
	if m.OK {
		c.t.Fatalf("%s %s was accepted", kind, args)
	}
	return m.Error
}

// events returns all events of that name for a request so far.
func (c *client) events(id int64, name string) (list []*message) {
	for _, m := range c.seen {
		if m.ID == id && m.Event == name {
			list = append(list, m)
		}
	}
	return list
}
