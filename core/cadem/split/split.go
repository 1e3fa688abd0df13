// Package split prepares what the encoders of CaDeM work on so that the common ones see what the
// layers share and the private ones what only their own layer has. It is done once, before
// training. The paper has none of it.
//
// Z_l = B_l X_l is the propagated features of layer l (M x F), M nodes, N layers. In order:
//
//	scale     Z_l <- Z_l diag(1 / |column|), where X_l is not the identity      columns.go
//	trim      Y_l = sqrt(M) U diag(s_1..s_r) / s_1, the leading singular         trim.go
//	          vectors of Z_l less its column means that stand above noise
//	split     J, the directions on which the U_l agree above chance;             split.go
//	          Z^C_l = J J'Y_l for the common encoder, Z^P_l = Y_l - Z^C_l
//	own       Z^O_l = Z^P_l + J X_l: the private part, undistorted               own.go
//	target    what matching draws the private embedding to                      target.go
//
// The noise edge is the largest singular value of an M x F matrix of independent noise (Bai and Yin
// 1993); directions of two layers agree by chance up to the edge of the Jacobi law (Wachter
// 1980), which replaces the simulated bound of AJIVE (Feng, Jiang, Hannig and Marron 2018).
//
// [Pool] finds what all views have together instead, for the method of package baseline that trains nothing.
//
// Several graphs share encoders, so that their coordinates must mean the same: they are prepared
// together, as the graph that they are beside each other, each less its own means.
//
// Nothing forms a matrix of M x M, or Z unless its few columns are kept whole. Results have the same bits on every machine.
package split

import (
	"fmt"
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
)

// ErrShape is the panic value when the sizes of the arguments do not fit together.
const ErrShape diag.Misuse = "split: dimension mismatch"

// Options of the preparation. The zero value keeps no direction; see the options of package cadem.
type Options struct {
	Scale     bool    // columns of Z to unit length
	Noise     bool    // keep what stands above the noise edge alone
	Weigh     bool    // keep the rest as well, but find the edge
	Kept      int     // directions of a layer at most
	Whole     bool    // keep Z as it is, for few features: overrules the three above
	Split     bool    // give each encoder its part, not all of Y to both
	Agreement float64 // that a shared direction exceeds, as well as chance
	Own       bool    // the hop that restores the private part
	Maps      bool    // keep the maps of layers, too, which training does not need
	// Journal keeps the directions of layers; it has no maps, and is nil where they are asked for.
	Journal *pause.Journal
}

// A Source is a layer of a graph, Z = B X.
type Source struct {
	B *multiplex.Propagator
	X *multiplex.Features
	// Featureless says that X was the identity before dropout: like those of the identity, its columns
	// are not scaled.
	Featureless bool
}

// A Layer is one prepared, its nodes those of all graphs.
type Layer struct {
	Rank        int       // directions kept, r
	F           int       // columns: r, or 1 if there is none
	Singular    []float64 // one for each direction kept, falling, of Z less its means
	Edge        float64   // the noise edge in units of Singular[0]
	Noisy       bool      // whether the directions kept end at the noise edge: there may be more of them, or nothing is trimmed
	Common, Own []float64 // M x F: Z^C and Z^O
	Target      *Target   // of the private embedding; nil for a whole Z

	Maps *Maps // nil without the option

	left, y []float64 // M x r: U, and M x F: Y
}

// Maps make the parts of a layer from Z: Y = (Z - 1 mean') Right, except for the residual of the iteration; a whole Z, which Right keeps,
// has no mean subtracted. X = J'B (I - J J') Y Hop is the hop; nil: no hop.
type Maps struct {
	Right []float64 // columns of Z x F
	Hop   []float64 // F x F
}

// A Result is a preparation.
type Result struct {
	Layers []Layer
	Shared int       // columns of J
	J      []float64 // M x Shared, with the option Maps
	// Featureless says that layers have no features of their own.
	Featureless bool
	Agreement   []float64 // of every direction of all layers, falling
	Chance      float64   // c_0, which independent layers stay below
	Rows        []int     // first node of each graph, and M
}

// Notes say how many directions layers keep, how many were trimmed, why features of sparse layers are
// noise, and the effect of too few nodes.
func Notes(ranks []int, trimmed, featureless bool, nodes int) (notes []string) {
	for l, rank := range ranks {
		switch {
		case rank == 0:
			why := ""
			if featureless { // singular values of B are 1 at most
				why = ", which without features takes more than about 4 edges a node"
			}
			notes = append(notes, fmt.Sprintf("layer %d is noise: none of its directions stands above the noise edge%s", l+1, why))
		case trimmed:
			notes = append(notes, fmt.Sprintf("layer %d: %d directions are kept", l+1, rank))
		}
	}
	const few = 16
	if nodes < few {
		notes = append(notes, fmt.Sprintf("with %d nodes the noise edge and the agreement by chance are rough: they are for %d and more", nodes, few))
	}
	return notes
}

// Ranks returns how many directions each layer keeps.
func (r *Result) Ranks() (ranks []int) {
	for _, l := range r.Layers {
		ranks = append(ranks, l.Rank)
	}
	return ranks
}

// Forget drops what training does not need: the parts, which are with the encoders, and more.
func (l *Layer) Forget() { l.Common, l.Own, l.left, l.y = nil, nil, nil, nil }

// A task is a preparation under way.
type task struct {
	o     Options
	rows  []int
	m     int // nodes of all graphs
	work  int
	since int // of it, since yield was called
	total int
	yield pause.Yield

	multiply func(Source, pause.Work) (products, error)
}

