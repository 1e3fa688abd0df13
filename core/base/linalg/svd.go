package linalg

import (
	"math"
	"slices"

	"cadem.example/core/base/pause"
)

// An SVD is the thin singular value decomposition L D R' of a matrix of Rows x Cols, Rows >=
// Cols, through a QR decomposition and one-sided Jacobi rotations.
type SVD struct {
	*QR      // the matrix goes into A, which is lost
	Singular []float64

	jacobi
}

// NewSVD allocates a decomposition of that size.
func NewSVD(rows, cols int) *SVD {
	return &SVD{QR: NewQR(rows, cols), Singular: make([]float64, cols), jacobi: newJacobi(cols)}
}

// Decompose decomposes the matrix in A. The singular values fall.
func (s *SVD) Decompose(wait pause.Work) error {
	ErrShape.Unless(s.Rows >= s.Cols)
	if err := s.QR.DecomposeIn(wait); err != nil {
		return err
	}
	s.load(s.QR)
	// Columns that are rounding noise beside the others would be rotated for ever.
	s.least = 0
	for _, x := range s.w {
		s.least += float64(x * x)
	}
	s.least *= 0x1p-100
	for range sweeps {
		turned := false
		for i := range s.d {
			turned = s.turn(i) || turned
			if err := wait.After(7 * (s.d - i) * s.d); err != nil {
				return err
			}
		}
		if !turned {
			break
		}
	}
	s.finish(s.Singular)
	return nil
}

// Left sets dst (Rows x n) to the first n left singular vectors, one a column; a vector whose
// singular value is 0 is 0.
func (s *SVD) Left(dst []float64, n int, wait pause.Work) error {
	ErrShape.Unless(len(dst) == s.Rows*n && n <= s.Cols)
	clear(dst)
	for c, j := range s.order[:n] {
		if s.norm[j] == 0 {
			continue
		}
		for k, x := range s.w[j*s.d : (j+1)*s.d] {
			dst[k*n+c] = x / s.norm[j]
		}
	}
	for k := s.Cols - 1; k >= 0; k-- {
		s.reflect(dst, n, k, 0, n)
		if err := wait.After(2 * (s.Rows - k) * n); err != nil {
			return err
		}
	}
	return nil
}

// Right sets dst (Cols x n) to the first n right singular vectors, one a column.
func (s *SVD) Right(dst []float64, n int) {
	ErrShape.Unless(len(dst) == s.Cols*n && n <= s.Cols)
	for c, j := range s.order[:n] {
		for k, x := range s.v[j*s.d : (j+1)*s.d] {
			dst[k*n+c] = x
		}
	}
}

// jacobi takes the singular value decomposition of the triangle A of a QR decomposition (d x d) by
// one-sided Jacobi rotations: A V = W with orthogonal columns, whose lengths are the singular values;
// V are the right singular vectors. W and V are stored column by column.
type jacobi struct {
	d     int
	w, v  []float64 // d x d, transposed: column j is at j*d
	norm  []float64 // lengths of the columns of w, as they come
	order []int     // columns of w by falling length
	least float64   // largest squared length of a column that counts as zero
}

func newJacobi(d int) jacobi {
	return jacobi{d: d, w: make([]float64, d*d), v: make([]float64, d*d), norm: make([]float64, d), order: make([]int, d)}
}

// load takes the triangle of a decomposition.
func (p *jacobi) load(q *QR) {
	d := p.d
	clear(p.w)
	clear(p.v)
	for i := range d {
		for j := i; j < d; j++ {
			p.w[j*d+i] = q.A[i*d+j]
		}
		p.v[i*d+i] = 1
	}
}

// sweeps bounds how often all pairs are rotated. Convergence is quadratic: a handful is usual.
const sweeps = 60

// turn makes column i orthogonal to those behind it. It reports whether any was not.
func (p *jacobi) turn(i int) (turned bool) {
	d := p.d
	wi, vi := p.w[i*d:i*d+d], p.v[i*d:i*d+d]
	for j := i + 1; j < d; j++ {
		wj := p.w[j*d : j*d+d]
		var x, y, xy float64
		for k, a := range wi {
			b := wj[k]
			x += float64(a * a)
			y += float64(b * b)
			xy += float64(a * b)
		}
		if math.Abs(xy) <= 0x1p-52*math.Sqrt(x)*math.Sqrt(y) || min(x, y) < p.least {
			continue
		}
		turned = true
		// By an angle with cot(2 angle) = z columns become orthogonal; t is its tangent, of two the smaller one.
		z := (y - x) / (2 * xy)
		t := math.Copysign(1, z) / (math.Abs(z) + math.Sqrt(1+float64(z*z)))
		c := 1 / math.Sqrt(1+float64(t*t))
		rotate(wi, wj, c, c*t)
		rotate(vi, p.v[j*d:j*d+d], c, c*t)
	}
	return turned
}

func rotate(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for k, a := range x {
		b := y[k]
		x[k] = float64(c*a) - float64(s*b)
		y[k] = float64(s*a) + float64(c*b)
	}
}

// finish measures the columns and sets singular (d) to their lengths, falling.
func (p *jacobi) finish(singular []float64) {
	d := p.d
	for j := range d {
		sum := 0.0
		for _, x := range p.w[j*d : j*d+d] {
			sum += float64(x * x)
		}
		p.norm[j], p.order[j] = math.Sqrt(sum), j
	}
	slices.SortFunc(p.order, func(i, j int) int {
		switch {
		case p.norm[i] > p.norm[j]:
			return -1
		case p.norm[i] < p.norm[j]:
			return 1
		}
		return i - j
	})
	for n, j := range p.order {
		singular[n] = p.norm[j]
	}
}
