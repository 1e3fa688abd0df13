package page

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall/js"
	"time"

	"honnef.co/go/js/dom/v2"

	"cadem.example/core/base/json"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// announceEvery is the shortest time between announcements of the live region.
const announceEvery = 2 * time.Second

// rest is the longest time that building may block painting and the keyboard.
const rest = 6 * time.Millisecond

// collectEvery is the number of messages between collections. Replaced elements live for as long as anything here refers to
// them, and garbage here is too small to trigger a collection for hours.
const collectEvery = 64

// Serve takes what the page wants shown from cademPage. It never returns.
func Serve() {
	arrived := make(chan struct{}, 1)
	var mu sync.Mutex
	var kinds []string             // in the order of their arrival
	waiting := map[string][]byte{} // of each kind the newest: what it replaces was never seen
	js.Global().Set("cademPage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		header := []byte(args[0].String())
		var h struct {
			Kind string `json:"kind"`
		}
		if err := json.Unmarshal(header, &h); err != nil {
			fmt.Fprintln(os.Stderr, "cademPage:", err)
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		if waiting[h.Kind] == nil {
			kinds = append(kinds, h.Kind)
		}
		waiting[h.Kind] = header
		select {
		case arrived <- struct{}{}:
		default:
		}
		return nil
	}))
	w := &writer{places: map[string]*place{}}
	written := 0
	for range arrived {
		for {
			mu.Lock()
			if len(kinds) == 0 {
				mu.Unlock()
				break
			}
			kind := kinds[0]
			header := waiting[kind]
			kinds = kinds[1:]
			delete(waiting, kind)
			mu.Unlock()
			if err := w.write(kind, header); err != nil {
				fmt.Fprintf(os.Stderr, "cademPage %s: %v\n", kind, err)
			}
			written++
		}
		if written >= collectEvery {
			written = 0
			runtime.GC()
		}
	}
}

// The document's own methods return an element as one of some seventy types, found by
// comparing constructors: too slow for tables, and all of them would be linked. Elements
// here are of the one type that has what is needed.
var document = js.Global().Get("document")

func newElement(tag string) *dom.BasicElement { return wrap(document.Call("createElement", tag)) }

func wrap(v js.Value) *dom.BasicElement {
	return &dom.BasicElement{BasicNode: &dom.BasicNode{Value: v}}
}

func newText(s string) *dom.Text {
	return &dom.Text{BasicNode: &dom.BasicNode{Value: document.Call("createTextNode", s)}}
}

// A writer keeps what it has written to each place.
type writer struct {
	places    map[string]*place
	announce  string
	speaking  bool
	lastSpoke time.Time
}

// write shows what a message of the page holds.
func (w *writer) write(kind string, header []byte) error {
	var m struct {
		Text    string          `json:"text"`
		Rows    json.RawMessage `json:"rows"`
		Summary run.Summary     `json:"summary"`
		List    []message       `json:"list"`
	}
	if err := json.Unmarshal(header, &m); err != nil {
		return err
	}
	switch kind {
	case "status":
		return w.show("status", text(m.Text))
	case "announce":
		waiting := ""
		if w.speaking {
			waiting = w.announce
		}
		w.announce = together(waiting, m.Text)
		w.speak()
		return nil
	case "scores":
		var rows []score
		if err := json.Unmarshal(m.Rows, &rows); err != nil {
			return err
		}
		if err := w.show("verdict", verdictTree(rows)); err != nil {
			return err
		}
		return w.show("metrics", scoresTree(rows))
	case "losses":
		var rows []lossRow
		if err := json.Unmarshal(m.Rows, &rows); err != nil {
			return err
		}
		return w.show("losses-table", lossesTree(rows))
	case "summary":
		return w.show("data-summary", summaryTree(&m.Summary))
	case "messages":
		return w.show("messages", messagesTree(m.List))
	}
	return fmt.Errorf("unknown kind of message")
}

// speak puts what is to be announced into the live region, later if it spoke just now.
func (w *writer) speak() {
	if w.speaking {
		return
	}
	w.speaking = true
	go func() {
		time.Sleep(time.Until(w.lastSpoke.Add(announceEvery)))
		w.speaking = false
		w.lastSpoke = time.Now()
		said := w.announce
		if p := w.places["live"]; p != nil && p.shown.text == said {
			said += "\u00a0" // else the same sentence again would not be read out
		}
		if err := w.show("live", text(said)); err != nil {
			fmt.Fprintln(os.Stderr, "cademPage announce:", err)
		}
	}()
}

// A place is an element of the page and the tree it shows.
type place struct {
	root  *dom.BasicElement
	shown node
	texts []*dom.Text
	now   []string
}

func (w *writer) show(id string, tree node) error {
	p := w.places[id]
	if p == nil {
		root := document.Call("getElementById", id)
		if !root.Truthy() {
			return fmt.Errorf("the page has no element %q", id)
		}
		p = &place{root: wrap(root)}
		w.places[id] = p
	}
	b := &builder{since: time.Now()}
	next := tree.texts(nil)
	if p.texts == nil || !sameShape(&p.shown, &tree) {
		built := b.build(&tree)
		p.root.Call("replaceChildren", built)
		p.texts = b.texts
	} else {
		for i, s := range next {
			if s != p.now[i] {
				p.texts[i].SetTextContent(s)
				b.breathe()
			}
		}
	}
	p.shown, p.now = tree, next
	return nil
}

// A builder makes elements and rests now and then.
type builder struct {
	texts []*dom.Text
	since time.Time
}

func (b *builder) build(n *node) js.Value {
	if n.tag == "" {
		t := newText(n.text)
		b.texts = append(b.texts, t)
		return t.Value
	}
	e := newElement(n.tag)
	for _, p := range n.pairs() {
		e.SetAttribute(p[0], p[1])
	}
	for i := range n.children {
		e.Call("appendChild", b.build(&n.children[i]))
	}
	b.breathe()
	return e.Value
}

func (b *builder) breathe() {
	if time.Since(b.since) > rest {
		bridge.Yield()
		b.since = time.Now()
	}
}
