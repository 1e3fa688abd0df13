package e2e

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/scripts/build/builder"
	"cadem.example/scripts/e2e/drive"
)

// programs lists the programs, but for the first, that were asked for since the last call.
func (s *Site) programs() (list []string) {
	for _, name := range s.Requests() {
		for of, p := range map[string]builder.Program{"whole": s.Built.Whole, "studies": s.Built.Studies, "methods": s.Built.Methods} {
			if name == p.Plain || name == p.Packed {
				list = append(list, of)
			}
		}
	}
	return list
}

// plans has the pool of workers plan no tasks, and returns the error, if there is one.
func (v *Visit) plans() (failed string) {
	v.Read(&failed, "experiments.planFails")
	return failed
}

// written writes a file and returns its path.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// twoLayers writes an edge list of two layers and returns its path.
func twoLayers(t *testing.T) string {
	t.Helper()
	const m = 40
	var b strings.Builder
	for i := range m {
		for l, step := range []int{1, 7} {
			fmt.Fprintf(&b, "%d %d %d 1\n", l+1, i+1, (i+step)%m+1)
		}
	}
	return written(t, "ring.edges", b.String())
}

// TestProgramAskedFor trains an example without the whole program, which comes with the first
// file: the run of the example goes on meanwhile, to the bits it would have had. That of studies comes with the first study.
func TestProgramAskedFor(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := newSite(t, false) // as the service worker fetches everything
		c := Small.With(nil, map[string]any{"epochs": 80, "early_stop": "off"})
		v := Open(t, engine, s, drive.Options{}, c.Link())
		v.Until("lab.untouched")
		v.Until("storage.owned")
		was := v.Finish()
		v.Push("#evaluate")
		v.Until("lab.finished")
		if got := s.programs(); got != nil {
			t.Errorf("an example asked for the programs %v", got)
		}

		v.Pace(tenASecond)
		v.Push("#play")
		v.Until("lab.running && storage.saved")
		run := v.State()
		release := s.Hold(s.Built.Whole.Packed)
		v.Give("#open-files", written(t, "words.txt", "these are words\nand nothing else\n"))
		v.Until("lab.says", "Loading what reads")
		step := v.State().Step
		v.Until("lab.running && lab.past", step)
		release()
		v.Until("data.problem", "words.txt:1: found a file of unknown kind")
		v.Pace(fullSpeed)
		v.Until("lab.finished && lab.kept")
		if st := v.State(); st.Run != run.Run || st.Run == was.Run || st.Hash != was.Hash {
			t.Errorf("with a file opened in its middle: %+v, undisturbed %s", st, was.Hash)
		}
		if got := s.programs(); !slices.Equal(got, []string{"whole"}) {
			t.Errorf("a file asked for the programs %v", got)
		}
		v.Give("#open-files", twoLayers(t))
		v.Until("lab.untouched")
		v.Want("#data-summary", "40 nodes, 2 layers")
		v.Push("#play")
		v.Until("lab.ended")
		failed := v.plans()
		if got := s.programs(); failed != "" || !slices.Equal(got, []string{"studies"}) {
			t.Errorf("a graph and a study asked for the programs %v (%s)", got, failed)
		}
		v.Check()
	})
}

// TestProgramMissing has the whole program fail to come, and that of studies. It is said, nothing is lost, and they
// come when they can.
func TestProgramMissing(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := newSite(t, false) // as the service worker fetches everything
		s.Stop()
		gone := map[string][]byte{}
		for _, p := range []builder.Program{s.Built.Whole, s.Built.Studies} {
			gone[p.Plain], gone[p.Packed] = s.Files[p.Plain], s.Files[p.Packed]
			delete(s.Files, p.Plain)
			delete(s.Files, p.Packed)
		}
		s.Start()
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until("lab.untouched")
		v.Until("storage.owned")
		was := v.Finish()
		file := twoLayers(t)
		release := s.Hold(s.Built.Whole.Packed)
		v.Give("#open-files", file)
		v.Push("dialog.import .import-foot button") // Cancel
		v.Until("lab.saysJust", "Nothing was opened.")
		release()
		v.Give("#open-files", file)
		v.Until("notices.message", "could not be loaded: the server answered 404")
		v.Push("#export-npz")
		v.Until("notices.message", "Nothing is lost; check the network and try again")
		if failed := v.plans(); !strings.Contains(failed, "What runs experiments could not be loaded: the server answered 404") {
			t.Errorf("without the program of studies: %q", failed)
		}
		if st := v.State(); st.Run != was.Run || st.Hash != was.Hash || st.Phase != "finished" {
			t.Errorf("after the failure %+v, before %+v", st, was)
		}
		s.Stop()
		maps.Copy(s.Files, gone)
		s.Start()
		v.Push("#export-npz")
		if b := download(t, v, "*-embeddings.npz"); len(b) == 0 {
			t.Error("an empty file")
		}
		if st := v.State(); st.Run != was.Run || st.Hash != was.Hash {
			t.Errorf("after the export %+v, before %+v", st, was)
		}
		v.Give("#open-files", file)
		v.Until("lab.untouched")
		v.Want("#data-summary", "40 nodes, 2 layers")
		if failed := v.plans(); failed != "" {
			t.Error(failed)
		}
		for _, p := range v.Problems() {
			// What the browser notes by itself, also of a worker that is ended while its scripts load.
			if !strings.Contains(p, "404") && !strings.Contains(p, "ERR_CONNECTION_REFUSED") && !strings.Contains(p, "importScripts") {
				t.Error(p)
			}
		}
	})
}

// TestProgramsAgree runs Syn1 in full in a worker of the program of studies and finds the bits that
// the same core computes natively, as TestSyn1 does for the program of a first visit.
func TestProgramsAgree(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		task := study.Task{Name: "syn1", Data: run.DataSpec{Example: "syn1"}, Preset: "released"}
		want, err := task.Run(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		v := OpenReady(t, engine, Small.Link())
		if got := v.pooled([]study.Task{task}, 1); len(got) != 1 || got[0].Hash != want.Hash {
			t.Errorf("got %+v, natively %s", got, want.Hash)
		}
		v.Check()
	})
}

// TestKernels runs a course with the SIMD kernels and without them, and finds
// the bits of the native program both times.
func TestKernels(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		want := Small.Train(t).Hash
		for _, kind := range []struct {
			name, prelude string
			kernels       bool
		}{
			{"vectors", scriptOf("linked"), true},
			{"scalars", scriptOf("linked") + scriptOf("scalars"), false},
		} {
			t.Run(kind.name, func(t *testing.T) {
				s := NewSite(t)
				s.Precede(s.Built.Worker, kind.prelude)
				v := Open(t, engine, s, drive.Options{}, Small.Link())
				v.Until("lab.untouched")
				var linked int
				v.Read(&linked, "workers.linked")
				if (linked > 0) != kind.kernels {
					t.Errorf("the two workers have linked %d kernels", linked)
				}
				if st := v.Finish(); st.Hash != want {
					t.Errorf("hash %s, natively %s", st.Hash, want)
				}
				v.Check()
			})
		}
	})
}
