package worker

import (
	"math"
	"slices"
	"testing"

	"cadem/core/project"
	"cadem/wasm/bridge"
)

// The pictures along other axes are those of core/project, of the present embeddings and of those that were kept.
func TestAxes(t *testing.T) {
	c := start(t)
	c.call("open", `"data":{"example":"syn1","options":{"nodes":40},"data_seed":1}`)
	id := c.send("train", `"options":{"epochs":3,"inner_steps":2,"augmented":3},"preset":"released","model_seed":1`)
	c.reply(id)
	e := c.w.run.trainer.Embeddings(0)
	m, _ := e.Consensus.Dims()
	get := func(args string, slabs ...bridge.Slab) []float32 {
		t.Helper()
		xy := c.call("axes", args, slabs...).slabs["xy"]
		if !slices.Equal(xy.Shape, []int{4, m, 2}) {
			t.Fatalf("%s: shape %v", args, xy.Shape)
		}
		return floats(xy)
	}
	columns := get(`"axes":"columns","columns":[2,1],"common":true`)
	for i := range m {
		for k, x := range append(matrices(e)[:1:1], e.Common...) {
			if at := 2 * (k*m + i); columns[at] != float32(x.At(i, 1)) || columns[at+1] != float32(x.At(i, 0)) {
				t.Fatalf("embedding %d, node %d: columns 2 and 1 are %v", k, i, columns[at:at+2])
			}
		}
	}
	if principal, frame := get(`"axes":"principal"`), floats(c.call("frame", "").slabs["xy"]); !slices.Equal(principal, frame) {
		t.Error("principal axes are not those of a frame")
	}
	class := make([]int, 4*m)
	for i := range class {
		class[i] = i%4 - 1
	}
	want, _, err := project.Separate(e.Private[1], class[2*m:3*m])
	if err != nil {
		t.Fatal(err)
	}
	if got := get(`"axes":"separating"`, bridge.Int32s("classes", class)); !slices.Equal(got[4*m:6*m], want) {
		t.Error("other axes separate P_2")
	}
	kept := c.events(id, "snapshot")[0].slabs["tokens"]
	first := get(`"axes":"columns","columns":[1,1]`, kept)
	for i := range m {
		if want := float32(c.w.run.untrained.Private[0].At(i, 0)); first[2*(m+i)] != want || math.IsNaN(float64(want)) {
			t.Fatalf("node %d of P_1 at epoch 0: %v, expected %v", i, first[2*(m+i)], want)
		}
	}
	for args, code := range map[string]string{`"axes":"columns","columns":[0,1]`: "bad-option", `"axes":"columns","columns":[1,99]`: "bad-option",
		`"axes":"separating"`: "internal", `"axes":"none"`: "internal"} {
		if e := c.fail("axes", args); e.Code != code {
			t.Errorf("%s: %+v", args, e)
		}
	}
}

// A layout that is stopped goes on where it was, to the same picture as one that was not; another seed gives another.
func TestLayoutGoesOn(t *testing.T) {
	c := start(t)
	c.call("open", `"data":{"example":"syn1","options":{"nodes":60},"data_seed":1}`)
	c.reply(c.send("train", `"options":{"epochs":1,"inner_steps":1,"augmented":3},"preset":"released","model_seed":1`))
	id := c.send("axes", `"axes":"tsne","of":"a","eval_seed":5`)
	c.event(id, "layout")
	c.call("cancel", "")
	if m := c.reply(id); m.OK || m.Error.Code != "cancelled" {
		t.Fatalf("%+v", m.Error)
	}
	get := func(args string) []float32 { return floats(c.call("axes", `"axes":"tsne",`+args).slabs["xy"]) }
	on := get(`"of":"a","eval_seed":5`)
	if whole := get(`"of":"b","eval_seed":5`); !slices.Equal(whole, on) {
		t.Error("a layout that was stopped ends elsewhere")
	}
	if other := get(`"of":"c","eval_seed":6`); slices.Equal(other, on) {
		t.Error("another seed gives the same layout")
	}
}
