package main

import (
	"bytes"
	"fmt"

	"cadem.example/core/base/rng"
	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/core/synth"
)

// syn2Step are the options under which a step of Syn2 is measured.
var syn2Step = map[string]any{"dropout_rate": 0, "early_stop": "off"}

// example is a whole training with the published settings, of all its steps.
func example(name string, data map[string]any) study.Task {
	return study.Task{Name: name, Data: run.DataSpec{Example: name, Options: data}, Preset: "released", Options: map[string]any{"early_stop": "off"}}
}

// A whole is one or several trainings, whose time counts from the request to the (last)
// answer. A single one is asked for as the page does, several go through the page's pool,
// whose workers draw the data within the time.
type whole struct {
	key, what string
	tasks     []study.Task
	workers   int
	most      float64          // seconds allowed, 0 if none were asked for
	files     [][]formats.File // of the tasks, in turns; none for examples
	part      string           // of the run, that it was measured in
}

// brief are the trainings of a quick run.
func brief() []whole {
	syn4 := whole{key: "syn4", what: "90 trainings of Syn4, two workers", workers: 2, most: 3}
	for sample := range synth.Syn4Samples {
		syn4.tasks = append(syn4.tasks, example("syn4", map[string]any{"sample": sample}))
	}
	return []whole{
		{key: "syn1", what: "Syn1, 2100 steps", tasks: []study.Task{example("syn1", nil)}, workers: 1, most: 0.7},
		{key: "syn3", what: "Syn3, 1000 steps, one worker", tasks: []study.Task{example("syn3", nil)}, workers: 1, most: 0.4},
		syn4,
		{
			key:     "syn2_one_gamma",
			what:    "Syn2, one gamma, 1000 steps",
			tasks:   []study.Task{example("syn2", nil)},
			workers: 1,
			most:    5,
		},
	}
}

// long are the further trainings of a full run.
func long() []whole {
	connectomes := standIns("hcp", "450 connectomes of 360 nodes, two features, two workers", hcp, 9, 450, 2, 15,
		map[string]any{"early_stop": "off", "epochs": 200, "inner_steps": 5, "augmented": 20, "dropout_rate": 0, "lr_encoders": 0.01})
	papers := standIns("acm", "a graph of ACM's size, 2000 steps", acm, 1, 1, 1, 40,
		map[string]any{"early_stop": "off", "epochs": 400, "inner_steps": 5, "augmented": 20})
	refined := example("syn2", nil)
	refined.Preset = "refined"
	sweep := must(experiments.All().Plan(study.Order{Study: "gamma", Preset: "refined", Data: study.Published, Seeds: 5}))
	return []whole{
		{key: "syn2_refined", what: "Syn2, one gamma, 1000 steps, refined, with its preparation", tasks: []study.Task{refined}, workers: 1},
		gammas(), connectomes, papers,
		{key: "gamma_refined", what: "the experiment over gamma, refined, five seeds, scored, two workers", tasks: sweep, workers: 2, most: 75},
	}
}

// standIns are trainings of some random graphs in turns.
func standIns(key, what string, graph standIn, graphs, trainings, workers int, most float64, options map[string]any) whole {
	w := whole{key: key, what: what, workers: workers, most: most}
	specs := make([]run.DataSpec, graphs)
	for i := range graphs {
		graph.seed = uint64(i)
		files, spec := graph.files()
		w.files, specs[i] = append(w.files, files), spec
	}
	for i := range trainings {
		w.tasks = append(
			w.tasks,
			study.Task{Name: fmt.Sprintf("%s %d", key, i), Data: specs[i%graphs], Preset: "released", Options: options, ModelSeed: uint64(i)},
		)
	}
	return w
}

// gammas are the trainings of Syn2's eleven values of gamma.
func gammas() whole {
	w := whole{key: "syn2_eleven_gammas", what: "Syn2, 11 gammas, two workers", workers: 2, most: 30}
	for i := range 11 {
		t := example("syn2", map[string]any{"gamma": float64(i) / 10})
		t.Name = fmt.Sprintf("gamma %d/10", i)
		w.tasks = append(w.tasks, t)
	}
	return w
}

// A standIn is a random graph of the size of a real one, as files: a dense matrix of bytes
// for each layer, as ACM comes, and one of features.
type standIn struct {
	name     string
	nodes    int
	edges    []int // without loops, of each layer
	loops    bool  // one at every node
	features int
	entries  int // other than 0 of the features; 0: all, normally distributed
	seed     uint64
}

// The sizes of the published data: ACM with its layers of 2,210,761 and 29,281 entries, and
// a connectome of 360 regions that keeps the strongest tenth of its edges, with two
// features a region.
var (
	acm = standIn{"acm", 3025, []int{1_103_868, 13_128}, true, 1870, 253_300, 0}
	hcp = standIn{"hcp", 360, []int{6462, 6462}, false, 2, 0, 0}
)

// files writes the graph and says how to read it.
func (s standIn) files() ([]formats.File, run.DataSpec) {
	var files []formats.File
	spec := run.DataSpec{Choice: &formats.Choice{Features: "x"}}
	add := func(name string, a *npy.Array) {
		var b bytes.Buffer
		ok(npy.Write(&b, a))
		f := formats.File{Name: name + ".npy", Data: b.Bytes(), Size: int64(b.Len())}
		named := must(run.Describe(f.Name, bytes.NewReader(f.Data))) // graphs differ in nothing else
		files, spec.Files = append(files, f), append(spec.Files, named)
	}
	for l, n := range s.edges {
		name := fmt.Sprintf("layer%d", l+1)
		src := rng.New(s.seed, s.name+"/"+name)
		a := make([]uint8, s.nodes*s.nodes)
		for n > 0 {
			i, j := src.IntN(s.nodes), src.IntN(s.nodes)
			if i != j && a[i*s.nodes+j] == 0 {
				a[i*s.nodes+j], a[j*s.nodes+i] = 1, 1
				n--
			}
		}
		for i := range s.nodes {
			if s.loops {
				a[i*s.nodes+i] = 1
			}
		}
		add(name, &npy.Array{Shape: []int{s.nodes, s.nodes}, Data: a})
		spec.Choice.Layers = append(spec.Choice.Layers, name)
	}
	src := rng.New(s.seed, s.name+"/features")
	x := &npy.Array{Shape: []int{s.nodes, s.features}}
	if s.entries == 0 {
		v := make([]float32, s.nodes*s.features)
		for i := range v {
			v[i] = float32(src.Norm())
		}
		x.Data, spec.Choice.Raw = v, true
	} else {
		v := make([]uint8, s.nodes*s.features)
		for n := s.entries; n > 0; {
			if k := src.IntN(len(v)); v[k] == 0 {
				v[k] = 1
				n--
			}
		}
		x.Data = v
	}
	add("x", x)
	return files, spec
}
