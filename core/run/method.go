package run

import (
	"gonum.org/v1/gonum/mat"

	"cadem/core/baseline"
	"cadem/core/cadem"
	"cadem/core/evaluate"
)

// MethodSettings are [SettingsOf] the method of a name. Programs that train CaDeM alone do not call it, and so link no other method.
func MethodSettings(name, level string, d *Dataset) (*Settings, error) {
	m, err := baseline.Lookup(name)
	if err != nil {
		return nil, err
	}
	s, err := SettingsOf(m, level, d)
	if err == nil {
		s.others = baseline.Methods()
	}
	return s, err
}

// trainedBy returns the options of what trained a run, to be checked.
func trainedBy(record map[string]any) (any, error) {
	name, of := record["method"].(string)
	if !of {
		return &cadem.Options{}, nil
	}
	m, err := baseline.Lookup(name)
	if err != nil {
		return nil, err
	}
	level, _ := record["level"].(string)
	options, _, err := m.Settings(level)
	return options, err
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
