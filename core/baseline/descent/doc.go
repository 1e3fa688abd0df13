// Package descent trains models whose gradients a tape computes: Adam, learning rates by group and
// epoch, the ways to stop early that published programs have, and initial values.
//
//	fit := descent.New(model, rule, tape.New[float32]())
//	for !fit.Over() {
//		if err := fit.Step(nil); err != nil { ... }
//	}
package descent
