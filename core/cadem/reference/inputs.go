package reference

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem/reference/preparation"
	"cadem/core/multiplex"
)

// What the paper does not have: inputs that are trimmed or split before training, and private
// matching. Package preparation has the formulas.

// inputs sets Z of the encoders of every graph: as it was propagated, scaled, or trimmed and split.
// Of no more features than columns of embeddings nothing is trimmed or scaled, and each graph is
// split by itself.
func (m *Model) inputs(graphs []*multiplex.Graph) {
	o, whole := &m.o, graphs[0].F() <= m.o.Dim
	layers := make([]preparation.Layer, graphs[0].N()) // of all graphs
	for i, g := range graphs {
		for l, layer := range g.Layers {
			x := m.source.Features(i, l, layer.Features)
			all := &layers[l]
			all.B = append(all.B, propagate(layer.Adjacency, multiplex.Identity(g.M()), o.Propagation))
			all.Z, all.Identity = append(all.Z, propagate(layer.Adjacency, x, o.Propagation)), layer.Features.IsIdentity()
		}
	}
	p := preparation.Options{Scale: o.FeatureScale == "columns", Noise: o.Trim == "noise", Kept: o.Directions, Whole: whole,
		Split: o.Split == "agreement", Agreement: o.Agreement, Own: o.Private == "own"}
	if !p.Split && (!p.Noise || whole) {
		for _, layer := range layers {
			for i, z := range layer.Z {
				m.graphs[i].z["c"], m.graphs[i].z["p"] = append(m.graphs[i].z["c"], z), append(m.graphs[i].z["p"], z)
			}
		}
		return
	}
	lots := [][]*graph{m.graphs}
	if whole {
		lots = nil
		for _, g := range m.graphs {
			lots = append(lots, []*graph{g})
		}
	}
	for n, lot := range lots {
		of := layers
		if whole { // the layers of graph n
			of = nil
			for _, l := range layers {
				of = append(of, preparation.Layer{B: l.B[n : n+1], Z: l.Z[n : n+1], Identity: l.Identity})
			}
		}
		r := preparation.Prepare(of, p)
		from := 0
		for i, g := range lot {
			rows, _ := of[0].Z[i].Dims()
			for _, l := range r.Layers {
				_, f := l.Y.Dims()
				part := func(x *mat.Dense) *mat.Dense { return mat.DenseCopyOf(x.Slice(from, from+rows, 0, f)) }
				g.z["c"], g.z["p"] = append(g.z["c"], part(l.Common)), append(g.z["p"], part(l.Own))
			}
			if p.Split {
				g.bound = r.Shared
			}
			from += rows
		}
		m.prepared = append(m.prepared, r)
	}
	m.matched = !whole
}

// takeTargets takes R (M x d) of every layer from the weights, M being the nodes of all graphs.
func (m *Model) takeTargets() {
	m.targets = nil
	for l := range m.prepared[0].Layers {
		w1, w2, _ := m.encoder(l, "p")
		m.targets = append(m.targets, m.prepared[0].Target(l, product(w1.W, w2.W)))
	}
}

// privateMatching returns sum_l |Z_l W1 W2 - R_l|^2 / M, of the private encoders without bias, and adds
// weight times its gradient to theirs.
func (m *Model) privateMatching(weight float64) (loss float64) {
	for l, r := range m.targets {
		z := m.prepared[0].Layers[l].Own
		w1, w2, _ := m.encoder(l, "p")
		share := 1 / float64(r.RawMatrix().Rows)
		d := product(z, w1.W, w2.W)
		d.Sub(d, r)
		loss += share * math.Pow(mat.Norm(d, 2), 2)
		d.Scale(2*weight*share, d)
		w1.G.Add(w1.G, product(z.T(), d, w2.W.T()))
		w2.G.Add(w2.G, product(w1.W.T(), z.T(), d))
	}
	return loss
}

// unsettled tells whether rounding decided something of the inputs or targets.
func (m *Model) unsettled() bool {
	for _, r := range m.prepared {
		if r.Unsettled {
			return true
		}
	}
	return false
}
