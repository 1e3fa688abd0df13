package worker

import (
	"slices"
	"testing"

	"cadem.example/core/synth/examples"
)

// The links of every layer are those of the graph, each once, and nodes have one place for all layers.
func TestLayers(t *testing.T) {
	c := start(t)
	for _, kind := range []string{"layers", "places", "communities"} {
		if e := c.fail(kind, ""); e.Code != "no-data" {
			t.Errorf("%s without data: %+v", kind, e)
		}
	}
	c.call("open", syn1)
	g, err := examples.Draw("syn1", nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	m := c.call("layers", "")
	var r struct{ Links []int }
	m.read(t, &r)
	for l, layer := range g.Layers {
		links := ints(m.slabs["links:"+string(rune('0'+l))])
		s := layer.Summary()
		if r.Links[l] != s.Edges || len(links) != 2*s.Edges {
			t.Errorf("layer %d: %d links, %d in all, expected %d", l, len(links)/2, r.Links[l], s.Edges)
		}
		for k := 0; k < len(links); k += 2 {
			a := layer.Adjacency
			if i, j := links[k], links[k+1]; i >= j || !slices.Contains(a.Index[a.Start[i]:a.Start[i+1]], int32(j)) {
				t.Fatalf("layer %d: a link of %d and %d", l, i, j)
			}
		}
	}
	at := c.call("places", "").slabs["places"]
	if !slices.Equal(at.Shape, []int{g.M(), 2}) {
		t.Fatalf("places of shape %v", at.Shape)
	}
	if again := c.call("places", "").slabs["places"]; !slices.Equal(at.Data, again.Data) {
		t.Error("the same data are drawn in other places")
	}
}

// Communities have every link of the layers, are told of while they are looked for, and given up where the page asks for that.
func TestCommunities(t *testing.T) {
	c := start(t)
	c.call("open", syn1)
	g, err := examples.Draw("syn1", nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	m := c.call("communities", "")
	var r struct{ Rest int }
	m.read(t, &r)
	of, links, shape := ints(m.slabs["of"]), ints(m.slabs["links"]), m.slabs["links"].Shape
	k := slices.Max(of) + 1
	if len(of) != g.M() || k < 2 || !slices.Equal(shape, []int{g.N(), k, k}) || !slices.Equal(m.slabs["places"].Shape, []int{k, 2}) {
		t.Fatalf("%d nodes in %d communities, links of shape %v", len(of), k, shape)
	}
	for l, layer := range g.Layers {
		all := 0
		for p, n := range links[l*k*k : (l+1)*k*k] {
			if p%k <= p/k {
				all += n
			}
		}
		if edges := layer.Summary().Edges; all != edges {
			t.Errorf("layer %d: %d links inside and between communities, expected %d", l, all, edges)
		}
	}
	told := 0
	for _, e := range c.seen {
		if e.Event == "grouping" {
			told++
		}
	}
	one := c.call("communities", `"layer":1`)
	if of, shape := ints(one.slabs["of"]), one.slabs["links"].Shape; len(of) != g.M() || shape[0] != 1 || slices.Equal(of, ints(m.slabs["of"])) {
		t.Errorf("communities of one layer: %d nodes, links of shape %v, or the same as of all", len(of), shape)
	}
	if e := c.fail("communities", `"layer":3`); e.Code != "bad-request" {
		t.Errorf("communities of a layer that is not there: %+v", e)
	}
	again := c.call("communities", "")
	if told == 0 || !slices.Equal(m.slabs["of"].Data, again.slabs["of"].Data) || !slices.Equal(m.slabs["places"].Data, again.slabs["places"].Data) {
		t.Errorf("told %d times; the same data have other communities", told)
	}

	c.call("open", `"data":{"example":"syn1","options":{"nodes":3000},"data_seed":3}`)
	id := c.send("communities", "")
	c.call("cancel", "")
	if m := c.reply(id); m.OK || m.Error.Code != "cancelled" {
		t.Errorf("a search that was cancelled: %+v", m)
	}
}
