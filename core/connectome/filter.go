package connectome

import (
	"fmt"
	"math"

	"cadem/core/diag"
	"cadem/core/kernel"
)

// Detrend takes the least-squares line out of x.
func Detrend(x []float64) {
	n := float64(len(x))
	mean, slope := 0.0, 0.0
	for _, v := range x {
		mean += v
	}
	mean /= n
	middle := float64((n - 1) / 2)
	for t, v := range x {
		slope += float64((float64(t) - middle) * (v - mean))
	}
	if n > 1 {
		slope /= float64(n*(float64(n*n)-1)) / 12 // the sum of squares of the centred frames
	}
	for t := range x {
		x[t] = x[t] - mean - float64(slope*(float64(t)-middle))
	}
}

// A Filter is a band-pass that shifts nothing in time.
type Filter interface {
	// Apply filters x in place.
	Apply(x []float64)
}

// checkBand tells whether a series has the frequencies from low to high. The error is an
// [*diag.Error].
func checkBand(low, high, tr float64) error {
	switch {
	case !(tr > 0) || math.IsInf(tr, 0):
		return &diag.Error{File: "", Where: "tr", Found: fmt.Sprint(tr),
			Expected: "seconds > 0: without the time between frames there are no frequencies; give it, or choose no filter"}
	case !(low > 0) || !(high > low):
		return &diag.Error{File: "", Where: "band", Found: fmt.Sprintf("%v to %v Hz", low, high), Expected: "a lower limit > 0 and an upper one above it"}
	case high >= 0.5/tr:
		return &diag.Error{File: "", Where: "band", Found: fmt.Sprintf("an upper limit of %v Hz", high),
			Expected: fmt.Sprintf("less than %.4g Hz, half of the frames a second at a TR of %v s", 0.5/tr, tr)}
	}
	return nil
}

// An FFT keeps exactly the discrete frequencies of a band, both limits included. It has the
// result of a Fourier transform, filter and inverse transform, computed for the kept
// frequencies alone: there are few, and series lengths are not powers of two.
type FFT struct {
	Bins []int // kept frequencies, k / (T tr) Hz

	n          int
	cos, sin   []float64 // of 2 pi t / T
	real, imag []float64
}

// NewFFT returns the band-pass of series of n frames, from low to high Hz. The error is an
// [*diag.Error].
func NewFFT(n int, tr, low, high float64) (*FFT, error) {
	if err := checkBand(low, high, tr); err != nil {
		return nil, err
	}
	f := &FFT{n: n, cos: make([]float64, n), sin: make([]float64, n)}
	for k := 0; k <= n/2; k++ {
		if hz := float64(k) / float64(float64(n)*tr); hz >= low && hz <= high {
			f.Bins = append(f.Bins, k)
		}
	}
	if len(f.Bins) == 0 {
		return nil, &diag.Error{File: "", Where: "frames", Found: fmt.Sprint(n), Expected: fmt.Sprintf("enough for a frequency from %v to %v Hz", low, high)}
	}
	for t := range n {
		a := float64(2*math.Pi*float64(t)) / float64(n)
		f.cos[t], f.sin[t] = kernel.Cos(a), kernel.Sin(a)
	}
	f.real, f.imag = make([]float64, len(f.Bins)), make([]float64, len(f.Bins))
	return f, nil
}

// Apply filters x in place. It panics if x has another length than the filter.
func (f *FFT) Apply(x []float64) {
	if len(x) != f.n {
		panic(ErrShape)
	}
	for b, k := range f.Bins {
		re, im, at := 0.0, 0.0, 0
		for _, v := range x {
			re += float64(v * f.cos[at])
			im += float64(v * f.sin[at])
			if at += k; at >= f.n {
				at -= f.n
			}
		}
		scale := 2 / float64(f.n)
		if 2*k == f.n {
			scale /= 2 // the highest frequency has no partner
		}
		f.real[b], f.imag[b] = float64(scale*re), float64(scale*im)
	}
	clear(x)
	for b, k := range f.Bins {
		at := 0
		for t := range x {
			x[t] += float64(f.real[b]*f.cos[at]) + float64(f.imag[b]*f.sin[at])
			if at += k; at >= f.n {
				at -= f.n
			}
		}
	}
}
