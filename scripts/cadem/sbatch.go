package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cadem.example/core/lab/study"
	"cadem.example/scripts/cadem/console"
)

const aboutSbatch = "Print a script that runs the plan in a folder on Slurm, an array of jobs for each stage: \"sh SCRIPT\" submits it. Memory and time come " +
	"from tasks that were measured, of the same stage where there are any; run one of them first, with \"cadem study run FOLDER -shard 0/1000\". A job that " +
	"is asked to end keeps where its training stands and is queued again; so is one whose node fails. Submitted again the script runs what is missing."

// Jobs of an array, unless the user says how many: as many as Slurm's usual MaxArraySize allows.
const mostJobs = 1000

// Margins on measured needs, as other nodes are slower and have other libraries.
const (
	timeFactor   = 3
	memoryFactor = 1.3
	leastMemory  = 128 << 20
	leastTime    = 10 * time.Minute
	unknownTime  = time.Hour // of a task, before one was measured
	noticeBefore = 60        // seconds between the signal to stop and the end
)

// A request holds the resources that a stage asks Slurm for.
type request struct {
	jobs      int
	tasks     int // of a job, at most
	megabytes int
	minutes   int
	basis     string
}

// studySbatch prints a script for Slurm.
func (p *program) studySbatch(args []string) error {
	f := p.flags("study sbatch", "FOLDER", aboutSbatch)
	jobs := f.Int("jobs", mostJobs, "jobs of an array at most, `N`")
	cores := f.Int("cores", 1, "processors of a job, `N`; as many tasks run at once")
	dir, err := f.folder(args)
	if err != nil {
		return err
	}
	for name, n := range map[string]int{"jobs": *jobs, "cores": *cores} {
		if err := f.atLeastOne(name, n); err != nil {
			return err
		}
	}
	l, err := readPlan(dir)
	if err != nil {
		return err
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(whole, "log"), 0o777); err != nil {
		return err
	}
	times := l.times()
	var stages []request
	for k := range l.stages() {
		stages = append(stages, l.request(k, times, *jobs, *cores))
	}
	_, err = fmt.Fprint(p.stdout, script(l.Order.Study, program, whole, *cores, stages))
	return err
}

// request finds out what a stage takes: from its own tasks that were measured, or from all.
func (l *plan) request(stage int, times map[string]measured, jobs, cores int) request {
	of := l.stage(stage)
	r := request{jobs: min(jobs, len(of))}
	r.tasks = (len(of) + r.jobs - 1) / r.jobs
	longest, bytes, n := 0.0, 0.0, 0
	estimate := 0.0
	take := func(i int) {
		t := l.Tasks[i]
		estimate = max(estimate, float64(t.Bytes))
		if m, ok := times[t.Key]; ok {
			longest, bytes = max(longest, m.Seconds), max(bytes, float64(m.Bytes)/float64(max(m.Workers, 1)))
			n++
		}
	}
	for _, i := range of {
		take(i)
	}
	r.basis = fmt.Sprintf("%s of it measured", study.Plural(n, "task"))
	if n == 0 {
		for i := range l.Tasks {
			take(i)
		}
		r.basis = fmt.Sprintf("none of its tasks measured, %d of others", n)
	}
	span := timeFactor * longest * math.Ceil(float64(r.tasks)/float64(cores))
	if n == 0 {
		span, bytes = unknownTime.Seconds()*float64(r.tasks), estimate
	} else {
		r.basis += fmt.Sprintf(", the longest %s", console.Duration(time.Duration(longest*float64(time.Second))))
	}
	const grain = 5 // minutes
	r.minutes = grain * int(math.Ceil(max(span+2*noticeBefore, leastTime.Seconds())/60/grain))
	r.megabytes = int(math.Ceil(max(memoryFactor*bytes*float64(cores), leastMemory)/(1<<20)/16)) * 16
	return r
}

// flags returns the flags of sbatch.
func (r *request) flags() string {
	return fmt.Sprintf("--array=0-%d --mem=%dM --time=%d:%02d:00", r.jobs-1, r.megabytes, r.minutes/60, r.minutes%60)
}

// script writes the script. Without a job around it, it submits itself once for each stage, one after
// the other; in a job it runs a part of one.
func script(name, program, dir string, cores int, stages []request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\n# %s, by cadem study sbatch. \"sh\" and the name of this file submit it.\n", name)
	fmt.Fprintf(&b, "#SBATCH --job-name=cadem-%s --ntasks=1 --cpus-per-task=%d --requeue --open-mode=append\n", name, cores)
	fmt.Fprintf(&b, "#SBATCH --signal=B:TERM@%d\n", noticeBefore)
	fmt.Fprintf(&b, "#SBATCH --output=%s\n", quoted(dir+"/log/%x-%A_%a.txt"))
	fmt.Fprintf(&b, "set -u\nif [ -z \"${SLURM_ARRAY_TASK_ID:-}\" ]; then\n\tafter=\n")
	for k := range stages {
		r := &stages[k]
		fmt.Fprintf(&b, "\t# stage %d: %s of at most %s; %s\n", k, study.Plural(r.jobs, "job"), study.Plural(r.tasks, "task"), r.basis)
		fmt.Fprintf(&b, "\tjob=$(sbatch --parsable $after --export=ALL,CADEM_STAGE=%d %s \"$@\" \"$0\") || exit\n", k, r.flags())
		fmt.Fprintf(&b, "\techo \"stage %d: job $job\"\n\tafter=--dependency=afterok:${job%%%%;*}\n", k)
	}
	fmt.Fprintf(&b, "\texit\nfi\nexport GOMAXPROCS=\"${SLURM_CPUS_PER_TASK:-%d}\"\n", cores)
	fmt.Fprintf(&b, "%s study run %s -stage \"$CADEM_STAGE\" &\nchild=$!\n", quoted(program), quoted(dir))
	b.WriteString("trap 'kill -TERM $child' TERM\ncode=143\n")
	b.WriteString("while [ $code -eq 143 ]; do # a signal ends the wait, not the program\n\twait $child\n\tcode=$?\ndone\n")
	b.WriteString("if [ $code -eq 75 ]; then # it goes on\n\tscontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\nfi\nexit $code\n")
	return b.String()
}
