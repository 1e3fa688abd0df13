package worker

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
	"cadem.example/core/project"
	"cadem.example/wasm/bridge"
)

// The pictures along other axes are those of core/project, of the current embeddings and of those that were kept.
func TestAxes(t *testing.T) {
	c := start(t)
	c.call("open", `"data":{"example":"syn1","options":{"nodes":40},"data_seed":1}`)
	id := c.send("train", `"options":{"epochs":3,"inner_steps":2,"augmented":3},"preset":"released","model_seed":1`)
	c.reply(id)
	e := c.w.run.Trainer().Embeddings(0)
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
		for k, x := range slices.Concat(allOf(e)[:1], e.Common) {
			if at := 2 * (k*m + i); columns[at] != float32(x.At(i, 1)) || columns[at+1] != float32(x.At(i, 0)) {
				t.Fatalf("embedding %d, node %d: columns 2 and 1 are %v", k, i, columns[at:at+2])
			}
		}
	}
	if principal, frame := get(`"axes":"principal"`), floats(c.call("frame", "").slabs["xy"]); !slices.Equal(principal, frame) {
		t.Error("principal axes are not those of a frame")
	}
	whole := floats(c.call("axes", `"axes":"whole"`).slabs["tokens"])
	if common := floats(c.call("embeddings", `"whole":true`).slabs["common"]); len(common) == 0 || !slices.Equal(common, whole[:len(common)]) {
		t.Errorf("%d numbers of S by name are not the first of the tokens", len(common))
	}
	for k, x := range allOf(e) {
		if d := len(whole) / 7 / m; whole[(k*m+3)*d+2] != float32(x.At(3, 2)) {
			t.Errorf("embedding %d: number 2 of node 3 is %v, expected %v", k, whole[(k*m+3)*d+2], x.At(3, 2))
		}
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
		if want := float32(c.w.run.Untrained.Private[0].At(i, 0)); first[2*(m+i)] != want || math.IsNaN(float64(want)) {
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

// Of too many nodes a sample is laid out and stays where it is; the others stand within it, and those without links below. All have a place while
// the layout moves.
func TestLayoutOfASample(t *testing.T) {
	const nodes, lonely = mostLaidOut + 200, 10
	src, x := rng.New(1, "many"), mat.NewDense(nodes, 4, nil)
	var linked, lone []int
	for i := range nodes {
		for j := range 4 {
			x.Set(i, j, src.Norm())
		}
		if i%(nodes/lonely) == 0 {
			lone = append(lone, i)
		} else {
			linked = append(linked, i)
		}
	}
	var l layouts
	waited := 0
	if err := l.begin(x, linked, lone, 3, func() error { waited++; return nil }); err != nil {
		t.Fatal(err)
	}
	xy := l.next.Layout(nil)
	all := l.whole(xy)
	if len(xy) != 2*mostLaidOut || len(all) != 2*nodes || waited == 0 {
		t.Fatalf("%d places of a sample, %d of all, %d pauses", len(xy)/2, len(all)/2, waited)
	}
	places, reach := map[[2]float32]bool{}, float32(0)
	for k := 0; k < len(xy); k += 2 {
		places[[2]float32{xy[k], xy[k+1]}] = true
		reach = max(reach, xy[k], -xy[k], xy[k+1], -xy[k+1])
	}
	stayed := 0
	for _, i := range linked {
		at := [2]float32{all[2*i], all[2*i+1]}
		if places[at] {
			stayed++
		} else if max(at[0], -at[0], at[1], -at[1]) > reach {
			t.Errorf("node %d is at %v, beyond %v", i, at, reach)
		}
	}
	if stayed != mostLaidOut {
		t.Errorf("%d of %d nodes of the sample stayed", stayed, mostLaidOut)
	}
	for _, i := range lone {
		if all[2*i+1] >= -reach {
			t.Errorf("node %d has no link and stands at %v", i, all[2*i:2*i+2])
		}
	}
}

// Nodes without links stand below the layout of the others, which has all its room.
func TestLoneNodesStandAside(t *testing.T) {
	a, err := multiplex.FromEdges(50, []multiplex.Edge{{I: 0, J: 2, Weight: 1}, {I: 2, J: 4, Weight: 1}, {I: 4, J: 6, Weight: 1}, {I: 7, J: 7, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	linked, lone := apart(&multiplex.Graph{Layers: []multiplex.Layer{{Adjacency: a}}})
	if !slices.Equal(linked, []int{0, 2, 4, 6}) || len(lone) != 46 || lone[0] != 1 || !slices.Contains(lone, 7) {
		t.Fatalf("linked %v, lone %v", linked, lone)
	}
	xy := beside([]float32{-2, 1, 2, -2, 0, 0, 1, 1}, linked, lone)
	if !slices.Equal(xy[8:10], []float32{0, 0}) || xy[4] != 2 || xy[5] != -2 {
		t.Errorf("linked nodes were moved: %v", xy[:14])
	}
	seen := map[[2]float32]bool{}
	for _, i := range lone {
		p := [2]float32{xy[2*i], xy[2*i+1]}
		if seen[p] || p[1] > -2 || p[1] < -3 || p[0] < -2 || p[0] > 2 {
			t.Errorf("node %d stands at %v", i, p)
		}
		seen[p] = true
	}
	if linked, lone := apart(&multiplex.Graph{Layers: []multiplex.Layer{{Adjacency: a}, {Adjacency: a}}}); len(linked)+len(lone) != 50 {
		t.Errorf("%d nodes of 50", len(linked)+len(lone))
	}
}

// Clusters of an epoch are those of its own weights.
func TestClustersOfEpochs(t *testing.T) {
	c := start(t)
	c.call("open", `"data":{"example":"syn1","options":{"nodes":60},"data_seed":1}`)
	id := c.send("train", `"options":{"epochs":40,"inner_steps":5,"augmented":3,"lr_encoders":0.01},"preset":"released","model_seed":1`)
	c.reply(id)
	const args = `"embedding":"common","k":3,"eval_seed":1`
	kept := c.events(id, "snapshot")
	first := c.call("groups", args, kept[0].slabs["tokens"]).slabs["clusters"]
	want := evaluate.KMeans(c.w.run.Untrained.Consensus, 3, starts(60, c.w.run.Trainer().Options().Dim, 3), rng.New(1, "clusters/common")).Labels
	if got := bridge.Int32s("", want); !bytes.Equal(first.Data, got.Data) {
		t.Error("clusters at epoch 0 are not those of the untrained weights")
	}
	if last := c.call("clusters", args).slabs["clusters"]; bytes.Equal(first.Data, last.Data) {
		t.Error("clusters at epoch 0 are those of the last one")
	}
}
