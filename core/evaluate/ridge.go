package evaluate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem/core/kernel"
	"cadem/core/multiplex"
)

// ridgeShare is the penalty of a [Ridges] regression, in shares of the mean squared length of
// the centred items that it is fitted to. From 0.001 to 0.1 it made no difference to speak of
// on functional connectivity.
const ridgeShare = 0.01

// Ridges scores embeddings by a ridge regression on the classes, in the folds that [Table]
// deals for the same seed. All columns weigh as they are. Yield is that of [Table].
//
// Of few items it looks at inner products alone, so thousands of columns cost little; of many, see [regressions].
func Ridges(list []Embedding, targets []multiplex.LabelSet, groups []int, o Options, seed uint64, yield func(done, total int) error) ([]Score, error) {
	return readings(list, targets, groups, o, seed, yield, ridgeWork, func(e *evaluation, t *target, tokens []*mat.Dense) (*probed, error) {
		r := &probed{}
		e.pace.begin(ridgeWork(e, t, tokens))
		if !pairwise(t) {
			predicted, err := ridgesOf(tokens[0], t, e.pace.add)
			for f, test := range t.test {
				if err == nil {
					r.add(Classifier, t.pick(test), predicted[f])
				}
			}
			return r, err
		}
		gram := products(tokens[0])
		for f, train := range t.train {
			test := t.test[f]
			predicted := ridge(gram, len(t.labels), train, test, t.pick(train), t.classes)
			r.add(Classifier, t.pick(test), predicted)
		}
		return r, nil
	})
}

// pairwise tells whether inner products of all pairs of items are the quicker way.
func pairwise(t *target) bool {
	return len(t.labels) <= mostPairs || t.classes*len(t.train) > mostTogether
}

func ridgeWork(_ *evaluation, t *target, tokens []*mat.Dense) int {
	const typical = 100 // steps until convergence
	n, d := tokens[0].Dims()
	if pairwise(t) {
		return n * n * d
	}
	return typical * 2 * n * d * t.classes * len(t.train)
}

// products returns the inner products of all rows of x, n x n.
func products(x *mat.Dense) []float64 {
	n, d := x.Dims()
	rows := make([]float64, 0, n*d)
	for i := range n {
		rows = append(rows, x.RawRowView(i)...)
	}
	gram := make([]float64, n*n)
	line := make([]float64, n)
	for i := range n {
		later := line[i:]
		clear(later)
		kernel.Inner(later, rows[i*d:(i+1)*d], rows[i*d:])
		for k, v := range later {
			gram[i*n+i+k], gram[(i+k)*n+i] = v, v
		}
	}
	return gram
}

// ridge fits to the items train, of classes y, whose inner products are in gram, n x n, and
// returns the classes of the items test.
func ridge(gram []float64, n int, train, test, y []int, classes int) []int {
	m := len(train)
	// Inner products of the items less the mean of those that are fitted to.
	means, mean := make([]float64, n), 0.0
	for i := range n {
		for _, j := range train {
			means[i] += gram[i*n+j]
		}
		means[i] /= float64(m)
	}
	for _, i := range train {
		mean += means[i] / float64(m)
	}
	centred := func(i, j int) float64 { return gram[i*n+j] - means[i] - means[j] + mean }
	a, square := make([]float64, m*m), 0.0
	for r, i := range train {
		for s, j := range train[:r+1] {
			a[r*m+s] = centred(i, j)
		}
		square += a[r*m+r] / float64(m)
	}
	for r := range m {
		a[r*m+r] += float64(ridgeShare*square) + math.SmallestNonzeroFloat64
	}
	cholesky(a, m)
	count := make([]float64, classes)
	for _, c := range y {
		count[c]++
	}
	weight := make([][]float64, classes)
	for c := range weight {
		weight[c] = make([]float64, m)
		share := count[c] / float64(m)
		for r := range weight[c] {
			weight[c][r] = -share
			if y[r] == c {
				weight[c][r] = 1 - share
			}
		}
		solve(a, m, weight[c])
	}
	predicted := make([]int, len(test))
	for k, i := range test {
		most := math.Inf(-1)
		for c := range classes {
			v := count[c] / float64(m)
			for r, j := range train {
				v += float64(weight[c][r] * centred(i, j))
			}
			if v > most {
				predicted[k], most = c, v
			}
		}
	}
	return predicted
}

