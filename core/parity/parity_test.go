package parity

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func Example() {
	r, err := Check(os.DirFS("testdata"))
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Pass, r.Skipped)
	// Output: true []
}

func TestGoldenCases(t *testing.T) {
	r, err := Check(os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]int{}
	hashes := 0
	for _, c := range r.Cases {
		files[fmt.Sprint(c.File, " ", c.Precision)]++
		if strings.Contains(c.Quantity, "edges") && strings.HasPrefix(c.File, "published/") {
			hashes++
		}
		if !c.Pass {
			t.Errorf("%s, %s, %d bits: deviation %.1e, tolerance %.0e %s", c.File, c.Quantity, c.Precision, c.MaxDeviation, c.Tolerance, c.Reason)
		}
	}
	for _, f := range []string{"tiny_train", "tiny_train_batched", "printed_train", "printed_mixed_train", "syn1_train",
		"refined_train", "refined_features_train", "refined_nothing_shared_train"} {
		for _, p := range []string{"32", "64"} {
			if n := files[f+".json "+p]; n < 7 {
				t.Errorf("%s in %s bits: %d quantities compared", f, p, n)
			}
		}
	}
	if hashes != 14 { // Syn2 has 11
		t.Errorf("%d of 14 published instances compared", hashes)
	}
	for _, f := range []string{"published/syn1.npz", "published/syn3.npz", "published/syn4.npz"} {
		if files[f+" 64"] < 4 {
			t.Errorf("%s: %d quantities compared", f, files[f+" 64"])
		}
	}
	for f, least := range map[string]int{
		"random_encoder": 6, "closed": 25, "vgae": 46, "dgi": 27, "mvgrl_node": 35, "mvgrl_graph": 19, "graphmae": 25, "hdmi": 23, "dmg": 19,
		"skipgram": 11, "walks": 14, "deepwalk": 36, "node2vec": 22, "mne": 26, "graph2vec": 30, "mcgc": 60,
	} {
		if n := files["baselines/"+f+".json 64"]; n < least {
			t.Errorf("%s: %d quantities compared, expected %d", f, n, least)
		}
	}
	for _, f := range []string{"polar", "combiner", "metrics", "spectral", "dynamics"} {
		if files[f+".json 64"] < 6 {
			t.Errorf("%s: %d quantities compared", f, files[f+".json 64"])
		}
	}
}

// change returns testdata's tiny_train.json with one field changed, alone in a file system.
func change(t *testing.T, edit func(m map[string]any)) fstest.MapFS {
	t.Helper()
	data, err := os.ReadFile("testdata/tiny_train.json")
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	edit(m)
	if data, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{"case_train.json": {Data: data}}
}

// What the check is for: it must see a deviation and refuse what it does not know.
func TestWhatIsWrongFails(t *testing.T) {
	expect := func(m map[string]any) map[string]any { return m["expect"].(map[string]any) }
	for name, edit := range map[string]func(m map[string]any){
		"a loss off by 1e-4": func(m map[string]any) {
			terms := expect(m)["terms"].([]any)[7].([]any)
			terms[0] = terms[0].(float64) + 1e-4
		},
		"an unknown option":       func(m map[string]any) { m["options"] = map[string]any{"temperature": 1} },
		"an unknown value":        func(m map[string]any) { m["options"] = map[string]any{"pairing": "some"} },
		"another option's result": func(m map[string]any) { m["options"] = map[string]any{"matching": "sum"} },
		"another optimiser":       func(m map[string]any) { m["adam"].(map[string]any)["beta2"] = 0.99 },
		"a tensor cut short": func(m map[string]any) {
			init := m["init"].(map[string]any)
			init["l1.W2c"] = init["l1.W2c"].([]any)[1:]
		},
		"a file of the wrong type": func(m map[string]any) { m["M"] = "twelve" },
	} {
		r, err := Check(change(t, edit))
		if err != nil || r.Pass {
			t.Errorf("%s: pass %v, error %v", name, r != nil && r.Pass, err)
		}
	}
	if r, err := Check(change(t, func(map[string]any) {})); err != nil || !r.Pass {
		t.Errorf("the unchanged case: %v", err)
	}
}

