//go:build js && wasm

// Command methods is the compute role for the methods that CaDeM is compared with: it draws the examples, and trains, scores
// and writes what these methods make of them. Files are read by the whole program, which hands over their graphs. The page loads it
// when one of them is chosen.
package main

import (
	"cadem.example/core/baseline"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/synth/examples"
	"cadem.example/core/train"
	"cadem.example/wasm/worker"
)

func main() {
	examples.Register(cohort.Example())
	train.Register(baseline.Trainers()...)
	worker.Compute(worker.Runs, worker.Compared, worker.Graphs, worker.OtherMethods)
}
