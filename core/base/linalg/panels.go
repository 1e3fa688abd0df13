package linalg

import (
	"math"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
)

// A Sum is a symmetric matrix A - L R' of n rows, A sparse. L and R have few columns.
type Sum struct {
	Start, Index []int32
	Value        []float64
	Left, Right  []float64 // n x columns, row by row
	Columns      int
	Near         []float32  // n x any: what is near the vectors looked for, to begin with
	Workspace    *Workspace // if any
	// Rough is the residual at which a vector is accepted anyway, as a share of its own modulus: 0 for one that is to be an eigenvector.
	Rough float64
}

// A Workspace is memory that one problem after another takes. The zero value is ready.
type Workspace struct {
	blocks [3][]float64
	panels panels
}

// take returns three blocks of as many numbers, whatever they hold.
func (r *Workspace) take(size int) (x, y, z []float64) {
	for i := range r.blocks {
		if cap(r.blocks[i]) < size {
			r.blocks[i] = make([]float64, size)
		}
		r.blocks[i] = r.blocks[i][:size]
	}
	return r.blocks[0], r.blocks[1], r.blocks[2]
}

// Large is the largest number of rows of a matrix that is filtered in double precision.
const Large = 4096

const (
	panel       = 32   // columns that are filtered together
	growthRough = 1e5  // is growth in single precision
	lowRough    = 1.8  // of the root of the mean square is below what is looked for in noise, which ends at twice that
	firstRough  = 10   // is first
	stepsRough  = 48   // is steps
	settledOff  = 1e-2 // of the tolerance: the residual of an eigenvector that is not filtered further
)

// Panels filter in single precision, some columns at a time. The columns only have to span the wanted eigenvectors together; they are
// made orthonormal, and turned to eigenvectors, in double precision.
//
// Both ends of the spectrum are looked for, each in columns of its own: a column of both would need the whole filter to separate them. For
// the upper end the polynomial is up to 1 from the lower end to what is looked for.
//
// A step of the recurrence, 2/h (A - m - L R') y - x, where m and h are the middle and half of the interval, is one product with a sparse matrix:
// row i of [2/h (A - m), -1, -2/h L] times y, x and R'y below each other. The result overwrites x, each row of which is read for this row alone.
// So y and x swap with every step.
//
// Eigenvectors U that are settled, of eigenvalues t, are not filtered, nor do they come back in other columns: U diag(t) U' counts as a part of
// L R'. The degree is bounded by what grows most, and without them it is far higher.
type panels struct {
	n, columns int // columns of L and R, with U
	of         *Sum
	start      []int32
	index      [2][]int32 // with y first, and with x first
	value, b   []float32
	right      []float32
	pause      pause.Work
}

func (r *Workspace) panelsOf(of *Sum, pause pause.Work) *panels {
	p, n := &r.panels, len(of.Start)-1
	p.n, p.of, p.pause, p.start = n, of, pause, slices.Grow(p.start[:0], n+1)[:n+1]
	p.start[0] = 0
	return p
}

// prepare sets up the recurrence on an interval but for its middle, without the first columns of x, of c each row.
func (p *panels) prepare(x, theta []float64, c, settled int, half float64) {
	scale := 2 / half
	p.columns = p.of.Columns + settled
	size := len(p.of.Index) + p.n*(2+p.columns)
	p.value, p.right = slices.Grow(p.value[:0], size), slices.Grow(p.right[:0], p.n*p.columns)
	for turn := range p.index {
		p.index[turn] = slices.Grow(p.index[turn][:0], size)
	}
	for i := range p.n {
		from, to, low := p.of.Start[i], p.of.Start[i+1], i*p.of.Columns
		for _, v := range p.of.Value[from:to] {
			p.value = append(p.value, float32(scale*v))
		}
		p.value = append(p.value, 0, -1)
		for k, v := range p.of.Left[low : low+p.of.Columns] {
			p.value, p.right = append(p.value, float32(-scale*v)), append(p.right, float32(p.of.Right[low+k]))
		}
		for k, v := range x[i*c : i*c+settled] {
			p.value, p.right = append(p.value, float32(-scale*float64(theta[k]*v))), append(p.right, float32(v))
		}
		for turn, list := range p.index {
			for _, j := range p.of.Index[from:to] {
				list = append(list, j+int32(turn*p.n))
			}
			list = append(list, int32(i+turn*p.n), int32(i+(1-turn)*p.n))
			for k := range p.columns {
				list = append(list, int32(2*p.n+k))
			}
			p.index[turn] = list
		}
		p.start[i+1] = int32(len(p.value))
	}
}

// filter sets the columns of x to a polynomial of A, of that degree, times them, but for the first ones, which are settled; y is A x. At the upper end
// of the spectrum, where the sign of the eigenvalues theta says that a column is, the polynomial is up to 1 at the middle, half an interval
// around it; the lower end is the upper one of -A.
func (p *panels) filter(x, y, theta []float64, c, settled int, middle, half float64, degree int) error {
	p.prepare(x, theta, c, settled, half)
	for _, sign := range [...]float64{1, -1} {
		for i := range p.n {
			p.value[int(p.start[i+1])-p.columns-2] = float32(-2 / half * sign * middle)
		}
		var columns []int
		for k, v := range theta {
			if k >= settled && math.Copysign(1, v) == sign {
				columns = append(columns, k)
			}
		}
		for ; len(columns) > 0; columns = columns[min(panel, len(columns)):] {
			if err := p.recur(x, y, c, columns[:min(panel, len(columns))], sign*middle, half, degree); err != nil {
				return err
			}
		}
	}
	return nil
}

// recur filters some columns.
func (p *panels) recur(x, y []float64, c int, columns []int, middle, half float64, degree int) error {
	d := (len(columns) + 7) &^ 7 // of which the kernels take eight at a time; the others are 0
	if size := (2*p.n + p.columns) * d; len(p.b) < size {
		p.b = make([]float32, size)
	}
	size := p.n * d
	clear(p.b[:2*size])
	for i := range p.n {
		for k, at := range columns {
			v := x[i*c+at]
			p.b[i*d+k] = float32((y[i*c+at] - float64(middle*v)) / half)
			p.b[size+i*d+k] = float32(v)
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
		for k, at := range columns {
			x[i*c+at] = float64(p.b[turn*size+i*d+k])
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
