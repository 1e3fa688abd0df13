package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cadem/core/cadem"
	"cadem/core/connectome"
	"cadem/core/formats"
	"cadem/core/project"
	"cadem/core/property"
	"cadem/core/synth"
)

// An Order says which experiment to run, and how often.
type Order struct {
	Study string `json:"study"`
	// Seeds are the model seeds 0, 1, ... of every training, DataSeeds the seeds of the
	// data; 0 takes the study's usual numbers.
	Seeds     int `json:"seeds,omitempty"`
	DataSeeds int `json:"data_seeds,omitempty"`
	// EvalSeed draws folds, first cluster centres and pictures; nil takes the study's usual one.
	EvalSeed *uint64 `json:"eval_seed,omitempty"`
	// Preset of training, "" for released.
	Preset string `json:"preset,omitempty"`
	// Data is "drawn", or "published" for the very data behind the paper's numbers; ""
	// for drawn.
	Data string `json:"data,omitempty"`
	// Files, with their sums, and what of them is used, for a study that needs data of one's
	// own; nil: a guess.
	Files  []FileSpec      `json:"files,omitempty"`
	Choice *formats.Choice `json:"choice,omitempty"`
	// Sets are the files of several multiplex graphs, each as Files and Choice name those of one.
	Sets []FileSet `json:"sets,omitempty"`
	// Cohort lists the scans among the files, for a study of many.
	Cohort []connectome.Scan `json:"cohort,omitempty"`
	// Options of data, training and evaluation that differ from the study's own.
	Options map[string]any `json:"options,omitempty"`
}

// A Study is an experiment of the paper as data.
type Study struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Text says in plain words what to look at, what it shows, and what it does not.
	Text string `json:"text"`
	// Seeds and DataSeeds are the usual numbers.
	Seeds     int `json:"seeds"`
	DataSeeds int `json:"data_seeds"`
	// FileSeeds is the usual number of model seeds on files, where it is another one.
	FileSeeds int `json:"file_seeds,omitempty"`
	// Needs says what an order has to bring along, Takes what it may bring in place of drawn data.
	Needs Need `json:"needs"`
	Takes Need `json:"takes,omitempty"`
	// Also are other names by which it may be ordered.
	Also []string `json:"also,omitempty"`
	// Classifies tells that options of the classification are of consequence.
	Classifies bool `json:"classifies"`
	// Offers are options of the data to be asked for, by name.
	Offers []string `json:"offers,omitempty"`
	// Without are options of the classification that it cannot have, by name.
	Without []string `json:"without,omitempty"`

	yields   []string                      // options of its own tasks that give way to those of an order
	counts   string                        // the option that says how many scans are drawn, and so stands in no task
	single   bool                          // shows one training: the first of each kind of seeds
	check    func([]connectome.Scan) error // whether a cohort will do; nil for data of another kind
	plan     func(o *Order) []Task
	assemble func(o *Order, results Results, r *Report) // rows, charts and findings, from what there is
}

// A Need says what data of one's own a study is about.
type Need string

const (
	NeedNothing Need = ""       // its data are drawn
	NeedGraph   Need = "graph"  // the files of one multiplex graph
	NeedCohort  Need = "cohort" // the scans of many subjects; without files they are drawn
)

// Results of tasks by their keys. What is missing was not run.
type Results map[string]*TaskResult

// Studies returns the experiments in the order in which to show them. No variable holds them
// all, and none of them is worked out at the start: a program that asks for none would carry
// what is.
func Studies() []Study {
	return []Study{table1, table2, table3, table4, table7, table11, gammaSweep, layerPosterior, tsnePictures, table5, identify(), table6, topRegions}
}

// Lookup returns the study of a name, nil if there is none.
func Lookup(name string) *Study {
	for _, s := range Studies() {
		if s.Name == name || slices.Contains(s.Also, name) {
			return &s
		}
	}
	return nil
}

