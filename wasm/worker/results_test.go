package worker

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

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
	w := newWhole(c.in, runtime.Gosched)
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
	frames := len(c.events(id, "snapshot")) + len(c.events(id, "frame"))
	if checkpoints := len(c.events(id, "checkpoint")); frames != 5 || checkpoints != 2 {
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
	all := c.events(id, "scoring")
	if len(all) == 0 || !strings.Contains(string(all[0].header), `"of":"c`) && !strings.Contains(string(all[0].header), `"of":"p`) {
		t.Error("no word of the progress, or of what is scored")
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
	if p := c.event(next, "progress").progress(t); p.State != run.Paused || p.Step != 0 {
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
	// Results that the page cannot take over are refused before they could be stored.
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
