package evidence

import (
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
)

// A Pool is a set U of layers as one operator,
//
//	D_U = sum d_l + mean(sum d_l)                                     regularised degrees
//	L_U = D_U^-1/2 [sum_l (A_l - d_l d_l' / 2m_l)] D_U^-1/2
//
// L_U is known by its products.
type Pool struct {
	D    []float64 // regularised degrees, one a node
	Sum  float64   // of D
	Root []float64 // D^1/2

	q     []float64     // D^-1/2
	a     multiplex.CSR // the sum of all D^-1/2 A_l D^-1/2, where links of several layers come several times
	known Matrix        // a column for each layer: D^-1/2 d_l / sqrt(2m_l)

	memory *memory // of the layers, and which these are
	places []int
}

// NewPool returns the pool of some layers.
func NewPool(layers ...*Layer) *Pool {
	m := layers[0].M()
	p := &Pool{D: make([]float64, m), Root: make([]float64, m), q: make([]float64, m), known: NewMatrix(m, len(layers))}
	mean := 0.0
	p.memory = layers[0].memory
	for _, l := range layers {
		p.places = append(p.places, l.place)
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
	entries := 0
	for _, l := range layers {
		entries += len(l.A.Index)
	}
	p.a = multiplex.CSR{Rows: m, Cols: m, Start: append(make([]int32, 0, m+1), 0), Index: make([]int32, 0, entries), Value: make([]float64, 0, entries)}
	for i := range m {
		for k, l := range layers {
			p.known.Row(i)[k] = p.q[i] * l.Degrees[i] / math.Sqrt(max(l.Twice, 1))
			for _, j := range l.A.Index[l.A.Start[i]:l.A.Start[i+1]] {
				p.a.Index, p.a.Value = append(p.a.Index, j), append(p.a.Value, p.q[i]*p.q[j])
			}
		}
		p.a.Start = append(p.a.Start, int32(len(p.a.Index)))
	}
	return p
}

// multiply sets dst to L_U x.
func (p *Pool) multiply(dst, x Matrix, pause pause.Work) error {
	if err := product(dst, &p.a, x, pause); err != nil {
		return err
	}
	return takeOff(dst, p.known, x, pause)
}

// low returns L and R such that L_U, for x orthogonal to J, is the sparse matrix less L R': the correction for degrees, and J (L_U J)'.
func (p *Pool) low(j Matrix, pause pause.Work) (l, r Matrix, err error) {
	if j.Cols == 0 {
		return p.known, p.known, nil
	}
	y := NewMatrix(j.Rows, j.Cols)
	err = p.multiply(y, j, pause)
	return beside(p.known, j), beside(p.known, y), err
}

// product sets dst to a sparse matrix times x.
func product(dst Matrix, a *multiplex.CSR, x Matrix, pause pause.Work) error {
	c := x.Cols
	return rows(dst.Rows, c*(1+len(a.Index)/dst.Rows), pause, func(from, to int) {
		base, end := a.Start[from], a.Start[to]
		start := make([]int32, to-from+1)
		for i := range start {
			start[i] = a.Start[from+i] - base
		}
		kernel.SparseMul(dst.Data[from*c:to*c], start, a.Index[base:end], a.Value[base:end], x.Data, c)
	})
}

// takeOff takes j j'x off dst.
func takeOff(dst, j, x Matrix, pause pause.Work) error {
	c, err := j.transTimes(x, pause)
	if err != nil {
		return err
	}
	for i, v := range c.Data {
		c.Data[i] = -v
	}
	k, d := j.Cols, x.Cols
	return rows(dst.Rows, k*d, pause, func(from, to int) {
		kernel.AddMul(dst.Data[from*d:to*d], j.Data[from*k:to*k], c.Data, to-from, k, d)
	})
}

// tolerance is the residual, in units of the largest modulus, at which eigenvectors of more than a few hundred nodes, and of thousands, are accepted. It
// is meant for those closest to the noise below them, any of which will do; outstanding ones are many times as exact.
const tolerance, toleranceLarge = 1e-2, 3e-2

// Leading returns at most k eigenvalues of L_U of largest modulus and their eigenvectors, of (1 - J J') L_U (1 - J J') where J
// (M x any, orthonormal) has columns. Fewer come where L_U has lower rank.
func (p *Pool) Leading(k int, j Matrix, pause pause.Work) ([]float64, Matrix, error) {
	return p.leading(k, j, 0, pause)
}

// Roughly is Leading of L_U (M x M) where directions need not be eigenvectors, as features need not: one of thousands of nodes is accepted when it
// is off by half of its eigenvalue. Those that stand out are many times as exact; those of noise, any of which will do, would take most of
// the time.
func (p *Pool) Roughly(k int, pause pause.Work) ([]float64, Matrix, error) {
	const half = 0.5
	return p.leading(k, Matrix{Rows: len(p.D)}, half, pause)
}

func (p *Pool) leading(k int, j Matrix, rough float64, pause pause.Work) ([]float64, Matrix, error) {
	m := len(p.D)
	var scratch Matrix
	mul := func(dst, x []float64, columns int) error {
		to, from := Matrix{m, columns, dst}, Matrix{m, columns, x}
		if j.Cols > 0 {
			if len(scratch.Data) != len(x) {
				scratch = NewMatrix(m, columns)
			}
			copy(scratch.Data, x)
			if err := takeOff(scratch, j, from, pause); err != nil {
				return err
			}
			from = scratch
		}
		if err := p.multiply(to, from, pause); err != nil || j.Cols == 0 {
			return err
		}
		return takeOff(to, j, to, pause)
	}
	left, right, err := p.low(j, pause)
	if err != nil {
		return nil, Matrix{}, err
	}
	sum, off := &linalg.Sum{Start: p.a.Start, Index: p.a.Index, Value: p.a.Value, Left: left.Data, Right: right.Data, Columns: left.Cols, Rough: rough}, tolerance
	if m > linalg.Large {
		sum.Near, sum.Workspace, off = p.memory.near(p, k), p.memory.work(), toleranceLarge
	}
	found, err := p.memory.part(fmt.Sprint("spectrum of ", p.places), func() ([][]float64, error) {
		values, data, err := linalg.ExtremeSum(m, max(0, min(k, m-2)), mul, sum, off, pause)
		return [][]float64{values, data}, err
	})
	if err != nil {
		return nil, Matrix{}, err
	}
	v := Matrix{m, len(found[0]), found[1]}
	if m > linalg.Large {
		p.memory.add(p, v)
	}
	return found[0], v, nil
}

// A memory has functions that were found of sets of layers, for others of the same links to begin with. They are near those of any set
// that these are part of, and so nothing gets into functions of a layer that is not theirs.
type memory struct {
	list    []remembered
	layers  int // of all layers nothing is part
	scratch *linalg.Workspace
	journal *pause.Journal
	done    *int // of the task
}

type remembered struct {
	places []int
	f      []float32
}

// remember gives layers a memory of their own, which shares its scratch with another one.
func remember(layers []*Layer, scratch *linalg.Workspace) {
	m := &memory{layers: len(layers), scratch: scratch}
	for i, l := range layers {
		l.memory, l.place = m, i
	}
}

// forget lets it go, which pools may still know.
func forget(layers []*Layer) {
	for _, l := range layers {
		if l.memory != nil {
			*l.memory = memory{}
		}
		l.memory = nil
	}
}

// work returns the scratch to find functions in.
func (m *memory) work() *linalg.Workspace {
	if m == nil {
		return nil
	}
	return m.scratch
}

// part does a part of a split, unless its journal has it.
func (m *memory) part(name string, do func() ([][]float64, error)) ([][]float64, error) {
	if m == nil {
		return do()
	}
	return m.journal.Do(name, m.done, do)
}

// near returns the known functions of the largest part of a pool, as D^1/2 F, if these are k or more.
func (m *memory) near(p *Pool, k int) []float32 {
	if m == nil {
		return nil
	}
	var best remembered
	for _, r := range m.list {
		other := func(l int) bool { return !slices.Contains(p.places, l) }
		if len(r.places) > len(best.places) && !slices.ContainsFunc(r.places, other) {
			best = r
		}
	}
	if len(best.f) < k*len(p.D) {
		return nil
	}
	x, columns := make([]float32, len(best.f)), len(best.f)/len(p.D)
	for i, v := range best.f {
		x[i] = float32(float64(v) * p.Root[i/columns])
	}
	return x
}

// add remembers eigenvectors of a pool unless it has some already.
func (m *memory) add(p *Pool, v Matrix) {
	if m == nil || len(p.places) == m.layers || slices.ContainsFunc(m.list, func(r remembered) bool { return slices.Equal(r.places, p.places) }) {
		return
	}
	f := make([]float32, len(v.Data))
	for i, x := range v.Data {
		f[i] = float32(x * p.q[i/v.Cols])
	}
	m.list = append(m.list, remembered{p.places, f})
}

// Functions returns the R eigenvalues of L_U of largest modulus, in that order, and func(U, R) = D_U^-1/2 V (M x R), V being their
// eigenvectors. Fewer come where L_U has lower rank.
func (p *Pool) Functions(r int, pause pause.Work) ([]float64, Matrix, error) {
	values, v, err := p.Leading(r, Matrix{}, pause)
	return values, v.scaled(p.q), err
}
