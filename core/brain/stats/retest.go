package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
)

// An Agreement says how far repeated measurements of the same subjects agree.
type Agreement struct {
	ICC       float64 // the intraclass correlation ICC(3,1) of P. E. Shrout and J. L. Fleiss, Psychological Bulletin 86, 1979
	Low, High float64 // 95 % around it
}

// Agree compares values that were measured several times of each of n subjects, row by row. Shifts that all subjects share do not count.
// Where nothing varies it is 0. It needs two subjects and two times at least; other lengths panic with [ErrShape].
func Agree(values []float64, times int) Agreement {
	f, d1, d2 := agreeing(values, times)
	return Agreement{icc(f, times), icc(f/fisherF(d1, d2), times), icc(float64(f*fisherF(d2, d1)), times)}
}

// ICC is that of [Agree] alone, of n subjects with values at all times.
func ICC(values []float64, times int) float64 {
	f, _, _ := agreeing(values, times)
	return icc(f, times)
}

// icc is the correlation that a ratio of variances means; NaN, where nothing varies, is none.
func icc(f float64, times int) float64 {
	switch {
	case math.IsNaN(f):
		return 0
	case math.IsInf(f, 1):
		return 1
	}
	return (f - 1) / (f + float64(times) - 1)
}

// agreeing divides the variance between subjects by what is left of that within them, and gives the degrees of freedom of both.
func agreeing(values []float64, times int) (f, d1, d2 float64) {
	ErrShape.Unless(times >= 2 && len(values)%times == 0 && len(values) >= 2*times)
	n, k := len(values)/times, float64(times)
	of, at, mean := make([]float64, n), make([]float64, times), 0.0
	for i, v := range values {
		of[i/times] += v / k
		at[i%times] += v / float64(n)
		mean += v / float64(len(values))
	}
	subjects, rest := 0.0, 0.0
	for i, v := range values {
		d := of[i/times] - mean
		subjects += float64(d * d)
		e := v - of[i/times] - at[i%times] + mean
		rest += float64(e * e)
	}
	d1 = float64(n - 1)
	d2 = float64(d1 * (k - 1))
	return subjects / d1 / (rest / d2), d1, d2
}

// fisherF is what F of two degrees of freedom exceeds with a chance of 2.5 %.
func fisherF(d1, d2 float64) float64 {
	x := mathext.InvRegIncBeta(d1/2, d2/2, 0.975)
	return float64(d2*x) / float64(d1*(1-x))
}

// An Identification says how many subjects are found again by their values.
type Identification struct {
	// Found are the subjects of the second time that are most like each of the first, and of the first most like each of the second; -1
	// where two are as like.
	Found [2][]int
	// P is the chance of as many own ones when subjects of the second time are shuffled, as often as asked for.
	P [2]float64
	// Own is the mean correlation of a subject's values of both times, Others that of different subjects.
	Own, Others float64
}

// Right counts the subjects that are found again: the second time in the first one's, and the other way round.
func (f *Identification) Right() (right [2]int) {
	for k, list := range f.Found {
		for i, j := range list {
			if i == j {
				right[k]++
			}
		}
	}
	return right
}

// Identify looks for each of n subjects of one time among those of another, by the correlation of their values, row by row: the
// fingerprint of E. S. Finn and others, Nature Neuroscience 18, 2015. Values become standardised. Lengths that do not fit panic
// with [ErrShape]. The error is that of yield, which may be nil.
func Identify(first, second []float32, n, permutations int, seed uint64, yield pause.Yield) (*Identification, error) {
	ErrShape.Unless(n >= 2 && len(first) == len(second) && len(first)%n == 0)
	width := len(first) / n
	for i := range n {
		standardise(first[i*width : (i+1)*width])
		standardise(second[i*width : (i+1)*width])
	}
	like := make([]float64, n*n)
	f := &Identification{}
	for i := range n {
		for j := range n {
			r := product(first[i*width:(i+1)*width], second[j*width:(j+1)*width])
			like[i*n+j] = r
			if i == j {
				f.Own += r / float64(n)
			} else {
				f.Others += r / float64(n*(n-1))
			}
		}
		if yield != nil {
			if err := yield(i+1, n); err != nil {
				return nil, err
			}
		}
	}
	for k := range f.Found {
		for i := range n {
			best, most := -1, math.Inf(-1)
			for j := range n {
				r := like[i*n+j]
				if k == 1 {
					r = like[j*n+i]
				}
				if r > most {
					best, most = j, r
				} else if r == most {
					best = -1
				}
			}
			f.Found[k] = append(f.Found[k], best)
		}
	}
	right := f.Right()
	s, places := rng.New(seed, "retest/permutations"), make([]int, n)
	atLeast := [2]int{1, 1}
	for range permutations {
		s.Perm(places)
		var by [2]int
		for i, j := range places {
			if f.Found[0][i] == j {
				by[0]++
			}
			if f.Found[1][j] == i {
				by[1]++
			}
		}
		for k := range by {
			if by[k] >= right[k] {
				atLeast[k]++
			}
		}
	}
	for k := range f.P {
		f.P[k] = float64(atLeast[k]) / float64(permutations+1)
	}
	return f, nil
}

// standardise gives values mean 0 and length 1, or leaves nothing of those that are all alike.
func standardise(x []float32) {
	mean := 0.0
	for _, v := range x {
		mean += float64(v) / float64(len(x))
	}
	length := 0.0
	for _, v := range x {
		d := float64(v) - mean
		length += float64(d * d)
	}
	length = math.Sqrt(length)
	for i, v := range x {
		x[i] = float32((float64(v) - mean) / max(length, math.SmallestNonzeroFloat64))
	}
}

func product(x, y []float32) (sum float64) {
	for i, v := range x {
		sum += float64(float64(v) * float64(y[i]))
	}
	return sum
}
