package study

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
	"cadem/core/connectome"
	"cadem/core/formats"
	"cadem/core/formats/npy"
	"cadem/core/property"
	"cadem/core/rng"
	"cadem/core/synth"
)

// few makes a study of scans a matter of seconds.
var few = map[string]any{"subjects": 24, "regions": 60, "epochs": 10, "eval_epochs": 100}

// run runs an order and returns its first report, of most orders the only one.
func run(t *testing.T, o Order) *Report { return runAll(t, o)[0] }

// runAll runs an order and returns its reports.
func runAll(t *testing.T, o Order) []*Report {
	t.Helper()
	tasks, err := Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	results, err := (&Scheduler{}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(tasks) {
		t.Errorf("%d results of %d tasks: two have the same key", len(results), len(tasks))
	}
	reports, err := Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	return reports
}

// figure looks up what a row has here.
func (r *Report) figure(t *testing.T, embedding, variant string) *Row {
	t.Helper()
	for i := range r.Rows {
		if row := &r.Rows[i]; row.Embedding == embedding && row.Variant == variant && row.Metric == "macro_f1" && row.Ours != nil {
			return row
		}
	}
	t.Fatalf("no row of %s, %q", embedding, variant)
	return nil
}

// With an effect the conditions are told; without one nothing tells them, trained or not,
// from embeddings or without: nothing leaks from the pipeline, the training or the folds.
func TestTable5WithoutEffectIsAtChance(t *testing.T) {
	scores := func(effect float64) map[string]float64 {
		options := map[string]any{"effect": effect}
		for name, v := range few {
			options[name] = v
		}
		r := run(t, Order{Study: "table5", Options: options})
		complete(t, r)
		list := map[string]float64{}
		for _, variant := range encoderVariants {
			for _, embedding := range []string{"combined", "private_1", "private_2"} {
				row := r.figure(t, embedding, variant)
				list[embedding+", "+variant] = *row.Ours
				list[embedding+", "+variant+", untrained"] = *row.Untrained
			}
		}
		for _, embedding := range []string{byFC, byMoments, byRegions, byLength} {
			list[embedding] = *r.figure(t, embedding, "").Ours
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
	for _, name := range []string{"combined, shared encoders", "combined, own encoders", byMoments, byRegions} {
		if full[name] < 0.45 {
			t.Errorf("with an effect %s scores %.3f", name, full[name])
		}
	}
	if full[byFC] < 0.9 || full[byLength] > 0.34 {
		t.Errorf("functional connectivity scores %.3f, the length %.3f", full[byFC], full[byLength])
	}
}

// A scan that comes with its features propagated trains to the very bits of its graph.
func TestScansTrainAsTheirGraphs(t *testing.T) {
	o := Order{Study: "table5", Options: map[string]any{"subjects": 2, "regions": 60, "epochs": 3}}
	for _, preset := range cadem.Presets {
		o.Preset = preset
		full, err := o.check(&table5)
		if err != nil {
			t.Fatal(err)
		}
		p := full.planTable5(0)
		prepared, err := p.prepare[0].Run(nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		task := p.runs[0].alone[0]
		task.Inputs = []*TaskResult{prepared}
		r, err := task.Run(nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := synth.NewCohort(full.subjects(), 0)
		if err != nil {
			t.Fatal(err)
		}
		steps := &connectome.Options{}
		property.Defaults(steps)
		g, err := c.Graph(1, 2, steps)
		if err != nil {
			t.Fatal(err)
		}
		d := &Dataset{Graph: g, Defaults: brainDefaults}
		s, err := NewSettings(preset, d)
		if err != nil {
			t.Fatal(err)
		}
		s.Training.Epochs = 3
		trained, err := Train(d, s, cadem.Single, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, x := range map[string]*mat.Dense{"common": trained.Trained.Consensus, "private_2": trained.Trained.Private[1], "untrained:common_1": trained.Untrained.Common[0]} {
			a := r.array(name)
			if got, want := a.Data[5*a.Shape[1]:], columnSums(x); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: %v, of the graph itself %v", preset, name, got, want)
			}
		}
	}
}

// Few pairs of regions stay what they are; of many, inner products come out right in the mean.
func TestHashed(t *testing.T) {
	src := rng.New(5, "hashed")
	draw := func(m int) []float64 {
		fc := make([]float64, m*m)
		for i := range m {
			for j := range i {
				v := src.Norm()
				fc[i*m+j], fc[j*m+i] = v, v
			}
		}
		return fc
	}
	if got := hashed(draw(20), 20); len(got) != 190 {
		t.Errorf("%d pairs of 20 regions", len(got))
	}
	const m, pairs = 200, 19900
	var errs []float64
	for range 40 {
		a, b := draw(m), draw(m)
		exact, kept := 0.0, 0.0
		for i := range m {
			for j := range i {
				exact += a[i*m+j] * b[i*m+j]
			}
		}
		x, y := hashed(a, m), hashed(b, m)
		for k := range x {
			kept += x[k] * y[k]
		}
		errs = append(errs, (kept-exact)/pairs)
	}
	if mean, spread := *average(errs), deviation(errs); len(errs) == 0 || math.Abs(mean) > 0.02 || spread > 0.05 {
		t.Errorf("inner products of unit vectors are off by %.3f, give or take %.3f", mean, spread)
	}
}

// Windows of the two halves of a recording share no frame, and the gap between them is what
// the text says.
func TestWindowsDoNotOverlap(t *testing.T) {
	own := identify()
	full, err := (Order{Study: "identify", Options: map[string]any{"subjects": 3}}).check(&own)
	if err != nil {
		t.Fatal(err)
	}
	p := full.planIdentify(0)
	const perSubject = firstWindows + lastWindows
	if len(p.scans) != 3*perSubject {
		t.Fatalf("%d scans", len(p.scans))
	}
	var used [recordedFrames]int
	for _, s := range p.scans[:perSubject] {
		from := s.From
		if from < 0 {
			from += recordedFrames
		}
		for f := from; f < from+s.Frames; f++ {
			used[f] += 1 + s.Group
		}
	}
	gap := 0
	for f, n := range used {
		switch {
		case n == 0:
			gap++
		case n != 1 && f < recordedFrames/2, n != 2 && f > recordedFrames*2/3:
			t.Fatalf("frame %d is used %d times", f, n)
		}
	}
	if gap != recordedFrames-perSubject*windowFrames {
		t.Errorf("a gap of %d frames", gap)
	}
}

// Subjects who differ are told apart by their connectivity, and subjects who do not differ
// are not.
func TestIdentify(t *testing.T) {
	score := func(variability float64) float64 {
		r := run(t, Order{Study: "identify", Options: map[string]any{"subjects": 6, "regions": 60, "epochs": 2, "eval_epochs": 20, "variability": variability}})
		complete(t, r)
		return *r.figure(t, byFC, "").Ours
	}
	if none, much := score(0), score(1); none > 0.4 || much < 0.8 {
		t.Errorf("connectivity tells six subjects alike with macro-F1 %.3f, six that differ with %.3f", none, much)
	}
}

func TestScansThatDoNotBelongTogether(t *testing.T) {
	prepared := func(name string, m int, regions float64) *TaskResult {
		return &TaskResult{Name: name, Arrays: []NamedArray{
			{"class", []int{1}, []float64{0}}, {"group", []int{1}, []float64{0}}, {"z", []int{1, 4 * m}, make([]float64, 4*m)},
			{"moments", []int{1, 2 * m}, make([]float64, 2*m)}, {"regions", []int{1, 1}, []float64{regions}}}}
	}
	for want, other := range map[string]*TaskResult{
		"b: regions: found 361, expected 360, as in a":                         prepared("b", 361, 7),
		"b: regions: found other names, or another order, than in a, expected": prepared("b", 360, 8),
	} {
		_, err := graphsOf([]*TaskResult{prepared("a", 360, 7), other})
		var bad *connectome.Error
		if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	if _, err := graphsOf([]*TaskResult{prepared("a", 360, 7), prepared("b", 360, 7)}); err != nil {
		t.Error(err)
	}
}

// Options of the steps from a series to a graph, and of the training, reach the tasks they
// belong to.
func TestOptionsOfScans(t *testing.T) {
	full, err := (Order{Study: "table5", Options: map[string]any{"keep": 5, "effect": 2, "epochs": 7, "eval_lr": 0.2, "subjects": 2, "propagation": "kipf"}}).check(&table5)
	if err != nil {
		t.Fatal(err)
	}
	p := full.planTable5(0)
	got := fmt.Sprint(p.prepare[0].Data.Options, p.prepare[0].Options, p.runs[0].shared.Options, p.runs[0].aloneScores.Options, p.baselines.Options)
	if want := "map[effect:2 keep:5 subjects:2] map[propagation:kipf] map[epochs:7 propagation:kipf] map[eval_lr:0.2] map[eval_lr:0.2]"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The real subjects are told apart by their connectivity with hardly an error, as is known, and
// by pooled embeddings hardly.
func TestIdentifyRealSubjects(t *testing.T) {
	const folder = "../../../shared/data/hcp/rest"
	names, _ := filepath.Glob(folder + "/s*.npy")
	if len(names) < 6 {
		t.Skip("the series of real subjects are not beside the repository")
	}
	o := Order{Study: "identify", Options: map[string]any{"epochs": 2, "eval_epochs": 10}}
	var files []formats.File
	for _, name := range names[:6] {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, formats.File{Name: filepath.Base(name), Data: data})
		o.Cohort = append(o.Cohort, connectome.Scan{Subject: filepath.Base(name), File: filepath.Base(name)})
	}
	var contents *Files
	o.Files, contents = InMemory(files)
	tasks, err := Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(tasks[0].Data.Files); n != 2 {
		t.Errorf("15 windows of two subjects bring along %d files", n)
	}
	results, err := (&Scheduler{Files: contents}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	complete(t, r)
	if v := *r.figure(t, byFC, "").Ours; v < 0.95 {
		t.Errorf("connectivity tells six subjects with macro-F1 %v", v)
	}
	if !slices.Contains(r.Findings, noBandPass) || len(r.Sheets) == 0 || len(r.Sheets[0].Lines) != 1+6*(firstWindows+lastWindows) {
		t.Errorf("%q", r.Findings)
	}
}

// Scans of unequal length give their condition away, which the report says, and crop mends.
func TestUnequalLengthsAreTold(t *testing.T) {
	c, err := synth.NewCohort(&synth.CohortOptions{Subjects: 10, Regions: 60, Frames: 130, TR: 0.72, Smoothness: 0.6}, 1)
	if err != nil {
		t.Fatal(err)
	}
	o := Order{Study: "table5", Options: map[string]any{"epochs": 1, "eval_epochs": 5, "tr": 0.72}}
	var files []formats.File
	for subject := range 10 {
		for k, frames := range []int{120, 90} {
			s := c.Series(subject, k).Crop(frames)
			var b bytes.Buffer
			if err := npy.Write(&b, &npy.Array{Shape: []int{s.M(), frames}, Data: s.Values}); err != nil {
				t.Fatal(err)
			}
			scan := connectome.Scan{Subject: fmt.Sprint(subject), Condition: synth.Conditions[k], File: fmt.Sprintf("%d_%d.npy", subject, k)}
			o.Cohort = append(o.Cohort, scan)
			files = append(files, formats.File{Name: scan.File, Data: b.Bytes()})
		}
	}
	var contents *Files
	o.Files, contents = InMemory(files)
	for _, crop := range []int{0, 90} {
		o.Options["crop"] = crop
		tasks, err := Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		results, err := (&Scheduler{Files: contents}).Run(tasks)
		if err != nil {
			t.Fatal(err)
		}
		reports, err := Assemble(o, results)
		if err != nil {
			t.Fatal(err)
		}
		told := strings.Contains(strings.Join(reports[0].Findings, "\n"), "from 90 to 120 frames (means: rest 120, emotion 90, all 105)")
		if leak := *reports[0].figure(t, byLength, "").Ours; told != (crop == 0) || (leak == 1) != (crop == 0) {
			t.Errorf("crop %d: told %v, the length scores %v", crop, told, leak)
		}
	}
}

// What cannot be a cohort is refused before anything is computed.
func TestCohortsThatAreRefused(t *testing.T) {
	scan := func(subject, condition, file string) connectome.Scan {
		return connectome.Scan{Subject: subject, Condition: condition, File: file}
	}
	files := []FileSpec{{Name: "a", Sum: "1"}, {Name: "b", Sum: "2"}, {Name: "c", Sum: "3"}, {Name: "d", Sum: "4"}}
	for want, o := range map[string]Order{
		`subject "x", condition "rest": found two files, a and b`:               {Study: "table5", Cohort: []connectome.Scan{scan("x", "rest", "a"), scan("x", "rest", "b")}},
		`condition "task": found one subject, "y"`:                              {Study: "table5", Cohort: []connectome.Scan{scan("x", "rest", "a"), scan("y", "rest", "b"), scan("y", "task", "c")}},
		`e: subject "y", condition "task": found no such file`:                  {Study: "table5", Cohort: []connectome.Scan{scan("x", "rest", "a"), scan("y", "task", "e")}},
		"files: found 2 series without conditions, expected a table":            {Study: "table5", Cohort: []connectome.Scan{scan("x", "", "a"), scan("y", "", "b")}},
		`subject "x": found two files, a and b, expected one recording of each`: {Study: "identify", Cohort: []connectome.Scan{scan("x", "rest", "a"), scan("x", "task", "b")}},
		"subjects: found 1, expected at least 2 to tell apart":                  {Study: "identify", Cohort: []connectome.Scan{scan("x", "", "a")}},
	} {
		o.Files = files
		if _, err := Plan(o); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	if _, err := Plan(Order{Study: "table5", Data: "published"}); err == nil || !strings.Contains(err.Error(), "synthetic, or the files of a cohort") {
		t.Error(err)
	}
	if _, err := Plan(Order{Study: "table5", Data: "synthetic"}); err != nil {
		t.Error(err)
	}
}
