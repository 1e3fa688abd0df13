//go:build js && wasm

// Command studies is the compute role for studies: it plans them, does their tasks one at a time, and writes their reports. It holds no data set
// and no run. The page loads it into the workers of its pool when something asks for a study.
package main

import (
	"cadem.example/core/baseline"
	"cadem.example/core/brain"
	_ "cadem.example/core/cadem/prepare"
	"cadem.example/core/formats"
	"cadem.example/core/train"
	"cadem.example/wasm/bridge"
	"cadem.example/wasm/worker"
)

func main() {
	formats.Compose(bridge.Composed)
	brain.Register()
	train.Register(train.CaDeM())
	train.Register(baseline.Rows()...) // to plan: wasm/methods trains them
	train.Register(baseline.ClosedForm(), baseline.Found())
	worker.Compute(worker.Studies, worker.Subjects(brain.Graphs))
}
