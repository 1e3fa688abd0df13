// Package pause has the two ways in which longer work lets others have the processor: it calls a function between its parts,
// whose error ends the work and is returned. Nil is not a function: its methods do nothing, so that nobody asks.
package pause

// A Yield is told how much is done of a total.
type Yield func(done, total int) error

// At calls it.
func (y Yield) At(done, total int) error {
	if y == nil {
		return nil
	}
	return y(done, total)
}

// A Work is told the multiply-adds done since the last call.
type Work func(work int) error

// After calls it.
func (w Work) After(work int) error {
	if w == nil {
		return nil
	}
	return w(work)
}
