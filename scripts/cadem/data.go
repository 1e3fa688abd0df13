package main

import (
	"bytes"
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cadem/core/evaluate"
	"cadem/core/formats"
	"cadem/core/property"
	"cadem/core/study"
	"cadem/core/synth"
)

// open draws an example or reads files.
func open(names []string, own map[string]any, choice *formats.Choice, seed uint64) (*study.Dataset, []formats.File, error) {
	if len(names) == 1 {
		if _, err := synth.Lookup(names[0]); err == nil {
			d, err := study.OpenExample(names[0], own, seed)
			return d, nil, err
		}
	}
	files, err := readFiles(names)
	if err != nil {
		return nil, nil, err
	}
	d, err := study.OpenFiles(files, choice, own)
	return d, files, err
}

// readFiles reads files.
func readFiles(names []string) ([]formats.File, error) {
	var files []formats.File
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, fmt.Errorf("%w; expected syn1, syn2, syn3, syn4, cohort, social or files", err)
		}
		if info.IsDir() {
			return nil, fmt.Errorf("%s: found a folder, expected files", name)
		}
		if info.Size() > formats.MaxFile {
			// The reader says what is wrong with the size; nothing is read for that.
			files = append(files, formats.File{Name: filepath.Base(name), Reader: bytes.NewReader(nil), Size: info.Size()})
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, formats.File{Name: filepath.Base(name), Data: data})
	}
	return files, nil
}

// choiceFlags adds the flags that say what of files is used; the function returns the
// choice, nil when everything is left to a guess.
func choiceFlags(f *flag.FlagSet) func() *formats.Choice {
	layers := f.String("layers", "", "")
	labels := f.String("labels", "", "")
	choice := &formats.Choice{}
	f.StringVar(&choice.Features, "features", "", "")
	f.BoolVar(&choice.Binary, "binary", false, "")
	f.BoolVar(&choice.Mutual, "mutual", false, "")
	f.BoolVar(&choice.Raw, "raw", false, "")
	return func() *formats.Choice {
		choice.Layers, choice.Labels = splitNames(*layers), splitNames(*labels)
		if choice.IsZero() {
			return nil
		}
		return choice
	}
}

// writeRun writes the run as one file, which the page imports.
func writeRun(name string, d *study.Dataset, files []formats.File, own map[string]any, choice *formats.Choice, s *study.Settings, o *output, r *study.Result, checkpoint []byte) error {
	now := time.Now().UTC().Format(time.RFC3339)
	spec := study.DataSpec{Choice: choice, Options: own}
	if files == nil {
		spec.Example, spec.DataSeed = d.Name, o.DataSeed
	}
	for _, f := range files {
		spec.Files = append(spec.Files, study.FileSpec{Name: f.Name, Size: int64(len(f.Data))})
	}
	p := r.Progress
	record := &study.Record{
		Run: rand.Text(), Name: fmt.Sprintf("%s, seed %d", d.Name, s.ModelSeed), Created: now, Updated: now, Data: spec,
		Options: property.Values(&s.Training), Evaluation: property.Values(&s.Evaluation), Preset: s.Preset, ModelSeed: s.ModelSeed, EvalSeed: s.EvalSeed,
		State: "finished", Progress: study.RecordProgress{State: "finished", Epoch: p.Epoch, Epochs: p.Epochs, Step: p.Step, Steps: p.Steps, Losses: p.Losses, RankS: r.Trained.Rank},
		Changes: p.Changes, Hash: r.Hash, RankS: r.Trained.Rank, Scores: []evaluate.Score(o.Scores), ScoredStep: p.Step, FirstStep: 1,
		Summary: d.Summary(), Task: d.Task(), Expect: d.Expect,
	}
	a, err := study.Pack(record, files, r, checkpoint)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := formats.WriteArchive(&b, a); err != nil {
		return err
	}
	return writeFile(name, b.Bytes())
}
