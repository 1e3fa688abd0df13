package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
	"cadem.example/scripts/cadem/console"
)

// studyOutput is the output of study -json.
type studyOutput struct {
	Study   string      `json:"study"`
	Rows    []study.Row `json:"rows"`
	Seconds float64     `json:"seconds"`
	// Tests are the comparisons; Settings describe each report's data and options, and Findings its results.
	Tests    []study.Test `json:"tests,omitempty"`
	Settings []string     `json:"settings"`
	Findings []string     `json:"findings"`
	// Claims are sentences of the paper that were put to the test; Charts hold the points of pictures, Sheets the tables beside the rows.
	Claims []study.Claim `json:"claims,omitempty"`
	Charts []chart.Chart `json:"charts,omitempty"`
	// Tasks are the sources of rows, with seeds, times, numbers of parameters, and folds and predictions if requested; Sheets are the tables beside the
	// rows.
	Tasks   []study.Done  `json:"tasks"`
	Sheets  []study.Sheet `json:"sheets,omitempty"`
	Missing []string      `json:"missing,omitempty"` // names of tasks that are not done
	// For a merged plan: its order and results, for the page to continue from.
	Order   *study.Order      `json:"order,omitempty"`
	Results []*measure.Result `json:"results,omitempty"`
}

const aboutStudy = "Run an experiment of the paper and print its figures beside the paper's, the untrained and the " +
	"trivial ones.\n\n" +
	"NAME is one of:\n" +
	"%s\n" +
	"-data is drawn or published for experiments that draw their data. For table6 and evidence, and for table7 and " +
	"table11 in place of Syn1, for induction and faithful in place of Syn1 and Syn2, and for reproduce beside what it draws, it names the files " +
	"of a multiplex graph (-data A,B or as arguments). Given " +
	"several times, each -data is a data set of its own, and -layers, -features and the like apply to the " +
	"-data before them, or to all when they come first. For experiments on a cohort it is synthetic, a " +
	"folder with BIDS names, or a table with the columns subject, condition, file (and confounds). For " +
	"collection it is a folder of graph files for each class, or a table with the columns graph, class, file " +
	"(and group). For table6 " +
	"and a sweep it may name an example; every -set of a sweep with several values is an axis of the grid.\n\n" +
	"Ctrl-C keeps the finished tasks, in the folder of -cache or in a new one. The same command with " +
	"-cache continues from there.\n\n" +
	"In place of NAME, these run an experiment on several machines, or predict links; \"cadem study plan -h\" and so on describe them:\n%s"

// studyVerbs are the further commands on an experiment besides running it at once.
func studyVerbs() []verb {
	return []verb{
		{"plan", "write its tasks to a folder, to be run in parts", (*program).studyPlan},
		{"run", "run what is missing of a plan, or one part of it", (*program).studyRun},
		{"merge", "make the report of a plan", (*program).studyMerge},
		{"links", "print the pairs of nodes that are most likely linked and are not", (*program).studyLinks},
		{"sbatch", "print a script that runs a plan on Slurm", (*program).studySbatch},
	}
}

