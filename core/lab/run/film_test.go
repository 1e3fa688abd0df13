package run

import (
	"math"
	"slices"
	"testing"
)

// Frames that were turned by angles of their own lie on each other again, each on the one after it, and the last one stays.
func TestTurn(t *testing.T) {
	const embeddings, nodes = 2, 5
	frame := func(step float64) (xy []float32) { // what changes a little from one to the next
		for i := range embeddings * nodes {
			xy = append(xy, float32(math.Cos(float64(i)+step)+float64(i%nodes)), float32(math.Sin(float64(3*i))-step*float64(i%2)))
		}
		return xy
	}
	turned := func(xy []float32, angle float64, mirror float32) (out []float32) {
		c, s := float32(math.Cos(angle)), float32(math.Sin(angle))
		for i := 0; i < len(xy); i += 2 {
			out = append(out, c*xy[i]-s*xy[i+1], mirror*(s*xy[i]+c*xy[i+1]))
		}
		return out
	}
	apart := func(a, b []float32) (sum float64) {
		for i := range a {
			sum += float64((a[i] - b[i]) * (a[i] - b[i]))
		}
		return sum
	}
	last := frame(0)
	first, second := frame(2.6), frame(1.3)
	want := slices.Concat(slices.Clone(first), second)
	Turn(want, last, embeddings) // of frames that were not turned
	frames := slices.Concat(turned(first, 2.5, -1), turned(second, -1.2, 1))
	before := slices.Clone(last)
	Turn(frames, last, embeddings)
	if d := apart(frames, want); d > 1e-8 {
		t.Errorf("frames that were turned before lie %g from those that were not", d)
	}
	if !slices.Equal(last, before) {
		t.Error("the last frame has moved")
	}
	// The first lies as near as it can to the second as that lies now, and not to the last.
	size := len(last) / embeddings
	for at := 0; at < len(last); at += size {
		now, next := frames[at:at+size], frames[len(last)+at:len(last)+at+size]
		least := apart(now, next)
		for k := range 720 {
			for _, mirror := range []float32{1, -1} {
				if d := apart(turned(now, float64(k)*math.Pi/360, mirror), next); d < least-1e-4 {
					t.Fatalf("embedding at %d: %g apart, and %g when turned once more", at, least, d)
				}
			}
		}
	}
}

func TestKept(t *testing.T) {
	var kept []int
	for epoch := range 100 {
		if Kept(epoch) {
			kept = append(kept, epoch)
		}
	}
	if want := []int{0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89}; !slices.Equal(kept, want) {
		t.Errorf("kept at %v, expected %v", kept, want)
	}
}
