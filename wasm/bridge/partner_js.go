package bridge

import (
	"syscall/js"

	"cadem/core/cadem"
	"cadem/core/kernel"
)

// A partner is a worker that trains private encoders beside this program: www/partner.js.
type partner struct {
	worker  js.Value
	answers chan js.Value
	due     int      // answers that were asked for and not taken
	step    js.Value // what is posted for a step: dh and the rate
	bytes   []byte   // the same
	product []byte
}

// Hire returns what gives the partner of this program. It is asked for by the first call, and
// given by those after it is up; nil till then, and for ever where there can be none.
func Hire() func() cadem.Partner {
	p := &partner{answers: make(chan js.Value, 4)} // callbacks never wait: there are two answers due at most
	asked := false
	return func() cadem.Partner {
		if !asked {
			asked = true
			ready := js.FuncOf(func(_ js.Value, args []js.Value) any {
				p.worker = args[0]
				return nil
			})
			receive := js.FuncOf(func(_ js.Value, args []js.Value) any {
				p.answers <- args[0]
				return nil
			})
			global.Call("cademPartner", ready, receive)
		}
		if !p.worker.Truthy() {
			return nil
		}
		return p
	}
}

// post sends a message that will be answered.
func (p *partner) post(message ...any) {
	p.worker.Call("postMessage", message...)
	p.due++
}

func (p *partner) answer() js.Value {
	p.due--
	return <-p.answers
}

func (p *partner) Take(encoders []cadem.Lent) {
	for p.due > 0 { // to a run that was given up
		p.answer()
	}
	size, rows := 0, 0
	for _, e := range encoders {
		size += len(e.Block)
		rows += e.K * e.D
	}
	shapes, blocks, at := make([]any, len(encoders)), uint8Array.New(size), 0
	for i, e := range encoders {
		shapes[i] = []any{e.F, e.H, e.D, e.K}
		js.CopyBytesToJS(blocks.Call("subarray", at), e.Block)
		at += len(e.Block)
	}
	p.post(map[string]any{"shapes": shapes, "blocks": blocks}, []any{blocks.Get("buffer")})
	p.product = make([]byte, 4*rows)
	p.step = js.Undefined()
}

func (p *partner) Move(dh []byte, r *kernel.AdamRate[float32]) {
	rate := r.Numbers()
	p.bytes = kernel.AppendBytes(append(p.bytes[:0], dh...), rate[:])
	if p.step.IsUndefined() {
		p.step = uint8Array.New(len(p.bytes))
	}
	js.CopyBytesToJS(p.step, p.bytes)
	p.post(p.step)
}

func (p *partner) Products() []byte {
	js.CopyBytesToGo(p.product, p.answer())
	return p.product
}

func (p *partner) Read(parts []cadem.Part) {
	words := global.Get("Uint32Array").New(3 * len(parts))
	for i, q := range parts {
		for k, n := range []int{q.Block, q.From, len(q.To)} {
			words.SetIndex(3*i+k, n)
		}
	}
	p.post(words)
	bytes, at := p.answer(), 0
	for _, q := range parts {
		js.CopyBytesToGo(q.To, bytes.Call("subarray", at))
		at += len(q.To)
	}
}
