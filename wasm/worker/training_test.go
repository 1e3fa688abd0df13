package worker

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

func TestTrainToTheEnd(t *testing.T) {
	want := direct(t)
	c := start(t)
	c.call("open", syn1)
	id := c.send("train", short)
	m := c.reply(id)
	var r struct{ Hash string }
	m.read(t, &r)
	p := m.progress(t)
	if !m.OK || p.State != run.Finished || p.Step != 60 || p.Epoch != 12 || p.Rank != want.Progress.Rank || r.Hash != want.Hash {
		t.Errorf("%+v %s, expected hash %s", p, r.Hash, want.Hash)
	}
	// Progress comes before the first step, and every step's losses come once, in order.
	events := c.events(id, "progress")
	if first := events[0].progress(t); first.Step != 0 || first.State != run.Running || first.Losses != nil {
		t.Errorf("first event %+v", first)
	}
	next, columns := 1, len(cadem.Terms)
	for _, e := range events {
		p, terms := e.progress(t), floats(e.slabs["losses"])
		if p.From != next || len(terms)%columns != 0 {
			t.Fatalf("losses from step %d after %d", p.From, next-1)
		}
		for i := 0; i < len(terms); i += columns {
			if l := want.Losses[next-1]; terms[i] != float32(l[0]) || terms[i+columns-1] != float32(l[columns-1]) {
				t.Fatalf("step %d: %v, expected %+v", next, terms[i:i+columns], l)
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
	if p := c.call("control", `"action":"play"`).progress(t); p.State != run.Finished {
		t.Errorf("a finished run plays on: %+v", p)
	}
}

func TestStepEpochPausePlay(t *testing.T) {
	want := direct(t)
	c := start(t)
	c.call("open", syn1)
	id := c.send("train", short+`,"paused":true`)
	if p := c.event(id, "progress").progress(t); p.State != run.Paused || p.Step != 0 {
		t.Fatalf("%+v", p)
	}
	for _, s := range []struct {
		action      string
		step, epoch int
	}{{"step", 1, 0}, {"step", 2, 0}, {"epoch", 5, 1}, {"epoch", 10, 2}, {"pause", 10, 2}} {
		if p := c.call("control", `"action":"`+s.action+`"`).progress(t); p.State != run.Paused || p.Step != s.step || p.Epoch != s.epoch {
			t.Errorf("%s: %+v, expected step %d of epoch %d", s.action, p, s.step, s.epoch)
		}
	}
	if p := c.call("control", `"action":"play"`).progress(t); p.State != run.Running {
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
	if !mat.Equal(c.w.run.Untrained.Consensus, want.Untrained.Consensus) {
		t.Error("the untrained embeddings differ")
	}
	// A finished run is answered at once and can be looked at.
	list = c.events(c.next, "checkpoint")
	id = c.send("resume", "", list[len(list)-1].slabs["checkpoint"])
	if p := c.reply(id).progress(t); p.State != run.Finished || p.Step != 60 {
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
	if p := c.reply(first).progress(t); p.State != run.Cancelled {
		t.Errorf("first run: %+v", p)
	}
	if p := c.reply(second).progress(t); p.State != run.Finished {
		t.Errorf("second run: %+v", p)
	}
	third := c.send("train", short+`,"paused":true`)
	c.event(third, "progress") // it stands: given up before, it leaves the second one in its place
	if p := c.call("control", `"action":"cancel"`).progress(t); p.State != run.Cancelled {
		t.Errorf("cancel: %+v", p)
	}
	for _, m := range c.seen {
		if m.ID == third && m.Kind == "reply" && m.progress(t).State != run.Cancelled {
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
	c.event(c.send("train", short+`,"paused":true`), "progress") // it stands: what comes before replaces it
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
	if before["total"] == 0 || after["total"] != 0 {
		t.Errorf("total %v, with weights of 0 %v", before["total"], after["total"])
	}
}

func TestPace(t *testing.T) {
	w, _, _ := spoil(t, nil)
	if got := w.run.interval(2).Milliseconds(); got != 100 {
		t.Errorf("2 epochs of 5 steps a second: a step every %d ms", got)
	}
	if w.run.interval(0) != 0 {
		t.Error("as fast as possible has to wait")
	}
	w.run.until = func() bool { return false }
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
