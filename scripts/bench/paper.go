package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// paperStudies are the experiments whose figures stand beside the paper's. What they share is
// trained once.
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
