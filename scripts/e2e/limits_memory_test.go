package e2e

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cadem.example/core/formats/npy"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth"
	"cadem.example/scripts/e2e/drive"
)

// memory reads what the page's process holds, in megabytes.
func (v *Visit) memory() (now, most int64) {
	v.t.Helper()
	u, err := v.Usage()
	v.must(err)
	return u.Now >> 20, u.Most >> 20
}

// watchMemory returns a function that tells the most bytes that the page's process has held since
// now. Twice a second it looks for itself, since Chromium now and then has the kernel begin anew.
func (v *Visit) watchMemory() func() int64 {
	var most atomic.Int64
	look := func() {
		if u, err := v.Usage(); err == nil {
			most.Store(max(most.Load(), u.Most))
		}
	}
	over := make(chan struct{})
	v.t.Cleanup(func() { close(over) })
	go func() {
		for tick := time.Tick(time.Second / 2); ; {
			select {
			case <-over:
				return
			case <-tick:
				look()
			}
		}
	}()
	return func() int64 { look(); return most.Load() }
}

// until waits longer than Until does.
func (v *Visit) until(patience time.Duration, condition string, arg ...any) {
	v.t.Helper()
	v.must(v.Await(patience, condition, arg...))
}

// TestLargePickle opens the 259 MB of dense matrices of the authors' layout, packed and not,
// while the page's process stays below 500 MB, all that belongs to a page included.
func TestLargePickle(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		if engine != "chromium" {
			t.Skip("only Chromium's processes are looked into")
		}
		packed := filepath.Join(root(t), "../shared/data/imdb/imdb_hdmi_layout.pkl.gz")
		in, err := os.Open(packed)
		if err != nil {
			t.Skip("the published sets are not here: ../shared/data")
		}
		defer in.Close()
		plain := filepath.Join(t.TempDir(), "imdb.pkl")
		out, err := os.Create(plain)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(in)
		if err == nil {
			_, err = io.Copy(out, z)
		}
		if err != nil || out.Close() != nil {
			t.Fatal(err)
		}
		for _, path := range []string{packed, plain} {
			v := OpenReady(t, engine, Small.Link())
			before, _ := v.memory()
			v.Give("#open-files", path)
			v.Until("importing.open")
			v.Push("#import-open")
			v.Until("importing.closed")
			v.Until("lab.untouched")
			v.Want("#data-summary", "3550 nodes, 2 layers")
			v.Until("storage.settled")
			now, most := v.memory()
			t.Logf("%s: %d MB before, %d after, %d at most", filepath.Base(path), before, now, most)
			if most > 500 {
				t.Errorf("%s: %d MB at most", filepath.Base(path), most)
			}
			v.Check()
			v.Close()
		}
	})
}

// TestDBLP trains a graph of DBLP's printed size for 400 x 5 steps and looks at time and
// memory. It takes minutes: it runs where CADEM_LARGE is set. Time tells something only where
// nothing else runs: with CADEM_REAL_LIMITS=1 it is held to 15 minutes, as TestRealData is to its limits.
func TestDBLP(t *testing.T) {
	Alone(t, func(t *testing.T, engine string) {
		if os.Getenv("CADEM_LARGE") == "" || engine != "chromium" {
			t.Skip("takes minutes and 2 GB of memory: set CADEM_LARGE=1, in Chromium")
		}
		began := time.Now()
		files := writeGraph(t, &synth.DBLP)
		t.Logf("%v: %s", time.Since(began).Round(time.Second), files)
		v := OpenReady(t, engine, Small.Link())
		began = time.Now()
		most := v.watchMemory()
		stage := func(what string) {
			u, err := v.Usage()
			v.must(err)
			t.Logf("%v, %v of processor time: %s, %d MB, %d at most so far", time.Since(began).Round(time.Second/10), u.CPU.Round(time.Second/10), what, u.Now>>20,
				most()>>20)
		}
		v.Give("#open-files", files...)
		v.until(10*time.Minute, "importing.open")
		stage("inspected")
		v.Want("dialog.import", "57,137,515 entries", "144,783 entries", "90,145 entries")
		v.Push("#import-open")
		v.until(10*time.Minute, "importing.closed")
		v.until(10*time.Minute, "lab.untouched")
		stage("ready to train")
		v.Want("#data-summary", "7907 nodes, 3 layers")
		v.Enter("#options-epochs", "400")
		v.Push("#play")
		v.until(10*time.Minute, "lab.past", 5)
		stage("training")
		v.until(30*time.Minute, "lab.ended && !lab.scoring")
		stage("finished")
		st := v.State()
		took := time.Since(began)
		t.Logf("%d steps of %d, hash %s, %d scores", st.Step, st.Steps, st.Hash, st.Scores)
		if st.Steps != 2000 {
			t.Errorf("%d steps", st.Steps)
		}
		if most := 15 * time.Minute; os.Getenv("CADEM_REAL_LIMITS") != "" && took > most {
			t.Errorf("it took %v, expected at most %v", took.Round(time.Second), most)
		}
		if _, most := v.memory(); most > 2048 {
			t.Errorf("%d MB at most", most)
		}
		v.Check()
	})
}

