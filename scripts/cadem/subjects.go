package main

import (
	"errors"
	"io"
	"maps"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/precision"
	"cadem.example/core/brain/measures"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/formats/export"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/synth/examples"
	"cadem.example/scripts/cadem/console"
)

const aboutSubjects = "Train encoders that many subjects share, or ask such a model about subjects that it has not seen: their class, how probable it is, " +
	"which regions decide, and whether they are unlike anything seen.\n\n" +
	"-data is a folder with BIDS names, or a table with the columns subject, condition, file (and confounds); synthetic for invented subjects; " +
	"or a folder of graph files for each class, or a table with the columns graph, class, file (and group). With -model encoders are trained and written. " +
	"Else the argument is a model, and classes in the data are not looked at.\n\n" +
	"Probabilities are calibrated on folds that hold out whole subjects. Where all subjects have one condition there is nothing to classify: they are " +
	"embedded, and their leverage is told. Encoders of one graph, and those without features, know nothing of other graphs."

// A subjectsOutput says where answers go.
type subjectsOutput struct {
	out, embeddings string // files; "": none
	json            bool
	made            string // the command
}

// subjects trains a model of many graphs, or asks it.
func (p *program) subjects(args []string) error {
	f := p.flags("subjects", "-data DATA -model FILE | MODEL -data DATA", aboutSubjects)
	data := f.String("data", "", "where the `data` come from")
	model := f.String("model", "", "train, and write what was learned to `model.npz`")
	preset := f.String("preset", "released", "`released`, or printed: the others find directions that belong to the graphs that they were found on")
	seed := f.Uint64("seed", run.UsualSeeds.Model, "seed of the model, `N`")
	cvSeed := f.Uint64("cv-seed", run.UsualSeeds.Eval, "seed of folds, `N`")
	var set list
	f.Var(&set, "set", "an option of training or of the data, `name=value`")
	w := &subjectsOutput{made: "cadem subjects " + strings.Join(args, " ")}
	f.StringVar(&w.out, "out", "", "write the report, with a reliability plot, to `FILE`.html or FILE.md, "+
		"or its table, of subjects or with -model of held-out graphs, to FILE.csv or FILE.tex")
	f.StringVar(&w.embeddings, "embeddings", "", "write the embeddings, summed over regions, to `FILE`"+exportEndings())
	f.BoolVar(&w.json, "json", false, "print one JSON object")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if *data == "" || (*model == "") != (len(rest) == 1) {
		return misuse("subjects: found %d arguments and -data %q, expected -data with -model, or with a model as the argument", len(rest), *data)
	}
	settings, err := set.pairs()
	if err != nil {
		return err
	}
	s, err := run.NewSettings(*preset, &run.Dataset{Defaults: examples.BrainDefaults})
	if err != nil {
		return err
	}
	options := map[string]any{}
	for _, nv := range settings {
		if measure.OfScans.Has(nv[0]) {
			options[nv[0]] = nv[1]
		} else if err := s.Set(nv[0], nv[1]); err != nil {
			return err
		} else if *model == "" {
			return diag.Option(nv[0], "an option without effect", "none: nothing is trained")
		}
	}
	s.ModelSeed, s.EvalSeed = *seed, *cvSeed
	err = errors.Join(p.writes("-model", *model, ".npz"), p.writes("-out", w.out, ".html", ".htm", ".md", ".csv", ".tex"),
		p.writesEmbeddings(w.embeddings))
	if err != nil {
		return err
	}
	progress := console.NewProgress(p.stderr)
	defer progress.End()
	within := p.within(progress)
	var e *frozen.Encoders
	if *model == "" { // before the data, which may take a while
		if err := f.without("nothing is trained", "preset", "seed"); err != nil {
			return err
		}
		file, err := p.modelFile(rest[0])
		if err != nil {
			return err
		}
		if e, err = frozen.ReadEncoders(rest[0], file); err != nil {
			return err
		}
	}
	many, err := p.readMany(*data, options, *model != "", within, progress)
	if err != nil {
		return err
	}
	if *model == "" {
		asked, err := run.NewSubjects(e, *cvSeed, within)
		if err != nil {
			return err
		}
		found, err := study.Ask(asked, many.Graphs, within)
		if err == nil {
			err = w.embedded(asked, found)
		}
		if err != nil {
			return err
		}
		progress.End()
		return w.predicted(p, asked, found)
	}
	progress.Begin("training")
	trained, err := s.Train(many.Graphs, precision.Single, run.Watch{Within: within})
	progress.End()
	if err != nil {
		return err
	}
	if e, err = run.SubjectModel(trained.Trainer(), many.Graphs, many.Classes, many.Class, many.Group, nil); err != nil {
		return err
	}
	e.Data = *data
	asked, err := run.NewSubjects(e, *cvSeed, nil)
	if err != nil {
		return err
	}
	if err := console.Write(*model, e.Write); err != nil {
		return err
	}
	seen := study.TrainedOn(asked)
	if err := w.embedded(asked, seen); err != nil {
		return err
	}
	if len(asked.Classes) > 0 {
		seen = nil // the report is about how far answers can be trusted
	}
	return w.predicted(p, asked, seen)
}

