package e2e

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
	"cadem.example/scripts/e2e/drive"
)

// csr is the array that names the format of a SciPy matrix.
var csr = fmt.Sprintf("\x93NUMPY\x01\x00\x76\x00%-117s\ncsr", "{'descr': '|S3', 'fortran_order': False, 'shape': (), }")

// arrays writes an archive of arrays, as NumPy's savez does; the one that is nil says csr.
func arrays(t *testing.T, path string, names []string, list ...*npy.Array) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, name := range names {
		w, err := z.Create(name + ".npy")
		if err == nil && list[i] == nil {
			_, err = io.WriteString(w, csr)
		} else if err == nil {
			err = npy.Write(w, list[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// matrix returns a square one with 1 where joined says so.
func matrix(n int, joined func(i, j int) bool) *npy.Array {
	x := make([]float64, n*n)
	for i := range n {
		for j := range n {
			if joined(i, j) {
				x[i*n+j] = 1
			}
		}
	}
	return &npy.Array{Shape: []int{n, n}, Data: x}
}

// use chooses a role in the dialog.
func (v *Visit) use(name, role string) {
	v.t.Helper()
	v.Read(nil, "importing.use", name, role)
}

// roles returns the role that the dialog suggests for each part of the files.
func (v *Visit) roles() map[string]string {
	v.t.Helper()
	var m map[string]string
	v.Read(&m, "importing.roles")
	return m
}

// dialogSet writes arrays of every role that the dialog knows.
func dialogSet(t *testing.T, path string) string {
	t.Helper()
	const m = 40
	features, labels := make([]float64, 4*m), make([]int32, m)
	for i := range m {
		features[4*i+i%4], features[4*i+i/4%4] = 2, 1
		labels[i] = int32(i % 2)
	}
	stripes := matrix(m, func(i, j int) bool { return i%2 == j%2 && i/20 == j/20 })
	stripes.Data.([]float64)[1*m+3], stripes.Data.([]float64)[3*m+1] = 5, 5
	return arrays(t, path, []string{"blocks", "stripes", "everyone", "feat", "kind", "train_idx", "notes"},
		matrix(m, func(i, j int) bool { return i/10 == j/10 && i != j }), stripes,
		matrix(m, func(i, j int) bool { return i != j }), &npy.Array{Shape: []int{m, 4}, Data: features}, &npy.Array{Shape: []int{m}, Data: labels},
		&npy.Array{Shape: []int{3}, Data: []int32{1, 2, 3}}, &npy.Array{Shape: []int{2, 3, 4}, Data: make([]float64, 24)})
}

// TestImportDialog opens arrays, corrects what they were taken for, trains, and finds the
// choice again after a visit and in an exported run.
func TestImportDialog(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		dir := t.TempDir()
		set := dialogSet(t, filepath.Join(dir, "set.npz"))
		v := OpenReady(t, engine, Small.Link())
		before := v.State()
		v.Give("#open-files", set)
		v.Until("importing.open")
		v.checkDialog()

		// The keyboard stays in the dialog, and Escape changes nothing.
		v.must(v.Press("Tab", "Tab", "Tab"))
		v.Until("importing.holdsFocus")
		v.must(v.Press("Escape"))
		v.Until("importing.closed")
		if now := v.State(); now.Run != before.Run || now.Phase != "paused" || now.Step != before.Step {
			t.Errorf("given up: %+v, before %+v", now, before)
		}
		v.Want("#data-summary", "90 nodes, 3 layers")

		v.chooseLayers(set)
		v.Enter("#options-epochs", "20")
		v.Until("lab.untouched")
		st := v.Finish()
		c := Course{Files: []string{set}, Options: map[string]any{"epochs": 20},
			Choice: &formats.Choice{Layers: []string{"blocks", "stripes"}, Features: "feat", Labels: []string{"kind"}, Binary: true}}
		if want := c.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		v.Push("#export-run")
		run := filepath.Join(dir, "taken along.zip")
		if err := os.WriteFile(run, download(t, v, "*-run.zip"), 0o644); err != nil {
			t.Fatal(err)
		}

		v.chooseAgain(st)

		// The file of the run opens here as well, and brings the choice along.
		v.Give("#open-files", run)
		v.Until("lab.finished")
		if now := v.State(); now.Hash != st.Hash {
			t.Errorf("imported %+v", now)
		}
		v.Check()
	})
}

// checkDialog reads in the dialog what the arrays were taken for; it fits screens of any width.
func (v *Visit) checkDialog() {
	t := v.t
	t.Helper()
	v.Want("dialog.import", "set.npz: 40 nodes", "dense · 40 × 40 · float64",
		"400 entries, 360 without the 40 self loops · undirected, each link stored in both directions · 0 isolated nodes",
		"joins nearly every pair", "2 classes · 0: 20, 1: 20", "Weights of links")
	want := map[string]string{"blocks": "layer", "stripes": "layer", "everyone": "layer", "feat": "features", "kind": "labels", "train_idx": "split",
		"notes": "-"}
	if got := v.roles(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("roles %v, expected %v", got, want)
	}
	v.Until("see.says", "#import-need", "a page can use")
	v.Read(nil, "importing.unfold")
	v.Want("[data-part=blocks] .degrees", "8–15", "40")
	for _, width := range []int{1280, 390} {
		if err := v.Resize(width, 800); errors.Is(err, drive.ErrUnsupported) {
			continue
		}
		for _, dark := range []bool{false, true} {
			if err := v.SetMedia(drive.Media{Dark: dark}); err == nil || !dark {
				Axe(t, v.Browser)
			}
		}
		var over int
		v.Read(&over, "importing.tooWide")
		if over > 0 {
			t.Errorf("at %d pixels the dialog is %d too wide", width, over)
		}
	}
	_ = v.Resize(1280, 800)
}

// chooseLayers makes a choice that cannot be, which is said, and then another one.
func (v *Visit) chooseLayers(set string) {
	v.t.Helper()
	v.Give("#open-files", set)
	v.Until("importing.open")
	for _, name := range []string{"everyone", "stripes"} {
		v.use(name, "")
	}
	v.Want("#import-problem", "Choose at least two layers.")
	v.Until("importing.blocked")
	v.use("stripes", "layer")
	v.Read(nil, "hand.click", "dialog [value=binary]")
	v.Push("#import-open")
	v.Until("importing.closed && lab.untouched")
	v.Until("data.layers", 2)
	if got, want := v.layerTable(), [][3]string{{"blocks", "180", "0"}, {"stripes", "180", "0"}}; !slices.Equal(got, want) {
		v.t.Errorf("layers %v, expected %v", got, want)
	}
}

// chooseAgain finds a run after another visit, and changes what was chosen.
func (v *Visit) chooseAgain(st State) {
	t := v.t
	t.Helper()
	v.Load("")
	v.Push("[data-run=" + strconv.Quote(st.Run) + "] [data-act=open]")
	v.Until("lab.finished")
	v.Until("data.layers", 2)
	if again := v.State(); again.Hash != st.Hash {
		t.Errorf("after another visit: %+v", again)
	}
	// The choice is there to be changed.
	v.Push("#choose-again")
	v.Until("importing.open")
	if got := v.roles(); got["everyone"] != "" || got["stripes"] != "layer" || got["kind"] != "labels" {
		t.Errorf("roles %v", got)
	}
	v.use("everyone", "layer")
	v.use("kind", "")
	v.Push("#import-open")
	v.Until("importing.closed && lab.untouched")
	v.Until("data.layers", 3)
}

// TestImportAsks opens topics, a column for each, beside their numbers: what they are is asked before anything opens, and features
// that hold the labels are refused.
func TestImportAsks(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		const m, topics = 40, 4
		hot, y := make([]float64, m*topics), make([]int32, m)
		for i := range m {
			hot[i*topics+i*7%topics], y[i] = 1, int32(i*7%topics)
		}
		set := arrays(t, filepath.Join(t.TempDir(), "biblio.npz"), []string{"paper", "venue", "community", "y"},
			matrix(m, func(i, j int) bool { return i/10 == j/10 && i != j }), matrix(m, func(i, j int) bool { return i/8 == j/8 && i != j }),
			&npy.Array{Shape: []int{m, topics}, Data: hot}, &npy.Array{Shape: []int{m}, Data: y})
		v := OpenReady(t, engine, Small.Link())
		v.Give("#open-files", set)
		v.Until("importing.open")
		if got := v.roles(); got["community"] != "ask" || got["y"] != "labels" {
			t.Errorf("roles %v", got)
		}
		v.Want("#import-problem", "Say what community is: features, labels or neither.")
		v.Want("[data-part=community]", "at most one entry in each row, as labels do")
		v.Until("importing.blocked")
		v.use("community", "features")
		v.Push("#import-open")
		v.Until("importing.problem", "which the features hold, too")
		v.use("community", "")
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched")
		v.Want("#data-summary", "40 nodes, 2 layers")
		v.Push("#choose-again") // what was said is not asked again
		v.Until("importing.open")
		if got := v.roles(); got["community"] != "" || got["y"] != "labels" {
			t.Errorf("roles %v", got)
		}
		v.must(v.Press("Escape"))
		v.Until("importing.closed")
		v.Check()
	})
}

