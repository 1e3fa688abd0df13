package worker

import (
	"bytes"

	"cadem.example/core/cadem/frozen"
	"cadem.example/core/formats/collection"
	"cadem.example/core/formats/export"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/wasm/bridge"
)

// subjectsArgs are the arguments of subjects.
type subjectsArgs struct {
	Model    string            `json:"model"`
	Data     run.DataSpec      `json:"data"`
	Cohort   []collection.Scan `json:"cohort"`
	EvalSeed uint64            `json:"eval_seed"`
	Note     string            `json:"note"`
	Format   string            `json:"format"`
}

// subjects asks a model of many graphs about scans, or graphs, among files, or about a drawn cohort.
func (read Grapher) subjects(w *Worker, r *bridge.Request, given any) error {
	args := given.(*subjectsArgs)
	s := r.Slab("model")
	if s == nil {
		return missing(run.FileSpec{Name: args.Model})
	}
	file, err := s.Load()
	if err != nil {
		return err
	}
	e, err := frozen.ReadEncoders(args.Model, file)
	if err != nil {
		return err
	}
	defer w.begin(w.run)()
	defer w.reads(r, args.Data.Files)()
	yield := func(int, int) error { return w.breathe() }
	graphs, err := read(args.Cohort, &args.Data, &w.tasks.files, yield)
	if err != nil {
		return err
	}
	asked, err := run.NewSubjects(e, args.EvalSeed, yield)
	if err != nil {
		return err
	}
	answers, err := study.Ask(asked, graphs, yield)
	if err != nil {
		return err
	}
	if args.Format == "" {
		replyReports(r, []*study.Report{study.Subjects(asked, answers)}, args.Note, "")
		return nil
	}
	f, err := export.Lookup(args.Format)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := study.WriteEmbeddings(&out, f, asked, answers); err != nil {
		return err
	}
	return r.Reply(written{"subjects." + f.Name, f.MIME}, bridge.Bytes("file", out.Bytes()))
}
