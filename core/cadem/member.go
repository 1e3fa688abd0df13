package cadem

import (
	"cadem/core/cadem/internal/route"
	"cadem/core/kernel"
	"cadem/core/multiplex"
)

// A member is one of the multiplex graphs that a run's encoders are fitted to, with all
// that stays constant about it and its own consensus.
type member[T kernel.Float] struct {
	m, d      int
	layers    []memberLayer[T]
	groups    []Group
	offset    []int     // first pooled graph of each group
	hc, hp    []float64 // K x d: pooled embeddings of all groups, each in the order of its batches
	dhc, dhp  []float64 // K x d: their gradients
	consensus route.Consensus[T]
}

type memberLayer[T kernel.Float] struct {
	z      *multiplex.Propagation[T]
	rows   []pooledRow // pooled graphs cut from this layer
	at     []int32     // their rows of hc and hp
	nodes  []T         // how many nodes each keeps
	pooled []T         // rows x F: sums of the kept rows of Z
	noise  [2][]T      // rows x d: summed noise of the common and the private embedding
	out    []T         // rows x d: scratch
	extra  []T         // F x d: scratch for the gradient
}

// A pooledRow is a pooled graph: group and place in it.
type pooledRow struct{ group, k int }

// An input is what a layer's encoders work on: the propagation matrix and the features after
// dropout.
type input struct {
	b *multiplex.Propagator
	x *multiplex.Features
}

func newMember[T kernel.Float](inputs []input, index int, live [][]int32, o *Options, precision Precision, draws Draws) *member[T] {
	d := o.Dim
	it := &member[T]{m: inputs[0].x.Rows, d: d, groups: draws.Groups(index)}
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
	var all []*multiplex.Propagation[T]
	for l, in := range inputs {
		z := multiplex.NewPropagation[T](in.b, in.x, live[l], d)
		all = append(all, z)
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
	directions := func(x []float64) { draws.Directions(index, x, d) }
	p := procrustes(all, o, precision, draws.RankRule(), directions)
	it.consensus = route.Choose(all, d, o.InnerSteps, o.Epochs, p, func() route.Consensus[T] { return newConsensus(all, d, p) })
	it.pool()
	return it
}

// match sets dU of the common encoders, if this member is the first one, to the gradient of share
// times the matching loss, adds it otherwise, and returns sum_l |C_l - S|^2.
func (it *member[T]) match(enc [][2]*encoder[T], first bool, share float64) float64 {
	sum := 0.0
	for l := range it.layers {
		e, du := enc[l][0], it.layers[l].extra
		if first {
			du = e.du
		}
		sum += it.consensus.Match(l, e.u, e.b, du, e.db, share)
		if !first {
			kernel.Add(e.du, du)
		}
	}
	return sum
}
