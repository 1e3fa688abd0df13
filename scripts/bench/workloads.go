package main

import (
	"fmt"

	"cadem/core/formats"
	"cadem/core/run"
	"cadem/core/study"
	"cadem/core/study/experiments"
	"cadem/core/synth"
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
	most      float64          // seconds allowed, 0 where none were asked for
	files     [][]formats.File // of the tasks, in turns; none for examples
	variant   string           // of the site; none: as it ships
	part      string           // of the run, that it was measured in
}

// site returns the variant of the site that runs it.
func (w *whole) site() string {
	if w.variant == "" {
		return "shipped"
	}
	return w.variant
}

// brief are the trainings of a quick run.
func brief() []whole {
	syn4 := whole{key: "syn4", what: "90 trainings of Syn4, two workers", workers: 2, most: 3}
	for sample := range synth.Syn4Samples {
		syn4.tasks = append(syn4.tasks, example("syn4", map[string]any{"sample": sample}))
	}
	return []whole{
		{key: "syn1", what: "Syn1, 2100 steps, private encoders in a second worker", tasks: []study.Task{example("syn1", nil)}, workers: 1, most: 0.7},
		{key: "syn3", what: "Syn3, 1000 steps, one worker", tasks: []study.Task{example("syn3", nil)}, workers: 1, most: 0.4},
		syn4,
		{
			key:     "syn2_one_gamma",
			what:    "Syn2, one gamma, 1000 steps, private encoders in a second worker",
			tasks:   []study.Task{example("syn2", nil)},
			workers: 1,
			most:    5,
		},
	}
}

// long are the further trainings of a full run.
func long() ([]whole, error) {
	connectomes, err := standIns("hcp", "450 connectomes of 360 nodes, two features, two workers", hcp, 9, 450, 2, 15,
		map[string]any{"early_stop": "off", "epochs": 200, "inner_steps": 5, "augmented": 20, "dropout_rate": 0, "lr_encoders": 0.01})
	if err != nil {
		return nil, err
	}
	papers, err := standIns("acm", "a graph of ACM's size, 2000 steps", acm, 1, 1, 1, 40,
		map[string]any{"early_stop": "off", "epochs": 400, "inner_steps": 5, "augmented": 20})
	if err != nil {
		return nil, err
	}
	refined := example("syn2", nil)
	refined.Preset = "refined"
	sweep, err := experiments.All().Plan(study.Order{Study: "gamma", Preset: "refined", Data: study.Published, Seeds: 5})
	return []whole{
		{
			key:     "syn1_messages",
			what:    "Syn1, 2100 steps, where workers share no memory",
			tasks:   []study.Task{example("syn1", nil)},
			workers: 1,
			variant: "messages",
		},
		{
			key:     "syn2_one_worker",
			what:    "Syn2, one gamma, 1000 steps, all in one worker",
			tasks:   []study.Task{example("syn2", nil)},
			workers: 1,
			variant: "alone",
		},
		{key: "syn2_refined", what: "Syn2, one gamma, 1000 steps, refined, with its preparation", tasks: []study.Task{refined}, workers: 1},
		gammas(), connectomes, papers,
		{key: "gamma_refined", what: "the experiment over gamma, refined, five seeds, scored, two workers", tasks: sweep, workers: 2, most: 75},
	}, err
}

// standIns are trainings of some random graphs in turns.
func standIns(key, what string, graph standIn, graphs, trainings, workers int, most float64, options map[string]any) (whole, error) {
	w := whole{key: key, what: what, workers: workers, most: most}
	specs := make([]run.DataSpec, graphs)
	for i := range graphs {
		graph.seed = uint64(i)
		files, spec, err := graph.files()
		if err != nil {
			return w, err
		}
		w.files, specs[i] = append(w.files, files), spec
	}
	for i := range trainings {
		w.tasks = append(
			w.tasks,
			study.Task{Name: fmt.Sprintf("%s %d", key, i), Data: specs[i%graphs], Preset: "released", Options: options, ModelSeed: uint64(i)},
		)
	}
	return w, nil
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
