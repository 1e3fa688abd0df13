package evaluate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
)

// ridgeShare is the penalty of a [Ridges] regression, in shares of the mean squared length of
// the centred items that it is fitted to. From 0.001 to 0.1 it made no difference to speak of
// on functional connectivity.
const ridgeShare = 0.01

// Ridges scores embeddings by a ridge regression on the classes, in the folds that [Table] deals for the same seed.
// Columns are not standardised. Yield is that of [Table].
//
// With few items it needs only inner products, so thousands of columns cost little; for many items see [regressions].
func Ridges(list []Embedding, targets []multiplex.LabelSet, groups []int, o Options, seed uint64, yield pause.Yield) ([]Score, error) {
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

// pairwise reports whether inner products of all pairs of items are the quicker way.
func pairwise(t *target) bool {
	return t.choose != nil || len(t.labels) <= mostPairs || t.classes*len(t.train) > mostTogether
}

func ridgeWork(_ *evaluation, t *target, tokens []*mat.Dense) int {
	const typical = 100 // steps to convergence
	n, d := tokens[0].Dims()
	if pairwise(t) {
		return n * n * d
	}
	return typical * 2 * n * d * ridgeColumns(t)
}

// Rows whose inner products with all others are taken at once: they stay in cache, and the others come from memory that many
// times less often.
const productRows = 8

// products returns the inner products of all rows of x, n x n.
func products(x *mat.Dense) []float64 {
	n, d := x.Dims()
	gram, line, rows := make([]float64, n*n), make([]float64, productRows), make([]float64, productRows*d)
	for from := 0; from < n; from += productRows {
		k := min(productRows, n-from)
		for i := range k {
			copy(rows[i*d:], x.RawRowView(from+i))
		}
		for j := from; j < n; j++ {
			clear(line)
			kernel.Inner(line[:k], x.RawRowView(j), rows)
			for i, v := range line[:k] {
				gram[(from+i)*n+j], gram[j*n+from+i] = v, v
			}
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

// cholesky replaces the lower triangle of a positive definite m x m matrix by its factor, and the upper one by the
// transpose of that. Four entries of a row are summed beside each other, each in order.
func cholesky(a []float64, m int) {
	for i := range m {
		row, j := a[i*m:(i+1)*m], 0
		for ; j+4 <= i; j += 4 {
			o0, o1, o2, o3 := a[j*m:][:j], a[(j+1)*m:][:j], a[(j+2)*m:][:j], a[(j+3)*m:][:j]
			v := (*[4]float64)(row[j:])
			v0, v1, v2, v3 := v[0], v[1], v[2], v[3]
			for k, x := range row[:j] {
				v0 -= float64(x * o0[k])
				v1 -= float64(x * o1[k])
				v2 -= float64(x * o2[k])
				v3 -= float64(x * o3[k])
			}
			*v = [4]float64{v0, v1, v2, v3}
			eliminate(a, m, i, j, j, j+4)
		}
		eliminate(a, m, i, 0, j, i)
		v := row[i]
		for _, x := range row[:i] {
			v -= float64(x * x)
		}
		row[i] = math.Sqrt(max(v, math.SmallestNonzeroFloat64)) // of equal items rounding may leave less than nothing
		for j, x := range row[:i] {
			a[j*m+i] = x
		}
	}
}

// eliminate completes entries from to to of row i of a factor; the terms before first are subtracted already.
func eliminate(a []float64, m, i, first, from, to int) {
	row := a[i*m:]
	for j := from; j < to; j++ {
		v, other := row[j], a[j*m:]
		for k := first; k < j; k++ {
			v -= float64(row[k] * other[k])
		}
		row[j] = v / other[j]
	}
}

// solve replaces b by the solution of L L' x = b, from what cholesky leaves.
func solve(l []float64, m int, b []float64) {
	for i := range m {
		for k, x := range l[i*m:][:i] {
			b[i] -= float64(x * b[k])
		}
		b[i] /= l[i*m+i]
	}
	for i := m - 1; i >= 0; i-- {
		for k := i + 1; k < m; k++ {
			b[i] -= float64(l[i*m+k] * b[k])
		}
		b[i] /= l[i*m+i]
	}
}

// Above this number of items the regressions of all folds are solved by conjugate gradients in single precision: work and
// memory then grow as the number of items, instead of the square and cube for inner products of all pairs and their
// factors. With fewer items double precision costs little, and with many classes it is quicker.
const (
	mostPairs    = 1024 // items
	mostTogether = 64   // classes times folds
)

// A regression has converged when its gradient has shrunk by this factor. For 6,000 scans with 4,096 sums of correlations
// each, 4,800 of them in training, predictions are then within 2.5e-4 of those of double precision. At 1e-5 they were within
// 2.5e-3, and one class was another; below 1e-6 single precision gains little more. Ill-conditioned data end with the last
// step.
const (
	ridgeGradient = 1e-6
	ridgeSteps    = 1000
	ridgeRows     = 256 // items that are worked on at once
)

// regressions are the ridge regressions of all folds on the rows X, solved together by conjugate gradients on the
// normal equations
//
//	(X'X + lambda I) w = X'y,   rows of X and y without the mean of those that the fold trains on
//
// A regression of each class but the last has a column in every matrix: those of all classes sum to nothing. Rows are
// in the order of the folds that test them, so that they are multiplied by the columns of the other folds alone. They
// are counted from the mean of the first fold: small numbers lose least.
type regressions struct {
	t       *target
	d       int
	from    []int       // of every fold: where the items that it tests begin; and the end
	x       []float32   // items x d
	own     int         // columns of a fold
	columns int         // of all of them
	others  int         // of all folds but one, zeros behind them
	mean    *mat.Dense  // folds x d: of the items that it trains on
	share   [][]float64 // of every fold: classes among these
	lambda  []float64   // of every fold
	right   []float32   // X'y, d x columns
	w       []float32   // d x columns
	v, part []float32   // scratch: d x others
	sums    []float32   // scratch: rows x others or columns
}

// ridgesOf returns the predictions of a ridge regression on the rows of x for the items that each fold tests. Work is
// called after every step.
func ridgesOf(x *mat.Dense, t *target, work func(int) error) ([][]int, error) {
	_, d := x.Dims()
	folds := len(t.train)
	r := &regressions{t: t, d: d, from: []int{0}, own: t.classes - 1, columns: folds * (t.classes - 1), others: ridgeColumns(t),
		mean: mat.NewDense(folds, d, nil), lambda: make([]float64, folds)}
	r.w, r.right = make([]float32, d*r.columns), make([]float32, d*r.columns)
	r.v, r.part, r.sums = make([]float32, d*r.others), make([]float32, d*r.others), make([]float32, ridgeRows*max(r.others, r.columns))
	var items []int // that have a class
	for f, train := range t.train {
		items = append(items, t.test[f]...)
		r.from = append(r.from, len(items))
		share, mean, size := make([]float64, t.classes), r.mean.RawRowView(f), 1/float64(len(train))
		for _, i := range train {
			share[t.labels[i]] += size
			kernel.AddScaled(mean, x.RawRowView(i), size)
		}
		r.share = append(r.share, share)
		square, right := 0.0, make([]float64, d*t.classes)
		for _, i := range train {
			for j, v := range x.RawRowView(i) {
				v -= mean[j]
				square += float64(v * v)
				right[j*t.classes+t.labels[i]] += v
			}
		}
		for at := range d * r.own {
			j, c := at/r.own, at%r.own
			r.right[j*r.columns+f*r.own+c] = float32(right[j*t.classes+c])
		}
		r.lambda[f] = float64(ridgeShare*float64(square*size)) + math.SmallestNonzeroFloat64
	}
	r.x = make([]float32, 0, len(items)*d)
	for _, i := range items {
		for j, v := range x.RawRowView(i) {
			r.x = append(r.x, float32(v-r.mean.At(0, j)))
		}
	}
	for f := folds - 1; f >= 0; f-- { // the first comes last
		kernel.AddScaled(r.mean.RawRowView(f), r.mean.RawRowView(0), -1)
	}
	if err := r.solve(work); err != nil {
		return nil, err
	}
	return r.predict(), nil
}

// ridgeColumns returns the number of columns for an item, a multiple of eight, for which kernels are fastest.
func ridgeColumns(t *target) int { return ((len(t.train)-1)*(t.classes-1) + 7) &^ 7 }

// multiply sets dst to (X'X + lambda I) v, all d x columns. The part of the mean is subtracted afterwards.
func (r *regressions) multiply(dst, v []float32) {
	total := r.ofMeans(v)
	for at, x := range v {
		j, k := at/r.columns, at%r.columns
		f := k / r.own
		n := float64(len(r.t.train[f]))
		dst[at] = float32(float64(r.lambda[f]*float64(x)) - float64(float64(r.mean.At(f, j)*total[k])*n))
	}
	for f := range r.share {
		first, last := f*r.own, (f+1)*r.own
		for j := range r.d {
			row, to := v[j*r.columns:(j+1)*r.columns], r.v[j*r.others:]
			copy(to[copy(to, row[:first]):], row[last:])
		}
		clear(r.part)
		for from := r.from[f]; from < r.from[f+1]; from += ridgeRows {
			rows := min(ridgeRows, r.from[f+1]-from)
			block, sums := r.x[from*r.d:(from+rows)*r.d], r.sums[:rows*r.others]
			kernel.Mul(sums, block, r.v, rows, r.d, r.others)
			kernel.AddMulTrans(r.part, block, sums, rows, r.d, r.others)
		}
		for j := range r.d {
			row, part := dst[j*r.columns:(j+1)*r.columns], r.part[j*r.others:]
			for k := range row {
				if k < first {
					row[k] += part[k]
				} else if k >= last {
					row[k] += part[k-r.own]
				}
			}
		}
	}
}

// ofMeans returns the products of the means of the folds with their columns of v.
func (r *regressions) ofMeans(v []float32) []float64 {
	sums := make([]float64, r.columns)
	for j := range r.d {
		for k, x := range v[j*r.columns : (j+1)*r.columns] {
			sums[k] += float64(r.mean.At(k/r.own, j) * float64(x))
		}
	}
	return sums
}

// solve finds w. Every column takes steps of its own.
func (r *regressions) solve(work func(int) error) error {
	size, rest := len(r.w), r.right
	p, q := slices.Clone(rest), make([]float32, size)
	squares, least, scale := r.dots(rest, rest), make([]float64, r.columns), make([]float32, r.columns)
	for k, v := range squares {
		least[k] = float64(float64(ridgeGradient*ridgeGradient) * v)
	}
	for range ridgeSteps {
		moving := false
		for k, v := range squares {
			moving = moving || v > least[k]
		}
		if !moving {
			break
		}
		r.multiply(q, p)
		for k, v := range r.dots(p, q) {
			if scale[k] = 0; squares[k] > least[k] {
				scale[k] = float32(squares[k] / v)
			}
		}
		for at := 0; at < size; at += r.columns {
			for k, v := range scale {
				r.w[at+k] += float32(v * p[at+k])
				rest[at+k] -= float32(v * q[at+k])
			}
		}
		before := squares
		squares = r.dots(rest, rest)
		for k := range scale {
			if scale[k] != 0 {
				scale[k] = float32(squares[k] / before[k])
			}
		}
		for at := 0; at < size; at += r.columns {
			for k, v := range scale {
				p[at+k] = rest[at+k] + float32(v*p[at+k])
			}
		}
		if err := work(2 * len(r.x) * r.others); err != nil {
			return err
		}
	}
	return nil
}

// dots returns the products of the columns of x and y.
func (r *regressions) dots(x, y []float32) []float64 {
	sums := make([]float64, r.columns)
	for at := 0; at < len(x); at += r.columns {
		for k := range sums {
			sums[k] += float64(float64(x[at+k]) * float64(y[at+k]))
		}
	}
	return sums
}

// predict returns the classes of the items that each fold tests.
func (r *regressions) predict() [][]int {
	predicted, means := make([][]int, len(r.share)), r.ofMeans(r.w)
	for f, share := range r.share {
		for from := r.from[f]; from < r.from[f+1]; from += ridgeRows {
			rows := min(ridgeRows, r.from[f+1]-from)
			sums := r.sums[:rows*r.columns]
			kernel.Mul(sums, r.x[from*r.d:(from+rows)*r.d], r.w, rows, r.d, r.columns)
			for i := range rows {
				class, most, last := 0, math.Inf(-1), share[r.own]
				for c := range r.own {
					k := f*r.own + c
					v := float64(sums[i*r.columns+k]) - means[k]
					if last -= v; share[c]+v > most {
						class, most = c, share[c]+v
					}
				}
				if last > most {
					class = r.own
				}
				predicted[f] = append(predicted[f], class)
			}
		}
	}
	return predicted
}

type probed struct {
	values                 // of each fold
	truth, predicted []int // of all nodes that are tested, each by the last fold that tests it
}

// probe fits a linear probe in every fold to the tokens side by side.
func (e *evaluation) probe(t *target, tokens []*mat.Dense) (*probed, error) {
	x := features(tokens)
	_, d := x.Dims()
	p := NewProbe(d, t.classes)
	e.pace.begin(e.probeWork(t, tokens))
	r := &probed{}
	class := slices.Repeat([]int{multiplex.Missing}, len(t.labels))
	for f, nodes := range t.train {
		b := NewBatch([]*mat.Dense{x}, nodes, t.labels)
		work := p.model.work(b.n)
		if err := p.Fit(b, func() error { return e.pace.add(work) }); err != nil {
			return nil, err
		}
		predicted := make([]int, len(t.test[f]))
		p.Predict(predicted, NewBatch([]*mat.Dense{x}, t.test[f], nil))
		r.add(Classifier, t.pick(t.test[f]), predicted)
		for k, node := range t.test[f] {
			class[node] = predicted[k]
		}
	}
	for k, node := range t.rows {
		if class[node] != multiplex.Missing {
			r.truth, r.predicted = append(r.truth, t.truth[k]), append(r.predicted, class[node])
		}
	}
	return r, nil
}

func (e *evaluation) probeWork(t *target, tokens []*mat.Dense) int {
	const typical = 40 // iterations until convergence
	_, d := tokens[0].Dims()
	c, work := NewCombiner(Shape{Tokens: 1, Dim: len(tokens) * d, Classes: t.classes}), 0
	for _, nodes := range t.train {
		work += typical * c.work(len(nodes))
	}
	return work
}

// Probes scores embeddings by the linear probe alone, in the folds that [Table] deals for the
// same seed: what is known of the items without training, of any width. Value and FoldStd are
// those of the probe.
func Probes(list []Embedding, targets []multiplex.LabelSet, groups []int, o Options, seed uint64, yield pause.Yield) ([]Score, error) {
	return readings(list, targets, groups, o, seed, yield, (*evaluation).probeWork, (*evaluation).probe)
}

// readings scores embeddings by a classifier that needs no settings. Work, if not nil, is the work
// for one embedding, in the unit of the pacer.
func readings(list []Embedding, targets []multiplex.LabelSet, groups []int, o Options, seed uint64, yield pause.Yield,
	work func(*evaluation, *target, []*mat.Dense) int, read func(*evaluation, *target, []*mat.Dense) (*probed, error)) ([]Score, error) {
	e, err := newEvaluation(Input{Trained: list, Untrained: list, Targets: targets, Groups: groups, Classify: true}, o, seed)
	if err != nil {
		return nil, err
	}
	e.pace.yield, e.pace.total = yield, 0
	for _, x := range list {
		for _, t := range e.targets {
			if work != nil {
				e.pace.total += work(e, t, x.Tokens)
			}
		}
	}
	var scores []Score
	for _, x := range list {
		for _, t := range e.targets {
			r, err := read(e, t, x.Tokens)
			if err != nil {
				return nil, err
			}
			rows := r.scores(x.Name, t.name)
			for i := range rows {
				t.say(&rows[i])
			}
			scores = append(scores, rows...)
		}
	}
	return scores, nil
}

// scores are the rows of the readings of an embedding, for a target.
func (r *probed) scores(embedding, target string) (rows []Score) {
	for i, m := range Metrics {
		if m.From == Classifier {
			folds := r.of(i)
			v := mean(folds)
			rows = append(rows, Score{Embedding: embedding, Target: target, Metric: m.Name, Value: v, FoldStd: Deviation(folds), Probe: v, Folds: folds})
		}
	}
	return rows
}
