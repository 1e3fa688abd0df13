package connectome

import (
	"fmt"
	"math"

	"cadem/core/diag"
	"cadem/core/kernel"
)

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
	if order < 1 {
		panic(ErrShape)
	}
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

// CheckLength tells whether series of n frames are long enough. The error is a [*diag.Error].
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
	if n <= pad {
		panic(ErrShape)
	}
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
