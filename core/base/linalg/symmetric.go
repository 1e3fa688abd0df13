package linalg

import (
	"cmp"
	"math"
	"slices"

	"cadem.example/core/base/pause"
	"cadem.example/core/base/sorting"
)

// Symmetric replaces a symmetric matrix (n x n) by its eigenvectors, one a row, and returns its eigenvalues,
// rising. Householder reflections make the matrix tridiagonal, and implicit QL steps diagonal (Martin,
// Reinsch and Wilkinson 1968; Bowdler, Martin, Reinsch and Wilkinson 1968). The cost is about 5 n^3 multiply-adds.
func Symmetric(a []float64, n int, pause pause.Work) ([]float64, error) {
	t := newTridiagonal(a, n)
	if err := t.reduce(pause); err != nil {
		return nil, err
	}
	t.accumulate()
	if err := t.diagonalize(a, pause); err != nil {
		return nil, err
	}
	order := sorting.Order(n, func(i, j int) int { return cmp.Compare(t.d[i], t.d[j]) })
	values, rows := make([]float64, n), slices.Clone(a)
	for to, from := range order {
		values[to] = t.d[from]
		copy(a[to*n:(to+1)*n], rows[from*n:(from+1)*n])
	}
	return values, nil
}

// SymmetricValues returns the eigenvalues of a symmetric matrix (n x n), rising; the matrix is lost.
func SymmetricValues(a []float64, n int) []float64 {
	t := newTridiagonal(a, n)
	_ = t.reduce(nil)
	for i := range n {
		t.d[i] = a[i*n+i]
	}
	_ = t.diagonalize(nil, nil)
	slices.Sort(t.d)
	return t.d
}

// A tridiagonal is a symmetric matrix on its way to the diagonal d; e is the off-diagonal.
type tridiagonal struct {
	n    int
	a    []float64 // the matrix, then the reflections, then, row by row, the vectors
	d, e []float64
}

func newTridiagonal(a []float64, n int) *tridiagonal {
	ErrShape.Unless(len(a) == n*n)
	return &tridiagonal{n: n, a: a, d: make([]float64, n), e: make([]float64, n)}
}

// reduce makes the matrix tridiagonal. Only its upper triangle is read.
func (t *tridiagonal) reduce(pause pause.Work) error {
	n, a, d, e := t.n, t.a, t.d, t.e
	for j := range n {
		d[j] = a[j*n+n-1]
	}
	for i := n - 1; i > 0; i-- {
		scale, h := 0.0, 0.0
		for _, x := range d[:i] {
			scale += math.Abs(x)
		}
		if scale == 0 {
			e[i] = d[i-1]
			for j := range i {
				d[j], a[j*n+i], a[i*n+j] = a[j*n+i-1], 0, 0
			}
			d[i] = 0
			continue
		}
		for k, x := range d[:i] {
			d[k] = x / scale
			h += float64(d[k] * d[k])
		}
		f := d[i-1]
		g := -math.Copysign(math.Sqrt(h), f)
		e[i] = scale * g
		h -= float64(f * g)
		d[i-1] = f - g
		clear(e[:i])
		for j := range i {
			f, row := d[j], a[j*n:j*n+i]
			a[i*n+j] = f
			g := e[j] + float64(row[j]*f)
			for k := j + 1; k < i; k++ {
				g += float64(row[k] * d[k])
				e[k] += float64(row[k] * f)
			}
			e[j] = g
		}
		f = 0
		for j := range i {
			e[j] /= h
			f += float64(e[j] * d[j])
		}
		hh := f / (h + h)
		for j := range i {
			e[j] -= float64(hh * d[j])
		}
		for j := range i {
			f, g, row := d[j], e[j], a[j*n:(j+1)*n]
			for k := j; k < i; k++ {
				row[k] -= float64(f*e[k]) + float64(g*d[k])
			}
			d[j], row[i] = row[i-1], 0
		}
		d[i] = h
		if err := pause.After(2 * i * i); err != nil {
			return err
		}
	}
	return nil
}

// accumulate multiplies the reflections out.
func (t *tridiagonal) accumulate() {
	n, a, d := t.n, t.a, t.d
	for i := range n - 1 {
		a[i*n+n-1], a[i*n+i] = a[i*n+i], 1
		if h := d[i+1]; h != 0 {
			v := a[(i+1)*n : (i+1)*n+i+1]
			for k, x := range v {
				d[k] = x / h
			}
			for j := range i + 1 {
				row, g := a[j*n:j*n+i+1], 0.0
				for k, x := range v {
					g += float64(x * row[k])
				}
				for k := range row {
					row[k] -= float64(g * d[k])
				}
			}
		}
		clear(a[(i+1)*n : (i+1)*n+i+1])
	}
	for j := range n {
		d[j], a[j*n+n-1] = a[j*n+n-1], 0
	}
	if n > 0 {
		a[n*n-1] = 1
	}
}

// diagonalize makes what stands beside the diagonal zero; rows, if there are any, turn with it.
func (t *tridiagonal) diagonalize(rows []float64, pause pause.Work) error {
	n, d, e := t.n, t.d, t.e
	if n == 0 {
		return nil
	}
	copy(e, e[1:])
	e[n-1] = 0
	f, size := 0.0, 0.0
	for l := range n {
		size = max(size, math.Abs(d[l])+math.Abs(e[l]))
		m := l
		for m < n-1 && math.Abs(e[m]) > 0x1p-52*size {
			m++
		}
		for round := 0; m > l && round < sweeps; round++ {
			g := d[l]
			p := (d[l+1] - g) / (2 * e[l])
			r := math.Copysign(math.Sqrt(float64(p*p)+1), p)
			d[l], d[l+1] = e[l]/(p+r), float64(e[l]*(p+r))
			next, h := d[l+1], g-d[l]
			for i := l + 2; i < n; i++ {
				d[i] -= h
			}
			f += h
			p = d[m]
			c, c2, c3, beside, s, s2 := 1.0, 1.0, 1.0, e[l+1], 0.0, 0.0
			for i := m - 1; i >= l; i-- {
				c3, c2, s2 = c2, c, s
				g, h := float64(c*e[i]), float64(c*p)
				r := math.Sqrt(float64(p*p) + float64(e[i]*e[i]))
				e[i+1] = s * r
				if r == 0 {
					s, c = 0, 1
				} else {
					s, c = e[i]/r, p/r
				}
				p = float64(c*d[i]) - float64(s*g)
				d[i+1] = h + float64(s*(float64(c*g)+float64(s*d[i])))
				if rows != nil {
					rotate(rows[i*n:(i+1)*n], rows[(i+1)*n:(i+2)*n], c, s)
				}
			}
			if next != 0 {
				p = -s * s2 * c3 * beside * e[l] / next
			}
			e[l], d[l] = float64(s*p), float64(c*p)
			if rows != nil {
				if err := pause.After(4 * (m - l) * n); err != nil {
					return err
				}
			}
			if math.Abs(e[l]) <= 0x1p-52*size {
				break
			}
		}
		d[l] += f
		e[l] = 0
	}
	return nil
}
