package study

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"cadem/core/property"
)

// Every condition and layer has a picture, and the networks' counts add up to the tenth of
// the regions, trained, untrained and without a model.
func TestRegions(t *testing.T) {
	o := Order{Study: "regions", DataSeeds: 2, Options: map[string]any{"regions": 60, "frames": 80, "epochs": 2}}
	tasks, err := Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 6 {
		t.Fatalf("%d tasks, expected two subjects in three conditions", len(tasks))
	}
	results := Results{}
	for i := range tasks {
		r, err := tasks[i].Run(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		results[r.Key] = r
	}
	reports, err := Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	if len(r.Charts) != 6 || len(r.Findings) != 6 || len(r.Rows) != 6*7 || r.Missing != 0 {
		t.Fatalf("%d charts, %d findings, %d rows", len(r.Charts), len(r.Findings), len(r.Rows))
	}
	sums := map[string][4]float64{}
	for _, row := range r.Rows {
		s := sums[row.Dataset+row.Variant]
		for k, v := range []*float64{row.Ours, row.Untrained, row.Trivial, row.Chance} {
			s[k] += *v
		}
		sums[row.Dataset+row.Variant] = s
		if *row.P < 0 || *row.P > 1 {
			t.Errorf("p %v", *row.P)
		}
	}
	for name, s := range sums {
		if s[0] != 6 || s[1] != 6 || s[2] != 6 || s[3] < 5.999 || s[3] > 6.001 {
			t.Errorf("%s: %v, expected 6 regions of 60 each", name, s)
		}
	}
	svg := r.Charts[0].SVG()
	for _, want := range []string{"rest, co-activation (synthetic)", "Somatomotor", "The 6 of 60 regions", ">R<", ">A<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}

	// The mean over subjects is that of their lengths.
	one := results[tasks[0].Key()]
	trained, untrained := one.array("length_1"), one.array("untrained:length_1")
	if len(trained.Data) != 60 || fmt.Sprint(trained.Data) == fmt.Sprint(untrained.Data) || one.Words[0] != "co-activation" || one.Words[2] != "Visual" {
		t.Errorf("%d lengths, words %q", len(trained.Data), one.Words)
	}

	var refused *property.Error
	o.Data = "published"
	if _, err := Plan(o); !errors.As(err, &refused) || refused.Field != "data" {
		t.Errorf("published: %v", err)
	}
	for _, r := range tasksOfAll(t, "published") {
		if r.Data.Example == "cohort" {
			t.Error("all on published data has the cohort")
		}
	}
	bare := Task{Data: DataSpec{Example: "syn1", Options: map[string]any{"nodes": 30}}, Preset: "released", Options: map[string]any{"epochs": 1}, Measure: []Measure{{Kind: "regions"}}}
	if _, err := bare.Run(nil, nil); !errors.As(err, &refused) {
		t.Errorf("data without places: %v", err)
	}
}

func tasksOfAll(t *testing.T, data string) []Task {
	t.Helper()
	tasks, err := Plan(Order{Study: "all", Data: data, Seeds: 1})
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}
