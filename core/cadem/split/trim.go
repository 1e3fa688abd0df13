package split

import (
	"math"
	"slices"

	"cadem.example/core/base/linalg"
	"cadem.example/core/base/rng"
)

// Subspace iteration uses spare directions beyond those kept, so that the last ones are exact, too,
// and this number of passes.
const (
	spare  = 8
	passes = 8
)

// A trimming finds the leading directions of one layer.
type trimming struct {
	*task
	o      Options
	parts  []Source // of every graph
	f, k   int      // columns of Z, and of the subspace
	ops    []products
	energy float64   // |Z less its means|^2
	rowsIn int       // multiply-adds of all rows of Z
	x      []float64 // F x k: scratch
	basis  []float64 // M x k: scratch of decompositions
	scale  []float64 // of columns, where they are scaled
}

func newTrimming(t *task, parts []Source) *trimming {
	q := &trimming{task: t, o: t.o, parts: parts, f: parts[0].X.Cols}
	if t.o.Whole {
		q.o.Scale, q.o.Noise, q.o.Kept = false, false, q.f
	}
	q.k = min(q.o.Kept+spare, q.f, t.m)
	for _, p := range parts {
		q.rowsIn += p.B.Entries() * max(1, p.X.Entries()/max(p.X.Rows, 1))
	}
	return q
}

// estimate returns the multiply-adds to come.
func (q *trimming) estimate() int {
	each := 0
	for _, p := range q.parts {
		each += p.B.Entries() + p.X.Entries()
	}
	return scattered*q.rowsIn + 2*(passes+1)*each*q.k + 2*(passes+1)*q.m*q.k*q.k + 20*7*q.k*q.k*q.k/2
}

// layer returns the layer with U and Y.
func (q *trimming) layer() (*Layer, error) {
	if err := q.measure(); err != nil {
		return nil, err
	}
	var s *linalg.SVD
	found, err := q.o.Journal.Do("directions of a layer", &q.work, func() (x [][]float64, err error) {
		q.x = make([]float64, q.f*q.k)
		basis, err := q.subspace()
		if err != nil {
			return nil, err
		}
		// Zc is Q W' on the subspace, W = Zc'Q (F x k): its right vectors turn Q into left ones of Zc.
		if s, err = q.decomposed(basis); err != nil {
			return nil, err
		}
		rank, _ := q.rank(s.Singular)
		turn, left := make([]float64, q.k*rank), make([]float64, q.m*rank)
		s.Right(turn, rank)
		err = q.mul(left, basis, turn, q.m, q.k, rank)
		return [][]float64{s.Singular, left}, err
	})
	if err != nil {
		return nil, err
	}
	l := &Layer{left: found[1]}
	rank, edge := q.rank(found[0])
	if l.Rank, l.Singular = rank, found[0][:rank]; rank > 0 && edge >= 0 {
		l.Edge, l.Noisy = edge/found[0][0], true
	}
	turned := linalg.Upright(l.left, rank)
	if q.o.Whole {
		err := q.keep(l)
		return l, err
	}
	l.scaled(q.m)
	if q.o.Maps {
		if l.Maps, err = q.mapped(l, s, turned); err != nil {
			return nil, err
		}
	}
	return l, q.rest()
}

// decomposed returns the decomposition of W. Of many features, where its left vectors are not asked for, it is that of a k x k matrix with the same
// singular values and right vectors: O'W, O orthonormal columns that span those of W.
func (q *trimming) decomposed(basis []float64) (*linalg.SVD, error) {
	w := q.x
	q.x = nil
	if err := q.transposed(w, basis); err != nil {
		return nil, err
	}
	for _, op := range q.ops {
		op.rest()
	}
	if q.f > linalg.Large && !q.o.Maps {
		o := slices.Clone(w)
		ok, err := linalg.Orthonormalise(o, q.f, q.k, 2, q.pause)
		if err != nil {
			return nil, err
		}
		if ok {
			s := linalg.NewSVD(q.k, q.k)
			if err := q.addMulTrans(s.A, o, w, q.f, q.k, q.k); err != nil {
				return nil, err
			}
			return s, s.Decompose(q.pause)
		}
	}
	s := linalg.NewSVD(q.f, q.k)
	copy(s.A, w)
	return s, s.Decompose(q.pause)
}

// mapped keeps Right of a layer: its right singular vectors, s being the decomposition of Zc'Q, as U was oriented, in units of Z.
func (q *trimming) mapped(l *Layer, s *linalg.SVD, turned []bool) (*Maps, error) {
	right := make([]float64, s.Rows*l.Rank)
	if err := s.Left(right, l.Rank, q.pause); err != nil {
		return nil, err
	}
	m := &Maps{Right: make([]float64, q.f*l.F)}
	for i := range q.f {
		for k := range l.Rank {
			x := right[i*l.Rank+k] * (math.Sqrt(float64(q.m)) / l.Singular[0])
			if q.scale != nil {
				x *= q.scale[i]
			}
			if turned[k] {
				x = -x
			}
			m.Right[i*l.F+k] = x
		}
	}
	return m, nil
}

