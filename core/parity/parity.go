// Package parity holds an implementation of CaDeM to the reference: it replays the golden
// files, which contain every random quantity of a run and the numbers a float64 reference
// got from it, and reports the largest deviation of each quantity.
//
//	report, err := parity.Check(os.DirFS("testdata"))
//	if err == nil && !report.Pass { ... }
//
// A deviation is |got - want| / (1 + |want|). Sizes and options are read from the files; an
// option or value that is not known fails the case. Files of a kind that is not known are
// listed as skipped, never passed over.
package parity

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"path"
	"sort"
	"strings"
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
}

// A Report is what [Check] found.
type Report struct {
	Cases   []Case   `json:"cases"`
	Skipped []string `json:"skipped"`
	Pass    bool     `json:"pass"` // every case passed and there was at least one
}

// single is the tolerance of float32 runs.
const single = 1e-5

// Check replays every golden file at the top of fsys, and draws the data of a folder of
// published ones, which a file checksums.json tells.
func Check(fsys fs.FS) (*Report, error) {
	r := &Report{Cases: []Case{}, Skipped: []string{}, Pass: true}
	if err := r.folder(fsys, "."); err != nil {
		return nil, err
	}
	sort.Strings(r.Skipped)
	for _, c := range r.Cases {
		r.Pass = r.Pass && c.Pass
	}
	r.Pass = r.Pass && len(r.Cases) > 0
	return r, nil
}

// ofMethods is the folder, beside the cases of CaDeM, of those of the methods it is compared with.
const ofMethods = "baselines"

// folder replays the files of a folder.
func (r *Report) folder(fsys fs.FS, dir string) error {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if name == ofMethods && e.IsDir() {
			if err := r.folder(fsys, name); err != nil {
				return err
			}
			continue
		}
		if e.IsDir() {
			known, err := r.publishedFolder(fsys, name)
			if err != nil {
				return err
			}
			if !known {
				r.Skipped = append(r.Skipped, name)
			}
			continue
		}
		if path.Ext(name) != ".json" {
			if path.Ext(name) == ".npz" && !hasJSON(fsys, name) {
				r.Skipped = append(r.Skipped, name)
			}
			continue
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		var head map[string]json.RawMessage
		if err := json.Unmarshal(data, &head); err != nil {
			r.fail(name, "file", 64, fmt.Errorf("not a JSON object: %w", err))
			continue
		}
		r.replayFile(fsys, name, data, head)
	}
	return nil
}

// replayFile checks a file of the kind that its keys tell. Sizes that do not fit are
// reported, not panicked: they are the file's.
func (r *Report) replayFile(fsys fs.FS, name string, data []byte, head map[string]json.RawMessage) {
	defer func() {
		if e := recover(); e != nil {
			r.fail(name, "file", 64, fmt.Errorf("%v", e))
		}
	}()
	has := func(key string) bool { return head[key] != nil }
	switch {
	case has("method") && has("cases") && r.method(name, data, head["method"]):
	case has("runs") && has("note"): // scores that were measured, beside the cases
	case has("huffman") && has("updates"):
		r.with(r.skipGramParts, name, data)
	case has("graphs") && has("corpus"):
		r.with(r.walkers, name, data)
	case has("hyper") && has("expect"):
		r.training(name, func() (*training, error) { return readTraining(data) })
	case has("hyper") && has("arrays"):
		r.training(name, func() (*training, error) { return readArrays(fsys, name, data) })
	case has("init") && has("heads") && has("tokens"):
		r.combiner(name, data)
	case has("kmeans") && has("partitions"):
		r.metrics(name, data)
	case has("cases") && strings.Contains(string(head["cases"]), `"S_on_range"`):
		r.polar(name, data)
	case has("blobs") && has("functions"):
		r.spectral(name, data)
	case has("dynamics") && has("spectral_radius"):
		r.dynamics(name, data)
	case has("confounds") && has("from_fft") && has("from_butter"):
		r.signals(name, data)
	default:
		r.Skipped = append(r.Skipped, name)
	}
}

// with checks a file with a function of its kind.
func (r *Report) with(check func(file string, data []byte) error, name string, data []byte) {
	if err := check(name, data); err != nil {
		r.fail(name, "file", 64, err)
	}
}

func hasJSON(fsys fs.FS, npz string) bool {
	_, err := fs.Stat(fsys, strings.TrimSuffix(npz, ".npz")+".json")
	return err == nil
}

func (r *Report) fail(file, quantity string, precision int, err error) {
	r.Cases = append(r.Cases, Case{File: file, Quantity: quantity, Precision: precision, MaxDeviation: -1, Reason: err.Error()})
}

// compare adds the deviation of got from want to the case of that name.
func (r *Report) compare(file, quantity string, precision int, got, want []float64, tolerance float64) {
	if precision == 32 {
		tolerance = single
	}
	worst := 0.0
	reason := ""
	if len(got) != len(want) {
		worst, reason = -1, fmt.Sprintf("%d values, the file has %d", len(got), len(want))
	} else {
		for i, w := range want {
			d := math.Abs(got[i]-w) / (1 + math.Abs(w))
			if math.IsNaN(d) || math.IsInf(d, 0) {
				worst, reason = -1, fmt.Sprintf("value %d is %v, the file has %v", i, got[i], w)
				break
			}
			worst = max(worst, d)
		}
	}
	pass := reason == "" && worst <= tolerance
	for i := range r.Cases {
		if c := &r.Cases[i]; c.File == file && c.Quantity == quantity && c.Precision == precision {
			if worst > c.MaxDeviation || reason != "" {
				c.MaxDeviation = worst
			}
			if c.Pass && !pass {
				c.Pass, c.Reason = false, reason
			}
			return
		}
	}
	r.Cases = append(r.Cases, Case{file, quantity, precision, worst, tolerance, pass, reason})
}

// tensor is a nested list of numbers of any depth, flattened row by row.
type tensor struct {
	shape []int
	data  []float64
}

func (t *tensor) UnmarshalJSON(b []byte) error {
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	t.shape, t.data = nil, nil
	return t.add(v, 0)
}

func (t *tensor) add(v any, depth int) error {
	switch v := v.(type) {
	case float64:
		if depth != len(t.shape) {
			return fmt.Errorf("a ragged array")
		}
		t.data = append(t.data, v)
		return nil
	case []any:
		if depth == len(t.shape) && len(t.data) == 0 {
			t.shape = append(t.shape, len(v))
		} else if depth >= len(t.shape) || t.shape[depth] != len(v) {
			return fmt.Errorf("a ragged array")
		}
		for _, x := range v {
			if err := t.add(x, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("%T in an array of numbers", v)
}

// at returns part i of the first axis.
func (t tensor) at(i int) tensor {
	if len(t.shape) == 0 || t.shape[0] == 0 {
		return tensor{}
	}
	n := len(t.data) / t.shape[0]
	return tensor{t.shape[1:], t.data[i*n : (i+1)*n]}
}

func (t tensor) len() int {
	if len(t.shape) == 0 {
		return 0
	}
	return t.shape[0]
}

func (t tensor) ints() []int {
	x := make([]int, len(t.data))
	for i, v := range t.data {
		x[i] = int(v)
	}
	return x
}
