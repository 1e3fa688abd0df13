package study

import (
	"errors"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/lab/study/measure"
)

func TestSchedulerStops(t *testing.T) {
	bad := small()
	bad.Options = map[string]any{"epochs": 0}
	ran := 0
	tasks := []Task{small(), bad, small()}
	tasks[2].ModelSeed = 9
	_, err := (&Scheduler{Workers: 1, Finished: func(*measure.Result, float64) error { ran++; return nil }}).Run(tasks)
	var e *diag.Error
	if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "small: ") || ran != 1 {
		t.Errorf("%d tasks, %v", ran, err)
	}
	stop := errors.New("stop")
	results, err := (&Scheduler{Workers: 2, Progress: func(done, total int) error {
		if done > total/4 {
			return stop
		}
		return nil
	}}).Run([]Task{small(), tasks[2]})
	if err != stop || len(results) == 2 {
		t.Errorf("%d results, %v", len(results), err)
	}
	lonely := Task{Needs: []string{"nothing"}}
	if _, err := (&Scheduler{Workers: 2}).Run([]Task{lonely, small()}); err == nil {
		t.Error("a need that nothing fills is no error")
	}
}
