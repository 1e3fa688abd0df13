package tape

import (
	"math"
	"slices"

	"cadem.example/core/base/kernel"
)

// Divergence records (0.5 / M) times the mean over the M rows of the sum over the columns of
// 1 + 2 s - m^2 - e^(2 s), for means m and logarithms s of deviations, both M x d: 1 x 1. It is the
// negative divergence between normal distributions and the standard one (Kingma and Welling 2014),
// with the two factors 1/M that the graph autoencoder has.
func (t *Tape[T]) Divergence(mean, logarithm Value) Value {
	m, s := t.at(mean), t.at(logarithm)
	ErrShape.Unless(m.rows == s.rows && m.cols == s.cols)
	v, n := t.record(divergence[T]{}, 1, 1, mean, logarithm)
	total := 0.0
	for i, u := range m.value {
		u, w := float64(u), float64(s.value[i])
		total += 1 + 2*w - float64(u*u) - kernel.Exp(2*w)
	}
	n.value[0] = T(0.5 * total / float64(m.rows) / float64(m.rows))
	return v
}

type divergence[T kernel.Float] struct{}

// dm = -m / M^2, ds = (1 - e^(2 s)) / M^2.
func (divergence[T]) back(t *Tape[T], n *node[T]) {
	m, s := t.at(n.in[0]), t.at(n.in[1])
	share := float64(n.grad[0]) / float64(m.rows) / float64(m.rows)
	for i, u := range m.value {
		if m.grad != nil {
			m.grad[i] -= T(share * float64(u))
		}
		if s.grad != nil {
			s.grad[i] += T(share * (1 - kernel.Exp(2*float64(s.value[i]))))
		}
	}
}

// pairBlock is how many columns of the M x M logits exist at a time.
const pairBlock = 64

// InnerProduct records the reconstruction loss of the variational graph autoencoder (Kipf and
// Welling 2016) for z (M x d): with logits L = z z' and the target 1 at the places of the pattern,
// which holds the diagonal, and 0 elsewhere,
//
//	c mean over all i, j of (1 - T) softplus(L) + p T softplus(-L)
//
// with e the entries of the pattern off the diagonal, p = (M^2 - e) / e and c = M^2 / (2 (M^2 - e)).
// Logits are computed in blocks of columns, each pair of nodes once. The gradient is computed with
// the value, which saves every exponential a second time. The pattern is kept.
func (t *Tape[T]) InnerProduct(z Value, p *Pattern) Value {
	x := t.at(z)
	p.check(x.rows)
	v, n := t.record(innerProduct[T]{}, 1, 1, z)
	m, d := x.rows, x.cols
	squared, edges := float64(float64(m)*float64(m)), float64(len(p.Index)-m)
	weight, norm := (squared-edges)/edges, squared/(2*(squared-edges))
	n.kept = t.memory.take(m * d)
	clear(n.kept)
	logits, turned, product := t.memory.take(m*pairBlock), t.memory.take(d*pairBlock), t.memory.take(m*d)
	exponentials := t.doubles.take(pairBlock)
	total := 0.0
	for from := 0; from < m; from += pairBlock {
		to := min(from+pairBlock, m)
		width := to - from
		part := x.value[from*d : to*d]
		for j := range width {
			for k := range d {
				turned[k*width+j] = part[j*d+k]
			}
		}
		block := logits[:to*width]
		kernel.Mul(block, x.value[:to*d], turned[:d*width], to, d, width)
		for i := range to {
			s := pairs(block[i*width:(i+1)*width], exponentials[:width], p.row(i, from, to), from, weight)
			total += s
			if i < from { // the mirrored pairs are in blocks that are left out
				total += s
			}
		}
		kernel.AddMulTrans(n.kept[from*d:to*d], block, x.value[:to*d], to, width, d)
		above := product[:from*d]
		kernel.Mul(above, block[:from*width], part, from, width, d)
		kernel.Add(n.kept[:from*d], above)
	}
	n.number = 2 * norm / squared
	n.value[0] = T(norm * (total / squared))
	return v
}

// row returns the neighbours of node i from number from to number to.
func (p *Pattern) row(i, from, to int) []int32 {
	list := p.Index[p.Start[i]:p.Start[i+1]]
	a, _ := slices.BinarySearch(list, int32(from))
	b, _ := slices.BinarySearch(list, int32(to))
	return list[a:b]
}

// pairs returns the sum of the losses of logits x between one node and those numbered from from on,
// and replaces the logits by the derivatives. Edges lists the node's neighbours. Scratch is as long
// as x.
func pairs[T kernel.Float](x []T, scratch []float64, edges []int32, from int, weight float64) float64 {
	total := 0.0
	for _, j := range edges { // p softplus(-x), less what the loop below adds
		u := float64(x[int(j)-from])
		edge := float64(weight * softplus(-u))
		total += edge - softplus(u)
	}
	for j, u := range x {
		scratch[j] = -math.Abs(float64(u))
	}
	kernel.Exps(scratch)
	product := 1.0 // of at most pairBlock numbers below 2: one logarithm serves all
	next := 0
	for j, u := range x {
		e := scratch[j]
		product = float64(product * (1 + e))
		s, rest := 1/(1+e), e/(1+e) // sigmoids of |u| and -|u|
		if u < 0 {
			s, rest = rest, s
		} else {
			total += float64(u)
		}
		if next < len(edges) && int(edges[next])-from == j {
			next++
			s = -float64(weight * rest)
		}
		x[j] = T(s)
	}
	return total + kernel.Log(product)
}

type innerProduct[T kernel.Float] struct{}

func (innerProduct[T]) back(t *Tape[T], n *node[T]) {
	addScaled(t.at(n.in[0]).grad, n.kept, T(float64(n.grad[0])*n.number))
}
