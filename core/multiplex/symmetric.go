package multiplex

import (
	"encoding/binary"
	"math"
)

// IsSymmetric tells whether a square matrix equals its transpose. It visits every entry
// once and keeps one place for every row; a matrix that was found symmetric is not looked at
// again.
func (a *CSR) IsSymmetric() bool {
	if !a.symmetric {
		a.symmetric = a.Rows == a.Cols && a.equalsTranspose()
	}
	return a.symmetric
}

func (a *CSR) equalsTranspose() bool {
	// next[j] is the first entry of row j right of the diagonal that no row below has met.
	next := make([]int32, a.Rows)
	for i := range a.Rows {
		k := a.Start[i]
		for ; k < a.Start[i+1] && int(a.Index[k]) < i; k++ {
			j := a.Index[k]
			if next[j] == a.Start[j+1] || int(a.Index[next[j]]) != i || a.at(int(next[j])) != a.at(int(k)) {
				return false
			}
			next[j]++
		}
		if k < a.Start[i+1] && int(a.Index[k]) == i {
			k++
		}
		next[i] = k
	}
	for i, k := range next {
		if k != a.Start[i+1] {
			return false
		}
	}
	return true
}

// Symmetrized returns the square matrix whose entries are the larger of a_ij and a_ji: a
// itself when it is symmetric.
func (a *CSR) Symmetrized() *CSR {
	if a.IsSymmetric() {
		return a
	}
	t := a.transpose()
	s := &CSR{Rows: a.Rows, Cols: a.Cols, Start: make([]int32, a.Rows+1)}
	n := a.joined(t)
	s.Index = make([]int32, 0, n)
	if a.Value != nil {
		s.Value = make([]float64, 0, n)
	}
	for i := range a.Rows {
		k, q := a.Start[i], t.Start[i]
		for k < a.Start[i+1] || q < t.Start[i+1] {
			var j int32
			v := 0.0
			if q == t.Start[i+1] || k < a.Start[i+1] && a.Index[k] <= t.Index[q] {
				j, v = a.Index[k], a.at(int(k))
			} else {
				j, v = t.Index[q], t.at(int(q))
			}
			if k < a.Start[i+1] && a.Index[k] == j {
				k++
			}
			if q < t.Start[i+1] && t.Index[q] == j {
				v = max(v, t.at(int(q)))
				q++
			}
			s.Index = append(s.Index, j)
			if a.Value != nil {
				s.Value = append(s.Value, v)
			}
		}
		s.Start[i+1] = int32(len(s.Index))
	}
	return s
}

// joined counts the places where a or t has an entry.
func (a *CSR) joined(t *CSR) int {
	n := len(a.Index) + len(t.Index)
	for i := range a.Rows {
		q := t.Start[i]
		for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
			for q < t.Start[i+1] && t.Index[q] < j {
				q++
			}
			if q < t.Start[i+1] && t.Index[q] == j {
				n--
			}
		}
	}
	return n
}

// Mutual returns the symmetric matrix whose entries are the smaller of a_ij and a_ji: what
// comes in one direction only is left out.
func (a *CSR) Mutual() *CSR {
	if a.IsSymmetric() {
		return a
	}
	t := a.transpose()
	s := &CSR{Rows: a.Rows, Cols: a.Cols, Start: make([]int32, a.Rows+1)}
	for i := range a.Rows {
		q := t.Start[i]
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			for q < t.Start[i+1] && t.Index[q] < a.Index[k] {
				q++
			}
			if q == t.Start[i+1] || t.Index[q] != a.Index[k] {
				continue
			}
			s.Index = append(s.Index, a.Index[k])
			if a.Value != nil {
				s.Value = append(s.Value, min(a.at(int(k)), t.at(int(q))))
			}
		}
		s.Start[i+1] = int32(len(s.Index))
	}
	return s
}

// Transposed returns the transposed matrix. Of a matrix whose columns are not in order,
// the transpose is in order.
func (a *CSR) Transposed() *CSR { return a.transpose() }

// Hash returns a number that tells matrices apart: FNV-1a over the number of rows and, row
// by row, the columns right and left of the diagonal and their values where they are not
// 1. The diagonal does not count, for the same layer comes with self loops and without.
func (a *CSR) Hash() uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	add := func(x uint64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], x)
		for _, c := range b {
			h = (h ^ uint64(c)) * prime
		}
	}
	add(uint64(a.Rows))
	for i := range a.Rows {
		add(uint64(a.Rows) + 1) // no column: a row begins
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			if int(a.Index[k]) == i {
				continue
			}
			add(uint64(a.Index[k]))
			if v := a.at(int(k)); v != 1 {
				add(math.Float64bits(v))
			}
		}
	}
	return h
}
