package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"cadem/core/study"
	"cadem/core/study/experiments"
	"cadem/core/study/measure"
)

// cohortSizes are subjects of the synthetic cohort, and partSizes those for which the parts of the experiment are timed.
var (
	cohortSizes = []int{250, 500, 1000, 2000}
	partSizes   = []int{250, 1000}
)

// mostCohort is what memory table5 may take at the largest of them, in MB.
const mostCohort = 1000

// A cohortFit tells how an experiment on a cohort grows with its subjects.
type cohortFit struct {
	Subjects []float64 `json:"subjects"`
	Seconds  []float64 `json:"processor_seconds"`
	MB       []float64 `json:"resident_mb"`
	Time     float64   `json:"time_exponent"`

	PartSubjects []float64    `json:"part_subjects"`
	Parts        []cohortPart `json:"parts"`
}

// A cohortPart is what tasks of one kind take together.
type cohortPart struct {
	Name    string    `json:"name"`
	Seconds []float64 `json:"processor_seconds"` // of every number of subjects
	Time    float64   `json:"time_exponent"`
}

// cohort runs table5 on synthetic cohorts that grow, each in a process of its own. Processor time, not the clock, is
// what a machine with other things to do leaves comparable.
func (b *bench) cohort() error {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder at worst
	cadem, err := b.commandLine(dir)
	if err != nil {
		return err
	}
	f := &cohortFit{}
	for _, n := range cohortSizes {
		b.say("table5 of %d subjects", n)
		c := b.command(cadem, "study", "table5", "-methods", "cadem", "-set", "subjects="+strconv.Itoa(n), "-json")
		if err := c.Run(); err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
		used, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			return fmt.Errorf("%s: this system does not tell how much memory a process took", c)
		}
		seconds := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		f.Subjects, f.Seconds = append(f.Subjects, float64(n)), append(f.Seconds, round(seconds.Seconds()))
		f.MB = append(f.MB, round(float64(used.Maxrss)*1024/1e6))
	}
	f.Time = round(exponent(f.Subjects, f.Seconds))
	b.full.Cohort = f
	for _, n := range partSizes {
		b.say("parts of table5 of %d subjects", n)
		if err := f.addParts(n); err != nil {
			return err
		}
	}
	for i := range f.Parts {
		p := &f.Parts[i]
		p.Time = round(exponent(f.PartSubjects, p.Seconds))
	}
	return nil
}

// addParts runs table5 in this process, one task after the other, and adds up what the tasks of each kind take.
func (f *cohortFit) addParts(subjects int) error {
	tasks, err := experiments.All().Plan(study.Order{Study: "table5", Options: map[string]any{"subjects": subjects}, Methods: "cadem"})
	if err != nil {
		return err
	}
	last, at := processorSeconds(), len(f.PartSubjects)
	s := &study.Scheduler{Workers: 1, Finished: func(r *measure.Result, _ float64) error {
		now := processorSeconds()
		name := kindOfTask(r.Name)
		i := slices.IndexFunc(f.Parts, func(p cohortPart) bool { return p.Name == name })
		if i < 0 {
			i = len(f.Parts)
			f.Parts = append(f.Parts, cohortPart{Name: name, Seconds: make([]float64, len(partSizes))})
		}
		f.Parts[i].Seconds[at] += now - last
		last = now
		return nil
	}}
	f.PartSubjects = append(f.PartSubjects, float64(subjects))
	_, err = s.Run(tasks)
	return err
}

// kindOfTask is what the name of a task says before the first number.
func kindOfTask(name string) string {
	name, _, _ = strings.Cut(name, ", part ")
	name, _, _ = strings.Cut(name, ", seed ")
	return strings.TrimRight(name, "0123456789 to")
}

func (b *bench) writeCohort(w io.Writer) {
	f := b.full.Cohort
	writef(w, "\n| subjects | scans | s of processors | ms a scan | MB resident |\n|---:|---:|---:|---:|---:|\n")
	for i, n := range f.Subjects {
		writef(w, "| %.0f | %.0f | %g | %.0f | %.0f |\n", n, 3*n, f.Seconds[i], 1000*f.Seconds[i]/(3*n), f.MB[i])
	}
	writef(w, "\nThe parts, in a process of their own, one task after the other:\n")
	head, rule := "\n| part, ms a scan |", "|---|"
	for _, n := range f.PartSubjects {
		head, rule = head+fmt.Sprintf(" %.0f subjects |", n), rule+"---:|"
	}
	writef(w, "%s exponent |\n%s---:|\n", head, rule)
	for _, p := range f.Parts {
		writef(w, "| %s |", p.Name)
		for i, n := range f.PartSubjects {
			writef(w, " %.2f |", 1000*p.Seconds[i]/(3*n))
		}
		writef(w, " %g |\n", p.Time)
	}
}

// processorSeconds is what this process has taken of the processors.
func processorSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // of this process
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}