// cholesky replaces the lower triangle of a positive definite m x m matrix by its factor.
func cholesky(a []float64, m int) {
	for i := range m {
		row := a[i*m:]
		for j := range i + 1 {
			other, v := a[j*m:], row[j]
			for k := range j {
				v -= float64(row[k] * other[k])
			}
			if j < i {
				row[j] = v / other[j]
			} else {
				row[j] = math.Sqrt(max(v, math.SmallestNonzeroFloat64)) // of equal items rounding may leave less than nothing
			}
		}
	}
}

// solve replaces b by the solution of L L' x = b.
func solve(l []float64, m int, b []float64) {
	for i := range m {
		for k := range i {
			b[i] -= float64(l[i*m+k] * b[k])
		}
		b[i] /= l[i*m+i]
	}
	for i := m - 1; i >= 0; i-- {
		for k := i + 1; k < m; k++ {
			b[i] -= float64(l[k*m+i] * b[k])
		}
		b[i] /= l[i*m+i]
	}
}

// Above so many items the regressions of all folds are solved by conjugate gradients: work and memory then grow as
// the number of items, where inner products of all pairs and their factors would grow as its square and cube. Below,
// that is quicker, and so it is with many classes.
const (
	mostPairs    = 2048 // items
	mostTogether = 64   // classes times folds
)

// A gradient descent has converged when the gradient is that much smaller than at first. Of 2,070 scans with 4,096 sums of
// correlations each no prediction changes from 1e-4, after 61 steps, to 1e-8, after 144; ill-conditioned data end with the
// last step.
const (
	ridgeGradient = 1e-5
	ridgeSteps    = 1000
	ridgeRows     = 256 // items that are worked on at once
)

// regressions are the ridge regressions of all folds on the columns of x, one for each class, solved together by
// conjugate gradients on the normal equations
//
//	(X'X + lambda I) w = X'y,   rows of X and y without the mean of those that the fold trains on
//
// A regression has a column in every matrix.
type regressions struct {
	x       *mat.Dense
	t       *target
	columns int         // folds times classes
	in      [][]bool    // of every fold: the items that it trains on
	mean    *mat.Dense  // folds x d: of these
	share   [][]float64 // of every fold: classes among them
	lambda  []float64   // of every fold
	w       []float64   // d x columns
	sums    []float64   // scratch of apply: rows x columns
}

// ridgesOf returns what a ridge regression on the rows of x predicts for the items that each fold tests. Work is told
// after every step.
func ridgesOf(x *mat.Dense, t *target, work func(int) error) ([][]int, error) {
	n, d := x.Dims()
	if x.RawMatrix().Stride != d {
		panic(ErrShape)
	}
	folds := len(t.train)
	r := &regressions{x: x, t: t, columns: folds * t.classes, mean: mat.NewDense(folds, d, nil), lambda: make([]float64, folds)}
	r.w, r.sums = make([]float64, d*r.columns), make([]float64, ridgeRows*r.columns)
	for f, train := range t.train {
		in, share := make([]bool, n), make([]float64, t.classes)
		mean, size := r.mean.RawRowView(f), 1/float64(len(train))
		for _, i := range train {
			in[i] = true
			share[t.labels[i]] += size
			kernel.AddScaled(mean, x.RawRowView(i), size)
		}
		r.in, r.share = append(r.in, in), append(r.share, share)
		square := 0.0
		for _, i := range train {
			for j, v := range x.RawRowView(i) {
				v -= mean[j]
				square += float64(v * v)
			}
		}
		r.lambda[f] = float64(ridgeShare*float64(square*size)) + math.SmallestNonzeroFloat64
	}
	if err := r.solve(work); err != nil {
		return nil, err
	}
	return r.predict(), nil
}

// apply hands sums over, which it sets to the products of some rows with columns (d x columns), block by block, and adds
// to dst (d x columns) the rows times what is left there.
func (r *regressions) apply(dst, columns []float64, each func(item int, sums []float64)) {
	raw := r.x.RawMatrix()
	for from := 0; from < raw.Rows; from += ridgeRows {
		rows := min(ridgeRows, raw.Rows-from)
		block, sums := raw.Data[from*raw.Stride:(from+rows)*raw.Stride], r.sums[:rows*r.columns]
		kernel.Mul(sums, block, columns, rows, raw.Cols, r.columns)
		for i := range rows {
			each(from+i, sums[i*r.columns:(i+1)*r.columns])
		}
		if dst != nil {
			kernel.AddMulTrans(dst, block, sums, rows, raw.Cols, r.columns)
		}
	}
}

