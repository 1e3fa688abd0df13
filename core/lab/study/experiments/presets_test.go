package experiments

import (
	"slices"
	"strings"
	"testing"

	"cadem.example/core/lab/study"
)

// Several presets stand side by side in one report, each row under its own, and are held against
// the first one over the same folds and seeds.
func TestPresetsSideBySide(t *testing.T) {
	o := study.Order{Study: "table2", Preset: "released,closed", Seeds: 2,
		Options: map[string]any{"nodes": 60, "epochs": 2, "eval_epochs": 3}}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 4+7 {
		t.Errorf("%d tasks, expected 2 of each preset, and 7 of the methods that stand beside both", len(tasks))
	}
	results, err := (&study.Scheduler{}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := All().Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	methods := map[string]string{}
	printed, random := 0, 0
	for _, row := range r.Rows {
		if row.Ours != nil {
			methods[row.Preset] = row.Method
			if row.Method == "Random encoder" {
				random++
			}
			if row.Preset == study.Closed && (row.Paper != nil || row.Status != "") {
				t.Errorf("a figure of the closed form stands beside the paper's: %+v", row)
			}
		} else if row.Method == "DMG" {
			printed++
		}
	}
	if methods["released"] != "CaDeM" || methods[study.Closed] != "closed form" || printed != 2 || random != 2 {
		t.Errorf("methods %v; DMG is printed %d times, expected once a metric", methods, printed)
	}
	if len(r.Held) != 1 || len(r.Held[0].Lines) != 5 || r.Held[0].Title != "closed beside released" || r.Held[0].Lines[1][10] == "" {
		t.Fatalf("held against each other: %v", r.Held)
	}
	if !slices.ContainsFunc(r.Findings, func(s string) bool { return strings.HasPrefix(s, "closed: ") }) ||
		!slices.ContainsFunc(r.Findings, func(s string) bool { return strings.HasPrefix(s, "Of 4 figures, closed is higher than released") }) {
		t.Errorf("findings %q", r.Findings)
	}
	alone, err := All().Assemble(study.Order{Study: "table2", Seeds: 2, Options: o.Options}, results)
	if err != nil || alone[0].Rows[len(alone[0].Rows)-1].Preset != "" || len(alone[0].Held) != 2 { // by both readers
		t.Errorf("one preset alone: %v, %v", err, alone[0].Held)
	}
	alone, err = All().Assemble(study.Order{Study: "table2", Preset: study.Closed, Seeds: 2, Options: o.Options}, results)
	if err != nil || !slices.ContainsFunc(alone[0].Rows, func(row study.Row) bool {
		return row.Ours != nil && row.Method == "closed form" && row.Paper == nil && row.Status == ""
	}) {
		t.Errorf("the closed form alone: %v", err)
	}
}

func TestPresetsAreChecked(t *testing.T) {
	count := func(preset, name string) int {
		tasks, err := All().Plan(study.Order{Study: name, Preset: preset, Seeds: 1})
		if err != nil {
			t.Fatal(err)
		}
		return len(tasks)
	}
	if one, all := count("released", "table1"), count("all", "table1"); all != (len(study.Presets())-1)*one {
		t.Errorf("all presets of table1 have %d tasks, one has %d", all, one)
	}
	if one, all := count("released", "table7"), count("all", "table7"); all != (len(study.Presets())-2)*one {
		t.Errorf("all presets of table7, which is about training, have %d tasks, one has %d", all, one)
	}
	for want, preset := range map[string]string{
		`preset: found "realesed", expected one of`:                     "realesed,closed",
		"preset: released is listed twice":                              "released,released",
		"preset: found closed for table7, which is about training, exp": "closed",
	} {
		if _, err := All().Plan(study.Order{Study: "table7", Preset: preset}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", preset, err, want)
		}
	}
}
