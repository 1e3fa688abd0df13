package run

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/base/sorting"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
)

// A Way is one of embedding nodes that a training has not seen, scored by S.
type Way struct {
	Way      string             `json:"way"`
	MacroF1  map[string]float64 `json:"macro_f1"` // by label set: of new nodes, by a classifier that is trained on the others
	Nearest  float64            `json:"nearest"`  // the share of the ten nearest known nodes that a training with the new nodes has as well
	Distance float64            `json:"distance"` // from such a training, after Procrustes' rotation, in units of its length there
}

// The ways of [Newcomers].
const (
	ByRetraining = "training with them"
	ByModel      = "the model"
	ByNeighbours = "mean of the neighbours' S"
	ByChance     = "random numbers"
)

// Newcomers holds a tenth of the nodes of a data set out with all their links, trains on the others, and embeds them by the model, beside
// a training with them of the same seed, the mean of their neighbours' S, and random numbers. It returns how many were held out. The
// error is a [*diag.Error] unless it is yield's, which may be nil.
func Newcomers(d *Dataset, s *Settings, p precision.Bits, seed uint64, yield pause.Yield) (ways []Way, nodes int, err error) {
	g, m := d.Graph, d.Graph.M()
	src, order := rng.New(seed, "newcomers"), make([]int, m)
	src.Perm(order)
	nodes = max(1, m/10)
	held := make([]bool, m)
	for _, i := range order[:nodes] {
		held[i] = true
	}
	full := *g
	full.Nodes = make([]string, m)
	for i := range full.Nodes {
		full.Nodes[i] = fmt.Sprint(i)
	}
	rest := without(&full, held)
	if err := rest.Check(); err != nil {
		return nil, 0, err
	}
	within := func(from int) Watch {
		y := func(done, of int) error { return yield.At(from*1000+done*999/max(of, 1), 2000) }
		return Watch{Preparing: y, Within: y}
	}
	r, err := s.Train([]*multiplex.Graph{rest}, p, within(0))
	if err != nil {
		return nil, 0, err
	}
	if r.Trainer() == nil {
		return nil, 0, diag.Option("newcomers", "the method "+s.Method.Name, "CaDeM, whose encoders embed new nodes")
	}
	model, err := Model(r.Trainer(), &Dataset{Name: d.Name, Graph: rest}, s, nil, nil)
	if err != nil {
		return nil, 0, err
	}
	found, err := model.Find(&full)
	if err != nil {
		return nil, 0, err
	}
	again, err := s.Train([]*multiplex.Graph{&full}, p, within(1))
	if err != nil {
		return nil, 0, err
	}
	w, target := model.Dim, again.Trainer().Embeddings(0).Consensus
	there := func(x []float64) bool { return slices.ContainsFunc(x, func(v float64) bool { return v != 0 }) }
	if !there(target.RawMatrix().Data) || !there(model.Known.S) {
		return nil, 0, &diag.Error{Where: "S", Found: "0: the layers share nothing", Expected: "layers that share something, or a preset without a split"}
	}
	known := mat.NewDense(m-nodes, w, model.Known.S)
	e := model.Embed(found.Nodes)
	mean, random := make([]float64, nodes*w), make([]float64, nodes*w)
	for n, v := range found.Nodes {
		count := 0.0
		for _, links := range v.Links {
			for _, l := range links {
				count++
				for k, x := range known.RawRowView(l.J) {
					mean[n*w+k] += x
				}
			}
		}
		for k := range w {
			mean[n*w+k] /= max(count, 1)
			random[n*w+k] = src.Norm()
		}
	}
	split := func(x *mat.Dense) (in, out *mat.Dense) {
		in, out = mat.NewDense(m-nodes, w, nil), mat.NewDense(nodes, w, nil)
		a, b := 0, 0
		for i := range m {
			if held[i] {
				out.SetRow(b, x.RawRowView(i))
				b++
			} else {
				in.SetRow(a, x.RawRowView(i))
				a++
			}
		}
		return in, out
	}
	in, out := split(target)
	for _, way := range []struct {
		name       string
		known, new *mat.Dense
	}{{ByRetraining, in, out}, {ByModel, known, mat.NewDense(nodes, w, e.S)}, {ByNeighbours, known, mat.NewDense(nodes, w, mean)},
		{ByChance, known, mat.NewDense(nodes, w, random)}} {
		one := Way{Way: way.name, MacroF1: map[string]float64{}, Nearest: sameNearest(way.known, way.new, in, out), Distance: apart(way.known, way.new, in, out)}
		for k := range g.Labels {
			if err := one.score(&g.Labels[k], held, way.known, way.new, s); err != nil {
				return nil, 0, err
			}
		}
		ways = append(ways, one)
	}
	return ways, nodes, nil
}

