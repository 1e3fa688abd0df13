//go:build js && wasm

// Command whole is the compute role for data sets of every kind: the work of a first visit's program
// (cadem.example/wasm), by the same code, and requests that need the readers of files, or ask a trained model.
// The page loads it when something asks for these.
package main

import (
	"cadem.example/core/baseline"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/subject"
	_ "cadem.example/core/cadem/prepare"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/synth/examples"
	"cadem.example/core/train"
	"cadem.example/wasm/bridge"
	"cadem.example/wasm/worker"
)

func main() {
	formats.Compose(bridge.Composed)
	run.Register(subject.Opener())
	examples.Register(cohort.Example())
	train.Register(train.CaDeM())
	train.Register(baseline.Rows()...) // to plan: wasm/methods trains them
	train.Register(baseline.ClosedForm(), baseline.Found())
	worker.Compute(worker.Runs, worker.CaDeM, worker.WarmUp, worker.Compared,
		worker.Files, worker.Splits, worker.Imports,
		worker.Questions, worker.Brains(subject.Answers{}))
}