// study runs an experiment.
func (p *program) study(args []string) error {
	if len(args) > 0 {
		for _, c := range studyVerbs() {
			if c.name == args[0] {
				return c.run(p, args[1:])
			}
		}
	}
	f := p.flags("study", "NAME", fmt.Sprintf(aboutStudy, studyTitles(), studyParts()))
	ordered := orderFlags(f)
	asJSON := f.Bool("json", false, "print one JSON object")
	out := f.String("out", "", reportFlag)
	cache := f.String("cache", "", "keep the results of tasks in `FOLDER`, and reuse them")
	workers := f.Int("workers", 0, "tasks at once, `N`; by default one for each processor")
	untimed := f.Bool("untimed", false, "leave out times and dates, which differ when all else is the same: a repeat has the same bytes")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if err := errors.Join(f.atLeastOne("workers", *workers), p.writesReport(*out)); err != nil {
		return err
	}
	if !*asJSON && ending(*out) != "csv" {
		if err := f.without("they are of -json, or of -out FILE.csv", "predictions"); err != nil {
			return err
		}
	}
	progress := p.begin("reading")
	defer progress.End()
	o, files, err := ordered.read(rest, progress.Say)
	if err != nil {
		return err
	}
	kept := &resultFolder{p: p, dir: *cache, flag: "-cache", say: progress.Say}
	tasks, err := studies().Plan(*o)
	if err != nil {
		return err
	}
	if err := kept.open(); err != nil {
		return err
	}
	defer kept.aside.drop()
	rescue := func(n int) { p.rescues(func() error { return kept.interrupted(args, n) }) }
	rescue(len(tasks))
	began := time.Now()
	results, err := p.runTasks(&study.Scheduler{Workers: *workers, Files: files.contents(), Spill: kept.spill}, tasks, o.Study, kept, progress, kept.keep)
	for err == nil { // what follows from these
		var more []study.Task
		if more, err = studies().More(*o, results); len(more) == 0 || err != nil {
			break
		}
		var found study.Results
		found, err = p.runTasks(&study.Scheduler{Workers: *workers, Files: files.contents(), Spill: kept.spill}, more, o.Study, kept, progress, kept.keep)
		maps.Copy(results, found)
		tasks = append(tasks, more...)
		rescue(len(tasks))
	}
	p.over()
	if errors.Is(err, errInterrupted) {
		return kept.interrupted(args, len(tasks))
	}
	if err != nil {
		return err
	}
	return errors.Join(p.writeReports(&reporting{order: o, results: results, out: *out, json: *asJSON, made: "cadem study " + strings.Join(args, " "),
		untimed: *untimed, seconds: time.Since(began).Seconds()}), kept.lost) // what cannot be kept is printed anyway
}

// A reporting holds the contents of a report of an order, and its destination.
type reporting struct {
	order   *study.Order
	results study.Results
	out     string // file; "": none
	json    bool
	made    string // the command
	untimed bool   // times and dates are left out
	seconds float64
	missing []string // names of tasks
	merged  []*measure.Result
}

// writeReports writes and prints the reports of an order. If writing fails they are printed anyway.
func (p *program) writeReports(w *reporting) error {
	if w.untimed {
		w.seconds, w.results = 0, maps.Clone(w.results)
		for key, r := range w.results {
			bare := *r
			bare.Seconds, w.results[key] = 0, &bare
		}
	}
	reports, err := studies().Assemble(*w.order, w.results)
	if err != nil {
		return err
	}
	var lost error
	if w.out != "" {
		lost = console.WriteFile(w.out, []byte(w.written(reports)))
		texts := []string{study.TestsCSV(reports), study.PredictionsCSV(reports, w.results)}
		for _, name := range sheetFiles {
			texts = append(texts, study.SheetCSV(reports, name))
		}
		for k, text := range texts {
			if files := besides(w.out); files != nil && text != "" {
				lost = errors.Join(lost, console.WriteFile(files[k], []byte(text)))
			}
		}
	}
	if w.json {
		o := studyOutput{Study: w.order.Study, Rows: []study.Row{}, Tasks: []study.Done{}, Seconds: w.seconds, Missing: w.missing, Results: w.merged}
		if w.merged != nil {
			o.Order = w.order
		}
		for _, r := range reports {
			o.Rows, o.Tests = append(o.Rows, r.Rows...), append(o.Tests, r.Tests...)
			o.Settings, o.Findings = append(o.Settings, r.Setting), append(o.Findings, r.Findings...)
			o.Claims, o.Charts, o.Sheets = append(o.Claims, r.Claims...), append(o.Charts, r.Charts...), append(o.Sheets, r.Sheets...)
			o.Tasks = append(o.Tasks, r.Done(w.results)...)
		}
		return errors.Join(printJSON(p.stdout, &o), lost)
	}
	for _, r := range reports {
		if _, err := io.WriteString(p.stdout, reportText(r)); err != nil {
			return errors.Join(err, lost)
		}
	}
	return lost
}

// written is the report, or its table, as the ending of the file's name asks for.
func (w *reporting) written(reports []*study.Report) string {
	switch ending(w.out) {
	case "csv":
		return study.CSV(reports)
	case "tex":
		return study.LaTeX(reports)
	case "md":
		if w.untimed {
			return study.Markdown(reports, "Made by: bin/"+w.made)
		}
		return study.Markdown(reports, time.Now().UTC().Format("Made on 2006-01-02 by: bin/")+w.made)
	}
	return study.HTML(reports, "Made by: "+w.made)
}

