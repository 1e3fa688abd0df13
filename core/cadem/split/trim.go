package split

import (
	"math"

	"cadem/core/kernel"
	"cadem/core/linalg"
	"cadem/core/multiplex"
	"cadem/core/rng"
)

// Subspace iteration works on some more directions than are kept, so that the last ones are
// exact, too, and so many times.
const (
	spare  = 8
	passes = 8
)

// A trimming finds the leading directions of one layer.
type trimming[T kernel.Float] struct {
	*task[T]
	parts  []Source // of every graph
	f, k   int      // columns of Z, and of the subspace
	ops    []*multiplex.Factors[T]
	energy float64 // |Z less its means|^2
	rowsIn int     // multiply-adds of all rows of Z
	x, y   []T     // F x k and M x k: scratch
}

func newTrimming[T kernel.Float](t *task[T], parts []Source) *trimming[T] {
	q := &trimming[T]{task: t, parts: parts, f: parts[0].X.Cols}
	q.k = min(t.o.Kept+spare, q.f, t.m)
	for _, p := range parts {
		q.rowsIn += p.B.Entries() * max(1, p.X.Entries()/max(p.X.Rows, 1))
	}
	return q
}

// estimate returns the multiply-adds to come.
func (q *trimming[T]) estimate() int {
	if q.o.Whole {
		return q.rowsIn + 4*q.m*q.f*q.f
	}
	each := 0
	for _, p := range q.parts {
		each += p.B.Entries() + p.X.Entries()
	}
	return q.rowsIn + 2*(passes+1)*each*q.k + 2*(passes+1)*q.m*q.k*q.k + 20*7*q.k*q.k*q.k/2
}

// layer returns the layer with U and Y.
func (q *trimming[T]) layer() (*Layer, error) {
	if q.o.Whole {
		return q.whole()
	}
	if err := q.measure(); err != nil {
		return nil, err
	}
	q.x, q.y = make([]T, q.f*q.k), make([]T, q.m*q.k)
	basis, err := q.subspace()
	if err != nil {
		return nil, err
	}
	// Zc is Q W' on the subspace, W = Zc'Q (F x k): its right vectors turn Q into left ones of Zc.
	s := linalg.NewSVD(q.f, q.k)
	if err := q.transposed(s.A, basis); err != nil {
		return nil, err
	}
	if err := s.Decompose(q.pause); err != nil {
		return nil, err
	}
	l := &Layer{}
	var edge float64
	l.Rank, edge = q.rank(s.Singular)
	if l.Singular = s.Singular[:l.Rank]; l.Rank > 0 {
		l.Edge = edge / s.Singular[0]
	}
	turn := make([]float64, q.k*l.Rank)
	s.Right(turn, l.Rank)
	l.left = make([]float64, q.m*l.Rank)
	kernel.Mul(l.left, basis, turn, q.m, q.k, l.Rank)
	orient(l.left, l.Rank)
	l.scaled(q.m)
	return l, q.pause(q.m * q.k * l.Rank)
}

// scaled sets Y = sqrt(M) U diag(s) / s_1, one column of zeros if there is no direction.
func (l *Layer) scaled(m int) {
	l.F = max(1, l.Rank)
	l.y = make([]float64, m*l.F)
	for i, x := range l.left {
		l.y[i] = float64(math.Sqrt(float64(m))*x) * (l.Singular[i%l.Rank] / l.Singular[0])
	}
}

// whole keeps Z with its means. U spans its columns less their means.
func (q *trimming[T]) whole() (*Layer, error) {
	l := &Layer{F: q.f, y: make([]float64, 0, q.m*q.f)}
	for _, p := range q.parts {
		err := p.B.Rows(p.X, func(row []float64) error {
			l.y = append(l.y, row...)
			return q.pause(q.f)
		})
		if err != nil {
			return nil, err
		}
	}
	s := linalg.NewSVD(max(q.m, q.f), q.f)
	copy(s.A, l.y)
	centre(s.A, q.rows, q.f)
	if err := s.Decompose(q.pause); err != nil {
		return nil, err
	}
	l.Rank = counted(s.Singular, 0)
	l.Singular = s.Singular[:l.Rank]
	l.left = make([]float64, s.Rows*l.Rank)
	err := s.Left(l.left, l.Rank, q.pause)
	l.left = l.left[:q.m*l.Rank]
	orient(l.left, l.Rank)
	return l, err
}

