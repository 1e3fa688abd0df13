package worker

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

const (
	syn1  = `"data":{"example":"syn1","options":{},"data_seed":3}`
	short = `"options":{"epochs":12,"inner_steps":5,"hidden":16},"preset":"released","model_seed":7`
)

// direct is the same run without any of this.
func direct(t *testing.T) *run.Result {
	t.Helper()
	d, err := run.OpenExample("syn1", nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.NewSettings("released", d)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetAll(map[string]any{"epochs": 12, "inner_steps": 5, "hidden": 16}); err != nil {
		t.Fatal(err)
	}
	s.ModelSeed = 7
	r, err := run.Train(d, s, precision.Single, run.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func floats(s bridge.Slab) []float32 {
	x := make([]float32, len(s.Data)/4)
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(s.Data[4*i:]))
	}
	return x
}

func TestOpen(t *testing.T) {
	c := start(t)
	m := c.call("open", syn1)
	var r struct {
		Summary  run.Summary
		Task     string
		Defaults map[string]any
		Expect   string
	}
	m.read(t, &r)
	if r.Summary.Nodes != 100 || len(r.Summary.Layers) != 3 || r.Task != "classification" || r.Expect == "" || r.Defaults["epochs"] != 140.0 {
		t.Errorf("%+v", r)
	}
	for i, l := range r.Summary.Labels {
		s := m.slabs[fmt.Sprintf("labels:%d", i)]
		if s.Type != bridge.Int32 || len(s.Data) != 400 {
			t.Errorf("labels %s: %s of %d bytes", l.Name, s.Type, len(s.Data))
		}
	}
}

func TestStarts(t *testing.T) {
	for _, c := range [][4]int{{100, 8, 3, 10}, {1000, 8, 10, 10}, {100_000, 8, 3, 3}, {100_000, 256, 50, 1}} {
		if got := starts(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%d nodes, %d dimensions, %d clusters: %d starts, expected %d", c[0], c[1], c[2], got, c[3])
		}
	}
}
