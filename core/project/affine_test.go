package project

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

// A map that is fitted to a projection draws other rows as the projection does, also of an embedding of less than full rank; to places that
// have nothing to do with the embedding it says how far off it is.
func TestFitFollowsAProjection(t *testing.T) {
	src := rng.New(1, "affine")
	x, others := mat.NewDense(30, 5, nil), mat.NewDense(7, 5, nil)
	for _, m := range []*mat.Dense{x, others} {
		for i := range m.RawMatrix().Rows {
			row := m.RawRowView(i)
			for k := range 4 {
				row[k] = src.Norm() + 3
			}
			row[4] = row[0] - row[1] // of rank 4
		}
	}
	plane, err := PCA(x)
	if err != nil {
		t.Fatal(err)
	}
	places := func(m *mat.Dense) []float32 {
		n, _ := m.Dims()
		at, xy := make([]float64, 2*n), make([]float32, 2*n)
		plane.Project(at, m)
		for i, v := range at {
			xy[i] = float32(v)
		}
		return xy
	}
	a, off := Fit(x, places(x))
	if off > 1e-6 {
		t.Errorf("a projection is off by %v", off)
	}
	want := places(others)
	for i, v := range a.Draw(others) {
		if math.Abs(float64(v-want[i])) > 1e-5 {
			t.Errorf("coordinate %d is %v, expected %v", i, v, want[i])
		}
	}
	origin := a.Draw(mat.NewDense(1, 5, nil))
	for i := range 7 { // a place is that of 0, and what its row makes
		for c, v := range a.Along(others.RawRowView(i)) {
			if math.Abs(float64(origin[c])+v-float64(want[2*i+c])) > 1e-4 {
				t.Errorf("row %d is along %v from %v, expected %v", i, v, origin[c], want[2*i+c])
			}
		}
	}
	noise := make([]float32, 60)
	for i := range noise {
		noise[i] = float32(src.Norm())
	}
	if _, off := Fit(x, noise); off < .3 {
		t.Errorf("noise is off by %v alone", off)
	}
}
