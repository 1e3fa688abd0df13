package linalg

import "math"

// Completion says what fills the directions of S without a singular value.
type Completion int

const (
	NoCompletion Completion = iota // nothing: S = scale L_r R_r'
	Centred                        // directions orthogonal to the ones vector: S'1 stays 0
	Arbitrary                      // any directions, as rounding noise fills them
)

// A Filling is what completes missing directions, in any orthonormal coordinates of a space
// that holds it.
type Filling struct {
	Nodes   int       // dimensions of the whole space
	Ones    []float64 // coordinates of the vector of ones
	Draw    []float64 // of the directions drawn: one a column, d columns
	Centred bool      // whether they are made orthogonal to the vector of ones
}

// NewFilling returns the filling of matrices of m x d by the directions that draw fills in (m x d), in the
// coordinates of the nodes; nil for NoCompletion.
func NewFilling(c Completion, m, d int, draw func(x []float64)) *Filling {
	if c == NoCompletion {
		return nil
	}
	f := &Filling{m, make([]float64, m), make([]float64, m*d), c == Centred}
	for i := range f.Ones {
		f.Ones[i] = 1
	}
	draw(f.Draw)
	return f
}

// room returns how many directions S can have in all: there are no more than nodes of them,
// one fewer when they are orthogonal to the ones vector.
func (f *Filling) room() int {
	switch {
	case f == nil:
		return 0
	case f.Centred:
		return f.Nodes - 1
	}
	return f.Nodes
}

// rightVectors replaces so many columns of v after Rank, which span the null space but depend on
// rounding, by vectors determined by it: repeatedly the column of its projector with the largest
// diagonal entry.
func (p *Polar) rightVectors(count int) {
	d := p.d
	for i := range d {
		for j := range d {
			sum := 0.0
			for _, n := range p.order[:p.Rank] {
				sum += float64(p.v[n*d+i] * p.v[n*d+j])
			}
			p.rest[i*d+j] = -sum
		}
		p.rest[i*d+i]++
	}
	for _, n := range p.order[p.Rank : p.Rank+count] {
		top := 0
		for k := range d {
			if p.rest[k*d+k] > p.rest[top*d+top] {
				top = k
			}
		}
		root := math.Sqrt(p.rest[top*d+top])
		for k := range d {
			p.v[n*d+k] = p.rest[k*d+top] / root
		}
		for i := range d {
			for j := range d {
				p.rest[i*d+j] -= float64(p.v[n*d+i] * p.v[n*d+j])
			}
		}
	}
}

// complete fills the columns of u after Rank, as many as there is room for, with the directions drawn,
// made orthogonal to those before by Gram-Schmidt, twice against cancellation.
func (p *Polar) complete(f *Filling) {
	d := p.d
	count := min(d, f.room()) - p.Rank
	if count <= 0 {
		return
	}
	p.rightVectors(count)
	dot := func(a []float64, j, width, n int) float64 { // of column j of a and column n of u
		sum := 0.0
		for i := range p.m {
			sum += float64(a[i*width+j] * p.u[i*d+n])
		}
		return sum
	}
	for n := p.Rank; n < p.Rank+count; n++ {
		for i := range p.m {
			p.u[i*d+n] = f.Draw[i*d+n-p.Rank]
		}
		for range 2 {
			if f.Centred {
				mean := dot(f.Ones, 0, 1, n) / float64(f.Nodes)
				for i := range p.m {
					p.u[i*d+n] -= float64(mean * f.Ones[i])
				}
			}
			for q := range n {
				along := dot(p.u, q, d, n)
				for i := range p.m {
					p.u[i*d+n] -= float64(along * p.u[i*d+q])
				}
			}
			norm := math.Sqrt(dot(p.u, n, d, n))
			for i := range p.m {
				p.u[i*d+n] /= norm
			}
		}
	}
}
