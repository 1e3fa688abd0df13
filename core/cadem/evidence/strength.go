package evidence

import (
	"math"

	"cadem.example/core/base/pause"
)

// Step 7: strengths of directions by links that were held out.

// HeldOut returns the strength of each function by links, and the squares that its variance is known by:
//
//	sum of 2 F_ik F_jk - share (d'F_k)^2 / sum(d),   sum of (2 F_ik F_jk)^2
//
// Where no degree is left, links are all that counts.
func HeldOut(f Matrix, degrees []float64, share float64, held [][2]int) (strength, squares []float64) {
	strength, squares = make([]float64, f.Cols), make([]float64, f.Cols)
	for _, e := range held {
		a, b := f.Row(e[0]), f.Row(e[1])
		for k, v := range a {
			x := float64(2 * v * b[k])
			strength[k] += x
			squares[k] += float64(x * x)
		}
	}
	sum := 0.0
	for _, d := range degrees {
		sum += d
	}
	if sum > 0 {
		for k, a := range f.under(degrees) {
			strength[k] -= share * a * a / sum
		}
	}
	return strength, squares
}

// Monotone returns the non-increasing numbers closest to x, by pooling adjacent violators.
func Monotone(x []float64) []float64 {
	type pool struct {
		mean float64
		n    int
	}
	var pools []pool
	for _, v := range x {
		pools = append(pools, pool{v, 1})
		for k := len(pools) - 1; k > 0 && pools[k-1].mean < pools[k].mean; k-- {
			a, b := pools[k-1], pools[k]
			n := a.n + b.n
			pools[k-1] = pool{(float64(a.mean*float64(a.n)) + float64(b.mean*float64(b.n))) / float64(n), n}
			pools = pools[:k]
		}
	}
	out := make([]float64, 0, len(x))
	for _, p := range pools {
		for range p.n {
			out = append(out, p.mean)
		}
	}
	return out
}

// Cut is [Monotone] with the numbers below 0 set to 0, of the same length.
func Cut(x []float64) []float64 {
	out := Monotone(x)
	for i, v := range out {
		out[i] = max(v, 0)
	}
	return out
}

// A Fold has all layers without the links of one fold.
type Fold struct {
	Layers  []*Layer   // the links outside the fold
	Held    [][][2]int // those in it, by layer
	Pool    *Pool      // U
	F, Tail Matrix     // F_S and F_T
	Private []*Private // by layer; nil if nothing is held out

	found [][]float64 // perLayer lists for each, once the functions are released
}

// perLayer is the number of lists of a layer that a fold is released to: strengths and squares of the shared directions, and of the layer's own, and signs.
const perLayer = 5

type strengths struct{ strength, squares, signs []float64 }

// shared returns the strengths of r shared directions in layer l, by one of k folds; nothing where no link is held out.
func (f *Fold) shared(l, r, k int) (s strengths) {
	switch {
	case f.found != nil:
		s.strength, s.squares = f.found[perLayer*l], f.found[perLayer*l+1]
	case len(f.Held[l]) > 0:
		s.strength, s.squares = f.Strength(f.F.first(r), l, k)
	}
	return s
}

// private returns those of the layer's own directions, and the signs of their eigenvalues.
func (f *Fold) private(l, k int) (s strengths) {
	switch {
	case f.found != nil:
		x := f.found[perLayer*l+2:]
		s.strength, s.squares, s.signs = x[0], x[1], x[2]
	case f.Private[l] != nil:
		s.strength, s.squares = f.Strength(f.Private[l].F, l, k)
		s.signs = f.Private[l].Eigenvalues
	}
	return s
}

// released returns the strengths of r shared directions and of the private ones, in place of which the fold can go.
func (f *Fold) released(r, k int) (list [][]float64) {
	for l := range f.Layers {
		s, p := f.shared(l, r, k), f.private(l, k)
		list = append(list, s.strength, s.squares, p.strength, p.squares, p.signs)
	}
	return list
}

