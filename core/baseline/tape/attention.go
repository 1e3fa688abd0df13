package tape

import "cadem.example/core/base/kernel"

// HeadDot records, for z (n x k o) with k heads of o columns and l (k x o), the inner product of
// every head of every row with that row of l: n x k.
func (t *Tape[T]) HeadDot(z, l Value) Value {
	x, y := t.at(z), t.at(l)
	ErrShape.Unless(x.cols == y.rows*y.cols)
	v, n := t.record(headDot[T]{}, x.rows, y.rows, z, l)
	o := y.cols
	for i := range n.value {
		h := i % n.cols
		n.value[i] = dot(x.value[i*o:(i+1)*o], y.value[h*o:(h+1)*o])
	}
	return v
}

type headDot[T kernel.Float] struct{}

func (headDot[T]) back(t *Tape[T], n *node[T]) {
	z, l := t.at(n.in[0]), t.at(n.in[1])
	o := l.cols
	for i, g := range n.grad {
		h := i % n.cols
		if z.grad != nil {
			addScaled(z.grad[i*o:(i+1)*o], l.value[h*o:(h+1)*o], g)
		}
		if l.grad != nil {
			addScaled(l.grad[h*o:(h+1)*o], z.value[i*o:(i+1)*o], g)
		}
	}
}

// EdgeSoftmax records the attention weights of a graph attention layer (Velickovic et al. 2018),
// one row per edge of the pattern and one column per head: for node i and its neighbours j the
// softmax over j of LeakyReLU(sent_j + received_i), where sent and received are n x k. The
// derivative of LeakyReLU at 0 is the slope.
func (t *Tape[T]) EdgeSoftmax(p *Pattern, sent, received Value, slope float64) Value {
	s, r := t.at(sent), t.at(received)
	ErrShape.Unless(s.rows == r.rows && s.cols == r.cols)
	p.check(s.rows)
	v, n := t.record(edgeSoftmax[T]{}, len(p.Index), s.cols, sent, received)
	n.pattern, n.number = p, slope
	k := s.cols
	for i := range s.rows {
		from, to := int(p.Start[i]), int(p.Start[i+1])
		for h := range k {
			edgeScores(n.value, p.Index[from:to], from, k, h, s.value, r.value[i*k+h], T(slope))
		}
	}
	return v
}

// edgeScores fills column h of the weights of one node's edges, which begin at row from.
func edgeScores[T kernel.Float](w []T, neighbours []int32, from, k, h int, sent []T, received, slope T) {
	var top, sum T
	for e, j := range neighbours {
		x := sent[int(j)*k+h] + received
		if x <= 0 {
			x = T(slope * x)
		}
		w[(from+e)*k+h] = x
		if e == 0 || x > top {
			top = x
		}
	}
	for e := range neighbours {
		at := (from+e)*k + h
		w[at] = exp(w[at] - top)
		sum += w[at]
	}
	for e := range neighbours {
		w[(from+e)*k+h] /= sum
	}
}

type edgeSoftmax[T kernel.Float] struct{}

func (edgeSoftmax[T]) back(t *Tape[T], n *node[T]) {
	s, r, p, k := t.at(n.in[0]), t.at(n.in[1]), n.pattern, n.cols
	for i := range s.rows {
		from, to := int(p.Start[i]), int(p.Start[i+1])
		for h := range k {
			var mean T
			for e := from; e < to; e++ {
				mean += T(n.value[e*k+h] * n.grad[e*k+h])
			}
			for e := from; e < to; e++ {
				j := int(p.Index[e])
				g := T(n.value[e*k+h] * (n.grad[e*k+h] - mean))
				if s.value[j*k+h]+r.value[i*k+h] <= 0 {
					g = T(T(n.number) * g)
				}
				if s.grad != nil {
					s.grad[j*k+h] += g
				}
				if r.grad != nil {
					r.grad[i*k+h] += g
				}
			}
		}
	}
}

// EdgeSum records, for weights w with a row per edge and a column per head and z (n x k o), the sum
// over the neighbours j of node i of w_ij z_j, head by head: n x k o.
func (t *Tape[T]) EdgeSum(p *Pattern, w, z Value) Value {
	x, y := t.at(w), t.at(z)
	ErrShape.Unless(x.rows == len(p.Index) && x.cols != 0 && y.cols%x.cols == 0)
	p.check(y.rows)
	v, n := t.record(edgeSum[T]{}, y.rows, y.cols, w, z)
	n.pattern = p
	d, k := y.cols, x.cols
	o := d / k
	if k == 1 {
		kernel.SparseMul(n.value, p.Start, p.Index, x.value, y.value, d)
		return v
	}
	clear(n.value)
	for i := range n.rows {
		for e := int(p.Start[i]); e < int(p.Start[i+1]); e++ {
			row := y.value[int(p.Index[e])*d:][:d]
			for h := range k {
				addScaled(n.value[i*d+h*o:][:o], row[h*o:(h+1)*o], x.value[e*k+h])
			}
		}
	}
	return v
}

type edgeSum[T kernel.Float] struct{}

func (edgeSum[T]) back(t *Tape[T], n *node[T]) {
	w, z, p := t.at(n.in[0]), t.at(n.in[1]), n.pattern
	d, k := n.cols, w.cols
	o := d / k
	for i := range n.rows {
		for e := int(p.Start[i]); e < int(p.Start[i+1]); e++ {
			from := int(p.Index[e]) * d
			for h := range k {
				g := n.grad[i*d+h*o:][:o]
				if w.grad != nil {
					w.grad[e*k+h] += dot(g, z.value[from+h*o:][:o])
				}
				if z.grad != nil {
					addScaled(z.grad[from+h*o:][:o], g, w.value[e*k+h])
				}
			}
		}
	}
}
