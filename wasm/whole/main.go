//go:build js && wasm

// Command whole is the compute role with everything: the work of a first visit's program
// (cadem.example/wasm), by the same code, and requests that need the readers of files or the experiments.
// The page loads it when something asks for these.
package main

import (
	"runtime/debug"

	"cadem.example/core/brain"
	"cadem.example/core/formats"
	"cadem.example/wasm/bridge"
	"cadem.example/wasm/worker"
)

func main() {
	debug.SetMemoryLimit(bridge.HeapLimit)
	formats.Compose(bridge.Composed)
	brain.Register()
	in := bridge.NewInbox()
	w := worker.NewWhole(in, bridge.Yield)
	w.WarmUp = true
	bridge.Listen(in, w.Answers()...)
	w.Serve()
}
