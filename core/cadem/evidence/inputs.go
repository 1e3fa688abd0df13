package evidence

import (
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
)

// Divide is [Find] without the tail and the fit of link probabilities, for trainings on the shared part. Its draws
// belong to the data: trainings of different seeds have the same split. A journal, which may be nil, keeps spectra, permutations and folds.
func Divide(layers []*Layer, yield pause.Yield, journal *pause.Journal) (*Result, error) {
	o, draws := Defaults(), Seeded(0)
	o.Tail, o.divides = -1, true
	r, t := &Result{}, &task{yield: yield, total: estimate(layers, o)}
	remember(layers, &linalg.Workspace{})
	layers[0].memory.journal, layers[0].memory.done = journal, &t.done
	defer forget(layers)
	if err := r.gate(layers, o, draws, t); err != nil {
		return nil, err
	}
	err := r.split(layers, o, draws, t)
	r.folds = nil
	return r, err
}

// Layers returns the layers of the one graph that a split is of, and notes on what it leaves out. The error is a [*diag.Error].
func Layers(g *multiplex.Graph, graphs int) (list []*Layer, notes []string, err error) {
	const where, instead = "split", "; take the preset refined instead"
	if graphs != 1 {
		return nil, nil, &diag.Error{Where: where, Found: figure.Count(graphs, "graph"), Expected: "one graph for a split by evidence" + instead}
	}
	if g.N() < 2 {
		return nil, nil, &diag.Error{Where: where, Found: "one layer", Expected: "two layers or more, of which one can explain another"}
	}
	var weighted []string
	for l := range g.Layers {
		layer := &g.Layers[l]
		if !layer.Features.IsIdentity() {
			return nil, nil, &diag.Error{Where: where, Found: "nodes with features",
				Expected: "nodes without features for a split by evidence, which reads links alone" + instead}
		}
		if layer.Adjacency.Value != nil {
			weighted = append(weighted, layer.Name)
		}
		list = append(list, NewLayer(layer.Adjacency))
	}
	if weighted != nil {
		notes = append(notes, "the split by evidence ignores the weights of links, in "+named(weighted))
	}
	return list, notes, nil
}

// Common returns layer l's part of the shared directions, V (V'L_l V) / |.|_2: M x rank, zeros for a layer without links.
func (r *Result) Common(l *Layer, pause pause.Work) (Matrix, error) {
	v, a, scale, err := r.shared(l, pause)
	if err != nil || v.Cols == 0 {
		return v, err
	}
	return v.times(a.weighted(scale), pause)
}

// SharedMap returns V and the factors of the columns of V'L_l V in [Result.Common].
func (r *Result) SharedMap(l *Layer, pause pause.Work) (v Matrix, scale []float64, err error) {
	v, _, scale, err = r.shared(l, pause)
	return v, scale, err
}

// shared returns V, V'L_l V, and one over the largest modulus of the eigenvalues of that for every column.
func (r *Result) shared(l *Layer, pause pause.Work) (v, a Matrix, scale []float64, err error) {
	v = r.Basis.F.scaled(r.Basis.Pool.Root)
	if v.Cols == 0 {
		return v, a, nil, nil
	}
	y := NewMatrix(v.Rows, v.Cols)
	if err = NewPool(l).multiply(y, v, pause); err != nil {
		return v, a, nil, err
	}
	if a, err = v.transTimes(y, pause); err != nil {
		return v, a, nil, err
	}
	x, _ := eigen(a)
	most := 0.0
	for _, e := range x {
		most = max(most, math.Abs(e))
	}
	scale = make([]float64, v.Cols)
	for k := range scale {
		if most > 1e-9 {
			scale[k] = 1 / most
		}
	}
	return v, a, scale, nil
}

// Strengths returns the strength of each private direction as a share of the first one's. The list ends before the first direction of strength 0.
func (p *OwnPart) Strengths() (list []float64) {
	for k := 0; k < p.V.Cols && p.S[k] != 0; k++ {
		list = append(list, math.Abs(p.S[k]/p.S[0]))
	}
	return list
}

// Operator returns L_l (M x M) of a layer's own pool as L_l x = A x - k (k'x), k having length M.
func (p *Pool) Operator() (a *multiplex.CSR, k []float64) { return &p.a, p.known.Data }
