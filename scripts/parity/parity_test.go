package parity

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
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

// change returns testdata's tiny_train.json with one field changed, alone in a file system.
func change(t *testing.T, edit func(m map[string]any)) fstest.MapFS {
	t.Helper()
	return changed(t, "tiny_train.json", edit)
}

// changed returns a file of testdata with one field changed, alone in a file system.
func changed(t *testing.T, name string, edit func(m map[string]any)) fstest.MapFS {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
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

// A case with a setting that the program does not have is skipped by its name, with the setting; the other cases of the file are
// compared.
func TestSettingsThatAreNotThere(t *testing.T) {
	for _, c := range []struct {
		file, in, setting string
		value             any
		want              string
	}{
		{"hdmi", "hyper", "self_loop", 2, "no_joint, setting self_loop = 2"},
		{"hdmi", "hyper", "temperature", 0.5, "no_joint, setting temperature = 0.5"},
		{"hdmi", "hyper", "layer_weights", []float64{1, 2, -1}, "no_joint, setting layer_weights = [1 2 -1]"},
		{"hdmi", "adam", "beta2", 0.99, "no_joint, setting beta2 = 0.99"},
		{"node2vec", "settings", "hs", true, "second order, weights, isolated node, setting hs = on"},
		{"node2vec", "", "variant", "pyg", "second order, weights, isolated node, setting variant = pyg"},
		{"mne", "settings", "hs", true, "two layers, setting hs = on"},
		{"graph2vec", "settings", "window", 3, "degrees, two rounds, rare words dropped, an empty document, setting window = 3"},
		{"dgi", "hyper", "loss", "hinge", "stop, setting loss = hinge"},
		{"dgi", "hyper", "self_loop", 0, "stop, setting self_loop = 0"},
		{"mvgrl_node", "hyper", "diffusion", "heat", "windows, setting diffusion = heat"},
		{"mvgrl_graph", "hyper", "self_loop", 1, "single_stop, setting self_loop = 1"},
		{"dmg", "hyper", "wd", 0.5, "identity_stop, setting wd = 0.5"},
		{"vgae", "", "variant", "cubic", "weights, isolated node, empty feature row, setting variant = cubic"},
		{"random_encoder", "", "propagation", "none", "features with an empty row, squared, setting propagation = none"},
		{"closed", "settings", "private", "shared", "one shared direction and one of each layer, own, setting private = shared"},
		{"mvgrl_graph", "", "draws", [][][]int{{{0, 1}, {2, 3, 4}}}, "single_stop, setting batches = of several sizes"},
		{"mcgc", "settings", "stop", "maybe", "own filter, features per view, setting stop = maybe"},
	} {
		others := 0
		r, err := Check(changed(t, "baselines/"+c.file+".json", func(m map[string]any) {
			first := m["cases"].([]any)[0].(map[string]any)
			others = len(m["cases"].([]any)) - 1
			if c.in != "" {
				first = first[c.in].(map[string]any)
			}
			first[c.setting] = c.value
		}))
		if err != nil || !slices.Equal(r.Skipped, []string{"case_train.json: " + c.want}) {
			t.Errorf("%s with %s %v: skipped %q, expected %q, error %v", c.file, c.setting, c.value, r.Skipped, c.want, err)
			continue
		}
		for _, k := range r.Cases {
			if !k.Pass {
				t.Errorf("%s with %s %v: %+v", c.file, c.setting, c.value, k)
			}
		}
		if r.Pass != (len(r.Cases) > 0) || others > 0 && !r.Pass {
			t.Errorf("%s with %s %v: pass %v with %d quantities of %d other cases", c.file, c.setting, c.value, r.Pass, len(r.Cases), others)
		}
	}
}

// Every part of a file has a path, whatever is a list of one length or not, and so have arrays of NumPy.
func TestParts(t *testing.T) {
	x, err := readJSON([]byte(`{"a": {"even": [[1, 2], [3, 4]], "ragged": [[5], [6, 7], []], "on": true, "none": null, "text": "x"}, "list": [{"n": 8}]}`))
	if err != nil {
		t.Fatal(err)
	}
	v := &golden{x: x}
	v.x.(map[string]any)["array"] = rows([]float64{1, 2, 3, 4, 5, 6}, []int{3, 2})
	for name, want := range map[string][]float64{
		"a/even": {1, 2, 3, 4}, "a/even/1": {3, 4}, "a/even/1/0": {3}, "a/ragged": {5, 6, 7}, "a/ragged/1": {6, 7}, "a/ragged/1/1": {7}, "a/ragged/2": {},
		"a/on": {1}, "list/0/n": {8}, "list": {8}, "array/2": {5, 6}, "array/1/1": {4},
	} {
		if got := v.data(name); !slices.Equal(got, want) {
			t.Errorf("%s is %v, expected %v", name, got, want)
		}
	}
	for _, name := range []string{"a/none", "a/even/2", "a/even/-1", "a/even/1/0/0", "a/ragged/3", "list/1", "b"} {
		if v.has(name) {
			t.Errorf("%s is there", name)
		}
	}
	if shape := v.shape("array"); !slices.Equal(shape, []int{3, 2}) || v.length("a/ragged") != 3 || v.text("a/text") != "x" || v.option("a/none") != "0" {
		t.Errorf("shape %v, length %d, text %s, option %s", shape, v.length("a/ragged"), v.text("a/text"), v.option("a/none"))
	}
}

// One comparison: by the larger of absolute and relative, with what is not finite, and with sizes.
func TestCompare(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		got, want []float64
		pass      bool
		deviation float64
	}{
		{[]float64{1, 3}, []float64{1, 3.5}, false, 0.5 / 4.5},
		{[]float64{1, 3.25}, []float64{1, 3.5}, true, 0.25 / 4.5},
		{nil, nil, true, 0},
		{[]float64{1}, []float64{1, 1}, false, -1},
		{[]float64{1, nan}, []float64{1, 1}, false, -1},
		{[]float64{1, 1}, []float64{1, nan}, false, -1},
		{[]float64{inf}, []float64{inf}, false, -1},
	} {
		g := &golden{Report: &Report{}, bits: 64}
		g.compare("x", c.got, c.want, 0.1)
		if k := g.Cases[0]; k.Pass != c.pass || k.MaxDeviation != c.deviation || k.Values != len(c.want) {
			t.Errorf("%v for %v: %+v", c.got, c.want, k)
		}
	}
	g := &golden{Report: &Report{}, bits: 32}
	for _, x := range []float64{0, 3e-5, 1e-6} {
		g.compare("x", []float64{x}, []float64{0}, 1e-12)
	}
	if k := g.Cases[0]; len(g.Cases) != 1 || k.Pass || k.MaxDeviation != 3e-5 || k.Tolerance != single || k.Values != 3 {
		t.Errorf("three comparisons of one name: %+v", g.Cases)
	}
}

