package offload

import "math"

// Who trains which encoder. A step of a common one must be over when the next step of the run begins; a
// private one has time until pooled embeddings are needed, after matching. So a helper has encoders of
// one kind, and private ones count half.

// Numbers of weights of all private W1 from which on a helper saves more time than reaching it
// costs, measured in Chromium: by messages, and through shared memory.
const (
	worthMessages = 300_000
	worthSharing  = 20_000
)

// mostBytes limits the bytes handed over. Memory of WebAssembly never shrinks, so they are taken
// twice. For data like the paper's a page is to stay within 600 MB, including 300 of its own and 40
// of a checkpoint on its way; a program whose encoders elsewhere take 64 has some 190 in all.
const mostBytes = 64 << 20

// A deal is how many helpers have private encoders, and how many have common ones.
type deal struct{ private, common int }

// dealt divides a number of helpers between the encoders of some layers. The first takes private ones, and
// every further one the kind that has more left.
//
//go:noinline
func dealt(layers, helpers int) (d deal) {
	for range helpers {
		if c, p := d.left(layers); p >= c {
			d.private++
		} else {
			d.common++
		}
	}
	return d
}

// left returns how much anybody has at most to do for common encoders, the run being one of those who
// have them, and for private ones, which without a helper would be the first to go.
func (d deal) left(layers int) (common, private int) {
	if d.private == 0 {
		return 0, math.MaxInt
	}
	return 2 * ceil(layers, 1+d.common), ceil(layers, d.private)
}

func ceil(n, by int) int { return (n + by - 1) / by }

// holder returns who has an encoder of layer l: a helper, from 1 on, or 0 for the run.
//
//go:noinline
func (d deal) holder(l, kind int) int {
	switch {
	case d.private == 0:
		return 0
	case kind == private:
		return 1 + l%d.private
	}
	if n := l % (1 + d.common); n > 0 {
		return d.private + n
	}
	return 0
}

func (b *Encoders[T]) More(most int, shared bool) int {
	least := worthMessages
	if shared {
		least = worthSharing
	}
	if !b.movable || b.weights < least || b.bytes[private] > mostBytes {
		return 0
	}
	if b.bytes[common]+b.bytes[private] > mostBytes {
		most = min(most, 1) // for private ones
	}
	layers, now := len(b.members)/2, len(b.helpers)
	before := max(dealt(layers, now).left(layers))
	for n := now + 1; n <= min(most, len(b.members)); n++ {
		if max(dealt(layers, n).left(layers)) < before {
			return n
		}
	}
	return 0
}
