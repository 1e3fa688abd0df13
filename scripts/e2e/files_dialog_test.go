package e2e

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem/core/formats"
	"cadem/core/formats/npy"
	"cadem/scripts/e2e/drive"
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

// Parts of the dialog.
const (
	asked = `document.querySelector('dialog.import')?.open && document.querySelector('#import-open')`
	gone  = `!document.querySelector('dialog.import')?.open`
)

// use chooses a role in the dialog.
func (v *Visit) use(name, role string) {
	v.t.Helper()
	v.Read(nil, `const s = document.querySelector('[data-part=' + JSON.stringify(args[0]) + '] select');
s.value = args[1];
if (s.value !== args[1]) throw new Error(args[0] + ' cannot be ' + args[1] + ' among ' + [...s.options].map(o => o.value));
s.dispatchEvent(new Event('change', {bubbles: true}));`, name, role)
}

// roles reads what the dialog would use everything for.
func (v *Visit) roles() map[string]string {
	v.t.Helper()
	var m map[string]string
	v.Read(&m, `return Object.fromEntries([...document.querySelectorAll('[data-part]')].map(p => [p.dataset.part, p.querySelector('select')?.value ?? '-']))`)
	return m
}

// TestImportDialog opens arrays, corrects what they were taken for, trains, and finds the
// choice again after a visit and in an exported run.
func TestImportDialog(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		const m = 40
		dir := t.TempDir()
		features, labels := make([]float64, 4*m), make([]int32, m)
		for i := range m {
			features[4*i+i%4], features[4*i+i/4%4] = 2, 1
			labels[i] = int32(i % 2)
		}
		stripes := matrix(m, func(i, j int) bool { return i%2 == j%2 && i/20 == j/20 })
		stripes.Data.([]float64)[1*m+3], stripes.Data.([]float64)[3*m+1] = 5, 5
		set := arrays(t, filepath.Join(dir, "set.npz"), []string{"blocks", "stripes", "everyone", "feat", "kind", "train_idx", "notes"},
			matrix(m, func(i, j int) bool { return i/10 == j/10 && i != j }), stripes,
			matrix(m, func(i, j int) bool { return i != j }), &npy.Array{Shape: []int{m, 4}, Data: features}, &npy.Array{Shape: []int{m}, Data: labels},
			&npy.Array{Shape: []int{3}, Data: []int32{1, 2, 3}}, &npy.Array{Shape: []int{2, 2, 2}, Data: make([]float64, 8)})

		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		before := v.State()
		same := func(when string) {
			t.Helper()
			if now := v.State(); now.Run != before.Run || now.Phase != "paused" || now.Step != before.Step {
				t.Errorf("%s: %+v, before %+v", when, now, before)
			}
			v.Want("#data-summary", "90 nodes, 3 layers")
		}
		v.Give("#open-files", set)
		v.Until(asked)
		v.Want("dialog.import", "set.npz: 40 nodes", "dense · 40 × 40 · float64", "400 entries, 360 without the 40 self loops · symmetric · 0 isolated nodes",
			"joins nearly every pair", "2 classes · 0: 20, 1: 20", "Weights of links")
		want := map[string]string{"blocks": "layer", "stripes": "layer", "everyone": "layer", "feat": "features", "kind": "labels", "train_idx": "split",
			"notes": "-"}
		if got := v.roles(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("roles %v, expected %v", got, want)
		}
		v.Until(`document.querySelector('#import-need').textContent.includes('a page can use')`)
		v.Read(nil, "for (const d of document.querySelectorAll('dialog details')) d.open = true")
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
			v.Read(&over, "const b = document.querySelector('.import-body'); return Math.max(b.scrollWidth - b.clientWidth, "+
				"document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth, "+
				"Math.ceil(document.querySelector('dialog').getBoundingClientRect().right - innerWidth))")
			if over > 0 {
				t.Errorf("at %d pixels the dialog is %d too wide", width, over)
			}
		}
		_ = v.Resize(1280, 800)

		// The keyboard stays in the dialog, and Escape leaves everything as it was.
		v.must(v.Press("Tab", "Tab", "Tab"))
		v.Until(`document.querySelector('dialog.import').contains(document.activeElement)`)
		v.must(v.Press("Escape"))
		v.Until(gone)
		same("given up")

		// A choice that cannot be: it is said, and another one can be made.
		v.Give("#open-files", set)
		v.Until(asked)
		for _, name := range []string{"everyone", "stripes"} {
			v.use(name, "")
		}
		v.Want("#import-problem", "Choose at least two layers.")
		v.Until("document.querySelector('#import-open').disabled")
		v.use("stripes", "layer")
		v.Read(nil, "document.querySelector('dialog [value=binary]').click()")
		v.Push("#import-open")
		v.Until(gone + " && " + untouch)
		v.Until(`document.querySelectorAll('#data-summary tbody tr').length === 2`)
		if got, want := v.layerTable(), [][3]string{{"blocks", "180", "0"}, {"stripes", "180", "0"}}; !slices.Equal(got, want) {
			t.Errorf("layers %v, expected %v", got, want)
		}
		v.Enter("#options-epochs", "20")
		v.Until(untouch)
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

		v.Load("")
		v.Push("[data-run=" + strconv.Quote(st.Run) + "] [data-act=open]")
		v.Until(finished)
		v.Until(`document.querySelectorAll('#data-summary tbody tr').length === 2`)
		if again := v.State(); again.Hash != st.Hash {
			t.Errorf("after another visit: %+v", again)
		}
		// What was chosen is there to be changed.
		v.Push("#choose-again")
		v.Until(asked)
		if got := v.roles(); got["everyone"] != "" || got["stripes"] != "layer" || got["kind"] != "labels" {
			t.Errorf("roles %v", got)
		}
		v.use("everyone", "layer")
		v.use("kind", "")
		v.Push("#import-open")
		v.Until(gone + " && " + untouch)
		v.Until(`document.querySelectorAll('#data-summary tbody tr').length === 3`)

		// The file of the run opens here as well, and brings the choice along.
		v.Give("#open-files", run)
		v.Until(finished)
		if now := v.State(); now.Hash != st.Hash {
			t.Errorf("imported %+v", now)
		}
		v.Check()
	})
}

