package worker

import (
	"bytes"
	"io"
	"slices"
	"time"

	"cadem.example/core/formats"
	"cadem.example/core/formats/archive"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// Inspected describes files that are not open yet. Opening them needs no second sending or reading.
type inspected struct {
	files   []run.FileSpec
	slabs   []bridge.Slab
	content *formats.Content // nil for the files of one subject's brain
	survey  *formats.Survey  // likewise
}

// surveyedFiles is what files hold: variables, or an exported run, or the files of one subject's brain.
type surveyedFiles struct {
	formats.Survey
	Run     bool       `json:"run,omitempty"`
	Subject run.Survey `json:"subject,omitempty"`
}

// inspect describes the content of files. It does not change open data.
func (w *Worker) inspect(r *bridge.Request, given any) error {
	args := given.(*dataArgs)
	w.inspected = nil
	if len(args.Data.Files) == 0 {
		return r.Reply(none{})
	}
	files, slabs, err := contents(args.Data, r)
	if err != nil {
		return err
	}
	if len(slabs) == 1 && archive.Is(&files[0]) {
		return r.Reply(surveyedFiles{Run: true})
	}
	switch s, err := run.SurveyFiles(files); {
	case err != nil:
		return err
	case s != nil:
		w.inspected = &inspected{files: args.Data.Files, slabs: slabs}
		return r.Reply(surveyedFiles{Survey: formats.Survey{Plain: len(s.Questions()) == 0}, Subject: s})
	}
	defer w.begin(w.run)()
	p := &reading{w: w, r: r}
	for i := range files {
		f := &files[i]
		if f.At == nil {
			f.At, f.Size = bytes.NewReader(f.Data), int64(len(f.Data))
		}
		p.total += f.Size
		f.At, f.Data = &reader{f.At, p}, nil
	}
	var choice formats.Choice
	if args.Data.Choice != nil {
		choice = *args.Data.Choice
	}
	content, err := formats.Read(files, choice.Columns)
	if err != nil {
		return err
	}
	survey, err := content.Survey(choice, p.pause)
	if err != nil {
		return err
	}
	w.inspected = &inspected{files: args.Data.Files, slabs: slabs, content: content, survey: survey}
	return r.Reply(surveyedFiles{Survey: *survey})
}

// reading reports to the page how far files are read, and serves requests meanwhile.
type reading struct {
	w           *Worker
	r           *bridge.Request
	done, total int64
	reported    time.Time
}

func (p *reading) pause() error {
	if now := time.Now(); now.Sub(p.reported) >= taskEvery {
		p.reported = now
		if err := p.r.Event("reading", soFar{Done: int(min(p.done, p.total)), Total: int(p.total)}); err != nil {
			return err
		}
	}
	return p.w.breathe()
}

// A reader reads a file with pauses. The ends of archives, which list what is in them, are
// read twice.
type reader struct {
	io.ReaderAt
	p *reading
}

func (f *reader) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.ReaderAt.ReadAt(b, at)
	f.p.done += int64(n)
	if stop := f.p.pause(); stop != nil {
		return 0, stop
	}
	return n, err
}

// looked returns what inspect has found in the files of a data set that come without their
// contents, or those that are open.
func (w *Worker) looked(spec *run.DataSpec, r *bridge.Request) *inspected {
	switch {
	case len(spec.Files) == 0 || r.Slab("file:0") != nil:
	case w.inspected != nil && slices.Equal(spec.Files, w.inspected.files):
		return w.inspected
	case w.data != nil && slices.Equal(spec.Files, w.data.spec.Files):
		return &inspected{files: spec.Files, slabs: w.data.files}
	}
	return nil
}

// estimated is the memory that training would need, in bytes, and that a run may take.
type estimated struct {
	Bytes    int64  `json:"bytes"`
	Most     int64  `json:"most"`
	Features string `json:"features,omitempty"` // which are made of links
	Refused  string `json:"refused,omitempty"`  // why, and what would fit
}

// estimateArgs are the arguments of estimate.
type estimateArgs struct {
	Choice  formats.Choice `json:"choice"`
	Options map[string]any `json:"options"`
	Preset  string         `json:"preset"`
}

// estimate returns the memory that training on a choice among the files that were inspected would
// take.
func (w *Worker) estimate(r *bridge.Request, given any) error {
	args := given.(*estimateArgs)
	if w.inspected == nil || w.inspected.survey == nil {
		return bridge.Errorf("no-data", "No files have been inspected.")
	}
	e := sizeOfChoice(w.inspected.survey, &args.Choice)
	s, err := settings(&run.Dataset{Defaults: run.ForSize(nil, e.Nodes)}, args.Preset, args.Options)
	if err != nil {
		return err
	}
	reply := estimated{Bytes: int64(run.Memory(e, s.CaDeM(), &s.Evaluation)), Most: budget}
	if o := s.CaDeM(); e.Identity && o.Trim == "off" && o.Split == "off" && o.Features != "identity" {
		reply.Features = o.Features
	}
	if err := fits(e, s); err != nil {
		reply.Refused = coded(err).Message
	}
	return r.Reply(reply)
}
