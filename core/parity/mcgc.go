package parity

import (
	"encoding/json"
	"fmt"
	"slices"

	"cadem/core/baseline"
	"cadem/core/multiplex"
	"cadem/core/property"
)

// mcgc replays MCGC evaluation by evaluation.
func (r *Report) mcgc(file string, data []byte) error {
	type round struct{ S, Values, Lambda tensor }
	var f struct {
		Cases []struct {
			Name     string
			M        int
			Edges    [][][3]float64
			X        []json.RawMessage
			Settings struct {
				Neighbours, Steps, Rounds, Clusters int
				Alpha, A0, G, LR                    float64
				StartRounds                         int `json:"init_rounds"`
				Stop, Mirror                        bool
				FilterAll                           bool `json:"filter_all"`
			}
			Expect struct {
				Propagation []tensor
				H           []tensor
				Neighbours  [][][]int
				Start       []round `json:"initial_rounds"`
				SStart      tensor  `json:"S_start"`
				Losses      [][]float64
				Values      [][][]float64
				Gradient    tensor `json:"grad_first_unconstrained"`
				Rounds      []round
				Embedding   tensor
			}
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	m, err := baseline.Lookup("mcgc")
	if err != nil {
		return err
	}
	for _, c := range f.Cases {
		compare := func(what string, got, want []float64, tolerance float64) {
			r.compare(file, c.Name+": "+what, 64, got, want, tolerance)
		}
		g := &multiplex.Graph{Name: c.Name}
		for l := range c.Edges {
			layer, err := layerOf(c.M, c.Edges[l], c.X[l])
			if err != nil {
				return err
			}
			layer.Name = fmt.Sprint(l)
			g.Layers = append(g.Layers, layer)
			compare("propagation", baseline.SymNorm(layer.Adjacency, 1).Dense(), c.Expect.Propagation[l].data, 1e-12)
		}
		s := &c.Settings
		o := m.Options().(*baseline.MCGCOptions)
		property.Defaults(o)
		o.Vectors, o.Neighbours, o.Alpha, o.A0, o.G, o.Rate = s.Clusters, s.Neighbours, s.Alpha, s.A0, s.G, s.LR
		o.Steps, o.Rounds, o.StartLoops = s.Steps, s.Rounds, s.StartRounds
		for value, on := range map[*string]bool{&o.Mirror: s.Mirror, &o.Stop: s.Stop} {
			if *value = "off"; on {
				*value = "on"
			}
		}
		if s.FilterAll {
			o.Filter = "all"
		}
		t, err := baseline.Start(m, &baseline.Setup{Graphs: []*multiplex.Graph{g}, Options: o, Double: true})
		if err != nil {
			return err
		}
		now := baseline.Inspect(t, 0).Values
		at := 0
		for l, want := range c.Expect.H {
			compare("H", now["H"][at:at+len(want.data)], want.data, 1e-12)
			at += len(want.data)
			for i, near := range c.Expect.Neighbours[l] {
				got := slices.Clone(now["neighbours"][(l*c.M+i)*s.Neighbours : (l*c.M+i+1)*s.Neighbours])
				want := numbers(near)
				slices.Sort(got)
				slices.Sort(want)
				compare("neighbours", got, want, 0)
			}
		}
		last := c.Expect.Start[len(c.Expect.Start)-1]
		compare("values of the start", now["start values"], last.Values.data, 1e-10)
		compare("weights of the start", now["start weights"], last.Lambda.data, 1e-10)
		compare("S of the start", now["S"], c.Expect.SStart.data, 1e-9)
		for k, losses := range c.Expect.Losses {
			for e, want := range losses {
				compare("values", baseline.Inspect(t, 0).Values["values"], c.Expect.Values[k][e], 1e-10)
				if err := t.Step(nil); err != nil {
					return err
				}
				i := baseline.Inspect(t, 0)
				compare("losses", i.Terms, []float64{want}, 1e-10)
				if k == 0 && e == 0 {
					compare("gradient", i.Values["gradient"], c.Expect.Gradient.data, 1e-10)
				}
			}
			i, want := baseline.Inspect(t, 0), c.Expect.Rounds[k]
			compare("rounds made", []float64{float64(i.Epochs)}, []float64{float64(k + 1)}, 0)
			compare("S after rounds", i.Values["S"], want.S.data, 1e-9)
			compare("values after rounds", i.Values["values"], want.Values.data, 1e-9)
			compare("weights after rounds", i.Values["weights"], want.Lambda.data, 1e-9)
		}
		if !baseline.Done(t) {
			return fmt.Errorf("%s: steps are left after the last round", c.Name)
		}
		compare("embedding", t.Embeddings(0)[0].X.RawMatrix().Data, c.Expect.Embedding.data, 1e-9)
	}
	return nil
}
