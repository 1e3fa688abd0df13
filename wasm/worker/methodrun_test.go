package worker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/cadem"
	"cadem.example/core/formats/archive"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/run/runtest"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
	"cadem.example/wasm/bridge"
)

func startMethods(t *testing.T) *client {
	c := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100000)}
	go newMethods(c.in, runtime.Gosched).Serve()
	return c
}

// quick are settings of methods that train for a moment, one of every family.
var quick = map[string]map[string]any{
	"deepwalk": {"dim": 8, "walks": 2, "length": 10}, "vgae": {"dim": 8, "epochs": 4}, "dgi": {"dim": 8, "epochs": 4},
	"modularity": {}, "closed": {}, "hdmi": {"dim": 8, "epochs": 4}, "spectral": {},
	"netmf": {"dim": 8}, "multiness": {"steps": 8},
}

const smallSyn1 = `"data":{"example":"syn1","options":{"nodes":40},"data_seed":3}`

// methodDirectly trains without a worker.
func methodDirectly(t *testing.T, name string) (*run.Dataset, *run.Settings, *run.Run) {
	t.Helper()
	d, err := run.OpenExample("syn1", map[string]any{"nodes": 40}, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.MethodSettings(name, "", d)
	if err != nil {
		t.Fatal(err)
	}
	s.ModelSeed = 7
	if err := s.SetAll(quick[name]); err != nil {
		t.Fatal(err)
	}
	r, err := s.Start([]*multiplex.Graph{d.Graph}, precision.Single, run.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Finish(run.Watch{}); err != nil {
		t.Fatal(err)
	}
	return d, s, r
}

func asked(name string) string {
	options, _ := json.Marshal(quick[name])
	return fmt.Sprintf(`"method":%q,"options":%s,"model_seed":7`, name, options)
}

// A run of a method goes the way of a run of CaDeM: to the embeddings, scores and hash of one without a worker, also from a
// checkpoint of its middle.
func TestMethodRun(t *testing.T) {
	for name := range quick {
		t.Run(name, func(t *testing.T) {
			d, s, direct := methodDirectly(t, name)
			want := direct.Result()
			c := startMethods(t)
			c.call("open", smallSyn1)
			c.fail("embeddings", "")
			var over struct{ Hash string }
			c.call("train", asked(name)).read(t, &over)
			if over.Hash != want.Hash {
				t.Fatalf("hash %s, expected %s", over.Hash, want.Hash)
			}
			var e struct {
				Hash       string
				Embeddings []string
			}
			c.call("embeddings", "").read(t, &e)
			if len(e.Embeddings) != len(want.Embeddings) || e.Hash != want.Hash {
				t.Errorf("%+v", e)
			}
			if xy := c.call("frame", "").slabs["xy"]; fmt.Sprint(xy.Shape) != fmt.Sprintf("[%d 40 2]", len(e.Embeddings)) {
				t.Errorf("a picture of shape %v", xy.Shape)
			}
			k := fmt.Sprintf(`"embedding":%q,"k":3,"eval_seed":2`, e.Embeddings[0])
			if of := c.call("clusters", k).slabs["clusters"]; of.Shape[0] != d.Graph.M() {
				t.Errorf("clusters of shape %v", of.Shape)
			}
			var got struct{ Scores json.RawMessage }
			c.call("evaluate", `"options":{},"eval_seed":1`).read(t, &got)
			scores, err := run.Score(d, want.Scored, want.ScoredBefore, s.Evaluation, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if text, _ := json.Marshal(scores); string(text) != string(got.Scores) {
				t.Errorf("scores\n%s\nexpected\n%s", got.Scores, text)
			}
			id := c.send("train", asked(name)+`,"paused":true`)
			c.event(id, "progress")
			if p := c.call("control", `"action":"step"`).progress(t); p.Step != 1 {
				t.Errorf("after a step: %+v", p)
			}
			list := c.events(id, "checkpoint")
			if p := direct.Progress(); p.Steps == 1 {
				return // the step was all
			} else if len(list) == 0 {
				list = append(list, c.event(id, "checkpoint"))
			}
			c.call("resume", asked(name), list[len(list)-1].slabs["checkpoint"]).read(t, &over)
			if over.Hash != want.Hash {
				t.Errorf("resumed to the hash %s, expected %s", over.Hash, want.Hash)
			}
		})
	}
}

// A method that cannot take the data says what it needs and what could be used instead, and the worker goes on.
func TestMethodRefusesData(t *testing.T) {
	c := startMethods(t)
	c.call("open", smallSyn1)
	const needs = "several graphs, which graph2vec needs; methods that do without: "
	if e := c.fail("train", `"method":"graph2vec","model_seed":1`); !strings.Contains(e.Message, needs) {
		t.Errorf("%+v", e)
	}
	if e := c.fail("train", `"method":"dgy","model_seed":1`); e.Code != "bad-option" || !strings.Contains(e.Message, "dgi") {
		t.Errorf("%+v", e)
	}
	c.call("train", asked("modularity"))
}

// A pause is answered in the middle of a step, what is asked after it at the step's end, and another run takes the place of a running one.
func TestMethodRunIsSteered(t *testing.T) {
	c := startMethods(t)
	c.call("open", smallSyn1)
	long := `"method":"dgi","options":{"epochs":100000,"patience":1000},"model_seed":1`
	id := c.send("train", long)
	c.event(id, "progress")
	if p := c.call("control", `"action":"pause"`).progress(t); p.State != run.Paused {
		t.Errorf("%+v", p)
	}
	at := c.call("control", `"action":"set","watch":true`).progress(t)
	if p := c.call("control", `"action":"epoch"`).progress(t); p.Step <= at.Step || p.State != run.Paused {
		t.Errorf("from %+v to %+v", at, p)
	}
	c.call("control", `"action":"play"`)
	next := c.send("train", asked("modularity"))
	if p := c.reply(id).progress(t); p.State != run.Cancelled {
		t.Errorf("the first run ended as %+v", p)
	}
	c.reply(next)
}

// The page goes on with a file that the command line wrote, and writes one that the command line reads.
func TestMethodRunOfTheCommandLine(t *testing.T) {
	d, s, direct := methodDirectly(t, "dgi")
	want := direct.Result()
	record := &run.Record{Run: "r", Name: "from the shell", Created: "2025-01-31T12:00:00Z", Updated: "2025-01-31T12:00:00Z",
		Data: run.DataSpec{Example: "syn1", Options: map[string]any{"nodes": 40}, DataSeed: 3}, Preset: cadem.Presets[0], Method: "dgi", Level: s.Level,
		Options: property.Values(s.Options), Evaluation: property.Values(&s.Evaluation), ModelSeed: 7, EvalSeed: 1, Precision: precision.Single,
		State: run.Finished, Progress: run.RecordProgress{State: run.Finished, Step: want.Progress.Step, Steps: want.Progress.Steps}, Hash: want.Hash,
		Summary: d.Summary()}
	a, err := run.Pack(record, &run.Contents{Checkpoint: direct.Checkpoint(), Losses: direct.Losses}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := archive.Write(&file, a); err != nil {
		t.Fatal(err)
	}
	m := start(t).call("import", `"name":"run.zip"`, bridge.Bytes("file", file.Bytes()))
	var got struct{ Record json.RawMessage }
	m.read(t, &got)
	if err := run.CheckStored([]byte(got.Record), nil); err != nil {
		t.Fatal(err)
	}
	if shape := m.slabs["losses"].Shape; shape[0] != want.Progress.Step {
		t.Errorf("losses of shape %v after %d steps", shape, want.Progress.Step)
	}
	var kept run.Record
	if err := json.Unmarshal(got.Record, &kept); err != nil {
		t.Fatal(err)
	}
	c := startMethods(t)
	data, _ := json.Marshal(kept.Data)
	c.call("open", `"data":`+string(data))
	options, _ := json.Marshal(kept.Options)
	var over struct{ Hash string }
	c.call("resume", fmt.Sprintf(`"method":%q,"level":%q,"options":%s,"model_seed":%d`, kept.Method, kept.Level, options, kept.ModelSeed), m.slabs["checkpoint"]).
		read(t, &over)
	if over.Hash != want.Hash {
		t.Errorf("hash %s, expected %s", over.Hash, want.Hash)
	}
	out := c.call("export", `"what":"run","record":`+string(got.Record)).slabs["file"]
	back, err := archive.ReadAt(bytes.NewReader(out.Data), int64(len(out.Data)))
	if err != nil {
		t.Fatal(err)
	}
	u, err := run.Unpack(back)
	if err != nil {
		t.Fatal(err)
	}
	if u.Record.Hash != want.Hash || !bytes.Equal(u.Checkpoint, direct.Checkpoint()) {
		t.Errorf("%+v", u.Record)
	}
}

// read has another program read files, for that of other methods, and returns what this one gets of them in addition to a request.
func read(t *testing.T, kind, ask string, files ...bridge.Slab) (string, []bridge.Slab) {
	m := start(t).call(kind, ask, files...)
	return ask + `,"graphs":` + string(m.Result), append(files, m.slabs[wholes], m.slabs[fractions])
}

func openRead(c *client, ask string, files ...bridge.Slab) {
	ask, slabs := read(c.t, "graphs", ask, files...)
	c.call("open", ask, slabs...)
}

// A file of a method from before files of all methods were of one kind stands where it stood, with the losses that the page draws, and
// goes on to the same hash.
func TestMethodFileOfBefore(t *testing.T) {
	file, err := os.ReadFile("../../testdata/stored/line-method-paused.zip")
	if err != nil {
		t.Fatal(err)
	}
	m := start(t).call("import", `"name":"run.zip"`, bridge.Bytes("file", file))
	var got struct{ Record json.RawMessage }
	m.read(t, &got)
	var kept run.Record
	var listed []run.StoredSlab
	for name, s := range m.slabs {
		listed = append(listed, run.StoredSlab{Name: name, Type: s.Type, Shape: s.Shape})
	}
	if err := errors.Join(run.CheckStored([]byte(got.Record), listed), json.Unmarshal(got.Record, &kept)); err != nil {
		t.Fatal(err)
	}
	if shape := m.slabs["losses"].Shape; kept.Progress.Step != 12671 || !slices.Equal(shape, []int{12671, 2}) || kept.LossColumns != 2 ||
		kept.State != run.Paused {
		t.Errorf("losses of shape %v, %+v", shape, kept)
	}
	c := startMethods(t)
	data, _ := json.Marshal(kept.Data)
	openRead(c, `"data":`+string(data), m.slabs["file:0"], m.slabs["file:1"])
	options, _ := json.Marshal(kept.Options)
	var over struct{ Hash string }
	c.call("resume", fmt.Sprintf(`"method":%q,"level":%q,"options":%s,"model_seed":%d`, kept.Method, kept.Level, options, kept.ModelSeed), m.slabs["checkpoint"]).
		read(t, &over)
	if over.Hash != "f04fe1b75cc6afc1" {
		t.Errorf("hash %s", over.Hash)
	}
}

// A task with a method has the result that any program gives it, on an example and on a collection of graphs.
func TestMethodTask(t *testing.T) {
	list := runtest.Collection(t)
	list = list[:len(list)-1] // no table
	specs, files := run.InMemory(list)
	graphs := study.Task{Name: "graphs", Data: run.DataSpec{Files: specs}, Method: "dgi", Level: "lite", ModelSeed: 1,
		Measure: []measure.Spec{{Kind: measure.CombinedGraphs}}, Options: map[string]any{"eval_epochs": 5}}
	var slabs []bridge.Slab
	for i, f := range list {
		graphs.Data.Scans = append(graphs.Data.Scans, run.Scan{Name: f.Name, Class: 2 * i / len(list), Group: i / 2, File: f.Name})
		slabs = append(slabs, bridge.Bytes(fmt.Sprintf("file:%d", i), f.Data))
	}
	nodes := study.Task{Name: "dgi", Data: run.DataSpec{Example: "syn1", Options: map[string]any{"nodes": 40}}, Method: "dgi", Level: "lite", ModelSeed: 1}
	for _, task := range []study.Task{nodes, graphs} {
		want, err := task.Run(files, nil)
		if err != nil || want.Refused != "" {
			t.Fatal(err, want.Refused)
		}
		text, _ := json.Marshal(task)
		var got measure.Result
		ask := fmt.Sprintf(`"task":%s,"key":%q`, text, task.Key())
		if len(task.Data.Scans) > 0 {
			ask, slabs = read(t, "taskgraphs", ask, slabs...)
		}
		startMethods(t).call("task", ask, slabs...).read(t, &got)
		if got.Key != want.Key || got.Hash != want.Hash || !reflect.DeepEqual(got.Scores, want.Scores) {
			t.Errorf("%+v, expected key %s, hash %s and scores %+v", got, want.Key, want.Hash, want.Scores)
		}
	}
}
