package main

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/core/formats/archive"
	"cadem.example/core/lab/run"
	"cadem.example/core/train"
	"cadem.example/scripts/cadem/console"
)

// A job is a training to be done, and scored.
type job struct {
	typed     string // the data, as typed
	spec      run.DataSpec
	files     []formats.File
	data      *run.Dataset
	settings  *run.Settings
	precision precision.Bits
	from      *run.Unpacked // the run that goes on; nil of a new one
	paths     []string      // of files, as typed
	whole     bool          // the run file holds the recordings of a brain, too

	// At the end, or where it was interrupted.
	checkpoint []byte
	trainer    *cadem.Trainer // of CaDeM
}

// newJob opens data and makes the settings of a method: of CaDeM by preset, of others by level.
func (p *program) newJob(names []string, set [][2]string, choice *formats.Choice, method, level, preset string, dataSeed uint64) (*job, error) {
	m, err := train.Lookup(method)
	if err != nil {
		return nil, err
	}
	if level == train.Lite { // what is fast has no smaller settings
		level = m.Nearest(level).Name
	}
	own, general, err := split(names, set, m.Options(), &evaluate.Options{})
	if err != nil {
		return nil, err
	}
	j, err := p.named(names, own, choice, dataSeed)
	if err != nil {
		return nil, err
	}
	if method == train.NameOfCaDeM {
		j.settings, err = run.NewSettings(preset, j.data)
	} else {
		j.settings, err = run.MethodSettings(method, level, j.data)
	}
	if err != nil {
		return nil, err
	}
	for _, nv := range general {
		if err := takes(j.data, nv[0]); err != nil {
			return nil, err
		}
		if err := j.settings.Set(nv[0], nv[1]); err != nil {
			return nil, err
		}
	}
	return j, j.settings.Check()
}

// named opens the data of a name or of files.
func (p *program) named(names []string, own map[string]any, choice *formats.Choice, seed uint64) (j *job, err error) {
	j = &job{spec: run.DataSpec{Options: own, Choice: choice, Reader: run.Reader}}
	if isExample(names) {
		j.spec.Example, j.spec.DataSeed = names[0], seed
		return j, j.open()
	}
	j.paths = names
	if j.files, err = p.readFiles(names); err != nil {
		return nil, err
	}
	for _, f := range j.files {
		j.spec.Files = append(j.spec.Files, run.FileSpec{Name: f.Name, Size: int64(len(f.Data))})
	}
	return j, j.open()
}

// open draws or reads the data.
func (j *job) open() (err error) {
	if j.spec.Example != "" {
		j.data, err = run.OpenExample(j.spec.Example, j.spec.Options, j.spec.DataSeed)
	} else {
		j.data, err = run.OpenFiles(j.files, j.spec.Chosen(), j.spec.Options)
	}
	return err
}

// takes refuses an option of a way to score that the data are not scored in.
func takes(d *run.Dataset, name string) error {
	if !property.Has(&evaluate.Options{}, name) {
		return nil
	}
	clusters := strings.HasPrefix(name, "kmeans_")
	why := ""
	switch {
	case len(d.Graph.Labels) == 0:
		why = "the data have no labels, so nothing is scored"
	case clusters && !d.Cluster:
		why = "the data are scored by classification alone"
	case !clusters && !d.Classify && name != "folds" && name != "fold_deal": // which the probe has, too
		why = "the data are scored by clustering alone"
	default:
		return nil
	}
	return diag.Option(name, "an option without effect", "none: "+why)
}

// resumed opens the run in a file to go on with it, with recordings beside it that it was written without.
func (p *program) resumed(name string, paths []string) (*job, error) {
	named := func(err error) error { return fmt.Errorf("%s: %w", name, err) }
	data, err := readFile(name)
	if err != nil {
		return nil, err
	}
	a, err := archive.Read(data)
	if err != nil {
		return nil, named(err)
	}
	beside, err := p.readFiles(paths)
	if err != nil {
		return nil, err
	}
	held := len(a.Blobs)
	u, err := run.Unpack(a, beside...)
	if err != nil {
		return nil, named(err)
	}
	if len(paths) > 0 && len(a.Blobs) == held {
		return nil, diag.Option("-data", "a flag without effect", "none: the run file says it")
	}
	r := u.Record
	if len(r.Data.Scans) > 0 {
		return nil, named(errors.New("found a run of many scans, expected one of a single graph"))
	}
	j := &job{spec: r.Data, files: u.Files, precision: cmp.Or(r.Precision, precision.Single), from: u, checkpoint: u.Checkpoint,
		paths: paths, whole: len(paths) == 0}
	if u.Of != nil {
		j.precision = u.Of.Precision
	}
	if err := j.open(); err != nil {
		return nil, named(err)
	}
	if j.settings, err = r.Settings(j.data); err != nil {
		return nil, named(err)
	}
	j.typed = typedOf(j.data, &j.spec)
	return j, nil
}

