// Package precision names the precisions of a training's arithmetic, and says which of them a build supports.
package precision

import "cadem.example/core/base/diag"

// Bits of a number.
type Bits int

const (
	Single Bits = 32 // what runs in production
	Double Bits = 64 // for comparison with the reference
)

// Check reports whether this build trains in the precision. The error is a [*diag.Error].
func (b Bits) Check() error {
	if b == Double && !HasDouble {
		return diag.Option("precision", "64", "32: the page trains in single precision; double precision is for the command line")
	}
	return nil
}
