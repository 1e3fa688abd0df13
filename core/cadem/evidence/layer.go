package evidence

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/sorting"
	"cadem.example/core/multiplex"
)

// A Layer is A_l: its links are there or not, in no direction, and none joins a node with itself.
type Layer struct {
	A       *multiplex.CSR // ones alone
	Degrees []float64      // d_l, one a node
	Twice   float64        // 2 m_l
	Links   [][2]int       // i < j, row by row

	upper *multiplex.CSR // A_l above the diagonal, its ones as numbers

	memory *memory // shared by all layers of a split
	place  int
}

// NewLayer returns the layer of an adjacency matrix: entries other than 0 are links, in both directions.
func NewLayer(a *multiplex.CSR) *Layer {
	s := a
	if !a.IsSymmetric() {
		s = a.Symmetrized()
	}
	links := make([][2]int, 0, len(s.Index)/2)
	for i := range s.Rows {
		for k := s.Start[i]; k < s.Start[i+1]; k++ {
			if j := int(s.Index[k]); j > i && (s.Value == nil || s.Value[k] != 0) {
				links = append(links, [2]int{i, j})
			}
		}
	}
	return ofLinks(a.Rows, links)
}

// ofLinks returns the layer of links that are in order.
func ofLinks(m int, links [][2]int) *Layer {
	l := &Layer{Degrees: make([]float64, m), Twice: float64(2 * len(links)), Links: links}
	l.upper = &multiplex.CSR{Rows: m, Cols: m, Start: make([]int32, m+1), Index: make([]int32, 0, len(links)), Value: make([]float64, 0, len(links))}
	start, index := make([]int32, m+1), make([]int32, 2*len(links))
	for _, e := range links {
		start[e[0]+1]++
		start[e[1]+1]++
	}
	for i := range m {
		l.Degrees[i] = float64(start[i+1])
		start[i+1] += start[i]
	}
	next := make([]int32, m)
	copy(next, start)
	put := func(i, j int) {
		index[next[i]] = int32(j)
		next[i]++
	}
	for _, e := range links { // those to lower nodes come first in every row
		put(e[1], e[0])
	}
	for _, e := range links {
		put(e[0], e[1])
		l.upper.Start[e[0]+1]++
		l.upper.Index, l.upper.Value = append(l.upper.Index, int32(e[1])), append(l.upper.Value, 1)
	}
	for i := range m {
		l.upper.Start[i+1] += l.upper.Start[i]
	}
	var err error
	if l.A, err = multiplex.NewCSR(m, m, start, index, nil); err != nil {
		panic(err)
	}
	return l
}

// M returns the number of nodes.
func (l *Layer) M() int { return len(l.Degrees) }

// Split parts a layer: its links outside a fold, and those in it.
func (l *Layer) Split(folds []int, f int) (rest *Layer, held [][2]int) {
	n := 0
	for _, at := range folds {
		if at == f {
			n++
		}
	}
	held, kept := make([][2]int, 0, n), make([][2]int, 0, len(folds)-n)
	for k, e := range l.Links {
		if folds[k] == f {
			held = append(held, e)
		} else {
			kept = append(kept, e)
		}
	}
	return ofLinks(l.M(), kept), held
}

// but returns all layers but one.
func but(layers []*Layer, l int) []*Layer {
	return append(append([]*Layer{}, layers[:l]...), layers[l+1:]...)
}

// A Matrix has its rows one after the other: entry i, j is Data[i*Cols+j].
type Matrix struct {
	Rows, Cols int
	Data       []float64
}

// NewMatrix returns a rows x cols matrix of zeros.
func NewMatrix(rows, cols int) Matrix { return Matrix{rows, cols, make([]float64, rows*cols)} }

// Row returns row i.
func (a Matrix) Row(i int) []float64 { return a.Data[i*a.Cols : (i+1)*a.Cols] }

// pick returns some columns.
func (a Matrix) pick(columns []int) Matrix {
	out := NewMatrix(a.Rows, len(columns))
	for i := range a.Rows {
		row := a.Row(i)
		for c, j := range columns {
			out.Data[i*out.Cols+c] = row[j]
		}
	}
	return out
}