// writesReport notes the files of the report.
func (p *program) writesReport(out string) error {
	err := p.writes("-out", out, ".html", ".htm", ".md", ".csv", ".tex")
	for _, name := range besides(out) {
		err = errors.Join(err, p.writes("-out", name))
	}
	return err
}

// reportFlag says where reports may go.
const reportFlag = "write the report to `FILE`.html or FILE.md, or its table to FILE.csv, with tests in FILE-tests.csv and tables of brains in " +
	"FILE-regions.csv, FILE-connections.csv, FILE-inclusion.csv and so on, or to FILE.tex"

// sheetFiles are the tables of brains with files of their own.
var sheetFiles = []string{"regions", "connections", "inclusion", "predicted", "weights"}

// besides are the files that may stand beside a table: of tests, of predictions, and of brains; nil of other reports.
func besides(out string) []string {
	if ending(out) != "csv" {
		return nil
	}
	base := strings.TrimSuffix(out, ".csv")
	files := []string{base + "-tests.csv", base + "-predictions.csv"}
	for _, name := range sheetFiles {
		files = append(files, base+"-"+name+".csv")
	}
	return files
}

// An ordering reads the flags and arguments that make an order.
type ordering struct {
	f      *flags
	order  study.Order
	cvSeed *uint64
	data   dataSets
	set    list
	chosen *bool // inner folds select
}

// orderFlags adds the flags that say what is to be run.
func orderFlags(f *flags) *ordering {
	r := &ordering{f: f}
	f.IntVar(&r.order.Seeds, "seeds", 0, "number of model seeds, `K`; the experiment has a usual one")
	f.IntVar(&r.order.DataSeeds, "data-seeds", 0, "number of data seeds, `K`; the experiment has a usual one")
	r.cvSeed = f.Uint64("cv-seed", 0, "seed of folds, K-means and pictures, `N`; the experiment has a usual one")
	f.StringVar(&r.order.Preset, "preset", "released",
		presetFlag+"; several separated by commas, or all")
	f.StringVar(&r.order.Methods, "methods", "",
		"methods to compare CaDeM with, `a,b` or all, for table2, table5, table6, collection, sweep and tune, from \"cadem methods\"")
	f.IntVar(&r.order.Links, "links", 0,
		"of table6, sweep and evidence: train `N` more times, each without another 15 % of the links, and score how well these are told; it needs no labels")
	f.StringVar(&r.order.Level, "level", "", "their settings: `official`, or lite where a method has smaller ones")
	studyData(f, &r.data)
	f.BoolVar(&r.order.Predictions, "predictions", false,
		"what each fold or split trains on, tests and finds: of -json, and of -out FILE.csv in FILE-predictions.csv")
	f.Var(&r.set, "set", "an option of data, training or evaluation, `name=value`; of a sweep name=value,value,...")
	f.StringVar((*string)(&r.order.Search), "search", "", "how settings are tried: of tune `random`, halving or grid, of a sweep grid or random")
	f.IntVar(&r.order.Trials, "trials", 0, "how many settings of each method are tried, `N`: of tune 30, of a sweep as many as the largest grid has")
	f.IntVar(&r.order.Width, "width", 0, "of what compares methods: all embeddings of each together have `W` columns, or as near as their number allows")
	r.chosen = f.Bool("select", false, "of a sweep: inner folds select from what was tried, and with -links held-out links do; as -set nested_select=on")
	return r
}

// read makes the order of the flags and of the arguments; the first argument names the experiment.
func (r *ordering) read(rest []string, say func(string, ...any)) (*study.Order, *library, error) {
	if len(rest) == 0 {
		return nil, nil, misuse("study: found no name, expected one of %s", strings.Join(studyNames(), ", "))
	}
	o := &r.order
	if err := errors.Join(r.f.atLeastOne("seeds", o.Seeds), r.f.atLeastOne("data-seeds", o.DataSeeds), r.f.atLeastOne("links", o.Links)); err != nil {
		return nil, nil, err
	}
	if len(r.f.given("preset")) == 0 {
		o.Preset = "" // the experiment has a usual one
	}
	if len(r.f.given("cv-seed")) > 0 {
		o.EvalSeed = r.cvSeed
	}
	o.Study, o.Options = rest[0], map[string]any{}
	files, err := orderData(r.f, o, &r.data, rest[1:], say)
	if err != nil {
		return nil, nil, err
	}
	settings, err := r.set.pairs()
	if err != nil {
		return nil, nil, err
	}
	for _, nv := range settings {
		o.Options[strings.TrimPrefix(nv[0], train.NameOfCaDeM+".")] = nv[1]
	}
	if *r.chosen {
		if s := studies().Lookup(o.Study); s == nil || s.Name != experiments.Sweep.Name {
			return nil, nil, diag.Option("-select", "it for "+o.Study, "it for a sweep")
		}
		o.Options["nested_select"] = "on"
	}
	return o, files, r.idle(settings)
}