// TestDrop drops the example that the page offers, with labels for it: they open at once. Their use
// can be changed anyway.
func TestDrop(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Read(nil, "data.dropExample")
		v.Until("data.says", "12 nodes, 2 layers")
		v.Until("lab.untouched")
		v.Push("#choose-again")
		v.Until("importing.open")
		if got := v.roles(); fmt.Sprint(got) != fmt.Sprint(map[string]string{"lunch": "layer", "work": "layer", "team": "labels"}) {
			t.Errorf("roles %v", got)
		}
		v.use("team", "")
		// It opens between two frames: what is drawn next says so anyway.
		v.Read(nil, "page.holdFrames")
		v.Until("page.framesHeld")
		v.Push("#import-open")
		v.Until("importing.closed && lab.paused")
		v.Read(nil, "page.releaseFrames")
		v.Until("!embeddings.offers", "labels:team")
		v.Until("lab.says", "untrained")
		v.Want("#data-summary", "12 nodes, 2 layers")
		v.Check()
	})
}

// TestImportACM opens the file that others publish with the ACM citation data.
func TestImportACM(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		file := filepath.Join(root(t), "..", "shared", "data", "acm", "ACM3025.mat")
		if _, err := os.Stat(file); err != nil {
			t.Skipf("the ACM data are not there: %v", err)
		}
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Give("#open-files", file)
		v.Until("importing.open")
		v.Want("[data-part=PAP]", "29,281 entries, 26,256 without the 3,025 self loops · undirected, each link stored in both directions · "+
			"561 isolated nodes · largest degree 90")
		v.Want("[data-part=label]", "3 classes · 0: 1,061, 1: 965, 2: 999")
		v.use("PTP", "")
		v.use("PMP", "")
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched")
		v.Enter("#options-epochs", "2")
		v.Enter("#options-hidden", "64")
		v.Until("lab.untouched")
		v.Enter("#evaluation-eval_epochs", "2")
		v.Enter("#evaluation-kmeans_runs", "1")
		st := v.Finish()
		c := Course{Files: []string{file}, Options: map[string]any{"epochs": 2, "hidden": 64, "eval_epochs": 2, "kmeans_runs": 1},
			Choice: &formats.Choice{Layers: []string{"PAP", "PLP"}, Features: "feature", Labels: []string{"label"}}}
		if want := c.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		v.Check()
	})
}
