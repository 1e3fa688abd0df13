package offload

import (
	"slices"
	"testing"
)

// encodersOf returns encoders of that many bytes in all; a common and a private one have w[l] weights in W1.
func encodersOf(bytes int, w ...int) *Encoders[float32] {
	b := &Encoders[float32]{movable: true}
	for _, n := range w {
		for kind := range 2 {
			b.members = append(b.members, member[float32]{kind: kind})
			b.bytes[kind] += bytes
		}
		b.weights += n
	}
	return b
}

// Helpers have encoders of one kind, and each further one leaves less to who has most.
func TestDeal(t *testing.T) {
	for _, c := range []struct {
		layers, helpers int
		to              []int // common and private of every layer
	}{
		{3, 0, []int{0, 0, 0, 0, 0, 0}},
		{3, 1, []int{0, 1, 0, 1, 0, 1}},
		{3, 2, []int{0, 1, 2, 1, 0, 1}},
		{3, 3, []int{0, 1, 2, 1, 3, 1}},
		{3, 4, []int{0, 1, 3, 2, 4, 1}},
		{2, 2, []int{0, 1, 2, 1}},
		{2, 4, []int{0, 1, 3, 2}},
		{1, 1, []int{0, 1}},
	} {
		d := dealt(c.layers, c.helpers)
		var to []int
		for i := range 2 * c.layers {
			to = append(to, d.holder(i/2, i%2))
		}
		if !slices.Equal(to, c.to) {
			t.Errorf("%d layers, %d helpers: %d, want %d", c.layers, c.helpers, to, c.to)
		}
	}
}

// The number of helpers requested makes the longest share shortest, within the limit. Small encoders cost
// more messages than they save, very large ones more memory than a page has.
func TestMore(t *testing.T) {
	const large, huge = 1 << 20, mostBytes/3 + each
	for _, c := range []struct {
		bytes     int // of an encoder
		weights   []int
		has, most int
		shared    bool
		want      int
	}{
		{large, []int{worthSharing - 1}, 0, 1, true, 0},
		{large, []int{worthSharing}, 0, 1, true, 1},
		{large, []int{worthSharing}, 0, 0, true, 0},
		{large, []int{worthMessages - 1}, 0, 1, false, 0},
		{large, []int{worthMessages}, 0, 1, false, 1},
		{large, []int{worthSharing, worthSharing, worthSharing}, 1, 15, true, 2},
		{large, []int{worthSharing, worthSharing, worthSharing}, 2, 15, true, 3},
		{large, []int{worthSharing, worthSharing, worthSharing}, 3, 15, true, 4},
		{large, []int{worthSharing, worthSharing, worthSharing}, 3, 3, true, 0},
		{large, []int{worthSharing, worthSharing, worthSharing}, 4, 15, true, 0},
		{large, []int{worthSharing, worthSharing}, 2, 15, true, 0},
		{huge, []int{worthSharing, worthSharing}, 0, 15, true, 1},
		{huge, []int{worthSharing, worthSharing}, 1, 15, true, 0}, // no room for a third encoder
		{huge, []int{worthSharing, worthSharing, worthSharing}, 0, 1, true, 0},
	} {
		b := encodersOf(c.bytes, c.weights...)
		b.helpers = make([]*remote[float32], c.has)
		if got := b.More(c.most, c.shared); got != c.want {
			t.Errorf("%d weights in %d bytes each, %d helpers of %d, memory shared %v: %d, want %d", c.weights, c.bytes, c.has, c.most, c.shared, got, c.want)
		}
	}
	const f, h, d = 3492, 512, 8 // as for Freebase
	const w1, w2, u = f * h, h * d, f * d
	if n := encodersOf(4*(3*w1+3*w2+2*u+2*w2), w1, w1, w1).More(1, false); n != 1 {
		t.Errorf("encoders of Freebase's size would have %d helpers", n)
	}
}
