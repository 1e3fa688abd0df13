package main

import (
	"bytes"
	"fmt"

	"cadem/core/cadem/frozen"
	"cadem/core/connectome"
	"cadem/core/diag"
	"cadem/core/multiplex"
	"cadem/core/precision"
	"cadem/core/run"
	"cadem/core/study"
	"cadem/core/study/measure"
	"cadem/core/synth/cohort"
	"cadem/core/synth/examples"
	"cadem/scripts/cadem/console"
)

const aboutSubjects = "Train encoders that many subjects share, or ask such a model about subjects that it has not seen: their class, how probable it is, " +
	"which regions decide, and whether they are unlike anything seen.\n\n" +
	"-data is a folder with BIDS names, or a table with the columns subject, condition, file (and confounds); synthetic for invented subjects; " +
	"or a folder of graph files for each class, or a table with the columns graph, class, file (and group). With -model encoders are trained and written. " +
	"Else the argument is a model, and classes in the data are not looked at.\n\n" +
	"Probabilities are calibrated on folds that hold out whole subjects. Encoders of one graph, and those without features, know nothing of other graphs."

// subjects trains a model of many graphs, or asks it.
func (p *program) subjects(args []string) error {
	f := p.flags("subjects", "-data DATA -model FILE | MODEL -data DATA", aboutSubjects)
	data := f.String("data", "", "where the `data` come from")
	out := f.String("model", "", "train, and write what was learned to `model.npz`")
	preset := f.String("preset", "released", "`released`, or printed: the others find directions that belong to the graphs that they were found on")
	seed := f.Uint64("seed", run.UsualSeeds.Model, "seed of the model, `N`")
	cvSeed := f.Uint64("cv-seed", run.UsualSeeds.Eval, "seed of folds, `N`")
	var set list
	f.Var(&set, "set", "an option of training or of the data, `name=value`")
	asJSON := f.Bool("json", false, "print one JSON object")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if *data == "" || (*out == "") != (len(rest) == 1) {
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
		if study.OfScans(nv[0]) {
			options[nv[0]] = nv[1]
		} else if err := s.Set(nv[0], nv[1]); err != nil {
			return err
		}
	}
	s.ModelSeed, s.EvalSeed = *seed, *cvSeed
	if *out != "" {
		if err := console.CheckOutput("-model", *out, ".npz"); err != nil {
			return err
		}
		if err := console.CheckApart("-model", *out, *data); err != nil {
			return err
		}
	}
	progress := console.NewProgress(p.stderr)
	defer progress.End()
	many, err := readMany(*data, options, *out != "", func(done, total int) error {
		progress.Tell(done, total, "")
		return p.interrupted()
	}, progress)
	if err != nil {
		return err
	}
	if *out == "" {
		return p.askSubjects(rest[0], many, *cvSeed, *asJSON)
	}
	progress.Begin("training")
	trained, err := s.Train(many.graphs, precision.Single, run.Watch{Within: func(done, total int) error {
		progress.Tell(done, total, "")
		return p.interrupted()
	}})
	progress.End()
	if err != nil {
		return err
	}
	e, err := run.SubjectModel(trained.Trainer(), many.graphs, many.classes, many.class, many.group, nil)
	if err != nil {
		return err
	}
	e.Data = *data
	asked, err := run.NewSubjects(e, *cvSeed, nil)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := e.Write(&b); err != nil {
		return err
	}
	if err := console.WriteFile(*out, b.Bytes()); err != nil {
		return err
	}
	return p.printReliability(asked, *asJSON)
}

// A many is the graphs of subjects.
type many struct {
	graphs       []*multiplex.Graph
	classes      []string
	class, group []int
}

