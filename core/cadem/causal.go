package cadem

import (
	"strconv"
	"strings"

	"cadem.example/core/base/kernel"
)

// causal is equation (5). By the backdoor adjustment, (3), p(l | do(P)) = sum_C p(l | P, C) p(C): a private part must
// identify its layer l whatever common part it is paired with,
//
//	causal = sum over batches, mean over pairs (i, j) of CE(psi(h_P[i] (+) h_C[j]), layer of i)
//
// Every i of a batch meets one j, by a permutation drawn in every step, or K drawn j, or every j, as
// printed. j is independent of i, so the mean over pairs adjusts over C; pairing "own", each part with
// that of its own graph, adjusts for nothing. (+) is addition, or concatenation as printed.
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
	rowOfC   int       // the first row of psi that acts on h_C, of W_C: d for concatenation, else 0
	a, b     []float64 // batch x N, in rows of an even width: logits of the private and the common parts
	da, db   []float64 // their gradients
	partners []int     // j of every pair of a batch, as positions in it; nil when every i meets every j
	drawn    bool      // whether they are drawn in every step
	ce       *crossEntropy
	atI, atJ []int // of every pair (i, j) of a block: where row i begins in a and da, and row j in b and db
}

// newCausal takes batches of up to largest graphs.
func newCausal[T kernel.Float](psi *head[T], largest int, o *Options) *causal[T] {
	size, pairs := largest*psi.Width, largest*o.Partners(largest)
	c := &causal[T]{psi: psi, o: o, rowOfC: psi.Rows - o.Dim, ce: newCrossEntropy(psi.N, pairs)}
	c.a, c.b, c.da, c.db = four(size)
	c.atI, c.atJ = make([]int, len(c.ce.class)), make([]int, len(c.ce.class))
	if o.Pairing != "all" {
		c.partners, c.drawn = make([]int, pairs), o.Pairing != "own"
		for i := range c.partners {
			c.partners[i] = i // its own, if no other is drawn
		}
	}
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

// Pair draws the common partners of the private parts of a batch: a permutation, or a fixed number for each.
func (s *seeded) Pair(graph, set, batch, step int, partners []int) {
	src := s.at("pairing", graph, set, batch, step)
	if each := s.o.sampled(); each > 0 {
		for i := range partners {
			partners[i] = src.IntN(len(partners) / each)
		}
		return
	}
	src.Perm(partners)
}

// loss returns the causal loss of one set of pooled graphs and adds weight times its gradient to
// psi, dhP and dhC (K x d, in the order of the batches). pair draws the partners of a batch.
func (c *causal[T]) loss(set *PooledGraphs, hp, hc, dhp, dhc []float64, weight float64, pair func(batch int, partners []int)) (total float64) {
	width, d, from := c.psi.Width, c.o.Dim, 0
	for index, batch := range set.Batches {
		size, perI, to := len(batch), c.o.Partners(len(batch)), from+len(batch)
		pairs := size * perI
		if c.drawn {
			pair(index, c.partners[:pairs])
		}
		hp, hc, dhp, dhc := hp[from*d:to*d], hc[from*d:to*d], dhp[from*d:to*d], dhc[from*d:to*d] // batch x d
		a, b, da, db := c.a[:size*width], c.b[:size*width], c.da[:size*width], c.db[:size*width] // batch x N
		// Forward.
		c.psi.Forward(a, hp, 0)        // a = h_P W_P
		c.psi.Forward(b, hc, c.rowOfC) // b = h_C W_C
		c.psi.AddBias(b)               // + 1 bias'
		// Forward and backward between a, b and CE, for this many pairs at once.
		clear(da)
		clear(db)
		sum := 0.0
		for first := 0; first < pairs; first += blockSize {
			sum += c.block(set, batch, perI, first, min(blockSize, pairs-first))
		}
		total += sum / float64(pairs)
		// Backward.
		scale(da, weight/float64(pairs))
		scale(db, weight/float64(pairs))
		c.psi.LearnBias(db)                   // dbias = db'1
		c.psi.Backward(dhp, hp, da, 0)        // dh_P = da W_P', dW_P = h_P'da
		c.psi.Backward(dhc, hc, db, c.rowOfC) // dh_C = db W_C', dW_C = h_C'db
		from = to
	}
	return total
}

// block returns the sum of CE over pairs first to first+n of a batch, and adds softmax - onehot of every
// pair to da_i and db_j. The pairs of i = 0 come first, perI of them, then those of i = 1, and so on.
func (c *causal[T]) block(set *PooledGraphs, batch []int, perI, first, n int) float64 {
	width, ce, atI, atJ := c.psi.Width, c.ce, c.atI[:n], c.atJ[:n]
	// The class of every pair, and where its rows are.
	i, j := first/perI, first%perI // every i meets every j, in turn
	for q := range n {
		partner := j
		if c.partners != nil {
			partner = c.partners[first+q]
		}
		ce.class[q], atI[q], atJ[q] = set.Layer[batch[i]], i*width, partner*width
		if j++; j == perI {
			i, j = i+1, 0
		}
	}
	// Forward: x_ij = a_i + b_j, one class l of all n pairs after the other.
	for l := range ce.classes {
		x := ce.column(l, n)
		for q, at := range atI {
			x[q] = c.a[at+l] + c.b[atJ[q]+l]
		}
	}
	sum := ce.loss(n) // x becomes dx
	// Backward: da_i = sum_j dx_ij, db_j = sum_i dx_ij.
	for l := range ce.classes {
		dx := ce.column(l, n)
		for q, at := range atI {
			c.da[at+l] += dx[q]
			c.db[atJ[q]+l] += dx[q]
		}
	}
	return sum
}