// writeGraph writes the layers, features and labels of a graph as scipy.sparse.save_npz and
// numpy.save do.
func writeGraph(t *testing.T, c *synth.Counts) (paths []string) {
	t.Helper()
	g, err := c.Draw(1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	sparse := func(name string, a *multiplex.CSR) {
		ones := make([]bool, a.NNZ())
		for k := range ones {
			ones[k] = true
		}
		list := func(n int, data any) *npy.Array { return &npy.Array{Shape: []int{n}, Data: data} }
		paths = append(paths, arrays(t, filepath.Join(dir, name+".npz"), []string{"indices", "indptr", "data", "shape", "format"},
			list(a.NNZ(), a.Index), list(len(a.Start), a.Start), list(a.NNZ(), ones), list(2, []int64{int64(a.Rows), int64(a.Cols)}), nil))
	}
	for k := range g.Layers {
		sparse(g.Layers[k].Name, g.Layers[k].Adjacency)
	}
	sparse("features", g.Layers[0].Features.Sparse)
	of := make([]int32, g.M())
	for i, c := range g.Labels[0].Of {
		of[i] = int32(c)
	}
	return append(paths, arrays(t, filepath.Join(dir, "class.npz"), []string{"class"}, &npy.Array{Shape: []int{g.M()}, Data: of}))
}

// die sends a message to mortal workers.
func (v *Visit) die(role string) {
	v.t.Helper()
	v.Read(nil, "workers.tell", role)
}

// doomed opens a page whose workers begin with a script, and trains slowly until a state of the run is kept.
func doomed(t *testing.T, engine, script string, c Course) *Visit {
	t.Helper()
	s := NewSite(t)
	s.Precede(s.Built.Worker, scriptOf(script))
	v := Open(t, engine, s, drive.Options{}, c.Link())
	v.Until("lab.untouched")
	v.Until("storage.owned")
	v.Pace(tenASecond)
	v.Push("#play")
	v.Until("storage.saved")
	return v
}

// TestDeath lets the compute program panic in the middle of a run. The page says
// so, starts another, and the run ends where an undisturbed one does.
func TestDeath(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(nil, map[string]any{"epochs": 80})
		v := doomed(t, engine, "mortal", c)
		run := v.State().Run
		v.die("compute")
		v.Until("notices.there", "engine")
		v.Want("[data-notice=engine]", "The engine stopped and was started again", "goes on from step")
		v.Pace(fullSpeed)
		v.Until("lab.finished && lab.kept")
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash || st.Run != run {
			t.Errorf("after a death: %+v, undisturbed %s", st, want.Hash)
		}
		v.Until("losses.rows", 12)

		// The storage program, which is started again without a word lost.
		v.die("storage")
		v.Until("notices.there", "storage-restart")
		v.Want("[data-notice=storage-restart]", "had to be started again")
		v.Until("storage.owned")
		v.Push("#play")
		v.Until("lab.finished && lab.kept && !runs.current", run)
		v.Until("runs.count", 2)
		v.Check()
	})
}

// TestBothDie lets the programs that compute and that keep runs end at once, in either order. What is kept is found again: the run goes on
// from it, and no earlier step is written over it.
func TestBothDie(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		for _, roles := range []string{"storage,compute", "compute,storage"} {
			c := Small.With(nil, map[string]any{"epochs": 80})
			v := doomed(t, engine, "mortal", c)
			was := v.State()
			v.Read(nil, "workers.tellAll", roles)
			v.Until("notices.there && notices.there", "engine", "storage-restart")
			var from int
			notice := v.Text("[data-notice=engine]")
			if m := regexp.MustCompile(`goes on from step (\d+)`).FindStringSubmatch(notice); m != nil {
				from, _ = strconv.Atoi(m[1])
			}
			if from < was.Saved {
				t.Errorf("%s: step %d was kept; the page says %q", roles, was.Saved, notice)
			}
			v.Pace(fullSpeed)
			v.Until("lab.finished && lab.kept")
			if st, want := v.State(), c.Train(t); st.Hash != want.Hash || st.Run != was.Run {
				t.Errorf("%s: %+v, undisturbed %s", roles, st, want.Hash)
			}
			v.Check()
		}
	})
}

