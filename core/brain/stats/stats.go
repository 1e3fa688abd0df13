package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/sorting"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex/graphsignal"
)

// A Design says what rows of values are.
type Design struct {
	// A says which rows are of the first of two groups; nil: rows are differences of pairs, whose mean is tested against 0.
	A []bool
	// Number, of each row, is what values are tested to go along with, by regression; A is nil then.
	Number []float64
	// Covariates are columns of a value for each row, whose influence is taken out, and Names what they are called.
	Covariates [][]float64
	Names      []string
}

// Options say how a test is done.
type Options struct {
	Permutations int // at most; with fewer of them possible, all
	Seed         uint64
	// Nodes is the number of regions when values are those of their pairs i < j, row by row; 0 when they are not.
	Nodes int
	// Beyond is the |t| above which a pair is part of a component, for the network-based statistic; 0: no components.
	Beyond float64
}

// A Result is of each value.
type Result struct {
	Difference []float64 // between the groups, the mean of the differences, or the slope over the number, covariates taken out
	T          []float64
	P          []float64 // of Student's distribution, two-sided
	Permuted   []float64 // of permutations, two-sided
	Corrected  []float64 // of the largest |t| of all values in permutations
	Q          []float64 // of P: smallest false discovery rate at which it is significant
	Effect     []float64 // Cohen's d, or the partial correlation with the number
	Low, High  []float64 // about 95 % around it
	Freedom    int
	Explained  float64 // R2 of the groups, or of the number, on the covariates
	Rows       [2]int  // of the first group and of the second one; of pairs their number and 0
	// Permutations done. If they are exact, each possible one is done once, including the identity.
	Permutations int
	Exact        bool
	// Components lists the components of pairs beyond the threshold, the largest first.
	Components []Component
}

// A Component is a set of pairs of regions that hang together and differ in one direction.
type Component struct {
	Positive bool     // the first group, or condition, has more
	Pairs    [][2]int // i < j
	Regions  []int
	P        float64 // share of permutations with a component of as many pairs in either direction
}

// Float is the type of the stored values.
type Float interface{ float32 | float64 }

// block is the number of values that are worked on at once: their sums stay in cache.
const block = 32

// Test tests every column of values, a row for each pair or subject. The error is a [*diag.Error], or that of yield.
func Test[T Float](values []T, d *Design, o *Options, rows int, yield pause.Yield) (*Result, error) {
	ErrShape.Unless(rows != 0 && len(values)%rows == 0 && (d.A == nil || len(d.A) == rows) &&
		(o.Nodes <= 0 || len(values)/rows == o.Nodes*(o.Nodes-1)/2))
	w, err := newWork(d, o, rows)
	if err != nil {
		return nil, err
	}
	n := len(values) / rows
	w.result(n)
	w.most = make([]float64, len(w.orders))
	if o.Nodes > 0 && o.Beyond > 0 {
		w.networks = newNetworks(o.Nodes, len(w.orders))
	}
	count := make([]int, n)
	at := make([]float64, n) // squared partial correlations of the unpermuted data
	for from := 0; from < n; from += block {
		k := min(block, n-from)
		w.load(func(row, j int) float64 { return float64(values[row*n+from+j]) }, k)
		w.observe(from, k, at)
		w.permute(from, k, at, count)
		if err := yield.At(from+k, n); err != nil {
			return nil, err
		}
	}
	w.finish(at, count)
	return w.r, nil
}

// A work holds what one test needs.
type work struct {
	d    *Design
	o    *Options
	rows int
	r    *Result

	contrast []float64         // what is tested, of each row, the rest of the model taken out
	square   float64           // its sum of squares
	basis    graphsignal.Basis // of the rest of the model
	orders   []order
	plain    bool // two values of the contrast suffice: sums of subsets do

	x, e    []float64 // of a block: rows x block, unchanged, and with the rest of the model removed
	total   []float64 // sums of e
	square2 []float64 // sums of squares of e
	tables  []float64
	sum     []float64
	parts   []float64

	most     []float64 // of each permutation the largest squared partial correlation
	networks *networks
}

