package bridge

import (
	"syscall/js"
	"unsafe"
)

// A mailbox is memory shared with a worker: a request is put there and its response fetched
// without a message (www/engine/mailbox.ts). There is none on a page that is not isolated; the zero
// mailbox takes nothing. A program has one at a time for each helper.
type mailbox struct {
	number  int32 // of the helper
	object  js.Value
	pending bool // a request lies there
}

// newMailbox makes a mailbox for requests and responses of that number of bytes.
func newMailbox(number int, worker js.Value, inputs, outputs int) mailbox {
	if !hasMailbox {
		return mailbox{}
	}
	return mailbox{number: int32(number), object: global.Call("cademMailbox", number, worker, inputs, outputs)}
}

// send has a request served, and reports whether there is a mailbox for that.
func (m *mailbox) send(request []byte) bool {
	if !m.object.Truthy() {
		return false
	}
	mailboxSend(m.number, unsafe.Pointer(unsafe.SliceData(request)), int32(len(request)))
	m.pending = true
	return true
}

// receive waits for the response; it reports whether there was a request.
func (m *mailbox) receive(response []byte) bool {
	if !m.pending {
		return false
	}
	for mailboxReceive(m.number, unsafe.Pointer(unsafe.SliceData(response)), int32(len(response))) == 0 {
		Yield() // a worker that failed is heard of by a message
	}
	m.pending = false
	return true
}

// release sends the worker back to its messages: it hears none while it serves the mailbox. A
// response that nobody fetched is lost.
func (m *mailbox) release(response []byte) {
	if m.object.Truthy() {
		m.receive(response)
		m.object.Call("release")
	}
}
