package main

import (
	"fmt"
	"slices"

	"cadem.example/core/lab/study"
	"cadem.example/scripts/cadem/console"
)

const aboutMerge = "Make the report of the plan in a folder from the results that are there. What is missing is named on standard error; then the " +
	"report is of the rest, and the command ends with 1. The page opens what -json prints, and goes on with what is missing."

// studyMerge makes the report of a plan.
func (p *program) studyMerge(args []string) error {
	f := p.flags("study merge", "FOLDER", aboutMerge)
	asJSON := f.Bool("json", false, "print one JSON object")
	out := f.String("out", "", reportFlag)
	dir, err := f.folder(args)
	if err != nil {
		return err
	}
	if err := p.writesReport(*out); err != nil {
		return err
	}
	progress := p.begin("reading")
	defer progress.End()
	l, kept, err := p.openPlan(dir, progress)
	if err != nil {
		return err
	}
	w := &reporting{order: l.Order, results: study.Results{}, out: *out, json: *asJSON, made: l.Made}
	left := map[string]bool{} // what missing tasks need
	for i := len(l.Tasks) - 1; i >= 0; i-- {
		t := &l.Tasks[i]
		r := kept.find(t.Key)
		if r == nil {
			w.missing = append(w.missing, t.Name)
			for _, key := range l.tasks[i].Needs {
				left[key] = true
			}
			continue
		}
		part := l.tasks[i].Reported(r)
		w.results[t.Key] = part
		switch {
		case !*asJSON:
		case part == r || left[t.Key]: // tasks that need others come after them
			w.merged = append(w.merged, r)
		default:
			part.Part = true
			w.merged = append(w.merged, part)
		}
	}
	slices.Reverse(w.missing)
	slices.Reverse(w.merged)
	times := l.times()
	for _, m := range times {
		w.seconds += m.Seconds
	}
	progress.End()
	for _, text := range l.clocks(times) {
		fmt.Fprintln(p.stderr, console.Fill(text+": times are each machine's own, and no result depends on them", "  "))
	}
	if err := p.writeReports(w); err != nil || len(w.missing) == 0 {
		return err
	}
	for _, name := range w.missing {
		fmt.Fprintf(p.stderr, "missing: %s\n", name)
	}
	fmt.Fprintf(p.stderr, "%d of %s missing. To run them:\n  cadem study run %s\n", len(w.missing), study.Plural(len(l.Tasks), "task"), quoted(dir))
	return errReported
}