// readMany makes a graph of every scan, or reads those of a collection; told says that classes are needed.
func readMany(data string, options map[string]any, told bool, yield func(done, total int) error, progress *console.Progress) (*many, error) {
	progress.Begin("reading")
	defer progress.End()
	m, spec, files, collection := &many{}, &run.DataSpec{Options: options, Reader: run.Reader}, (*run.Files)(nil), false
	if data == string(study.Synthetic) {
		_, drawn, err := measure.ScanOptions(&run.DataSpec{Example: run.CohortData, Options: options})
		if err != nil {
			return nil, err
		}
		spec.Example, m.classes = run.CohortData, cohort.Conditions
		for subject := range drawn.Subjects {
			for k, name := range cohort.Conditions {
				spec.Scans = append(spec.Scans, run.Scan{Name: fmt.Sprintf("synthetic subject %d, %s", subject+1, name), Class: k, Group: subject,
					Subject: subject, Condition: k})
			}
		}
	} else {
		o := &study.Order{}
		lib, err := cohortData(o, []string{data}, nil, progress.Say)
		if err != nil {
			return nil, err
		}
		if len(o.Cohort) == 0 {
			return nil, &diag.Error{File: data, Found: "no subject", Expected: "a table, or a folder, of scans or of graphs"}
		}
		files, spec.Files, collection = lib.contents(), o.Files, o.Cohort[0].Graph != ""
		class, group := make([]int, len(o.Cohort)), make([]int, len(o.Cohort))
		if told {
			read := func(scans []connectome.Scan) (*connectome.Cohort, error) { return connectome.NewCohort(data, scans) }
			if collection {
				read = connectome.NewCollection
			}
			c, err := read(o.Cohort)
			if err != nil {
				return nil, err
			}
			class, group = c.Groups()
			m.classes = c.Conditions
		}
		for i := range o.Cohort {
			c := &o.Cohort[i]
			scan := run.Scan{Name: c.Graph, Class: class[i], Group: group[i], File: c.File}
			if !collection {
				scan = run.Scan{Name: c.Title(), Class: class[i], Group: group[i], Without: c.Without}.OfCohort(c)
			}
			spec.Scans = append(spec.Scans, scan)
		}
	}
	var err error
	m.graphs, m.class, m.group, err = measure.GraphsOf(spec, collection, files, yield)
	return m, err
}

// askSubjects prints what a model says of graphs.
func (p *program) askSubjects(name string, many *many, seed uint64, asJSON bool) error {
	const most = 5 // regions
	file, err := modelFile(name)
	if err != nil {
		return err
	}
	e, err := frozen.ReadEncoders(name, file)
	if err != nil {
		return err
	}
	s, err := run.NewSubjects(e, seed, func(int, int) error { return p.interrupted() })
	if err != nil {
		return err
	}
	type answer struct {
		Subject     string             `json:"subject"`
		Class       string             `json:"class"`
		Probability map[string]float64 `json:"probability"`
		Leverage    float64            `json:"leverage"`
		Most        float64            `json:"most_seen"`
		Unlike      bool               `json:"unlike"`
		Regions     []string           `json:"regions"`
	}
	list, table := []answer{}, [][]string{{"subject", "class", "probability", "leverage", "decides most"}}
	for _, g := range many.graphs {
		a, err := s.Ask(g)
		if err != nil {
			return fmt.Errorf("%s: %w", g.Name, err)
		}
		one := answer{g.Name, e.Classes[a.Class], map[string]float64{}, a.Leverage, s.Most, a.Unlike, []string{}}
		for c, v := range a.Probabilities {
			one.Probability[e.Classes[c]] = v
		}
		for _, r := range a.Regions[:min(most, len(a.Regions))] {
			one.Regions = append(one.Regions, g.NodeName(r.Node))
		}
		leverage := fmt.Sprintf("%.3f", a.Leverage)
		if a.Unlike {
			leverage += ", unlike"
		}
		list = append(list, one)
		table = append(table, []string{one.Subject, one.Class, fmt.Sprintf("%.3f", a.Probabilities[a.Class]), leverage, one.Regions[0]})
	}
	if asJSON {
		return printJSON(p.stdout, map[string]any{"subjects": list, "accuracy": s.Accuracy, "reliability": s.Reliability})
	}
	if err := console.Table(p.stdout, table); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "The largest leverage that a graph of the training would have if it were new: %.3f.\nWhat has more is unlike anything seen.\n\n", s.Most)
	return p.printReliability(s, false)
}

// printReliability prints how often classes are right at each probability.
func (p *program) printReliability(s *run.Subjects, asJSON bool) error {
	if asJSON {
		return printJSON(p.stdout, map[string]any{"graphs": len(s.Graphs), "classes": s.Classes, "accuracy": s.Accuracy, "temperature": s.Temperature,
			"reliability": s.Reliability})
	}
	fmt.Fprintf(p.stdout, "Accuracy of the classifier in folds that hold out whole subjects: %.3f of %d graphs.\n", s.Accuracy, len(s.Graphs))
	table := [][]string{{"probability", "graphs", "mean probability", "right"}}
	for _, b := range s.Reliability {
		if b.Graphs > 0 {
			table = append(table, []string{fmt.Sprintf("%.1f to %.1f", b.Low, b.High), fmt.Sprint(b.Graphs), fmt.Sprintf("%.3f", b.Probability),
				fmt.Sprintf("%.3f", b.Right)})
		}
	}
	return console.Table(p.stdout, table)
}
