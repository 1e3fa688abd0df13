package project

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
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
	_, w := y.Dims()
	ErrShape.Unless(w == d)
	if dst == nil {
		dst = make([]float32, 2*n)
	}
	ErrShape.Unless(len(dst) == 2*n)
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
	kernel.Round(dst, p.last)
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
	ErrShape.Unless(len(frame) == len(onto))
	xy := kernel.Doubles(frame)
	align(xy, kernel.Doubles(onto))
	kernel.Round(frame, xy)
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

// A Plane is the plane through the mean of some points that holds most of their
// variance.
type Plane struct {
	Mean  []float64    // one for each coordinate
	Axes  [2][]float64 // unit vectors as long as Mean, largest variance first; zero if missing
	Share [2]float64   // part of the total variance along each axis
}

// Variance below this share of the largest one is rounding of the input, which may
// have been single precision: such an axis is left out, so noise is not drawn.
const negligible = 1e-13

// PCA returns the plane of the rows of x (n x d). The error, a [*diag.Error], names a
// value that is not finite in single precision.
//
// The d x d covariance is diagonalised by cyclic Jacobi rotations: a few d^3
// operations, little for the sizes that are learned here, accurate for small variances,
// and in a fixed order.
func PCA(x *mat.Dense) (*Plane, error) {
	n, d := x.Dims()
	p := &Plane{Mean: make([]float64, d), Axes: [2][]float64{make([]float64, d), make([]float64, d)}}
	largest := 0.0
	for i := range n {
		if err := finite(i, x.RawRowView(i)); err != nil {
			return nil, err
		}
		for j, v := range x.RawRowView(i) {
			p.Mean[j] += v
			largest = max(largest, math.Abs(v))
		}
	}
	for j := range p.Mean {
		p.Mean[j] /= float64(n)
	}
	cov, row := make([]float64, d*d), make([]float64, d)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			row[j] = v - p.Mean[j]
		}
		for j, v := range row {
			for k := range j + 1 {
				cov[j*d+k] += float64(v * row[k])
			}
		}
	}
	total := 0.0
	for j := range d {
		total += cov[j*d+j]
		for k := range j {
			cov[k*d+j] = cov[j*d+k]
		}
	}
	// The mean of n equal numbers is off by at most n roundings.
	if rounding := float64(n) * 0x1p-52 * largest; total <= float64(n*d)*rounding*rounding {
		return p, nil
	}
	vectors := jacobi(cov, d)
	first, second := -1, -1
	for j := range d {
		switch v := cov[j*d+j]; {
		case first < 0 || v > cov[first*d+first]:
			first, second = j, first
		case second < 0 || v > cov[second*d+second]:
			second = j
		}
	}
	for a, j := range []int{first, second} {
		if j < 0 || cov[j*d+j] <= negligible*cov[first*d+first] {
			continue
		}
		p.Share[a] = cov[j*d+j] / total
		for k := range d {
			p.Axes[a][k] = vectors[k*d+j]
		}
	}
	return p, nil
}

// finite refuses coordinates of node i that are not.
func finite(i int, row []float64) error {
	for j, v := range row {
		if !(math.Abs(v) <= math.MaxFloat32) {
			return &diag.Error{Where: fmt.Sprintf("node %d, coordinate %d", i, j), Found: fmt.Sprint(v), Expected: "a finite number in single precision"}
		}
	}
	return nil
}

// Project stores the coordinates of the rows of x (n x d) on the plane in dst, which
// has length 2n, node after node.
func (p *Plane) Project(dst []float64, x *mat.Dense) {
	n, d := x.Dims()
	ErrShape.Unless(len(dst) == 2*n && len(p.Mean) == d)
	for i := range n {
		var s, t float64
		for j, v := range x.RawRowView(i) {
			s += float64((v - p.Mean[j]) * p.Axes[0][j])
			t += float64((v - p.Mean[j]) * p.Axes[1][j])
		}
		dst[2*i], dst[2*i+1] = s, t
	}
}

// jacobi makes the symmetric matrix a (d x d), whose eigenvalues are not negative,
// diagonal in place and returns the eigenvectors as columns.
func jacobi(a []float64, d int) []float64 {
	v, trace := make([]float64, d*d), 0.0
	for j := range d {
		v[j*d+j] = 1
		trace += a[j*d+j]
	}
	for range 60 { // sweeps; about 8 are needed
		moved := false
		for p := range d {
			for q := p + 1; q < d; q++ {
				off := a[p*d+q]
				if math.Abs(off) <= 1e-17*trace || math.Abs(off) <= 1e-16*math.Sqrt(math.Abs(a[p*d+p]))*math.Sqrt(math.Abs(a[q*d+q])) {
					continue
				}
				moved = true
				// The rotation by the smaller angle that makes a[p][q] zero.
				theta := (a[q*d+q] - a[p*d+p]) / (2 * off)
				t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
				if theta < 0 {
					t = -t
				}
				c := 1 / math.Sqrt(float64(t*t)+1)
				s := t * c
				for k := range d {
					rotate(a, k*d+p, k*d+q, c, s)
				}
				for k := range d {
					rotate(a, p*d+k, q*d+k, c, s)
				}
				a[p*d+q], a[q*d+p] = 0, 0
				for k := range d {
					rotate(v, k*d+p, k*d+q, c, s)
				}
			}
		}
		if !moved {
			break
		}
	}
	return v
}

func rotate(x []float64, i, j int, c, s float64) {
	xi, xj := x[i], x[j]
	x[i] = float64(c*xi) - float64(s*xj)
	x[j] = float64(s*xi) + float64(c*xj)
}
