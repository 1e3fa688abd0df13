package bridge

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
)

// Post hands a header and its slabs to the page: their bytes, nil without any, and Blobs.
type Post func(header string, body []byte, blobs []Blob)

// A Request is a message that waits for its answer. It is answered once; further
// answers and events are dropped.
type Request struct {
	ID    int64
	Kind  string
	Slabs []Slab

	header   []byte
	post     Post
	mu       sync.Mutex
	answered bool
}

// Open reads a request from its frame. Answers and events go to post. For a frame that cannot be
// read, it answers with the error, if the sender is known, and returns nil.
func Open(header string, body []byte, blobs []Blob, post Post) *Request {
	r, err := decode(header, body, blobs)
	if r == nil {
		fmt.Fprintln(os.Stderr, err)
		return nil
	}
	r.post = post
	if err != nil {
		r.Fail(err)
		return nil
	}
	return r
}

// Args reads the arguments into the fields of a struct. An argument that the struct
// does not name is not an error: the envelope stands among them. One of the wrong type
// gives an error with the code "bad-option".
func (r *Request) Args(args any) error {
	err := json.Unmarshal(r.header, args)
	var wrong *diag.Error
	if errors.As(err, &wrong) { // of a value: the text was read before
		return &Error{Code: "bad-option", Field: wrong.Where, Message: wrong.Error()}
	}
	if err != nil {
		return Errorf("internal", "request %s: %v", r.Kind, err)
	}
	return nil
}

// Slab returns the slab of that name, nil when there is none.
func (r *Request) Slab(name string) *Slab {
	for i := range r.Slabs {
		if r.Slabs[i].Name == name {
			return &r.Slabs[i]
		}
	}
	return nil
}

// Reply answers with a result, a value that makes a JSON object, or with the error that it makes
// none, which it returns.
func (r *Request) Reply(result any, slabs ...Slab) error {
	f, err := encodeReply(r.ID, result, nil, slabs)
	if err != nil {
		err = fmt.Errorf("answer to %s: %w", r.Kind, err)
		r.Fail(err)
	} else if r.finish() {
		r.post(f.header, f.body, f.blobs)
	}
	return err
}

// Fail answers with an error. An error other than [*Error] gets the code "internal".
func (r *Request) Fail(err error) {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Code: "internal", Message: err.Error()}
	}
	f, failed := encodeReply(r.ID, nil, e, nil)
	if failed != nil {
		panic(failed) // strings and a number always encode
	}
	if r.finish() {
		r.post(f.header, f.body, f.blobs)
	}
}

// Event sends an event of the request that is still running.
func (r *Request) Event(name string, fields any, slabs ...Slab) error {
	f, err := encodeEvent(r.ID, name, fields, slabs)
	if err != nil {
		return err
	}
	if !r.Answered() {
		r.post(f.header, f.body, f.blobs)
	}
	return nil
}

// Answered reports whether the request has its answer.
func (r *Request) Answered() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answered
}

func (r *Request) finish() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := !r.answered
	r.answered = true
	return first
}

// Guard runs f. If f panics, the request is answered with the code "internal", the
// stack goes to standard error, and Guard returns the error.
func (r *Request) Guard(f func()) (err error) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		stack := string(debug.Stack())
		fmt.Fprintf(os.Stderr, "panic in %s: %v\n%s", r.Kind, cause, stack)
		err = Errorf("internal", "The program made a mistake (%v, %s). The page goes on; please report it.", cause, site(stack))
		r.Fail(err)
	}()
	f()
	return nil
}

// site names the function that panicked: in a stack the call below panic itself.
func site(stack string) string {
	_, below, _ := strings.Cut(stack, "\npanic(")
	lines := strings.SplitN(below, "\n", 4)
	if len(lines) < 3 {
		return "place unknown"
	}
	name, _, _ := strings.Cut(lines[2], "(")
	return "in " + name[strings.LastIndex(name, "/")+1:]
}

// An Inbox keeps requests in the order of their arrival until they are taken.
type Inbox struct {
	mu    sync.Mutex
	queue []*Request
	ready chan struct{}
}

// NewInbox returns an empty inbox.
func NewInbox() *Inbox { return &Inbox{ready: make(chan struct{}, 1)} }

// Put adds a request. It never blocks.
func (in *Inbox) Put(r *Request) {
	in.mu.Lock()
	in.queue = append(in.queue, r)
	in.mu.Unlock()
	select {
	case in.ready <- struct{}{}:
	default:
	}
}

// Next takes the oldest request, nil when there is none.
func (in *Inbox) Next() *Request {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.queue) == 0 {
		return nil
	}
	r := in.queue[0]
	in.queue = in.queue[1:]
	return r
}

// Ready receives when something may have arrived since the last time.
func (in *Inbox) Ready() <-chan struct{} { return in.ready }

// Wait blocks until there is a request and takes it.
func (in *Inbox) Wait() *Request {
	for {
		if r := in.Next(); r != nil {
			return r
		}
		<-in.ready
	}
}
