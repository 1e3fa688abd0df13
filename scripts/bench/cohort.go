package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
)

// cohortSizes are subjects of the synthetic cohort.
var cohortSizes = []int{250, 500, 1000, 2000}

// mostCohort is what memory table5 may take at the largest of them, in MB.
const mostCohort = 1000

// A cohortFit tells how an experiment on a cohort grows with its subjects.
type cohortFit struct {
	Subjects []float64 `json:"subjects"`
	Seconds  []float64 `json:"processor_seconds"`
	MB       []float64 `json:"resident_mb"`
	Time     float64   `json:"time_exponent"`
}

// cohort runs table5 on synthetic cohorts that grow, each in a process of its own. Processor time, not the clock, is
// what a machine with other things to do leaves comparable.
func (b *bench) cohort() {
	dir := must(os.MkdirTemp("", "bench-"))
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder at worst
	cadem := b.commandLine(dir)
	f := &cohortFit{}
	for _, n := range cohortSizes {
		b.say("table5 of %d subjects", n)
		c := b.command(cadem, "study", "table5", "-methods", "cadem", "-set", "subjects="+strconv.Itoa(n), "-json")
		if err := c.Run(); err != nil {
			ok(fmt.Errorf("%s: %w", c, err))
		}
		used, told := c.ProcessState.SysUsage().(*syscall.Rusage)
		if !told {
			ok(fmt.Errorf("%s: this system does not tell how much memory a process took", c))
		}
		seconds := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		f.Subjects, f.Seconds = append(f.Subjects, float64(n)), append(f.Seconds, round(seconds.Seconds()))
		f.MB = append(f.MB, round(float64(used.Maxrss)*1024/1e6))
	}
	f.Time = round(exponent(f.Subjects, f.Seconds))
	b.full.Cohort = f
}

func (b *bench) writeCohort(w io.Writer) {
	f := b.full.Cohort
	writef(w, "\n| subjects | scans | s of processors | ms a scan | MB resident |\n|---:|---:|---:|---:|---:|\n")
	for i, n := range f.Subjects {
		writef(w, "| %.0f | %.0f | %g | %.0f | %.0f |\n", n, 3*n, f.Seconds[i], 1000*f.Seconds[i]/(3*n), f.MB[i])
	}
}
