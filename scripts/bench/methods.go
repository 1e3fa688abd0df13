package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"cadem.example/core/baseline"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
)

// Time limits in a tab for the comparison of all methods, and for one method of it, in seconds.
const (
	mostBoard  = 150
	mostMethod = 40
)

// A boardReport tells how long the comparison of all methods on Syn1 takes in a tab, with lite settings and one seed.
type boardReport struct {
	Seconds   float64            `json:"seconds"`
	Processor float64            `json:"processor_seconds"` // of the page's process
	Each      map[string]float64 `json:"each_seconds"`      // of every task, by its name, beside another one
}

// slowest returns the task that takes longest.
func (r *boardReport) slowest() (name string, seconds float64) {
	for n, s := range r.Each {
		if s > seconds {
			name, seconds = n, s
		}
	}
	return name, seconds
}

// methods measures the comparison of all methods in a tab, and an epoch of those with gradients.
func (b *bench) methods() {
	b.board()
	b.epochs()
}

// board runs the comparison as the page does: in its pool, two tasks at a time.
func (b *bench) board() {
	b.say("all methods on Syn1 in the tab")
	tasks := must(experiments.All().Plan(study.Order{Study: "table2", Methods: "all", Level: baseline.Lite, Seeds: 1}))
	before := must(b.page.Usage())
	r := &boardReport{}
	var found struct {
		S    float64            `json:"s"`
		Each map[string]float64 `json:"each"`
	}
	ok(b.page.call("shipped", "pool", &found, map[string]any{"tasks": tasks, "workers": 2, "files": []any{}}))
	after := must(b.page.Usage())
	r.Seconds, r.Processor, r.Each = round(found.S), round((after.CPU - before.CPU).Seconds()), map[string]float64{}
	for name, s := range found.Each {
		r.Each[name] = round(s)
	}
	b.full.Board = r
}

func (b *bench) writeMethods(w io.Writer) {
	if r := b.full.Board; r != nil {
		name, s := r.slowest()
		writef(w, "\nAll methods on Syn1 in the tab: %g s, of the processors %g s. The longest of the %d tasks is %q with %g s.\n", r.Seconds, r.Processor,
			len(r.Each), name, s)
	}
	if len(b.full.Epochs) > 0 {
		b.writeEpochs(w)
	}
}

const aboutReading = "A list without a header, \"layer node node weight\", of 1,000,000 links among 100,000 nodes in three layers, 15 MB: from its " +
	"bytes to the graph that would train, with what is said of it."

// manyLinks writes the list.
func manyLinks() []byte {
	const links, nodes, layers = 1_000_000, 100_000, 3
	src := rand.New(rand.NewPCG(1, links))
	var list bytes.Buffer
	for k := range links {
		fmt.Fprintln(&list, 1+k%layers, src.IntN(nodes), src.IntN(nodes), 1)
	}
	return list.Bytes()
}

// reading measures how long files take to become a graph.
func (b *bench) reading() {
	list := manyLinks()
	b.say("reading a list of 1,000,000 links")
	for range rounds {
		began := time.Now()
		content, err := formats.Read([]formats.File{{Name: "net.edges", Data: list}})
		ok(err)
		_, _, err = content.Graph(formats.Choice{})
		ok(err)
		b.add("read/native", time.Since(began).Seconds())
	}
	const name = "data/reading/net.edges"
	b.server.put(name, list)
	data := run.DataSpec{Files: []run.FileSpec{{Name: "net.edges", Size: int64(len(list))}}, Reader: run.Reader}
	for range rounds {
		var s float64
		ok(b.page.call("shipped", "reading", &s, map[string]any{"data": data, "files": []string{"../" + name}}))
		b.add("read/tab", s)
	}
}

func (b *bench) writeReading(w io.Writer) {
	head(w, "Reading 1,000,000 links, s", "")
	for _, r := range []row{{"read/native", "native"}, {"read/tab", "in a worker of the page: looked at, then opened"}} {
		if s := b.samples[r.key]; s != nil {
			entry(w, r.what, *s, "")
		}
	}
}
