package tape

import (
	"math"

	"cadem.example/core/base/kernel"
)

// CrossEntropy records the mean over all entries x of a of softplus(x) - x target, the binary
// cross-entropy of the logit x: 1 x 1.
func (t *Tape[T]) CrossEntropy(a Value, target float64) Value {
	x := t.at(a)
	v, n := t.record(crossEntropy[T]{}, 1, 1, a)
	n.number = target
	total := 0.0
	for _, u := range x.value {
		u := float64(u)
		total += softplus(u) - float64(u*target)
	}
	n.value[0] = T(total / float64(len(x.value)))
	return v
}

type crossEntropy[T kernel.Float] struct{}

// dx = (sigmoid(x) - target) / number of entries.
func (crossEntropy[T]) back(t *Tape[T], n *node[T]) {
	a := t.at(n.in[0])
	share := float64(n.grad[0]) / float64(len(a.value))
	for i, u := range a.value {
		a.grad[i] += T(share * (sigmoid(float64(u)) - n.number))
	}
}

// logFloor keeps the logarithm of a probability finite, as PyTorch Geometric's losses do.
const logFloor = 1e-15

// LogSigmoid records the mean over all entries x of a of -log(sigmoid(sign x) + 1e-15), where sign
// is 1 or -1: 1 x 1.
func (t *Tape[T]) LogSigmoid(a Value, sign float64) Value {
	x := t.at(a)
	v, n := t.record(logSigmoid[T]{}, 1, 1, a)
	n.number = sign
	total := 0.0
	for _, u := range x.value {
		total -= kernel.Log(sigmoid(sign*float64(u)) + logFloor)
	}
	n.value[0] = T(total / float64(len(x.value)))
	return v
}

type logSigmoid[T kernel.Float] struct{}

// With s = sigmoid(sign x): dx = -sign s (1 - s) / (s + 1e-15) / number of entries.
func (logSigmoid[T]) back(t *Tape[T], n *node[T]) {
	a := t.at(n.in[0])
	share := float64(n.grad[0]) / float64(len(a.value))
	for i, u := range a.value {
		s := sigmoid(n.number * float64(u))
		a.grad[i] -= T(share * n.number * s * (1 - s) / (s + logFloor))
	}
}

// JensenShannon records E_neg - E_pos of scores x (n x g) between nodes and graphs, where owner is
// the graph of each node (Hassani and Khasahmadi 2020): E_pos is the mean over the nodes of
// log 2 - softplus(-x) for the own graph, E_neg the sum of softplus(x) - log 2 over the other graphs,
// divided by n (g - 1), and 0 with one graph. The result is 1 x 1; owner is kept.
func (t *Tape[T]) JensenShannon(a Value, owner []int32) Value {
	x := t.at(a)
	ErrShape.Unless(len(owner) == x.rows)
	v, n := t.record(jensenShannon[T]{}, 1, 1, a)
	n.index = owner
	positive, negative := 0.0, 0.0
	for i, u := range x.value {
		if int(owner[i/x.cols]) == i%x.cols {
			positive += math.Ln2 - softplus(-float64(u))
		} else {
			negative += softplus(float64(u)) - math.Ln2
		}
	}
	total := -positive / float64(x.rows)
	if x.cols > 1 {
		total += negative / float64(x.rows*(x.cols-1))
	}
	n.value[0] = T(total)
	return v
}

type jensenShannon[T kernel.Float] struct{}

func (jensenShannon[T]) back(t *Tape[T], n *node[T]) {
	a, g := t.at(n.in[0]), float64(n.grad[0])
	own, other := g/float64(a.rows), 0.0
	if a.cols > 1 {
		other = g / float64(a.rows*(a.cols-1))
	}
	for i, u := range a.value {
		if int(n.index[i/a.cols]) == i%a.cols {
			a.grad[i] -= T(own * sigmoid(-float64(u)))
		} else {
			a.grad[i] += T(other * sigmoid(float64(u)))
		}
	}
}