// lookup returns the studies an order names: one, or all that there are with such data and
// that need no more than that.
func (o *Order) lookup() ([]Study, error) {
	if o.Study == "all" {
		return slices.DeleteFunc(Studies(), func(s Study) bool { return s.Needs != NeedNothing }), nil
	}
	if s := Lookup(o.Study); s != nil {
		return []Study{*s}, nil
	}
	var names []string
	for _, s := range Studies() {
		names = append(append(names, s.Name), s.Also...)
	}
	return nil, property.Unknown("study", fmt.Sprintf("%q", o.Study), o.Study, append(names, "all"))
}

// most seeds of one kind: what a page can show and a person wait for.
const mostSeeds = 100

// check validates an order and fills in what it leaves to the study.
func (o Order) check(s *Study) (*Order, error) {
	if o.Preset == "" {
		o.Preset = cadem.Presets[0]
	}
	if _, err := cadem.Preset(o.Preset); err != nil {
		return nil, err
	}
	if err := o.checkSets(s); err != nil {
		return nil, err
	}
	if err := o.checkData(s); err != nil {
		return nil, err
	}
	seeds := s.Seeds
	if o.own() && s.FileSeeds > 0 {
		seeds = s.FileSeeds
	}
	if o.Data == "published" && o.DataSeeds > 1 {
		return nil, &property.Error{Field: "data_seeds", Found: fmt.Sprint(o.DataSeeds), Expected: "1 with published data: there is one instance"}
	}
	for _, n := range []struct {
		name  string
		value *int
		usual int
	}{{"seeds", &o.Seeds, seeds}, {"data_seeds", &o.DataSeeds, s.DataSeeds}} {
		if *n.value < 0 || *n.value > mostSeeds {
			return nil, &property.Error{Field: n.name, Found: fmt.Sprint(*n.value), Expected: fmt.Sprintf("a number from 1 to %d", mostSeeds)}
		}
		if *n.value == 0 {
			*n.value = n.usual
		}
	}
	if o.Study != "all" && s.single && max(o.Seeds, o.DataSeeds) > 1 {
		return nil, &property.Error{Field: "seeds", Found: fmt.Sprintf("%d of the model, %d of the data", max(o.Seeds, 1), max(o.DataSeeds, 1)), Expected: "1: " + s.Name + " shows one training"}
	}
	if o.Data == "published" || s.single {
		o.DataSeeds = 1
	}
	if s.single {
		o.Seeds = 1
	}
	return &o, nil
}

// checkData checks where the data come from, and fills it in.
func (o *Order) checkData(s *Study) error {
	if s.Needs == NeedCohort && len(o.Files) == 0 {
		if o.Data != "" && o.Data != "drawn" && o.Data != "synthetic" || len(o.Cohort) > 0 {
			return &property.Error{Field: "data", Found: found(o.Data), Expected: "synthetic, or the files of a cohort"}
		}
		o.Data = "drawn"
		return nil
	}
	if s.Needs != NeedNothing || s.OfGraphs() && o.own() {
		if o.Data != "" || !o.own() {
			return &property.Error{Field: "data", Found: found(o.Data), Expected: "files: " + s.Name + " is about data of one's own"}
		}
		for _, part := range o.about() {
			for _, f := range part.Files {
				if f.Sum == "" {
					return &property.Error{Field: "data", Found: f.Name + " without the sum of its contents", Expected: "files with their sums"}
				}
			}
		}
		if o.DataSeeds > 1 {
			return &property.Error{Field: "data_seeds", Found: fmt.Sprint(o.DataSeeds), Expected: "1: files are not drawn"}
		}
		o.DataSeeds = 1
		if s.Needs == NeedCohort {
			return o.checkScans(s)
		}
		return nil
	}
	if o.own() || o.Choice != nil {
		return &property.Error{Field: "data", Found: "files", Expected: "drawn or published: " + s.Name + " draws its data"}
	}
	switch o.Data {
	case "":
		o.Data = "drawn"
	case "drawn", "published":
	default:
		return &property.Error{Field: "data", Found: fmt.Sprintf("%q", o.Data), Expected: "drawn or published"}
	}
	return nil
}

func found(data string) string {
	if data == "" {
		return "no files"
	}
	return fmt.Sprintf("%q", data)
}

