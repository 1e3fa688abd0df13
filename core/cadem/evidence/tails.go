package evidence

import (
	"math"

	"cadem.example/core/base/kernel"
)

// moments returns the mean and the standard deviation, with divisor n.
func moments(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	for _, v := range x {
		sd += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(sd / float64(len(x)))
}

// Gumbel returns the tail beyond x of the Gumbel law with the moments of a sample,
//
//	1 - exp(-exp(-(x - mean)/b - .5772)),   b = sd sqrt(6) / pi.
func Gumbel(x float64, null []float64) float64 {
	mean, sd := moments(null)
	b := sd*math.Sqrt(6)/math.Pi + 1e-12
	y := kernel.Exp(-(x - mean + float64(.5772*b)) / b)
	if y < 1e-5 {
		return y * (1 - float64(y/2) + float64(y*y/6))
	}
	return 1 - kernel.Exp(-y)
}

// GammaQuantile returns the value that a gamma law exceeds with probability a. The law has the mean and the variance of a sample of any length.
func GammaQuantile(a float64, null []float64) float64 {
	mean, sd := moments(null)
	sd = max(sd, 1e-9)
	shape, scale := float64((mean/sd)*(mean/sd)), sd*sd/mean
	// Beyond this shape the cube root is indistinguishable from normal (Wilson and Hilferty 1931).
	const most = 1e6
	if shape <= most {
		return scale * gammaQuantile(a, shape)
	}
	z := (kernel.Cbrt(gammaQuantile(a, most)/most) - 1 + 1/(9*most)) * 3 * math.Sqrt(most)
	root := 1 - 1/(9*shape) + z/(3*math.Sqrt(shape))
	return mean * root * root * root
}

// gammaQuantile is the quantile of scale 1: Newton's method, in brackets.
func gammaQuantile(a, shape float64) float64 {
	low, high := 0.0, shape+1
	for gammaTail(high, shape) > a {
		low, high = high, 2*high
	}
	x := shape
	if x <= low || x >= high {
		x = (low + high) / 2
	}
	for range 200 {
		off := gammaTail(x, shape) - a
		if off > 0 {
			low = x
		} else {
			high = x
		}
		next := x + off/(gammaDensity(x, shape)*shape/x)
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-x) <= 1e-15*x {
			return next
		}
		x = next
	}
	return x
}

// gammaTail returns the upper tail beyond x > 0 of the gamma law of that shape: 1 less the series of the lower
// one up to the mean, a continued fraction by Lentz's method beyond it.
func gammaTail(x, shape float64) float64 {
	scale := gammaDensity(x, shape)
	if x < shape+1 {
		sum, term := 1.0, 1.0
		for k := shape + 1; term > 1e-17*sum; k++ {
			term = float64(term * (x / k))
			sum += term
		}
		return 1 - float64(scale*sum)
	}
	const tiny = 1e-300
	b := x + 1 - shape
	c, d := 1/tiny, 1/b
	h := d
	for i := 1.0; ; i++ {
		an := -i * (i - shape)
		b += 2
		d = float64(an*d) + b
		if math.Abs(d) < tiny {
			d = tiny
		}
		c = b + an/c
		if math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		step := float64(d * c)
		h *= step
		if math.Abs(step-1) < 1e-16 || i > 1e6 {
			return scale * shape * h
		}
	}
}

// gammaDensity returns x^shape e^-x / Gamma(shape + 1), without the large powers (Loader 2000).
func gammaDensity(x, shape float64) float64 {
	r := x / shape
	return kernel.Exp(float64(-shape*(r-1-kernel.Log(r)))-stirlingError(shape)) / math.Sqrt(2*math.Pi*shape)
}

// stirlingError returns log(n!) - log(sqrt(2 pi n) (n/e)^n), for small n by n! = (n+1)! / (n+1).
func stirlingError(n float64) float64 {
	sum := 0.0
	for ; n < 16; n++ { // error(n) = error(n+1) + (n + 1/2) log((n+1)/n) - 1
		sum += float64((n+.5)*kernel.Log((n+1)/n)) - 1
	}
	q := 1 / (n * n)
	return sum + (1.0/12-float64(q*(1.0/360-float64(q*(1.0/1260-float64(q*(1.0/1680-float64(q/1188))))))))/n
}
