package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/formats/archive"
	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/run"
)

// matrices writes an .npz file of two layers, features and labels of six nodes.
func matrices(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, a := range []struct {
		name string
		npy.Array
	}{
		{"ring",
			npy.Array{Shape: []int{6, 6}, Data: []uint8{1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1}}},
		{"pairs",
			npy.Array{Shape: []int{6, 6}, Data: []float32{0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}},
		{"feature", npy.Array{Shape: []int{6, 2}, Data: []int32{1, 0, 1, 1, 0, 1, 0, 2, 3, 1, 1, 0}}},
		{"label", npy.Array{Shape: []int{6}, Data: []int64{0, 0, 0, 1, 1, 1}}},
	} {
		w, err := z.Create(a.name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		if err := npy.Write(w, &a.Array); err != nil {
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
	if d.Nodes != 6 || len(d.Variables) != 4 || ring != (formats.LayerCounts{NNZ: 18, SelfLoops: 6, Stored: formats.BothWays, Symmetric: true, MaxDegree: 2}) ||
		pairs != (formats.LayerCounts{NNZ: 3, Stored: formats.Directed, Isolated: 2, MaxDegree: 1}) || !slices.Equal(d.Classes, []int{3, 3}) || d.Features.NNZ != 8 {
		t.Errorf("%s", out)
	}
	out, _, err = command(t, "inspect", path)
	if err != nil || !strings.Contains(out, "6 nodes") || !strings.Contains(out, "classes: 3 3") ||
		!strings.Contains(out, "\nThe graph that trains is symmetric") {
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

// The choice of a file's parts is stored with the run.
func TestTrainChoice(t *testing.T) {
	path := matrices(t)
	dir := t.TempDir()
	zipped, table := filepath.Join(dir, "run.zip"), filepath.Join(dir, "e.graphml")
	args := []string{
		"train",
		"-data",
		path,
		"-layers",
		"pairs,ring",
		"-features",
		"feature",
		"-labels",
		"label",
		"-binary",
		"-out",
		zipped,
		"-embeddings",
		table,
		"-set",
		"epochs=2",
		"-set",
		"hidden=8",
		"-set",
		"dim=2",
		"-set",
		"heads=1",
		"-set",
		"folds=2",
		"-set",
		"eval_epochs=3",
	}
	if _, _, err := command(t, args...); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(zipped)
	if err != nil {
		t.Fatal(err)
	}
	a, err := archive.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	var stored run.StoredRun
	var record run.Record
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
	if err != nil || !strings.Contains(string(markup), `attr.name="cluster"`) || !strings.Contains(string(markup), `attr.name="private_2_2 (`) {
		t.Errorf("%v\n%.500s", err, markup)
	}
	for want, more := range map[string][]string{
		`layers: found "x", expected one of the variables: ring, pairs, feature, label`: {"-layers", "x,ring"},
		"label: found a dense array of shape [6] and type int64":                        {"-layers", "label,ring"},
		`format of embeddings: found "txt", expected one of csv, `:                      {"-embeddings", "e.txt"},
	} {
		if _, _, err := command(t, append([]string{"train", "-data", path}, more...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one that says %q", more, err, want)
		}
	}
}

// Every file is named by its kind; those that nothing reads are an error, which keeps nothing
// from being told about the others.
func TestInspectNamesKinds(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	series := write(
		"s01.ptseries.nii",
		cifti(
			2,
			3,
			`<Parcel Name="A"><Vertices BrainStructure="CIFTI_STRUCTURE_CORTEX_LEFT">0</Vertices></Parcel><Parcel Name="B"><Vertices `+
				`BrainStructure="CIFTI_STRUCTURE_CORTEX_LEFT">1</Vertices></Parcel>`,
			[]float32{1, 2, 3, 4, 5, 6},
		),
	)
	surface := write(
		"lh.surf.gii",
		[]byte(
			`<?xml version="1.0"?><GIFTI Version="1.0" NumberOfDataArrays="1"><DataArray Intent="NIFTI_INTENT_SHAPE" DataType="NIFTI_TYPE_FLOAT32" `+
				`Dimensionality="1" Dim0="2" ArrayIndexingOrder="RowMajorOrder" Encoding="ASCII" Endian="LittleEndian"><Data>1 2</Data></DataArray></GIFTI>`,
		),
	)
	binary := write("report.bin", append([]byte{1, 0, 2}, make([]byte, 12_000)...))
	edges := write("my.edges", []byte("1 1 2 1\n2 2 3 1\n"))
	out, _, err := command(t, "inspect", series, surface, matrices(t))
	if err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		"s01.ptseries.nii: a CIFTI-2 file, 2 regions x 3 frames of 0.72 s; open it with cadem connectome or cadem train\n",
		"lh.surf.gii: a GIFTI file, 1 array: shape 2; draw on it in the page's brain view\n",
		"six.npz: a zip archive\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%s\nexpected %s", out, want)
		}
	}
	out, _, err = command(t, "inspect", binary, edges, "-json")
	if err == nil || !strings.Contains(err.Error(), "report.bin: found an unknown binary file of 12 kB, expected text (edges, nodes, labels, tables, GraphML") {
		t.Error(err)
	}
	var o struct {
		Files []struct{ Name, Kind, Holds string }
		Nodes int
	}
	if err := json.Unmarshal([]byte(out), &o); err != nil || len(o.Files) != 2 || o.Files[0].Kind != "an unknown binary file of 12 kB" ||
		o.Files[1].Holds != "edges" ||
		o.Nodes != 3 {
		t.Errorf("%s, %v", out, err)
	}
}

// A short series that says how long a frame takes leaves open how it is filtered: the usual
// band-pass would leave one wave.
func TestShortSeriesAreAsked(t *testing.T) {
	for frames, ask := range map[int]string{40: "[filter]", 86: "[filter]", 87: "[]"} {
		values := make([]float32, 3*frames)
		for k := range values {
			values[k] = float32(k * k % 17)
		}
		parcels := ""
		for k := range 3 {
			parcels += fmt.Sprintf(`<Parcel Name="P%d"><Vertices BrainStructure="CIFTI_STRUCTURE_CORTEX_LEFT">%d</Vertices></Parcel>`, k, k)
		}
		s, err := run.SurveyFiles([]formats.File{{Name: "s.ptseries.nii", Data: cifti(3,
			frames, parcels, values)}})
		if err != nil || s == nil || fmt.Sprint(s.Questions()) != ask {
			t.Errorf("%d frames of 0.72 s: %+v, %v", frames, s, err)
		}
	}
}

// inspect, train and the page's dialog say the same of a list whose layers are in a column that is not known as such, of networkx and of
// other programs: the only column of words that may hold them is taken, and of several, or of numbers, a choice is asked for; none says
// something of one end alone.
func TestWhatMayBeALayerIsSaidAlike(t *testing.T) {
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var gml, roads, years, trips, proteins strings.Builder
	gml.WriteString("graph [\n  multigraph 1\n")
	for i := range 6 {
		fmt.Fprintf(&gml, "  node [ id %d label \"n%d\" ]\n", i, i)
	}
	roads.WriteString("u,v,osmid,oneway,highway\n")
	years.WriteString("source,target,year\n")
	trips.WriteString("source,target,mode,class\n")
	proteins.WriteString("node1\tnode2\tnode1_string_id\tneighborhood\texperimental\tcombined_score\n")
	for i := range 24 {
		a, b := i%6, (i+1+i/6)%6
		fmt.Fprintf(&gml, "  edge [ source %d target %d key \"%s\" ]\n", a, b, []string{"work", "lunch"}[i/6%2])
		fmt.Fprintf(&roads, "%d,%d,%d,%s,%s\n", a, b, 1000+i, []string{"True", "False"}[i/5%2], []string{"cycleway", "residential"}[i/6%2])
		fmt.Fprintf(&years, "%d,%d,%d\n", a, b, 2000+i/6%3)
		fmt.Fprintf(&trips, "%d,%d,%s,%s\n", a, b, []string{"bus", "tram"}[i/6%2], []string{"day", "night", "dawn"}[i/4%3])
		fmt.Fprintf(&proteins, "p%d\tp%d\t9606.%d\t0\t0.%d\t0.9%d\n", a, b, a, i+1, i+1)
	}
	gml.WriteString("]\n")
	for path, want := range map[string]string{
		write("net.gml", gml.String()):                        `3 "key" as layer: 2 values`,
		"../../core/internal/pickle/testdata/multigraph2.pkl": `4 "kind" as layer: 2 values`,
		write("roads.csv", roads.String()):                    `5 "highway" as layer: 2 values`,
		write("years.csv", years.String()):                    "-columns layer=year takes one",
		write("trips.csv", trips.String()):                    "-columns layer=mode takes one, -columns layer=class another",
		write("string.tsv", proteins.String()):                "experimental, combined_score hold numbers: if each is the weight in a layer",
	} {
		_, said, err := command(t, "train", "-data", path, "-set", "epochs=1")
		if strings.Contains(want, "as layer") {
			var o inspectOutput
			object(t, &o, []string{"inspect", "-json", path})
			if err != nil || !strings.Contains(strings.Join(o.Notes, "\n"), want) || !strings.Contains(strings.Join(strings.Fields(said), " "), want) {
				t.Errorf("%s: train: %v, %s, inspect %q, expected %s", path, err, said, o.Notes, want)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: train: %v, expected %s", path, err, want)
			continue
		}
		var o inspectOutput
		object(t, &o, []string{"inspect", "-json", path})
		if notes := strings.Join(o.Notes, "\n"); !strings.Contains(notes, err.Error()) {
			t.Errorf("%s: train refuses: %v; inspect says:\n%s", path, err, notes)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := formats.Read([]formats.File{{Name: filepath.Base(path), Data: data}})
		if err != nil {
			t.Fatal(err)
		}
		// The dialog names the columns, and no flag of the command.
		name, _, _ := strings.Cut(strings.TrimPrefix(want, "-columns layer="), " ")
		s, err := c.Survey(formats.Choice{}, func() error { return nil })
		if err != nil || s.Ask == nil || !strings.Contains(s.Ask.Why, strings.TrimSuffix(name, ",")) || strings.Contains(s.Ask.Why, "-columns") {
			t.Errorf("%s: the dialog: %+v, %v", path, s, err)
		}
	}
}
