package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The folder that example writes opens as one's own: two tasks of the same subjects, two groups with covariates from
// participants.tsv removed, and frames with motion left out. Files that do not fit are refused by name.
func TestContrastOfAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "invented")
	run := func(args ...string) (out, said string, err error) {
		var o, s bytes.Buffer
		err = execute(t.Context(), args, &o, &s)
		return o.String(), s.String(), err
	}
	if _, _, err := run("example", "cohort", "-bids", dir, "-set", "subjects=8", "-set", "regions=60", "-set", "frames=150", "-set", "effect=2"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := run("example", "cohort", "-bids", dir); err == nil || !strings.Contains(err.Error(), "found a folder with files") {
		t.Errorf("a folder with files: %v", err)
	}
	table := filepath.Join(t.TempDir(), "table.csv")
	out, said, err := run("study", "contrast", "-data", dir, "-set", "first=rest", "-set", "second=emotion", "-set", "beyond=4", "-out", table)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"rest against emotion: 8 subjects in both conditions, pair by pair", "256 permutations, all that there are",
		"network-based statistic",
		"Mean framewise displacement"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, want := range []string{"condition: task; condition=group", "of 24 recordings from the JSON files",
		"not used: 2 files such as dataset_description.json"} {
		if !strings.Contains(strings.Join(strings.Fields(said), " "), want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	text, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 121 {
		t.Errorf("%d lines of two layers of 60 regions", len(lines))
	}
	for _, line := range lines[1:] {
		for k, cell := range strings.Split(line, ",") {
			if _, err := strconv.ParseFloat(cell, 64); err != nil && (k >= 3 && k <= 5 || k > 6) {
				t.Fatalf("%q in %s is no number", cell, line)
			}
		}
	}
	out, _, err = run("study", "contrast", "-data", dir, "-choose", "condition=group", "-set", "covariates=age,sex,motion", "-set", "permutations=99",
		"-set", "beyond=0",
		"-set", "fd=0.2", "-set", "confounds=simple")
	out = strings.Join(strings.Fields(out), " ")
	if err != nil || !strings.Contains(out, "4 subjects against 4, strength of every region, t with 3 degrees") ||
		!strings.Contains(out, "Taken out (Freedman and Lane): age, sex, motion.") ||
		!strings.Contains(out, "frames were left out for motion") {
		t.Errorf("%v\n%s", err, out)
	}
	for want, args := range map[string][]string{
		`first: found "rest" and "sleep", expected two conditions`:                    {"-set", "first=rest", "-set", "second=sleep"},
		"covariates: found weight, expected columns of participants.tsv":              {"-set", "covariates=weight"},
		"atlas: found a choice that these files do not leave, expected one of condit": {"-choose", "atlas=AAL"},
		"expected at least 150 (the option frames_left)":                              {"-set", "fd=0.2", "-set", "frames_left=150"},
	} {
		if _, _, err := run(append([]string{"study", "contrast", "-data", dir}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A number of every subject is predicted; what cannot be is refused by the option that is wrong.
func TestTargets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "people")
	run := func(args ...string) (string, error) {
		var out, said bytes.Buffer
		err := execute(t.Context(), args, &out, &said)
		return strings.Join(strings.Fields(out.String()), " "), err
	}
	if _, err := run("example", "cohort", "-bids", dir, "-set", "subjects=10", "-set", "regions=60", "-set", "frames=100"); err != nil {
		t.Fatal(err)
	}
	brief := []string{"study", "targets", "-data", dir, "-set", "epochs=1", "-set", "permutations=9", "-set"}
	text, err := run(append(brief, "covariates=sex,motion")...)
	if err != nil || !strings.Contains(text, "age of 10 scans in rest; 5 folds, penalties chosen inside them, 9 permutations.") ||
		!strings.Contains(text, "Taken out inside the folds: sex, motion.") || !strings.Contains(text, "Predicted age") || strings.Contains(text, " common ") {
		t.Errorf("%v: %s", err, text)
	}
	if text, err = run("study", "targets", "-data", dir, "-set", "epochs=1", "-set", "permutations=0"); err != nil || strings.Contains(text, "; p ") ||
		!strings.Contains(text, "The largest of 12 correlations is") {
		t.Errorf("without permutations: %v: %s", err, text)
	}
	for option, want := range map[string]string{
		"target=sex": "target: found sex, expected a column of numbers", "target=iq": "target: found iq, expected a column of numbers",
		"family=group": "family: found group, expected a column with at least 4", "covariates=iq": "covariates: found iq, expected columns",
		"first=sleep": "first: found sleep, expected a condition with at least 8 scans",
	} {
		if _, err := run(append(brief, option)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", option, err, want)
		}
	}
}
