package study

import (
	"cmp"
	"math"
	"strings"

	"cadem.example/core/base/figure"
)

// Signed writes a difference for a sentence, with three digits.
func Signed(v float64) string {
	s := figure.Fixed(v, 3)
	if v > 0 && s != "0.000" {
		s = "+" + s
	}
	return s
}

// chance writes a p for a sentence, exactly or as a bound.
func chance(p float64) string {
	s := figure.Chance(p)
	if strings.HasPrefix(s, "<") {
		return "p " + s
	}
	return "p = " + s
}

// Plural writes a number of things.
func Plural(n int, what string) string { return figure.Count(n, what) }

// Average returns the mean, nil for no values.
func Average(x []float64) *float64 {
	if len(x) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	sum /= float64(len(x))
	return &sum
}

// Deviation returns the sample standard deviation of two values or more.
func Deviation(x []float64) float64 {
	m, sum := *Average(x), 0.0
	for _, v := range x {
		sum += float64((v - m) * (v - m))
	}
	return math.Sqrt(sum / float64(len(x)-1))
}

// kendall returns the rank correlation tau-b of two lists, 0 when one of them is constant.
func kendall(a, b []float64) float64 {
	sum, na, nb := 0, 0, 0
	for i := range a {
		for j := range i {
			x, y := cmp.Compare(a[i], a[j]), cmp.Compare(b[i], b[j])
			sum += x * y
			na += x * x
			nb += y * y
		}
	}
	if na == 0 || nb == 0 {
		return 0
	}
	return float64(sum) / math.Sqrt(float64(na*nb))
}

// Number writes a figure for a sentence.
func Number(v *float64) string {
	if v == nil {
		return "-"
	}
	return figure.Fixed(*v, 3)
}
