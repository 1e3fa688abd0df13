package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"cadem.example/core/base/diag"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/scripts/cadem/console"
)

const aboutRun = "Run what is missing of the plan in a folder: all of it, or one part of several. A part is named by -shard, or in an array of jobs by " +
	"SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_MIN and SLURM_ARRAY_TASK_COUNT. Parts may run at once on any machines that see the folder, and may run " +
	"again: what is there is not computed again, and no part waits for another one.\n\n" +
	"Interrupted by Ctrl-C or SIGTERM it keeps where trainings stand and ends with 75; the same command goes on from there. It ends with 1 where a task " +
	"failed, or needs another one that is not done."

// studyRun runs a part of a plan.
func (p *program) studyRun(args []string) error {
	f := p.flags("study run", "FOLDER", aboutRun)
	part := f.String("shard", "", "part `I/N` of the tasks, with I from 0 to N-1")
	stage := f.Int("stage", -1, "the tasks of stage `K` alone; those of stage 0 need no others")
	workers := f.Int("workers", 0, "tasks at once, `N`; by default one for each processor")
	dir, err := f.folder(args)
	if err != nil {
		return err
	}
	if err := f.atLeastOne("workers", *workers); err != nil {
		return err
	}
	s, err := shardOf(*part, os.Getenv)
	if err != nil {
		return err
	}
	progress := p.begin("reading")
	defer progress.End()
	l, kept, err := p.openPlan(dir, progress)
	if err != nil {
		return err
	}
	if n := l.stages(); len(f.given("stage")) > 0 && (*stage < 0 || *stage >= n) {
		return diag.Option("-stage", fmt.Sprint(*stage), fmt.Sprintf("a number from 0 to %d", n-1))
	}
	r := &shardRun{plan: l, kept: kept, workers: cmp.Or(*workers, runtime.GOMAXPROCS(0))}
	r.choose(s, *stage)
	return p.runShard(r, progress)
}

// folder parses the arguments of a command on the folder of a plan.
func (f *flags) folder(args []string) (string, error) {
	rest, err := f.parse(args)
	if err != nil {
		return "", err
	}
	if len(rest) != 1 {
		return "", misuse("%s: found %d arguments, expected the folder of a plan", f.Name(), len(rest))
	}
	return rest[0], nil
}

// openPlan opens the folder of a plan.
func (p *program) openPlan(dir string, progress *console.Progress) (*plan, *resultFolder, error) {
	l, err := readPlan(dir)
	if err != nil {
		return nil, nil, err
	}
	kept := &resultFolder{p: p, dir: dir, flag: "FOLDER", say: progress.Say}
	return l, kept, errors.Join(l.known(p), kept.open())
}

// A shard is one of a number of parts.
type shard struct{ index, of int }

// shardOf reads what -shard says, or else what Slurm sets for the jobs of an array; without either it is
// all.
func shardOf(text string, env func(string) string) (shard, error) {
	id, count := env("SLURM_ARRAY_TASK_ID"), env("SLURM_ARRAY_TASK_COUNT")
	if text == "" && id == "" {
		return shard{0, 1}, nil
	}
	where, found, least := "-shard", text, 0
	if text == "" {
		where, found = "SLURM_ARRAY_TASK_ID", fmt.Sprintf("%s of %s jobs", id, count)
		text = id + "/" + count
		least, _ = strconv.Atoi(env("SLURM_ARRAY_TASK_MIN"))
	}
	a, b, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	if err != nil || err2 != nil || n < 1 {
		return shard{}, diag.Option(where, found, "I/N: part I, from 0 on, of N")
	}
	if i -= least; i < 0 || i >= n {
		return shard{}, diag.Option(where, found, fmt.Sprintf("a part from %d to %d", least, least+n-1))
	}
	return shard{i, n}, nil
}

// A shardRun is the share of one process in a plan.
type shardRun struct {
	*plan
	kept    *resultFolder
	workers int

	todo    []study.Task
	there   int      // of its tasks, before
	waiting []string // names of tasks that need others that are not done
}