// TestImportMistakes opens files that cannot be read, or do not fit together: each is named,
// and what was open remains.
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
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		before := v.State()
		for _, bad := range []struct{ path, want string }{
			{write("cut.npz", whole[:len(whole)-30]), "cut.npz: found an archive that is cut off or altered"},
			{write("new.mat", []byte("MATLAB 7.3 MAT-file, Platform: GLNXA64"+strings.Repeat(" ", 100))), "new.mat: found an HDF5 file, as MATLAB saves with '-v7.3'"},
			{write("words.txt", []byte("these are words\nand nothing else\n")), "words.txt: found a file of unknown kind"},
		} {
			v.Give("#open-files", bad.path)
			v.Until("document.querySelector('#messages').innerText.includes(" + strconv.Quote(bad.want) + ")")
			if now := v.State(); now.Run != before.Run || now.Phase != "paused" {
				t.Errorf("%s: %+v, before %+v", bad.path, now, before)
			}
		}
		// Layers of different nodes: the dialog tells, and takes a better choice.
		v.Give("#open-files", good, arrays(t, filepath.Join(dir, "more.npz"), []string{"c"}, matrix(5, any)))
		v.Until(asked)
		v.Want("[data-part=c]", "found a layer of 5 nodes, expected 6 as the other layers have")
		v.Push("#import-open")
		v.Until(`document.querySelector('#import-problem').textContent.includes('more.npz: c: found a layer of 5 nodes, expected 6 as in a')`)
		if now := v.State(); now.Run != before.Run || now.Phase != "paused" {
			t.Errorf("%+v, before %+v", now, before)
		}
		v.use("c", "")
		v.Push("#import-open")
		v.Until(gone + " && " + untouch + " && document.querySelector('#data-summary').innerText.includes('6 nodes, 2 layers')")
		v.Check()
	})
}

