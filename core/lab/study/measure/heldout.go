package measure

import (
	"fmt"
	"slices"

	"cadem.example/core/base/pause"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/multiplex"
)

// LinkScores are the scores of one way of telling links from other pairs.
type LinkScores struct {
	Way    string      `json:"way"`
	Layers []int       `json:"layers"` // whose links were predicted
	Scores [][]float64 `json:"scores"` // in each of them, in the order of [links.Columns]
}

// Ways of telling links.
const (
	ByShared  = "S"
	ByTail    = "S and its tail"
	ByAll     = "S with P"
	ByAlone   = "each layer alone"
	ByUnion   = "union of the layers"
	ByDegrees = "degrees"

	WithoutP   = "S and its tail, beside degrees"
	WithOwn    = "S and its tail, with P of the layer"
	WithOthers = "S and its tail, with P of other layers"
)

// ByFirst names the way by at most d directions of S and P each.
func ByFirst(d int) string { return fmt.Sprintf("d = %d", d) }

// Widths are the d of [ByFirst].
var Widths = []int{1, 2, 4, 8, 16, 32}

// Mean returns the mean of a score over the layers.
func (s *LinkScores) Mean(column int) float64 {
	sum := 0.0
	for _, row := range s.Scores {
		sum += row[column]
	}
	return sum / float64(len(s.Scores))
}

// LinkScore looks a way up, nil if there is none.
func (r *Result) LinkScore(way string) *LinkScores {
	for i := range r.Links {
		if r.Links[i].Way == way {
			return &r.Links[i]
		}
	}
	return nil
}

// record adds the scores of one way of prediction in a layer.
func (r *Result) record(way string, layer int, s links.Scores) {
	of := r.LinkScore(way)
	if of == nil {
		r.Links = append(r.Links, LinkScores{Way: way})
		of = &r.Links[len(r.Links)-1]
	}
	of.Layers, of.Scores = append(of.Layers, layer), append(of.Scores, s[:])
}

// spectral is the number of eigenvectors for layers without any test.
func spectral(nodes int) int { return min(16, nodes/4) }

// heldOut predicts held-out links from the remaining ones. The evaluation's seed draws the split.
func heldOut(w *Work) error {
	held, err := links.Hold(w.Dataset.Graph, links.Share, w.Settings.EvalSeed, working(w.Yield, 0))
	if err != nil {
		return err // too few links
	}
	w.Result.Notes = held.Notes()
	o, err := w.evidenceOptions(held.Graph.N())
	if err != nil {
		return err
	}
	found, err := evidence.Find(held.Graph.Adjacencies(), o, evidence.Seeded(w.Settings.ModelSeed), part(w.Yield, 0, .8))
	if err != nil {
		return err
	}
	wait := working(w.Yield, .9)
	layers := layersOf(held.Graph)
	k := spectral(held.Graph.M())
	union, err := evidence.NewSpectrum(layers, k, wait)
	if err != nil {
		return err
	}
	near, most := links.Near(held.Graph.Layers), found.Rank()
	for l := range layers {
		most = max(most, found.OwnRank(l))
	}
	for l := range layers {
		if !held.Scored(l) {
			continue
		}
		single, err := evidence.NewSpectrum(layers[l:l+1], k, wait)
		if err != nil {
			return err
		}
		rates := found.Rates(l)
		x := make([]float64, evidence.PairFeatures)
		type way struct {
			name  string
			width int
			of    func(dst []float64, i, j int) float64
		}
		pick := func(r *evidence.Rates, columns ...int) func(dst []float64, i, j int) float64 {
			return func(dst []float64, i, j int) float64 {
				r.Features(x, i, j)
				for n, c := range columns {
					dst[n] = x[c]
				}
				return dst[len(columns)-1]
			}
		}
		spectrum := func(s *evidence.Spectrum) func(dst []float64, i, j int) float64 {
			return func(dst []float64, i, j int) float64 {
				dst[0] = s.Rate(i, j)
				return dst[0]
			}
		}
		ways := []way{
			{ByAll, 1, func(dst []float64, i, j int) float64 {
				rates.Features(x, i, j)
				dst[0] = found.Logit(l, x)
				return dst[0]
			}},
			{ByShared, 1, pick(rates, 0)}, {ByTail, 1, pick(rates, 1)},
			{ByAlone, 1, spectrum(single)}, {ByUnion, 1, spectrum(union)}, {ByDegrees, 0, nil},
		}
		for _, n := range near {
			ways = append(ways, way{n.Name, 1, n.Of})
		}
		for _, d := range Widths {
			first := rates.First(d)
			ways = append(ways, way{ByFirst(d), 2, pick(first, 0, 2)})
			if d >= most {
				break
			}
		}
		ways = append(ways, way{WithoutP, 2, pick(rates, 0, 1)})
		if found.OwnRank(l) > 0 {
			ways = append(ways, way{WithOwn, 3, pick(rates, 0, 1, 2)})
		}
		for _, way := range ways {
			s, err := held.Score(l, way.width, way.of, wait)
			if err != nil {
				return err
			}
			w.Result.record(way.name, l, s)
		}
		if err := w.others(held, found, l, wait); err != nil {
			return err
		}
	}
	return nil
}

