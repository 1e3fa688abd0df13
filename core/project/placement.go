package project

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
)

// A Placement puts points beside those of a sample that were laid out on the plane, where all are too many for that: each between the
// places of the three points of the sample that are nearest to it in the embedding, the nearer the more.
type Placement struct {
	Sample []int // which points are laid out, rising

	n      int
	others []int     // all other points, rising
	near   []int32   // of each, the places in Sample of the three nearest
	weight []float64 // of each of these; they add up to 1
}

// neighbours is the number of points of the sample that another one is put between.
const neighbours = 3

// NewPlacement draws a sample of at most most of the rows of x (n x d), 4 or more, and looks for the nearest of it to every other row. Its time grows
// with n times most times d; it calls wait between its parts and ends with its error. The other error is a [*diag.Error] for a value that is not
// finite in single precision.
func NewPlacement(x *mat.Dense, most int, seed uint64, wait pause.Work) (*Placement, error) {
	n, d := x.Dims()
	ErrShape.Unless(most > neighbours)
	for i := range n {
		if err := finite(i, x.RawRowView(i)); err != nil {
			return nil, err
		}
	}
	p := &Placement{n: n, Sample: make([]int, min(n, most))}
	rng.New(seed, "placement").Sample(p.Sample, n)
	slices.Sort(p.Sample)
	for i, k := 0, 0; i < n; i++ {
		if k < len(p.Sample) && p.Sample[k] == i {
			k++
		} else {
			p.others = append(p.others, i)
		}
	}
	s := len(p.Sample)
	columns, squares := make([]float64, d*s), make([]float64, s)
	for k, i := range p.Sample {
		for j, v := range x.RawRowView(i) {
			columns[j*s+k] = v
			squares[k] += float64(v * v)
		}
	}
	const together = 64
	rows, products := make([]float64, together*d), make([]float64, together*s)
	for from := 0; from < len(p.others); from += together {
		part := p.others[from:min(from+together, len(p.others))]
		for r, i := range part {
			copy(rows[r*d:(r+1)*d], x.RawRowView(i))
		}
		kernel.Mul(products[:len(part)*s], rows[:len(part)*d], columns, len(part), d, s)
		for r := range part {
			p.nearest(x, rows[r*d:(r+1)*d], products[r*s:(r+1)*s], squares)
		}
		if err := wait.After(len(part) * s * (d + 1)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// nearest appends the nearest points of the sample to a row, and their weights, given its products with theirs and their squares.
func (p *Placement) nearest(x *mat.Dense, row, products, squares []float64) {
	best, least := [neighbours]int32{}, [neighbours]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	for k, v := range products {
		far := squares[k] - float64(2*v) // and the square of the row, which is the same for all
		if far >= least[neighbours-1] {
			continue
		}
		at := neighbours - 1
		for ; at > 0 && far < least[at-1]; at-- {
			best[at], least[at] = best[at-1], least[at-1]
		}
		best[at], least[at] = int32(k), far
	}
	var weight [neighbours]float64
	sum := 0.0
	for c, k := range best {
		far := 0.0
		for j, v := range x.RawRowView(p.Sample[k]) {
			far += float64((v - row[j]) * (v - row[j]))
		}
		if far < math.SmallestNonzeroFloat32 { // in one place
			weight, sum = [neighbours]float64{}, 1
			weight[c] = 1
			break
		}
		weight[c] = 1 / far
		sum += weight[c]
	}
	p.near = append(p.near, best[:]...)
	for _, w := range weight {
		p.weight = append(p.weight, w/sum)
	}
}

// All returns the places of all points, x and y of point after point, for those of the sample: xy itself where these are all.
func (p *Placement) All(xy []float32) []float32 {
	ErrShape.Unless(len(xy) == 2*len(p.Sample))
	if p.others == nil {
		return xy
	}
	all := make([]float32, 2*p.n)
	for k, i := range p.Sample {
		copy(all[2*i:2*i+2], xy[2*k:2*k+2])
	}
	for r, i := range p.others {
		var at [2]float64
		for c := range neighbours {
			k, w := p.near[neighbours*r+c], p.weight[neighbours*r+c]
			at[0] += float64(w * float64(xy[2*k]))
			at[1] += float64(w * float64(xy[2*k+1]))
		}
		all[2*i], all[2*i+1] = float32(at[0]), float32(at[1])
	}
	return all
}