// newWork makes the model.
func newWork(d *Design, o *Options, rows int) (*work, error) {
	w := &work{d: d, o: o, rows: rows, r: &Result{}}
	w.contrast = make([]float64, rows)
	for i := range w.contrast {
		w.contrast[i] = 1
	}
	if d.A != nil {
		w.addBasis(slices.Clone(w.contrast))
		for i, a := range d.A {
			if w.r.Rows[1]++; a {
				w.r.Rows[0]++
				w.r.Rows[1]--
			} else {
				w.contrast[i] = 0
			}
		}
		if min(w.r.Rows[0], w.r.Rows[1]) < 2 {
			return nil, &diag.Error{Where: "groups", Found: fmt.Sprintf("%d and %d subjects", w.r.Rows[0], w.r.Rows[1]), Expected: "at least 2 in each"}
		}
	} else {
		w.r.Rows[0] = rows
	}
	if d.Number != nil {
		w.addBasis(slices.Clone(w.contrast))
		w.contrast = centred(d.Number, rows)
	}
	left, gives := slices.Clone(w.contrast), -1
	w.basis.TakeOut(left)
	whole := graphsignal.Dot(left, left)
	for k, c := range d.Covariates {
		w.addBasis(centred(c, rows)) // the mean is tested, or is in the model
		if w.basis.TakeOut(left); gives < 0 && graphsignal.Dot(left, left) <= 1e-9*whole {
			gives = k
		}
	}
	w.basis.TakeOut(w.contrast)
	w.square = graphsignal.Dot(w.contrast, w.contrast)
	w.r.Explained = 1 - w.square/whole
	w.r.Freedom = rows - len(w.basis) - 1
	if w.r.Freedom < 1 {
		return nil, &diag.Error{Where: "subjects", Found: fmt.Sprint(rows), Expected: fmt.Sprintf("more than %d, as many as the model has columns", len(w.basis)+1)}
	}
	if gives >= 0 {
		return nil, &diag.Error{Where: "covariates", Found: d.named(gives) +
			", which gives the groups, or the number, exactly, by itself or with those before it",
			Expected: "others: nothing would be left to test. A site that all of one group are from " +
				"can neither be taken out nor be harmonised before (ComBat)"}
	}
	w.plain = len(d.Covariates) == 0 && d.Number == nil
	w.orders, w.r.Exact = draw(d, o, rows)
	w.r.Permutations = len(w.orders)
	w.x, w.e = make([]float64, rows*block), make([]float64, rows*block)
	w.total, w.square2, w.sum = make([]float64, block), make([]float64, block), make([]float64, block)
	w.parts = make([]float64, (len(w.basis)+1)*block)
	w.tables = make([]float64, (rows+groupBits-1)/groupBits<<groupBits*block)
	return w, nil
}

// named is what a covariate is called.
func (d *Design) named(k int) string {
	if k < len(d.Names) {
		return d.Names[k]
	}
	return fmt.Sprintf("column %d", k+1)
}

// centred returns a column without its mean.
func centred(column []float64, rows int) []float64 {
	ErrShape.Unless(len(column) == rows)
	x := slices.Clone(column)
	linalg.Centre(x, 1)
	return x
}

// addBasis adds a column to the rest of the model, if it is not a sum of others.
func (w *work) addBasis(x []float64) { w.basis.Grow(x, 1e-9) }

func (w *work) result(n int) {
	r := w.r
	for _, list := range []*[]float64{&r.Difference, &r.T, &r.P, &r.Permuted, &r.Corrected, &r.Q, &r.Effect, &r.Low, &r.High} {
		*list = make([]float64, n)
	}
}

