package run

import (
	"maps"

	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/property"
)

// Settings of training and evaluation. A name belongs to one of the two.
type Settings struct {
	Preset     string
	Training   cadem.Options
	Evaluation evaluate.Options
	ModelSeed  uint64
	EvalSeed   uint64
	// Compared are those of a method that takes the place of CaDeM; nil: none does.
	Compared *MethodSettings
}

// NewSettings returns the settings of a preset for a data set. What the preset sets stands above what
// the data set recommends.
func NewSettings(preset string, d *Dataset) (*Settings, error) {
	o, err := cadem.Preset(preset)
	if err != nil {
		return nil, err
	}
	s := &Settings{Preset: preset, Training: o, Evaluation: evaluate.Defaults(), ModelSeed: UsualSeeds.Model, EvalSeed: UsualSeeds.Eval}
	if err := s.SetAll(d.Defaults); err != nil {
		return nil, err
	}
	property.Preset(&s.Training, preset)
	property.Preset(&s.Evaluation, preset)
	return s, nil
}

// Set sets an option by name.
func (s *Settings) Set(name, value string) error {
	return property.SetFirst(name, value, &s.Training, &s.Evaluation)
}

// SetAll sets options from decoded JSON, in order of their names.
func (s *Settings) SetAll(values map[string]any) error {
	return property.SetAll(values, &s.Training, &s.Evaluation)
}

// Check tells whether the settings fit together, before any time is spent on them. The
// error is a [*diag.Error].
func (s *Settings) Check() error {
	if err := s.Training.Check(); err != nil {
		return err
	}
	return s.Evaluation.Check(s.Training.Dim)
}

// Values returns all options by name.
func (s *Settings) Values() map[string]any {
	m := property.Values(&s.Training)
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
