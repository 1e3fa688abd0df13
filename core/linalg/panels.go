package linalg

import (
	"cadem/core/kernel"
	"cadem/core/pause"
)

// A Sum is a symmetric matrix A - L R' of n rows, A sparse. L and R have few columns.
type Sum struct {
	Start, Index []int32
	Value        []float64
	Left, Right  []float64 // n x columns, row by row
	Columns      int
	Near         []float32 // n x any: what is near the vectors looked for, to begin with
	// Rough is the residual at which a vector is accepted anyway, as a share of its own modulus: 0 for one that is to be an eigenvector.
	Rough float64
}

// Large is the largest number of rows of a matrix that is filtered in double precision.
const Large = 4096

const (
	panel       = 8   // columns that are filtered together, so that they stay in the cache
	growthRough = 1e5 // is growth in single precision
	lowRough    = 1.8 // of the root of the mean square is below what is looked for in noise, which ends at twice that
	firstRough  = 10  // is first
	stepsRough  = 32  // is steps
)

// Panels filter in single precision, a few columns at a time. The columns only have to span the wanted eigenvectors together; they are
// made orthonormal, and turned to eigenvectors, in double precision.
//
// A step of the recurrence, 2/a (A - L R') y - x, is one product with a sparse matrix: row i of [2/a A, -1, -2/a L] times y, x and R'y
// below each other. The result overwrites x, each row of which is read for this row alone. So y and x swap with every step.
type panels struct {
	n, columns int
	of         *Sum
	start      []int32
	index      [2][]int32 // with y first, and with x first
	value, b   []float32
	right      []float32
	pause      pause.Work
}

func newPanels(of *Sum, pause pause.Work) *panels {
	n := len(of.Start) - 1
	p := &panels{n: n, columns: of.Columns, of: of, start: make([]int32, n+1), right: make([]float32, len(of.Right)), pause: pause}
	kernel.Round(p.right, of.Right)
	size := len(of.Index) + n*(1+of.Columns)
	p.value, p.b = make([]float32, size), make([]float32, (2*n+of.Columns)*panel)
	for turn := range p.index {
		list := make([]int32, 0, size)
		for i := range n {
			for _, j := range of.Index[of.Start[i]:of.Start[i+1]] {
				list = append(list, j+int32(turn*n))
			}
			list = append(list, int32(i+(1-turn)*n))
			for c := range of.Columns {
				list = append(list, int32(2*n+c))
			}
			p.start[i+1] = int32(len(list))
		}
		p.index[turn] = list
	}
	return p
}

// filter sets the columns of x to T(A / a) of them, T the Chebyshev polynomial of that degree; y is A x.
func (p *panels) filter(x, y []float64, c int, a float64, degree int) error {
	scale, at := 2/a, 0
	for i := range p.n {
		for _, v := range p.of.Value[p.of.Start[i]:p.of.Start[i+1]] {
			p.value[at] = float32(scale * v)
			at++
		}
		p.value[at] = -1
		at++
		for _, v := range p.of.Left[i*p.columns : (i+1)*p.columns] {
			p.value[at] = float32(-scale * v)
			at++
		}
	}
	for from := 0; from < c; from += panel {
		d := min(panel, c-from)
		half := p.n * d
		for i := range p.n {
			for k := range d {
				p.b[i*d+k] = float32(y[i*c+from+k] / a)
				p.b[half+i*d+k] = float32(x[i*c+from+k])
			}
		}
		turn := 0
		for range degree - 1 {
			if err := p.step(turn, d); err != nil {
				return err
			}
			turn = 1 - turn
		}
		for i := range p.n {
			for k := range d {
				x[i*c+from+k] = float64(p.b[turn*half+i*d+k])
			}
		}
	}
	return nil
}

// step is one of the recurrence, of count columns: y is the half of this turn, x the other one.
func (p *panels) step(turn, columns int) error {
	const rows = 1024
	d, half := columns, p.n*columns
	y, x, below := p.b[turn*half:(turn+1)*half], p.b[(1-turn)*half:(2-turn)*half], p.b[2*half:2*half+p.columns*d]
	clear(below)
	for from := 0; from < p.n && p.columns > 0; from += rows {
		to := min(from+rows, p.n)
		kernel.AddMulTrans(below, p.right[from*p.columns:to*p.columns], y[from*d:to*d], to-from, p.columns, d)
	}
	for from := 0; from < p.n; from += rows {
		to := min(from+rows, p.n)
		end := p.start[to]
		kernel.SparseMul(x[from*d:to*d], p.start[from:to+1], p.index[turn][:end], p.value[:end], p.b[:2*half+p.columns*d], d)
		if err := p.pause.After(int(end-p.start[from]) * d); err != nil {
			return err
		}
	}
	return nil
}
