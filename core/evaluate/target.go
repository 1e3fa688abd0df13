package evaluate

import (
	"fmt"

	"cadem/core/multiplex"
	"cadem/core/rng"
)

// A target is a label set with at least two classes among its items.
type target struct {
	name    string
	labels  []int // dense class number of every item, multiplex.Missing without
	rows    []int // the labelled items
	truth   []int // labels of rows
	groups  []int // of every item; nil: none
	classes int
	train   [][]int // items of each fold
	test    [][]int
}

func newTarget(s *multiplex.LabelSet, groups []int, o *Options, seed uint64) (*target, error) {
	t := &target{name: s.Name, labels: make([]int, len(s.Of)), groups: groups}
	number := make([]int, len(s.Classes))
	counts, _ := s.Counts()
	for c, n := range counts {
		number[c] = t.classes
		if n > 0 {
			t.classes++
		}
	}
	for i, c := range s.Of {
		t.labels[i] = multiplex.Missing
		if c != multiplex.Missing {
			t.labels[i] = number[c]
			t.rows = append(t.rows, i)
			t.truth = append(t.truth, number[c])
		}
	}
	if t.classes < 2 {
		return nil, &DataError{"labels " + s.Name, fmt.Sprintf("%d labelled nodes of %d classes", len(t.rows), t.classes), "nodes of at least 2 classes"}
	}
	t.train, t.test = t.deal(t.rows, o.Folds, rng.New(seed, "evaluate/folds/"+s.Name))
	if len(t.test) < 2 {
		return nil, &DataError{"groups of labels " + s.Name, "one group of nodes", "at least two, to train on one and test on the other"}
	}
	return t, nil
}

// deal puts the given items in so many folds, fewer if there are fewer items or groups,
// and returns what each fold trains on and tests.
func (t *target) deal(items []int, folds int, src *rng.Stream) (train, test [][]int) {
	folds = min(folds, len(items))
	var fold []int
	if t.groups == nil {
		fold = StratifiedFolds(t.pick(items), folds, src)
	} else {
		groups := make([]int, len(items))
		for k, i := range items {
			groups[k] = t.groups[i]
		}
		fold = GroupedFolds(t.pick(items), groups, folds, src)
	}
	for f := range folds {
		var in, out []int
		for k, i := range items {
			if fold[k] == f {
				out = append(out, i)
			} else {
				in = append(in, i)
			}
		}
		if len(in) > 0 && len(out) > 0 {
			train, test = append(train, in), append(test, out)
		}
	}
	return train, test
}

// pick returns the labels of the given items.
func (t *target) pick(items []int) []int {
	y := make([]int, len(items))
	for k, i := range items {
		y[k] = t.labels[i]
	}
	return y
}
