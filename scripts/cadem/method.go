package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"cadem/core/baseline"
	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/formats"
	"cadem/core/formats/archive"
	"cadem/core/formats/export"
	"cadem/core/multiplex"
	"cadem/core/property"
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
	*job            // of its data alone; precision and checkpoint are those of the run
	of              *run.MethodSettings
	before          *run.UnpackedMethod // the run that goes on; nil of a new one
	out, embeddings string              // files; "": none
	json            bool
}

// newComparison opens the data and makes the settings.
func newComparison(names []string, set [][2]string, choice *formats.Choice, dataSeed uint64, method, level string) (*comparison, error) {
	m, err := baseline.Lookup(method)
	if err != nil {
		return nil, err
	}
	if level == baseline.Lite { // what is fast has no smaller settings
		level = m.Nearest(level).Name
	}
	own, general, err := split(names, set, m.Options(), &evaluate.Options{})
	if err != nil {
		return nil, err
	}
	c := &comparison{}
	if c.job, err = named(names, own, choice, dataSeed); err != nil {
		return nil, err
	}
	if err := c.openData(); err != nil {
		return nil, err
	}
	if c.of, err = run.NewMethodSettings(method, level, c.data); err != nil {
		return nil, err
	}
	for _, nv := range general {
		if err := takes(c.data, nv[0]); err != nil {
			return nil, err
		}
		if err := c.of.Set(nv[0], nv[1]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// resumedComparison opens the run in an archive to go on with it.
func resumedComparison(a *archive.Archive) (*comparison, error) {
	u, err := run.UnpackMethod(a)
	if err != nil {
		return nil, err
	}
	c := &comparison{job: &job{spec: u.Record.Data, files: u.Files, precision: u.Record.Precision, checkpoint: u.Checkpoint}, before: u}
	if err := c.openData(); err != nil {
		return nil, err
	}
	c.typed = typedOf(c.data, &c.spec)
	c.of, err = u.Record.Settings(c.data)
	return c, err
}

// keptEvery is how often a checkpoint is taken, for a step that is interrupted.
const keptEvery = 5 * time.Second

// trainComparison takes the steps that are left. Interrupted it keeps the run as it was after a step that is not long ago.
func (p *program) trainComparison(c *comparison, progress *console.Progress) (*run.MethodRun, error) {
	graphs := []*multiplex.Graph{c.data.Graph}
	var r *run.MethodRun
	var err error
	if c.before != nil {
		r, err = c.of.Resume(graphs, c.precision, bytes.NewReader(c.checkpoint), c.before.Losses)
	} else {
		r, err = c.of.Start(graphs, c.precision)
	}
	if err != nil {
		return nil, err
	}
	kept := r.Progress()
	var losses [][]float64
	keep := func() { c.checkpoint, kept, losses = r.Checkpoint(), r.Progress(), r.Losses }
	keep()
	last := time.Now()
	err = r.Finish(func() error {
		err := p.interrupted()
		if err != nil || time.Since(last) >= keptEvery {
			keep()
			last = time.Now()
		}
		return err
	}, func(done, total int) error {
		progress.Tell(done, total, "")
		return p.interrupted()
	})
	progress.End()
	if errors.Is(err, errInterrupted) {
		return nil, p.keepComparison(c, kept, losses, fmt.Sprintf("interrupted after step %d of %d", kept.Steps, kept.Total))
	}
	if err == nil {
		keep()
	}
	return r, err
}

// keepComparison writes an interrupted run and says how to go on. The error is errInterrupted.
func (p *program) keepComparison(c *comparison, now baseline.Progress, losses [][]float64, what string) error {
	name := c.out
	if name == "" {
		name = unused(fmt.Sprintf("%s-%s-seed%d-step%d", plainName(c.data.Name), c.of.Method.Name, c.of.ModelSeed, now.Steps), ".zip")
	}
	p.sayKept(name, what, c.embeddings, c.json, c.writeRun(name, now, losses, run.Paused, nil, ""))
	return errInterrupted
}

// writeRun writes the run as one file. Scores are nil before there are any.
func (c *comparison) writeRun(name string, now baseline.Progress, losses [][]float64, state run.State, scores []evaluate.Score, hash string) error {
	s, moment := c.of, time.Now().UTC().Format(time.RFC3339)
	record := &run.MethodRecord{Run: rand.Text(), Name: fmt.Sprintf("%s, %s, seed %d", c.data.Name, s.Method.Name, s.ModelSeed), Created: moment, Updated: moment,
		Data: c.spec, Method: s.Method.Name, Level: s.Level, Options: property.Values(s.Options), Evaluation: property.Values(&s.Evaluation),
		ModelSeed: s.ModelSeed, EvalSeed: s.EvalSeed, Precision: c.precision, State: state, Step: now.Steps, Steps: now.Total, Hash: hash, Scores: scores,
		Summary: c.data.Summary()}
	if c.before != nil {
		old := c.before.Record
		record.Run, record.Name, record.Created = old.Run, old.Name, old.Created
	}
	a, err := run.PackMethod(record, c.files, losses, c.checkpoint)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := archive.Write(&b, a); err != nil {
		return err
	}
	return console.WriteFile(name, b.Bytes())
}

// compare trains, scores, writes and prints.
func (p *program) compare(c *comparison, progress *console.Progress) error {
	d, s := c.data, c.of
	for _, n := range d.Notes {
		fmt.Fprintln(p.stderr, console.Fill(n, "  "))
	}
	progress.Begin("training")
	began := time.Now()
	trained, err := p.trainComparison(c, progress)
	if err != nil {
		return err
	}
	seconds, r := time.Since(began).Seconds(), trained.Result()
	progress.Begin("scoring")
	scores, err := run.Score(d, r.Trained, r.Untrained, s.Evaluation, s.EvalSeed, func(done, total int) error {
		progress.Tell(done, total, "")
		return p.interrupted()
	})
	progress.End()
	if errors.Is(err, errInterrupted) {
		return p.keepComparison(c, r.Progress, r.Losses, "interrupted while scoring")
	}
	if err != nil {
		return err
	}
	o := &output{Data: c.typed, Method: s.Method.Name, Reader: s.Method.Fusion.Reader(), Level: s.Level, Seed: s.ModelSeed, DataSeed: c.spec.DataSeed,
		CVSeed: s.EvalSeed, Precision: int(c.precision), Steps: r.Progress.Epoch, Seconds: seconds, Hash: r.Hash, Scores: scores,
		Notes: append(d.Notes, r.Report.Notes...), words: r.Report.Notes, Figures: map[string]float64{}}
	for _, f := range r.Report.Figures {
		o.Figures[f.Name] = f.Value
	}
	o.RankS = int(o.Figures["rank_S"])
	o.losses(s.Method.Losses, r.Losses)
	lost := c.write(d, r)
	if c.out != "" {
		lost = errors.Join(lost, c.writeRun(c.out, r.Progress, r.Losses, run.Finished, scores, r.Hash))
	}
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
