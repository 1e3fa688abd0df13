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

// example is a whole training with the published settings, of all its steps.
func example(name string, data map[string]any) study.Task {
	return study.Task{Name: name, Data: run.DataSpec{Example: name, Options: data}, Preset: "released", Options: map[string]any{"early_stop": "off"}}
}

// A whole is one or several trainings, whose time counts from the request to the (last)
// answer. A single one is asked for as the page does, several go through the page's pool,
// whose workers draw the data within the time.
type whole struct {
	Key, What string
	tasks     []study.Task
	workers   int
	Most      float64          // seconds allowed, 0 if none were asked for
	files     [][]formats.File // of the tasks, in turns; none for examples
}

// brief are the trainings of a quick run.
func brief() []whole {
	syn4 := whole{"syn4", "90 trainings of Syn4, two workers", nil, 2, 3, nil}
	for sample := range synth.Syn4Samples {
		syn4.tasks = append(syn4.tasks, example("syn4", map[string]any{"sample": sample}))
	}
	one := func(name, key, what string, most float64) whole {
		return whole{key, what, []study.Task{example(name, nil)}, 1, most, nil}
	}
	return []whole{
		one("syn1", "syn1", "Syn1, 2100 steps", 0.7),
		one("syn3", "syn3", "Syn3, 1000 steps, one worker", 0.4),
		syn4,
		one("syn2", "syn2_one_gamma", "Syn2, one gamma, 1000 steps", 5),
	}
}

// long are the further trainings of a full run.
func long() []whole {
	refined := example("syn2", nil)
	refined.Preset = "refined"
	gammas := whole{"syn2_eleven_gammas", "Syn2, 11 gammas, two workers", nil, 2, 30, nil}
	for i := range 11 {
		t := example("syn2", map[string]any{"gamma": float64(i) / 10})
		t.Name = fmt.Sprintf("gamma %d/10", i)
		gammas.tasks = append(gammas.tasks, t)
	}
	connectomes := map[string]any{"early_stop": "off", "epochs": 200, "inner_steps": 5, "augmented": 20,
		"dropout_rate": 0, "lr_encoders": 0.01}
	papers := map[string]any{"early_stop": "off", "epochs": 400, "inner_steps": 5, "augmented": 20}
	sweep := must(experiments.All().Plan(study.Order{Study: "gamma", Preset: "refined", Data: study.Published, Seeds: 5}))
	return []whole{
		{"syn2_refined", "Syn2, one gamma, 1000 steps, refined, with its preparation", []study.Task{refined}, 1, 0, nil},
		gammas,
		hcp.trainings("450 connectomes of 360 nodes, two features, two workers", 9, 450, 2, 15, connectomes),
		acm.trainings("a graph of ACM's size, 2000 steps", 1, 1, 1, 40, papers),
		{"gamma_refined", "the experiment over gamma, refined, five seeds, scored, two workers", sweep, 2, 75, nil},
	}
}

// trainings are those of some random graphs in turns.
func (s standIn) trainings(what string, graphs, trainings, workers int, most float64, options map[string]any) whole {
	w := whole{s.name, what, nil, workers, most, nil}
	specs := make([]run.DataSpec, graphs)
	for i := range graphs {
		s.seed = uint64(i)
		files, spec := s.files()
		w.files, specs[i] = append(w.files, files), spec
	}
	for i := range trainings {
		w.tasks = append(w.tasks, study.Task{Name: fmt.Sprintf("%s %d", s.name, i), Data: specs[i%graphs],
			Preset: "released", Options: options, ModelSeed: uint64(i)})
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
