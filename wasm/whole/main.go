//go:build js && wasm

// Command whole is the compute role with everything: the work of a first visit's program
// (cadem.example/wasm), by the same code, and requests that need the readers of files or the experiments.
// The page loads it when something asks for these.
package main

import (
	"runtime/debug"

	"cadem.example/core/baseline"
	"cadem.example/core/brain"
	_ "cadem.example/core/cadem/prepare"
	"cadem.example/core/formats"
	"cadem.example/core/train"
	"cadem.example/wasm/bridge"
	"cadem.example/wasm/worker"
)

func main() {
	debug.SetMemoryLimit(bridge.HeapLimit)
	formats.Compose(bridge.Composed)
	brain.Register()
	train.Register(train.CaDeM())
	train.Register(baseline.Rows()...) // to plan: wasm/methods trains them
	train.Register(baseline.ClosedForm(), baseline.Found())
	in := bridge.NewInbox()
	w := worker.New(in, bridge.Yield, worker.CaDeM, worker.WarmUp, worker.Compared, worker.Files, worker.Splits, worker.Imports, worker.Questions,
		worker.Brains(brain.Answers{}), worker.Studies)
	bridge.Listen(in, w.Answers()...)
	w.Serve()
}
