package descent

import (
	"fmt"
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/baseline/tape"
)

// A Model has parameters and a loss to minimise.
type Model[T kernel.Float] interface {
	// Params lists the parameters, always in the same order.
	Params() []*tape.Param[T]
	// Updates returns how many updates of the parameters an epoch makes.
	Updates(epoch int) int
	// Parts returns how many parts the loss of an update is the mean of, such as graphs.
	Parts() int
	// Loss records the terms of the loss of one part. The last one is minimised.
	Loss(t *tape.Tape[T], epoch, update, part int) []tape.Value
}

// A Rule says how a model is trained.
type Rule struct {
	Epochs   int
	Groups   []Group                 // of parameters
	Group    func(name string) int   // which group a parameter belongs to; nil: the first
	Schedule func(epoch int) float64 // factor of all learning rates; nil: 1
	Patience int                     // 0: all epochs are run and the last parameters kept
	Stop     Stop
	After    int // Last: may stop again only after this number of complete epochs
}

// A Group of parameters has a learning rate and a weight decay, which is added to the gradient
// times the weight.
type Group struct{ Rate, Decay float64 }

// A Stop is a way to stop early. An epoch whose loss is not below the best so far counts against the
// patience; one that is sets the count back.
type Stop int

const (
	// Best looks at the loss of an epoch before its update and keeps the parameters that gave it. The
	// epoch that exhausts the patience makes no update. At the end the best parameters are restored.
	Best Stop = iota
	// BestAfter looks at the mean loss of all updates of an epoch and keeps the parameters after the last.
	BestAfter
	// Last looks at the loss of an epoch's last update and keeps the parameters that come last.
	Last
)

// A NonFinite is the error of an update whose loss is not a number. The parameters are those before.
type NonFinite struct{ Epoch int }

func (e *NonFinite) Error() string {
	return fmt.Sprintf("the loss of epoch %d is not a finite number: a smaller learning rate may help", e.Epoch)
}

// A Fit is a model in training. It is not safe for concurrent use.
type Fit[T kernel.Float] struct {
	model Model[T]
	rule  Rule
	tape  *tape.Tape[T]

	params        []*tape.Param[T]
	group         []int
	m, v, best, g [][]T // moments, best parameters, mean gradients; the last two where they are needed
	rates         []kernel.AdamRate[T]
	terms         []float64 // of the last update

	// State that a step changes, apart from arrays.
	epoch, update, updates, worse, bestEpoch, ended int
	bestLoss, sum                                   float64
	powers                                          kernel.AdamPowers
}

// How a fit ended.
const (
	running = iota
	complete
	early
)

// New returns the fit of a model that was not trained. It records on t, which other fits may use between steps.
func New[T kernel.Float](model Model[T], rule Rule, t *tape.Tape[T]) *Fit[T] {
	f := &Fit[T]{model: model, rule: rule, tape: t, params: model.Params(), powers: kernel.NewAdamPowers(), bestLoss: math.Inf(1), bestEpoch: -1,
		rates: make([]kernel.AdamRate[T], len(rule.Groups))}
	for _, p := range f.params {
		n := len(p.Value)
		f.m, f.v = append(f.m, make([]T, n)), append(f.v, make([]T, n))
		if f.restores() {
			f.best = append(f.best, make([]T, n))
		}
		if model.Parts() > 1 {
			f.g = append(f.g, make([]T, n))
		} else {
			f.g = append(f.g, p.Grad)
		}
		k := 0
		if rule.Group != nil {
			k = rule.Group(p.Name)
		}
		f.group = append(f.group, k)
	}
	return f
}

// restores reports whether the best parameters are kept.
func (f *Fit[T]) restores() bool { return f.rule.Patience > 0 && f.rule.Stop != Last }

// Over reports whether there is nothing left to do.
func (f *Fit[T]) Over() bool { return f.ended != running }

// Early reports whether the patience was exhausted.
func (f *Fit[T]) Early() bool { return f.ended == early }

// Epoch returns how many epochs are complete, the one that exhausted the patience among them.
func (f *Fit[T]) Epoch() int { return f.epoch }

// Updates returns the number of updates of the parameters so far.
func (f *Fit[T]) Updates() int { return f.updates }

// Best returns the epoch, from 0, with the lowest loss and that loss, or -1 before there is one.
func (f *Fit[T]) Best() (epoch int, loss float64) { return f.bestEpoch, f.bestLoss }

// Terms returns the loss as it was before the last update, one number for each of its terms.
func (f *Fit[T]) Terms() []float64 { return f.terms }

// Gradient returns the gradient of the last update by parameter k, rows x columns of that parameter.
func (f *Fit[T]) Gradient(k int) []T { return f.g[k] }

