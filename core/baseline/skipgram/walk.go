package skipgram

import "cadem.example/core/base/pause"

// A Walker walks at random from neighbour to neighbour. A walker of the second order (Grover and
// Leskovec 2016), after node t, goes on from v to x with a probability in proportion to w_vx times
//
//	1/p if x = t,  1 if x is a neighbour of t,  1/q otherwise
//
// by rejection: x is drawn by weight, with one number from an alias table, and accepted with that
// factor over the largest of the three, with another number; else drawn again. That takes no memory
// for pairs of edges. With p = q = 1 everything is accepted and nothing drawn for it.
type Walker struct {
	n        *Neighbours
	p, q     float64
	keep     []float64 // of the alias tables: below it, the neighbour in that place
	other    []int32   // else the neighbour in this one; nil if all neighbours are equally likely
	uniforms uniforms
}

// NewWalker returns a walker, which follows the weights of edges if asked to.
func NewWalker(n *Neighbours, p, q float64, weighted bool) *Walker {
	w := &Walker{n: n, p: p, q: q}
	if !weighted || n.Weight == nil {
		return w
	}
	w.keep, w.other = make([]float64, len(n.Index)), make([]int32, len(n.Index))
	for v := range n.Nodes() {
		from, to := n.Start[v], n.Start[v+1]
		alias(w.keep[from:to], w.other[from:to], n.Weight[from:to])
	}
	return w
}

// alias makes the table of Vose 1991, of outcomes with probabilities in proportion to weight: place k,
// drawn uniformly, gives k with probability keep[k], and other[k] else.
func alias(keep []float64, other []int32, weight []float64) {
	sum := 0.0
	for _, v := range weight {
		sum += v
	}
	share := make([]float64, len(weight))
	var small, large []int
	for k, v := range weight {
		keep[k], other[k] = 1, int32(k)
		share[k] = float64(v*float64(len(weight))) / sum
		if share[k] < 1 {
			small = append(small, k)
		} else {
			large = append(large, k)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small, large = small[:len(small)-1], large[:len(large)-1]
		keep[s], other[s] = share[s], int32(l)
		share[l] = (share[l] + share[s]) - 1
		if share[l] < 1 {
			small = append(small, l)
		} else {
			large = append(large, l)
		}
	}
}

// candidate draws a neighbour of v from one number.
func (w *Walker) candidate(v int32) int32 {
	list := w.n.of(int(v))
	x := float64(w.uniforms.take() * float64(len(list)))
	k := int(x)
	if w.keep != nil {
		if at := int(w.n.Start[v]) + k; x-float64(k) >= w.keep[at] {
			k = int(w.other[at])
		}
	}
	return list[k]
}

// next draws the node after v, which was reached from t.
func (w *Walker) next(t, v int32) int32 {
	top := max(1, 1/w.p, 1/w.q)
	for {
		x := w.candidate(v)
		factor := 1 / w.q
		if x == t {
			factor = 1 / w.p
		} else if w.n.has(int(t), x) {
			factor = 1
		}
		if w.uniforms.take() < factor/top {
			return x
		}
	}
}

// Walk appends a walk of that number of nodes from start, with the numbers of a name and round. A
// walk ends at a node without neighbours.
func (w *Walker) Walk(dst []int32, start, length int, source Source, what string, round int) []int32 {
	w.uniforms.source, w.uniforms.what = source, what
	each := 1
	if w.p != 1 || w.q != 1 {
		each = 3
	}
	w.uniforms.begin(round, each*max(length-1, 1))
	at, before := int32(start), int32(-1)
	for n := 1; ; n++ {
		dst = append(dst, at)
		if n >= length || len(w.n.of(int(at))) == 0 {
			return dst
		}
		next := int32(0)
		if before < 0 || each == 1 {
			next = w.candidate(at)
		} else {
			next = w.next(before, at)
		}
		at, before = next, at
	}
}

// Taken returns how many numbers the last walk took.
func (w *Walker) Taken() int { return w.uniforms.next }

// Walks returns the walks of some rounds, each from every node once, in an order drawn for each
// round. Draws are named with prefix; yield, which may be nil, is called after every few
// milliseconds, and its error returned.
func (w *Walker) Walks(rounds, length int, source Source, prefix string, yield pause.Yield) (*Corpus, error) {
	m := w.n.Nodes()
	c := &Corpus{Tokens: make([]int32, 0, rounds*m*length), Start: make([]int, 1, rounds*m+1)}
	order := make([]int, m)
	what, pause := prefix+"walk", 0
	for r := range rounds {
		source.Permutation(order, prefix+"order", r)
		for k, v := range order {
			c.Tokens = w.Walk(c.Tokens, v, length, source, what, r*m+k)
			c.Start = append(c.Start, len(c.Tokens))
			if pause += length; pause > 50_000 {
				pause = 0
				if err := yield.At(r*m+k, rounds*m); err != nil {
					return nil, err
				}
			}
		}
	}
	return c, nil
}
