package bridge

import (
	"syscall/js"

	"cadem/core/cadem"
	"cadem/core/kernel"
)

// A helper is a worker that trains encoders beside this program: www/engine/offload.ts.
type helper struct {
	number         int // of all, from 0 on
	ready, receive js.Func
	requested      bool
	worker         js.Value
	answers        chan js.Value
	due            int // answers that were asked for and not taken
	held           int // bytes that it was given at most since it came
	mailbox        mailbox
	step           js.Value // the input of a step, to be posted
	page           js.Value // what goes there and comes back, filled here or there with parts of the memory
	output         []byte
}

// pageSize is the number of bytes of blocks sent at a time.
const pageSize = 1 << 20

// stays is how many bytes a helper may hold that stays when it is closed: to come up takes it as
// long as some hundred steps of a small training.
const stays = 4 << 20

// Helpers returns a function that gives n helpers of this program, and the largest n. The first call
// requests them; later calls return them once all are up, nil until then. A helper that has ended is
// requested anew, and one that comes when it is no longer wanted waits for the next call. Shared reports
// whether memory can be shared with them.
func Helpers() (request func(n int) []cadem.Helper, most int, shared bool) {
	var all []*helper
	request = func(n int) []cadem.Helper {
		for len(all) < n {
			all = append(all, newHelper(len(all)))
		}
		up := make([]cadem.Helper, 0, n)
		for _, p := range all[:n] {
			if p.up() {
				up = append(up, p)
			}
		}
		if len(up) < n {
			return nil
		}
		return up
	}
	return request, global.Get("cademHelpers").Int(), global.Get("crossOriginIsolated").Truthy()
}

func newHelper(number int) *helper {
	p := &helper{number: number, answers: make(chan js.Value, 4)} // callbacks never wait: there are two answers due at most
	p.ready = js.FuncOf(func(_ js.Value, args []js.Value) any {
		p.worker = args[0]
		return nil
	})
	p.receive = js.FuncOf(func(_ js.Value, args []js.Value) any {
		p.answers <- args[0]
		return nil
	})
	return p
}

// up reports whether it is there, and has it come if nobody has.
func (p *helper) up() bool {
	if !p.requested {
		p.requested = true
		global.Call("cademHelper", p.ready, p.receive)
	}
	return p.worker.Truthy()
}

// post sends a message that will be answered.
func (p *helper) post(message ...any) {
	p.mailbox.release(p.output)
	p.worker.Call("postMessage", message...)
	p.due++
}

func (p *helper) answer() js.Value {
	p.due--
	return <-p.answers
}

// settle takes the answers to a run that was given up.
func (p *helper) settle() {
	p.mailbox.release(p.output)
	for p.due > 0 {
		p.answer()
	}
}

func (p *helper) Load(plan *cadem.Plan) {
	p.settle()
	p.held = max(p.held, plan.Size)
	p.worker.Call("postMessage", map[string]any{"plan": map[string]any{"size": plan.Size, "input": plan.Input.At,
		"output": []any{plan.Output.At, plan.Output.Size}, "forward": calls(plan.Calls(plan.Forward)), "step": calls(plan.Calls(plan.Step))}})
	window := make([]byte, pageSize)
	for _, b := range plan.Blocks {
		for at := b.At; at < b.At+b.Size; {
			n, err := b.Read(window[:min(b.At+b.Size-at, pageSize)])
			if err != nil {
				panic(err) // arrays in memory
			}
			p.turn(n)
			js.CopyBytesToJS(p.page, window[:n])
			p.send(map[string]any{"page": p.page, "at": at, "length": n})
			at += n
		}
	}
	p.post(js.Null()) // for the output
	p.output = make([]byte, plan.Output.Size)
	p.mailbox = newMailbox(p.number, p.worker, plan.Input.Size, plan.Output.Size)
	p.step = uint8Array.New(plan.Input.Size)
}

// calls returns calls of kernels as lists of a name and its arguments.
func calls(list []kernel.Call) []any {
	var all []any
	for _, c := range list {
		call := []any{c.Name}
		for _, x := range c.Args {
			call = append(call, x)
		}
		all = append(all, call)
	}
	return all
}

// turn makes sure that the page has room for that number of bytes.
func (p *helper) turn(n int) {
	if p.page.IsUndefined() || p.page.Get("byteLength").Int() < n {
		p.page = uint8Array.New(max(n, pageSize))
	}
}

// send hands over the page with a message and gets it back.
func (p *helper) send(message map[string]any) {
	p.post(message, []any{p.page.Get("buffer")})
	p.page = p.answer()
}

func (p *helper) Step(input []byte) {
	if !p.mailbox.send(input) {
		js.CopyBytesToJS(p.step, input)
		p.post(p.step)
	}
}

func (p *helper) Products() []byte {
	if !p.mailbox.receive(p.output) {
		js.CopyBytesToGo(p.output, p.answer())
	}
	return p.output
}

func (p *helper) Read(parts []cadem.Part) {
	list, size := make([]any, 0, 2*len(parts)), 0
	for _, q := range parts {
		list = append(list, q.From, len(q.To))
		size += len(q.To)
	}
	p.turn(size)
	p.send(map[string]any{"page": p.page, "parts": list})
	at := 0
	for _, q := range parts {
		js.CopyBytesToGo(q.To, p.page.Call("subarray", at, at+len(q.To)))
		at += len(q.To)
	}
}

// Close ends the worker if it holds much.
func (p *helper) Close() {
	p.settle()
	if p.held <= stays {
		return
	}
	p.worker.Call("terminate")
	p.requested, p.worker, p.page, p.held, p.mailbox = false, js.Undefined(), js.Undefined(), 0, mailbox{}
}
