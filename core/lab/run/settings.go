package run

import (
	"maps"
	"slices"
	"strconv"

	"cadem.example/core/base/property"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/train"
)

// Settings of a training and of evaluation: a method at a level; CaDeM's levels are its presets. The name of an option belongs to one
// of the two.
type Settings struct {
	Method     *train.Method
	Level      string
	Options    any // of the method, as its row makes them
	Evaluation evaluate.Options
	ModelSeed  uint64
	EvalSeed   uint64
	Width      int // of all embeddings that are read together, as requested; 0: no request
	// Beside are options of CaDeM if another method takes its place: computations beside an embedding use them.
	Beside cadem.Options
}

// NewSettings returns the settings of CaDeM by a preset, for a data set.
func NewSettings(preset string, d *Dataset) (*Settings, error) {
	if _, err := cadem.Preset(preset); err != nil {
		return nil, err
	}
	m, err := train.Lookup(train.NameOfCaDeM)
	if err != nil {
		panic(err) // every program describes it
	}
	return SettingsOf(m, preset, d)
}

// SettingsOf returns the settings of a method at a level, "" for its usual one, for a data set. The data set's recommendations
// are meant for CaDeM, and a preset overrides them; other methods only take over those for evaluation.
func SettingsOf(m *train.Method, level string, d *Dataset) (*Settings, error) {
	l, err := m.Level(level)
	if err != nil {
		return nil, err
	}
	options, others, err := m.Settings(l.Name)
	if err != nil {
		return nil, err
	}
	s := &Settings{Method: m, Level: l.Name, Options: options, Evaluation: evaluate.Defaults(), ModelSeed: UsualSeeds.Model, EvalSeed: UsualSeeds.Eval,
		Beside: cadem.Released()}
	for _, values := range []map[string]any{d.Defaults, others} {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if !s.OfCaDeM() && !property.Has(&s.Evaluation, name) {
				continue
			}
			if err := s.Set(name, property.Text(values[name])); err != nil {
				return nil, err
			}
		}
	}
	property.Preset(options, l.Name)
	property.Preset(&s.Evaluation, l.Name)
	return s, nil
}

// OfCaDeM reports whether they are of CaDeM.
func (s *Settings) OfCaDeM() bool { return s.Method.Name == train.NameOfCaDeM }

// CaDeM returns the options of CaDeM, of another method those beside it.
func (s *Settings) CaDeM() *cadem.Options {
	if o, ok := s.Options.(*cadem.Options); ok {
		return o
	}
	return &s.Beside
}

// Set sets an option by name.
func (s *Settings) Set(name, value string) error {
	return property.SetFirst(name, value, s.Options, &s.Evaluation)
}

// SetAll sets options from decoded JSON, in order of their names.
func (s *Settings) SetAll(values map[string]any) error {
	return property.SetAll(values, s.Options, &s.Evaluation)
}

// Fit chooses the size of the embeddings so that those of all layers together have the width, or the next smaller one at which all are equal and divisible by
// the heads of the combiner. It changes nothing if a method's embedding has no size.
func (s *Settings) Fit(width, layers int) error {
	s.Width = width
	if width == 0 || !property.Has(s.Options, "dim") {
		return nil
	}
	tokens, of := s.Method.Tokens(layers), 1
	if tokens > 1 {
		of = s.Evaluation.Heads
	}
	return s.Set("dim", strconv.Itoa(of*max(1, width/(tokens*of))))
}

// Check reports whether the settings fit together, before any time is spent on them. The
// error is a [*diag.Error].
func (s *Settings) Check() error {
	if s.OfCaDeM() {
		if err := s.CaDeM().Check(); err != nil {
			return err
		}
		return s.Evaluation.Check(s.CaDeM().Dim)
	}
	if err := property.Check(s.Options); err != nil {
		return err
	}
	if dim, ok := property.Values(s.Options)["dim"].(int); ok && s.Method.Fusion == train.Combiner {
		return s.Evaluation.Check(dim)
	}
	return property.Check(&s.Evaluation)
}

// HasTerm reports whether the loss has a term of that name, on data with that number of features: other terms of CaDeM would be 0.
func (s *Settings) HasTerm(name string, features int) bool {
	return !s.OfCaDeM() || s.CaDeM().Has(cadem.Terms[cadem.TermColumn(name)], features)
}

// Scoring returns the settings of evaluation, which draws as the run does.
func (s *Settings) Scoring() evaluate.Options {
	o := s.Evaluation
	o.Authors = s.CaDeM().Streams == "authors"
	return o
}

// Values returns all options by name.
func (s *Settings) Values() map[string]any {
	m := property.Values(s.Options)
	maps.Copy(m, property.Values(&s.Evaluation))
	return m
}

// Seeds of a run: of the data where they are drawn, of the model, and of the evaluation.
type Seeds struct {
	Data  uint64 `json:"data_seed"`
	Model uint64 `json:"model_seed"`
	Eval  uint64 `json:"eval_seed"`
}

// UsualSeeds are used where none are asked for. The evaluation's is the published one.
var UsualSeeds = Seeds{Data: 0, Model: 0, Eval: 1}
