package worker

import (
	"bytes"
	"runtime"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// interrupting starts a worker that is sent something when it first lets requests in while it prepares the run
// that was asked for after arm was called. Its clock goes on by a slice whenever it is looked at, so that it lets
// requests in at every part of a preparation, on a fast machine as on a loaded one.
func interrupting(t *testing.T) (c *client, arm func(kind, args string)) {
	armed := make(chan func(), 1)
	c = &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100000)}
	var w *Worker
	w = newWhole(c.in, func() {
		if w.job != nil && w.job.coming {
			select {
			case send := <-armed:
				send()
			default:
			}
		}
		runtime.Gosched()
	})
	var clock time.Duration
	w.clock = func() time.Duration { clock += slice; return clock }
	go w.Serve()
	return c, func(kind, args string) { armed <- func() { c.send(kind, args) } }
}

// Requests to a run that is being prepared are done: it begins or is held once it is ready, or is
// given up, and the run before it stays.
func TestPreparing(t *testing.T) {
	const refined = `"options":{"epochs":100000,"early_stop":"off"},"preset":"refined","model_seed":1`
	c, arm := interrupting(t)
	c.call("open", `"data":{"example":"syn2","options":{"nodes":400},"data_seed":1}`)
	arm("control", `"action":"pause"`)
	id := c.send("train", refined)
	if m := c.reply(id + 1); !m.OK {
		t.Fatalf("pause: %+v", m.Error)
	}
	if p := c.event(id, "progress").progress(t); p.State != run.Paused || p.Step != 0 {
		t.Errorf("a run that was to be held: %+v", p)
	}
	if len(c.events(id, "preparing")) == 0 {
		t.Error("nothing is said of how far it is")
	}
	var shares cadem.Shares
	if told := c.events(id, "shares"); len(told) != 1 {
		t.Fatalf("what is shared is told %d times", len(told))
	} else if told[0].read(t, &shares); len(shares.Ranks) != 3 || len(shares.Agreement) == 0 || shares.Least < shares.Chance {
		t.Errorf("%+v", shares)
	}
	for _, end := range []struct{ kind, args string }{{"control", `"action":"cancel"`}, {"cancel", ""}, {"inspect", ""}} {
		arm(end.kind, end.args)
		next := c.send("train", refined)
		if end.kind == "inspect" { // which waits until the run stands
			if p := c.event(next, "progress").progress(t); p.State != run.Running {
				t.Errorf("%+v", p)
			}
			continue
		}
		if m := c.reply(next); m.OK || m.Error.Code != "cancelled" {
			t.Errorf("%s: %+v", end.kind, m)
		}
		if p := c.call("control", `"action":"step"`).progress(t); p.State != run.Paused || p.Step == 0 {
			t.Errorf("after %s the run before is %+v", end.kind, p)
		}
	}
	c.call("control", `"action":"pause"`)
	arm("control", `"action":"play"`)
	if p := c.event(c.send("train", refined+`,"paused":true`), "progress").progress(t); p.State != run.Running {
		t.Errorf("a run that was to begin: %+v", p)
	}
	c.call("control", `"action":"cancel"`)
}

// A run of refined goes on from its checkpoint with the same bits, and is compared with the
// same untrained model.
func TestResumeRefined(t *testing.T) {
	c := start(t)
	c.call("open", syn1)
	id := c.send("train", `"options":{"epochs":3,"early_stop":"off"},"preset":"refined","model_seed":1,"paused":true`)
	c.call("control", `"action":"step"`)
	c.call("embeddings", "")
	list := c.events(id, "checkpoint")
	c.call("control", `"action":"play"`)
	var whole, again struct{ Hash string }
	c.reply(id).read(t, &whole)
	before := c.w.run.Untrained.Private[0]
	next := c.send("resume", "", list[len(list)-1].slabs["checkpoint"])
	c.reply(next).read(t, &again)
	if again != whole || whole.Hash == "" {
		t.Errorf("hash %s, without interruption %s", again.Hash, whole.Hash)
	}
	if len(c.events(next, "shares")) != 1 {
		t.Error("nothing is said of what is shared")
	}
	if !mat.Equal(c.w.run.Untrained.Private[0], before) {
		t.Error("the untrained embeddings differ")
	}
}

// Requests are let in between the parts of what follows a preparation, too: the untrained embeddings and the first picture
// take as long as a slice where nodes are many. A run of released has no other parts.
func TestFirstPicture(t *testing.T) {
	c, arm := interrupting(t)
	c.call("open", syn1)
	arm("control", `"action":"cancel"`)
	if m := c.reply(c.send("train", `"options":{"epochs":3},"model_seed":1`)); m.OK || m.Error.Code != "cancelled" {
		t.Errorf("%+v", m)
	}
	id := c.send("train", `"options":{"epochs":3},"model_seed":1,"paused":true`)
	first := c.event(id, "snapshot")
	if xy, plane := first.slabs["xy"].Data, first.slabs["plane"].Data; len(xy) == 0 || !bytes.Equal(xy, plane) {
		t.Errorf("the first picture has %d bytes, as one of its own %d", len(xy), len(plane))
	}
}
