package measure

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
)

// crowd makes results about two scans of each of many people, in two groups. The listed arrays identify them; the rest is noise.
func crowd(people int, tells ...string) Held {
	told := map[string]bool{}
	for _, name := range tells {
		told[name] = true
	}
	widths := map[string]int{"fc": 40, "moments": 6, "z": 8, "quality": len(Qualities), "feature_1": 8, "feature_2": 8}
	for _, prefix := range []string{"", "untrained:"} {
		for _, name := range []string{"common", "common_1", "common_2", "private_1", "private_2"} {
			widths[prefix+name] = 8
		}
	}
	var all Held
	for group := range 2 {
		r := &Result{Name: "a part"}
		var class, groups []int
		for k := range people {
			class, groups = append(class, k), append(groups, group)
			for name, width := range widths {
				row, own := make([]float64, width), rng.New(uint64(k), name)
				src := rng.New(uint64(2*k+group), "noise of "+name)
				for j := range row {
					if row[j] = src.Norm(); told[name] {
						row[j] = own.Norm() + 0.1*row[j]
					}
				}
				r.Row(ArrayName(name), row)
			}
			r.Row("regions", []float64{7})
		}
		r.Integers("class", class)
		r.Integers("group", groups)
		all = append(all, r)
	}
	return all
}

// With more classes than classifiers can take, the nearest mean shows which arrays separate them, and which do not.
func TestManyClasses(t *testing.T) {
	const people = evaluate.ManyClasses + 44
	inputs := crowd(people, "private_1", "fc", "feature_2", "untrained:private_2")
	s := &run.Settings{Evaluation: evaluate.Defaults()}
	told := 0
	yield := func(done, total int) error {
		if done < told || done > total {
			t.Errorf("%d, then %d of %d", told, done, total)
		}
		told = done
		return nil
	}
	r := &Result{}
	w := &Work{Spec: &Spec{}, Result: r, Inputs: inputs, Settings: s, Yield: yield}
	if err := baselines(w); err != nil {
		t.Fatal(err)
	}
	told = 0
	if err := w.collected((*Items).conditions); err != nil {
		t.Fatal(err)
	}
	value := func(v float64) *float64 { return &v }
	for name, want := range map[string]struct{ value, untrained, trivial *float64 }{
		ByFC: {value: value(1)}, ByMoments: {value: value(0)}, ByLength: {value: value(0)}, ByRegions: {value: value(0)},
		"common": {value(0), value(0), nil}, "private_1": {value(1), value(0), value(0)},
		"private_2": {value(0), value(1), value(1)}, "common_uncentred": {value(0), value(0), nil},
	} {
		row := r.Score(name, "class", "macro_f1")
		if row == nil {
			t.Fatalf("no row of %s", name)
		}
		for of, pair := range map[string][2]*float64{"trained": {&row.Value, want.value}, "standardised": {&row.Probe, want.value},
			"untrained": {&row.Untrained, want.untrained}, "trivial": {row.Trivial, want.trivial}} {
			if pair[1] != nil && (pair[0] == nil || math.Abs(*pair[0]-*pair[1]) > 0.35) {
				t.Errorf("%s, %s: %+v, expected about %v", name, of, row, *pair[1])
			}
		}
		if len(row.Folds) != 2 {
			t.Errorf("%s has %d folds, expected 2", name, len(row.Folds))
		}
	}
	if row := r.Score("combined", "class", "micro_f1"); row == nil || row.Trivial == nil || row.Value < 10./people { // beside what is noise
		t.Errorf("combined: %+v", row)
	}
}

// CaDeM's graphs can be identified among more classes than classifiers can take; those of other methods are refused
// before they train. refused before they train.
func TestManyClassesOfOtherMethods(t *testing.T) {
	var list []formats.File
	spec := &run.DataSpec{}
	for i := range evaluate.ManyClasses + 1 {
		name := fmt.Sprintf("%d.edges", i)
		list = append(list, formats.File{Name: name, Data: []byte("1 1 2 1\n1 2 3 1\n2 1 3 1\n")})
		spec.Scans = append(spec.Scans, run.Scan{Name: name, Class: i, Group: i % 2, File: name})
	}
	var files *run.Files
	spec.Files, files = run.InMemory(list)
	m, err := run.MethodSettings("random", "", &run.Dataset{})
	if err != nil {
		t.Fatal(err)
	}
	r := &Result{}
	of := &Spec{Kind: CombinedGraphs}
	graphs, said, err := of.Graphs(spec, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = of.EmbedGraphs(r, spec.Scans, graphs, said, m, nil, func(int, int) error { return nil })
	if err == nil || !strings.HasPrefix(err.Error(), "classes: found 501, expected at most 500: ") || r.Hash != "" {
		t.Errorf("%v, with embeddings %q", err, r.Hash)
	}
}
