package worker

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"cadem/core/cadem"
	"cadem/core/formats"
	"cadem/core/multiplex"
	"cadem/core/run"
	"cadem/wasm/bridge"
)

const (
	syn1  = `"data":{"example":"syn1","options":{},"data_seed":3}`
	short = `"options":{"epochs":12,"inner_steps":5,"hidden":16},"preset":"released","model_seed":7`
)

// direct is the same run without any of this.
func direct(t *testing.T) *run.Result {
	t.Helper()
	d, err := run.OpenExample("syn1", nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.NewSettings("released", d)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetAll(map[string]any{"epochs": 12, "inner_steps": 5, "hidden": 16}); err != nil {
		t.Fatal(err)
	}
	s.ModelSeed = 7
	r, err := run.Train(d, s, cadem.Single, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func floats(s bridge.Slab) []float32 {
	x := make([]float32, len(s.Data)/4)
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(s.Data[4*i:]))
	}
	return x
}

func TestOpen(t *testing.T) {
	c := start(t)
	m := c.call("open", syn1)
	var r struct {
		Summary  run.Summary
		Task     string
		Defaults map[string]any
		Expect   string
	}
	m.read(t, &r)
	if r.Summary.Nodes != 100 || len(r.Summary.Layers) != 3 || r.Task != "classification" || r.Expect == "" || r.Defaults["epochs"] != 140.0 {
		t.Errorf("%+v", r)
	}
	for i, l := range r.Summary.Labels {
		s := m.slabs[fmt.Sprintf("labels:%d", i)]
		if s.Type != bridge.Int32 || len(s.Data) != 400 {
			t.Errorf("labels %s: %s of %d bytes", l.Name, s.Type, len(s.Data))
		}
	}
}

func TestTrainToTheEnd(t *testing.T) {
	want := direct(t)
	c := start(t)
	c.call("open", syn1)
	id := c.send("train", short)
	m := c.reply(id)
	var r struct{ Hash string }
	m.read(t, &r)
	p := m.progress(t)
	if !m.OK || p.State != finished || p.Step != 60 || p.Epoch != 12 || p.Rank != want.Progress.Rank || r.Hash != want.Hash {
		t.Errorf("%+v %s, expected hash %s", p, r.Hash, want.Hash)
	}
	// Progress comes before the first step, and every step's losses come once, in order.
	events := c.events(id, "progress")
	if first := events[0].progress(t); first.Step != 0 || first.State != running || first.Losses != nil {
		t.Errorf("first event %+v", first)
	}
	next := 1
	for _, e := range events {
		p, terms := e.progress(t), floats(e.slabs["losses"])
		if p.From != next || len(terms)%4 != 0 {
			t.Fatalf("losses from step %d after %d", p.From, next-1)
		}
		for i := 0; i < len(terms); i += 4 {
			if l := want.Losses[next-1]; terms[i] != float32(l.Matching) || terms[i+3] != float32(l.Total) {
				t.Fatalf("step %d: %v, expected %+v", next, terms[i:i+4], l)
			}
			next++
		}
	}
	if next != 61 {
		t.Errorf("losses of %d steps", next-1)
	}
	checkpoints := c.events(id, "checkpoint")
	if len(checkpoints) == 0 || !strings.Contains(string(checkpoints[len(checkpoints)-1].header), `"step":60`) {
		t.Error("no checkpoint of the end")
	}
	if c.fail("control", `"action":"fly"`).Code != "internal" {
		t.Error("an unknown action")
	}
	if p := c.call("control", `"action":"play"`).progress(t); p.State != finished {
		t.Errorf("a finished run plays on: %+v", p)
	}
}

func TestStepEpochPausePlay(t *testing.T) {
	want := direct(t)
	c := start(t)
	c.call("open", syn1)
	id := c.send("train", short+`,"paused":true`)
	if p := c.event(id, "progress").progress(t); p.State != paused || p.Step != 0 {
		t.Fatalf("%+v", p)
	}
	for _, s := range []struct {
		action      string
		step, epoch int
	}{{"step", 1, 0}, {"step", 2, 0}, {"epoch", 5, 1}, {"epoch", 10, 2}, {"pause", 10, 2}} {
		if p := c.call("control", `"action":"`+s.action+`"`).progress(t); p.State != paused || p.Step != s.step || p.Epoch != s.epoch {
			t.Errorf("%s: %+v, expected step %d of epoch %d", s.action, p, s.step, s.epoch)
		}
	}
	if p := c.call("control", `"action":"play"`).progress(t); p.State != running {
		t.Errorf("play: %+v", p)
	}
	var r struct{ Hash string }
	c.reply(id).read(t, &r)
	if r.Hash != want.Hash {
		t.Errorf("hash %s, without interruptions %s", r.Hash, want.Hash)
	}
}

func TestResumeEndsWithTheSameBits(t *testing.T) {
	want := direct(t)
	c := start(t)
	c.call("open", syn1)
	id := c.send("train", short+`,"paused":true`)
	c.call("control", `"action":"epoch"`)
	c.call("control", `"action":"step"`)
	c.call("embeddings", "")
	list := c.events(id, "checkpoint")
	checkpoint := list[len(list)-1].slabs["checkpoint"]
	for name, args := range map[string]string{"data open": "", "data open and named": syn1, "data not open": syn1} {
		if name == "data not open" {
			c = start(t)
		}
		id := c.send("resume", args, checkpoint)
		if p := c.event(id, "progress").progress(t); p.Step != 6 || p.From != 7 {
			t.Errorf("%s: begins with %+v", name, p)
		}
		var r struct{ Hash string }
		c.reply(id).read(t, &r)
		if r.Hash != want.Hash {
			t.Errorf("%s: hash %s, expected %s", name, r.Hash, want.Hash)
		}
	}
	// The baseline of a resumed run is that of the whole one.
	m := c.call("embeddings", "")
	for i, v := range floats(m.slabs["untrained:common"]) {
		if v != float32(want.Untrained.Consensus.RawMatrix().Data[i]) {
			t.Fatal("the untrained embeddings differ")
		}
	}
	// A finished run is answered at once and can be looked at.
	list = c.events(c.next-1, "checkpoint")
	id = c.send("resume", "", list[len(list)-1].slabs["checkpoint"])
	if p := c.reply(id).progress(t); p.State != finished || p.Step != 60 {
		t.Errorf("the checkpoint of a finished run: %+v", p)
	}
	contents, err := checkpoint.Load()
	if err != nil {
		t.Fatal(err)
	}
	if e := c.fail("resume", "", bridge.Bytes("checkpoint", contents[:len(contents)-1])); e.Code != "corrupt" {
		t.Errorf("a cut checkpoint: %+v", e)
	}
	if e := c.fail("resume", ""); e.Code != "corrupt" {
		t.Errorf("no checkpoint: %+v", e)
	}
	if e := start(t).fail("resume", "", checkpoint); e.Code != "no-data" {
		t.Errorf("no data: %+v", e)
	}
}

func TestAnotherRunCancelsTheFirst(t *testing.T) {
	c := start(t)
	c.call("open", syn1)
	first := c.send("train", strings.Replace(short, "12", "100000", 1))
	c.event(first, "progress")
	second := c.send("train", short)
	if p := c.reply(first).progress(t); p.State != cancelled {
		t.Errorf("first run: %+v", p)
	}
	if p := c.reply(second).progress(t); p.State != finished {
		t.Errorf("second run: %+v", p)
	}
	third := c.send("train", short+`,"paused":true`)
	if p := c.call("control", `"action":"cancel"`).progress(t); p.State != cancelled {
		t.Errorf("cancel: %+v", p)
	}
	for _, m := range c.seen {
		if m.ID == third && m.Kind == "reply" && m.progress(t).State != cancelled {
			t.Errorf("third run: %s", m.Result)
		}
	}
	for _, kind := range []string{"control", "embeddings", "frame", "clusters", "evaluate", "export"} {
		if e := c.fail(kind, `"action":"pause"`); e.Code != "no-run" {
			t.Errorf("%s without a run: %+v", kind, e)
		}
	}
}

func TestARefusedRequestLeavesTheRun(t *testing.T) {
	c := start(t)
	if e := c.fail("train", short); e.Code != "no-data" {
		t.Errorf("%+v", e)
	}
	c.call("open", syn1)
	c.send("train", short+`,"paused":true`)
	for args, want := range map[string]string{
		`"options":{"epochs":0}`:      "epochs",
		`"options":{"colour":"blue"}`: "colour",
		`"options":{"dim":"x"}`:       "dim",
		`"preset":"best"`:             "preset",
		`"model_seed":-1`:             "model_seed",
	} {
		if e := c.fail("train", args); e.Code != "bad-option" || e.Field != want {
			t.Errorf("%s: %+v", args, e)
		}
	}
	if e := c.fail("open", `"data":{"files":[{"name":"a.edges","size":3}]}`, bridge.Bytes("file:0", []byte("x y"))); e.Code != "bad-data" || e.File != "a.edges" {
		t.Errorf("%+v", e)
	}
	if e := c.fail("open", `"data":{"files":[{"name":"a.edges","size":5000000000}]}`, bridge.Bytes("file:0", []byte("1 1 2"))); e.Code != "bad-data" ||
		!strings.Contains(e.Message, "5.0 GB") {
		t.Errorf("%+v", e)
	}
	if e := c.fail("open", `"data":{"files":[{"name":"a.edges","size":3}]}`); e.Code != "bad-data" {
		t.Errorf("%+v", e)
	}
	if e := c.fail("open", `"data":{"example":"syn9"}`); e.Code != "bad-option" {
		t.Errorf("%+v", e)
	}
	// A sound checkpoint of a run on other data is found out when the run is made.
	other := start(t)
	other.call("open", `"data":{"example":"syn2","options":{"nodes":60}}`)
	id := other.send("train", short+`,"paused":true`)
	other.call("control", `"action":"step"`)
	other.call("embeddings", "")
	list := other.events(id, "checkpoint")
	if e := c.fail("resume", "", list[len(list)-1].slabs["checkpoint"]); e.Code != "corrupt" {
		t.Errorf("a checkpoint of other data: %+v", e)
	}
	if p := c.call("control", `"action":"step"`).progress(t); p.Step != 1 {
		t.Errorf("after the refusals: %+v", p)
	}
}

func TestSet(t *testing.T) {
	c := start(t)
	c.call("open", syn1)
	c.send("train", short+`,"paused":true`)
	before := c.call("control", `"action":"step"`).progress(t).Losses
	for args, field := range map[string]string{
		`"live":{"epochs":3}`:       "epochs",
		`"live":{"lr_heads":-1}`:    "lr_heads",
		`"live":{"nothing":1}`:      "nothing",
		`"pace":-1`:                 "pace",
		`"live":{"lr_heads":"big"}`: "live",
	} {
		if e := c.fail("control", `"action":"set",`+args); e.Code != "bad-option" || !strings.HasPrefix(e.Field, field) {
			t.Errorf("%s: %+v", args, e)
		}
	}
	c.call("control", `"action":"set","live":{"weight_matching":0,"weight_selfsupervised":0,"weight_causal":0},"pace":1000,"watch":true`)
	after := c.call("control", `"action":"step"`).progress(t).Losses
	if before.Total == 0 || after.Total != 0 {
		t.Errorf("total %v, with weights of 0 %v", before.Total, after.Total)
	}
}

func TestFrames(t *testing.T) {
	c := start(t)
	c.call("open", syn1)
	id := c.send("train", short+`,"paused":true`)
	c.call("control", `"action":"step"`)
	if n := len(c.events(id, "frame")); n != 0 {
		t.Errorf("%d frames that nobody watches", n)
	}
	c.call("control", `"action":"set","watch":true`)
	m := c.event(id, "frame")
	xy := m.slabs["xy"]
	if fmt.Sprint(xy.Shape) != "[4 100 2]" || xy.Type != bridge.Float32 {
		t.Errorf("frame of shape %v", xy.Shape)
	}
	var f struct {
		Step       int
		Embeddings []string
		Explained  []float64
	}
	m.read(t, &f)
	if f.Step != 1 || strings.Join(f.Embeddings, " ") != "common private_1 private_2 private_3" || len(f.Explained) != 4 || f.Explained[0] <= 0 ||
		f.Explained[0] > 1.0001 {
		t.Errorf("%+v", f)
	}
	c.call("control", `"action":"step"`)
	if list := c.events(id, "frame"); len(list) != 2 || !strings.Contains(string(list[1].header), `"step":2`) {
		t.Errorf("%d frames after a step", len(list))
	}
	if m := c.call("frame", ""); len(m.slabs["xy"].Data) != 4*4*100*2 {
		t.Error("no picture on request")
	}
}

// With steps so slow that every report finds a frame due, checkpoints are still taken.
func TestFramesDoNotKeepCheckpointsAway(t *testing.T) {
	c := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100)}
	w := NewWhole(c.in, runtime.Gosched)
	w.watched = true
	c.send("open", syn1)
	w.answer(c.in.Next())
	id := c.send("train", short)
	w.answer(c.in.Next())
	for range 4 {
		w.run.framed, w.run.secured = -time.Hour, -time.Hour
		if !w.run.step(w) {
			t.Fatal("the run is over")
		}
		w.run.report(w, false)
	}
	c.send("embeddings", "")
	w.answer(c.in.Next())
	c.reply(c.next)
	if frames, checkpoints := len(c.events(id, "frame")), len(c.events(id, "checkpoint")); frames != 5 || checkpoints != 2 {
		t.Errorf("%d frames and %d checkpoints, expected 5 and every second time one", frames, checkpoints)
	}
}

