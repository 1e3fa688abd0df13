package multiplex

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/sorting"
)

// A CSR is a sparse matrix in compressed rows. Columns are sorted and distinct in
// every row. Build one with [FromEdges] or [NewCSR], which check it once, so that the
// loops over it need not.
type CSR struct {
	Rows, Cols int
	Start      []int32   // row i holds entries Start[i] to Start[i+1]
	Index      []int32   // column of each entry
	Value      []float64 // nil when every stored entry is 1

	symmetric bool // it has been found to be: entries do not change afterwards
}

// NewCSR returns the rows x cols matrix whose row i holds value[k] in column index[k] for k from start[i] to start[i+1]; nil
// values are ones. The slices are kept. The error says which row or entry is wrong: lengths that do not fit, columns that do not
// increase, values that are not finite.
func NewCSR(rows, cols int, start, index []int32, value []float64) (*CSR, error) {
	if len(start) != rows+1 || start[0] != 0 || int(start[rows]) != len(index) || (value != nil && len(value) != len(index)) {
		return nil, fmt.Errorf("sparse matrix: %d row starts, %d columns and %d values do not make %d rows", len(start), len(index), len(value), rows)
	}
	for i := range rows {
		if start[i] > start[i+1] || int(start[i+1]) > len(index) {
			return nil, fmt.Errorf("sparse matrix: row %d goes from entry %d to %d of %d", i, start[i], start[i+1], len(index))
		}
		last := int32(-1)
		for _, j := range index[start[i]:start[i+1]] {
			if j <= last || int(j) >= cols {
				return nil, fmt.Errorf("sparse matrix: row %d: column %d after %d, expected increasing columns below %d", i, j, last, cols)
			}
			last = j
		}
	}
	for k, v := range value {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("sparse matrix: entry %d is %v, expected a finite number", k, v)
		}
	}
	return &CSR{Rows: rows, Cols: cols, Start: start, Index: index, Value: value}, nil
}

// NNZ returns the number of stored entries.
func (a *CSR) NNZ() int { return len(a.Index) }

// at returns the value of stored entry k.
func (a *CSR) at(k int) float64 {
	if a.Value == nil {
		return 1
	}
	return a.Value[k]
}

// Dense returns all Rows x Cols entries, row by row.
func (a *CSR) Dense() []float64 {
	x := make([]float64, a.Rows*a.Cols)
	for i := range a.Rows {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			x[i*a.Cols+int(a.Index[k])] = a.at(int(k))
		}
	}
	return x
}

// Filtered returns the matrix of the stored entries that keep returns true for. It is called for each, row by row.
func (a *CSR) Filtered(keep func(row, col int) bool) *CSR {
	s := &CSR{Rows: a.Rows, Cols: a.Cols, Start: make([]int32, a.Rows+1)}
	for i := range a.Rows {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			if j := a.Index[k]; keep(i, int(j)) {
				s.Index = append(s.Index, j)
				if a.Value != nil {
					s.Value = append(s.Value, a.Value[k])
				}
			}
		}
		s.Start[i+1] = int32(len(s.Index))
	}
	return s
}

// Strongest returns the symmetric adjacency matrix with its self loops and the n pairs of nodes of the largest weights; of equal
// ones those that come first, row by row.
func (a *CSR) Strongest(n int) (*CSR, error) {
	var kept, pairs []Edge
	var order []int
	for i := range a.Rows {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			e := Edge{i, int(a.Index[k]), a.at(int(k))}
			if e.I == e.J {
				kept = append(kept, e)
			} else if e.I < e.J {
				order, pairs = append(order, len(pairs)), append(pairs, e)
			}
		}
	}
	sorting.Stable(order, func(x, y int) int { return cmp.Compare(pairs[y].Weight, pairs[x].Weight) })
	for _, k := range order[:min(n, len(order))] {
		kept = append(kept, pairs[k])
	}
	return FromEdges(a.Rows, kept)
}

// transpose returns the transposed matrix.
func (a *CSR) transpose() *CSR {
	t := &CSR{Rows: a.Cols, Cols: a.Rows, Start: make([]int32, a.Cols+1), Index: make([]int32, len(a.Index))}
	if a.Value != nil {
		t.Value = make([]float64, len(a.Value))
	}
	for _, j := range a.Index {
		t.Start[j+1]++
	}
	for j := range a.Cols {
		t.Start[j+1] += t.Start[j]
	}
	next := slices.Clone(t.Start[:a.Cols])
	for i := range a.Rows {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			j := a.Index[k]
			t.Index[next[j]] = int32(i)
			if a.Value != nil {
				t.Value[next[j]] = a.Value[k]
			}
			next[j]++
		}
	}
	return t
}

// An Edge joins nodes I and J with a weight; I = J is a self loop.
type Edge struct {
	I, J   int
	Weight float64
}

// FromEdges returns the symmetric adjacency matrix of an undirected layer of m nodes.
// Each edge counts for both directions; of a pair that comes more than once, in
// either direction, the largest weight is kept; weight 0 is not an edge. The error names an edge to a node that is not
// there, or of a weight that is negative or not finite.
func FromEdges(m int, edges []Edge) (*CSR, error) { return fromEdges(m, edges, true) }

// FromArcs is [FromEdges] of a layer whose edges count from I to J alone.
func FromArcs(m int, edges []Edge) (*CSR, error) { return fromEdges(m, edges, false) }

