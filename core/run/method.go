package run

import (
	"gonum.org/v1/gonum/mat"

	"cadem/core/baseline"
	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/property"
)

// MethodSettings are [Settings] of a method that CaDeM is compared with. The program of a first
// visit uses none of this file, and so links no method but CaDeM.
type MethodSettings struct {
	Method     *baseline.Method
	Level      string
	Options    any // of the method
	Evaluation evaluate.Options
	ModelSeed  uint64
	EvalSeed   uint64

	others []baseline.Method // to name where the data lack what this one needs
}

// NewMethodSettings returns the settings of a method at a level, "" for its usual one, for a data
// set: of what that recommends, evaluation alone is taken over.
func NewMethodSettings(name, level string, d *Dataset) (*MethodSettings, error) {
	m, err := baseline.Lookup(name)
	if err != nil {
		return nil, err
	}
	s, err := MethodSettingsOf(m, level, d)
	if err == nil {
		s.others = baseline.Methods()
	}
	return s, err
}

// MethodSettingsOf is [NewMethodSettings] of a method that is at hand, and links no other one.
func MethodSettingsOf(m *baseline.Method, level string, d *Dataset) (*MethodSettings, error) {
	l, err := m.Level(level)
	if err != nil {
		return nil, err
	}
	options, others, err := m.Settings(l.Name)
	if err != nil {
		return nil, err
	}
	s := &MethodSettings{Method: m, Level: l.Name, Options: options, Evaluation: evaluate.Defaults(), ModelSeed: UsualSeeds.Model, EvalSeed: UsualSeeds.Eval}
	for _, values := range []map[string]any{d.Defaults, others} {
		for name, value := range values {
			if !property.Has(&s.Evaluation, name) {
				continue
			}
			if err := property.Set(&s.Evaluation, name, property.Text(value)); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// Set sets an option by name.
func (s *MethodSettings) Set(name, value string) error {
	return property.SetFirst(name, value, s.Options, &s.Evaluation)
}

// SetAll sets options from decoded JSON, in order of their names.
func (s *MethodSettings) SetAll(values map[string]any) error {
	return property.SetAll(values, s.Options, &s.Evaluation)
}

// Values returns all options by name.
func (s *MethodSettings) Values() map[string]any {
	m := property.Values(s.Options)
	for name, value := range property.Values(&s.Evaluation) {
		m[name] = value
	}
	return m
}

// MethodResult is what the training of a method gave.
type MethodResult struct {
	// Trained and Untrained embeddings as they are scored. A method that has none before its end
	// is compared with itself: nothing of it is trained.
	Trained, Untrained []evaluate.Embedding
	Embeddings         []baseline.Embedding // trained
	Progress           baseline.Progress
	Losses             [][]float64 // of every epoch, in the order of [baseline.Method.Losses]
	Hash               string
	Report             baseline.Report
}

// AsCaDeM returns what the method gave as a training of CaDeM gives it, to be measured in the same
// way. Its embeddings must be common and private ones, as those of the closed form.
func (r *MethodResult) AsCaDeM() *Result {
	e := AsCaDeM(r.Embeddings)
	rank, _ := r.Report.Figure("rank_S")
	e.Rank = int(rank)
	return &Result{Trained: e, Untrained: e, Progress: cadem.Progress{Epoch: r.Progress.Epoch, Rank: e.Rank}, Hash: r.Hash, Notes: r.Report.Notes}
}

// AsCaDeM returns a common and private embeddings, in that order, as those of CaDeM. The C_l of all
// layers are then S.
func AsCaDeM(list []baseline.Embedding) *cadem.Embeddings {
	e := &cadem.Embeddings{Consensus: list[0].X}
	for _, p := range list[1:] {
		e.Common, e.Private = append(e.Common, list[0].X), append(e.Private, p.X)
	}
	return e
}

// MethodTokens names the embeddings that are scored: combined, which is what the method fuses or
// all of its embeddings as tokens of the combiner; then each by itself. It returns nil for none.
func MethodTokens(m *baseline.Method, list []baseline.Embedding) []evaluate.Embedding {
	if list == nil {
		return nil
	}
	combined := evaluate.Embedding{Name: "combined"}
	scored := []evaluate.Embedding{combined}
	for _, e := range list {
		if m.Fusion == baseline.Combiner || e.Name == baseline.Fused {
			combined.Tokens = append(combined.Tokens, e.X)
		}
		scored = append(scored, evaluate.Embedding{Name: e.Name, Tokens: []*mat.Dense{e.X}})
	}
	scored[0] = combined
	return scored
}