// choose finds out what is missing of a shard and can be run.
func (r *shardRun) choose(s shard, stage int) {
	at := make([]int, r.stages()) // position within the stage
	in := map[string]bool{}       // of todo, or done
	for i, t := range r.Tasks {
		k := at[t.Stage]
		at[t.Stage]++
		if k%s.of != s.index || stage >= 0 && t.Stage != stage {
			continue
		}
		if r.kept.find(t.Key) != nil {
			r.there++
			continue
		}
		for _, key := range r.tasks[i].Needs {
			in[key] = in[key] || r.kept.find(key) != nil
		}
		if slices.ContainsFunc(r.tasks[i].Needs, func(key string) bool { return !in[key] }) {
			r.waiting = append(r.waiting, t.Name)
			continue
		}
		r.todo, in[t.Key] = append(r.todo, r.tasks[i]), true
	}
}

// errAgain ends the command with exit code 75, EX_TEMPFAIL: the same command goes on.
var errAgain = errors.New("again")

// runShard runs what was chosen.
func (p *program) runShard(r *shardRun, progress *console.Progress) error {
	var failed []error
	var done atomic.Int64
	head := func() string {
		return fmt.Sprintf("%s: %d of %s done, %d were there", r.Order.Study, done.Load(),
			study.Plural(len(r.todo), "missing task"), r.there)
	}
	again := func() error {
		fmt.Fprintf(p.stderr, "interrupted: %s; the same command goes on\n", head())
		return errAgain
	}
	p.rescues(again)
	s := &study.Scheduler{Workers: r.workers, Lean: true, Files: r.contents(), Left: r.kept.left, Leave: r.kept.leave,
		Failed: func(_ *study.Task, err error) error {
			failed = append(failed, err)
			progress.Say("%v", err)
			return nil
		}}
	_, err := p.runTasks(s, r.todo, r.Order.Study, r.kept, progress, func(t *measure.Result, took float64) error {
		if err := r.kept.write(t); err != nil { // to go on would be of no use
			return fmt.Errorf("%s: its result cannot be kept: %w; the results before it are", t.Name, err)
		}
		done.Add(1)
		r.kept.drop(t.Key)
		return r.kept.time(t.Key, took, r.workers)
	})
	p.over()
	if errors.Is(err, errInterrupted) {
		return again()
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(p.stderr, head())
	if len(failed) > 0 {
		return fmt.Errorf("%s failed; the first: %w", study.Plural(len(failed), "task"), failed[0])
	}
	if n := len(r.waiting); n > 0 {
		return fmt.Errorf("%s not run, such as %q: what they need is not done; run again when it is", study.Plural(n, "task"), r.waiting[0])
	}
	return nil
}

// A measured task is how long one took, and how much memory its process had by then.
type measured struct {
	Seconds float64   `json:"seconds"`
	Bytes   uint64    `json:"bytes"`   // of the whole process
	Workers int       `json:"workers"` // tasks at once in it
	Host    string    `json:"host"`
	Ended   time.Time `json:"ended"` // by the clock of the host
}

// time keeps how long a task took. No result depends on it.
func (c *resultFolder) time(key string, seconds float64, workers int) error {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	host, _ := os.Hostname() // for people
	return c.put(key+tookEnding, &measured{seconds, m.Sys, workers, host, time.Now().UTC()})
}

// times returns how long those tasks of the plan took that were measured, by their keys.
func (l *plan) times() map[string]measured {
	found := map[string]measured{}
	for _, t := range l.Tasks {
		var m measured
		if readJSON(filepath.Join(l.dir, t.Key+tookEnding), &m) == nil && m.Seconds > 0 {
			found[t.Key] = m
		}
	}
	return found
}

// apart is the largest difference of clocks that goes unreported.
const apart = time.Minute

// clocks names the machines whose clock is not that of the file system: times in the report are their
// own, and nothing else depends on them.
func (l *plan) clocks(times map[string]measured) []string {
	var hosts []string
	for _, t := range l.Tasks {
		m, ok := times[t.Key]
		info, err := os.Stat(filepath.Join(l.dir, t.Key+tookEnding))
		if !ok || err != nil {
			continue
		}
		d := m.Ended.Sub(info.ModTime())
		text := fmt.Sprintf("the clock of %s is %s ahead of that of the file system", m.Host, console.Duration(d.Abs()))
		if d < 0 {
			text = strings.Replace(text, "ahead of", "behind", 1)
		}
		if d.Abs() > apart && !slices.ContainsFunc(hosts, func(s string) bool { return strings.Contains(s, "of "+m.Host+" is") }) {
			hosts = append(hosts, text)
		}
	}
	return hosts
}
