package e2e

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
	"cadem.example/scripts/e2e/drive"
)

// TestImportMistakes opens files that cannot be read, or do not fit together: each is named, and
// the open data remain.
func TestImportMistakes(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		dir := t.TempDir()
		write := func(name string, data []byte) string {
			p := filepath.Join(dir, name)
			if err := os.WriteFile(p, data, 0o644); err != nil {
				t.Fatal(err)
			}
			return p
		}
		any := func(i, j int) bool { return i != j }
		good := arrays(t, filepath.Join(dir, "good.npz"), []string{"a", "b"}, matrix(6, any), matrix(6, any))
		whole, err := os.ReadFile(good)
		if err != nil {
			t.Fatal(err)
		}
		v := OpenReady(t, engine, Small.Link())
		before := v.State()
		for _, bad := range []struct{ path, want string }{
			{write("cut.npz", whole[:len(whole)-30]), "cut.npz: found an archive that is cut off or altered"},
			{write("new.mat", []byte("MATLAB 7.3 MAT-file, Platform: GLNXA64"+strings.Repeat(" ", 100))), "new.mat: found an HDF5 file, as MATLAB saves with '-v7.3'"},
			{write("words.txt", []byte("these are words\nand nothing else\n")), "words.txt:1: found a file of unknown kind"},
		} {
			v.Give("#open-files", bad.path)
			v.Until("data.problem", bad.want)
			if now := v.State(); now.Run != before.Run || now.Phase != "paused" {
				t.Errorf("%s: %+v, before %+v", bad.path, now, before)
			}
		}
		// Layers of different nodes: the dialog tells, and takes a better choice.
		v.Give("#open-files", good, arrays(t, filepath.Join(dir, "more.npz"), []string{"c"}, matrix(5, any)))
		v.Until("importing.open")
		v.Want("[data-part=c]", "found a layer of 5 nodes, expected 6 as the other layers have")
		v.Push("#import-open")
		v.Until("importing.problem", "more.npz: c: found a layer of 5 nodes, expected 6 as in a")
		if now := v.State(); now.Run != before.Run || now.Phase != "paused" {
			t.Errorf("%+v, before %+v", now, before)
		}
		v.use("c", "")
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched && data.says", "6 nodes, 2 layers")
		v.Check()
	})
}

// ringNodes is the number of nodes of small sets.
const ringNodes = 6

// ring returns a layer whose numbers begin with x.
func ring(x ...float64) *npy.Array {
	a := matrix(ringNodes, func(i, j int) bool { return (i+1)%ringNodes == j || (j+1)%ringNodes == i })
	copy(a.Data.([]float64), x)
	return a
}

func pairs() *npy.Array {
	return matrix(ringNodes, func(i, j int) bool { return i != j && i/2 == j/2 })
}

func classes(n int) *npy.Array {
	x := make([]int32, n)
	for i := range x {
		x[i] = int32(i % 2)
	}
	return &npy.Array{Shape: []int{n}, Data: x}
}

// matBytes returns a MAT-file of level 5 whose head is in one byte order and whose variable is in the other.
func matBytes(version, mark, rest string) string {
	return "MATLAB 5.0 MAT-file" + strings.Repeat(" ", 105) + version + mark + rest
}

func rawNPY(shape, data string) string {
	return fmt.Sprintf("\x93NUMPY\x01\x00\x76\x00%-117s\n%s", "{'descr': '<f8', 'fortran_order': False, 'shape': "+shape+", }", data)
}

func zipped(t *testing.T, name, content string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if w, err := z.Create(name); err != nil {
		t.Fatal(err)
	} else if _, err := io.WriteString(w, content); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestBadBesideGood opens a small set of arrays and then, one after another, files with every known
// error: each is refused by name with the value found and expected, or is shown in the dialog. The
// set stays, and trains as before.
func TestBadBesideGood(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		dir := t.TempDir()
		good := arrays(t, filepath.Join(dir, "acm-like.npz"), []string{"PAP", "PLP", "feature", "label", "train_idx", "test_idx"}, ring(), pairs(),
			&npy.Array{Shape: []int{ringNodes, 2}, Data: []float64{1, 0, 1, 1, 0, 1, 1, 2, 3, 1, 1, 0}}, classes(ringNodes),
			&npy.Array{Shape: []int{2}, Data: []int32{0, 1}}, &npy.Array{Shape: []int{4}, Data: []int32{2, 3, 4, 5}})
		whole, err := os.ReadFile(good)
		if err != nil {
			t.Fatal(err)
		}
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Give("#open-files", good)
		v.Until("importing.open")
		v.Want("[data-part=train_idx]", "Scores train on the training nodes of a split")
		var use string // not in the text of an element in every engine
		if v.Read(&use, "importing.roleText", "train_idx"); use != "Split for scores" {
			t.Errorf("train_idx is taken for %q", use)
		}
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched && data.says", "6 nodes")
		v.Want("#data-summary", "6 nodes, 2 layers")
		v.Enter("#evaluation-folds", "2")
		v.Enter("#options-epochs", "4")
		v.Until("lab.epochs && lab.untouched", 4)
		before := v.State()

		v.giveUnreadable(dir, whole, before)
		v.giveUnfit(dir, before)

		st := v.Finish()
		c := Course{Files: []string{good}, Options: map[string]any{"epochs": 4, "folds": 2},
			Choice: &formats.Choice{Layers: []string{"PAP", "PLP"}, Features: "feature", Labels: []string{"label"}}}
		if want := c.Train(t); st.Hash != want.Hash || st.Run != before.Run {
			t.Errorf("trained to %+v, natively %s", st, want.Hash)
		}
		v.Push("#every-number summary")
		v.Want("#metrics", "by the data's own split: 2 training, 4 test nodes")
		v.Check()
	})
}

