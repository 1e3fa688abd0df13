package e2e

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/cadem"
	"cadem.example/core/formats"
	"cadem.example/core/formats/archive"
	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/run"
	"cadem.example/scripts/e2e/drive"
)

// byName are the embeddings that are exported.
func byName(e *cadem.Embeddings) map[string]*mat.Dense {
	m := map[string]*mat.Dense{}
	for _, q := range run.WithCommon(run.Tokens(e), e)[1:] {
		m[q.Name] = q.Tokens[0]
	}
	return m
}

// TestExport saves a run in every form and reads the files with the core.
func TestExport(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		st := v.Finish()
		r := Small.Train(t)
		want := byName(r.Trained)
		if st.Hash != r.Hash || len(want) != 7 {
			t.Fatalf("hash %s, natively %s; %d embeddings", st.Hash, r.Hash, len(want))
		}
		v.Until("scores.rated")

		v.Push("#export-csv")
		sameCSV(t, download(t, v, "*.csv"), want)
		v.Push("#export-npz")
		sameNPZ(t, download(t, v, "*.npz"), want)

		v.Push("#export-run")
		run := download(t, v, "*-run.zip")
		a, err := archive.Read(run)
		if err != nil {
			t.Fatal(err)
		}
		for name, x := range want {
			if strings.HasPrefix(name, "C_") {
				continue // weights give it
			}
			got, err := npy.Read(formats.File{Name: name, Data: a.Blobs["embeddings/"+name+".npy"]})
			if err != nil {
				t.Fatal(err)
			}
			sameArray(t, name+" in the run file", got, x)
		}
		var tables, imported [2]string
		v.Read(&tables, "scores.andLosses")
		v.Check()

		// Another browser, which knows nothing of the run.
		file := filepath.Join(t.TempDir(), "taken along.zip")
		if err := os.WriteFile(file, run, 0o644); err != nil {
			t.Fatal(err)
		}
		w := Open(t, engine, v.Site, drive.Options{}, "")
		w.Until("storage.owned")
		w.Give("#import-run", file)
		w.Until("lab.finished && storage.settled")
		w.Until("scores.rated && losses.rows", 12)
		w.Read(&imported, "scores.andLosses")
		if now := w.State(); now.Hash != st.Hash || now.Scores != st.Scores || imported != tables {
			t.Errorf("imported %+v, was %+v; tables %v, were %v", now, st, imported, tables)
		}
		w.Load("")
		w.Want("#runs-list", "nodes 90", "finished")
		w.Check()
	})
}