func TestClusters(t *testing.T) {
	c := start(t)
	c.call("open", syn1)
	c.send("train", short+`,"paused":true`)
	m := c.call("clusters", `"embedding":"private_2","k":3,"eval_seed":5`)
	var r struct {
		Scores []struct {
			Labels   string
			ARI, NMI float64
		}
	}
	m.read(t, &r)
	if len(m.slabs["clusters"].Data) != 400 || len(r.Scores) != 4 || r.Scores[2].Labels != "layer_2" || r.Scores[2].ARI < r.Scores[3].ARI {
		t.Errorf("%+v", r)
	}
	for args, field := range map[string]string{`"embedding":"C","k":3`: "embedding", `"embedding":"common","k":0`: "k", `"embedding":"common","k":101`: "k"} {
		if e := c.fail("clusters", args); e.Code != "bad-option" || e.Field != field {
			t.Errorf("%s: %+v", args, e)
		}
	}
}

func TestStarts(t *testing.T) {
	for _, c := range [][4]int{{100, 8, 3, 10}, {1000, 8, 10, 10}, {100_000, 8, 3, 3}, {100_000, 256, 50, 1}} {
		if got := starts(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%d nodes, %d dimensions, %d clusters: %d starts, expected %d", c[0], c[1], c[2], got, c[3])
		}
	}
}

