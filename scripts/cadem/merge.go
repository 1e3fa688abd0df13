package main

import (
	"fmt"

	"cadem/core/study"
	"cadem/scripts/cadem/console"
)

const aboutMerge = "Make the report of the plan in a folder from the results that are there. What is missing is named on standard error; then the " +
	"report is of the rest, and the command ends with 1."

// studyMerge makes the report of a plan.
func (p *program) studyMerge(args []string) error {
	f := p.flags("study merge", "FOLDER", aboutMerge)
	asJSON := f.Bool("json", false, "print one JSON object")
	out := f.String("out", "", "write the report to `FILE`.html")
	dir, err := f.folder(args)
	if err != nil {
		return err
	}
	if err := checkReport(*out); err != nil {
		return err
	}
	progress := console.NewProgress(p.stderr)
	defer progress.End()
	progress.Begin("reading")
	l, err := readPlan(dir)
	if err != nil {
		return err
	}
	kept := &cabinet{p: p, dir: dir, say: progress.Say}
	w := &reporting{order: l.Order, results: study.Results{}, out: *out, json: *asJSON, made: l.Made}
	for i, t := range l.Tasks {
		if r := kept.find(t.Key); r != nil {
			w.results[t.Key] = l.tasks[i].Reported(r)
		} else {
			w.missing = append(w.missing, t.Name)
		}
	}
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
