// Package parity holds an implementation of CaDeM to the reference: it replays the golden
// files, which contain every random quantity of a run and the numbers a float64 reference
// got from it, and reports the largest deviation of each quantity.
//
//	report, err := parity.Check(os.DirFS("testdata"))
//	if err == nil && !report.Pass { ... }
//
// A deviation is |got - want| / (1 + |want|). Sizes and options are read from the files. Files of a kind that
// is not known are listed as skipped, and so are cases with a setting that the program does not have.
//
// To a golden case belong a row in the table of kinds, here, and its file in the golden_test.go of the package that it tests.
package parity

import (
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path"
	"reflect"
	"slices"
	"strings"

	_ "cadem.example/core/baseline/all"
)

// A Case is one quantity of one file in one precision.
type Case struct {
	File         string  `json:"file"`
	Quantity     string  `json:"quantity"`
	Precision    int     `json:"precision"`
	MaxDeviation float64 `json:"max_deviation"`
	Tolerance    float64 `json:"tolerance"`
	Pass         bool    `json:"pass"`
	Reason       string  `json:"reason,omitempty"` // why a case failed without numbers
	Values       int     `json:"-"`                // how many numbers were compared
}

// A Report is the result of [Check].
type Report struct {
	Cases   []Case   `json:"cases"`
	Skipped []string `json:"skipped"` // files, or a case and its setting after the file and ": "
	Pass    bool     `json:"pass"`    // every case passed and there was at least one

	packages []string
}

// single is the tolerance of float32 runs.
const single = 1e-5

// Check replays every golden file at the top of fsys, and draws the data of a folder of published ones (it has a file checksums.json) with the
// streams of the authors. If packages are named, it does only the files that test one of them. The report lists deviations; the error is that of
// a file that cannot be read.
func Check(fsys fs.FS, packages ...string) (*Report, error) {
	r := &Report{Cases: []Case{}, Skipped: []string{}, packages: packages}
	if err := r.folder(fsys, "."); err != nil {
		return nil, err
	}
	slices.Sort(r.Skipped)
	r.Skipped = slices.Compact(r.Skipped)
	r.Pass = len(r.Cases) > 0 && !slices.ContainsFunc(r.Cases, func(c Case) bool { return !c.Pass })
	return r, nil
}

// Hold is the test of a package: it fails if a golden case of it fails or is skipped, or if the count of compared numbers of a
// file differs. A checksum counts as one.
func Hold(t interface{ Errorf(string, ...any) }, fsys fs.FS, of string, numbers map[string]int) {
	r, err := Check(fsys, of)
	ok(err)
	compared := map[string]int{}
	for _, c := range r.Cases {
		compared[c.File] += max(1, c.Values)
		if !c.Pass {
			t.Errorf("%s, %s, %d bits: deviation %.1e, tolerance %.0e %s", c.File, c.Quantity, c.Precision, c.MaxDeviation, c.Tolerance, c.Reason)
		}
	}
	if !maps.Equal(compared, numbers) || len(r.Skipped) > 0 {
		t.Errorf("%v numbers are compared, expected %v; skipped are %v", compared, numbers, r.Skipped)
	}
}

