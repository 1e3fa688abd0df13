package evaluate

// A pacer reports progress often enough for whoever shares the processor with the
// evaluation. It counts work, not time, so it is the same everywhere.
type pacer struct {
	done, since int // multiply-adds
	limit       int // where the piece of work at hand ends
	total       int
	yield       func(done, total int) error
}

// A slice of work takes below 1 ms natively and a few in a browser.
const slice = 1 << 19

// begin starts a piece of work that was planned with so many multiply-adds. What the
// piece before did not use counts as done.
func (p *pacer) begin(planned int) {
	p.done = p.limit
	p.limit += planned
}

// add counts work and yields when a slice is full. The error is that of yield.
func (p *pacer) add(work int) error {
	p.done = min(p.done+work, p.limit)
	p.since += work
	if p.since < slice || p.yield == nil {
		return nil
	}
	p.since = 0
	return p.yield(p.done, p.total)
}
