package experiments

import (
	"maps"
	"slices"
	"testing"

	"cadem/core/study"
)

// briefly returns the options under which a study is over in a moment.
func briefly(name string) map[string]any {
	o := map[string]any{"epochs": 1}
	switch name {
	case "gamma":
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

// Every study makes a report of nothing, of all there is, and of what was there when it was
// stopped, and lists in it are lists, if they are empty.
func TestReportsOfWhatThereIs(t *testing.T) {
	for _, s := range All() {
		o := study.Order{Study: s.Name, Seeds: 1, DataSeeds: 1, Options: briefly(s.Name)}
		files := invented(t, s.Needs, &o)
		tasks, err := All().Plan(o)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		results, err := (&study.Scheduler{Files: files}).Run(tasks)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
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
