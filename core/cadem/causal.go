package cadem

import "cadem/core/kernel"

// causal is the backdoor adjustment: private parts must tell their layer whatever common
// part they are paired with,
//
//	causal = mean over pairs (i, j) of CE(psi(h_P of i (+) h_C of j), layer of i)
//
// (+) is addition, or concatenation as printed. psi is linear, so the logits of a pair are
// a_i + b_j: with a and b formed once, a pair costs N additions and no product, and the
// gradients are row and column sums of the softmax residuals.
type causal[T kernel.Float] struct {
	psi    *head[T]
	d      int
	from   int       // first row of psi that acts on h_C: d for concatenation, else 0
	all    bool      // every pair of a batch, i = j included; else those that perm names
	each   int       // partners of each private part
	a, b   []float64 // B x width: logits of the private and the common parts of a batch
	da, db []float64
	perm   []int
	pairs  *crossEntropy
	// Where the private and the common part of each pair stand in a and b.
	left, right []int
}

func newCausal[T kernel.Float](psi *head[T], d, largest int, o *Options) *causal[T] {
	c := &causal[T]{psi: psi, d: d, all: o.Pairing == "all", each: max(1, o.samples())}
	if o.Combine == "concat" {
		c.from = d
	}
	size := largest * psi.width
	c.a, c.b, c.da, c.db = make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size)
	pairs := largest * largest
	if !c.all {
		pairs = largest * c.each
		c.perm = make([]int, pairs)
	}
	c.pairs = newCrossEntropy(psi.n, pairs)
	c.left, c.right = make([]int, len(c.pairs.class)), make([]int, len(c.pairs.class))
	return c
}

// loss returns the sum over the batches of one group and adds weight times the gradient to
// psi, dhP and dhC (K x d, in the order of the batches). pair fills the partners of a batch.
func (c *causal[T]) loss(g *Group, hp, hc, dhp, dhc []float64, weight float64, pair func(batch int, perm []int)) float64 {
	n, d := c.psi.width, c.d
	total, first := 0.0, 0
	for at, batch := range g.Batch {
		size := len(batch)
		pairs := size * c.each
		if c.all {
			pairs = size * size
		} else {
			pair(at, c.perm[:pairs])
		}
		from, to := first*d, (first+size)*d
		first += size
		a, b, da, db := c.a[:size*n], c.b[:size*n], c.da[:size*n], c.db[:size*n]
		c.psi.logits(a, hp[from:to], 0)
		c.psi.logits(b, hc[from:to], c.from)
		for l, v := range c.psi.b {
			for at, v := l, float64(v); at < len(b); at += n {
				b[at] += v
			}
		}
		clear(da)
		clear(db)
		sum, share := 0.0, weight/float64(pairs)
		for from := 0; from < pairs; from += items {
			sum += c.some(g, batch, from, min(items, pairs-from))
		}
		total += sum / float64(pairs)
		for i, x := range da {
			da[i] = float64(x * share)
		}
		for i, x := range db[:len(da)] {
			db[i] = float64(x * share)
		}
		for l, sum := range c.psi.gb {
			for at := l; at < len(db); at += n {
				sum += db[at]
			}
			c.psi.gb[l] = sum
		}
		c.psi.back(dhp[from:to], da, 0)
		c.psi.back(dhc[from:to], db, c.from)
		c.psi.learn(hp[from:to], da, 0)
		c.psi.learn(hc[from:to], db, c.from)
	}
	return total
}

// some returns the sum over n pairs of a batch, beginning with pair first, and adds their
// residuals to those of both parts.
func (c *causal[T]) some(g *Group, batch []int, first, n int) float64 {
	width, e := c.psi.width, c.pairs
	each := c.each
	if c.all {
		each = len(batch)
	}
	own, k := first/each, first%each // pair first is the one k of private part own
	left, right := c.left[:n], c.right[:n]
	for q := range left {
		partner := k
		if !c.all {
			partner = c.perm[first+q]
		}
		e.class[q] = g.Layer[batch[own]]
		left[q], right[q] = own*width, partner*width
		if k++; k == each {
			own, k = own+1, 0
		}
	}
	for l := range e.classes {
		for q, i := range left {
			e.x[l*n+q] = c.a[i+l] + c.b[right[q]+l]
		}
	}
	sum := e.loss(n)
	for l := range e.classes {
		x := e.x[l*n:][:n]
		for q, i := range left {
			c.da[i+l] += x[q]
			c.db[right[q]+l] += x[q]
		}
	}
	return sum
}
