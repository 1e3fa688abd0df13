package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/core/lab/study/measure"
	"cadem.example/wasm/bridge"
)

func tiny() study.Task {
	return study.Task{Name: "tiny", Data: run.DataSpec{Example: "syn1", Options: map[string]any{"nodes": 30}, DataSeed: 2}, Preset: "released",
		Options: map[string]any{"epochs": 4, "eval_epochs": 3}, ModelSeed: 4, EvalSeed: 1,
		Measure: []measure.Spec{{Kind: measure.Scores, Embeddings: []string{"private_1"}}}}
}

func asArgument(t *testing.T, name string, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%q:%s", name, text)
}

// A task in the program has its native result, and does not change the run.
func TestTask(t *testing.T) {
	task := tiny()
	want, err := task.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := start(t)
	c.call("open", syn1)
	training := c.send("train", short+`,"paused":true`)
	c.event(training, "progress")
	id := c.send("task", asArgument(t, "task", task))
	m := c.reply(id)
	if !m.OK {
		t.Fatalf("%+v", m.Error)
	}
	var got measure.Result
	m.read(t, &got)
	if !reflect.DeepEqual(&got, want) {
		t.Errorf("%+v, natively %+v", got, want)
	}
	for _, e := range c.events(id, "task") { // none of a task that takes no time
		var p struct{ Done, Total int }
		if e.read(t, &p); p.Total != 1000 || p.Done > p.Total {
			t.Errorf("progress %+v", p)
		}
	}
	if now := c.call("control", `"action":"step"`).progress(t); now.Step != 1 || now.State != run.Paused {
		t.Errorf("afterwards the run is at %+v", now)
	}
}

func TestTaskOnFiles(t *testing.T) {
	edges := []byte("1 1 2 1\n1 2 3 1\n1 3 4 1\n1 4 1 1\n2 1 3 1\n2 2 4 1\n2 1 2 1\n2 3 4 1\n")
	c := start(t)
	var named struct{ Files []run.FileSpec }
	c.call("describe", `"data":{"files":[{"name":"a.edges","size":64}]}`, bridge.Bytes("file:0", edges)).read(t, &named)
	if want, _ := run.InMemory([]formats.File{{Name: "a.edges", Data: edges}}); len(named.Files) != 1 || named.Files[0] != want[0] {
		t.Fatalf("named %+v, natively %+v", named.Files, want)
	}
	task := study.Task{Name: "files", Data: run.DataSpec{Files: named.Files}, Preset: "released", Options: map[string]any{"epochs": 2, "hidden": 4}}
	want, err := task.Run(&run.Files{Read: func(run.FileSpec) ([]byte, error) { return edges, nil }}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := c.fail("task", asArgument(t, "task", task)); e.Code != "bad-data" || e.File != "a.edges" {
		t.Errorf("without the file: %+v", e)
	}
	var got, again measure.Result
	c.call("task", asArgument(t, "task", task), bridge.Bytes("file:0", edges)).read(t, &got)
	if got.Hash != want.Hash {
		t.Errorf("%s, natively %s", got.Hash, want.Hash)
	}
	task.ModelSeed++
	c.call("task", asArgument(t, "task", task)).read(t, &again) // on what the task before has read
	if again.Hash == got.Hash {
		t.Error("another seed gives the same embeddings")
	}
	task.Data.Files, _ = run.InMemory([]formats.File{{Name: "a.edges", Data: edges[8:]}})
	if e := c.fail("task", asArgument(t, "task", task)); e.Code != "bad-data" || e.File != "a.edges" {
		t.Errorf("other contents: %+v", e)
	}
	task.Data.Files = nil
	if e := c.fail("task", asArgument(t, "task", task)); e.Code != "bad-data" {
		t.Errorf("without data: %+v", e)
	}
}

func TestCancelEndsTheTask(t *testing.T) {
	c := start(t)
	task := tiny()
	task.Options["epochs"], task.Options["early_stop"] = 100000, "off"
	id := c.send("task", asArgument(t, "task", task))
	c.event(id, "task")
	c.call("plan", asArgument(t, "tasks", []study.Task{task})) // is quick
	c.fail("surface", `"data":{"files":[]},"regions":1`)       // so is this
	waiting := c.send("clusters", `"embedding":"common","k":2`)
	c.call("cancel", "")
	if m := c.reply(id); m.OK || m.Error.Code != "cancelled" {
		t.Errorf("%+v", m)
	}
	if m := c.reply(waiting); m.OK || m.Error.Code != "no-run" {
		t.Errorf("what waited for the end was answered with %+v", m.Error)
	}
	c.call("cancel", "") // of nothing
	small := tiny()
	c.call("task", asArgument(t, "task", small))
}

func TestPlan(t *testing.T) {
	a, b := tiny(), tiny()
	b.Data.Options = map[string]any{"nodes": 3000}
	c := start(t)
	var got struct {
		Tasks []struct {
			Key   string
			Bytes int64
		}
	}
	c.call("plan", asArgument(t, "tasks", []study.Task{a, b})).read(t, &got)
	if len(got.Tasks) != 2 || got.Tasks[0].Key != a.Key() || got.Tasks[0].Bytes != a.Bytes() || got.Tasks[1].Bytes != b.Bytes() {
		t.Errorf("%+v", got)
	}
}

func TestTaskMistakes(t *testing.T) {
	c := start(t)
	for _, args := range []string{`"task":{"data":{"example":"syn1"},"preset":"released","options":{"epochs":-1}}`,
		`"task":{"data":{"example":"syn1"},"preset":"none"}`, `"task":7`} {
		if e := c.fail("task", args); e.Code != "bad-option" {
			t.Errorf("%s: %+v", args, e)
		}
	}
}

// Arrays travel bit by bit.
func TestFloat64s(t *testing.T) {
	s := bridge.Float64s("x", []float64{1, -0.5}, 1, 2)
	if s.Type != bridge.Float64 || !bytes.Equal(s.Data, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0xe0, 0xbf}) {
		t.Errorf("%+v", s)
	}
}