// TestBadBesideGood opens a small set of arrays and then, one after another, files that are
// wrong in every way that is known: each is refused by name with what was found and expected, or
// is shown as it is in the dialog. The set stays, and trains as if nothing had been.
func TestBadBesideGood(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		dir := t.TempDir()
		const m = 6
		ring := func(x ...float64) *npy.Array {
			a := matrix(m, func(i, j int) bool { return (i+1)%m == j || (j+1)%m == i })
			copy(a.Data.([]float64), x)
			return a
		}
		pairs := matrix(m, func(i, j int) bool { return i != j && i/2 == j/2 })
		classes := func(n int) *npy.Array {
			x := make([]int32, n)
			for i := range x {
				x[i] = int32(i % 2)
			}
			return &npy.Array{Shape: []int{n}, Data: x}
		}
		good := arrays(t, filepath.Join(dir, "acm-like.npz"), []string{"PAP", "PLP", "feature", "label", "train_idx"}, ring(), pairs,
			&npy.Array{Shape: []int{m, 2}, Data: []float64{1, 0, 1, 1, 0, 1, 1, 2, 3, 1, 1, 0}}, classes(m), &npy.Array{Shape: []int{2}, Data: []int32{0, 1}})
		whole, err := os.ReadFile(good)
		if err != nil {
			t.Fatal(err)
		}
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Give("#open-files", good)
		v.Until(asked)
		v.Want("[data-part=train_idx]", "A split is not used: scores deal folds of their own.")
		var use string // which the text of an element does not say in all engines
		if v.Read(&use, "return document.querySelector('[data-part=train_idx] select').selectedOptions[0].textContent"); use != "Split (not used)" {
			t.Errorf("train_idx is taken for %q", use)
		}
		v.Push("#import-open")
		v.Until(gone + " && " + untouch + " && document.querySelector('#data-summary').innerText.includes('6 nodes')")
		v.Want("#data-summary", "6 nodes, 2 layers", "train_idx is a split and not used")
		v.Enter("#evaluation-folds", "2")
		v.Enter("#options-epochs", "4")
		v.Until("cadem.state().epochs === 4 && " + untouch)
		before := v.State()

		// A MAT-file of level 5 whose head is in one byte order and whose variable is in the other.
		mat := func(version, mark, rest string) string {
			return "MATLAB 5.0 MAT-file" + strings.Repeat(" ", 105) + version + mark + rest
		}
		numpy := func(shape, data string) string {
			return fmt.Sprintf("\x93NUMPY\x01\x00\x76\x00%-117s\n%s", "{'descr': '<f8', 'fortran_order': False, 'shape': "+shape+", }", data)
		}
		zip := func(name, content string) string {
			var b bytes.Buffer
			z := zip.NewWriter(&b)
			if w, err := z.Create(name); err != nil {
				t.Fatal(err)
			} else if _, err := io.WriteString(w, content); err != nil || z.Close() != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		for name, bad := range map[string]struct{ content, want string }{
			"cut-1.npz":   {string(whole[:1]), "found a file of unknown kind"},
			"cut-2.npz":   {string(whole[:len(whole)/2]), "found an archive that is cut off or altered, expected a complete zip archive"},
			"cut-3.npz":   {string(whole[:len(whole)-1]), "found an archive that is cut off or altered, expected a complete zip archive"},
			"cut.npy":     {numpy("(6, 6)", "1234567812345678"), "cut: found a file that is cut off, expected a complete one"},
			"lies.npy":    {numpy("(90000, 90000)", "12345678"), "lies: found a shape of [90000 90000], expected at most 2.1 GB of entries"},
			"bomb.zip":    {zip("bomb.txt", strings.Repeat("1 1 2\n", 4<<20)), "bomb.txt: found more than"},
			"cyclic.pkl":  {"\x80\x04]q\x00h\x00a.", "found values inside of values, deeper or more than can be, or inside of themselves"},
			"program.pkl": {"\x80\x04cos\nsystem\n(X\x02\x00\x00\x00lstR.", `found an object of "os.system", which is not read because reading it could run a program`},
			"order-1.mat": {mat("\x00\x01", "MI", ""), `header: found the byte order mark "MI" beside a version in the other order`},
			"order-2.mat": {mat("\x01\x00", "MI", "\x0e\x00\x00\x00\x08\x00\x00\x00"), "variable 1: found an element whose type is 14 in the other byte order"},
			"nothing.mat": {mat("\x00\x01", "IM", ""), "found a MAT-file that ends before its first variable, expected matrices"},
			"version.mat": {"MATLAB 7.3 MAT-file, Platform: GLNXA64" + strings.Repeat(" ", 100),
				"found an HDF5 file, as MATLAB saves with '-v7.3', expected a MAT-file of version 5: save('FILE.mat', 'NAME', '-v7')"},
			"finite.edges": {"1 1 2 1\n1 2 3 Inf\n", `finite.edges:2: weight: found "Inf", expected a finite number >= 0`},
		} {
			p := filepath.Join(dir, name)
			if err := os.WriteFile(p, []byte(bad.content), 0o644); err != nil {
				t.Fatal(err)
			}
			v.refused(before, []string{strings.TrimSuffix(name, filepath.Ext(name)), bad.want}, "#open-files", p)
		}

		// What can be read but does not fit is shown, and where it stands what is wrong with it.
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
			p := arrays(t, filepath.Join(dir, name+".npz"), []string{"a", "b", name}, ring(), pairs, bad.array)
			v.Give("#open-files", p)
			v.Until(asked)
			v.Want("[data-part="+name+"]", bad.want)
			if name == "labels" || name == "nodes" || name == "finite" {
				v.Push("#import-open")
				v.Until(`document.querySelector('#import-problem').textContent.includes('` + name + `: found')`)
			}
			v.Read(nil, `[...document.querySelectorAll('dialog.import button')].find(b => b.textContent === 'Cancel').click()`)
			v.Until(gone)
			if now := v.State(); now != before {
				t.Errorf("%s: afterwards %+v, before %+v", name, now, before)
			}
		}

		st := v.Finish()
		c := Course{Files: []string{good}, Options: map[string]any{"epochs": 4, "folds": 2},
			Choice: &formats.Choice{Layers: []string{"PAP", "PLP"}, Features: "feature", Labels: []string{"label"}}}
		if want := c.Train(t); st.Hash != want.Hash || st.Run != before.Run {
			t.Errorf("trained to %+v, natively %s", st, want.Hash)
		}
		v.Check()
	})
}

