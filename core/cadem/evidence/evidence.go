package evidence

import (
	"fmt"
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
)

// ErrShape is the panic value when the sizes of the arguments do not fit together.
const ErrShape diag.Misuse = "evidence: dimension mismatch"

// A Result is a split of layers.
type Result struct {
	Trials    []*Trial    // steps 1 to 4, by layer
	Pair      [][]float64 // Pair[l][k] is the p-value of source k alone in layer l, 1 where it was not tried
	Plan      [][]Choice
	Basis     *Basis
	Profile   *Profile
	Strengths []*Strength // of shared directions, by layer
	W         []float64   // of all layers together, one for each column of S
	Own       []*OwnPart
	LeftOut   []*LeftOut
	TailF     Matrix
	TailW     []float64 // one for each column of TailF
	S, T      Matrix    // F_S diag(w)^1/2, and the tail likewise
	P         []Matrix  // of each layer, F_P diag(|s|)^1/2
	Logistics *Logistics

	rates []*Rates
	folds []*Fold
}

// An OwnPart is a layer's private part.
type OwnPart struct {
	*Private
	Strength *Strength // of as many directions as were tried
	Running  []float64 // Running[k] is the sum of z - 2.25 over the first k directions
	S        []float64 // S[k] is the signed strength of direction k, of those that are kept
	Oblique  Matrix
}

