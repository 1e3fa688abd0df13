// Package weights stores what a model learns, and does what is the same for all of it: the first
// draw, the arrays of a checkpoint, the look-up by name. Package cadem says what they are for.
package weights

import (
	"fmt"

	"cadem/core/cadem/internal/offload"
	"cadem/core/cadem/internal/packed"
	"cadem/core/cadem/internal/streams"
	"cadem/core/checkpoint"
	"cadem/core/diag"
	"cadem/core/kernel"
)

// An Encoder is the arrays of one. W1 has only the rows of features that are not zero in Z, F of them:
// the others have no gradient and no effect. With weight decay all rows stay.
type Encoder[T kernel.Float] struct {
	F, H, D    int
	W1, M1, V1 []T // F x H: weights and Adam's moments
	W2, M2, V2 []T // H x d
	B, MB, VB  []T // d
	U, DU      []T // F x d: U = W1 W2, current except in a helper (Encoders.Refresh), and its gradient
	DW2, DB    []T
	Old        []T // W2 before the step
}

// Init makes it an encoder of zeros.
func (e *Encoder[T]) Init(f, h, d int) {
	e.F, e.H, e.D = f, h, d
	all := append(e.Arrays(), &e.B, &e.MB, &e.VB, &e.DB)
	for i, n := range [...]int{f * h, f * h, f * h, h * d, h * d, h * d, f * d, f * d, h * d, h * d, d, d, d, d} {
		*all[i] = make([]T, n)
	}
}

// Arrays lists all but the bias.
func (e *Encoder[T]) Arrays() []*[]T {
	return []*[]T{&e.W1, &e.M1, &e.V1, &e.W2, &e.M2, &e.V2, &e.U, &e.DU, &e.DW2, &e.Old}
}

// A Model is the encoders of every layer, common and private, and the heads.
type Model[T kernel.Float] struct {
	Encoders [][2]*Encoder[T]
	Phi, Psi *packed.Head[T]
}

// Count returns how many numbers are trained.
func (m *Model[T]) Count() int {
	n := len(m.Phi.W) + len(m.Phi.B) + len(m.Psi.W) + len(m.Psi.B)
	for _, pair := range m.Encoders {
		for _, e := range pair {
			n += len(e.W1) + len(e.W2) + len(e.B)
		}
	}
	return n
}

// Draw sets all weights to the first ones. Live are the features that the rows of every layer's W1
// belong to, of f[l].
func (m *Model[T]) Draw(source streams.Source, live [][]int32, f []int) {
	w := drawing{source: source}
	for l, pair := range m.Encoders {
		for branch, e := range pair {
			w1 := w.draw(name(l, "W1", branch), f[l], e.H)
			for i, j := range live[l] {
				kernel.Round(e.W1[i*e.H:][:e.H], w1[int(j)*e.H:])
			}
			kernel.Round(e.W2, w.draw(name(l, "W2", branch), e.H, e.D))
			kernel.Round(e.B, w.draw(name(l, "b", branch), 1, e.D))
		}
	}
	for _, head := range []string{"phi", "psi"} {
		p := m.head(head)
		kernel.Round(p.W, w.draw("W"+head, p.Rows, p.N))
		kernel.Round(p.B, w.draw("b"+head, 1, p.N))
	}
}

// A drawing holds what is drawn, in double precision: one tensor at a time.
type drawing struct {
	source streams.Source
	w      []float64
}

func (d *drawing) draw(tensor string, rows, cols int) []float64 {
	if n := rows * cols; n > len(d.w) {
		d.w = make([]float64, n)
	}
	clear(d.w)
	d.source.Weights(tensor, d.w[:rows*cols], rows, cols)
	return d.w
}

// name is what [streams.Source] calls a part of an encoder.
func name(layer int, part string, branch int) string {
	return fmt.Sprintf("l%d.%s%c", layer, part, "cp"[branch])
}

func (m *Model[T]) head(name string) *packed.Head[T] {
	if name == "phi" {
		return m.Phi
	}
	return m.Psi
}

// Saved lists the weights, each with its two moments, for a checkpoint. Encoders keep W1 and W2.
// Moments that were stored as averages are divided by average1 and average2.
func (m *Model[T]) Saved(encoders *offload.Encoders[T], average1, average2 T) (all checkpoint.List[T]) {
	for l, pair := range m.Encoders {
		for branch, e := range pair {
			all = append(all, encoders.Stored(l, branch)...)
			all.Add(e.B, e.MB, e.VB)
		}
	}
	for _, p := range []*packed.Head[T]{m.Phi, m.Psi} {
		w, b := p.Parameters()
		all.Add(append(w[:3], b[:3]...)...)
	}
	for i := range all {
		switch i % 3 {
		case 1:
			all[i].Moment = average1
		case 2:
			all[i].Moment = average2
		}
	}
	return all
}

// Parameter returns a tensor and its gradient, by its name in [streams.Source]. dW1 forms that of an
// encoder's W1. It panics if there is no tensor of that name.
func (m *Model[T]) Parameter(tensor string, dW1 func(*Encoder[T]) []T) (value, gradient []T) {
	for _, head := range []string{"phi", "psi"} {
		switch w, b := m.head(head).Parameters(); tensor {
		case "W" + head:
			return w[0], w[3]
		case "b" + head:
			return b[0], b[3]
		}
	}
	for l, pair := range m.Encoders {
		for branch, e := range pair {
			switch tensor {
			case name(l, "W1", branch):
				return e.W1, dW1(e)
			case name(l, "W2", branch):
				return e.W2, e.DW2
			case name(l, "b", branch):
				return e.B, e.DB
			}
		}
	}
	panic(diag.Misuse("cadem: no parameter " + tensor))
}
