package evaluate

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

func ExampleRegress() {
	x, age := mat.NewDense(40, 3, nil), make([]float64, 40)
	s := rng.New(1, "example")
	for i := range age {
		for k := range 3 {
			x.Set(i, k, s.Norm())
		}
		age[i] = 50 + 10*x.At(i, 1)
	}
	r, err := Regress(x, age, Regression{Folds: 5, Permutations: 99, Seed: 1}, nil)
	fmt.Printf("r %.2f, p %.2f, %v\n", r.R, r.P, err)
	// Output: r 1.00, p 0.01, <nil>
}

// naive predicts like predict, by ridge regressions on the columns of x and least squares on the covariates.
func naive(x *mat.Dense, y []float64, z [][]float64, train, test []int, share float64) (predicted, left []float64) {
	_, d := x.Dims()
	design := func(items []int) *mat.Dense {
		m := mat.NewDense(len(items), 1+len(z), nil)
		for r, i := range items {
			m.Set(r, 0, 1)
			for k, c := range z {
				m.Set(r, k+1, c[i])
			}
		}
		return m
	}
	rows := func(items []int) (*mat.Dense, *mat.Dense) {
		a, b := mat.NewDense(len(items), d, nil), mat.NewDense(len(items), 1, nil)
		for r, i := range items {
			a.SetRow(r, x.RawRowView(i))
			b.Set(r, 0, y[i])
		}
		return a, b
	}
	xt, yt := rows(train)
	xs, ys := rows(test)
	zt, zs := design(train), design(test)
	for _, pair := range [][2]*mat.Dense{{xt, xs}, {yt, ys}} {
		var fit, of, on mat.Dense
		if err := fit.Solve(zt, pair[0]); err != nil {
			panic(err)
		}
		of.Mul(zt, &fit)
		on.Mul(zs, &fit)
		pair[0].Sub(pair[0], &of)
		pair[1].Sub(pair[1], &on)
	}
	var gram, right, weights, out mat.Dense
	gram.Mul(xt.T(), xt)
	mean := 0.0
	for k := range d {
		mean += gram.At(k, k) / float64(len(train))
	}
	for k := range d {
		gram.Set(k, k, gram.At(k, k)+share*mean)
	}
	right.Mul(xt.T(), yt)
	if err := weights.Solve(&gram, &right); err != nil {
		panic(err)
	}
	out.Mul(xs, &weights)
	return mat.Col(nil, 0, &out), mat.Col(nil, 0, ys)
}

// drawnNumbers are items of d columns whose number follows one of them and a covariate.
func drawnNumbers(n, d int, seed uint64) (x *mat.Dense, y []float64, z [][]float64) {
	s := rng.New(seed, "numbers")
	x, y, z = mat.NewDense(n, d, nil), make([]float64, n), [][]float64{make([]float64, n), make([]float64, n)}
	for i := range n {
		z[0][i], z[1][i] = s.Norm(), float64(i%2)
		for k := range d {
			x.Set(i, k, s.Norm()+0.5*z[0][i]+2)
		}
		y[i] = 3 + x.At(i, 0) + 2*z[0][i] - z[1][i] + 0.5*s.Norm()
	}
	return x, y, z
}

// Predictions, and the choice of the penalty, are those of regressions on columns.
func TestRegressAsOnColumns(t *testing.T) {
	x, y, z := drawnNumbers(36, 5, 1)
	groups := make([]int, 36)
	for i := range groups {
		groups[i] = i / 2
	}
	for _, covariates := range [][][]float64{nil, z} {
		o := Regression{Covariates: covariates, Groups: groups, Folds: 4, Seed: 3}
		r, err := Regress(x, y, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		all := make([]int, len(y))
		for i := range all {
			all[i] = i
		}
		w := &regressing{o: o, n: len(y), y: y, groups: groups}
		folds := w.deal(all)
		if len(folds) != 4 {
			t.Fatalf("%d folds", len(folds))
		}
		for k, test := range folds {
			train := others(folds, k)
			for _, i := range test {
				if slices.ContainsFunc(train, func(j int) bool { return groups[i] == groups[j] }) {
					t.Errorf("item %d is tested beside one of its group that is trained on", i)
				}
			}
			inner, best, least := w.deal(train), -1, math.Inf(1)
			for p, share := range penalties {
				square := 0.0
				for h, held := range inner {
					a, b := naive(x, y, covariates, others(inner, h), held, share)
					for i := range a {
						square += (a[i] - b[i]) * (a[i] - b[i])
					}
				}
				if square < least {
					best, least = p, square
				}
			}
			a, b := naive(x, y, covariates, train, test, penalties[best])
			for at, i := range test {
				if math.Abs(a[at]-r.Predicted[i]) > 1e-9 || math.Abs(b[at]-r.True[i]) > 1e-9 {
					t.Errorf("item %d: %v of %v, expected %v of %v", i, r.Predicted[i], r.True[i], a[at], b[at])
				}
			}
		}
	}
}

// What a covariate explains of both is no prediction once it is taken out, and p is that of chance.
func TestRegressOnChance(t *testing.T) {
	small, explained := 0, 0
	for seed := range uint64(60) {
		s := rng.New(seed, "chance")
		x, y, z := mat.NewDense(24, 8, nil), make([]float64, 24), make([]float64, 24)
		for i := range y {
			z[i] = s.Norm()
			y[i] = 2*z[i] + s.Norm()
			for k := range 8 {
				x.Set(i, k, z[i]+s.Norm())
			}
		}
		for _, covariates := range [][][]float64{nil, {z}} {
			r, err := Regress(x, y, Regression{Covariates: covariates, Folds: 3, Permutations: 39, Seed: seed}, nil)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case r.P > 0.05:
			case covariates == nil:
				explained++
			default:
				small++
			}
		}
	}
	if explained < 50 || small > 8 {
		t.Errorf("of 60 draws %d are below .05 with a confound, %d once it is taken out", explained, small)
	}
}

