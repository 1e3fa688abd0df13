package main

import (
	"fmt"

	"cadem/core/study"
	"cadem/core/synth"
)

// syn2Step are the options under which a step of Syn2 is measured.
var syn2Step = map[string]any{"dropout_rate": 0, "early_stop": "off"}

// example is a whole training with the published settings, of all its steps.
func example(name string, data map[string]any) study.Task {
	return study.Task{Name: name, Data: study.DataSpec{Example: name, Options: data}, Preset: "released", Options: map[string]any{"early_stop": "off"}}
}

// A whole is one or several trainings, whose time counts from the request to the (last)
// answer. A single one is asked for as the page does, several go through the page's pool,
// whose workers draw the data within the time.
type whole struct {
	key, what string
	tasks     []study.Task
	workers   int
	most      float64 // seconds allowed
}

// brief are the trainings of a quick run.
func brief() []whole {
	syn4 := whole{"syn4", "90 trainings of Syn4, two workers", nil, 2, 3}
	for sample := range synth.Syn4Samples {
		syn4.tasks = append(syn4.tasks, example("syn4", map[string]any{"sample": sample}))
	}
	return []whole{
		{"syn1", "Syn1, 2100 steps", []study.Task{example("syn1", nil)}, 1, 0.7},
		{"syn3", "Syn3, 1000 steps", []study.Task{example("syn3", nil)}, 1, 0.4},
		syn4,
		{"syn2_one_gamma", "Syn2, one gamma, 1000 steps", []study.Task{example("syn2", nil)}, 1, 5},
	}
}

// gammas are the trainings of Syn2's eleven values of gamma.
func gammas() whole {
	w := whole{"syn2_eleven_gammas", "Syn2, 11 gammas, two workers", nil, 2, 30}
	for i := range 11 {
		t := example("syn2", map[string]any{"gamma": float64(i) / 10})
		t.Name = fmt.Sprintf("gamma %d/10", i)
		w.tasks = append(w.tasks, t)
	}
	return w
}
