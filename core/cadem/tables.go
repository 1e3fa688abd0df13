package cadem

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/pause"
)

// Inputs are what the common encoder of a layer reads, Z (M x F), with columns put together, as they are drawn.
type Inputs struct {
	Z        *mat.Dense // M x columns: column c is the mean of some columns of Z, beside each other
	Largest  float64    // of the numbers of Z, whatever their signs
	Features int        // F, columns without data among them
	Live     []int32    // columns that rows of W1 belong to, increasing
}

// InputsOf returns the inputs of a layer of the first graph, in at most that many columns. Place says where a column of Z comes
// among all, if it has a number for each of them; otherwise they stay in their order. The error is that of yield.
func InputsOf(t *Trainer, layer, most int, place []int, yield pause.Yield) (*Inputs, error) {
	return t.model.inputsOf(layer, most, place, yield)
}

func (m *model[T]) inputsOf(l, most int, place []int, yield pause.Yield) (*Inputs, error) {
	z, live, f := m.graphs[0].Layers[l].Z[common], m.live[l], m.features[l]
	columns := min(f, most)
	to, size := make([]int, f), make([]float64, columns) // of every column of Z
	for j := range to {
		k := j
		if len(place) == f {
			k = place[j]
		}
		to[j] = k * columns / f
		size[to[j]]++
	}
	in := &Inputs{Z: mat.NewDense(z.M, columns, nil), Features: f, Live: live}
	d := m.o.Dim // a product is prepared for so many columns
	u, x := make([]T, z.F*d), make([]T, z.M*d)
	for first := 0; first < z.F; first += d {
		n := min(d, z.F-first)
		clear(u)
		for c := range n {
			u[(first+c)*d+c] = 1
		}
		z.Mul(x, u, d)
		for i := range z.M {
			row := in.Z.RawRowView(i)
			for c, v := range x[i*d : i*d+n] {
				k := to[live[first+c]]
				row[k] += float64(v) / size[k]
				in.Largest = max(in.Largest, math.Abs(float64(v)))
			}
		}
		if err := yield.At(first+n, z.F); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// Guesses are what phi and psi say of the K pooled graphs of the first graph, by the current weights: the small graphs layer by
// layer, then the complete layers, if these are pooled.
type Guesses struct {
	H        *mat.Dense // K x d: h of the private embeddings
	Phi, Psi *mat.Dense // K x N: logits; psi's are the mean over the common parts that a private part may meet
}

// GuessesOf returns them. Gradients of the heads are forgotten: the next step begins with new ones.
func GuessesOf(t *Trainer) *Guesses { return t.model.guesses() }

func (m *model[T]) guesses() *Guesses {
	m.pool(0)
	m.phi.Prepare()
	m.psi.Prepare()
	g, d, n, width := m.graphs[0], m.o.Dim, len(m.enc), m.phi.Width
	all := g.from[len(g.Sets)]
	r := &Guesses{mat.NewDense(all, d, nil), mat.NewDense(all, n, nil), mat.NewDense(all, n, nil)}
	for s := range g.Sets {
		set := &g.Sets[s]
		from, to := g.span(s)
		hp, hc := g.H[private][from:to], g.H[common][from:to]
		phi, a, b, _ := four(len(set.Layer) * width)
		m.phi.Forward(phi, hp, 0)
		m.phi.AddBias(phi)
		m.psi.Forward(a, hp, 0)
		m.psi.Forward(b, hc, m.psi.Rows-d)
		m.psi.AddBias(b)
		if m.o.Pairing != "own" {
			meanRows(b, width, set.Batches)
		}
		for k, row := range set.places() {
			r.H.SetRow(g.from[s]+k, hp[row*d:(row+1)*d])
			for c := range n {
				r.Phi.Set(g.from[s]+k, c, phi[row*width+c])
				r.Psi.Set(g.from[s]+k, c, a[row*width+c]+b[row*width+c])
			}
		}
	}
	return r
}

// meanRows sets every row of x to the mean of the rows of its batch.
func meanRows(x []float64, width int, batches [][]int) {
	mean := make([]float64, width)
	for _, batch := range batches {
		rows := x[:len(batch)*width]
		clear(mean)
		addRows(mean, rows, width)
		scale(mean, 1/float64(len(batch)))
		clear(rows)
		addRow(rows, mean)
		x = x[len(rows):]
	}
}
