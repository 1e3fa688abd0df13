package cadem

import (
	"math"

	"cadem/core/kernel"
	"cadem/core/linalg"
	"cadem/core/multiplex"
)

// A member is one of the multiplex graphs that a run's encoders are fitted to, with all
// that stays constant about it and its own consensus.
type member[T kernel.Float] struct {
	m, d     int
	layers   []memberLayer[T]
	groups   []Group
	offset   []int     // first pooled graph of each group
	hc, hp   []float64 // K x d: pooled embeddings of all groups, each in the order of its batches
	dhc, dhp []float64 // K x d: their gradients
	rank     int       // of the consensus

	factored *factored[T] // the consensus without visiting the nodes; or nil, and what has a row a node:
	s        []T          // M x d: consensus
	c        [][]T        // M x d each: Z U of every layer, without bias, from the last consensus
	known    bool         // c belongs to the present weights
	y        []T          // M x d: scratch
	t        []float64    // M x d: the sum that enters the polar factor
	factor   []float64    // M x d: S before rounding
	polar    *linalg.Polar
	draw     func(x []float64) // directions (M x d) for completion
}

type memberLayer[T kernel.Float] struct {
	z       *multiplex.Propagation[T]
	rows    []pooledRow // pooled graphs cut from this layer
	at      []int32     // their rows of hc and hp
	nodes   []T         // how many nodes each keeps
	pooled  []T         // rows x F: sums of the kept rows of Z
	noise   [2][]T      // rows x d: summed noise of the common and the private embedding
	out     []T         // rows x d: scratch
	extra   []T         // F x d: scratch for the gradient
	moments *moments    // nil when the nodes are visited
}

// A pooledRow is a pooled graph: group and place in it.
type pooledRow struct{ group, k int }

// An input is what a layer's encoders work on: the propagation matrix and the features after
// dropout.
type input struct {
	b *multiplex.Propagator
	x *multiplex.Features
}

func newMember[T kernel.Float](inputs []input, index int, live [][]int32, o *Options, draws Draws) *member[T] {
	d := o.Dim
	it := &member[T]{m: inputs[0].x.Rows, d: d, groups: draws.Groups(index)}
	it.draw = func(x []float64) { draws.Directions(index, x, d) }
	total := 0
	for _, group := range it.groups {
		it.offset = append(it.offset, total)
		total += len(group.Layer)
	}
	it.hc, it.hp = make([]float64, total*d), make([]float64, total*d)
	it.dhc, it.dhp = make([]float64, total*d), make([]float64, total*d)
	place := make([][]int, len(it.groups)) // of every graph in the order of the batches
	for i, group := range it.groups {
		place[i] = make([]int, len(group.Layer))
		next := 0
		for _, batch := range group.Batch {
			for _, k := range batch {
				place[i][k] = next
				next++
			}
		}
	}
	for l, in := range inputs {
		z := multiplex.NewPropagation[T](in.b, in.x, live[l], d)
		q := memberLayer[T]{z: z, extra: make([]T, z.F*d)}
		for i := range it.groups {
			for k, from := range it.groups[i].Layer {
				if from == l {
					count := it.m
					if nodes := it.groups[i].Nodes[k]; nodes != nil {
						count = len(nodes)
					}
					q.rows = append(q.rows, pooledRow{i, k})
					q.at, q.nodes = append(q.at, int32(it.offset[i]+place[i][k])), append(q.nodes, T(count))
				}
			}
		}
		q.pooled, q.out = make([]T, len(q.rows)*z.F), make([]T, len(q.rows)*d)
		q.noise = [2][]T{make([]T, len(q.rows)*d), make([]T, len(q.rows)*d)}
		it.layers = append(it.layers, q)
	}
	moments, factor := it.plan(o)
	for l, worth := range moments {
		if worth {
			it.layers[l].moments = newMoments(it.layers[l].z, d)
		}
	}
	if factor {
		it.factored = newFactored(it.layers, it.m, o, it.draw)
	} else {
		it.visitNodes()
	}
	it.pool()
	return it
}

// visitNodes makes room for the consensus that is taken over the nodes.
func (it *member[T]) visitNodes() {
	size := it.m * it.d
	it.s, it.y, it.t, it.factor = make([]T, size), make([]T, size), make([]float64, size), make([]float64, size)
	for range it.layers {
		it.c = append(it.c, make([]T, size))
	}
	it.polar = linalg.NewPolar(it.m, it.d)
}

