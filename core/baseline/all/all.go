// Package all registers every method: CaDeM, with the preparation of its inputs, and those that it is compared with.
//
//	import _ "cadem.example/core/baseline/all"
//
// A program that is to be small registers those that it needs instead, as cadem.example/wasm/whole does.
package all

import (
	"cadem.example/core/baseline"
	_ "cadem.example/core/cadem/prepare" // trims and splits inputs
	"cadem.example/core/train"
)

func init() {
	train.Register(train.CaDeM())
	train.Register(baseline.Trainers()...)
}
