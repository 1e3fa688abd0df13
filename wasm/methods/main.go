//go:build js && wasm

// Command methods is the compute role for the methods that CaDeM is compared with: it opens data by the same code as the
// other programs do, and trains, scores and writes what these methods make of them. The page loads it when one of them is
// chosen.
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
	brain.RegisterReaders()
	in := bridge.NewInbox()
	w := worker.NewMethods(in, bridge.Yield)
	bridge.Listen(in, w.Answers()...)
	w.Serve()
}
