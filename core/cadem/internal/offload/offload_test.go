package offload

import "testing"

// What is small costs more messages than it saves, and what is very large more memory than a
// page has.
func TestOffloadingIsBounded(t *testing.T) {
	for _, c := range []struct {
		weights, bytes int
		shared, want   bool
	}{{worthSharing - 1, 1 << 20, true, false}, {worthSharing, 1 << 20, true, true}, {worthMessages - 1, 1 << 20, false, false},
		{worthMessages, 1 << 20, false, true},
		{worthMessages, mostBytes, false, true}, {worthMessages, mostBytes + 1, true, false}} {
		if gainful(c.weights, c.bytes, c.shared) != c.want {
			t.Errorf("%d weights in %d bytes, memory shared %v: offloaded %v", c.weights, c.bytes, c.shared, !c.want)
		}
	}
	const f, h, d = 3492, 512, 8 // as for Freebase
	const w1, w2, u = f * h, h * d, f * d
	if all := 3 * 4 * (3*w1 + 3*w2 + 2*u + 2*w2); !gainful(3*w1, all, false) {
		t.Errorf("encoders of Freebase's size, %d bytes, would not be offloaded", all)
	}
}