func download(t *testing.T, v *Visit, pattern string) []byte {
	t.Helper()
	p, err := v.Download(pattern, patience)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(p)
	if err == nil {
		err = os.Remove(p) // so that the next one of that name is another
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func sameArray(t *testing.T, what string, got *npy.Array, want *mat.Dense) {
	t.Helper()
	m, d := want.Dims()
	x := got.Float64s()
	if len(got.Shape) != 2 || got.Shape[0] != m || got.Shape[1] != d {
		t.Fatalf("%s has shape %v, expected %d x %d", what, got.Shape, m, d)
	}
	for i := range m {
		for k := range d {
			if x[i*d+k] != want.At(i, k) {
				t.Fatalf("%s at %d, %d: %v, natively %v", what, i, k, x[i*d+k], want.At(i, k))
			}
		}
	}
}

func sameNPZ(t *testing.T, data []byte, want map[string]*mat.Dense) {
	t.Helper()
	arrays, err := npy.ReadNPZ(formats.File{Name: "embeddings.npz", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	if len(arrays) != len(want) {
		t.Errorf("%d arrays, expected %d", len(arrays), len(want))
	}
	for name, x := range want {
		if arrays[name] == nil {
			t.Fatalf("no array %s", name)
		}
		sameArray(t, name+" of the NPZ file", arrays[name], x)
	}
}

func sameCSV(t *testing.T, data []byte, want map[string]*mat.Dense) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	m, d := want["common"].Dims()
	if n := 2 + 4 + len(want)*d; len(rows) != m+1 || len(rows[0]) != n {
		t.Fatalf("%d rows of %d columns, expected %d of %d", len(rows), len(rows[0]), m+1, n)
	}
	if head := strings.Join(rows[0][:6], " "); head != "node name shared private_1 private_2 private_3" {
		t.Errorf("columns %s", head)
	}
	for c, column := range rows[0][6:] {
		column, layer, ofLayer := strings.Cut(column, " (")
		if ofLayer != (strings.HasPrefix(column, "private_") || strings.HasPrefix(column, "C_")) || ofLayer && layer == ")" {
			t.Errorf("column %s names the layer %q", column, layer)
		}
		at := strings.LastIndexByte(column, '_')
		x := want[column[:at]]
		k, err := strconv.Atoi(column[at+1:])
		if x == nil || err != nil {
			t.Fatalf("column %q", column)
		}
		for i, row := range rows[1:] {
			got, err := strconv.ParseFloat(row[6+c], 64)
			if err != nil || float32(got) != float32(x.At(i, k-1)) {
				t.Fatalf("%s of node %d: %s, natively %v", column, i, row[6+c], x.At(i, k-1))
			}
		}
	}
}

// trainedFile returns the file of a run that the command line trained, its contents, and the hash and the number of scores that were printed.
func trainedFile(t *testing.T) (good string, whole []byte, hash string, scores int) {
	t.Helper()
	good = filepath.Join(t.TempDir(), "written.zip")
	c := exec.Command("go", "run", "./scripts/cadem", "train", "-data", "syn1", "-set", "epochs=3", "-set", "hidden=16", "-set", "eval_epochs=5", "-out",
		good, "-json")
	c.Dir = root(t)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Hash   string
		Scores []struct{}
	}
	if err := json.Unmarshal(out, &told); err != nil {
		t.Fatal(err)
	}
	whole, err = os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	return good, whole, told.Hash, len(told.Scores)
}

// TestHandedRun opens a run that is served beside the page, as model.show() in Python does.
func TestHandedRun(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		_, whole, hash, scores := trainedFile(t)
		s := NewSite(t)
		s.Files["runs/OF-PYTHON.zip"] = whole
		v := Open(t, engine, s, drive.Options{}, "?run=OF-PYTHON")
		v.Until("lab.finished && storage.settled && !address.query")
		if st := v.State(); st.Hash != hash || st.Scores != scores {
			t.Errorf("opened %+v, the command line told %s and %d scores", st, hash, scores)
		}
		v.Want("#runs-list", "finished")
		v.Until("lab.unhinted") // the form has its settings
		v.Load("?run=ANOTHER")
		v.Until("notices.message", "not there any more")
	})
}

// TestImport opens a run file that the command line has written, and refuses
// those that are damaged or of a later program, without harm to what is there.
func TestImport(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		good, whole, hash, scores := trainedFile(t)
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("storage.owned")
		v.Give("#open-files", good) // the same as the button for it
		v.Until("lab.finished && storage.settled")
		if st := v.State(); st.Hash != hash || st.Scores != scores {
			t.Errorf("imported %+v, the command line told %s and %d scores", st, hash, scores)
		}
		v.Until("scores.rated")
		v.Push("#every-number summary")
		v.Want("#metrics", "Macro-F1", "combined")
		before := v.State()

		for _, bad := range []struct {
			name string
			data []byte
			want []string
		}{
			{"cut.zip", whole[:len(whole)/2], []string{"cut.zip"}},
			{"empty.zip", nil, []string{"empty.zip", "empty"}},
			{"later.zip", reformat(t, whole, 99), []string{"later.zip", "newer version", "format 99"}},
			{"other.zip", []byte("this is no archive"), []string{"other.zip"}},
			{"damaged.zip", damage(t, whole), []string{"damaged.zip", "checkpoint.bin"}},
		} {
			p := filepath.Join(filepath.Dir(good), bad.name)
			if err := os.WriteFile(p, bad.data, 0o644); err != nil {
				t.Fatal(err)
			}
			v.Give("#import-run", p)
			v.Until("notices.message", bad.name)
			v.Want("#messages", bad.want...)
			t.Log(v.Text("#messages"))
			if st := v.State(); st.Run != before.Run || st.Hash != before.Hash || st.Phase != "finished" || st.Scores != before.Scores {
				t.Errorf("%s: afterwards %+v, before %+v", bad.name, st, before)
			}
			if n := v.Count("#runs-list li[data-run]"); n != 1 {
				t.Errorf("%s: %d saved runs, expected the one", bad.name, n)
			}
		}

		// A run that is deleted and imported again is kept under another name than the one being deleted.
		v.Go("runs")
		v.Push("#runs-list [data-act=delete]")
		v.Until("runs.count", 0)
		v.Give("#import-run", good)
		v.Until("runs.count && storage.settled", 1)
		v.Load("")
		v.Until("storage.owned && runs.count", 1)
		v.Check()
	})
}

