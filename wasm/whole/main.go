//go:build js && wasm

// Command whole is the compute role with everything: what the program of a first visit
// (cadem/wasm) does, by the same code, and what needs the readers of files or the
// experiments. The page loads it when something asks for these.
package main

import (
	"runtime/debug"

	"cadem/wasm/bridge"
	"cadem/wasm/worker"
)

func main() {
	debug.SetMemoryLimit(bridge.HeapLimit)
	// The memory of a WebAssembly program never shrinks: what reading and scoring drop is
	// collected early. Training allocates nothing in its steps.
	debug.SetGCPercent(40)
	in := bridge.NewInbox()
	w := worker.NewWhole(in, bridge.Yield)
	w.Partners.Hire, w.Partners.Shared = bridge.Hire()
	bridge.Listen(in, w.Answers()...)
	w.Serve()
}
