package stats_test

import (
	"fmt"

	"cadem.example/core/brain/stats"
)

// Two regions in six pairs of scans: the first one differs.
func ExampleTest() {
	differences := []float64{
		1.2, -0.3,
		0.9, 0.4,
		1.4, 0.1,
		0.7, -0.2,
		1.1, 0.3,
		0.8, -0.4,
	}
	r, err := stats.Test(differences, &stats.Design{}, &stats.Options{Permutations: 5000}, 6, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d flips of signs, exact: %v\n", r.Permutations, r.Exact)
	for i := range r.T {
		fmt.Printf("region %d: t(%d) = %.2f, p = %.4f, corrected %.4f\n", i+1, r.Freedom, r.T[i], r.Permuted[i], r.Corrected[i])
	}
	// Output:
	// 64 flips of signs, exact: true
	// region 1: t(5) = 9.43, p = 0.0312, corrected 0.0312
	// region 2: t(5) = -0.12, p = 1.0000, corrected 1.0000
}