// Plan returns the tasks of an order, each once; those that need others come after them.
// An order that cannot be carried out gives a [*property.Error].
func Plan(o Order) ([]Task, error) {
	tasks, idle, err := o.tasks()
	if idle == "" {
		return tasks, err
	}
	found := "an unknown option"
	if known(idle) {
		found = "an option that " + o.Study + " does not use"
	}
	return nil, property.Unknown(idle, found, idle, o.uses())
}

// uses returns the names of the options that the order may have.
func (o Order) uses() []string {
	var names []string
	for _, p := range knownOptions() {
		o.Options = map[string]any{p.Name: property.Text(p.Default)}
		if _, idle, err := o.tasks(); idle == "" && err == nil && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// tasks is [Plan], but for an option that is of no use, which it returns.
func (o Order) tasks() (tasks []Task, idle string, err error) {
	list, err := o.lookup()
	if err != nil {
		return nil, "", err
	}
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		if !known(name) {
			return nil, name, nil
		}
	}
	seen := map[string]bool{}
	for i := range list {
		full, err := o.check(&list[i])
		if err != nil {
			return nil, "", err
		}
		if err := full.refuse(&list[i]); err != nil {
			return nil, "", err
		}
		if err := full.collide(&list[i]); err != nil {
			return nil, "", err
		}
		for _, t := range list[i].plan(full) {
			if key := t.Key(); !seen[key] {
				seen[key] = true
				tasks = append(tasks, t)
			}
		}
	}
	if o.EvalSeed != nil && !slices.ContainsFunc(tasks, func(t Task) bool {
		return slices.ContainsFunc(t.Measure, func(m Measure) bool { return m.draws() })
	}) {
		return nil, "", &property.Error{Field: "eval_seed", Found: fmt.Sprintf("%d for %s, which draws nothing by it", *o.EvalSeed, o.Study), Expected: "an experiment that scores"}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		if !slices.ContainsFunc(tasks, func(t Task) bool { return t.takes(name) }) && !slices.ContainsFunc(list, func(s Study) bool { return s.counted(&o, name) }) {
			return nil, name, nil
		}
	}
	return tasks, "", nil
}

const ofStudies = "an option of its data, of training or of what it measures"

// takes tells whether an option is among those of the task.
func (t *Task) takes(name string) bool {
	_, data := t.Data.Options[name]
	_, own := t.Options[name]
	return data || own || slices.ContainsFunc(t.Measure, func(m Measure) bool { return m.Options[name] != "" })
}

// counted tells whether an option says how many scans the study draws.
func (s *Study) counted(o *Order, name string) bool { return name == s.counts && !o.own() }

// refuse refuses options that no task of the study can have, and those of how a cohort is drawn
// where its scans are files.
func (o *Order) refuse(s *Study) error {
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		if slices.Contains(s.Without, name) {
			return &property.Error{Field: name, Found: "an option that " + s.Name + " cannot have", Expected: ofStudies}
		}
		if s.counted(o, name) { // no task would look at its value
			if err := property.Set(&synth.CohortOptions{}, name, property.Text(o.Options[name])); err != nil {
				return err
			}
		}
		if s.Needs == NeedCohort && o.own() && ofScans(name) && !connectome.HasSetting(name) {
			return &property.Error{Field: name, Found: "an option of the synthetic cohort beside files", Expected: "an option of how graphs are made of scans, of training or of what is measured"}
		}
	}
	return nil
}

// collide refuses options that the study itself sets to tell its rows apart: under one value
// for all of them the rows would not be what they are called.
func (o *Order) collide(s *Study) error {
	if len(o.Options) == 0 {
		return nil
	}
	own := *o
	own.Options = nil
	for _, t := range s.plan(&own) {
		for _, name := range slices.Sorted(maps.Keys(o.Options)) {
			if t.takes(name) && !slices.Contains(s.yields, name) {
				return &property.Error{Field: name, Found: "one value for all of " + s.Name, Expected: "an option that the experiment does not set itself"}
			}
		}
	}
	return nil
}

// known tells whether some part of a study has an option of that name.
func known(name string) bool {
	return slices.ContainsFunc(knownOptions(), func(p property.Property) bool { return p.Name == name })
}

