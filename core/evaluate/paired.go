package evaluate

import (
	"cmp"
	"math"
	"slices"

	"cadem.example/core/base/sorting"
	"gonum.org/v1/gonum/mathext"
)

// A Comparison is a paired test of two methods: whether the mean of their differences, taken
// pair by pair, is zero. With fewer than two pairs nothing but Pairs and Mean is set.
type Comparison struct {
	Pairs     int
	Mean      float64 // of the differences
	T         float64 // Student's t; infinite when all differences are the same and not 0
	Freedom   int     // degrees of freedom of T
	P         float64 // chance of a T as far from 0, or farther, if the methods are equally good
	Low, High float64 // interval of 95 % around Mean
	Decided   bool    // P is below [Level]
}

// Level is the P below which a [Comparison] counts as decided. It is of one comparison: of
// twenty comparisons of equally good methods one will be below it.
const Level = 0.05

// Compare tests the differences between two methods in the same folds and with the same seeds
// by the corrected resampled t-test. Folds of one data set share most of what they train on, so
// that their differences are not independent, and their variance over the number of pairs is
// too small for that of their mean. In its place stands
//
//	variance (1/pairs + tested/trained)
//
// where testShare = tested/trained is the number of items a fold tests over that it trains on:
// 1/(K-1) for K folds. It is 0 for pairs that share nothing, which leaves Student's paired
// t-test. The correction is that of Nadeau and Bengio, "Inference for the Generalization
// Error", Machine Learning 52 (2003). More seeds add pairs, not data: the second
// term stays, however many there are. The test says nothing about other data.
//
// It panics with [ErrShape] for a testShare below zero.
func Compare(differences []float64, testShare float64) Comparison {
	ErrShape.Unless(testShare >= 0)
	n := len(differences)
	c := Comparison{Pairs: n}
	if n > 0 {
		c.Mean = mean(differences)
	}
	if n < 2 {
		return c
	}
	c.Freedom = n - 1
	spread := sampleDeviation(differences)
	if slices.Min(differences) == slices.Max(differences) {
		spread, c.Mean = 0, differences[0] // without what rounding would leave
	}
	err := spread * math.Sqrt(1/float64(n)+testShare)
	switch {
	case err > 0:
		c.T = c.Mean / err
	case c.Mean != 0:
		c.T = math.Copysign(math.Inf(1), c.Mean)
	}
	c.P = TwoSided(c.T, c.Freedom)
	c.Decided = c.P < Level
	half := float64(err * quantile(Level, c.Freedom))
	c.Low, c.High = c.Mean-half, c.Mean+half
	return c
}

// TwoSided returns the chance that Student's t with that many degrees of freedom is as far from
// zero as t, or farther.
func TwoSided(t float64, freedom int) float64 {
	if math.IsInf(t, 0) {
		return 0
	}
	v := float64(freedom)
	return mathext.RegIncBeta(v/2, 0.5, v/(v+float64(t*t)))
}

// quantile returns the t that [TwoSided] gives the chance p.
func quantile(p float64, freedom int) float64 {
	v := float64(freedom)
	x := mathext.InvRegIncBeta(v/2, 0.5, p)
	return math.Sqrt(v * (1 - x) / x)
}

// Holm corrects chances p for their number and returns as many: S. Holm, A simple sequentially rejective multiple test procedure,
// Scandinavian Journal of Statistics 6 (1979).
func Holm(p []float64) []float64 {
	order := sorting.Order(len(p), func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	corrected, least := make([]float64, len(p)), 0.0
	for i, k := range order {
		least = max(least, min(1, float64(float64(len(p)-i)*p[k])))
		corrected[k] = least
	}
	return corrected
}