// keep sets Y to Z, with its means.
func (q *trimming) keep(l *Layer) error {
	l.F, l.y = q.f, make([]float64, q.m*q.f)
	eye := make([]float64, q.f*q.f)
	for k := range q.f {
		eye[k*q.f+k] = 1
	}
	if q.o.Maps {
		l.Maps = &Maps{Right: slices.Clone(eye)}
	}
	for g, op := range q.ops {
		if err := op.forth(l.y[q.rows[g]*q.f:q.rows[g+1]*q.f], eye, q.f, q.pause); err != nil {
			return err
		}
	}
	return nil
}

// scaled sets Y = sqrt(M) U diag(s) / s_1, one column of zeros if there is no direction.
func (l *Layer) scaled(m int) {
	l.F = max(1, l.Rank)
	l.y = make([]float64, m*l.F)
	for i, x := range l.left {
		l.y[i] = float64(math.Sqrt(float64(m))*x) * (l.Singular[i%l.Rank] / l.Singular[0])
	}
}

// measure forms Z if it is kept whole, scales its columns and takes its energy less the means.
func (q *trimming) measure() error {
	for i := 0; q.o.Whole && i < len(q.parts); i++ {
		if err := q.parts[i].form(q.rowsIn/q.m, q.pause); err != nil {
			return err
		}
	}
	squares, means, err := columns(q.parts, q.f, q.rowsIn/q.m, q.pause)
	if err != nil {
		return err
	}
	scaled := q.o.Scale && !q.parts[0].unscaled()
	for j, v := range squares {
		v -= means[j]
		if scaled && squares[j] > 0 {
			v /= squares[j]
		}
		q.energy += max(0, v)
	}
	if scaled {
		q.scale = lengths(squares)
	}
	for _, p := range q.parts {
		if scaled {
			p.X = p.X.Scaled(q.scale)
		}
		if err := q.rest(); err != nil {
			return err
		}
		op, err := q.multiply(p, q.pause)
		if err != nil {
			return err
		}
		q.ops = append(q.ops, op)
		if err := q.rest(); err != nil {
			return err
		}
	}
	return nil
}

// subspace returns orthonormal columns (M x k) that span the leading left singular vectors of Zc, Z
// less its means, by subspace iteration from fixed random numbers.
func (q *trimming) subspace() ([]float64, error) {
	start := rng.New(0, "split/subspace")
	for i := range q.x {
		q.x[i] = start.Norm()
		if i%(1<<15) == 0 {
			if err := q.rest(); err != nil {
				return nil, err
			}
		}
	}
	orthogonal := linalg.NewQR(q.m, q.k)
	for pass := 0; ; pass++ {
		for g, op := range q.ops {
			if err := op.forth(orthogonal.A[q.rows[g]*q.k:q.rows[g+1]*q.k], q.x, q.k, q.pause); err != nil {
				return nil, err
			}
		}
		centre(orthogonal.A, q.rows, q.k)
		basis, err := q.orthonormal(orthogonal, pass == passes)
		if err != nil || pass == passes {
			return basis, err
		}
		if err := q.transposed(q.x, basis); err != nil {
			return nil, err
		}
	}
}

// orthonormal returns orthonormal columns that span those of o.A, perhaps in its place: of many rows in the fast way, where they are not too near to
// each other.
func (q *trimming) orthonormal(o *linalg.QR, last bool) ([]float64, error) {
	if q.m > linalg.Large {
		rounds := 1
		if last {
			rounds = 2
		}
		if ok, err := linalg.Orthonormalise(o.A, q.m, q.k, rounds, q.pause); ok || err != nil {
			return o.A, err
		}
	}
	if len(q.basis) == 0 {
		q.basis = make([]float64, q.m*q.k)
	}
	if err := o.DecomposeIn(q.pause); err != nil {
		return nil, err
	}
	return q.basis, o.Basis(q.basis, q.pause)
}

// transposed sets x (F x k) to Zc'y for a basis y (M x k), whose columns lose their means.
func (q *trimming) transposed(x, y []float64) error {
	centre(y, q.rows, q.k)
	clear(x)
	for g, op := range q.ops {
		if err := op.back(x, y[q.rows[g]*q.k:q.rows[g+1]*q.k], q.k, q.pause); err != nil {
			return err
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
// reached, and the edge is -1: it is not known.
func (q *trimming) rank(s []float64) (r int, edge float64) {
	if s = s[:min(q.o.Kept, len(s))]; !q.o.Noise && !q.o.Weigh {
		return counted(s, 0), -1
	}
	m, f := float64(q.m), float64(q.f)
	for rest := q.energy; ; {
		edge = math.Sqrt(max(rest, 0)/max(float64((m-float64(r))*(f-float64(r))), 1)) * (math.Sqrt(m) + math.Sqrt(f))
		grown := counted(s, edge)
		if grown <= r || q.o.Weigh && grown >= min(q.m, q.f) {
			break
		}
		for ; r < grown; r++ {
			rest -= float64(s[r] * s[r])
		}
	}
	switch {
	case q.o.Weigh:
		r = counted(s, 0)
	case r == q.o.Kept:
		edge = -1
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
