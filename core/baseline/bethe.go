package baseline

import (
	"fmt"
	"math"

	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/train"
)

// Spectral embedding by the Bethe Hessian of all layers together (Saade, Krzakala and Zdeborova 2014):
//
//	A = sum over l of A_l,  D = diag(A 1),  H = (r^2 - 1) I - r A + D,  r^2 = <d^2> / <d> - 1, at least 1.01
//	Y = sqrt(M) [v_1 ... v_d],  the unit eigenvectors of H with the smallest eigenvalues
//
// Groups of nodes that can be found at all in a sparse graph have negative eigenvalues, about one for each group; noise has none. A link
// between i and j is as probable as (V V')_ij. Features are ignored.
//
// Cost: some 15 to 500 passes of 8 nnz(A) multiply-adds, and the same again each time the number of counted eigenvalues doubles, at most
// 64.
//
// Not in the paper: several layers and weights; both are added up here as links are. Self-loops are left out. The number of columns is an
// option, not the number of negative eigenvalues.
var betheHessian = train.Method{
	Name: "bethe", Label: "Bethe Hessian",
	Doc:    "Lowest eigenvectors of the Bethe Hessian of all layers added up; those below 0 count groups, and nothing is trained.",
	Family: train.Untrained, Fusion: train.Own, Unscaled: true,
	Fixed: true, Levels: official, Needs: []train.Need{train.OneGraph, train.Edges},
	Options: func() any { return &BetheOptions{} },
}

func startBetheHessian(s *train.Setup) (train.Training, error) {
	o := s.Options.(*BetheOptions)
	p := newSummed(s, o.Dim, func(p *summed, pause pause.Work) error { return p.bethe(o.Dim, pause) })
	p.says = func(p *summed, r *train.Report) {
		*r = r.With("groups", float64(p.counted))
		if p.graph.M() > countedWhole && p.counted >= max(o.Dim, countedPairs) {
			r.Notes = append(r.Notes, fmt.Sprintf("The Bethe Hessian has %d negative eigenvalues or more: the others were not counted.", p.counted))
		}
		if p.parts > 1 {
			r.Notes = append(r.Notes, fmt.Sprintf("The links make %d separate parts. Parts that are alike have the same eigenvalues, "+
				"of which some may not be counted.", p.parts))
		}
	}
	return p, nil
}

// BetheOptions are the options of the Bethe Hessian.
type BetheOptions struct {
	Dim int `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"256" default:"8" doc:"Eigenvectors of the Bethe Hessian."`
}

// All negative eigenvalues of graphs up to this size are counted. In larger ones at least this many eigenvalues are examined.
const (
	countedWhole = 500
	countedPairs = 64
)

func (p *summed) bethe(dim int, pause pause.Work) error {
	a, degrees := together(p.graph.Layers)
	m := a.Rows
	sum, squares, most := 0.0, 0.0, 0.0
	for _, d := range degrees {
		sum += d
		squares += float64(d * d)
		most = max(most, d)
	}
	r2 := max(squares/sum-1, 1.01)
	r := math.Sqrt(r2)
	// No eigenvalue of H is above top, so that the smallest ones are those of top I - H of largest modulus.
	top := most + r2 + float64(r*most)
	known := product(a, pause)
	lifted := func(dst, x []float64, columns int) error {
		if err := known(dst, x, columns); err != nil {
			return err
		}
		for i, d := range degrees {
			by := top - (d + r2 - 1)
			for k := i * columns; k < (i+1)*columns; k++ {
				dst[k] = float64(r*dst[k]) + float64(by*x[k])
			}
		}
		return nil
	}
	k := min(dim, m)
	w, v, err := linalg.Extreme(m, k, lifted, settledPair, pause)
	for most := max(dim, countedPairs); err == nil && m > countedWhole && beyond(w, top) == k && k < most; {
		k = min(2*k, most)
		w, v, err = linalg.Extreme(m, k, lifted, settledPair, pause)
	}
	if err != nil {
		return err
	}
	p.counted = beyond(w, top)
	if m > countedWhole {
		p.parts, _ = a.Components()
	} else {
		all, unit := make([]float64, m*m), make([]float64, m*m)
		for i := range m {
			unit[i*m+i] = 1
		}
		if err := lifted(all, unit, m); err != nil {
			return err
		}
		p.counted = beyond(linalg.SymmetricValues(all, m), top)
	}
	ones := make([]float64, min(dim, len(w)))
	for i := range m {
		for c := range ones {
			ones[c], v[i*len(ones)+c] = 1, v[i*len(w)+c]
		}
	}
	p.place(ones, v, math.Sqrt(float64(m)))
	return nil
}

// beyond counts the numbers above a bound.
func beyond(x []float64, bound float64) (n int) {
	for _, v := range x {
		if v > bound {
			n++
		}
	}
	return n
}