// first returns the first n columns, or all.
func (a Matrix) first(n int) Matrix {
	if n >= a.Cols {
		return a
	}
	return a.pick(sorting.Places(n))
}

// scaled returns diag(scale) a.
func (a Matrix) scaled(scale []float64) Matrix {
	out := NewMatrix(a.Rows, a.Cols)
	for i := range a.Rows {
		for c, x := range a.Row(i) {
			out.Data[i*a.Cols+c] = x * scale[i]
		}
	}
	return out
}

// weighted returns a diag(w).
func (a Matrix) weighted(w []float64) Matrix {
	out := NewMatrix(a.Rows, a.Cols)
	for i, x := range a.Data {
		out.Data[i] = x * w[i%a.Cols]
	}
	return out
}

// chunk is the approximate number of multiply-adds between two pauses of a product.
const chunk = 1 << 18

// rows calls do for m rows, in parts; each is the multiply-adds of a row.
func rows(m, each int, pause pause.Work, do func(from, to int)) error {
	return pause.Rows(m, each, chunk, do)
}

// times returns a b.
func (a Matrix) times(b Matrix, pause pause.Work) (Matrix, error) {
	out := NewMatrix(a.Rows, b.Cols)
	if b.Cols == 0 {
		return out, nil
	}
	k, d := a.Cols, b.Cols
	return out, rows(a.Rows, k*d, pause, func(from, to int) {
		kernel.Mul(out.Data[from*d:to*d], a.Data[from*k:to*k], b.Data, to-from, k, d)
	})
}

// transTimes returns a'b.
func (a Matrix) transTimes(b Matrix, pause pause.Work) (Matrix, error) {
	out := NewMatrix(a.Cols, b.Cols)
	if len(out.Data) == 0 {
		return out, nil
	}
	k, d := a.Cols, b.Cols
	return out, rows(a.Rows, k*d, pause, func(from, to int) {
		kernel.AddMulTrans(out.Data, a.Data[from*k:to*k], b.Data[from*d:to*d], to-from, k, d)
	})
}

// under returns a'x.
func (a Matrix) under(x []float64) []float64 {
	out := make([]float64, a.Cols)
	for i, v := range x {
		for c, y := range a.Row(i) {
			out[c] += float64(v * y)
		}
	}
	return out
}

// Beside returns the columns of matrices next to each other.
func beside(parts ...Matrix) Matrix {
	cols := 0
	for _, p := range parts {
		cols += p.Cols
	}
	out := NewMatrix(parts[0].Rows, cols)
	from := 0
	for _, p := range parts {
		for i := range p.Rows {
			copy(out.Data[i*cols+from:], p.Row(i))
		}
		from += p.Cols
	}
	return out
}

// left returns the singular values of a matrix, falling, and its left singular vectors, without those whose value is up to 1e-8 of the
// largest.
func left(a Matrix, pause pause.Work) (Matrix, []float64, error) {
	if len(a.Data) == 0 {
		return NewMatrix(a.Rows, 0), nil, nil
	}
	s := linalg.NewSVD(max(a.Rows, a.Cols), a.Cols)
	copy(s.A, a.Data)
	if err := s.Decompose(pause); err != nil {
		return Matrix{}, nil, err
	}
	n := 0
	for n < a.Cols && n < a.Rows && s.Singular[n] > 0 && s.Singular[n] > 1e-8*s.Singular[0] {
		n++
	}
	u := make([]float64, s.Rows*n)
	err := s.Left(u, n, pause)
	return Matrix{a.Rows, n, u[:a.Rows*n]}, s.Singular, err
}

// eigen returns the eigenvectors of a symmetric matrix, one a column, and its eigenvalues, rising.
func eigen(a Matrix) ([]float64, Matrix) {
	r := Matrix{a.Rows, a.Cols, append([]float64{}, a.Data...)}
	values, _ := linalg.Symmetric(r.Data, a.Rows, nil)
	for i := range a.Rows {
		for j := range i {
			r.Data[i*a.Cols+j], r.Data[j*a.Cols+i] = r.Data[j*a.Cols+i], r.Data[i*a.Cols+j]
		}
	}
	return values, r
}