// Prepare prepares the layers of graphs, given as graphs[g][l], with products in the precision of T.
// Yield, if not nil, is called after every few milliseconds of work with what is done of a total,
// both in multiply-adds; its error ends the work and is returned.
func Prepare[T kernel.Float](graphs [][]Source, o Options, yield pause.Yield) (*Result, error) {
	return prepare(graphs, o, yield, newRounded[T])
}

func prepare(graphs [][]Source, o Options, yield pause.Yield,
	multiply func(Source, pause.Work) (products, error)) (*Result, error) {
	ErrShape.Unless(len(graphs) > 0 && len(graphs[0]) >= 2)
	t := &task{o: o, rows: []int{0}, yield: yield, multiply: multiply}
	for _, g := range graphs {
		t.m += g[0].X.Rows
		t.rows = append(t.rows, t.m)
	}
	n := len(graphs[0])
	trims := make([]*trimming, n)
	for l := range n {
		var parts []Source
		for _, g := range graphs {
			parts = append(parts, g[l])
		}
		trims[l] = newTrimming(t, parts)
		t.total += trims[l].estimate()
	}
	r := &Result{Rows: t.rows, Featureless: graphs[0][0].unscaled()}
	for _, trim := range trims {
		layer, err := trim.layer()
		if err != nil {
			return nil, err
		}
		r.Layers = append(r.Layers, *layer)
	}
	j, err := t.agree(r)
	if err != nil {
		return nil, err
	}
	if o.Maps {
		r.J = j
	}
	for l := range r.Layers {
		if err := t.part(&r.Layers[l], j, r.Shared, trims[l]); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// yieldEvery is how many multiply-adds come between two calls of yield, a millisecond or two of them.
const yieldEvery = 1 << 19

// pause reports work done.
func (t *task) pause(work int) error {
	t.work, t.since = t.work+work, t.since+work
	if t.yield == nil || t.since < yieldEvery {
		return nil
	}
	t.since, t.total = 0, max(t.total, t.work)
	return t.yield(t.work, t.total)
}

// rest lets others in after work that is not a product.
func (t *task) rest() error {
	t.since = yieldEvery
	return t.pause(0)
}

// parts calls do for m rows, in parts with pauses; each is the multiply-adds of a row. The number of
// rows in a part is a multiple of four, which the kernels take at once.
func (t *task) parts(m, each int, do func(from, to int)) error {
	return pause.Work(t.pause).Rows(m, each, yieldEvery, do)
}

// mul sets dst (m x d) to a (m x k) times b (k x d).
func (t *task) mul(dst, a, b []float64, m, k, d int) error {
	return t.parts(m, k*d, func(from, to int) { kernel.Mul(dst[from*d:to*d], a[from*k:to*k], b, to-from, k, d) })
}

// addMulTrans adds a'b to dst (k x d), a being m x k and b m x d.
func (t *task) addMulTrans(dst, a, b []float64, m, k, d int) error {
	return t.parts(m, k*d, func(from, to int) { kernel.AddMulTrans(dst, a[from*k:to*k], b[from*d:to*d], to-from, k, d) })
}

// centre takes off x (M x d) its column means, each graph's own.
func centre(x []float64, rows []int, d int) {
	for g, to := range rows[1:] {
		linalg.Centre(x[rows[g]*d:to*d], d)
	}
}

// negligible is the share of the largest singular value below which another counts as zero.
const negligible = 1e-6

// agree finds the directions that the layers share. With singular values q of [U_1 ... U_N] / sqrt
// N, direction k has the agreement
//
//	c_k = (N q_k^2 - 1) / (N - 1),
//
// the mean over pairs of layers; for two it is the cosine of a principal angle. It returns J (M x
// r.Shared).
func (t *task) agree(r *Result) (j []float64, err error) {
	n, columns := len(r.Layers), 0
	for _, l := range r.Layers {
		columns += l.Rank
	}
	r.Chance = chance(r.Layers, t.m-len(t.rows)+1)
	if columns == 0 {
		return nil, nil
	}
	s := linalg.NewSVD(max(t.m, columns), columns)
	from, scale := 0, 1/math.Sqrt(float64(n))
	for _, l := range r.Layers {
		if err := t.rest(); err != nil {
			return nil, err
		}
		for i := range t.m {
			for k, x := range l.left[i*l.Rank : (i+1)*l.Rank] {
				s.A[i*columns+from+k] = float64(scale * x)
			}
		}
		from += l.Rank
	}
	if err := s.Decompose(t.pause); err != nil {
		return nil, err
	}
	for _, q := range s.Singular {
		c := (float64(float64(n)*float64(q*q)) - 1) / float64(n-1)
		r.Agreement = append(r.Agreement, c)
		if t.o.Split && Exceeds(c, t.o.Agreement, r.Chance) {
			r.Shared++
		}
	}
	j = make([]float64, s.Rows*r.Shared)
	err = s.Left(j, r.Shared, t.pause)
	return j[:t.m*r.Shared], err
}

// Exceeds reports whether an agreement is above the least one and above chance. Nothing is above a chance
// of 1, though rounding may leave an agreement there.
func Exceeds(agreement, least, chance float64) bool {
	return chance < 1 && agreement > max(least, chance)
}

// chance returns the largest agreement of independent layers: the largest cosine between random
// subspaces of the two largest ranks r in a space of n dimensions,
//
//	c_0 = sin(a + b),  sin^2 a = r_1 / n,  sin^2 b = r_2 / n,   1 when a + b is a right angle or more.
func chance(layers []Layer, n int) float64 {
	var p, q float64 // the two largest
	for _, l := range layers {
		x := min(1, float64(l.Rank)/float64(max(n, 1)))
		p, q = max(p, x), max(q, min(p, x))
	}
	if p+q >= 1 {
		return 1
	}
	return math.Sqrt(float64(p*(1-q))) + math.Sqrt(float64(q*(1-p)))
}
