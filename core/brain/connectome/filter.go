package connectome

import (
	"fmt"
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
)

// Detrend takes the least-squares line out of x, one value a frame.
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

// checkBand reports whether a series has the frequencies from low to high. The error is an
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
	ErrShape.Unless(len(x) == f.n)
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

// A Butterworth is a band-pass of second-order sections that is run forwards and
// backwards, so it shifts no phase and its gain is squared. Each section has its
// zeros at +1 and -1 and one pair of poles:
//
//	y_t = g (x_t - x_{t-2}) - a1 y_{t-1} - a2 y_{t-2}
type Butterworth struct {
	Gain     float64      // g of the first section; it is 1 in the others
	Sections [][2]float64 // a1, a2 of each
	Pad      int          // frames by which a series is extended at both ends

	extended []float64
}

// NewButterworth returns the band-pass of the given order from low to high Hz: an analogue
// filter, moved into the band, then mapped by the bilinear transform with both limits
// in place. A series is extended by 3 (2 order + 1) frames. The error is a [*diag.Error].
func NewButterworth(order int, tr, low, high float64) (*Butterworth, error) {
	ErrShape.Unless(order >= 1)
	if err := checkBand(low, high, tr); err != nil {
		return nil, err
	}
	// In units where the bilinear transform is z = (4+s)/(4-s).
	warp := func(hz float64) float64 {
		a := float64(math.Pi * float64(hz*tr))
		return 4 * kernel.Sin(a) / kernel.Cos(a)
	}
	w1, w2 := warp(low), warp(high)
	width, square := w2-w1, float64(w1*w2)
	f := &Butterworth{Gain: 1, Pad: 3 * (2*order + 1)}
	// section adds the section of two analogue poles that are conjugates or both real.
	four := complexNumber{4, 0}
	section := func(s, t complexNumber) {
		p, q := four.plus(s).over(four.minus(s)), four.plus(t).over(four.minus(t))
		f.Sections = append(f.Sections, [2]float64{-(p.re + q.re), p.times(q).re})
		f.Gain = float64(f.Gain*width) * 4 / four.minus(s).times(four.minus(t)).re
	}
	for k := range (order + 1) / 2 {
		// Pole k of the low-pass, on the left half of the unit circle, and its two in the band.
		a := float64(math.Pi*float64(2*k+1)) / float64(2*order)
		p := complexNumber{-kernel.Sin(a), kernel.Cos(a)}
		middle := 2*k+1 == order
		if middle {
			p = complexNumber{-1, 0}
		}
		half := complexNumber{float64(p.re * width / 2), float64(p.im * width / 2)}
		root := half.times(half).minus(complexNumber{square, 0}).sqrt()
		s, t := half.plus(root), half.minus(root)
		if middle {
			section(s, t)
		} else {
			section(s, s.conjugate())
			section(t, t.conjugate())
		}
	}
	return f, nil
}

// CheckLength reports whether series of n frames are long enough. The error is a [*diag.Error].
func (f *Butterworth) CheckLength(n int) error {
	if n <= f.Pad {
		return &diag.Error{File: "", Where: "frames", Found: fmt.Sprint(n),
			Expected: fmt.Sprintf("more than %d: the filter extends a series by so many at both ends; choose a lower order, another filter or none", f.Pad)}
	}
	return nil
}

// Apply filters x in place. It panics if x is not longer than Pad.
func (f *Butterworth) Apply(x []float64) {
	n, pad := len(x), f.Pad
	ErrShape.Unless(n > pad)
	if len(f.extended) != n+2*pad {
		f.extended = make([]float64, n+2*pad)
	}
	// Mirrored about the end points, so value and slope go on.
	e := f.extended
	copy(e[pad:], x)
	for k := range pad {
		e[k] = 2*x[0] - x[pad-k]
		e[n+pad+k] = 2*x[n-1] - x[n-2-k]
	}
	f.run(e)
	reverse(e)
	f.run(e)
	reverse(e)
	copy(x, e[pad:])
}

func reverse(x []float64) {
	for i, j := 0, len(x)-1; i < j; i, j = i+1, j-1 {
		x[i], x[j] = x[j], x[i]
	}
}

// run filters x once. It begins in the state that a constant series of the first value
// would have led to: the first section has swallowed the constant, the others never saw it.
func (f *Butterworth) run(x []float64) {
	g := f.Gain
	z0 := -float64(g * x[0])
	z1 := z0
	for _, a := range f.Sections {
		a1, a2 := a[0], a[1]
		for t, v := range x {
			in := float64(g * v)
			y := in + z0
			z0 = z1 - float64(a1*y)
			z1 = -in - float64(a2*y)
			x[t] = y
		}
		g, z0, z1 = 1, 0, 0
	}
}

// A complexNumber is a complex number whose products are rounded one by one, which those of
// the language are not on every machine.
type complexNumber struct{ re, im float64 }

func (a complexNumber) plus(b complexNumber) complexNumber {
	return complexNumber{a.re + b.re, a.im + b.im}
}

func (a complexNumber) minus(b complexNumber) complexNumber {
	return complexNumber{a.re - b.re, a.im - b.im}
}

func (a complexNumber) times(b complexNumber) complexNumber {
	return complexNumber{float64(a.re*b.re) - float64(a.im*b.im), float64(a.re*b.im) + float64(a.im*b.re)}
}

func (a complexNumber) conjugate() complexNumber { return complexNumber{a.re, -a.im} }

// norm returns the square of the absolute value.
func (a complexNumber) norm() float64 { return float64(a.re*a.re) + float64(a.im*a.im) }

func (a complexNumber) over(b complexNumber) complexNumber {
	n := b.norm()
	c := a.times(complexNumber{b.re, -b.im})
	return complexNumber{c.re / n, c.im / n}
}

// sqrt returns the root with a real part >= 0.
func (a complexNumber) sqrt() complexNumber {
	if a.im == 0 {
		if a.re < 0 {
			return complexNumber{0, math.Sqrt(-a.re)}
		}
		return complexNumber{math.Sqrt(a.re), 0}
	}
	r := math.Sqrt(a.norm())
	half := math.Sqrt((r + math.Abs(a.re)) / 2)
	other := math.Abs(a.im) / (2 * half)
	if a.re < 0 {
		half, other = other, half
	}
	return complexNumber{half, math.Copysign(other, a.im)}
}
