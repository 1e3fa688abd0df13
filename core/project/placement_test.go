package project_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/rng"
	"cadem.example/core/project"
)

// groupsOf draws n points in three groups of d dimensions, by turns.
func groupsOf(n, d int) *mat.Dense {
	x, s := mat.NewDense(n, d, nil), rng.New(7, "groups")
	for i := range n {
		for j := range d {
			x.Set(i, j, 0.3*s.Norm())
		}
		x.Set(i, i%3, x.At(i, i%3)+5)
	}
	return x
}

// Points of the sample stay where they are, and each other one stands at the mean of its three nearest by a plain search, weighted by one over
// the squared distance.
func TestPlacement(t *testing.T) {
	const n, most = 500, 60
	x := groupsOf(n, 5)
	x.SetRow(499, x.RawRowView(0))
	p, err := project.NewPlacement(x, most, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Sample) != most || !slices.IsSorted(p.Sample) {
		t.Fatalf("a sample %v", p.Sample)
	}
	xy := make([]float32, 2*most)
	for k := range xy {
		xy[k] = float32(k*k%101) - 50
	}
	all := p.All(xy)
	for k, i := range p.Sample {
		if all[2*i] != xy[2*k] || all[2*i+1] != xy[2*k+1] {
			t.Errorf("point %d of the sample has moved", i)
		}
	}
	for i := range n {
		if slices.Contains(p.Sample, i) {
			continue
		}
		far := make([]float64, most)
		for k, j := range p.Sample {
			for c, v := range x.RawRowView(i) {
				far[k] += (v - x.At(j, c)) * (v - x.At(j, c))
			}
		}
		order := make([]int, most)
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, func(a, b int) int {
			if far[a] < far[b] {
				return -1
			}
			return 1
		})
		var at [2]float64
		sum := 0.0
		for _, k := range order[:3] {
			w := 1 / max(far[k], 1e-300)
			sum += w
			at[0], at[1] = at[0]+w*float64(xy[2*k]), at[1]+w*float64(xy[2*k+1])
		}
		if math.Hypot(at[0]/sum-float64(all[2*i]), at[1]/sum-float64(all[2*i+1])) > 1e-4 {
			t.Errorf("point %d is at %v, expected %v", i, all[2*i:2*i+2], [2]float64{at[0] / sum, at[1] / sum})
		}
	}
}

// A sample that has all points changes nothing; what is not finite, and the error of who waits, are returned.
func TestPlacementOfAll(t *testing.T) {
	x := groupsOf(9, 4)
	p, err := project.NewPlacement(x, 9, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	xy := make([]float32, 18)
	if all := p.All(xy); &all[0] != &xy[0] || !slices.Equal(p.Sample, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("a sample %v", p.Sample)
	}
	enough := errors.New("enough")
	if _, err := project.NewPlacement(x, 4, 1, func(int) error { return enough }); err != enough {
		t.Errorf("the error of a pause: %v", err)
	}
	x.Set(5, 2, math.NaN())
	var bad *diag.Error
	if _, err := project.NewPlacement(x, 4, 1, nil); !errors.As(err, &bad) || bad.Where != "node 5, coordinate 2" {
		t.Errorf("%v", err)
	}
}

// A t-SNE of a sample with the rest placed keeps groups together as that of all points does: the nearest of nearly every point is of its group.
func TestPlacementKeepsGroups(t *testing.T) {
	const n = 1200
	x := groupsOf(n, 6)
	p, err := project.NewPlacement(x, 240, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	some := mat.NewDense(len(p.Sample), 6, nil)
	for k, i := range p.Sample {
		some.SetRow(k, x.RawRowView(i))
	}
	o := project.TSNEDefaults()
	o.Iterations = 400
	l, err := project.NewTSNE(some, o, 1)
	if err != nil {
		t.Fatal(err)
	}
	for !l.Done() {
		l.Step()
	}
	all, same := p.All(l.Layout(nil)), 0
	for i := range n {
		best, least := -1, math.Inf(1)
		for j := range n {
			if d := math.Hypot(float64(all[2*i]-all[2*j]), float64(all[2*i+1]-all[2*j+1])); j != i && d < least {
				best, least = j, d
			}
		}
		if best%3 == i%3 {
			same++
		}
	}
	if same < n*99/100 {
		t.Errorf("%d of %d points are next to one of their group", same, n)
	}
}