func fromEdges(m int, edges []Edge, both bool) (*CSR, error) {
	a := &CSR{Rows: m, Cols: m, Start: make([]int32, m+1)}
	weighted := false
	for n, e := range edges {
		switch {
		case e.I < 0 || e.I >= m || e.J < 0 || e.J >= m:
			return nil, fmt.Errorf("edge %d joins nodes %d and %d, expected 0 to %d", n, e.I, e.J, m-1)
		case math.IsNaN(e.Weight) || math.IsInf(e.Weight, 0) || e.Weight < 0:
			return nil, fmt.Errorf("edge %d has weight %v, expected a finite number >= 0", n, e.Weight)
		}
		weighted = weighted || e.Weight != 1
		a.Start[e.I+1]++
		if both && e.I != e.J {
			a.Start[e.J+1]++
		}
	}
	for i := range m {
		a.Start[i+1] += a.Start[i]
	}
	a.Index = make([]int32, a.Start[m])
	if weighted {
		a.Value = make([]float64, a.Start[m])
	}
	next := slices.Clone(a.Start[:m])
	put := func(i, j int, w float64) {
		a.Index[next[i]] = int32(j)
		if weighted {
			a.Value[next[i]] = w
		}
		next[i]++
	}
	for _, e := range edges {
		put(e.I, e.J, e.Weight)
		if both && e.I != e.J {
			put(e.J, e.I, e.Weight)
		}
	}
	// The transpose holds the same entries, if they are symmetric, with columns in order.
	if a = a.transpose(); !both {
		a = a.transpose()
	}
	a.keepLargest()
	return a, nil
}

// keepLargest makes one entry, the largest, of those in the same place, drops those of 0, and
// drops all values when they are 1.
func (a *CSR) keepLargest() {
	n, from := int32(0), int32(0)
	binary := true
	for i := range a.Rows {
		end := a.Start[i+1]
		for k := from; k < end; {
			col, largest := a.Index[k], 0.0
			for ; k < end && a.Index[k] == col; k++ {
				largest = max(largest, a.at(int(k)))
			}
			if largest == 0 {
				continue
			}
			a.Index[n] = col
			if a.Value != nil {
				a.Value[n] = largest
			}
			binary = binary && largest == 1
			n++
		}
		from, a.Start[i+1] = end, n
	}
	a.Index = a.Index[:n]
	if binary {
		a.Value = nil
	} else {
		a.Value = a.Value[:n]
	}
}

// Links returns the links of an undirected layer as pairs i, j of nodes i < j, each once and
// without self loops, and how many there are. If there are more than most, it lists a regular
// sample.
func (a *CSR) Links(most int) (pairs []int, of int) {
	each := func(f func(i, j int)) {
		for i := range a.Rows {
			for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
				if int(j) > i {
					f(i, int(j))
				}
			}
		}
	}
	each(func(i, j int) { of++ })
	stride := 1 + (of-1)/most
	k := 0
	each(func(i, j int) {
		if k%stride == 0 {
			pairs = append(pairs, i, j)
		}
		k++
	})
	return pairs, of
}

// A layer that joins nearly all nodes is multiplied by what it leaves out. Without weights b_ij
// = s_i s_j wherever i and j are joined, s_i being the product of the scales, and so
//
//	(B X)_i = s_i (sum over all j of s_j x_j - sum over the j that i is not joined to)
//
// which is worth it for rows that are full beyond question, and for features of more than a
// few entries a node: rows of other layers are summed in the order of their entries.

// isFull reports whether row i has more than three quarters of all entries.
func (b *Propagator) isFull(i int) bool { return 4*int(b.a.Start[i+1]-b.a.Start[i]) > 3*b.a.Cols }

// whole returns the sum over all j of s_j x_j; nil if rows are summed by their entries.
func (b *Propagator) whole(x *CSR) []float64 {
	if b.a.Value != nil || 2*b.a.NNZ() < b.a.Rows*b.a.Cols || x.NNZ() < 8*x.Rows {
		return nil
	}
	all := make([]float64, x.Cols)
	for j := range x.Rows {
		b.addScaled(all, x, j, b.scale(j))
	}
	return all
}

// scale returns s_i.
func (b *Propagator) scale(i int) float64 {
	s := 1.0
	for _, scale := range b.scales {
		s *= scale[i]
	}
	return s
}

// addScaled adds v x_j.
func (b *Propagator) addScaled(row []float64, x *CSR, j int, v float64) {
	for k := x.Start[j]; k < x.Start[j+1]; k++ {
		row[x.Index[k]] += float64(v * x.at(int(k)))
	}
}

// lessMissing sets row to (B X)_i.
func (b *Propagator) lessMissing(row, all []float64, x *CSR, i int) {
	copy(row, all)
	next := 0
	for _, j := range b.a.Index[b.a.Start[i]:b.a.Start[i+1]] {
		for ; next < int(j); next++ {
			b.addScaled(row, x, next, -b.scale(next))
		}
		next++
	}
	for ; next < x.Rows; next++ {
		b.addScaled(row, x, next, -b.scale(next))
	}
	s := b.scale(i)
	for f := range row {
		row[f] *= s
	}
}

// IsSymmetric reports whether a square matrix equals its transpose. It visits every entry
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

// Undirected is [CSR.Symmetrized] without values where all are 1.
func (a *CSR) Undirected() *CSR {
	s := a.Symmetrized()
	if !slices.ContainsFunc(s.Value, func(v float64) bool { return v != 1 }) {
		s.Value = nil
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

// Transposed returns the transposed matrix. Its columns are in order, even if those of the matrix
// are not.
func (a *CSR) Transposed() *CSR { return a.transpose() }

// Hash returns a number that distinguishes matrices: FNV-1a over the number of rows and, row
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
