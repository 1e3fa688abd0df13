package e2e

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/precision"
	_ "cadem.example/core/baseline/all"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/lab/run"
	"cadem.example/core/train"
)

// others are methods of every family with options for a brief training.
var others = map[string]map[string]any{
	"modularity": {}, "deepwalk": {"dim": 8, "walks": 2, "length": 10}, "vgae": {"dim": 8, "epochs": 6}, "dgi": {"dim": 8, "epochs": 6}, "hdmi": {"epochs": 6},
	"multiness": {"steps": 6}, "netmf": {}, "union": {}, "pooled": {},
}

// otherCourse is the data of these runs.
var otherCourse = Course{Example: "syn1", Data: map[string]any{"nodes": 60}, Options: map[string]any{"eval_epochs": 20, "kmeans_runs": 2}, ModelSeed: 3}

// otherLink is the link to a run of a method at its usual level in a tab.
func otherLink(method string) string {
	link := otherCourse.Link() + "&method=" + method + "&place=lab"
	for _, name := range slices.Sorted(maps.Keys(others[method])) {
		link += fmt.Sprintf("&o.%s=%v", name, others[method][name])
	}
	return link
}

// otherRun trains the same natively.
func otherRun(t *testing.T, method string) *run.Result {
	t.Helper()
	d, err := run.OpenExample(otherCourse.Example, otherCourse.Data, otherCourse.DataSeed)
	if err != nil {
		t.Fatal(err)
	}
	m, err := train.Lookup(method)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.MethodSettings(method, m.Nearest(train.Lite).Name, d)
	if err != nil {
		t.Fatal(err)
	}
	s.ModelSeed = otherCourse.ModelSeed
	if err := s.SetAll(others[method]); err != nil {
		t.Fatal(err)
	}
	r, err := run.Train(d, s, precision.Single, run.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestOtherMethods trains a method of every family where CaDeM stands, to the native hash, with a picture of each embedding, scores, and
// a run that is kept, exported and brought back.
func TestOtherMethods(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, otherCourse.Link()+"&place=lab")
		for k, method := range slices.Sorted(maps.Keys(others)) {
			before := v.State().Run
			v.Read(nil, "address.go", otherLink(method))
			if k > 0 {
				v.Push("#run-hint button") // Set it up
			}
			v.Until("settings.method && !runs.current && lab.untouched", method, before)
			want := otherRun(t, method)
			if st := v.Finish(); st.Hash != want.Hash {
				t.Errorf("%s: hash %s, natively %s", method, st.Hash, want.Hash)
			}
			v.Until("see.count", "#embeddings-view .plot", len(want.Embeddings))
			v.Want("#status", "Finished after", method)
			m, err := train.Lookup(method)
			if err != nil {
				t.Fatal(err)
			}
			if lite := strings.Contains(v.Text("#settings-form"), "Lite settings are smaller"); lite != (m.Nearest(train.Lite).Name == train.Lite) {
				t.Errorf("%s is said to have lite settings: %v", method, lite)
			}
		}
		// The last one of the alphabet is VGAE.
		v.Until("lab.scored")
		v.Push("#export-run")
		file := filepath.Join(t.TempDir(), "vgae.zip")
		if err := os.WriteFile(file, download(t, v, "*-vgae-run.zip"), 0o644); err != nil {
			t.Fatal(err)
		}
		v.Push("#usual")
		v.Until("!address.has", "o.epochs")
		v.Give("#import-run", file)
		v.Until("address.has && address.has", "method=vgae", "o.epochs=6")
		v.Until("lab.finished")
		if st, want := v.State(), otherRun(t, "vgae"); st.Hash != want.Hash {
			t.Errorf("brought back with the hash %s, not %s", st.Hash, want.Hash)
		}
		v.Check()
	})
}

// TestPooledIsAsked asks a finished run of all layers together, which its own program has found, why a node is where it is and what another link
// would change, saves its model, and embeds nodes that it has not seen.
func TestPooledIsAsked(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, otherLink("pooled")+"&show=embeddings&select=7&view.why=S")
		want := otherRun(t, "pooled")
		if st := v.Finish(); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		v.Until("node.sumDrawn", "Arrows in the picture of R add up to its dot")
		var sum float64
		v.Read(&sum, "node.sum")
		if math.Abs(sum-100) > 1 {
			t.Errorf("shares add up to %v %%", sum)
		}
		v.Read(new(any), "node.openWhatIf")
		v.Push("#what-if [data-link]")
		v.Until("node.movedBy", "the place moves by")
		if st := v.State(); st.Hash != want.Hash || st.Phase != "finished" {
			t.Errorf("after the questions: %+v", st)
		}
		v.Push("#export-model")
		model := download(t, v, "*-model.npz")
		if _, err := frozen.Read("model.npz", model); err != nil {
			t.Error(err)
		}
		v.Check()
	})
}