// offsets sets dst to the products of the fold's mean with columns.
func (r *regressions) offsets(dst, columns []float64) {
	for f := range r.in {
		for j, m := range r.mean.RawRowView(f) {
			for c := range r.t.classes {
				k := f*r.t.classes + c
				dst[k] += float64(m * columns[j*r.columns+k])
			}
		}
	}
}

// centre takes off dst (d x columns) what rows without their mean leave out: the mean times the sum of what the rows
// were multiplied by.
func (r *regressions) centre(dst, total []float64) {
	for f := range r.in {
		for j, m := range r.mean.RawRowView(f) {
			for c := range r.t.classes {
				k := f*r.t.classes + c
				dst[j*r.columns+k] -= float64(m * total[k])
			}
		}
	}
}

// multiply sets dst to (X'X + lambda I) v, all d x columns.
func (r *regressions) multiply(dst, v []float64) {
	clear(dst)
	offset, total := make([]float64, r.columns), make([]float64, r.columns)
	r.offsets(offset, v)
	r.apply(dst, v, func(item int, sums []float64) {
		for k := range sums {
			if !r.in[k/r.t.classes][item] {
				sums[k] = 0
				continue
			}
			sums[k] -= offset[k]
			total[k] += sums[k]
		}
	})
	r.centre(dst, total)
	for at := range dst {
		dst[at] += float64(r.lambda[at%r.columns/r.t.classes] * v[at])
	}
}

// solve finds w. Every column takes steps of its own.
func (r *regressions) solve(work func(int) error) error {
	size := len(r.w)
	rest, p, q := make([]float64, size), make([]float64, size), make([]float64, size)
	total := make([]float64, r.columns)
	r.apply(rest, r.w, func(item int, sums []float64) { // the right-hand side, X'y
		for k := range sums {
			f, c := k/r.t.classes, k%r.t.classes
			if sums[k] = 0; !r.in[f][item] {
				continue
			}
			sums[k] = -r.share[f][c]
			if r.t.labels[item] == c {
				sums[k]++
			}
			total[k] += sums[k]
		}
	})
	r.centre(rest, total)
	copy(p, rest)
	squares := make([]float64, r.columns) // of what is left of the gradient
	r.dots(squares, rest, rest)
	least := make([]float64, r.columns)
	for k, v := range squares {
		least[k] = float64(float64(ridgeGradient*ridgeGradient) * v)
	}
	along, scale, before := make([]float64, r.columns), make([]float64, r.columns), make([]float64, r.columns)
	for range ridgeSteps {
		moving := false
		for k, v := range squares {
			moving = moving || v > least[k]
		}
		if !moving {
			break
		}
		r.multiply(q, p)
		r.dots(along, p, q)
		for k := range scale {
			if scale[k] = 0; squares[k] > least[k] {
				scale[k] = squares[k] / along[k]
			}
		}
		for at := range r.w {
			k := at % r.columns
			r.w[at] += float64(scale[k] * p[at])
			rest[at] -= float64(scale[k] * q[at])
		}
		copy(before, squares)
		r.dots(squares, rest, rest)
		for k := range scale {
			if scale[k] > 0 {
				scale[k] = squares[k] / before[k]
			}
		}
		for at := range p {
			p[at] = rest[at] + float64(scale[at%r.columns]*p[at])
		}
		if err := work(2 * r.x.RawMatrix().Rows * size); err != nil {
			return err
		}
	}
	return nil
}

// dots sets dst to the products of the columns of x and y.
func (r *regressions) dots(dst, x, y []float64) {
	clear(dst)
	for at, v := range x {
		dst[at%r.columns] += float64(v * y[at])
	}
}

// predict returns the classes of the items that each fold tests.
func (r *regressions) predict() [][]int {
	predicted, class := make([][]int, len(r.in)), make([]int, r.x.RawMatrix().Rows*len(r.in))
	offset := make([]float64, r.columns)
	r.offsets(offset, r.w)
	r.apply(nil, r.w, func(item int, sums []float64) {
		for f := range r.in {
			most := math.Inf(-1)
			for c, share := range r.share[f] {
				k := f*r.t.classes + c
				if v := share + sums[k] - offset[k]; v > most {
					class[item*len(r.in)+f], most = c, v
				}
			}
		}
	})
	for f, test := range r.t.test {
		for _, i := range test {
			predicted[f] = append(predicted[f], class[i*len(r.in)+f])
		}
	}
	return predicted
}