// idle refuses what was given and changes nothing of any task of the order. What nothing in it uses
// at all [study.Studies.Plan] refuses.
func (r *ordering) idle(settings [][2]string) error {
	o := &r.order
	if len(o.Cohort) == 0 {
		if err := r.f.without("there is no folder of recordings", "choose"); err != nil {
			return err
		}
	}
	if s := studies().Lookup(o.Study); o.Methods == "" && s != nil && s.Searches == nil {
		if err := r.f.without("-methods names none", "level"); err != nil {
			return err
		}
	}
	if fmt.Sprint(o.Options["score"]) == "none" {
		return r.f.unscored("nothing is scored", settings)
	}
	return nil
}

// runTasks runs tasks and reports their progress. Keep is called with every new result.
func (p *program) runTasks(s *study.Scheduler, tasks []study.Task, name string, kept *resultFolder, progress *console.Progress,
	keep func(*measure.Result, float64) error) (study.Results, error) {
	progress.Begin(name)
	defer progress.End()
	p.follow(s, tasks, kept, progress, keep)
	return s.Run(tasks)
}

// A teller shows the progress of tasks: a [console.Progress].
type teller interface {
	Tell(done, total int, detail string)
	Had(done int)
}

// follow prints how far a scheduler is with tasks. Only what is kept counts as done.
func (p *program) follow(s *study.Scheduler, tasks []study.Task, kept *resultFolder, progress teller, keep func(*measure.Result, float64) error) {
	there := map[string]bool{} // tasks that are done; all of this is called by one goroutine at a time
	for i := range tasks {
		there[tasks[i].Key()] = false
	}
	finished := 0
	done := func(key string) {
		if before, ours := there[key]; ours && !before {
			there[key] = true
			finished++
		}
	}
	s.Stored = func(key string) *measure.Result {
		r := kept.find(key)
		if r != nil {
			progress.Had(study.Thousand)
			done(key)
		}
		return r
	}
	began := time.Now()
	s.Clock = func() float64 { return time.Since(began).Seconds() }
	s.Finished = func(r *measure.Result, took float64) error {
		done(r.Key)
		return keep(r, took)
	}
	s.Progress = func(done, total int) error {
		progress.Tell(done, total, fmt.Sprintf("%d of %d tasks done", finished, len(there)))
		return p.interrupted()
	}
}

// dataSets are the arguments of -data, each with the choices that follow it.
type dataSets struct {
	sets []dataSet
	all  formats.Choice // what was chosen before the first
	said []string       // by these flags
	// choose answers what the names of a cohort's files leave open.
	choose map[string]string
}

type dataSet struct {
	data   string
	choice formats.Choice
	said   []string
}

func (d *dataSets) add(data string) {
	d.sets = append(d.sets, dataSet{data: data, choice: d.all})
}

// choice is the destination of a flag that chooses.
func (d *dataSets) choice(name string) *formats.Choice {
	choice, said := &d.all, &d.said
	if n := len(d.sets); n > 0 {
		choice, said = &d.sets[n-1].choice, &d.sets[n-1].said
	}
	*said = append(*said, name)
	return choice
}

// idle refuses what was said of a data set, or of all, and changes nothing of it.
func (d *dataSets) idle(of ...chosen) error {
	if err := idle(d.said, of...); err != nil {
		return err
	}
	for k, set := range d.sets {
		if err := idle(set.said, of[k]); err != nil {
			return err
		}
	}
	return nil
}

// studyData adds the flags that say what a study is about.
func studyData(f *flags, d *dataSets) {
	f.Func("data", "where the `data` come from; can be repeated for several data sets", func(s string) error {
		d.add(s)
		f.allow("data")
		f.allow(choiceNames...) // of this data set
		return nil
	})
	const choose = "of a folder of recordings, what the names of its files leave open, `name=value`: atlas, condition, sessions, runs and so on; " +
		"ids=numbers has reports name subjects by numbers"
	f.Func("choose", choose, func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("found %q, expected name=value", s)
		}
		if d.choose == nil {
			d.choose = map[string]string{}
		}
		d.choose[name] = value
		f.allow("choose")
		return nil
	})
	f.choices(d.choice)
}

