package worker

import (
	"bytes"
	"encoding/json"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/cadem"
	"cadem.example/core/formats/archive"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// The page goes on with a run that the command line has written.
func TestImportOfTheCommandLinesFile(t *testing.T) {
	spec := run.DataSpec{Example: "syn1", DataSeed: 3}
	d, err := run.OpenExample(spec.Example, spec.Options, spec.DataSeed)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.NewSettings("released", d)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetAll(map[string]any{"epochs": 2, "hidden": 8}); err != nil {
		t.Fatal(err)
	}
	var checkpoint []byte
	r, err := run.Train(d, s, precision.Single, run.Watch{Each: func(r *run.Run) error {
		checkpoint = r.Checkpoint()
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := run.Pack(&run.Record{Run: "r", Name: "from the shell", Created: "2025-01-31T12:00:00Z", Updated: "2025-01-31T12:00:00Z", Data: spec,
		Options: property.Values(s.CaDeM()), Preset: s.Level, State: "finished", Hash: r.Hash, Summary: d.Summary()},
		&run.Contents{Checkpoint: checkpoint, Losses: r.Losses}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := archive.Write(&file, a); err != nil {
		t.Fatal(err)
	}
	c := start(t)
	m := c.call("import", `"name":"run.zip"`, bridge.Bytes("file", file.Bytes()))
	var got struct{ Record run.Record }
	m.read(t, &got)
	data, err := json.Marshal(got.Record.Data)
	if err != nil {
		t.Fatal(err)
	}
	if p := c.call("resume", `"data":`+string(data), m.slabs["checkpoint"]).progress(t); p.State != run.Finished || p.Step != len(r.Losses) {
		t.Errorf("%+v", p)
	}
	var e struct{ Hash string }
	c.call("embeddings", "").read(t, &e)
	if e.Hash != r.Hash || len(m.slabs["losses"].Data) != 4*len(cadem.Terms)*len(r.Losses) {
		t.Errorf("hash %s with %d bytes of losses, expected %s", e.Hash, len(m.slabs["losses"].Data), r.Hash)
	}
}
