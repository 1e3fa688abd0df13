package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/lab/run"
)

// Data without labels are scored by links where that is asked for, and by nothing otherwise; the line that says so names the option.
func TestTrainOnLinks(t *testing.T) {
	var edges strings.Builder
	for i := range 40 {
		for _, d := range []int{1, 2, 5} {
			for layer := range 2 {
				edges.WriteString(strings.Join([]string{string(rune('1' + layer)), strconv.Itoa(i + 1), strconv.Itoa((i+d+layer)%40 + 1), "1"}, " ") + "\n")
			}
		}
	}
	file := filepath.Join(t.TempDir(), "ring.edges")
	if err := os.WriteFile(file, []byte(edges.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	quick := []string{"train", "-data", file, "-set", "epochs=2", "-json"}
	_, log, err := command(t, quick...)
	if err != nil || !strings.Contains(log, "-links 5") {
		t.Errorf("%v, %q", err, log)
	}
	text, log, err := command(t, append(quick, "-links", "3")...)
	if err != nil || strings.Contains(log, "nothing is scored") {
		t.Fatalf("%v, %q", err, log)
	}
	var o output
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	if len(o.Links) != 12 || len(o.Scores) != 0 || o.Links[0].Target != run.OfLinks || len(o.Links[0].Folds) != 3 {
		t.Errorf("%d scores of links, the first %+v, and %d of labels", len(o.Links), o.Links[0], len(o.Scores))
	}
	text, _, err = command(t, "train", "-data", file, "-method", "modularity", "-links", "2")
	if err != nil || !strings.Contains(text, "AUC, degrees matched") || !strings.Contains(text, "degrees alone") {
		t.Errorf("%v, %s", err, text)
	}
	for want, args := range map[string][]string{
		"-links: found 0, expected a number of at least 1": {"train", "-data", file, "-links", "0"},
		"links: found 2 for table1":                        {"study", "table1", "-links", "2"},
	} {
		if _, _, err := command(t, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, expected %q", args, err, want)
		}
	}
}
