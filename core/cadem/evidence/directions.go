package evidence

import (
	"cmp"
	"math"

	"cadem.example/core/base/linalg"
	"cadem.example/core/base/sorting"
)

// A Direction is a shared one, in the axes of the profile: those in which layers agree best on the share that each has.
type Direction struct {
	Layers   []int     // that carry it
	Share    []float64 // a_lk of every layer
	Strength float64   // (X'diag(w)X)_kk: of all layers together
	ByLayer  []float64 // ByLayer[l] is the same of layer l's own strengths, below 0 if held-out links speak against it
	F        []float64 // by node, a column of F_S X; its entry of largest modulus is positive
}

// Directions returns the shared ones, the strongest first.
func (r *Result) Directions() []Direction {
	x := r.Profile.X
	f, _ := r.Basis.F.times(x, nil)
	linalg.Upright(f.Data, f.Cols)
	list := make([]Direction, r.Rank())
	for k := range list {
		d := &list[k]
		d.Strength = turned(x, r.W, k)
		for l := range r.Profile.Share {
			d.Share = append(d.Share, r.Profile.Share[l][k])
			d.ByLayer = append(d.ByLayer, turned(x, r.Strengths[l].Sum, k))
			if r.Profile.Carries(l, k) {
				d.Layers = append(d.Layers, l)
			}
		}
		for i := k; i < len(f.Data); i += f.Cols {
			d.F = append(d.F, f.Data[i])
		}
	}
	sorting.Stable(list, func(a, b Direction) int { return cmp.Compare(b.Strength, a.Strength) })
	return list
}

// turned returns (X'diag(w)X)_kk.
func turned(x Matrix, w []float64, k int) (sum float64) {
	for j, v := range w {
		c := x.Data[j*x.Cols+k]
		sum += float64(v * float64(c*c))
	}
	return sum
}

// OwnRank returns the number of a layer's own directions whose strength is not 0.
func (r *Result) OwnRank(l int) (n int) {
	for _, s := range r.Own[l].S {
		if s != 0 {
			n++
		}
	}
	return n
}

// Procrustes returns the distance of embeddings of the same nodes after the best rotation and scale: (1 - c^2)^1/2, where c is
// the sum of the singular values of a'b over |a| |b|. It is 0 if they are the same, 1 if they have nothing in common.
func Procrustes(a, b Matrix) float64 {
	size := func(x Matrix) (sum float64) {
		for _, v := range x.Data {
			sum += float64(v * v)
		}
		return sum
	}
	na, nb := size(a), size(b)
	if na == 0 || nb == 0 {
		if na == nb {
			return 0
		}
		return 1
	}
	c, _ := a.transTimes(b, nil)
	g, _ := c.transTimes(c, nil)
	x, _ := eigen(g)
	sum := 0.0
	for _, v := range x {
		sum += math.Sqrt(max(v, 0))
	}
	return math.Sqrt(max(0, 1-sum*sum/(na*nb)))
}
