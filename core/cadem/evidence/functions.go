package evidence

import (
	"math"

	"cadem/core/kernel"
	"cadem/core/linalg"
	"cadem/core/pause"
)

// A Pool is a set U of layers as one operator,
//
//	D_U = sum d_l + mean(sum d_l)                                     regularised degrees
//	L_U = D_U^-1/2 [sum_l (A_l - d_l d_l' / 2m_l)] D_U^-1/2
//
// L_U is known by its products.
type Pool struct {
	D    []float64 // regularised degrees
	Sum  float64   // of D
	Root []float64 // D^1/2

	layers []*Layer
	q      []float64   // D^-1/2
	t      [][]float64 // of each layer: D^-1/2 d_l / sqrt(2m_l)
}

// NewPool returns the pool of some layers.
func NewPool(layers ...*Layer) *Pool {
	m := layers[0].M()
	p := &Pool{layers: layers, D: make([]float64, m), Root: make([]float64, m), q: make([]float64, m)}
	mean := 0.0
	for _, l := range layers {
		for i, d := range l.Degrees {
			p.D[i] += d
		}
		mean += l.Twice
	}
	mean = max(mean/float64(m), 1e-9) // of a pool without links
	for i := range m {
		p.D[i] += mean
		p.Sum += p.D[i]
		p.Root[i] = math.Sqrt(p.D[i])
		p.q[i] = 1 / p.Root[i]
	}
	for _, l := range layers {
		t, scale := make([]float64, m), math.Sqrt(max(l.Twice, 1))
		for i, d := range l.Degrees {
			t[i] = p.q[i] * d / scale
		}
		p.t = append(p.t, t)
	}
	return p
}

// multiply returns L_U x.
func (p *Pool) multiply(x Matrix, pause pause.Work) (Matrix, error) {
	m, c := x.Rows, x.Cols
	y, out, part := x.scaled(p.q), NewMatrix(m, c), make([]float64, m*c)
	for k, l := range p.layers {
		err := rows(m, c*(1+len(l.A.Index)/m), pause, func(from, to int) {
			links(part[from*c:to*c], l, from, to, p.q[from:to], y.Data, c)
		})
		if err != nil {
			return out, err
		}
		known := x.under(p.t[k])
		for i, t := range p.t[k] {
			row, add := out.Row(i), part[i*c:(i+1)*c]
			for j, v := range known {
				row[j] += add[j] - float64(t*v)
			}
		}
	}
	return out, nil
}

// links sets dst to rows from to to-1 of A_l times x, each times its scale.
func links(dst []float64, l *Layer, from, to int, scale, x []float64, columns int) {
	base := l.A.Start[from]
	start := make([]int32, to-from+1)
	for i := range start {
		start[i] = l.A.Start[from+i] - base
	}
	kernel.PatternMul(dst, start, l.A.Index[base:l.A.Start[to]], scale, x, columns)
}

// tolerance is that of eigenvectors of more than a few hundred nodes: the residual, in units of the largest modulus. It is for those that are
// hardest to tell from the noise below them; what stands out is many times as exact.
const tolerance = 1e-3

// Leading returns at most k eigenvalues of L_U of largest modulus and their eigenvectors, of (1 - J J') L_U (1 - J J') where J
// (M x any, orthonormal) has columns. Fewer come where L_U has lower rank.
func (p *Pool) Leading(k int, j Matrix, pause pause.Work) ([]float64, Matrix, error) {
	m := len(p.D)
	mul := func(dst, x []float64, columns int) error {
		y, err := without(j, Matrix{m, columns, x}, pause)
		if err != nil {
			return err
		}
		if y, err = p.multiply(y, pause); err != nil {
			return err
		}
		y, err = without(j, y, pause)
		copy(dst, y.Data)
		return err
	}
	values, v, err := linalg.Extreme(m, max(0, min(k, m-2)), mul, tolerance, pause)
	return values, Matrix{m, len(values), v}, err
}

// without returns (1 - J J') x.
func without(j, x Matrix, pause pause.Work) (Matrix, error) {
	if j.Cols == 0 {
		return x, nil
	}
	c, err := j.transTimes(x, pause)
	if err != nil {
		return x, err
	}
	y, err := j.times(c, pause)
	for i, v := range x.Data {
		y.Data[i] = v - y.Data[i]
	}
	return y, err
}

// Functions returns func(U, R) = D_U^-1/2 V and the eigenvalues: V are the R eigenvectors of L_U of largest modulus, in that order.
func (p *Pool) Functions(r int, pause pause.Work) ([]float64, Matrix, error) {
	values, v, err := p.Leading(r, Matrix{}, pause)
	return values, v.scaled(p.q), err
}
