package worker

import (
	"slices"
	"testing"

	"cadem/core/synth/examples"
)

// The links of every layer are those of the graph, each once, and nodes have one place for all layers.
func TestLayers(t *testing.T) {
	c := start(t)
	for _, kind := range []string{"layers", "places"} {
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
