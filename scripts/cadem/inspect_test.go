package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem/core/formats"
	"cadem/core/study"
)

// matrices writes an .npz file of two layers, features and labels of six nodes.
func matrices(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, a := range []struct {
		name string
		formats.Array
	}{
		{"ring", formats.Array{Shape: []int{6, 6}, Data: []uint8{1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1}}},
		{"pairs", formats.Array{Shape: []int{6, 6}, Data: []float32{0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}},
		{"feature", formats.Array{Shape: []int{6, 2}, Data: []int32{1, 0, 1, 1, 0, 1, 0, 2, 3, 1, 1, 0}}},
		{"label", formats.Array{Shape: []int{6}, Data: []int64{0, 0, 0, 1, 1, 1}}},
	} {
		w, err := z.Create(a.name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		if err := formats.WriteNPY(w, &a.Array); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "six.npz")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestInspect(t *testing.T) {
	path := matrices(t)
	out, _, err := command(t, "inspect", path, "-json")
	if err != nil {
		t.Fatal(err)
	}
	var d formats.Description
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	ring, pairs := d.Layers["ring"], d.Layers["pairs"]
	ring.Hash, pairs.Hash = "", ""
	if d.Nodes != 6 || len(d.Variables) != 4 || ring != (formats.LayerCounts{NNZ: 18, SelfLoops: 6, Symmetric: true, MaxDegree: 2}) ||
		pairs != (formats.LayerCounts{NNZ: 3, Isolated: 2, MaxDegree: 1}) || !slices.Equal(d.Classes, []int{3, 3}) || d.Features.NNZ != 8 {
		t.Errorf("%s", out)
	}
	out, _, err = command(t, "inspect", path)
	if err != nil || !strings.Contains(out, "6 nodes") || !strings.Contains(out, "classes: 3 3") {
		t.Errorf("%q, %v", out, err)
	}
	for want, args := range map[string][]string{
		"found no files": {"inspect"}, "no such file": {"inspect", "nothing.mat"}, "found a folder": {"inspect", t.TempDir()},
	} {
		if _, _, err := command(t, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one that says %q", args, err, want)
		}
	}
}

// What is chosen of a file is stored with the run.
func TestTrainChoice(t *testing.T) {
	path := matrices(t)
	dir := t.TempDir()
	run, table := filepath.Join(dir, "run.zip"), filepath.Join(dir, "e.graphml")
	args := []string{"train", "-data", path, "-layers", "pairs,ring", "-features", "feature", "-labels", "label", "-binary", "-out", run, "-embeddings", table, "-set", "epochs=2", "-set", "hidden=8", "-set", "dim=2", "-set", "heads=1", "-set", "folds=2", "-set", "eval_epochs=3"}
	if _, _, err := command(t, args...); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(run)
	if err != nil {
		t.Fatal(err)
	}
	a, err := formats.ReadArchive(data)
	if err != nil {
		t.Fatal(err)
	}
	var stored study.StoredRun
	var record study.Record
	if json.Unmarshal(a.Run, &stored) != nil || json.Unmarshal(stored.Record, &record) != nil {
		t.Fatal("no record")
	}
	if c := record.Data.Choice; !slices.Equal(c.Layers, []string{"pairs", "ring"}) || c.Features != "feature" || !c.Binary {
		t.Errorf("%+v", c)
	}
	if l := record.Summary.Layers; len(l) != 2 || l[0].Name != "pairs" || l[0].Weighted {
		t.Errorf("%+v", l)
	}
	markup, err := os.ReadFile(table)
	if err != nil || !strings.Contains(string(markup), `attr.name="cluster"`) || !strings.Contains(string(markup), `attr.name="private_2_2"`) {
		t.Errorf("%v\n%.500s", err, markup)
	}
	for want, more := range map[string][]string{
		`layers: found "x", expected one of the variables: ring, pairs, feature, label`: {"-layers", "x,ring"},
		"label: found a dense array of shape [6] and type int64":                        {"-layers", "label,ring"},
		`format of embeddings: found "txt", expected one of csv, npz, graphml`:          {"-embeddings", "e.txt"},
	} {
		if _, _, err := command(t, append([]string{"train", "-data", path}, more...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one that says %q", more, err, want)
		}
	}
}
