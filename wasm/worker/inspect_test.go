package worker

import (
	"bytes"
	"encoding/json"
	"testing"

	"cadem/core/formats"
	"cadem/wasm/bridge"
)

func TestInspect(t *testing.T) {
	square := func(name string, n int) bridge.Slab {
		x := make([]uint8, n*n)
		for i := range n - 1 {
			x[i*n+i+1], x[i*n+n+i] = 1, 1
		}
		var b bytes.Buffer
		if err := formats.WriteNPY(&b, &formats.Array{Shape: []int{n, n}, Data: x}); err != nil {
			t.Fatal(err)
		}
		return bridge.Bytes(name, b.Bytes())
	}
	const files = `"data":{"files":[{"name":"path.npy"},{"name":"other.npy"}]}`
	type answer struct {
		Description formats.Description
		Problem     string
	}
	c := start(t)
	var got answer
	if err := json.Unmarshal(c.call("inspect", files, square("file:0", 4), square("file:1", 4)).Result, &got); err != nil {
		t.Fatal(err)
	}
	if l := got.Description.Layers["path"]; got.Problem != "" || got.Description.Nodes != 4 || l.NNZ != 6 || !l.Symmetric || len(got.Description.Guess.Layers) != 2 {
		t.Errorf("%+v", got)
	}
	got = answer{}
	if err := json.Unmarshal(c.call("inspect", files, square("file:0", 4), square("file:1", 5)).Result, &got); err != nil {
		t.Fatal(err)
	}
	if got.Problem != "other.npy: other: found a layer of 5 nodes, expected 4 as the other layers have" || len(got.Description.Variables) != 2 {
		t.Errorf("%+v", got)
	}
	if e := c.fail("inspect", files, square("file:0", 4), bridge.Bytes("file:1", []byte("\x89HDF\r\n\x1a\n"))); e.Code != "bad-data" || e.File != "other.npy" {
		t.Errorf("%+v", e)
	}
	// The choice is part of the data set.
	m := c.call("open", `"data":{"files":[{"name":"path.npy"},{"name":"other.npy"}],"choice":{"layers":["other","path"],"features":"none"}}`, square("file:0", 4), square("file:1", 4))
	if !bytes.Contains(m.Result, []byte(`"layers":[{"name":"other"`)) {
		t.Errorf("%s", m.Result)
	}
}