// Correlation records |mean(a b)| / (rms(a) rms(b)) of two centred vectors (n x 1): 1 x 1. Where one
// side is constant, its mean square below 1e-24, the result is 0 and passes no gradient.
func (t *Tape[T]) Correlation(a, b Value) Value {
	x, y := t.at(a), t.at(b)
	ErrShape.Unless(x.cols == 1 && y.cols == 1 && x.rows == y.rows)
	v, n := t.record(correlation[T]{}, 1, 1, a, b)
	n.double = t.doubles.take(3)
	n.number = float64(x.rows)
	xx, yy, xy := 0.0, 0.0, 0.0
	for i, u := range x.value {
		u, w := float64(u), float64(y.value[i])
		xx += float64(u * u)
		yy += float64(w * w)
		xy += float64(u * w)
	}
	n.double[0], n.double[1], n.double[2] = xx, yy, xy
	n.value[0] = 0
	if n.alive() {
		n.value[0] = T(math.Abs(xy) / math.Sqrt(xx) / math.Sqrt(yy))
	}
	return v
}

// alive reports whether both sides of a correlation of n.number entries vary.
func (n *node[T]) alive() bool {
	return min(n.double[0], n.double[1])/n.number >= shortest*shortest
}

type correlation[T kernel.Float] struct{}

// With r = xy / sqrt(xx yy): da = sign(r) (b / sqrt(xx yy) - r a / xx).
func (correlation[T]) back(t *Tape[T], n *node[T]) {
	a, b, g := t.at(n.in[0]), t.at(n.in[1]), float64(n.grad[0])
	if !n.alive() {
		return
	}
	xx, yy, xy := n.double[0], n.double[1], n.double[2]
	if xy < 0 {
		g = -g
	}
	root := math.Sqrt(xx) * math.Sqrt(yy)
	r := xy / root
	for i, u := range a.value {
		u, w := float64(u), float64(b.value[i])
		if a.grad != nil {
			a.grad[i] += T(g * (w/root - float64(r*u)/xx))
		}
		if b.grad != nil {
			b.grad[i] += T(g * (u/root - float64(r*w)/yy))
		}
	}
}

// Contrast records log(sum over first and second of e^x) - log(sum over first of e^x), where both
// list entries of a (n x 1): 1 x 1. The lists are kept.
func (t *Tape[T]) Contrast(a Value, first, second []int32) Value {
	x := t.at(a)
	ErrShape.Unless(x.cols == 1 && len(first) != 0)
	v, n := t.record(contrast[T]{}, 1, 1, a)
	n.index, n.other, n.double = first, second, t.doubles.take(3)
	top := float64(x.value[first[0]])
	for _, list := range [2][]int32{first, second} {
		for _, i := range list {
			top = max(top, float64(x.value[i]))
		}
	}
	sums := [2]float64{}
	for k, list := range [2][]int32{first, second} {
		for _, i := range list {
			sums[k] += kernel.Exp(float64(x.value[i]) - top)
		}
	}
	n.double[0], n.double[1], n.double[2] = top, sums[0], sums[0]+sums[1]
	n.value[0] = T(kernel.Log(n.double[2]) - kernel.Log(n.double[1]))
	return v
}

type contrast[T kernel.Float] struct{}

// dx = e^x / sum of all - e^x / sum of the first, the latter for the first alone.
func (contrast[T]) back(t *Tape[T], n *node[T]) {
	a, g := t.at(n.in[0]), float64(n.grad[0])
	top, positive, all := n.double[0], n.double[1], n.double[2]
	for _, i := range n.index {
		e := kernel.Exp(float64(a.value[i]) - top)
		a.grad[i] += T(g * (e/all - e/positive))
	}
	for _, i := range n.other {
		a.grad[i] += T(g * kernel.Exp(float64(a.value[i])-top) / all)
	}
}

// MeanPower records the mean over all entries c of a of (1 - c)^power: 1 x 1. The power is at least 1.
func (t *Tape[T]) MeanPower(a Value, power int) Value {
	x := t.at(a)
	ErrShape.Unless(power >= 1)
	v, n := t.record(meanPower[T]{}, 1, 1, a)
	n.number = float64(power)
	total := 0.0
	for _, c := range x.value {
		total += raised(1-float64(c), power)
	}
	n.value[0] = T(total / float64(len(x.value)))
	return v
}

// raised returns x^power.
func raised(x float64, power int) float64 {
	y := 1.0
	for range power {
		y = float64(y * x)
	}
	return y
}

type meanPower[T kernel.Float] struct{}

func (meanPower[T]) back(t *Tape[T], n *node[T]) {
	a := t.at(n.in[0])
	share := float64(n.grad[0]) * n.number / float64(len(a.value))
	for i, c := range a.value {
		a.grad[i] -= T(share * raised(1-float64(c), int(n.number)-1))
	}
}
