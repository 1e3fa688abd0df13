package linalg

import (
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
)

// columnsAtOnce is the number of columns of a factor that are found at a time, and of rows of a system that
// are solved: the rest are products of matrices.
const columnsAtOnce = 32

// Cholesky replaces the lower triangle of a positive definite matrix of m x m by its Cholesky factor L. Entries above
// the diagonal stay unchanged. The cost is m^3/6 multiply-adds.
func Cholesky(a []float64, m int, wait pause.Work) error {
	const n = columnsAtOnce
	rows, before, taken := make([]float64, n*m), make([]float64, n*m), make([]float64, n*n)
	for from := 0; from < m; from += n {
		width := min(n, m-from)
		for c := range width {
			for k, v := range a[(from+c)*m : (from+c)*m+from] {
				before[k*width+c] = v
			}
		}
		for i := from; i < m; i += n {
			count := min(n, m-i)
			products(taken, a, rows, before, m, i, 0, from, count, width)
			for r := i; r < i+count; r++ {
				row, off := a[r*m+from:r*m+from+width], taken[(r-i)*width:]
				for c := range min(width, r-from+1) {
					s := row[c] - off[c]
					other := a[(from+c)*m+from:]
					for q, v := range row[:c] {
						s -= float64(v * other[q])
					}
					if r == from+c {
						row[c] = math.Sqrt(s)
					} else {
						row[c] = s / other[c]
					}
				}
			}
			if err := wait.After(count * width * (from + width)); err != nil {
				return err
			}
		}
	}
	return nil
}

// products sets taken (count x d) to columns from to end of count rows of l from row i on, times x (end - from x d).
func products(taken, l, rows, x []float64, m, i, from, end, count, d int) {
	h := end - from
	pack(rows, l, m, i, from, end, count)
	kernel.Mul(taken[:count*d], rows[:count*h], x[:h*d], count, h, d)
}

// pack copies columns from to end of that number of rows of l from row i on.
func pack(rows, l []float64, m, i, from, end, count int) {
	h := end - from
	for r := range count {
		copy(rows[r*h:(r+1)*h], l[(i+r)*m+from:(i+r)*m+end])
	}
}

// Solve replaces X (m x d) by the solution Y of L L'Y = X, where X is 0 in the rows before from. The cost is about
// m^2 d multiply-adds.
func Solve(l, x []float64, m, d, from int, wait pause.Work) error {
	const n = columnsAtOnce
	rows, part := make([]float64, n*m), make([]float64, n*d)
	for i := from; i < m; i += n {
		count := min(n, m-i)
		products(part, l, rows, x[from*d:], m, i, from, i, count, d)
		for r := i; r < i+count; r++ {
			row := x[r*d : (r+1)*d]
			for k, v := range part[(r-i)*d : (r-i+1)*d] {
				row[k] -= v
			}
			for q := i; q < r; q++ {
				kernel.AddScaled(row, x[q*d:(q+1)*d], -l[r*m+q])
			}
			divide(row, l[r*m+r])
		}
		if err := wait.After(count * (i - from + count) * d); err != nil {
			return err
		}
	}
	for i := (m - 1) / n * n; i >= 0; i -= n {
		count := min(n, m-i)
		for r := i + count - 1; r >= i; r-- {
			row := x[r*d : (r+1)*d]
			divide(row, l[r*m+r])
			for q := i; q < r; q++ {
				kernel.AddScaled(x[q*d:(q+1)*d], row, -l[r*m+q])
			}
		}
		for k, v := range x[i*d : (i+count)*d] {
			part[k] = -v
		}
		pack(rows, l, m, i, 0, i, count)
		kernel.AddMulTrans(x[:i*d], rows[:count*i], part[:count*d], count, i, d)
		if err := wait.After(count * (i + count) * d); err != nil {
			return err
		}
	}
	return nil
}

// divide divides every number of a row.
func divide(row []float64, by float64) {
	for k := range row {
		row[k] /= by
	}
}
