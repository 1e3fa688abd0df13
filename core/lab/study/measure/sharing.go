package measure

import (
	"maps"
	"slices"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/property"
	"cadem.example/core/cadem/evidence"
)

// SharingOptions say how it is found out what layers share.
type SharingOptions struct {
	// Permutations B of every test.
	Permutations int `name:"permutations" symbol:"B" label:"permutations" group:"layers" min:"19" max:"9999" default:"199" paper:"not published" doc:"How many permutations of the nodes each test of what layers share draws at least; with many layers, 20 for each of them."`
}

// Sharing is the evidence of layers for each other, and the directions they share.
type Sharing struct {
	Alpha      float64           `json:"alpha"`
	Featured   bool              `json:"featured,omitempty"` // nodes have features, which are ignored
	Layers     []LayerSharing    `json:"layers"`
	Pairs      [][]float64       `json:"pairs"` // p of the prediction of layer l by layer k alone, by l and k
	Directions []SharedDirection `json:"directions"`
}

// LayerSharing is the result for a layer.
type LayerSharing struct {
	Passed       bool      `json:"passed"`
	P            float64   `json:"p"`
	Z            float64   `json:"z"`
	Exceeded     int       `json:"exceeded"`     // permutations
	Permutations int       `json:"permutations"` // drawn
	Tail         float64   `json:"tail"`         // p by the tail of a Gumbel law, an extrapolation
	Strong       bool      `json:"strong,omitempty"`
	Own          []float64 `json:"own"` // the strength of each direction of its own
}

// Chance writes p: as a bound where no permutation exceeds the layer.
func (l *LayerSharing) Chance() string {
	if l.Exceeded == 0 && l.Permutations > 0 {
		return "p < " + figure.Short(1/float64(1+l.Permutations))
	}
	return "p = " + figure.Short(float64(1+l.Exceeded)/float64(1+l.Permutations))
}

// SharedDirection is an [evidence.Direction] without its nodes. Share and ByLayer have a number for each layer.
type SharedDirection struct {
	Layers   []int     `json:"layers"`
	Share    []float64 `json:"share"`
	Strength float64   `json:"strength"`
	ByLayer  []float64 `json:"by_layer"`
}

// Arrays of what layers share: S and P_l, a row a node, and the functions of the shared directions.
const (
	ArrayShared ArrayName = "shared"
	ArrayOwn    ArrayName = "own"
	ArrayF      ArrayName = "directions"
	ArrayApart  ArrayName = "apart" // a row for every seed but the first: how far its S, and each P_l, are from the first one's
)

// Takes reports whether an option is one of the measure, beside those of evaluation.
func (m *Spec) Takes(name string) bool {
	return name == "permutations" && (m.Kind == Shares || m.Kind == HeldOut || m.Kind == Transfer)
}

// Set sets the options of a measure.
func (m *Spec) Set(o any) error {
	for _, name := range slices.Sorted(maps.Keys(m.Options)) {
		if err := property.Set(o, name, m.Options[name]); err != nil {
			return err
		}
	}
	return nil
}

// evidenceOptions are the options of the split.
func (m *Spec) evidenceOptions(layers int) (evidence.Options, error) {
	var o SharingOptions
	property.Defaults(&o)
	out := evidence.Defaults()
	if err := m.Set(&o); err != nil {
		return out, err
	}
	out.Permutations = max(o.Permutations, 20*layers)
	return out, nil
}

// Tested returns the approximate number of multiply-adds of the split by evidence, for all its repetitions, given the numbers of nodes and
// of links in each layer.
func (m *Spec) Tested(nodes int, edges []int) float64 {
	splits := 0
	switch m.Kind {
	case Shares, HeldOut:
		splits = 1
	case Transfer:
		splits = len(edges)
	}
	o, err := m.evidenceOptions(len(edges))
	if splits == 0 || err != nil {
		return 0
	}
	return float64(splits) * float64(evidence.Work(nodes, edges, o))
}

// sharing finds out what layers share.
func sharing(w *Work) error {
	g := w.Dataset.Graph
	o, err := w.evidenceOptions(g.N())
	if err != nil {
		return err
	}
	found, err := evidence.Find(g.Adjacencies(), o, evidence.Seeded(w.Settings.ModelSeed), w.Yield)
	if err != nil {
		return err
	}
	const alpha = .05
	s := &Sharing{Alpha: alpha, Featured: !g.Featureless(), Pairs: found.Pair}
	for l, t := range found.Trials {
		own := []float64{}
		for _, v := range found.Own[l].S {
			if v != 0 {
				own = append(own, v)
			}
		}
		s.Layers = append(s.Layers, LayerSharing{Passed: t.Passed, P: t.P, Z: t.Z, Exceeded: t.Exceeded, Permutations: len(t.Permuted), Tail: t.Gumbel,
			Strong: t.Strong, Own: own})
		w.Result.matrix(ArrayOwn.Layer(l), found.P[l])
	}
	f := evidence.NewMatrix(g.M(), found.Rank())
	for k, d := range found.Directions() {
		s.Directions = append(s.Directions, SharedDirection{append([]int{}, d.Layers...), d.Share, d.Strength, d.ByLayer})
		for i, v := range d.F {
			f.Data[i*f.Cols+k] = v
		}
	}
	w.Result.Sharing = s
	w.Result.matrix(ArrayShared, found.S)
	w.Result.matrix(ArrayF, f)
	return nil
}

func (r *Result) matrix(name ArrayName, x evidence.Matrix) {
	r.Arrays = append(r.Arrays, Array{name, []int{x.Rows, x.Cols}, x.Data})
}
