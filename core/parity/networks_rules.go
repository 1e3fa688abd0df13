package parity

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"cadem/core/baseline"
	"cadem/core/multiplex"
)

// A ruler is a source that notes by which rule initial values are drawn.
type ruler struct {
	baseline.Source
	drawn map[string]law
}

type law struct {
	name  string
	value float64
}

func (r *ruler) Uniform(dst []float64, low, high float64, what string, round int) {
	name := "uniform"
	switch {
	case low == high:
		name = "constant"
	case low != -high:
		name = fmt.Sprintf("from %v to %v", low, high)
	}
	r.drawn[strings.TrimPrefix(what, "layer 1/")] = law{name, high}
	r.Source.Uniform(dst, low, high, what, round)
}

func (r *ruler) Normal(dst []float64, deviation float64, what string, round int) {
	r.drawn[strings.TrimPrefix(what, "layer 1/")] = law{"normal", deviation}
	r.Source.Normal(dst, deviation, what, round)
}

// rules compares how a method draws the first values of its official settings on 100 nodes without
// features.
func (r *Report) rules(file, method string, graphs int, want map[string]json.RawMessage) {
	const nodes = 100
	delete(want, "F") // the number of features: 100
	if err := func() error {
		m, err := baseline.Lookup(method)
		if err != nil {
			return err
		}
		o, _, err := m.Settings(baseline.Official)
		if err != nil {
			return err
		}
		s := &baseline.Setup{Options: o, Source: &ruler{baseline.Seeded(1), map[string]law{}}}
		for range graphs {
			g := &multiplex.Graph{}
			for range 3 {
				l, err := layerOf(nodes, [][3]float64{{0, 1, 1}}, nil)
				if err != nil {
					return err
				}
				g.Layers = append(g.Layers, l)
			}
			s.Graphs = append(s.Graphs, g)
		}
		if _, err := baseline.Start(m, s); err != nil {
			return err
		}
		for name, text := range want {
			var w struct {
				Draw  string
				Value float64
			}
			if err := json.Unmarshal(text, &w); err != nil {
				return err
			}
			got := s.Source.(*ruler).drawn[name]
			if got.name != w.Draw {
				got.value = math.NaN()
			}
			r.compare(file, "initial values", 64, []float64{got.value}, []float64{w.Value}, 1e-12)
		}
		return nil
	}(); err != nil {
		r.fail(file, "initial values", 64, err)
	}
}
