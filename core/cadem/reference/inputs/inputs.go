// Package inputs makes, for package reference, the encoders' inputs and the targets of private
// embeddings if inputs are trimmed or split before training. The paper has neither. Package
// preparation has the formulas.
package inputs

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/cadem"
	"cadem.example/core/cadem/reference/preparation"
	"cadem.example/core/multiplex"
)

// Inputs of the encoders of every layer.
type Inputs struct {
	Common, Private [][]*mat.Dense // of every graph and layer: M x F
	Bounds          []int          // on the rank of every graph's consensus: d, or how many directions are shared
	// For every layer with more features than columns of embeddings that is trimmed or split: all
	// graphs are prepared together then.
	Matched []*Matched

	prepared []*preparation.Result // of all graphs together, or of each; none if Z is used as propagated
}

// A Matched is the input and target of a layer's private encoder.
type Matched struct {
	Z, R *mat.Dense // its input, of the nodes of all graphs, M x F, and the target of its embedding, M x d
	// Target returns R for an encoder's W1 W2.
	Target func(u *mat.Dense) *mat.Dense
}

// New returns Z of all layers as propagated, or scaled, trimmed and split as the options say. With
// no more features than columns of embeddings nothing is trimmed or scaled, and each graph is split
// by itself. Propagate returns B and Z = B X.
func New(graphs []*multiplex.Graph, o *cadem.Options, source cadem.RandomSource,
	propagate func(a *multiplex.CSR, x *multiplex.Features, kind string) (b, z *mat.Dense)) *Inputs {
	layers := make([]preparation.Layer, graphs[0].N()) // of all graphs
	for i, g := range graphs {
		for l, layer := range g.Layers {
			b, z := propagate(layer.Adjacency, source.Features(i, l, layer.Features), o.Propagation)
			layers[l].B, layers[l].Z, layers[l].Identity = append(layers[l].B, b), append(layers[l].Z, z), layer.Features.IsIdentity()
		}
	}
	p := preparation.Options{Scale: o.FeatureScale == "columns", Noise: o.Trim == "noise", Kept: o.Directions, Whole: graphs[0].F() <= o.Dim,
		Split: o.Split == "agreement", Agreement: o.Agreement, Own: o.Private == "own"}
	in := &Inputs{}
	if !p.Split && (!p.Noise || p.Whole) {
		for i := range graphs {
			in.add(layers, i, o.Dim, func(l int) (common, private *mat.Dense) { return layers[l].Z[i], layers[l].Z[i] })
		}
		return in
	}
	each := len(graphs) // that are prepared together
	if p.Whole {
		each = 1
	}
	for first := 0; first < len(graphs); first += each {
		var lot []preparation.Layer
		for _, l := range layers {
			lot = append(lot, preparation.Layer{B: l.B[first : first+each], Z: l.Z[first : first+each], Identity: l.Identity})
		}
		r := preparation.Prepare(lot, p)
		in.prepared = append(in.prepared, r)
		bound, from := o.Dim, 0
		if p.Split {
			bound = r.Shared
		}
		for i := first; i < first+each; i++ {
			rows, _ := layers[0].Z[i].Dims()
			part := func(x *mat.Dense) *mat.Dense {
				_, f := x.Dims()
				return mat.DenseCopyOf(x.Slice(from, from+rows, 0, f))
			}
			in.add(layers, i, bound, func(l int) (common, private *mat.Dense) { return part(r.Layers[l].Common), part(r.Layers[l].Own) })
			from += rows
		}
	}
	if !p.Whole {
		for l, part := range in.prepared[0].Layers {
			target := func(u *mat.Dense) *mat.Dense { return in.prepared[0].Target(l, u) }
			in.Matched = append(in.Matched, &Matched{Z: part.Own, Target: target})
		}
	}
	return in
}

// add takes on a graph.
func (in *Inputs) add(layers []preparation.Layer, graph, bound int, of func(layer int) (common, private *mat.Dense)) {
	in.Common, in.Private, in.Bounds = append(in.Common, nil), append(in.Private, nil), append(in.Bounds, bound)
	for l := range layers {
		c, p := of(l)
		in.Common[graph], in.Private[graph] = append(in.Common[graph], c), append(in.Private[graph], p)
	}
}

// Prepared reports whether inputs differ from the propagated Z.
func (in *Inputs) Prepared() bool { return in.prepared != nil }

// Unsettled reports whether rounding decided something of the inputs or targets.
func (in *Inputs) Unsettled() bool {
	for _, r := range in.prepared {
		if r.Unsettled {
			return true
		}
	}
	return false
}
