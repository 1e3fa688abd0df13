package experiments

import (
	"maps"
	"slices"

	"cadem.example/core/base/json"
	"cadem.example/core/base/property"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats/export"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/synth/examples"
	"cadem.example/core/train"
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
	// Methods embed the nodes of a graph in place of CaDeM.
	Methods []Method `json:"methods"`
	// Seeds are the usual ones.
	Seeds run.Seeds `json:"seeds"`
}

// Groups are the settings by subject; Data by generator. Connectome has the settings for the files of one
// subject's brain, the steps to layers among them; Cohort those of the synthetic cohort.
type Groups struct {
	Training   []property.Property            `json:"training"`
	Evaluation []property.Property            `json:"evaluation"`
	Data       map[string][]property.Property `json:"data"`
	Connectome []property.Property            `json:"connectome"`
	Cohort     []property.Property            `json:"cohort"`
	Studies    map[string][]property.Property `json:"studies"` // of the measurements of their own, by study
}

// A Method is one of [train.Methods] that embeds nodes, other than CaDeM.
type Method struct {
	Name    string              `json:"name"`
	Label   string              `json:"label"`
	Doc     string              `json:"doc"`
	Family  train.Family        `json:"family"`
	Levels  []MethodLevel       `json:"levels"`
	Needs   []train.Need        `json:"needs"`
	Options []property.Property `json:"options"`
}

// A MethodLevel says which options, of the method or of evaluation, a level sets to other values than their defaults.
type MethodLevel struct {
	Name     string         `json:"name"`
	Settings map[string]any `json:"settings"`
}

// nodeMethods describes the methods.
func nodeMethods() []Method {
	var list []Method
	for _, m := range train.Methods() {
		if slices.Contains(m.Needs, train.Graphs) {
			continue
		}
		row := Method{Name: m.Name, Label: m.Label, Doc: m.Doc, Family: m.Family, Needs: append([]train.Need{}, m.Needs...), Options: property.Table(m.Options())}
		for _, l := range m.Levels {
			level := MethodLevel{Name: l.Name, Settings: map[string]any{}}
			maps.Copy(level.Settings, l.Settings)
			row.Levels = append(row.Levels, level)
		}
		list = append(list, row)
	}
	return list
}

// NewCatalogue collects the description of all settings.
func NewCatalogue() *Catalogue {
	c := &Catalogue{Presets: map[string]map[string]any{}, Examples: examples.OfPage(), Studies: All(), Own: run.OwnDefaults, Terms: cadem.Terms[:],
		Exports: export.Formats, Seeds: run.UsualSeeds, Methods: nodeMethods()}
	for _, name := range cadem.Presets {
		s, err := run.NewSettings(name, &run.Dataset{})
		if err != nil {
			panic(err) // the presets' own names
		}
		c.Presets[name] = s.Values()
	}
	c.Groups.Training = property.Table(&cadem.Options{})
	c.Groups.Evaluation = property.Table(&evaluate.Options{})
	c.Groups.Connectome = measure.OfScans.Steps()
	c.Groups.Cohort = property.Table(measure.OfScans.Drawn())
	c.Groups.Studies = map[string][]property.Property{}
	for _, s := range c.Studies {
		if s.Own != nil {
			c.Groups.Studies[s.Name] = property.Table(s.Own())
		}
	}
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

// All returns the experiments in the order in which to show them. No variable holds them all, and
// none of them is computed at the start: a program that asks for none would link them.
func All() (all study.Studies) {
	for _, s := range (study.Studies{table1, table2, table3, table4, table7, table11, gammaSweep, identifiability, layerPosterior, counterexample,
		threeSentences, trainingLength, tsnePictures, sharing, reproduce, table6, induction, faithful, graphCollection}) {
		all = append(append(all, s), registered[s.Name]...)
	}
	return append(all, registered[""]...)
}

// registered is made by Register: a map that is made at the start would link experiments into programs that register none.
var registered map[string]study.Studies

// Register adds experiments after the one of that name, or after all. The main packages call it.
func Register(after string, list ...study.Study) {
	if registered == nil {
		registered = map[string]study.Studies{}
	}
	registered[after] = append(registered[after], list...)
}