// folder replays the files of a folder, and of those in it of the methods that CaDeM is compared with, of the split by evidence and of published data.
func (r *Report) folder(fsys fs.FS, dir string) error {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return err
	}
	published := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == sums && dir != "." })
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		beside, _ := strings.CutSuffix(name, ".npz")
		_, err := fs.Stat(fsys, beside+".json")
		_, inside := fs.Stat(fsys, path.Join(name, sums))
		switch {
		case e.IsDir() && (name == "baselines" || name == "evidence" || name == "pooled" || inside == nil):
			err = r.folder(fsys, name)
		case path.Ext(name) == ".md", published && strings.HasPrefix(e.Name(), "syn") && beside != name:
			continue
		case published && e.Name() != sums && e.Name() != streams, e.IsDir(), beside != name && err != nil:
			r.Skipped = append(r.Skipped, name)
			continue
		case path.Ext(name) == ".json":
			err = r.replay(fsys, name)
		default:
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// replay checks a file of the kind that its names say.
func (r *Report) replay(fsys fs.FS, name string) error {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	g := &golden{Report: r, files: fsys, path: name, bits: 64}
	if g.x, err = readJSON(data); err != nil {
		g.fail("file", err)
		return nil
	}
	for _, k := range kinds {
		if !k.tells(g) {
			continue
		}
		if len(r.packages) > 0 && !slices.Contains(r.packages, k.of) {
			return nil
		}
		if g.has("init_rules") {
			g.try("initial values", g.rules)
		}
		if k.whole != nil {
			g.try("file", func() { k.whole(g) })
		}
		g.try("file", func() {
			for i := 0; k.replay != nil && i < g.length("cases"); i++ {
				c := g.in(g.text("cases", i, "name"), "cases", i)
				c.try(c.named("file"), func() { k.replay(c) })
			}
		})
		return nil
	}
	r.Skipped = append(r.Skipped, name)
	return nil
}

// A kind of golden files.
type kind struct {
	of     string          // the package that it tests
	names  string          // what files of the kind have, as "hyper", or "method=vgae"; or the end of their path, after "/"
	whole  func(g *golden) // replays the file, except for its cases
	replay func(c *golden) // replays one of its cases
}

// kinds are all of them. A file is of the first that its names fit.
var kinds = []kind{
	{"core/synth", "/" + sums, published, nil},
	{"core/cadem", "/" + streams, drawnByAuthors, nil},
	{"core/baseline", "method=vgae cases", nil, vgae},
	{"core/baseline", "method=dgi cases", nil, dgi},
	{"core/baseline", "method=mvgrl_node cases", nil, mvgrl},
	{"core/baseline", "method=mvgrl_graph cases", nil, mvgrlGraph},
	{"core/baseline", "method=graphmae cases", scaledCosine, graphMAE},
	{"core/baseline", "method=hdmi cases", nil, hdmi},
	{"core/baseline", "method=dmg cases", correlations, dmg},
	{"core/baseline", "method=random_encoder cases", nil, randomEncoder},
	{"core/baseline", "method=closed cases", nil, closedForm},
	{"core/baseline", "constants layers expect", pooled, nil},
	{"core/baseline", "method=deepwalk cases", nil, walked("deepwalk", "epochs hs=tree")},
	{"core/baseline", "method=node2vec cases", nil, walked("node2vec", "epochs hs:off p q")},
	{"core/baseline", "method=graph2vec cases", nil, graph2vec},
	{"core/baseline", "method=mcgc cases", nil, mcgc},
	{"core/baseline", "method=mne cases", nil, mne},
	{"", "runs note", nil, nil}, // scores that were measured, beside the cases
	{"core/baseline/skipgram", "huffman updates", skipGramParts, nil},
	{"core/baseline/skipgram", "graphs corpus", walkers, nil},
	{"core/cadem", "hyper expect", training, nil},
	{"core/cadem", "hyper arrays", training, nil},
	{"core/evaluate", "init heads tokens", combiner, nil},
	{"core/evaluate", "kmeans partitions", metrics, nil},
	{"core/base/linalg", "cases/0/S_on_range", nil, polar},
	{"core/multiplex/graphsignal", "blobs functions", spectral, nil},
	{"core/multiplex/graphsignal", "dynamics spectral_radius", dynamics, nil},
	{"core/brain/connectome", "confounds from_fft from_butter", signals, nil},
	{"core/cadem/evidence", "permutations private_max", split, nil},
	{"core/cadem/evidence", "pool_adjacent_violators subspaces", splitTables, nil},
}

func (k kind) tells(g *golden) bool {
	if strings.HasPrefix(k.names, "/") {
		return strings.HasSuffix(g.path, k.names)
	}
	for word := range strings.FieldsSeq(k.names) {
		name, text, ok := strings.Cut(word, "=")
		if !g.has(name) || ok && g.text(name) != text {
			return false
		}
	}
	return true
}

// unknown is a setting that the program does not have.
type unknown struct{ setting, value string }

// try replays a part of the file. A panic is the fault of the file and is reported.
func (g *golden) try(quantity string, replay func()) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case unknown:
			g.Skipped = append(g.Skipped, fmt.Sprintf("%s: %s = %s", g.path, strings.TrimPrefix(g.name+", setting "+e.setting, ", "), e.value))
		default:
			g.fail(quantity, fmt.Errorf("%v", e))
		}
	}()
	replay()
}

// named returns the name of a quantity of the case.
func (g *golden) named(quantity string) string {
	if g.name == "" {
		return quantity
	}
	return g.name + ": " + quantity
}

func (g *golden) fail(quantity string, err error) {
	g.Cases = append(g.Cases, Case{File: g.path, Quantity: quantity, Precision: g.bits, MaxDeviation: -1, Reason: err.Error()})
}

// check compares numbers with those of the file, and maybe does where the file has them.
func (g *golden) check(quantity string, got any, tolerance float64, path ...any) {
	g.compare(quantity, got, g.data(path...), tolerance)
}

func (g *golden) maybe(quantity string, got any, tolerance float64, path ...any) {
	if g.has(path...) {
		g.check(quantity, got, tolerance, path...)
	}
}

// fields compares fields of a struct. A row is the name in the file, the field and the quantity: "z_max=Z z; p=P p".
func (g *golden) fields(of any, tolerance float64, table string) {
	v := reflect.Indirect(reflect.ValueOf(of))
	for row := range strings.SplitSeq(table, "; ") {
		names, quantity, _ := strings.Cut(row, " ")
		name, field, _ := strings.Cut(names, "=")
		g.compare(quantity, v.FieldByName(field).Interface(), g.ifAny(name), tolerance)
	}
}

// compare adds the deviation of got from want to the case of that name.
func (g *golden) compare(quantity string, values, expected any, tolerance float64) {
	got, want := flat(values), flat(expected)
	if g.bits == 32 {
		tolerance = single
	}
	c := Case{File: g.path, Quantity: g.named(quantity), Precision: g.bits, Tolerance: tolerance, Values: len(want)}
	if len(got) != len(want) {
		c.MaxDeviation, c.Reason = -1, fmt.Sprintf("%d values, the file has %d", len(got), len(want))
	}
	for i := 0; i < len(want) && c.Reason == ""; i++ {
		d := math.Abs(got[i]-want[i]) / (1 + math.Abs(want[i]))
		c.MaxDeviation = max(c.MaxDeviation, d)
		if math.IsNaN(d) || math.IsInf(d, 0) {
			c.MaxDeviation, c.Reason = -1, fmt.Sprintf("value %d is %v, the file has %v", i, got[i], want[i])
		}
	}
	c.Pass = c.Reason == "" && c.MaxDeviation <= tolerance
	at := slices.IndexFunc(g.Cases, func(k Case) bool { return k.File == c.File && k.Quantity == c.Quantity && k.Precision == c.Precision })
	if at < 0 {
		g.Cases = append(g.Cases, c)
		return
	}
	k := &g.Cases[at]
	k.Values += c.Values
	if c.MaxDeviation > k.MaxDeviation || c.Reason != "" {
		k.MaxDeviation = c.MaxDeviation
	}
	if k.Pass && !c.Pass {
		k.Pass, k.Reason = false, c.Reason
	}
}
