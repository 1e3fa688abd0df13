package tape

import "cadem.example/core/base/kernel"

// exp and log are those of core/base/kernel, rounded to T.
func exp[T kernel.Float](x T) T { return T(kernel.Exp(float64(x))) }

// sigmoid returns 1 / (1 + e^-x) without overflow.
func sigmoid(x float64) float64 {
	if x < 0 {
		e := kernel.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + kernel.Exp(-x))
}

// softplus returns log(1 + e^x) without overflow.
func softplus(x float64) float64 {
	if x < 0 {
		return kernel.Log(1 + kernel.Exp(x))
	}
	return x + kernel.Log(1+kernel.Exp(-x))
}

// ReLU records max(a, 0). Its derivative at 0 is 0.
func (t *Tape[T]) ReLU(a Value) Value {
	x := t.at(a)
	v, n := t.record(relu[T]{}, x.rows, x.cols, a)
	for i, u := range x.value {
		n.value[i] = max(u, 0)
	}
	return v
}

type relu[T kernel.Float] struct{}

func (relu[T]) back(t *Tape[T], n *node[T]) {
	grad := t.at(n.in[0]).grad
	for i, g := range n.grad {
		if n.value[i] > 0 {
			grad[i] += g
		}
	}
}

// PReLU records a where it is above 0 and slope a elsewhere. The slope is 1 x 1, or 1 x d with
// one for each column. The derivative at 0 is the slope.
func (t *Tape[T]) PReLU(a, slope Value) Value {
	x, s := t.at(a), t.at(slope)
	ErrShape.Unless(s.rows == 1 && (s.cols == 1 || s.cols == x.cols))
	v, n := t.record(prelu[T]{}, x.rows, x.cols, a, slope)
	d := s.cols
	if d == 1 {
		bend(n.value, x.value, s.value[0])
		return v
	}
	for i, u := range x.value {
		n.value[i] = u
		if u <= 0 {
			n.value[i] = T(s.value[i%d] * u)
		}
	}
	return v
}

// bend sets o to x where it is above 0 and to slope x elsewhere.
func bend[T kernel.Float](o, x []T, slope T) {
	o = o[:len(x)]
	for i, u := range x {
		if u <= 0 {
			u = T(slope * u)
		}
		o[i] = u
	}
}

type prelu[T kernel.Float] struct{}

func (prelu[T]) back(t *Tape[T], n *node[T]) {
	a, s := t.at(n.in[0]), t.at(n.in[1])
	slopes := t.doubles.take(s.cols)
	clear(slopes)
	k := 0
	for i, u := range a.value {
		g := n.grad[i]
		if u <= 0 {
			slopes[k] += float64(T(g * u))
			g = T(g * s.value[k])
		}
		if a.grad != nil {
			a.grad[i] += g
		}
		if k++; k == s.cols {
			k = 0
		}
	}
	if s.grad != nil {
		for k, g := range slopes {
			s.grad[k] += T(g)
		}
	}
}

// Sigmoid records 1 / (1 + e^-a).
func (t *Tape[T]) Sigmoid(a Value) Value {
	x := t.at(a)
	v, n := t.record(sigmoids[T]{}, x.rows, x.cols, a)
	for i, u := range x.value {
		n.value[i] = T(sigmoid(float64(u)))
	}
	return v
}

type sigmoids[T kernel.Float] struct{}

func (sigmoids[T]) back(t *Tape[T], n *node[T]) {
	grad := t.at(n.in[0]).grad
	for i, s := range n.value {
		grad[i] += T(T(n.grad[i]*s) * (1 - s))
	}
}

// Tanh records the hyperbolic tangent of a.
func (t *Tape[T]) Tanh(a Value) Value {
	x := t.at(a)
	v, n := t.record(tanh[T]{}, x.rows, x.cols, a)
	for i, u := range x.value {
		n.value[i] = T(2*sigmoid(2*float64(u)) - 1)
	}
	return v
}

type tanh[T kernel.Float] struct{}

func (tanh[T]) back(t *Tape[T], n *node[T]) {
	grad := t.at(n.in[0]).grad
	for i, u := range n.value {
		grad[i] += T(n.grad[i] * (1 - T(u*u)))
	}
}

// Exp records e^a.
func (t *Tape[T]) Exp(a Value) Value {
	x := t.at(a)
	v, n := t.record(exps[T]{}, x.rows, x.cols, a)
	for i, u := range x.value {
		n.value[i] = exp(u)
	}
	return v
}

type exps[T kernel.Float] struct{}

func (exps[T]) back(t *Tape[T], n *node[T]) {
	grad := t.at(n.in[0]).grad
	for i, u := range n.value {
		grad[i] += T(n.grad[i] * u)
	}
}

// AtMost records min(a, limit). Entries above the limit pass no gradient.
func (t *Tape[T]) AtMost(a Value, limit float64) Value {
	x := t.at(a)
	v, n := t.record(atMost[T]{}, x.rows, x.cols, a)
	n.number = limit
	for i, u := range x.value {
		n.value[i] = min(u, T(limit))
	}
	return v
}

type atMost[T kernel.Float] struct{}

func (atMost[T]) back(t *Tape[T], n *node[T]) {
	a := t.at(n.in[0])
	for i, u := range a.value {
		if u <= T(n.number) {
			a.grad[i] += n.grad[i]
		}
	}
}

// SoftmaxRows records e^a with every row divided by its sum.
func (t *Tape[T]) SoftmaxRows(a Value) Value {
	x := t.at(a)
	v, n := t.record(softmaxRows[T]{}, x.rows, x.cols, a)
	for i := 0; i < len(x.value); i += x.cols {
		softmax(n.value[i:i+x.cols], x.value[i:i+x.cols])
	}
	return v
}

// softmax sets w to e^x divided by its sum.
func softmax[T kernel.Float](w, x []T) {
	top := x[0]
	for _, u := range x {
		top = max(top, u)
	}
	var sum T
	for i, u := range x {
		w[i] = exp(u - top)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
}

type softmaxRows[T kernel.Float] struct{}

// da_j = w_j (g_j - sum over k of g_k w_k).
func (softmaxRows[T]) back(t *Tape[T], n *node[T]) {
	grad := t.at(n.in[0]).grad
	for i := 0; i < len(grad); i += n.cols {
		w, g := n.value[i:i+n.cols], n.grad[i:i+n.cols]
		mean := dot(w, g)
		for j, u := range w {
			grad[i+j] += T(u * (g[j] - mean))
		}
	}
}