// others adds the mean of the predictions of a layer by other layers' own parts: a few of many.
func (w *Work) others(held *links.Held, found *evidence.Result, l int, wait pause.Work) error {
	const most = 4
	var list []links.Scores
	x, y := make([]float64, evidence.PairFeatures), make([]float64, evidence.PairFeatures)
	for step := 1; step < held.Graph.N() && len(list) < most; step++ {
		m := (l + step) % held.Graph.N()
		if found.OwnRank(m) == 0 {
			continue
		}
		s, err := held.Score(l, 3, func(dst []float64, i, j int) float64 {
			found.Rates(l).Features(x, i, j)
			found.Rates(m).Features(y, i, j)
			dst[0], dst[1], dst[2] = x[0], x[1], y[2]
			return y[2]
		}, wait)
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	if list != nil {
		w.Result.record(WithOthers, l, links.Mean(list))
	}
	return nil
}

func layersOf(g *multiplex.Graph) (list []*evidence.Layer) {
	for _, a := range g.Adjacencies() {
		list = append(list, evidence.NewLayer(a))
	}
	return list
}

// working calls a yield between parts of work whose length is not known, with how much of the task is done.
func working(y yield, done float64) pause.Work {
	const each, thousand = 1 << 19, 1000
	since := 0
	return func(work int) error {
		if since += work; since < each {
			return nil
		}
		since = 0
		return y.At(int(float64(thousand*done)), thousand)
	}
}

// part is a share of a task, from 0 to 1.
func part(y yield, from, to float64) yield {
	return func(done, of int) error {
		const thousand = 1000
		share := min(1, float64(done)/float64(max(of, 1)))
		return y.At(int(thousand*(from+float64((to-from)*share))), thousand)
	}
}

// transfer predicts the links of each layer from the other layers.
func transfer(w *Work) error {
	g := w.Dataset.Graph
	n := g.N()
	for l := range n {
		y := part(w.Yield, float64(l)/float64(n), float64(l+1)/float64(n))
		held, err := links.Leave(g, l, w.Settings.EvalSeed, working(y, 0))
		if err != nil {
			if err := w.Result.Refuse(err); err != nil {
				return err
			}
			w.Result.Notes, w.Result.Refused = append(w.Result.Notes, w.Result.Refused), "" // the other layers are scored
			continue
		}
		if err := w.transferred(held, l, y); err != nil {
			return err
		}
	}
	return nil
}

func (w *Work) transferred(held *links.Held, l int, y yield) error {
	rest := *held.Graph
	rest.Layers = slices.Delete(slices.Clone(rest.Layers), l, l+1)
	wait := working(y, .9)
	if rest.N() > 1 {
		o, err := w.evidenceOptions(rest.N())
		if err != nil {
			return err
		}
		found, err := evidence.Find(rest.Adjacencies(), o, evidence.Seeded(w.Settings.ModelSeed), part(y, 0, .8))
		if err != nil {
			return err
		}
		x := make([]float64, evidence.PairFeatures)
		for column, way := range []string{ByShared, ByTail} {
			s, err := held.Score(l, 1, func(dst []float64, i, j int) float64 {
				found.Rates(0).Features(x, i, j)
				dst[0] = x[column]
				return dst[0]
			}, wait)
			if err != nil {
				return err
			}
			w.Result.record(way, l, s)
		}
	}
	union, err := evidence.NewSpectrum(layersOf(&rest), spectral(rest.M()), wait)
	if err != nil {
		return err
	}
	s, err := held.Score(l, 1, func(dst []float64, i, j int) float64 {
		dst[0] = union.Rate(i, j)
		return dst[0]
	}, wait)
	if err != nil {
		return err
	}
	w.Result.record(ByUnion, l, s)
	if s, err = held.Score(l, 0, nil, wait); err != nil {
		return err
	}
	w.Result.record(ByDegrees, l, s)
	return nil
}

// stability measures how far apart S and P of different seeds are.
func stability(w *Work) error {
	first, err := w.Inputs.At(0)
	if err != nil {
		return err
	}
	for k := 1; k < w.Inputs.Len(); k++ {
		other, err := w.Inputs.At(k)
		if err != nil {
			return err
		}
		row := []float64{evidence.Procrustes(first.embedding(ArrayShared), other.embedding(ArrayShared))}
		for l := range first.Sharing.Layers {
			row = append(row, evidence.Procrustes(first.embedding(ArrayOwn.Layer(l)), other.embedding(ArrayOwn.Layer(l))))
		}
		w.Result.Row(ArrayApart, row)
	}
	return nil
}

// embedding returns an array as a matrix.
func (r *Result) embedding(name ArrayName) evidence.Matrix {
	a := r.Array(name)
	ErrNeeds.Unless(a != nil)
	return evidence.Matrix{Rows: a.Shape[0], Cols: a.Shape[1], Data: a.Data}
}
