package multiplex

import (
	"fmt"
	"math"

	"cadem.example/core/base/kernel"
)

// Features is the M x F matrix X of one layer: the identity, kept as a symbol, a
// sparse or a dense matrix.
type Features struct {
	Rows, Cols int
	Sparse     *CSR      // nil unless sparse
	Dense      []float64 // row-major, nil unless dense
}

// Identity returns the features of m nodes that have none of their own: one column
// per node.
func Identity(m int) *Features { return &Features{Rows: m, Cols: m} }

// SparseFeatures returns features kept as a sparse matrix.
func SparseFeatures(x *CSR) *Features { return &Features{Rows: x.Rows, Cols: x.Cols, Sparse: x} }

// DenseFeatures returns features kept as a row-major matrix. The slice is kept.
func DenseFeatures(rows, cols int, x []float64) (*Features, error) {
	ErrShape.Unless(len(x) == rows*cols)
	for k, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("feature %d of node %d is %v, expected a finite number", k%cols, k/cols, v)
		}
	}
	return &Features{Rows: rows, Cols: cols, Dense: x}, nil
}

// IsIdentity reports whether X is the identity.
func (x *Features) IsIdentity() bool { return x.Sparse == nil && x.Dense == nil }

// RowNormalized returns features whose rows sum to 1, as the method requires of features that all
// layers share. Rows that sum to 0 do not change; the identity stays symbolic.
func (x *Features) RowNormalized() *Features {
	return x.rowsBy(func(row []float64) (sum float64) {
		for _, v := range row {
			sum += v
		}
		return sum
	})
}

// UnitRows returns features whose rows have the Euclidean length 1. Rows of zeros do not change; the identity stays symbolic.
func (x *Features) UnitRows() *Features {
	return x.rowsBy(func(row []float64) float64 { return math.Sqrt(kernel.Dot(row, row)) })
}

// RowsOf returns the features of layers, their rows of length 1 where the scale is "unit". What layers share stays shared.
func RowsOf(layers []Layer, scale string) []*Features {
	list := make([]*Features, len(layers))
	for l := range layers {
		x := layers[l].Features
		switch {
		case scale == "unit" && l > 0 && x == layers[l-1].Features:
			x = list[l-1]
		case scale == "unit":
			x = x.UnitRows()
		}
		list[l] = x
	}
	return list
}

// rowsBy divides rows by a size of each, unless that is 0.
func (x *Features) rowsBy(size func(row []float64) float64) *Features {
	scale := func(row []float64) {
		if by := size(row); by != 0 {
			for k := range row {
				row[k] /= by
			}
		}
	}
	switch {
	case x.Dense != nil:
		d := append([]float64(nil), x.Dense...)
		for i := range x.Rows {
			scale(d[i*x.Cols : (i+1)*x.Cols])
		}
		return &Features{Rows: x.Rows, Cols: x.Cols, Dense: d}
	case x.Sparse != nil:
		s := *x.Sparse
		s.Value = make([]float64, s.NNZ())
		for k := range s.Value {
			s.Value[k] = x.Sparse.at(k)
		}
		for i := range s.Rows {
			scale(s.Value[s.Start[i]:s.Start[i+1]])
		}
		return SparseFeatures(&s)
	}
	return x
}

// Masked returns the features with the entries for which keep is false set to zero. It calls keep
// once for every entry of the identity's diagonal, of the stored entries of a sparse matrix or of a
// dense one, row by row.
func (x *Features) Masked(keep func(row, col int) bool) *Features {
	switch {
	case x.Dense != nil:
		d := make([]float64, len(x.Dense))
		for k, v := range x.Dense {
			if keep(k/x.Cols, k%x.Cols) {
				d[k] = v
			}
		}
		return &Features{Rows: x.Rows, Cols: x.Cols, Dense: d}
	case x.Sparse != nil:
		return SparseFeatures(x.Sparse.Filtered(keep))
	}
	all := true
	s := &CSR{Rows: x.Rows, Cols: x.Cols, Start: make([]int32, x.Rows+1)}
	for i := range x.Rows {
		if keep(i, i) {
			s.Index = append(s.Index, int32(i))
		} else {
			all = false
		}
		s.Start[i+1] = int32(len(s.Index))
	}
	if all {
		return x
	}
	return SparseFeatures(s)
}

// Scaled returns features, other than the identity, with column j multiplied by scale[j].
func (x *Features) Scaled(scale []float64) *Features {
	ErrShape.Unless(len(scale) == x.Cols && !x.IsIdentity())
	if x.Dense != nil {
		d := make([]float64, len(x.Dense))
		for k, v := range x.Dense {
			d[k] = v * scale[k%x.Cols]
		}
		return &Features{Rows: x.Rows, Cols: x.Cols, Dense: d}
	}
	s := x.Sparse
	y := &CSR{Rows: s.Rows, Cols: s.Cols, Start: s.Start, Index: s.Index, Value: make([]float64, s.NNZ())}
	for k, j := range s.Index {
		y.Value[k] = s.at(k) * scale[j]
	}
	return SparseFeatures(y)
}

// Entries returns the number of entries that are stored, as if the identity's were.
func (x *Features) Entries() int {
	switch {
	case x.Dense != nil:
		return len(x.Dense)
	case x.Sparse != nil:
		return x.Sparse.NNZ()
	}
	return x.Cols
}
