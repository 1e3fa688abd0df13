package evaluate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/rng"
	"cadem.example/core/base/rng/numpy"
	"cadem.example/core/base/sorting"
	"cadem.example/core/multiplex"
)

// A target is a label set with at least two classes among its items.
type target struct {
	name    string
	labels  []int // dense class number of every item, multiplex.Missing without
	rows    []int // the labelled items
	truth   []int // labels of rows
	groups  []int // of every item; nil: none
	classes int
	train   [][]int // items of each fold, or of each split that the data have
	test    [][]int
	choose  [][]int // the validation items of each such split; nil of folds
	sampled int     // items of train, where some were left out

	protocol string   // of such splits
	parts    []string // their names
	words    []string // of the classes
}

func newTarget(s *multiplex.LabelSet, groups []int, o *Options, seed uint64) (*target, error) {
	t := &target{name: s.Name, labels: make([]int, len(s.Of)), groups: groups}
	number := make([]int, len(s.Classes))
	counts, _ := s.Counts()
	for c, n := range counts {
		number[c] = t.classes
		if n > 0 {
			t.classes++
			t.words = append(t.words, s.Classes[c])
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
	for i := range s.Splits {
		split := &s.Splits[i]
		t.parts = append(t.parts, split.Name)
		t.train, t.test, t.choose = append(t.train, t.labelled(split.Train)), append(t.test, t.labelled(split.Test)), append(t.choose, t.labelled(split.Validation))
		ErrShape.Unless(len(t.train[i]) > 0 && len(t.test[i]) > 0)
	}
	if t.choose != nil {
		t.protocol = Protocol(s, o)
		t.thin(o.Sample(len(s.Of)), seed)
		return t, nil
	}
	t.train, t.test = t.deal(t.rows, o, seed, 0)
	if len(t.test) < 2 {
		return nil, &diag.Error{Where: "groups of labels " + s.Name, Found: "one group of nodes", Expected: "at least two, to train on one and test on the other"}
	}
	t.thin(o.Sample(len(s.Of)), seed)
	return t, nil
}

// Protocol says in a word where scores of a label set come from: its own splits, or folds.
func Protocol(s *multiplex.LabelSet, o *Options) string {
	if len(s.Splits) == 0 {
		return fmt.Sprintf("%d folds, each tested once", o.Folds)
	}
	t := target{labels: s.Of}
	var names []string
	var least, most [3]int
	for k := range s.Splits {
		split := &s.Splits[k]
		names = append(names, split.Name)
		for part, nodes := range [][]int{split.Train, split.Validation, split.Test} {
			n := len(t.labelled(nodes))
			if least[part], most[part] = min(least[part], n), max(most[part], n); k == 0 {
				least[part] = n
			}
		}
	}
	text := "the data's own split:"
	if len(names) > 1 {
		text = fmt.Sprintf("the data's own %d splits (%s):", len(names), strings.Join(names, ", "))
	}
	for part, name := range []string{" training", " validation", " test"} {
		if most[part] == 0 {
			continue
		}
		if part > 0 {
			text += ","
		}
		if text += " " + thousands(least[part]); least[part] < most[part] {
			text += " to " + thousands(most[part])
		}
		text += name
	}
	return text + " nodes"
}

// thousands writes a count with commas.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// labelled returns the items that have a label.
func (t *target) labelled(items []int) []int {
	return slices.DeleteFunc(slices.Clone(items), func(i int) bool { return t.labels[i] == multiplex.Missing })
}

// inner returns the folds that choose the settings of a fold: the validation items of a split that has some, or folds of its training items.
func (t *target) inner(fold int, o *Options, seed uint64) (train, test [][]int) {
	if t.choose != nil && len(t.choose[fold]) > 0 {
		return t.train[fold : fold+1], t.choose[fold : fold+1]
	}
	return t.deal(t.train[fold], o, seed, 1+fold)
}

// deals lists the folds with the classes that each predicted.
func (t *target) deals(predicted [][]int) (list []Deal) {
	for f, found := range predicted {
		d := Deal{Target: t.name, Name: strconv.Itoa(f), Train: t.train[f], Test: t.test[f]}
		if t.choose != nil {
			d.Name, d.Validation = t.parts[f], t.choose[f]
		}
		d.Truth, d.Predicted = t.named(t.pick(t.test[f])), t.named(found)
		list = append(list, d)
	}
	return list
}

// named writes classes by their names.
func (t *target) named(classes []int) []string {
	words := make([]string, len(classes))
	for k, c := range classes {
		words[k] = t.words[c]
	}
	return words
}

// say notes in a score which splits of the data it uses.
func (t *target) say(s *Score) {
	for k := range t.choose {
		s.TestShare += float64(len(t.test[k])) / float64(len(t.train[k])*len(t.choose))
	}
	s.Protocol, s.Sampled = t.protocol, t.sampled
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
	switch published := o.Authors || o.FoldDeal == "published"; {
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
		ErrGroups.Unless(!held[groups[i]])
	}
}

// pick returns the labels of the given items.
func (t *target) pick(items []int) []int { return pick(t.labels, items) }

// thin limits the training items of every fold to a stratified sample.
func (t *target) thin(most int, seed uint64) {
	src := rng.New(seed, "evaluate/sample/"+t.name)
	for f, items := range t.train {
		if len(items) > most {
			t.train[f] = stratifiedSample(items, t.labels, most, src)
			t.sampled = most
		}
	}
}

// StratifiedFolds deals the items to k folds of nearly equal size, each with nearly the
// same share of every class, and returns the fold in which each item is tested. Classes
// with fewer members than folds miss some folds.
func StratifiedFolds(y []int, k int, src *rng.Stream) []int {
	return stratified(y, k, src.Shuffle)
}

// PublishedFolds deals as the published program does, which shuffles with NumPy's legacy
// generator of that seed: the same folds, for the same items.
func PublishedFolds(y []int, k int, seed uint32) []int {
	src := numpy.NewRandomState(seed)
	return stratified(y, k, func(deal []int) {
		slices.Sort(deal)
		src.Shuffle(deal)
	})
}

func stratified(y []int, k int, shuffle func(deal []int)) []int {
	ErrShape.Unless(k >= 1)
	code, count := encode(y)
	// Lay the items out class by class and deal them round: fold i takes positions
	// i, i+k, ... That fixes how many of each class a fold gets; which ones is drawn.
	of := make([][]int, count) // items of each class
	for i, c := range code {
		of[c] = append(of[c], i)
	}
	fold := make([]int, len(y))
	start := 0
	for _, members := range of {
		deal := make([]int, len(members))
		for p := range deal {
			deal[p] = (start + p) % k
		}
		start += len(members)
		shuffle(deal)
		for p, i := range members {
			fold[i] = deal[p]
		}
	}
	return fold
}

// GroupedFolds deals whole groups to k folds, so no group is tested and trained
// on at once, and keeps the classes balanced: groups come in order of falling spread of
// their class counts and go where the shares of the classes become most even, then
// where items are fewest, then to the first fold. Equal groups come in random order, or, if
// src is nil, in order of appearance.
//
// Without src these are, to the rounding that decides between equal folds, the groups that
// the published program deals, which does not shuffle groups of equal counts.
func GroupedFolds(y, groups []int, k int, src *rng.Stream) []int {
	ErrShape.Unless(k >= 1 && len(groups) == len(y))
	code, classCount := encode(y)
	group, groupCount := encode(groups)
	counts := make([][]float64, groupCount)
	for g := range counts {
		counts[g] = make([]float64, classCount)
	}
	totals := make([]float64, classCount)
	for i, c := range code {
		counts[group[i]][c]++
		totals[c]++
	}
	order, spread := make([]int, groupCount), make([]float64, groupCount)
	for g := range counts {
		spread[g], order[g] = Deviation(counts[g]), g
	}
	if src != nil {
		src.Shuffle(order)
	}
	sorting.Stable(order, func(a, b int) int { return cmp.Compare(spread[b], spread[a]) })

	held := make([][]float64, classCount) // held[c][f]: items of class c in fold f
	for c := range held {
		held[c] = make([]float64, k)
	}
	items, home, share := make([]float64, k), make([]int, groupCount), make([]float64, k)
	for _, g := range order {
		best, uneven := -1, 0.0
		for f := range k {
			sum := 0.0
			for c := range held {
				held[c][f] += counts[g][c]
				for i, v := range held[c] {
					share[i] = v / totals[c]
				}
				held[c][f] -= counts[g][c]
				sum += spreadInOrder(share)
			}
			mean := sum / float64(classCount)
			near := math.Abs(mean-uneven) <= 1e-8+float64(1e-5*uneven)
			if best < 0 || mean < uneven || near && items[f] < items[best] {
				best, uneven = f, mean
			}
		}
		home[g] = best
		for c, v := range counts[g] {
			held[c][best] += v
			items[best] += v
		}
	}
	fold := make([]int, len(y))
	for i, g := range group {
		fold[i] = home[g]
	}
	return fold
}

// spreadInOrder is [deviation] summed from the first to the last, as the published program
// does: rounding decides there.
func spreadInOrder(x []float64) float64 {
	mean, s := 0.0, 0.0
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	for _, v := range x {
		s += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(s / float64(len(x)))
}

// encode numbers the values of y by first appearance.
func encode(y []int) (code []int, count int) {
	code = make([]int, len(y))
	seen := map[int]int{}
	for i, v := range y {
		c, ok := seen[v]
		if !ok {
			c = len(seen)
			seen[v] = c
		}
		code[i] = c
	}
	return code, len(seen)
}

// Deviation returns the population standard deviation of x, NaN for length 0.
func Deviation(x []float64) float64 {
	mean, s := total(x)/float64(len(x)), 0.0
	for _, v := range x {
		s += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(s / float64(len(x)))
}
