//go:build js && wasm

// Command methods is the compute role for the methods that CaDeM is compared with: it opens data by the same code as the
// other programs do, and trains, scores and writes what these methods make of them. The page loads it when one of them is
// chosen.
package main

import (
	"runtime/debug"

	"cadem.example/core/baseline"
	"cadem.example/core/brain"
	"cadem.example/core/formats"
	"cadem.example/core/train"
	"cadem.example/wasm/bridge"
	"cadem.example/wasm/worker"
)

func main() {
	debug.SetMemoryLimit(bridge.HeapLimit)
	formats.Compose(bridge.Composed)
	brain.RegisterReaders()
	train.Register(baseline.Trainers()...)
	in := bridge.NewInbox()
	w := worker.New(in, bridge.Yield, worker.Compared, worker.Files, worker.OtherMethods)
	bridge.Listen(in, w.Answers()...)
	w.Serve()
}