// TestGoneWorker has a worker be busy for long, and go without a word. The first is waited for; the run goes on after the second, and ends
// where an undisturbed one does.
func TestGoneWorker(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(nil, map[string]any{"epochs": 80})
		v := doomed(t, engine, "vanishing", c)
		busy := v.State()
		v.die("busy")
		time.Sleep(time.Second) // a step that was on its way
		step := v.State().Step
		v.Until("lab.past", max(step, busy.Step)+3)
		if n := v.Count("[data-notice=engine]"); n != 0 {
			t.Errorf("a busy worker was ended: %s", v.Text("[data-notice=engine]"))
		}
		v.die("close")
		v.Until("notices.there", "engine")
		v.Want("[data-notice=engine]", "The engine stopped and was started again", "goes on from step", "its worker has gone")
		v.Pace(fullSpeed)
		v.Until("lab.finished && lab.kept")
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash || st.Run != busy.Run {
			t.Errorf("after its worker had gone: %+v, undisturbed %s", st, want.Hash)
		}
		v.Check()
	})
}

// TestDeaths lets the program end again and again, wherever it is. The page gives up and says
// so, and another run can be made.
func TestDeaths(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		// A panic while a run is prepared would be the answer to who asked for it.
		s.Precede(s.Built.Worker, scriptOf("mortal"))
		v := Open(t, engine, s, drive.Options{}, Small.With(nil, map[string]any{"epochs": 2000, "early_stop": "off"}).Link())
		v.Until("lab.untouched")
		v.Read(nil, "workers.killAgain")
		v.Push("#play")
		v.Until("lab.phase", "failed")
		v.Read(nil, "workers.stopKilling")
		v.Want("#messages", "stopped three times")
		v.Push("#play")
		v.Until("lab.running && lab.past", 50)
		v.Check()
	})
}

// TestTooLarge asks for more memory than a tab has.
func TestTooLarge(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		was := v.Finish()
		large := Small.With(map[string]any{"nodes": 5000, "p_intra": 0.01, "p_inter": 0.001}, map[string]any{"hidden": 4096})
		v.Read(nil, "address.go", large.Link())
		v.Push("#run-hint button") // Set it up
		v.Until("notices.message", "GB")
		v.Want("#messages", "4096 hidden units", "a page can use 2 GB", "fit with features = spectral:64")
		v.Want("[data-notice=too-large]", "With features = spectral:64 this run would fit")
		v.Push("[data-notice=too-large] .actions button")
		v.Until("settings.option && address.has", "features", "spectral:64", "o.features=spectral")
		v.Want("#status", "features is spectral:64 now")
		v.Want("#runs-list", "nodes 90", "finished")
		v.Read(nil, "address.go", Small.Link())
		v.Until("lab.untouched")
		if st := v.Finish(); st.Hash != was.Hash {
			t.Errorf("afterwards %+v, before %+v", st, was)
		}
		v.Check()
	})
}

// TestTooLargeFiles opens files on which a run would not fit. They stay open, so that the change that is offered makes it one.
func TestTooLargeFiles(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		const nodes = 10_000
		list := strings.Builder{}
		for i := range nodes {
			fmt.Fprintf(&list, "%d,%d,a\n%[1]d,%d,b\n", i, (i+1)%nodes, (i+7)%nodes)
		}
		path := filepath.Join(t.TempDir(), "rings.csv")
		if err := os.WriteFile(path, []byte("source,target,layer\n"+list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		v := Open(t, engine, NewSite(t), drive.Options{}, "#v=1&data=files&o.features=identity&o.hidden=4096&o.epochs=1")
		v.Give("#open-files", path)
		v.Push("[data-notice=too-large] .actions button")
		v.Want("#messages", "GB for 2 layers of 10000 features", "would fit with features = spectral:64")
		v.Until("settings.option", "features", "spectral:64")
		v.Push("#play")
		v.Until("lab.planned && !lab.phase", "opening")
		v.Want("#data-summary", "10000 nodes, 2 layers")
		v.Check()
	})
}

// TestDeathInACheckpoint lets the compute program end while it writes a checkpoint of several parts. The
// run goes on from the one before and ends where an undisturbed one does.
func TestDeathInACheckpoint(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "syn2", Data: map[string]any{"nodes": 130},
			Options: map[string]any{"epochs": 40, "hidden": 1024, "early_stop": "off", "kmeans_runs": 2}, ModelSeed: 4}
		v := doomed(t, engine, "midway", c)
		saved := v.State().Saved
		v.die("midway")
		v.Until("notices.there", "engine")
		v.Want("[data-notice=engine]", "in the middle of a checkpoint", "goes on from step")
		notice := v.Text("[data-notice=engine]")
		var from int
		if m := regexp.MustCompile(`from step (\d+)`).FindStringSubmatch(notice); m != nil {
			from, _ = strconv.Atoi(m[1])
		}
		if from < saved {
			t.Errorf("step %d was kept; the page says %q", saved, notice)
		}
		v.Pace(fullSpeed)
		v.Until("lab.finished && lab.kept")
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("after a death: %+v, undisturbed %s", st, want.Hash)
		}
		v.Check()
	})
}
