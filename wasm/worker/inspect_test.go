package worker

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/formats/archive"
	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// arrays24 are two layers of 24 nodes, their features and labels as an archive of arrays.
func arrays24(t *testing.T) []byte {
	t.Helper()
	const m = 24
	ring, star := make([]float64, m*m), make([]float64, m*m)
	x, y := make([]float64, m*3), make([]int32, m)
	for i := range m {
		j := (i + 1) % m
		ring[i*m+j], ring[j*m+i] = 2, 2
		if i > 0 {
			star[i] = 1 // in one direction
		}
		x[i*3+i%3], y[i] = 4, int32(i%2)
		x[i*3+(i+1)%3] = float64(i % 5) // more than one entry in a row: no labels
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, a := range []struct {
		name  string
		array npy.Array
	}{
		{"ring", npy.Array{Shape: []int{m, m}, Data: ring}}, {"star", npy.Array{Shape: []int{m, m}, Data: star}},
		{"feat", npy.Array{Shape: []int{m, 3}, Data: x}}, {"label", npy.Array{Shape: []int{m}, Data: y}},
	} {
		w, err := z.Create(a.name + ".npy")
		if err == nil {
			err = npy.Write(w, &a.array)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func filesArgument(name string, data []byte, choice string) string {
	if choice != "" {
		choice = `,"choice":` + choice
	}
	return fmt.Sprintf(`"data":{"files":[{"name":%q,"size":%d}]%s}`, name, len(data), choice)
}

// Inspected files are opened without sending them again, with the choice; the open data are not
// touched before.
func TestInspect(t *testing.T) {
	c := start(t)
	c.call("open", syn1)
	training := c.send("train", short+`,"paused":true`)
	c.event(training, "progress")

	data := arrays24(t)
	var s formats.Survey
	c.call("inspect", filesArgument("set.npz", data, ""), bridge.Bytes("file:0", data)).read(t, &s)
	if s.Nodes != 24 || s.Plain || len(s.Variables) != 4 || !slices.Equal(s.Guess.Layers, []string{"ring", "star"}) || s.Guess.Features != "feat" {
		t.Fatalf("%+v", s)
	}
	if p := c.call("control", `"action":"step"`).progress(t); p.Step != 1 {
		t.Errorf("the run is at %+v", p)
	}
	var e struct {
		Bytes, Most int64
		Refused     string
	}
	c.call("estimate", `"choice":{"layers":["ring","star"],"features":"feat"},"options":{"hidden":64}`).read(t, &e)
	d, err := run.OpenFiles([]formats.File{{Name: "set.npz", Data: data}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := settings(d, "", map[string]any{"hidden": 64})
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(run.Memory(run.SizeOf(d.Graph), o.CaDeM(), &o.Evaluation)); e.Bytes != want || e.Most != budget || e.Refused != "" {
		t.Errorf("%+v, expected %d bytes", e, want)
	}

	// A choice that does not work changes nothing, so another one can be made.
	if e := c.fail("open", filesArgument("set.npz", data, `{"layers":["ring","label"]}`)); e.Code != "bad-data" || e.Field != "label" {
		t.Errorf("%+v", e)
	}
	if p := c.call("control", `"action":"step"`).progress(t); p.Step != 2 {
		t.Errorf("the run is at %+v", p)
	}
	choice := `{"layers":["star","ring"],"features":"none","labels":["label"],"binary":true}`
	var opened struct{ Summary run.Summary }
	c.call("open", filesArgument("set.npz", data, choice)).read(t, &opened)
	if l := opened.Summary.Layers; len(l) != 2 || l[0].Name != "star" || l[0].Edges != 23 || l[1].Weighted || opened.Summary.Features != 24 {
		t.Errorf("%+v", opened.Summary)
	}
	training = c.send("train", `"options":{"epochs":2,"hidden":8}`)
	done := c.reply(training)
	checkpoint := c.events(training, "checkpoint")
	hash := func(m *message) string {
		var r struct{ Hash string }
		m.read(t, &r)
		return r.Hash
	}
	if !done.OK || hash(done) == "" {
		t.Fatalf("%+v", done.Error)
	}
	// The files are there as long as the data set is open; the choice goes with it.
	c.call("open", filesArgument("set.npz", data, choice))
	c.call("open", syn1)
	if e := c.fail("open", filesArgument("set.npz", data, "")); e.Code != "bad-data" || e.File != "set.npz" {
		t.Errorf("%+v", e)
	}
	last := checkpoint[len(checkpoint)-1].slabs["checkpoint"]
	again := start(t)
	m := again.reply(again.send("resume", filesArgument("set.npz", data, choice), bridge.Bytes("file:0", data), last))
	if !m.OK || hash(m) != hash(done) {
		t.Errorf("resumed: %+v", m)
	}
	if e := again.fail("resume", filesArgument("set.npz", data, ""), bridge.Bytes("file:0", data), last); e.Code != "corrupt" {
		t.Errorf("resumed on another choice: %+v", e)
	}
	if m := again.reply(again.send("resume", "", last)); !m.OK {
		t.Errorf("resumed on what is open: %+v", m.Error)
	}
	training = again.send("export", `"what":"run","record":{"data":{"files":[{"name":"set.npz","size":1}],"choice":`+choice+`}}`)
	a, err := archive.Read(again.reply(training).slabs["file"].Data)
	if err != nil || !strings.Contains(string(a.Run), choice) {
		t.Errorf("%v", err)
	}
}

func TestInspectMistakes(t *testing.T) {
	c := start(t)
	if e := c.fail("inspect", filesArgument("a.mat", nil, "")); e.Code != "bad-data" || e.File != "a.mat" {
		t.Errorf("without contents: %+v", e)
	}
	data := []byte("MATLAB 7.3 MAT-file, whatever")
	if e := c.fail("inspect", filesArgument("a.mat", data, ""), bridge.Bytes("file:0", data)); e.Code != "bad-data" || !strings.Contains(e.Message, "HDF5") {
		t.Errorf("%+v", e)
	}
	if e := c.fail("estimate", ""); e.Code != "no-data" {
		t.Errorf("%+v", e)
	}
	data = arrays24(t)
	c.call("inspect", filesArgument("a.npz", data, ""), bridge.Bytes("file:0", data))
	c.call("inspect", `"data":{}`) // forgets
	if e := c.fail("open", filesArgument("a.npz", data, "")); e.Code != "bad-data" {
		t.Errorf("%+v", e)
	}
	var b bytes.Buffer
	if err := archive.Write(&b, &archive.Archive{Run: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	var r struct{ Run bool }
	c.call("inspect", filesArgument("run.zip", b.Bytes(), ""), bridge.Bytes("file:0", b.Bytes())).read(t, &r)
	if !r.Run {
		t.Error("a run archive was not known as one")
	}
	data = []byte("1 1 2 1\n1 2 3 1\n2 1 3 1\n")
	var s formats.Survey
	c.call("inspect", filesArgument("a.edges", data, ""), bridge.Bytes("file:0", data)).read(t, &s)
	if !s.Plain {
		t.Errorf("%+v", s)
	}
}

// Files in Blobs are read like those in messages.
func TestInspectBlob(t *testing.T) {
	c := start(t)
	data := arrays24(t)
	ask := func(file bridge.Slab) string {
		id := c.send("inspect", filesArgument("set.npz", data, ""), file)
		return string(c.reply(id).Result)
	}
	inside := ask(bridge.Bytes("file:0", data))
	outside := ask(bridge.Slab{Name: "file:0", Blob: bytes.NewReader(data)})
	if inside != outside || !strings.Contains(outside, "ring") {
		t.Errorf("%s\n%s", outside, inside)
	}
	var opened struct{ Summary struct{ Nodes int } }
	c.call("open", filesArgument("set.npz", data, "")).read(t, &opened)
	if opened.Summary.Nodes != 24 {
		t.Errorf("%+v", opened)
	}
}

// Reading lets requests in, and one of them ends it; so does unpacking.
func TestCancelEndsInspection(t *testing.T) {
	var b strings.Builder
	b.WriteString("layer,source,target\n")
	for i := range 2_000_000 {
		fmt.Fprintf(&b, "%d,%d,%d\n", i&1, i%4999, i%4001)
	}
	text := []byte(b.String())
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	if w, err := z.Create("big.csv"); err != nil {
		t.Fatal(err)
	} else if _, err := w.Write(text); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{text, packed.Bytes()} {
		c := start(t)
		id := c.send("inspect", filesArgument("big", data, ""), bridge.Bytes("file:0", data))
		var p struct{ Done, Total int }
		c.event(id, "reading").read(t, &p)
		if p.Total != len(data) || p.Done > p.Total {
			t.Errorf("%+v", p)
		}
		c.call("cancel", "")
		if m := c.reply(id); m.OK || m.Error.Code != "cancelled" {
			t.Errorf("%+v", m)
		}
	}
}
