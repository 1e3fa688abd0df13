package worker

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/wasm/bridge"
)

// kept returns the pictures of a run that are kept, by their epochs.
func kept(t *testing.T, c *client, id int64) (epochs []int, list []*message) {
	t.Helper()
	for _, m := range c.events(id, "snapshot") {
		var f struct{ Epoch, Step int }
		m.read(t, &f)
		if f.Step != 5*f.Epoch {
			t.Errorf("the picture of epoch %d is of step %d", f.Epoch, f.Step)
		}
		epochs, list = append(epochs, f.Epoch), append(list, m)
	}
	return epochs, list
}

// allOf are S, P_1, ..., P_N and C_1, ..., C_N.
func allOf(e *cadem.Embeddings) []*mat.Dense {
	_, all := list(e)
	return append(all, e.Common...)
}

// drawn asks for the picture of a run with those of earlier epochs turned onto it.
func drawn(c *client, list []*message) (all [][]float32) {
	var planes []float32
	for _, m := range list {
		planes = append(planes, floats(m.slabs["plane"])...)
	}
	m := c.call("frame", "", bridge.Float32s("planes", planes))
	return slices.Collect(slices.Chunk(append(floats(m.slabs["earlier"]), floats(m.slabs["xy"])...), len(planes)/len(list)))
}

// Runs that reach the same end by other ways leave the same pictures, to the last bit: at once, step by step while watched, and
// through a checkpoint.
func TestTheSameEndIsTheSamePicture(t *testing.T) {
	c := start(t)
	c.call("open", syn1)
	id := c.send("train", short)
	c.reply(id)
	epochs, list := kept(t, c, id)
	if want := []int{0, 1, 2, 3, 5, 8}; !slices.Equal(epochs, want) {
		t.Fatalf("epochs %v are kept, expected %v", epochs, want)
	}
	want := drawn(c, list)

	c = start(t)
	c.call("open", syn1)
	id = c.send("train", short+`,"paused":true`)
	c.call("control", `"action":"set","watch":true`)
	for range 17 {
		c.call("control", `"action":"step"`)
	}
	c.call("embeddings", "")
	_, before := kept(t, c, id)
	checkpoints := c.events(id, "checkpoint")
	id = c.send("resume", "", checkpoints[len(checkpoints)-1].slabs["checkpoint"])
	c.reply(id)
	_, after := kept(t, c, id)
	if len(before) != 4 || len(after) != 2 {
		t.Errorf("%d pictures before the checkpoint and %d after it", len(before), len(after))
	}
	list = append(before, after...)
	for time := range 2 { // it can be asked for again
		for k, xy := range drawn(c, list) {
			if !slices.Equal(xy, want[k]) {
				t.Errorf("time %d: picture %d is another one", time, k)
			}
		}
	}
	if e := c.fail("frame", "", bridge.Float32s("planes", make([]float32, 8))); e.Code != "internal" {
		t.Errorf("a picture of other data: %+v", e)
	}
}

// The embeddings stored with a picture are those of that epoch.
func TestKeptEmbeddings(t *testing.T) {
	c := start(t)
	c.call("open", syn1)
	id := c.send("train", short)
	c.reply(id)
	epochs, list := kept(t, c, id)
	d, err := run.OpenExample("syn1", nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.NewSettings("released", d)
	if err == nil {
		err = s.SetAll(map[string]any{"epochs": 12, "inner_steps": 5, "hidden": 16})
	}
	s.ModelSeed = 7
	if err != nil {
		t.Fatal(err)
	}
	trainer, err := cadem.New([]*multiplex.Graph{d.Graph}, *s.CaDeM(), s.ModelSeed, precision.Single)
	if err != nil {
		t.Fatal(err)
	}
	for k, epoch := range epochs {
		for trainer.Progress().Epoch < epoch {
			if err := trainer.Step(); err != nil {
				t.Fatal(err)
			}
		}
		e := trainer.Embeddings(0)
		var want []float32
		for _, x := range allOf(e) {
			for _, v := range x.RawMatrix().Data {
				want = append(want, float32(v))
			}
		}
		if !slices.Equal(floats(list[k].slabs["tokens"]), want) {
			t.Errorf("epoch %d has other embeddings", epoch)
		}
	}
}