// embedded writes the embeddings of graphs.
func (w *subjectsOutput) embedded(s *run.Subjects, list []study.Answer) error {
	if w.embeddings == "" {
		return nil
	}
	format, err := export.Lookup(ending(w.embeddings))
	if err != nil {
		return err
	}
	return console.Write(w.embeddings, func(out io.Writer) error { return study.WriteEmbeddings(out, format, s, list) })
}

// readMany makes a graph of every scan, or reads those of a collection; classes: they are asked for.
func (p *program) readMany(data string, options map[string]any, classes bool, yield func(done, total int) error,
	progress *console.Progress) (*measures.Many, error) {
	progress.Begin("reading")
	defer progress.End()
	spec, files, o := &run.DataSpec{Options: options, Reader: run.Reader}, (*run.Files)(nil), &study.Order{}
	if data == string(study.Synthetic) {
		spec.Example = run.CohortData
	} else {
		lib, err := p.cohortData(o, []string{data}, nil, progress.Say)
		if err != nil {
			return nil, err
		}
		files, spec.Files = lib.contents(), o.Files
	}
	m, err := measures.ReadMany(o.Cohort, spec, classes, files, yield)
	if e := (*diag.Error)(nil); errors.As(err, &e) && e.File == "" {
		e.File = data
	}
	return m, err
}

// predicted prints and writes a model's predictions for graphs.
func (w *subjectsOutput) predicted(p *program, s *run.Subjects, list []study.Answer) error {
	r := study.Subjects(s, list)
	if w.out != "" {
		if err := console.WriteFile(w.out, []byte((&reporting{out: w.out, made: w.made}).written([]*study.Report{r}))); err != nil {
			return err
		}
	}
	if !w.json {
		_, err := io.WriteString(p.stdout, reportText(r))
		return err
	}
	type answer struct {
		Subject     string             `json:"subject"`
		Class       string             `json:"class,omitempty"`
		Probability map[string]float64 `json:"probability,omitempty"`
		Leverage    float64            `json:"leverage"`
		Most        float64            `json:"most_seen"`
		Unlike      bool               `json:"unlike"`
		Regions     []string           `json:"regions,omitempty"`
	}
	answers := []answer{}
	for _, t := range list {
		one := answer{Subject: t.Subject, Leverage: t.Leverage, Most: s.Most, Unlike: t.Unlike, Regions: t.Regions}
		if t.Probabilities != nil {
			one.Class, one.Probability = s.Classes[t.Class], map[string]float64{}
			for c, v := range t.Probabilities {
				one.Probability[s.Classes[c]] = v
			}
		}
		answers = append(answers, one)
	}
	o := map[string]any{"subjects": answers, "graphs": len(s.Graphs), "classes": s.Classes}
	if len(s.Classes) > 0 {
		maps.Copy(o, map[string]any{"accuracy": s.Accuracy, "temperature": s.Temperature, "reliability": s.Reliability, "brier": s.Brier,
			"brier_of_shares": s.BrierShares, "calibration_error": s.Gap})
	}
	return printJSON(p.stdout, o)
}