// Inputs whose arrays come as slabs equal those in the task itself, and a report takes results in
// this way, too.
func TestInputsInSlabs(t *testing.T) {
	o := study.Order{Study: "table5", Options: map[string]any{"subjects": 2, "regions": 60, "epochs": 1, "eval_epochs": 2}}
	tasks, err := experiments.All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := tasks[0].Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	shared := tasks[1]
	shared.Inputs = []*measure.Result{prepared}
	want, err := shared.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	bare := *prepared
	bare.Arrays = nil
	var slabs []bridge.Slab
	for _, a := range prepared.Arrays {
		bare.Arrays = append(bare.Arrays, measure.Array{Name: a.Name, Shape: a.Shape})
		slabs = append(slabs, bridge.Float64s("input:0:"+string(a.Name), a.Data, a.Shape...))
	}
	shared.Inputs = []*measure.Result{&bare}
	c := start(t)
	var got measure.Result
	c.call("task", asArgument(t, "task", shared), slabs...).read(t, &got)
	if !reflect.DeepEqual(got.Last, want.Last) || got.Key != want.Key {
		t.Errorf("%+v, natively %+v", got, want)
	}
	var answer struct {
		Reports []struct{ Sheets []study.Sheet }
	}
	c.call("report", asArgument(t, "order", o)+","+asArgument(t, "results", []*measure.Result{&bare}), slabs...).read(t, &answer)
	if len(answer.Reports) != 1 || len(answer.Reports[0].Sheets) == 0 || len(answer.Reports[0].Sheets[0].Lines) != 7 {
		t.Errorf("%+v", answer)
	}
}

// Scans are found among the beginnings of files; what is wrong with a table of them is said.
func TestScansAmongFiles(t *testing.T) {
	c := start(t)
	wide := strings.Repeat(strings.Repeat("1,", 30)+"1\n", 2)
	call := `"data":{"files":[{"name":"a.csv","size":1},{"name":"b.csv","size":1},{"name":"scans.csv","size":1}]}`
	slabs := func(table string) []bridge.Slab {
		return []bridge.Slab{bridge.Bytes("file:0", []byte(wide)), bridge.Bytes("file:1", []byte(wide)), bridge.Bytes("file:2", []byte(table))}
	}
	var found struct {
		Cohort []struct{ Subject, Condition, File string }
		Files  []string
	}
	c.call("scans", call, slabs("subject,condition,file\nx,rest,a.csv\nx,task,b.csv\n")...).read(t, &found)
	if len(found.Cohort) != 2 || found.Cohort[1].Condition != "task" || len(found.Files) != 2 {
		t.Errorf("%+v", found)
	}
	if e := c.fail("scans", call, slabs("subject,condition,file\nx,rest,c.csv\n")...); e.Code != "bad-data" ||
		!strings.Contains(e.Message, "c.csv, which is not among the files") {
		t.Errorf("%+v", e)
	}
}
