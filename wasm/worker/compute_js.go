package worker

import (
	"runtime/debug"

	"cadem.example/wasm/bridge"
)

// Compute is the compute role of a program with these parts. It never returns.
func Compute(parts ...Part) {
	debug.SetMemoryLimit(bridge.HeapLimit)
	in := bridge.NewInbox()
	w := New(in, bridge.Yield, parts...)
	bridge.Listen(in, w.Answers()...)
	w.Serve()
}
