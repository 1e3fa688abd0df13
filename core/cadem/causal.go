package cadem

import (
	"strconv"
	"strings"

	"cadem/core/cadem/internal/pooled"
	"cadem/core/kernel"
)

// causal is the backdoor adjustment, equation (8): private parts must tell their layer whatever
// common part they are paired with,
//
//	causal = sum over batches, mean over pairs (i, j) of CE(psi(h_P[i] (+) h_C[j]), layer of i)
//
// Every i of a batch meets one j, by a permutation drawn in every step, or K drawn j, or every j, as
// printed. To pair i with another j is the intervention do(C); pairing "own", each part with that of
// its own graph, leaves it out. (+) is addition, or concatenation as printed.
//
// psi is linear, so the logits of a pair are a_i + b_j: with a and b formed once, a pair costs N
// additions and no product, and the gradients are row and column sums of the softmax residuals:
//
//	x_ij = a_i + b_j,   a = h_P W_P,   b = h_C W_C + 1 bias'   (batch x N)
//	dx_ij = (softmax(x_ij) - onehot(layer of i)) / pairs,   da_i = sum_j dx_ij,   db_j = sum_i dx_ij
//	dh_P = da W_P',   dW_P = h_P'da,   dh_C = db W_C',   dW_C = h_C'db,   dbias = db'1
type causal[T kernel.Float] struct {
	psi      *head[T]
	o        *Options
	all, own bool      // every pair of a batch, i = j included; the pairs i = j alone
	second   int       // first row of psi that acts on h_C: d for concatenation, else 0
	a, b     []float64 // batch x width: logits of the private and the common parts of a batch
	da, db   []float64 // their gradients
	partners []int     // of every private part, as positions in the batch, where they are drawn
	pairs    *crossEntropy
	// Where the private and the common part of each pair stand in a and b.
	left, right []int
}

// newCausal takes batches of up to largest graphs.
func newCausal[T kernel.Float](psi *head[T], largest int, o *Options) *causal[T] {
	size, pairs := largest*psi.Width, largest*o.Partners(largest)
	c := &causal[T]{psi: psi, o: o, all: o.Pairing == "all", own: o.Pairing == "own", second: psi.Rows - o.Dim, pairs: newCrossEntropy(psi.N, pairs)}
	c.a, c.b, c.da, c.db = pooled.Four(size)
	if !c.all && !c.own {
		c.partners = make([]int, pairs)
	}
	c.left, c.right = make([]int, len(c.pairs.class)), make([]int, len(c.pairs.class))
	return c
}

// Partners returns how many common parts each private part of a batch of that size is paired
// with.
func (o *Options) Partners(batch int) int {
	if o.Pairing == "all" {
		return batch
	}
	return max(1, o.sampled())
}

// sampled returns the number of pairing "sampled:#", 0 for the others.
func (o *Options) sampled() (number int) {
	if digits, ok := strings.CutPrefix(o.Pairing, "sampled:"); ok {
		number, _ = strconv.Atoi(digits) // Check has found a number there
	}
	return number
}

// Pair draws the common partners of the private parts of a batch: a permutation, or so many for each.
func (s *seeded) Pair(graph, set, batch, step int, partners []int) {
	src := s.At("pairing", graph, set, batch, step)
	if each := s.o.sampled(); each > 0 {
		for i := range partners {
			partners[i] = src.IntN(len(partners) / each)
		}
		return
	}
	src.Perm(partners)
}

// loss returns the causal loss of one set of pooled graphs and adds weight times its gradient to
// psi, dhP and dhC (K x d, in the order of the batches). pair fills the partners of a batch.
func (c *causal[T]) loss(set *PooledGraphs, hp, hc, dhp, dhc []float64, weight float64, pair func(batch int, partners []int)) float64 {
	width, d := c.psi.Width, c.o.Dim
	total := 0.0
	row := 0 // the first of the batch
	for index, batch := range set.Batches {
		size := len(batch)
		each := c.o.Partners(size)
		pairs := size * each
		if c.partners != nil {
			pair(index, c.partners[:pairs])
		}
		from, to := row*d, (row+size)*d
		row += size
		// Logits of the parts: a = h_P W_P and b = h_C W_C + 1 bias', W_P and W_C being rows of psi, the
		// same where parts are added.
		a, b, da, db := c.a[:size*width], c.b[:size*width], c.da[:size*width], c.db[:size*width]
		c.psi.Forward(a, hp[from:to], 0)
		c.psi.Forward(b, hc[from:to], c.second)
		for l, v := range c.psi.B {
			for at, v := l, float64(v); at < len(b); at += width {
				b[at] += v
			}
		}
		// Their gradients: da_i and db_j are sums of the residuals of all pairs (i, j).
		clear(da)
		clear(db)
		sum, perPair := 0.0, weight/float64(pairs)
		for start := 0; start < pairs; start += blockSize {
			sum += c.block(set, batch, each, start, min(blockSize, pairs-start))
		}
		total += sum / float64(pairs)
		for i, x := range da {
			da[i] = float64(x * perPair)
		}
		for i, x := range db[:len(da)] {
			db[i] = float64(x * perPair)
		}
		// The gradients of psi and of the pooled parts, from those of a and b.
		for l, sum := range c.psi.GB {
			for at := l; at < len(db); at += width {
				sum += db[at]
			}
			c.psi.GB[l] = sum
		}
		c.psi.Backward(dhp[from:to], hp[from:to], da, 0)
		c.psi.Backward(dhc[from:to], hc[from:to], db, c.second)
	}
	return total
}

// block handles pairs first to first+n of a batch in which every private part has as many partners
// as each says. It returns the sum of their cross entropies and adds the residuals to da and db.
func (c *causal[T]) block(set *PooledGraphs, batch []int, each, first, n int) float64 {
	width, e := c.psi.Width, c.pairs
	part, k := first/each, first%each // pair first is number k of that private part
	left, right := c.left[:n], c.right[:n]
	for q := range left {
		partner := k // of all
		if c.own {
			partner = part
		} else if !c.all {
			partner = c.partners[first+q]
		}
		e.class[q] = set.Layer[batch[part]]
		left[q], right[q] = part*width, partner*width
		if k++; k == each {
			part, k = part+1, 0
		}
	}
	for l := range e.classes {
		for q, i := range left {
			e.x[l*n+q] = c.a[i+l] + c.b[right[q]+l]
		}
	}
	sum := e.loss(n)
	for l := range e.classes {
		x := e.column(l, n)
		for q, i := range left {
			c.da[i+l] += x[q]
			c.db[right[q]+l] += x[q]
		}
	}
	return sum
}
