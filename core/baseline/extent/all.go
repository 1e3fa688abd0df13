//go:build !(js && wasm && simd)

// Package extent tells which methods a build trains. Natively it is all of them. Of the programs of the page each has the code of
// those alone that it trains: what a constant here excludes is not linked.
package extent

// What a build trains.
const (
	CaDeM     = true // the method itself
	Split     = true // with inputs trimmed or split, too
	Others    = true // some that CaDeM is compared with
	Gradients = true // those of them that are trained with gradients, too
)
