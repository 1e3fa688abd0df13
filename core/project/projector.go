package project

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Projector draws the frames of one moving embedding. It keeps the coordinates of the
// last frame and lays the next one on them by the rotation or reflection that brings it
// closest (orthogonal Procrustes), since the signs of principal axes, and their order
// when variances cross, are arbitrary. Use one for each picture. The zero value is ready.
type Projector struct {
	last, next []float64
}

// Next returns the coordinates of the rows of x (n x d) as x, y of node after node, and
// the share of the variance along the two principal axes. Coordinates are stored in dst
// if it is not nil; it must have length 2n.
//
// The first frame, and one with another number of nodes, is mirrored so that the largest
// coordinate along each principal axis is positive, which no rotation of the embedding
// changes. The error, a [*diag.Error], names a value that is not finite in single
// precision; the projector keeps the frame before.
func (p *Projector) Next(dst []float32, x *mat.Dense) (xy []float32, share [2]float64, err error) {
	return p.Along(dst, x, x)
}

// Along is Next along the principal axes of y, a matrix of the same width, whose shares it
// returns. It is meant for a whitened embedding: all its axes have the same variance, so
// that its own principal axes are arbitrary, while those of what it was whitened from are
// not.
func (p *Projector) Along(dst []float32, x, y *mat.Dense) (xy []float32, share [2]float64, err error) {
	n, d := x.Dims()
	if _, w := y.Dims(); w != d {
		panic(ErrShape)
	}
	if dst == nil {
		dst = make([]float32, 2*n)
	}
	if len(dst) != 2*n {
		panic(ErrShape)
	}
	plane, err := PCA(y)
	if err != nil {
		return nil, share, err
	}
	if x != y {
		own, err := PCA(x)
		if err != nil {
			return nil, share, err
		}
		plane.Mean = own.Mean
	}
	if len(p.next) != 2*n {
		p.next = make([]float64, 2*n)
	}
	plane.Project(p.next, x)
	if len(p.last) == 2*n {
		align(p.next, p.last)
	} else {
		orient(p.next)
		p.last = make([]float64, 2*n)
	}
	p.last, p.next = p.next, p.last
	for i, v := range p.last {
		dst[i] = float32(v)
	}
	return dst, plane.Share, nil
}

// Reset forgets the frame before.
func (p *Projector) Reset() { p.last = nil }

// orient mirrors the axes so that the coordinate of largest size is positive.
func orient(xy []float64) {
	for a := range 2 {
		far := 0.0
		for i := a; i < len(xy); i += 2 {
			// A later point counts only if it is clearly farther, so rounding does not
			// decide between two ends of the same size.
			if math.Abs(xy[i]) > math.Abs(far)*(1+1e-6) {
				far = xy[i]
			}
		}
		if far < 0 {
			for i := a; i < len(xy); i += 2 {
				xy[i] = -xy[i]
			}
		}
	}
}

// Align turns or mirrors a frame, x and y of point after point, so that the sum of squared distances to the points
// of another one is smallest.
func Align(frame, onto []float32) {
	if len(frame) != len(onto) {
		panic(ErrShape)
	}
	xy, ref := make([]float64, len(frame)), make([]float64, len(onto))
	for i, v := range frame {
		xy[i], ref[i] = float64(v), float64(onto[i])
	}
	align(xy, ref)
	for i, v := range xy {
		frame[i] = float32(v)
	}
}

// align turns or mirrors xy so that the sum of squared distances to the points of ref is
// smallest. With A = xy' ref, a rotation reaches the trace |(a+d, b-c)|, a reflection
// |(a-d, b+c)|; the larger wins, and its angle follows without trigonometry.
func align(xy, ref []float64) {
	var a, b, c, d float64
	for i := 0; i < len(xy); i += 2 {
		a += float64(xy[i] * ref[i])
		b += float64(xy[i] * ref[i+1])
		c += float64(xy[i+1] * ref[i])
		d += float64(xy[i+1] * ref[i+1])
	}
	length := func(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }
	turn, mirror := length(a+d, b-c), length(a-d, b+c)
	if turn == 0 && mirror == 0 {
		orient(xy) // the frame before was a single point: nothing to lay this one on
		return
	}
	// The point (x, y) goes to (x r0 + y r2, x r1 + y r3).
	var r0, r1, r2, r3 float64
	if turn >= mirror {
		cos, sin := (a+d)/turn, (b-c)/turn
		r0, r1, r2, r3 = cos, sin, -sin, cos
	} else {
		cos, sin := (a-d)/mirror, (b+c)/mirror
		r0, r1, r2, r3 = cos, sin, sin, -cos
	}
	for i := 0; i < len(xy); i += 2 {
		x, y := xy[i], xy[i+1]
		xy[i] = float64(x*r0) + float64(y*r2)
		xy[i+1] = float64(x*r1) + float64(y*r3)
	}
}