// TestDrop drops the example that the page offers, with labels for it: they open at once. What
// is used of them can be changed all the same.
func TestDrop(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		v.Read(nil, `const text = await (await fetch(document.querySelector('#data-picker a[download]').href)).text();
const d = new DataTransfer();
d.items.add(new File([text], 'example_multiplex.txt'));
d.items.add(new File(['name,team\nAda,a\nBen,b\nCleo,a\nDan,b\n'], 'labels.csv'));
dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true}));`)
		v.Until(`document.querySelector('#data-summary').textContent.includes('12 nodes, 2 layers')`)
		v.Until(untouch)
		v.Push("#choose-again")
		v.Until(asked)
		if got := v.roles(); fmt.Sprint(got) != fmt.Sprint(map[string]string{"lunch": "layer", "work": "layer", "team": "labels"}) {
			t.Errorf("roles %v", got)
		}
		v.use("team", "")
		// It opens between two frames: what is drawn next says so all the same.
		v.Read(nil, `window.held = [];
const frame = requestAnimationFrame;
window.requestAnimationFrame = f => window.held.push(f);
window.release = () => {
	window.requestAnimationFrame = frame;
	window.held.forEach(f => frame(f));
};
document.querySelector('#colour-by').dispatchEvent(new Event('change'));`)
		v.Until("window.held.length > 0")
		v.Push("#import-open")
		v.Until(gone + " && cadem.state().phase === 'paused'")
		v.Read(nil, "window.release()")
		v.Until("![...document.querySelectorAll('#colour-by option')].some(o => o.value === 'labels:team')")
		v.Until("document.querySelector('#status').textContent.includes('untrained')")
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
		v.Until(asked)
		v.Want("[data-part=PAP]", "29,281 entries, 26,256 without the 3,025 self loops · symmetric · 561 isolated nodes · largest degree 90")
		v.Want("[data-part=label]", "3 classes · 0: 1,061, 1: 965, 2: 999")
		v.use("PTP", "")
		v.use("PMP", "")
		v.Push("#import-open")
		v.Until(gone + " && " + untouch)
		v.Enter("#options-epochs", "2")
		v.Until(untouch)
		v.Enter("#evaluation-eval_epochs", "2")
		st := v.Finish()
		c := Course{Files: []string{file}, Options: map[string]any{"epochs": 2},
			Choice: &formats.Choice{Layers: []string{"PAP", "PLP"}, Features: "feature", Labels: []string{"label"}}}
		if want := c.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		v.Check()
	})
}
