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
		if Gainful(c.weights, c.bytes, c.shared) != c.want {
			t.Errorf("%d weights in %d bytes, memory shared %v: offloaded %v", c.weights, c.bytes, c.shared, !c.want)
		}
	}
	e := Encoder{F: 3492, H: 512, D: 8} // as for Freebase
	w1, w2, u := e.F*e.H, e.H*e.D, e.F*e.D
	if all := 3 * 4 * (3*w1 + 3*w2 + 2*u + 2*w2); !Gainful(3*w1, all, false) {
		t.Errorf("encoders of Freebase's size, %d bytes, would not be offloaded", all)
	}
}