// measure takes the lengths of the columns of Z, from its rows one after the other, and its energy
// less the means.
func (q *trimming[T]) measure() error {
	squares, sums := make([]float64, q.f), make([]float64, q.f)
	lost := make([]float64, q.f) // squares of the means
	for _, p := range q.parts {
		clear(sums)
		var err error
		if p.X.IsIdentity() {
			for i := range p.X.Rows {
				index, values := p.B.Row(i)
				for k, j := range index {
					squares[j] += float64(values[k] * values[k])
					sums[j] += values[k]
				}
			}
		} else {
			each := q.rowsIn / q.m
			err = p.B.Rows(p.X, func(row []float64) error {
				for j, v := range row {
					squares[j] += float64(v * v)
					sums[j] += v
				}
				return q.pause(each)
			})
		}
		if err != nil {
			return err
		}
		for j, v := range sums {
			lost[j] += float64(v*v) / float64(p.X.Rows)
		}
	}
	for _, p := range q.parts {
		var scale []float64
		if q.o.Scale && !p.X.IsIdentity() {
			scale = make([]float64, q.f)
			for j, v := range squares {
				if v > 0 {
					scale[j] = 1 / math.Sqrt(v)
				}
			}
		}
		q.ops = append(q.ops, multiplex.NewFactors[T](p.B, p.X, scale))
	}
	for j, v := range squares {
		v -= lost[j]
		if q.o.Scale && !q.parts[0].X.IsIdentity() {
			if squares[j] > 0 {
				v /= squares[j]
			}
		}
		q.energy += max(0, v)
	}
	return nil
}

// subspace returns orthonormal columns (M x k) that span the leading left singular vectors of Zc, Z
// less its means, by subspace iteration from fixed random numbers.
func (q *trimming[T]) subspace() ([]float64, error) {
	start := rng.New(0, "split/subspace")
	for i := range q.x {
		q.x[i] = T(start.Norm())
	}
	orthogonal, basis := linalg.NewQR(q.m, q.k), make([]float64, q.m*q.k)
	for pass := 0; ; pass++ {
		for g, op := range q.ops {
			if err := op.Mul(q.y[q.rows[g]*q.k:q.rows[g+1]*q.k], q.x, q.k, q.pause); err != nil {
				return nil, err
			}
		}
		for i, v := range q.y {
			orthogonal.A[i] = float64(v)
		}
		centre(orthogonal.A, q.rows, q.k)
		if err := orthogonal.DecomposeIn(q.pause); err != nil {
			return nil, err
		}
		if err := orthogonal.Basis(basis, q.pause); err != nil || pass == passes {
			return basis, err
		}
		if err := q.transposed(nil, basis); err != nil {
			return nil, err
		}
	}
}

// transposed sets q.x to Zc'y for a basis y (M x k), whose columns lose their means, and dst to the
// same unless it is nil.
func (q *trimming[T]) transposed(dst, y []float64) error {
	centre(y, q.rows, q.k)
	kernel.Round(q.y, y)
	sum := make([]T, len(q.x))
	for g, op := range q.ops {
		into := q.x
		if g > 0 {
			into = sum
		}
		if err := op.MulTrans(into, q.y[q.rows[g]*q.k:q.rows[g+1]*q.k], q.k, q.pause); err != nil {
			return err
		}
		if g > 0 {
			kernel.Add(q.x, sum)
		}
	}
	if dst != nil {
		for i, v := range q.x {
			dst[i] = float64(v)
		}
	}
	return nil
}

// rank returns how many singular values stand above the noise edge, and the edge. With r of them
// set aside the rest is noise of the level
//
//	sigma_r^2 = (|Zc|^2 - s_1^2 - ... - s_r^2) / ((M - r)(F - r)),
//
// whose largest singular value is e = sigma_r (sqrt M + sqrt F). From r = 0 on, r becomes the number
// of values above e until it grows no more. If all that are kept are above it, its bulk was not
// reached, and there is no edge.
func (q *trimming[T]) rank(s []float64) (r int, edge float64) {
	if s = s[:min(q.o.Kept, len(s))]; !q.o.Noise {
		return counted(s, 0), 0
	}
	m, f := float64(q.m), float64(q.f)
	for rest := q.energy; ; {
		edge = math.Sqrt(max(rest, 0)/max(float64((m-float64(r))*(f-float64(r))), 1)) * (math.Sqrt(m) + math.Sqrt(f))
		grown := counted(s, edge)
		if grown <= r {
			break
		}
		for ; r < grown; r++ {
			rest -= float64(s[r] * s[r])
		}
	}
	if r == q.o.Kept {
		edge = 0
	}
	return r, edge
}

// counted returns how many falling singular values are above an edge and not negligible.
func counted(s []float64, edge float64) (r int) {
	for r < len(s) && s[r] > edge && s[r] > negligible*s[0] {
		r++
	}
	return r
}

// orient lets the largest entry of every column of u, r of them, be positive.
func orient(u []float64, r int) {
	for k := range r {
		largest := 0.0
		for i := k; i < len(u); i += r {
			if math.Abs(u[i]) > math.Abs(largest) {
				largest = u[i]
			}
		}
		if largest < 0 {
			for i := k; i < len(u); i += r {
				u[i] = -u[i]
			}
		}
	}
}
