package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/lab/study"
)

// planVersion changes when a plan is written in another way.
const planVersion = 1

// planFile is in the folder of a plan, beside the results of its tasks, which are those of -cache.
const planFile = "plan.json"

// A plan is an order with its tasks, to be run in parts.
type plan struct {
	Version int          `json:"plan"`
	Made    string       `json:"made"` // the command that made it
	Order   *study.Order `json:"order"`
	library
	Tasks []plannedTask `json:"tasks"`

	dir   string
	tasks []study.Task
}

// A plannedTask is one of a plan by its key. Those of a stage need none but those of stages before.
type plannedTask struct {
	Key   string `json:"key"`
	Name  string `json:"name"`
	Stage int    `json:"stage"`
	Bytes int64  `json:"bytes"` // estimated need; 0: unknown beforehand
}

// newPlan plans an order.
func newPlan(dir, made string, o *study.Order, files *library) (*plan, error) {
	if err := o.Foreseen(); err != nil {
		return nil, err
	}
	tasks, err := studies().Plan(*o)
	if err != nil {
		return nil, err
	}
	l := &plan{Version: planVersion, Made: made, Order: o, dir: dir, tasks: tasks}
	if files != nil {
		l.library = *files
	}
	stages := map[string]int{}
	for i := range tasks {
		t := plannedTask{Key: tasks[i].Key(), Name: tasks[i].Name}
		for _, key := range tasks[i].Needs {
			t.Stage = max(t.Stage, stages[key]+1)
		}
		if t.Stage == 0 {
			t.Bytes = tasks[i].Bytes()
		}
		stages[t.Key] = t.Stage
		l.Tasks = append(l.Tasks, t)
	}
	return l, nil
}

// stages returns the number of stages.
func (l *plan) stages() int {
	n := 0
	for _, t := range l.Tasks {
		n = max(n, t.Stage+1)
	}
	return n
}

// stage returns the positions of the tasks of one.
func (l *plan) stage(k int) []int {
	var list []int
	for i, t := range l.Tasks {
		if t.Stage == k {
			list = append(list, i)
		}
	}
	return list
}

// readPlan reads the plan of a folder, whose tasks have to be those that this program would run.
func readPlan(dir string) (*plan, error) {
	l, err := storedPlan(dir)
	if err != nil {
		return nil, err
	}
	now, err := newPlan(dir, l.Made, l.Order, &l.library)
	bad := func(found string) error {
		return &diag.Error{File: filepath.Join(dir, planFile), Where: "tasks", Found: found,
			Expected: "the version of cadem that made the plan, or a plan that this one makes in another folder; the results here stay"}
	}
	if err != nil {
		return nil, bad(fmt.Sprintf("an order that this version refuses (%v)", err))
	}
	if len(now.Tasks) != len(l.Tasks) {
		return nil, bad(fmt.Sprintf("%d tasks, where this version of cadem has %d", len(l.Tasks), len(now.Tasks)))
	}
	for i := range l.Tasks {
		if l.Tasks[i].Key != now.Tasks[i].Key {
			return nil, bad(fmt.Sprintf("%q with the key %s, where this version of cadem has %s", l.Tasks[i].Name, l.Tasks[i].Key, now.Tasks[i].Key))
		}
	}
	return now, nil
}

// storedPlan reads a plan. If there is none the error is an [fs.ErrNotExist].
func storedPlan(dir string) (*plan, error) {
	name := filepath.Join(dir, planFile)
	data, err := readFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noPlan{&diag.Error{File: name, Found: "no plan", Expected: "the folder of one: cadem study plan NAME -dir " + quoted(dir)}}
	}
	if err != nil {
		return nil, err
	}
	l := &plan{dir: dir}
	if err := json.Unmarshal(data, l); err != nil || l.Order == nil {
		return nil, &diag.Error{File: name, Found: "a file that is cut off or holds something else",
			Expected: "a plan: remove it and make it again with the same \"cadem study plan\"; results in the folder stay and are used"}
	}
	if l.Version != planVersion {
		return nil, &diag.Error{File: name, Where: "plan", Found: fmt.Sprintf("version %d", l.Version),
			Expected: fmt.Sprintf("version %d; the version of cadem that made the plan reads it", planVersion)}
	}
	return l, nil
}

// noPlan is the error of a folder without a plan.
type noPlan struct{ error }

func (noPlan) Is(target error) bool { return target == fs.ErrNotExist }

// write writes a plan, unless the folder has that of another order.
func (l *plan) write(p *program) error {
	old, err := storedPlan(l.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if old != nil {
		before, err := json.Marshal(old.Order)
		if err != nil {
			return err
		}
		if now, err := json.Marshal(l.Order); err != nil || !bytes.Equal(before, now) {
			return errors.Join(err, diag.Option("-dir", fmt.Sprintf("%s, which has the plan of another order (%s)", l.dir, old.Made), "a folder for each plan"))
		}
	}
	text, err := json.MarshalIndent(l, "", " ")
	if err != nil {
		return err
	}
	return p.write("-dir", filepath.Join(l.dir, planFile), append(text, '\n'))
}

const aboutPlan = "Write the tasks of an experiment, with their keys, to a folder that every machine can read. \"cadem study run\" runs them, " +
	"in parts if need be, \"cadem study merge\" makes the report, and " +
	"\"cadem study sbatch\" prints a script for Slurm. NAME and the flags are those of \"cadem study\"."

// studyPlan writes the tasks of an order to a folder.
func (p *program) studyPlan(args []string) error {
	f := p.flags("study plan", "NAME", aboutPlan)
	ordered := orderFlags(f)
	dir := f.String("dir", "", "the `FOLDER` of the plan and of its results")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if *dir == "" {
		return misuse("study plan: found no -dir, expected the folder for the plan")
	}
	progress := p.begin("reading")
	defer progress.End()
	o, files, err := ordered.read(rest, progress.Say)
	if err != nil {
		return err
	}
	l, err := newPlan(*dir, "cadem study plan "+joined(args), o, files)
	if err != nil {
		return err
	}
	if err := (&resultFolder{p: p, dir: *dir, flag: "-dir"}).open(); err != nil {
		return err
	}
	if err := l.write(p); err != nil {
		return err
	}
	progress.End()
	stages := ""
	if n := l.stages(); n > 1 {
		stages = fmt.Sprintf(" in %d stages", n)
	}
	_, err = fmt.Fprintf(p.stdout, "%s%s in %s. To run them, on one machine or as an array of jobs:\n"+
		"  cadem study run %s\n  cadem study sbatch %s > %s.sh && sh %s.sh\n",
		study.Plural(len(l.Tasks), "task"), stages, filepath.Join(*dir, planFile), quoted(*dir), quoted(*dir), quoted(o.Study), quoted(o.Study))
	return err
}

// joined writes words for a shell.
func joined(words []string) string {
	var list []string
	for _, w := range words {
		list = append(list, quoted(w))
	}
	return strings.Join(list, " ")
}
