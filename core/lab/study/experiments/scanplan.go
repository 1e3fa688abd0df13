package experiments

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cadem.example/core/base/property"
	"cadem.example/core/base/sorting"
	"cadem.example/core/baseline"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// scansATask are prepared, or trained alone, by one task: enough for what a task costs by
// itself not to count, few enough for an interruption to lose little.
const scansATask = 15

// A scanPlan holds the tasks of a study of many scans: they are prepared once, and trained
// and scored for every seed of the model.
type scanPlan struct {
	scans     []run.Scan
	prepare   []study.Task
	baselines study.Task
	runs      []scanRun
	whole     study.Task // what a method other than CaDeM does: embed and score all scans
}

// A scanRun holds the tasks of one seed of the model.
type scanRun struct {
	shared       study.Task
	alone        []study.Task
	sharedScores study.Task
	aloneScores  study.Task
}

// The subject of a plan: scans, or the graphs of a collection.
type scanKind struct {
	name    string // of several
	prepare measure.Kind
	known   measure.Kind // what is known without embeddings
	methods measure.Kind // what other methods are asked
	scores  measure.Kind // what embeddings are asked
	example string       // whose defaults tasks have that need others
}

var (
	ofScans   = scanKind{"scans", measure.Scans, measure.Baselines, measure.Combined, measure.Conditions, run.CohortData}
	ofGraphs  = scanKind{"graphs", measure.Collected, measure.Sizes, measure.CombinedGraphs, measure.Conditions, run.CollectionData}
	ofNumbers = scanKind{"scans", measure.Scans, measure.Numbers, "", measure.Numbers, run.CohortData}
)

// planScans plans a study of scans for a seed of the data.
func planScans(o *study.Order, kind scanKind, scans []run.Scan, data map[string]any, seed int) *scanPlan {
	p := &scanPlan{scans: scans}
	spec := run.DataSpec{Options: maps.Clone(data), Choice: o.Choice, Reader: run.Reader}
	if spec.Options == nil {
		spec.Options = map[string]any{}
	}
	training, evaluation, prepare, numbers := map[string]any{}, map[string]any{}, map[string]any{}, map[string]string{}
	for name, v := range o.Options {
		switch {
		case kind == ofNumbers && property.Has(&measure.NumberOptions{}, name):
			numbers[name] = property.Text(v)
		case kind != ofGraphs && study.OfScans(name):
			spec.Options[name] = v
		case kind == ofNumbers && !property.Has(&cadem.Options{}, name):
		case (&measure.Spec{Kind: measure.Conditions}).Evaluates(name, "") && property.Has(&evaluate.Options{}, name):
			evaluation[name] = v
		case property.Has(&cadem.Options{}, name):
			training[name] = v
		}
		if name == "propagation" {
			prepare[name] = v
		}
	}
	of := func(list []study.Task) (keys []string) {
		for i := range list {
			keys = append(keys, list[i].Key())
		}
		return keys
	}
	files := fileList(o)
	with := func(part []run.Scan) run.DataSpec {
		own := spec
		if own.Scans = part; o.OfFiles() {
			own.Files = files.of(part)
		} else {
			own.Example, own.DataSeed = run.CohortData, uint64(seed)
		}
		return own
	}
	for from := 0; from < len(scans); from += scansATask {
		part := scans[from:min(from+scansATask, len(scans))]
		p.prepare = append(p.prepare,
			study.Task{Name: fmt.Sprintf("graphs of %s %d to %d", kind.name, from+1, from+len(part)), Data: with(part), Preset: o.Preset, Options: maps.Clone(prepare),
				Measure: []measure.Spec{{Kind: kind.prepare}}})
	}
	task := func(name string, measured measure.Kind, model int, options map[string]any, needs []string) study.Task {
		m := measure.Spec{Kind: measured}
		if measured == measure.Numbers {
			m.Options = numbers
		}
		return study.Task{Name: name, Data: run.DataSpec{Example: kind.example}, Preset: o.Preset, Options: maps.Clone(options), ModelSeed: uint64(model),
			EvalSeed: o.SeedOf(run.UsualSeeds.Eval, m), Measure: o.Asks(m), Needs: needs}
	}
	p.whole = study.Task{Name: "all " + kind.name, Data: with(scans), Options: evaluation, Measure: o.Asks(measure.Spec{Kind: kind.methods})}
	all := of(p.prepare)
	p.baselines = task("scores without embeddings", kind.known, 0, evaluation, all)
	for model := range o.Seeds {
		r := scanRun{shared: task(fmt.Sprintf("encoders of all %s, seed %d", kind.name, model), measure.Shared, model, training, all)}
		for i := range p.prepare {
			name := fmt.Sprintf("encoders of each %s, part %d, seed %d", strings.TrimSuffix(kind.name, "s"), i+1, model)
			r.alone = append(r.alone, task(name, measure.Alone, model, training, all[i:i+1]))
		}
		r.sharedScores = task(fmt.Sprintf("scores, shared encoders, seed %d", model), kind.scores, 0, evaluation, []string{r.shared.Key()})
		r.aloneScores = task(fmt.Sprintf("scores, own encoders, seed %d", model), kind.scores, 0, evaluation, of(r.alone))
		p.runs = append(p.runs, r)
	}
	return p
}

