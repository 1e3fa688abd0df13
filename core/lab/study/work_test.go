package study

import (
	"math"
	"testing"

	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
)

// The work of a training is the number of weights moved in all its steps. Without an example it is unknown.
func TestWork(t *testing.T) {
	task := Task{Data: run.DataSpec{Example: "syn1", Options: map[string]any{"nodes": 60}}, Preset: "released",
		Options: map[string]any{"epochs": 4, "early_stop": "off"},
		Measure: []measure.Spec{{Kind: measure.Scores}, {Kind: measure.Losses}}}
	plain := task
	plain.Measure = nil
	list := WorkOf([]Task{task, plain, {Needs: []string{"a"}}, {Data: run.DataSpec{Files: []run.FileSpec{{Name: "a.npz"}}}}}, nil)
	if list[2] == nil || *list[2] != (Work{}) || list[3] != nil {
		t.Errorf("a task that needs others: %v; one on files: %v", list[2], list[3])
	}
	r, err := plain.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := float64(r.Steps * r.Parameters); math.Abs(list[0].Moves/want-1) > 0.05 || list[1].Moves != list[0].Moves {
		t.Errorf("moves: %v and %v, expected about %v", list[0].Moves, list[1].Moves, want)
	}
	clusters := plain
	clusters.Measure = []measure.Spec{{Kind: measure.Clusters, Embeddings: []string{"common"}}}
	clusters.Options = map[string]any{"kmeans_runs": 3, "kmeans_restarts": 5}
	if w := WorkOf([]Task{clusters}, nil)[0]; w.Clustered != 60*1*3*5 {
		t.Errorf("clustered: %v, expected one embedding of 60 nodes from 15 starts", w.Clustered)
	}
	if *list[0] != (Work{Moves: list[0].Moves, Classified: 60 * 4}) || list[1].Classified != 0 {
		t.Errorf("scored: %v and %v, expected 240 nodes classified and none", *list[0], *list[1])
	}
	look := plain
	look.Measure = []measure.Spec{{Kind: measure.Shares}}
	twice := look
	twice.Measure = []measure.Spec{{Kind: measure.Shares, Options: map[string]string{"permutations": "1990"}}}
	list = WorkOf([]Task{look, twice}, nil)
	if list[0].Moves != 0 || list[0].Tested <= 0 || list[1].Tested < 2*list[0].Tested || list[1].Tested > 10*list[0].Tested {
		t.Errorf("tests of 199 and 1990 permutations: %v and %v", *list[0], *list[1])
	}
	// Files whose layers are known take what a drawn graph of that size takes.
	drawn, err := run.OpenExample("syn1", plain.Data.Options, 0)
	if err != nil {
		t.Fatal(err)
	}
	ofFiles := look
	ofFiles.Data = run.DataSpec{Files: []run.FileSpec{{Name: "a.npz"}}}
	if w := WorkOf([]Task{ofFiles}, multiplex.Compare(drawn.Graph.Layers))[0]; w == nil || *w != *list[0] {
		t.Errorf("files: %v, expected %v", w, *list[0])
	}
}
