package cadem

import (
	"fmt"
	"math"
	"strings"

	"cadem.example/core/base/checkpoint"
	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
)

// Common to all weights: initial values, the arrays of a checkpoint, the look-up by name.

// parameters returns how many numbers are trained.
func (m *model[T]) parameters() int {
	n := len(m.phi.W) + len(m.phi.B) + len(m.psi.W) + len(m.psi.B)
	for _, pair := range m.enc {
		for _, e := range pair {
			n += len(e.W1) + len(e.W2) + len(e.B)
		}
	}
	return n
}

// tensorName is the name of a part of an encoder for [RandomSource].
func tensorName(layer int, part string, branch int) string {
	return fmt.Sprintf("l%d.%s%c", layer, part, "cp"[branch])
}

func (m *model[T]) head(name string) *head[T] {
	if name == "phi" {
		return m.phi
	}
	return m.psi
}

// draw initialises the weights. live[l] lists the features behind the rows of layer l's W1, of f[l] features.
func (m *model[T]) draw(live [][]int32, f []int) {
	var held []float64 // one tensor at a time, in double precision
	draw := func(tensor string, rows, cols int) []float64 {
		if n := rows * cols; n > len(held) {
			held = make([]float64, n)
		}
		clear(held)
		m.source.Weights(tensor, held[:rows*cols], rows, cols)
		return held
	}
	for l, pair := range m.enc {
		for branch, e := range pair {
			w1 := draw(tensorName(l, "W1", branch), f[l], e.H)
			for i, j := range live[l] {
				kernel.Round(e.W1[i*e.H:][:e.H], w1[int(j)*e.H:])
			}
			kernel.Round(e.W2, draw(tensorName(l, "W2", branch), e.H, e.D))
			kernel.Round(e.B, draw(tensorName(l, "b", branch), 1, e.D))
		}
	}
	for _, name := range []string{"phi", "psi"} {
		p := m.head(name)
		kernel.Round(p.W, draw("W"+name, p.Rows, p.N))
		kernel.Round(p.B, draw("b"+name, 1, p.N))
	}
}

// Weights draws initial values, uniform in +-sqrt(6 / (rows + cols)); biases begin at 0.
func (s *seeded) Weights(name string, w []float64, rows, cols int) {
	if name[0] == 'b' || strings.Contains(name, ".b") { // bphi, l0.bc
		return
	}
	limit := math.Sqrt(6 / float64(rows+cols))
	s.named("weights/%s", name).Fill(w)
	for i, x := range w {
		w[i] = -limit + float64((limit+limit)*x)
	}
}

// saved lists the weights, each with its two moments, for a checkpoint. Encoders keep W1 and W2.
// A checkpoint may hold moments as averages; the kernel's are these divided by 1 - beta.
func (m *model[T]) saved() (all checkpoint.List[T]) {
	for _, pair := range m.enc {
		for _, e := range pair {
			all.Add(e.W1, e.M1, e.V1, e.W2, e.M2, e.V2, e.B, e.MB, e.VB)
		}
	}
	for _, p := range []*head[T]{m.phi, m.psi} {
		w, b := p.Parameters()
		all.Add(append(w[:3], b[:3]...)...)
	}
	for i := range all {
		switch i % 3 {
		case 1:
			all[i].Moment = 1 - kernel.Beta1
		case 2:
			all[i].Moment = 1 - kernel.Beta2
		}
	}
	return all
}

// tensor returns a parameter and its gradient, by its name in [RandomSource]. It panics if no parameter
// has that name.
func (m *model[T]) tensor(name string) (value, gradient []T) {
	for _, head := range []string{"phi", "psi"} {
		switch w, b := m.head(head).Parameters(); name {
		case "W" + head:
			return w[0], w[3]
		case "b" + head:
			return b[0], b[3]
		}
	}
	for l, pair := range m.enc {
		for branch, e := range pair {
			switch name {
			case tensorName(l, "W1", branch):
				return e.W1, e.dW1()
			case tensorName(l, "W2", branch):
				return e.W2, e.DW2
			case tensorName(l, "b", branch):
				return e.B, e.DB
			}
		}
	}
	panic(diag.Misuse("cadem: no parameter " + name))
}
