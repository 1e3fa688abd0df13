package evaluate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
)

// A Probe is a multinomial logistic regression with a small ridge, fitted to
// convergence or for 200 iterations: thousands of items with hundreds of columns may
// need more. It shows what is linearly readable from an embedding, whatever the
// learning rate and the epochs of the protocol.
type Probe struct {
	model *Combiner
	ridge float64
	path  descent
}

const (
	probeIterations = 200  // of L-BFGS, at most
	probeGradient   = 1e-5 // largest component at which a fit has converged
)

// NewProbe returns a probe of k classes for d features.
func NewProbe(d, k int) *Probe {
	p := &Probe{model: NewCombiner(Shape{Tokens: 1, Dim: d, Classes: k})}
	p.path.init(len(p.model.param))
	return p
}

// Fit fits the probe to a batch of standardised features: mean cross entropy plus
// |W|^2 / 2n, the prior of unit variance on every weight. Step, if not nil, is called
// after every iteration; its error ends the fit and is returned.
func (p *Probe) Fit(b *Batch, step func() error) error {
	clear(p.model.param)
	p.ridge = 1 / float64(b.n)
	return p.descend(b, step)
}

// descend fits from where the probe is.
func (p *Probe) descend(b *Batch, step func() error) error {
	p.path.count = 0
	value := p.evaluate(b)
	for range probeIterations {
		if largest(p.model.grad) <= probeGradient {
			break
		}
		next, moved := p.path.step(p.model.param, p.model.grad, value, func() float64 { return p.evaluate(b) })
		value = next
		if step != nil {
			if err := step(); err != nil {
				return err
			}
		}
		if !moved {
			break
		}
	}
	return nil
}

// Weights returns W (classes x features) and b of the scores W x + b.
func (p *Probe) Weights() (w, b []float64) {
	return slices.Clone(p.model.Parameter("cls_weight")), slices.Clone(p.model.Parameter("cls_bias"))
}

// Predict stores the class of each item in dst.
func (p *Probe) Predict(dst []int, b *Batch) { p.model.Predict(dst, b) }

// evaluate returns the objective and leaves its gradient in the model.
func (p *Probe) evaluate(b *Batch) float64 {
	value := p.model.Backward(b)
	w, g := p.model.wc.val, p.model.wc.grad
	for i, v := range w {
		g[i] += float64(p.ridge * v)
	}
	return value + float64(p.ridge/2*dot(w, w))
}

func largest(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

// descent is L-BFGS (Liu and Nocedal 1989) with backtracking for a convex objective.
type descent struct {
	count                int // pairs kept so far, the newest at (count-1) % memory
	s, y                 [memory][]float64
	rho, alpha           [memory]float64
	direction, from, old []float64
}

const memory = 10

func (l *descent) init(n int) {
	for i := range memory {
		l.s[i], l.y[i] = make([]float64, n), make([]float64, n)
	}
	l.direction, l.from, l.old = make([]float64, n), make([]float64, n), make([]float64, n)
}

// step moves x along the quasi-Newton direction until value, which evaluate computes
// together with grad at x, has fallen enough. It returns the new value and whether
// there was a way down.
func (l *descent) step(x, grad []float64, value float64, evaluate func() float64) (float64, bool) {
	copy(l.from, x)
	copy(l.old, grad)
	copy(l.direction, grad)
	d := l.direction
	first := max(0, l.count-memory)
	for k := l.count - 1; k >= first; k-- {
		i := k % memory
		l.alpha[i] = l.rho[i] * dot(l.s[i], d)
		kernel.AddScaled(d, l.y[i], -l.alpha[i])
	}
	scale := 1 / math.Sqrt(dot(grad, grad))
	if l.count > 0 {
		i := (l.count - 1) % memory
		scale = 1 / (l.rho[i] * dot(l.y[i], l.y[i]))
	}
	for i := range d {
		d[i] *= scale
	}
	for k := first; k < l.count; k++ {
		i := k % memory
		kernel.AddScaled(d, l.s[i], l.alpha[i]-float64(l.rho[i]*dot(l.y[i], d)))
	}
	slope := -dot(grad, d)
	t := 1.0
	for range 40 {
		copy(x, l.from)
		kernel.AddScaled(x, d, -t)
		if next := evaluate(); next <= value+float64(1e-4*float64(t*slope)) {
			l.remember(x, grad)
			return next, true
		}
		t /= 2
	}
	copy(x, l.from)
	return evaluate(), false
}

// remember keeps the last move and the change of the gradient along it.
func (l *descent) remember(x, grad []float64) {
	i := l.count % memory
	for k := range x {
		l.s[i][k] = x[k] - l.from[k]
		l.y[i][k] = grad[k] - l.old[k]
	}
	// Convexity makes s'y positive. Where rounding has eaten it, start afresh.
	s, y := l.s[i], l.y[i]
	sy := dot(s, y)
	if sy <= 1e-12*math.Sqrt(float64(dot(s, s)*dot(y, y))) {
		l.count = 0
		return
	}
	l.rho[i] = 1 / sy
	l.count++
}

// features puts the standardised columns of all tokens side by side.
func features(tokens []*mat.Dense) *mat.Dense {
	n, d := tokens[0].Dims()
	x := mat.NewDense(n, len(tokens)*d, nil)
	for t, token := range tokens {
		s := standardized(token)
		for i := range n {
			copy(x.RawRowView(i)[t*d:], s.RawRowView(i))
		}
	}
	return x
}
