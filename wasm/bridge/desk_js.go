package bridge

import "syscall/js"

// A desk is memory shared with a worker: a request is laid down there and its answer fetched
// without a message (www/desk.js). There is none on a page that is not isolated; the zero desk
// takes nothing.
type desk struct {
	object, input, output js.Value
	asking                bool // a request lies there
}

// newDesk makes a desk for requests and answers of so many bytes.
func newDesk(worker js.Value, inputs, outputs int) desk {
	object := global.Call("cademDesk", worker, inputs, outputs)
	if !object.Truthy() {
		return desk{}
	}
	return desk{object: object, input: object.Get("input"), output: object.Get("output")}
}

// ask has what lies in input served, and tells whether there is a desk for that.
func (d *desk) ask() bool {
	if !d.object.Truthy() {
		return false
	}
	d.object.Call("ask")
	d.asking = true
	return true
}

// served waits for the answer, which then lies in output; it tells whether there was a request.
func (d *desk) served() bool {
	if !d.asking {
		return false
	}
	for !d.object.Call("served").Bool() {
		Yield() // a worker that failed is heard of by a message
	}
	d.asking = false
	return true
}

// leave sends the worker back to its messages: it hears none at the desk.
func (d *desk) leave() {
	if d.object.Truthy() {
		d.served()
		d.object.Call("leave")
	}
}
