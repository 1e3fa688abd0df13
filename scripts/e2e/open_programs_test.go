package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/scripts/e2e/drive"
)

// askedForWhole reports whether the whole program was asked for since the last call.
func (s *Site) askedForWhole() bool {
	return slices.ContainsFunc(s.Requests(), func(name string) bool { return name == s.Built.Whole || name == s.Built.WholeGz })
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
// file: the run of the example goes on meanwhile, to the bits it would have had.
func TestProgramAskedFor(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := newSite(t, false) // as the service worker fetches everything
		c := Small.With(nil, map[string]any{"epochs": 80, "early_stop": "off"})
		v := Open(t, engine, s, drive.Options{}, c.Link())
		v.Until(untouch)
		v.Until("cadem.state().owner")
		was := v.Finish()
		v.Push("#evaluate")
		v.Until(finished)
		if s.askedForWhole() {
			t.Error("an example asked for the whole program")
		}

		v.Pace(tenASecond)
		v.Push("#play")
		v.Until(running + " && cadem.state().saved > 0")
		run := v.State()
		release := s.Hold(s.Built.WholeGz)
		v.Give("#open-files", written(t, "words.txt", "these are words\nand nothing else\n"))
		v.Until("document.querySelector('#status').textContent.includes('Loading what reads')")
		step := v.State().Step
		v.Until(running + fmt.Sprintf(" && cadem.state().step > %d", step))
		release()
		v.Until("document.querySelector('#files-problem').innerText.includes('words.txt:1: found a file of unknown kind')")
		v.Pace(fullSpeed)
		v.Until(finished + " && " + kept)
		if st := v.State(); st.Run != run.Run || st.Run == was.Run || st.Hash != was.Hash {
			t.Errorf("with a file opened in its middle: %+v, undisturbed %s", st, was.Hash)
		}
		if !s.askedForWhole() {
			t.Error("a file was read without the whole program")
		}
		v.Give("#open-files", twoLayers(t))
		v.Until(untouch)
		v.Want("#data-summary", "40 nodes, 2 layers")
		v.Push("#play")
		v.Until("cadem.state().phase === 'finished'")
		if s.askedForWhole() {
			t.Error("the whole program was asked for twice")
		}
		v.Check()
	})
}

// TestProgramMissing has the whole program fail to come. It is said, nothing is lost, and it
// comes when it can.
func TestProgramMissing(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := newSite(t, false) // as the service worker fetches everything
		s.Stop()
		plain, packed := s.Files[s.Built.Whole], s.Files[s.Built.WholeGz]
		delete(s.Files, s.Built.Whole)
		delete(s.Files, s.Built.WholeGz)
		s.Start()
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until(untouch)
		v.Until("cadem.state().owner")
		was := v.Finish()
		file := twoLayers(t)
		release := s.Hold(s.Built.WholeGz)
		v.Give("#open-files", file)
		v.Push("dialog.import .import-foot button") // Cancel
		v.Until("document.querySelector('#status').textContent === 'Nothing was opened.'")
		release()
		v.Give("#open-files", file)
		v.Until("document.querySelector('#messages').innerText.includes('could not be loaded: the server answered 404')")
		v.Push("#export-npz")
		v.Until("document.querySelector('#messages').innerText.includes('Nothing is lost; check the network and try again')")
		if st := v.State(); st.Run != was.Run || st.Hash != was.Hash || st.Phase != "finished" {
			t.Errorf("after the failure %+v, before %+v", st, was)
		}
		s.Stop()
		s.Files[s.Built.Whole], s.Files[s.Built.WholeGz] = plain, packed
		s.Start()
		v.Push("#export-npz")
		if b := download(t, v, "*-embeddings.npz"); len(b) == 0 {
			t.Error("an empty file")
		}
		if st := v.State(); st.Run != was.Run || st.Hash != was.Hash {
			t.Errorf("after the export %+v, before %+v", st, was)
		}
		v.Give("#open-files", file)
		v.Until(untouch)
		v.Want("#data-summary", "40 nodes, 2 layers")
		for _, p := range v.Problems() {
			if !strings.Contains(p, "404") && !strings.Contains(p, "ERR_CONNECTION_REFUSED") { // which the browser notes by itself
				t.Error(p)
			}
		}
	})
}

// TestProgramsAgree runs Syn1 in full in a worker of the whole program and finds the bits that
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

// spy lets the page ask a worker how many modules it has linked that take the
// program's memory, as the kernels do.
const spy = `{
const instantiate = WebAssembly.instantiate;
let linked = 0;
WebAssembly.instantiate = (module, imports) => {
	if (imports?.go?.mem) linked++;
	return instantiate.call(WebAssembly, module, imports);
};
const line = new BroadcastChannel('e2e');
line.onmessage = ({data}) => { if (data === 'linked?') line.postMessage({linked}); };
}`

// TestKernels runs a course with the SIMD kernels and without them, and finds
// the bits of the native program both times.
func TestKernels(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		want := Small.Train(t).Hash
		for _, kind := range []struct {
			name, prelude string
			kernels       bool
		}{
			{"vectors", spy, true},
			{"scalars", spy + `WebAssembly.validate = () => false;`, false},
		} {
			t.Run(kind.name, func(t *testing.T) {
				s := NewSite(t)
				s.Precede(s.Built.Worker, kind.prelude)
				v := Open(t, engine, s, drive.Options{}, Small.Link())
				v.Until(untouch)
				var linked int
				v.Read(&linked, `const line = new BroadcastChannel('e2e');
const all = [];
line.onmessage = ({data}) => all.push(data.linked);
line.postMessage('linked?');
while (all.length < 2) await new Promise(f => setTimeout(f, 5));
line.close();
return all[0] + all[1];`)
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