// plan tells which layers go through moments and whether the consensus is factored, by
// counting the multiply-adds of an outer epoch per column. The unit is one of a dense matrix
// in single precision on the SIMD kernels; in double precision it takes about three times as
// long. The decomposition and Z'Z are shared among the epochs.
func (it *member[T]) plan(o *Options) (moments []bool, factor bool) {
	const double = 3
	m, d, k := it.m, it.d, 0
	nodes, without := 3*double*m*d, 0 // of the polar factor; of what the factored consensus needs
	for _, q := range it.layers {
		f := q.z.F
		k += f
		visit := 2 * o.InnerSteps * q.z.Cost
		gram := double * m * f * f / (d * o.Epochs)
		through := double*o.InnerSteps*f*f + gram
		both := 2*q.z.Cost + through // the moments with S need the nodes once
		moments = append(moments, both < visit)
		nodes, without = nodes+min(visit, both), without+through
	}
	n := coordinates(k, d, o)
	without += double * (k*k + 3*n*d + m*n*n/(d*o.Epochs))
	factor = n < m && without < nodes
	for l := range moments {
		moments[l] = moments[l] || factor
	}
	return moments, factor
}

// pool takes over the pooled graphs: it sums the rows of Z that every one keeps.
func (it *member[T]) pool() {
	for l := range it.layers {
		q := &it.layers[l]
		for i, r := range q.rows {
			group := &it.groups[r.group]
			q.z.Pool(q.pooled[i*q.z.F:(i+1)*q.z.F], group.Nodes[r.k])
			for k := range it.d {
				q.noise[0][i*it.d+k], q.noise[private][i*it.d+k] = T(group.NoiseC[r.k][k]), T(group.NoiseP[r.k][k])
			}
		}
	}
}

// forward sets hc and hp: h = zbar U + n b + summed noise, one row a pooled graph.
// Those of private encoders that were lent come from their partner.
func (it *member[T]) forward(enc [][2]*encoder[T], away *lent[T]) {
	d, at := it.d, 0
	for branch, h := range [2][]float64{it.hc, it.hp} {
		if branch == private && away != nil {
			away.fetch()
		}
		for l := range it.layers {
			q, e := &it.layers[l], enc[l][branch]
			out := q.out
			if branch == private && away != nil {
				out = away.products[at:][:len(q.out)]
				at += len(out)
			} else {
				kernel.Mul(out, q.pooled, e.u, len(q.rows), q.z.F, d)
			}
			kernel.Place(h, q.at, out, q.noise[branch], e.b, q.nodes)
		}
	}
	clear(it.dhc)
	clear(it.dhp)
}

// backward adds zbar' dh to dU and n dh to db. Of private encoders that were lent it keeps dh.
func (it *member[T]) backward(enc [][2]*encoder[T], away *lent[T]) {
	d, at := it.d, 0
	for l := range it.layers {
		q := &it.layers[l]
		for branch, e := range enc[l] {
			dh, out, here := it.dhc, q.out, true
			if branch == private {
				dh = it.dhp
			}
			if branch == private && away != nil {
				out, here = away.dh[at:][:len(q.out)], false
				at += len(out)
			}
			kernel.Collect(out, e.db, dh, q.at, q.nodes)
			if here {
				kernel.AddMulTrans(e.du, q.pooled, out, len(q.rows), q.z.F, d)
			}
		}
	}
}

// consensus takes S anew from the present weights, as the target of the next steps.
func (it *member[T]) consensus(enc [][2]*encoder[T], r *run[T]) {
	if f := it.factored; f != nil {
		f.stack(f.held, enc)
		f.take(f.p, f.held, r.scale(it), r.rankRule(it), it.bound(r.o.Hidden))
		it.rank = f.polar.Rank
	} else {
		it.take(enc, r)
		it.rank = it.polar.Rank
	}
	it.retarget()
}

// retarget tells the layers that go through moments what S is.
func (it *member[T]) retarget() {
	for l := range it.layers {
		switch q := &it.layers[l]; {
		case it.factored != nil:
			it.factored.retarget(q.moments, l)
		case q.moments != nil:
			retarget(q.moments, q.z, it.s, q.extra)
		}
	}
}

// state is what a checkpoint keeps of the consensus: S, or what it is taken from.
func (it *member[T]) state() []T {
	if it.factored != nil {
		return it.factored.held
	}
	return it.s
}

