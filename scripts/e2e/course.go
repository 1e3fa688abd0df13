package e2e

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	brains "cadem.example/core/brain"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

func init() { brains.Register() }

// A Course is a run of an example or of files: as a link to the page, and as the
// core computes it natively, which has to be the same to the last bit.
type Course struct {
	Example             string
	Preset              string          // of the training; "" is released
	Files               []string        // paths; such a course has no link
	Choice              *formats.Choice // the choice in the files; nil is a guess
	Data                map[string]any  // options of the generator that differ from the usual
	Options             map[string]any  // options of training and evaluation that do
	ModelSeed, DataSeed uint64
}

// Small is a run of many steps that takes a second or so.
var Small = Course{Example: "syn2", Data: map[string]any{"nodes": 90}, Options: map[string]any{"epochs": 12, "hidden": 16, "kmeans_runs": 2}, ModelSeed: 3}

// Link returns the fragment of an address that sets the page up for the course.
func (c Course) Link() string {
	q := url.Values{"v": {"1"}, "data": {c.Example}}
	if c.Preset != "" {
		q.Set("preset", c.Preset)
	}
	for name, value := range c.Data {
		q.Set("d."+name, fmt.Sprint(value))
	}
	for name, value := range c.Options {
		group := "o."
		if property.Has(&evaluate.Options{}, name) {
			group = "e."
		}
		q.Set(group+name, fmt.Sprint(value))
	}
	if c.ModelSeed != 0 {
		q.Set("model_seed", fmt.Sprint(c.ModelSeed))
	}
	if c.DataSeed != 0 {
		q.Set("data_seed", fmt.Sprint(c.DataSeed))
	}
	return "#" + q.Encode()
}

// With returns the course with further options.
func (c Course) With(data, options map[string]any) Course {
	c.Data, c.Options = maps.Clone(c.Data), maps.Clone(c.Options)
	if c.Data == nil {
		c.Data = map[string]any{}
	}
	if c.Options == nil {
		c.Options = map[string]any{}
	}
	maps.Copy(c.Data, data)
	maps.Copy(c.Options, options)
	return c
}

// Open returns the data set of the course and its settings.
func (c Course) Open(t *testing.T) (*run.Dataset, *run.Settings) {
	t.Helper()
	var d *run.Dataset
	var err error
	if c.Example != "" {
		d, err = run.OpenExample(c.Example, c.Data, c.DataSeed)
	} else {
		var files []formats.File
		for _, p := range c.Files {
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, formats.File{Name: filepath.Base(p), Data: data})
		}
		d, err = run.OpenFiles(files, c.Choice, c.Data)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.NewSettings(cmp.Or(c.Preset, "released"), d)
	if err != nil {
		t.Fatal(err)
	}
	s.ModelSeed = c.ModelSeed
	for _, name := range slices.Sorted(maps.Keys(c.Options)) {
		if err := s.Set(name, fmt.Sprint(c.Options[name])); err != nil {
			t.Fatal(err)
		}
	}
	return d, s
}

// TrainChanged runs the course natively with another weight of the causal loss from a step on,
// and returns the hash of its end.
func (c Course) TrainChanged(t *testing.T, step int, weight float64) string {
	t.Helper()
	d, s := c.Open(t)
	trainer, err := cadem.New([]*multiplex.Graph{d.Graph}, *s.CaDeM(), s.ModelSeed, precision.Single)
	for err == nil && !trainer.Done() {
		if trainer.Progress().Step == step {
			err = trainer.SetLive("weight_causal", weight)
		}
		if err == nil {
			err = trainer.Step()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return cadem.Hash(trainer)
}

// Train runs the course natively.
func (c Course) Train(t *testing.T) *run.Result {
	t.Helper()
	d, s := c.Open(t)
	r, err := run.Train(d, s, precision.Single, run.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
