package evaluate

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// Probes reads what Table's probe reads, in the same folds, and columns of any width.
func TestProbesAreThoseOfTheTable(t *testing.T) {
	src := rng.New(4, "probes")
	const n = 60
	x := mat.NewDense(n, 4, nil)
	of, groups := make([]int, n), make([]int, n)
	for i := range n {
		of[i], groups[i] = i%3, i/3
		for j := range 4 {
			x.Set(i, j, src.Norm())
		}
		x.Set(i, 0, x.At(i, 0)+float64(of[i]))
	}
	targets := []multiplex.LabelSet{{Name: "class", Classes: []string{"a", "b", "c"}, Of: of}}
	o := Defaults()
	o.Epochs = 5
	list := []Embedding{{Name: "x", Tokens: []*mat.Dense{x}}}
	table, err := Table(Input{Trained: list, Untrained: list, Targets: targets, Groups: groups, Classify: true}, o, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	probes, err := Probes(append(list, Embedding{Name: "wide", Tokens: []*mat.Dense{mat.NewDense(n, 7, nil)}}), targets, groups, o, 1,
		func(done, total int) error {
			if done < last || done > total {
				t.Errorf("%d of %d after %d", done, total, last)
			}
			last = done
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if len(probes) != 4 || probes[0].Value != table[0].Probe || probes[1].Value != table[1].Probe || probes[0].Value < 0.4 || len(probes[0].Folds) != 5 ||
		probes[2].Value > 0.3 {
		t.Errorf("%+v\nand in the table\n%+v", probes, table)
	}
}

// A ridge regression through inner products is that of the normal equations: the classes it
// gives are those of the closed form on columns.
func TestRidge(t *testing.T) {
	src := rng.New(6, "ridge")
	const n, d, m = 40, 5, 30
	x := mat.NewDense(n, d, nil)
	y := make([]int, n)
	for i := range n {
		y[i] = src.IntN(3)
		for j := range d {
			x.Set(i, j, 3+src.Norm())
		}
		x.Set(i, y[i], x.At(i, y[i])+1)
	}
	train, test := make([]int, m), make([]int, n-m)
	for i := range n {
		if i < m {
			train[i] = i
		} else {
			test[i-m] = i
		}
	}
	centred := mat.NewDense(n, d, nil)
	square := 0.0
	for j := range d {
		mean := 0.0
		for i := range m {
			mean += x.At(i, j) / m
		}
		for i := range n {
			centred.Set(i, j, x.At(i, j)-mean)
		}
		for i := range m {
			square += centred.At(i, j) * centred.At(i, j) / m
		}
	}
	fit := centred.Slice(0, m, 0, d)
	var normal, right, weights, want mat.Dense
	normal.Mul(fit.T(), fit)
	for j := range d {
		normal.Set(j, j, normal.At(j, j)+ridgeShare*square)
	}
	classes := mat.NewDense(m, 3, nil)
	share := make([]float64, 3)
	for i := range m {
		share[y[i]] += 1.0 / m
		classes.Set(i, y[i], 1)
	}
	right.Mul(fit.T(), classes) // the columns of fit have mean 0: shares fall out
	if err := weights.Solve(&normal, &right); err != nil {
		t.Fatal(err)
	}
	want.Mul(centred.Slice(m, n, 0, d), &weights)
	got := ridge(products(x), n, train, test, y[:m], 3)
	for k := range test {
		best := 0
		for c := range 3 {
			if want.At(k, c)+share[c] > want.At(k, best)+share[best] {
				best = c
			}
		}
		if got[k] != best {
			t.Errorf("item %d is of class %d, by the normal equations %d", k, got[k], best)
		}
	}
	// Items that are all the same are not an error.
	if got := ridge(make([]float64, n*n), n, train, test, y[:m], 3); got[0] != got[1] {
		t.Error(got)
	}
}

// Inner products, factor and solution have the bits of the plain loops, whatever is taken at once.
func TestRidgeSumsInOrder(t *testing.T) {
	src := rng.New(9, "ridge")
	for _, m := range []int{1, 2, 5, 8, 9, 23} {
		const d = 30
		x := mat.NewDense(m, d, nil)
		for i := range m {
			for j := range d {
				x.Set(i, j, src.Norm())
			}
		}
		a := products(x)
		for i := range m {
			for j := range m {
				one := []float64{0}
				if kernel.Inner(one, x.RawRowView(i), x.RawRowView(j)); a[i*m+j] != one[0] {
					t.Errorf("%d rows: product of %d and %d is %v, by itself %v", m, i, j, a[i*m+j], one[0])
				}
			}
		}
		plain, b := slices.Clone(a), make([]float64, m)
		for i := range m {
			b[i] = src.Norm()
			for j := range i + 1 {
				v := plain[i*m+j]
				for k := range j {
					v -= float64(plain[i*m+k] * plain[j*m+k])
				}
				if plain[i*m+j] = v / plain[j*m+j]; i == j {
					plain[i*m+j] = math.Sqrt(v)
				}
				plain[j*m+i] = plain[i*m+j]
			}
		}
		want := slices.Clone(b)
		for i := range m {
			for k := range i {
				want[i] -= float64(plain[i*m+k] * want[k])
			}
			want[i] /= plain[i*m+i]
		}
		for i := m - 1; i >= 0; i-- {
			for k := i + 1; k < m; k++ {
				want[i] -= float64(plain[k*m+i] * want[k])
			}
			want[i] /= plain[i*m+i]
		}
		cholesky(a, m)
		solve(a, m, b)
		if !slices.Equal(a, plain) || !slices.Equal(b, want) {
			t.Errorf("%d rows: factor or solution differ", m)
		}
	}
}

// No fold trains on a group that it tests.
func TestGroupsStayApart(t *testing.T) {
	groups := []int{0, 0, 1, 1, 2}
	apart(groups, []int{0, 1, 4}, []int{2, 3})
	defer func() {
		if e := recover(); e != ErrGroups {
			t.Errorf("found %v, expected %v", e, ErrGroups)
		}
	}()
	apart(groups, []int{0, 1, 2}, []int{3, 4})
	t.Error("a group on both sides was let through")
}

// The regressions of all folds at once, by conjugate gradients, predict what each does by itself through inner products,
// with more items than columns and with fewer, of two classes and of several.
func TestRidgesAreThoseOfPairs(t *testing.T) {
	for _, size := range []struct{ n, d, classes int }{{600, 40, 3}, {120, 300, 3}, {400, 50, 2}, {900, 60, 6}} {
		src := rng.New(8, "ridges")
		x := mat.NewDense(size.n, size.d, nil)
		of, groups := make([]int, size.n), make([]int, size.n)
		for i := range size.n {
			of[i], groups[i] = i%size.classes, i/size.classes
			if i%17 == 0 {
				of[i] = multiplex.Missing
			}
			level := src.Norm() // a few directions that are much larger than the others
			for j := range size.d {
				x.Set(i, j, 2+src.Norm()+10*level*float64(j%5))
			}
			if of[i] >= 0 {
				x.Set(i, of[i], x.At(i, of[i])+2)
			}
		}
		o := Defaults()
		target, err := newTarget(&multiplex.LabelSet{Name: "class", Classes: make([]string, size.classes), Of: of}, groups, &o, 1)
		if err != nil {
			t.Fatal(err)
		}
		steps := 0
		got, err := ridgesOf(x, target, func(int) error { steps++; return nil })
		if err != nil {
			t.Fatal(err)
		}
		right, all := 0, 0
		for f, train := range target.train {
			want := ridge(products(x), size.n, train, target.test[f], target.pick(train), target.classes)
			if !slices.Equal(got[f], want) {
				t.Errorf("%v, fold %d: %v, by pairs %v", size, f, got[f], want)
			}
			for k, i := range target.test[f] {
				all++
				if got[f][k] == target.labels[i] {
					right++
				}
			}
		}
		if 2*right < all || right == all || steps == 0 || steps >= ridgeSteps {
			t.Errorf("%v: %d of %d right after %d steps", size, right, all, steps)
		}
		stop := errors.New("stop")
		if _, err := ridgesOf(x, target, func(int) error { return stop }); err != stop {
			t.Errorf("stopped: %v", err)
		}
	}
}