// NewFold repeats step 5, and the functions of step 9, on the links outside fold f, with the plan fixed.
func NewFold(layers []*Layer, folds [][]int, f int, plan [][]Choice, r, tail int, pause pause.Work) (*Fold, error) {
	out := &Fold{}
	for l, a := range layers {
		rest, held := a.Split(folds[l], f)
		out.Layers, out.Held = append(out.Layers, rest), append(out.Held, held)
	}
	remember(out.Layers, layers[0].memory.work())
	b, err := NewBasis(out.Layers, plan, r, afresh(out.Layers, plan, pause), pause)
	if err != nil {
		return nil, err
	}
	out.Pool, out.F = b.Pool, b.F
	out.Tail, err = b.Tail(b.V, tail, pause)
	return out, err
}

// Own adds the private functions of step 8 of all layers with links in the fold.
func (f *Fold) Own(most int, pause pause.Work) error {
	for l, a := range f.Layers {
		f.Private = append(f.Private, nil)
		if len(f.Held[l]) == 0 {
			continue
		}
		p, err := NewPrivate(a, f.F, most, pause)
		if err != nil {
			return err
		}
		f.Private[l] = p
	}
	forget(f.Layers)
	return nil
}

// slim lets go of all that neither strengths nor probabilities ask for: a split holds all its folds.
func (f *Fold) slim() {
	f.Pool = f.Pool.slim()
	for l, a := range f.Layers {
		f.Layers[l] = &Layer{Degrees: a.Degrees, Twice: a.Twice}
	}
	for _, p := range f.Private {
		if p != nil {
			p.Pool, p.V, p.J = p.Pool.slim(), Matrix{}, Matrix{}
		}
	}
}

// slim returns the degrees alone.
func (p *Pool) slim() *Pool { return &Pool{D: p.D, Sum: p.Sum} }

// Strength returns the strength of each column of x, functions of the nodes, by the links of layer l in the fold, one of k folds, and the
// sums of squares that go with them.
func (f *Fold) Strength(x Matrix, l, k int) (strength, squares []float64) {
	scale := float64(k) / float64(k-1)
	d := make([]float64, len(f.Layers[l].Degrees))
	for i, v := range f.Layers[l].Degrees {
		d[i] = v * scale
	}
	return HeldOut(x, d, 1/float64(k), f.Held[l])
}

// A Strength is the strength of directions over folds, in one layer.
type Strength struct {
	ByFold, Squares [][]float64 // ByFold[f][k] of fold f and direction k; directions that a fold lacks add 0
	Sum, Z          []float64   // one for each direction; Z = Sum / sqrt(sum of the squares)
}

// newStrength returns the strength of n directions that no fold has seen.
func newStrength(n int) *Strength { return &Strength{Sum: make([]float64, n), Z: make([]float64, n)} }

// add adds a fold: its directions beyond those counted are dropped, and signs, if any, are multiplied in.
func (s *Strength) add(strength, squares []float64, signs []float64) {
	a, b := make([]float64, len(s.Sum)), make([]float64, len(s.Sum))
	copy(a, strength)
	copy(b, squares)
	for k := range min(len(a), len(signs)) {
		a[k] *= math.Copysign(1, signs[k])
	}
	s.ByFold, s.Squares = append(s.ByFold, a), append(s.Squares, b)
}

// finish fills Sum and Z.
func (s *Strength) finish() *Strength {
	for k := range s.Sum {
		squares := 0.0
		s.Sum[k] = 0
		for f, a := range s.ByFold {
			s.Sum[k] += a[k]
			squares += s.Squares[f][k]
		}
		s.Z[k] = s.Sum[k] / math.Sqrt(max(squares, 1e-300))
	}
	return s
}

// Shared returns the strengths of r shared directions in every layer, and the weights w: those of all layers together,
// made non-increasing and cut at 0.
func Shared(folds []*Fold, layers, r int) (list []*Strength, w []float64) {
	sum := make([]float64, r)
	for l := range layers {
		s := newStrength(r)
		for _, f := range folds {
			t := f.shared(l, r, len(folds))
			s.add(t.strength, t.squares, nil)
		}
		list = append(list, s.finish())
		for k, v := range s.Sum {
			sum[k] += v
		}
	}
	return list, Cut(sum)
}