func TestEvaluate(t *testing.T) {
	c := start(t)
	c.call("open", syn1)
	c.send("train", short)
	id := c.send("evaluate", `"options":{"eval_epochs":5},"eval_seed":1`)
	control := c.send("control", `"action":"pause"`)
	m := c.reply(id)
	var r struct {
		Scores []struct{ Embedding, Target, Metric string }
	}
	m.read(t, &r)
	if len(r.Scores) != 5*4*2 || r.Scores[0].Embedding != "combined" || r.Scores[0].Target != "final" || r.Scores[0].Metric != "macro_f1" {
		t.Errorf("%d rows, first %+v", len(r.Scores), r.Scores)
	}
	if len(c.events(id, "scoring")) == 0 {
		t.Error("no word of the progress")
	}
	answered := false
	for _, m := range c.seen {
		answered = answered || m.ID == control && m.Kind == "reply"
	}
	if !answered {
		t.Error("pausing had to wait for the end of the evaluation")
	}
	if e := c.fail("evaluate", `"options":{"folds":1}`); e.Code != "bad-option" || e.Field != "folds" {
		t.Errorf("%+v", e)
	}
}

func TestAnotherRunInterruptsAnEvaluation(t *testing.T) {
	c := start(t)
	c.call("open", syn1)
	c.send("train", short)
	id := c.send("evaluate", `"options":{"eval_epochs":10000}`)
	c.event(id, "scoring")
	next := c.send("train", short+`,"paused":true`)
	if m := c.reply(id); m.OK || m.Error.Code != "cancelled" {
		t.Errorf("the evaluation: %s %+v", m.Result, m.Error)
	}
	if p := c.event(next, "progress").progress(t); p.State != paused || p.Step != 0 {
		t.Errorf("the next run: %+v", p)
	}
}

