// Package pause has the two ways in which longer work yields the processor: it calls a function between its parts,
// whose error ends the work and is returned. A nil function is allowed: the methods then do nothing, so callers need no check.
package pause

// A Yield is called with the amount done and the total.
type Yield func(done, total int) error

// At calls it.
func (y Yield) At(done, total int) error {
	if y == nil {
		return nil
	}
	return y(done, total)
}

// A Work is called with the multiply-adds done since the last call.
type Work func(work int) error

// After calls it.
func (w Work) After(work int) error {
	if w == nil {
		return nil
	}
	return w(work)
}
