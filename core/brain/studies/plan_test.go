package studies

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/cadem"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/synth/examples"
)

// A scan that comes with its features propagated trains to the very bits of its graph.
func TestScansTrainAsTheirGraphs(t *testing.T) {
	o := study.Order{Study: "table5", Options: map[string]any{"subjects": 2, "regions": 60, "epochs": 3}}
	for _, preset := range cadem.Presets {
		if preset == "evidence" { // for nodes without features
			continue
		}
		o.Preset = preset
		full, err := o.Check(&table5)
		if err != nil {
			t.Fatal(err)
		}
		p := planTable5(full)[0]
		prepared, err := p.Prepare[0].Run(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		task := p.Runs[0].Alone[0]
		task.Inputs = []*measure.Result{prepared}
		r, err := task.Run(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := cohort.New(cohortOptions(full), 0)
		if err != nil {
			t.Fatal(err)
		}
		steps := &connectome.Options{}
		property.Defaults(steps)
		g, err := c.Graph(1, 2, steps)
		if err != nil {
			t.Fatal(err)
		}
		d := &run.Dataset{Graph: g, Defaults: examples.BrainDefaults}
		s, err := run.NewSettings(preset, d)
		if err != nil {
			t.Fatal(err)
		}
		s.CaDeM().Epochs = 3
		trained, err := run.Train(d, s, precision.Single, run.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		for name, x := range map[measure.ArrayName]*mat.Dense{"common": trained.Trained.Consensus, "private_2": trained.Trained.Private[1],
			"untrained:common_1": trained.Untrained.Common[0]} {
			a := r.Array(name)
			if got, want := a.Data[5*a.Shape[1]:], sums(x); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: %v, of the graph itself %v", preset, name, got, want)
			}
		}
	}
}

// sums adds up the rows of x.
func sums(x *mat.Dense) []float64 {
	rows, columns := x.Dims()
	sum := make([]float64, columns)
	for i := range rows {
		for j := range sum {
			sum[j] += x.At(i, j)
		}
	}
	return sum
}

// Windows of the two halves of a recording share no frame, and the gap between them is the one in
// the text.
func TestWindowsDoNotOverlap(t *testing.T) {
	own := identify()
	full, err := (study.Order{Study: "identify", Options: map[string]any{"subjects": 3}}).Check(&own)
	if err != nil {
		t.Fatal(err)
	}
	p := planIdentify(full)[0]
	const perSubject = firstWindows + lastWindows
	if len(p.Scans) != 3*perSubject {
		t.Fatalf("%d scans", len(p.Scans))
	}
	var used [recordedFrames]int
	for _, s := range p.Scans[:perSubject] {
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
	if gap != recordedFrames-perSubject*windowOf(full) {
		t.Errorf("a gap of %d frames", gap)
	}
}

// Options of the steps from a series to a graph, and of the training, reach the tasks they
// belong to.
func TestOptionsOfScans(t *testing.T) {
	full, err := (study.Order{Study: "table5", Options: map[string]any{"keep": 5, "effect": 2, "epochs": 7, "eval_lr": 0.2, "subjects": 2,
		"propagation": "kipf"}}).Check(&table5)
	if err != nil {
		t.Fatal(err)
	}
	p := planTable5(full)[0]
	got := fmt.Sprint(p.Prepare[0].Data.Options, p.Prepare[0].Options, p.Runs[0].Shared.Options, p.Runs[0].AloneScores.Options, p.Baselines.Options)
	if want := "map[effect:2 keep:5 subjects:2] map[propagation:kipf] map[epochs:7 propagation:kipf] map[eval_lr:0.2] map[eval_lr:0.2]"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The windows of a subject with several recordings are of the first and of the last one, of rest where there is one.
func TestWindowsOfSeveralRecordings(t *testing.T) {
	scan := func(subject, condition, part, file string) collection.Scan {
		return collection.Scan{Subject: subject, Condition: condition, Part: part, File: file, TR: 2, Confounds: file + "-confounds"}
	}
	o := study.Order{Study: "identify", Seeds: 1, DataSeeds: 1, Cohort: []collection.Scan{
		scan("x", "emotion", "", "a"), scan("x", "rest", "run 1", "b"), scan("x", "rest", "run 2", "c"), scan("x", "wm", "", "d"),
		scan("y", "rest", "", "e"), scan("z", "first", "", "f"), scan("z", "second", "", "g")}}
	for _, s := range o.Cohort {
		o.Files = append(o.Files, run.FileSpec{Name: s.File, Sum: s.File}, run.FileSpec{Name: s.Confounds, Sum: s.Confounds})
	}
	var of [][2]string
	o.DataSeeds = 1
	for _, s := range planIdentify(&o)[0].Scans {
		if pair := [2]string{s.File, fmt.Sprint(s.Class, s.Group, s.Of, s.TR)}; !slices.Contains(of, pair) {
			of = append(of, pair)
		}
		if s.Confounds != s.File+"-confounds" {
			t.Errorf("%s with the confounds %q", s.File, s.Confounds)
		}
	}
	want := [][2]string{{"b", "0 0 0 2"}, {"c", "0 1 0 2"}, {"e", "1 0 1080 2"}, {"e", "1 1 1080 2"}, {"f", "2 0 0 2"}, {"g", "2 1 0 2"}}
	if !slices.Equal(of, want) {
		t.Errorf("%v, expected %v", of, want)
	}
	r := &study.Report{}
	halves(&o, r)
	if said := strings.Join(r.Findings, "\n"); said != "Several recordings of 1 subject: first windows of first, last windows of second.\n"+
		"Several recordings of 1 subject: first windows of rest, run 1, last windows of rest, run 2." {
		t.Error(said)
	}
}