// TestBadImportWhileTraining opens what cannot be opened while a run trains: it goes on, and the message about it goes with the next
// run that is opened.
func TestBadImportWhileTraining(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		first := v.Finish()
		v.Enter("#options-epochs", "20000")
		v.Until("settings.epochs", 20000)
		v.Pace(tenASecond)
		v.Push("#play")
		v.Until("lab.running && !runs.current && lab.past", first.Run, 0)
		run := v.State().Run
		junk := filepath.Join(t.TempDir(), "junk.zip")
		if err := os.WriteFile(junk, []byte("no archive"), 0o644); err != nil {
			t.Fatal(err)
		}
		for input, told := range map[string]string{"#import-run": "#messages", "#open-files": "#files-problem"} {
			v.Read(nil, "notices.clear")
			v.Give(input, junk)
			v.Until("see.says", told, "junk.zip")
			before := v.State()
			v.Until("lab.past && lab.begins", before.Step+20, "Training")
			if st := v.State(); st.Phase != "running" || st.Run != run {
				t.Errorf("%s: afterwards %+v", input, st)
			}
		}
		v.Push("[data-run=" + strconv.Quote(first.Run) + "] [data-act=open]")
		v.Until("lab.finished && runs.current && !notices.anyMessage", first.Run)
		v.Check()
	})
}

// rezip writes an archive again with some members changed.
func rezip(t *testing.T, data []byte, change func(name string, b []byte) []byte) []byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		m, err := w.Create(f.Name)
		if err == nil {
			_, err = m.Write(change(f.Name, b))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func reformat(t *testing.T, data []byte, format int) []byte {
	return rezip(t, data, func(name string, b []byte) []byte {
		if name != "run.json" {
			return b
		}
		return bytes.Replace(b, []byte(`"format":1`), []byte(`"format":`+strconv.Itoa(format)), 1)
	})
}

func damage(t *testing.T, data []byte) []byte {
	return rezip(t, data, func(name string, b []byte) []byte {
		if name == "checkpoint.bin" {
			b[len(b)/2] ^= 1
		}
		return b
	})
}

// TestInterruptedRun interrupts a training on the command line and goes on with it in the page,
// exports it there, and goes on with that on the command line.
func TestInterruptedRun(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		dir := t.TempDir()
		program := filepath.Join(dir, "cadem")
		build := exec.Command("go", "build", "-o", program, "./scripts/cadem")
		build.Dir = root(t)
		if text, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		// interrupt stops a training that would take hours, once it says how far it is, and returns
		// the step after which it did.
		interrupt := func(args ...string) (step int) {
			t.Helper()
			c := exec.Command(program, append([]string{"train"}, args...)...)
			said, err := c.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			last := ""
			for s, told := bufio.NewScanner(said), false; s.Scan(); last += s.Text() + "\n" {
				if !told {
					told = true
					if err := c.Process.Signal(os.Interrupt); err != nil {
						t.Fatal(err)
					}
				}
			}
			_ = c.Wait() // it ends with 130
			m := regexp.MustCompile(`interrupted after step (\d+) of`).FindStringSubmatch(last)
			if m == nil {
				t.Fatalf("it said %q", last)
			}
			fmt.Sscan(m[1], &step)
			return step
		}
		file := filepath.Join(dir, "run.zip")
		step := interrupt("-data", "syn1", "-set", "epochs=100000", "-set", "early_stop=off", "-set", "hidden=16", "-out", file)

		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("storage.owned")
		v.Give("#import-run", file)
		v.Until("lab.pausedAt", step)
		v.Push("#step")
		v.Until("lab.pausedAt && storage.settled", step+1)
		v.Push("#export-run")
		run := download(t, v, "*run.zip")
		v.Check()
		if err := os.WriteFile(file, run, 0o644); err != nil {
			t.Fatal(err)
		}
		if again := interrupt("-resume", file); again <= step {
			t.Errorf("it went on from step %d to %d", step+1, again)
		}
	})
}
