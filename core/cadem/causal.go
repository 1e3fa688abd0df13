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
	a, b   []float64 // B x N: logits of the private and the common parts of a batch
	da, db []float64
	logits []float64
	perm   []int
}

func newCausal[T kernel.Float](psi *head[T], d, largest int, o *Options) *causal[T] {
	c := &causal[T]{psi: psi, d: d, all: o.Pairing == "all", each: max(1, o.samples()), logits: make([]float64, psi.n)}
	if o.Combine == "concat" {
		c.from = d
	}
	size := largest * psi.n
	c.a, c.b, c.da, c.db = make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size)
	if !c.all {
		c.perm = make([]int, largest*c.each)
	}
	return c
}

// loss returns the sum over the batches of one group and adds weight times the gradient to
// psi, dhP and dhC (K x d). pair fills the partners of a batch.
func (c *causal[T]) loss(g *Group, hp, hc, dhp, dhc []float64, weight float64, pair func(batch int, perm []int)) float64 {
	n, d := c.psi.n, c.d
	total := 0.0
	for at, batch := range g.Batch {
		size := len(batch)
		pairs := size * c.each
		if c.all {
			pairs = size * size
		} else {
			pair(at, c.perm[:pairs])
		}
		for q, k := range batch {
			c.psi.logits(c.a[q*n:q*n+n], hp[k*d:k*d+d], 0)
			c.psi.logits(c.b[q*n:q*n+n], hc[k*d:k*d+d], c.from)
			for i, v := range c.psi.b {
				c.b[q*n+i] += float64(v)
			}
		}
		clear(c.da[:size*n])
		clear(c.db[:size*n])
		sum, share := 0.0, weight/float64(pairs)
		for q := range pairs {
			i, j := q/c.each, 0
			if c.all {
				i, j = q/size, q%size
			} else {
				j = c.perm[q]
			}
			a, b, da, db := c.a[i*n:][:n], c.b[j*n:][:n], c.da[i*n:][:n], c.db[j*n:][:n]
			for l, x := range a {
				c.logits[l] = x + b[l]
			}
			sum += crossEntropy(c.logits, g.Layer[batch[i]])
			for l, r := range c.logits[:n] {
				da[l] += r
				db[l] += r
			}
		}
		total += sum / float64(pairs)
		for q, k := range batch {
			da, db := c.da[q*n:q*n+n], c.db[q*n:q*n+n]
			for l := range da {
				da[l] = float64(da[l] * share)
				db[l] = float64(db[l] * share)
				c.psi.gb[l] += db[l]
			}
			c.psi.back(dhp[k*d:k*d+d], hp[k*d:k*d+d], 0, da)
			c.psi.back(dhc[k*d:k*d+d], hc[k*d:k*d+d], c.from, db)
		}
	}
	return total
}
