package main

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"cadem/core/study"
)

// rounds is how often things are measured that are compared, after once that warms up.
const rounds = 5

// A repetition says how often trainings are measured: most times, but for those that take
// long, which are not begun again after a while if they were measured fewest times.
type repetition struct {
	most, fewest int
	while        time.Duration
}

var (
	hastily    = repetition{3, 1, 5 * time.Second}
	thoroughly = repetition{rounds, 2, time.Minute}
)

// quick measures what the first keys of the report hold.
func (b *bench) quick() error {
	if err := b.stepAndFloor(nil); err != nil {
		return err
	}
	if err := b.trainings("runs", brief(), hastily); err != nil {
		return err
	}
	b.measured = []string{"step", "runs", "size"}
	return b.sameBits()
}

// stepAndFloor measures the step of Syn2 in three programs, of which the page's own runs in one
// worker and as it ships, and in those of peers, and the stream over its parameters, in turns.
func (b *bench) stepAndFloor(peers []*peer) (err error) {
	b.say("step of Syn2 and stream over its parameters")
	for round := range rounds + 1 {
		note := func(name string, value float64) {
			if round > 0 {
				b.add(name, value)
			}
		}
		loops := floorLoops[:1]
		if b.full != nil {
			loops = floorLoops
		}
		for _, l := range loops {
			var ms float64
			arg := map[string]any{"address": "../floor.wasm", "parameters": syn2Parameters, "passes": floorPasses, "loop": l.name, "turn": l.turn}
			if err := b.page.call("shipped", "floor", &ms, arg); err != nil {
				return err
			}
			note(l.key, ms)
		}
		for _, v := range []struct {
			name, variant string
			epochs        int // over within a second, when the program would take a checkpoint
			from          int // the first step that is timed: 50 find out whether another worker pays, which is then asked for
		}{{"step/simd", "alone", 20, 0}, {"step/two", "shipped", 36, 60}, {"step/three", "three", 160, 200}, {"step/scalar", "scalar", 4, 0}} {
			t := example("syn2", nil)
			t.Options = map[string]any{"epochs": v.epochs}
			for name, value := range syn2Step {
				t.Options[name] = value
			}
			r, err := b.trainFrom(v.variant, &t, v.from)
			if err != nil {
				return err
			}
			note(v.name, r.Loop/float64(r.Steps))
		}
		for _, v := range []struct {
			name       string
			processors int
			vectors    bool
		}{{"step/native", 1, true}, {"step/native_scalar", 1, false}, {"step/native_two", 2, true}} {
			var ms float64
			err := b.native.on(v.processors, v.vectors, func() (err error) {
				ms, err = b.native.milliseconds(10)
				return err
			})
			if err != nil {
				return err
			}
			note(v.name, ms)
		}
		for _, p := range peers {
			for _, f := range p.forms {
				a, err := p.ask(request{Form: f.name, Steps: f.steps})
				if err != nil {
					return err
				}
				note(p.key+"/"+f.name, a.MS)
			}
		}
	}
	b.allocs, err = b.native.allocations()
	return err
}

// A trained is what the page says of a training.
type trained struct {
	Seconds float64 `json:"s"`
	Loop    float64 `json:"loop_ms"`
	Steps   int     `json:"steps"`
	Hash    string  `json:"hash"`
}

func (b *bench) train(variant string, t *study.Task) (trained, error) {
	return b.trainFrom(variant, t, 0)
}

// trainFrom times the steps after the first ones.
func (b *bench) trainFrom(variant string, t *study.Task, from int) (r trained, err error) {
	arg := struct {
		*study.Task
		From int `json:"from"`
	}{t, from}
	if err = b.page.call(variant, "train", &r, arg); err == nil && r.Steps == 0 {
		err = fmt.Errorf("%s, %s: a training without a step after step %d", t.Name, variant, from)
	}
	return r, err
}

// trainings measures a list of them.
func (b *bench) trainings(part string, list []whole, r repetition) error {
	for i := range list {
		list[i].part = part
		if err := b.whole(&list[i], r); err != nil {
			return err
		}
		b.wholes = append(b.wholes, list[i])
	}
	return nil
}

// whole measures one training, or several on some workers, from request to answer.
func (b *bench) whole(w *whole, repeat repetition) error {
	b.say("%s", w.what)
	addresses := make([][]string, len(w.files)) // of the contents, where the page fetches them
	for i, files := range w.files {
		for _, f := range files {
			name := fmt.Sprintf("data/%s/%d/%s", w.key, i, f.Name)
			b.server.put(name, f.Data)
			addresses[i] = append(addresses[i], "../"+name)
		}
	}
	began := time.Now()
	for k := range repeat.most {
		if k >= repeat.fewest && time.Since(began) > repeat.while {
			break
		}
		var r trained
		var err error
		if len(w.tasks) == 1 && w.files == nil {
			r, err = b.train(w.site(), &w.tasks[0])
		} else {
			err = b.page.call("shipped", "pool", &r, map[string]any{"tasks": w.tasks, "workers": w.workers, "files": addresses})
		}
		if err != nil {
			return err
		}
		b.add("run/"+w.key, r.Seconds)
		b.steps[w.key] = r.Steps
	}
	return nil
}

// sameBits runs Syn1 natively and in Chromium, with and without vectors, at once in both: only the
// bits count.
func (b *bench) sameBits() (err error) {
	b.say("hashes of Syn1")
	t := example("syn1", nil)
	var group sync.WaitGroup
	var hash, scalar string
	var failed error
	group.Go(func() {
		failed = b.native.on(2, true, func() (err error) { hash, err = b.native.hash(&t); return err })
		failed = errors.Join(failed, b.native.on(1, false, func() (err error) { scalar, err = b.native.hash(&t); return err }))
	})
	defer func() {
		group.Wait()
		b.hashes["native"], b.hashes["native scalar"] = hash, scalar
		err = errors.Join(err, failed)
	}()
	for _, variant := range []string{"shipped", "scalar"} {
		r, err := b.train(variant, &t)
		if err != nil {
			return err
		}
		b.hashes[variant] = r.Hash
	}
	return nil
}
