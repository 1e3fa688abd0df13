package worker

import (
	"runtime"
	"testing"
	"time"

	"cadem.example/wasm/bridge"
)

// A program that does so warms up once, when its first data set stands, and never beside a run.
func TestWarming(t *testing.T) {
	c := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100)}
	w := newFirst(c.in, runtime.Gosched)
	ask := func(kind, args string) {
		c.send(kind, args)
		w.answer(c.in.Next())
	}
	ask("open", syn1)
	if w.warmUp != nil || w.wait() >= 0 {
		t.Error("warms up unasked")
	}
	WarmUp(w)
	ask("open", syn1)
	if wait := w.wait(); w.warmUp == nil || wait <= 0 || wait > warmUpDue {
		t.Fatalf("%+v, to begin after %v", w.warmUp, wait)
	}
	for w.warmUp.slice() { // it comes to an end
	}
	if w.warmUp.trainer.Progress().Step == 0 {
		t.Error("it took no step")
	}
	ask("train", short+`,"paused":true`)
	if w.warmUp != nil || w.wait() >= 0 {
		t.Error("warms up beside a run")
	}
	ask("open", syn1)
	if w.warmUp != nil {
		t.Error("warms up a second time")
	}
}

// A program that serves looks for messages while it warms up, and answers them.
func TestServeWarmsUp(t *testing.T) {
	looks := make(chan bool, 2)
	c := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100)}
	w := newFirst(c.in, func() {
		select {
		case looks <- true:
		default: // two are enough
		}
		runtime.Gosched()
	})
	WarmUp(w)
	go w.Serve()
	c.call("open", syn1)
	for n := range cap(looks) {
		select {
		case <-looks:
		case <-time.After(patience):
			t.Fatalf("%v after the data set stood, it has looked for messages %d times", patience, n)
		}
	}
	c.call("open", syn1)
}

// The training for warming up has more steps than that needs.
func TestSmallTraining(t *testing.T) {
	if p := smallTraining().Progress(); p.Steps < 100_000 {
		t.Errorf("%d steps", p.Steps)
	}
}
