package experiments

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/brain/cohort"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// few makes a study of scans a matter of seconds.
var few = map[string]any{"subjects": 24, "regions": 60, "epochs": 10, "eval_epochs": 100}

// carriedOut runs an order and returns its first report, of most orders the only one.
func carriedOut(t *testing.T, o study.Order) *study.Report { return runAll(t, o)[0] }

// runAll runs an order and returns its reports.
func runAll(t *testing.T, o study.Order) []*study.Report {
	t.Helper()
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	results, err := (&study.Scheduler{}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(tasks) {
		t.Errorf("%d results of %d tasks: two have the same key", len(results), len(tasks))
	}
	reports, err := All().Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	return reports
}

// figureOf looks up what a row has here.
func figureOf(r *study.Report, t *testing.T, embedding, variant string) *study.Row {
	t.Helper()
	for i := range r.Rows {
		if row := &r.Rows[i]; row.Embedding == embedding && row.Variant == variant && row.Metric == "macro_f1" && row.Ours != nil {
			return row
		}
	}
	t.Fatalf("no row of %s, %q", embedding, variant)
	return nil
}

// Table5 has the figures that it had when all scans were in memory, and the same ones where results are put aside until
// they are needed; what is kept of these is small.
func TestTable5KeepsItsFigures(t *testing.T) {
	o := study.Order{Study: "table5", Options: map[string]any{"subjects": 6, "regions": 60, "frames": 60, "epochs": 2, "eval_epochs": 10}}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	aside := study.Results{}
	s := &study.Scheduler{Spill: func(r *measure.Result) bool { aside[r.Key] = r; return true }, Stored: func(key string) *measure.Result { return aside[key] }}
	results, err := s.Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	if len(aside) != 5 { // graphs in two parts, encoders of all and of each scan
		t.Errorf("%d results put aside", len(aside))
	}
	for key, r := range results {
		n := 0
		for _, a := range r.Arrays {
			n += len(a.Data)
		}
		if n > 7*18 || aside[key] == r {
			t.Errorf("%s: %d numbers kept", r.Name, n)
		}
	}
	figures := func(r *study.Report) string {
		h := fnv.New64a()
		for _, row := range r.Rows {
			for _, v := range []*float64{row.Ours, row.Untrained, row.Trivial, row.Standardised, row.Probe} {
				if v != nil {
					fmt.Fprintf(h, "%s %s %x ", row.Embedding, row.Metric, math.Float64bits(*v))
				}
			}
		}
		return fmt.Sprintf("%x", h.Sum64())
	}
	reports, err := All().Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	const want = "9fae6671bc82306e" // with and without vector kernels
	if got := figures(reports[0]); got != want {
		t.Errorf("put aside: figures %s, expected %s", got, want)
	}
	if got := figures(carriedOut(t, o)); got != want {
		t.Errorf("in memory: figures %s, expected %s", got, want)
	}
}

// With an effect the conditions are recognised; without one nothing separates them, trained or not,
// from embeddings or without: nothing leaks from the pipeline, the training or the folds.
func TestTable5WithoutEffectIsAtChance(t *testing.T) {
	scores := func(effect float64) map[string]float64 {
		options := map[string]any{"effect": effect}
		for name, v := range few {
			options[name] = v
		}
		r := carriedOut(t, study.Order{Study: "table5", Options: options})
		complete(t, r)
		list := map[string]float64{}
		for _, variant := range EncoderVariants {
			for _, embedding := range []string{"combined", "private_1", "private_2"} {
				row := figureOf(r, t, embedding, variant)
				list[embedding+", "+variant] = *row.Ours
				list[embedding+", "+variant+", untrained"] = *row.Untrained
			}
		}
		for _, embedding := range []string{measure.ByFC, measure.ByMoments, measure.ByRegions, measure.ByLength} {
			list[embedding] = *figureOf(r, t, embedding, "").Ours
		}
		return list
	}
	// 72 scans: chance is 1/3, give or take 0.06.
	for name, v := range scores(0) {
		if v > 0.52 {
			t.Errorf("without an effect %s scores %.3f", name, v)
		}
	}
	full := scores(1)
	for _, name := range []string{"combined, shared encoders", "combined, own encoders", measure.ByMoments, measure.ByRegions} {
		if full[name] < 0.45 {
			t.Errorf("with an effect %s scores %.3f", name, full[name])
		}
	}
	if full[measure.ByFC] < 0.9 || full[measure.ByLength] > 0.34 {
		t.Errorf("functional connectivity scores %.3f, the length %.3f", full[measure.ByFC], full[measure.ByLength])
	}
}

// Subjects who differ are identified by their connectivity, and subjects who do not differ are not.
func TestIdentify(t *testing.T) {
	score := func(variability float64) float64 {
		r := carriedOut(t, study.Order{Study: "identify",
			Options: map[string]any{"subjects": 6, "regions": 60, "epochs": 2, "eval_epochs": 20, "variability": variability}})
		complete(t, r)
		return *figureOf(r, t, measure.ByFC, "").Ours
	}
	if none, much := score(0), score(1); none > 0.4 || much < 0.8 {
		t.Errorf("connectivity tells six subjects alike with macro-F1 %.3f, six that differ with %.3f", none, much)
	}
}

// The real subjects are identified by their connectivity with hardly an error, as is known, and by
// pooled embeddings hardly.
func TestIdentifyRealSubjects(t *testing.T) {
	const folder = "../../../../../shared/data/hcp/rest"
	names, _ := filepath.Glob(folder + "/s*.npy")
	if len(names) < 6 {
		t.Skip("the series of real subjects are not beside the repository")
	}
	o := study.Order{Study: "identify", Options: map[string]any{"epochs": 2, "eval_epochs": 10}}
	var files []formats.File
	for _, name := range names[:6] {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, formats.File{Name: filepath.Base(name), Data: data})
		o.Cohort = append(o.Cohort, collection.Scan{Subject: filepath.Base(name), File: filepath.Base(name)})
	}
	var contents *run.Files
	o.Files, contents = run.InMemory(files)
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(tasks[0].Data.Files); n != 2 {
		t.Errorf("15 windows of two subjects bring along %d files", n)
	}
	results, err := (&study.Scheduler{Files: contents}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := All().Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	complete(t, r)
	if v := *figureOf(r, t, measure.ByFC, "").Ours; v < 0.95 {
		t.Errorf("connectivity tells six subjects with macro-F1 %v", v)
	}
	if !slices.Contains(r.Findings, measure.NoBandPass) || len(r.Sheets) == 0 || len(r.Sheets[0].Lines) != 1+6*9 {
		t.Errorf("%q", r.Findings)
	}
}

// Scans of unequal length give their condition away, which the report says, and crop mends.
func TestUnequalLengthsAreTold(t *testing.T) {
	c, err := cohort.New(&cohort.Options{Subjects: 10, Regions: 60, Frames: 130, TR: 0.72, Smoothness: 0.6}, 1)
	if err != nil {
		t.Fatal(err)
	}
	o := study.Order{Study: "table5", Options: map[string]any{"epochs": 1, "eval_epochs": 5, "tr": 0.72}}
	var files []formats.File
	for subject := range 10 {
		for k, frames := range []int{120, 90} {
			s := c.Series(subject, k).Crop(frames)
			var b bytes.Buffer
			if err := npy.Write(&b, &npy.Array{Shape: []int{s.M(), frames}, Data: s.Values}); err != nil {
				t.Fatal(err)
			}
			scan := collection.Scan{Subject: fmt.Sprint(subject), Condition: cohort.Conditions[k], File: fmt.Sprintf("%d_%d.npy", subject, k)}
			o.Cohort = append(o.Cohort, scan)
			files = append(files, formats.File{Name: scan.File, Data: b.Bytes()})
		}
	}
	var contents *run.Files
	o.Files, contents = run.InMemory(files)
	for _, crop := range []int{0, 90} {
		o.Options["crop"] = crop
		_, _, reports := reported(t, o, contents)
		told := strings.Contains(strings.Join(reports[0].Findings, "\n"), "from 90 to 120 frames (means: rest 120, emotion 90, all 105)")
		if leak := *figureOf(reports[0], t, measure.ByLength, "").Ours; told != (crop == 0) || (leak == 1) != (crop == 0) {
			t.Errorf("crop %d: told %v, the length scores %v", crop, told, leak)
		}
	}
}

// Files that cannot be a cohort are refused before anything is computed.
func TestCohortsThatAreRefused(t *testing.T) {
	scan := func(subject, condition, file string) collection.Scan {
		return collection.Scan{Subject: subject, Condition: condition, File: file}
	}
	files := []run.FileSpec{{Name: "a", Sum: "1"}, {Name: "b", Sum: "2"}, {Name: "c", Sum: "3"}, {Name: "d", Sum: "4"}}
	for want, o := range map[string]study.Order{
		`subject "x", condition "rest": found two files, a and b`: {Study: "table5",
			Cohort: []collection.Scan{scan("x", "rest", "a"), scan("x", "rest", "b")}},
		`condition "task": found one subject, "y"`: {Study: "table5",
			Cohort: []collection.Scan{scan("x", "rest", "a"), scan("y", "rest", "b"), scan("y", "task", "c")}},
		`e: subject "y", condition "task": found no such file`: {Study: "table5",
			Cohort: []collection.Scan{scan("x", "rest", "a"), scan("y", "task", "e")}},
		"files: found 2 series without conditions, expected a table": {Study: "table5", Cohort: []collection.Scan{scan("x", "", "a"), scan("y", "", "b")}},
		"subjects: found 1, expected at least 2 to tell apart":       {Study: "identify", Cohort: []collection.Scan{scan("x", "", "a")}},
	} {
		o.Files = files
		if _, err := All().Plan(o); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	if _, err := All().Plan(study.Order{Study: "table5", Data: "published"}); err == nil || !strings.Contains(err.Error(), "synthetic, or the files of a cohort") {
		t.Error(err)
	}
	if _, err := All().Plan(study.Order{Study: "table5", Data: "synthetic"}); err != nil {
		t.Error(err)
	}
}

// The order's options reach the plan whole, and options that no task of scans takes are refused.
func TestPlannedOptionsOfScans(t *testing.T) {
	if _, err := All().Plan(study.Order{Study: "table5", Options: map[string]any{"subjects": 2, "propagation": "kipf"}}); err != nil {
		t.Error(err)
	}
	// The halves of recordings are not groups to hold one out of.
	if _, err := All().Plan(study.Order{Study: "identify", Options: map[string]any{"nested_select": "on"}}); err == nil ||
		!strings.Contains(err.Error(), "identify cannot have") {
		t.Error(err)
	}
	// Files are drawn by nobody.
	for _, experiment := range []string{"table5", "identify", "regions"} {
		o := study.Order{Study: experiment}
		for i := range 4 {
			name := fmt.Sprintf("%d.npy", i)
			o.Files = append(o.Files, run.FileSpec{Name: name, Size: 1, Sum: name})
			o.Cohort = append(o.Cohort, collection.Scan{File: name, Subject: name, Condition: fmt.Sprint("c", i%2)})
		}
		for name, ok := range map[string]bool{"subjects": false, "effect": false, "tr": true, "keep": true} {
			o.Options = map[string]any{name: 5}
			if _, err := All().Plan(o); (err == nil) != ok || !ok && !strings.Contains(err.Error(), "synthetic cohort beside files") {
				t.Errorf("%s, %s: %v", experiment, name, err)
			}
		}
	}
	for _, name := range []string{"gamma", "kmeans_runs", "perplexity"} {
		if _, err := All().Plan(study.Order{Study: "table5", Options: map[string]any{name: 1}}); err == nil || !strings.Contains(err.Error(), "does not use") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A synthetic cohort has as many subjects as are asked for, beyond its usual number, too.
func TestManySyntheticSubjects(t *testing.T) {
	o := study.Order{Study: "contrast", Options: map[string]any{"subjects": 152, "regions": 60, "frames": 60, "first": "rest", "second": "emotion",
		"permutations": 19, "beyond": 0}}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	results, err := (&study.Scheduler{}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := All().Assemble(o, results)
	if err != nil || !strings.Contains(reports[0].Findings[0], "152 subjects in both conditions") {
		t.Errorf("%v, %v", reports, err)
	}
}
