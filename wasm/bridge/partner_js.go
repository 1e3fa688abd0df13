package bridge

import (
	"syscall/js"

	"cadem/core/cadem"
	"cadem/core/kernel"
)

// A partner is a worker that trains private encoders beside this program: www/engine/partner.js.
type partner struct {
	asked   bool
	worker  js.Value
	answers chan js.Value
	due     int // answers that were asked for and not taken
	held    int // bytes that it was lent at most since it came
	desk    desk
	step    js.Value // dh and the rate of a step, to be posted
	page    js.Value // what goes there and comes back, filled here or there with parts of blocks
	bytes   []byte   // dh and the rate
	product []byte
}

// pageSize is how many bytes of blocks go over at a time.
const pageSize = 1 << 20

// stays is how many bytes a partner may hold that stays when it is left: to come up takes it as
// long as some hundred steps of a small training.
const stays = 4 << 20

// Hire returns what gives the partner of this program. It is asked for by the first call, and
// given by those after it is up; nil till then, and for ever where there can be none. One that
// has ended is asked for anew. Shared tells whether memory can be shared with it.
func Hire() (partners func() cadem.Helper, shared bool) {
	p := &partner{answers: make(chan js.Value, 4)} // callbacks never wait: there are two answers due at most
	ready := js.FuncOf(func(_ js.Value, args []js.Value) any {
		p.worker = args[0]
		return nil
	})
	receive := js.FuncOf(func(_ js.Value, args []js.Value) any {
		p.answers <- args[0]
		return nil
	})
	return func() cadem.Helper {
		if !p.asked {
			p.asked = true
			global.Call("cademPartner", ready, receive)
		}
		if !p.worker.Truthy() {
			return nil
		}
		return p
	}, global.Get("crossOriginIsolated").Truthy()
}

// post sends a message that will be answered.
func (p *partner) post(message ...any) {
	p.desk.leave(p.product)
	p.worker.Call("postMessage", message...)
	p.due++
}

func (p *partner) answer() js.Value {
	p.due--
	return <-p.answers
}

// settle takes the answers to a run that was given up.
func (p *partner) settle() {
	p.desk.leave(p.product)
	for p.due > 0 {
		p.answer()
	}
}

func (p *partner) Load(encoders []cadem.HelperEncoder) {
	p.settle()
	rows, bytes, shapes := 0, 0, make([]any, len(encoders))
	for i, e := range encoders {
		shapes[i] = []any{e.F, e.H, e.D, e.K}
		rows, bytes = rows+e.K*e.D, bytes+e.Size
	}
	p.held = max(p.held, bytes)
	p.worker.Call("postMessage", map[string]any{"shapes": shapes})
	window, at := make([]byte, pageSize), 0
	for _, e := range encoders {
		for rest := e.Size; rest > 0; {
			n, err := e.Block.Read(window[:min(rest, pageSize)])
			if err != nil {
				panic(err) // arrays in memory
			}
			p.turn(n)
			js.CopyBytesToJS(p.page, window[:n])
			p.send(map[string]any{"page": p.page, "at": at, "length": n})
			rest, at = rest-n, at+n
		}
	}
	p.post(js.Null()) // for the products
	p.product = make([]byte, 4*rows)
	p.bytes = make([]byte, 4*(rows+kernel.RateNumbers))
	p.desk = newDesk(p.worker, len(p.bytes), len(p.product))
	p.step = uint8Array.New(len(p.bytes))
}

// turn makes sure that the page has room for so many bytes.
func (p *partner) turn(n int) {
	if p.page.IsUndefined() || p.page.Get("byteLength").Int() < n {
		p.page = uint8Array.New(max(n, pageSize))
	}
}

// send hands over the page with a message and gets it back.
func (p *partner) send(message map[string]any) {
	p.post(message, []any{p.page.Get("buffer")})
	p.page = p.answer()
}

func (p *partner) Step(dh []byte, r *kernel.AdamRate[float32]) {
	rate := r.Numbers()
	p.bytes = kernel.AppendBytes(append(p.bytes[:0], dh...), rate[:])
	if !p.desk.ask(p.bytes) {
		js.CopyBytesToJS(p.step, p.bytes)
		p.post(p.step)
	}
}

func (p *partner) Products() []byte {
	if !p.desk.served(p.product) {
		js.CopyBytesToGo(p.product, p.answer())
	}
	return p.product
}

func (p *partner) Read(parts []cadem.HelperPart) {
	list, size := make([]any, 0, 3*len(parts)), 0
	for _, q := range parts {
		list = append(list, q.Block, q.From, len(q.To))
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
func (p *partner) Close() {
	p.settle()
	if p.held <= stays {
		return
	}
	p.worker.Call("terminate")
	p.asked, p.worker, p.page, p.held, p.desk = false, js.Undefined(), js.Undefined(), 0, desk{}
}
