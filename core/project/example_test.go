package project_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/project"
)

// The second frame is the first one mirrored and moved: the picture stays.
func ExampleProjector() {
	var p project.Projector
	frames := []*mat.Dense{
		mat.NewDense(4, 3, []float64{4, 1, 1, -4, 1, 1, 4, -1, 1, -4, -1, 1}),
		mat.NewDense(4, 3, []float64{-4, 3, 0, 4, 3, 0, -4, 1, 0, 4, 1, 0}),
	}
	for _, x := range frames {
		xy, share, err := p.Next(nil, x)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.0f, %.0f %% and %.0f %% of the variance\n", xy, 100*share[0], 100*share[1])
	}
	// Output:
	// [4 1 -4 1 4 -1 -4 -1], 94 % and 6 % of the variance
	// [4 1 -4 1 4 -1 -4 -1], 94 % and 6 % of the variance
}

// Two groups of three points, laid out step by step.
func ExampleTSNE() {
	x := mat.NewDense(6, 3, []float64{0, 0, 1, 0, 1, 0, 1, 0, 0, 9, 9, 8, 9, 8, 9, 8, 9, 9})
	t, err := project.NewTSNE(x, project.TSNEDefaults(), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for !t.Done() {
		t.Step() // a page draws in between
	}
	xy := t.Layout(nil)
	left := func(i int) bool { return xy[2*i] < 0 }
	fmt.Println(left(0) == left(1) && left(1) == left(2), left(0) != left(3), left(3) == left(4) && left(4) == left(5))
	// Output: true true true
}
