package cadem

import (
	"strconv"
	"strings"

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
	rowOfC   int       // the first row of psi that acts on h_C, of W_C: d for concatenation, else 0
	a, b     []float64 // batch x N, in rows of an even width: logits of the private and the common parts
	da, db   []float64 // their gradients
	partners []int     // j of every pair of a batch, as positions in it, where they are drawn
	ce       *crossEntropy
	// Where a_i and b_j of every pair of a block begin in a and b.
	atA, atB []int
}

// newCausal takes batches of up to largest graphs.
func newCausal[T kernel.Float](psi *head[T], largest int, o *Options) *causal[T] {
	size, pairs := largest*psi.Width, largest*o.Partners(largest)
	c := &causal[T]{psi: psi, o: o, all: o.Pairing == "all", own: o.Pairing == "own", rowOfC: psi.Rows - o.Dim, ce: newCrossEntropy(psi.N, pairs)}
	c.a, c.b, c.da, c.db = four(size)
	if !c.all && !c.own {
		c.partners = make([]int, pairs)
	}
	c.atA, c.atB = make([]int, len(c.ce.class)), make([]int, len(c.ce.class))
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
// psi, dhP and dhC (K x d, in the order of the batches). pair fills the partners of a batch.
func (c *causal[T]) loss(set *PooledGraphs, hp, hc, dhp, dhc []float64, weight float64, pair func(batch int, partners []int)) (total float64) {
	width, d, from := c.psi.Width, c.o.Dim, 0
	for index, batch := range set.Batches {
		size, each, to := len(batch), c.o.Partners(len(batch)), from+len(batch)
		pairs := size * each
		if c.partners != nil {
			pair(index, c.partners[:pairs])
		}
		hp, hc, dhp, dhc := hp[from*d:to*d], hc[from*d:to*d], dhp[from*d:to*d], dhc[from*d:to*d] // batch x d
		a, b, da, db := c.a[:size*width], c.b[:size*width], c.da[:size*width], c.db[:size*width]
		c.psi.Forward(a, hp, 0)        // a = h_P W_P
		c.psi.Forward(b, hc, c.rowOfC) // b = h_C W_C
		c.psi.AddBias(b)               // + 1 bias'
		clear(da)
		clear(db)
		sum := 0.0
		for first := 0; first < pairs; first += blockSize {
			sum += c.block(set, batch, each, first, min(blockSize, pairs-first))
		}
		total += sum / float64(pairs)
		scale(da, weight/float64(pairs))
		scale(db, weight/float64(pairs))
		c.psi.LearnBias(db)                   // dbias = db'1
		c.psi.Backward(dhp, hp, da, 0)        // dh_P = da W_P', dW_P = h_P'da
		c.psi.Backward(dhc, hc, db, c.rowOfC) // dh_C = db W_C', dW_C = h_C'db
		from = to
	}
	return total
}

// block returns the sum of CE over pairs first to first+n of a batch, in which every i meets as many j as
// each says, one after the other, and adds softmax - onehot of every pair to da_i and db_j.
func (c *causal[T]) block(set *PooledGraphs, batch []int, each, first, n int) float64 {
	width, ce, atA, atB := c.psi.Width, c.ce, c.atA[:n], c.atB[:n]
	i, k := first/each, first%each // the first pair is number k of i
	for q := range atA {
		j := k // pairing "all"
		switch {
		case c.own:
			j = i
		case !c.all:
			j = c.partners[first+q]
		}
		ce.class[q], atA[q], atB[q] = set.Layer[batch[i]], i*width, j*width
		if k++; k == each {
			i, k = i+1, 0
		}
	}
	for l := range ce.classes { // x_ij = a_i + b_j
		x := ce.column(l, n)
		for q, at := range atA {
			x[q] = c.a[at+l] + c.b[atB[q]+l]
		}
	}
	sum := ce.loss(n)
	for l := range ce.classes { // da_i = sum_j dx_ij, db_j = sum_i dx_ij
		dx := ce.column(l, n)
		for q, at := range atA {
			c.da[at+l] += dx[q]
			c.db[atB[q]+l] += dx[q]
		}
	}
	return sum
}
