package experiments

import (
	"fmt"
	"maps"
	"slices"

	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/property"
	"cadem/core/run"
	"cadem/core/study"
	"cadem/core/study/measure"
	"cadem/core/synth/cohort"
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

// A scanRun is what one seed of the model needs.
type scanRun struct {
	shared       study.Task
	alone        []study.Task
	sharedScores study.Task
	aloneScores  study.Task
}

// planScans plans a study of scans for a seed of the data.
func planScans(o *study.Order, scans []run.Scan, data map[string]any, seed int) *scanPlan {
	p := &scanPlan{scans: scans}
	spec := run.DataSpec{Options: maps.Clone(data)}
	if spec.Options == nil {
		spec.Options = map[string]any{}
	}
	training, evaluation, prepare := map[string]any{}, map[string]any{}, map[string]any{}
	for name, v := range o.Options {
		switch {
		case study.OfScans(name):
			spec.Options[name] = v
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
	for from := 0; from < len(scans); from += scansATask {
		part := scans[from:min(from+scansATask, len(scans))]
		own := spec
		own.Scans = part
		if o.OfFiles() {
			own.Files = filesOf(o, part)
		} else {
			own.Example, own.DataSeed = run.CohortData, uint64(seed)
		}
		p.prepare = append(p.prepare,
			study.Task{Name: fmt.Sprintf("graphs of scans %d to %d", from+1, from+len(part)), Data: own, Preset: o.Preset, Options: maps.Clone(prepare),
				Measure: []measure.Spec{{Kind: measure.Scans}}})
	}
	task := func(name string, kind measure.Kind, model int, options map[string]any, needs []string) study.Task {
		m := measure.Spec{Kind: kind}
		return study.Task{Name: name, Data: run.DataSpec{Example: run.CohortData}, Preset: o.Preset, Options: maps.Clone(options), ModelSeed: uint64(model),
			EvalSeed: o.SeedOf(run.UsualSeeds.Eval, m), Measure: []measure.Spec{m}, Needs: needs}
	}
	whole := spec
	whole.Scans = scans
	if o.OfFiles() {
		whole.Files = filesOf(o, scans)
	} else {
		whole.Example, whole.DataSeed = run.CohortData, uint64(seed)
	}
	p.whole = study.Task{Name: "all scans", Data: whole, Options: evaluation}
	all := of(p.prepare)
	p.baselines = task("scores without embeddings", measure.Baselines, 0, evaluation, all)
	for model := range o.Seeds {
		r := scanRun{shared: task(fmt.Sprintf("encoders of all scans, seed %d", model), measure.Shared, model, training, all)}
		for i := range p.prepare {
			r.alone = append(r.alone, task(fmt.Sprintf("encoders of each scan, part %d, seed %d", i+1, model), measure.Alone, model, training, all[i:i+1]))
		}
		r.sharedScores = task(fmt.Sprintf("scores, shared encoders, seed %d", model), measure.Conditions, 0, evaluation, []string{r.shared.Key()})
		r.aloneScores = task(fmt.Sprintf("scores, own encoders, seed %d", model), measure.Conditions, 0, evaluation, of(r.alone))
		p.runs = append(p.runs, r)
	}
	return p
}

// tasks returns all tasks, in the order in which they are best begun.
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

// filesOf returns the files of some scans, and those that belong to no scan and so to all.
func filesOf(o *study.Order, scans []run.Scan) []run.FileSpec {
	listed, needed := map[string]bool{}, map[string]bool{}
	for _, s := range o.Cohort {
		listed[s.File], listed[s.Confounds] = true, true
	}
	for _, s := range scans {
		needed[s.File], needed[s.Confounds] = true, true
	}
	var files []run.FileSpec
	for _, f := range o.Files {
		if needed[f.Name] || !listed[f.Name] {
			files = append(files, f)
		}
	}
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