func TestExportImport(t *testing.T) {
	c := start(t)
	edges := []byte("1 1 2 1\n1 2 3 1\n1 3 4 1\n2 1 3 1\n2 2 4 1\n2 1 4 1\n")
	const files = `"data":{"files":[{"name":"my data.edges","size":48}]}`
	c.call("open", files, bridge.Bytes("file:0", edges))
	c.reply(c.send("train", `"options":{"epochs":3,"dim":4,"hidden":8}`))
	losses := bridge.Float32s("losses", []float32{1, 2, 3, 4, 5, 6, 7, 8}, 2, 4)
	record := `{"run":"r1","name":"mine",` + files + `,"created":"2025-01-31T12:00:00Z","updated":"2025-01-31T12:00:00Z",` +
		`"options":{"epochs":3},"preset":"released","model_seed":0,"state":"finished","summary":{"name":"my data"}}`
	m := c.call("export", `"what":"run","record":`+record, losses)
	var r struct{ Name, Type string }
	m.read(t, &r)
	if r.Type != "application/zip" || !strings.HasSuffix(r.Name, "-run.zip") {
		t.Errorf("%+v", r)
	}
	exported := m.slabs["file"]
	hash := func(c *client) string {
		var r struct{ Hash string }
		c.call("embeddings", "").read(t, &r)
		return r.Hash
	}
	want := hash(c)

	c = start(t)
	inPlaces := c.call("import", `"name":"my-run.zip"`, bridge.Slab{Name: "file", Blob: bytes.NewReader(exported.Data)})
	m = c.call("import", `"name":"my-run.zip"`, exported)
	if !bytes.Equal(inPlaces.slabs["checkpoint"].Data, m.slabs["checkpoint"].Data) || string(inPlaces.Result) != string(m.Result) {
		t.Error("read in places, the run is another")
	}
	var imported struct {
		Record struct{ Run, Name string }
	}
	m.read(t, &imported)
	if imported.Record.Run != "r1" || imported.Record.Name != "mine" || !bytes.Equal(m.slabs["file:0"].Data, edges) ||
		!bytes.Equal(m.slabs["losses"].Data, losses.Data) || fmt.Sprint(m.slabs["losses"].Shape) != "[2 4]" {
		t.Errorf("%+v, slabs %d", imported, len(m.slabs))
	}
	c.call("resume", files, m.slabs["file:0"], m.slabs["checkpoint"])
	if got := hash(c); got != want {
		t.Errorf("hash %s after import, %s before export", got, want)
	}
	for name, data := range map[string][]byte{"empty": nil, "text": []byte("hello"), "cut": exported.Data[:len(exported.Data)/2]} {
		if e := c.fail("import", `"name":"x.zip"`, bridge.Bytes("file", data)); e.Code != "bad-data" || e.File != "x.zip" ||
			!strings.HasPrefix(e.Message, "x.zip: ") {
			t.Errorf("%s: %+v", name, e)
		}
	}
	// What the page cannot take over is refused before it could be stored.
	for field, change := range map[string][]string{
		"record.name: found 5":               {`"name":"mine"`, `"name":5`},
		"record.options.epochs: found 0":     {`"epochs":3`, `"epochs":0`},
		"record.data.files[0].name":          {`"name":"my data.edges"`, `"name":[]`},
		"slabs: found nothing called file:1": {`"size":48}`, `"size":48},{"name":"b","size":1}`},
	} {
		bad := c.call("export", `"what":"run","record":`+strings.Replace(record, change[0], change[1], 1), losses).slabs["file"]
		if e := c.fail("import", `"name":"bad.cadem"`, bad); e.Code != "bad-data" || e.File != "bad.cadem" ||
			!strings.HasPrefix(e.Message, "bad.cadem: run.json: ") || !strings.Contains(e.Message, field) || !strings.Contains(e.Message, "expected") {
			t.Errorf("%s: %+v", field, e)
		}
	}
	bad := c.call("export", `"what":"run","record":`+record, bridge.Float32s("losses", make([]float32, 9), 3, 3)).slabs["file"]
	if e := c.fail("import", `"name":"bad.cadem"`, bad); e.Code != "bad-data" || !strings.Contains(e.Message, "losses") {
		t.Errorf("%+v", e)
	}
	m = c.call("export", `"what":"csv"`)
	if lines := strings.Split(string(m.slabs["file"].Data), "\n"); len(lines) != 6 || !strings.Contains(lines[0], "common_1") ||
		!strings.Contains(lines[0], "private_2_4") {
		t.Errorf("csv: %q", lines)
	}
	if m = c.call("export", `"what":"npz"`); !bytes.HasPrefix(m.slabs["file"].Data, []byte("PK")) {
		t.Error("npz: no zip archive")
	}
}

