package worker

import (
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/core/lab/study/measure"
	"cadem.example/wasm/bridge"
)

// ordered are the tasks of an order, and what they compute.
type ordered struct {
	Tasks []study.Task `json:"tasks"`
	Keys  []string     `json:"keys"`
}

// studyArgs are the arguments of study.
type studyArgs struct {
	Order study.Order `json:"order"`
}

// study answers with the tasks of an order.
func (w *Worker) study(r *bridge.Request, given any) error {
	args := given.(*studyArgs)
	if err := args.Order.Foreseen(); err != nil {
		return err
	}
	tasks, err := experiments.All().Plan(args.Order)
	if err != nil {
		return err
	}
	keys := make([]string, len(tasks))
	for i := range tasks {
		keys[i] = tasks[i].Key()
	}
	return r.Reply(ordered{tasks, keys})
}

// A picture is a chart as the page shows it.
type picture struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Text  string `json:"text"`
	SVG   string `json:"svg"`
	Shown string `json:"shown"` // the same in the colours of the reader's theme
}

// A section is a report as the page shows it. Lines are the rows of its table, the first
// of them titles.
type section struct {
	Study    string       `json:"study"`
	Title    string       `json:"title"`
	Setting  string       `json:"setting"`
	Text     string       `json:"text"`
	Findings []string     `json:"findings"`
	Charts   []picture    `json:"charts"`
	Grids    []study.Grid `json:"grids"`
	Lines    [][]string   `json:"lines"`
	Legend   string       `json:"legend"`
	Explain  string       `json:"grid_legend"`
	Tasks    int          `json:"tasks"`
	Missing  int          `json:"missing"`

	Sheets []study.Sheet `json:"sheets"` // tables beside the figures
	Claims []study.Claim `json:"claims"` // of the findings, those about sentences of the paper
}

// reported has reports, which come along as files, or names a file.
type reported struct {
	Reports []section `json:"reports"`
	written
}

// reportArgs are the arguments of report.
type reportArgs struct {
	Order   study.Order       `json:"order"`
	Results []*measure.Result `json:"results"`
	Note    string            `json:"note"`
}

// report assembles what the tasks of an order found, as far as there are results.
func (w *Worker) report(r *bridge.Request, given any) error {
	args := given.(*reportArgs)
	if err := fill(args.Results, r); err != nil {
		return err
	}
	results := study.Results{}
	for _, t := range args.Results {
		if t != nil {
			results[t.Key] = t
		}
	}
	reports, err := experiments.All().Assemble(args.Order, results)
	if err != nil {
		return err
	}
	replyReports(r, reports, args.Note, study.PredictionsCSV(reports, results))
	return nil
}

// replyReports answers with reports: for the page, and as files. Predictions are a table, or "".
func replyReports(r *bridge.Request, reports []*study.Report, note, predictions string) {
	sections := make([]section, len(reports))
	for i, rep := range reports {
		s := section{rep.Study, rep.Title, rep.Setting, rep.Text, rep.Findings, []picture{}, rep.Grids(), rep.Lines(3), study.Legend, study.GridLegend,
			rep.Tasks, rep.Missing, rep.Sheets, append([]study.Claim{}, rep.Claims...)}
		for k := range rep.Charts {
			c := &rep.Charts[k]
			s.Charts = append(s.Charts, picture{c.Name, c.Title, c.Text, c.SVG(), c.Adaptive()})
		}
		sections[i] = s
	}
	files := []bridge.Slab{bridge.Bytes("html", []byte(study.HTML(reports, note))), bridge.Bytes("csv", []byte(study.CSV(reports))),
		bridge.Bytes("latex", []byte(study.LaTeX(reports))), bridge.Bytes("markdown", []byte(study.Markdown(reports, note)))}
	if predictions != "" {
		files = append(files, bridge.Bytes("predictions", []byte(predictions)))
	}
	r.Reply(reported{Reports: sections}, files...)
}

// scansArgs are the arguments of scans.
type scansArgs struct {
	dataArgs
	Choose map[string]string `json:"choose"`
}

// scans answers which of the files are scans of a cohort, and which belong to all of them.
// Beginnings of files will do, where they are not tables of scans.
func (w *brains) scans(_ *Worker, r *bridge.Request, given any) error {
	args := given.(*scansArgs)
	files, _, err := contents(args.Data, r)
	if err != nil {
		return err
	}
	found, err := w.brain.Scans(files, args.Choose)
	if err != nil {
		return err
	}
	return r.Reply(found)
}