// Find splits the layers of a graph without features. Yield, if not nil, is called after every few milliseconds of work with what is
// done of an estimated total, both in multiply-adds; its error ends the work and is returned.
func Find(adjacency []*multiplex.CSR, o Options, draws Draws, yield pause.Yield) (*Result, error) {
	var layers []*Layer
	for _, a := range adjacency {
		ErrShape.Unless(a.Rows == a.Cols && a.Rows == adjacency[0].Rows)
		layers = append(layers, NewLayer(a))
	}
	ErrShape.Unless(len(layers) >= 2 && layers[0].M() > 0)
	r, t := &Result{}, &task{yield: yield, total: estimate(layers, o)}
	remember(layers, &linalg.Workspace{})
	defer forget(layers)
	for _, step := range []func([]*Layer, Options, Draws, *task) error{r.gate, r.split, r.predict} {
		if err := step(layers, o, draws, t); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// gate does steps 1 to 4.
func (r *Result) gate(layers []*Layer, o Options, draws Draws, work *task) error {
	pause := work.pause
	sources, err := Sources(layers, o.functions(len(layers), layers[0].M()), pause)
	if err != nil {
		return err
	}
	for l := range layers {
		t, err := Try(layers, l, sources[l], o, draws, pause)
		if err != nil {
			return err
		}
		r.Trials = append(r.Trials, t)
		pair := make([]float64, len(layers))
		for k := range pair {
			pair[k] = t.Pair(k)
		}
		r.Pair = append(r.Pair, pair)
	}
	r.Plan = Gate(r.Trials, o)
	functions := func(l, source int) (Matrix, error) {
		for _, s := range sources[l] {
			if s.Layer == source {
				return s.F, nil
			}
		}
		panic(ErrShape)
	}
	r.Basis, err = NewBasis(layers, r.Plan, o.functions(len(layers), layers[0].M()), functions, pause)
	if err != nil {
		return err
	}
	r.Profile = NewProfile(r.Basis.V, r.Basis.U)
	return nil
}

// split does steps 7 to 10.
func (r *Result) split(layers []*Layer, o Options, draws Draws, work *task) (err error) {
	n, m, b, pause := len(layers), layers[0].M(), r.Basis, work.pause
	if r.TailF, err = b.Tail(b.V, o.tail(), pause); err != nil {
		return err
	}
	folds := make([][]int, n)
	for l, a := range layers {
		folds[l] = draws.Folds(l, len(a.Links), o.folds())
	}
	for f := range o.folds() {
		before := work.done
		var fold *Fold
		found, err := layers[0].memory.part(fmt.Sprint("fold ", f), func() (list [][]float64, err error) {
			fold, err = NewFold(layers, folds, f, r.Plan, o.functions(n, m), r.TailF.Cols, pause)
			if err == nil {
				err = fold.Own(o.private(m), pause)
			}
			if err == nil && o.divides {
				list = fold.released(b.V.Cols, o.folds())
			} else if err == nil {
				fold.slim()
			}
			return list, err
		})
		if err != nil {
			return err
		}
		if o.divides {
			fold = &Fold{found: found}
		}
		r.folds = append(r.folds, fold)
		work.left((o.folds() - f) * (work.done - before)) // what comes after the folds takes about one more
	}
	r.Strengths, r.W = Shared(r.folds, n, b.V.Cols)
	for l, a := range layers {
		own := &OwnPart{Strength: PrivateStrength(r.folds, l, o.private(m))}
		if own.Private, err = NewPrivate(a, b.F, o.private(m), pause); err != nil {
			return err
		}
		var rank int
		rank, own.Running = Rank(own.Strength.Z)
		own.S = own.Keep(rank, own.Strength.Sum)
		if own.Oblique, err = own.Private.Oblique(pause); err != nil {
			return err
		}
		r.Own = append(r.Own, own)
		r.P = append(r.P, Embedding(own.F, own.S))
	}
	for l := range layers {
		if r.TailF.Cols == 0 {
			break
		}
		left, err := NewLeftOut(layers, l, b.F, b.Pool.Sum, r.TailF.Cols, pause)
		if err != nil {
			return err
		}
		r.LeftOut = append(r.LeftOut, left)
	}
	_, r.TailW = TailWeights(r.LeftOut, r.TailF.Cols)
	r.S, r.T = Embedding(b.F, r.W), Embedding(r.TailF, r.TailW)
	return nil
}

// Embedding returns F diag(|w|)^1/2 of F (M x d) and d strengths.
func Embedding(f Matrix, w []float64) Matrix {
	root := make([]float64, f.Cols)
	for k := range root {
		root[k] = math.Sqrt(math.Abs(w[k]))
	}
	return f.weighted(root)
}

// predict fits the probabilities of links.
func (r *Result) predict(layers []*Layer, o Options, draws Draws, work *task) (err error) {
	for l := range layers {
		own := r.Own[l]
		r.rates = append(r.rates, &Rates{Layers: len(layers), Sum: r.Basis.Pool.Sum, Shared: r.Basis.F, Tail: r.TailF, W: r.W, WTail: r.TailW,
			D: own.Pool.D, Private: own.F, S: own.S})
	}
	r.Logistics, err = FitLogistics(layers, r.folds, func(f, l int) *Rates { return FoldRates(r.rates[l], r.folds[f], l) }, draws, work.pause)
	r.folds = nil
	return err
}

// FoldRates returns the link rates of one fold: its functions and signs, with the weights of the full fit.
func FoldRates(whole *Rates, f *Fold, l int) *Rates {
	p := f.Private[l]
	s := make([]float64, min(len(whole.S), len(p.Eigenvalues)))
	for k := range s {
		s[k] = math.Copysign(whole.S[k], p.Eigenvalues[k])
	}
	return &Rates{Layers: whole.Layers, Sum: f.Pool.Sum, Shared: f.F, Tail: f.Tail, W: whole.W, WTail: whole.WTail, D: p.Pool.D, Private: p.F, S: s}
}

// Rank returns how many directions are shared.
func (r *Result) Rank() int { return r.Basis.V.Cols }

// Probability returns the probability of a link of nodes i and j in layer l, on the scale of held-out links among non-links: there are four non-links for
// each of them when it is fitted.
func (r *Result) Probability(l, i, j int) float64 {
	x := make([]float64, PairFeatures)
	r.rates[l].Features(x, i, j)
	return Sigmoid(r.Logistics.Layers[l].Logit(x))
}

// A task counts work.
type task struct {
	done, since, total int
	known              bool // the total, from what a fold took
	yield              pause.Yield
}

// yieldEvery is the number of multiply-adds between two calls of yield, a millisecond or two of them.
const yieldEvery = 1 << 19

func (t *task) pause(work int) error {
	t.done, t.since = t.done+work, t.since+work
	if t.since < yieldEvery {
		return nil
	}
	if t.since, t.total = 0, max(t.total, t.done); !t.known { // the estimate may be off: less than a half is done then
		t.total = max(t.total, 2*t.done+t.done/8)
	}
	return t.yield.At(t.done, t.total)
}

// left says how much work is left.
func (t *task) left(work int) { t.total, t.known = t.done+work, true }

// estimate returns about how many multiply-adds a split takes.
func estimate(layers []*Layer, o Options) int {
	var links []int
	for _, a := range layers {
		links = append(links, len(a.Links))
	}
	return Work(layers[0].M(), links, o)
}

// Work returns the approximate number of multiply-adds of [Find], for m nodes and a number of links in each layer: permutations, and
// eigenproblems of some products with a layer or two and some looks at the vectors each.
func Work(m int, links []int, o Options) int {
	products, looks := 90, 6
	if m > linalg.Large {
		products, looks = 25, 2
	}
	n, entries := len(links), 0
	for _, l := range links {
		entries += 2 * l
	}
	r := o.functions(n, m)
	permutations := o.permutations(n) * n * n * (m*r*r + entries*r/(2*n))
	pairs := 2*n + 1 + n + 3*n*o.folds()
	return permutations + pairs*(products*r*(3*m+2*entries/n)+6*looks*m*r*r)
}
