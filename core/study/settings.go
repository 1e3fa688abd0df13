package study

import (
	"maps"
	"slices"

	"cadem/core/cadem"
	"cadem/core/connectome"
	"cadem/core/evaluate"
	"cadem/core/json"
	"cadem/core/property"
	"cadem/core/synth"
)

// Settings of training and evaluation. A name belongs to one of the two.
type Settings struct {
	Preset     string
	Training   cadem.Options
	Evaluation evaluate.Options
	ModelSeed  uint64
	EvalSeed   uint64
}

// NewSettings returns the settings of a preset for a data set. What the printed equations
// fix stands above what the data set recommends.
func NewSettings(preset string, d *Dataset) (*Settings, error) {
	o, err := cadem.Preset(preset)
	if err != nil {
		return nil, err
	}
	s := &Settings{Preset: preset, Training: o, Evaluation: evaluate.Defaults(), ModelSeed: UsualSeeds.Model, EvalSeed: UsualSeeds.Eval}
	if err := s.SetAll(d.Defaults); err != nil {
		return nil, err
	}
	if preset == "printed" {
		property.Printed(&s.Training)
		property.Printed(&s.Evaluation)
	}
	return s, nil
}

// Set sets an option by name.
func (s *Settings) Set(name, value string) error {
	return property.SetFirst(name, value, &s.Training, &s.Evaluation)
}

// SetAll sets options from decoded JSON, in order of their names.
func (s *Settings) SetAll(values map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := s.Set(name, property.Text(values[name])); err != nil {
			return err
		}
	}
	return nil
}

// Check tells whether the settings fit together, before any time is spent on them. The
// error is a [*property.Error].
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

// Catalogue describes every setting, preset, example and study: what the page's form, links and
// help are generated from.
type Catalogue struct {
	Groups   Groups                    `json:"groups"`
	Presets  map[string]map[string]any `json:"presets"`
	Examples []Example                 `json:"examples"`
	Studies  []Study                   `json:"studies"`
	// Own are the recommended options for files of one's own.
	Own map[string]any `json:"own"`
	// Terms are the columns of the losses.
	Terms []cadem.Term `json:"terms"`
	// Seeds are the usual ones.
	Seeds Seeds `json:"seeds"`
}

// Seeds of a run: of the data where they are drawn, of the model, and of the evaluation.
type Seeds struct {
	Data  uint64 `json:"data_seed"`
	Model uint64 `json:"model_seed"`
	Eval  uint64 `json:"eval_seed"`
}

// UsualSeeds are used where none are asked for. The evaluation's is the published one.
var UsualSeeds = Seeds{Data: 0, Model: 0, Eval: 1}

// Groups are the settings by what they belong to; Data by generator. Connectome is what may be
// said of the files of one subject's brain, the steps to layers among it; Cohort those of the synthetic cohort.
type Groups struct {
	Training   []property.Property            `json:"training"`
	Evaluation []property.Property            `json:"evaluation"`
	Data       map[string][]property.Property `json:"data"`
	Connectome []property.Property            `json:"connectome"`
	Cohort     []property.Property            `json:"cohort"`
}

// NewCatalogue collects the description of all settings.
func NewCatalogue() *Catalogue {
	c := &Catalogue{Presets: map[string]map[string]any{}, Examples: Examples(), Studies: Studies(), Own: ownDefaults, Terms: cadem.Terms[:], Seeds: UsualSeeds}
	for _, name := range cadem.Presets {
		s, err := NewSettings(name, &Dataset{})
		if err != nil {
			panic(err) // the presets' own names
		}
		c.Presets[name] = s.Values()
	}
	c.Groups.Training = property.Table(&cadem.Options{})
	c.Groups.Evaluation = property.Table(&evaluate.Options{})
	c.Groups.Connectome = connectome.SettingsTable()
	c.Groups.Cohort = property.Table(&synth.CohortOptions{})
	c.Groups.Data = map[string][]property.Property{}
	for _, g := range synth.Generators() {
		c.Groups.Data[g.Name] = property.Table(g.Options())
	}
	return c
}

// JSON returns the catalogue as the page reads it.
func (c *Catalogue) JSON() []byte {
	b, err := json.Marshal(c)
	if err != nil {
		panic(err) // numbers, strings and booleans only
	}
	return b
}
