package run

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/train"
)

// MethodSettings are [SettingsOf] the method of a name, which is not CaDeM's: records and tasks of that have a preset.
func MethodSettings(name, level string, d *Dataset) (*Settings, error) {
	m, err := otherMethod(name)
	if err != nil {
		return nil, err
	}
	return SettingsOf(m, level, d)
}

func otherMethod(name string) (*train.Method, error) {
	if name == train.NameOfCaDeM {
		return nil, diag.Option("method", name, "one that CaDeM is compared with")
	}
	return train.Lookup(name)
}

// trainedBy returns the options of a run's method, to be checked.
func trainedBy(record map[string]any) (any, error) {
	name, of := record["method"].(string)
	if !of {
		return &cadem.Options{}, nil
	}
	m, err := otherMethod(name)
	if err != nil {
		return nil, err
	}
	level, _ := record["level"].(string)
	options, _, err := m.Settings(level)
	return options, err
}

// named are the embeddings of CaDeM that are scored: the common one, S, and the private one of every layer.
func named(e *cadem.Embeddings) []train.Embedding {
	list := []train.Embedding{{Name: train.Common, X: e.Consensus}}
	for l, p := range e.Private {
		list = append(list, train.Embedding{Name: train.Private(l), X: p})
	}
	return list
}

// AsCaDeM returns a common and private embeddings, in that order, as those of CaDeM. The C_l of all
// layers are then S.
func AsCaDeM(list []train.Embedding) *cadem.Embeddings {
	e := &cadem.Embeddings{Consensus: list[0].X}
	for _, p := range list[1:] {
		e.Common, e.Private = append(e.Common, list[0].X), append(e.Private, p.X)
	}
	return e
}

// Tokens are [Scored] of CaDeM.
func Tokens(e *cadem.Embeddings) []evaluate.Embedding {
	return Scored(&train.Method{Fusion: train.Combiner}, named(e))
}

// Combined is the name of all embeddings of a method together.
const Combined = "combined"

// Scored names the embeddings that are scored: combined, which is the method's own fusion or all of
// its embeddings as tokens of the combiner; then each by itself. It returns nil for none.
func Scored(m *train.Method, list []train.Embedding) []evaluate.Embedding {
	if list == nil {
		return nil
	}
	combined := evaluate.Embedding{Name: Combined}
	scored := []evaluate.Embedding{combined}
	for _, e := range list {
		if m.Fusion == train.Combiner || e.Name == train.Fused {
			combined.Tokens = append(combined.Tokens, e.X)
		}
		scored = append(scored, evaluate.Embedding{Name: e.Name, Tokens: []*mat.Dense{e.X}})
	}
	scored[0] = combined
	return scored
}
