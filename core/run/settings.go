package run

import (
	"maps"

	"cadem/core/baseline"
	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/property"
)

// Settings of training and evaluation. A name belongs to one of the two.
type Settings struct {
	Preset   string // of CaDeM
	Training cadem.Options
	// Method takes the place of CaDeM, with Options of its own at a Level; nil: CaDeM trains.
	Method     *baseline.Method
	Level      string
	Options    any
	Evaluation evaluate.Options
	ModelSeed  uint64
	EvalSeed   uint64

	others []baseline.Method // to name where the data lack what the method needs
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

// SettingsOf returns the settings of a method other than CaDeM at a level, "" for its usual one, for a data set: of what that
// recommends, evaluation alone is taken over. It links no other method.
func SettingsOf(m *baseline.Method, level string, d *Dataset) (*Settings, error) {
	l, err := m.Level(level)
	if err != nil {
		return nil, err
	}
	options, others, err := m.Settings(l.Name)
	if err != nil {
		return nil, err
	}
	s := &Settings{Training: cadem.Released(), Method: m, Level: l.Name, Options: options, Evaluation: evaluate.Defaults(), ModelSeed: UsualSeeds.Model,
		EvalSeed: UsualSeeds.Eval}
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

// trained are the options of what trains.
func (s *Settings) trained() any {
	if s.Method != nil {
		return s.Options
	}
	return &s.Training
}

// Set sets an option by name.
func (s *Settings) Set(name, value string) error {
	return property.SetFirst(name, value, s.trained(), &s.Evaluation)
}

// SetAll sets options from decoded JSON, in order of their names.
func (s *Settings) SetAll(values map[string]any) error {
	return property.SetAll(values, s.trained(), &s.Evaluation)
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
	m := property.Values(s.trained())
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
