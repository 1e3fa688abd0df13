package worker

import (
	"math"
	"strings"
	"testing"
)

// An answer is that of "why".
type answer struct {
	Terms []struct {
		Node, Feature, Layer int
		Share                float64
	}
	Count, Step                           int
	Rest, Bias, Mean, Left, Moved, Length float64
	Place                                 []float64
}

// Shares of all that makes a place add up to 1, of any embedding, plain and split; a link that is taken moves it, and only then. The model
// comes in the words of the file that the command writes.
func TestWhy(t *testing.T) {
	for _, preset := range []string{"released", "refined"} {
		c := start(t)
		c.call("open", `"data":{"example":"syn1","options":{"nodes":60},"data_seed":1}`)
		c.send("train", `"options":{"epochs":2,"inner_steps":2,"augmented":3},"preset":"`+preset+`","model_seed":1,"paused":true`)
		c.call("control", `"action":"step"`)
		for _, of := range []string{"S", "C", "P"} {
			for _, by := range []string{"node", "feature"} {
				var a, without answer
				c.call("why", `"of":"`+of+`","layer":1,"node":7,"by":"`+by+`","most":3`).read(t, &a)
				sum := a.Rest + a.Bias + a.Mean + a.Left
				for _, p := range a.Terms {
					sum += p.Share
				}
				if a.Length > 0 && math.Abs(sum-1) > 1e-9 || a.Moved != 0 || len(a.Terms) > 3 || a.Count > 0 && len(a.Terms) == 0 || a.Step != 1 {
					t.Errorf("%s, %s by %s: shares add up to %v; %+v", preset, of, by, sum, a)
				}
				c.call("why", `"of":"`+of+`","layer":1,"node":7,"by":"`+by+`","most":3,"links":[{"layer":1,"i":7,"j":8,"weight":3}]`).read(t, &without)
				if a.Count > 0 && without.Moved == 0 {
					t.Errorf("%s, %s: a link of weight 3 moves nothing", preset, of)
				}
			}
		}
		if m := c.call("export", `"what":"model"`); len(m.slabs["file"].Data) == 0 || !strings.Contains(string(m.header), "-model.npz") {
			t.Errorf("%s: a model of %d bytes, %s", preset, len(m.slabs["file"].Data), m.header)
		}
	}
}