// Numbers in other units, and items in another order of columns, are predicted alike.
func TestRegressProperties(t *testing.T) {
	x, y, z := drawnNumbers(30, 4, 2)
	o := Regression{Covariates: z, Folds: 5, Permutations: 19, Seed: 1}
	r, err := Regress(x, y, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !(r.R > 0.5 && r.R2 > 0 && r.P <= 0.1) {
		t.Errorf("r %v, R2 %v, p %v", r.R, r.R2, r.P)
	}
	other, turned := slices.Clone(y), mat.NewDense(30, 4, nil)
	for i := range other {
		other[i] = 7*y[i] - 100
		for k := range 4 {
			turned.Set(i, k, 5*x.At(i, 3-k)+1)
		}
	}
	again, err := Regress(turned, other, o, nil)
	if err != nil || math.Abs(again.R-r.R) > 1e-9 || math.Abs(again.R2-r.R2) > 1e-9 || math.Abs(again.Error-7*r.Error) > 1e-8 || again.P != r.P {
		t.Errorf("%+v, expected %+v: %v", again, r, err)
	}
	defer func() {
		if recover() != ErrShape {
			t.Error("three items are no four groups")
		}
	}()
	_, _ = Regress(mat.NewDense(3, 1, nil), make([]float64, 3), o, nil)
}

// Items of a group are shuffled together: eight scans of a person that are alike are no more evidence than one.
func TestRegressOnGroups(t *testing.T) {
	small := 0
	for seed := range uint64(60) {
		s := rng.New(seed, "pairs")
		x, y, groups := mat.NewDense(96, 3, nil), make([]float64, 96), make([]int, 96)
		for i := range 96 {
			groups[i] = i / 8
			if y[i] = s.Norm(); i%8 > 0 {
				y[i] = y[i-1]
			}
			for k := range 3 {
				v := s.Norm()
				if i%8 > 0 {
					v = x.At(i-1, k)
				}
				x.Set(i, k, v)
			}
		}
		r, err := Regress(x, y, Regression{Groups: groups, Folds: 4, Permutations: 39, Seed: seed}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.P <= 0.05 {
			small++
		}
	}
	if small > 8 {
		t.Errorf("p is at most .05 in %d of 60 draws of chance", small)
	}
}

// Of a predictor that is alike for all, as the length of recordings often is, numbers are predicted, whatever rounding leaves of it.
func TestRegressOnWhatDoesNotVary(t *testing.T) {
	for _, v := range []float64{0, 90, 0.1, 1e8} {
		for n := 8; n < 20; n++ {
			x, y := mat.NewDense(n, 3, nil), make([]float64, n)
			for i := range y {
				y[i] = float64(30 + i*i%7)
				for k := range 3 {
					x.Set(i, k, v)
				}
			}
			r, err := Regress(x, y, Regression{Folds: 2 + n%4, Permutations: 9}, nil)
			infinite := func(p float64) bool { return math.IsNaN(p - p) }
			if err != nil || v == 0 && r.R != 0 || math.IsNaN(r.R+r.R2+r.Error+r.P) || slices.ContainsFunc(r.Predicted, infinite) {
				t.Errorf("%d numbers, %v: r %v, p %v, predicted %v, %v", n, v, r.R, r.P, r.Predicted, err)
			}
		}
	}
}

// Weights are those of a ridge regression on all items, less what covariates explain, and Fitted what it predicts of them.
func TestWeightsOfARegression(t *testing.T) {
	const n, d = 24, 40
	s := rng.New(5, "weights")
	x, y, z := mat.NewDense(n, d, nil), make([]float64, n), make([]float64, n)
	for i := range n {
		z[i] = s.Norm()
		for k := range d {
			x.Set(i, k, s.Norm()+z[i])
		}
		y[i] = 3*x.At(i, 0) + z[i] + s.Norm()
	}
	r, err := Regress(x, y, Regression{Folds: 4, Covariates: [][]float64{z}, Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	design, beta := mat.NewDense(n, 2, nil), &mat.Dense{}
	for i := range n {
		design.SetRow(i, []float64{1, z[i]})
	}
	left, target := &mat.Dense{}, &mat.Dense{}
	for _, of := range []struct{ from, to *mat.Dense }{{x, left}, {mat.NewDense(n, 1, slices.Clone(y)), target}} {
		if err := beta.Solve(design, of.from); err != nil {
			t.Fatal(err)
		}
		of.to.Mul(design, beta)
		of.to.Sub(of.from, of.to)
		beta.Reset()
	}
	var w, fitted, gram, square mat.Dense
	w.Mul(x.T(), mat.NewDense(n, 1, r.Weights)) // of x itself: weights of items are orthogonal to the covariates
	fitted.Mul(left, &w)
	square.Mul(left, left.T())
	best := math.Inf(1)
	for _, penalty := range penalties {
		var own, right mat.Dense
		gram.Mul(left.T(), left)
		for k := range d {
			gram.Set(k, k, gram.At(k, k)+penalty*mat.Trace(&square)/n)
		}
		right.Mul(left.T(), target)
		if err := own.Solve(&gram, &right); err != nil {
			t.Fatal(err)
		}
		own.Sub(&own, &w)
		best = min(best, mat.Norm(&own, 2))
	}
	for i, v := range r.Fitted {
		if math.Abs(v-fitted.At(i, 0)) > 1e-9 {
			t.Errorf("item %d: %v, by the weights %v", i, v, fitted.At(i, 0))
		}
	}
	if best > 1e-9 {
		t.Errorf("weights are off by %v from those of every penalty", best)
	}
}
