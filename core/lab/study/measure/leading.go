package measure

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/multiplex"
)

const (
	LeadingWidth = 64 // directions of a layer
	leadingPower = 3  // products with Z Z' beyond the first
)

// leading returns an orthonormal basis, M x 64 or fewer, of the directions among the nodes in which
// the centred propagated features Z of a layer vary most: the input of a linear method without a
// trained encoder. By subspace iteration (Halko, Martinsson and Tropp 2011) from a fixed draw.
func leading(g *multiplex.Graph, layer int, o *cadem.Options, yield pause.Yield) (*mat.Dense, error) {
	l := &g.Layers[layer]
	b, m := multiplex.NewPropagator(l.Adjacency, multiplex.KindOf(o.Propagation)), g.M()
	live := make([]bool, g.F())
	multiplex.LiveFeatures(live, b, l.Features)
	var features []int32
	for j, alive := range live {
		if alive {
			features = append(features, int32(j))
		}
	}
	k := min(LeadingWidth, len(features), m-1)
	if k < 1 {
		return mat.NewDense(m, 1, nil), nil // nothing varies
	}
	// Single precision, which halves what a dense Z takes, finds the directions as well.
	z := multiplex.NewPropagation[float32](b, l.Features, features, k)
	u, y, q := make([]float32, z.F*k), make([]float32, m*k), make([]float64, m*k)
	src := rng.New(0, fmt.Sprintf("study/leading/layer %d", layer+1))
	for i := range u {
		u[i] = float32(src.Norm())
	}
	for round := range leadingPower + 1 {
		if err := pause.Yield(yield).At(round, leadingPower+1); err != nil {
			return nil, err
		}
		if round > 0 {
			kernel.Round(y, q)
			z.MulTrans(u, y, k)
		}
		z.Mul(y, u, k)
		kernel.Widen(q, y)
		linalg.Centre(q, k)
		orthonormalise(q, m, k)
	}
	return mat.NewDense(m, k, q), nil
}

// orthonormalise makes the columns of x, m x k, orthonormal, one after the other and each
// twice. A column that depends on those before becomes zero.
func orthonormalise(x []float64, m, k int) {
	columns, own, shadow, coef := make([]float64, k*m), make([]float64, 1), make([]float64, m), make([]float64, k)
	length := func(c []float64) float64 {
		own[0] = 0
		kernel.Inner(own, c, c)
		return math.Sqrt(own[0])
	}
	for j := range k {
		c := columns[j*m : (j+1)*m]
		for i := range c {
			c[i] = x[i*k+j]
		}
		before := length(c)
		for range 2 {
			clear(coef)
			kernel.Inner(coef[:j], c, columns)
			kernel.Combine(shadow, 0, coef, 1, j, columns)
			for i, v := range shadow {
				c[i] -= v
			}
		}
		after := length(c)
		for i := range c {
			if after > 1e-10*before {
				c[i] /= after
			} else {
				c[i] = 0
			}
			x[i*k+j] = c[i]
		}
	}
}
