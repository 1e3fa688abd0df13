package evaluate

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
	"cadem.example/core/base/sorting"
)

// A Regression says how a number is predicted from embeddings.
type Regression struct {
	// Covariates are columns of a number for each item, which are taken out of the target and of the embedding: fitted to the items
	// that a fold trains on, and applied to all.
	Covariates [][]float64
	// Groups are never trained on and tested at once, as people of one family are; nil: each item is one.
	Groups       []int
	Folds        int // outer and inner ones
	Permutations int // of the target, or of what covariates leave of it (Freedman and Lane), by whole groups among those of one size
	Seed         uint64
}

// A Regressed says how well held-out numbers were predicted.
type Regressed struct {
	// Predicted and True are those of every item in the fold that tests it, less what covariates explain.
	Predicted, True []float64
	R               float64 // their correlation; 0 where one of them does not vary
	R2              float64 // 1 less the squared error over that of the mean of the training items; below 0 it is worse than that
	Error           float64 // mean absolute error, in units of the target
	P               float64 // share of permutations with an R as large, the identity among them; 1 without any
	// Weights and Fitted are those of the regression on all items, with the penalty that folds of them choose: a column of x has the weight
	// sum_i Weights[i] x_i, and Fitted are its predictions of the items themselves.
	Weights, Fitted []float64
}

// penalties of a ridge regression, as shares of the mean square of the training items.
var penalties = []float64{0.01, 0.1, 1, 10, 100}

// Regress predicts a number of each of n items from the rows of x, n x d, by ridge regressions in folds, each with the penalty that has the
// least squared error in folds of its training items. Items with equal groups share a fold; groups of like numbers are spread over folds. It
// panics with [ErrShape] on lengths that do not fit, or on fewer groups than two folds of two folds need, four. The error is that of
// yield, which may be nil.
func Regress(x *mat.Dense, target []float64, o Regression, yield pause.Yield) (*Regressed, error) {
	return RegressProducts(products(x), target, o, yield)
}

// RegressProducts is [Regress] on the inner products of all pairs of items, n x n, which are all that it needs of x.
func RegressProducts(gram, target []float64, o Regression, yield pause.Yield) (*Regressed, error) {
	n := len(target)
	w := &regressing{n: n, o: o, gram: gram, y: target}
	if w.groups = o.Groups; w.groups == nil {
		w.groups = sorting.Places(n)
	}
	all := sorting.Places(n)
	w.o.Folds = max(2, o.Folds)
	ErrShape.Unless(len(gram) == n*n && len(w.groups) == n && w.different(all) >= 4)
	for _, c := range o.Covariates {
		ErrShape.Unless(len(c) == n)
	}
	w.permute(all)
	columns := o.Permutations + 1
	found, truth := make([]float64, columns*n), make([]float64, columns*n)
	folds := w.deal(all)
	for k, test := range folds {
		err := w.fold(others(folds, k), test, func(column, item int, predicted, true float64) {
			found[column*n+item], truth[column*n+item] = predicted, true
		}, func(done, total int) error { return yield.At(k*total+done, len(folds)*total) })
		if err != nil {
			return nil, err
		}
	}
	r := &Regressed{Predicted: found[:n], True: truth[:n], P: 1}
	r.R = correlation(r.Predicted, r.True)
	square, rest := 0.0, 0.0
	for i, v := range r.True {
		d := v - r.Predicted[i]
		rest += float64(d * d)
		square += float64(v * v) // less the mean of the training items, which is a covariate
		r.Error += math.Abs(d) / float64(n)
	}
	if square > 0 {
		r.R2 = 1 - rest/square
	}
	atLeast := 1
	for c := 1; c < columns; c++ {
		if correlation(found[c*n:(c+1)*n], truth[c*n:(c+1)*n]) >= r.R {
			atLeast++
		}
	}
	r.P = float64(atLeast) / float64(columns)
	r.Weights, r.Fitted = make([]float64, n), make([]float64, n)
	w.targets = w.targets[:1]
	return r, w.fold(all, all, func(_, item int, predicted, _ float64) {
		r.Weights[item], r.Fitted[item] = w.dual[item], predicted
	}, func(int, int) error { return nil })
}

// regressing holds what regressions share.
type regressing struct {
	o       Regression
	n       int
	gram    []float64 // n x n
	y       []float64
	groups  []int
	targets [][]float64 // y and its permutations
	dual    []float64   // weights of the items of the last regression
}