// typedOf returns the names of data as typed.
func typedOf(d *run.Dataset, spec *run.DataSpec) string {
	if spec.Example == "" {
		var names []string
		for _, f := range spec.Files {
			names = append(names, f.Name)
		}
		return strings.Join(names, " ")
	}
	if spec.Options["instance"] == "published" {
		return d.Name + ":published"
	}
	return d.Name
}

// ofMethod is the part of a run's name about a method other than CaDeM.
func (j *job) ofMethod(before string) string {
	if j.settings.OfCaDeM() {
		return ""
	}
	return before + j.settings.Method.Name
}

// writeRun writes the run as one file, which the page imports. Scores are nil before there are
// any.
func (j *job) writeRun(name string, r *run.Result, scores []evaluate.Score) error {
	s, now := j.settings, time.Now().UTC().Format(time.RFC3339)
	progress := r.RecordProgress(s.Method)
	record := &run.Record{
		Run: rand.Text(), Name: fmt.Sprintf("%s%s, seed %d", j.data.Name, j.ofMethod(", "), s.ModelSeed), Created: now, Updated: now, Data: j.spec,
		Options: property.Values(s.Options), Evaluation: property.Values(&s.Evaluation), ModelSeed: s.ModelSeed, EvalSeed: s.EvalSeed,
		Precision: j.precision, State: progress.State, Progress: progress, Changes: r.Progress.Changes, Hash: r.Hash, RankS: progress.RankS, FirstStep: 1,
		Summary: j.data.Summary(), Task: string(j.data.Task()), Expect: j.data.Expect,
	}
	record.Of(s)
	if scores != nil {
		record.Scores, record.ScoredStep = scores, progress.Step
	}
	if j.from != nil {
		old := j.from.Record
		record.Run, record.Name, record.Created, record.FirstStep = old.Run, old.Name, old.Created, old.FirstStep
	}
	var list []evaluate.Embedding
	if len(r.Scored) > 0 {
		list = r.Scored[1:] // behind combined
	}
	files := j.files
	if j.data.Subject != nil && !j.whole {
		files = nil
	}
	a, err := run.Pack(record, &run.Contents{Files: files, Checkpoint: j.checkpoint, Losses: r.Losses}, list)
	if err != nil {
		return err
	}
	return console.Write(name, func(out io.Writer) error { return archive.Write(out, a) })
}

// keepRun writes an interrupted run and says how to go on. The error is errInterrupted.
func (p *program) keepRun(w *work, r *run.Result) error {
	now := r.RecordProgress(w.settings.Method)
	what := fmt.Sprintf("interrupted after step %d of %d", now.Step, now.Steps)
	if now.State == run.Finished {
		what = "interrupted while scoring"
	}
	name := w.out
	if name == "" {
		name = unused(fmt.Sprintf("%s%s-seed%d-step%d", plainName(w.data.Name), w.ofMethod("-"), w.settings.ModelSeed, now.Step), ".zip")
	}
	more := ""
	if w.data.Subject != nil && !w.whole {
		for _, path := range w.paths {
			more += " -data " + quoted(path)
		}
	}
	p.sayKept(name, what, more, w.embeddings, w.json, w.writeRun(name, r, nil))
	return errInterrupted
}

// sayKept says what became of an interrupted run: how to go on with the file, or why it could not be kept.
func (p *program) sayKept(name, what, more, embeddings string, json bool, err error) {
	if err != nil {
		fmt.Fprintln(p.stderr, console.Fill(fmt.Sprintf("%s; the run could not be kept: %v", what, err), "  "))
		return
	}
	if embeddings != "" {
		more += " -embeddings " + quoted(embeddings)
	}
	if json {
		more += " -json"
	}
	fmt.Fprintf(p.stderr, "%s; the run is kept in %s. To continue:\n  cadem train -resume %s%s\n", what, name, quoted(name), more)
}

// unused returns stem and ending, with a number between them if such a file or folder is there.
func unused(stem, ending string) string {
	name := stem + ending
	for k := 2; ; k++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name
		}
		name = fmt.Sprintf("%s-%d%s", stem, k, ending)
	}
}

// plainName makes the name of data fit for a file's.
func plainName(s string) string {
	s = strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, s), "-")
	return s[:min(len(s), 60)]
}

// quoted writes a word for a shell.
func quoted(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,:+@%", r) || r > 127)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
