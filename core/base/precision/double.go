//go:build !(js && wasm && simd)

package precision

// HasDouble reports whether this build trains in double precision.
const HasDouble = true

// Wide is the type of numbers in double precision.
type Wide = float64