// different counts the groups of items.
func (w *regressing) different(items []int) int {
	seen := map[int]bool{}
	for _, i := range items {
		seen[w.groups[i]] = true
	}
	return len(seen)
}

// deal divides items into folds: groups in the order of their mean numbers, as many neighbours as there are folds at a time, one to each fold.
func (w *regressing) deal(items []int) [][]int {
	sum, count := map[int]float64{}, map[int]float64{}
	var groups []int
	for _, i := range items {
		g := w.groups[i]
		if count[g] == 0 {
			groups = append(groups, g)
		}
		sum[g] += w.y[i]
		count[g]++
	}
	sorting.Stable(groups, func(a, b int) int { return cmp.Compare(sum[a]/count[a], sum[b]/count[b]) })
	k := min(w.o.Folds, len(groups))
	s := rng.New(w.o.Seed, "regress/folds")
	of, places := map[int]int{}, make([]int, k)
	for at, g := range groups {
		if at%k == 0 {
			s.Perm(places)
		}
		of[g] = places[at%k]
	}
	folds := make([][]int, k)
	for _, i := range items {
		f := of[w.groups[i]]
		folds[f] = append(folds[f], i)
	}
	return slices.DeleteFunc(folds, func(f []int) bool { return len(f) == 0 })
}

// others are the items of all folds but one, in order.
func others(folds [][]int, but int) (list []int) {
	for k, f := range folds {
		if k != but {
			list = append(list, f...)
		}
	}
	slices.Sort(list)
	return list
}

// permute makes the permuted targets: what the covariates leave of all numbers is shuffled and added to what they explain.
func (w *regressing) permute(all []int) {
	w.targets = [][]float64{w.y}
	s, places := rng.New(w.o.Seed, "regress/permutations"), make([]int, w.n)
	q := w.basis(all)
	left := q.residual(w.y, all, all)
	for range w.o.Permutations {
		y := make([]float64, w.n)
		for _, blocks := range w.blocks() {
			places := places[:len(blocks)]
			s.Perm(places)
			for k, from := range places {
				for r, i := range blocks[k] {
					y[i] = w.y[i] - left[i] + left[blocks[from][r]]
				}
			}
		}
		w.targets = append(w.targets, y)
	}
}

// blocks lists the items of every group, groups of one size together: items of a group are not independent, so that it is shuffled as a whole
// (A. M. Winkler and others, NeuroImage 123, 2015).
func (w *regressing) blocks() (of [][][]int) {
	items, order := map[int][]int{}, []int(nil)
	for i, g := range w.groups {
		if items[g] == nil {
			order = append(order, g)
		}
		items[g] = append(items[g], i)
	}
	sorting.Stable(order, func(a, b int) int { return cmp.Compare(len(items[a]), len(items[b])) })
	for k, g := range order {
		if k == 0 || len(items[g]) != len(items[order[k-1]]) {
			of = append(of, nil)
		}
		of[len(of)-1] = append(of[len(of)-1], items[g])
	}
	return of
}

// fold predicts the items test from the items train, for every target.
func (w *regressing) fold(train, test []int, take func(column, item int, predicted, true float64), yield pause.Yield) error {
	inner := w.deal(train)
	total := (len(inner) + 1) * len(penalties)
	square := make([][]float64, len(penalties)) // error of every penalty and target
	for p := range square {
		square[p] = make([]float64, len(w.targets))
	}
	for k, held := range inner {
		left := others(inner, k)
		for p := range penalties {
			if err := yield(k*len(penalties)+p, total); err != nil {
				return err
			}
			w.predict(left, held, p, func(column, _ int, predicted, true float64) {
				d := predicted - true
				square[p][column] += float64(d * d)
			})
		}
	}
	for p := range penalties {
		if err := yield(total-len(penalties)+p, total); err != nil {
			return err
		}
		w.predict(train, test, p, func(column, item int, predicted, true float64) {
			for other := range penalties {
				if square[other][column] < square[p][column] || other < p && square[other][column] == square[p][column] {
					return
				}
			}
			take(column, item, predicted, true)
		})
	}
	return nil
}

