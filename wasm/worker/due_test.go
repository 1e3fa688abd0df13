package worker

import (
	"fmt"
	"io"
	"testing"
	"time"

	"cadem.example/core/base/pause"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// A slow trainer makes steps and checkpoints that take some time of a clock that is set by hand.
type slow struct {
	run        *run.Run
	clock      *time.Duration
	each, rest time.Duration   // that a step and a checkpoint take
	taken      []time.Duration // when checkpoints were begun
}

func (s *slow) advance(yield pause.Yield) error {
	*s.clock += s.each
	return s.run.Step(yield)
}

func (s *slow) save(out io.Writer) error {
	s.taken = append(s.taken, *s.clock)
	*s.clock += s.rest
	return s.run.WriteCheckpoint(out)
}

// Checkpoints are due by the clock: on a loaded machine, where steps and saves are slow, as on any
// other, at a pace or at full speed, whether pictures are drawn or not. The promise is that a
// killed browser loses 2 s, so the state of one must have been written 2 s after that of the one before.
func TestCheckpointsAreDueByTheClock(t *testing.T) {
	const lost = 2 * time.Second
	for _, c := range []struct {
		step, save time.Duration
		pace       float64 // outer epochs a second, of 5 steps
	}{
		{step: time.Millisecond},
		{step: 15 * time.Millisecond, save: 30 * time.Millisecond},
		{step: 15 * time.Millisecond, save: 200 * time.Millisecond},
		{step: 15 * time.Millisecond, save: 700 * time.Millisecond},
		{step: 300 * time.Millisecond, save: 150 * time.Millisecond},
		{step: 650 * time.Millisecond, save: 150 * time.Millisecond},
		{step: 700 * time.Millisecond, save: 150 * time.Millisecond},
		{step: 990 * time.Millisecond, save: 300 * time.Millisecond},
		{step: 1500 * time.Millisecond, save: 300 * time.Millisecond},
		{step: time.Millisecond, save: 10 * time.Millisecond, pace: 10},
		{step: time.Millisecond, save: 10 * time.Millisecond, pace: .21},
	} {
		for _, watched := range []bool{false, true} {
			t.Run(fmt.Sprintf("step %v save %v pace %v watched %v", c.step, c.save, c.pace, watched), func(t *testing.T) {
				cl := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 100_000)}
				w := newFirst(cl.in, func() {})
				var clock time.Duration
				w.clock = func() time.Duration { return clock }
				w.watched = watched
				cl.send("open", `"data":{"example":"syn1","options":{"nodes":20}}`)
				w.answer(cl.in.Next())
				cl.send("train", `"options":{"epochs":100000,"hidden":8,"early_stop":"off"},"paused":true`)
				w.answer(cl.in.Next())
				s := &slow{run: w.run.Run, clock: &clock, each: c.step, rest: c.save}
				w.run.advance, w.run.save = s.advance, s.save
				cl.send("control", fmt.Sprintf(`"action":"set","pace":%v`, c.pace))
				w.answer(cl.in.Next())
				cl.send("control", `"action":"play"`)
				w.answer(cl.in.Next())
				s.taken = []time.Duration{clock}
				for clock < time.Minute {
					clock += w.wait()
					w.run.slice(w)
				}
				if c.step > time.Second && len(s.taken) < int(time.Minute/(c.step+c.save)) {
					t.Errorf("%d checkpoints in a minute of steps of %v", len(s.taken), c.step)
				}
				for i, at := range s.taken[1:] {
					gap := at - s.taken[i]
					if c.step < time.Second && gap+c.save > lost {
						t.Errorf("checkpoint %d was begun %v after the one before and took %v", i+1, gap, c.save)
					}
					if gap < checkpointEvery/2 {
						t.Fatalf("checkpoint %d was begun %v after the one before", i+1, gap)
					}
				}
			})
		}
	}
}

// Runs larger than a small machine's disk writes in a second are saved less often, also if saving is slow.
func TestLargeCheckpointsRestLonger(t *testing.T) {
	for _, c := range []struct {
		took time.Duration
		size int64
		want time.Duration
	}{
		{0, 1 << 20, time.Second},
		{900 * time.Millisecond, 32 << 20, time.Second},
		{10 * time.Millisecond, 96 << 20, 3 * time.Second},
		{time.Second, 96 << 20, 10 * time.Second},
	} {
		if got := restAfter(c.took, c.size); got != c.want {
			t.Errorf("%d bytes in %v: %v, expected %v", c.size, c.took, got, c.want)
		}
	}
}
