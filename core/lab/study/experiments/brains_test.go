package experiments

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"cadem.example/core/brain/braintest"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
)

// hcp are the settings that the paper prints for its brains.
var hcp = map[string]any{"epochs": 200, "augmented": 20, "lr_heads": 0.01, "lr_encoders": 0.01, "weight_matching": 1.0, "weight_selfsupervised": 0.01,
	"weight_causal": 0.01,
	"dropout_rate":  0.0, "dim": 8, "decay_heads": 0.0001, "decay_encoders": 0.0, "node_ratio": 0.6, "noise": 0.1, "eval_epochs": 400, "eval_lr": 0.1}

// checkPrinted compares settings with the paper's.
func checkPrinted(t *testing.T, path string, s *run.Settings) {
	t.Helper()
	values := s.Values()
	for name, want := range hcp {
		if got := values[name]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %s is %v, the paper prints %v", path, name, got, want)
		}
	}
}

// A brain that is opened alone trains with the settings that the paper prints.
func TestSettingsOfBrains(t *testing.T) {
	of := func(path string, d *run.Dataset, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		s, err := run.NewSettings("released", d)
		if err != nil {
			t.Fatal(err)
		}
		checkPrinted(t, path, s)
	}
	d, err := run.OpenExample("cohort", map[string]any{"regions": 60, "frames": 80}, 0)
	of("the example", d, err)
	series, regions, _ := braintest.Subject(t)
	d, err = run.OpenFiles([]formats.File{series, regions}, nil, nil)
	of("a subject of one's own", d, err)
}

// A study of brains trains every one with the settings that the paper prints, whether its
// scans are drawn or come from files.
func TestSettingsOfBrainStudies(t *testing.T) {
	series, regions, _ := braintest.Subject(t)
	list := []formats.File{regions}
	var cohort []collection.Scan
	for i, name := range []string{"a.csv", "b.csv", "c.csv", "d.csv"} {
		list = append(list, formats.File{Name: name, Data: series.Data})
		cohort = append(cohort, collection.Scan{Subject: []string{"one", "two"}[i%2], Condition: []string{"rest", "task"}[i/2], File: name})
	}
	specs, files := run.InMemory(list)
	people := cohort[:2]
	small := map[string]any{"subjects": 2, "regions": 60}
	trained := 0
	for _, o := range []study.Order{
		{Study: "regions", Options: map[string]any{"subjects": 2, "regions": 60, "frames": 80}}, {Study: "regions", Files: specs, Cohort: cohort},
		{Study: "table5", Options: small}, {Study: "table5", Files: specs, Cohort: cohort},
		{Study: "identify", Options: small}, {Study: "identify", Files: specs, Cohort: people},
	} {
		tasks, err := All().Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range tasks {
			task := &tasks[i]
			path := fmt.Sprintf("%s, %d files: %s", o.Study, len(o.Files), task.Name)
			switch {
			case len(task.Needs) > 0:
				s, err := task.Settings(run.DefaultsOf(task.Data.Example))
				if err != nil {
					t.Fatal(err)
				}
				checkPrinted(t, path, s)
				trained++
			case len(task.Data.Scans) == 0:
				d, err := files.Open(&task.Data)
				if err != nil {
					t.Fatal(err)
				}
				s, err := task.Settings(d.Defaults)
				if err != nil {
					t.Fatal(err)
				}
				checkPrinted(t, path, s)
				trained++
			}
		}
	}
	if trained < 20 {
		t.Errorf("%d tasks train or score", trained)
	}
}

// The settings above are those of the transcription.
func TestBrainSettingsAreTranscribed(t *testing.T) {
	data, err := os.ReadFile("../../../../../shared/spec/paper_tables.json")
	if err != nil {
		t.Skip("the transcription is not beside the repository: ", err)
	}
	var printed struct{ Configs map[string]map[string]any }
	if err := json.Unmarshal(data, &printed); err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]string{"epochs": "epochs", "augmented": "n_aug", "lr_heads": "lr_heads", "lr_encoders": "lr_encoder",
		"weight_matching": "w_match", "weight_selfsupervised": "w_selfsup", "weight_causal": "w_causal",
		"dropout_rate": "feature_dropout", "dim": "d", "decay_heads": "weight_decay_heads", "decay_encoders": "weight_decay_encoder",
		"node_ratio": "aug_keep_ratio", "noise": "aug_noise_std", "eval_epochs": "eval_epochs", "eval_lr": "eval_lr"} {
		if want := printed.Configs["HCP"][key]; fmt.Sprint(want) != fmt.Sprint(hcp[name]) {
			t.Errorf("%s: %v here, the paper prints %v", name, hcp[name], want)
		}
	}
}