// score has a classifier, trained on known nodes, name the classes of new ones.
func (w *Way) score(l *multiplex.LabelSet, held []bool, known, fresh *mat.Dense, s *Settings) error {
	// Stack, Mul and the like of gonum would link what works on any two of its matrices.
	all := mat.NewDense(len(held), known.RawMatrix().Cols, slices.Concat(known.RawMatrix().Data, fresh.RawMatrix().Data))
	set := &multiplex.LabelSet{Name: l.Name, Classes: l.Classes}
	var truth []int
	for i, c := range l.Of {
		if held[i] {
			truth = append(truth, c)
		} else {
			set.Of = append(set.Of, c)
		}
	}
	n := len(set.Of)
	for range truth {
		set.Of = append(set.Of, multiplex.Missing)
	}
	given, err := evaluate.Predict([]*mat.Dense{all}, set, s.Scoring(), s.EvalSeed, nil)
	if err != nil || given == nil {
		return err
	}
	var a, b []int
	for k, c := range truth {
		if c != multiplex.Missing {
			a, b = append(a, c), append(b, given[n+k])
		}
	}
	w.MacroF1[l.Name] = evaluate.MacroF1(a, b)
	return nil
}

// without returns a graph without some of its nodes. Nodes without features have none then.
func without(g *multiplex.Graph, held []bool) *multiplex.Graph {
	place, n := make([]int32, len(held)), int32(0)
	r := &multiplex.Graph{Name: g.Name}
	for i, out := range held {
		if place[i] = -1; !out {
			place[i] = n
			n++
			r.Nodes = append(r.Nodes, g.NodeName(i))
		}
	}
	for _, l := range g.Labels {
		s := multiplex.LabelSet{Name: l.Name, Classes: l.Classes}
		for i, c := range l.Of {
			if !held[i] {
				s.Of = append(s.Of, c)
			}
		}
		r.Labels = append(r.Labels, s)
	}
	rows := func(a *multiplex.CSR, cols int, at func(j int32) int32) *multiplex.CSR {
		s := &multiplex.CSR{Rows: int(n), Cols: cols, Start: []int32{0}}
		for i := range a.Rows {
			if held[i] {
				continue
			}
			for k := a.Start[i]; k < a.Start[i+1]; k++ {
				if j := at(a.Index[k]); j >= 0 {
					s.Index = append(s.Index, j)
					if a.Value != nil {
						s.Value = append(s.Value, a.Value[k])
					}
				}
			}
			s.Start = append(s.Start, int32(len(s.Index)))
		}
		return s
	}
	for _, l := range g.Layers {
		x := l.Features
		switch {
		case x.Sparse != nil:
			x = multiplex.SparseFeatures(rows(x.Sparse, x.Cols, func(j int32) int32 { return j }))
		case x.Dense != nil:
			var all []float64
			for i, out := range held {
				if !out {
					all = append(all, x.Dense[i*x.Cols:(i+1)*x.Cols]...)
				}
			}
			x = &multiplex.Features{Rows: int(n), Cols: x.Cols, Dense: all}
		default:
			x = multiplex.Identity(int(n))
		}
		r.Layers = append(r.Layers, multiplex.Layer{Name: l.Name, Adjacency: rows(l.Adjacency, int(n), func(j int32) int32 { return place[j] }), Features: x})
	}
	return r
}

// nearest returns the k rows of x nearest to a point, in order of their numbers.
func nearest(x *mat.Dense, point []float64, k int) []int {
	m, _ := x.Dims()
	far := make([]float64, m)
	for i := range far {
		for c, v := range x.RawRowView(i) {
			far[i] += float64((v - point[c]) * (v - point[c]))
		}
	}
	order := sorting.Order(m, func(a, b int) int { return cmp.Compare(far[a], far[b]) })[:min(k, m)]
	slices.Sort(order)
	return order
}

// sameNearest is the share of the ten nearest known nodes that new ones have in both embeddings.
func sameNearest(known, fresh, in, out *mat.Dense) float64 {
	const ten = 10
	n, _ := fresh.Dims()
	same, all := 0, 0
	for i := range n {
		a, b := nearest(known, fresh.RawRowView(i), ten), nearest(in, out.RawRowView(i), ten)
		for _, x := range a {
			if _, ok := slices.BinarySearch(b, x); ok {
				same++
			}
		}
		all += len(a)
	}
	return float64(same) / float64(all)
}

// apart is the distance of new nodes from where they are in another embedding, after the rotation that takes known ones there.
func apart(known, fresh, in, out *mat.Dense) float64 {
	m, d := known.Dims()
	n, _ := fresh.Dims()
	polar, cross, turn, turned := linalg.NewPolar(d, d), make([]float64, d*d), make([]float64, d*d), make([]float64, n*d)
	kernel.AddMulTrans(cross, known.RawMatrix().Data, in.RawMatrix().Data, m, d, d)
	polar.Factor(turn, cross, 1, 1e-12, d, nil)
	kernel.Mul(turned, fresh.RawMatrix().Data, turn, n, d, d)
	off, all := 0.0, 0.0
	for i, v := range out.RawMatrix().Data {
		x := turned[i] - v
		off, all = off+float64(x*x), all+float64(v*v)
	}
	if all == 0 {
		return 0
	}
	return math.Sqrt(off / all)
}
