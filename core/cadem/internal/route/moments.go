package route

import (
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/multiplex"
)

// moments of one layer, in double precision: the value is a difference of large sums.
type moments struct {
	gram  []float64 // F x F: Z'Z
	ones  []float64 // F: Z'1
	zs    []float64 // F x d: Z'S
	s1    []float64 // d: S'1
	norm  float64   // |S|^2
	u, gu []float64 // F x d: scratch
	m     int
	bias  []float64 // d: in double precision
}

func newMoments[T kernel.Float](z *multiplex.Propagation[T], d int) *moments {
	f := z.F
	q := &moments{gram: make([]float64, f*f), ones: make([]float64, f), zs: make([]float64, f*d), s1: make([]float64, d),
		u: make([]float64, f*d), gu: make([]float64, f*d), m: z.M, bias: make([]float64, d)}
	z.Gram(q.gram)
	sum := make([]T, f)
	z.Pool(sum, nil)
	kernel.Widen(q.ones, sum)
	return q
}

// retarget takes the moments with a new S (M x d); zs (F x d) is scratch.
func retarget[T kernel.Float](q *moments, z *multiplex.Propagation[T], s, zs []T) {
	d := len(q.s1)
	z.MulTrans(zs, s, d)
	kernel.Widen(q.zs, zs)
	clear(q.s1)
	q.norm = 0
	for i := range z.M {
		for k, v := range s[i*d : i*d+d] {
			x := float64(v)
			q.s1[k] += x
			q.norm += float64(x * x)
		}
	}
}

// match computes Match of a [Consensus], for the layer of these moments:
//
//	|C - S|^2 = tr U'Z'Z U + 2 b'U'Z'1 + M |b|^2 - 2 tr U'Z'S - 2 b'S'1 + |S|^2
//	dU = 2 (Z'Z U + Z'1 b' - Z'S),   db = 2 (U'Z'1 + M b - S'1)
func match[T kernel.Float](q *moments, u, b, du, db []T, weight float64) float64 {
	d := len(b)
	f := len(u) / d
	kernel.Widen(q.u, u)
	kernel.Widen(q.bias, b)
	kernel.Mul(q.gu, q.gram, q.u, f, f, d)
	sum := q.norm
	for k, b := range q.bias {
		zu := 0.0 // entry k of U'Z'1
		for i := range f {
			u := q.u[i*d+k]
			zu += float64(q.ones[i] * u)
			sum += float64(u*q.gu[i*d+k]) - float64(2*float64(u*q.zs[i*d+k]))
			g := q.gu[i*d+k] + float64(q.ones[i]*b) - q.zs[i*d+k]
			du[i*d+k] = T(2 * weight * g)
		}
		mb := float64(float64(q.m) * b)
		sum += float64(2*float64(zu*b)) + float64(mb*b) - float64(2*float64(b*q.s1[k]))
		db[k] += T(2 * weight * (zu + mb - q.s1[k]))
	}
	return sum
}

// mixed computes S over the nodes and matches some layers through moments.
type mixed[T kernel.Float] struct {
	Consensus[T]                                                         // over the nodes
	matches      []func(l int, u, b, du, db []T, weight float64) float64 // Match of every layer
	through      []through[T]
}

// through is a layer that is matched through moments.
type through[T kernel.Float] struct {
	layer   int
	moments *moments
	z       *multiplex.Propagation[T]
	zs      []T // F x d: scratch
}

func newMixed[T kernel.Float](z []*multiplex.Propagation[T], d int, gainful []bool, nodes Consensus[T]) Consensus[T] {
	if !slices.Contains(gainful, true) {
		return nodes
	}
	q := &mixed[T]{Consensus: nodes}
	for l, z := range z {
		q.matches = append(q.matches, nodes.Match)
		if gainful[l] {
			m := newMoments(z, d)
			q.matches[l] = func(_ int, u, b, du, db []T, weight float64) float64 { return match(m, u, b, du, db, weight) }
			q.through = append(q.through, through[T]{l, m, z, make([]T, z.F*d)})
		}
	}
	return q
}

func (q *mixed[T]) Update(u [][]T) {
	q.Consensus.Update(u)
	q.retarget()
}

func (q *mixed[T]) retarget() {
	s := q.Target()
	for _, t := range q.through {
		retarget(t.moments, t.z, s, t.zs)
	}
}

func (q *mixed[T]) Match(l int, u, b, du, db []T, weight float64) float64 {
	return q.matches[l](l, u, b, du, db, weight)
}

func (q *mixed[T]) Restore(rank int, computed bool) {
	q.Consensus.Restore(rank, computed)
	q.retarget()
}

func (q *mixed[T]) Notes() (consensus string, layers []string) {
	consensus, layers = q.Consensus.Notes()
	for _, t := range q.through {
		layers[t.layer] = throughMoments
	}
	return consensus, layers
}

const throughMoments = "matching goes through moments"
