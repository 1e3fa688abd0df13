package bridge

import (
	"syscall/js"
	"unsafe"
)

// A desk is memory shared with a worker: a request is laid down there and its answer fetched
// without a message (www/engine/desk.js). There is none on a page that is not isolated; the zero desk
// takes nothing. A program has one at a time.
type desk struct {
	object js.Value
	asking bool // a request lies there
}

// newDesk makes a desk for requests and answers of so many bytes.
func newDesk(worker js.Value, inputs, outputs int) desk {
	if !reachesDesk {
		return desk{}
	}
	return desk{object: global.Call("cademDesk", worker, inputs, outputs)}
}

// ask has a request served, and tells whether there is a desk for that.
func (d *desk) ask(request []byte) bool {
	if !d.object.Truthy() {
		return false
	}
	deskAsk(unsafe.Pointer(unsafe.SliceData(request)), int32(len(request)))
	d.asking = true
	return true
}

// served waits for the answer; it tells whether there was a request.
func (d *desk) served(answer []byte) bool {
	if !d.asking {
		return false
	}
	for deskServed(unsafe.Pointer(unsafe.SliceData(answer)), int32(len(answer))) == 0 {
		Yield() // a worker that failed is heard of by a message
	}
	d.asking = false
	return true
}

// leave sends the worker back to its messages: it hears none at the desk. An answer that nobody
// fetched is lost.
func (d *desk) leave(answer []byte) {
	if d.object.Truthy() {
		d.served(answer)
		d.object.Call("leave")
	}
}