// load takes a block of values, and takes the rest of the model out of them.
func (w *work) load(value func(row, j int) float64, k int) {
	clear(w.x)
	for i := range w.rows {
		for j := range k {
			w.x[i*block+j] = value(i, j)
		}
	}
	copy(w.e, w.x)
	for range 2 {
		for _, b := range w.basis {
			clear(w.sum)
			for i, v := range b {
				for j, x := range w.e[i*block : (i+1)*block] {
					w.sum[j] += float64(v * x)
				}
			}
			for i, v := range b {
				row := w.e[i*block : (i+1)*block]
				for j := range row {
					row[j] -= float64(v * w.sum[j])
				}
			}
		}
	}
	clear(w.total)
	clear(w.square2)
	scale := make([]float64, block)
	for i := range w.rows {
		for j := range block {
			v := w.e[i*block+j]
			w.total[j] += v
			w.square2[j] += float64(v * v)
			scale[j] += float64(w.x[i*block+j] * w.x[i*block+j])
		}
	}
	const rounding = 1e-24 // what is left of values that are all alike
	for j, s := range scale {
		if w.square2[j] <= rounding*s {
			w.square2[j] = 0
		}
	}
}

// observe tests the unpermuted data.
func (w *work) observe(from, k int, at []float64) {
	r, freedom := w.r, float64(w.r.Freedom)
	for j := range k {
		num := 0.0
		for i, c := range w.contrast {
			num += float64(c * w.e[i*block+j])
		}
		i := from + j
		b := num / w.square
		r.Difference[i] = b
		if w.square2[j] == 0 {
			r.P[i] = 1
			continue
		}
		at[i] = min(1, float64(num*num)/float64(w.square*w.square2[j]))
		left := w.square2[j] - float64(num*num)/w.square
		t := math.Copysign(math.Inf(1), b)
		if left > 1e-14*w.square2[j] {
			t = b / math.Sqrt(left/freedom/w.square)
		}
		r.T[i], r.P[i] = t, evaluate.TwoSided(t, w.r.Freedom)
		if w.networks != nil {
			w.networks.observe(i, t, w.o.Beyond)
		}
	}
}

// permute tests a block in all permutations.
func (w *work) permute(from, k int, at []float64, count []int) {
	freedom := float64(w.r.Freedom)
	beyond := float64(w.o.Beyond * w.o.Beyond)
	limit := beyond / (beyond + freedom) // of the squared partial correlation
	inverse := make([]float64, block)
	for j := range k {
		if w.square2[j] > 0 {
			inverse[j] = 1 / float64(w.square*w.square2[j])
		}
	}
	if w.plain {
		w.subsets()
	}
	const rounding = 1 - 1e-9 // permutations that are alike tie with the data
	for p := range w.orders {
		var num []float64
		if w.plain {
			num = w.subset(&w.orders[p])
		} else {
			num = w.general(&w.orders[p], inverse)
		}
		most := w.most[p]
		for j, v := range num[:k] {
			square := float64(float64(v*v) * inverse[j])
			if square >= at[from+j]*rounding && inverse[j] > 0 {
				count[from+j]++
			}
			if square > most {
				most = square
			}
			if w.networks != nil && square > limit {
				w.networks.join(p, from+j, v > 0)
			}
		}
		w.most[p] = most
	}
}

// general returns the sums of the contrast with permuted rows, and sets inverse to 1 over the squares that the rest of the model leaves.
func (w *work) general(o *order, inverse []float64) []float64 {
	clear(w.parts)
	width := len(w.basis) + 1
	for i := range w.rows {
		from, sign := o.row(i)
		x := w.e[from*block : (from+1)*block]
		for c := range width {
			v := w.contrast[i]
			if c > 0 {
				v = w.basis[c-1][i]
			}
			v *= sign
			sum := w.parts[c*block : (c+1)*block]
			for j := range sum {
				sum[j] += float64(v * x[j])
			}
		}
	}
	for j := range inverse {
		left := w.square2[j]
		for c := 1; c < width; c++ {
			left -= float64(w.parts[c*block+j] * w.parts[c*block+j])
		}
		if inverse[j] = 0; w.square2[j] > 0 && left > 1e-14*w.square2[j] {
			inverse[j] = 1 / float64(w.square*left)
		}
	}
	return w.parts[:block]
}