// A damaged file of any kind is a failed case, not a crash.
func TestDamagedFilesFail(t *testing.T) {
	for name, content := range map[string]string{
		"polar without matrix":     `{"cases": [{"name": "a", "S_on_range": 1}]}`,
		"polar of one row too few": `{"cases": [{"name": "a", "centred": [[1, 2], [3, 4]], "S_on_range": [[1, 2]], "range_projector": [[1]]}]}`,
		"combiner without tokens":  `{"init": {}, "heads": 4, "tokens": 3, "n": 5, "embed": 8, "classes": 2}`,
		"combiner with odd heads":  `{"init": {}, "heads": 3, "tokens": 3, "n": 0, "embed": 8, "classes": 2}`,
		"kmeans without items":     `{"kmeans": [{"labels": []}], "partitions": []}`,
		"spectral of few points":   `{"n": 3, "k": 3, "positions": [[0, 0], [0, 1], [1, 0]], "blobs": [], "functions": []}`,
		"a filter not known": `{"n": 3, "k": 1, "positions": [[0, 0], [0, 1], [1, 0]], "blobs": [], "functions": [{"filter": "high", ` +
			`"vector": [0, 0, 1], "exact": [0, 0, 1]}]}`,
		"dynamics not known":      `{"n": 2, "edges": [[0, 1]], "spectral_radius": 1, "dynamics": {"tidal": {}}}`,
		"partitions of two sizes": `{"kmeans": [], "partitions": [{"a": [0, 1], "b": [0]}]}`,
	} {
		r, err := Check(fstest.MapFS{"case.json": {Data: []byte(content)}})
		if err != nil || r.Pass {
			t.Errorf("%s: pass %v, error %v", name, r != nil && r.Pass, err)
		}
	}
}

// A matrix with fewer rows than columns has no orthonormal columns to be completed to; what
// it has is compared.
func TestPolarOfWideMatrices(t *testing.T) {
	r, err := Check(fstest.MapFS{"polar.json": {Data: []byte(`{"cases": [{"name": "wide", "centred": [[3, 0, 4], [-3, 0, -4]],
		"singular_values": [7.0710678118654755, 0], "rank": 1, "S_on_range": [[0.6, 0, 0.8], [-0.6, 0, -0.8]],
		"range_projector": [[0.36, 0, 0.48], [0, 0, 0], [0.48, 0, 0.64]], "nuclear_times_sqrtM": 10}]}`)}})
	if err != nil || !r.Pass {
		t.Errorf("error %v, %+v", err, r)
	}
}

// Published data that are not what is drawn are failed cases.
func TestOtherPublishedDataFail(t *testing.T) {
	arrays, err := os.ReadFile("testdata/published/syn3.npz")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/published/checksums.json")
	if err != nil {
		t.Fatal(err)
	}
	var sums map[string]json.RawMessage
	if err := json.Unmarshal(data, &sums); err != nil {
		t.Fatal(err)
	}
	only := func(name string) string { return `{"` + name + `": ` + string(sums[name]) + "}" }
	for name, c := range map[string]struct {
		sums, arrays, file string
		fails              int
	}{
		"another hash":        {`{"syn1": {"edges_sha256": "00"}}`, "", "syn1.npz", 1},
		"another gamma":       {`{"syn2": {"0.55": ` + string(sums["syn1"]) + "}}", "", "syn1.npz", 1},
		"no gamma":            {`{"syn2": {"7": {}}}`, "", "syn1.npz", 1},
		"another kind":        {`{"syn1": 3}`, "", "syn1.npz", 1},
		"arrays of another":   {only("syn1"), string(arrays), "syn1.npz", 4},
		"arrays that are not": {only("syn4"), "PK", "syn4.npz", 6},
	} {
		files := fstest.MapFS{"later/checksums.json": {Data: []byte(c.sums)}, "later/measured.json": {Data: []byte("{}")}}
		if c.arrays != "" {
			files["later/"+c.file] = &fstest.MapFile{Data: []byte(c.arrays)}
		}
		r, err := Check(files)
		if err != nil {
			t.Fatal(err)
		}
		failed := 0
		for _, k := range r.Cases {
			if !k.Pass {
				failed++
			}
		}
		if r.Pass || failed != c.fails || !slices.Equal(r.Skipped, []string{"later/measured.json"}) {
			t.Errorf("%s: %d cases failed, expected %d; skipped %v\n%+v", name, failed, c.fails, r.Skipped, r.Cases)
		}
	}
}

// The rule of the file decides which directions count.
func TestRankRule(t *testing.T) {
	r, err := Check(change(t, func(m map[string]any) { m["rank_rule"] = 0.9 }))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Cases {
		if c.Quantity == "S" && c.Pass {
			t.Error("S with a coarse rule equals the one of full rank")
		}
	}
}

func TestUnknownFilesAreSkippedByName(t *testing.T) {
	r, err := Check(
		fstest.MapFS{
			"later.json":      {Data: []byte(`{"blobs": []}`)},
			"published/x.npz": {},
			"other.npz":       {},
			"README.md":       {},
			"broken.json":     {Data: []byte("{")},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Skipped, []string{"later.json", "other.npz", "published"}) || r.Pass {
		t.Errorf("skipped %v, pass %v", r.Skipped, r.Pass)
	}
	if len(r.Cases) != 1 || !strings.Contains(r.Cases[0].Reason, "JSON") {
		t.Errorf("the broken file: %+v", r.Cases)
	}
}
