package worker

import (
	"math"
	"strconv"
	"testing"

	"cadem.example/core/synth"
	"cadem.example/core/synth/examples"
	"cadem.example/wasm/bridge"
)

// The picture of what encoders read is n(n(A)) X, by its definition, with nodes where they are asked for; of many nodes it has the sums.
func TestInputs(t *testing.T) {
	c := start(t)
	for _, m := range []int{30, 2 * mostCells} {
		o := &synth.Syn1Options{Instance: "drawn", Nodes: m, Layers: 3, Communities: 3, PIntra: 0.7, PInter: 0.1, FirstShare: 0.8}
		g, err := examples.Draw("syn1", o, 1)
		if err != nil {
			t.Fatal(err)
		}
		c.call("open", `"data":{"example":"syn1","options":{"nodes":`+strconv.Itoa(m)+`},"data_seed":1}`)
		c.send("train", `"options":{"epochs":2,"inner_steps":2,"augmented":3},"preset":"released","model_seed":1,"paused":true`)
		c.call("control", `"action":"step"`)
		order := make([]int, m)
		for i := range order {
			order[i] = m - 1 - i
		}
		z := g.Layers[1].Adjacency.Dense()
		for range 2 { // n(A) = D^-1/2 A D^-1/2
			degree := make([]float64, m)
			for k, v := range z {
				degree[k/m] += v
			}
			for k := range z {
				if z[k] != 0 {
					z[k] /= math.Sqrt(degree[k/m] * degree[k%m])
				}
			}
		}
		s := c.call("inputs", `"layer":1`, bridge.Int32s("order", order)).slabs["cells"]
		cells, n := numbers(&s), min(m, mostCells)
		if len(cells) != n*n {
			t.Fatalf("%d cells of %d nodes", len(cells), m)
		}
		each := m / n
		for k, found := range cells {
			want := 0.0
			for a := range each {
				for b := range each {
					want += z[(m-1-k/n*each-a)*m+m-1-k%n*each-b]
				}
			}
			if math.Abs(want-float64(found)) > 1e-6 {
				t.Fatalf("%d nodes, cell %d: %v, expected %v", m, k, found, want)
			}
		}
		for _, args := range []string{`"layer":3`, `"layer":-1`} {
			if e := c.fail("inputs", args, bridge.Int32s("order", order)); e.Code != "bad-request" {
				t.Errorf("%s: %+v", args, e)
			}
		}
		order[0] = m
		for _, of := range [][]int{order, order[1:]} {
			if e := c.fail("inputs", `"layer":0`, bridge.Int32s("order", of)); e.Code != "bad-request" {
				t.Errorf("an order of %d: %+v", len(of), e)
			}
		}
	}
}
