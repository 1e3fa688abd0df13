package measure

import (
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem/split"
	"cadem.example/core/multiplex"
)

// ArrayZero has a row for each layer: the rank of its propagated features Z, less their means; the share of the squares of a consensus that no linear
// encoder of Z gives, where that consensus holds the communities of the first layer alone, and where it is noise; the rank of what the preset refined
// gives the common encoder in place of Z; and the same two shares for that. Where a share is 0, the matching loss of the layer can be 0. Where the first
// layer has no communities of its own, and so the result no word for them, both shares are of noise.
const ArrayZero ArrayName = "zero loss"

// zeroNodes is the largest number of nodes for which Z is decomposed whole.
const zeroNodes = 400

// zeroLoss adds what consensus the matching loss lets stand.
func zeroLoss(w *Work) error {
	g := w.Dataset.Graph
	m := g.M()
	if m > zeroNodes {
		return &diag.Error{Where: "nodes", Found: fmt.Sprint(m), Expected: fmt.Sprintf("at most %d, since Z is decomposed whole", zeroNodes)}
	}
	o := w.Settings.CaDeM()
	noise := make([]float64, m*o.Dim)
	src := rng.New(w.Settings.ModelSeed, "study/zero loss")
	for i := range noise {
		noise[i] = src.Norm()
	}
	targets := [][]float64{slices.Clone(noise), noise}
	columns := []int{o.Dim, o.Dim}
	if own := ownLabels(g, w.Targets)[0]; own != nil {
		classes := len(own.Classes)
		targets[0], columns[0] = make([]float64, m*classes), classes
		for i, c := range own.Of {
			if c != multiplex.Missing {
				targets[0][i*classes+c] = 1
			}
		}
		w.Result.Words = []string{own.Name}
	}
	for k, t := range targets {
		linalg.Centre(t, columns[k])
		orthonormalise(t, m, columns[k])
	}
	var sources []split.Source
	for l := range g.Layers {
		b := multiplex.NewPropagator(g.Layers[l].Adjacency, multiplex.KindOf(o.Propagation))
		sources = append(sources, split.Source{B: b, X: g.Layers[l].Features})
	}
	refined, err := split.Prepare[float32]([][]split.Source{sources}, split.Options{Scale: true, Noise: true, Kept: o.Directions, Split: true,
		Agreement: o.Agreement, Own: true, Whole: g.F() <= o.Dim}, w.Yield)
	if err != nil {
		return err
	}
	a := Array{Name: ArrayZero, Shape: []int{g.N(), 6}}
	for l := range g.Layers {
		for _, x := range []struct {
			of []float64
			f  int
		}{{dense(g, l, sources[l].B), g.F()}, {refined.Layers[l].Common, refined.Layers[l].F}} {
			basis, rank, err := rangeOf(x.of, m, x.f)
			if err != nil {
				return err
			}
			a.Data = append(a.Data, float64(rank))
			for k, t := range targets {
				a.Data = append(a.Data, outside(t, basis, m, columns[k], rank))
			}
		}
		if err := w.Yield.At(l+1, g.N()); err != nil {
			return err
		}
	}
	w.Result.Arrays = append(w.Result.Arrays, a)
	return nil
}

// dense returns Z = B X of a layer, M x F.
func dense(g *multiplex.Graph, layer int, b *multiplex.Propagator) []float64 {
	m, f := g.M(), g.F()
	features, one := make([]int32, f), make([]float32, f*f)
	for j := range features {
		features[j], one[j*f+j] = int32(j), 1
	}
	y := make([]float32, m*f)
	multiplex.NewPropagation[float32](b, g.Layers[layer].Features, features, f).Mul(y, one, f)
	return kernel.Doubles(y)
}

// rangeOf returns an orthonormal basis, m x rank, of what columns of x, m x f, less their means, can be added up to.
func rangeOf(x []float64, m, f int) (basis []float64, rank int, err error) {
	const noise = 1e-6 // of the largest singular value: what single precision leaves
	z := slices.Clone(x)
	linalg.Centre(z, f)
	s := linalg.NewSVD(max(m, f), min(m, f))
	if copy(s.A, z); f > m { // of its transpose
		for i := range m {
			for j := range f {
				s.A[j*m+i] = z[i*f+j]
			}
		}
	}
	if err := s.Decompose(nil); err != nil {
		return nil, 0, err
	}
	for rank < len(s.Singular) && s.Singular[rank] > noise*s.Singular[0] {
		rank++
	}
	basis = make([]float64, m*rank)
	if f <= m {
		return basis, rank, s.Left(basis, rank, nil)
	}
	s.Right(basis, rank)
	return basis, rank, nil
}

// outside returns the share of the squares of t, m x d, that is not in the span of a basis.
func outside(t, basis []float64, m, d, rank int) float64 {
	all, in := 0.0, 0.0
	for j := range d {
		for i := range m {
			all += float64(t[i*d+j] * t[i*d+j])
		}
		for k := range rank {
			sum := 0.0
			for i := range m {
				sum += float64(t[i*d+j] * basis[i*rank+k])
			}
			in += float64(sum * sum)
		}
	}
	if all == 0 {
		return 0
	}
	return math.Max(0, 1-in/all)
}
