package worker

import (
	"bytes"
	"strings"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/brain/measures"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/synth/examples"
	"cadem.example/wasm/bridge"
)

// A model of subjects tells the page what it tells the command, and what does not fit is refused in the same words.
func TestSubjects(t *testing.T) {
	data := run.DataSpec{Example: run.CohortData, Options: map[string]any{"subjects": 4, "regions": 60, "frames": 80}}
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
	var model bytes.Buffer
	if err := e.Write(&model); err != nil {
		t.Fatal(err)
	}
	asked, err := run.NewSubjects(e, 5, nil)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := study.Ask(asked, many.Graphs, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := start(t)
	const drawn = `"model":"m.npz","eval_seed":5,"data":{"example":"cohort of scans","options":{"subjects":4,"regions":60,"frames":80}}`
	file := bridge.Bytes("model", model.Bytes())
	m := c.call("subjects", drawn+`,"note":"by hand"`, file)
	if want := study.HTML([]*study.Report{study.Subjects(asked, answers)}, "by hand"); string(m.slabs["html"].Data) != want {
		t.Errorf("found %.300s\nexpected %.300s", m.slabs["html"].Data, want)
	}
	var found struct{ Reports []section }
	if m.read(t, &found); len(found.Reports) != 1 || len(found.Reports[0].Charts) != 2 || len(found.Reports[0].Sheets) != 2 {
		t.Errorf("%+v", found)
	}
	if csv := string(c.call("subjects", drawn+`,"format":"csv"`, file).slabs["file"].Data); strings.Count(csv, "\n") != 13 {
		t.Errorf("%.300s", csv)
	}
	if e := c.fail("subjects", `"model":"m.npz","data":{}`, file); e.Code != "bad-data" || !strings.Contains(e.Message, "no subject") {
		t.Errorf("without subjects: %+v", e)
	}
	c.call("open", `"data":{"example":"syn1","options":{"nodes":60},"data_seed":1}`)
	c.send("train", `"options":{"epochs":2,"inner_steps":2,"augmented":3},"preset":"released","model_seed":1,"paused":true`)
	ofNodes := c.call("export", `"what":"model"`).slabs["file"].Data
	for want, bytes := range map[string][]byte{"m.npz: kind: found a model of the nodes of one graph": ofNodes, "m.npz: ": []byte("PK")} {
		if e := c.fail("subjects", drawn, bridge.Bytes("model", bytes)); e.Code != "bad-data" || !strings.Contains(e.Message, want) {
			t.Errorf("%+v, expected %q", e, want)
		}
	}
}