// restore sets what follows from the state and the rank.
func (it *member[T]) restore(rank int, r *run[T]) {
	if f := it.factored; f != nil && r.step > 0 {
		f.take(f.p, f.held, r.scale(it), r.rankRule(it), it.bound(r.o.Hidden))
	}
	it.rank = rank
	it.retarget()
}

// present returns S (M x d) for the present weights and the singular values and rank that it
// comes from. The run does not change: its S is constant within an epoch.
func (it *member[T]) present(enc [][2]*encoder[T], r *run[T]) ([]T, *linalg.Polar) {
	if f := it.factored; f != nil {
		u, p := make([]T, len(f.held)), make([]float64, len(f.p))
		f.stack(u, enc)
		f.take(p, u, r.scale(it), r.rankRule(it), it.bound(r.o.Hidden))
		return f.consensus(p), f.polar
	}
	kept := append([]T(nil), it.s...)
	it.take(enc, r)
	s := append([]T(nil), it.s...)
	copy(it.s, kept)
	return s, it.polar
}

// target returns S (M x d) as the steps use it.
func (it *member[T]) target() []T {
	if it.factored != nil {
		return it.factored.consensus(it.factored.p)
	}
	return it.s
}

// take sets S to the polar factor of T = sum_l (C_l - column means).
func (it *member[T]) take(enc [][2]*encoder[T], r *run[T]) {
	it.common(enc)
	d := it.d
	clear(it.t)
	for l := range it.c {
		// The bias is the same in every row: taking the means off removes it.
		for i, v := range it.c[l] {
			it.t[i] += float64(v)
		}
	}
	for k := range d {
		mean := 0.0
		for i := range it.m {
			mean += it.t[i*d+k]
		}
		mean /= float64(it.m)
		for i := range it.m {
			it.t[i*d+k] -= mean
		}
	}
	it.polar.Factor(it.factor, it.t, r.scale(it), r.rankRule(it), it.bound(r.o.Hidden), r.completion(), it.draw)
	for i, v := range it.factor {
		it.s[i] = T(v)
	}
}

// scale is the root of S'S.
func (r *run[T]) scale(it *member[T]) float64 {
	if r.o.TargetScale == "nodes" {
		return math.Sqrt(float64(it.m))
	}
	return 1
}

// rankRule is the share of the largest singular value that another must exceed to count.
func (r *run[T]) rankRule(it *member[T]) float64 {
	if r.rule != 0 {
		return r.rule
	}
	return RoundingRule(r.precision, it.m, it.d)
}

// RoundingRule returns the share of the largest singular value below which another
// counts as zero, for sums of embeddings of m rows computed in the given precision. In
// double precision it is the usual max(m, d) 2^-52. In single precision that would cut
// directions of a relative size of 1e-4 that are real; rounding noise was measured at
// some units of 2^-23, and 16 of them are the limit.
func RoundingRule(p Precision, m, d int) float64 {
	if p == Single {
		return 16 * 0x1p-23
	}
	return float64(max(m, d)) * 0x1p-52
}

// bound is the rank that T has at most by algebra: its columns sum to 0, and every C_l has
// that of Z W1 W2 at most.
func (it *member[T]) bound(hidden int) int {
	sum := 0
	for l := range it.layers {
		sum += min(it.d, hidden, it.layers[l].z.F)
	}
	return min(it.d, it.m-1, sum)
}

// common forms Z U of every layer.
func (it *member[T]) common(enc [][2]*encoder[T]) {
	for l := range it.layers {
		it.layers[l].z.Mul(it.c[l], enc[l][0].u, it.d)
	}
	it.known = true
}

// match sets dU of the common encoders, if this member is the first one, to the gradient of share
// times the matching loss, adds it otherwise, and returns sum_l |C_l - S|^2.
func (it *member[T]) match(enc [][2]*encoder[T], first bool, share float64) float64 {
	sum := 0.0
	for l := range it.layers {
		q, e := &it.layers[l], enc[l][0]
		du := q.extra
		if first {
			du = e.du
		}
		if q.moments != nil {
			sum += matchMoments(e, q.moments, du, share)
		} else {
			if !it.known {
				q.z.Mul(it.c[l], e.u, it.d)
			}
			sum += matchNodes(e, q.z, it.c[l], it.s, it.y, du, share)
		}
		if !first {
			kernel.Add(e.du, du)
		}
	}
	it.known = false
	return sum
}