// knownOptions are those of all parts of all studies; some names are in several of them.
func knownOptions() []property.Property {
	s := Settings{}
	list := slices.Concat(property.Table(&s.Training), property.Table(&s.Evaluation), property.Table(&project.TSNEOptions{}),
		connectome.SettingsTable(), property.Table(&synth.CohortOptions{}))
	for _, g := range synth.Generators() {
		list = append(list, property.Table(g.Options())...)
	}
	return list
}

// task describes one training of the order on an example. Data and options are the
// study's own, which [Order.collide] keeps the order's apart from; of the order's, the task
// takes those that the example has.
func (o *Order) task(example string, data, options map[string]any, model, seed int, measure ...Measure) Task {
	scored := ""
	for _, e := range examples {
		if e.Name == example {
			scored = e.Task
		}
	}
	t := o.training(scored, options, model, measure...)
	t.Name = fmt.Sprintf("%s, seed %d", example, model)
	t.Data = DataSpec{Example: example, Options: maps.Clone(data), DataSeed: uint64(seed)}
	if t.Data.Options == nil {
		t.Data.Options = map[string]any{}
	}
	if o.DataSeeds > 1 {
		t.Name += fmt.Sprintf(", data %d", seed)
	}
	if o.Data == "published" {
		t.Data.Options["instance"] = "published"
	}
	g, err := synth.Lookup(example)
	if err != nil {
		panic(err) // the studies' own names
	}
	for name, v := range o.Options {
		if property.Has(g.Options(), name) {
			t.Data.Options[name] = v
			delete(t.Options, name)
		}
	}
	return t
}

// fileTask describes one training on the files of the order.
func (o *Order) fileTask(options map[string]any, model int, measure ...Measure) Task {
	t := o.training("both", options, model, measure...)
	t.Name = fmt.Sprintf("%s, seed %d", o.Files[0].Name, model)
	t.Data = DataSpec{Files: o.Files, Choice: o.Choice}
	return t
}

// training describes a training without its data: options are the study's own, beside those
// of the order that are of training and evaluation; scored is how the data are scored, as
// [Dataset.Task] names it.
func (o *Order) training(scored string, options map[string]any, model int, measure ...Measure) Task {
	t := Task{Preset: o.Preset, Options: maps.Clone(options), ModelSeed: uint64(model), EvalSeed: o.evalSeed(UsualSeeds.Eval, measure...), Measure: measure}
	if t.Options == nil {
		t.Options = map[string]any{}
	}
	for name, v := range o.Options {
		if s := (Settings{}); property.Has(&s.Training, name) || property.Has(&s.Evaluation, name) && slices.ContainsFunc(measure, func(m Measure) bool { return m.evaluates(name, scored) }) {
			t.Options[name] = v
		}
	}
	return t
}

// evalSeed returns the seed of a task that measures so: the order's, or else the usual one. A task
// that draws nothing by it keeps the usual one, so that what it finds serves every order.
func (o *Order) evalSeed(usual uint64, measure ...Measure) uint64 {
	if o.EvalSeed != nil && slices.ContainsFunc(measure, func(m Measure) bool { return m.draws() }) {
		return *o.EvalSeed
	}
	return usual
}

// draws tells whether the measure depends on the evaluation's seed.
func (m *Measure) draws() bool {
	switch m.Kind {
	case "scores", "classes", "features", "maps", "posterior", "graphs", "tsne", "conditions", "baselines":
		return true
	}
	return false
}

// evaluates tells whether an option of evaluation is of consequence for the measure, on data
// that are scored so.
func (m *Measure) evaluates(name, scored string) bool {
	clusters := strings.HasPrefix(name, "kmeans_")
	switch m.Kind {
	case "scores":
		return scored == "both" || clusters == (scored == "clustering")
	case "classes", "features", "graphs", "conditions":
		return !clusters
	case "maps":
		return clusters
	}
	return false
}

// each calls f for every pair of a model seed and a data seed.
func (o *Order) each(f func(model, data int)) {
	for data := range o.DataSeeds {
		for model := range o.Seeds {
			f(model, data)
		}
	}
}

// of returns the results of tasks in their order, without those that were not run.
func (r Results) of(tasks []Task) []*TaskResult {
	var list []*TaskResult
	for i := range tasks {
		if t := r[tasks[i].Key()]; t != nil {
			list = append(list, t)
		}
	}
	return list
}
