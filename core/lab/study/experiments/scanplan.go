package experiments

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cadem.example/core/base/property"
	"cadem.example/core/base/sorting"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

// scansATask are prepared, or trained alone, by one task: enough for what a task costs by
// itself not to count, few enough for an interruption to lose little.
const scansATask = 15

// A ScanPlan holds the tasks of a study of many scans: they are prepared once, and trained
// and scored for every seed of the model.
type ScanPlan struct {
	Scans     []run.Scan
	Prepare   []study.Task
	Baselines study.Task
	Runs      []scanRun
	whole     study.Task // what a method other than CaDeM does: embed and score all scans
}

// A scanRun holds the tasks of one seed of the model.
type scanRun struct {
	Shared       study.Task
	Alone        []study.Task
	SharedScores study.Task
	AloneScores  study.Task
}

// A ScanKind is the subject of a plan: scans, or the graphs of a collection.
type ScanKind struct {
	Name    string // of several
	Prepare measure.Kind
	Known   measure.Kind // what is known without embeddings
	Methods measure.Kind // what other methods are asked
	Scores  measure.Kind // what embeddings are asked
	Own     any          // the options of Prepare; nil: none
	Example string       // whose defaults tasks have that need others
}

// PlanScans plans a study of scans for a seed of the data.
func PlanScans(o *study.Order, kind ScanKind, scans []run.Scan, data map[string]any, seed int) *ScanPlan {
	p := &ScanPlan{Scans: scans}
	spec := run.DataSpec{Options: maps.Clone(data), Choice: o.Choice, Reader: run.Reader}
	if spec.Options == nil {
		spec.Options = map[string]any{}
	}
	ofNumbers := kind.Known == measure.Numbers
	training, evaluation, prepare, numbers, own := map[string]any{}, map[string]any{}, map[string]any{}, map[string]string{}, map[string]string{}
	for name, v := range o.Options {
		switch {
		case ofNumbers && property.Has(&measure.NumberOptions{}, name):
			numbers[name] = property.Text(v)
		case kind.Own != nil && property.Has(kind.Own, name):
			own[name] = property.Text(v)
		case kind.Prepare != measure.Collected && measure.OfScans.Has(name):
			spec.Options[name] = v
		case ofNumbers && !property.Has(&cadem.Options{}, name):
		case (&measure.Spec{Kind: measure.Conditions}).Evaluates(name, "") && property.Has(&evaluate.Options{}, name):
			evaluation[name] = v
		case property.Has(&cadem.Options{}, name):
			training[name] = v
		}
		if name == "propagation" {
			prepare[name] = v
		}
	}
	files := FileList(o)
	with := func(part []run.Scan) run.DataSpec {
		own := spec
		if own.Scans = part; o.OfFiles() {
			own.Files = files.Of(part)
		} else {
			own.Example, own.DataSeed = run.CohortData, uint64(seed)
		}
		return own
	}
	for from := 0; from < len(scans); from += scansATask {
		part := scans[from:min(from+scansATask, len(scans))]
		p.Prepare = append(p.Prepare,
			study.Task{Name: fmt.Sprintf("graphs of %s %d to %d", kind.Name, from+1, from+len(part)), Data: with(part), Preset: o.Preset, Options: maps.Clone(prepare),
				Measure: []measure.Spec{{Kind: kind.Prepare, Options: own}}})
	}
	task := func(name string, measured measure.Kind, model int, options map[string]any, needs []string) study.Task {
		m := measure.Spec{Kind: measured}
		if measured == measure.Numbers {
			m.Options = numbers
		}
		return study.Task{Name: name, Data: run.DataSpec{Example: kind.Example}, Preset: o.Preset, Options: maps.Clone(options), ModelSeed: uint64(model),
			EvalSeed: o.SeedOf(run.UsualSeeds.Eval, m), Measure: o.Asks(m), Needs: needs}
	}
	p.whole = study.Task{Name: "all " + kind.Name, Data: with(scans), Options: evaluation, Measure: o.Asks(measure.Spec{Kind: kind.Methods})}
	all := study.Keys(p.Prepare)
	p.Baselines = task("scores without embeddings", kind.Known, 0, evaluation, all)
	for model := range o.Seeds {
		r := scanRun{Shared: task(fmt.Sprintf("encoders of all %s, seed %d", kind.Name, model), measure.Shared, model, training, all)}
		for i := range p.Prepare {
			name := fmt.Sprintf("encoders of each %s, part %d, seed %d", strings.TrimSuffix(kind.Name, "s"), i+1, model)
			r.Alone = append(r.Alone, task(name, measure.Alone, model, training, all[i:i+1]))
		}
		r.SharedScores = task(fmt.Sprintf("scores, shared encoders, seed %d", model), kind.Scores, 0, evaluation, []string{r.Shared.Key()})
		r.AloneScores = task(fmt.Sprintf("scores, own encoders, seed %d", model), kind.Scores, 0, evaluation, study.Keys(r.Alone))
		p.Runs = append(p.Runs, r)
	}
	return p
}

// Tasks returns all tasks, in the best order to start them.
func (p *ScanPlan) Tasks() []study.Task {
	list := slices.Clone(p.Prepare)
	for _, r := range p.Runs {
		list = append(append(list, r.Shared), r.Alone...)
	}
	list = append(list, p.Baselines)
	for _, r := range p.Runs {
		list = append(list, r.SharedScores, r.AloneScores)
	}
	return list
}

// ScanTasks returns the tasks of the plans of all data seeds, and those of other methods.
func ScanTasks(o *study.Order, plans []*ScanPlan) []study.Task {
	others := sorting.Flat(o.Compared(), func(m *train.Method) []study.Task { return scansMethod(o, m, plans) })
	return append(sorting.Flat(plans, (*ScanPlan).Tasks), others...)
}

// scansMethod embeds all scans by another method.
func scansMethod(o *study.Order, m *train.Method, plans []*ScanPlan) []study.Task {
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

// FileList lists the files of an order.
func FileList(o *study.Order) *fileLister {
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

// Of returns the files of some scans, and the shared ones, in the form of the order.
func (l *fileLister) Of(scans []run.Scan) []run.FileSpec {
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
