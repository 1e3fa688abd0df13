package experiments

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// Untrained scores of a real data set lie where those of the authors' program lay; with
// CADEM_REAL=1, which takes minutes, trained ones, too. The bands are those of the measured
// trainings and two of their deviations between folds.
func TestRealDataWithinMeasuredBands(t *testing.T) {
	const shared = "../../../../../shared"
	text, err := os.ReadFile(filepath.Join(shared, "golden/published/measured.json"))
	if err != nil {
		t.Skip("the measured scores are not beside the repository: ", err)
	}
	var measured struct {
		Real struct {
			Runs []struct {
				Set    string
				Scores map[string]struct {
					Macro float64
					SD    float64 `json:"macro_sd"`
				}
			}
		}
	}
	if err := json.Unmarshal(text, &measured); err != nil {
		t.Fatal(err)
	}
	var files []formats.File
	for _, name := range []string{"mdm.npz", "mam.npz", "feature.npz", "labels.npy"} {
		data, err := os.ReadFile(filepath.Join(shared, "data/imdb", name))
		if err != nil {
			t.Skip("the data of IMDB are not beside the repository: ", err)
		}
		files = append(files, formats.File{Name: name, Data: data})
	}
	options := map[string]any{}
	if os.Getenv("CADEM_REAL") == "" {
		options = map[string]any{"epochs": 1, "inner_steps": 1, "augmented": 1}
	}
	specs, contents := run.InMemory(files)
	task := study.Task{Data: run.DataSpec{Files: specs}, Preset: "released", Options: maps.Clone(options), EvalSeed: run.UsualSeeds.Eval,
		Measure: []measure.Spec{{Kind: measure.Classes, Embeddings: []string{"combined", "common"}}}}
	r, err := task.Run(contents, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Summary.Paper != "IMDB" {
		t.Fatalf("%+v", r.Summary)
	}
	within := func(of string, found float64) {
		low, high, spread := math.Inf(1), math.Inf(-1), 0.0
		for _, run := range measured.Real.Runs {
			if s, ok := run.Scores[of]; ok && run.Set == strings.ToLower(r.Summary.Paper) {
				low, high, spread = min(low, s.Macro), max(high, s.Macro), max(spread, s.SD)
			}
		}
		t.Logf("%s: %.3f, measured from %.3f to %.3f, deviation between folds %.3f", of, found, low, high, spread)
		if !(found >= low-2*spread && found <= high+2*spread) {
			t.Errorf("%s: found %.3f, expected %.3f to %.3f", of, found, low-2*spread, high+2*spread)
		}
	}
	for embedding, as := range map[string]string{"combined": "combined", "common": "S"} {
		s := r.Score(embedding, "labels", "macro_f1")
		within("untrained "+as, s.Untrained)
		if len(options) == 0 {
			within("trained "+as, s.Value)
		}
	}
}

// The data sets of the paper are known by what they hold, in whatever order and container,
// and nothing else is taken for them.
func TestPublishedSetsAreKnown(t *testing.T) {
	const shared = "../../../../../shared/data"
	open := func(choice *formats.Choice, names ...string) *run.Dataset {
		t.Helper()
		var files []formats.File
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join(shared, name))
			if err != nil {
				t.Skip("the data are not beside the repository: ", err)
			}
			files = append(files, formats.File{Name: filepath.Base(name), Data: data})
		}
		d, err := run.OpenFiles(files, choice, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	freebase := []string{"freebase/mwm.npz", "freebase/mam.npz", "freebase/mdm.npz", "freebase/labels.npy"}
	for _, c := range []struct {
		want string
		d    *run.Dataset
	}{
		{"ACM", open(&formats.Choice{Layers: []string{"PAP", "PLP"}, Features: "feature"}, "acm/ACM3025.mat")},
		{"", open(&formats.Choice{Layers: []string{"PAP", "PMP"}, Features: "feature"}, "acm/ACM3025.mat")},
		{"IMDB", open(nil, "imdb/imdb_lil_edges.pkl")},
		{"Freebase", open(nil, freebase...)},
		{"", open(nil, freebase[1:]...)},
	} {
		if c.d.Paper != c.want || (c.d.Defaults["epochs"] == 400) != (c.want != "") {
			t.Errorf("taken for %q, expected %q; %v", c.d.Paper, c.want, c.d.Defaults)
		}
		note := strings.Join(c.d.Notes, " ")
		if strings.Contains(note, "link to itself") != strings.Contains(c.d.Name, "lil") {
			t.Errorf("%s: %s", c.d.Name, note)
		}
	}
}
