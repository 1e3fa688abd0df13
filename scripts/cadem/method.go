package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"cadem/core/baseline"
	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/formats"
	"cadem/core/formats/export"
	"cadem/core/run"
	"cadem/scripts/cadem/console"
)

// methods lists all methods.
func (p *program) methods(args []string) error {
	f := p.flags("methods", "", "List CaDeM and the methods that it is compared with, for \"cadem train -method NAME\".")
	asJSON := f.Bool("json", false, "print one JSON object")
	if err := f.nothing(args); err != nil {
		return err
	}
	type row struct {
		Name   string          `json:"name"`
		Family baseline.Family `json:"family"`
		Fusion baseline.Fusion `json:"fusion"`
		Levels []string        `json:"levels"`
		Needs  []baseline.Need `json:"needs"`
	}
	var rows []row
	table := [][]string{{"name", "family", "fusion", "levels", "needs", ""}}
	for _, m := range baseline.Methods() {
		r := row{m.Name, m.Family, m.Fusion, nil, append([]baseline.Need{}, m.Needs...)}
		var needs []string
		for _, l := range m.Levels {
			r.Levels = append(r.Levels, l.Name)
		}
		for _, n := range m.Needs {
			needs = append(needs, string(n))
		}
		rows = append(rows, r)
		table = append(table, []string{m.Name, string(m.Family), string(m.Fusion), strings.Join(r.Levels, ", "), strings.Join(needs, ", "), m.Doc})
	}
	if *asJSON {
		return printJSON(p.stdout, map[string]any{"methods": rows})
	}
	return console.Table(p.stdout, table)
}

// A comparison is a training of a method that CaDeM is compared with.
type comparison struct {
	typed         string // the data, as they were named
	names         []string
	set           [][2]string
	choice        *formats.Choice
	dataSeed      uint64
	method, level string
	seed, cvSeed  uint64
	precision     cadem.Precision
	embeddings    string // file; "": none
	json          bool
}

// open opens the data and makes the settings.
func (c *comparison) open() (*run.Dataset, *run.MethodSettings, error) {
	m, err := baseline.Lookup(c.method)
	if err != nil {
		return nil, nil, err
	}
	own, general, err := split(c.names, c.set, m.Options(), &evaluate.Options{})
	if err != nil {
		return nil, nil, err
	}
	j, err := named(c.names, own, c.choice, c.dataSeed)
	if err != nil {
		return nil, nil, err
	}
	if err := j.openData(); err != nil {
		return nil, nil, err
	}
	s, err := run.NewMethodSettings(c.method, c.level, j.data)
	if err != nil {
		return nil, nil, err
	}
	s.ModelSeed, s.EvalSeed = c.seed, c.cvSeed
	for _, nv := range general {
		if err := takes(j.data, nv[0]); err != nil {
			return nil, nil, err
		}
		if err := s.Set(nv[0], nv[1]); err != nil {
			return nil, nil, err
		}
	}
	return j.data, s, nil
}

// compare trains, scores, writes and prints.
func (p *program) compare(c *comparison, progress *console.Progress) error {
	d, s, err := c.open()
	progress.End()
	if err != nil {
		return err
	}
	for _, n := range d.Notes {
		fmt.Fprintln(p.stderr, console.Fill(n, "  "))
	}
	progress.Begin("training")
	began := time.Now()
	r, err := run.TrainMethod(d, s, c.precision, func(done, total int) error {
		progress.Tell(done, total, "")
		return p.interrupted()
	})
	progress.End()
	if err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	progress.Begin("scoring")
	scores, err := run.Score(d, r.Trained, r.Untrained, s.Evaluation, s.EvalSeed, func(done, total int) error {
		progress.Tell(done, total, "")
		return p.interrupted()
	})
	progress.End()
	if err != nil {
		return err
	}
	o := &output{Data: c.typed, Method: s.Method.Name, Reader: s.Method.Fusion.Reader(), Level: s.Level, Seed: c.seed, DataSeed: c.dataSeed, CVSeed: c.cvSeed,
		Precision: int(c.precision), Steps: r.Progress.Epoch, Seconds: seconds, Hash: r.Hash, Scores: scores,
		Notes: append(d.Notes, r.Report.Notes...), words: r.Report.Notes, Figures: map[string]float64{}}
	for _, f := range r.Report.Figures {
		o.Figures[f.Name] = f.Value
	}
	o.RankS = int(o.Figures["rank_S"])
	o.losses(s.Method.Losses, r.Losses)
	lost := c.write(d, r)
	if c.json {
		err = printJSON(p.stdout, o)
	} else {
		err = printRun(p.stdout, o)
	}
	return errors.Join(lost, err)
}

// losses puts in those of the first and of the last epoch.
func (o *output) losses(names []string, list [][]float64) {
	first, last := map[string]float64{}, map[string]float64{}
	for i, name := range names {
		if len(list) > 0 {
			first[name], last[name] = list[0][i], list[len(list)-1][i]
			o.terms = append(o.terms, term{name, first[name], last[name]})
		}
	}
	o.FirstLosses, o.Losses = first, last
}

// write writes the embeddings to the file that was asked for.
func (c *comparison) write(d *run.Dataset, r *run.MethodResult) error {
	if c.embeddings == "" {
		return nil
	}
	f, err := export.Lookup(ending(c.embeddings))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	list := r.Trained[1:] // behind combined
	if err := run.Export(&b, f, d, list, list[0].Tokens[0], c.precision == cadem.Single); err != nil {
		return err
	}
	return console.WriteFile(c.embeddings, b.Bytes())
}