// groupBits is the number of rows that are summed up ahead, in every combination.
const groupBits = 8

// subsets sums up the rows of every group of them in all combinations.
func (w *work) subsets() {
	for g := 0; g*groupBits < w.rows; g++ {
		table := w.tables[g<<groupBits*block:][:block<<groupBits]
		clear(table[:block])
		for b := range groupBits {
			row := g*groupBits + b
			for code := range 1 << b {
				to := table[(code|1<<b)*block:][:block]
				copy(to, table[code*block:][:block])
				if row < w.rows {
					kernel.Add(to, w.e[row*block:(row+1)*block])
				}
			}
		}
	}
}

// subset returns the sums of the contrast with permuted rows, from those of subsets: where the contrast has two values.
func (w *work) subset(o *order) []float64 {
	clear(w.sum)
	for g, code := range o.codes {
		kernel.Add(w.sum, w.tables[(g<<groupBits+int(code))*block:][:block])
	}
	if w.d.A == nil { // signs: twice what is positive less all
		for j, v := range w.sum {
			w.sum[j] = float64(2*v) - w.total[j]
		}
	}
	return w.sum
}

// finish makes the chances of permutations, and effects.
func (w *work) finish(at []float64, count []int) {
	r := w.r
	n := float64(len(w.orders))
	own := 1.0 // the unpermuted data
	if r.Exact {
		own = 0
	}
	most := slices.Clone(w.most)
	slices.Sort(most)
	for i := range at {
		if r.P[i] == 1 && r.T[i] == 0 && at[i] == 0 {
			r.Permuted[i], r.Corrected[i] = 1, 1
		} else {
			r.Permuted[i] = (own + float64(count[i])) / (own + n)
			k, _ := slices.BinarySearchFunc(most, at[i]*(1-1e-9), cmp.Compare[float64])
			r.Corrected[i] = (own + float64(len(most)-k)) / (own + n)
		}
		w.effect(i)
	}
	r.Q = FalseDiscoveries(r.P)
	if w.networks != nil {
		r.Components = w.networks.components(own)
	}
}

// effect is Cohen's d with an interval by its normal approximation, or the partial correlation with one by Fisher's z.
func (w *work) effect(i int) {
	r := w.r
	if w.d.Number != nil {
		rho := r.T[i] / math.Sqrt(float64(r.T[i]*r.T[i])+float64(r.Freedom))
		if math.IsInf(r.T[i], 0) {
			rho = math.Copysign(1, r.T[i])
		}
		half := 1.959963984540054 / math.Sqrt(max(float64(r.Freedom-1), 1e-9))
		r.Effect[i], r.Low[i], r.High[i] = rho, math.Tanh(math.Atanh(rho)-half), math.Tanh(math.Atanh(rho)+half)
		return
	}
	a, b := float64(r.Rows[0]), float64(r.Rows[1])
	per := 1 / a
	if w.d.A != nil {
		per += 1 / b
	}
	d := float64(r.T[i] * math.Sqrt(per))
	half := float64(1.959963984540054 * math.Sqrt(per+float64(d*d)/(2*(a+b))))
	r.Effect[i], r.Low[i], r.High[i] = d, d-half, d+half
}

// FalseDiscoveries returns for each p the smallest false discovery rate at which it is significant among all of them
// (Benjamini and Hochberg 1995).
func FalseDiscoveries(p []float64) []float64 {
	order := sorting.Order(len(p), func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	q := make([]float64, len(p))
	least := 1.0
	for k := len(order) - 1; k >= 0; k-- {
		least = min(least, float64(p[order[k]]*float64(len(p)))/float64(k+1))
		q[order[k]] = least
	}
	return q
}

// ChanceOfCorrelation returns the chance of a correlation of n pairs of numbers beyond r, in either direction.
func ChanceOfCorrelation(r float64, n int) float64 {
	if r >= 1 {
		return 0
	}
	return evaluate.TwoSided(r*math.Sqrt(float64(n-2)/(1-float64(r*r))), n-2)
}