// giveUnreadable opens files that are refused; whole is a file that is not.
func (v *Visit) giveUnreadable(dir string, whole []byte, before State) {
	t := v.t
	t.Helper()
	for name, bad := range map[string]struct{ content, want string }{
		"cut-1.npz":   {string(whole[:1]), "found a file of unknown kind"},
		"cut-2.npz":   {string(whole[:len(whole)/2]), "found an archive that is cut off or altered, expected a complete zip archive"},
		"cut-3.npz":   {string(whole[:len(whole)-1]), "found an archive that is cut off or altered, expected a complete zip archive"},
		"cut.npy":     {rawNPY("(6, 6)", "1234567812345678"), "cut: found a file that is cut off, expected a complete one"},
		"lies.npy":    {rawNPY("(90000, 90000)", "12345678"), "lies: found a shape of [90000 90000], expected at most 2.1 GB of entries"},
		"bomb.zip":    {zipped(t, "bomb.txt", strings.Repeat("1 1 2\n", 4<<20)), "bomb.txt: found more than"},
		"cyclic.pkl":  {"\x80\x04]q\x00h\x00a.", "found values inside of values, deeper or more than can be, or inside of themselves"},
		"program.pkl": {"\x80\x04cos\nsystem\n(X\x02\x00\x00\x00lstR.", `found an object of "os.system", which is not read because reading it could run a program`},
		"order-1.mat": {matBytes("\x00\x01", "MI", ""), `header: found the byte order mark "MI" beside a version in the other order`},
		"order-2.mat": {matBytes("\x01\x00", "MI", "\x0e\x00\x00\x00\x08\x00\x00\x00"), "variable 1: found an element whose type is 14 in the other byte order"},
		"nothing.mat": {matBytes("\x00\x01", "IM", ""), "found a MAT-file that ends before its first variable, expected matrices"},
		"version.mat": {"MATLAB 7.3 MAT-file, Platform: GLNXA64" + strings.Repeat(" ", 100),
			"found an HDF5 file, as MATLAB saves with '-v7.3', expected a MAT-file of version 5: `load('version.mat'); save('version.mat.mat', '-v7')`"},
		"finite.edges": {"1 1 2 1\n1 2 3 Inf\n", `finite.edges:2: weight: found "Inf", expected a finite number`},
	} {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(bad.content), 0o644); err != nil {
			t.Fatal(err)
		}
		v.refused(before, []string{strings.TrimSuffix(name, filepath.Ext(name)), bad.want}, "#open-files", p)
	}
}

// giveUnfit opens files that can be read but do not fit: they are shown, and where it stands what is wrong with them.
func (v *Visit) giveUnfit(dir string, before State) {
	t := v.t
	t.Helper()
	for name, bad := range map[string]struct {
		array *npy.Array
		want  string
	}{
		"square":   {&npy.Array{Shape: []int{5, 7}, Data: make([]float64, 35)}, "No layer: 5 x 7, not square. No features or labels: 5 rows for 6 nodes."},
		"negative": {ring(0, -.5), "No layer: -0.5 in row 0, column 1."},
		"nodes":    {matrix(5, func(i, j int) bool { return i != j }), "nodes: found a layer of 5 nodes, expected 6 as the other layers have"},
		"finite":   {ring(0, math.NaN()), "finite: found NaN in row 0, column 1, expected finite numbers"},
		"labels":   {classes(5), "labels: found labels of shape [5], expected 6 labels, one a node"},
	} {
		p := arrays(t, filepath.Join(dir, name+".npz"), []string{"a", "b", name}, ring(), pairs(), bad.array)
		v.Give("#open-files", p)
		v.Until("importing.open")
		v.Want("[data-part="+name+"]", bad.want)
		if name == "labels" || name == "nodes" || name == "finite" {
			v.Push("#import-open")
			v.Until("importing.problem", name+": found")
		}
		v.Read(nil, "hand.press", "dialog.import button", "Cancel")
		v.Until("importing.closed")
		if now := v.State(); now != before {
			t.Errorf("%s: afterwards %+v, before %+v", name, now, before)
		}
	}
}