// Step makes one update, or ends the fit. Yield, which may be nil, is called after every part of the
// loss; its error ends the step and is returned.
func (f *Fit[T]) Step(yield pause.Yield) error {
	if f.Over() {
		return nil
	}
	loss, err := f.gradients(yield)
	if err != nil {
		return err
	}
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return &NonFinite{f.epoch + 1}
	}
	f.sum += loss
	if f.rule.Patience > 0 && f.rule.Stop == Best && f.see(loss) {
		f.end(early)
		return nil
	}
	f.move()
	f.update++
	if f.update == f.model.Updates(f.epoch) {
		f.endEpoch(loss)
	}
	return nil
}

// gradients fills the gradients, means over the parts, and returns the loss.
func (f *Fit[T]) gradients(yield pause.Yield) (float64, error) {
	parts := f.model.Parts()
	f.terms = f.terms[:0]
	for part := range parts {
		f.tape.Reset()
		values := f.model.Loss(f.tape, f.epoch, f.update, part)
		f.tape.Backward(values[len(values)-1])
		for k, v := range values {
			if part == 0 {
				f.terms = append(f.terms, 0)
			}
			f.terms[k] += f.tape.Number(v) / float64(parts)
		}
		if parts > 1 {
			f.collect(part, T(1/float64(parts)))
		}
		if err := yield.At(part+1, parts); err != nil {
			return 0, err
		}
	}
	return f.terms[len(f.terms)-1], nil
}

// collect adds the gradients of one part.
func (f *Fit[T]) collect(part int, share T) {
	for k, p := range f.params {
		g := f.g[k]
		if part == 0 {
			clear(g)
		}
		for i, v := range p.Grad {
			g[i] += T(share * v)
		}
	}
}

// move makes one step of Adam.
func (f *Fit[T]) move() {
	factor := 1.0
	if f.rule.Schedule != nil {
		factor = f.rule.Schedule(f.epoch)
	}
	f.powers.Next()
	for k, g := range f.rule.Groups {
		f.rates[k] = kernel.NewAdamRate[T](f.powers, float64(g.Rate*factor), g.Decay)
	}
	for k, p := range f.params {
		kernel.Adam(p.Value, f.m[k], f.v[k], f.g[k], &f.rates[f.group[k]])
	}
	f.updates++
}

// see compares a loss with the best and reports whether the patience is exhausted.
func (f *Fit[T]) see(loss float64) bool {
	if loss < f.bestLoss {
		f.bestLoss, f.bestEpoch, f.worse = loss, f.epoch, 0
		for k, p := range f.params {
			if f.best != nil {
				copy(f.best[k], p.Value)
			}
		}
		return false
	}
	f.worse++
	return f.worse >= f.rule.Patience
}

// endEpoch is called after the last update of an epoch, with its loss.
func (f *Fit[T]) endEpoch(loss float64) {
	stop := false
	if f.rule.Patience > 0 {
		switch f.rule.Stop {
		case BestAfter:
			stop = f.see(f.sum / float64(f.update))
		case Last:
			stop = f.see(loss) && f.epoch+1 > f.rule.After
		}
	}
	switch {
	case stop:
		f.end(early)
	case f.epoch+1 == f.rule.Epochs:
		f.end(complete)
	default:
		f.epoch++
	}
	f.update, f.sum = 0, 0
}

// end restores the best parameters where the rule asks for it.
func (f *Fit[T]) end(how int) {
	f.ended = how
	f.epoch++
	if f.restores() {
		for k, p := range f.params {
			copy(p.Value, f.best[k])
		}
	}
}

// Sound reports whether what was put into State is of a fit that steps could lead to.
func (f *Fit[T]) Sound() bool {
	going := f.ended == running && f.epoch < f.rule.Epochs && f.update < max(f.model.Updates(f.epoch), 1)
	over := (f.ended == complete || f.ended == early) && f.epoch <= f.rule.Epochs && f.update == 0
	return min(f.epoch, f.update, f.updates, f.worse) >= 0 && f.bestEpoch >= -1 && f.bestEpoch < f.rule.Epochs && (going || over)
}

// State lists all that a step changes: counts, numbers, and arrays of the lengths of the parameters.
func (f *Fit[T]) State() (integers []*int, numbers []*float64, arrays [][]T) {
	for k, p := range f.params {
		arrays = append(arrays, p.Value, f.m[k], f.v[k])
	}
	arrays = append(arrays, f.best...)
	return []*int{&f.epoch, &f.update, &f.updates, &f.worse, &f.bestEpoch, &f.ended}, []*float64{&f.powers.Pow1, &f.powers.Pow2, &f.bestLoss, &f.sum}, arrays
}
