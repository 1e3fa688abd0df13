package project

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem/core/diag"
)

// A Plane is the plane through the mean of some points that holds most of their
// variance.
type Plane struct {
	Mean  []float64    // d
	Axes  [2][]float64 // unit vectors of d, largest variance first; zero where there is none
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
		for j, v := range x.RawRowView(i) {
			if !(math.Abs(v) <= math.MaxFloat32) {
				return nil, &diag.Error{Where: fmt.Sprintf("node %d, coordinate %d", i, j), Found: fmt.Sprint(v), Expected: "a finite number in single precision"}
			}
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

// Project stores the coordinates of the rows of x (n x d) on the plane in dst, which
// has length 2n, node after node.
func (p *Plane) Project(dst []float64, x *mat.Dense) {
	n, d := x.Dims()
	if len(dst) != 2*n || len(p.Mean) != d {
		panic(ErrShape)
	}
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
