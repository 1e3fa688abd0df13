package project

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
)

// leastWithin is the least variance within classes along an axis, as a part of the largest one: embeddings may have none in
// some directions, and any class would be infinitely far from the others there.
const leastWithin = 1e-6

// Separate draws the rows of x (n x d) along the two directions in which their classes are farthest apart relative to their spread
// (Fisher's linear discriminants), x and y of point after point, and returns the share of the distances between classes in each.
// Along an axis the variance within classes is 1. The picture depends on the classes: groups that are separate in it need not be so
// in any other.
//
// Points of a class below 0 are drawn, and do not count. With two classes there is one direction, and y is 0; with fewer there
// is none. The error, a [*diag.Error], names a value that is not finite in single precision.
func Separate(x *mat.Dense, class []int) (xy []float32, share [2]float64, err error) {
	n, d := x.Dims()
	ErrShape.Unless(len(class) == n)
	classes := 0
	for _, c := range class {
		classes = max(classes, c+1)
	}
	count, means, all, mean := make([]float64, classes), make([]float64, classes*d), 0.0, make([]float64, d)
	for i, c := range class {
		for j, v := range x.RawRowView(i) {
			if !(math.Abs(v) <= math.MaxFloat32) {
				return nil, share, &diag.Error{Where: fmt.Sprintf("node %d, coordinate %d", i, j), Found: fmt.Sprint(v), Expected: "a finite number in single precision"}
			}
			if c >= 0 {
				means[c*d+j] += v
				mean[j] += v
			}
		}
		if c >= 0 {
			count[c]++
			all++
		}
	}
	for j := range mean {
		mean[j] /= max(all, 1)
		for c, k := range count {
			means[c*d+j] /= max(k, 1)
		}
	}
	within, row := make([]float64, d*d), make([]float64, d)
	for i, c := range class {
		if c < 0 {
			continue
		}
		for j, v := range x.RawRowView(i) {
			row[j] = v - means[c*d+j]
		}
		outer(within, row, 1/all)
	}
	white := whitening(within, d)
	between := make([]float64, d*d)
	for c, k := range count {
		for j := range row {
			row[j] = 0
			for t := range d {
				row[j] += float64(white[j*d+t] * (means[c*d+t] - mean[t]))
			}
		}
		outer(between, row, k/max(all, 1))
	}
	total := 0.0
	for j := range d {
		total += between[j*d+j]
	}
	vectors := jacobi(between, d)
	y := make([]float64, 2*n)
	for a := range 2 {
		best := -1
		for j := range d {
			if v := between[j*d+j]; v > 1e-9*total && (best < 0 || v > between[best*d+best]) {
				best = j
			}
		}
		if best < 0 {
			break
		}
		share[a] = between[best*d+best] / total
		between[best*d+best] = 0
		axis := make([]float64, d)
		for t := range d {
			for j := range d {
				axis[t] += float64(vectors[j*d+best] * white[j*d+t])
			}
		}
		for i := range n {
			for t, v := range x.RawRowView(i) {
				y[2*i+a] += float64((v - mean[t]) * axis[t])
			}
		}
	}
	orient(y)
	xy = make([]float32, 2*n)
	kernel.Round(xy, y)
	return xy, share, nil
}

// outer adds weight x x' to a symmetric matrix.
func outer(dst, x []float64, weight float64) {
	for j, v := range x {
		for k, u := range x {
			dst[j*len(x)+k] += float64(float64(weight*v) * u)
		}
	}
}

// whitening returns the matrix (d x d) that brings vectors of covariance a to covariance 1; directions with hardly any variance
// are taken to have a little. a is destroyed.
func whitening(a []float64, d int) []float64 {
	vectors, largest := jacobi(a, d), 0.0
	for j := range d {
		largest = max(largest, a[j*d+j])
	}
	w := make([]float64, d*d)
	for j := range d {
		scale := 1.0
		if largest > 0 {
			scale = 1 / math.Sqrt(max(a[j*d+j], leastWithin*largest))
		}
		for t := range d {
			w[j*d+t] = float64(scale * vectors[t*d+j])
		}
	}
	return w
}