// spoil returns a worker with a run whose next step fails, or panics for nil.
func spoil(t *testing.T, err error) (*Worker, *client, *bridge.Request) {
	c := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100)}
	w := NewWhole(c.in, runtime.Gosched)
	c.send("open", syn1)
	w.answer(c.in.Next())
	c.send("train", short+`,"paused":true`)
	w.answer(c.in.Next())
	w.run.advance = func() error {
		if err != nil {
			return err
		}
		panic("deliberate")
	}
	c.send("control", `"action":"step"`)
	return w, c, c.in.Next()
}

func TestPanicInAStepGivesUpTheRun(t *testing.T) {
	w, c, step := spoil(t, nil)
	w.answer(step)
	if m := c.reply(2); m.OK || m.Error.Code != "internal" || !strings.Contains(m.Error.Message, "deliberate") {
		t.Errorf("the run: %+v", m.Error)
	}
	if m := c.reply(3); m.OK || m.Error.Code != "internal" {
		t.Errorf("the step: %+v", m.Error)
	}
	if w.run != nil {
		t.Error("the run is still there")
	}
	c.send("train", short+`,"paused":true`)
	w.answer(c.in.Next())
	if w.run == nil {
		t.Error("no new run can be started")
	}
}

func TestNonFiniteLoss(t *testing.T) {
	w, c, step := spoil(t, &cadem.NonFinite{Step: 4, Term: "causal"})
	w.answer(step)
	if m := c.reply(2); m.OK || m.Error.Code != "nonfinite" || !strings.Contains(m.Error.Message, "step 4: the causal loss") {
		t.Errorf("the run: %+v", m.Error)
	}
	if p := c.reply(3).progress(t); p.State != failed {
		t.Errorf("the step: %+v", p)
	}
}

