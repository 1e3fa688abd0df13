package evaluate

import (
	"fmt"

	"cadem/core/diag"
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
		return nil,
			&diag.Error{Where: "labels " + s.Name, Found: fmt.Sprintf("%d labelled nodes of %d classes", len(t.rows), t.classes),
				Expected: "nodes of at least 2 classes"}
	}
	t.train, t.test = t.deal(t.rows, o, seed, 0)
	if len(t.test) < 2 {
		return nil, &diag.Error{Where: "groups of labels " + s.Name, Found: "one group of nodes", Expected: "at least two, to train on one and test on the other"}
	}
	return t, nil
}

// deal puts the given items in folds, as many as the options ask for, or as there are items
// or groups, and returns what each fold trains on and tests. Part 0 deals the outer folds,
// part f the inner ones of the f-th of them.
func (t *target) deal(items []int, o *Options, seed uint64, part int) (train, test [][]int) {
	y, folds := t.pick(items), min(o.Folds, len(items))
	var groups []int
	if t.groups != nil {
		groups = make([]int, len(items))
		for k, i := range items {
			groups[k] = t.groups[i]
		}
	}
	name := "evaluate/folds/" + t.name
	if part > 0 {
		name += fmt.Sprintf("/inside %d", part)
	}
	var fold []int
	switch published := o.FoldDeal == "published"; {
	case groups != nil && published:
		fold = GroupedFolds(y, groups, folds, nil)
	case groups != nil:
		fold = GroupedFolds(y, groups, folds, rng.New(seed, name))
	case published:
		fold = PublishedFolds(y, folds, uint32(seed)+uint32(part))
	default:
		fold = StratifiedFolds(y, folds, rng.New(seed, name))
	}
	train, test = split(items, fold, folds)
	if groups != nil {
		for f := range train {
			apart(t.groups, train[f], test[f])
		}
	}
	return train, test
}

// split returns what each fold trains on and tests, without folds that lack either.
func split(items, fold []int, folds int) (train, test [][]int) {
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

// apart panics with [ErrGroups] when a group is among the items of both parts of a fold.
func apart(groups, train, test []int) {
	held := map[int]bool{}
	for _, i := range test {
		held[groups[i]] = true
	}
	for _, i := range train {
		if held[groups[i]] {
			panic(ErrGroups)
		}
	}
}

// pick returns the labels of the given items.
func (t *target) pick(items []int) []int {
	y := make([]int, len(items))
	for k, i := range items {
		y[k] = t.labels[i]
	}
	return y
}
