package experiments

import (
	"cadem/core/cadem"
	"cadem/core/connectome"
	"cadem/core/evaluate"
	"cadem/core/formats/export"
	"cadem/core/json"
	"cadem/core/property"
	"cadem/core/run"
	"cadem/core/study"
	"cadem/core/synth/cohort"
	"cadem/core/synth/examples"
)

// Catalogue describes every setting, preset, example and study: what the page's form, links and
// help are generated from.
type Catalogue struct {
	Groups   Groups                    `json:"groups"`
	Presets  map[string]map[string]any `json:"presets"`
	Examples []examples.Example        `json:"examples"`
	Studies  []study.Study             `json:"studies"`
	// Own are the recommended options for files of one's own.
	Own map[string]any `json:"own"`
	// Terms are the columns of the losses.
	Terms []cadem.Term `json:"terms"`
	// Exports are the formats that embeddings are saved in.
	Exports []export.Format `json:"exports"`
	// Seeds are the usual ones.
	Seeds run.Seeds `json:"seeds"`
}

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
	c := &Catalogue{Presets: map[string]map[string]any{}, Examples: examples.OfPage(), Studies: All(), Own: run.OwnDefaults, Terms: cadem.Terms[:],
		Exports: export.Formats, Seeds: run.UsualSeeds}
	for _, name := range cadem.Presets {
		s, err := run.NewSettings(name, &run.Dataset{})
		if err != nil {
			panic(err) // the presets' own names
		}
		c.Presets[name] = s.Values()
	}
	c.Groups.Training = property.Table(&cadem.Options{})
	c.Groups.Evaluation = property.Table(&evaluate.Options{})
	c.Groups.Connectome = connectome.SettingsTable()
	c.Groups.Cohort = property.Table(&cohort.Options{})
	c.Groups.Data = map[string][]property.Property{}
	for _, g := range c.Examples {
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

// All returns the experiments in the order in which to show them. No variable holds them all,
// and none of them is worked out at the start: a program that asks for none would carry what is.
func All() study.Studies {
	return study.Studies{table1, table2, table3, table4, table7, table11, gammaSweep, identifiability, layerPosterior, tsnePictures, table5,
		identify(), table6, topRegions}
}
