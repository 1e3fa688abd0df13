package worker

import (
	"bytes"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/wasm/bridge"
)

// A pause that comes while a checkpoint is written is answered before that is done, but only if
// nothing older still waits. Requests that come during longer work are left to it, and a cancel has
// to end it.
func TestPauseWhileACheckpointIsWritten(t *testing.T) {
	for _, test := range []struct {
		before string // what came before, without braces
		job    *job
		paused bool
	}{{"", nil, true}, {`"kind":"control","action":"play"`, nil, false}, {"", &job{}, false}} {
		c := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100)}
		w := newFirst(c.in, func() {})
		d, err := run.OpenExample("syn2", map[string]any{"nodes": 30}, 0)
		if err != nil {
			t.Fatal(err)
		}
		s, err := settings(d, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		begun, err := s.Start([]*multiplex.Graph{d.Graph}, precision.Single, run.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		w.run, w.job = &training{Run: begun, state: run.Running}, test.job
		waiting := 0
		if test.before != "" {
			c.in.Put(bridge.Open(`{"v":1,"id":1,`+test.before+`}`, nil, nil, c.post))
			waiting = 2
		}
		c.in.Put(bridge.Open(`{"v":1,"id":2,"kind":"control","action":"pause"}`, nil, nil, c.post))
		var out bytes.Buffer
		if _, err := (&pausableWriter{Writer: &out, run: w.run, w: w}).Write([]byte("abc")); err != nil || out.String() != "abc" {
			t.Errorf("written: %q, %v", out.String(), err)
		}
		if paused := w.run.state == run.Paused; paused != test.paused || len(c.got) > 0 != test.paused || len(w.postponed) != waiting {
			t.Errorf("before it %q: state %s, %d answers, %d requests wait", test.before, w.run.state, len(c.got), len(w.postponed))
		}
		if left := c.in.Next() != nil; left != (test.job != nil) {
			t.Errorf("before it %q, during longer work: %v; left to that: %v", test.before, test.job != nil, left)
		}
	}
}
