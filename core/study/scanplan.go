package study

import (
	"fmt"
	"maps"
	"slices"

	"cadem/core/cadem"
	"cadem/core/connectome"
	"cadem/core/evaluate"
	"cadem/core/property"
	"cadem/core/synth"
)

// scansATask are prepared, or trained alone, by one task: enough for what a task costs by
// itself not to count, few enough for an interruption to lose little.
const scansATask = 15

// A scanPlan holds the tasks of a study of many scans: they are prepared once, and trained
// and scored for every seed of the model.
type scanPlan struct {
	scans     []Scan
	prepare   []Task
	baselines Task
	runs      []scanRun
}

// A scanRun is what one seed of the model needs.
type scanRun struct {
	shared       Task
	alone        []Task
	sharedScores Task
	aloneScores  Task
}

// planScans plans a study of scans for a seed of the data.
func (o *Order) planScans(scans []Scan, data map[string]any, seed int) *scanPlan {
	p := &scanPlan{scans: scans}
	spec := DataSpec{Options: maps.Clone(data)}
	if spec.Options == nil {
		spec.Options = map[string]any{}
	}
	training, evaluation, prepare := map[string]any{}, map[string]any{}, map[string]any{}
	for name, v := range o.Options {
		switch {
		case ofScans(name):
			spec.Options[name] = v
		case (&Measure{Kind: "conditions"}).evaluates(name, "") && property.Has(&evaluate.Options{}, name):
			evaluation[name] = v
		case property.Has(&cadem.Options{}, name):
			training[name] = v
		}
		if name == "propagation" {
			prepare[name] = v
		}
	}
	of := func(list []Task) (keys []string) {
		for i := range list {
			keys = append(keys, list[i].Key())
		}
		return keys
	}
	for from := 0; from < len(scans); from += scansATask {
		part := scans[from:min(from+scansATask, len(scans))]
		own := spec
		own.Scans = part
		if o.own() {
			own.Files = o.filesOf(part)
		} else {
			own.Example, own.DataSeed = cohortData, uint64(seed)
		}
		p.prepare = append(p.prepare, Task{Name: fmt.Sprintf("graphs of scans %d to %d", from+1, from+len(part)), Data: own, Preset: o.Preset, Options: maps.Clone(prepare), Measure: []Measure{{Kind: "scans"}}})
	}
	task := func(name, kind string, model int, options map[string]any, needs []string) Task {
		m := Measure{Kind: kind}
		return Task{Name: name, Data: DataSpec{Example: cohortData}, Preset: o.Preset, Options: maps.Clone(options), ModelSeed: uint64(model), EvalSeed: o.evalSeed(UsualSeeds.Eval, m), Measure: []Measure{m}, Needs: needs}
	}
	all := of(p.prepare)
	p.baselines = task("scores without embeddings", "baselines", 0, evaluation, all)
	for model := range o.Seeds {
		r := scanRun{shared: task(fmt.Sprintf("encoders of all scans, seed %d", model), "shared", model, training, all)}
		for i := range p.prepare {
			r.alone = append(r.alone, task(fmt.Sprintf("encoders of each scan, part %d, seed %d", i+1, model), "alone", model, training, all[i:i+1]))
		}
		r.sharedScores = task(fmt.Sprintf("scores, shared encoders, seed %d", model), "conditions", 0, evaluation, []string{r.shared.Key()})
		r.aloneScores = task(fmt.Sprintf("scores, own encoders, seed %d", model), "conditions", 0, evaluation, of(r.alone))
		p.runs = append(p.runs, r)
	}
	return p
}

// tasks returns all tasks, in the order in which they are best begun.
func (p *scanPlan) tasks() []Task {
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

// ofScans tells whether an option is one of how scans are drawn or made graphs of.
func ofScans(name string) bool {
	return connectome.HasSetting(name) || property.Has(&synth.CohortOptions{}, name)
}

// checkScans tells whether the scans among the files of an order will do for a study.
func (o *Order) checkScans(s *Study) error {
	there := map[string]bool{}
	for _, f := range o.Files {
		there[f.Name] = true
	}
	for _, scan := range o.Cohort {
		for _, name := range []string{scan.File, scan.Confounds} {
			if name != "" && !there[name] {
				return &connectome.Error{File: name, Where: fmt.Sprintf("subject %q, condition %q", scan.Subject, scan.Condition), Found: "no such file", Expected: "it among the files"}
			}
		}
	}
	return s.check(o.Cohort)
}

// own tells whether the order is about files.
func (o *Order) own() bool { return len(o.Files)+len(o.Sets) > 0 }

// filesOf returns the files of some scans, and those that belong to no scan and so to all.
func (o *Order) filesOf(scans []Scan) []FileSpec {
	listed, needed := map[string]bool{}, map[string]bool{}
	for _, s := range o.Cohort {
		listed[s.File], listed[s.Confounds] = true, true
	}
	for _, s := range scans {
		needed[s.File], needed[s.Confounds] = true, true
	}
	var files []FileSpec
	for _, f := range o.Files {
		if needed[f.Name] || !listed[f.Name] {
			files = append(files, f)
		}
	}
	return files
}

// subjects returns the settings of the synthetic cohort that an order asks for.
func (o *Order) subjects() *synth.CohortOptions {
	c := &synth.CohortOptions{}
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
