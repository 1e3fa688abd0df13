package evidence_test

import (
	"math"
	"slices"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/cadem/evidence"
)

// Three groups that two of three layers share are two directions, which these two carry.
func TestDirections(t *testing.T) {
	graph, _, _ := planted(4, 240, 3, 3, 10, .5, .95, 2)
	r := find(t, graph, evidence.Seeded(1))
	list := r.Directions()
	if len(list) != r.Rank() || len(list) != 2 {
		t.Fatalf("%d directions, expected 2", len(list))
	}
	sum, whole := 0.0, 0.0
	for k, d := range list {
		if !slices.Equal(d.Layers, []int{0, 1}) {
			t.Errorf("direction %d is carried by %v", k, d.Layers)
		}
		if k > 0 && d.Strength > list[k-1].Strength {
			t.Errorf("direction %d is stronger than the one before", k)
		}
		sum += d.Strength
		byLayer := 0.0
		for _, s := range d.ByLayer {
			byLayer += s
		}
		if byLayer <= 0 || d.ByLayer[2] > d.ByLayer[0] || d.ByLayer[2] > d.ByLayer[1] {
			t.Errorf("direction %d by layer: %v", k, d.ByLayer)
		}
	}
	for _, w := range r.W {
		whole += w
	}
	if math.Abs(sum-whole) > 1e-12*whole {
		t.Errorf("strengths add to %v, in the other axes to %v", sum, whole)
	}
}

// A distance of Procrustes knows neither rotation nor scale, and is that of the arc for vectors.
func TestProcrustes(t *testing.T) {
	draw := rng.New(1, "procrustes")
	a := evidence.NewMatrix(50, 2)
	for i := range a.Data {
		a.Data[i] = draw.Norm()
	}
	turned := evidence.NewMatrix(50, 3) // by an angle, three times as large, and with a column of zeros
	for i := range 50 {
		x, y := a.Row(i)[0], a.Row(i)[1]
		turned.Row(i)[0], turned.Row(i)[2] = 3*(.6*x-.8*y), 3*(.8*x+.6*y)
	}
	if d := evidence.Procrustes(a, turned); d > 1e-6 {
		t.Errorf("turned: %v", d)
	}
	unit := func(angle float64) evidence.Matrix {
		m := evidence.NewMatrix(2, 1)
		m.Data[0], m.Data[1] = math.Cos(angle), math.Sin(angle)
		return m
	}
	for _, angle := range []float64{.1, 1, math.Pi / 2} {
		if d := evidence.Procrustes(unit(.3), unit(.3+angle)); math.Abs(d-math.Sin(angle)) > 1e-7 {
			t.Errorf("angle %v: %v, expected %v", angle, d, math.Sin(angle))
		}
	}
	none := evidence.NewMatrix(2, 0)
	if evidence.Procrustes(none, none) != 0 || evidence.Procrustes(none, unit(1)) != 1 {
		t.Error("nothing is like nothing, and like nothing else")
	}
}
