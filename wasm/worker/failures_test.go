package worker

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	"cadem.example/core/base/pause"
	"cadem.example/core/cadem"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/wasm/bridge"
)

// spoil returns a worker with a run whose next step fails, or panics for nil.
func spoil(t *testing.T, err error) (*Worker, *client, *bridge.Request) {
	c := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100)}
	w := newWhole(c.in, runtime.Gosched)
	c.send("open", syn1)
	w.answer(c.in.Next())
	c.send("train", short+`,"paused":true`)
	w.answer(c.in.Next())
	w.run.advance = func(pause.Yield) error {
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
	if p := c.reply(3).progress(t); p.State != run.Failed {
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
	s, err := settings(&run.Dataset{}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	e, ok := fits(run.SizeOf(g), s).(*bridge.Error)
	if !ok || e.Code != "too-large" || e.Options["features"] != cadem.LargeFeatures ||
		!strings.Contains(e.Message, "5 layers of 60000 features and 256 hidden units") {
		t.Errorf("%v", e)
	}
	survey := &formats.Survey{Nodes: m, Variables: []formats.Surveyed{
		{Variable: formats.Variable{Name: "l"}, Layer: &formats.LayerCounts{NNZ: 2, Stored: formats.BothWays}},
		{Variable: formats.Variable{Name: "directed"}, Layer: &formats.LayerCounts{NNZ: 1, Stored: formats.OneWay}},
	}}
	choice := &formats.Choice{Layers: []string{"l", "l", "directed", "l", "l"}, Features: formats.NoFeatures}
	if got, want := sizeOfChoice(survey, choice), run.SizeOf(g); !reflect.DeepEqual(got, want) {
		t.Errorf("as chosen %+v, as opened %+v", got, want)
	}
	if !strings.HasSuffix(e.Message, "It would fit with features = spectral:64, or with 64 hidden units, or with 2 of the layers.") {
		t.Errorf("what is proposed: %s", e)
	}
	s.CaDeM().Hidden = 16
	if err := fits(run.SizeOf(g), s); err != nil {
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
