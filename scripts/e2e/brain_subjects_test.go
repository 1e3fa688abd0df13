package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/brain/measures"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/synth/examples"
)

// TestSubjectsOfAModel asks a model of many subjects about others: the page shows what is told natively, with the reliability plot, saves a row for
// each subject, and refuses another file in words.
func TestSubjectsOfAModel(t *testing.T) {
	data := run.DataSpec{Example: run.CohortData, Options: map[string]any{"subjects": 4}}
	many, err := measures.ReadMany(nil, &data, true, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.NewSettings("released", &run.Dataset{Defaults: examples.BrainDefaults})
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]string{"epochs": "1", "inner_steps": "2", "hidden": "8"} {
		if err := s.Set(name, v); err != nil {
			t.Fatal(err)
		}
	}
	trained, err := s.Train(many.Graphs, precision.Single, run.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := run.SubjectModel(trained.Trainer(), many.Graphs, many.Classes, many.Class, many.Group, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := e.Write(&b); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	model, other := filepath.Join(folder, "subjects.npz"), filepath.Join(folder, "other.npz")
	if os.WriteFile(model, b.Bytes(), 0o600) != nil || os.WriteFile(other, []byte("none"), 0o600) != nil {
		t.Fatal("no room")
	}
	asked, err := run.NewSubjects(e, run.UsualSeeds.Eval, nil)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := study.Ask(asked, many.Graphs, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := study.Subjects(asked, answers)
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Read(nil, "hand.click", "#tabs [data-show=embeddings]")
		v.Push("#add-nodes")
		v.Until("see.there", "#subjects")
		v.Read(nil, "hand.open", "#subjects")
		v.Give("#subjects-model", other)
		v.Push("#subjects-ask")
		v.Until("see.starts", "#subjects .problem", "other.npz: ")
		v.Give("#subjects-model", model)
		v.Enter("#subjects [name=subjects]", "4")
		v.Push("#subjects-ask")
		v.Until("see.count", "#subjects .report img", 2)
		v.Want("#subjects .report", append(want.Findings, "synthetic subject 1, "+many.Classes[0], want.Setting)...)
		v.Read(nil, "hand.press", "#subjects button", "Embeddings, CSV")
		if rows := bytes.Count(download(t, v, "subjects.csv"), []byte("\n")); rows != 13 {
			t.Errorf("%d rows, expected 12 and their titles", rows)
		}
		v.Check()
	})
}
