package multiplex

import "cadem/core/kernel"

// Factors multiply with Z = B X diag(scale), M x F, by B and X in turn: Z is never formed. Long
// products pause between their parts.
type Factors[T kernel.Float] struct {
	M, F  int
	Work  int // multiply-adds of a product per column
	b     sparse[T]
	x, xt sparse[T] // of sparse features; neither of the identity
	dense []T       // of dense ones, M x F
	mid   []T
}

// NewFactors takes B and X; a nil scale is all ones, which the identity asks for.
func NewFactors[T kernel.Float](b *Propagator, x *Features, scale []float64) *Factors[T] {
	if b.a.Rows != x.Rows || (scale != nil && (len(scale) != x.Cols || x.IsIdentity())) {
		panic(ErrShape)
	}
	p := &Factors[T]{M: x.Rows, F: x.Cols, Work: b.a.NNZ(), b: propagatorSparse[T](b)}
	times := func(v float64, j int) T {
		if scale != nil {
			v *= scale[j]
		}
		return T(v)
	}
	switch {
	case x.Dense != nil:
		p.dense = make([]T, len(x.Dense))
		for i, v := range x.Dense {
			p.dense[i] = times(v, i%x.Cols)
		}
		p.Work += len(x.Dense)
	case x.Sparse != nil:
		scaled := *x.Sparse
		if scale != nil {
			scaled.Value = make([]float64, scaled.NNZ())
			for k, j := range scaled.Index {
				scaled.Value[k] = float64(x.Sparse.at(k) * scale[j])
			}
		}
		p.x, p.xt = newSparse[T](&scaled), newSparse[T](scaled.transpose())
		p.Work += scaled.NNZ()
	}
	return p
}

// A Pause is called between parts of a product with the multiply-adds done since the last call.
// Its error ends the work and is returned. Nil never pauses.
type Pause = func(work int) error

// Mul sets dst (M x d) to Z u, u being F x d.
func (p *Factors[T]) Mul(dst, u []T, d int, pause Pause) error {
	if len(dst) != p.M*d || len(u) != p.F*d {
		panic(ErrShape)
	}
	switch {
	case p.dense != nil:
		x := p.room(p.M * d)
		err := parts(p.M, p.F*d, pause, func(from, to int) {
			kernel.Mul(x[from*d:to*d], p.dense[from*p.F:to*p.F], u, to-from, p.F, d)
		})
		if err != nil {
			return err
		}
		u = x
	case p.x.start != nil:
		x := p.room(p.M * d)
		if err := p.x.mulIn(x, u, d, pause); err != nil {
			return err
		}
		u = x
	}
	return p.b.mulIn(dst, u, d, pause)
}

// MulTrans sets dst (F x d) to Z' y, y being M x d.
func (p *Factors[T]) MulTrans(dst, y []T, d int, pause Pause) error {
	if len(dst) != p.F*d || len(y) != p.M*d {
		panic(ErrShape)
	}
	if p.dense == nil && p.x.start == nil {
		return p.b.mulIn(dst, y, d, pause) // B is symmetric
	}
	x := p.room(p.M * d)
	if err := p.b.mulIn(x, y, d, pause); err != nil {
		return err
	}
	if p.dense == nil {
		return p.xt.mulIn(dst, x, d, pause)
	}
	clear(dst)
	return parts(p.M, p.F*d, pause, func(from, to int) {
		kernel.AddMulTrans(dst, p.dense[from*p.F:to*p.F], x[from*d:to*d], to-from, p.F, d)
	})
}

// Spread sets dst (M x d) to B y, y being M x d.
func (p *Factors[T]) Spread(dst, y []T, d int, pause Pause) error { return p.b.mulIn(dst, y, d, pause) }

func (p *Factors[T]) room(n int) []T {
	if len(p.mid) < n {
		p.mid = make([]T, n)
	}
	return p.mid[:n]
}

// partWork is how many multiply-adds come between two pauses, some milliseconds of them.
const partWork = 4 << 20

// parts does rows of so much work each, with pauses.
func parts(rows, each int, pause Pause, do func(from, to int)) error {
	step := max(4, partWork/max(each, 1)&^3) // whole fours, which the kernels take at once
	for from := 0; from < rows; from += step {
		to := min(from+step, rows)
		do(from, to)
		if pause == nil {
			continue
		}
		if err := pause((to - from) * each); err != nil {
			return err
		}
	}
	return nil
}

// mulIn is mul with pauses.
func (s *sparse[T]) mulIn(dst, x []T, d int, pause Pause) error {
	rows := len(s.start) - 1
	each := max(1, len(s.index)/max(rows, 1)) * d
	if s.value == nil && s.cols != nil {
		x = s.scale(x, d)
	}
	return parts(rows, each, pause, func(from, to int) {
		start, index := s.start[from:to+1], s.index[:s.start[to]]
		if s.value != nil {
			kernel.SparseMul(dst[from*d:to*d], start, index, s.value[:len(index)], x, d)
		} else {
			kernel.PatternMul(dst[from*d:to*d], start, index, s.rows[from:to], x, d)
		}
	})
}

// Rows gives every row of Z = B X (M x F) in turn, in double precision, until visit returns an error.
// A row is summed in the order of the neighbours, or, of sparse X in a layer that joins nearly all
// nodes, by complement.go. The slice is used again.
func (b *Propagator) Rows(x *Features, visit func(row []float64) error) error {
	switch {
	case b.a.Rows != x.Rows:
		panic(ErrShape)
	case x.Sparse != nil:
		return b.rows(x.Sparse, visit)
	case x.Dense == nil:
		return b.rows(kept(x, ascending(x.Cols), x.Cols), visit)
	}
	row := make([]float64, x.Cols)
	for i := range x.Rows {
		clear(row)
		index, values := b.Row(i)
		for k, j := range index {
			kernel.AddScaled(row, x.Dense[int(j)*x.Cols:], values[k])
		}
		if err := visit(row); err != nil {
			return err
		}
	}
	return nil
}

// rows gives every row of B x in turn, until visit returns an error. The slice is used again.
func (b *Propagator) rows(x *CSR, visit func(row []float64) error) error {
	row := make([]float64, x.Cols)
	all := b.whole(x)
	for i := range x.Rows {
		if all != nil && b.isFull(i) {
			b.lessMissing(row, all, x, i)
		} else {
			clear(row)
			addRow(row, b, x, i)
		}
		if err := visit(row); err != nil {
			return err
		}
	}
	return nil
}
