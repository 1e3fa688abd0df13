package main

import (
	"encoding/json"
	"math"
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
