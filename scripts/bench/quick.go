package main

import (
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
func (b *bench) quick() {
	b.stepAndFloor(nil)
	b.trainings("runs", brief(), hastily)
	b.measured = []string{"step", "runs", "size"}
	b.sameBits()
}

// stepAndFloor measures the step of Syn2 in three programs, of which the page's own runs in one
// worker and as it ships, and in those of peers, and the stream over its parameters, in turns.
func (b *bench) stepAndFloor(peers []*peer) {
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
			ok(b.page.call("shipped", "floor", &ms, arg))
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
			r := b.trainFrom(v.variant, &t, v.from)
			note(v.name, r.Loop/float64(r.Steps))
		}
		for _, v := range []struct {
			name       string
			processors int
			vectors    bool
		}{{"step/native", 1, true}, {"step/native_scalar", 1, false}, {"step/native_two", 2, true}} {
			b.native.on(v.processors, v.vectors, func() { note(v.name, b.native.milliseconds(10)) })
		}
		for _, p := range peers {
			for _, f := range p.forms {
				a := must(p.ask(request{Form: f.name, Steps: f.steps}))
				note(p.key+"/"+f.name, a.MS)
			}
		}
	}
	b.allocs = b.native.allocations()
}

// A trained is what the page says of a training.
type trained struct {
	Seconds float64 `json:"s"`
	Loop    float64 `json:"loop_ms"`
	Steps   int     `json:"steps"`
	Hash    string  `json:"hash"`
}

func (b *bench) train(variant string, t *study.Task) trained {
	return b.trainFrom(variant, t, 0)
}

// trainFrom times the steps after the first ones.
func (b *bench) trainFrom(variant string, t *study.Task, from int) (r trained) {
	arg := struct {
		*study.Task
		From int `json:"from"`
	}{t, from}
	ok(b.page.call(variant, "train", &r, arg))
	if r.Steps == 0 {
		ok(fmt.Errorf("%s, %s: a training without a step after step %d", t.Name, variant, from))
	}
	return r
}

// trainings measures a list of them.
func (b *bench) trainings(part string, list []whole, r repetition) {
	for i := range list {
		list[i].part = part
		b.whole(&list[i], r)
		b.wholes = append(b.wholes, list[i])
	}
}

// whole measures one training, or several on some workers, from request to answer.
func (b *bench) whole(w *whole, repeat repetition) {
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
		if len(w.tasks) == 1 && w.files == nil {
			r = b.train(w.site(), &w.tasks[0])
		} else {
			ok(b.page.call("shipped", "pool", &r, map[string]any{"tasks": w.tasks, "workers": w.workers, "files": addresses}))
		}
		b.add("run/"+w.key, r.Seconds)
		b.steps[w.key] = r.Steps
	}
}

// sameBits runs Syn1 natively and in Chromium, with and without vectors, at once in both: only the
// bits count.
func (b *bench) sameBits() {
	b.say("hashes of Syn1")
	t := example("syn1", nil)
	var group sync.WaitGroup
	var hash, scalar string
	var failed error
	group.Go(func() {
		defer caught(&failed)
		b.native.on(2, true, func() { hash = b.native.hash(&t) })
		b.native.on(1, false, func() { scalar = b.native.hash(&t) })
	})
	defer func() {
		group.Wait()
		b.hashes["native"], b.hashes["native scalar"] = hash, scalar
		ok(failed)
	}()
	for _, variant := range []string{"shipped", "scalar"} {
		b.hashes[variant] = b.train(variant, &t).Hash
	}
}
