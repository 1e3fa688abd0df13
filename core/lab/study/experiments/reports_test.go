package experiments

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/property"
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/synth/examples"
	"cadem.example/core/train"
)

// briefly returns the options under which a study is over in a moment.
func briefly(name string) map[string]any {
	o := map[string]any{"epochs": 1}
	switch name {
	case "gamma", "induction", "faithful":
		o["nodes"] = 60
	case "evidence":
		return map[string]any{"permutations": 19, "epochs": 1}
	case "table3":
		o["nodes"], o["label_radius"], o["centres"] = 60, 1, 1
	case "table4":
		o["eval_epochs"] = 2
	case "table5":
		o["subjects"], o["regions"], o["frames"] = 4, 60, 300
	case "identify":
		o["subjects"], o["regions"] = 4, 60
	case "regions":
		o["subjects"], o["regions"] = 2, 60
	}
	return o
}

// planned plans and runs a study, with data of a reader's own where it needs some.
func planned(t *testing.T, s study.Study, o study.Order) (study.Order, []study.Task, study.Results) {
	t.Helper()
	var files *run.Files
	if o.Example == "" {
		files = invented(t, s.Needs, &o)
	}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	results, err := (&study.Scheduler{Files: files}).Run(tasks)
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	return o, tasks, results
}

// A ran study is one with its order, its tasks, and their results.
type ran struct {
	study.Order
	tasks   []study.Task
	results study.Results
}

var ranBriefly = map[string]ran{}

// inBrief runs a study that is over in a moment, once for all tests.
func inBrief(t *testing.T, s study.Study) ran {
	t.Helper()
	if r, ok := ranBriefly[s.Name]; ok {
		return r
	}
	o := study.Order{Study: s.Name, Seeds: 1, DataSeeds: 1, Options: briefly(s.Name)}
	invented(t, s.Needs, &o)
	o.Options = tinyFor(o)
	var r ran
	r.Order, r.tasks, r.results = planned(t, s, o)
	ranBriefly[s.Name] = r
	return r
}

// Results of brief tasks are in found.txt. Keys of stored results depend on them: a result of another program is not reused. After
// a change of results, put the new hashes there, after the last ones in their lines.
func TestFound(t *testing.T) {
	now := map[string]string{}
	put := func(part string, found ...*measure.Result) {
		if now[part] != "" || len(found) == 0 {
			return // the first task with a part tells of it, so a new experiment changes no key
		}
		now[part] = hashOf(t, part, found)
	}
	all := func(tasks []study.Task, results study.Results) {
		for i := range tasks {
			for _, part := range tasks[i].Parts() {
				if !strings.HasPrefix(part, "option ") { // they have tasks of their own
					put(part, results[tasks[i].Key()])
				}
			}
		}
	}
	const late = "evidence" // came last, and tells of no part that another does
	later := []string{layerPosterior.Name, counterexample.Name, threeSentences.Name, trainingLength.Name, induction.Name, faithful.Name}
	for _, s := range All() {
		if s.Name != late && !s.Apart && !slices.Contains(later, s.Name) { // another experiment reports every part of a board
			r := inBrief(t, s)
			all(slices.DeleteFunc(slices.Clone(r.tasks), func(t study.Task) bool { return t.Kind() == study.TrainMethod }), r.results) // they have orders below
		}
	}
	last := inBrief(t, *All().Lookup(late))
	all(last.tasks, last.results)
	of := func(study string, o study.Order) {
		o.Study, o.Seeds, o.DataSeeds = study, 1, 1
		_, tasks, results := planned(t, *All().Lookup(study), o)
		all(tasks, results)
	}
	short := map[string]any{"epochs": 1, "eval_epochs": 1, "hidden": 8}
	const brief = "closed,vgae,dgi,mvgrl-graph,graphmae,graph2vec,random,random-64,pca,pca-unit,features" // the others take long here
	of("collection", study.Order{Methods: brief, Level: train.Lite, Options: short})
	short["nodes"] = 40
	of("table6", study.Order{Example: "town", Methods: "all", Level: train.Lite, Options: short})
	of("table6", study.Order{Example: "town", Preset: "all", Options: short})
	for _, name := range later {
		r := inBrief(t, *All().Lookup(name))
		all(r.tasks, r.results)
	}

	trained := func(example string, measured measure.Kind, others map[string]any) []*measure.Result {
		task := study.Task{Data: run.DataSpec{Example: example, Options: shrunk(example)}, Preset: cadem.Presets[0], Measure: []measure.Spec{{Kind: measured}},
			Options: map[string]any{"epochs": 2, "inner_steps": 1, "hidden": 8}}
		maps.Copy(task.Options, others)
		r, err := task.Run(nil, nil)
		if err != nil {
			return nil // the value does not go with what else is set
		}
		return []*measure.Result{r}
	}
	for _, name := range examples.Names() {
		put("data "+name, trained(name, measure.Losses, nil)...)
	}
	s := run.Settings{}
	for _, p := range slices.Concat(property.Table(s.CaDeM()), property.Table(&s.Evaluation)) {
		var found []*measure.Result
		scored := map[string]any{"eval_epochs": 2, "kmeans_runs": 2}
		if p.Name == "nested_select" { // a hundred trainings in each fold
			scored["folds"] = 2
		}
		for _, value := range others(&p) {
			scored[p.Name] = value
			found = append(found, trained("social", measure.Scores, scored)...)
		}
		put("option "+p.Name, found...)
	}

	foundBefore(t, now)
}

