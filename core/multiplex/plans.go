package multiplex

import (
	"fmt"

	"cadem.example/core/base/kernel"
)

// Plan is the form in which Z = B X is kept: the one with the fewest multiply-adds.
type Plan int

const (
	SparseZ  Plan = iota // Z as a sparse matrix
	DenseZ               // Z as a dense matrix
	TwoStage             // B and X apart: Z u = B (X u)
)

func (p Plan) String() string { return [...]string{"sparse", "dense", "two-stage"}[p] }

// LiveFeatures marks in live, of length F, the columns of Z = B X that are not zero:
// features that some node with a neighbour has.
func LiveFeatures(live []bool, b *Propagator, x *Features) {
	ErrShape.Unless(len(live) == x.Cols && b.a.Rows == x.Rows)
	for i := range b.a.Rows {
		if b.a.Start[i] == b.a.Start[i+1] {
			continue // B is symmetric: what i has reaches nobody
		}
		switch {
		case x.Dense != nil:
			for j, v := range x.Dense[i*x.Cols : (i+1)*x.Cols] {
				live[j] = live[j] || v != 0
			}
		case x.Sparse != nil:
			for k := x.Sparse.Start[i]; k < x.Sparse.Start[i+1]; k++ {
				live[x.Sparse.Index[k]] = live[x.Sparse.Index[k]] || x.Sparse.at(int(k)) != 0
			}
		default:
			live[i] = true
		}
	}
}

// A Propagation multiplies with Z = B X, equation (a) of package cadem, M x len(features), and with its transpose.
// The features left out have a zero column in Z and no effect.
type Propagation[T kernel.Float] struct {
	M, F   int
	Plan   Plan
	Stored int // entries of the form kept: multiply-adds per product and column
	Cost   int // of a product per column, in entries of a dense matrix
	z, zt  sparse[T]
	b      sparse[T] // two-stage only: X is in z, its transpose in zt
	dense  []T
	mid    []T // two-stage: X u or B y
	sum    []float64
	weight []float64 // two-stage: sum of rows of B
}

// NewPropagation prepares products with the columns of Z listed in features (increasing),
// for matrices of width d.
func NewPropagation[T kernel.Float](b *Propagator, x *Features, features []int32, d int) *Propagation[T] {
	a := b.a
	ErrShape.Unless(a.Rows == a.Cols && a.Rows == x.Rows)
	p := &Propagation[T]{M: a.Rows, F: len(features), sum: make([]float64, len(features))}
	place := make([]int32, x.Cols) // column of Z to column kept, -1 for those left out
	for j := range place {
		place[j] = -1
	}
	for n, j := range features {
		place[j] = int32(n)
	}
	if x.Dense != nil {
		p.Plan = DenseZ
		p.dense = denseProduct[T](b, x, place, p.F)
		p.Stored, p.Cost = p.M*p.F, p.M*p.F
		return p
	}
	xs := kept(x, place, p.F)
	// Cost of a product per column of the other factor: a sparse entry costs about two
	// dense ones, for its index and for the jump to the row it names.
	nnz, ok := productSize(a, xs, (p.M*p.F+1)/2)
	dense, two := p.M*p.F, 2*(a.NNZ()+xs.NNZ())
	switch {
	case ok && 2*nnz <= dense && 2*nnz <= two:
		p.Plan, p.Stored, p.Cost = SparseZ, nnz, 2*nnz
		if owner := owners(xs); owner != nil && a.Value == nil {
			p.z, p.zt = patternOf[T](b, xs, owner)
		} else {
			z, zt := product(b, xs, nnz)
			p.z, p.zt = newSparse[T](z), newSparse[T](zt)
		}
	case dense <= two:
		p.Plan, p.Stored, p.Cost = DenseZ, dense, dense
		p.dense = denseFromSparse[T](b, xs)
	default:
		p.Plan, p.Stored, p.Cost = TwoStage, a.NNZ()+xs.NNZ(), two
		p.z, p.zt = newSparse[T](xs), newSparse[T](xs.transpose())
		p.b = propagatorSparse[T](b)
		p.mid, p.weight = make([]T, p.M*d), make([]float64, p.M)
	}
	return p
}

// NewDense returns products with a matrix Z (M x F) that is given.
func NewDense[T kernel.Float](m, f int, z []float64) *Propagation[T] {
	ErrShape.Unless(len(z) == m*f)
	p := &Propagation[T]{M: m, F: f, Plan: DenseZ, Stored: m * f, Cost: m * f, dense: make([]T, m*f), sum: make([]float64, f)}
	kernel.Round(p.dense, z)
	return p
}

func (p *Propagation[T]) String() string {
	return fmt.Sprintf("%s, %d entries, %d of width %d", p.Plan, p.Stored, p.M, p.F)
}

// kept returns X as a sparse matrix of the kept columns.
func kept(x *Features, place []int32, f int) *CSR {
	s := &CSR{Rows: x.Rows, Cols: f, Start: make([]int32, x.Rows+1)}
	for i := range x.Rows {
		if x.Sparse == nil {
			if place[i] >= 0 {
				s.Index = append(s.Index, place[i])
			}
		} else {
			for k := x.Sparse.Start[i]; k < x.Sparse.Start[i+1]; k++ {
				if j := place[x.Sparse.Index[k]]; j >= 0 {
					s.Index = append(s.Index, j)
					if x.Sparse.Value != nil {
						s.Value = append(s.Value, x.Sparse.Value[k])
					}
				}
			}
		}
		s.Start[i+1] = int32(len(s.Index))
	}
	return s
}