// predict gives what a regression with a penalty on train predicts of test, for every target, both less what covariates explain.
func (w *regressing) predict(train, test []int, penalty int, take func(column, item int, predicted, true float64)) {
	m := len(train)
	q := w.basis(train)
	within, across := make([]float64, m*m), make([]float64, len(test)*m)
	for r, i := range train {
		for s, j := range train {
			within[r*m+s] = w.gram[i*w.n+j]
		}
	}
	for r, i := range test {
		for s, j := range train {
			across[r*m+s] = w.gram[i*w.n+j]
		}
	}
	// Rows of inner products with all training items, less what the covariates explain of an item; then the same of columns.
	q.takeRows(across, within, test)
	q.takeRows(within, slices.Clone(within), train)
	q.takeColumns(across)
	q.takeColumns(within)
	mean := 0.0
	for r := range m {
		mean += within[r*m+r] / float64(m)
	}
	for r := range m {
		within[r*m+r] += float64(penalties[penalty]*mean) + math.SmallestNonzeroFloat64
	}
	cholesky(within, m)
	weights := make([]float64, m)
	for column, y := range w.targets {
		copy(weights, q.residual(y, train, train))
		solve(within, m, weights)
		w.dual = weights
		left := q.residual(y, train, test)
		for r, item := range test {
			predicted := kernel.Dot(across[r*m:(r+1)*m], weights)
			if math.IsNaN(predicted - predicted) { // of items that are alike rounding may leave no more
				predicted = 0
			}
			take(column, item, predicted, left[r])
		}
	}
}

// A basis explains numbers by covariates and a constant, which are fitted to some items.
type basis struct {
	w     *regressing
	train []int
	// columns are orthonormal over the items train, and go on to all items; n each.
	columns [][]float64
}

// basis orthonormalises a constant and the covariates over some items.
func (w *regressing) basis(train []int) *basis {
	b := &basis{w: w, train: train}
	for _, c := range append([][]float64{slices.Repeat([]float64{1}, w.n)}, w.o.Covariates...) {
		column := slices.Clone(c)
		before := b.square(column)
		for range 2 { // once more, for what rounding leaves
			for _, u := range b.columns {
				f := 0.0
				for _, i := range train {
					f += float64(u[i] * column[i])
				}
				for i := range column {
					column[i] -= float64(f * u[i])
				}
			}
		}
		const alike = 1e-12 // a column that others explain
		if square := b.square(column); square > float64(alike*before) && square > 0 {
			length := math.Sqrt(square)
			for i := range column {
				column[i] /= length
			}
			b.columns = append(b.columns, column)
		}
	}
	return b
}

// square is the squared length of a column over the items that are fitted to.
func (b *basis) square(column []float64) (sum float64) {
	for _, i := range b.train {
		sum += float64(column[i] * column[i])
	}
	return sum
}

// residual returns what a fit to the numbers of the items train leaves of those of some items.
func (b *basis) residual(y []float64, train, items []int) []float64 {
	left := make([]float64, len(items))
	for r, i := range items {
		left[r] = y[i]
	}
	for _, u := range b.columns {
		f := 0.0
		for _, i := range train {
			f += float64(u[i] * y[i])
		}
		for r, i := range items {
			left[r] -= float64(f * u[i])
		}
	}
	return left
}

// takeRows takes from the rows of items what the fit to the rows of the training items explains; both are m wide.
func (b *basis) takeRows(rows, of []float64, items []int) {
	m := len(b.train)
	for _, u := range b.columns {
		f := make([]float64, m)
		for r, i := range b.train {
			for s, v := range of[r*m : (r+1)*m] {
				f[s] += float64(u[i] * v)
			}
		}
		for r, i := range items {
			for s, v := range f {
				rows[r*m+s] -= float64(u[i] * v)
			}
		}
	}
}

// takeColumns takes it from their columns, which are of the training items.
func (b *basis) takeColumns(rows []float64) {
	m := len(b.train)
	for at := 0; at < len(rows); at += m {
		row := rows[at : at+m]
		for _, u := range b.columns {
			f := 0.0
			for s, i := range b.train {
				f += float64(u[i] * row[s])
			}
			for s, i := range b.train {
				row[s] -= float64(f * u[i])
			}
		}
	}
}

// correlation is Pearson's; 0 where one of both does not vary.
func correlation(x, y []float64) float64 {
	mx, my, n := 0.0, 0.0, float64(len(x))
	for i := range x {
		mx += x[i] / n
		my += y[i] / n
	}
	xy, xx, yy := 0.0, 0.0, 0.0
	for i := range x {
		a, b := x[i]-mx, y[i]-my
		xy += float64(a * b)
		xx += float64(a * a)
		yy += float64(b * b)
	}
	if !(xx > 0 && yy > 0) {
		return 0
	}
	return xy / math.Sqrt(float64(xx*yy))
}
