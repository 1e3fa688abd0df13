package evaluate

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/frugal"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// rowsOf are the rows of a matrix.
func rowsOf(x *mat.Dense) Rows {
	return func(take func([]float64) error) error {
		n, _ := x.Dims()
		for i := range n {
			if err := take(x.RawRowView(i)); err != nil {
				return err
			}
		}
		return nil
	}
}

// people are a number of rows of each class around a centre of its own, in two groups, and columns of unequal size.
func people(classes, each, width int, spread float64) (x *mat.Dense, labels *multiplex.LabelSet, groups []int) {
	src := rng.New(6, "people")
	labels = &multiplex.LabelSet{Name: "class", Classes: make([]string, classes)}
	x = mat.NewDense(classes*each, width, nil)
	for c := range classes {
		centre := make([]float64, width)
		for j := range centre {
			centre[j] = src.Norm()
		}
		for k := range each {
			for j, v := range centre {
				x.Set(c*each+k, j, (v+spread*src.Norm())*math.Pow(10, float64(j%3))+float64(j))
			}
			labels.Of, groups = append(labels.Of, c), append(groups, k%2)
		}
	}
	return x, labels, groups
}

// centred returns x less its mean, divided by its length: products of two such vectors are correlations.
func centred(x []float64) (y []float64) {
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		square += (v - mean) * (v - mean)
	}
	for _, v := range x {
		y = append(y, (v-mean)/math.Sqrt(square))
	}
	return y
}

// nearestByDefinition returns the classes of the items test.
func nearestByDefinition(x *mat.Dense, y []int, classes int, train, test []int, how Nearness) (found []int) {
	_, width := x.Dims()
	of := func(i int) []float64 { return append([]float64(nil), x.RawRowView(i)...) }
	if how == StandardisedDistance {
		mean, sd := make([]float64, width), make([]float64, width)
		for j := range width {
			for _, i := range train {
				mean[j] += x.At(i, j) / float64(len(train))
			}
			for _, i := range train {
				sd[j] += (x.At(i, j) - mean[j]) * (x.At(i, j) - mean[j]) / float64(len(train))
			}
		}
		of = func(i int) []float64 {
			row := make([]float64, width)
			for j := range row {
				row[j] = (x.At(i, j) - mean[j]) / math.Sqrt(sd[j])
			}
			return row
		}
	}
	if how == Correlation {
		of = func(i int) []float64 { return centred(x.RawRowView(i)) }
	}
	means, count := make([][]float64, classes), make([]float64, classes)
	for _, i := range train {
		if means[y[i]] == nil {
			means[y[i]] = make([]float64, width)
		}
		kernel.AddScaled(means[y[i]], of(i), 1)
		count[y[i]]++
	}
	for c := range means {
		scale(means[c], 1/count[c])
	}
	for _, i := range test {
		row, best, class := of(i), math.Inf(1), 0
		for c, m := range means {
			if m == nil {
				continue
			}
			far := 0.0
			if how == Correlation {
				far = -dot(row, centred(m))
			} else {
				for j := range row {
					far += (row[j] - m[j]) * (row[j] - m[j])
				}
			}
			if far < best {
				best, class = far, c
			}
		}
		found = append(found, class)
	}
	return found
}

func TestNearestFromItsDefinition(t *testing.T) {
	const classes = classesAtOnce + 40 // the last block is not full
	x, labels, groups := people(classes, 3, 12, 0.8)
	labels.Of[5] = multiplex.Missing
	o := Defaults()
	tg, err := newTarget(labels, groups, &o, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []Nearness{Distance, StandardisedDistance, Correlation} {
		scores, err := Nearest("x", rowsOf(x), how, labels, groups, o, 3, nil)
		if err != nil || len(scores) != 2 || scores[0].Metric != "macro_f1" {
			t.Fatalf("%v, %+v", err, scores)
		}
		for f, train := range tg.train {
			macro, micro := F1(tg.pick(tg.test[f]), nearestByDefinition(x, tg.labels, classes, train, tg.test[f], how))
			if scores[0].Folds[f] != macro || scores[1].Folds[f] != micro || micro < 0.01 || micro > 0.99 {
				t.Errorf("%d, fold %d: %v and %v, by definition %v and %v", how, f, scores[0].Folds[f], scores[1].Folds[f], macro, micro)
			}
		}
	}
}

// If both can be had, the nearest mean scores about as high as fitted classifiers, and no higher than chance without an effect.
func TestNearestBesideClassifiers(t *testing.T) {
	const classes = 40
	for spread, want := range map[float64][2]float64{0.3: {0.9, 1}, 100: {0, 0.1}} {
		x, labels, groups := people(classes, 8, 6, spread)
		o, name := Defaults(), fmt.Sprintf("spread %g", spread)
		near, err := Nearest("x", rowsOf(x), StandardisedDistance, labels, groups, o, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		list := []Embedding{{Name: "x", Tokens: []*mat.Dense{standardized(x)}}}
		fitted, err := Table(Input{Trained: list, Untrained: list, Targets: []multiplex.LabelSet{*labels}, Groups: groups, Classify: true}, o, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []float64{near[0].Value, fitted[0].Value, fitted[0].Probe} {
			if v < want[0] || v > want[1] {
				t.Errorf("%s: nearest %.3f, classifier %.3f, probe %.3f, expected %v", name, near[0].Value, fitted[0].Value, fitted[0].Probe, want)
			}
		}
	}
}

// Rows are requested twice a fold and not kept. The kernels' caches may be collected and made anew: the smallest of five
// measurements is without that.
func TestNearestKeepsNoRows(t *testing.T) {
	const classes, width = 8, 500
	used := func(each int) uint64 {
		x, labels, groups := people(classes, each, width, 1)
		asked, told := 0, 0
		rows := func(take func([]float64) error) error { asked++; return rowsOf(x)(take) }
		return frugal.Allocated(func() {
			if _, err := Nearest("x", rows, StandardisedDistance, labels, groups, Defaults(), 1, func(done, total int) error {
				if done < told || done > total || total != 4*classes*each {
					t.Errorf("%d, then %d of %d", told, done, total)
				}
				told = done
				return nil
			}); err != nil || asked != 4 || told == 0 {
				t.Fatalf("%v, asked for %d times, told %d", err, asked, told)
			}
		})
	}
	few, many := used(10), used(110)
	for range 4 { // helpers that begin late allocate less, as much as 350 rows would
		few, many = max(few, used(10)), min(many, used(110))
	}
	if many > few+100*classes*400 { // bytes a row, which has 4000
		t.Errorf("%d bytes for %d rows, %d for %d", few, 10*classes, many, 110*classes)
	}
}

func TestNearestEnds(t *testing.T) {
	x, labels, groups := people(3, 30, 2, 1)
	stop := errors.New("stop")
	for at := range 4 {
		calls := 0
		if _, err := Nearest("x", rowsOf(x), Distance, labels, groups, Defaults(), 1, func(int, int) error {
			if calls++; calls > at {
				return stop
			}
			return nil
		}); err != stop {
			t.Errorf("after %d calls: %v", at, err)
		}
	}
	if _, err := Nearest("x", rowsOf(x), Distance, labels, make([]int, 90), Defaults(), 1, nil); err == nil {
		t.Error("one group is both trained on and tested")
	}
}

func BenchmarkNearest(b *testing.B) {
	x, labels, groups := people(1000, 4, 512, 1)
	for b.Loop() {
		if _, err := Nearest("x", rowsOf(x), Correlation, labels, groups, Defaults(), 1, nil); err != nil {
			b.Fatal(err)
		}
	}
}