// productSize counts the entries of a times x, giving up above limit.
func productSize(a, x *CSR, limit int) (int, bool) {
	seen := make([]int32, x.Cols)
	n := 0
	for i := range a.Rows {
		full := n + x.Cols // the row has an entry in every column
		for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
			if n == full {
				break
			}
			for _, f := range x.Index[x.Start[j]:x.Start[j+1]] {
				if seen[f] != int32(i+1) {
					seen[f] = int32(i + 1)
					if n++; n > limit {
						return n, false
					}
				}
			}
		}
	}
	return n, true
}

// product returns b times x, which has nnz entries, and its transpose, summed over b's columns
// in order.
func product(b *Propagator, x *CSR, nnz int) (z, zt *CSR) {
	a := b.a
	z = &CSR{Rows: a.Rows, Cols: x.Cols, Start: make([]int32, a.Rows+1), Index: make([]int32, 0, nnz), Value: make([]float64, 0, nnz)}
	row, seen := make([]float64, x.Cols), make([]int32, x.Cols)
	for i := range a.Rows {
		addRow(row, b, x, i)
		from := len(z.Index)
		for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
			for _, f := range x.Index[x.Start[j]:x.Start[j+1]] {
				if seen[f] != int32(i+1) {
					seen[f] = int32(i + 1)
					z.Index = append(z.Index, f)
				}
			}
		}
		for _, f := range z.Index[from:] {
			z.Value = append(z.Value, row[f])
			row[f] = 0
		}
		z.Start[i+1] = int32(len(z.Index))
	}
	zt = z.transpose() // which puts columns in order
	return zt.transpose(), zt
}

// Mul sets dst (M x d) to Z u, u being F x d.
func (p *Propagation[T]) Mul(dst, u []T, d int) {
	switch p.Plan {
	case SparseZ:
		p.z.mul(dst, u, d)
	case DenseZ:
		kernel.Mul(dst, p.dense, u, p.M, p.F, d)
	case TwoStage:
		p.z.mul(p.mid, u, d)
		p.b.mul(dst, p.mid, d)
	}
}

// MulTrans sets dst (F x d) to Z' y, y being M x d.
func (p *Propagation[T]) MulTrans(dst, y []T, d int) {
	switch p.Plan {
	case SparseZ:
		p.zt.mul(dst, y, d)
	case DenseZ:
		clear(dst)
		kernel.AddMulTrans(dst, p.dense, y, p.M, p.F, d)
	case TwoStage:
		p.b.mul(p.mid, y, d)
		p.zt.mul(dst, p.mid, d)
	}
}

// Pool sets dst (F) to the sum of the rows of Z that nodes lists; nil means all. The sum
// is taken in double precision.
func (p *Propagation[T]) Pool(dst []T, nodes []int) {
	ErrShape.Unless(len(dst) == p.F)
	clear(p.sum)
	clear(p.weight)
	if nodes == nil {
		for i := range p.M {
			p.poolRow(i)
		}
	}
	for _, i := range nodes {
		p.poolRow(i)
	}
	for j, w := range p.weight {
		if w != 0 {
			p.z.addRow(p.sum, j, w)
		}
	}
	for f, v := range p.sum {
		dst[f] = T(v)
	}
}

func (p *Propagation[T]) poolRow(i int) {
	switch p.Plan {
	case SparseZ:
		p.z.addRow(p.sum, i, 1)
	case DenseZ:
		for f, v := range p.dense[i*p.F : (i+1)*p.F] {
			p.sum[f] += float64(v)
		}
	case TwoStage:
		p.b.addRow(p.weight, i, 1)
	}
}

// Row sets dst (F) to row i of Z.
func (p *Propagation[T]) Row(dst []float64, i int) {
	ErrShape.Unless(len(dst) == p.F)
	clear(dst)
	switch p.Plan {
	case SparseZ:
		p.z.addRow(dst, i, 1)
	case DenseZ:
		kernel.Widen(dst, p.dense[i*p.F:(i+1)*p.F])
	case TwoStage:
		for k := p.b.start[i]; k < p.b.start[i+1]; k++ {
			p.z.addRow(dst, int(p.b.index[k]), p.b.at(i, k))
		}
	}
}

// Gram sets dst (F x F) to Z'Z, in double precision. Each pair of columns is multiplied once:
// a block of columns with all up to its end, of an even number, which the kernels ask for.
func (p *Propagation[T]) Gram(dst []float64) {
	ErrShape.Unless(len(dst) == p.F*p.F)
	const block, wide = 64, 256
	type strip struct {
		from, to, width int
		sum             []float64 // to x width
	}
	var strips []strip
	for from := 0; from < p.F; from += wide {
		s := strip{from: from, to: min(from+wide, p.F)}
		s.width = (s.to - from + 1) &^ 1
		s.sum = make([]float64, s.to*s.width)
		strips = append(strips, s)
	}
	n := min(block, p.M)
	rows, left, right := make([]float64, n*p.F), make([]float64, n*p.F), make([]float64, n*wide)
	for first := 0; first < p.M; first += block {
		n := min(block, p.M-first)
		for i := range n {
			p.Row(rows[i*p.F:][:p.F], first+i)
		}
		for _, s := range strips {
			clear(right)
			for i := range n {
				row := rows[i*p.F:][:p.F]
				copy(left[i*s.to:], row[:s.to])
				copy(right[i*s.width:], row[s.from:s.to])
			}
			kernel.AddMulTrans(s.sum, left[:n*s.to], right[:n*s.width], n, s.to, s.width)
		}
	}
	for _, s := range strips {
		for j := range s.to {
			for k := s.from; k < s.to; k++ {
				v := s.sum[j*s.width+k-s.from]
				dst[j*p.F+k], dst[k*p.F+j] = v, v
			}
		}
	}
}

// ascending returns 0 to n-1.
func ascending(n int) []int32 {
	list := make([]int32, n)
	for j := range list {
		list[j] = int32(j)
	}
	return list
}
