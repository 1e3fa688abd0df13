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
// deals for the same seed. It looks at inner products of items alone, so thousands of
// columns cost little; all columns weigh as they are.
func Ridges(list []Embedding, targets []multiplex.LabelSet, groups []int, o Options, seed uint64) ([]Score, error) {
	return readings(list, targets, groups, o, seed, nil, nil, func(_ *evaluation, t *target, tokens []*mat.Dense) (*probed, error) {
		gram := products(tokens[0])
		r := &probed{}
		for f, train := range t.train {
			test := t.test[f]
			predicted := ridge(gram, len(t.labels), train, test, t.pick(train), t.classes)
			r.add(Classifier, t.pick(test), predicted)
		}
		return r, nil
	})
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
