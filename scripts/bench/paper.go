package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// paperStudies are the experiments with figures beside the paper's. Shared tasks are trained once.
var paperStudies = []string{"table1", "table3", "table7", "table11"}

const aboutPaper = "`bin/cadem study NAME -data published -seeds 10` prints these figures, and more. They are means over " +
	"trainings on the published data with the paper's settings; ± is the deviation between trainings. The " +
	"untrained column is what the same encoders get before any step. The last column counts the trainings " +
	"with at least the paper's figure. More is not better everywhere: a private embedding should tell little of other layers. " +
	"These figures are not times: they are the same on every machine."

// A paperRow is a figure of an experiment, as the command line prints it with -json.
type paperRow struct {
	Study     string   `json:"study"`
	Table     string   `json:"table"`
	Embedding string   `json:"embedding"`
	Target    string   `json:"target"`
	Metric    string   `json:"metric"`
	Variant   string   `json:"variant,omitempty"`
	Ours      *float64 `json:"ours"`
	SeedStd   *float64 `json:"seed_std"`
	Untrained *float64 `json:"untrained"`
	Paper     *float64 `json:"paper"`
	Reach     *int     `json:"reach"`
	Trainings int      `json:"trainings"`
}

// besidePaper runs the experiments on the published data, natively.
func (b *bench) besidePaper() {
	dir := must(os.MkdirTemp("", "bench-"))
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder at worst
	program := b.commandLine(dir)
	for _, name := range paperStudies {
		b.say("%s beside the paper's", name)
		c := b.command(program, "study", name, "-data", "published", "-seeds", "10", "-cache", dir, "-json")
		var log strings.Builder
		c.Stderr = &log
		text, err := c.Output()
		if err != nil {
			ok(fmt.Errorf("cadem study %s: %w\n%s", name, err, &log))
		}
		ok(b.addPaper(name, text))
	}
}

// commandLine builds the command line in a folder and returns the program.
func (b *bench) commandLine(dir string) string {
	program := filepath.Join(dir, "cadem")
	if text, err := b.command("go", "build", "-o", program, "./scripts/cadem").CombinedOutput(); err != nil {
		ok(fmt.Errorf("go build ./scripts/cadem: %w\n%s", err, text))
	}
	return program
}

// command runs a program in the project's folder.
func (b *bench) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = b.root
	return c
}

// addPaper keeps the rows of an experiment that stand beside figures of the paper, but for
// micro-F1, which says what macro-F1 says.
func (b *bench) addPaper(study string, text []byte) error {
	var found struct{ Rows []paperRow }
	if err := json.Unmarshal(text, &found); err != nil {
		return fmt.Errorf("cadem study %s -json: %w", study, err)
	}
	for _, r := range found.Rows {
		if r.Ours != nil && r.Paper != nil && r.Reach != nil && r.Metric != "micro_f1" {
			r.Study = study
			b.full.Paper = append(b.full.Paper, r)
		}
	}
	return nil
}

func (b *bench) writePaper(w io.Writer) {
	writef(w, "\n| experiment | figure | ours | untrained | paper | at least as much |\n|---|---|---:|---:|---:|---:|\n")
	for _, r := range b.full.Paper {
		what := []string{r.Embedding, r.Target, r.Metric}
		if r.Variant != "" {
			what = append(what, r.Variant)
		}
		ours, untrained := fmt.Sprintf("%.3f", *r.Ours), ""
		if r.SeedStd != nil {
			ours += fmt.Sprintf(" ± %.3f", *r.SeedStd)
		}
		if r.Untrained != nil {
			untrained = fmt.Sprintf("%.3f", *r.Untrained)
		}
		writef(w, "| %s | %s | %s | %s | %g | %d of %d |\n", r.Study, strings.Join(what, ", "), ours, untrained, *r.Paper, *r.Reach, r.Trainings)
	}
}

// cohortSizes are subjects of the synthetic cohort.
var cohortSizes = []int{250, 500, 1000, 2000}

// mostCohort is the memory limit of the largest table5, in MB.
const mostCohort = 1000

// A cohortFit tells how an experiment on a cohort grows with its subjects.
type cohortFit struct {
	Subjects []float64 `json:"subjects"`
	Seconds  []float64 `json:"processor_seconds"`
	MB       []float64 `json:"resident_mb"`
	Time     float64   `json:"time_exponent"`
}

// cohort runs table5 on synthetic cohorts that grow, each in a process of its own. Processor time, unlike the clock,
// stays comparable on a machine with other work.
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
