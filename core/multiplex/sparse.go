package multiplex

import (
	"slices"

	"cadem.example/core/base/kernel"
)

// A sparse matrix of the run's precision. One without weights is kept as a pattern: entry ij
// is rows[i] cols[j] wherever there is one. Its products take half the memory and less time,
// and sum before they scale.
type sparse[T kernel.Float] struct {
	start, index []int32
	value        []T // nil in a pattern
	rows, cols   []T // cols nil: ones
	scaled       []T // scratch of mul
}

// newSparse returns a.
//
//go:noinline
func newSparse[T kernel.Float](a *CSR) sparse[T] {
	s := sparse[T]{start: a.Start, index: a.Index}
	if a.Value == nil {
		s.rows = slices.Repeat([]T{1}, a.Rows)
		return s
	}
	s.value = make([]T, a.NNZ())
	for k, v := range a.Value {
		s.value[k] = T(v)
	}
	return s
}

// propagatorSparse returns B.
func propagatorSparse[T kernel.Float](b *Propagator) sparse[T] {
	if b.a.Value == nil {
		s := sparse[T]{start: b.a.Start, index: b.a.Index, rows: scales[T](b)}
		s.cols = s.rows
		return s
	}
	s := sparse[T]{start: b.a.Start, index: b.a.Index, value: make([]T, 0, b.a.NNZ())}
	for i := range b.a.Rows {
		_, values := b.Row(i)
		for _, v := range values {
			s.value = append(s.value, T(v))
		}
	}
	return s
}

// scales returns the s_i of a B without weights, b_ij = s_i s_j.
func scales[T kernel.Float](b *Propagator) []T {
	s := make([]T, b.a.Rows)
	for i := range s {
		s[i] = T(b.scale(i))
	}
	return s
}

// owners returns the node that has each feature, or nil if a node has several, several
// nodes have one, or entries are not ones.
func owners(x *CSR) []int32 {
	if x.Value != nil || x.NNZ() != x.Cols {
		return nil
	}
	owner := make([]int32, x.Cols)
	for j := range owner {
		owner[j] = -1
	}
	for i := range x.Rows {
		switch from, to := x.Start[i], x.Start[i+1]; {
		case to > from+1, to == from+1 && owner[x.Index[from]] >= 0:
			return nil
		case to == from+1:
			owner[x.Index[from]] = int32(i)
		}
	}
	return owner
}

// patternOf returns B X and its transpose for a B without weights: columns of B, those of the
// nodes that have a feature.
func patternOf[T kernel.Float](b *Propagator, x *CSR, owner []int32) (z, zt sparse[T]) {
	all := propagatorSparse[T](b)
	if x.Cols == x.Rows {
		straight := true
		for j, i := range owner {
			straight = straight && int(i) == j
		}
		if straight {
			return all, all
		}
	}
	entries := 0
	for _, i := range owner {
		entries += int(all.start[i+1] - all.start[i])
	}
	zt = sparse[T]{start: make([]int32, 1, x.Cols+1), index: make([]int32, 0, entries), rows: make([]T, x.Cols), cols: all.rows}
	for j, i := range owner {
		zt.rows[j] = all.rows[i]
		zt.index = append(zt.index, all.index[all.start[i]:all.start[i+1]]...) // B is symmetric
		zt.start = append(zt.start, int32(len(zt.index)))
	}
	z = sparse[T]{start: make([]int32, 1, x.Rows+1), index: make([]int32, 0, entries), rows: all.rows, cols: zt.rows}
	for i := range x.Rows {
		for _, j := range all.index[all.start[i]:all.start[i+1]] {
			if k := x.Start[j]; k < x.Start[j+1] {
				z.index = append(z.index, x.Index[k])
			}
		}
		z.start = append(z.start, int32(len(z.index)))
	}
	return z, zt
}

// mul sets dst (rows x d) to the matrix times x (columns x d).
func (s *sparse[T]) mul(dst, x []T, d int) {
	if s.value != nil {
		kernel.SparseMul(dst, s.start, s.index, s.value, x, d)
		return
	}
	if s.cols != nil {
		x = s.scale(x, d)
	}
	kernel.PatternMul(dst, s.start, s.index, s.rows, x, d)
}

// scale returns x (columns x d) with its rows times those of cols.
func (s *sparse[T]) scale(x []T, d int) []T {
	if len(s.scaled) < len(x) {
		s.scaled = make([]T, len(x))
	}
	kernel.ScaleRows(s.scaled[:len(x)], x, s.cols, d)
	return s.scaled[:len(x)]
}

// at returns entry k, which is in row i.
func (s *sparse[T]) at(i int, k int32) float64 {
	switch {
	case s.value != nil:
		return float64(s.value[k])
	case s.cols == nil:
		return float64(s.rows[i])
	}
	return float64(s.rows[i] * s.cols[s.index[k]])
}

// addRow adds w times row i to dst.
func (s *sparse[T]) addRow(dst []float64, i int, w float64) {
	index := s.index[s.start[i]:s.start[i+1]]
	if s.value == nil {
		row := s.rows[i]
		if s.cols == nil {
			x := float64(w * float64(row))
			for _, j := range index {
				dst[j] += x
			}
			return
		}
		for _, j := range index {
			dst[j] += float64(w * float64(row*s.cols[j]))
		}
		return
	}
	for k, v := range s.value[s.start[i]:s.start[i+1]] {
		dst[index[k]] += float64(w * float64(v))
	}
}
