package evidence

import (
	"math"

	"cadem.example/core/base/kernel"
)

// Step 6: which layers carry each shared direction.

// A Profile is the share of each layer in each shared direction, in the axes X in which layers agree best.
type Profile struct {
	Matrices []Matrix    // V'U_l U_l'V
	X        Matrix      // the joint diagonaliser, orthogonal
	Share    [][]float64 // a_lk, by layer: the diagonal of X'V'U_l U_l'V X
}

// NewProfile takes V and the U_l in the same coordinates.
func NewProfile(v Matrix, u []Matrix) *Profile {
	p := &Profile{}
	for _, ul := range u {
		c := NewMatrix(ul.Cols, v.Cols)
		if ul.Cols > 0 {
			c, _ = ul.transTimes(v, nil)
		}
		a, _ := c.transTimes(c, nil)
		p.Matrices = append(p.Matrices, a)
	}
	p.X = Joint(p.Matrices)
	for _, a := range p.Matrices {
		p.Share = append(p.Share, Diagonal(a, p.X))
	}
	return p
}

// Carries reports whether layer l carries direction k.
func (p *Profile) Carries(l, k int) bool { return p.Share[l][k] > .5 }

// Diagonal returns the diagonal of X'AX, as many numbers as X (n x d) has columns; A is n x n.
func Diagonal(a, x Matrix) []float64 {
	ax, _ := a.times(x, nil)
	out := make([]float64, x.Cols)
	for i, v := range ax.Data {
		out[i%x.Cols] += float64(v * x.Data[i])
	}
	return out
}

// Joint returns the orthogonal X that makes all X'A_l X as diagonal as possible, by Jacobi angles (Cardoso and Souloumiac
// 1996). The angle of p and q is that of the leading eigenvector of the sum of h h', h = (a_pp - a_qq, 2 a_pq).
func Joint(matrices []Matrix) Matrix {
	n := 0
	var work []Matrix
	for _, a := range matrices {
		n = a.Rows
		work = append(work, Matrix{n, n, append([]float64{}, a.Data...)})
	}
	x := NewMatrix(n, n)
	for i := range n {
		x.Data[i*n+i] = 1
	}
	const most, small = 100, 1e-10
	for turned, round := true, 0; turned && round < most; round++ {
		turned = false
		for p := range n {
			for q := p + 1; q < n; q++ {
				var square, product float64
				for _, a := range work {
					h, g := a.Data[p*n+p]-a.Data[q*n+q], 2*a.Data[p*n+q]
					square += float64(h*h) - float64(g*g)
					product += float64(h * g)
				}
				angle := kernel.Atan2(2*product, square) / 4
				c, s := kernel.Cos(angle), kernel.Sin(angle)
				if math.Abs(s) < small {
					continue
				}
				turned = true
				for _, a := range work {
					rotateColumns(a, p, q, c, s)
					for k := range n {
						y, z := a.Data[p*n+k], a.Data[q*n+k]
						a.Data[p*n+k], a.Data[q*n+k] = float64(c*y)+float64(s*z), float64(c*z)-float64(s*y)
					}
				}
				rotateColumns(x, p, q, c, s)
			}
		}
	}
	return x
}

func rotateColumns(a Matrix, p, q int, c, s float64) {
	for i := range a.Rows {
		row := a.Row(i)
		row[p], row[q] = float64(c*row[p])+float64(s*row[q]), float64(c*row[q])-float64(s*row[p])
	}
}