// Failures of a package's test.
type failures []string

func (f *failures) Errorf(format string, arguments ...any) {
	*f = append(*f, fmt.Sprintf(format, arguments...))
}

// The test of a package sees a number that is not compared, a case that is skipped, and one that fails.
func TestHold(t *testing.T) {
	files := func(edit func(c map[string]any)) fs.FS {
		return changed(t, "baselines/node2vec.json", func(m map[string]any) { edit(m["cases"].([]any)[1].(map[string]any)) })
	}
	same := func(map[string]any) {}
	hs := func(c map[string]any) { c["settings"].(map[string]any)["hs"] = true }
	moved := func(c map[string]any) { c["e_start"].([]any)[0].([]any)[0] = 0.5 }
	for _, c := range []struct {
		edit    func(c map[string]any)
		of      string
		numbers int
		fails   string
	}{
		{same, "core/baseline", 2063, ""},
		{same, "core/baseline", 2064, "expected"},
		{same, "core/cadem", 0, "expected"},
		{hs, "core/baseline", 2063, "skipped are [case_train.json: p = q = 1"},
		{moved, "core/baseline", 2063, "tolerance"},
	} {
		var f failures
		Hold(&f, files(c.edit), c.of, map[string]int{"case_train.json": c.numbers})
		if all := strings.Join(f, "\n"); (c.fails == "") != (all == "") || !strings.Contains(all, c.fails) {
			t.Errorf("%s, %d numbers: %q, expected %q", c.of, c.numbers, all, c.fails)
		}
	}
}

// The purpose of the check: it must see a deviation and refuse unknown settings.
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
