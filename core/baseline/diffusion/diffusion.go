// Package diffusion computes personalised PageRank matrices (Gasteiger, Weissenberger and
// Guennemann 2019): for a symmetric propagation matrix P = D^-1/2 (A + I) D^-1/2,
//
//	S = alpha (I - (1 - alpha) P)^-1 = alpha sum over k >= 0 of (1 - alpha)^k P^k.
package diffusion

import (
	"math"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
)

// Exact returns S, row by row, for P of m x m. I - (1 - alpha) P is positive definite, so it has a
// Cholesky factor; the cost is m^3 multiply-adds. Errors are those of yield.
func Exact(p *multiplex.CSR, alpha float64, yield pause.Yield) ([]float64, error) {
	m := p.Rows
	l := p.Dense()
	for i := range l {
		l[i] = -float64((1 - alpha) * l[i])
	}
	for i := range m {
		l[i*m+i]++
	}
	done, total := 0, m*m*(m+100) // a little more than it is
	pause := func(work int) error {
		done += work
		return yield.At(done, total)
	}
	if err := linalg.Cholesky(l, m, pause); err != nil {
		return nil, err
	}
	s, x := make([]float64, m*m), make([]float64, m*columns)
	for from := 0; from < m; from += columns {
		n := min(columns, m-from)
		x := x[:m*n]
		clear(x)
		for j := range n {
			x[(from+j)*n+j] = alpha
		}
		if err := linalg.Solve(l, x, m, n, from, pause); err != nil {
			return nil, err
		}
		for i := range m {
			copy(s[i*m+from:i*m+from+n], x[i*n:])
		}
	}
	if err := yield.At(total, total); err != nil {
		return nil, err
	}
	for i := range m { // rounding differs between the two triangles
		for j := range i {
			s[j*m+i] = s[i*m+j]
		}
	}
	return s, nil
}

// columns is how many columns of S are summed at a time.
const columns = 64

// Series returns the sum of that number of terms. Each row keeps its top largest entries, not
// rescaled, so the result is not symmetric. Among entries that agree to 12 digits the lower column
// comes first. The error of an entry is below (1 - alpha)^terms: 1.5e-6 for alpha 0.2 and 60 terms.
// The cost is terms nnz(P) m multiply-adds. Errors are those of yield.
func Series(p *multiplex.CSR, alpha float64, terms, top int, yield pause.Yield) (*multiplex.CSR, error) {
	m := p.Rows
	value := make([]float64, p.NNZ())
	for k := range value {
		value[k] = 1 - alpha
		if p.Value != nil {
			value[k] = float64((1 - alpha) * p.Value[k])
		}
	}
	s := &multiplex.CSR{Rows: m, Cols: m, Start: make([]int32, 1, m+1)}
	row, order := make([]float64, m), make([]int, m)
	for from := 0; from < m; from += columns {
		width := min(columns, m-from)
		sum, err := series(p, value, alpha, terms, from, width, yield)
		if err != nil {
			return nil, err
		}
		for j := range width { // P is symmetric: column j is row j
			for i := range m {
				row[i], order[i] = sum[i*width+j], i
			}
			for _, i := range largest(order, row, top) {
				s.Index, s.Value = append(s.Index, int32(i)), append(s.Value, row[i])
			}
			s.Start = append(s.Start, int32(len(s.Index)))
		}
	}
	return s, nil
}

// series returns columns from on of the sum, m x width; value holds the entries of (1 - alpha) P.
func series(p *multiplex.CSR, value []float64, alpha float64, terms, from, width int, yield pause.Yield) ([]float64, error) {
	n := p.Rows * width
	sum, term, next := make([]float64, n), make([]float64, n), make([]float64, n)
	for j := range width {
		term[(from+j)*width+j] = alpha
	}
	copy(sum, term)
	for k := range terms - 1 {
		kernel.SparseMul(next, p.Start, p.Index, value, term, width)
		term, next = next, term
		kernel.Add(sum, term)
		if err := yield.At(from*terms+width*(k+1), p.Rows*terms); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// largest returns the columns of the largest positive entries, ascending. It orders the list anew.
func largest(order []int, row []float64, top int) []int {
	digits := func(v float64) uint64 { return (math.Float64bits(v) + 1<<11) >> 12 } // v >= 0: the order of the bits
	slices.SortFunc(order, func(a, b int) int {
		x, y := digits(row[a]), digits(row[b])
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return a - b
	})
	kept := order[:min(top, len(order))]
	slices.Sort(kept)
	return slices.DeleteFunc(kept, func(i int) bool { return row[i] == 0 })
}
