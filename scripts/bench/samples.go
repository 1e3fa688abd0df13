package main

import (
	"math"
	"slices"
)

// samples are repeated measurements of one quantity.
type samples []float64

// median returns the middle one, or the mean of the two in the middle.
func (s samples) median() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	v := slices.Sorted(slices.Values(s))
	n := len(v) / 2
	if len(v)%2 == 1 {
		return v[n]
	}
	return (v[n-1] + v[n]) / 2
}

// quantile returns the smallest sample that a share q of all do not exceed.
func (s samples) quantile(q float64) float64 {
	v := slices.Sorted(slices.Values(s))
	return v[max(0, int(math.Ceil(q*float64(len(v))))-1)]
}

// exponent fits y = c x^p by least squares in logarithms and returns p.
func exponent(x, y []float64) float64 {
	n, sx, sy, sxx, sxy := float64(len(x)), 0.0, 0.0, 0.0, 0.0
	for i := range x {
		a, b := math.Log(x[i]), math.Log(y[i])
		sx, sy, sxx, sxy = sx+a, sy+b, sxx+a*a, sxy+a*b
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// round keeps four significant digits.
func round(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}
