package evaluate

import (
	"testing"

	"cadem.example/core/base/rng"
)

// Ten thousand subjects of three scans each are dealt whole, and as evenly as their number allows.
func TestGroupedFoldsOfManySubjects(t *testing.T) {
	const subjects, classes, k = 10_000, 3, 5
	var y, groups []int
	for s := range subjects {
		for c := range classes {
			y, groups = append(y, c), append(groups, s)
		}
	}
	fold := GroupedFolds(y, groups, k, rng.New(1, "many subjects"))
	var items [k][classes]int
	for i, f := range fold {
		if f != fold[groups[i]*classes] {
			t.Fatalf("subject %d is in folds %d and %d", groups[i], fold[groups[i]*classes], f)
		}
		items[f][y[i]]++
	}
	for f := range items {
		for c, n := range items[f] {
			if n != subjects/k {
				t.Errorf("fold %d has %d items of class %d, expected %d", f, n, c, subjects/k)
			}
		}
	}
}
