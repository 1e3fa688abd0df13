package worker

import (
	"slices"
	"testing"

	"cadem.example/wasm/bridge"
)

// The page role says of a stored epoch what it says of the run at that epoch.
func TestPast(t *testing.T) {
	const options = `"options":{"kmeans_runs":2},"eval_seed":4`
	type told struct {
		Probes []struct {
			Embedding, Target string
			Value             float64
		}
		Layer  struct{ Common, Private float64 }
		Scores []struct {
			Embedding, Target, Metric string
			Value, Probe, Untrained   float64
		}
	}
	read := func(c *client, kind string, tokens ...bridge.Slab) (x told) {
		t.Helper()
		c.call(kind, options, tokens...).read(t, &x)
		return x
	}
	c := start(t)
	c.call("open", `"data":{"example":"syn2","options":{"nodes":60},"data_seed":1}`)
	id := c.send("train", short+`,"paused":true`)
	for range 3 {
		c.call("control", `"action":"epoch"`)
	}
	leak, scores := read(c, "leak"), read(c, "evaluate")
	if len(leak.Probes) != 4*4 || leak.Layer.Common < 0 || leak.Layer.Private > 1 {
		t.Errorf("%+v", leak)
	}
	for _, p := range leak.Probes {
		for _, s := range scores.Scores {
			if s.Embedding == p.Embedding && s.Target == p.Target && s.Metric == "ari" && s.Probe != p.Value {
				t.Errorf("%+v, scored %v", p, s.Probe)
			}
		}
	}
	c.call("control", `"action":"play"`)
	c.reply(id)
	epochs, list := kept(t, c, id)
	tokens := list[slices.Index(epochs, 3)].slabs["tokens"]
	if again := read(c, "leak", tokens); !slices.Equal(again.Probes, leak.Probes) || again.Layer != leak.Layer {
		t.Errorf("%+v, then %+v", again, leak)
	}
	if again := read(c, "past", tokens); !slices.Equal(again.Scores, scores.Scores) {
		t.Errorf("%+v, then %+v", again.Scores, scores.Scores)
	}
	for _, kind := range []string{"leak", "past"} {
		if e := c.fail(kind, options, bridge.Float32s("tokens", make([]float32, 7))); e.Code != "corrupt" {
			t.Errorf("%s of other data: %+v", kind, e)
		}
	}
}
