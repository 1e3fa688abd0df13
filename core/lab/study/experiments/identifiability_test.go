package experiments

import (
	"math"
	"strings"
	"testing"

	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// Far above the noise the closed form finds the shared directions in S and each layer's own in P, and
// nothing of the one in the other; far below it finds nothing. The report says so, and where theory
// draws the line.
func TestIdentifiabilityByTheClosedForm(t *testing.T) {
	o := &study.Order{Study: identifiability.Name, Preset: study.Closed, Seeds: 1, DataSeeds: 1, Data: study.Drawn}
	s := latentSweeps()[0]
	var tasks []study.Task
	for _, x := range []float64{s.values[0], s.values[len(s.values)-1]} {
		tasks = append(tasks, planLatent(o, s, x)...)
	}
	results, err := (&study.Scheduler{}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	r2 := func(task study.Task, embedding, target string) float64 {
		return results[task.Key()].Score(embedding, target, measure.R2).Value
	}
	weak, strong := tasks[0], tasks[1]
	if u, v := r2(strong, "common", measure.OfShared), r2(strong, "private", measure.OfOwn); u < 0.85 || v < 0.8 {
		t.Errorf("a strong signal: %.3f of U is read from S, %.3f of V from P", u, v)
	}
	if u, v := r2(strong, "private", measure.OfShared), r2(strong, "common", measure.OfOwn); u > 0.1 || v > 0.1 {
		t.Errorf("a strong signal: %.3f of U is read from P, %.3f of V from S", u, v)
	}
	if u := r2(weak, "common", measure.OfShared); u > 0.05 {
		t.Errorf("a weak signal: %.3f of U is read from S", u)
	}
	reports, err := All().Assemble(study.Order{Study: identifiability.Name, Preset: study.Closed, DataSeeds: 1}, results)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(reports[0].Findings, "\n")
	for _, want := range []string{"half of the variance of U is read from S from signal 3 on",
		"By theory a direction of one layer stands above noise from signal 0.63 on"} {
		if !strings.Contains(text, want) {
			t.Errorf("the findings do not say %q:\n%s", want, text)
		}
	}
	if n := len(reports[0].Charts); n != 1 {
		t.Errorf("%d charts of one sweep", n)
	}
}

// The sweeps share a point, which is trained and counted once. A number of nodes that is given holds for
// the tasks and for the theory beside them, and is not swept; what else the sweeps set is refused.
func TestIdentifiabilityOfAGivenSize(t *testing.T) {
	o := study.Order{Study: identifiability.Name, DataSeeds: 1}
	for _, c := range []struct {
		options map[string]any
		tasks   int
	}{{nil, 15}, {map[string]any{"nodes": "256"}, 12}, {map[string]any{"nodes": 256}, 12}} {
		o.Options = c.options
		tasks, err := All().Plan(o)
		if err != nil || len(tasks) != c.tasks {
			t.Fatalf("%v: %d tasks, expected %d; %v", c.options, len(tasks), c.tasks, err)
		}
		reports, err := All().Assemble(o, nil)
		if err != nil || reports[0].Tasks != c.tasks {
			t.Errorf("%v: a report of %d tasks, expected %d; %v", c.options, reports[0].Tasks, c.tasks, err)
		}
		for _, task := range tasks {
			if nodes := c.options["nodes"]; nodes != nil && task.Data.Options["nodes"] != nodes {
				t.Errorf("%s: %v nodes, expected %v", task.Name, task.Data.Options["nodes"], nodes)
			}
		}
		if s := sweepsOf(&o)[0]; c.options != nil && s.overlap(1) != overlapOf(1, 256) {
			t.Errorf("%v: theory says %v, expected %v", c.options, s.overlap(1), overlapOf(1, 256))
		}
	}
	for _, name := range []string{"signal", "overlap", "observed"} {
		refused(t, study.Order{Study: identifiability.Name, Options: map[string]any{name: 1}}, name)
	}
}

// The overlap that theory gives begins at a signal of (F / M)^(1/4) and tends to one. At a signal of 1,
// with M / F = c, it is 1 - (1 + c) / 2c.
func TestOverlapOfASpike(t *testing.T) {
	for _, nodes := range []float64{64, 256, 6400} {
		limit := math.Pow(latentFeatures/nodes, 0.25)
		if below, above := overlapOf(limit*0.999, nodes), overlapOf(limit*1.001, nodes); below != 0 || above <= 0 || above > 0.02 {
			t.Errorf("%v nodes: %v just below the limit, %v just above", nodes, below, above)
		}
		if v := overlapOf(100, nodes); v < 0.999 || v > 1 {
			t.Errorf("%v nodes: %v of a strong signal", nodes, v)
		}
	}
	if got, want := overlapOf(1, 256), 1-(1+4.0)/(4+4.0); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v at a signal of 1, expected %v", got, want)
	}
}
