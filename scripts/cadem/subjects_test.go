package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A model of invented subjects is written, and asked about others: each gets a class, whose probabilities add up to 1, and regions. Subjects that
// do not fit are refused in words.
func TestSubjects(t *testing.T) {
	t.Chdir(t.TempDir())
	few := []string{"-data", "synthetic", "-set", "regions=60", "-set", "frames=80", "-set", "subjects=4"}
	train := append([]string{"subjects", "-model", "model.npz", "-set", "epochs=1", "-set", "inner_steps=2", "-set", "hidden=8"}, few...)
	if out, log, err := command(t, train...); err != nil || !strings.Contains(out, "12 graphs") {
		t.Fatal(out, log, err)
	}
	out, log, err := command(t, append([]string{"subjects", "model.npz", "-json"}, few...)...)
	if err != nil {
		t.Fatal(err, log)
	}
	var got struct {
		Subjects []struct {
			Class       string
			Probability map[string]float64
			Leverage    float64
			Regions     []string
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Subjects) != 12 {
		t.Fatal(err, out)
	}
	for _, s := range got.Subjects {
		sum := 0.0
		for _, p := range s.Probability {
			sum += p
		}
		if math.Abs(sum-1) > 1e-9 || s.Probability[s.Class] < 1./3 || s.Leverage <= 0 || len(s.Regions) != 5 {
			t.Errorf("%+v", s)
		}
	}
	for want, args := range map[string][]string{
		"expected -data":   {"subjects", "model.npz"},
		"trimmed or split": append([]string{"subjects", "-model", "m.npz", "-preset", "refined", "-set", "epochs=1"}, few...),
		"no such file":     {"subjects", "other.npz", "-data", "nothing"},
	} {
		if out, log, err := command(t, args...); err == nil || !strings.Contains(err.Error()+log+out, want) {
			t.Errorf("%q: %v, expected %q", args, err, want)
		}
	}
}

// The report of a model has the reliability plot, with the count and the share of every bin, and says what is printed.
func TestReliabilityOfSubjects(t *testing.T) {
	t.Chdir(t.TempDir())
	few := []string{"-data", "synthetic", "-set", "regions=60", "-set", "frames=80", "-set", "subjects=4"}
	train := append([]string{"subjects", "-model", "model.npz", "-set", "epochs=1", "-set", "inner_steps=2", "-set", "hidden=8"}, few...)
	if _, log, err := command(t, train...); err != nil {
		t.Fatal(err, log)
	}
	out, log, err := command(t, append([]string{"subjects", "model.npz", "-out", "told.html", "-embeddings", "told.csv"}, few...)...)
	if err != nil {
		t.Fatal(err, log)
	}
	line, _, err := command(t, append([]string{"subjects", "model.npz", "-json"}, few...)...)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Brier       float64
		Gap         float64 `json:"calibration_error"`
		Reliability []struct {
			Low, High, Right float64
			Graphs           int
		}
	}
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("told.html")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{fmt.Sprintf("Brier score %.3f", got.Brier), fmt.Sprintf("calibration error %.3f", got.Gap)} {
		if !strings.Contains(words, want) || !strings.Contains(string(page), want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	counted := 0
	for _, b := range got.Reliability {
		if counted += b.Graphs; b.Graphs > 0 && !strings.Contains(words, fmt.Sprintf("%.1f to %.1f %d ", b.Low, b.High, b.Graphs)) {
			t.Errorf("no bin from %.1f with %d graphs in %s", b.Low, b.Graphs, out)
		}
	}
	if counted != 12 || strings.Count(string(page), "<svg ") != 2 || !strings.Contains(string(page), "How often the class is right") {
		t.Errorf("%d graphs in bins; %s", counted, page)
	}
	file, err := os.ReadFile("told.csv")
	if err != nil || strings.Count(string(file), "\n") != 13 || !strings.HasPrefix(string(file), "node,name,class,like the training,C_1_1") {
		t.Errorf("%v, %.200s", err, file)
	}
}

// Subjects of one condition are embedded, and their leverage is told, by one command, which says that there is nothing to classify; so it is of others
// that the model is asked about.
func TestSubjectsOfOneCondition(t *testing.T) {
	const folder = "../../../shared/data/hcp/rest"
	data, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(data); err != nil {
		t.Skip("the series of real subjects are not beside the repository")
	}
	t.Chdir(t.TempDir())
	const plainly = "there is nothing to classify"
	quick := []string{"-set", "epochs=1", "-set", "inner_steps=1", "-set", "hidden=8", "-set", "tr=0.72"}
	out, log, err := command(t, append([]string{"subjects", "-data", data, "-model", "rest.npz", "-embeddings", "rest.csv"}, quick...)...)
	if err != nil {
		t.Fatal(err, log)
	}
	file, err := os.ReadFile("rest.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Count(string(file), "\n") - 1
	if words := strings.Join(strings.Fields(out), " "); !strings.Contains(words, plainly) || strings.Contains(words, "Brier") || rows < 10 {
		t.Errorf("%d subjects; %s", rows, out)
	}
	out, log, err = command(t, "subjects", "rest.npz", "-data", data, "-set", "tr=0.72", "-json")
	if err != nil {
		t.Fatal(err, log)
	}
	var got struct {
		Subjects []struct {
			Class    string
			Leverage float64
			Regions  []string
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Subjects) != rows {
		t.Fatal(err, out)
	}
	for _, s := range got.Subjects {
		if s.Leverage <= 0 || s.Class != "" || s.Regions != nil {
			t.Errorf("%+v", s)
		}
	}
}