// tasks returns all tasks, in the best order to start them.
func (p *scanPlan) tasks() []study.Task {
	list := slices.Clone(p.prepare)
	for _, r := range p.runs {
		list = append(append(list, r.shared), r.alone...)
	}
	list = append(list, p.baselines)
	for _, r := range p.runs {
		list = append(list, r.sharedScores, r.aloneScores)
	}
	return list
}

// scanTasks returns the tasks of the plans of all data seeds, and those of other methods.
func scanTasks(o *study.Order, plans []*scanPlan) (tasks []study.Task) {
	for _, p := range plans {
		tasks = append(tasks, p.tasks()...)
	}
	for _, m := range o.Compared() {
		tasks = append(tasks, scansMethod(o, m, plans)...)
	}
	return tasks
}

// scansMethod embeds all scans by another method.
func scansMethod(o *study.Order, m *baseline.Method, plans []*scanPlan) []study.Task {
	return methodTasks(o, m, func(model, data int) study.Task {
		t := plans[data].whole
		t.Name, t.ModelSeed = fmt.Sprintf("%s, seed %d", t.Name, model), uint64(model)
		return t
	})
}

// A fileLister assigns the files of an order to scans.
type fileLister struct {
	at     map[string]run.FileSpec
	shared []run.FileSpec // that belong to no scan and so to all
	place  map[string]int // of all of them, in the order
}

func fileList(o *study.Order) *fileLister {
	l := &fileLister{at: map[string]run.FileSpec{}, place: map[string]int{}}
	listed := map[string]bool{}
	for k := range o.Cohort {
		for _, name := range collection.Names(o.Cohort[k].Runs()) {
			listed[name] = true
		}
	}
	for i, f := range o.Files {
		if l.place[f.Name] = i; listed[f.Name] {
			l.at[f.Name] = f
		} else {
			l.shared = append(l.shared, f)
		}
	}
	return l
}

// of returns the files of some scans, and the shared ones, in the form of the order.
func (l *fileLister) of(scans []run.Scan) []run.FileSpec {
	files := slices.Clone(l.shared)
	taken := map[string]bool{}
	for k := range scans {
		for _, name := range collection.Names(scans[k].Runs()) {
			if f, ok := l.at[name]; ok && !taken[name] {
				taken[name], files = true, append(files, f)
			}
		}
	}
	sorting.Stable(files, func(a, b run.FileSpec) int { return cmp.Compare(l.place[a.Name], l.place[b.Name]) })
	return files
}

// cohortOptions returns the settings of the synthetic cohort that an order asks for.
func cohortOptions(o *study.Order) *cohort.Options {
	c := &cohort.Options{}
	property.Defaults(c)
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		if property.Has(c, name) {
			if err := property.Set(c, name, property.Text(o.Options[name])); err != nil {
				property.Defaults(c) // the task that draws it says so
				break
			}
		}
	}
	return c
}
