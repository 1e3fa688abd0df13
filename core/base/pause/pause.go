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

// Rows calls do for m rows, in parts of some chunk multiply-adds with a call after each; each is those of a row. The number of rows in a part is a
// multiple of four, which kernels take at once.
func (w Work) Rows(m, each, chunk int, do func(from, to int)) error {
	step := max(4, chunk/max(each, 1)&^3)
	for from := 0; from < m; from += step {
		to := min(from+step, m)
		do(from, to)
		if err := w.After((to - from) * each); err != nil {
			return err
		}
	}
	return nil
}