// orderData sets what a study is about: drawn, published or synthetic data, or files, for each -data
// those between its commas; the paths that follow the name are of the only one.
func orderData(f *flags, o *study.Order, d *dataSets, more []string, say func(string, ...any)) (*library, error) {
	if len(d.sets) == 0 {
		d.add("")
	}
	data, several := d.sets[0].data, len(d.sets) > 1
	s := studies().Lookup(o.Study)
	graphs := s != nil && (s.OfGraphs() || s.Needs == study.NeedGraphs)
	if s == nil && o.Study != "all" {
		return nil, nil // the plan says so
	}
	if !graphs {
		if err := f.without(o.Study+" is not about the files of graphs", choiceNames...); err != nil {
			return nil, err
		}
	}
	switch {
	case s != nil && s.AnyExample && !several && len(more) == 0 && (data == "" || isExample([]string{data})):
		o.Example = data
		return nil, f.without("there are no files", choiceNames...)
	case several && !(s != nil && s.OfGraphs()):
		return nil, misuse("study: found -data %d times, expected it once: %s is not about several data sets", len(d.sets), o.Study)
	case several && len(more) > 0:
		return nil, misuse("study: found the argument %q beside several -data, expected it in one of them: -data A,B", more[0])
	case !several && len(more) == 0 && slices.Contains([]study.Source{"", study.Drawn, study.Published, study.Synthetic}, study.Source(data)):
		o.Data = study.Source(data)
		return nil, f.without("there are no files", choiceNames...)
	case s == nil || s.Needs == study.NeedNothing && !graphs:
		if len(more) > 0 {
			return nil, misuse("study: found the argument %q, expected none: %s draws its data", more[0], o.Study)
		}
		o.Data = study.Source(data)
		return nil, nil
	case s.CheckScans != nil:
		o.Choice = asked(d.sets[0].choice)
		lib, err := f.p.cohortData(o, append(splitNames(data), more...), d.choose, say)
		if err != nil || !graphs {
			return lib, err
		}
		return lib, idle(slices.Concat(d.said, d.sets[0].said), eachGraph(d.sets[0].choice, lib.contents(), o.Files)...)
	}
	lib, of := &library{}, []chosen{}
	for _, set := range d.sets {
		names := append(splitNames(set.data), more...)
		files, err := f.p.readFiles(names)
		if err != nil {
			return nil, err
		}
		specs, _ := run.InMemory(files)
		o.Sets = append(o.Sets, study.FileSet{Files: specs, Choice: asked(set.choice)})
		for i, s := range specs {
			lib.add(s, names[i])
		}
		of = append(of, chosen{set.choice, graphOf(files, nil)})
	}
	return lib, d.idle(of...)
}

func studyNames() []string {
	var names []string
	for _, s := range studies() {
		names = append(names, s.Name)
	}
	return append(names, "all")
}

// studyTitles lists the experiments.
func studyTitles() string {
	var b strings.Builder
	for _, s := range studies() {
		fmt.Fprintf(&b, "  %-15s %s\n", s.Name, s.Title)
	}
	b.WriteString("  all             all that draw their data\n")
	return b.String()
}

// studies are the experiments of the paper, and sweeps.
func studies() study.Studies { return append(experiments.All(), experiments.Sweep, experiments.Tune) }

// studyParts lists [studyVerbs].
func studyParts() string {
	var b strings.Builder
	for _, c := range studyVerbs() {
		fmt.Fprintf(&b, "  %-15s %s\n", c.name, c.summary)
	}
	return b.String()
}

// reportText is a report in lines of at most [console.Columns] characters.
func reportText(r *study.Report) string {
	text := console.Fill(r.Title+"\n\n", "")
	for _, s := range r.Findings {
		text += console.Fill("* "+s, "  ") + "\n"
	}
	text += "\n" + console.Table(r.Lines(3))
	for _, s := range r.Held {
		text += "\n" + console.Fill(s.Title, "") + "\n\n" + console.Table(s.Lines)
	}
	return text + console.Fill("\n"+r.Setting+"\n\n"+r.Text+"\n", "")
}
