package evaluate

import (
	"reflect"
	"slices"
	"testing"

	"cadem.example/core/base/rng"
)

func checkStratified(t *testing.T, y []int, k int, sizes, least, most []int) {
	t.Helper()
	for seed := range uint64(5) {
		fold := StratifiedFolds(y, k, rng.New(seed, "test"))
		n := make([]int, k)
		count := make([][]int, k)
		for f := range count {
			count[f] = make([]int, len(least))
		}
		for i, f := range fold {
			n[f]++
			count[f][y[i]]++
		}
		slices.Sort(n)
		if !slices.Equal(n, sizes) {
			t.Errorf("fold sizes %v, want %v", n, sizes)
		}
		for f := range count {
			for c, v := range count[f] {
				if v < least[c] || v > most[c] {
					t.Errorf("fold %d holds %d of class %d, want %d to %d", f, v, c, least[c], most[c])
				}
			}
		}
	}
}

func checkGrouped(t *testing.T, y, groups []int, k int, counts []int, perFold int) {
	t.Helper()
	for seed := range uint64(5) {
		fold := GroupedFolds(y, groups, k, rng.New(seed, "test"))
		home := map[int]int{}
		got := make([][]int, k)
		for f := range got {
			got[f] = make([]int, len(counts))
		}
		for i, f := range fold {
			if h, ok := home[groups[i]]; ok && h != f {
				t.Errorf("group %d is split", groups[i])
			}
			home[groups[i]] = f
			got[f][y[i]]++
		}
		n := make([]int, k)
		for _, f := range home {
			n[f]++
		}
		for f := range got {
			if !slices.Equal(got[f], counts) || n[f] != perFold {
				t.Errorf("fold %d: class counts %v in %d groups, want %v in %d", f, got[f], n[f], counts, perFold)
			}
		}
	}
}

func TestStratifiedFoldsOfSmallClasses(t *testing.T) {
	for _, c := range []struct {
		y                  []int
		k                  int
		sizes, least, most []int
	}{
		{[]int{0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 5, []int{2, 2, 2, 2, 2}, []int{1, 0}, []int{2, 1}},
		{[]int{1, 0, 1, 2, 2, 2, 1}, 3, []int{2, 2, 3}, []int{0, 1, 1}, []int{1, 1, 1}},
		{[]int{0, 1}, 2, []int{1, 1}, []int{0, 0}, []int{1, 1}},
		{[]int{0, 0, 0}, 1, []int{3}, []int{3}, []int{3}},
	} {
		checkStratified(t, c.y, c.k, c.sizes, c.least, c.most)
	}
}

func TestFoldsDependOnTheStream(t *testing.T) {
	y := make([]int, 60)
	for i := range y {
		y[i] = i % 3
	}
	a := StratifiedFolds(y, 5, rng.New(1, "folds"))
	if !slices.Equal(a, StratifiedFolds(y, 5, rng.New(1, "folds"))) {
		t.Error("the same stream dealt other folds")
	}
	if slices.Equal(a, StratifiedFolds(y, 5, rng.New(2, "folds"))) {
		t.Error("another seed dealt the same folds")
	}
	g := GroupedFolds(y, y, 3, rng.New(1, "folds"))
	for i := range g {
		if g[i] != g[i%3] {
			t.Fatal("a group is split")
		}
	}
}

func TestGroupedFoldsBalanceUnequalGroups(t *testing.T) {
	// Ten groups of pure classes, sizes 1 to 5 in each of two classes.
	var y, groups []int
	for c := range 2 {
		for size := 1; size <= 5; size++ {
			for range size {
				y, groups = append(y, c), append(groups, 10*c+size)
			}
		}
	}
	for seed := range uint64(10) {
		fold := GroupedFolds(y, groups, 3, rng.New(seed, "test"))
		var n [3][2]int
		for i, f := range fold {
			n[f][y[i]]++
		}
		for f := range n {
			if n[f] != [2]int{5, 5} {
				t.Errorf("seed %d: fold %d holds %v, want five of each class", seed, f, n[f])
			}
		}
	}
}

// The groups that the published program deals for 30 base graphs with one graph of each of
// three classes, whatever its seed; rounding decides where they leave round-robin.
func TestGroupedFoldsInOrderArePublished(t *testing.T) {
	var y, groups []int
	for g := range 30 {
		for c := range 3 {
			y, groups = append(y, c), append(groups, g)
		}
	}
	got := make([][]int, 5)
	for i, f := range GroupedFolds(y, groups, 5, nil) {
		if i%3 == 0 {
			got[f] = append(got[f], groups[i])
		}
	}
	want := [][]int{{0, 5, 10, 15, 20, 25}, {1, 6, 13, 17, 21, 26}, {2, 8, 11, 18, 22, 27}, {3, 7, 12, 19, 23, 28}, {4, 9, 14, 16, 24, 29}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("groups %v, want %v", got, want)
	}
}

// Items of one class are dealt by one shuffle of 0, 0, 1, 1, ...: with as many folds as
// items, that is NumPy's permutation, here those of numpy.random.RandomState(0) and (42).
func TestPublishedFoldsAreNumPys(t *testing.T) {
	one := make([]int, 10)
	for seed, want := range map[uint32][]int{0: {2, 8, 4, 9, 1, 6, 7, 3, 0, 5}, 42: {8, 1, 5, 0, 7, 2, 9, 4, 3, 6}} {
		if got := PublishedFolds(one, 10, seed); !slices.Equal(got, want) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
	y := []int{2, 2, 0, 1, 0, 1, 1, 0, 2, 1, 0, 0}
	fold := PublishedFolds(y, 3, 7)
	var count [3][3]int
	for i, f := range fold {
		count[f][y[i]]++
	}
	// Classes by first appearance 2, 0, 1 with 3, 5 and 4 items, laid out and dealt round.
	if want := [3][3]int{{2, 1, 1}, {2, 1, 1}, {1, 2, 1}}; count != want {
		t.Errorf("class counts %v, want %v", count, want)
	}
}
