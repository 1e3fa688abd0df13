package experiments

import (
	"testing"

	"cadem.example/core/lab/study"
)

// The cost of every experiment on drawn data is known before it is run, except for that of other methods and of scans.
func TestWorkIsKnown(t *testing.T) {
	for _, s := range All() {
		if s.Needs != study.NeedNothing {
			continue
		}
		tasks, err := All().Plan(study.Order{Study: s.Name})
		if err != nil {
			t.Fatal(err)
		}
		moves, trains := 0.0, false
		for i, w := range study.WorkOf(tasks, nil) {
			trains = trains || tasks[i].Kind() == study.Train
			if tasks[i].Kind() == study.TrainMethod {
				continue
			}
			if w == nil {
				t.Fatalf("%s: the work of %s is not known", s.Name, tasks[i].Name)
			}
			moves += w.Moves
		}
		if trains && moves <= 0 {
			t.Errorf("%s moves nothing", s.Name)
		}
	}
}
