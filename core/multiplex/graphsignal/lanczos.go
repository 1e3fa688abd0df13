package graphsignal

import (
	"math"

	"cadem.example/core/base/kernel"
)

// lanczos builds an orthonormal basis, at most steps vectors, of the span of v, Av, A²v, ..., and
// the tridiagonal matrix of A in it, by its diagonal and subdiagonal. Every vector is made
// orthogonal to all before it, twice: without that, the basis loses its orthogonality as soon as an
// eigenvalue is found, and wide-band filters come out wrong.
func lanczos(a Operator, v []float64, steps int) (basis [][]float64, diagonal, below []float64) {
	norm := Norm(v)
	if norm == 0 {
		return nil, nil, nil
	}
	next := make([]float64, len(v))
	Add(next, 1/norm, v)
	largest := 0.0
	for len(basis) < min(steps, len(v)) {
		q := next
		basis = append(basis, q)
		next = make([]float64, len(v))
		a(next, q)
		d := Dot(q, next)
		diagonal = append(diagonal, d)
		along := Dot(basis[0], next)
		for range 2 {
			for k, b := range basis {
				along = addDot(next, -along, b, basis[(k+1)%len(basis)])
			}
		}
		rest := Norm(next)
		largest = max(largest, math.Abs(d), rest)
		if rest <= 1e-13*largest {
			return basis, diagonal, below // the space is invariant: nothing is missing
		}
		below = append(below, rest)
		Scale(1/rest, next)
	}
	return basis, diagonal, below[:len(basis)-1]
}

// Filter sets dst = f(A) v, both of one value a node, from a Krylov space of at most steps dimensions, which is
// exact when steps reaches the number of nodes; a filter that is smooth over the
// spectrum needs far fewer.
func Filter(dst []float64, a Operator, v []float64, steps int, f func(eigenvalue float64) float64) {
	ErrShape.Unless(len(dst) == len(v))
	basis, diagonal, below := lanczos(a, v, steps)
	clear(dst)
	m := len(basis)
	vectors := make([]float64, m*m) // row k: the coordinates of basis vector k
	for i := range m {
		vectors[i*m+i] = 1
	}
	eigenTridiagonal(diagonal, below, vectors)
	norm := Norm(v)
	weight := make([]float64, m)
	for j, value := range diagonal {
		weight[j] = float64(norm*f(value)) * vectors[j]
	}
	for k, b := range basis {
		Add(dst, Dot(vectors[k*m:(k+1)*m], weight), b)
	}
}

// eigenTridiagonal replaces the diagonal of a symmetric tridiagonal matrix by its
// eigenvalues, in no order, and multiplies vectors, n x n or nil, by the matrix whose
// columns are the eigenvectors: implicit QL with Wilkinson's shift. Below is lost.
func eigenTridiagonal(diagonal, below, vectors []float64) {
	n := len(diagonal)
	e := append(below, 0)
	for l := range n {
		for {
			m := l
			for ; m < n-1; m++ {
				scale := math.Abs(diagonal[m]) + math.Abs(diagonal[m+1])
				if math.Abs(e[m]) <= 1.1102230246251565e-16*scale {
					break
				}
			}
			if m == l {
				break
			}
			g := (diagonal[l+1] - diagonal[l]) / (2 * e[l])
			g = diagonal[m] - diagonal[l] + e[l]/(g+math.Copysign(hypot(g, 1), g))
			s, c, p := 1.0, 1.0, 0.0
			i := m - 1
			for ; i >= l; i-- {
				f, b := float64(s*e[i]), float64(c*e[i])
				r := hypot(f, g)
				e[i+1] = r
				if r == 0 { // the matrix has fallen apart: take up what is left
					diagonal[i+1] -= p
					e[m] = 0
					break
				}
				s, c = f/r, g/r
				g = diagonal[i+1] - p
				r = float64((diagonal[i]-g)*s) + float64(2*float64(c*b))
				p = float64(s * r)
				diagonal[i+1] = g + p
				g = float64(c*r) - b
				for k := 0; k < len(vectors); k += n {
					x, y := vectors[k+i], vectors[k+i+1]
					vectors[k+i+1] = float64(s*x) + float64(c*y)
					vectors[k+i] = float64(c*x) - float64(s*y)
				}
			}
			if i < l {
				diagonal[l] -= p
				e[l] = g
				e[m] = 0
			}
		}
	}
}

func hypot(a, b float64) float64 { return math.Sqrt(float64(a*a) + float64(b*b)) }

// Wavelet is the band-pass filter u exp(-u²) of the wavelet atoms.
func Wavelet(u float64) float64 { return float64(u * kernel.Exp(-float64(u*u))) }