func TestTooLarge(t *testing.T) {
	const m = 60000
	a, err := multiplex.FromEdges(m, []multiplex.Edge{{I: 0, J: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	g := &multiplex.Graph{}
	for range 5 {
		g.Layers = append(g.Layers, multiplex.Layer{Name: "l", Adjacency: a, Features: multiplex.Identity(m)})
	}
	o := cadem.Released()
	if e, ok := fits(extentOf(g), &o).(*bridge.Error); !ok || e.Code != "too-large" ||
		!strings.Contains(e.Message, "5 layers of 60000 features and 256 hidden units") {
		t.Errorf("%v", e)
	}
	survey := &formats.Survey{Nodes: m, Variables: []formats.Surveyed{
		{Variable: formats.Variable{Name: "l"}, Layer: &formats.LayerCounts{NNZ: 2, Symmetric: true}},
		{Variable: formats.Variable{Name: "directed"}, Layer: &formats.LayerCounts{NNZ: 1}},
	}}
	choice := &formats.Choice{Layers: []string{"l", "l", "directed", "l", "l"}, Features: formats.NoFeatures}
	if got, want := extentOfChoice(survey, choice), extentOf(g); !reflect.DeepEqual(got, want) {
		t.Errorf("as chosen %+v, as opened %+v", got, want)
	}
	if e := fits(extentOf(g), &o).Error(); !strings.HasSuffix(e,
		"It would fit with 128 hidden units, or with 2 of the layers, or with 30000 features instead of one for each node.") {
		t.Errorf("what is proposed: %s", e)
	}
	o.Hidden = 16
	if err := fits(extentOf(g), &o); err != nil {
		t.Errorf("with 16 hidden units: %v", err)
	}
}

// A checkpoint of a small graph's wide model goes with no large graph.
func TestResumeTooLarge(t *testing.T) {
	c := start(t)
	c.call("open", `"data":{"example":"syn1","options":{"nodes":20}}`)
	id := c.send("train", `"options":{"epochs":1,"inner_steps":1,"hidden":4096}`)
	c.reply(id)
	checkpoint := c.events(id, "checkpoint")[0].slabs["checkpoint"]
	large := `"data":{"example":"syn1","options":{"nodes":5000,"p_intra":0.001,"p_inter":0.0001}}`
	if e := c.fail("resume", large, checkpoint); e.Code != "too-large" {
		t.Errorf("%+v", e)
	}
	c.call("embeddings", "") // of the run that was there
}

func TestPace(t *testing.T) {
	w, _, _ := spoil(t, nil)
	if got := w.run.interval(2).Milliseconds(); got != 100 {
		t.Errorf("2 epochs of 5 steps a second: a step every %d ms", got)
	}
	if w.run.interval(0) != 0 {
		t.Error("as fast as possible has to wait")
	}
	w.run.until = 1
	if w.run.interval(2) != 0 {
		t.Error("a single epoch has to wait")
	}
}

func TestAverage(t *testing.T) {
	var a average
	a.add(3, 1)
	if a.value != 3 {
		t.Errorf("after one value of 3: %v", a.value)
	}
	for range 1000 {
		a.add(5, 2)
	}
	if math.Abs(a.value-5) > 1e-6 {
		t.Errorf("long after: %v", a.value)
	}
}