// hashOf is a hash of what tasks with a part find.
func hashOf(t *testing.T, part string, found []*measure.Result) string {
	t.Helper()
	h := fnv.New64a()
	for _, r := range found {
		bare := *r
		bare.Key, bare.Scores = "", slices.Clone(r.Scores)
		for i := range bare.Scores {
			if s := &bare.Scores[i]; s.Embedding != run.Combined && part != "reader fitted" {
				s.Fitted = nil // which that part tells
			}
		}
		if err := json.NewEncoder(h).Encode(bare); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// shrunk are options that make a large example a small one.
func shrunk(name string) map[string]any {
	if e, err := examples.Lookup(name); err != nil || !e.Large {
		return nil
	}
	return map[string]any{"nodes": 100}
}

// foundBefore compares the present results of parts of tasks with found.txt.
func foundBefore(t *testing.T, now map[string]string) {
	t.Helper()
	then := map[string]string{}
	text, err := os.ReadFile("../found.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		then[strings.Join(words[:len(words)-2], " ")] = words[len(words)-1]
	}
	var lines strings.Builder
	for _, part := range slices.Sorted(maps.Keys(now)) {
		fmt.Fprintf(&lines, "%s %s %s\n", part, now[part], cmp.Or(then[part], "-"))
	}
	if lines.String() != string(text) {
		t.Errorf("core/lab/study/found.txt differs from what is found. Replace it by\n%s", lines.String())
	}
}

// others returns values of an option that differ from its default.
func others(p *property.Property) []any {
	switch d := p.Default.(type) {
	case int:
		if d == 2 {
			return []any{4}
		}
		return []any{2} // of epochs, above all, not many more
	case float64:
		return []any{d/2 + 0.1}
	}
	var list []any
	for _, c := range p.Choices {
		list = append(list, strings.ReplaceAll(c, "#", "2"))
	}
	return list
}

// Every study makes a report of nothing, of all there is, and of what was there when it was
// stopped, and lists in it are lists, if they are empty.
func TestReportsOfWhatThereIs(t *testing.T) {
	for _, s := range All() {
		if s.Apart {
			continue
		}
		r := inBrief(t, s)
		o, tasks, results := r.Order, r.tasks, r.results
		look := func(when string, some study.Results) {
			reports, err := All().Assemble(o, some)
			if err != nil || len(reports) != 1 {
				t.Fatalf("%s, %s: %d reports, %v", s.Name, when, len(reports), err)
			}
			r := reports[0]
			if r.Missing != len(tasks)-len(some) {
				t.Errorf("%s, %s: %d of %d tasks are missing, the report says %d", s.Name, when, len(tasks)-len(some), len(tasks), r.Missing)
			}
			if r.Findings == nil || r.Rows == nil || r.Charts == nil || r.Sheets == nil {
				t.Errorf("%s, %s: a list of the report is nil, which JSON calls null", s.Name, when)
			}
			lines := r.Lines(3)
			if lines == nil || len(lines) > 0 != (len(r.Rows) > 0) || slices.ContainsFunc(lines, func(line []string) bool { return line == nil }) {
				t.Errorf("%s, %s: lines %q of %d rows", s.Name, when, lines, len(r.Rows))
			}
			study.HTML(reports, "")
			study.CSV(reports)
		}
		look("before anything is run", study.Results{})
		look("after all", results)
		some := study.Results{}
		for i, task := range tasks {
			some[task.Key()] = results[task.Key()]
			if i < 3 || i == len(tasks)-2 {
				look("stopped", maps.Clone(some))
			}
		}
	}
}
