package run

import (
	"bytes"
	"errors"
	"testing"

	"cadem.example/core/base/checkpoint"
	"cadem.example/core/base/diag"
	"cadem.example/core/base/frugal"
	"cadem.example/core/base/json"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/formats/archive"
	"cadem.example/core/formats/npy"
)

// exportedRun returns the content of the archive of a run, and its losses.
func exportedRun(t testing.TB) (a *archive.Archive, losses []byte) {
	t.Helper()
	d, err := OpenExample("syn2", map[string]any{"nodes": 10}, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSettings("released", d)
	if err != nil {
		t.Fatal(err)
	}
	s.CaDeM().Epochs, s.CaDeM().Hidden, s.CaDeM().Dim = 1, 2, 2
	var kept bytes.Buffer
	found, err := Train(d, s, precision.Single, Watch{Each: func(r *Run) error {
		kept.Reset()
		return r.WriteCheckpoint(&kept)
	}})
	if err != nil {
		t.Fatal(err)
	}
	if a, err = Pack(&Record{}, &Contents{Checkpoint: kept.Bytes(), Losses: found.Losses}, Tokens(found.Trained)[1:]); err != nil {
		t.Fatal(err)
	}
	return a, a.Blobs["losses.npy"]
}

// FuzzUnpack reads any description of a run, beside a sound checkpoint, and any numbers as its losses. It is refused with a reason,
// or valid for the page.
func FuzzUnpack(f *testing.F) {
	a, losses := exportedRun(f)
	text := func(record map[string]any, slabs []StoredSlab) []byte {
		b, err := json.Marshal(map[string]any{"record": record, "slabs": slabs})
		if err != nil {
			f.Fatal(err)
		}
		return b
	}
	slabs := []StoredSlab{{"checkpoint", "u8", []int{1}, "checkpoint.bin"}, {"file:0", "u8", []int{4}, "data/0"},
		{"losses", "f32", []int{10, len(cadem.Terms)}, "losses.npy"}}
	f.Add(text(sound(f), slabs), []byte("1 1\n"), losses)
	for path, value := range map[string]any{"first_step": 9, "loss_columns": 3, "progress.step": 1e15, "data.files": nil, "options.epochs": "many"} {
		record := sound(f)
		put(record, path, value)
		f.Add(text(record, slabs), []byte("1 1\n"), losses)
	}
	method := map[string]any{"run": "m", "name": "m", "created": "2025-01-31T12:00:00Z", "updated": "2025-01-31T12:00:00Z",
		"method": "random", "level": "official", "data": map[string]any{"example": "syn2"}, "options": map[string]any{}, "evaluation": map[string]any{},
		"model_seed": 1, "eval_seed": 1, "precision": 32, "state": "paused", "step": 1, "steps": 2}
	f.Add(text(method, nil), []byte(nil), losses)
	var b bytes.Buffer
	if err := npy.Write(&b, &npy.Array{Shape: []int{0, 3}, Data: []float32{}}); err != nil {
		f.Fatal(err)
	}
	f.Add(text(method, nil), []byte(nil), b.Bytes())
	f.Fuzz(func(t *testing.T, text, file, losses []byte) {
		if !json.Valid(text) {
			return // no archive has it
		}
		a := &archive.Archive{Run: text, Blobs: map[string][]byte{"checkpoint.bin": a.Blobs["checkpoint.bin"], "data/0": file, "losses.npy": losses}}
		var u *Unpacked
		var err error
		frugal.Check(t, len(text)+len(file)+len(losses), func() {
			u, err = Unpack(a)
		})
		var bad *diag.Error
		var refused *checkpoint.Error
		if err != nil && !errors.As(err, &bad) && !errors.As(err, &refused) {
			t.Fatalf("%T: %v", err, err)
		}
		if err != nil || u == nil {
			return
		}
		if u.Record.Run == "" {
			u.Record.Run = "new" // assigned at import
		}
		record, err := json.Marshal(u.Record)
		if err == nil {
			err = CheckStored(record, []StoredSlab{{"file:0", "u8", []int{len(file)}, ""}})
		}
		if err != nil {
			t.Fatalf("%s is taken, but cannot be listed: %v", record, err)
		}
	})
}
