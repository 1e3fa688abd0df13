package parity

import (
	"encoding/json"
	"fmt"

	"cadem/core/baseline"
	"cadem/core/baseline/skipgram"
	"cadem/core/multiplex"
	"cadem/core/property"
)

// mne replays MNE: each part of the training by itself, then the method.
func (r *Report) mne(file string, data []byte) error {
	var f struct {
		Cases []struct {
			Name     string
			M, N     int
			Edges    [][][3]float64
			Settings struct {
				skipGramSettings
				Extra       int
				UnionEpochs int     `json:"base_epochs"`
				LayerEpochs int     `json:"layer_epochs"`
				Limit       float64 `json:"norm_limit"`
			}
			B      tensor `json:"b_start"`
			A      tensor `json:"a_start"`
			Stages []skipGramStage
			Expect struct {
				Union  [][]int `json:"union_edges"`
				Stages []struct {
					skipGramExpect
					Rescaled []int `json:"T_rescaled_at_pairs"`
				}
				Vectors   tensor `json:"layer_vectors"`
				Embedding tensor
			}
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	m, err := baseline.Lookup("mne")
	if err != nil {
		return err
	}
	for _, c := range f.Cases {
		s := &c.Settings
		g := &multiplex.Graph{}
		var matrices []*multiplex.CSR
		for l := range c.Edges {
			a, err := layerOfEdges(c.M, c.Edges[l])
			if err != nil {
				return err
			}
			matrices = append(matrices, a)
			g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: multiplex.Identity(c.M)})
		}
		union := skipgram.Union(matrices)
		var got, want []int
		for v := range c.M {
			for _, x := range union.Index[union.Start[v]:union.Start[v+1]] {
				if v < int(x) {
					got = append(got, v, int(x))
				}
			}
		}
		for _, e := range c.Expect.Union {
			want = append(want, e...)
		}
		r.compare(file, c.Name+": edges of the union", 64, numbers(got), numbers(want), 0)

		b, draws := append([]float64(nil), c.B.data...), decided{}
		for k := range c.Stages {
			stage, expect := &c.Stages[k], &c.Expect.Stages[k]
			names, neighbours, epochs := "union/", union, s.UnionEpochs
			tables := map[string][]float64{"b": b}
			var in skipgram.Input[float64] = &skipgram.Table[float64]{Rows: b, D: s.Size}
			var layered *skipgram.Layered[float64]
			if k > 0 {
				names, neighbours, epochs = fmt.Sprintf("layer %d/", k), skipgram.Without(matrices[k-1]), s.LayerEpochs
				layered = skipgram.NewLayered(b, append([]float64(nil), c.A.at(k-1).data...), s.Size, s.Extra, s.Limit)
				in, tables = layered, map[string][]float64{"a": layered.A, "T": layered.T}
				draws[key(names+"a", 0)] = c.A.at(k - 1).data
			}
			stage.draws(draws, names, c.M, s.Window)
			stage.steps(draws, names, neighbours, false)
			err := r.stage(file, c.Name, stage.corpus(), c.M, s.Size, s.options(epochs), draws, names, in, &expect.skipGramExpect, tables)
			if err != nil {
				return err
			}
			if layered != nil {
				r.compare(file, c.Name+": times the map was rescaled", 64, []float64{float64(layered.Rescaled)}, []float64{float64(len(expect.Rescaled))}, 0)
			}
		}
		draws[key("union/b", 0)] = c.B.data
		o := m.Options().(*baseline.MNEOptions)
		property.Defaults(o)
		s.set(o)
		o.Extra, o.UnionEpochs, o.LayerEpochs, o.Limit = s.Extra, s.UnionEpochs, s.LayerEpochs, s.Limit
		list, _, err := embedded(m, &baseline.Setup{Graphs: []*multiplex.Graph{g}, Options: o, Source: draws, Double: true})
		if err != nil {
			return err
		}
		for l, e := range list {
			if e.Name == baseline.Fused {
				r.compare(file, c.Name+": embedding", 64, e.X.RawMatrix().Data, c.Expect.Embedding.data, 1e-9)
				continue
			}
			r.compare(file, c.Name+": vectors of layers", 64, e.X.RawMatrix().Data, c.Expect.Vectors.at(l-1).data, 1e-9)
		}
	}
	return nil
}
