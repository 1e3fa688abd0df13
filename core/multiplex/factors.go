package multiplex

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
)

// Factors multiply with Z = B X, M x F, by B and X in turn: Z is never formed. Long products pause
// between their parts.
type Factors[T kernel.Float] struct {
	M, F  int
	Work  int // multiply-adds of a product per column
	b     sparse[T]
	x, xt sparse[T] // X and X'; neither of the identity
	mid   []T
}

// NewFactors takes B and X.
func NewFactors[T kernel.Float](b *Propagator, x *Features) *Factors[T] {
	p, _ := NewFactorsIn[T](b, x, nil)
	return p
}

// NewFactorsIn is NewFactors with a pause before X is transposed.
func NewFactorsIn[T kernel.Float](b *Propagator, x *Features, wait pause.Work) (*Factors[T], error) {
	ErrShape.Unless(b.a.Rows == x.Rows)
	p := &Factors[T]{M: x.Rows, F: x.Cols, Work: b.a.NNZ(), b: propagatorSparse[T](b)}
	entries := x.Sparse
	if x.Dense != nil {
		entries = nonzeros(x)
	}
	if entries != nil {
		p.Work += entries.NNZ()
		p.x = newSparse[T](entries)
		if err := wait.After(partWork); err != nil {
			return nil, err
		}
		p.xt = newSparse[T](entries.transpose())
	}
	return p, nil
}

// nonzeros returns dense features as a sparse matrix.
func nonzeros(x *Features) *CSR {
	s := &CSR{Rows: x.Rows, Cols: x.Cols, Start: make([]int32, x.Rows+1)}
	for k, v := range x.Dense {
		if v != 0 {
			s.Index, s.Value = append(s.Index, int32(k%x.Cols)), append(s.Value, v)
		}
		s.Start[k/x.Cols+1] = int32(len(s.Index))
	}
	return s
}

// Mul sets dst (M x d) to Z u, u being F x d.
func (p *Factors[T]) Mul(dst, u []T, d int, wait pause.Work) error {
	ErrShape.Unless(len(dst) == p.M*d && len(u) == p.F*d)
	if p.x.start != nil {
		x := p.scratch(p.M * d)
		if err := p.x.mulIn(x, u, d, wait); err != nil {
			return err
		}
		u = x
	}
	return p.b.mulIn(dst, u, d, wait)
}

// MulTrans sets dst (F x d) to Z' y, y being M x d.
func (p *Factors[T]) MulTrans(dst, y []T, d int, wait pause.Work) error {
	ErrShape.Unless(len(dst) == p.F*d && len(y) == p.M*d)
	if p.x.start == nil {
		return p.b.mulIn(dst, y, d, wait) // B is symmetric
	}
	x := p.scratch(p.M * d)
	if err := p.b.mulIn(x, y, d, wait); err != nil {
		return err
	}
	return p.xt.mulIn(dst, x, d, wait)
}

// Spread sets dst (M x d) to B y, y being M x d.
func (p *Factors[T]) Spread(dst, y []T, d int, wait pause.Work) error {
	return p.b.mulIn(dst, y, d, wait)
}

// Rest lets go of the scratch of products, which is as large as their operands.
func (p *Factors[T]) Rest() {
	p.mid = nil
	for _, s := range []*sparse[T]{&p.b, &p.x, &p.xt} {
		s.scaled = nil
	}
}

func (p *Factors[T]) scratch(n int) []T {
	if len(p.mid) < n {
		p.mid = make([]T, n)
	}
	return p.mid[:n]
}

// partWork is the number of multiply-adds between two pauses, a millisecond or two of them.
const partWork = 1 << 20

// parts calls do for all rows, in parts with pauses; each is the multiply-adds of a row.
func parts(rows, each int, wait pause.Work, do func(from, to int)) error {
	return wait.Rows(rows, each, partWork, do)
}

// mulIn is mul with pauses.
func (s *sparse[T]) mulIn(dst, x []T, d int, wait pause.Work) error {
	rows := len(s.start) - 1
	each := max(1, len(s.index)/max(rows, 1)) * d
	if s.value == nil && s.cols != nil {
		x = s.scale(x, d)
	}
	return parts(rows, each, wait, func(from, to int) {
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
// nodes, by what is missing (see lessMissing). The slice is used again.
func (b *Propagator) Rows(x *Features, visit func(row []float64) error) error {
	ErrShape.Unless(b.a.Rows == x.Rows)
	if x.Sparse != nil {
		return b.rows(x.Sparse, visit)
	}
	row := make([]float64, x.Cols)
	for i := range x.Rows {
		clear(row)
		index, values := b.Row(i)
		for k, j := range index {
			if x.Dense == nil {
				row[j] = values[k]
			} else {
				kernel.AddScaled(row, x.Dense[int(j)*x.Cols:], values[k])
			}
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
