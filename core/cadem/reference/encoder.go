package reference

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem/core/multiplex"
)

// propagate returns Z = B X (M x F). With n(A)_ij = A_ij / sqrt(deg_i deg_j), zero for nodes
// without edges, B is n(n(A)), or n(A + I) as printed.
func propagate(a *multiplex.CSR, x *multiplex.Features, kind string) *mat.Dense {
	b := expand(a)
	if kind == "kipf" {
		for i := range a.Rows {
			b.Set(i, i, b.At(i, i)+1)
		}
	} else {
		normalise(b)
	}
	normalise(b)
	z := b // X is the identity
	if x.Dense != nil {
		z = product(b, mat.NewDense(x.Rows, x.Cols, x.Dense))
	} else if x.Sparse != nil {
		z = product(b, expand(x.Sparse))
	}
	return z
}

func expand(a *multiplex.CSR) *mat.Dense {
	x := mat.NewDense(a.Rows, a.Cols, nil)
	for i := range a.Rows {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			w := 1.0
			if a.Value != nil {
				w = a.Value[k]
			}
			x.Set(i, int(a.Index[k]), w)
		}
	}
	return x
}

func normalise(a *mat.Dense) {
	m, _ := a.Dims()
	degree := make([]float64, m)
	for i := range degree {
		degree[i] = mat.Sum(a.RowView(i))
	}
	a.Apply(func(i, j int, v float64) float64 {
		if v == 0 {
			return 0
		}
		return v / math.Sqrt(degree[i]*degree[j])
	}, a)
}

// encoder returns W1 (F x H), W2 (H x d) and b (1 x d) of a layer's common or private encoder.
func (m *Model) encoder(layer int, branch string) (w1, w2, b *Parameter) {
	p := func(name string) *Parameter { return m.Parameters[fmt.Sprintf("l%d.%s%s", layer, name, branch)] }
	return p("W1"), p("W2"), p("b")
}

// embed returns Z_l W1 W2 + 1 b' of every layer, M x d. There is no activation.
func (m *Model) embed(g *graph, branch string) []*mat.Dense {
	var all []*mat.Dense
	for l, z := range g.z {
		w1, w2, b := m.encoder(l, branch)
		x := product(z, w1.W, w2.W)
		x.Apply(func(_, k int, v float64) float64 { return v + b.W.At(0, k) }, x)
		all = append(all, x)
	}
	return all
}

// backward adds what the gradients dx of the embeddings (N of M x d) give the encoders:
//
//	dW1 = Z' dx W2',   dW2 = W1' Z' dx,   db = 1' dx
func (m *Model) backward(g *graph, branch string, dx []*mat.Dense) {
	for l, z := range g.z {
		w1, w2, b := m.encoder(l, branch)
		w1.G.Add(w1.G, product(z.T(), dx[l], w2.W.T()))
		w2.G.Add(w2.G, product(w1.W.T(), z.T(), dx[l]))
		for i := range dx[l].RawMatrix().Rows {
			add(b.G.RawRowView(0), dx[l].RawRowView(i))
		}
	}
}

func product(factors ...mat.Matrix) *mat.Dense {
	var x mat.Dense
	x.Product(factors...)
	return &x
}

func zeros(like ...*mat.Dense) []*mat.Dense {
	var all []*mat.Dense
	for _, x := range like {
		r, c := x.Dims()
		all = append(all, mat.NewDense(r, c, nil))
	}
	return all
}

func add(dst, x []float64) {
	for i, v := range x {
		dst[i] += v
	}
}
