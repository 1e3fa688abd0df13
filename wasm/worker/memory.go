package worker

import (
	"fmt"
	"slices"

	"cadem.example/core/cadem"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// budget bounds the memory of a run. WebAssembly has 4 GB, and the collector needs some of that; a
// larger run would end the program later.
const budget = 2 << 30

// sizeOfChoice is the size of the graph that a choice would make.
func sizeOfChoice(s *formats.Survey, choice *formats.Choice) run.Size {
	e := run.Size{Nodes: s.Nodes, Features: s.Nodes, Identity: true}
	at := func(name string) *formats.Surveyed {
		k := slices.IndexFunc(s.Variables, func(v formats.Surveyed) bool { return v.Name == name })
		if k < 0 {
			return nil
		}
		return &s.Variables[k]
	}
	for _, name := range choice.Layers {
		if v := at(name); v != nil && v.Layer != nil {
			n := v.Layer.NNZ
			if v.Layer.Stored != formats.BothWays {
				n *= 2
			}
			e.Layers = append(e.Layers, n)
		}
	}
	if v := at(choice.Features); v != nil && len(v.Shape) > 0 {
		e.Identity, e.Features = false, 1
		if len(v.Shape) > 1 {
			e.Features = v.Shape[1]
		}
		if e.Dense = e.Nodes*e.Features <= 2*v.NNZ; !e.Dense {
			e.Entries = v.NNZ
		}
	}
	return e
}

// fits refuses a run that would not fit the program's memory, and says what would.
func fits(e run.Size, s *run.Settings) error {
	o := s.CaDeM()
	need := run.Memory(e, o, &s.Evaluation)
	if need <= budget {
		return nil
	}
	refused := &bridge.Error{Code: "too-large"}
	ways := run.Remedies(e, o, &s.Evaluation, budget)
	change := "Fewer nodes make it smaller, and the command line has all the memory of its machine"
	for i, w := range ways {
		if i == 0 {
			change, refused.Options = "It would fit with "+w.Text, w.Options
		} else {
			change += ", or with " + w.Text
		}
	}
	features := e.Features
	if e.Identity {
		_, features = cadem.Structure(o.Features, e.Nodes, len(e.Layers))
	}
	refused.Message = fmt.Sprintf("This run would need about %.1f GB for %d layers of %d features and %d hidden units; a page can use %d GB. %s.",
		need/(1<<30), len(e.Layers), features, o.Hidden, budget>>30, change)
	return refused
}
