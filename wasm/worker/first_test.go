package worker

import (
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"cadem.example/wasm/bridge"
)

// A run of little memory leaves the pace of the collector as the program has set it.
func TestGarbage(t *testing.T) {
	for _, test := range []struct {
		make func(*bridge.Inbox, func()) *Worker
		want int
	}{{newFirst, 100}, {newWhole, 40}} {
		c := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100000)}
		go test.make(c.in, runtime.Gosched).Serve()
		c.call("open", syn1)
		debug.SetGCPercent(gcPercentLarge)
		c.call("train", short)
		if got := debug.SetGCPercent(100); got != test.want {
			t.Errorf("garbage of %d percent comes together, expected %d", got, test.want)
		}
	}
}

// TestFirst asks both workers for the same run, and the one of a first visit for what it does
// not have.
func TestFirst(t *testing.T) {
	c := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100000)}
	first, whole := newFirst(c.in, runtime.Gosched), newWhole(c.in, runtime.Gosched)
	go first.Serve()
	for _, answer := range first.Answers() {
		if !slices.Contains(whole.Answers(), answer) {
			t.Errorf("the whole program does not answer %s", answer)
		}
	}
	if slices.Contains(first.Answers(), "files") || !slices.Contains(whole.Answers(), "files") {
		t.Errorf("answers %v and %v", first.Answers(), whole.Answers())
	}
	c.call("open", syn1)
	var r struct{ Hash string }
	c.call("train", short).read(t, &r)
	if want := direct(t).Hash; r.Hash != want {
		t.Errorf("hash %s, expected %s", r.Hash, want)
	}
	for _, q := range [][2]string{{"task", ""}, {"inspect", `"data":{}`}, {"open", `"data":{"files":[{"name":"a.csv","size":3}]}`}} {
		if e := c.fail(q[0], q[1]); e.Code != "internal" {
			t.Errorf("%v: %+v", q, e)
		}
	}
	var after struct{ Hash string }
	c.call("embeddings", "").read(t, &after)
	if after.Hash != r.Hash {
		t.Errorf("afterwards the hash is %s, was %s", after.Hash, r.Hash)
	}
}
